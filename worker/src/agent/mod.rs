//! Agents: what makes an attempt at a record, with the tools of the server under test.
//!
//! Every agent meets its tools through the recording proxy ([`crate::mcp::proxy`]), so that each attempt is recorded in
//! the same way, whoever makes it. What an agent reports is only how it ended; what it did is what the proxy saw, and
//! what it answered is what it submitted there.
//!
//! ```text
//! runner ──Task──▶ agent ── tools ──▶ recording proxy ──▶ server under test
//!    ▲               │                     │
//!    └────Report─────┘                     └── calls.jsonl, answer.csv, recording.json in the attempt's folder
//! ```

pub mod anthropic;
pub mod api;
pub mod command;
pub mod file;
pub mod openai;
pub mod prompt;
pub mod tools;
pub mod transcript;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use record::Corpus;
use sweep::Usage;
use tokio::time::Instant;

use crate::Failure;
use crate::attempts::Episode;
use crate::baseline::Baseline;
use crate::mcp::proxy::{ProxyError, Setup};
pub use prompt::{KgHint, Prompt};
pub use tools::{ToolInfo, ToolReply, Tools, ToolsError};
pub use transcript::Transcript;

/// The interfaces over which this program asks models itself.
pub(crate) const INTERFACES: [&dyn api::Interface; 2] = [&anthropic::Messages, &openai::Chat];

/// What makes an attempt.
#[derive(Clone, Debug)]
pub enum Agent {
    /// An agent without a model, whose right scores are known beforehand.
    Baseline(Baseline),
    /// A model that this program asks itself, over one of its interfaces.
    Model(Box<api::ModelAgent>),
    /// A program of others that speaks the Model Context Protocol.
    Command(Box<command::Agent>),
    /// Answers that were made elsewhere.
    File(file::Agent),
}

impl Agent {
    /// The name by which results call it, such as `baseline:reference`.
    pub fn name(&self) -> &str {
        match self {
            Self::Baseline(baseline) => baseline.name(),
            Self::Model(agent) => agent.name(),
            Self::Command(agent) => agent.name(),
            Self::File(_) => file::NAME,
        }
    }

    /// The agent that a model is run with where none is named.
    pub fn of_model(
        model: &str,
        args: &api::ModelArgs,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<&'static str, Failure> {
        if model.starts_with("claude") {
            Ok(anthropic::NAME)
        } else if openai::is_within_reach(args, variable) {
            Ok(openai::NAME)
        } else {
            Err(Failure::usage(
                format!("there is no telling which service has the model `{model}`"),
                "give --agent openai with --base-url URL, or export OPENAI_API_KEY=…; models of Anthropic begin with `claude`",
            ))
        }
    }

    /// What to type instead of an agent that does not exist.
    pub fn hint() -> String {
        format!(
            "{}; or {} or {} with --model; or {} with --program or --command; or {} with --answers",
            Baseline::hint(),
            anthropic::NAME,
            openai::NAME,
            command::NAME,
            file::NAME
        )
    }

    /// All that bears on what it does, beside the model's name and effort; null where there is no such thing.
    pub fn condition(&self) -> serde_json::Value {
        match self {
            Self::Baseline(_) | Self::File(_) => serde_json::Value::Null,
            Self::Model(agent) => agent.condition(),
            Self::Command(agent) => agent.condition(),
        }
    }

    /// Whether what its model costs is known; `None` for an agent without one, or whose program counts it.
    pub fn has_price(&self) -> Option<bool> {
        match self {
            Self::Baseline(_) | Self::Command(_) | Self::File(_) => None,
            Self::Model(agent) => Some(agent.has_price()),
        }
    }

    /// Whose money an attempt costs, in words that hold no secret; `None` where it costs none.
    pub fn payer(&self) -> Option<String> {
        match self {
            Self::Baseline(_) | Self::File(_) => None,
            Self::Model(agent) => Some(agent.payer()),
            Self::Command(agent) => Some(agent.payer()),
        }
    }

    /// Whether it has a place for what a sweep may ask of agents. Of answers made elsewhere, model and effort are a label.
    pub fn takes(&self, asked: AskedOf) -> bool {
        match self {
            Self::Baseline(_) => false,
            Self::Model(_) => !matches!(asked, AskedOf::Program | AskedOf::Answers),
            Self::Command(agent) => agent.takes(asked),
            Self::File(_) => matches!(asked, AskedOf::Model | AskedOf::Effort | AskedOf::Answers),
        }
    }

    /// Where to look when the service of its model refuses to serve.
    pub fn credentials(&self) -> String {
        match self {
            Self::Model(agent) => agent.credentials(),
            Self::Command(agent) => agent.credentials(),
            Self::Baseline(_) | Self::File(_) => String::new(),
        }
    }

    /// Whether it has another answer to an attempt than the one that the attempt was made of.
    pub fn has_another(&self, record: &str, attempt: u32, made: &Episode) -> Result<bool, Failure> {
        match self {
            Self::File(agent) => agent.has_another(record, attempt, made),
            Self::Baseline(_) | Self::Model(_) | Self::Command(_) => Ok(false),
        }
    }

