//! The recording of an attempt, written as it happens.
//!
//! ```text
//! calls.jsonl      a line for each call, in the order in which the calls ended
//! calls.json       the same as one array, in the order in which they began; written at the end
//! replies.jsonl    what came back, whole and as it came: { sequence, result } or { sequence, error }
//! recording.json   server, connection, counts
//! answer.csv       the last submission that is a table, byte for byte; the last one where none is; absent where nothing was
//! upstream.log     what a server that runs as a command said on its standard error
//! ```

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sweep::{AnsweredBy, Call, Difference, Loss, Recording, ToolNames};

use super::frame::json_text;
use super::tap::described;
use crate::attempts;
use crate::store::{self, Log, StoreError};

const CALL_LINES: &str = "calls.jsonl";
const CALLS: &str = "calls.json";
const REPLIES: &str = "replies.jsonl";
/// What the proxy knows beside the calls.
pub const RECORDING: &str = "recording.json";
pub(crate) const UPSTREAM_LOG: &str = "upstream.log";

/// A call that has begun.
#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) sequence: u32,
    pub(crate) tool: String,
    /// JSON, as the agent gave it.
    pub(crate) arguments: Option<String>,
    pub(crate) started: Instant,
    pub(crate) start_ms: u64,
}

/// How a call ended.
#[derive(Debug)]
pub(crate) struct Ended<'a> {
    pub(crate) answered_by: AnsweredBy,
    pub(crate) reply: Reply<'a>,
    pub(crate) session_reset: bool,
}

impl<'a> Ended<'a> {
    pub(crate) fn by(answered_by: AnsweredBy, reply: Reply<'a>) -> Self {
        Self {
            answered_by,
            reply,
            session_reset: false,
        }
    }
}

