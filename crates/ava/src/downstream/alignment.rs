//! Two ontologies aligned: which of the nearest classes are paired, and how the pairs compare with a reference.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::shares;

/// An entity of one ontology and one of another.
pub type Pair = (String, String);

/// A class of one ontology, one of the other by their places, and the cosine of their labels' vectors.
pub type Candidate = (usize, usize, f32);

/// A reference alignment, as sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reference {
    /// Pairs that are said to be equivalent.
    pub equivalent: BTreeSet<Pair>,
    /// Pairs of which one is said to be wider: not what an alignment of equivalences is measured against.
    pub subsumed: BTreeSet<Pair>,
    /// Pairs whose relation is `?`: neither right nor wrong.
    pub unknown: BTreeSet<Pair>,
}

/// What a reference says of a predicted equivalence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Hit,
    /// Nobody knows.
    Unknown,
    /// One is wider than the other, which is no equivalence.
    Subsumption,
    /// Nothing, so it is wrong.
    Wrong,
}

impl Reference {
    /// What is said of a pair: exactly one thing, also where its cells say several. An equivalence that is stated stands,
    /// and what is said to be unknown is not held against a prediction.
    pub fn verdict(&self, pair: &Pair) -> Verdict {
        if self.equivalent.contains(pair) {
            Verdict::Hit
        } else if self.unknown.contains(pair) {
            Verdict::Unknown
        } else if self.subsumed.contains(pair) {
            Verdict::Subsumption
        } else {
            Verdict::Wrong
        }
    }
}

/// How predicted equivalences compare with a reference; the shares in percent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlignmentFigures {
    /// Predicted pairs that hold.
    pub hits: usize,
    /// Predicted pairs, those of unknown relation left out.
    pub predictions: usize,
    /// Pairs that hold.
    pub reference: usize,
    /// `hits / predictions`.
    #[serde(deserialize_with = "super::percent")]
    pub precision: f64,
    /// `hits / reference`.
    #[serde(deserialize_with = "super::percent")]
    pub recall: f64,
    /// The harmonic mean of the two.
    #[serde(deserialize_with = "super::percent")]
    pub f1: f64,
    /// Predictions that were left out, because their relation is unknown.
    pub ignored: usize,
    /// Predictions that are a subsumption; they count as wrong.
    pub subsumptions: usize,
    /// Predictions that repeat another one; each pair counts once. Older files do not say.
    #[serde(default)]
    pub predictions_repeated: usize,
}

/// Compares predicted equivalences, as a set, with a reference.
///
/// ```
/// use ava::{Reference, alignment_figures};
///
/// let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
/// let reference = Reference { equivalent: [pair("mouse:heart", "human:heart")].into(), ..Reference::default() };
/// let found = alignment_figures(&[pair("mouse:heart", "human:heart"), pair("mouse:lung", "human:liver")], &reference);
/// assert_eq!((found.hits, found.precision, found.recall), (1, 50.0, 100.0));
/// ```
pub fn alignment_figures(predicted: &[Pair], reference: &Reference) -> AlignmentFigures {
    let distinct: BTreeSet<&Pair> = predicted.iter().collect();
    let (mut hits, mut ignored, mut subsumptions) = (0, 0, 0);
    for pair in &distinct {
        match reference.verdict(pair) {
            Verdict::Hit => hits += 1,
            Verdict::Unknown => ignored += 1,
            Verdict::Subsumption => subsumptions += 1,
            Verdict::Wrong => {}
        }
    }
    let predictions = distinct.len() - ignored;
    let truths = reference.equivalent.len();
    let [precision, recall, f1] = shares(hits, predictions, truths, 100.0);
    AlignmentFigures {
        hits,
        predictions,
        reference: truths,
        precision,
        recall,
        f1,
        ignored,
        subsumptions,
        predictions_repeated: predicted.len() - distinct.len(),
    }
}

/// Leaves out what is less alike than `least`.
pub fn at_least(mut candidates: Vec<Candidate>, least: f32) -> Vec<Candidate> {
    candidates.retain(|&(_, _, cosine)| cosine >= least);
    candidates
}

