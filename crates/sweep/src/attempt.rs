//! What an attempt came to: the file `metrics.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use control::Evidence;
use serde::{Deserialize, Serialize};

use crate::{Version, figure};

/// How an attempt ended; exactly one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A table with rows, or a text that is no table, was submitted.
    Answered,
    /// A table without rows was submitted.
    AnsweredEmpty,
    /// The agent ended by itself and had submitted nothing.
    NoAnswer,
    /// The time was up and nothing had been submitted.
    Timeout,
    /// The agent never had its tools.
    StartupError,
    /// The agent or its model failed.
    AgentError,
    /// The allowance of tokens or money was used up and nothing had been submitted.
    Budget,
}

impl Outcome {
    /// Whether something was submitted.
    pub fn is_submitted(self) -> bool {
        matches!(self, Self::Answered | Self::AnsweredEmpty)
    }

    /// The word that files and tables use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::AnsweredEmpty => "answered-empty",
            Self::NoAnswer => "no-answer",
            Self::Timeout => "timeout",
            Self::StartupError => "startup-error",
            Self::AgentError => "agent-error",
            Self::Budget => "budget",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What else happened in an attempt, whatever its [`Outcome`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four independent facts, each a field of the published file"
)]
pub struct Flags {
    /// The connection to the server was lost part-way and did not come back.
    pub lost_upstream: bool,
    /// The time ran out after something had been submitted.
    pub timed_out: bool,
    /// Soft errors were shown to the agent as errors.
    pub strict: bool,
    /// The model's own service failed: not the agent's fault, nor the question's.
    #[serde(default)]
    pub model_api_failed: bool,
}

/// Whether an agent that was told to use the term as given did so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Obedience {
    /// It looked at the term as given and reported what is there.
    Obeyed,
    /// It submitted rows that the term as given does not have.
    Disobeyed,
    /// Nothing tells: no answer, or an empty one without a look.
    Unproven,
}

impl Obedience {
    /// The word that files and tables use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Obeyed => "obeyed",
            Self::Disobeyed => "disobeyed",
            Self::Unproven => "unproven",
        }
    }
}

impl fmt::Display for Obedience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The figures of a score, without its row diff: see [`score::Score`] for their formulas.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// The multisets of rows are equal.
    pub exact: bool,
    /// Exact and in the key's sequence; `None` where the key has none that its columns show.
    pub ordered: Option<bool>,
    /// Harmonic mean of precision and recall, from 0 to 1.
    #[serde(deserialize_with = "figure::share")]
    pub f1: f64,
    /// Share of the answer's rows that are in the key, from 0 to 1.
    #[serde(deserialize_with = "figure::share")]
    pub precision: f64,
    /// Share of the key's rows that are in the answer, from 0 to 1.
    #[serde(deserialize_with = "figure::share")]
    pub recall: f64,
}

impl Scores {
    /// The scores of a text that is no table: it answers no row of any key.
    pub const NOTHING: Self = Self {
        exact: false,
        ordered: None,
        f1: 0.0,
        precision: 0.0,
        recall: 0.0,
    };
}

impl From<&score::Score> for Scores {
    fn from(score: &score::Score) -> Self {
        Self {
            exact: score.exact,
            ordered: score.ordered,
            f1: score.f1,
            precision: score.precision,
            recall: score.recall,
        }
    }
}

/// What the model used, as far as it is known. A figure that the service never gave is `None`, which is not 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens that the model read, those from a cache and those written to one among them.
    pub input_tokens: Option<u64>,
    /// Tokens that the model wrote, its hidden reasoning among them.
    pub output_tokens: Option<u64>,
    /// Tokens of the input that came from the service's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read_tokens: Option<u64>,
    /// Tokens of the input that the service put into its cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    /// Sum of the known costs, in US dollars; `None` where none is known, as for a model without a price.
    #[serde(default, deserialize_with = "figure::amount_if_known")]
    pub cost_usd: Option<f64>,
    /// The usage of a reply, or the price of its tokens, is not known: the cost is a lower bound.
    pub cost_incomplete: bool,
    /// Replies of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<u32>,
    /// Calls that could not be made: their arguments were no JSON, or were cut at the limit of the model's output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub malformed_calls: Option<u32>,
}

