//! `ava split`: a set divided by ontology.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ava::{
    HARD_FROM, Leak, Placed, Problem, Reading, Side, SplitOptions, Triplet, leaks, split_ontologies,
};
use clap::{Args, ValueEnum};
use ontology::STRATEGY;
use serde::Serialize;

use super::{plural, subgraph_files, triplet_files};
use crate::output::{Output, grid};
use crate::{Failure, attempts, store};

/// `ava split`
#[derive(Args, Debug)]
pub struct SplitArgs {
    /// Triplets, each with its `source`: a JSON array, or one JSON object a line
    #[arg(long = "in", value_name = "FILE")]
    pub input: PathBuf,
    /// Folder to write train.json, test.json and split.json to
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// What `ava extract` wrote: the labels in DIR/ONTOLOGY/bfs/*.json tell which ontologies share too many
    #[arg(
        long,
        value_name = "DIR",
        required_unless_present = "no_absorb",
        conflicts_with = "no_absorb"
    )]
    pub subgraphs: Option<PathBuf>,
    /// Divide without looking at labels
    #[arg(long)]
    pub no_absorb: bool,
    /// Seed of the shuffle, which is Python's
    #[arg(long, value_name = "N", default_value_t = 42)]
    pub seed: u64,
    /// Share of the ontologies that goes towards train
    #[arg(long, value_name = "SHARE", default_value_t = 0.55, value_parser = share)]
    pub train_share: f64,
    /// Labels that an ontology drawn for test must not share with train; as many or more, and it goes to train
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub shared_labels: usize,
    /// Order of the ontologies before the shuffle
    #[arg(long, value_enum, default_value_t = Order::Name)]
    pub order: Order,
}

fn share(typed: &str) -> Result<f64, String> {
    match typed.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

/// Order of the ontologies before the shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// By name, character by character
    Name,
    /// As they first come in the file
    File,
}

/// What `split.json` holds and `--json` prints.
#[derive(Serialize)]
struct Report {
    file: String,
    seed: u64,
    train_share: f64,
    /// The limit of labels, or null where labels were not looked at.
    shared_labels: Option<usize>,
    order: Order,
    train: Count,
    test: Count,
    absorbed: usize,
    ontologies: Vec<Entry>,
    /// Subgraphs with triplets on both sides.
    leaks: Vec<Leak>,
    /// Anchors that stand on both sides, character by character.
    anchors_on_both_sides: Vec<String>,
}

#[derive(Default, Serialize)]
struct Count {
    ontologies: usize,
    triplets: usize,
    /// Null where a triplet has no anchor–negative score to tell by.
    hard: Option<usize>,
    /// Of those, at exactly 90: not hard by "exceeds 90".
    hard_at_90: Option<usize>,
}

#[derive(Serialize)]
struct Entry {
    #[serde(flatten)]
    placed: Placed,
    triplets: usize,
}

