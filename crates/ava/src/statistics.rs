//! What a set of triplets is made of: the figures of the paper's table 2 for any set.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::filter::{CLOSE_BEYOND, HARD_FROM, LexicalScores};
use crate::lexical::{Processor, Scorer};
use crate::metrics::Cosines;
use crate::triplet::{Perturbation, Triplet};

/// How values are spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Their arithmetic mean.
    pub mean: f64,
    /// Their standard deviation, with one less than their number below the line; 0 for a single value.
    pub standard_deviation: f64,
    /// The least.
    pub minimum: f64,
    /// A quarter of the values lies below. Between two values it is interpolated, as numpy does by default.
    pub lower_quartile: f64,
    /// Half of the values lies below.
    pub median: f64,
    /// Three quarters of the values lie below.
    pub upper_quartile: f64,
    /// The greatest.
    pub maximum: f64,
}

impl Spread {
    /// The spread of some finite values; `None` of none.
    ///
    /// ```
    /// let spread = ava::Spread::of(&[4.0, 1.0, 2.0, 3.0]).unwrap();
    /// assert_eq!((spread.mean, spread.lower_quartile, spread.median), (2.5, 1.75, 2.5));
    /// ```
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (&minimum, &maximum) = (sorted.first()?, sorted.last()?);
        let count = sorted.len() as f64;
        let mean = sorted.iter().sum::<f64>() / count;
        let squares: f64 = sorted.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Self {
            mean,
            standard_deviation: (squares / (count - 1.0).max(1.0)).sqrt(),
            minimum,
            lower_quartile: quantile(&sorted, 1),
            median: quantile(&sorted, 2),
            upper_quartile: quantile(&sorted, 3),
            maximum,
        })
    }
}

/// The `quarters`-th quartile of sorted values, at least one.
fn quantile(sorted: &[f64], quarters: usize) -> f64 {
    // In quarters of a step, so that the place is exact.
    let place = (sorted.len() - 1) * quarters;
    let (below, beyond) = (place / 4, (place % 4) as f64 / 4.0);
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * beyond
}

/// How the similarities of the three pairs are spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairStatistics {
    /// Anchor and positive.
    pub anchor_positive: Spread,
    /// Anchor and negative.
    pub anchor_negative: Spread,
    /// Positive and negative.
    pub positive_negative: Spread,
}

/// What a set of triplets is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetStatistics {
    /// Triplets.
    pub triplets: usize,
    /// Of those, with a hard negative.
    pub hard: usize,
    /// Of those, with an anchor–negative ratio of exactly 90.
    pub anchor_negative_at_90: usize,
    /// Of those, with a positive–negative ratio beyond 90.
    pub positive_negative_beyond_90: usize,
    /// Different ontologies.
    pub ontologies: usize,
    /// Different subgraphs.
    pub subgraphs: usize,
    /// Different anchors.
    pub anchors: usize,
    /// Triplets that name no ontology.
    pub without_ontology: usize,
    /// Triplets that name no subgraph.
    pub without_subgraph: usize,
    /// Triplets of each generator that is named.
    pub generators: BTreeMap<String, usize>,
    /// Triplets of each kind of perturbation that is named.
    pub perturbations: BTreeMap<String, usize>,
    /// What was done to texts before their ratios were computed.
    pub processor: Processor,
    /// Token-set ratios, computed here; `None` of an empty set.
    pub lexical: Option<PairStatistics>,
    /// A model's cosines; `None` where none were given.
    pub semantic: Option<PairStatistics>,
}

