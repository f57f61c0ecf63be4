//! Result files: AVA's, and ours around it.

use serde::{Deserialize, Serialize};

use super::Evaluation;

/// What AVA's result files say of a split, under its names. Older files lack the last two; `null` where a figure does not
/// exist, such as the accuracy on hard negatives of a set without any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AvaResult {
    /// The share of triplets whose positive is nearer to the anchor than the negative.
    pub triplet_accuracy: Option<f64>,
    /// The mean reciprocal rank of the positive among the two.
    #[serde(rename = "MRR")]
    pub mrr: Option<f64>,
    /// The same as the triplet accuracy, by construction.
    #[serde(rename = "Recall@1")]
    pub recall_at_1: Option<f64>,
    /// The triplet accuracy on hard negatives.
    pub hard_negative_acc: Option<f64>,
    /// The threshold of the next four figures; the name is AVA's, the value fixed beforehand or tuned elsewhere.
    pub best_threshold: Option<f64>,
    /// The share of pairs told right at the threshold.
    pub accuracy: Option<f64>,
    /// Precision at the threshold.
    pub precision: Option<f64>,
    /// Recall at the threshold.
    pub recall: Option<f64>,
    /// F1 at the threshold.
    pub f1: Option<f64>,
    /// The area under the ROC curve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roc_auc: Option<f64>,
    /// The average precision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avg_precision: Option<f64>,
}

impl From<&Evaluation> for AvaResult {
    fn from(evaluation: &Evaluation) -> Self {
        let (overall, told) = (&evaluation.overall, &evaluation.classification);
        Self {
            triplet_accuracy: overall.triplet_accuracy,
            mrr: overall.mrr,
            recall_at_1: overall.triplet_accuracy,
            hard_negative_acc: overall.hard_negative_accuracy,
            best_threshold: Some(told.threshold),
            accuracy: Some(told.accuracy),
            precision: Some(told.precision),
            recall: Some(told.recall),
            f1: Some(told.f1),
            roc_auc: Some(told.roc_auc),
            avg_precision: Some(told.avg_precision),
        }
    }
}

/// A result file: AVA's members under `test`, everything else of ours under `details`. AVA's own files have no details.
///
/// ```
/// let published: ava::ResultFile = serde_json::from_str(r#"{"test": {"triplet_accuracy": 0.5, "hard_negative_acc": 0.25}}"#)?;
/// assert_eq!(published.test.hard_negative_acc, Some(0.25));
/// assert_eq!(published.details, None);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultFile {
    /// AVA's figures.
    #[serde(default)]
    pub test: AvaResult,
    /// Ours: counts, ties, intervals, groups, the threshold's origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Evaluation>,
}

impl From<Evaluation> for ResultFile {
    fn from(evaluation: Evaluation) -> Self {
        Self {
            test: AvaResult::from(&evaluation),
            details: Some(evaluation),
        }
    }
}
