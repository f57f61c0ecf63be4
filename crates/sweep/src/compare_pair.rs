//! Two sweeps side by side on one arm.

use std::cmp::Ordering;

use record::Arm;
use serde::{Deserialize, Serialize};

use crate::compare::Sweep;
use crate::interval::size;
use crate::{Cluster, CompareOptions, Gap, McNemar, Observation, paired_bootstrap};

/// Two sweeps side by side on the records of an arm that both were asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The arm; `None` for records whose names say none.
    pub arm: Option<Arm>,
    /// Id of the first sweep.
    pub first: String,
    /// Id of the second sweep.
    pub second: String,
    /// Records that both were asked.
    pub records: u32,
    /// Difference of the shares of right answers.
    pub right: Option<Gap>,
    /// Difference of the shares of exact answers.
    pub exact: Option<Gap>,
    /// Difference of the mean f1.
    pub f1: Option<Gap>,
    /// Right or not, record by record: a side is right at a record where more than half of its attempts that count are.
    /// Attempts at one record are not independent, so that a record is one pair however often it was asked.
    pub mcnemar: McNemar,
    /// Records that are in no pair: a side has no attempt there that counts, or as many right ones as wrong.
    pub left_out: u32,
}

impl Pair {
    /// The two side by side; `None` where they share no record.
    pub(crate) fn of(
        arm: Option<Arm>,
        first: &Sweep,
        second: &Sweep,
        options: &CompareOptions,
    ) -> Option<Self> {
        let shared: Vec<&String> = first
            .of_arm(arm)
            .filter(|record| second.at(record).is_some())
            .collect();
        if shared.is_empty() {
            return None;
        }
        let gap = |figure: fn(&Observation) -> Option<f64>| {
            let clusters: Vec<Cluster> = shared
                .iter()
                .map(|record| cluster(first, second, record, figure))
                .collect();
            paired_bootstrap(&clusters, options.resamples, options.seed)
        };
        let (outcomes, left_out) = outcomes(first, second, &shared);
        Some(Self {
            arm,
            first: first.id.clone(),
            second: second.id.clone(),
            records: size(shared.len()),
            right: gap(|a| a.is_right().map(one_if)),
            exact: gap(|a| a.counted_exact().map(one_if)),
            f1: gap(Observation::counted_f1),
            mcnemar: McNemar::of(outcomes),
            left_out,
        })
    }
}

fn one_if(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}

fn cluster(
    first: &Sweep,
    second: &Sweep,
    record: &str,
    figure: fn(&Observation) -> Option<f64>,
) -> Cluster {
    let figures = |sweep: &Sweep| -> (f64, u32) {
        let attempts = sweep.at(record).into_iter().flat_map(|all| all.values());
        let known: Vec<f64> = attempts.filter_map(figure).collect();
        (known.iter().sum(), size(known.len()))
    };
    let ((first, first_of), (second, second_of)) = (figures(first), figures(second));
    Cluster {
        first,
        first_of,
        second,
        second_of,
    }
}

/// Right or not on both sides, record by record, and how many records are in no pair.
fn outcomes(first: &Sweep, second: &Sweep, shared: &[&String]) -> (Vec<(bool, bool)>, u32) {
    let pairs: Vec<(bool, bool)> = shared
        .iter()
        .filter_map(|record| {
            Some((
                most_are_right(first, record)?,
                most_are_right(second, record)?,
            ))
        })
        .collect();
    let left_out = size(shared.len() - pairs.len());
    (pairs, left_out)
}

/// Whether most attempts at a record that count are right; `None` for half of them, and for none.
fn most_are_right(sweep: &Sweep, record: &str) -> Option<bool> {
    let attempts = sweep.at(record)?.values();
    let right: Vec<bool> = attempts.filter_map(Observation::is_right).collect();
    let hits = right.iter().filter(|&&hit| hit).count();
    match (2 * hits).cmp(&right.len()) {
        Ordering::Greater => Some(true),
        Ordering::Less => Some(false),
        Ordering::Equal => None,
    }
}
