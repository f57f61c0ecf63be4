//! Sweeps side by side: figures, differences with their uncertainty, and what may not stand in one table.

use std::collections::{BTreeMap, BTreeSet};

use record::{Arm, RecordName};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::compare_mix::{circumstances, kinds, mixed, unknown};
use crate::interval::size;
use crate::{
    Figures, Mix, Observation, Pair, RESAMPLES, ResultKind, Run, RunFacts, Version, path_ends,
};

/// How to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompareOptions {
    /// Compare sweeps over different builds, corpora or releases; they stay marked.
    pub allow_mixed: bool,
    /// Seed of the bootstrap: the same seed gives the same intervals.
    pub seed: u64,
    /// Resamples of the bootstrap.
    pub resamples: u32,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            allow_mixed: false,
            seed: 1,
            resamples: RESAMPLES,
        }
    }
}

/// Why sweeps cannot stand in one table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CompareError {
    /// Made-up and real data: no option allows that.
    #[error("results of different kinds never share a table: {}", by_kind(.0))]
    Kinds(Vec<(Option<ResultKind>, Vec<String>)>),
    /// Something that figures depend on differs.
    #[error("the sweeps were not made under the same circumstances; {}", listed(.0))]
    Mixed(Vec<Mix>),
    /// The same sweep came twice.
    #[error("{run} was given twice")]
    Same {
        /// Name of the sweep, with its folder.
        run: String,
    },
    /// The same attempt came twice.
    #[error("attempt {attempt} at {record} is in {run} twice")]
    Twice {
        /// Id of the sweep.
        run: String,
        /// Id of the record.
        record: String,
        /// Number of the attempt.
        attempt: u32,
    },
}

impl CompareError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Kinds(_) => "compare sweeps over the same data, each kind by itself",
            Self::Mixed(_) => {
                "compare sweeps over the same corpus, data and server build, or give --allow-mixed to see them marked"
            }
            Self::Same { .. } | Self::Twice { .. } => "give each folder once",
        }
    }
}

fn by_kind(kinds: &[(Option<ResultKind>, Vec<String>)]) -> String {
    let words = kinds.iter().map(|(kind, runs)| {
        let kind = kind.map_or("not known", ResultKind::as_str);
        format!("{kind} ({})", runs.join(", "))
    });
    words.collect::<Vec<_>>().join("; ")
}

fn listed(mixes: &[Mix]) -> String {
    let words: Vec<String> = mixes.iter().map(ToString::to_string).collect();
    words.join("; ")
}

/// Sweeps side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepComparison {
    /// Version of this format.
    pub format: Version<1>,
    /// Whether the data behind every figure are made up or live; `None` where no sweep says.
    pub kind: Option<ResultKind>,
    /// What differs between the sweeps though figures depend on it; empty unless that was allowed.
    pub mixed: Vec<Mix>,
    /// What a reader has to know about the figures.
    pub notes: Vec<String>,
    /// Seed of the bootstrap.
    pub seed: u64,
    /// Resamples of the bootstrap.
    pub resamples: u32,
    /// The sweeps, by id.
    pub runs: Vec<RunEntry>,
    /// The figures of each sweep over all records of an arm.
    pub arms: Vec<ArmFigures>,
    /// The figures of each sweep at each record.
    pub cells: Vec<RecordFigures>,
    /// Every two sweeps on every arm.
    pub pairs: Vec<Pair>,
}

/// A sweep of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunEntry {
    /// Its name in the comparison.
    pub id: String,
    /// Its condition, as far as it is known.
    pub facts: RunFacts,
    /// Records that it has attempts at.
    pub records: u32,
    /// Its attempts.
    pub attempts: u32,
}

/// The figures of one sweep over all records of an arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArmFigures {
    /// The arm; `None` for records whose names say none.
    pub arm: Option<Arm>,
    /// Id of the sweep.
    pub run: String,
    /// Records behind the figures.
    pub records: u32,
    /// Figures over all attempts together.
    pub figures: Figures,
}

/// The figures of one sweep at one record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordFigures {
    /// Id of the record.
    pub record: String,
    /// Its arm.
    pub arm: Option<Arm>,
    /// Id of the sweep.
    pub run: String,
    /// Figures over the attempts.
    pub figures: Figures,
}

