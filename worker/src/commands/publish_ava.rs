//! What `publish` puts into a site of AVA: results of models, on triplets and downstream, triplets to browse, and triplets
//! with the cosines of a model.
//!
//! Each file is read once and checked here, so that a reader never meets one that the page cannot show; what was checked is
//! what is written, byte for byte.

use std::path::{Component, Path};

use ava::{
    Detailed, DownstreamRow, ModelResult, NotPublished, Problem, Published, Standing, TableRow,
    TripletsFile,
};
use serde_json::Value;
use sweep::{AvaBoard, AvaEntry, AvaFile, AvaModelResult, Version, path_ends};

use super::ava::table::{figures, not_recomputed};
use super::ava::triplet_files::{input, sound};
use crate::cli::PublishArgs;
use crate::encoder::sha256;
use crate::{Failure, attempts, store};

/// Folder of all of it, in the folder of the results.
const FOLDER: &str = "ava";
const BOARD: &str = "board.json";

/// Files of a site, checked and not yet written.
pub(super) struct Ava {
    /// Where they are going to be.
    pub(super) entry: AvaEntry,
    board: AvaBoard,
    /// The bytes of each, and its path in the site.
    files: Vec<(Vec<u8>, String)>,
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
        let paths: Vec<String> = args.ava_triplets.iter().map(|file| parts(file)).collect();
        // `kept.json` says little without the folder that it lies in.
        for (file, name) in args.ava_triplets.iter().zip(path_ends(&paths, 2)) {
            let bytes = store::read(file)?;
            let triplets = sound(file, &bytes, None)?.triplets.len();
            let named = ava.place(results, bytes, name, triplets);
            unique(&ava.entry.sets, &named, "give each file once")?;
            ava.entry.sets.push(named);
        }
        let published = figures()?;
        let own = args.ava.iter().map(|file| (file, false));
        let recomputed = args.ava_recomputed.iter().map(|file| (file, true));
        for (file, recomputed) in own.chain(recomputed) {
            let bytes = store::read(file)?;
            let result = ModelResult::read(&bytes).map_err(|problem| input(file, problem))?;
            if recomputed {
                is_recomputed(&published, &stem(file), &result)
                    .map_err(|why| not_recomputed(file, &why))?;
            }
            if let ModelResult::Triplets(result) = result
                && let Some(run) = &result.run
                && let Some(judged) = &run.triplets
            {
                let place = store::above(file).join(&judged.file);
                let (bytes, triplets) = judged_triplets(file, &place, judged)?;
                let named = ava.place(results, bytes, run.listed(), triplets);
                unique(
                    &ava.entry.judged,
                    &named,
                    "evaluate one of them again with another --name or --tuning",
                )?;
                ava.entry.judged.push(named);
            }
            let text = ava::utf8(&bytes).map_err(|problem| input(file, problem))?;
            ava.board.results.push(AvaModelResult {
                name: stem(file),
                recomputed,
                // Read as a result just now, so it is JSON.
                result: serde_json::from_str(text).unwrap_or(Value::Null),
            });
        }
        Ok(ava)
    }

    /// Notes a file to be written, under a number: its name may hold what an address cannot.
    fn place(&mut self, results: &str, bytes: Vec<u8>, name: String, triplets: usize) -> AvaFile {
        let path = format!("{results}/{FOLDER}/{}.json", self.files.len());
        self.files.push((bytes, path.clone()));
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
        for (bytes, path) in &self.files {
            store::write_whole(&site.join(path), bytes)?;
        }
        Ok(())
    }
}

/// Whether a result is of a model and a set, or a task, of which there is a published figure.
fn is_recomputed(
    published: &Published,
    name: &str,
    result: &ModelResult,
) -> Result<(), NotPublished> {
    let standing = Standing::Recomputed;
    match result {
        ModelResult::Triplets(file) => {
            published.is_recomputed(&TableRow::new(name, standing, file))
        }
        ModelResult::Alignment(found) => {
            let row = DownstreamRow::of_alignment(found.clone(), standing);
            published.is_recomputed_alignment(&row)
        }
        ModelResult::Taxonomy(found) => {
            let row = DownstreamRow::of_taxonomy(found.clone(), standing);
            published.is_recomputed_taxonomy(&row)
        }
    }
}

/// The names in a path, with `/` between them.
fn parts(file: &Path) -> String {
    let parts = file.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
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

/// A file that a result names, and how many triplets it has; all of them with cosines, and the file the one that was written
/// then.
fn judged_triplets(
    result: &Path,
    file: &Path,
    named: &TripletsFile,
) -> Result<(Vec<u8>, usize), Failure> {
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
    let reading = sound(file, &bytes, None)?;
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
    Ok((bytes, triplets))
}
