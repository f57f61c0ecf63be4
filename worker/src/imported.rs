//! The folder of an imported sweep.
//!
//! ```text
//! <out>/imported.json                 the condition, as far as it is known
//! <out>/<record>/<n>/attempt.json     what is known of the attempt
//! <out>/<record>/<n>/calls.json       its calls, where there are some
//! <out>/<record>/<n>/answer.csv       the bytes as submitted, where there are some
//! <out>/<record>/<n>/source/          the files as they were
//! ```

use std::path::{Path, PathBuf};

use sweep::{ImportedAttempt, ImportedCall, ImportedSweep, Run, Version};

use crate::attempts::{json, parse};
use crate::{Failure, keys, store};

const SWEEP: &str = "imported.json";
const ATTEMPT: &str = "attempt.json";

/// An attempt with the bytes that go beside it.
#[derive(Debug)]
pub struct Import {
    /// What is known of it.
    pub attempt: ImportedAttempt,
    /// Its calls.
    pub calls: Option<Vec<ImportedCall>>,
    /// The submitted bytes.
    pub answer: Option<Vec<u8>>,
    /// Names and bytes of its files as they were.
    pub source: Vec<(String, Vec<u8>)>,
}

/// Writes an imported sweep into a folder that is not there yet, whole or not at all.
pub fn write(out: &Path, facts: sweep::RunFacts, imports: &[Import]) -> Result<(), Failure> {
    if !store::list_if_there(out)?.is_empty() {
        return Err(Failure::usage(
            format!("{} is not empty", out.display()),
            "give --out a folder that is not there yet: an import is written once",
        ));
    }
    let aside = store::scratch_folder(store::above(out))?;
    for import in imports {
        let attempt = &import.attempt;
        let place = aside
            .path()
            .join(&attempt.record)
            .join(attempt.attempt.to_string());
        store::write_whole(&place.join(ATTEMPT), &json(attempt))?;
        if let Some(calls) = &import.calls {
            store::write_whole(&place.join("calls.json"), &json(calls))?;
        }
        if let Some(answer) = &import.answer {
            store::write_whole(&place.join("answer.csv"), answer)?;
        }
        for (name, bytes) in &import.source {
            store::write_whole(&place.join("source").join(name), bytes)?;
        }
    }
    let sweep = ImportedSweep {
        format: Version,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        created: keys::now(),
        facts,
    };
    store::write_whole(&aside.path().join(SWEEP), &json(&sweep))?;
    // An empty folder of that name gives way; one that was filled in the meantime does not.
    if store::place_folder(aside.path(), out)? {
        Ok(())
    } else {
        Err(Failure::usage(
            format!("{} was filled by somebody else", out.display()),
            "give --out a folder that is not there yet",
        ))
    }
}

/// Whether a folder is an imported sweep, or holds some.
pub fn is_imported(folder: &Path) -> bool {
    roots(folder).is_ok_and(|roots| !roots.is_empty())
}

/// The imported sweeps in a folder: itself, or those right in it.
pub fn roots(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if folder.join(SWEEP).is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let mut inside = store::list_if_there(folder)?;
    inside.retain(|path| path.join(SWEEP).is_file());
    Ok(inside)
}

/// Reads an imported sweep for a comparison.
pub fn read(root: &Path) -> Result<Run, Failure> {
    let file = root.join(SWEEP);
    let sweep: ImportedSweep = parse(&file, &store::read(&file)?)?;
    let mut observations = Vec::new();
    for record in store::list(root)? {
        if !record.is_dir() {
            continue;
        }
        for place in store::list(&record)? {
            let file = place.join(ATTEMPT);
            if let Some(bytes) = store::read_if_there(&file)? {
                let attempt: ImportedAttempt = parse(&file, &bytes)?;
                observations.push(attempt.observation());
            }
        }
    }
    Ok(Run {
        folder: root.display().to_string(),
        facts: sweep.facts,
        observations,
    })
}
