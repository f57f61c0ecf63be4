//! Result files: AVA's, and ours around it.

use serde::{Deserialize, Deserializer, Serialize};

use super::Evaluation;
use crate::json::{Between, Expected, read_json};
use crate::problem::Problem;

/// What AVA's result files say of a split, under its names. Older files lack the last two; `null` where a figure does not
/// exist, such as the accuracy on hard negatives of a set without any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AvaResult {
    /// The share of triplets whose positive is nearer to the anchor than the negative.
    #[serde(default, deserialize_with = "share_if_known")]
    pub triplet_accuracy: Option<f64>,
    /// The mean reciprocal rank of the positive among the two.
    #[serde(rename = "MRR")]
    #[serde(default, deserialize_with = "share_if_known")]
    pub mrr: Option<f64>,
    /// The same as the triplet accuracy, by construction.
    #[serde(rename = "Recall@1")]
    #[serde(default, deserialize_with = "share_if_known")]
    pub recall_at_1: Option<f64>,
    /// The triplet accuracy on hard negatives.
    #[serde(default, deserialize_with = "share_if_known")]
    pub hard_negative_acc: Option<f64>,
    /// The threshold of the next four figures; the name is AVA's, the value fixed beforehand or tuned elsewhere.
    pub best_threshold: Option<f64>,
    /// The share of pairs told right at the threshold.
    #[serde(default, deserialize_with = "share_if_known")]
    pub accuracy: Option<f64>,
    /// Precision at the threshold.
    #[serde(default, deserialize_with = "share_if_known")]
    pub precision: Option<f64>,
    /// Recall at the threshold.
    #[serde(default, deserialize_with = "share_if_known")]
    pub recall: Option<f64>,
    /// F1 at the threshold.
    #[serde(default, deserialize_with = "share_if_known")]
    pub f1: Option<f64>,
    /// The area under the ROC curve.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(default, deserialize_with = "share_if_known")]
    pub roc_auc: Option<f64>,
    /// The average precision.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(default, deserialize_with = "share_if_known")]
    pub avg_precision: Option<f64>,
}

/// A figure from 0 to 1, but for the rounding of a sum, or none.
pub(super) fn share_if_known<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    figure_up_to(1.0).read_if_known(from)
}

/// A figure from 0 to `most`, but for the rounding of a sum.
pub(crate) const fn figure_up_to(most: f64) -> Between {
    Between {
        what: "a figure",
        least: 0.0,
        most,
        rounding: 1e-9,
    }
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

/// A result file: AVA's members under `test`, our other figures under `details`. AVA's own files have no details.
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
    /// How they were made. Only read here: whoever runs models knows more, and writes all of it.
    #[serde(default, skip_serializing)]
    pub run: Option<RunFacts>,
}

/// What a result file says of the run that made it, as far as others need it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RunFacts {
    /// The model's name.
    pub model: String,
    /// What it was fine-tuned with, where that was said.
    #[serde(default)]
    pub tuning: Option<String>,
    /// The set that it was judged on.
    pub data: String,
    /// The SHA-256 of that set, in hexadecimal digits.
    #[serde(default)]
    pub data_sha256: Option<String>,
    /// The file of its [`Detailed`](super::Detailed) triplets, if one was written.
    #[serde(default)]
    pub triplets: Option<TripletsFile>,
}

impl RunFacts {
    /// The model with what it was fine-tuned with, as it is listed.
    pub fn listed(&self) -> String {
        listed(&self.model, self.tuning.as_deref())
    }
}

/// A model with what it was fine-tuned with: a model and itself before are two.
pub fn listed(model: &str, tuning: Option<&str>) -> String {
    match tuning {
        Some(tuning) => format!("{model}, {tuning}"),
        None => model.to_owned(),
    }
}

/// A file of triplets with a model's cosines, beside its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TripletsFile {
    /// Its path, relative to the folder of the result file unless it is absolute.
    pub file: String,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
}

const EXPECTED: Expected<'_> = Expected {
    what: "result file",
    remedy: "give a result file: {\"test\": {\"triplet_accuracy\": …}}",
    number: "write a figure from 0 to 1 there, or null where there is none",
    texts: &[],
};

impl ResultFile {
    /// Reads a result file, AVA's or ours.
    ///
    /// ```
    /// let problem = ava::ResultFile::read(b"{\"test\": {\"MRR\": 1}}").unwrap_err();
    /// assert_eq!(problem.to_string(), "1:1: no result file: `test` has no `triplet_accuracy`");
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Self, Problem> {
        let read: Self = read_json(bytes, &EXPECTED)?;
        if read.test.triplet_accuracy.is_none() {
            let message = "no result file: `test` has no `triplet_accuracy`".to_owned();
            return Err(Problem::at_the_start(message, EXPECTED.remedy));
        }
        Ok(read)
    }
}

impl From<Evaluation> for ResultFile {
    fn from(evaluation: Evaluation) -> Self {
        Self {
            test: AvaResult::from(&evaluation),
            details: Some(evaluation),
            run: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::AvaResult;

    #[test]
    fn figures_are_shares() {
        let read = |text: &str| serde_json::from_str::<AvaResult>(text);
        let known =
            read(r#"{"triplet_accuracy": 1, "MRR": null, "best_threshold": -0.5}"#).unwrap();
        assert_eq!((known.triplet_accuracy, known.mrr), (Some(1.0), None));
        for figure in ["1.5", "-0.1"] {
            let error = read(&format!("{{\"triplet_accuracy\":\n {figure}}}")).unwrap_err();
            let said = error.to_string();
            assert!(
                said.contains(&format!("from 0 to 1, found {figure}")),
                "{said}"
            );
            assert_eq!(error.line(), 2, "{said}");
        }
    }
}
