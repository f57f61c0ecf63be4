//! `ava table`: result files side by side, the published figures among them.

use std::path::{Path, PathBuf};

use ava::{
    DownstreamResult, DownstreamRow, Expected, ModelResult, NotPublished, Published, PublishedTask,
    ResultFile, Standing, TableFormat, TableRow, by_task, downstream_table,
};
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::triplet_files;
use crate::output::Output;
use crate::{Failure, store};

/// `ava table`
#[derive(Args, Debug)]
pub struct TableArgs {
    /// Result files of our own models and sets, whichever program wrote them
    #[arg(value_name = "FILE")]
    pub results: Vec<PathBuf>,
    /// What the result files are of
    #[arg(long, value_enum, default_value_t = Kind::Triplets)]
    pub kind: Kind,
    /// Result files computed for a model and a set of which there are published figures
    #[arg(long, value_name = "FILE")]
    pub recomputed: Vec<PathBuf>,
    /// Result files as AVA published them, which have the form of `ava evaluate`'s
    #[arg(long, value_name = "FILE")]
    pub published_file: Vec<PathBuf>,
    /// Put the published figures on top; of a downstream task, above the others of the same task
    #[arg(long)]
    pub published: bool,
    /// How the table is written
    #[arg(long, value_enum, default_value_t = FormatChoice::Markdown)]
    pub format: FormatChoice,
}

/// What result files are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// What `ava evaluate` wrote
    Triplets,
    /// What `ava taxonomy --json` printed
    Taxonomy,
    /// What `ava align --json` printed
    Alignment,
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
struct Report<Row> {
    /// Where published figures come from, if there are any.
    source: Option<String>,
    rows: Vec<Row>,
}

pub(super) fn run(args: &TableArgs, output: Output) -> Result<(), Failure> {
    let given = [&args.results, &args.recomputed, &args.published_file];
    if given.iter().all(|files| files.is_empty()) && !args.published {
        return Err(Failure::usage(
            "there is nothing to show",
            "give result files, or --published",
        ));
    }
    let format = match args.format {
        FormatChoice::Markdown => TableFormat::Markdown,
        FormatChoice::Latex => TableFormat::Latex,
        FormatChoice::Csv => TableFormat::Csv,
    };
    let downstream = |published: fn(Published) -> Vec<PublishedTask>,
                      row: fn(&Path, Standing) -> Result<DownstreamRow, Failure>,
                      is_recomputed: IsRecomputed<DownstreamRow>|
     -> Result<(), Failure> {
        let published = |all| published(all).iter().map(DownstreamRow::from).collect();
        let mut report = report(args, output, published, row, is_recomputed)?;
        by_task(&mut report.rows);
        output.print(&report, |report| downstream_table(&report.rows, format))
    };
    match args.kind {
        Kind::Triplets => {
            let published = |all: Published| all.test.iter().map(TableRow::from).collect();
            let report = report(args, output, published, triplets, Published::is_recomputed)?;
            output.print(&report, |report| ava::table(&report.rows, format))
        }
        Kind::Taxonomy => downstream(
            |all| all.taxonomy,
            |file, standing| {
                let read = read(file, "ava taxonomy --json")?;
                Ok(DownstreamRow::of_taxonomy(read, standing))
            },
            Published::is_recomputed_taxonomy,
        ),
        Kind::Alignment => downstream(
            |all| all.alignment,
            |file, standing| {
                let read = read(file, "ava align --json")?;
                Ok(DownstreamRow::of_alignment(read, standing))
            },
            Published::is_recomputed_alignment,
        ),
    }
}

/// Whether a row computes a published figure again.
type IsRecomputed<Row> = fn(&Published, &Row) -> Result<(), NotPublished>;

/// The published rows, where they are asked for, then those of the files.
fn report<Row>(
    args: &TableArgs,
    output: Output,
    published: impl Fn(Published) -> Vec<Row>,
    row: impl Fn(&Path, Standing) -> Result<Row, Failure>,
    is_recomputed: IsRecomputed<Row>,
) -> Result<Report<Row>, Failure> {
    let mut report = Report {
        source: None,
        rows: Vec::new(),
    };
    let all = figures()?;
    let mut recomputed = Vec::new();
    for file in &args.recomputed {
        let row = row(file, Standing::Recomputed)?;
        is_recomputed(&all, &row).map_err(|why| not_recomputed(file, &why))?;
        recomputed.push(row);
    }
    if args.published {
        report.source = Some(all.source.clone());
        report.rows = published(all);
    }
    for file in &args.published_file {
        report.rows.push(row(file, Standing::Published)?);
    }
    report.rows.extend(recomputed);
    for file in &args.results {
        report.rows.push(row(file, Standing::Ours)?);
    }
    if let Some(source) = &report.source {
        output.say(format!("published: {source}"));
    }
    Ok(report)
}

/// The figures that come with the program.
pub(in crate::commands) fn figures() -> Result<Published, Failure> {
    Published::read().map_err(|error| Failure::Output(error.into()))
}

/// What is said of a file that was called recomputed and is not.
pub(in crate::commands) fn not_recomputed(file: &Path, why: &NotPublished) -> Failure {
    let file = file.display();
    Failure::usage(
        format!("{file} holds no published figure computed again: {why}"),
        why.remedy(),
    )
}

/// A file's row; where its run gives the model no name, the file's own without the ending stands for it.
fn triplets(file: &Path, standing: Standing) -> Result<TableRow, Failure> {
    let bytes = store::read(file)?;
    let read = ResultFile::read(&bytes).map_err(|mut problem| {
        let hint = match kind_of(&bytes) {
            Some(kind) => format!("--kind {kind} lists what this is"),
            None => "--kind says of what the files are".to_owned(),
        };
        let remedy = problem.remedy.unwrap_or_default();
        problem.remedy = Some(format!("{remedy}; {hint}"));
        triplet_files::input(file, problem)
    })?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    Ok(TableRow::new(&stem, standing, &read))
}

/// What a file that is no result of triplets is of.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    match ModelResult::read(bytes) {
        Ok(ModelResult::Alignment(_)) => Some("alignment"),
        Ok(ModelResult::Taxonomy(_)) => Some("taxonomy"),
        _ => None,
    }
}

/// What `command` wrote.
fn read<Figures: DeserializeOwned>(
    file: &Path,
    command: &str,
) -> Result<DownstreamResult<Figures>, Failure> {
    let expected = Expected {
        what: "result file",
        remedy: &format!("give what `{command}` wrote; --kind says of what the files are"),
        number: "write a finite number there, or null where there is none",
        texts: &["task", "model", "tuning"],
    };
    let read = DownstreamResult::read(&store::read(file)?, &expected);
    read.map_err(|problem| triplet_files::input(file, problem))
}
