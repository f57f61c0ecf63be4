//! Answers that were made elsewhere, by whatever or whomever: `--agent file --answers DIR`.
//!
//! ```text
//! DIR/<record>/<n>.csv           the answer of attempt n; calls beside it in <n>.calls.json
//! DIR/<record>/<n>/answer.csv    the same; calls beside it in calls.json, as `mcp proxy --out` leaves them
//! DIR/<record>.csv               the answer of attempt 1; calls beside it in <record>.calls.json
//! ```
//!
//! Calls are evidence: without them nobody can tell whether an empty answer came of a look, so that obedience stays
//! unproven where the key is empty. An attempt for which there is no file is one without an answer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::Args;
use record::Record;
use sweep::Call;

use super::{End, Report, Task};
use crate::attempts::Episode;
use crate::mcp::proxy::ANSWER;
use crate::store::Log;
use crate::{Failure, attempts, store};

/// What names the answers.
#[derive(Args, Clone, Debug, Default)]
pub struct FileArgs {
    /// Folder of answers made elsewhere, for --agent file: RECORD/N.csv, RECORD/N/answer.csv or RECORD.csv
    #[arg(long, value_name = "DIR", help_heading = "Answers made elsewhere")]
    pub answers: Option<PathBuf>,
}

/// The agent's name.
pub const NAME: &str = "file";

const CALLS: &str = "calls.json";
const CALL_LINES: &str = "calls.jsonl";

/// Answers by record and attempt.
#[derive(Clone, Debug)]
pub struct Agent {
    answers: BTreeMap<(String, u32), Place>,
}

/// Where an answer lies, and the calls beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    answer: PathBuf,
    calls: Option<PathBuf>,
}

impl Agent {
    /// Finds the answers to the records. A file that answers none of them is refused, because a name that is spelt wrong
    /// would else be an answer that is missing.
    pub fn decide(args: &FileArgs, records: &[Record]) -> Result<Self, Failure> {
        let folder = args.answers.as_deref().ok_or_else(|| {
            Failure::usage(
                "no folder of answers was given",
                "give it with --answers; `okn-benchmark export-questions` writes what to answer, and how to name the answers",
            )
        })?;
        if !folder.is_dir() {
            return Err(Failure::usage(
                format!("there is no folder {}", folder.display()),
                "give the folder of the answers with --answers",
            ));
        }
        let ids: BTreeSet<&str> = records.iter().map(Record::id).collect();
        let mut answers = BTreeMap::new();
        for path in store::list(folder)? {
            let id = name_of(&path);
            if path.is_dir() {
                if !ids.contains(id.as_str()) {
                    return Err(stranger(&path));
                }
                for inner in store::list(&path)? {
                    add(&mut answers, &id, &inner)?;
                }
            } else if let Some(id) = id.strip_suffix(".csv") {
                if !ids.contains(id) {
                    return Err(stranger(&path));
                }
                put(
                    &mut answers,
                    id,
                    1,
                    place_of(&path, &folder.join(format!("{id}.calls.json"))),
                )?;
            }
        }
        if answers.is_empty() {
            return Err(Failure::usage(
                format!("{} holds no answer", folder.display()),
                "name answers RECORD/N.csv or RECORD.csv; `okn-benchmark export-questions` writes what to answer",
            ));
        }
        let agent = Self { answers };
        for place in agent.answers.values() {
            place.read_calls()?;
        }
        Ok(agent)
    }

    /// Whether there is an answer to an attempt.
    pub fn has(&self, record: &str, attempt: u32) -> bool {
        self.answers.contains_key(&(record.to_owned(), attempt))
    }

    /// Whether the file of an attempt has other bytes than the answer that the attempt was made of, or another number of
    /// calls beside it. One whose file is gone stays as it is: nothing is there to make it of.
    pub fn has_another(&self, record: &str, attempt: u32, made: &Episode) -> Result<bool, Failure> {
        let Some(place) = self.answers.get(&(record.to_owned(), attempt)) else {
            return Ok(false);
        };
        if made.answer != Some(store::read(&place.answer)?) {
            return Ok(true);
        }
        let calls = place.read_calls()?;
        Ok(calls.is_some_and(|calls| calls.len() != made.calls.len()))
    }

