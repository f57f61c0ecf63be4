//! Walking a query's algebra without recursion: its depth is the caller's to choose, the stack's is not.

use spargebra::Query;
use spargebra::algebra::{
    AggregateExpression, Expression, GraphPattern, OrderExpression, PropertyPathExpression,
};

/// The graph pattern of a query, whatever its form.
pub(crate) fn pattern_of(query: &Query) -> &GraphPattern {
    match query {
        Query::Select { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. }
        | Query::Ask { pattern, .. } => pattern,
    }
}

/// [`pattern_of`], to change it.
pub(crate) fn pattern_of_mut(query: &mut Query) -> &mut GraphPattern {
    match query {
        Query::Select { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. }
        | Query::Ask { pattern, .. } => pattern,
    }
}

/// A part of a query.
#[derive(Clone, Copy)]
pub(crate) enum Node<'a> {
    Pattern(&'a GraphPattern),
    Expression(&'a Expression),
    Path(&'a PropertyPathExpression),
}

/// Every part below a node, the node included, each with its depth.
pub(crate) fn nodes(root: Node<'_>) -> impl Iterator<Item = (Node<'_>, usize)> {
    let mut todo = vec![(root, 0)];
    std::iter::from_fn(move || {
        let (node, depth) = todo.pop()?;
        each_child(node, |child| todo.push((child, depth + 1)));
        Some((node, depth))
    })
}

/// The patterns of `EXISTS` in an expression, not those inside them.
pub(crate) fn exists_in(expression: &Expression) -> Vec<&GraphPattern> {
    let mut found = Vec::new();
    let mut todo = vec![expression];
    while let Some(expression) = todo.pop() {
        each_child(Node::Expression(expression), |child| match child {
            Node::Expression(inner) => todo.push(inner),
            Node::Pattern(pattern) => found.push(pattern),
            Node::Path(_) => {}
        });
    }
    found
}

fn each_child<'a>(node: Node<'a>, mut child: impl FnMut(Node<'a>)) {
    match node {
        Node::Pattern(pattern) => each_child_of_pattern(pattern, child),
        Node::Expression(expression) => each_child_of_expression(expression, child),
        Node::Path(path) => match path {
            PropertyPathExpression::NamedNode(_)
            | PropertyPathExpression::NegatedPropertySet(_) => {}
            PropertyPathExpression::Reverse(inner)
            | PropertyPathExpression::ZeroOrMore(inner)
            | PropertyPathExpression::OneOrMore(inner)
            | PropertyPathExpression::ZeroOrOne(inner) => child(Node::Path(inner)),
            PropertyPathExpression::Sequence(a, b) | PropertyPathExpression::Alternative(a, b) => {
                child(Node::Path(a));
                child(Node::Path(b));
            }
        },
    }
}

fn each_child_of_pattern<'a>(pattern: &'a GraphPattern, mut child: impl FnMut(Node<'a>)) {
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Values { .. } => {}
        GraphPattern::Path { path, .. } => child(Node::Path(path)),
        GraphPattern::Join { left, right }
        | GraphPattern::Union { left, right }
        | GraphPattern::Minus { left, right } => {
            child(Node::Pattern(left));
            child(Node::Pattern(right));
        }
        GraphPattern::LeftJoin {
            left,
            right,
            expression,
        } => {
            child(Node::Pattern(left));
            child(Node::Pattern(right));
            if let Some(expression) = expression {
                child(Node::Expression(expression));
            }
        }
        GraphPattern::Filter { expr, inner } => {
            child(Node::Pattern(inner));
            child(Node::Expression(expr));
        }
        GraphPattern::Extend {
            inner, expression, ..
        } => {
            child(Node::Pattern(inner));
            child(Node::Expression(expression));
        }
        GraphPattern::OrderBy { inner, expression } => {
            child(Node::Pattern(inner));
            for key in expression {
                let (OrderExpression::Asc(key) | OrderExpression::Desc(key)) = key;
                child(Node::Expression(key));
            }
        }
        GraphPattern::Group {
            inner, aggregates, ..
        } => {
            child(Node::Pattern(inner));
            for (_, aggregate) in aggregates {
                if let AggregateExpression::FunctionCall { expr, .. } = aggregate {
                    child(Node::Expression(expr));
                }
            }
        }
        GraphPattern::Graph { inner, .. }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. }
        | GraphPattern::Service { inner, .. } => child(Node::Pattern(inner)),
    }
}

fn each_child_of_expression<'a>(expression: &'a Expression, mut child: impl FnMut(Node<'a>)) {
    match expression {
        Expression::NamedNode(_)
        | Expression::Literal(_)
        | Expression::Variable(_)
        | Expression::Bound(_) => {}
        Expression::Or(a, b)
        | Expression::And(a, b)
        | Expression::Equal(a, b)
        | Expression::SameTerm(a, b)
        | Expression::Greater(a, b)
        | Expression::GreaterOrEqual(a, b)
        | Expression::Less(a, b)
        | Expression::LessOrEqual(a, b)
        | Expression::Add(a, b)
        | Expression::Subtract(a, b)
        | Expression::Multiply(a, b)
        | Expression::Divide(a, b) => {
            child(Node::Expression(a));
            child(Node::Expression(b));
        }
        Expression::UnaryPlus(a) | Expression::UnaryMinus(a) | Expression::Not(a) => {
            child(Node::Expression(a));
        }
        Expression::In(a, list) => {
            child(Node::Expression(a));
            for e in list {
                child(Node::Expression(e));
            }
        }
        Expression::If(a, b, c) => {
            child(Node::Expression(a));
            child(Node::Expression(b));
            child(Node::Expression(c));
        }
        Expression::Coalesce(list) | Expression::FunctionCall(_, list) => {
            for e in list {
                child(Node::Expression(e));
            }
        }
        Expression::Exists(pattern) => child(Node::Pattern(pattern)),
    }
}
