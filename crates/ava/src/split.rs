//! A set divided by ontology, and what is found on both sides all the same.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::random::PythonRandom;
use crate::triplet::Triplet;

/// How a set is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitOptions {
    /// Seed of the shuffle.
    pub seed: u64,
    /// The share of the ontologies that goes towards train, from 0 to 1; the number is rounded down.
    pub train_share: f64,
    /// A candidate for test that shares as many labels with train goes to train.
    pub shared_labels: usize,
}

impl Default for SplitOptions {
    /// The public code's: seed 42, 55 %, 100 labels.
    fn default() -> Self {
        Self {
            seed: 42,
            train_share: 0.55,
            shared_labels: 100,
        }
    }
}

/// The two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// What a model may be tuned on.
    Train,
    /// What it is judged on.
    Test,
}

/// Where an ontology went, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Placed {
    /// The ontology's name.
    pub ontology: String,
    /// Its side.
    pub side: Side,
    /// Drawn for test, and put to train for the labels that it shares.
    pub absorbed: bool,
    /// How many of its labels the ontologies drawn for train have; `None` for those drawn for train themselves.
    pub shared_with_train: Option<usize>,
    /// How many of its labels train has once every absorbed ontology is there; for test only. May reach the limit, because
    /// absorption is one pass against the ontologies drawn for train, as in the public code.
    pub shared_at_the_end: Option<usize>,
}

/// Divides ontologies: shuffles them as Python does, takes the first part for train, and puts to train what shares too many
/// labels with that part. The order of `ontologies` is the order that is shuffled; labels compare as they are.
///
/// ```
/// use std::collections::BTreeSet;
/// use ava::{Side, SplitOptions, split_ontologies};
///
/// let ontologies = ["FIX", "FOAF", "UO", "AgrO"].map(|name| (name.to_owned(), BTreeSet::new()));
/// let placed = split_ontologies(&ontologies, &SplitOptions::default());
/// assert_eq!(placed.iter().filter(|placed| placed.side == Side::Train).count(), 2);
/// ```
pub fn split_ontologies(
    ontologies: &[(String, BTreeSet<String>)],
    options: &SplitOptions,
) -> Vec<Placed> {
    let mut order: Vec<usize> = (0..ontologies.len()).collect();
    PythonRandom::new(options.seed).shuffle(&mut order);
    let (train, candidates) = order.split_at(part(order.len(), options.train_share));
    let mut labels: BTreeSet<&str> = train
        .iter()
        .flat_map(|&place| ontologies[place].1.iter().map(String::as_str))
        .collect();
    let mut placed: Vec<Placed> = train
        .iter()
        .map(|&place| Placed {
            ontology: ontologies[place].0.clone(),
            side: Side::Train,
            absorbed: false,
            shared_with_train: None,
            shared_at_the_end: None,
        })
        .collect();
    let mut all_labels = labels.clone();
    for &place in candidates {
        let (name, own) = &ontologies[place];
        let shared = shared(own, &labels);
        let absorbed = shared >= options.shared_labels;
        if absorbed {
            all_labels.extend(own.iter().map(String::as_str));
        }
        placed.push(Placed {
            ontology: name.clone(),
            side: if absorbed { Side::Train } else { Side::Test },
            absorbed,
            shared_with_train: Some(shared),
            shared_at_the_end: None,
        });
    }
    labels = all_labels;
    for (placed, &place) in placed.iter_mut().zip(&order) {
        if placed.side == Side::Test {
            placed.shared_at_the_end = Some(shared(&ontologies[place].1, &labels));
        }
    }
    placed
}

fn shared(own: &BTreeSet<String>, labels: &BTreeSet<&str>) -> usize {
    own.iter()
        .filter(|label| labels.contains(label.as_str()))
        .count()
}

/// `int(count * share)`, within the count.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the count, which is a count of files"
)]
fn part(count: usize, share: f64) -> usize {
    (count as f64 * share).clamp(0.0, count as f64) as usize
}

/// A subgraph whose triplets are on both sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Leak {
    /// Its id.
    pub subgraph_id: String,
    /// Ontologies in train that have it.
    pub train: BTreeSet<String>,
    /// Ontologies in test that have it.
    pub test: BTreeSet<String>,
    /// Triplets from it in train.
    pub train_triplets: usize,
    /// Triplets from it in test.
    pub test_triplets: usize,
}

/// Every subgraph that both sides have, by its id.
pub fn leaks<'t>(
    train: impl IntoIterator<Item = &'t Triplet>,
    test: impl IntoIterator<Item = &'t Triplet>,
) -> Vec<Leak> {
    let train = by_subgraph(train);
    let test = by_subgraph(test);
    let both = train.into_iter().filter_map(|(id, (sources, count))| {
        let (test_sources, test_count) = test.get(id)?;
        Some(Leak {
            subgraph_id: id.to_owned(),
            train: sources.into_iter().map(str::to_owned).collect(),
            test: test_sources.iter().map(|&name| name.to_owned()).collect(),
            train_triplets: count,
            test_triplets: *test_count,
        })
    });
    both.collect()
}

