//! A taxonomy discovered: which pairs of names are taken for class and parent, and how they compare with the ontology's.

use std::collections::BTreeSet;

use ontology::Taxonomy;
use serde::{Deserialize, Serialize};

use super::shares;

/// Pairs that were found against one counting of the ground truth; the shares from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaxonomyFigures {
    /// Predicted pairs that are true.
    pub correct: usize,
    /// Predicted pairs.
    pub predicted: usize,
    /// The size of the ground truth.
    pub ground_truth: usize,
    /// `correct / predicted`.
    #[serde(deserialize_with = "super::share")]
    pub precision: f64,
    /// `correct / ground_truth`.
    #[serde(deserialize_with = "super::share")]
    pub recall: f64,
    /// The harmonic mean of the two.
    #[serde(deserialize_with = "super::share")]
    pub f1: f64,
}

/// The same predictions in both countings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TaxonomyScore {
    /// Against the rows as OntoLearner lists them, where a class with several parents has each of them several times.
    pub rows: TaxonomyFigures,
    /// Against each pair once.
    pub distinct: TaxonomyFigures,
}

/// Pairs each name with those near it, by their places in `names`, as OntoLearner does: itself left out whatever its case,
/// the others in both directions, each pair once.
pub fn both_directions<'n>(
    names: &[&'n str],
    near: impl IntoIterator<Item = Vec<usize>>,
) -> BTreeSet<(&'n str, &'n str)> {
    let lowered: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let mut pairs = BTreeSet::new();
    for ((name, lower), row) in names.iter().zip(&lowered).zip(near) {
        for place in row {
            let (Some(other), Some(other_lower)) = (names.get(place), lowered.get(place)) else {
                continue;
            };
            if lower != other_lower {
                pairs.insert((*name, *other));
                pairs.insert((*other, *name));
            }
        }
    }
    pairs
}

/// Compares pairs of class and parent with those of an ontology.
///
/// OntoLearner's rows repeat a class with two parents four times; a pair that was found is correct once whatever the
/// counting, so recall against the rows stays below 1 where any pair repeats.
pub fn taxonomy_score(predicted: &BTreeSet<(&str, &str)>, taxonomy: &Taxonomy) -> TaxonomyScore {
    let distinct = taxonomy.distinct();
    let correct = distinct
        .iter()
        .filter(|pair| predicted.contains(&(pair.child.as_str(), pair.parent.as_str())))
        .count();
    let against = |ground_truth: usize| {
        let [precision, recall, f1] = shares(correct, predicted.len(), ground_truth, 1.0);
        TaxonomyFigures {
            correct,
            predicted: predicted.len(),
            ground_truth,
            precision,
            recall,
            f1,
        }
    };
    TaxonomyScore {
        rows: against(taxonomy.rows.len()),
        distinct: against(distinct.len()),
    }
}

#[cfg(test)]
mod tests {
    use ontology::TaxonomyPair;

    use super::*;

    fn taxonomy(rows: &[(&str, &str)]) -> Taxonomy {
        let row = |&(child, parent): &(&str, &str)| TaxonomyPair {
            child: child.to_owned(),
            parent: parent.to_owned(),
        };
        Taxonomy {
            rows: rows.iter().map(row).collect(),
        }
    }

    #[test]
    fn both_directions_and_never_itself() {
        let pairs = both_directions(&["a", "A", "b"], [vec![0, 1], vec![1, 2], vec![2, 1]]);
        assert_eq!(pairs, [("A", "b"), ("b", "A")].into());
        // A place that is no name's is nobody's neighbour.
        assert_eq!(both_directions(&["a", "b"], [vec![7]]), [].into());
    }

    #[test]
    fn two_countings_of_one_ground_truth() {
        // A class with two parents has four rows.
        let truth = taxonomy(&[("c", "p"), ("c", "q"), ("c", "p"), ("c", "q"), ("d", "p")]);
        let found = taxonomy_score(&[("c", "p"), ("p", "c"), ("d", "p")].into(), &truth);
        assert_eq!((found.rows.correct, found.rows.predicted), (2, 3));
        assert_eq!(
            (found.rows.ground_truth, found.distinct.ground_truth),
            (5, 3)
        );
        assert_eq!((found.rows.recall, found.distinct.recall), (0.4, 2.0 / 3.0));
        assert_eq!((found.rows.f1, found.distinct.f1), (0.5, 2.0 / 3.0));
        // The other way round is another pair, and wrong.
        let found = taxonomy_score(&[("p", "c")].into(), &truth);
        assert_eq!((found.rows.correct, found.rows.precision), (0, 0.0));
        let nothing = taxonomy_score(&BTreeSet::new(), &truth);
        assert_eq!((nothing.rows.precision, nothing.rows.f1), (0.0, 0.0));
    }

    /// schema.org with all-MiniLM-L6-v2, as it was published: 89 of 1,384, F 0.0729 over 1,058 rows.
    #[test]
    fn shares_are_as_published() {
        let [_, _, f1] = shares(89, 1384, 1058, 1.0);
        assert_eq!(format!("{f1:.4}"), "0.0729");
    }
}
