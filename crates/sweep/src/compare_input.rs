//! What a comparison looks at: sweeps with their conditions, and attempts of which something may be unknown.

use std::collections::BTreeSet;

use control::Evidence;
use serde::{Deserialize, Serialize};

use crate::{Condition, Manifest, Metrics, Obedience, Outcome, Provenance, Scores, ServerBuild};

/// What is known of one attempt. Attempts of this program say everything; those of another harness leave gaps, and a gap
/// is `None`, never 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// Id of the record that was asked.
    pub record: String,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Whether it was lost to the infrastructure and counts for nobody.
    pub infrastructure: bool,
    /// Attempts under the same number that were lost before and made again.
    #[serde(default, skip_serializing_if = "crate::attempt::is_zero")]
    pub lost_before: u32,
    /// Whether the agent did as it was told; `None` outside the `exact` arm and where nothing tells.
    pub obedience: Option<Obedience>,
    /// Whether the submitted rows are exactly the key's; `None` where nothing was submitted.
    pub exact: Option<bool>,
    /// Exact and in the key's sequence; `None` where the key has none.
    pub ordered: Option<bool>,
    /// The answer's f1; `None` where nothing was submitted.
    pub f1: Option<f64>,
    /// `exact` as published figures elsewhere count it: nothing submitted is an empty table.
    pub raw_exact: Option<bool>,
    /// Seconds of the agent and the server together.
    pub seconds: Option<f64>,
    /// Seconds of those spent in calls to the server.
    pub server_seconds: Option<f64>,
    /// Seconds spent waiting because a service said when to come back; no part of `seconds`.
    pub waiting_seconds: Option<f64>,
    /// Number of calls to tools.
    pub calls: Option<u32>,
    /// Calls made after the connection was lost.
    pub calls_after_loss: Option<u32>,
    /// Calls that failed softly.
    pub soft_errors: Option<u32>,
    /// Tokens that the model read.
    pub input_tokens: Option<u64>,
    /// Tokens that the model wrote.
    pub output_tokens: Option<u64>,
    /// Sum of the known costs, in US dollars.
    pub cost_usd: Option<f64>,
    /// The cost is a lower bound.
    pub cost_incomplete: bool,
    /// How the successful calls chose their terms.
    pub evidence: Option<BTreeSet<Evidence>>,
}

impl Observation {
    /// Whether the attempt says something about the agent: it ended in a known way and was not lost.
    pub fn counts(&self) -> bool {
        self.outcome.is_some() && !self.infrastructure
    }

    /// Whether the answer is exact and, where the agent was told not to expand, also obedient; `None` where the attempt
    /// does not count, or its answer was never scored.
    pub fn is_right(&self) -> Option<bool> {
        let exact = self.counted_exact()?;
        Some(exact && self.obedience.is_none_or(|told| told == Obedience::Obeyed))
    }

    /// Whether the answer is exact, where silence is no exact answer.
    pub fn counted_exact(&self) -> Option<bool> {
        self.of_answer(self.exact, false)
    }

    /// The answer's f1, where silence has 0.
    pub fn counted_f1(&self) -> Option<f64> {
        self.of_answer(self.f1, 0.0)
    }

    fn of_answer<T>(&self, answered: Option<T>, silent: T) -> Option<T> {
        if !self.counts() {
            None
        } else if self.outcome.is_some_and(Outcome::is_submitted) {
            answered
        } else {
            Some(silent)
        }
    }
}

