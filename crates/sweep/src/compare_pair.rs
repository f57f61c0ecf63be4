//! Two sweeps side by side on one arm.

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
    /// Right or not, attempt by attempt: the same number at the same record.
    pub mcnemar: McNemar,
    /// Attempts of either that have no counterpart, or whose counterpart or themselves do not count.
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

/// Right or not on both sides, and how many attempts are in no pair.
fn outcomes(first: &Sweep, second: &Sweep, shared: &[&String]) -> (Vec<(bool, bool)>, u32) {
    let mut pairs = Vec::new();
    let mut all = 0;
    for record in shared {
        let (Some(ours), Some(theirs)) = (first.at(record), second.at(record)) else {
            continue;
        };
        all += ours.len() + theirs.len();
        pairs
            .extend(ours.iter().filter_map(|(n, attempt)| {
                Some((attempt.is_right()?, theirs.get(n)?.is_right()?))
            }));
    }
    let left_out = size(all - 2 * pairs.len());
    (pairs, left_out)
}