/// Compares sweeps. The order in which they and their attempts are given changes nothing.
///
/// ```
/// use sweep::{CompareOptions, Observation, Outcome, Run, RunFacts, compare};
///
/// let answered = |attempt, exact| Observation {
///     record: "nde-expand_autoimmune".into(),
///     attempt,
///     outcome: Some(Outcome::Answered),
///     exact: Some(exact),
///     ..Observation::default()
/// };
/// // A third attempt was lost with its server: it is shown, and counts for nobody.
/// let lost = Observation { infrastructure: true, outcome: Some(Outcome::Timeout), ..answered(3, false) };
/// let run = Run {
///     folder: "runs".into(),
///     facts: RunFacts::default(),
///     observations: vec![answered(1, true), answered(2, false), lost],
/// };
/// let comparison = compare(vec![run], &CompareOptions::default())?;
/// let figures = &comparison.cells[0].figures;
/// assert_eq!((figures.asked, figures.right.hits, figures.right.of), (3, 1, 2));
/// # Ok::<(), sweep::CompareError>(())
/// ```
pub fn compare(runs: Vec<Run>, options: &CompareOptions) -> Result<SweepComparison, CompareError> {
    let sweeps = named(runs)?;
    let facts: Vec<(&str, &RunFacts)> = sweeps
        .iter()
        .map(|sweep| (sweep.id.as_str(), &sweep.facts))
        .collect();
    let kinds = kinds(&facts);
    if kinds.len() > 1 {
        return Err(CompareError::Kinds(kinds));
    }
    let mixed = mixed(&facts);
    if !mixed.is_empty() && !options.allow_mixed {
        return Err(CompareError::Mixed(mixed));
    }
    let arms = arms(&sweeps);
    let mut pairs = Vec::new();
    for &arm in &arms {
        for (place, first) in sweeps.iter().enumerate() {
            for second in &sweeps[place + 1..] {
                pairs.extend(Pair::of(arm, first, second, options));
            }
        }
    }
    Ok(SweepComparison {
        format: Version,
        kind: kinds.first().and_then(|(kind, _)| *kind),
        notes: notes(&facts, &sweeps, &mixed),
        mixed,
        seed: options.seed,
        resamples: options.resamples,
        arms: arms
            .iter()
            .flat_map(|&arm| sweeps.iter().filter_map(move |sweep| sweep.arm(arm)))
            .collect(),
        cells: cells(&sweeps),
        pairs,
        runs: sweeps.into_iter().map(Sweep::entry).collect(),
    })
}

/// A sweep by its name in the comparison, its attempts by record and number.
pub(crate) struct Sweep {
    pub(crate) id: String,
    facts: RunFacts,
    records: BTreeMap<String, BTreeMap<u32, Observation>>,
}

impl Sweep {
    pub(crate) fn new(id: String, run: Run) -> Result<Self, CompareError> {
        let mut records: BTreeMap<String, BTreeMap<u32, Observation>> = BTreeMap::new();
        for observation in run.observations {
            let (record, attempt) = (observation.record.clone(), observation.attempt);
            let attempts = records.entry(record.clone()).or_default();
            if attempts.insert(attempt, observation).is_some() {
                return Err(CompareError::Twice {
                    run: id,
                    record,
                    attempt,
                });
            }
        }
        Ok(Self {
            id,
            facts: run.facts,
            records,
        })
    }

    /// The attempts at a record, by number.
    pub(crate) fn at(&self, record: &str) -> Option<&BTreeMap<u32, Observation>> {
        self.records.get(record)
    }

    /// The records of an arm.
    pub(crate) fn of_arm(&self, arm: Option<Arm>) -> impl Iterator<Item = &String> {
        self.records
            .keys()
            .filter(move |record| arm_of(record) == arm)
    }

    /// The records that it has attempts at.
    pub(crate) fn records(&self) -> impl Iterator<Item = &String> {
        self.records.keys()
    }

    /// The figures at a record; those over nothing where it has no attempt there.
    pub(crate) fn figures(&self, record: &str) -> Figures {
        let attempts = self.at(record).into_iter().flat_map(BTreeMap::values);
        Figures::of_record(&attempts.collect::<Vec<_>>())
    }

    fn arm(&self, arm: Option<Arm>) -> Option<ArmFigures> {
        let records: Vec<&String> = self.of_arm(arm).collect();
        let attempts: Vec<&Observation> = records
            .iter()
            .flat_map(|record| self.records[*record].values())
            .collect();
        (!attempts.is_empty()).then(|| ArmFigures {
            arm,
            run: self.id.clone(),
            records: size(records.len()),
            figures: Figures::of_records(&attempts),
        })
    }

    fn attempts(&self) -> impl Iterator<Item = &Observation> {
        self.records.values().flat_map(BTreeMap::values)
    }

    fn entry(self) -> RunEntry {
        RunEntry {
            records: size(self.records.len()),
            attempts: size(self.attempts().count()),
            id: self.id,
            facts: self.facts,
        }
    }
}

