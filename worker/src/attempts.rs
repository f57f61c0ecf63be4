//! The folder of one attempt: written whole when the attempt ends, or not there.
//!
//! ```text
//! metrics.json       outcome, scores, flags, counts: what the attempt came to
//! calls.jsonl        what the agent called, a line each; calls.json is the same as one array
//! answer.csv         the bytes as submitted; absent where nothing was
//! transcript.jsonl   what was said
//! ```

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::Value;
use sweep::{Call, Flags, Metrics, Outcome, Usage};

use crate::Failure;
use crate::store::{self, StoreError};

const METRICS: &str = "metrics.json";
const CALLS: &str = "calls.json";
const CALL_LINES: &str = "calls.jsonl";
const ANSWER: &str = "answer.csv";
const TRANSCRIPT: &str = "transcript.jsonl";

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
    /// What was said.
    pub transcript: Vec<Value>,
}

/// Writes an attempt under `scratch` and moves it to `place`. Where another process finished the same attempt first, its
/// work stays and this one is dropped.
pub fn write(
    place: &Path,
    scratch: &Path,
    episode: &Episode,
    metrics: &Metrics,
) -> Result<(), Failure> {
    let aside = store::scratch_folder(scratch)?;
    let file = |name: &str| aside.path().join(name);
    store::write_whole(&file(CALL_LINES), &lines(&episode.calls))?;
    store::write_whole(&file(CALLS), &json(&episode.calls))?;
    store::write_whole(&file(TRANSCRIPT), &lines(&episode.transcript))?;
    if let Some(answer) = &episode.answer {
        store::write_whole(&file(ANSWER), answer)?;
    }
    write_metrics(aside.path(), metrics)?;
    if !store::place_folder(aside.path(), place)? && !is_finished(place) {
        return Err(in_the_way(place));
    }
    Ok(())
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

/// What a finished attempt came to, as it was judged last; `None` where there is none.
pub fn read_metrics(folder: &Path) -> Result<Option<Metrics>, Failure> {
    let file = folder.join(METRICS);
    let metrics = store::read_if_there(&file)?;
    metrics.map(|bytes| parse(&file, &bytes)).transpose()
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
        transcript: Vec::new(),
    };
    Ok(Some((episode, metrics)))
}

/// Reads a JSON file of ours, with the place of what is wrong with it.
pub fn parse<T: DeserializeOwned>(file: &Path, bytes: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(bytes).map_err(|error| Failure::Input {
        file: PathBuf::from(file),
        line: u32::try_from(error.line()).unwrap_or(u32::MAX),
        column: u32::try_from(error.column()).unwrap_or(u32::MAX),
        message: error.to_string(),
        remedy: Some("read it with the build that wrote it, or move the folder away to run its attempts again".to_owned()),
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

fn lines<T: serde::Serialize>(values: &[T]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in values {
        bytes.extend(serde_json::to_vec(value).unwrap_or_default());
        bytes.push(b'\n');
    }
    bytes
}
