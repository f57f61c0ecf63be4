//! How an attempt chose its terms, call by call.

use std::collections::{BTreeMap, BTreeSet};

use control::Evidence;
use record::{Corpus, Record};
use sweep::{Call, Expansion, ImportedCall, ToolRole};

/// The calls behind each means, by their numbers.
pub type EvidenceCalls = BTreeMap<Evidence, Vec<u32>>;

/// A successful call, as far as it shows how terms were chosen.
#[derive(Debug)]
pub struct Seen<'a> {
    sequence: u32,
    role: ToolRole,
    queries: Vec<&'a str>,
    expansion: Option<&'a Expansion>,
    terms: &'a [String],
}

impl<'a> Seen<'a> {
    /// The successful ones among an attempt's calls.
    pub fn among(calls: &'a [Call]) -> Vec<Self> {
        calls
            .iter()
            .filter(|call| call.succeeded())
            .map(|call| Self {
                sequence: call.sequence,
                role: call.role(),
                queries: call.queries(),
                expansion: call.expansion.as_ref(),
                terms: &call.terms,
            })
            .collect()
    }

    /// The successful ones among imported calls. What the server expanded and listed is known of this program's own alone.
    pub fn among_imported(calls: &'a [ImportedCall]) -> Vec<Self> {
        calls
            .iter()
            .filter(|call| call.succeeded())
            .map(|call| Self {
                sequence: call.sequence,
                role: call.role(),
                queries: call.queries(),
                expansion: call.expansion.as_ref(),
                terms: &call.terms,
            })
            .collect()
    }
}

/// What the calls of an attempt show together; [`Evidence::None`], with no call, where that is nothing.
///
/// - A tool for descendants shows that they were asked for, whichever term's; so does an argument that asks the server for an
///   expansion by name.
/// - An expansion that nobody asked for is the server's doing. The query that it was done to is no look at the literal term
///   then, since the term that was asked for is not the one that was looked at; what else the query does counts.
/// - A list is of descendants as far as an earlier call had brought its terms back, and the agent's own as far as not.
/// - A query that does not parse shows nothing.
pub fn evidence_of(root: Option<&str>, calls: &[Seen<'_>]) -> EvidenceCalls {
    let mut found = EvidenceCalls::new();
    let mut brought: BTreeSet<&str> = BTreeSet::new();
    for call in calls {
        for means in of_call(root, call, &brought) {
            found.entry(means).or_default().push(call.sequence);
        }
        brought.extend(call.terms.iter().map(String::as_str));
    }
    if found.is_empty() {
        found.insert(Evidence::None, Vec::new());
    }
    found
}

fn of_call(root: Option<&str>, call: &Seen<'_>, brought: &BTreeSet<&str>) -> BTreeSet<Evidence> {
    let mut found = BTreeSet::new();
    match call.role {
        ToolRole::Descendants => {
            found.insert(Evidence::DescendantsTool);
        }
        ToolRole::Query => {
            if let Some(root) = root {
                for query in &call.queries {
                    found.extend(of_query(root, query, brought));
                }
            }
        }
        ToolRole::Lookup | ToolRole::Other => {}
    }
    if let Some(expansion) = call.expansion {
        found.insert(if expansion.asked {
            Evidence::DescendantsTool
        } else {
            Evidence::ServerRewrite
        });
        if expansion.all_terms().any(|term| Some(term) == root) {
            found.remove(&Evidence::LiteralTerm);
        }
    }
    found
}

fn of_query(root: &str, query: &str, brought: &BTreeSet<&str>) -> BTreeSet<Evidence> {
    let Ok(query) = federation::parse_query(query) else {
        return BTreeSet::new();
    };
    let means = control::means(&query, root);
    let mut found = means.evidence;
    let from_tool = |iri: &String| brought.contains(iri.as_str());
    if means.listed.iter().any(from_tool) {
        found.insert(Evidence::ListedDescendants);
        if means.listed.iter().all(from_tool) {
            found.remove(&Evidence::EnumeratedTerms);
        }
    }
    found
}

/// The term that a record's question is about: the root of the closure that the question's key walks.
pub fn root_of(record: &Record, corpus: &Corpus) -> Option<String> {
    let question = record
        .name
        .tier
        .as_deref()
        .and_then(|tier| corpus.question_of_tier(tier))
        .unwrap_or(record);
    let closures = control::closure_of(question.query.as_ref()?);
    closures.into_iter().next().map(|closure| closure.root)
}

#[cfg(test)]
mod tests;
