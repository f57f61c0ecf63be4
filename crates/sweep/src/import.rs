//! Attempts that another harness made and scored.
//!
//! The layout read is that of the published runs: a folder for each attempt with `calls.json`, a metrics file and the
//! tables as CSV. The published description names `soft_error`, `upstream_soft_errors`, `lost_upstream`,
//! `startup_error`, `exact`, `ordered`, `f1` and seconds; the other names accepted for a field are the usual spellings.
//! What no file says stays `None`, what this program does not know is kept as it was, and what follows by rule from what
//! the files do say is listed in [`ImportedAttempt::derived`].

use std::collections::BTreeSet;

use control::Evidence;
use record::{Arm, RecordName};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::figure;
use crate::import_calls::calls;
use crate::import_fields::Fields;
use crate::interval::size;
use crate::{
    Flags, ImportError, ImportedCall, Obedience, Observation, Outcome, RunFacts, Submission,
    Version, obedience,
};

/// The tool that takes the answer, which is no call to the server.
const SUBMIT: &str = "submit_csv";

/// One folder of another harness: its files, as they are.
#[derive(Clone, Copy, Debug)]
pub struct ForeignFolder<'a> {
    /// Its path, from the folder that is imported on; empty for that folder itself.
    pub path: &'a str,
    /// Name and bytes of its metrics file.
    pub metrics: Option<(&'a str, &'a [u8])>,
    /// Name and bytes of its calls.
    pub calls: Option<(&'a str, &'a [u8])>,
    /// Name and bytes of the submitted table.
    pub answer: Option<(&'a str, &'a [u8])>,
}

/// An attempt that another harness made and scored: the file `attempt.json` of an imported sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImportedAttempt {
    /// Version of this file's format.
    pub format: Version<1>,
    /// Id of the record that was asked.
    pub record: String,
    /// Number of the attempt.
    pub attempt: u32,
    /// Path of its folder in the imported one.
    pub folder: String,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// The connection to the server was lost part-way.
    pub lost_upstream: Option<bool>,
    /// The time ran out.
    pub timed_out: Option<bool>,
    /// The agent never had its tools.
    pub startup_error: Option<bool>,
    /// Soft errors were shown to the agent as errors.
    pub strict: Option<bool>,
    /// Whether it was lost to the infrastructure.
    pub infrastructure: Option<bool>,
    /// Whether the agent did as it was told; `None` outside the `exact` arm.
    pub obedience: Option<Obedience>,
    /// Exact, as the harness scored it: nothing submitted may count as an empty table.
    pub exact: Option<bool>,
    /// In the key's sequence, as the harness scored it.
    pub ordered: Option<bool>,
    /// f1, as the harness scored it.
    #[serde(default, deserialize_with = "figure::share_if_known")]
    pub f1: Option<f64>,
    /// Rows of the submitted table.
    pub rows: Option<u64>,
    /// Rows of the key.
    pub key_rows: Option<u64>,
    /// Wall-clock seconds.
    #[serde(default, deserialize_with = "figure::amount_if_known")]
    pub seconds: Option<f64>,
    /// Seconds of those spent in calls to the server.
    #[serde(default, deserialize_with = "figure::amount_if_known")]
    pub server_seconds: Option<f64>,
    /// Number of calls to tools.
    pub calls: Option<u32>,
    /// Calls made after the connection was lost.
    pub calls_after_loss: Option<u32>,
    /// Calls that failed softly.
    pub upstream_soft_errors: Option<u32>,
    /// Tokens that the model read.
    pub input_tokens: Option<u64>,
    /// Tokens that the model wrote.
    pub output_tokens: Option<u64>,
    /// Cost in US dollars.
    #[serde(default, deserialize_with = "figure::amount_if_known")]
    pub cost_usd: Option<f64>,
    /// How the successful calls chose their terms; `None` without calls, or without a corpus to say which term it was.
    pub evidence: Option<BTreeSet<Evidence>>,
    /// The condition as far as the attempt's own file says it.
    pub condition: ForeignCondition,
    /// Fields above that follow by rule from what the files say, rather than being said by them.
    pub derived: Vec<String>,
    /// Every field of the metrics file that is unknown here, as it was.
    pub other: Map<String, Value>,
}

