//! One call of an agent to a tool, as a line of `calls.jsonl`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ToolNames, ToolRole};

/// One call of an agent to a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Place of the call in its attempt, from 1.
    pub sequence: u32,
    /// Name of the tool, such as `query`.
    pub tool: String,
    /// The arguments as the agent gave them.
    pub arguments: Value,
    /// Milliseconds from the start of the attempt to the start of the call.
    pub start_ms: u64,
    /// How long the call took, in milliseconds.
    pub duration_ms: u64,
    /// Whether the server itself said that the call failed.
    pub is_error: bool,
    /// A failure that came back as a success: the payload says so, the protocol does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soft_error: Option<SoftError>,
    /// Size of the reply in bytes.
    pub reply_bytes: u64,
    /// What the server says it expanded: not the agent's doing, unless it was [asked for](Expansion::asked).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expansion: Option<Expansion>,
    /// Whether the connection was opened again for this call.
    #[serde(default)]
    pub session_reset: bool,
    /// Who answered it.
    #[serde(default)]
    pub answered_by: AnsweredBy,
    /// What was said to have gone wrong, its first [`ERROR_TEXT`] characters, where `is_error`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What the tool is for, by the table of names in the server's profile; `None` where none was at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<ToolRole>,
    /// IRIs of the terms that a call for descendants brought back, in the sequence of the reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<String>,
}

/// How much of an error's text a [`Call`] keeps, in characters.
pub const ERROR_TEXT: usize = 2000;

/// Who answered a call. Only `Upstream` is the server under test: the rest is the recording proxy's own word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnsweredBy {
    /// The server under test.
    #[default]
    Upstream,
    /// The harness: the call was `submit_csv`, which needs no server.
    Harness,
    /// Nobody: the tool was withheld from the agent.
    Withheld,
    /// Nobody: the server did not answer within the time limit of a call.
    TimedOut,
    /// Nobody: the connection broke while the call was under way.
    Broken,
    /// Nobody: the connection had been lost before, for good.
    Lost,
    /// Nobody: the agent took the call back, or ended, before there was an answer.
    Cancelled,
}

impl Call {
    /// Whether the call brought back what it was meant to.
    pub fn succeeded(&self) -> bool {
        !self.is_error && self.soft_error.is_none()
    }

    /// What the tool is for: as it was recorded, else by the names of the federation's own server.
    pub fn role(&self) -> ToolRole {
        self.role
            .unwrap_or_else(|| ToolNames::default().role_of(&self.tool))
    }

    /// The SPARQL among the arguments, where the call carries one under a name that servers use.
    pub fn sparql(&self) -> Option<&str> {
        self.queries().into_iter().next()
    }

    /// Every SPARQL text among the arguments: a tool may take one for each of several graphs.
    pub fn queries(&self) -> Vec<&str> {
        queries_in(&self.arguments)
    }
}

/// The SPARQL texts among the arguments of a call, under the names that servers use.
pub(crate) fn queries_in(arguments: &Value) -> Vec<&str> {
    fn named(value: &Value) -> Option<&str> {
        ["query", "query_string", "sparql", "sparql_query"]
            .into_iter()
            .find_map(|name| value.get(name)?.as_str())
    }
    if let Some(query) = named(arguments) {
        return vec![query];
    }
    // Several at once: a list of objects, or an object of texts or objects by graph.
    let several: Vec<&Value> = match arguments.get("queries") {
        Some(Value::Array(list)) => list.iter().collect(),
        Some(Value::Object(by_graph)) => by_graph.values().collect(),
        _ => Vec::new(),
    };
    several
        .into_iter()
        .filter_map(|value| value.as_str().or_else(|| named(value)))
        .collect()
}

/// A failure that the protocol reports as a success.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoftError {
    /// What failed, such as `error-member` or `partial-result`.
    pub kind: String,
    /// The server's own words, as far as they were found.
    pub message: String,
    /// The rule that told it from data.
    pub rule: String,
}

/// A closure that the server put in the place of a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expansion {
    /// IRI of the term that was expanded.
    pub term: String,
    /// Whether the agent had asked for it by an argument of the call, so that it is the agent's doing after all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asked: bool,
    /// How many terms took its place, where the server says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<u64>,
    /// Further terms that were expanded in the same call, each with how many took its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<(String, Option<u64>)>,
}

impl Expansion {
    /// The terms that were expanded.
    pub fn all_terms(&self) -> impl Iterator<Item = &str> {
        let further = self.further.iter().map(|(term, _)| term.as_str());
        std::iter::once(self.term.as_str()).chain(further)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn sparql_is_found_under_every_name_that_servers_give_it() {
        for (arguments, expected) in [
            (json!({ "query": "ASK {}" }), &["ASK {}"] as &[&str]),
            (
                json!({ "graph_name": "nde", "query_string": "ASK {}" }),
                &["ASK {}"],
            ),
            (json!({ "sparql": "ASK {}" }), &["ASK {}"]),
            (
                json!({ "queries": [{ "graph_name": "a", "query_string": "A" }, { "query": "B" }, "C", 4] }),
                &["A", "B", "C"],
            ),
            (
                json!({ "queries": { "nde": "A", "rdkg": { "query_string": "B" } } }),
                &["A", "B"],
            ),
            (json!({ "query": 3, "queries": null }), &[]),
            (json!("ASK {}"), &[]),
        ] {
            assert_eq!(queries_in(&arguments), expected, "{arguments}");
        }
    }
}
