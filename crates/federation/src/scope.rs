//! Which variables a pattern mentions, may bind and always binds.

use crate::algebra::{Node, nodes};
use oxrdf::Variable;
use spargebra::algebra::{AggregateExpression, Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern};
use std::collections::BTreeSet;

/// A set of variables.
pub(crate) type Variables = BTreeSet<Variable>;

/// Every variable that occurs anywhere in a pattern, be it in an expression or in a subquery that keeps it to itself.
pub(crate) fn mentioned(pattern: &GraphPattern) -> Variables {
    let mut found = Variables::new();
    for (node, _) in nodes(Node::Pattern(pattern)) {
        match node {
            Node::Pattern(pattern) => {
                own(pattern, &mut found);
                match pattern {
                    GraphPattern::Extend { variable, .. } => {
                        found.insert(variable.clone());
                    }
                    GraphPattern::Values { variables, .. }
                    | GraphPattern::Project { variables, .. } => {
                        found.extend(variables.iter().cloned());
                    }
                    GraphPattern::Group {
                        variables,
                        aggregates,
                        ..
                    } => {
                        found.extend(variables.iter().cloned());
                        found.extend(aggregates.iter().map(|(variable, _)| variable.clone()));
                    }
                    _ => {}
                }
            }
            Node::Expression(Expression::Variable(v) | Expression::Bound(v)) => {
                found.insert(v.clone());
            }
            Node::Expression(_) | Node::Path(_) => {}
        }
    }
    found
}

/// Every variable that occurs in an expression, in the patterns of its `EXISTS` too.
pub(crate) fn mentioned_by(expression: &Expression) -> Variables {
    let mut found = Variables::new();
    for (node, _) in nodes(Node::Expression(expression)) {
        match node {
            Node::Expression(Expression::Variable(v) | Expression::Bound(v)) => {
                found.insert(v.clone());
            }
            Node::Pattern(pattern) => found.append(&mut mentioned(pattern)),
            Node::Expression(_) | Node::Path(_) => {}
        }
    }
    found
}

/// The variables that a solution of a pattern may bind.
pub(crate) fn visible(pattern: &GraphPattern) -> Variables {
    let mut found = Variables::new();
    pattern.on_in_scope_variable(|variable| {
        found.insert(variable.clone());
    });
    found
}

/// The variables that every solution of a pattern binds.
pub(crate) fn certain(pattern: &GraphPattern) -> Variables {
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } => {
            let mut found = Variables::new();
            own(pattern, &mut found);
            found
        }
        GraphPattern::Join { left, right } => &certain(left) | &certain(right),
        GraphPattern::Union { left, right } => &certain(left) & &certain(right),
        GraphPattern::LeftJoin { left, .. } | GraphPattern::Minus { left, .. } => certain(left),
        GraphPattern::Graph { inner, .. } => {
            let mut found = certain(inner);
            own(pattern, &mut found);
            found
        }
        GraphPattern::Values {
            variables,
            bindings,
        } => variables
            .iter()
            .enumerate()
            .filter(|(column, _)| {
                bindings
                    .iter()
                    .all(|row| row.get(*column).is_some_and(Option::is_some))
            })
            .map(|(_, variable)| variable.clone())
            .collect(),
        GraphPattern::Extend {
            inner,
            variable,
            expression,
        } => {
            let mut found = certain(inner);
            if matches!(
                expression,
                Expression::NamedNode(_) | Expression::Literal(_)
            ) {
                found.insert(variable.clone());
            }
            found
        }
        GraphPattern::Project { inner, variables }
        | GraphPattern::Group {
            inner, variables, ..
        } => &certain(inner) & &variables.iter().cloned().collect(),
        GraphPattern::Filter { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => certain(inner),
        GraphPattern::Service { .. } => Variables::new(),
    }
}

/// The variables that aggregates read.
pub(crate) fn aggregated(aggregates: &[(Variable, AggregateExpression)]) -> Variables {
    aggregates
        .iter()
        .filter_map(|(_, aggregate)| match aggregate {
            AggregateExpression::FunctionCall { expr, .. } => Some(mentioned_by(expr)),
            AggregateExpression::CountSolutions { .. } => None,
        })
        .flatten()
        .collect()
}

/// The variables of a pattern's own triples or graph name.
fn own(pattern: &GraphPattern, found: &mut Variables) {
    match pattern {
        GraphPattern::Bgp { patterns } => {
            for triple in patterns {
                found.extend(of_term(&triple.subject));
                found.extend(of_name(&triple.predicate));
                found.extend(of_term(&triple.object));
            }
        }
        GraphPattern::Path {
            subject, object, ..
        } => {
            found.extend(of_term(subject));
            found.extend(of_term(object));
        }
        GraphPattern::Graph { name, .. } => found.extend(of_name(name)),
        _ => {}
    }
}

fn of_term(term: &TermPattern) -> Option<Variable> {
    match term {
        TermPattern::Variable(variable) => Some(variable.clone()),
        _ => None,
    }
}

fn of_name(name: &NamedNodePattern) -> Option<Variable> {
    match name {
        NamedNodePattern::Variable(variable) => Some(variable.clone()),
        NamedNodePattern::NamedNode(_) => None,
    }
}
