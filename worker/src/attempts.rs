//! The folder of one attempt: written whole when the attempt ends, or not there.
//!
//! ```text
//! metrics.json       outcome, scores, flags, counts: what the attempt came to
//! calls.jsonl        what the agent called, a line each; calls.json is the same as one array
//! replies.jsonl      what came back, whole
//! answer.csv         the bytes as submitted; absent where nothing was
//! recording.json     server and connection, as the recording proxy saw them
//! transcript.jsonl   what was said, the exact prompt first
//! ```

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use sweep::{Call, Contradiction, Flags, Metrics, Outcome, Recording, Usage};

use crate::Failure;
use crate::mcp::proxy::{RECORDING, gather};
use crate::output::one_line;
use crate::store::{self, StoreError};

const METRICS: &str = "metrics.json";
const CALLS: &str = "calls.json";
const ANSWER: &str = crate::mcp::proxy::ANSWER;

/// How much is told of why an attempt was lost, in characters.
const WHY: usize = 600;

/// What happened in an attempt, before anybody judged it.
#[derive(Clone, Debug)]
pub struct Episode {
    /// How it ended. `Answered` here also stands for an answer without rows.
    pub outcome: Outcome,
    /// What else happened.
    pub flags: Flags,
    /// Wall-clock seconds, without the waiting below.
    pub seconds: f64,
    /// Seconds of waiting because a service said when to come back, where that was measured.
    pub waiting_seconds: Option<f64>,
    /// What the model used.
    pub usage: Option<Usage>,
    /// The submitted bytes.
    pub answer: Option<Vec<u8>>,
    /// What the agent called.
    pub calls: Vec<Call>,
    /// The model, as its service named it.
    pub model: Option<String>,
    /// What ended it, where that was a failure or an allowance.
    pub reason: Option<String>,
    /// Attempts in its place that were lost before and made again.
    pub lost_before: u32,
}

impl Episode {
    /// Whether it was lost to the infrastructure, and says nothing about its agent.
    pub fn is_lost(&self) -> bool {
        sweep::infrastructure(self.outcome, self.flags, &self.calls)
    }

    /// Why it was lost, on one line, for one that was.
    pub fn why_lost(&self) -> String {
        let failed_softly = self.calls.last().and_then(|call| call.soft_error.as_ref());
        let why = match (&self.reason, failed_softly) {
            (Some(reason), _) => reason.clone(),
            (None, Some(error)) => format!(
                "{} after a call of {} that failed softly: {}",
                self.outcome,
                self.calls.last().map_or("", |call| call.tool.as_str()),
                error.message
            ),
            (None, None) => format!(
                "{} after the connection to the server under test was lost",
                self.outcome
            ),
        };
        one_line(&why, WHY)
    }
}

/// An attempt that is under way, in a folder aside. Where it is dropped, nothing of it is left.
#[derive(Debug)]
pub struct Draft {
    aside: store::Scratch,
    folder: PathBuf,
    work: PathBuf,
}

impl Draft {
    /// Begins an attempt under `scratch`, the place of unfinished ones.
    pub fn begin(scratch: &Path) -> Result<Self, Failure> {
        let aside = store::scratch_folder(scratch)?;
        let (folder, work) = (aside.path().join("attempt"), aside.path().join("work"));
        store::make_folder(&folder)?;
        store::make_folder(&work)?;
        Ok(Self {
            aside,
            folder,
            work,
        })
    }

    /// What will be the attempt's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A folder for the agent's own files, which goes with the draft.
    pub fn work(&self) -> &Path {
        &self.work
    }

    /// What the recording proxy knows; `None` where there was none, or none that got so far as to say so.
    pub fn recording(&self) -> Result<Option<Recording>, Failure> {
        read_recording(&self.folder)
    }

    /// The calls that were recorded, in the order in which they began. A proxy that was killed has not gathered them.
    pub fn calls(&self) -> Result<Vec<Call>, Failure> {
        gather(&self.folder)?;
        let file = self.folder.join(CALLS);
        parse(&file, &store::read(&file)?)
    }

    /// The bytes that were submitted last.
    pub fn answer(&self) -> Result<Option<Vec<u8>>, Failure> {
        Ok(store::read_if_there(&self.folder.join(ANSWER))?)
    }

    /// Takes the place of another attempt, which is kept aside under a name of its own; see [`kept_aside`].
    pub fn replace(self, place: &Path, metrics: &Metrics, why: Aside) -> Result<(), Failure> {
        let before = kept_aside(place, why)?;
        // Where this process ends between the two moves, the place is free, and the attempt is made again.
        store::place_folder(place, &before.next)?;
        self.finish(place, metrics)
    }

    /// Moves the attempt to `place`, with what it came to. Where another process finished the same attempt first, its
    /// work stays and this one is dropped.
    pub fn finish(self, place: &Path, metrics: &Metrics) -> Result<(), Failure> {
        write_metrics(&self.folder, metrics)?;
        store::sync_files(&self.folder)?;
        if !store::place_folder(&self.folder, place)? && !is_finished(place) {
            return Err(in_the_way(place));
        }
        drop(self.aside);
        Ok(())
    }
}