    /// The answers to these records that are numbered beyond `repeat`, by record and number.
    pub fn beyond(&self, repeat: u32, records: &[&str]) -> Vec<(&str, u32, &Path)> {
        let beyond = self
            .answers
            .iter()
            .filter(|((record, n), _)| *n > repeat && records.contains(&record.as_str()));
        beyond
            .map(|((record, n), place)| (record.as_str(), *n, place.answer.as_path()))
            .collect()
    }

    /// Hands the answer in as it lies there.
    pub fn attempt(&self, task: &mut Task) -> Result<Report, Failure> {
        let Some(place) = self.answers.get(&(task.record.clone(), task.attempt)) else {
            task.transcript.say(NAME, "there is no answer");
            return Ok(Report::without_model(End::Finished));
        };
        let out = &task.proxy.out;
        store::write_whole(&out.join(ANSWER), &store::read(&place.answer)?)?;
        let calls = place.read_calls()?;
        let mut log = Log::open(&out.join(CALL_LINES))?;
        for call in calls.iter().flatten() {
            // Our own types always serialise.
            log.add(serde_json::to_vec(call).unwrap_or_default())?;
        }
        let evidence = match &calls {
            Some(calls) => format!("{} calls are recorded with it", calls.len()),
            None => "no calls are recorded with it".to_owned(),
        };
        task.transcript
            .say(NAME, &format!("the answer was made elsewhere; {evidence}"));
        Ok(Report::without_model(End::Finished))
    }
}

impl Place {
    /// The calls, by their place in the attempt; nothing where none were recorded.
    fn read_calls(&self) -> Result<Option<Vec<Call>>, Failure> {
        let Some(file) = &self.calls else {
            return Ok(None);
        };
        attempts::parse(file, &store::read(file)?).map(Some)
    }
}

type Answers = BTreeMap<(String, u32), Place>;

/// Takes what lies in a record's folder: `2.csv`, or a folder `2` with an answer in it.
fn add(answers: &mut Answers, id: &str, path: &Path) -> Result<(), Failure> {
    let name = name_of(path);
    if path.is_dir() {
        let answer = path.join(ANSWER);
        // What an agent called before it gave up is no answer.
        if answer.is_file() {
            put(
                answers,
                id,
                number(&name, path)?,
                place_of(&answer, &path.join(CALLS)),
            )?;
        } else {
            number(&name, path)?;
        }
    } else if let Some(name) = name.strip_suffix(".csv") {
        let calls = path.with_file_name(format!("{name}.calls.json"));
        put(answers, id, number(name, path)?, place_of(path, &calls))?;
    }
    Ok(())
}

fn put(answers: &mut Answers, id: &str, n: u32, place: Place) -> Result<(), Failure> {
    let path = place.answer.clone();
    match answers.insert((id.to_owned(), n), place) {
        None => Ok(()),
        Some(other) => Err(Failure::usage(
            format!(
                "{} and {} are both the answer of attempt {n} at {id}",
                other.answer.display(),
                path.display()
            ),
            "take one of them away",
        )),
    }
}

fn place_of(answer: &Path, calls: &Path) -> Place {
    Place {
        answer: answer.to_owned(),
        calls: calls.is_file().then(|| calls.to_owned()),
    }
}

fn number(text: &str, path: &Path) -> Result<u32, Failure> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| is_number).ok_or_else(|| {
        Failure::usage(
            format!("{} is named after no attempt", path.display()),
            "name answers RECORD/N.csv with N from 1",
        )
    })
}

fn stranger(path: &Path) -> Failure {
    Failure::usage(
        format!("{} is named after no record of the corpus", path.display()),
        "name answers RECORD/N.csv or RECORD.csv; `okn-benchmark corpus list` shows the records",
    )
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
