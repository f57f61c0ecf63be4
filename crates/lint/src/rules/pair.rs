//! Rules about the two records of a pair, and about empty keys.

use super::{Example, Rule};
use crate::facts::{Facts, GraphRows};
use crate::finding::{At, Severity};
use crate::prose::Prose;
use crate::subject::{Out, Subject};
use control::closure_of;

const QUESTION: &str = "#+ summary: For eye disorder, list the conditions that have datasets.\n#+ tags: [nde]\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?condition { GRAPH <http://kg/ubergraph> { ?condition rdfs:subClassOf* <http://e/eye> } GRAPH <http://kg/nde> { ?dataset <http://e/on> ?condition } }";
const CONTROL: &str = "#+ summary: For eye disorder, list the conditions that have datasets. Use the term exactly as I have given it — do not expand it to subtypes, descendants or related terms.\n#+ tags: [nde]\nSELECT ?condition { VALUES ?condition { <http://e/eye> } GRAPH <http://kg/nde> { ?dataset <http://e/on> ?condition } }";
const EMPTY: &str = "#+ summary: List the genes by IRI.\n#+ expect-empty: true\nSELECT ?gene { ?gene a <http://e/Gene> } ORDER BY ?gene";

pub(super) const RULES: [Rule; 3] = [
    Rule {
        id: "twin-differs",
        severity: Severity::Error,
        what: "an exact record differs from its question by more than its one sentence, or its key still walks the hierarchy",
        why: "the pair compares what one sentence changes; any other difference is compared with it",
        remedy: "repeat the question's prompt word for word, add the one sentence, and key it to the term itself",
        bad: &[
            Example::new(
                "another wording",
                "#+ summary: For eye disorder, list all conditions that have any dataset. Use the term exactly as I have given it.\n#+ tags: [nde]\nSELECT ?condition { VALUES ?condition { <http://e/eye> } GRAPH <http://kg/nde> { ?dataset <http://e/on> ?condition } }",
            )
            .named("nde-exact_eye.rq")
            .beside("nde-expand_eye.rq", QUESTION),
            Example::new(
                "the key still walks",
                "#+ summary: For eye disorder, list the conditions that have datasets. Use the term exactly as I have given it.\n#+ tags: [nde]\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?condition { GRAPH <http://kg/ubergraph> { ?condition rdfs:subClassOf* <http://e/eye> } GRAPH <http://kg/nde> { ?dataset <http://e/on> ?condition } }",
            )
            .named("nde-exact_eye.rq")
            .beside("nde-expand_eye.rq", QUESTION),
            Example::new(
                "other tags",
                "#+ summary: For eye disorder, list the conditions that have datasets. Use the term exactly as I have given it.\n#+ tags: [nde, spoke]\nSELECT ?condition { VALUES ?condition { <http://e/eye> } GRAPH <http://kg/nde> { ?dataset <http://e/on> ?condition } }",
            )
            .named("nde-exact_eye.rq")
            .beside("nde-expand_eye.rq", QUESTION),
        ],
        good: &[Example::new("one sentence more, and the term itself", CONTROL)
            .named("nde-exact_eye.rq")
            .beside("nde-expand_eye.rq", QUESTION)],
        check: twin_differs,
    },
    Rule {
        id: "expect-empty-mismatch",
        severity: Severity::Error,
        what: "`expect-empty` says that the key has no row and it has some, or the other way round",
        why: "an empty key scores 1 for whoever returns nothing; that must be meant, and be so",
        remedy: "set `expect-empty` to what the key gives, after making sure that it is what was meant",
        bad: &[
            Example::new("two rows where none is expected", EMPTY).given(|| Facts {
                rows: Some(2),
                ..Facts::default()
            }),
            Example::new(
                "no row, and nobody expects that",
                "#+ summary: List the genes by IRI.\nSELECT ?gene { ?gene a <http://e/Gene> } ORDER BY ?gene",
            )
            .given(|| Facts {
                rows: Some(0),
                ..Facts::default()
            }),
        ],
        good: &[Example::new("no row, as expected", EMPTY).given(|| Facts {
            rows: Some(0),
            ..Facts::default()
        })],
        check: expect_empty_mismatch,
    },
    Rule {
        id: "prefer-non-empty-control",
        severity: Severity::Note,
        what: "an exact record is keyed to no row although every graph that it asks has rows for the term",
        why: "an empty key cannot tell obedience from an agent that crashed; where the data allow it, a key with rows can",
        remedy: "look for a question whose literal form has rows",
        bad: &[Example::new(
            "both graphs know the term",
            "#+ summary: List the datasets. Use the term exactly as I have given it.\n#+ tags: [a, b]\n#+ expect-empty: true\nSELECT ?condition { VALUES ?condition { <http://e/eye> } GRAPH <http://kg/a> { ?d <http://e/on> ?condition } GRAPH <http://kg/b> { ?d <http://e/of> ?condition } }",
        )
        .named("a-exact_eye.rq")
        .given(|| Facts {
            graphs_with_term: Some(vec![
                GraphRows { graph: "http://kg/a".to_owned(), rows: 1 },
                GraphRows { graph: "http://kg/b".to_owned(), rows: 1 },
            ]),
            ..Facts::default()
        })],
        good: &[Example::new(
            "one graph has nothing for the term, whatever the wording",
            "#+ summary: List the datasets. Use the term exactly as I have given it.\n#+ tags: [a, b]\n#+ expect-empty: true\nSELECT ?condition { VALUES ?condition { <http://e/eye> } GRAPH <http://kg/a> { ?d <http://e/on> ?condition } GRAPH <http://kg/b> { ?d <http://e/of> ?condition } }",
        )
        .named("a-exact_eye.rq")
        .given(|| Facts {
            graphs_with_term: Some(vec![
                GraphRows { graph: "http://kg/a".to_owned(), rows: 1 },
                GraphRows { graph: "http://kg/b".to_owned(), rows: 0 },
            ]),
            ..Facts::default()
        })],
        check: prefer_non_empty_control,
    },
];

