//! `compare`: sweeps side by side, from the figures that their attempts came to.
//!
//! Nothing is judged again and no key is run: an attempt's own `metrics.json` is what is compared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use record::RecordName;
use serde::Serialize;
use sweep::{
    Change, CompareOptions, Observation, Run, RunFacts, SweepComparison, arms_csv, cells_csv,
    changes, changes_csv, charts, compare, gap_words, interval_words, markdown, mean_words, money,
    pairs_csv, probability, share, signed, sort_changes,
};

use super::plural;
use crate::cli::CompareArgs;
use crate::output::{Output, grid};
use crate::runs::RunFolder;
use crate::{Failure, attempts, imported, store};

/// Name of the file that holds what `--json` prints.
pub(super) const JSON: &str = "comparison.json";

/// What `compare --json` prints.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    comparison: &'a SweepComparison,
    /// With `--against`: what became of each record, regressions first.
    changes: Option<&'a [Change]>,
}

pub(super) fn run(args: &CompareArgs, output: Output) -> Result<(), Failure> {
    let mut runs = read_all(&args.runs)?;
    let before = match &args.against {
        Some(folder) => read_all(std::slice::from_ref(folder))?,
        None => Vec::new(),
    };
    let asked = Asked::new(args, runs.iter().chain(&before))?;
    let before: Vec<Run> = before.into_iter().map(|run| asked.part(run)).collect();
    runs = runs.into_iter().map(|run| asked.part(run)).collect();
    let changes = match &args.against {
        Some(folder) => Some(against(folder, &before, &runs, args.tolerance, output)?),
        None => None,
    };
    runs.extend(before);
    let options = CompareOptions {
        allow_mixed: args.allow_mixed,
        seed: args.seed,
        resamples: args.resamples,
    };
    let comparison = compare(runs, &options).map_err(|error| refused(&error))?;
    let changes = changes.as_deref();
    if let Some(out) = &args.out {
        write(out, &comparison, changes)?;
        output.say(format!("written to {}", out.display()));
    }
    output.print(
        &Report {
            comparison: &comparison,
            changes,
        },
        text,
    )?;
    let is_failure = |change: &&Change| change.way.is_failure();
    let failed = changes.into_iter().flatten().filter(is_failure).count();
    if args.fail_on_regression && failed > 0 {
        return Err(Failure::Check(format!(
            "{} worse than before, or cannot be told any more",
            plural(failed, "record")
        )));
    }
    Ok(())
}

/// What a comparison refuses, with what to do instead.
pub(super) fn refused(error: &sweep::CompareError) -> Failure {
    Failure::usage(error.to_string(), error.remedy())
}

/// The folders of sweeps that were given, by the place that each of them is.
#[derive(Default)]
pub(super) struct Seen(BTreeMap<PathBuf, PathBuf>);

impl Seen {
    /// Refuses a folder that was given before, in these words or in others: its attempts would count twice.
    pub(super) fn note(&mut self, root: &Path) -> Result<(), Failure> {
        match self.0.insert(store::resolved(root)?, root.to_owned()) {
            None => Ok(()),
            Some(other) => {
                let as_what = if other == root {
                    String::new()
                } else {
                    format!(", once as {}", other.display())
                };
                Err(Failure::usage(
                    format!("{} was given twice{as_what}", root.display()),
                    "give each folder once",
                ))
            }
        }
    }
}

