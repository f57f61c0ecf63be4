//! The ranking figures of some triplets.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::interval::{ClusterSum, Interval, interval};
use super::{Classification, Judged, Threshold};
use crate::filter::HARD_FROM;

/// What a tie counts in the mean reciprocal rank: two candidates share ranks 1 and 2, and 1 / 1.5 is 2/3.
const TIE_RANK: f64 = 2.0 / 3.0;

/// The ranking figures of some triplets. A positive is right when its cosine with the anchor is the greater; a tie is wrong.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// How many triplets.
    pub triplets: usize,
    /// Of those, right.
    pub right: usize,
    /// Of those, with two cosines that are equal.
    pub ties: usize,
    /// Of those, with two cosines that are nearer than the stated distance; ties among them.
    pub near_ties: usize,
    /// `right / triplets`.
    pub triplet_accuracy: Option<f64>,
    /// Its interval over ontologies.
    pub triplet_accuracy_interval: Option<Interval>,
    /// How many of the triplets are hard.
    pub hard: usize,
    /// Of the hard, right.
    pub hard_right: usize,
    /// `hard_right / hard`.
    pub hard_negative_accuracy: Option<f64>,
    /// Its interval over ontologies.
    pub hard_negative_accuracy_interval: Option<Interval>,
    /// Of the hard, how many have a ratio of exactly 90: they are hard here, and not by "exceeds 90".
    #[serde(default)]
    pub hard_at_90: usize,
    /// Of those, right.
    #[serde(default)]
    pub hard_at_90_right: usize,
    /// The mean of 1 for a right one, 2/3 for a tie, 1/2 for a wrong one.
    pub mrr: Option<f64>,
    /// Its interval over ontologies.
    pub mrr_interval: Option<Interval>,
}

/// The figures of the triplets that have something in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// What they have in common; `None` for those that do not state it.
    pub name: Option<String>,
    /// Their figures.
    #[serde(flatten)]
    pub figures: Figures,
    /// Their two classes told apart, at the threshold of the whole set; older files lack it.
    #[serde(default)]
    pub classification: Option<Classification>,
}

/// What figures are made with.
#[derive(Clone, Copy)]
pub(super) struct Making {
    pub(super) near_tie: f64,
    pub(super) resamples: u32,
    pub(super) seed: u64,
}

impl Figures {
    /// The accuracy on negatives that exceed 90, those at exactly 90 left out.
    pub fn accuracy_beyond_90(&self) -> Option<f64> {
        let hard = self.hard - self.hard_at_90;
        (hard > 0).then(|| (self.hard_right - self.hard_at_90_right) as f64 / hard as f64)
    }

    pub(super) fn of<'j>(rows: impl IntoIterator<Item = &'j Judged>, making: Making) -> Self {
        let mut figures = Self::default();
        let mut ranks = 0.0;
        // Per ontology: all, the hard, the reciprocal ranks.
        let mut clusters: BTreeMap<Option<&str>, [ClusterSum; 3]> = BTreeMap::new();
        for row in rows {
            let margin = row.cosines.margin();
            let is_right = row.cosines.is_right();
            let is_tie = margin == 0.0;
            let rank = match (is_right, is_tie) {
                (true, _) => 1.0,
                (_, true) => TIE_RANK,
                _ => 0.5,
            };
            let hit = if is_right { 1.0 } else { 0.0 };
            figures.triplets += 1;
            figures.right += usize::from(is_right);
            figures.ties += usize::from(is_tie);
            figures.near_ties += usize::from(margin.abs() <= making.near_tie);
            ranks += rank;
            let [all, hard, reciprocal] = clusters.entry(row.ontology.as_deref()).or_default();
            all.add(hit);
            reciprocal.add(rank);
            if row.is_hard() {
                let is_at_border = usize::from(row.anchor_negative == Some(HARD_FROM));
                figures.hard += 1;
                figures.hard_right += usize::from(is_right);
                figures.hard_at_90 += is_at_border;
                figures.hard_at_90_right += is_at_border * usize::from(is_right);
                hard.add(hit);
            }
        }
        let mean = |sum: f64, count: usize| (count > 0).then(|| sum / count as f64);
        figures.triplet_accuracy = mean(figures.right as f64, figures.triplets);
        figures.hard_negative_accuracy = mean(figures.hard_right as f64, figures.hard);
        figures.mrr = mean(ranks, figures.triplets);
        let [all, hard, reciprocal] = [0, 1, 2].map(|which: usize| {
            let sums: Vec<ClusterSum> = clusters.values().map(|sums| sums[which]).collect();
            interval(&sums, making.resamples, making.seed)
        });
        figures.triplet_accuracy_interval = all;
        figures.hard_negative_accuracy_interval = hard;
        figures.mrr_interval = reciprocal;
        figures
    }
}

impl ClusterSum {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }
}

impl Group {
    /// The figures of each group, by name; those without a name last.
    pub(super) fn all<'j>(
        rows: &'j [Judged],
        name: impl Fn(&'j Judged) -> Option<&'j str>,
        threshold: &Threshold,
        making: Making,
    ) -> Vec<Self> {
        let mut groups: BTreeMap<(bool, &str), Vec<&Judged>> = BTreeMap::new();
        for row in rows {
            let name = name(row);
            groups
                .entry((name.is_none(), name.unwrap_or_default()))
                .or_default()
                .push(row);
        }
        groups
            .into_iter()
            .map(|((is_unnamed, name), rows)| Self {
                name: (!is_unnamed).then(|| name.to_owned()),
                figures: Figures::of(rows.iter().copied(), making),
                classification: Classification::of(rows, threshold, making),
            })
            .collect()
    }
}