/// The names of sweeps, given by label and folder: the label, and the end of the folder too where two share one.
pub fn sweep_names(sweeps: &[(String, String)]) -> Vec<String> {
    let mut by_label: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, (label, _)) in sweeps.iter().enumerate() {
        by_label.entry(label).or_default().push(at);
    }
    let mut names: Vec<String> = sweeps.iter().map(|(label, _)| label.clone()).collect();
    for same in by_label.into_values().filter(|same| same.len() > 1) {
        let folders: Vec<String> = same.iter().map(|at| sweeps[*at].1.clone()).collect();
        for (at, end) in same.into_iter().zip(path_ends(&folders, 1)) {
            names[at] = format!("{} ({end})", names[at]);
        }
    }
    names
}

/// The sweeps by name.
fn named(runs: Vec<Run>) -> Result<Vec<Sweep>, CompareError> {
    let given: Vec<(String, String)> = runs
        .iter()
        .map(|run| (run.facts.label(), run.folder.clone()))
        .collect();
    let mut sweeps = Vec::new();
    for (run, id) in runs.into_iter().zip(sweep_names(&given)) {
        sweeps.push(Sweep::new(id, run)?);
    }
    sweeps.sort_by(|a, b| a.id.cmp(&b.id));
    match sweeps.windows(2).find(|pair| pair[0].id == pair[1].id) {
        Some(pair) => Err(CompareError::Same {
            run: pair[0].id.clone(),
        }),
        None => Ok(sweeps),
    }
}

pub(crate) fn arm_of(record: &str) -> Option<Arm> {
    RecordName::from_file(record).arm
}

/// The arms that anybody was asked, the question first.
fn arms(sweeps: &[Sweep]) -> Vec<Option<Arm>> {
    let there: BTreeSet<Option<Arm>> = sweeps
        .iter()
        .flat_map(Sweep::records)
        .map(|record| arm_of(record))
        .collect();
    let order = [Some(Arm::Expand), Some(Arm::Exact), None];
    order
        .into_iter()
        .filter(|arm| there.contains(arm))
        .collect()
}

fn cells(sweeps: &[Sweep]) -> Vec<RecordFigures> {
    let records: BTreeSet<&String> = sweeps.iter().flat_map(Sweep::records).collect();
    let mut cells = Vec::new();
    for record in records {
        for sweep in sweeps.iter().filter(|sweep| sweep.at(record).is_some()) {
            cells.push(RecordFigures {
                record: record.clone(),
                arm: arm_of(record),
                run: sweep.id.clone(),
                figures: sweep.figures(record),
            });
        }
    }
    cells
}

fn notes(facts: &[(&str, &RunFacts)], sweeps: &[Sweep], mixed: &[Mix]) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(kind) = facts
        .first()
        .and_then(|(_, facts)| facts.provenance.as_ref())
        && kind.kind == ResultKind::Reconstruction
    {
        notes.push("reconstruction: the data were made up to reproduce published figures, and are not the live federation's".to_owned());
    }
    for mix in mixed {
        notes.push(format!("mixed, and so not comparable: {mix}"));
    }
    for (sweep, facts) in facts {
        if !facts.failed_canaries.is_empty() {
            let mended = facts.mended_since.as_ref().map(|since| {
                format!(" (it passed from {since} on, when what was lost was made again)")
            });
            notes.push(format!(
                "{sweep}: made over a server that failed {} before the first attempt{}, so that it measures that as well",
                facts.failed_canaries.join(", "),
                mended.unwrap_or_default()
            ));
        }
    }
    for sweep in sweeps {
        let attempts = sweep
            .records
            .values()
            .flat_map(|attempts| attempts.values());
        let retried: u32 = attempts.map(|attempt| attempt.lost_before).sum();
        if retried > 0 {
            notes.push(format!(
                "{}: {retried} attempts were lost to the infrastructure and made again; they lie beside the others and stand in no figure",
                sweep.id
            ));
        }
    }
    for what in unknown(facts) {
        notes.push(format!(
            "{}: not known for any of these sweeps",
            what.as_str()
        ));
    }
    for differs in circumstances(facts) {
        notes.push(format!("the sweeps differ in {differs}"));
    }
    let asked: BTreeSet<Vec<(&String, usize)>> = sweeps
        .iter()
        .map(|sweep| {
            let counts = sweep.records.iter();
            counts
                .map(|(record, attempts)| (record, attempts.len()))
                .collect()
        })
        .collect();
    if asked.len() > 1 {
        notes.push("the sweeps did not ask the same records equally often: compare them by record, or by the pairs below, which use shared records only".to_owned());
    }
    notes
}