fn twin_differs(subject: &Subject<'_>, out: &mut Out<'_>) {
    if !subject.target.is_exact() {
        return;
    }
    let record = subject.target.record;
    if let Some(query) = &record.query
        && !closure_of(query).is_empty()
    {
        let at = subject.tokens.find(|token| {
            matches!(&token.kind, crate::token::Kind::Iri(Some(iri)) if crate::shape::HIERARCHIES.contains(&iri.as_str()))
        });
        let at = at.map_or_else(
            || subject.tokens.beginning(),
            |index| subject.tokens.at(index),
        );
        out.find(
            at,
            "the key of an exact record walks the hierarchy that its prose forbids",
        );
    }
    let Some(twin) = subject.target.twin else {
        out.silent("the question that it controls is not there to compare with");
        return;
    };
    if let (Some(prose), Some(summary)) = (&subject.prose, twin.summary())
        && let Some(why) = prompts_differ(prose, &Prose::new(summary))
    {
        out.find(
            subject.in_prose(""),
            format!("the prompt differs from that of `{}`: {why}", twin.id()),
        );
    }
    if record.tags() != twin.tags() {
        let at = record.header.get("tags").map_or(At::START, |entry| At {
            line: entry.line,
            column: entry.column,
            end_column: entry.column + 4,
        });
        out.find(at, format!("the tags differ from those of `{}`", twin.id()));
    }
    if record.query.is_some() && twin.query.is_some() {
        for (differs, what) in [
            (record.columns() != twin.columns(), "columns"),
            (record.order() != twin.order(), "order"),
            (record.limit() != twin.limit(), "LIMIT"),
        ] {
            if differs {
                out.find(
                    subject.tokens.beginning(),
                    format!("the key's {what} differ from those of `{}`", twin.id()),
                );
            }
        }
    }
}

/// How a control's prompt is more than its question's and one sentence; `None` where it is not.
fn prompts_differ(control: &Prose, question: &Prose) -> Option<String> {
    let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (control_text, question_text) = (squeeze(&control.text), squeeze(&question.text));
    if control_text == question_text {
        return Some("it has no sentence of its own".to_owned());
    }
    if let Some(rest) = control_text.strip_prefix(&question_text) {
        let added = Prose::new(rest).sentences.len();
        return (added != 1).then(|| format!("{added} sentences are added"));
    }
    let sentences = |prose: &Prose| -> Vec<String> {
        prose
            .sentences
            .iter()
            .map(|range| squeeze(prose.quote(range.clone())))
            .collect()
    };
    let (own, asked) = (sentences(control), sentences(question));
    let added: Vec<&String> = own
        .iter()
        .filter(|sentence| !asked.contains(sentence))
        .collect();
    let kept: Vec<&String> = own
        .iter()
        .filter(|sentence| asked.contains(sentence))
        .collect();
    if added.len() == 1 && kept.len() == asked.len() {
        return None;
    }
    let changed = added.first().map(|sentence| {
        let short: String = sentence.chars().take(60).collect();
        format!(
            "it says \"{short}{}\"",
            if sentence.chars().count() > 60 {
                "…"
            } else {
                ""
            }
        )
    });
    Some(changed.unwrap_or_else(|| "a sentence is missing".to_owned()))
}

fn expect_empty_mismatch(subject: &Subject<'_>, out: &mut Out<'_>) {
    if !subject.target.is_record {
        return;
    }
    let record = subject.target.record;
    let Some(rows) = subject.target.facts.rows else {
        out.silent("no endpoint counted the key's rows");
        return;
    };
    if record.expect_empty() && rows > 0 {
        let at = record
            .header
            .get("expect-empty")
            .map_or(At::START, |entry| At {
                line: entry.line,
                column: entry.column,
                end_column: entry.column + 12,
            });
        out.find(
            at,
            format!("the key is expected to be empty and has {rows} rows"),
        );
    } else if !record.expect_empty() && rows == 0 {
        out.find(
            subject.tokens.beginning(),
            "the key has no row, and no `expect-empty: true` says so",
        );
    }
}

fn prefer_non_empty_control(subject: &Subject<'_>, out: &mut Out<'_>) {
    let record = subject.target.record;
    if !subject.target.is_exact() || !record.expect_empty() {
        return;
    }
    let Some(graphs) = &subject.target.facts.graphs_with_term else {
        out.silent("no endpoint told which graphs have rows for the term");
        return;
    };
    if graphs.len() > 1 && graphs.iter().all(|graph| graph.rows > 0) {
        let at = record
            .header
            .get("expect-empty")
            .map_or(At::START, |entry| At {
                line: entry.line,
                column: entry.column,
                end_column: entry.column + 12,
            });
        out.find(
            at,
            "the key is empty although each graph that it asks has rows for the term",
        );
    }
}
