//! What is doubtful about a query, said beside its rows.

use serde::Serialize;
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, GraphPattern};

/// The public server's `query_analysis`.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Analysis {
    warning: String,
    suggested_order: Option<String>,
    limit_value: usize,
}

/// Says of a query with LIMIT and without ORDER BY that its rows are any.
pub(super) fn of(query: &Query) -> Option<Analysis> {
    let Query::Select { pattern, .. } = query else {
        return None;
    };
    let GraphPattern::Slice {
        inner,
        length: Some(limit),
        ..
    } = pattern
    else {
        return None;
    };
    if is_ordered(inner) {
        return None;
    }
    let order = counted(inner).map(|variable| format!("ORDER BY DESC(?{variable})"));
    Some(Analysis {
        warning: format!(
            "LIMIT {limit} without ORDER BY returns any {limit} rows, not the first or the largest"
        ),
        suggested_order: order,
        limit_value: *limit,
    })
}

fn is_ordered(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::OrderBy { .. } => true,
        GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner } => is_ordered(inner),
        _ => false,
    }
}

/// The first variable that holds an aggregate, by the name that the query gives it.
fn counted(pattern: &GraphPattern) -> Option<&str> {
    match pattern {
        GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Filter { inner, .. } => counted(inner),
        GraphPattern::Extend {
            inner, variable, ..
        } => aggregates(inner)
            .then_some(variable.as_str())
            .or_else(|| counted(inner)),
        _ => None,
    }
}

fn aggregates(pattern: &GraphPattern) -> bool {
    let counts = |(_, aggregate): &(_, AggregateExpression)| {
        matches!(
            aggregate,
            AggregateExpression::CountSolutions { .. } | AggregateExpression::FunctionCall { .. }
        )
    };
    match pattern {
        GraphPattern::Group { aggregates, .. } => aggregates.iter().any(counts),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn a_limit_without_an_order_is_doubtful() {
        for (query, said) in [
            ("SELECT ?s { ?s ?p ?o }", None),
            ("SELECT ?s { ?s ?p ?o } ORDER BY ?s LIMIT 3", None),
            ("SELECT DISTINCT ?s { ?s ?p ?o } ORDER BY ?s LIMIT 3", None),
            ("SELECT ?s { ?s ?p ?o } LIMIT 3", Some(None)),
            (
                "SELECT ?s (COUNT(?o) AS ?n) { ?s ?p ?o } GROUP BY ?s LIMIT 3",
                Some(Some("ORDER BY DESC(?n)")),
            ),
            ("SELECT ?s { { SELECT ?s { ?s ?p ?o } LIMIT 3 } }", None),
            ("ASK { ?s ?p ?o }", None),
        ] {
            let analysis = of(&federation::parse_query(query).unwrap());
            let order = analysis
                .as_ref()
                .map(|found| found.suggested_order.as_deref());
            assert_eq!(order, said, "{query}");
        }
    }
}
