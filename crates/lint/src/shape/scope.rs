//! Variables that are used where nothing binds them.

use super::{Shape, in_scope, is_label_service, parts_of};
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, Expression, GraphPattern, OrderExpression};
use spargebra::term::{NamedNodePattern, TermPattern};
use std::collections::BTreeSet;

/// A use of a variable that is never bound there.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Unbound {
    pub(crate) variable: String,
    /// The clause that uses it, for the message.
    pub(crate) used_in: &'static str,
    /// Whether something binds it elsewhere in the query.
    pub(crate) bound_elsewhere: bool,
}

impl Shape<'_> {
    /// Every use of a variable that nothing binds, by name.
    pub(crate) fn unbound(&self) -> Vec<Unbound> {
        let mut uses = BTreeSet::new();
        pattern(super::pattern_of(self.query), &BTreeSet::new(), &mut uses);
        if let Query::Construct {
            template, pattern, ..
        } = self.query
        {
            let scope = in_scope(pattern);
            for triple in template {
                for term in [&triple.subject, &triple.object] {
                    if let TermPattern::Variable(variable) = term
                        && !scope.contains(variable.as_str())
                    {
                        uses.insert((variable.as_str().to_owned(), "the CONSTRUCT template"));
                    }
                }
            }
        }
        let mut unbound: Vec<Unbound> = uses
            .into_iter()
            .filter(|(variable, _)| !self.is_service_label(variable))
            .map(|(variable, used_in)| Unbound {
                bound_elsewhere: self.definitions.contains_key(&variable),
                variable,
                used_in,
            })
            .collect();
        // A typo in an aggregate shows again in the column that is made of it: say it once.
        unbound.dedup_by(|a, b| a.variable == b.variable);
        unbound
    }
}

type Uses = BTreeSet<(String, &'static str)>;

fn pattern(at: &GraphPattern, outer: &BTreeSet<String>, uses: &mut Uses) {
    match at {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } | GraphPattern::Values { .. } => {}
        GraphPattern::Join { left, right }
        | GraphPattern::Union { left, right }
        | GraphPattern::Minus { left, right } => {
            pattern(left, outer, uses);
            pattern(right, outer, uses);
        }
        GraphPattern::LeftJoin {
            left,
            right,
            expression,
        } => {
            pattern(left, outer, uses);
            pattern(right, outer, uses);
            if let Some(condition) = expression {
                let mut scope = in_scope(left);
                scope.extend(in_scope(right));
                self_check(condition, scope, outer, "the FILTER of an OPTIONAL", uses);
            }
        }
        GraphPattern::Filter { expr, inner } => {
            pattern(inner, outer, uses);
            self_check(expr, in_scope(inner), outer, "a FILTER", uses);
        }
        GraphPattern::Extend {
            inner, expression, ..
        } => {
            pattern(inner, outer, uses);
            self_check(expression, in_scope(inner), outer, "an expression", uses);
        }
        GraphPattern::OrderBy { inner, expression } => {
            pattern(inner, outer, uses);
            let scope = in_scope(inner);
            for condition in expression {
                let (OrderExpression::Asc(key) | OrderExpression::Desc(key)) = condition;
                self_check(key, scope.clone(), outer, "ORDER BY", uses);
            }
        }
        GraphPattern::Project { inner, variables } => {
            pattern(inner, outer, uses);
            let scope = in_scope(inner);
            for variable in variables {
                if !scope.contains(variable.as_str()) {
                    uses.insert((variable.as_str().to_owned(), "SELECT"));
                }
            }
        }
        GraphPattern::Group {
            inner,
            variables,
            aggregates,
        } => {
            pattern(inner, outer, uses);
            let scope = in_scope(inner);
            for variable in variables {
                if !scope.contains(variable.as_str()) {
                    uses.insert((variable.as_str().to_owned(), "GROUP BY"));
                }
            }
            for (_, aggregate) in aggregates {
                if let AggregateExpression::FunctionCall { expr, .. } = aggregate {
                    self_check(expr, scope.clone(), outer, "an aggregate", uses);
                }
            }
        }
        GraphPattern::Graph { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => pattern(inner, outer, uses),
        GraphPattern::Service { name, inner, .. } => {
            // What the label service reads and binds is its own business.
            if !is_label_service(Some(name)) && !matches!(name, NamedNodePattern::Variable(_)) {
                pattern(inner, outer, uses);
            }
        }
    }
}

fn self_check(
    expression: &Expression,
    mut scope: BTreeSet<String>,
    outer: &BTreeSet<String>,
    used_in: &'static str,
    uses: &mut Uses,
) {
    scope.extend(outer.iter().cloned());
    let (mut variables, mut patterns) = (Vec::new(), Vec::new());
    parts_of(expression, &mut variables, &mut patterns);
    for variable in variables {
        if !scope.contains(variable) {
            uses.insert((variable.to_owned(), used_in));
        }
    }
    // Inside EXISTS the solution outside is substituted, so its variables are bound there.
    for inside in patterns {
        pattern(inside, &scope, uses);
    }
}
