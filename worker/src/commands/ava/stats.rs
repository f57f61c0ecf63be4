//! `ava stats`: what sets of triplets are made of, as the paper's table 2, and how similar their texts are, as its figure 1.

use std::path::{Path, PathBuf};

use ava::{
    Cosines, LexicalScores, PairStatistics, Panel, PublishedSet, SetStatistics, Triplet,
    histograms, read_cosines,
};
use clap::Args;
use serde::Serialize;

use super::filter::ProcessorChoice;
use super::table;
use super::triplet_files;
use crate::output::{Output, grid};
use crate::{Failure, attempts, store};

/// Bins of a figure.
const BINS: usize = 40;

/// `ava stats`
#[derive(Args, Debug)]
pub struct StatsArgs {
    /// Triplets: a JSON array, or one JSON object a line; give it again for a second set, such as train and test
    #[arg(long = "in", value_name = "FILE", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Cosines of one set's triplets, in their order: objects with `anchor_positive`, `anchor_negative` and
    /// `positive_negative`
    #[arg(long, value_name = "FILE")]
    pub cosines: Option<PathBuf>,
    /// Folder to write statistics.json, and for each set its distributions as SVG, to
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// What is done to texts before their words are compared
    #[arg(long, value_enum, default_value_t = ProcessorChoice::None)]
    pub processor: ProcessorChoice,
    /// Put what was published of AVA's sets beside them
    #[arg(long)]
    pub published: bool,
}

/// A set and its figures.
#[derive(Serialize)]
struct Set {
    /// Its file's name without the ending.
    name: String,
    file: String,
    #[serde(flatten)]
    statistics: SetStatistics,
}

pub(super) fn run(args: &StatsArgs, output: Output) -> Result<(), Failure> {
    if args.cosines.is_some() && args.inputs.len() > 1 {
        return Err(Failure::usage(
            "cosines belong to one set",
            "give one --in with --cosines",
        ));
    }
    let mut sets: Vec<Set> = Vec::new();
    let mut figures = Vec::new();
    for file in &args.inputs {
        let reading = triplet_files::read_sound(file, None)?;
        let triplets: Vec<Triplet> = reading
            .triplets
            .into_iter()
            .map(|(_, triplet)| triplet)
            .collect();
        let cosines = match &args.cosines {
            Some(cosines) => read_cosines(&store::read(cosines)?, triplets.len())
                .map_err(|problem| triplet_files::input(cosines, problem))?,
            None => Vec::new(),
        };
        let mut scores = Vec::new();
        let processor = args.processor.into();
        let statistics = SetStatistics::of(&triplets, processor, &cosines, &mut scores);
        let name = name(file, &sets);
        figures.push((format!("lexical-{name}.svg"), lexical(&name, &scores)));
        if !cosines.is_empty() {
            figures.push((format!("semantic-{name}.svg"), semantic(&name, &cosines)));
        }
        sets.push(Set {
            name,
            file: file.display().to_string(),
            statistics,
        });
    }
    if let Some(out) = &args.out {
        let mut files = vec![("statistics.json", attempts::json(&sets))];
        let drawn = figures
            .iter()
            .map(|(file, svg)| (file.as_str(), svg.clone().into_bytes()));
        files.extend(drawn);
        let read: Vec<&Path> = args
            .inputs
            .iter()
            .chain(&args.cosines)
            .map(PathBuf::as_path)
            .collect();
        triplet_files::write(out, &files, &read)?;
        output.say(format!("written to {}", out.display()));
    }
    if !args.published {
        return output.print(&sets, |sets| text(sets, &[]));
    }
    let all = table::figures()?;
    output.say(format!("published: {}", all.source));
    let beside = Beside {
        sets: &sets,
        source: all.source,
        published: all.sets,
    };
    output.print(&beside, |beside| text(beside.sets, &beside.published))
}

/// What `--published --json` prints.
#[derive(Serialize)]
struct Beside<'s> {
    sets: &'s [Set],
    source: String,
    published: Vec<PublishedSet>,
}

/// A set's name, which is also part of a file's: no two sets have the same.
fn name(file: &Path, sets: &[Set]) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let is_taken = |name: &str| sets.iter().any(|set| set.name == name);
    let mut name = stem.clone().into_owned();
    let mut number = 2;
    while is_taken(&name) {
        name = format!("{stem}-{number}");
        number += 1;
    }
    name
}

