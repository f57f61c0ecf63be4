//! Agents without a model, whose right scores are known beforehand.

use std::fmt;
use std::time::{Duration, Instant};

use record::{Arm, Corpus, Record};
use serde_json::{Value, json};
use sweep::{AnsweredBy, Call, Flags, Outcome, SoftError};

use crate::Failure;
use crate::attempts::Episode;
use crate::endpoint::{Endpoint, EndpointError};

/// An agent without a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Baseline {
    /// Runs the answer key: right everywhere, obedient where told to be.
    Reference,
    /// Runs control A, the term taken literally; where it is told to do so, that is the key.
    Literal,
    /// Runs control B, a name test in place of the hierarchy.
    Keyword,
    /// Submits nothing.
    Silent,
    /// Submits the header line without having looked.
    HeaderOnly,
}

impl Baseline {
    /// Every baseline agent.
    pub const ALL: [Self; 5] = [
        Self::Reference,
        Self::Literal,
        Self::Keyword,
        Self::Silent,
        Self::HeaderOnly,
    ];

    /// The agent of that name, such as `baseline:reference`.
    pub fn named(name: &str) -> Result<Self, Failure> {
        Self::ALL
            .into_iter()
            .find(|agent| agent.name() == name)
            .ok_or_else(|| Failure::usage(format!("there is no agent `{name}`"), Self::hint()))
    }

    /// What to type instead of an agent that does not exist.
    pub fn hint() -> String {
        let names: Vec<&str> = Self::ALL.iter().map(|agent| agent.name()).collect();
        format!(
            "the agents are {}; name one or several with --agent",
            names.join(", ")
        )
    }

    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reference => "baseline:reference",
            Self::Literal => "baseline:literal",
            Self::Keyword => "baseline:keyword",
            Self::Silent => "baseline:silent",
            Self::HeaderOnly => "baseline:header-only",
        }
    }

    /// What it does, for the transcript.
    fn about(self) -> &'static str {
        match self {
            Self::Reference => "runs the answer key and submits its rows",
            Self::Literal => "runs the term as given, without its closure, and submits the rows",
            Self::Keyword => "runs a name test in place of the hierarchy and submits the rows",
            Self::Silent => "submits nothing",
            Self::HeaderOnly => "submits the header line without having looked",
        }
    }

    /// One attempt at a record.
    pub async fn attempt(self, record: &Record, corpus: &Corpus, endpoint: &Endpoint) -> Episode {
        let mut desk = Desk::new();
        desk.note("user", record.summary().unwrap_or_default());
        desk.note("assistant", &format!("{} {}", self.name(), self.about()));
        let answer = match (self, self.sparql(record, corpus)) {
            (Self::Silent, _) => None,
            (Self::HeaderOnly, _) => Some(format!("{}\n", record.columns().join(","))),
            (_, Some(sparql)) => desk.ask(sparql, endpoint).await,
            (_, None) => {
                desk.note("assistant", "there is no such control for this record");
                None
            }
        };
        if let Some(csv) = &answer {
            desk.submit(csv);
        }
        desk.close(answer)
    }

    /// The query that it runs, where it runs one and the corpus has it.
    fn sparql<'a>(self, record: &'a Record, corpus: &'a Corpus) -> Option<&'a str> {
        let letter = match self {
            Self::Literal if record.name.arm != Some(Arm::Exact) => 'A',
            Self::Keyword => 'B',
            Self::Reference | Self::Literal => return Some(&record.query_text),
            Self::Silent | Self::HeaderOnly => return None,
        };
        let controls = corpus.controls_of(record.name.tier.as_deref()?);
        let control = controls
            .into_iter()
            .find(|control| control.letter == letter)?;
        Some(&control.query_text)
    }
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What an agent has in front of it during one attempt.
struct Desk {
    started: Instant,
    calls: Vec<Call>,
    transcript: Vec<Value>,
    flags: Flags,
    /// Waiting that a server asked for: no time of the agent's.
    waited: Duration,
}

impl Desk {
    fn new() -> Self {
        Self {
            started: Instant::now(),
            calls: Vec::new(),
            transcript: Vec::new(),
            flags: Flags::default(),
            waited: Duration::ZERO,
        }
    }

    fn note(&mut self, role: &str, text: &str) {
        self.transcript.push(json!({ "role": role, "text": text }));
    }

    /// Calls `query`; the rows as CSV, or nothing where the endpoint failed.
    async fn ask(&mut self, sparql: &str, endpoint: &Endpoint) -> Option<String> {
        let mut call = self.call("query", json!({ "query": sparql }));
        let result = endpoint.query(sparql).await;
        let answer = match result {
            Ok(answer) => {
                self.waited += answer.waited;
                call.reply_bytes = table::to_sparql_json(&answer.table).len() as u64;
                Some(table::to_csv(&answer.table))
            }
            Err(error) => {
                self.waited += error.waited();
                self.note("tool", &error.to_string());
                self.lose(&mut call, &error);
                None
            }
        };
        call.duration_ms = self.elapsed_ms().saturating_sub(call.start_ms);
        self.record(call);
        answer
    }

    /// The query is known to be right, so that a failure of it is the endpoint's.
    fn lose(&mut self, call: &mut Call, error: &EndpointError) {
        self.flags.lost_upstream = true;
        match error.reply() {
            // A reply that says 200 and holds no complete table failed softly; all else failed openly.
            Some(reply) if reply.status == 200 => {
                call.reply_bytes = reply.body_start.len() as u64;
                call.soft_error = Some(SoftError {
                    kind: reply.kind.to_string(),
                    message: reply.message.clone(),
                    rule: "reply of a SPARQL endpoint that is no complete table".to_owned(),
                });
            }
            _ => call.is_error = true,
        }
    }

    fn submit(&mut self, csv: &str) {
        let mut call = self.call("submit_csv", json!({ "csv": csv }));
        call.answered_by = AnsweredBy::Harness;
        call.reply_bytes = "submitted".len() as u64;
        self.record(call);
    }

    fn call(&self, tool: &str, arguments: Value) -> Call {
        Call {
            sequence: u32::try_from(self.calls.len())
                .unwrap_or(u32::MAX)
                .saturating_add(1),
            tool: tool.to_owned(),
            arguments,
            start_ms: self.elapsed_ms(),
            duration_ms: 0,
            is_error: false,
            soft_error: None,
            reply_bytes: 0,
            expansion: None,
            session_reset: false,
            answered_by: AnsweredBy::Upstream,
            error: None,
        }
    }

    fn record(&mut self, call: Call) {
        self.transcript
            .push(json!({ "role": "assistant", "tool": call.tool, "sequence": call.sequence }));
        self.calls.push(call);
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.waited)
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn close(self, answer: Option<String>) -> Episode {
        Episode {
            // Whether an answer is empty is for the judge to say.
            outcome: if answer.is_some() {
                Outcome::Answered
            } else {
                Outcome::NoAnswer
            },
            flags: self.flags,
            seconds: self.elapsed().as_secs_f64(),
            waiting_seconds: Some(self.waited.as_secs_f64()),
            usage: None,
            answer: answer.map(String::into_bytes),
            calls: self.calls,
            transcript: self.transcript,
        }
    }
}
