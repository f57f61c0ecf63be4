//! Sets of triplets with a model's cosines, each set with its role.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::marker::PhantomData;

use super::{Cosines, MetricsError};
use crate::filter::{HARD_FROM, Text};
use crate::triplet::Triplet;

/// A triplet and what a model's vectors make of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Tells the triplet from others: made from its three texts.
    pub key: u64,
    /// What the vectors make of it.
    pub cosines: Cosines,
    /// The ratio of anchor and negative, by which a negative is hard.
    pub anchor_negative: Option<f64>,
    /// Its ontology, where that is stated.
    pub ontology: Option<String>,
    /// The name of its kind of perturbation, where that is stated.
    pub perturbation: Option<String>,
    /// What made it, where that is stated.
    pub generator: Option<String>,
}

impl Judged {
    /// Takes over what a triplet says of itself; it is hard by the score that it carries, so a set is filtered first.
    pub fn new(triplet: &Triplet, cosines: Cosines) -> Self {
        Self {
            key: key(triplet),
            cosines,
            anchor_negative: triplet.scores.anchor_negative,
            ontology: triplet.source.clone(),
            perturbation: triplet
                .perturbation
                .as_ref()
                .map(|kind| kind.name().to_owned()),
            generator: triplet.generator.clone(),
        }
    }

    /// Its cosines with the anchor, each with whether it is the positive's.
    pub(super) fn pairs(&self) -> [(f64, bool); 2] {
        [
            (self.cosines.anchor_positive, true),
            (self.cosines.anchor_negative, false),
        ]
    }

    /// Whether its negative is hard: [`HARD_FROM`] is reached, 90 itself included.
    pub fn is_hard(&self) -> bool {
        self.anchor_negative.is_some_and(|ratio| ratio >= HARD_FROM)
    }
}

/// Tells a triplet from others: made from its three texts.
pub(super) fn key(triplet: &Triplet) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&triplet.anchor, &triplet.positive, &triplet.negative).hash(&mut hasher);
    hasher.finish()
}

/// The role of a set on which a model is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {}

/// The role of a set on which a threshold may be tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tuning {}

/// Triplets with their cosines, in one role: [`Test`] sets are judged, thresholds are tuned on [`Tuning`] sets, and
/// neither function takes the other kind.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedSet<Role> {
    rows: Vec<Judged>,
    role: PhantomData<Role>,
}

impl<Role> JudgedSet<Role> {
    /// At least one triplet, with cosines that are finite numbers.
    pub fn new(rows: Vec<Judged>) -> Result<Self, MetricsError> {
        if rows.is_empty() {
            return Err(MetricsError::Empty);
        }
        for (place, judged) in rows.iter().enumerate() {
            let cosines = judged.cosines;
            let pairs = [
                (Text::Anchor, Text::Positive, cosines.anchor_positive),
                (Text::Anchor, Text::Negative, cosines.anchor_negative),
                (Text::Positive, Text::Negative, cosines.positive_negative),
            ];
            for (first, second, value) in pairs {
                if !value.is_finite() {
                    return Err(MetricsError::Cosine {
                        row: place + 1,
                        first,
                        second,
                        value,
                    });
                }
            }
        }
        Ok(Self {
            rows,
            role: PhantomData,
        })
    }

    /// The triplets, in their order.
    pub fn rows(&self) -> &[Judged] {
        &self.rows
    }

    /// Every cosine with the anchor and whether it is a positive's.
    pub(super) fn pairs(&self) -> Vec<(f64, bool)> {
        self.rows.iter().flat_map(Judged::pairs).collect()
    }
}
