//! Files of triplets, in and out, for the commands that take them.

use std::path::Path;

use ava::{Expected, Problem, Reading, read_json};
use serde::de::DeserializeOwned;

use crate::{Failure, store};

/// What a file of triplets holds, records that are none among it.
pub(super) fn read(file: &Path) -> Result<Reading, Failure> {
    reading(file, &store::read(file)?)
}

/// A file that holds nothing at all is no set of none, which is `[]`: it is what a step that failed left behind.
fn reading(file: &Path, bytes: &[u8]) -> Result<Reading, Failure> {
    let reading = ava::read_triplets(bytes).map_err(|problem| input(file, problem))?;
    if reading.is_blank() {
        return Err(lacking(
            file,
            "no triplet in this file",
            "give a JSON array of objects, or one object a line; a set of none is written []",
        ));
    }
    Ok(reading)
}

/// A file that lacks what a command needs; that has no line, so it is the first.
pub(in crate::commands) fn lacking(file: &Path, message: &str, remedy: &str) -> Failure {
    let problem = Problem {
        line: 1,
        column: 1,
        message: message.to_owned(),
        remedy: Some(remedy.to_owned()),
    };
    input(file, problem)
}

/// What a file of triplets holds; a record that is none is an error, with how many more there are.
pub(super) fn read_sound(file: &Path, remedy: Option<&str>) -> Result<Reading, Failure> {
    sound(file, &store::read(file)?, remedy)
}

/// The same where the file's bytes are at hand.
pub(in crate::commands) fn sound(
    file: &Path,
    bytes: &[u8],
    remedy: Option<&str>,
) -> Result<Reading, Failure> {
    let mut reading = reading(file, bytes)?;
    if reading.problems.is_empty() {
        return Ok(reading);
    }
    let more = reading.problems.len() - 1;
    let mut problem = reading.problems.swap_remove(0);
    if more > 0 {
        problem.message = format!("{}, and {more} more such records", problem.message);
    }
    if let Some(other) = remedy {
        let first = problem.remedy.as_deref().unwrap_or_default();
        problem.remedy = Some(format!("{first}; {other}"));
    }
    Err(input(file, problem))
}

pub(in crate::commands) fn input(file: &Path, problem: Problem) -> Failure {
    Failure::Input {
        file: file.to_owned(),
        line: problem.line,
        column: problem.column,
        message: problem.message,
        remedy: problem.remedy,
    }
}

/// Reads a file's bytes as `what` they should be, in JSON.
pub(super) fn parse<T: DeserializeOwned>(
    file: &Path,
    bytes: &[u8],
    what: &str,
    remedy: &str,
) -> Result<T, Failure> {
    let expected = Expected {
        what,
        remedy,
        number: "write a finite number there, or null where there is none",
        texts: &[],
    };
    read_json(bytes, &expected).map_err(|problem| input(file, problem))
}

/// Puts files into a folder, all of them or none; what else lies there stays. None of them is one that was read.
pub(super) fn write(
    folder: &Path,
    files: &[(&str, Vec<u8>)],
    read: &[&Path],
) -> Result<(), Failure> {
    let place = store::resolved(folder)?;
    for file in read {
        let own = store::resolved(file)?;
        if files.iter().any(|(name, _)| own == place.join(name)) {
            return Err(Failure::usage(
                format!(
                    "{} would be written over by what was made of it",
                    file.display()
                ),
                "give another folder with --out",
            ));
        }
    }
    if place.exists() && !place.is_dir() {
        return Err(Failure::usage(
            format!("{} is a file", folder.display()),
            "give a folder with --out",
        ));
    }
    let scratch = store::scratch_folder(store::above(&place))?;
    let new = scratch.path().join("new");
    for (name, bytes) in files {
        store::write_whole(&new.join(name), bytes)?;
    }
    Ok(store::replace_folder(scratch, &new, &place, &[])?)
}

/// Records as a file's bytes: one JSON array, a record a line.
pub(super) fn array<T: serde::Serialize>(records: &[T]) -> Result<Vec<u8>, Failure> {
    let text = ava::to_json_array(records);
    text.map(String::into_bytes)
        .map_err(|error| Failure::Output(error.into()))
}