/// What the files of another harness say of the condition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignCondition {
    /// The agent.
    pub agent: Option<String>,
    /// The model behind it.
    pub model: Option<String>,
    /// How hard the model was asked to think.
    pub effort: Option<String>,
    /// The tools that the agent was given.
    pub tools: Option<String>,
    /// What the prompt says about the graphs.
    pub kg_hint: Option<String>,
}

impl ForeignCondition {
    fn take(fields: &mut Fields) -> Result<Self, ImportError> {
        Ok(Self {
            agent: fields.text(&["agent", "agent_name"])?,
            model: fields.text(&["model", "model_name"])?,
            effort: fields.text(&["effort", "reasoning_effort"])?,
            tools: fields.text(&["tools", "tool_condition", "ablation"])?,
            kg_hint: fields.text(&["kg_hint", "hint"])?,
        })
    }

    /// Reads the condition out of a file about the whole sweep, such as `config.json`.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self, ImportError> {
        Self::take(&mut Fields::parse(file, bytes)?)
    }

    /// Takes over what is not known yet; the same thing known in two ways is an error of that folder.
    pub fn merge(&mut self, other: &Self, folder: &str) -> Result<(), ImportError> {
        let pairs = [
            ("agent", &mut self.agent, &other.agent),
            ("model", &mut self.model, &other.model),
            ("effort", &mut self.effort, &other.effort),
            ("tools", &mut self.tools, &other.tools),
            ("kg_hint", &mut self.kg_hint, &other.kg_hint),
        ];
        for (field, there, here) in pairs {
            match (there.as_ref(), here) {
                (Some(there), Some(here)) if there != here => {
                    return Err(ImportError::TwoConditions {
                        folder: folder.to_owned(),
                        field,
                        here: here.clone(),
                        there: there.clone(),
                    });
                }
                (None, Some(here)) => *there = Some(here.clone()),
                _ => {}
            }
        }
        Ok(())
    }
}

/// An imported sweep: the file `imported.json`, in the place that `manifest.json` has in a sweep of this program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImportedSweep {
    /// Version of this file's format.
    pub format: Version<1>,
    /// Version of the program that imported it.
    pub program: String,
    /// When it was imported, RFC 3339.
    pub created: String,
    /// The condition, as far as the files or the person who imported them said it.
    pub facts: RunFacts,
}

impl ImportedAttempt {
    /// Reads an attempt and its calls. Evidence needs the corpus, and is added by [`ImportedAttempt::with_evidence`].
    pub fn read(
        folder: &ForeignFolder<'_>,
    ) -> Result<(Self, Option<Vec<ImportedCall>>), ImportError> {
        let calls = folder
            .calls
            .map(|(file, bytes)| calls(file, bytes))
            .transpose()?;
        let mut fields = match folder.metrics {
            Some((file, bytes)) => Fields::parse(file, bytes)?,
            None => Fields::of(folder.path, String::new(), Value::Object(Map::new()))?,
        };
        fields.flatten(&["scores", "score", "metrics", "usage", "condition", "flags"]);
        let (record, attempt) = place(folder.path, &mut fields)?;
        let submitted_rows = folder.answer.map(|(_, bytes)| rows_of(bytes));
        let stated = fields.text(&["outcome", "status"])?;
        let stated_outcome = stated.as_deref().and_then(outcome_named);
        let mut read = Self {
            format: Version,
            record,
            attempt,
            folder: folder.path.to_owned(),
            outcome: stated_outcome,
            lost_upstream: fields.happened(&["lost_upstream"])?,
            timed_out: fields.happened(&["timed_out", "timeout"])?,
            startup_error: fields.happened(&["startup_error"])?,
            strict: fields.flag(&["strict_upstream_errors", "strict"])?,
            infrastructure: None,
            obedience: None,
            exact: fields.flag(&["exact"])?,
            ordered: fields.flag(&["ordered"])?,
            f1: fields.share(&["f1"])?,
            rows: fields.count(&["rows", "answer_rows", "submitted_rows", "n_rows"])?,
            key_rows: fields.count(&["key_rows", "reference_rows", "expected_rows"])?,
            seconds: fields.number(&["seconds", "wall_seconds", "elapsed_seconds", "elapsed"])?,
            server_seconds: fields.number(&["server_seconds", "server_time"])?,
            calls: fields.count(&["calls", "tool_calls", "n_calls"])?,
            calls_after_loss: fields.count(&["calls_after_loss", "retries_after_loss"])?,
            upstream_soft_errors: fields.count(&["upstream_soft_errors"])?,
            input_tokens: fields.count(&["input_tokens"])?,
            output_tokens: fields.count(&["output_tokens"])?,
            cost_usd: fields.number(&["cost_usd", "total_cost_usd", "cost"])?,
            evidence: None,
            condition: ForeignCondition::take(&mut fields)?,
            derived: Vec::new(),
            other: fields.rest(),
        };
        if let (Some(word), None) = (stated, stated_outcome) {
            read.other.insert("outcome".to_owned(), Value::String(word));
        }
        read.derive(
            submitted_rows.flatten(),
            folder.answer.is_some(),
            calls.as_deref(),
        );
        Ok((read, calls))
    }

