//! Rules about ORDER BY.

use super::{Example, Rule};
use crate::facts::Facts;
use crate::finding::Severity;
use crate::shape::{Shape, at_most_one_row, pattern_of, variables_of};
use crate::subject::{Out, Subject};
use record::{Node, walk};
use spargebra::algebra::{Expression, GraphPattern};

pub(super) const RULES: [Rule; 3] = [
    Rule {
        id: "order-missing",
        severity: Severity::Error,
        what: "a LIMIT or OFFSET without an ORDER BY at the same level",
        why: "which rows are kept is then up to the engine: the key gives another table on another day",
        remedy: "order the rows by what the prose ranks on, ties by an IRI, or take the LIMIT out",
        bad: &[
            Example::new(
                "any ten will do, but the key holds ten particular ones",
                "#+ summary: List ten genes.\nSELECT ?gene { ?gene a <http://e/Gene> } LIMIT 10",
            ),
            Example::new(
                "the order of a sub-select does not reach outside",
                "#+ summary: List ten genes by length.\nSELECT ?gene { { SELECT ?gene { ?gene <http://e/length> ?length } ORDER BY ?length } } LIMIT 10",
            ),
        ],
        good: &[
            Example::new(
                "ordered by IRI",
                "#+ summary: List the first ten genes by IRI.\nSELECT ?gene { ?gene a <http://e/Gene> } ORDER BY ?gene LIMIT 10",
            ),
            Example::new(
                "one row whatever the order",
                "#+ summary: How many genes are there?\nSELECT (COUNT(?gene) AS ?genes) { ?gene a <http://e/Gene> } LIMIT 1",
            ),
        ],
        check: order_missing,
    },
    Rule {
        id: "order-not-total",
        severity: Severity::Error,
        what: "a LIMIT under an ORDER BY that leaves rows level, as far as grouping and bindings can tell",
        why: "where the cut falls between rows that are level, the engine chooses who is in",
        remedy: "end the ORDER BY with the IRI, or with every key of the GROUP BY, and say so in the prose",
        bad: &[
            Example::new(
                "two genes of one length",
                "#+ summary: List the ten longest genes.\nSELECT ?gene ?length { ?gene <http://e/length> ?length } ORDER BY DESC(?length) LIMIT 10",
            ),
            Example::new(
                "grouped by two, ordered by one of them",
                "#+ summary: List the top 3 pairs of author and journal by papers.\nSELECT ?author ?journal (COUNT(?paper) AS ?papers) { ?paper <http://e/author> ?author ; <http://e/journal> ?journal } GROUP BY ?author ?journal ORDER BY DESC(?papers) ?author LIMIT 3",
            ),
            Example::new(
                "the data have two names for one thing",
                "#+ summary: List the top 2 genes by IRI, with their name.\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?gene ?name { ?gene rdfs:label ?name } ORDER BY ?gene LIMIT 2",
            )
            .given(|| Facts {
                tied_at_cut: Some(2),
                ..Facts::default()
            }),
        ],
        good: &[
            Example::new(
                "ties by IRI",
                "#+ summary: List the ten longest genes, ties by IRI.\nSELECT ?gene ?length { ?gene <http://e/length> ?length } ORDER BY DESC(?length) ?gene LIMIT 10",
            ),
            Example::new(
                "a label follows from its entity",
                "#+ summary: List the top 2 genes by IRI, with their name.\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?gene ?name { ?gene rdfs:label ?name } ORDER BY ?gene LIMIT 2",
            ),
            Example::new(
                "without a LIMIT nothing is cut",
                "#+ summary: List the genes by length.\nSELECT ?gene { ?gene <http://e/length> ?length } ORDER BY ?length",
            ),
        ],
        check: order_not_total,
    },
    Rule {
        id: "order-collation",
        severity: Severity::Warning,
        what: "rows are put in order by a name",
        why: "engines sort text by different collations, so that `scleroderma` and `Sjogren syndrome` change places and a right answer is scored as out of order",
        remedy: "order by a number or a date and break ties on the IRI",
        bad: &[
            Example::new(
                "ties on the label",
                "#+ summary: List the ten longest genes with their name, ties by name.\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?name ?length { ?gene rdfs:label ?name ; <http://e/length> ?length } ORDER BY DESC(?length) ?name LIMIT 10",
            ),
            Example::new(
                "lower case does not help with hyphens and accents",
                "#+ summary: List the genes by name.\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?name { ?gene rdfs:label ?name } ORDER BY LCASE(?name)",
            ),
        ],
        good: &[
            Example::new(
                "the IRI decides before the name is asked",
                "#+ summary: List the genes by IRI, with their name.\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?gene ?name { ?gene rdfs:label ?name } ORDER BY ?gene ?name",
            ),
            Example::new(
                "a count of names is a number",
                "#+ summary: List each gene with its number of names, most first.\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?gene (COUNT(?name) AS ?names) { ?gene rdfs:label ?name } GROUP BY ?gene ORDER BY DESC(?names) ?gene",
            ),
        ],
        check: order_collation,
    },
];

