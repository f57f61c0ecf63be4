//! What a model's nearest neighbours are worth beyond triplets: ontologies aligned, and taxonomies discovered.

mod alignment;
mod result;
mod taxonomy;

use serde::Deserializer;

use crate::metrics::{figure_up_to, ratio};

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
    figure_up_to(1.0).read(from)
}

/// A figure of a file, in percent.
fn percent<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    figure_up_to(100.0).read(from)
}