    /// The same attempt with what its calls prove.
    #[must_use]
    pub fn with_evidence(mut self, evidence: BTreeSet<Evidence>) -> Self {
        self.evidence = Some(evidence);
        self.derived.push("evidence".to_owned());
        self.obedience = self.obeyed();
        self
    }

    /// What follows by rule.
    fn derive(
        &mut self,
        submitted_rows: Option<u64>,
        submitted: bool,
        calls: Option<&[ImportedCall]>,
    ) {
        if let Some(calls) = calls {
            let to_server = || {
                calls
                    .iter()
                    .filter(|call| call.tool.as_deref() != Some(SUBMIT))
            };
            let seconds: Option<f64> = to_server().map(|call| call.seconds).sum();
            let soft: Option<Vec<bool>> = to_server().map(|call| call.soft_error).collect();
            let soft = soft.map(|soft| size(soft.iter().filter(|soft| **soft).count()));
            fill(
                &mut self.calls,
                Some(size(calls.len())),
                "calls",
                &mut self.derived,
            );
            fill(
                &mut self.server_seconds,
                seconds,
                "server_seconds",
                &mut self.derived,
            );
            fill(
                &mut self.upstream_soft_errors,
                soft,
                "upstream_soft_errors",
                &mut self.derived,
            );
        }
        fill(&mut self.rows, submitted_rows, "rows", &mut self.derived);
        let outcome = self.ended(submitted);
        fill(&mut self.outcome, outcome, "outcome", &mut self.derived);
        self.infrastructure = self.lost(calls);
        self.obedience = self.obeyed();
        for (field, is_there) in [
            ("infrastructure", self.infrastructure.is_some()),
            ("obedience", self.obedience.is_some()),
        ] {
            if is_there {
                self.derived.push(field.to_owned());
            }
        }
    }

    /// How the attempt ended. Without a submitted table only a failed start, a timeout, or a score that an empty table
    /// could not have says so: a score of 1 against an empty key may be obedience or a crash.
    fn ended(&self, submitted: bool) -> Option<Outcome> {
        if self.startup_error == Some(true) {
            Some(Outcome::StartupError)
        } else if submitted || self.rows.is_some_and(|rows| rows > 0) {
            Some(match self.rows {
                Some(0) => Outcome::AnsweredEmpty,
                _ => Outcome::Answered,
            })
        } else if self.timed_out == Some(true) {
            Some(Outcome::Timeout)
        } else if self.key_rows.is_some_and(|rows| rows > 0) && self.f1.is_some_and(|f1| f1 > 0.0) {
            Some(Outcome::Answered)
        } else {
            None
        }
    }

    fn lost(&self, calls: Option<&[ImportedCall]>) -> Option<bool> {
        let soft_last = || {
            let last = calls?.last();
            last.map_or(Some(false), |call| call.soft_error)
        };
        match self.outcome? {
            Outcome::StartupError => Some(true),
            Outcome::NoAnswer | Outcome::Timeout => match (self.lost_upstream, soft_last()) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Outcome::AgentError => None,
            Outcome::Answered | Outcome::AnsweredEmpty | Outcome::Budget => Some(false),
        }
    }

