//! Rules about LIMIT.

use super::{Example, Rule};
use crate::facts::Facts;
use crate::finding::Severity;
use crate::prose::{Prose, Sense, equal, is_superlative};
use crate::shape::{Constant, Shape, Value};
use crate::subject::{Out, Subject};
use record::{Node, walk};
use spargebra::algebra::GraphPattern;

pub(super) const RULES: [Rule; 2] = [
    Rule {
        id: "limit-unstated",
        severity: Severity::Error,
        what: "the key keeps a number of rows that the prose does not give, or gives otherwise",
        why: "a correct and complete answer to the prose then has more rows than the key, and is scored as wrong",
        remedy: "state the number in the prose, or take the LIMIT out of the key",
        bad: &[
            Example::new(
                "nobody asked for 100",
                "#+ summary: List the genes.\nSELECT ?gene { ?gene a <http://e/Gene> } ORDER BY ?gene LIMIT 100",
            ),
            Example::new(
                "ten asked, twenty kept",
                "#+ summary: List the top ten genes, by IRI.\nSELECT ?gene { ?gene a <http://e/Gene> } ORDER BY ?gene LIMIT 20",
            ),
            Example::new(
                "the five is a threshold, not a limit",
                "#+ summary: List the genes with at least 5 variants, by IRI.\nSELECT ?gene { ?variant <http://e/gene> ?gene } GROUP BY ?gene HAVING (COUNT(?variant) >= 5) ORDER BY ?gene LIMIT 5",
            ),
        ],
        good: &[
            Example::new(
                "the number as a word",
                "#+ summary: List the top ten genes, by IRI.\nSELECT ?gene { ?gene a <http://e/Gene> } ORDER BY ?gene LIMIT 10",
            ),
            Example::new(
                "one row for a superlative",
                "#+ summary: Which gene is the longest? Ties go by IRI.\nSELECT ?gene { ?gene <http://e/length> ?length } ORDER BY DESC(?length) ?gene LIMIT 1",
            ),
            Example::new(
                "a rank",
                "#+ summary: Which gene is the second longest? Ties go by IRI.\nSELECT ?gene { ?gene <http://e/length> ?length } ORDER BY DESC(?length) ?gene LIMIT 1 OFFSET 1",
            ),
        ],
        check: limit_unstated,
    },
    Rule {
        id: "limit-never-binds",
        severity: Severity::Warning,
        what: "the key has no more rows than its LIMIT allows, so the LIMIT decides nothing",
        why: "the prose promises a cut that never comes, and a later release of the data may bring it unseen",
        remedy: "leave the limit out of prose and key, or ask for fewer rows",
        bad: &[Example::new(
            "eight rows, of which fifteen are kept",
            "#+ summary: List the top 15 genes, by IRI.\nSELECT ?gene { ?gene a <http://e/Gene> } ORDER BY ?gene LIMIT 15",
        )
        .given(|| Facts {
            rows_without_limit: Some(8),
            ..Facts::default()
        })],
        good: &[
            Example::new(
                "eighty-one rows, of which fifteen are kept",
                "#+ summary: List the top 15 genes, by IRI.\nSELECT ?gene { ?gene a <http://e/Gene> } ORDER BY ?gene LIMIT 15",
            )
            .given(|| Facts {
                rows_without_limit: Some(81),
                ..Facts::default()
            }),
            Example::new(
                "an exact arm repeats its question's limit",
                "#+ summary: List the top 15 genes, by IRI.\n#+ expect-empty: true\nSELECT ?gene { ?gene a <http://e/Gene> } ORDER BY ?gene LIMIT 15",
            )
            .named("nde-exact_gene.rq")
            .given(|| Facts {
                rows_without_limit: Some(0),
                ..Facts::default()
            }),
        ],
        check: limit_never_binds,
    },
];

