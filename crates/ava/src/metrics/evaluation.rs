//! A model judged on a set.

use serde::{Deserialize, Serialize};

use super::group::Making;
use super::{
    Classification, Figures, Group, Judged, JudgedSet, MetricsError, RESAMPLES, Test, Threshold,
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

/// What a model makes of a set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The ranking figures of the whole set.
    pub overall: Figures,
    /// The two classes told apart.
    pub classification: Classification,
    /// The figures of each kind of perturbation.
    pub by_perturbation: Vec<Group>,
    /// The figures of each ontology.
    pub by_ontology: Vec<Group>,
    /// The figures of what each generator made.
    #[serde(default)]
    pub by_generator: Vec<Group>,
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
    let groups = |name: fn(&Judged) -> Option<&str>| Group::all(rows, name, threshold, making);
    Ok(Evaluation {
        overall: Figures::of(rows, making),
        classification: Classification::of(rows, threshold, making).ok_or(MetricsError::Empty)?,
        by_perturbation: groups(|row| row.perturbation.as_deref()),
        by_ontology: groups(|row| row.ontology.as_deref()),
        by_generator: groups(|row| row.generator.as_deref()),
        near_tie: options.near_tie,
        resamples: options.resamples,
        seed: options.seed,
    })
}