/// The sweeps in some folders.
pub(super) fn read_all(folders: &[PathBuf]) -> Result<Vec<Run>, Failure> {
    let mut runs = Vec::new();
    let mut seen = Seen::default();
    for folder in folders {
        let imported = imported::roots(folder)?;
        for root in &imported {
            seen.note(root)?;
            runs.push(imported::read(root)?);
        }
        // A folder may hold sweeps of both kinds; only one that holds neither is a mistake.
        match RunFolder::read_all(folder) {
            Ok(own) => {
                for run in own {
                    seen.note(run.root())?;
                    runs.push(read(&run)?);
                }
            }
            Err(Failure::Usage { .. }) if !imported.is_empty() => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(runs)
}

fn read(run: &RunFolder) -> Result<Run, Failure> {
    let mut observations = Vec::new();
    for record in run.records()? {
        for n in run.attempts(&record)? {
            let place = run.attempt(&record, n);
            let Some(metrics) = attempts::read_metrics(&place)? else {
                continue;
            };
            if (metrics.record.as_str(), metrics.attempt) != (record.as_str(), n) {
                return Err(Failure::usage(
                    format!(
                        "{} holds attempt {} at {}, by its own metrics.json",
                        place.display(),
                        metrics.attempt,
                        metrics.record
                    ),
                    "move it to the place of that attempt, or away",
                ));
            }
            observations.push(Observation::from(&metrics));
        }
    }
    Ok(Run {
        folder: run.root().display().to_string(),
        facts: RunFacts::from(&run.manifest),
        observations,
    })
}

/// The records that the comparison is about.
struct Asked {
    tiers: BTreeSet<String>,
    records: BTreeSet<String>,
}

impl Asked {
    /// What was asked for, checked against what is there.
    fn new<'a>(args: &CompareArgs, runs: impl Iterator<Item = &'a Run>) -> Result<Self, Failure> {
        let there: BTreeSet<String> = runs
            .flat_map(|run| &run.observations)
            .map(|observation| observation.record.clone())
            .collect();
        let tiers: BTreeSet<String> = there.iter().filter_map(|record| tier_of(record)).collect();
        for (what, wanted, there) in [
            ("tier", &args.tier, &tiers),
            ("record", &args.record, &there),
        ] {
            if let Some(missing) = wanted.iter().find(|wanted| !there.contains(*wanted)) {
                let there: Vec<&str> = there.iter().map(String::as_str).collect();
                return Err(Failure::usage(
                    format!("no sweep here was asked the {what} `{missing}`"),
                    format!("the {what}s are {}", there.join(", ")),
                ));
            }
        }
        Ok(Self {
            tiers: args.tier.iter().cloned().collect(),
            records: args.record.iter().cloned().collect(),
        })
    }

    fn holds(&self, record: &str) -> bool {
        let tier = || tier_of(record).is_some_and(|tier| self.tiers.contains(&tier));
        (self.tiers.is_empty() && self.records.is_empty())
            || self.records.contains(record)
            || tier()
    }

    /// The part of a sweep that the comparison is about.
    fn part(&self, mut run: Run) -> Run {
        run.observations
            .retain(|observation| self.holds(&observation.record));
        run
    }
}

fn tier_of(record: &str) -> Option<String> {
    RecordName::from_file(record).tier
}

/// Each sweep against the earlier one of the same agent.
pub(super) fn against(
    folder: &Path,
    before: &[Run],
    now: &[Run],
    tolerance: f64,
    output: Output,
) -> Result<Vec<Change>, Failure> {
    let mut all = Vec::new();
    let mut any = false;
    for run in now {
        let label = run.facts.label();
        let mut same = before.iter().filter(|other| other.facts.label() == label);
        let Some(earlier) = same.next() else {
            output.say(format!("{} holds no sweep of {label}", folder.display()));
            continue;
        };
        if same.next().is_some() {
            return Err(Failure::usage(
                format!("{} holds several sweeps of {label}", folder.display()),
                "give the folder of the one to compare with to --against",
            ));
        }
        any = true;
        all.extend(
            changes(earlier.clone(), run.clone(), tolerance).map_err(|error| refused(&error))?,
        );
    }
    if !any {
        return Err(Failure::usage(
            format!("{} holds no sweep of any of these agents", folder.display()),
            "give an earlier sweep of the same agent, model and effort to --against",
        ));
    }
    sort_changes(&mut all);
    Ok(all)
}

/// Writes a comparison into a folder, in every form.
pub(super) fn write(
    out: &Path,
    comparison: &SweepComparison,
    changes: Option<&[Change]>,
) -> Result<(), Failure> {
    let report = Report {
        comparison,
        changes,
    };
    let mut files = vec![
        (
            "comparison.md".to_owned(),
            markdown(comparison, changes).into_bytes(),
        ),
        (JSON.to_owned(), attempts::json(&report)),
        ("arms.csv".to_owned(), arms_csv(comparison).into_bytes()),
        ("records.csv".to_owned(), cells_csv(comparison).into_bytes()),
        ("pairs.csv".to_owned(), pairs_csv(comparison).into_bytes()),
    ];
    if let Some(changes) = changes {
        files.push(("changes.csv".to_owned(), changes_csv(changes).into_bytes()));
    }
    for chart in charts(comparison) {
        files.push((chart.file, chart.svg.into_bytes()));
    }
    for (name, bytes) in files {
        store::write_whole(&out.join(name), &bytes)?;
    }
    Ok(())
}

fn text(report: &Report<'_>) -> String {
    let comparison = report.comparison;
    let mut parts = Vec::new();
    if let Some(changes) = report.changes {
        parts.push(changed(changes));
    }
    parts.push(arms(comparison));
    parts.extend(obedience(comparison));
    if !comparison.pairs.is_empty() {
        parts.push(pairs(comparison));
    }
    parts.push(
        comparison
            .notes
            .iter()
            .map(|note| format!("note: {note}"))
            .chain([format!(
                "95 % intervals take records as independent, not attempts: Wilson over records for shares, bootstrap over records for differences ({} resamples, seed {})\n\
                 McNemar p: one pair for each record, right where more than half of the attempts that count are",
                comparison.resamples, comparison.seed
            )])
            .collect::<Vec<_>>()
            .join("\n"),
    );
    parts.join("\n\n")
}

fn changed(changes: &[Change]) -> String {
    grid(
        &["way", "record", "sweep", "before", "now", "right", "f1"],
        &[3, 4, 5, 6],
        changes.iter().map(|change| {
            vec![
                change.way.as_str().to_owned(),
                change.record.clone(),
                change.run.clone(),
                share(change.before),
                share(change.now),
                signed(change.right),
                signed(change.f1),
            ]
        }),
    )
}

fn arms(comparison: &SweepComparison) -> String {
    grid(
        &[
            "arm", "sweep", "asked", "lost", "right", "95 %", "exact", "ordered", "mean f1",
            "seconds", "calls", "cost",
        ],
        &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        comparison.arms.iter().map(|arm| {
            let figures = &arm.figures;
            vec![
                arm.arm.map_or("other", |arm| arm.as_str()).to_owned(),
                arm.run.clone(),
                figures.asked.to_string(),
                figures.infrastructure.to_string(),
                share(figures.right),
                interval_words(figures.right.low, figures.right.high),
                share(figures.exact),
                share(figures.ordered),
                mean_words(figures.f1),
                mean_words(figures.seconds),
                mean_words(figures.calls),
                money(figures.cost),
            ]
        }),
    )
}

fn obedience(comparison: &SweepComparison) -> Option<String> {
    let told: Vec<Vec<String>> = comparison
        .arms
        .iter()
        .filter_map(|arm| {
            let told = arm.figures.obedience?;
            Some(vec![
                arm.run.clone(),
                share(arm.figures.raw_exact),
                share(told.obeyed),
                interval_words(told.obeyed.low, told.obeyed.high),
                told.disobeyed.to_string(),
                told.unproven.to_string(),
                arm.figures.infrastructure.to_string(),
            ])
        })
        .collect();
    let header = [
        "told not to expand",
        "as published",
        "obeyed",
        "95 %",
        "disobeyed",
        "unproven",
        "lost",
    ];
    (!told.is_empty()).then(|| grid(&header, &[1, 2, 3, 4, 5, 6], told))
}

fn pairs(comparison: &SweepComparison) -> String {
    grid(
        &[
            "arm",
            "first",
            "second",
            "records",
            "right: first − second",
            "f1: first − second",
            "McNemar p",
        ],
        &[3, 4, 5, 6],
        comparison.pairs.iter().map(|pair| {
            vec![
                pair.arm.map_or("other", |arm| arm.as_str()).to_owned(),
                pair.first.clone(),
                pair.second.clone(),
                pair.records.to_string(),
                gap_words(pair.right),
                gap_words(pair.f1),
                probability(pair.mcnemar.p),
            ]
        }),
    )
}
