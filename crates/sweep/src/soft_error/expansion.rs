//! What a server says that it expanded on its own.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::reply::Reply;
use crate::Expansion;

/// The member `ontology_expansion` of a reply, as the federation's server gives it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Report {
    expanded: Option<bool>,
    original_uris: Vec<String>,
    expanded_uris: Map<String, Value>,
    total_concepts: Option<u64>,
}

/// The expansion that the result of a tool call (JSON text of a `CallToolResult`) reports in its `ontology_expansion`.
///
/// ```
/// let reply = r#"{"content":[],"structuredContent":{"data":[],"ontology_expansion":{"expanded":true,
///     "original_uris":["http://purl.obolibrary.org/obo/GO_0046879"],
///     "expanded_uris":{"http://purl.obolibrary.org/obo/GO_0046879":36},"total_concepts":36}}}"#;
/// let found = sweep::expansion(reply).unwrap();
/// assert_eq!((found.term.as_str(), found.terms), ("http://purl.obolibrary.org/obo/GO_0046879", Some(36)));
/// ```
pub fn expansion(result: &str) -> Option<Expansion> {
    // Most replies report none, and need not be read for it.
    if !result.contains("ontology_expansion") {
        return None;
    }
    let reply = Reply::read(result)?;
    reply.members().find_map(|members| {
        let report = Report::deserialize(&members.ontology_expansion).ok()?;
        read(&report)
    })
}

fn read(report: &Report) -> Option<Expansion> {
    if report.expanded == Some(false) {
        return None;
    }
    let mut expanded: Vec<(String, Option<u64>)> = report
        .expanded_uris
        .iter()
        .map(|(term, count)| (term.clone(), count.as_u64()))
        .collect();
    if expanded.is_empty() {
        let alone = report.original_uris.len() == 1;
        let count = report.total_concepts.filter(|_| alone);
        expanded.extend(
            report
                .original_uris
                .iter()
                .map(|term| (term.clone(), count)),
        );
    }
    let mut expanded = expanded.into_iter();
    let (term, terms) = expanded.next()?;
    Some(Expansion {
        term,
        terms,
        further: expanded.collect(),
    })
}