/// What the agent was told, as JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reply<'a> {
    /// The result of a call.
    Result(&'a str),
    /// An error of JSON-RPC.
    Error(&'a str),
    /// Nothing.
    None,
}

/// The recording of one attempt, which the sessions of an agent that opens several share.
#[derive(Clone, Debug)]
pub(crate) struct SharedRecorder(Arc<Mutex<Recorder>>);

impl SharedRecorder {
    pub(crate) fn new(recorder: Recorder) -> Self {
        Self(Arc::new(Mutex::new(recorder)))
    }

    /// Never held across an `await`, so that nobody waits for it long.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Recorder> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes the recording of one attempt.
#[derive(Debug)]
pub(crate) struct Recorder {
    folder: PathBuf,
    calls: Log,
    replies: Log,
    started: Instant,
    /// How old the recording was by then.
    age: Duration,
    begun: u32,
    recording: Recording,
    /// What the server calls its tools.
    names: ToolNames,
    /// The first thing that could not be written. The agent goes on; the attempt is worth nothing, and its end says so.
    failed: Option<StoreError>,
}

impl Recorder {
    /// Opens the recording in a folder. One of the same condition that is there is carried on: agents start their tools
    /// again. One of another condition is left as it is.
    pub(crate) fn open(
        folder: &Path,
        mut recording: Recording,
        names: ToolNames,
    ) -> Result<Self, OpenError> {
        store::make_folder(folder)?;
        let before = store::read_if_there(&folder.join(RECORDING))?;
        let before = before.and_then(|bytes| serde_json::from_slice::<Recording>(&bytes).ok());
        let mut age = Duration::ZERO;
        if let Some(before) = before {
            let differences = differences(&before, &recording);
            if !differences.is_empty() {
                return Err(OpenError::OtherCondition(differences));
            }
            age = since(&before.started);
            recording = carried_on(before, recording);
        }
        let calls = folder.join(CALL_LINES);
        let there = store::read_if_there(&calls)?.unwrap_or_default();
        let begun = there.split(|byte| *byte == b'\n').count() - 1;
        let recorder = Self {
            calls: Log::open(&calls)?,
            replies: Log::open(&folder.join(REPLIES))?,
            folder: folder.to_owned(),
            started: Instant::now(),
            age,
            begun: u32::try_from(begun).unwrap_or(u32::MAX),
            recording,
            names,
            failed: None,
        };
        recorder.save()?;
        Ok(recorder)
    }

    pub(crate) fn recording(&mut self) -> &mut Recording {
        &mut self.recording
    }

    pub(crate) fn begin(&mut self, tool: &str, arguments: Option<&str>) -> Begun {
        self.begun = self.begun.saturating_add(1);
        Begun {
            sequence: self.begun,
            tool: tool.to_owned(),
            arguments: arguments.map(str::to_owned),
            started: Instant::now(),
            start_ms: self.elapsed_ms(),
        }
    }

    /// Records a call that ended; whether the server failed softly.
    pub(crate) fn end(&mut self, begun: Begun, ended: &Ended<'_>) -> bool {
        let call = described(begun, ended, &self.names);
        self.count(&call);
        let (member, text) = match ended.reply {
            Reply::Result(text) => ("result", text),
            Reply::Error(text) => ("error", text),
            Reply::None => ("result", "null"),
        };
        let reply = format!(
            r#"{{"sequence":{},"tool":{},"{member}":{text}}}"#,
            call.sequence,
            json_text(&call.tool)
        );
        let written = self.replies.add(reply.into_bytes());
        self.note(written);
        // A call's members have text keys and finite figures, which always serialise.
        let written = self
            .calls
            .add(serde_json::to_vec(&call).unwrap_or_default());
        self.note(written);
        call.soft_error.is_some()
    }

    /// Records that a session could not begin. To an agent that has had its tools before, that is their loss.
    pub(crate) fn fail_to_begin(&mut self, reason: &str) {
        if self.recording.has_begun() {
            self.lose(reason);
        } else {
            self.recording.startup_error = Some(reason.to_owned());
            self.keep();
        }
    }

    pub(crate) fn lose(&mut self, reason: &str) {
        self.recording.lost_upstream = Some(Loss {
            at_ms: self.elapsed_ms(),
            reason: reason.to_owned(),
        });
        self.keep();
    }

    /// Writes `recording.json` again.
    pub(crate) fn keep(&mut self) {
        let written = self.save();
        self.note(written);
    }

    /// Writes what is written at the end; the first thing that could not be written, if there is one.
    pub(crate) fn close(&mut self) -> Result<Recording, StoreError> {
        self.recording.ended = Some(jiff::Timestamp::now().to_string());
        let written = self.save();
        self.note(written);
        let written = gather(&self.folder);
        self.note(written);
        self.failed
            .take()
            .map_or_else(|| Ok(self.recording.clone()), Err)
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from((self.age + self.started.elapsed()).as_millis()).unwrap_or(u64::MAX)
    }

    fn count(&mut self, call: &Call) {
        let recording = &mut self.recording;
        let add = |count: &mut u32, when: bool| *count += u32::from(when);
        add(&mut recording.calls, true);
        add(
            &mut recording.calls_after_loss,
            call.answered_by == AnsweredBy::Lost,
        );
        add(
            &mut recording.upstream_soft_errors,
            call.soft_error.is_some(),
        );
        add(
            &mut recording.timeouts,
            call.answered_by == AnsweredBy::TimedOut,
        );
        add(
            &mut recording.withheld_calls,
            call.answered_by == AnsweredBy::Withheld,
        );
    }

    fn save(&self) -> Result<(), StoreError> {
        store::write_whole(
            &self.folder.join(RECORDING),
            &attempts::json(&self.recording),
        )
    }

    fn note(&mut self, written: Result<(), StoreError>) {
        if let Err(error) = written {
            self.failed.get_or_insert(error);
        }
    }
}

/// Why a recording cannot be opened.
#[derive(Debug)]
pub(crate) enum OpenError {
    /// The folder holds one of another condition; in what it differs.
    OtherCondition(Vec<Difference>),
    Store(StoreError),
}

impl From<StoreError> for OpenError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// In what two recordings were asked for differently.
fn differences(there: &Recording, here: &Recording) -> Vec<Difference> {
    let fields = |recording: &Recording| {
        [
            ("profile", recording.profile.clone()),
            (
                "server.build",
                recording.server.build.clone().unwrap_or_default(),
            ),
            ("tools", recording.tools.clone()),
            ("timeout_s", recording.timeout_s.to_string()),
            (
                "strict_upstream_errors",
                recording.strict_upstream_errors.to_string(),
            ),
        ]
    };
    let pairs = fields(there).into_iter().zip(fields(here));
    pairs
        .filter(|((_, there), (_, here))| there != here)
        .map(|((field, there), (_, here))| Difference {
            field: field.to_owned(),
            there,
            here,
        })
        .collect()
}

/// The recording of a proxy that starts now, with what the one before it counted and knew of the server: this one may end
/// before it has reached any.
fn carried_on(before: Recording, now: Recording) -> Recording {
    Recording {
        started: before.started,
        server: before.server,
        protocol_version: before.protocol_version,
        server_tools: before.server_tools,
        startup_error: before.startup_error,
        lost_upstream: before.lost_upstream,
        session_resets: before.session_resets,
        server_changed: before.server_changed,
        calls: before.calls,
        calls_after_loss: before.calls_after_loss,
        upstream_soft_errors: before.upstream_soft_errors,
        timeouts: before.timeouts,
        withheld_calls: before.withheld_calls,
        submissions: before.submissions,
        ..now
    }
}

fn since(started: &str) -> Duration {
    let started = started.parse::<jiff::Timestamp>().ok();
    let age = started.map(|started| jiff::Timestamp::now().duration_since(started));
    age.and_then(|age| Duration::try_from(age).ok())
        .unwrap_or_default()
}

/// Writes `calls.json` from the lines of `calls.jsonl`; a last line that a killed process left unfinished is left out.
pub fn gather(folder: &Path) -> Result<(), StoreError> {
    let lines = store::read_if_there(&folder.join(CALL_LINES))?.unwrap_or_default();
    let mut calls: Vec<Call> = lines
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect();
    calls.sort_by_key(|call| call.sequence);
    store::write_whole(&folder.join(CALLS), &attempts::json(&calls))
}
