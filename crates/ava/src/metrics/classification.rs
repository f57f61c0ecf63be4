//! Positives told from negatives by one cosine.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::group::Making;
use super::interval::{Interval, resampled};
use super::{Judged, Threshold, ThresholdOrigin};

/// The resamples of the intervals of ROC-AUC and average precision, of which each goes through all cosines: as many as of
/// the others, but no more than this.
const CURVE_RESAMPLES: u32 = 1_000;

/// Positives told from negatives by their cosine with the anchor, two pairs a triplet. The intervals are over ontologies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Classification {
    /// From this cosine on, a pair is taken for a positive.
    pub threshold: f64,
    /// Where the threshold comes from.
    pub origin: ThresholdOrigin,
    /// The counts at the threshold.
    pub confusion: Confusion,
    /// The share of pairs told right.
    pub accuracy: f64,
    /// Its interval.
    #[serde(default)]
    pub accuracy_interval: Option<Interval>,
    /// The share of positives among those taken for positives; 0 where none was.
    pub precision: f64,
    /// Its interval.
    #[serde(default)]
    pub precision_interval: Option<Interval>,
    /// The share of positives that were taken for positives.
    pub recall: f64,
    /// Its interval.
    #[serde(default)]
    pub recall_interval: Option<Interval>,
    /// The harmonic mean of precision and recall.
    pub f1: f64,
    /// Its interval.
    #[serde(default)]
    pub f1_interval: Option<Interval>,
    /// The area under the ROC curve, over all thresholds.
    pub roc_auc: f64,
    /// Its interval, of 1,000 resamples at most.
    #[serde(default)]
    pub roc_auc_interval: Option<Interval>,
    /// The average precision, over all thresholds.
    pub avg_precision: f64,
    /// Its interval, of 1,000 resamples at most.
    #[serde(default)]
    pub avg_precision_interval: Option<Interval>,
}

impl Classification {
    /// Of some triplets; `None` of no triplet.
    pub(super) fn of<'j>(
        rows: impl IntoIterator<Item = &'j Judged>,
        threshold: &Threshold,
        making: Making,
    ) -> Option<Self> {
        let mut ontologies: BTreeMap<Option<&str>, Vec<(f64, bool)>> = BTreeMap::new();
        for row in rows {
            let pairs = ontologies.entry(row.ontology.as_deref()).or_default();
            pairs.extend(row.pairs());
        }
        let clusters: Vec<Vec<(f64, bool)>> = ontologies.into_values().collect();
        let counts: Vec<Confusion> = clusters
            .iter()
            .map(|pairs| Confusion::at(threshold.value(), pairs))
            .collect();
        let mut confusion = Confusion::default();
        for of_one in &counts {
            confusion += *of_one;
        }
        let Making {
            resamples, seed, ..
        } = making;
        let told = resampled(clusters.len(), resamples, seed, |drawn| {
            let mut sum = Confusion::default();
            for at in drawn {
                sum += counts[*at];
            }
            [sum.accuracy(), sum.precision(), sum.recall(), sum.f1()]
        });
        let curve = Curve::of(&clusters);
        let whole = curve.drawn(&vec![1; clusters.len()]);
        let fewer = resamples.min(CURVE_RESAMPLES);
        let over = resampled(clusters.len(), fewer, seed, |drawn| {
            let mut times = vec![0; clusters.len()];
            for at in drawn {
                times[*at] += 1;
            }
            let groups = curve.drawn(&times);
            // Every triplet has a pair of either kind, so the figures are there.
            [area(&groups), precision_over(&groups)].map(Option::unwrap_or_default)
        });
        Some(Self {
            threshold: threshold.value(),
            origin: threshold.origin(),
            confusion,
            accuracy: confusion.accuracy(),
            accuracy_interval: told.map(|all| all[0]),
            precision: confusion.precision(),
            precision_interval: told.map(|all| all[1]),
            recall: confusion.recall(),
            recall_interval: told.map(|all| all[2]),
            f1: confusion.f1(),
            f1_interval: told.map(|all| all[3]),
            roc_auc: area(&whole)?,
            roc_auc_interval: over.map(|both| both[0]),
            avg_precision: precision_over(&whole)?,
            avg_precision_interval: over.map(|both| both[1]),
        })
    }
}