    /// By the rule of this program; what is not known proves nothing.
    fn obeyed(&self) -> Option<Obedience> {
        if RecordName::from_file(&self.record).arm != Some(Arm::Exact) {
            return None;
        }
        let (Some(outcome), Some(rows)) = (self.outcome, self.rows) else {
            return Some(Obedience::Unproven);
        };
        let exact = self.exact == Some(true);
        let key_rows = match (self.key_rows, self.exact) {
            (Some(rows), _) => rows,
            // Rows that are exactly the key's make it as long as they are.
            (None, Some(true)) => rows,
            // Any key that is not these rows: whether it has some changes nothing for an answer that has.
            (None, Some(false)) if rows > 0 => 1,
            (None, _) => return Some(Obedience::Unproven),
        };
        let evidence = self.evidence.as_ref();
        let submission = Submission {
            outcome,
            flags: Flags {
                lost_upstream: self.lost_upstream != Some(false),
                ..Flags::default()
            },
            rows: usize::try_from(rows).unwrap_or(usize::MAX),
            exact,
            used_literal_term: evidence.is_some_and(|means| means.contains(&Evidence::LiteralTerm)),
        };
        let key_rows = usize::try_from(key_rows).unwrap_or(usize::MAX);
        Some(obedience(key_rows, &submission))
    }

    /// The attempt as a comparison takes it.
    pub fn observation(&self) -> Observation {
        let submitted = self.outcome.is_some_and(Outcome::is_submitted);
        Observation {
            record: self.record.clone(),
            attempt: self.attempt,
            // Where nobody can tell whose failure it was, the attempt counts for nobody.
            outcome: self.outcome.filter(|_| self.infrastructure.is_some()),
            infrastructure: self.infrastructure == Some(true),
            lost_before: 0,
            obedience: self.obedience,
            exact: self.exact.filter(|_| submitted),
            ordered: self.ordered.filter(|_| submitted),
            f1: self.f1.filter(|_| submitted),
            raw_exact: self.exact,
            seconds: self.seconds,
            server_seconds: self.server_seconds,
            waiting_seconds: None,
            calls: self.calls,
            calls_after_loss: self.calls_after_loss,
            soft_errors: self.upstream_soft_errors,
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cost_usd: self.cost_usd,
            cost_incomplete: false,
            evidence: self.evidence.clone(),
        }
    }
}

fn fill<T>(there: &mut Option<T>, derived: Option<T>, field: &str, names: &mut Vec<String>) {
    if there.is_none() && derived.is_some() {
        *there = derived;
        names.push(field.to_owned());
    }
}

fn rows_of(answer: &[u8]) -> Option<u64> {
    let read = table::read_answer(answer).ok()?;
    u64::try_from(read.len() + read.ragged.len()).ok()
}

fn outcome_named(word: &str) -> Option<Outcome> {
    let word = word.replace('_', "-").to_lowercase();
    serde_json::from_value(Value::String(word)).ok()
}

/// Which attempt at which record a folder holds: by its metrics, else by its path `…/RECORD/…N`.
fn place(path: &str, fields: &mut Fields) -> Result<(String, u32), ImportError> {
    let record = fields.text(&["record", "record_id", "question", "question_id"])?;
    let attempt = fields.count(&["attempt", "repeat", "attempt_number", "n"])?;
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let by_scheme = parts
        .iter()
        .rposition(|part| RecordName::from_file(part).arm.is_some());
    let record = match (record, by_scheme) {
        (Some(record), _) => record,
        (None, Some(place)) => parts[place].to_owned(),
        (None, None) => {
            return Err(missing(
                path,
                "which record was asked",
                "no `record` in its metrics, and no folder above it is named KG-ARM_TIER",
            ));
        }
    };
    // The record's id becomes a folder, and must not lead out of the one it is put into.
    if record.is_empty() || record.starts_with('.') || record.contains(['/', '\\', ':', '\0']) {
        return Err(ImportError::Type {
            file: path.to_owned(),
            field: "record".to_owned(),
            expected: "an id that can name a folder",
            found: format!("the text {record:?}"),
        });
    }
    // The number stands below the record's folder, or behind its name.
    let below = by_scheme.map_or(parts.as_slice(), |place| &parts[place + 1..]);
    let numbered = || below.iter().rev().find_map(|part| trailing_number(part));
    match attempt.or_else(numbered) {
        Some(attempt) => Ok((record, attempt)),
        None => Err(missing(
            path,
            "which attempt it is",
            "no `attempt` in its metrics, and its folder ends in no number",
        )),
    }
}

fn missing(path: &str, what: &'static str, looked: &str) -> ImportError {
    ImportError::Missing {
        folder: if path.is_empty() {
            ".".to_owned()
        } else {
            path.to_owned()
        },
        what,
        looked: looked.to_owned(),
    }
}

fn trailing_number(name: &str) -> Option<u32> {
    let digits = name.len() - name.bytes().rev().take_while(u8::is_ascii_digit).count();
    name[digits..].parse().ok()
}