fn in_the_way(place: &Path) -> Failure {
    Failure::usage(
        format!(
            "{} is in the way of an attempt and has no {METRICS}",
            place.display()
        ),
        "move it away and run again: attempts are written whole, so that it is none",
    )
}

/// Why an attempt was made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aside {
    /// It was lost to the infrastructure.
    Lost,
    /// The answer that it was made of has been replaced by another one.
    Replaced,
}

/// What is kept beside the place of an attempt for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// How many attempts were there before and made again.
    pub count: u32,
    /// Where the next one is kept.
    pub next: PathBuf,
}

/// What is kept of attempts that lay in the place `<record>/<n>` before and were made again: they lie in `<record>/<n>.lost-1`,
/// `<n>.replaced-1` and so on, whole. Nothing is moved here.
pub fn kept_aside(place: &Path, why: Aside) -> Result<Before, Failure> {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let why = match why {
        Aside::Lost => "lost",
        Aside::Replaced => "replaced",
    };
    let mut count = 0;
    loop {
        let next = place.with_file_name(format!("{name}.{why}-{}", count + 1));
        if !next.try_exists().map_err(|source| StoreError {
            action: "look for",
            path: next.clone(),
            source,
        })? {
            return Ok(Before { count, next });
        }
        count += 1;
    }
}

/// Whether an attempt lies in a place; an empty folder is as good as none, and one that holds anything else is refused.
pub fn lies_in(place: &Path) -> Result<bool, Failure> {
    if is_finished(place) {
        return Ok(true);
    }
    if place.is_dir() && !store::list(place)?.is_empty() {
        return Err(in_the_way(place));
    }
    Ok(false)
}

/// Whether a place holds what an attempt came to.
pub fn is_finished(place: &Path) -> bool {
    place.join(METRICS).is_file()
}

/// Writes what an attempt came to, again.
pub fn write_metrics(folder: &Path, metrics: &Metrics) -> Result<(), StoreError> {
    store::write_whole(&folder.join(METRICS), &json(metrics))
}

/// What the recording proxy knew of an attempt; `None` where there was none.
pub fn read_recording(folder: &Path) -> Result<Option<Recording>, Failure> {
    let file = folder.join(RECORDING);
    let recording = store::read_if_there(&file)?;
    recording.map(|bytes| parse(&file, &bytes)).transpose()
}

/// What a finished attempt came to, as it was judged last; `None` where there is none.
pub fn read_metrics(folder: &Path) -> Result<Option<Metrics>, Failure> {
    let file = folder.join(METRICS);
    let Some(bytes) = store::read_if_there(&file)? else {
        return Ok(None);
    };
    let metrics: Metrics = parse(&file, &bytes)?;
    let Some(Contradiction { field, message }) = metrics.contradiction() else {
        return Ok(Some(metrics));
    };
    let text = String::from_utf8_lossy(&bytes);
    let at = text.find(&format!("\"{field}\"")).unwrap_or(0);
    let message = format!("`{field}`: {message}");
    Err(Failure::in_text(&file, &text, at, message, JUDGE_AGAIN))
}

/// Reads a finished attempt; `None` where there is none. The transcript is left where it is.
pub fn read(folder: &Path) -> Result<Option<(Episode, Metrics)>, Failure> {
    let Some(metrics) = read_metrics(folder)? else {
        return Ok(None);
    };
    let calls = folder.join(CALLS);
    let episode = Episode {
        outcome: metrics.outcome,
        flags: metrics.flags,
        seconds: metrics.seconds,
        waiting_seconds: metrics.waiting_seconds,
        usage: metrics.usage,
        answer: store::read_if_there(&folder.join(ANSWER))?,
        calls: parse(&calls, &store::read(&calls)?)?,
        model: metrics.model.clone(),
        reason: metrics.reason.clone(),
        lost_before: kept_aside(folder, Aside::Lost)?.count,
    };
    Ok(Some((episode, metrics)))
}

const JUDGE_AGAIN: &str =
    "read it with the build that wrote it, or move the folder away to run its attempts again";

/// Reads a JSON file of ours, with the place of what is wrong with it.
pub fn parse<T: DeserializeOwned>(file: &Path, bytes: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(bytes).map_err(|error| Failure::Input {
        file: PathBuf::from(file),
        line: u32::try_from(error.line()).unwrap_or(u32::MAX),
        column: u32::try_from(error.column()).unwrap_or(u32::MAX),
        message: error.to_string(),
        remedy: Some(JUDGE_AGAIN.to_owned()),
    })
}

/// A value as an indented JSON file.
///
/// Our own types have text keys and finite figures only, which always serialise.
pub fn json<T: serde::Serialize>(value: &T) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}