fn order_missing(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some(shape) = subject.key(out) else {
        return;
    };
    let outermost = pattern_of(shape.query);
    if (shape.limit.is_some() || shape.offset > 0) && shape.order.is_empty() && !shape.has_one_row()
    {
        let (at, clause) = match shape.limit {
            Some(limit) => (subject.tokens.limit(limit, true), format!("LIMIT {limit}")),
            None => (
                subject.tokens.last_word("OFFSET"),
                format!("OFFSET {}", shape.offset),
            ),
        };
        out.find(
            at,
            format!("{clause} without ORDER BY: the engine chooses the rows"),
        );
    }
    walk(shape.query, &mut |node, _| {
        if let Node::Pattern(pattern @ GraphPattern::Slice { inner, length, .. }) = node
            && !std::ptr::eq(pattern, outermost)
            && !is_ordered(inner)
            && !at_most_one_row(inner)
        {
            let at = length.map_or_else(
                || subject.tokens.word("OFFSET"),
                |length| subject.tokens.limit(length, false),
            );
            out.find(
                at,
                "a sub-select keeps some rows without ORDER BY: the engine chooses them",
            );
        }
    });
}

fn is_ordered(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::OrderBy { .. } => true,
        GraphPattern::Project { inner, .. } => matches!(**inner, GraphPattern::OrderBy { .. }),
        GraphPattern::Distinct { inner } | GraphPattern::Reduced { inner } => is_ordered(inner),
        _ => false,
    }
}

fn order_not_total(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some(shape) = subject.key(out) else {
        return;
    };
    if !shape.is_select() || shape.order.is_empty() || (shape.limit.is_none() && shape.offset == 0)
    {
        return;
    }
    let at = subject.tokens.last_word("ORDER");
    let open = shape.left_open(usize::MAX);
    if !open.is_empty() {
        let columns: Vec<String> = open.iter().map(|column| format!("?{column}")).collect();
        out.find(
            at,
            format!(
                "rows that agree in all of ORDER BY can differ in {}, so the LIMIT may cut between equals",
                columns.join(", ")
            ),
        );
    } else if let Some(tied) = subject.target.facts.tied_at_cut
        && tied > 1
        && subject
            .target
            .facts
            .rows_without_limit
            .is_none_or(|rows| shape.limit.is_some_and(|l| rows > l))
    {
        out.find(
            at,
            format!("on this endpoint {tied} rows are level at the cut"),
        );
    }
}

fn order_collation(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some(shape) = subject.key(out) else {
        return;
    };
    if !shape.is_select() {
        return;
    }
    for (index, (expression, _)) in shape.order_keys().enumerate() {
        let Some(name) = name_in(expression, shape) else {
            continue;
        };
        if index > 0 && shape.left_open(index).is_empty() {
            break;
        }
        let what = if shape.limit.is_some() {
            "which rows are kept depends on how the engine sorts text"
        } else {
            "their sequence depends on how the engine sorts text"
        };
        out.find(
            subject.tokens.last_variable(&name),
            format!("rows are ordered by the name `?{name}`: {what}"),
        );
        break;
    }
}

/// The variable with a name in it by which an order key sorts.
fn name_in(expression: &Expression, shape: &Shape<'_>) -> Option<String> {
    variables_of(expression)
        .into_iter()
        .find(|variable| {
            shape.is_service_label(variable)
                || shape
                    .definitions
                    .get(*variable)
                    .is_some_and(|definition| definition.is_name && !definition.is_node)
        })
        .map(str::to_owned)
}