/// Whether a count says nothing.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes what it asks about by reference"
)]
pub(crate) fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// What an attempt came to: the file `metrics.json` of its folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Version of this file's format.
    pub format: Version<1>,
    /// Id of the record that was asked.
    pub record: String,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// The agent, such as `baseline:reference`.
    pub agent: String,
    /// How the attempt ended.
    pub outcome: Outcome,
    /// What else happened.
    pub flags: Flags,
    /// Whether the attempt was lost to the infrastructure and counts for nobody.
    pub infrastructure: bool,
    /// Whether the agent did as it was told; `None` where it was not told anything (outside the `exact` arm).
    pub obedience: Option<Obedience>,
    /// The scores of what was submitted; `None` where nothing was.
    pub scores: Option<Scores>,
    /// The same where nothing submitted is taken for an empty table, which gives 1 against an empty key: figures
    /// published elsewhere are counted so.
    pub raw: Scores,
    /// Rows of the submitted table.
    pub rows: usize,
    /// Rows of the key.
    pub key_rows: usize,
    /// Content hash of the key that the answer was scored against.
    pub key_hash: String,
    /// Why the submitted text is no table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_error: Option<String>,
    /// Wall-clock seconds of the attempt, without the waiting below.
    #[serde(deserialize_with = "figure::amount")]
    pub seconds: f64,
    /// Seconds of waiting because a service said when to come back; `None` where nobody measured it.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "figure::amount_if_known"
    )]
    pub waiting_seconds: Option<f64>,
    /// Seconds of those spent in calls to the server.
    #[serde(deserialize_with = "figure::amount")]
    pub server_seconds: f64,
    /// Number of calls to tools.
    pub calls: u32,
    /// Calls made after the connection was lost.
    pub calls_after_loss: u32,
    /// Calls that failed softly.
    pub upstream_soft_errors: u32,
    /// What the model used; `None` for an agent without a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The model, as its service named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What ended the attempt, where that was a failure or an allowance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Attempts under this number that were lost to the infrastructure before and made again; they are kept beside it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lost_before: u32,
    /// How the successful calls chose their terms; what the server did by itself is among it under its own name.
    pub evidence: BTreeSet<Evidence>,
    /// The same with the calls behind each, by their numbers.
    #[serde(default)]
    pub evidence_calls: BTreeMap<Evidence, Vec<u32>>,
}

/// Two figures of an attempt that cannot both be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The field that is the wrong one, or one of the two.
    pub field: &'static str,
    /// What it says, and what it should say.
    pub message: String,
}

impl Metrics {
    /// Figures that contradict each other, which no judge can have written; `None` where they agree.
    pub fn contradiction(&self) -> Option<Contradiction> {
        let wrong = |field, message: String| Some(Contradiction { field, message });
        if self.attempt == 0 {
            return wrong("attempt", "attempts are counted from 1".to_owned());
        }
        if self.outcome.is_submitted() != self.scores.is_some() {
            let scores = if self.scores.is_some() { "" } else { "no " };
            return wrong(
                "scores",
                format!(
                    "there are {scores}scores, and the outcome is `{}`",
                    self.outcome
                ),
            );
        }
        [self.scores, Some(self.raw)]
            .into_iter()
            .flatten()
            .find_map(|scores| scores.contradiction())
    }
}

