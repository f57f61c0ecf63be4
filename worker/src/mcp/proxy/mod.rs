//! `mcp proxy`: an MCP server in front of the server under test, which records every call.
//!
//! The agent sees the server's tools, resources and prompts as they are, and one tool more, `submit_csv`, which takes its
//! answer and needs no server. Messages are forwarded as the text that they are ([`frame`]); what the proxy adds, it adds
//! to that text. The connection to the server lives in a task of its own ([`upstream`]), so that the proxy outlives it.
//!
//! ```text
//! agent ── wire | web ──▶ session ──▶ upstream ── command | http ──▶ server under test
//!                            │
//!                            ├── submit     answer.csv
//!                            └── record     calls.jsonl, replies.jsonl, recording.json
//! ```
//!
//! The models of `rmcp` describe what the proxy says itself; forwarded through them, a message would lose the members that
//! they do not know and the form of its numbers.

mod frame;
mod opening;
mod outbox;
mod pending;
mod record;
mod relabel;
mod session;
mod socket;
mod submit;
mod tap;
mod tools;
mod upstream;
mod web;
mod wire;

pub use record::{RECORDING, gather};
pub use socket::{attach, serve_socket};
pub use submit::{ANSWER, NAME as SUBMIT};
pub use tools::{ToolSet, ToolSetError};
pub use web::serve_http;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sweep::{Difference, Recording, ServerBuild};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite, BufReader};
use tokio::sync::{mpsc, watch};

use crate::profile::Profile;
use crate::store::StoreError;
use outbox::{Outbox, Outgoing};
use record::{OpenError, Recorder, SharedRecorder};
use session::{FromAgent, Session, StartupError};

/// Messages of the agent that may wait.
const QUEUE: usize = 64;

/// How much is read from the agent at once.
const READ: usize = 64 << 10;

/// How long the last messages may take to be written once a session is over.
const LAST_WRITES: Duration = Duration::from_secs(2);

/// What a proxy is asked to do.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The server under test.
    pub profile: Profile,
    /// Which of its tools the agent is given.
    pub tools: ToolSet,
    /// How long one call may take.
    pub timeout: Duration,
    /// Whether soft errors are shown to the agent as errors.
    pub strict_upstream_errors: bool,
    /// The folder of the recording.
    pub out: PathBuf,
    /// The folder in which the agent can write files, where it can: `submit_csv` takes them from there.
    pub work: Option<PathBuf>,
}

/// Why a proxy was of no use.
#[derive(Debug, Error)]
pub enum ProxyError {
    /// The agent never had its tools.
    #[error("the agent never had its tools: {reason}")]
    Startup {
        /// What was seen.
        reason: String,
    },
    /// The folder holds a recording of another condition, which is left as it is.
    #[error("{} holds a recording of another condition, and nothing was started; {}", folder.display(), listed(differences))]
    OtherCondition {
        /// The folder.
        folder: PathBuf,
        /// In what the two differ.
        differences: Vec<Difference>,
    },
    /// Something of the recording could not be written.
    #[error("the recording is not whole")]
    Recording(#[source] StoreError),
}

impl ProxyError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Startup { .. } => {
                Some("check the profile's [upstream]; `recording.json` keeps the reason".to_owned())
            }
            Self::OtherCondition { .. } => {
                Some("give another --out: a folder is one attempt's".to_owned())
            }
            Self::Recording(error) => error.hint(),
        }
    }
}

fn listed(differences: &[Difference]) -> String {
    let differences: Vec<String> = differences.iter().map(ToString::to_string).collect();
    differences.join("; ")
}

/// Tells a running proxy to end: what is under way is recorded as it stands.
#[derive(Debug)]
pub struct StopHandle(watch::Sender<bool>);

/// Hears of it.
#[derive(Clone, Debug)]
pub struct StopSignal(watch::Receiver<bool>);

impl StopHandle {
    /// A handle, and what it is heard by.
    pub fn new() -> (Self, StopSignal) {
        let (sender, receiver) = watch::channel(false);
        (Self(sender), StopSignal(receiver))
    }

    /// Says that it is time to end.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// Proxies that are under way in this process.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

/// One of them, for as long as it lives.
struct UnderWay;

impl UnderWay {
    fn begin() -> Self {
        UNDER_WAY.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        UNDER_WAY.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Waits until every proxy of this process has ended, and the servers behind them, but no longer than this: one that was
/// told to stop ends in a task of its own, which the process should not cut short.
pub async fn all_ended(within: Duration) {
    let ended = async {
        while UNDER_WAY.load(Ordering::SeqCst) > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let _ = tokio::time::timeout(within, ended).await;
}

/// Serves one agent over a pair of streams, a message a line, until it ends or `stop` says so (as dropping its handle
/// does).
pub async fn serve<R, W>(
    reader: R,
    writer: W,
    setup: Setup,
    stop: StopSignal,
) -> Result<Recording, ProxyError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let _under_way = UnderWay::begin();
    let recorder = open_recorder(&setup)?;
    let (outbox, outgoing) = Outbox::new();
    let (messages, agent) = mpsc::channel(QUEUE);
    let reading = tokio::spawn(read_all(reader, messages));
    let writing = tokio::spawn(write_all(writer, outgoing));
    let session = Session::new(Arc::new(setup), recorder.clone(), outbox);
    let ran = session.run(agent, stop.0).await;
    reading.abort();
    let _ = tokio::time::timeout(LAST_WRITES, writing).await;
    let recording = recorder.lock().close().map_err(ProxyError::Recording)?;
    match ran {
        Ok(()) => Ok(recording),
        Err(StartupError(reason)) => Err(ProxyError::Startup { reason }),
    }
}

fn open_recorder(setup: &Setup) -> Result<SharedRecorder, ProxyError> {
    let recording = Recording {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        profile: setup.profile.name.clone(),
        upstream: setup.profile.upstream.describe(),
        started: jiff::Timestamp::now().to_string(),
        server: ServerBuild {
            build: setup.profile.build.clone(),
            ..ServerBuild::default()
        },
        tools: setup.tools.to_string(),
        timeout_s: setup.timeout.as_secs_f64(),
        strict_upstream_errors: setup.strict_upstream_errors,
        ..Recording::default()
    };
    match Recorder::open(&setup.out, recording, setup.profile.tools.clone()) {
        Ok(recorder) => Ok(SharedRecorder::new(recorder)),
        Err(OpenError::Store(error)) => Err(ProxyError::Recording(error)),
        Err(OpenError::OtherCondition(differences)) => Err(ProxyError::OtherCondition {
            folder: setup.out.clone(),
            differences,
        }),
    }
}

async fn read_all<R: AsyncRead + Unpin>(reader: R, messages: mpsc::Sender<FromAgent>) {
    let mut reader = BufReader::with_capacity(READ, reader);
    while let Ok(Some(read)) = wire::read(&mut reader).await {
        let read = match read {
            Ok(frames) => frames.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error.to_string())],
        };
        for message in read {
            if messages.send(message).await.is_err() {
                return;
            }
        }
    }
}

async fn write_all<W: AsyncWrite + Unpin>(mut writer: W, mut outgoing: Outgoing) {
    while let Some(frame) = outgoing.next().await {
        if wire::write(&mut writer, frame).await.is_err() {
            return;
        }
    }
}