/// The pairs of all clusters in the order of their scores, the highest first, so that resamples need not sort them again.
struct Curve {
    /// For each score, whose pairs have it: the cluster, and whether it is a positive's.
    ties: Vec<Vec<(usize, bool)>>,
}

impl Curve {
    fn of(clusters: &[Vec<(f64, bool)>]) -> Self {
        let pairs = clusters.iter().enumerate();
        let mut all: Vec<(f64, (usize, bool))> = pairs
            .flat_map(|(at, pairs)| pairs.iter().map(move |pair| (pair.0, (at, pair.1))))
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        Self {
            ties: tied(&all)
                .map(|group| group.iter().map(|(_, whose)| *whose).collect())
                .collect(),
        }
    }

    /// How many positives and negatives have each score where each cluster was drawn so many times.
    fn drawn(&self, times: &[usize]) -> Vec<(usize, usize)> {
        let counted = self.ties.iter().map(|group| {
            group
                .iter()
                .fold((0, 0), |(positives, negatives), (at, is_positive)| {
                    if *is_positive {
                        (positives + times[*at], negatives)
                    } else {
                        (positives, negatives + times[*at])
                    }
                })
        });
        counted.collect()
    }
}

/// How many pairs were told right and wrong at a threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confusion {
    /// Positives from the threshold on.
    pub true_positives: usize,
    /// Negatives from the threshold on.
    pub false_positives: usize,
    /// Positives below it.
    pub false_negatives: usize,
    /// Negatives below it.
    pub true_negatives: usize,
}

impl Confusion {
    /// Counts pairs of a score and whether it is a positive's; a score at the threshold is taken for a positive's.
    pub fn at(threshold: f64, pairs: &[(f64, bool)]) -> Self {
        let mut counts = Self::default();
        for &(score, is_positive) in pairs {
            *match (score >= threshold, is_positive) {
                (true, true) => &mut counts.true_positives,
                (true, false) => &mut counts.false_positives,
                (false, true) => &mut counts.false_negatives,
                (false, false) => &mut counts.true_negatives,
            } += 1;
        }
        counts
    }

    /// The share of pairs told right.
    pub fn accuracy(&self) -> f64 {
        let right = self.true_positives + self.true_negatives;
        ratio(right, right + self.false_positives + self.false_negatives)
    }

    /// The share of positives among those taken for positives; 0 where none was.
    pub fn precision(&self) -> f64 {
        ratio(
            self.true_positives,
            self.true_positives + self.false_positives,
        )
    }

    /// The share of positives that were taken for positives.
    pub fn recall(&self) -> f64 {
        ratio(
            self.true_positives,
            self.true_positives + self.false_negatives,
        )
    }

    /// The harmonic mean of precision and recall; 0 where both are.
    pub fn f1(&self) -> f64 {
        let wrong = self.false_positives + self.false_negatives;
        ratio(2 * self.true_positives, 2 * self.true_positives + wrong)
    }
}

impl AddAssign for Confusion {
    fn add_assign(&mut self, other: Self) {
        self.true_positives += other.true_positives;
        self.false_positives += other.false_positives;
        self.false_negatives += other.false_negatives;
        self.true_negatives += other.true_negatives;
    }
}

/// `part / whole`, and 0 of nothing.
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// The area under the ROC curve: the chance that a positive scores above a negative, ties half (Hanley & `McNeil` 1982);
/// `None` without both kinds. Scores are finite numbers.
///
/// ```
/// assert_eq!(ava::roc_auc(&[(0.9, true), (0.5, true), (0.5, false), (0.1, false)]), Some(0.875));
/// ```
pub fn roc_auc(pairs: &[(f64, bool)]) -> Option<f64> {
    area(&by_score(pairs))
}

/// The same of positives and negatives with each score, the highest first.
fn area(groups: &[(usize, usize)]) -> Option<f64> {
    let (positives, negatives) = both_kinds(groups)?;
    let mut negatives_above = 0;
    // Twice the number of pairs of a positive above a negative, so that a tie's half is a whole number.
    let mut doubled: u128 = 0;
    for (tied_positives, tied_negatives) in groups {
        let below = negatives - negatives_above - tied_negatives;
        doubled += *tied_positives as u128 * (2 * below + tied_negatives) as u128;
        negatives_above += tied_negatives;
    }
    Some(doubled as f64 / (2.0 * positives as f64 * negatives as f64))
}