fn lexical(name: &str, scores: &[LexicalScores]) -> String {
    let of = |of: fn(&LexicalScores) -> f64| scores.iter().map(of).collect();
    histograms(
        &format!("Lexical similarity: {name}"),
        "token-set ratio",
        (0.0, 100.0),
        BINS,
        &panels([
            of(|scores| scores.anchor_positive),
            of(|scores| scores.anchor_negative),
            of(|scores| scores.positive_negative),
        ]),
    )
}

fn semantic(name: &str, cosines: &[Cosines]) -> String {
    let of = |of: fn(&Cosines) -> f64| -> Vec<f64> { cosines.iter().map(of).collect() };
    let values = [
        of(|cosines| cosines.anchor_positive),
        of(|cosines| cosines.anchor_negative),
        of(|cosines| cosines.positive_negative),
    ];
    let is_negative = values.iter().flatten().any(|&value| value < 0.0);
    histograms(
        &format!("Semantic similarity: {name}"),
        "cosine",
        (if is_negative { -1.0 } else { 0.0 }, 1.0),
        BINS,
        &panels(values),
    )
}

fn panels(values: [Vec<f64>; 3]) -> Vec<Panel<'static>> {
    let labels = ["anchor–positive", "anchor–negative", "positive–negative"];
    let panels = labels.into_iter().zip(values);
    panels
        .map(|(label, values)| Panel { label, values })
        .collect()
}

/// A mean among a set's.
type Mean = fn(PairStatistics) -> f64;

const PAIRS: [(&str, Mean); 3] = [
    ("anchor–positive", |pairs| pairs.anchor_positive.mean),
    ("anchor–negative", |pairs| pairs.anchor_negative.mean),
    ("positive–negative", |pairs| pairs.positive_negative.mean),
];

fn text(sets: &[Set], published: &[PublishedSet]) -> String {
    let mut header = vec![String::new()];
    header.extend(sets.iter().map(|set| set.name.clone()));
    header.extend(published.iter().map(|set| format!("AVA {}", set.name)));
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let numbers: Vec<usize> = (1..header.len()).collect();
    let count = |label: &str,
                 of: fn(&SetStatistics) -> usize,
                 known: fn(&PublishedSet) -> Option<usize>| {
        let mut row = vec![label.to_owned()];
        row.extend(sets.iter().map(|set| of(&set.statistics).to_string()));
        let known = published.iter().map(known);
        row.extend(known.map(|count| count.map_or_else(|| NONE.to_owned(), |n| n.to_string())));
        row
    };
    let mut rows = vec![
        count("triplets", |set| set.triplets, |set| Some(set.triplets)),
        count(
            "hard (anchor–negative ≥ 90)",
            |set| set.hard,
            |set| set.hard,
        ),
        count(
            "  of those at exactly 90",
            |set| set.anchor_negative_at_90,
            |_| None,
        ),
        count(
            "positive–negative > 90",
            |set| set.positive_negative_beyond_90,
            |_| None,
        ),
        count("ontologies", |set| set.ontologies, |set| set.ontologies),
        count("subgraphs", |set| set.subgraphs, |set| set.subgraphs),
        count("different anchors", |set| set.anchors, |_| None),
    ];
    let mut means = |what: &str,
                     digits: usize,
                     of: fn(&SetStatistics) -> Option<PairStatistics>,
                     known: fn(&PublishedSet) -> Option<[f64; 3]>| {
        for (at, (label, mean)) in PAIRS.into_iter().enumerate() {
            let mut row = vec![format!("mean {what}, {label}")];
            let own = sets.iter().map(|set| of(&set.statistics).map(mean));
            let known = published
                .iter()
                .map(|set| known(set).map(|means| means[at]));
            row.extend(own.chain(known).map(|value| cell(value, digits)));
            rows.push(row);
        }
    };
    means(
        "token-set ratio",
        2,
        |set| set.lexical,
        |set| set.token_set_ratios,
    );
    if sets.iter().any(|set| set.statistics.semantic.is_some()) || !published.is_empty() {
        means("cosine", 3, |set| set.semantic, |set| set.mpnet_cosines);
    }
    grid(&header, &numbers, rows)
}

/// What stands for a figure that is not there.
const NONE: &str = "–";

fn cell(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| NONE.to_owned(), |value| format!("{value:.digits$}"))
}
