//! A model judged on a set.

use serde::{Deserialize, Serialize};

use super::group::Making;
use super::{
    Confusion, Figures, Group, JudgedSet, MetricsError, RESAMPLES, Test, Threshold,
    ThresholdOrigin, average_precision, roc_auc,
};

/// How a model is judged, beside the threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluateOptions {
    /// Two cosines that differ by no more than this are a near-tie: a model in another precision may rank them otherwise.
    pub near_tie: f64,
    /// Resamples of each interval; 0 for none.
    pub resamples: u32,
    /// Seed of the resampling.
    pub seed: u64,
}

impl Default for EvaluateOptions {
    fn default() -> Self {
        Self {
            near_tie: 1e-6,
            resamples: RESAMPLES,
            seed: 42,
        }
    }
}

/// Positives told from negatives by their cosine with the anchor, two pairs a triplet.
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
    /// The share of positives among those taken for positives; 0 where none was.
    pub precision: f64,
    /// The share of positives that were taken for positives.
    pub recall: f64,
    /// The harmonic mean of precision and recall.
    pub f1: f64,
    /// The area under the ROC curve, over all thresholds.
    pub roc_auc: f64,
    /// The average precision, over all thresholds.
    pub avg_precision: f64,
}

/// What a model makes of a set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The ranking figures of the whole set.
    pub overall: Figures,
    /// The two classes told apart.
    pub classification: Classification,
    /// The ranking figures of each kind of perturbation.
    pub by_perturbation: Vec<Group>,
    /// The ranking figures of each ontology.
    pub by_ontology: Vec<Group>,
    /// Cosines nearer than this are near-ties.
    pub near_tie: f64,
    /// Resamples of each interval.
    pub resamples: u32,
    /// Seed of the resampling.
    pub seed: u64,
}

/// Judges a model on a set, at a threshold that was not tuned on it.
///
/// ```
/// use ava::{Cosines, EvaluateOptions, Judged, JudgedSet, MetricsError, Test, Threshold, Triplet, evaluate};
///
/// let rows = [(0.9, 0.4), (0.7, 0.7), (0.3, 0.6)].into_iter().map(|(anchor_positive, anchor_negative)| {
///     Judged::new(&Triplet::default(), Cosines { anchor_positive, anchor_negative, positive_negative: 0.0 })
/// });
/// let set = JudgedSet::<Test>::new(rows.collect())?;
/// let found = evaluate(&set, &Threshold::published(), &EvaluateOptions::default())?;
/// assert_eq!((found.overall.right, found.overall.ties), (1, 1));
/// assert_eq!(found.overall.mrr, Some((1.0 + 2.0 / 3.0 + 0.5) / 3.0));
/// # Ok::<(), MetricsError>(())
/// ```
pub fn evaluate(
    set: &JudgedSet<Test>,
    threshold: &Threshold,
    options: &EvaluateOptions,
) -> Result<Evaluation, MetricsError> {
    threshold.may_judge(set)?;
    let making = Making {
        near_tie: options.near_tie,
        resamples: options.resamples,
        seed: options.seed,
    };
    let rows = set.rows();
    let pairs = set.pairs();
    let confusion = Confusion::at(threshold.value(), &pairs);
    let (Some(roc_auc), Some(avg_precision)) = (roc_auc(&pairs), average_precision(&pairs)) else {
        return Err(MetricsError::Empty);
    };
    Ok(Evaluation {
        overall: Figures::of(rows, making),
        classification: Classification {
            threshold: threshold.value(),
            origin: threshold.origin(),
            confusion,
            accuracy: confusion.accuracy(),
            precision: confusion.precision(),
            recall: confusion.recall(),
            f1: confusion.f1(),
            roc_auc,
            avg_precision,
        },
        by_perturbation: Group::all(rows, |row| row.perturbation.as_deref(), making),
        by_ontology: Group::all(rows, |row| row.ontology.as_deref(), making),
        near_tie: options.near_tie,
        resamples: options.resamples,
        seed: options.seed,
    })
}
