//! What a model's vectors make of a set of triplets.

mod classification;
mod cosine;
mod detailed;
mod error;
mod evaluation;
mod group;
mod interval;
mod judged;
mod result;
mod threshold;

pub(crate) use classification::ratio;
pub use classification::{Classification, Confusion, average_precision, roc_auc};
pub use cosine::{Cosines, cosine, read_cosines};
pub use detailed::Detailed;
pub use error::MetricsError;
pub use evaluation::{EvaluateOptions, Evaluation, evaluate};
pub use group::{Figures, Group};
pub use interval::{Interval, RESAMPLES};
pub use judged::{Judged, JudgedSet, Test, Tuning};
pub(crate) use result::figure_up_to;
pub use result::{AvaResult, ResultFile, RunFacts, TripletsFile, listed};
pub use threshold::{Threshold, ThresholdOrigin, tuned_apart};