impl Scores {
    fn contradiction(&self) -> Option<Contradiction> {
        let Self {
            exact,
            ordered,
            f1,
            precision,
            recall,
        } = *self;
        let sum = precision + recall;
        let mean = if sum > 0.0 {
            2.0 * precision * recall / sum
        } else {
            0.0
        };
        // Written by other builds, whose last digits may differ.
        let (field, message) = if (f1 - mean).abs() > 1e-6 {
            (
                "f1",
                format!("it is {f1}, and the harmonic mean of precision and recall is {mean}"),
            )
        } else if exact && f1 < 1.0 - 1e-6 {
            ("exact", format!("it is true, and f1 is {f1}"))
        } else if ordered == Some(true) && !exact {
            ("ordered", "it is true, and exact is false".to_owned())
        } else {
            return None;
        };
        Some(Contradiction { field, message })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn metrics(change: impl Fn(&mut Value)) -> Result<Metrics, serde_json::Error> {
        let scores =
            json!({ "exact": false, "ordered": false, "f1": 0.5, "precision": 0.5, "recall": 0.5 });
        let mut metrics = json!({
            "format": 1, "record": "nde-expand_heart", "attempt": 1, "agent": "a", "outcome": "answered",
            "flags": { "lost_upstream": false, "timed_out": false, "strict": false }, "infrastructure": false,
            "obedience": null, "scores": scores, "raw": scores, "rows": 2, "key_rows": 2, "key_hash": "", "seconds": 1.5,
            "server_seconds": 0.5, "calls": 1, "calls_after_loss": 0, "upstream_soft_errors": 0, "evidence": [],
        });
        change(&mut metrics);
        serde_json::from_str(&serde_json::to_string_pretty(&metrics)?)
    }

    #[test]
    fn what_no_sweep_can_have_written_is_refused_where_it_stands() {
        assert!(metrics(|_| {}).unwrap().contradiction().is_none());
        for (pointer, value, said) in [
            (
                "/scores/precision",
                json!(1.5),
                "expected a share from 0 to 1, found 1.5",
            ),
            (
                "/scores/recall",
                json!(-1),
                "expected a share from 0 to 1, found -1",
            ),
            (
                "/scores/f1",
                json!(null),
                "invalid type: null, expected a share from 0 to 1",
            ),
            (
                "/raw/f1",
                json!("NaN"),
                "invalid type: string \"NaN\", expected a share",
            ),
            (
                "/seconds",
                json!(-0.5),
                "expected a number from 0 on, found -0.5",
            ),
            (
                "/server_seconds",
                json!(null),
                "expected a number from 0 on",
            ),
            (
                "/calls",
                json!(-3),
                "invalid value: integer `-3`, expected u32",
            ),
            (
                "/rows",
                json!(1.5),
                "invalid type: floating point `1.5`, expected usize",
            ),
            (
                "/outcome",
                json!("won"),
                "unknown variant `won`, expected one of",
            ),
            ("/evidence", json!(["luck"]), "unknown variant `luck`"),
        ] {
            let error = metrics(|metrics| *metrics.pointer_mut(pointer).unwrap() = value.clone())
                .unwrap_err();
            assert!(error.to_string().contains(said), "{pointer}: {error}");
            assert!(error.line() > 1 && error.column() > 0, "{pointer}: {error}");
        }
        for usage in [json!({ "cost_usd": -1.0 }), json!({ "input_tokens": -1 })] {
            let mut all = json!({ "input_tokens": 1, "output_tokens": 1, "cost_usd": 1.0, "cost_incomplete": false });
            all.as_object_mut()
                .unwrap()
                .extend(usage.as_object().unwrap().clone());
            assert!(
                metrics(|metrics| metrics["usage"] = all.clone()).is_err(),
                "{usage}"
            );
        }
    }

    #[test]
    fn figures_that_contradict_each_other_are_found() {
        for (pointer, value, field) in [
            ("/attempt", json!(0), "attempt"),
            ("/outcome", json!("timeout"), "scores"),
            ("/scores", json!(null), "scores"),
            ("/scores/f1", json!(0.9), "f1"),
            ("/scores/exact", json!(true), "exact"),
            ("/scores/ordered", json!(true), "ordered"),
            ("/raw/recall", json!(1), "f1"),
        ] {
            let read =
                metrics(|metrics| *metrics.pointer_mut(pointer).unwrap() = value.clone()).unwrap();
            let found = read.contradiction().unwrap();
            assert_eq!(found.field, field, "{pointer}: {found:?}");
        }
    }
}
