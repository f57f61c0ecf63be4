//! The threshold of a classification, and where it comes from.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::classification::by_score;
use super::judged::key;
use super::{JudgedSet, MetricsError, Test, Tuning};
use crate::triplet::Triplet;

/// Where a threshold comes from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThresholdOrigin {
    /// Stated beforehand.
    Fixed,
    /// The one with the best F1 on another set.
    Tuned {
        /// Triplets of that set.
        triplets: usize,
        /// F1 there.
        f1: f64,
    },
}

/// A threshold that was stated, or tuned on another set than the one that is judged.
///
/// It remembers the triplets that it was tuned on, and [`evaluate`](super::evaluate()) refuses a set that has one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    value: f64,
    origin: ThresholdOrigin,
    tuned_on: FxHashSet<u64>,
}

impl Threshold {
    /// AVA's: 0.5, which every published result file has.
    pub fn published() -> Self {
        Self {
            value: 0.5,
            origin: ThresholdOrigin::Fixed,
            tuned_on: FxHashSet::default(),
        }
    }

    /// A threshold stated beforehand.
    pub fn fixed(value: f64) -> Result<Self, MetricsError> {
        if value.is_finite() {
            Ok(Self {
                value,
                ..Self::published()
            })
        } else {
            Err(MetricsError::Threshold(value))
        }
    }

    /// The cosine of the set with the best F1; of several, the highest.
    pub fn tuned(set: &JudgedSet<Tuning>) -> Self {
        let pairs = set.pairs();
        let mut scores: Vec<f64> = pairs.iter().map(|&(score, _)| score).collect();
        scores.sort_by(|a, b| b.total_cmp(a));
        #[expect(clippy::float_cmp, reason = "the same score twice is one threshold")]
        scores.dedup_by(|a, b| a == b);
        let positives = set.rows().len();
        let (mut found, mut taken) = (0, 0);
        let (mut value, mut best) = (scores.first().copied().unwrap_or(0.5), 0.0);
        for (score, (tied_positives, tied_negatives)) in scores.into_iter().zip(by_score(&pairs)) {
            found += tied_positives;
            taken += tied_positives + tied_negatives;
            let f1 = 2.0 * found as f64 / (taken + positives) as f64;
            if f1 > best {
                (value, best) = (score, f1);
            }
        }
        Self {
            value,
            origin: ThresholdOrigin::Tuned {
                triplets: positives,
                f1: best,
            },
            tuned_on: set.rows().iter().map(|row| row.key).collect(),
        }
    }

    /// From this cosine on, a pair is taken for a positive.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Where it comes from.
    pub fn origin(&self) -> ThresholdOrigin {
        self.origin
    }

    /// An error if it was tuned on a triplet of this set.
    pub(super) fn may_judge(&self, set: &JudgedSet<Test>) -> Result<(), MetricsError> {
        apart(&self.tuned_on, set.rows().iter().map(|row| row.key))
    }
}

/// An error if a set to tune on has a triplet of the set that is to be judged: what [`evaluate`](super::evaluate()) refuses,
/// before any vector is computed.
pub fn tuned_apart(judged: &[Triplet], tuning: &[Triplet]) -> Result<(), MetricsError> {
    apart(&tuning.iter().map(key).collect(), judged.iter().map(key))
}

fn apart(tuned_on: &FxHashSet<u64>, judged: impl Iterator<Item = u64>) -> Result<(), MetricsError> {
    match judged.filter(|key| tuned_on.contains(key)).count() {
        0 => Ok(()),
        shared => Err(MetricsError::TunedOnTest { shared }),
    }
}
