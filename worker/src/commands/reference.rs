//! `reference`: every key's rows, time and content hash.
//!
//! With `--out`, each key leaves `<id>.csv`, `<id>.srj` and `<id>.provenance.json`. Rows of the embedded reconstruction
//! are in `<id>.reconstruction.csv` and `.srj` instead: a table of text cannot say in itself that its data are made up.
//! A key that gave no table leaves `<id>.error.json`, and nothing that an earlier run wrote for it.

use std::path::Path;

use record::Record;
use serde::Serialize;
use sweep::{Provenance, ResultKind};

use super::{plural, source_line};
use crate::cli::ReferenceArgs;
use crate::endpoint::Endpoint;
use crate::error::with_causes;
use crate::keys::{self, KeyError, KeyRun};
use crate::output::{Output, figure, grid};
use crate::settings::{CorpusPlace, EndpointChoice, chosen};
use crate::store::{self, StoreError};
use crate::{Failure, attempts};

/// A key as `reference --json` prints it: rows and hash, or the error that there is instead.
#[derive(Serialize)]
struct Line {
    record: String,
    rows: Option<usize>,
    columns: Vec<String>,
    ms: Option<f64>,
    hash: Option<String>,
    #[serde(flatten)]
    provenance: Provenance,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorNote>,
}

/// Why a key gave no table, with the beginning of the reply where there was one.
#[derive(Clone, Serialize)]
struct ErrorNote {
    message: String,
    status: Option<u16>,
    reply: Option<String>,
}

/// What `<id>.provenance.json` says about the rows beside it.
#[derive(Serialize)]
struct Note<'a> {
    record: &'a str,
    #[serde(flatten)]
    provenance: &'a Provenance,
    date: &'a str,
    rows: usize,
    hash: &'a str,
    ms: f64,
    files: [String; 2],
}

pub(super) async fn run(args: &ReferenceArgs, output: Output) -> Result<(), Failure> {
    let place = CorpusPlace::from(&args.corpus);
    let corpus = place.read()?;
    let records = chosen(&corpus, args.tier.as_deref())?;
    let endpoint = Endpoint::open(&EndpointChoice::new(&args.endpoint, &place)?).await?;
    let mut lines = Vec::new();
    for record in records {
        let result = keys::tried(record, &endpoint).await?;
        if let Some(folder) = &args.out {
            write(folder, record.id(), &result, endpoint.provenance())?;
        }
        lines.push(Line::new(record, result, endpoint.provenance()));
    }
    output.print(&lines, |lines| text(lines, endpoint.provenance()))?;
    match lines.iter().filter(|line| line.error.is_some()).count() {
        0 => Ok(()),
        failed => Err(Failure::Check(format!(
            "{} gave no table",
            plural(failed, "key")
        ))),
    }
}

impl Line {
    fn new(record: &Record, result: Result<KeyRun, KeyError>, provenance: &Provenance) -> Self {
        let (run, error) = match result {
            Ok(run) => (Some(run), None),
            Err(error) => (None, Some(ErrorNote::new(&error))),
        };
        Self {
            record: record.id().to_owned(),
            rows: run.as_ref().map(|run| run.table.len()),
            columns: run
                .as_ref()
                .map_or_else(|| record.columns(), |run| run.table.columns().to_vec()),
            ms: run.as_ref().map(|run| run.ms),
            hash: run.map(|run| run.hash),
            provenance: provenance.clone(),
            error,
        }
    }
}

impl ErrorNote {
    fn new(error: &KeyError) -> Self {
        let reply = match error {
            KeyError::Endpoint(error) => error.reply(),
            KeyError::NoQuery { .. } => None,
        };
        Self {
            message: with_causes(error),
            status: reply.map(|reply| reply.status),
            reply: reply.map(|reply| reply.body_start.clone()),
        }
    }
}

fn text(lines: &[Line], provenance: &Provenance) -> String {
    let rows = lines.iter().map(|line| {
        let hash = line
            .hash
            .as_deref()
            .map_or("–", |hash| hash.get(..12).unwrap_or(hash));
        vec![
            line.record.clone(),
            line.rows
                .map_or_else(|| "–".to_owned(), |rows| rows.to_string()),
            line.ms.map_or_else(|| "–".to_owned(), figure),
            hash.to_owned(),
            line.columns.join(", "),
        ]
    });
    let mut text = vec![
        grid(&["record", "rows", "ms", "hash", "columns"], &[1, 2], rows),
        source_line(provenance),
    ];
    for line in lines {
        if let Some(error) = &line.error {
            text.push(format!("{}: {}", line.record, error.message));
            text.extend(
                error
                    .reply
                    .as_ref()
                    .map(|reply| format!("  the reply began: {reply}")),
            );
        }
    }
    text.join("\n")
}

fn write(
    folder: &Path,
    id: &str,
    result: &Result<KeyRun, KeyError>,
    provenance: &Provenance,
) -> Result<(), StoreError> {
    let stem = match provenance.kind {
        ResultKind::Reconstruction => format!("{id}.reconstruction"),
        ResultKind::Live | ResultKind::Unreached => id.to_owned(),
    };
    let files = [format!("{stem}.csv"), format!("{stem}.srj")];
    let note = format!("{id}.provenance.json");
    let error_note = format!("{id}.error.json");
    match result {
        Ok(run) => {
            store::write_whole(
                &folder.join(&files[0]),
                table::to_csv(&run.table).as_bytes(),
            )?;
            store::write_whole(
                &folder.join(&files[1]),
                table::to_sparql_json(&run.table).as_bytes(),
            )?;
            let described = Note {
                record: id,
                provenance,
                date: &run.date,
                rows: run.table.len(),
                hash: &run.hash,
                ms: run.ms,
                files,
            };
            store::write_whole(&folder.join(note), &attempts::json(&described))?;
            store::remove_if_there(&folder.join(error_note))
        }
        Err(error) => {
            for stale in files.iter().chain([&note]) {
                store::remove_if_there(&folder.join(stale))?;
            }
            store::write_whole(
                &folder.join(error_note),
                &attempts::json(&ErrorNote::new(error)),
            )
        }
    }
}
