//! One call of an agent to a tool, as a line of `calls.jsonl`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    /// What the server says it expanded on its own: never the agent's doing.
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

    /// The SPARQL among the arguments, where the call carries one under a name that servers use.
    pub fn sparql(&self) -> Option<&str> {
        ["query", "query_string", "sparql", "sparql_query"]
            .into_iter()
            .find_map(|name| self.arguments.get(name)?.as_str())
    }
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

/// A closure that the server added to a query without being asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expansion {
    /// IRI of the term that was expanded.
    pub term: String,
    /// How many terms took its place, where the server says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<u64>,
    /// Further terms that were expanded in the same call, each with how many took its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<(String, Option<u64>)>,
}