pub(super) fn run(args: &SplitArgs, output: Output) -> Result<(), Failure> {
    let reading = triplet_files::read_sound(&args.input, None)?;
    let counts = sources(&args.input, &reading)?;
    let names = ordered(&reading, args.order);
    let ontologies = match &args.subgraphs {
        Some(folder) => with_labels(folder, names)?,
        None => names
            .into_iter()
            .map(|name| (name, BTreeSet::new()))
            .collect(),
    };
    let options = SplitOptions {
        seed: args.seed,
        train_share: args.train_share,
        shared_labels: if args.no_absorb {
            usize::MAX
        } else {
            args.shared_labels
        },
    };
    let mut placed = split_ontologies(&ontologies, &options);
    if args.no_absorb {
        // Nobody counted.
        for placed in &mut placed {
            placed.shared_with_train = None;
            placed.shared_at_the_end = None;
        }
    }
    let of_train: BTreeSet<&str> = placed
        .iter()
        .filter(|placed| placed.side == Side::Train)
        .map(|placed| placed.ontology.as_str())
        .collect();
    let triplets = reading.triplets.into_iter().map(|(_, triplet)| triplet);
    let (train, test): (Vec<Triplet>, Vec<Triplet>) = triplets.partition(|triplet| {
        let source = triplet.source.as_deref();
        source.is_some_and(|source| of_train.contains(source))
    });
    let report = Report {
        file: args.input.display().to_string(),
        seed: args.seed,
        train_share: args.train_share,
        shared_labels: (!args.no_absorb).then_some(args.shared_labels),
        order: args.order,
        train: count(&train, of_train.len()),
        test: count(&test, placed.len() - of_train.len()),
        absorbed: placed.iter().filter(|placed| placed.absorbed).count(),
        leaks: leaks(&train, &test),
        anchors_on_both_sides: shared_anchors(&train, &test),
        ontologies: placed
            .into_iter()
            .map(|placed| Entry {
                triplets: counts.get(&placed.ontology).copied().unwrap_or_default(),
                placed,
            })
            .collect(),
    };
    let files = [
        ("train.json", triplet_files::array(&train)?),
        ("test.json", triplet_files::array(&test)?),
        ("split.json", attempts::json(&report)),
    ];
    triplet_files::write(&args.out, &files, &[&args.input])?;
    for (side, count) in [("train", &report.train), ("test", &report.test)] {
        if count.ontologies == 0 {
            output.say(format!(
                "{side} is empty: whole ontologies are divided, here {} at a train share of {}; give a set of more, or another --train-share",
                report.ontologies.len(),
                report.train_share
            ));
        }
    }
    output.say(format!(
        "written to {}: train.json, test.json, split.json",
        args.out.display()
    ));
    output.print(&report, text)
}

/// How many triplets each ontology has; one that names none can be put on no side.
fn sources(file: &Path, reading: &Reading) -> Result<BTreeMap<String, usize>, Failure> {
    let mut counts = BTreeMap::new();
    for (line, triplet) in &reading.triplets {
        let Some(source) = &triplet.source else {
            let problem = Problem {
                line: *line,
                column: 1,
                message: "this triplet has no `source`".to_owned(),
                remedy: Some(
                    "a set is divided by ontology: name each triplet's in `source`".to_owned(),
                ),
            };
            return Err(triplet_files::input(file, problem));
        };
        *counts.entry(source.clone()).or_default() += 1;
    }
    Ok(counts)
}

fn ordered(reading: &Reading, order: Order) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let sources = reading
        .triplets
        .iter()
        .filter_map(|(_, triplet)| triplet.source.as_ref());
    let mut names: Vec<String> = sources
        .filter(|source| seen.insert(source.as_str()))
        .cloned()
        .collect();
    if order == Order::Name {
        names.sort();
    }
    names
}

/// Without a file that the manifest lists, labels are missing, and the split would be another.
fn all_there(own: &Path) -> Result<(), Failure> {
    let manifest = own.join(subgraph_files::MANIFEST);
    if !manifest.is_file() {
        return Ok(());
    }
    for entry in subgraph_files::manifest(own)?.subgraphs {
        let place = own.join(entry.file);
        if !place.is_file() {
            return Err(Failure::usage(
                format!(
                    "{} is missing, and {} lists it",
                    place.display(),
                    manifest.display()
                ),
                "extract the ontology again, or put the file back",
            ));
        }
    }
    Ok(())
}

