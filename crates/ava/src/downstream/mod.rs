//! What a model's nearest neighbours are worth beyond triplets: ontologies aligned, and taxonomies discovered.

mod alignment;
mod result;
mod taxonomy;

use serde::{Deserialize, Deserializer};

use crate::metrics::{at_most, ratio};

pub use alignment::{
    AlignmentFigures, Candidate, Pair, Reference, Verdict, alignment_figures, at_least, one_to_one,
};
pub use result::{AlignmentResult, DownstreamResult, ModelResult, TaxonomyResult};
pub use taxonomy::{TaxonomyFigures, TaxonomyScore, both_directions, taxonomy_score};

/// Precision, recall and F1 of a set of predictions, where `whole` is all: 1, or 100 for percentages.
fn shares(hits: usize, predicted: usize, truths: usize, whole: f64) -> [f64; 3] {
    [
        whole * ratio(hits, predicted),
        whole * ratio(hits, truths),
        whole * ratio(2 * hits, predicted + truths),
    ]
}

/// A figure of a file, from 0 to 1.
fn share<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    at_most(f64::deserialize(from)?, 1.0)
}

/// A figure of a file, in percent.
fn percent<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    at_most(f64::deserialize(from)?, 100.0)
}