/// Keeps each class once at most, the greatest cosines first; of equal ones the first class of the first ontology, then of
/// the second. In the order of the first ontology.
pub fn one_to_one(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
    let (mut sources, mut targets) = (BTreeSet::new(), BTreeSet::new());
    candidates.retain(|&(source, target, _)| {
        let is_free = !sources.contains(&source) && !targets.contains(&target);
        if is_free {
            sources.insert(source);
            targets.insert(target);
        }
        is_free
    });
    candidates.sort_unstable_by_key(|&(source, target, _)| (source, target));
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(name: &str) -> Pair {
        (format!("a:{name}"), format!("b:{name}"))
    }

    fn set<P: FromIterator<Pair>>(names: &[&str]) -> P {
        names.iter().map(|name| pair(name)).collect()
    }

    fn reference(equivalent: &[&str], subsumed: &[&str], unknown: &[&str]) -> Reference {
        Reference {
            equivalent: set(equivalent),
            subsumed: set(subsumed),
            unknown: set(unknown),
        }
    }

    /// Predicted pairs, the reference's three sets, then hits, predictions, reference, ignored, subsumptions.
    type Case<'c> = (&'c [&'c str], [&'c [&'c str]; 3], [usize; 5]);

    #[test]
    fn every_predicted_pair_counts_as_one_thing() {
        let cases: [Case<'_>; 8] = [
            (
                &["e", "s", "u", "x"],
                [&["e", "f"], &["s"], &["u"]],
                [1, 3, 2, 1, 1],
            ),
            // Cells that say several things of one pair.
            (&["e"], [&["e"], &["e"], &[]], [1, 1, 1, 0, 0]),
            (&["e"], [&["e"], &[], &["e"]], [1, 1, 1, 0, 0]),
            (&["e"], [&["e"], &["e"], &["e"]], [1, 1, 1, 0, 0]),
            (&["s"], [&[], &["s"], &["s"]], [0, 0, 0, 1, 0]),
            // What is not predicted is neither ignored nor a subsumption.
            (&[], [&["e"], &["s"], &["u"]], [0, 0, 1, 0, 0]),
            (&["x"], [&[], &[], &[]], [0, 1, 0, 0, 0]),
            (&[], [&[], &[], &[]], [0, 0, 0, 0, 0]),
        ];
        for (predicted, [equivalent, subsumed, unknown], expected) in cases {
            let reference = reference(equivalent, subsumed, unknown);
            let found = alignment_figures(&set::<Vec<Pair>>(predicted), &reference);
            let counts = [
                found.hits,
                found.predictions,
                found.reference,
                found.ignored,
                found.subsumptions,
            ];
            assert_eq!(counts, expected, "{predicted:?} {reference:?}");
            assert!(found.hits + found.subsumptions <= found.predictions);
            for share in [found.precision, found.recall, found.f1] {
                assert!((0.0..=100.0).contains(&share), "{found:?}");
            }
        }
    }

    #[test]
    fn direction_matters() {
        let reference = reference(&["e"], &[], &[]);
        let (a, b) = pair("e");
        assert_eq!(alignment_figures(&[(b, a)], &reference).hits, 0);
    }

    #[test]
    fn a_prediction_that_comes_again_counts_once_and_is_told() {
        let cases: [(&[&str], [usize; 3], f64); 4] = [
            (&["e", "e"], [1, 1, 1], 100.0),
            (&["e", "x", "e", "x", "e"], [1, 2, 3], 50.0),
            (&["u", "u", "e"], [1, 1, 1], 100.0),
            (&["e"], [1, 1, 0], 100.0),
        ];
        for (predicted, [hits, predictions, repeated], precision) in cases {
            let found = alignment_figures(
                &set::<Vec<Pair>>(predicted),
                &reference(&["e"], &[], &["u"]),
            );
            let counts = (found.hits, found.predictions, found.predictions_repeated);
            assert_eq!(counts, (hits, predictions, repeated), "{predicted:?}");
            assert_eq!(
                (found.precision, found.recall),
                (precision, 100.0),
                "{predicted:?}"
            );
        }
    }

    /// Mouse–Human with all-MiniLM-L6-v2, as it was published.
    #[test]
    fn shares_are_percentages_as_published() {
        let names: Vec<String> = (0..2743 + 225).map(|n| n.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        // 1,291 are in both: the first 1,291 of 2,743 predicted, and 225 more in the reference.
        let truths = [&names[..1291], &names[2743..]].concat();
        let found = alignment_figures(
            &set::<Vec<Pair>>(&names[..2743]),
            &reference(&truths, &[], &[]),
        );
        assert_eq!(
            (found.hits, found.predictions, found.reference),
            (1291, 2743, 1516)
        );
        let rounded = [found.precision, found.recall, found.f1].map(|share| format!("{share:.3}"));
        assert_eq!(rounded, ["47.065", "85.158", "60.625"]);
    }

    #[test]
    fn a_threshold_keeps_what_reaches_it() {
        let candidates = vec![(0, 0, 0.5), (0, 1, 0.499), (1, 0, -1.0), (2, 2, f32::NAN)];
        assert_eq!(at_least(candidates.clone(), 0.5), [(0, 0, 0.5)]);
        assert_eq!(at_least(candidates, -1.0).len(), 3);
    }

    #[test]
    fn the_greatest_cosines_take_their_classes() {
        let cases: [(&[Candidate], &[Candidate]); 4] = [
            (
                &[
                    (0, 0, 0.9),
                    (0, 1, 0.8),
                    (1, 0, 0.95),
                    (1, 1, 0.7),
                    (2, 1, 0.7),
                ],
                &[(0, 1, 0.8), (1, 0, 0.95)],
            ),
            // Equal ones: the first source, then the first target.
            (
                &[(1, 0, 0.5), (0, 1, 0.5), (0, 0, 0.5), (1, 1, 0.5)],
                &[(0, 0, 0.5), (1, 1, 0.5)],
            ),
            // A class whose only candidate was taken by a better one has none.
            (&[(0, 0, 0.2), (1, 0, 0.3)], &[(1, 0, 0.3)]),
            (&[], &[]),
        ];
        for (candidates, expected) in cases {
            assert_eq!(one_to_one(candidates.to_vec()), expected, "{candidates:?}");
            let mut turned = candidates.to_vec();
            turned.reverse();
            assert_eq!(one_to_one(turned), expected, "in another order");
        }
    }
}