fn with_labels(
    folder: &Path,
    names: Vec<String>,
) -> Result<Vec<(String, BTreeSet<String>)>, Failure> {
    let mut ontologies = Vec::with_capacity(names.len());
    for name in names {
        let own = folder.join(&name).join(STRATEGY);
        // A name is a folder's; one that leads elsewhere is none.
        if !subgraph_files::is_plain_name(&name) || !own.is_dir() {
            return Err(Failure::usage(
                format!("{} has no subgraphs of {name}", folder.display()),
                "extract every ontology of the set there with `okn-benchmark ava extract`, or give --no-absorb",
            ));
        }
        all_there(&own)?;
        let mut labels = BTreeSet::new();
        let mut is_empty = true;
        for file in store::list(&own)? {
            let is_subgraph = file.extension().is_some_and(|ending| ending == "json")
                && file
                    .file_name()
                    .is_some_and(|name| name != subgraph_files::MANIFEST);
            if is_subgraph {
                let own = ava::read_labels(&store::read(&file)?);
                labels.extend(own.map_err(|problem| triplet_files::input(&file, problem))?);
                is_empty = false;
            }
        }
        if is_empty {
            return Err(Failure::usage(
                format!("there is no subgraph in {}", own.display()),
                format!("{}; or give --no-absorb", subgraph_files::NONE),
            ));
        }
        ontologies.push((name, labels));
    }
    Ok(ontologies)
}

fn count(triplets: &[Triplet], ontologies: usize) -> Count {
    let ratios: Option<Vec<f64>> = triplets
        .iter()
        .map(|triplet| triplet.scores.anchor_negative)
        .collect();
    let at = |is_meant: fn(f64) -> bool| {
        let ratios = ratios.as_ref()?.iter();
        Some(ratios.filter(|ratio| is_meant(**ratio)).count())
    };
    Count {
        ontologies,
        triplets: triplets.len(),
        hard: at(|ratio| ratio >= HARD_FROM),
        hard_at_90: at(|ratio| ratio == HARD_FROM),
    }
}

fn shared_anchors(train: &[Triplet], test: &[Triplet]) -> Vec<String> {
    let of_train: BTreeSet<&str> = train
        .iter()
        .map(|triplet| triplet.anchor.as_str())
        .collect();
    let shared = test
        .iter()
        .map(|triplet| triplet.anchor.as_str())
        .filter(|anchor| of_train.contains(anchor));
    let shared: BTreeSet<&str> = shared.collect();
    shared.into_iter().map(str::to_owned).collect()
}

fn ontologies(count: usize) -> String {
    match count {
        1 => "1 ontology".to_owned(),
        _ => format!("{count} ontologies"),
    }
}

fn text(report: &Report) -> String {
    let known = |count: Option<usize>| count.map_or_else(|| "–".to_owned(), |n| n.to_string());
    let side = |name: &str, count: &Count| {
        vec![
            name.to_owned(),
            count.ontologies.to_string(),
            count.triplets.to_string(),
            known(count.hard),
            known(count.hard_at_90),
        ]
    };
    let mut lines = vec![grid(
        &["side", "ontologies", "triplets", "hard", "at exactly 90"],
        &[1, 2, 3, 4],
        [side("train", &report.train), side("test", &report.test)],
    )];
    lines.push(match report.shared_labels {
        Some(limit) => format!(
            "{} absorbed into train for {limit} shared labels or more",
            ontologies(report.absorbed)
        ),
        None => "labels were not looked at, so nothing was absorbed".to_owned(),
    });
    for entry in &report.ontologies {
        let Some((limit, shared)) = report.shared_labels.zip(entry.placed.shared_at_the_end) else {
            continue;
        };
        if shared >= limit {
            lines.push(format!(
                "{} is in test and shares {} with what train has become",
                entry.placed.ontology,
                plural(shared, "label")
            ));
        }
    }
    lines.push(format!(
        "leaks: {} on both sides, {} on both sides",
        plural(report.leaks.len(), "subgraph"),
        plural(report.anchors_on_both_sides.len(), "anchor")
    ));
    lines.extend(report.leaks.iter().map(|leak| {
        let names = |names: &BTreeSet<String>| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            names.join(", ")
        };
        format!(
            "  {}: {} of {} in train, {} of {} in test",
            leak.subgraph_id,
            plural(leak.train_triplets, "triplet"),
            names(&leak.train),
            plural(leak.test_triplets, "triplet"),
            names(&leak.test)
        )
    }));
    lines.join("\n")
}
