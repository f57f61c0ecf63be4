//! `ava filter`: raw triplets to a set, with what was dropped and why.

use std::path::PathBuf;

use ava::{CLOSE_BEYOND, FilterCounts, FilterOptions, HARD_FROM, Processor, Triplet, filter};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::{plural, triplet_files};
use crate::Failure;
use crate::output::{Output, grid};

/// `ava filter`
#[derive(Args, Debug)]
pub struct FilterArgs {
    /// Triplets: a JSON array, or one JSON object a line
    #[arg(long = "in", value_name = "FILE")]
    pub input: PathBuf,
    /// Folder to write kept.json, hard.json (those of the kept that are hard) and dropped.json to
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// What is done to texts before their words are compared
    #[arg(long, value_enum, default_value_t = ProcessorChoice::None)]
    pub processor: ProcessorChoice,
    /// Keep triplets whose positive and negative are closer than 90, as the public data does
    #[arg(long)]
    pub no_pn_drop: bool,
    /// Leave out and count records that are no triplets, instead of refusing the file
    #[arg(long)]
    pub drop_malformed: bool,
}

/// What is done to texts before their words are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProcessorChoice {
    /// Nothing: case and punctuation count, as in the published scores
    None,
    /// RapidFuzz's `default_process`: letters and numbers alone, in lower case
    Default,
}

impl From<ProcessorChoice> for Processor {
    fn from(choice: ProcessorChoice) -> Self {
        match choice {
            ProcessorChoice::None => Self::None,
            ProcessorChoice::Default => Self::Default,
        }
    }
}

/// What `ava filter --json` prints.
#[derive(Serialize)]
struct Summary {
    file: String,
    out: String,
    processor: Processor,
    positive_negative_dropped: bool,
    /// Records that are no triplets, left out on demand.
    malformed: usize,
    #[serde(flatten)]
    counts: FilterCounts,
    dropped: usize,
}

pub(super) fn run(args: &FilterArgs, output: Output) -> Result<(), Failure> {
    let reading = if args.drop_malformed {
        triplet_files::read(&args.input)?
    } else {
        triplet_files::read_sound(
            &args.input,
            Some("or leave such records out with --drop-malformed"),
        )?
    };
    for problem in &reading.problems {
        output.say(format!("{}:{problem}", args.input.display()));
    }
    let triplets: Vec<Triplet> = reading
        .triplets
        .into_iter()
        .map(|(_, triplet)| triplet)
        .collect();
    let options = FilterOptions {
        processor: args.processor.into(),
        keep_close: args.no_pn_drop,
    };
    let filtered = filter(triplets, &options);
    let hard: Vec<&Triplet> = filtered.hard().collect();
    let files = [
        ("kept.json", triplet_files::array(&filtered.kept)?),
        ("hard.json", triplet_files::array(&hard)?),
        ("dropped.json", triplet_files::array(&filtered.dropped)?),
    ];
    triplet_files::write(&args.out, &files, &[&args.input])?;
    let summary = Summary {
        file: args.input.display().to_string(),
        out: args.out.display().to_string(),
        processor: options.processor,
        positive_negative_dropped: !options.keep_close,
        malformed: reading.problems.len(),
        counts: filtered.counts,
        dropped: filtered.dropped.len(),
    };
    output.print(&summary, text)
}

fn text(summary: &Summary) -> String {
    let counts = &summary.counts;
    let close = if summary.positive_negative_dropped {
        format!("left by positive–negative ≤ {CLOSE_BEYOND}")
    } else {
        format!("positive–negative > {CLOSE_BEYOND} kept on demand")
    };
    let rows = [
        ("triplets read".to_owned(), counts.read),
        ("left by the sanity check".to_owned(), counts.sane),
        (close, counts.apart),
        ("kept, one an anchor".to_owned(), counts.kept),
        (
            format!("of those hard, anchor–negative ≥ {HARD_FROM}"),
            counts.hard,
        ),
        (
            format!("of those at exactly {HARD_FROM}"),
            counts.anchor_negative_at_90,
        ),
    ];
    let rows = rows.map(|(step, count)| vec![step, count.to_string()]);
    let mut lines = vec![
        grid(&["step", "triplets"], &[1], rows),
        format!(
            "positive–negative beyond {CLOSE_BEYOND}: {}; at exactly {CLOSE_BEYOND}: {}",
            counts.positive_negative_beyond_90, counts.positive_negative_at_90
        ),
    ];
    if counts.scores_differing > 0 {
        lines.push(format!(
            "{} came with other scores than those computed, which are written",
            plural(counts.scores_differing, "triplet")
        ));
    }
    if summary.malformed > 0 {
        lines.push(format!(
            "{} left out that are no triplets",
            plural(summary.malformed, "record")
        ));
    }
    lines.push(format!(
        "written to {}: kept.json, hard.json, dropped.json",
        summary.out
    ));
    lines.join("\n")
}
