//! Why vectors or cosines cannot be judged.

use crate::filter::Text;

/// Why vectors or cosines cannot be judged. Rows count from 1, in the order of the triplets.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MetricsError {
    /// A component of a vector is not a number, or infinite.
    #[error("row {row}: component {component} of the {text}'s vector is {value}")]
    NotFinite {
        /// The triplet.
        row: usize,
        /// Which of its texts.
        text: Text,
        /// The component, from 1.
        component: usize,
        /// What it is.
        value: f64,
    },
    /// A vector of length 0 has no direction, so no cosine.
    #[error("row {row}: the {text}'s vector is zero in every component, so it has no cosine")]
    Zero {
        /// The triplet.
        row: usize,
        /// Which of its texts.
        text: Text,
    },
    /// Vectors that are compared have different lengths, or none.
    #[error("row {row}: the {text}'s vector has {found} components, the anchor's {expected}")]
    Dimensions {
        /// The triplet.
        row: usize,
        /// Which of its texts.
        text: Text,
        /// Its components.
        found: usize,
        /// The anchor's.
        expected: usize,
    },
    /// A cosine is not a number, or infinite.
    #[error("row {row}: the cosine of {first} and {second} is {value}")]
    Cosine {
        /// The triplet.
        row: usize,
        /// One text.
        first: Text,
        /// The other.
        second: Text,
        /// What it is.
        value: f64,
    },
    /// There is no triplet to judge.
    #[error("there is no triplet to judge")]
    Empty,
    /// A threshold is not a finite number.
    #[error("the threshold is {0}, not a number")]
    Threshold(f64),
    /// A threshold was tuned on triplets of the set that is judged.
    #[error(
        "the threshold was tuned on {shared} of the triplets that are judged; tune it on another split"
    )]
    TunedOnTest {
        /// How many.
        shared: usize,
    },
}
