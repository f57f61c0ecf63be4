//! What keeps sweeps out of one table: other data, another corpus, another build of the server.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{ResultKind, RunFacts, ServerBuild};

/// Something in which the sweeps of one table differ though figures depend on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mix {
    /// What differs.
    pub what: MixedFact,
    /// Each value with the sweeps that have it.
    pub values: Vec<MixedValue>,
}

/// What sweeps of one table have to share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MixedFact {
    /// The records, their keys and controls.
    Corpus,
    /// The data: endpoint and release.
    Data,
    /// The build of the server under test.
    ServerBuild,
}

/// One value and who has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MixedValue {
    /// The value; `None` where it is not known, which is not the same as any that is.
    pub value: Option<String>,
    /// Ids of the sweeps.
    pub runs: Vec<String>,
}

impl MixedFact {
    /// The fact in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Corpus => "corpus",
            Self::Data => "data",
            Self::ServerBuild => "server build",
        }
    }
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what.as_str(), listed(&self.values))
    }
}

type Fact = fn(&RunFacts) -> Option<String>;

const FACTS: [(MixedFact, Fact); 3] = [
    (MixedFact::Corpus, corpus),
    (MixedFact::Data, data),
    (MixedFact::ServerBuild, server_build),
];

/// The facts in which the sweeps differ.
pub(crate) fn mixed(runs: &[(&str, &RunFacts)]) -> Vec<Mix> {
    FACTS
        .into_iter()
        .map(|(what, fact)| Mix {
            what,
            values: values(runs, fact),
        })
        .filter(|mix| mix.values.len() > 1)
        .collect()
}

/// What sweeps of one table may differ in, since that may be what they are compared for.
const CIRCUMSTANCES: [(&str, Fact); 5] = [
    ("tools", |facts| facts.tools.clone()),
    ("what prompts say of the graphs", |facts| {
        let nothing = (!facts.imported).then(|| "nothing".to_owned());
        facts.kg_hint.clone().or(nothing)
    }),
    ("seconds that a call may take", |facts| {
        facts.timeout_s.map(|seconds| seconds.to_string())
    }),
    ("seconds that an attempt may take", |facts| {
        facts.agent_timeout_s.map(|seconds| seconds.to_string())
    }),
    ("how soft errors were shown", |facts| {
        let shown = |strict| if strict { "as errors" } else { "as they came" };
        facts
            .strict_upstream_errors
            .map(|strict| shown(strict).to_owned())
    }),
];

/// In what the sweeps differ that a reader has to know, in words.
pub(crate) fn circumstances(runs: &[(&str, &RunFacts)]) -> Vec<String> {
    let differing = CIRCUMSTANCES.into_iter().filter_map(|(what, fact)| {
        let values = values(runs, fact);
        (values.len() > 1).then(|| format!("{what}: {}", listed(&values)))
    });
    differing.collect()
}

/// Each value with the sweeps that have it.
fn listed(values: &[MixedValue]) -> String {
    let words = values.iter().map(|MixedValue { value, runs }| {
        let value = value.as_deref().unwrap_or("not known");
        format!("{value} ({})", runs.join(", "))
    });
    words.collect::<Vec<_>>().join("; ")
}

/// What nobody says of any sweep: those may differ, and nothing shows it.
pub(crate) fn unknown(runs: &[(&str, &RunFacts)]) -> Vec<MixedFact> {
    let silent = |fact: Fact| runs.iter().all(|(_, facts)| fact(facts).is_none());
    FACTS
        .into_iter()
        .filter(|&(_, fact)| silent(fact))
        .map(|(what, _)| what)
        .collect()
}

/// The sweeps by kind of data.
pub(crate) fn kinds(runs: &[(&str, &RunFacts)]) -> Vec<(Option<ResultKind>, Vec<String>)> {
    let mut kinds: BTreeMap<Option<&str>, (Option<ResultKind>, Vec<String>)> = BTreeMap::new();
    for (id, facts) in runs {
        let kind = facts.provenance.as_ref().map(|provenance| provenance.kind);
        let entry = kinds.entry(kind.map(ResultKind::as_str));
        entry.or_insert((kind, Vec::new())).1.push((*id).to_owned());
    }
    kinds.into_values().collect()
}

fn values(runs: &[(&str, &RunFacts)], fact: Fact) -> Vec<MixedValue> {
    let mut values: BTreeMap<Option<String>, Vec<String>> = BTreeMap::new();
    for (id, facts) in runs {
        values
            .entry(fact(facts))
            .or_default()
            .push((*id).to_owned());
    }
    values
        .into_iter()
        .map(|(value, runs)| MixedValue { value, runs })
        .collect()
}

fn corpus(facts: &RunFacts) -> Option<String> {
    facts.corpus_hash.clone()
}

fn data(facts: &RunFacts) -> Option<String> {
    let provenance = facts.provenance.as_ref()?;
    let release = provenance.release.as_deref();
    Some(match release {
        Some(release) => format!("{}, release {release}", provenance.endpoint),
        None => provenance.endpoint.clone(),
    })
}

fn server_build(facts: &RunFacts) -> Option<String> {
    let ServerBuild {
        name,
        version,
        build,
        tool_list_hash,
    } = facts.server.as_ref()?;
    let named = [name, version].into_iter().filter(|part| !part.is_empty());
    let mut parts: Vec<String> = named.cloned().collect();
    parts.extend(build.as_ref().map(|build| format!("build {build}")));
    parts.extend(tool_list_hash.as_ref().map(|hash| format!("tools {hash}")));
    (!parts.is_empty()).then(|| parts.join(" "))
}
