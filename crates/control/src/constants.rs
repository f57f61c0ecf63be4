//! Which IRIs a variable of a query is tied to.

use record::{Node, walk};
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{GroundTerm, TermPattern, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// The IRIs that VALUES, BIND, `=` and IN give to each variable, anywhere in the query.
///
/// Scopes are ignored: a variable of the same name in two sub-selects is rare, and its IRIs are then pooled.
#[derive(Debug, Default)]
pub(crate) struct Constants<'q> {
    iris: BTreeMap<&'q str, BTreeSet<&'q str>>,
}

impl<'q> Constants<'q> {
    pub(crate) fn of(query: &'q Query) -> Self {
        let mut constants = Self::default();
        walk(query, &mut |node, _| match node {
            Node::Pattern(GraphPattern::Values {
                variables,
                bindings,
            }) => {
                for (column, variable) in variables.iter().enumerate() {
                    for row in bindings {
                        if let Some(Some(GroundTerm::NamedNode(iri))) = row.get(column) {
                            constants.add(variable, iri.as_str());
                        }
                    }
                }
            }
            Node::Pattern(GraphPattern::Extend {
                variable,
                expression: Expression::NamedNode(iri),
                ..
            }) => constants.add(variable, iri.as_str()),
            Node::Pattern(
                GraphPattern::Filter { expr, .. }
                | GraphPattern::LeftJoin {
                    expression: Some(expr),
                    ..
                },
            ) => constants.add_tests(expr),
            _ => {}
        });
        constants
    }

    /// The IRIs that a term can stand for; empty where it is free.
    pub(crate) fn of_term(&self, term: &'q TermPattern) -> BTreeSet<&'q str> {
        match term {
            TermPattern::NamedNode(iri) => BTreeSet::from([iri.as_str()]),
            TermPattern::Variable(variable) => self
                .iris
                .get(variable.as_str())
                .cloned()
                .unwrap_or_default(),
            _ => BTreeSet::new(),
        }
    }

    /// Every variable's IRIs.
    pub(crate) fn sets(&self) -> impl Iterator<Item = &BTreeSet<&'q str>> {
        self.iris.values()
    }

    /// Reads `=` and IN, but not below a `!`: `?c != <x>` ties `?c` to nothing.
    fn add_tests(&mut self, expression: &'q Expression) {
        match expression {
            Expression::And(a, b) | Expression::Or(a, b) => {
                self.add_tests(a);
                self.add_tests(b);
            }
            Expression::Equal(a, b) | Expression::SameTerm(a, b) => match (&**a, &**b) {
                (Expression::Variable(variable), Expression::NamedNode(iri))
                | (Expression::NamedNode(iri), Expression::Variable(variable)) => {
                    self.add(variable, iri.as_str());
                }
                _ => {}
            },
            Expression::In(tested, list) => {
                if let Expression::Variable(variable) = &**tested {
                    for item in list {
                        if let Expression::NamedNode(iri) = item {
                            self.add(variable, iri.as_str());
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, variable: &'q Variable, iri: &'q str) {
        self.iris.entry(variable.as_str()).or_default().insert(iri);
    }
}