impl SetStatistics {
    /// Counts and computes; `scores` gets every triplet's ratios, for a figure of them.
    pub fn of(
        triplets: &[Triplet],
        processor: Processor,
        cosines: &[Cosines],
        scores: &mut Vec<LexicalScores>,
    ) -> Self {
        let mut comparing = Scorer::default();
        let computed = triplets
            .iter()
            .map(|triplet| LexicalScores::of(&mut comparing, processor, triplet));
        scores.clear();
        scores.extend(computed);
        let count = |test: fn(&LexicalScores) -> bool| scores.iter().filter(|s| test(s)).count();
        let named = |name: fn(&Triplet) -> Option<&str>| {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for name in triplets.iter().filter_map(name) {
                *counts.entry(name.to_owned()).or_default() += 1;
            }
            counts
        };
        let ontologies = named(|triplet| triplet.source.as_deref());
        let subgraphs = named(|triplet| triplet.subgraph_id.as_deref());
        let anchors: BTreeSet<&str> = triplets.iter().map(|t| t.anchor.as_str()).collect();
        let at_90 = count(|scores| scores.anchor_negative == HARD_FROM);
        Self {
            triplets: triplets.len(),
            hard: count(LexicalScores::is_hard),
            anchor_negative_at_90: at_90,
            positive_negative_beyond_90: count(|scores| scores.positive_negative > CLOSE_BEYOND),
            ontologies: ontologies.len(),
            subgraphs: subgraphs.len(),
            anchors: anchors.len(),
            without_ontology: triplets.len() - ontologies.values().sum::<usize>(),
            without_subgraph: triplets.len() - subgraphs.values().sum::<usize>(),
            generators: named(|triplet| triplet.generator.as_deref()),
            perturbations: named(|triplet| triplet.perturbation.as_ref().map(Perturbation::name)),
            processor,
            lexical: pairs(
                scores,
                |s| s.anchor_positive,
                |s| s.anchor_negative,
                |s| s.positive_negative,
            ),
            semantic: pairs(
                cosines,
                |c| c.anchor_positive,
                |c| c.anchor_negative,
                |c| c.positive_negative,
            ),
        }
    }
}

fn pairs<T>(
    values: &[T],
    anchor_positive: fn(&T) -> f64,
    anchor_negative: fn(&T) -> f64,
    positive_negative: fn(&T) -> f64,
) -> Option<PairStatistics> {
    let spread = |of: fn(&T) -> f64| Spread::of(&values.iter().map(of).collect::<Vec<_>>());
    Some(PairStatistics {
        anchor_positive: spread(anchor_positive)?,
        anchor_negative: spread(anchor_negative)?,
        positive_negative: spread(positive_negative)?,
    })
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these figures are exact")]
mod tests {
    use super::*;

    /// `numpy.quantile(x, [.25, .5, .75])` and `numpy.std(x, ddof=1)`
    #[test]
    fn spreads_are_numpy_s() {
        let spread = Spread::of(&[3.0, 1.0, 10.0, 2.5, 7.0, 7.0]).unwrap();
        assert_eq!(
            (
                spread.minimum,
                spread.lower_quartile,
                spread.median,
                spread.upper_quartile,
                spread.maximum
            ),
            (1.0, 2.625, 5.0, 7.0, 10.0)
        );
        assert!((spread.standard_deviation - 3.441_172_280_875_613).abs() < 1e-12);
        let one = Spread::of(&[5.0]).unwrap();
        assert_eq!(
            (one.mean, one.standard_deviation, one.upper_quartile),
            (5.0, 0.0, 5.0)
        );
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn an_empty_set_has_counts_and_no_means() {
        let found = SetStatistics::of(&[], Processor::None, &[], &mut Vec::new());
        assert_eq!(
            (found.triplets, found.ontologies, found.lexical),
            (0, 0, None)
        );
    }

    #[test]
    fn what_is_named_is_counted_once_each() {
        let triplet = |anchor: &str, source: Option<&str>, kind: Option<&str>| Triplet {
            anchor: anchor.to_owned(),
            positive: "an a b".to_owned(),
            negative: format!("{anchor} c"),
            source: source.map(str::to_owned),
            subgraph_id: source.map(|_| "bfs_1".to_owned()),
            perturbation: kind.map(|kind| kind.to_owned().into()),
            ..Triplet::default()
        };
        let set = [
            triplet("a b", Some("UO"), Some("sibling-swap")),
            triplet("a b", Some("FIX"), Some("own")),
            triplet("x", None, None),
        ];
        let mut scores = Vec::new();
        let found = SetStatistics::of(&set, Processor::None, &[], &mut scores);
        assert_eq!(
            (
                found.triplets,
                found.ontologies,
                found.subgraphs,
                found.anchors
            ),
            (3, 2, 1, 2)
        );
        assert_eq!(
            (found.without_ontology, found.without_subgraph, found.hard),
            (1, 1, 3)
        );
        assert_eq!(found.perturbations["own"], 1);
        assert_eq!(scores.len(), 3);
        let lexical = found.lexical.unwrap();
        assert_eq!(lexical.anchor_negative.mean, 100.0);
        assert_eq!(lexical.anchor_positive.maximum, 100.0);
    }
}
