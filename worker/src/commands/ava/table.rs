//! `ava table`: result files side by side, the published figures among them.

use std::path::{Path, PathBuf};

use ava::{Published, ResultFile, Standing, TableFormat, TableRow};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::triplet_files::words;
use crate::output::Output;
use crate::{Failure, store};

/// `ava table`
#[derive(Args, Debug)]
pub struct TableArgs {
    /// Result files of our own models and sets; AVA's own files too, which are listed as published
    #[arg(value_name = "FILE")]
    pub results: Vec<PathBuf>,
    /// Result files computed for a model and a set of which there are published figures
    #[arg(long, value_name = "FILE")]
    pub recomputed: Vec<PathBuf>,
    /// Put the published figures on top
    #[arg(long)]
    pub published: bool,
    /// How the table is written
    #[arg(long, value_enum, default_value_t = FormatChoice::Markdown)]
    pub format: FormatChoice,
}

/// How the table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatChoice {
    /// A pipe table, intervals beside their figures
    Markdown,
    /// A tabular of the booktabs package
    Latex,
    /// Unrounded, a column for each figure
    Csv,
}

/// What `ava table --json` prints.
#[derive(Serialize)]
struct Report {
    /// Where published figures come from, if there are any.
    source: Option<String>,
    rows: Vec<TableRow>,
}

pub(super) fn run(args: &TableArgs, output: Output) -> Result<(), Failure> {
    if args.results.is_empty() && args.recomputed.is_empty() && !args.published {
        return Err(Failure::usage(
            "there is nothing to show",
            "give result files, or --published",
        ));
    }
    let mut report = Report {
        source: None,
        rows: Vec::new(),
    };
    if args.published {
        let published = Published::read().map_err(|error| Failure::Output(error.into()))?;
        report
            .rows
            .extend(published.test.iter().map(TableRow::from));
        report.source = Some(published.source);
    }
    for file in &args.recomputed {
        report.rows.push(row(file, Standing::Recomputed)?);
    }
    for file in &args.results {
        report.rows.push(row(file, Standing::Ours)?);
    }
    if let Some(source) = &report.source {
        output.say(format!("published: {source}"));
    }
    let format = match args.format {
        FormatChoice::Markdown => TableFormat::Markdown,
        FormatChoice::Latex => TableFormat::Latex,
        FormatChoice::Csv => TableFormat::Csv,
    };
    output.print(&report, |report| ava::table(&report.rows, format))
}

/// A file's row; its name without the ending is the model's. Among the files that no flag labels, one without details is AVA's own.
fn row(file: &Path, standing: Standing) -> Result<TableRow, Failure> {
    let bytes = store::read(file)?;
    let refused = |line: usize, column: usize, message: String| {
        let number = |value: usize| u32::try_from(value.max(1)).unwrap_or(u32::MAX);
        Failure::Input {
            file: file.to_owned(),
            line: number(line),
            column: number(column),
            message,
            remedy: Some("give a result file: {\"test\": {\"triplet_accuracy\": …}}".to_owned()),
        }
    };
    let read: ResultFile = serde_json::from_slice(&bytes).map_err(|error| {
        let message = format!("no result file: {}", words(&error));
        refused(error.line(), error.column(), message)
    })?;
    if read.test.triplet_accuracy.is_none() {
        let message = "no result file: `test` has no `triplet_accuracy`".to_owned();
        return Err(refused(1, 1, message));
    }
    let standing = if standing == Standing::Ours && read.details.is_none() {
        Standing::Published
    } else {
        standing
    };
    let model = file.file_stem().unwrap_or_default().to_string_lossy();
    Ok(TableRow::new(model.into_owned(), standing, &read))
}
