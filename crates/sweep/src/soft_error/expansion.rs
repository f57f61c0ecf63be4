//! What a server says that it expanded on its own.

use std::collections::BTreeMap;

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
///
/// A tool that asks several graphs reports by graph; a term that it expanded in several of them counts once. Nothing here says
/// whether the agent had asked for it: that is in the arguments of the call.
pub fn expansion(result: &str) -> Option<Expansion> {
    // Most replies report none, and need not be read for it.
    if !result.contains("ontology_expansion") {
        return None;
    }
    let reply = Reply::read(result)?;
    reply.members().find_map(|members| {
        let mut expanded: BTreeMap<String, Option<u64>> = BTreeMap::new();
        for (term, terms) in reports(&members.ontology_expansion).iter().flat_map(read) {
            let known = expanded.entry(term).or_default();
            *known = (*known).max(terms);
        }
        let mut expanded = expanded.into_iter();
        let (term, terms) = expanded.next()?;
        Some(Expansion {
            term,
            asked: false,
            terms,
            further: expanded.collect(),
        })
    })
}

/// The one report, or one for each graph.
fn reports(member: &Value) -> Vec<Report> {
    let Value::Object(members) = member else {
        return Vec::new();
    };
    let is_one = ["expanded", "original_uris", "expanded_uris"]
        .iter()
        .any(|name| members.contains_key(*name));
    let values = if is_one {
        vec![member]
    } else {
        members.values().collect()
    };
    values
        .into_iter()
        .filter(|value| value.is_object())
        .filter_map(|value| Report::deserialize(value).ok())
        .collect()
}

fn read(report: &Report) -> Vec<(String, Option<u64>)> {
    if report.expanded == Some(false) {
        return Vec::new();
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
    expanded
}
