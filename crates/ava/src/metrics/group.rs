//! The ranking figures of some triplets.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::{MapAccessDeserializer, StringDeserializer};
use serde::de::{DeserializeSeed, IntoDeserializer as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::interval::{ClusterSum, Interval, interval};
use super::result::share_if_known;
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
    #[serde(default, deserialize_with = "share_if_known")]
    pub triplet_accuracy: Option<f64>,
    /// Its interval over ontologies.
    pub triplet_accuracy_interval: Option<Interval>,
    /// How many of the triplets are hard.
    pub hard: usize,
    /// Of the hard, right.
    pub hard_right: usize,
    /// `hard_right / hard`.
    #[serde(default, deserialize_with = "share_if_known")]
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
    #[serde(default, deserialize_with = "share_if_known")]
    pub mrr: Option<f64>,
    /// Its interval over ontologies.
    pub mrr_interval: Option<Interval>,
}

/// The figures of the triplets that have something in common.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// What they have in common; `None` for those that do not state it.
    pub name: Option<String>,
    /// Their figures.
    #[serde(flatten)]
    pub figures: Figures,
    /// Their two classes told apart, at the threshold of the whole set; older files lack it.
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
        // Figures that were read may contradict one another.
        let hard = self.hard.checked_sub(self.hard_at_90)?;
        let right = self.hard_right.checked_sub(self.hard_at_90_right)?;
        (hard > 0 && right <= hard).then(|| right as f64 / hard as f64)
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

/// By hand, since `flatten` sets the members of a group aside before it reads them, and an error in one is then told at the
/// group's end.
impl<'de> Deserialize<'de> for Group {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Group;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a group of triplets: their name and figures")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Group, A::Error> {
        let (mut name, mut classification) = (None, None);
        let figures = Figures::deserialize(MapAccessDeserializer::new(FiguresOf {
            map,
            name: &mut name,
            classification: &mut classification,
            met: [false; 2],
        }))?;
        Ok(Group {
            name,
            figures,
            classification,
        })
    }
}

/// The members of a group that are of its figures; the others are taken out on the way.
struct FiguresOf<'g, A> {
    map: A,
    name: &'g mut Option<String>,
    classification: &'g mut Option<Classification>,
    /// Which of the two were met.
    met: [bool; 2],
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for FiguresOf<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.map.next_key::<String>()? {
            match key.as_str() {
                "name" => {
                    once(&mut self.met[0], "name")?;
                    *self.name = self.map.next_value()?;
                }
                "classification" => {
                    once(&mut self.met[1], "classification")?;
                    *self.classification = self.map.next_value()?;
                }
                _ => {
                    let key: StringDeserializer<A::Error> = key.into_deserializer();
                    return seed.deserialize(key).map(Some);
                }
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// Refuses a member that was met.
fn once<E: serde::de::Error>(met: &mut bool, key: &'static str) -> Result<(), E> {
    if std::mem::replace(met, true) {
        return Err(E::duplicate_field(key));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Figures, Group};

    #[test]
    fn a_group_is_read_as_it_is_written() {
        for name in [None, Some("mondo".to_owned())] {
            let group = Group {
                name,
                figures: Figures {
                    triplets: 2,
                    mrr: Some(0.75),
                    ..Figures::default()
                },
                classification: None,
            };
            let written = serde_json::to_string(&group).unwrap();
            assert_eq!(serde_json::from_str::<Group>(&written).unwrap(), group);
        }
    }

    #[test]
    fn a_figure_of_a_group_is_told_in_its_place() {
        let written = serde_json::to_string(&Group {
            name: Some("mondo".to_owned()),
            figures: Figures {
                mrr: Some(0.75),
                ..Figures::default()
            },
            classification: None,
        })
        .unwrap();
        let error =
            serde_json::from_str::<Group>(&written.replace("0.75", "\n\n 7.5")).unwrap_err();
        assert_eq!(error.line(), 3, "{error}");
    }

    #[test]
    fn no_member_comes_twice() {
        for twice in [r#""name": "a", "name": "b""#, r#""mrr": null, "mrr": null"#] {
            let error = serde_json::from_str::<Group>(&format!("{{{twice}}}")).unwrap_err();
            assert!(error.to_string().starts_with("duplicate field"), "{error}");
        }
    }

    #[test]
    fn figures_that_contradict_one_another_have_no_share() {
        for (hard, hard_right, hard_at_90) in [(1, 0, 2), (10, 10, 9)] {
            let figures = Figures {
                hard,
                hard_right,
                hard_at_90,
                ..Figures::default()
            };
            assert_eq!(figures.accuracy_beyond_90(), None);
        }
    }
}