fn limit_unstated(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some((prose, shape)) = subject.both(out) else {
        return;
    };
    if let Some(limit) = shape.limit
        && !matches!(shape.query, spargebra::Query::Ask { .. })
    {
        let at = subject.tokens.limit(limit, true);
        if shape.offset > 0 {
            if !states_ranks(prose, shape.offset, limit) {
                let first = shape.offset + 1;
                out.find(
                    at,
                    format!("the key keeps {limit} rows from the {first}th on, which the prose does not say"),
                );
            }
        } else if let Some(message) = unstated(prose, shape, limit) {
            out.find(at, message);
        }
    }
    for limit in inner_limits(shape) {
        if let Some(message) = unstated(prose, shape, limit) {
            let at = subject.tokens.limit(limit, false);
            out.find(at, format!("in a sub-select, {message}"));
        }
    }
}

fn inner_limits(shape: &Shape<'_>) -> Vec<usize> {
    let outermost = crate::shape::pattern_of(shape.query);
    let mut limits = Vec::new();
    walk(shape.query, &mut |node, _| {
        if let Node::Pattern(
            pattern @ GraphPattern::Slice {
                length: Some(length),
                ..
            },
        ) = node
            && !std::ptr::eq(pattern, outermost)
        {
            limits.push(*length);
        }
    });
    limits
}

/// The message about a limit that the prose does not give.
fn unstated(prose: &Prose, shape: &Shape<'_>, limit: usize) -> Option<String> {
    let value = limit as f64;
    let rows: Vec<f64> = prose
        .numbers
        .iter()
        .filter(|mention| mention.sense == Sense::Rows)
        .map(|mention| mention.value)
        .collect();
    if rows.iter().any(|n| equal(*n, value)) {
        return None;
    }
    // A number that a constant of the key accounts for is not free to be the limit.
    let accounted = shape
        .constants
        .iter()
        .filter(|c| is_number(c, value))
        .count();
    let free = prose
        .numbers
        .iter()
        .filter(|m| m.sense == Sense::Plain && equal(m.value, value))
        .count();
    if free > accounted {
        return None;
    }
    if let Some(other) = rows.first() {
        return Some(format!(
            "the key keeps {limit} rows, the prose asks for {other}"
        ));
    }
    let one = limit == 1
        && (prose.words.iter().any(|word| is_superlative(&word.lower))
            || prose.has_any(&["single", "last", "first", "example", "any"]));
    (!one).then(|| format!("the key keeps {limit} rows, which the prose does not say"))
}

fn is_number(constant: &Constant, value: f64) -> bool {
    match &constant.value {
        Value::Number(number) => equal(*number, value),
        Value::Text(text) => text
            .trim()
            .parse::<f64>()
            .is_ok_and(|number| equal(number, value)),
        _ => false,
    }
}

fn states_ranks(prose: &Prose, offset: usize, limit: usize) -> bool {
    let (first, last) = ((offset + 1) as f64, (offset + limit) as f64);
    let has = |value: f64| prose.numbers.iter().any(|m| equal(m.value, value));
    let rank = |value: f64| {
        prose
            .numbers
            .iter()
            .any(|m| m.sense == Sense::Rank && equal(m.value, value))
    };
    (limit == 1 && rank(first))
        || (limit > 1 && has(first) && has(last))
        || (has(offset as f64) && has(limit as f64))
}

fn limit_never_binds(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some(shape) = subject.key(out) else {
        return;
    };
    let Some(limit) = shape.limit else {
        return;
    };
    // The exact arm repeats its question's prompt, limit and all.
    if subject.target.is_exact() || subject.target.record.expect_empty() {
        return;
    }
    let Some(rows) = subject.target.facts.rows_without_limit else {
        out.silent("no endpoint counted the rows without the LIMIT");
        return;
    };
    if rows <= limit {
        out.find(
            subject.tokens.limit(limit, true),
            format!("the key has {rows} rows without its LIMIT of {limit}, which so cuts nothing"),
        );
    }
}
