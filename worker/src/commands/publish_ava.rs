//! What `publish` puts into a site of AVA: results of models for the leaderboard, triplets to browse, and triplets with the
//! cosines of a model.
//!
//! Files are read and checked here, so that a reader never meets one that the page cannot show, and then copied as they are.

use std::path::{Path, PathBuf};

use ava::{Detailed, Problem, ResultFile, TripletsFile};
use serde_json::Value;
use sweep::{AvaBoard, AvaEntry, AvaFile, AvaModelResult, Version};

use super::ava::triplet_files::{input, read_sound};
use crate::cli::PublishArgs;
use crate::encoder::sha256;
use crate::{Failure, attempts, store};

/// Folder of all of it, in the folder of the results.
const FOLDER: &str = "ava";
const BOARD: &str = "board.json";

/// Files of a site, checked and not yet copied.
pub(super) struct Ava {
    /// Where they are going to be.
    pub(super) entry: AvaEntry,
    board: AvaBoard,
    /// Where each is, and its path in the site.
    files: Vec<(PathBuf, String)>,
}

impl Ava {
    /// Reads what was given; `results` is the folder of the results, relative to the page.
    pub(super) fn read(args: &PublishArgs, results: &str) -> Result<Self, Failure> {
        let mut ava = Self {
            entry: AvaEntry {
                board: format!("{results}/{FOLDER}/{BOARD}"),
                sets: Vec::new(),
                judged: Vec::new(),
            },
            board: AvaBoard {
                format: Version,
                results: Vec::new(),
            },
            files: Vec::new(),
        };
        for file in &args.ava_triplets {
            let triplets = read_sound(file, None)?.triplets.len();
            let named = ava.place(results, file, name_of_set(file), triplets);
            unique(
                &ava.entry.sets,
                &named,
                "give files of different folders or names",
            )?;
            ava.entry.sets.push(named);
        }
        let own = args.ava.iter().map(|file| (file, false));
        let recomputed = args.ava_recomputed.iter().map(|file| (file, true));
        for (file, recomputed) in own.chain(recomputed) {
            let bytes = store::read(file)?;
            let result = ResultFile::read(&bytes).map_err(|problem| input(file, problem))?;
            if let Some(run) = &result.run
                && let Some(judged) = &run.triplets
            {
                let place = store::above(file).join(&judged.file);
                let triplets = judged_triplets(file, &place, judged)?;
                let named = ava.place(results, &place, run.model.clone(), triplets);
                unique(
                    &ava.entry.judged,
                    &named,
                    "evaluate one of them again with another --name",
                )?;
                ava.entry.judged.push(named);
            }
            let text = String::from_utf8_lossy(&bytes);
            ava.board.results.push(AvaModelResult {
                name: stem(file),
                recomputed,
                // Read as a result just now, so it is JSON.
                result: serde_json::from_str(text.trim_start_matches('\u{FEFF}'))
                    .unwrap_or(Value::Null),
            });
        }
        Ok(ava)
    }

    /// Notes a file to be copied, under a number: its name may hold what an address cannot.
    fn place(&mut self, results: &str, file: &Path, name: String, triplets: usize) -> AvaFile {
        let path = format!("{results}/{FOLDER}/{}.json", self.files.len());
        self.files.push((file.to_owned(), path.clone()));
        AvaFile {
            name,
            path,
            triplets,
        }
    }

    /// How many results of models there are.
    pub(super) fn results(&self) -> usize {
        self.board.results.len()
    }

    /// Writes all of it below the folder of the site.
    pub(super) fn write(&self, site: &Path) -> Result<(), Failure> {
        store::write_whole(&site.join(&self.entry.board), &attempts::json(&self.board))?;
        for (file, path) in &self.files {
            store::write_whole(&site.join(path), &store::read(file)?)?;
        }
        Ok(())
    }
}

/// `kept.json` says little without the folder that it lies in.
fn name_of_set(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    match store::above(file).file_name() {
        Some(folder) => format!("{}/{name}", folder.to_string_lossy()),
        None => name.into_owned(),
    }
}

fn stem(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn unique(files: &[AvaFile], new: &AvaFile, remedy: &str) -> Result<(), Failure> {
    if files.iter().any(|file| file.name == new.name) {
        return Err(Failure::usage(
            format!("there are two files of triplets for {}", new.name),
            remedy,
        ));
    }
    Ok(())
}

/// How many triplets a file has that a result names; all of them with cosines, and the file the one that was written then.
fn judged_triplets(result: &Path, file: &Path, named: &TripletsFile) -> Result<usize, Failure> {
    let again = |what: &str| {
        Failure::usage(
            format!(
                "{} names {}, which {what}",
                result.display(),
                file.display()
            ),
            "run `ava evaluate` with --details again, and keep the two files together",
        )
    };
    let Some(bytes) = store::read_if_there(file)? else {
        return Err(again("is not there"));
    };
    if sha256(&bytes) != named.sha256 {
        return Err(again("is not the one that was written with it"));
    }
    let reading = read_sound(file, None)?;
    let triplets = reading.triplets.len();
    for (line, triplet) in reading.triplets {
        Detailed::of(triplet).map_err(|message| {
            let remedy = Some("run `ava evaluate` with --details again".to_owned());
            let problem = Problem {
                line,
                column: 1,
                message,
                remedy,
            };
            input(file, problem)
        })?;
    }
    Ok(triplets)
}