/// The average precision, as scikit-learn defines it: Σ (Rₙ − Rₙ₋₁) Pₙ over the distinct scores, the highest first, without
/// interpolation; `None` without both kinds.
pub fn average_precision(pairs: &[(f64, bool)]) -> Option<f64> {
    precision_over(&by_score(pairs))
}

/// The same of positives and negatives with each score, the highest first.
fn precision_over(groups: &[(usize, usize)]) -> Option<f64> {
    let (positives, _) = both_kinds(groups)?;
    let (mut found, mut taken) = (0, 0);
    let mut sum = 0.0;
    for (tied_positives, tied_negatives) in groups {
        found += tied_positives;
        taken += tied_positives + tied_negatives;
        if *tied_positives > 0 {
            sum += *tied_positives as f64 * (found as f64 / taken as f64);
        }
    }
    Some(sum / positives as f64)
}

fn both_kinds(groups: &[(usize, usize)]) -> Option<(usize, usize)> {
    let sums = |(p, n): (usize, usize), group: &(usize, usize)| (p + group.0, n + group.1);
    let (positives, negatives) = groups.iter().fold((0, 0), sums);
    (positives > 0 && negatives > 0).then_some((positives, negatives))
}

/// How many positives and negatives have each distinct score, the highest first.
pub(super) fn by_score(pairs: &[(f64, bool)]) -> Vec<(usize, usize)> {
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    tied(&sorted)
        .map(|group| {
            let positives = group.iter().filter(|(_, is_positive)| *is_positive).count();
            (positives, group.len() - positives)
        })
        .collect()
}

/// What has the same score, of what is sorted by it: minus zero and zero sort apart and are one score.
fn tied<T>(sorted: &[(f64, T)]) -> impl Iterator<Item = &[(f64, T)]> {
    #[expect(
        clippy::float_cmp,
        reason = "the same score is a tie, a near one is not"
    )]
    sorted.chunk_by(|a, b| a.0 == b.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Case {
        anchor_positive: Vec<f64>,
        anchor_negative: Vec<f64>,
        threshold: f64,
        accuracy: f64,
        precision: f64,
        recall: f64,
        f1: f64,
        roc_auc: f64,
        avg_precision: f64,
    }

    #[test]
    fn figures_are_scikit_learn_s() {
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../test_data/classification.json")).unwrap();
        assert_eq!(cases.len(), 40);
        for case in cases {
            let positives = case.anchor_positive.iter().map(|&score| (score, true));
            let negatives = case.anchor_negative.iter().map(|&score| (score, false));
            let pairs: Vec<_> = positives.chain(negatives).collect();
            let counts = Confusion::at(case.threshold, &pairs);
            let figures = [
                (counts.accuracy(), case.accuracy),
                (counts.precision(), case.precision),
                (counts.recall(), case.recall),
                (counts.f1(), case.f1),
                (roc_auc(&pairs).unwrap(), case.roc_auc),
                (average_precision(&pairs).unwrap(), case.avg_precision),
            ];
            for (place, (here, there)) in figures.into_iter().enumerate() {
                assert!(
                    (here - there).abs() < 1e-12,
                    "figure {place}: {here} for {there}"
                );
            }
        }
    }

    #[test]
    fn one_kind_alone_has_no_curve() {
        for pairs in [&[][..], &[(0.5, true)], &[(0.5, false), (0.1, false)]] {
            assert_eq!((roc_auc(pairs), average_precision(pairs)), (None, None));
        }
        assert_eq!(roc_auc(&[(0.0, true), (-0.0, false)]), Some(0.5));
    }

    #[cfg(not(target_arch = "wasm32"))]
    proptest::proptest! {
        #[test]
        fn an_area_turns_round_with_the_scores_and_ignores_their_order(
            pairs in proptest::collection::vec((-5_i32..5, proptest::bool::ANY), 0..60),
        ) {
            let pairs: Vec<(f64, bool)> = pairs.into_iter().map(|(score, kind)| (f64::from(score), kind)).collect();
            let turned: Vec<(f64, bool)> = pairs.iter().rev().map(|&(score, kind)| (-score, kind)).collect();
            match (roc_auc(&pairs), roc_auc(&turned)) {
                (Some(area), Some(other)) => assert!((area + other - 1.0).abs() < 1e-12),
                (area, other) => assert_eq!(area, other),
            }
            if let Some(precision) = average_precision(&pairs) {
                assert!(precision > 0.0 && precision <= 1.0);
            }
        }
    }
}
