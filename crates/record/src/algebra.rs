//! Questions about a parsed query, answered from its algebra.

use crate::walk::pattern_of;
use serde::{Deserialize, Serialize};
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern, OrderExpression};
use spargebra::term::Variable;

/// One condition of a query's outermost ORDER BY.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct OrderKey {
    /// The column that is sorted on; `None` for an expression or for a variable that is not projected.
    pub column: Option<String>,
    /// Whether large values come first.
    pub descending: bool,
}

/// The columns of a query's result, without `?`: what a SELECT projects, `subject`, `predicate`, `object` for CONSTRUCT
/// and DESCRIBE, and `boolean` for ASK.
pub fn columns_of(query: &Query) -> Vec<String> {
    match query {
        Query::Select { pattern, .. } => projected(pattern)
            .iter()
            .map(|variable| variable.as_str().to_owned())
            .collect(),
        Query::Construct { .. } | Query::Describe { .. } => ["subject", "predicate", "object"]
            .map(str::to_owned)
            .to_vec(),
        Query::Ask { .. } => vec!["boolean".to_owned()],
    }
}

/// The outermost ORDER BY; empty where there is none.
///
/// `ORDER BY DESC(COUNT(?x))` names the column `n` where `(COUNT(?x) AS ?n)` is projected.
pub fn order_of(query: &Query) -> Vec<OrderKey> {
    let pattern = pattern_of(query);
    let projected = projected(pattern);
    let Some((inner, conditions)) = outermost_order(pattern) else {
        return Vec::new();
    };
    conditions
        .iter()
        .map(|condition| {
            let (expression, descending) = match condition {
                OrderExpression::Asc(expression) => (expression, false),
                OrderExpression::Desc(expression) => (expression, true),
            };
            OrderKey {
                column: column_of(expression, inner, projected),
                descending,
            }
        })
        .collect()
}

/// The outermost LIMIT.
pub fn limit_of(query: &Query) -> Option<usize> {
    match pattern_of(query) {
        GraphPattern::Slice { length, .. } => *length,
        _ => None,
    }
}

/// The same query without its outermost LIMIT and OFFSET.
pub fn without_limit(query: &Query) -> Query {
    let mut query = query.clone();
    let (Query::Select { pattern, .. }
    | Query::Construct { pattern, .. }
    | Query::Describe { pattern, .. }
    | Query::Ask { pattern, .. }) = &mut query;
    if let GraphPattern::Slice { inner, .. } = pattern {
        let inner = std::mem::take(&mut **inner);
        *pattern = inner;
    }
    query
}

fn projected(pattern: &GraphPattern) -> &[Variable] {
    match pattern {
        GraphPattern::Project { variables, .. } => variables,
        GraphPattern::Slice { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner } => projected(inner),
        _ => &[],
    }
}

fn outermost_order(pattern: &GraphPattern) -> Option<(&GraphPattern, &[OrderExpression])> {
    match pattern {
        GraphPattern::OrderBy { inner, expression } => Some((inner, expression)),
        GraphPattern::Slice { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Project { inner, .. } => outermost_order(inner),
        _ => None,
    }
}

fn column_of(
    expression: &Expression,
    inner: &GraphPattern,
    projected: &[Variable],
) -> Option<String> {
    if let Expression::Variable(variable) = expression
        && projected.contains(variable)
    {
        return Some(variable.as_str().to_owned());
    }
    let mut pattern = inner;
    while let GraphPattern::Extend {
        inner,
        variable,
        expression: bound,
    } = pattern
    {
        if bound == expression && projected.contains(variable) {
            return Some(variable.as_str().to_owned());
        }
        pattern = inner;
    }
    None
}