    /// Makes one attempt. It ends by itself when its limits are reached; where its future is dropped before, everything
    /// that it started ends with it.
    ///
    /// An error means that the sweep cannot go on, such as a disk that is full; all else is an [`End`].
    pub async fn attempt(&self, task: &mut Task) -> Result<Report, Failure> {
        match self {
            Self::Baseline(baseline) => baseline.attempt(task).await,
            Self::Model(agent) => agent.attempt(task).await,
            Self::Command(agent) => agent.attempt(task).await,
            Self::File(agent) => agent.attempt(task),
        }
    }
}

/// What a sweep may ask of agents, for which not every one has a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedOf {
    /// A model.
    Model,
    /// How hard the model is to think.
    Effort,
    /// An allowance of turns.
    Turns,
    /// An allowance of tokens.
    Tokens,
    /// An allowance of money.
    Usd,
    /// How the service of the model is asked.
    Service,
    /// An agent program.
    Program,
    /// Answers made elsewhere.
    Answers,
}

impl AskedOf {
    /// Which agents have a place for it.
    pub fn takers(self) -> &'static str {
        match self {
            Self::Model | Self::Effort => {
                "leave it out: agents with a model have a place for it, answers made elsewhere can be called by it, and baseline agents have no model"
            }
            Self::Turns | Self::Usd => {
                "leave it out: the agents anthropic and openai keep it, and agent programs whose file has a place for it"
            }
            Self::Tokens => "leave it out: only the agents anthropic and openai keep it",
            Self::Service => "leave it out: only the agents anthropic and openai take it",
            Self::Program => "leave it out, or give --agent command",
            Self::Answers => "leave it out, or give --agent file",
        }
    }
}

/// One attempt, as an agent meets it.
#[derive(Debug)]
pub struct Task {
    /// Id of the record.
    pub record: String,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// What the agent is told. It is in the transcript already.
    pub prompt: Prompt,
    /// The recording proxy in front of the server under test; its `out` is the attempt's scratch folder. An agent that
    /// can write files sets its `work` to the folder below.
    pub proxy: Setup,
    /// A folder of the agent's own, empty, for the files that it writes. It goes when the attempt has ended.
    pub work: PathBuf,
    /// When the agent has to end.
    pub limits: Limits,
    /// What was said.
    pub transcript: Transcript,
    /// The records and their controls, for agents that answer by running them.
    pub corpus: Arc<Corpus>,
}

/// When an agent has to end.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How often a model may be asked to go on.
    pub turns: u32,
    /// Tokens, read and written together, that a model may use.
    pub tokens: Option<u64>,
    /// US dollars that a model may cost.
    pub usd: Option<f64>,
    /// Time, without what is waited for because a service said when to come back.
    pub seconds: Duration,
    /// When that time is up if nothing is waited for; waiting moves it.
    pub deadline: Instant,
}

/// How an attempt ended, as the agent's driver saw it. The runner makes the outcome of it, together with the recording.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub end: End,
    /// What the model used; `None` for an agent without one. `cost_incomplete` in it says that something is not known.
    pub usage: Option<Usage>,
    /// How long was waited because a service said when to come back: no time of the agent's.
    pub waited: Duration,
    /// The model, as its service names it.
    pub model: Option<String>,
}

impl Report {
    /// The report of an agent that has no model, or had none yet.
    pub fn without_model(end: End) -> Self {
        Self {
            end,
            usage: None,
            waited: Duration::ZERO,
            model: None,
        }
    }
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The agent was done.
    Finished,
    /// An allowance was used up.
    Budget(BudgetKind),
    /// The time was up.
    OutOfTime,
    /// The service of the model failed, and why: neither the agent's fault, nor the question's.
    ApiFailed(String),
    /// The service of the model does not serve this account, key or model at all, and in which words: it will not serve
    /// the next attempt either.
    Denied(String),
    /// The agent itself failed, and why.
    Failed(String),
    /// The agent never had its tools, and why.
    Startup(String),
}

impl End {
    /// What ended the attempt, where that was a failure.
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::ApiFailed(why) | Self::Denied(why) | Self::Failed(why) | Self::Startup(why) => {
                Some(why.clone())
            }
            Self::Budget(kind) => Some(format!("the allowance of {} was used up", kind.as_str())),
            Self::Finished | Self::OutOfTime => None,
        }
    }

    /// How an attempt ends whose tools could not be had; a failure where what is wrong is ours.
    pub fn without_tools(error: ToolsError) -> Result<Self, Failure> {
        match error {
            ToolsError::Proxy(ProxyError::Startup { reason }) => Ok(Self::Startup(reason)),
            ToolsError::Proxy(error) => Err(error.into()),
            ToolsError::Session(why) => Ok(Self::Startup(why)),
        }
    }
}

/// An allowance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetKind {
    /// How often a model may be asked to go on.
    Turns,
    /// Tokens.
    Tokens,
    /// Money.
    Usd,
}

impl BudgetKind {
    /// What it is an allowance of.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Turns => "turns",
            Self::Tokens => "tokens",
            Self::Usd => "money",
        }
    }
}
