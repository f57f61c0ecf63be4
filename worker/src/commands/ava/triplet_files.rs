//! Files of triplets, in and out, for the commands that take them.

use std::path::Path;

use ava::{Problem, Reading};

use crate::{Failure, store};

/// What a file of triplets holds, records that are none among it.
pub(super) fn read(file: &Path) -> Result<Reading, Failure> {
    ava::read_triplets(&store::read(file)?).map_err(|problem| input(file, problem))
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
    let mut reading = ava::read_triplets(bytes).map_err(|problem| input(file, problem))?;
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

/// A file of JSON that is not `what` it should be.
pub(super) fn no(what: &str, file: &Path, error: &serde_json::Error, remedy: &str) -> Failure {
    Failure::Input {
        file: file.to_owned(),
        line: u32::try_from(error.line().max(1)).unwrap_or(u32::MAX),
        column: u32::try_from(error.column().max(1)).unwrap_or(u32::MAX),
        message: format!("no {what}: {}", words(error)),
        remedy: Some(remedy.to_owned()),
    }
}

/// Puts files into a folder, all of them or none; what else lies there stays.
pub(super) fn write(folder: &Path, files: &[(&str, Vec<u8>)]) -> Result<(), Failure> {
    let place = store::resolved(folder)?;
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

/// An error's words without its place, which stands before them.
pub(super) fn words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