impl From<&Metrics> for Observation {
    fn from(metrics: &Metrics) -> Self {
        let scores = metrics.scores;
        let of = |figure: fn(Scores) -> bool| scores.map(figure);
        Self {
            record: metrics.record.clone(),
            attempt: metrics.attempt,
            outcome: Some(metrics.outcome),
            infrastructure: metrics.infrastructure,
            lost_before: metrics.lost_before,
            obedience: metrics.obedience,
            exact: of(|scores| scores.exact),
            ordered: scores.and_then(|scores| scores.ordered),
            f1: scores.map(|scores| scores.f1),
            raw_exact: Some(metrics.raw.exact),
            seconds: Some(metrics.seconds),
            server_seconds: Some(metrics.server_seconds),
            waiting_seconds: metrics.waiting_seconds,
            calls: Some(metrics.calls),
            calls_after_loss: Some(metrics.calls_after_loss),
            soft_errors: Some(metrics.upstream_soft_errors),
            input_tokens: metrics.usage.and_then(|usage| usage.input_tokens),
            output_tokens: metrics.usage.and_then(|usage| usage.output_tokens),
            cost_usd: metrics.usage.and_then(|usage| usage.cost_usd),
            cost_incomplete: metrics.usage.is_some_and(|usage| usage.cost_incomplete),
            evidence: Some(metrics.evidence.clone()),
        }
    }
}

/// What is known of the condition that a sweep's attempts share. `None`: not known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunFacts {
    /// The agent, such as `baseline:reference`.
    pub agent: Option<String>,
    /// The model behind the agent.
    pub model: Option<String>,
    /// How hard the model was asked to think.
    pub effort: Option<String>,
    /// The tools that the agent was given.
    pub tools: Option<String>,
    /// What the prompt says about the graphs.
    pub kg_hint: Option<String>,
    /// Hash over the files of the corpus and its controls.
    pub corpus_hash: Option<String>,
    /// Where keys and agents ran their queries.
    pub provenance: Option<Provenance>,
    /// Which build of the server it was.
    pub server: Option<ServerBuild>,
    /// Whether soft errors were shown to the agent as errors.
    pub strict_upstream_errors: Option<bool>,
    /// Seconds that one call may take.
    pub timeout_s: Option<u64>,
    /// Seconds that one attempt may take.
    pub agent_timeout_s: Option<u64>,
    /// Canaries that the server failed before the first attempt, which was made all the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_canaries: Vec<String>,
    /// When the server was seen to pass them all, after which what had been lost to it was made again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mended_since: Option<String>,
    /// The attempts were made and scored by another harness.
    #[serde(default)]
    pub imported: bool,
}

impl RunFacts {
    /// The agent, and the model with its effort where there is one: what a table calls the sweep.
    pub fn label(&self) -> String {
        let parts = [&self.agent, &self.model, &self.effort];
        let known: Vec<&str> = parts
            .into_iter()
            .filter_map(|part| part.as_deref())
            .collect();
        if known.is_empty() {
            "unnamed agent".to_owned()
        } else {
            known.join(" ")
        }
    }
}

impl From<&Condition> for RunFacts {
    fn from(condition: &Condition) -> Self {
        Self {
            agent: Some(condition.agent.clone()),
            model: condition.model.clone(),
            effort: condition.effort.clone(),
            tools: Some(condition.tools.clone()),
            kg_hint: condition.kg_hint.clone(),
            corpus_hash: Some(condition.corpus_hash.clone()),
            provenance: Some(condition.provenance.clone()),
            server: Some(condition.server.clone()),
            strict_upstream_errors: Some(condition.strict_upstream_errors),
            timeout_s: Some(condition.timeout_s),
            agent_timeout_s: Some(condition.agent_timeout_s),
            failed_canaries: condition
                .canaries
                .iter()
                .filter(|canary| !canary.passed)
                .map(|canary| canary.name.clone())
                .collect(),
            mended_since: None,
            imported: false,
        }
    }
}

impl From<&Manifest> for RunFacts {
    fn from(manifest: &Manifest) -> Self {
        Self {
            mended_since: manifest.mended.as_ref().map(|mended| mended.since.clone()),
            ..Self::from(&manifest.condition)
        }
    }
}

/// A sweep as a comparison takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Where it lies; tells apart two sweeps of the same agent.
    pub folder: String,
    /// Its condition.
    pub facts: RunFacts,
    /// Its attempts, in any order.
    pub observations: Vec<Observation>,
}
