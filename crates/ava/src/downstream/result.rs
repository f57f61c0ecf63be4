//! What the commands write of a downstream task, and a table reads again.

use serde::{Deserialize, Serialize};

use super::{AlignmentFigures, TaxonomyFigures};

/// A model on a downstream task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DownstreamResult<Figures> {
    /// The task: what its ontologies are called.
    pub task: String,
    /// The model.
    pub model: String,
    /// What it was fine-tuned with, where that was said.
    #[serde(default)]
    pub tuning: Option<String>,
    /// Nearest ones that each class was paired with; unknown where the pairs were found elsewhere.
    pub top_k: Option<u16>,
    /// How the pairs compare with what is true.
    #[serde(flatten)]
    pub figures: Figures,
}

/// A model on an alignment.
///
/// ```
/// let found: ava::AlignmentResult = serde_json::from_str(
///     r#"{"task": "Mouse–Human", "model": "m", "top_k": 1, "hits": 1, "predictions": 2, "reference": 4, "precision": 50, "recall": 25,
///         "f1": 33.3, "ignored": 0, "subsumptions": 0}"#,
/// )?;
/// assert_eq!(found.figures.reference, 4);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub type AlignmentResult = DownstreamResult<AlignmentFigures>;

/// A model on a taxonomy.
pub type TaxonomyResult = DownstreamResult<TaxonomyFigures>;
