//! The condition of a sweep: the file `manifest.json`, and the guard that keeps two conditions apart.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Provenance, Version};

/// Everything that has to be the same for two attempts to be comparable.
///
/// Which records were asked, and how often, is no part of it: asking more of them finishes the same sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// Hash over the files of the corpus and its controls.
    pub corpus_hash: String,
    /// The agent, such as `baseline:reference`.
    pub agent: String,
    /// The model behind the agent.
    pub model: Option<String>,
    /// How hard the model was asked to think.
    pub effort: Option<String>,
    /// Further options of the agent that bear on what it does, each under its name; null where it has none.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub agent_options: Value,
    /// The tools that the agent was given, such as `all-tools`.
    pub tools: String,
    /// What the prompt says about the graphs: `tags`, or nothing.
    pub kg_hint: Option<String>,
    /// Path of the profile that names the server.
    pub profile: Option<String>,
    /// Where keys and agents ran their queries.
    pub provenance: Provenance,
    /// Which build of the server it was.
    pub server: ServerBuild,
    /// What the canaries said before the first attempt.
    pub canaries: Vec<Canary>,
    /// Whether soft errors were shown to the agent as errors.
    pub strict_upstream_errors: bool,
    /// Seconds that one call may take.
    pub timeout_s: u64,
    /// Seconds that one attempt may take.
    pub agent_timeout_s: u64,
}

/// Which build of a server was measured: results of two builds are not comparable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerBuild {
    /// The name that the server gives itself.
    pub name: String,
    /// The version that the server gives itself.
    pub version: String,
    /// What the profile says about the build: a git description, a package version or a digest.
    pub build: Option<String>,
    /// Hash over the server's list of tools.
    pub tool_list_hash: Option<String>,
}

/// A call whose right reply is known, made before the first attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Canary {
    /// The tool that was called.
    pub name: String,
    /// What it was asked.
    #[serde(default)]
    pub asked: String,
    /// Whether the reply was right.
    pub passed: bool,
    /// The beginning of what came back, or why that is not right.
    pub detail: String,
    /// Milliseconds that it took.
    #[serde(default)]
    pub ms: u64,
}

/// The file `manifest.json` of a sweep's folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this file's format.
    pub format: Version<1>,
    /// Version of the program that began the sweep.
    pub program: String,
    /// When the sweep was begun, RFC 3339.
    pub created: String,
    /// The condition that every attempt in the folder shares.
    pub condition: Condition,
    /// The server failed canaries at the beginning, and passed them later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mended: Option<Mended>,
}

/// A server that failed canaries when a sweep was begun, and was mended: what was lost to it is made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mended {
    /// When it was seen to pass them, RFC 3339.
    pub since: String,
    /// What it replied then.
    pub canaries: Vec<Canary>,
}

/// One field in which two conditions differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Dotted name of the field, as in the file.
    pub field: String,
    /// What the folder's manifest holds, as JSON; `(absent)`, which is none, where it has no such field.
    pub there: String,
    /// What was asked for now.
    pub here: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} there, {} now", self.field, self.there, self.here)
    }
}

impl Condition {
    /// The fields in which this condition differs from the one that a folder holds, in the order of their names.
    pub fn differences_from(&self, there: &Self) -> Vec<Difference> {
        differences(&tree(there), &tree(self))
    }
}

/// The members in which what a folder holds and what is asked for now differ, in the order of their names.
pub fn differences(there: &Value, here: &Value) -> Vec<Difference> {
    let mut differences = Vec::new();
    compare("", Some(there), Some(here), &mut differences);
    differences
}

/// Compared as it is written, so that a field added later is compared too. Text, numbers and lists always serialise.
///
/// Of a canary only whether it passed is compared: how long it took, and in which words it was answered, is another each
/// time, and what it was asked follows from the corpus and the endpoint, which are compared.
fn tree(condition: &Condition) -> Value {
    let mut condition = condition.clone();
    for canary in &mut condition.canaries {
        canary.ms = 0;
        canary.detail.clear();
        canary.asked.clear();
    }
    serde_json::to_value(condition).unwrap_or_default()
}

fn compare(path: &str, there: Option<&Value>, here: Option<&Value>, into: &mut Vec<Difference>) {
    if there == here {
        return;
    }
    if let (Some(Value::Object(there)), Some(Value::Object(here))) = (there, here) {
        let names: BTreeSet<&String> = there.keys().chain(here.keys()).collect();
        for name in names {
            let path = if path.is_empty() {
                name.clone()
            } else {
                format!("{path}.{name}")
            };
            compare(&path, there.get(name), here.get(name), into);
        }
        return;
    }
    let shown =
        |value: Option<&Value>| value.map_or_else(|| "(absent)".to_owned(), Value::to_string);
    into.push(Difference {
        field: path.to_owned(),
        there: shown(there),
        here: shown(here),
    });
}
