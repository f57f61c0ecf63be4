//! One attempt, from an empty folder to what happened in it.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use record::{Corpus, Record};
use serde_json::{Value, json};
use sweep::{Flags, Outcome, Recording};

use crate::Failure;
use crate::agent::prompt::{Budget, KgHint, Prompt};
use crate::agent::{Agent, AskedOf, End, Limits, Report, Task, Tools, ToolsError, Transcript};
use crate::attempts::{Draft, Episode};
use crate::mcp::proxy::{ProxyError, Setup, ToolSet};
use crate::profile::Profile;

/// How long a proxy that has lost its agent may take to write its end.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// What an agent may use in one attempt.
#[derive(Clone, Debug)]
pub struct Allowance {
    /// How often a model may be asked to go on.
    pub turns: u32,
    /// Tokens, read and written together.
    pub tokens: Option<u64>,
    /// Time.
    pub seconds: Duration,
}

/// What every attempt of a sweep is made with.
#[derive(Clone, Debug)]
pub struct Bench {
    /// The records and their controls.
    pub corpus: Arc<Corpus>,
    /// The server under test.
    pub profile: Profile,
    /// Which of its tools agents are given.
    pub tools: ToolSet,
    /// How long one call may take.
    pub timeout: Duration,
    /// Whether soft errors are shown to agents as errors.
    pub strict_upstream_errors: bool,
    /// What prompts say of the graphs.
    pub kg_hint: KgHint,
    /// What an agent may use.
    pub allowance: Allowance,
}

/// An attempt that was made.
#[derive(Debug)]
pub struct Made {
    /// Its folder, not in its place yet.
    pub draft: Draft,
    /// What happened.
    pub episode: Episode,
    /// The service of the model does not serve this account, key or model, so that the next attempt fares no better.
    pub is_denied: bool,
}

impl Bench {
    /// The recording proxy in front of the server, recording into a folder.
    pub(super) fn proxy(&self, out: &Path) -> Setup {
        Setup {
            profile: self.profile.clone(),
            tools: self.tools.clone(),
            timeout: self.timeout,
            strict_upstream_errors: self.strict_upstream_errors,
            out: out.to_owned(),
            work: None,
        }
    }

    /// The exact texts that an agent is given for a record.
    pub fn prompt(&self, agent: &Agent, record: &Record) -> Prompt {
        let budget = Budget {
            time: self.allowance.seconds,
            turns: agent.takes(AskedOf::Turns).then_some(self.allowance.turns),
        };
        // A record without prose asks nothing, which agents without a model do not mind.
        Prompt::of(record, self.kg_hint, budget).unwrap_or_default()
    }

    /// The list of tools that agents are given, as JSON.
    pub async fn tool_list(&self) -> Result<String, Failure> {
        let draft = Draft::begin(&std::env::temp_dir())?;
        let tools = Tools::connect(self.proxy(draft.folder()))
            .await
            .map_err(no_tools)?;
        let list: Vec<Value> = tools
            .list()
            .iter()
            .map(|tool| json!([tool.name, tool.description, tool.input_schema]))
            .collect();
        tools.close().await.map_err(no_tools)?;
        Ok(Value::Array(list).to_string())
    }

    /// Makes one attempt under `scratch`, which may cost `usd`.
    pub async fn attempt(
        &self,
        agent: &Agent,
        record: &Record,
        n: u32,
        usd: Option<f64>,
        scratch: &Path,
    ) -> Result<Made, Failure> {
        let draft = Draft::begin(scratch)?;
        let prompt = self.prompt(agent, record);
        let mut transcript = Transcript::open(draft.folder())?;
        for (role, text) in [("system", &prompt.system), ("user", &prompt.user)] {
            if !text.is_empty() {
                transcript.say(role, text);
            }
        }
        let started = Instant::now();
        let mut task = Task {
            record: record.id().to_owned(),
            attempt: n,
            prompt,
            proxy: self.proxy(draft.folder()),
            work: draft.work().to_owned(),
            limits: Limits {
                turns: self.allowance.turns,
                tokens: self.allowance.tokens,
                usd,
                seconds: self.allowance.seconds,
                deadline: tokio::time::Instant::now() + self.allowance.seconds,
            },
            transcript,
            corpus: Arc::clone(&self.corpus),
        };
        let report = agent.attempt(&mut task).await?;
        let seconds = started
            .elapsed()
            .saturating_sub(report.waited)
            .as_secs_f64();
        task.transcript.close()?;
        let recording = ended(&draft).await?;
        let is_denied = matches!(report.end, End::Denied(_));
        let episode = self.episode(&draft, report, recording.as_ref(), seconds)?;
        Ok(Made {
            draft,
            episode,
            is_denied,
        })
    }

    fn episode(
        &self,
        draft: &Draft,
        report: Report,
        recording: Option<&Recording>,
        seconds: f64,
    ) -> Result<Episode, Failure> {
        let answer = draft.answer()?;
        let startup_error = recording.and_then(|recording| recording.startup_error.clone());
        let loss = recording.and_then(|recording| recording.lost_upstream.as_ref());
        let why_lost = loss.filter(|_| answer.is_none()).map(|loss| {
            format!(
                "the connection to the server under test was lost: {}",
                loss.reason
            )
        });
        let outcome = match (&answer, &report.end) {
            // Whether an answer is empty is for the judge to say.
            (Some(_), _) => Outcome::Answered,
            (None, End::Startup(_)) => Outcome::StartupError,
            (None, _) if startup_error.is_some() => Outcome::StartupError,
            (None, End::Finished) => Outcome::NoAnswer,
            (None, End::OutOfTime) => Outcome::Timeout,
            (None, End::Budget(_)) => Outcome::Budget,
            (None, End::ApiFailed(_) | End::Denied(_) | End::Failed(_)) => Outcome::AgentError,
        };
        let flags = Flags {
            lost_upstream: loss.is_some(),
            timed_out: answer.is_some() && report.end == End::OutOfTime,
            strict: self.strict_upstream_errors,
            model_api_failed: matches!(report.end, End::ApiFailed(_) | End::Denied(_)),
        };
        Ok(Episode {
            outcome,
            flags,
            seconds,
            waiting_seconds: Some(report.waited.as_secs_f64()),
            usage: report.usage,
            answer,
            calls: draft.calls()?,
            model: report.model,
            reason: report.end.reason().or(startup_error).or(why_lost),
            lost_before: 0,
        })
    }
}

/// What a server that cannot be reached means before the first attempt: there is nothing to measure.
pub(super) fn no_tools(error: ToolsError) -> Failure {
    match End::without_tools(error) {
        Ok(end) => Failure::Proxy(ProxyError::Startup {
            reason: end.reason().unwrap_or_default(),
        }),
        Err(failure) => failure,
    }
}

/// The recording once its proxy has ended, or has had the time to: that of an agent that was stopped ends on its own.
async fn ended(draft: &Draft) -> Result<Option<Recording>, Failure> {
    let until = Instant::now() + LAST_WORDS;
    loop {
        let recording = draft.recording()?;
        let is_open = recording
            .as_ref()
            .is_some_and(|recording| recording.ended.is_none());
        if !is_open || Instant::now() >= until {
            return Ok(recording);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