fn by_subgraph<'t>(
    triplets: impl IntoIterator<Item = &'t Triplet>,
) -> BTreeMap<&'t str, (BTreeSet<&'t str>, usize)> {
    let mut found: BTreeMap<&str, (BTreeSet<&str>, usize)> = BTreeMap::new();
    for triplet in triplets {
        if let Some(id) = &triplet.subgraph_id {
            let (sources, count) = found.entry(id).or_default();
            sources.extend(triplet.source.as_deref());
            *count += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ontologies(
        count: usize,
        labels: impl Fn(usize) -> BTreeSet<String>,
    ) -> Vec<(String, BTreeSet<String>)> {
        (0..count)
            .map(|number| (format!("O{number:03}"), labels(number)))
            .collect()
    }

    fn numbered(range: std::ops::Range<usize>) -> BTreeSet<String> {
        range.map(|number| format!("label {number}")).collect()
    }

    /// `names = [f"O{n:03}" for n in range(163)]; random.Random(42).shuffle(names); names[:int(163 * .55)]`
    #[test]
    fn the_first_part_of_python_s_shuffle_is_train() {
        let all = ontologies(163, |_| BTreeSet::new());
        let placed = split_ontologies(&all, &SplitOptions::default());
        let train: Vec<_> = placed
            .iter()
            .filter(|placed| placed.side == Side::Train)
            .map(|placed| placed.ontology.as_str())
            .collect();
        assert_eq!(train.len(), 89);
        assert_eq!(train[..5], ["O061", "O104", "O105", "O042", "O145"]);
        assert_eq!(placed.len(), 163);
    }

    #[test]
    fn the_limit_itself_absorbs() {
        let options = SplitOptions {
            train_share: 0.5,
            shared_labels: 3,
            ..SplitOptions::default()
        };
        for (shared, absorbed) in [(2, false), (3, true), (4, true)] {
            // Whichever of the two is drawn for train, the other shares as many labels.
            let all = ontologies(2, |number| {
                let own = 100 * (number + 1);
                numbered(0..shared)
                    .into_iter()
                    .chain(numbered(own..own + 9))
                    .collect()
            });
            let placed = split_ontologies(&all, &options);
            assert_eq!(placed[1].absorbed, absorbed, "{shared} shared");
            assert_eq!(placed[1].shared_with_train, Some(shared));
            assert_eq!(placed[1].side == Side::Train, absorbed);
        }
    }

    #[test]
    fn what_an_absorbed_ontology_brings_is_told_and_absorbs_nothing() {
        // The order is found out first, then the labels are given to those places.
        let order: Vec<String> = split_ontologies(
            &ontologies(4, |_| BTreeSet::new()),
            &SplitOptions::default(),
        )
        .into_iter()
        .map(|placed| placed.ontology)
        .collect();
        let labels = [
            numbered(0..5),
            numbered(90..95),
            numbered(0..9),
            numbered(5..12),
        ];
        let mut all: Vec<_> = order.into_iter().zip(labels).collect();
        all.sort();
        let options = SplitOptions {
            shared_labels: 4,
            ..SplitOptions::default()
        };
        let placed = split_ontologies(&all, &options);
        assert!(placed[2].absorbed && !placed[3].absorbed);
        assert_eq!(placed[3].shared_with_train, Some(0));
        assert_eq!(placed[3].shared_at_the_end, Some(4));
    }

    #[test]
    fn shares_at_the_ends() {
        for (share, train) in [(0.0, 0), (1.0, 3), (7.0, 3), (-1.0, 0), (f64::NAN, 0)] {
            let options = SplitOptions {
                train_share: share,
                ..SplitOptions::default()
            };
            let placed = split_ontologies(&ontologies(3, |_| BTreeSet::new()), &options);
            let found = placed.iter().filter(|p| p.side == Side::Train).count();
            assert_eq!(found, train, "{share}");
        }
    }

    #[test]
    fn a_subgraph_on_both_sides_is_a_leak() {
        let of = |id: &str, source: &str| Triplet {
            subgraph_id: Some(id.to_owned()),
            source: Some(source.to_owned()),
            ..Triplet::default()
        };
        let train = [of("bfs_1", "UO"), of("bfs_1", "UO"), of("bfs_2", "UO")];
        let test = [of("bfs_1", "AgrO"), of("bfs_3", "AgrO"), Triplet::default()];
        let found = leaks(&train, &test);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].train_triplets, found[0].test_triplets), (2, 1));
        assert!(found[0].train.contains("UO") && found[0].test.contains("AgrO"));
        assert_eq!(leaks(&train, &[]), []);
    }
}
