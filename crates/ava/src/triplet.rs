//! A triplet of ontology statements.

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::json::Between;

/// A true statement of an ontology, a paraphrase of it, and a false statement in almost the same words.
///
/// As JSON it has AVA's keys, in AVA's spelling: `anchor_negaive_score` and `positive_negaive_score` are written so, and
/// read with or without the second `t`. What other keys a record has is kept as it was written.
///
/// ```
/// use ava::Triplet;
///
/// let triplet: Triplet = serde_json::from_str(r#"{"anchor": "a", "positive": "b", "negative": "c", "anchor_negative_score": 91.5, "note": 7}"#)?;
/// assert_eq!(triplet.scores.anchor_negative, Some(91.5));
/// assert_eq!(serde_json::to_string(&triplet)?, r#"{"anchor":"a","positive":"b","negative":"c","anchor_negaive_score":91.5,"note":7}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triplet {
    /// The true statement.
    pub anchor: String,
    /// The same in other words.
    pub positive: String,
    /// The false statement.
    pub negative: String,
    /// Id of the subgraph that it was made from, such as `bfs_c13e73da`.
    pub subgraph_id: Option<String>,
    /// Name of the ontology.
    pub source: Option<String>,
    /// What made it: a model's name, or `rules`.
    pub generator: Option<String>,
    /// In which way the negative is false.
    pub perturbation: Option<Perturbation>,
    /// The lexical scores that the record came with.
    pub scores: StoredScores,
    /// Everything else that the record says.
    pub extra: Extra,
}

/// Members of a record that this crate does not know, in the record's order. What nobody here understands must not change here, so a
/// value stays the text that it is: `1e2` or a number of thirty digits is no other one afterwards. Only line breaks between its parts become
/// spaces when it is read, since a record is written on one line.
#[derive(Clone, Debug, Default)]
pub struct Extra(Vec<(String, Box<RawValue>)>);

impl Extra {
    /// The members, each with its value in JSON.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_ref()))
    }

    /// Takes a member out, for who does know it.
    pub fn take(&mut self, key: &str) -> Option<Box<RawValue>> {
        let place = self.0.iter().position(|(one, _)| one == key)?;
        Some(self.0.remove(place).1)
    }
}

impl PartialEq for Extra {
    fn eq(&self, other: &Self) -> bool {
        fn text<'e>((key, value): (&'e str, &'e RawValue)) -> (&'e str, &'e str) {
            (key, value.get())
        }
        self.iter().map(text).eq(other.iter().map(text))
    }
}

impl FromIterator<(String, Box<RawValue>)> for Extra {
    fn from_iter<I: IntoIterator<Item = (String, Box<RawValue>)>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

/// The value of a member as it is written.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Member<'t> {
    Text(Cow<'t, str>),
    Score(f64),
    AsItWas(&'t RawValue),
}

impl<'t> From<&'t str> for Member<'t> {
    fn from(text: &'t str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

/// The token-set ratios that a record came with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StoredScores {
    /// Anchor and positive.
    pub anchor_positive: Option<f64>,
    /// Anchor and negative.
    pub anchor_negative: Option<f64>,
    /// Positive and negative.
    pub positive_negative: Option<f64>,
}

/// In which way a negative contradicts its anchor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Perturbation {
    /// The narrower and the wider class have changed places.
    HierarchyInversion,
    /// Another relation between the same two.
    RelationSubstitution,
    /// A sibling in the place of the class.
    SiblingSwap,
    /// Disjoint classes said to be otherwise related, or the reverse.
    DisjointnessInjection,
    /// An unrelated entity in the place of the right one.
    EntityReplacement,
    /// A kind of somebody else's.
    Other(String),
}

const KINDS: [(&str, Perturbation); 5] = [
    ("hierarchy-inversion", Perturbation::HierarchyInversion),
    ("relation-substitution", Perturbation::RelationSubstitution),
    ("sibling-swap", Perturbation::SiblingSwap),
    (
        "disjointness-injection",
        Perturbation::DisjointnessInjection,
    ),
    ("entity-replacement", Perturbation::EntityReplacement),
];

impl Perturbation {
    /// The kind's name in files: `hierarchy-inversion` and so on.
    pub fn name(&self) -> &str {
        match self {
            Self::Other(name) => name,
            known => KINDS
                .iter()
                .find(|(_, kind)| kind == known)
                .map_or("", |(name, _)| name),
        }
    }
}

impl From<String> for Perturbation {
    fn from(name: String) -> Self {
        let known = KINDS.iter().find(|(known, _)| *known == name);
        known.map_or(Self::Other(name), |(_, kind)| kind.clone())
    }
}

impl Serialize for Perturbation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Perturbation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

impl Serialize for Triplet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.entries())
    }
}

impl Triplet {
    /// The keys and values of its record, in AVA's order, ours after them, then the others.
    pub(crate) fn entries(&self) -> Vec<(&str, Member<'_>)> {
        let mut entries = vec![
            ("anchor", Member::from(self.anchor.as_str())),
            ("positive", Member::from(self.positive.as_str())),
            ("negative", Member::from(self.negative.as_str())),
        ];
        let texts = [
            ("subgraph_id", self.subgraph_id.as_deref()),
            ("source", self.source.as_deref()),
        ];
        let texts = texts.into_iter();
        entries.extend(texts.filter_map(|(key, given)| Some((key, Member::from(given?)))));
        let scores = [
            ("anchor_negaive_score", self.scores.anchor_negative),
            ("anchor_positive_score", self.scores.anchor_positive),
            ("positive_negaive_score", self.scores.positive_negative),
        ];
        let scores = scores.into_iter();
        entries.extend(scores.filter_map(|(key, score)| Some((key, Member::Score(score?)))));
        if let Some(generator) = &self.generator {
            entries.push(("generator", Member::from(generator.as_str())));
        }
        if let Some(kind) = &self.perturbation {
            entries.push(("perturbation", Member::from(kind.name())));
        }
        let extra = self.extra.iter();
        entries.extend(extra.map(|(key, value)| (key, Member::AsItWas(value))));
        entries
    }
}

impl<'de> Deserialize<'de> for Triplet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Record)
    }
}

struct Record;

impl<'de> Visitor<'de> for Record {
    type Value = Triplet;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object with `anchor`, `positive` and `negative`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Triplet, A::Error> {
        let mut triplet = Triplet::default();
        let (mut anchor, mut positive, mut negative) = (None, None, None);
        let mut keys = FxHashSet::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "anchor" => once(&mut anchor, &key, map.next_value()?)?,
                "positive" => once(&mut positive, &key, map.next_value()?)?,
                "negative" => once(&mut negative, &key, map.next_value()?)?,
                "subgraph_id" => maybe(&mut triplet.subgraph_id, &key, map.next_value()?)?,
                "source" => maybe(&mut triplet.source, &key, map.next_value()?)?,
                "generator" => maybe(&mut triplet.generator, &key, map.next_value()?)?,
                "perturbation" => maybe(&mut triplet.perturbation, &key, map.next_value()?)?,
                "anchor_positive_score" => {
                    maybe(&mut triplet.scores.anchor_positive, &key, score(&mut map)?)?;
                }
                "anchor_negaive_score" | "anchor_negative_score" => {
                    maybe(&mut triplet.scores.anchor_negative, &key, score(&mut map)?)?;
                }
                "positive_negaive_score" | "positive_negative_score" => {
                    maybe(
                        &mut triplet.scores.positive_negative,
                        &key,
                        score(&mut map)?,
                    )?;
                }
                _ => {
                    let value = map.next_value()?;
                    if !keys.insert(key.clone()) {
                        return Err(twice(&key));
                    }
                    triplet.extra.0.push((key, on_one_line(value)?));
                }
            }
        }
        triplet.anchor = anchor.ok_or_else(|| A::Error::missing_field("anchor"))?;
        triplet.positive = positive.ok_or_else(|| A::Error::missing_field("positive"))?;
        triplet.negative = negative.ok_or_else(|| A::Error::missing_field("negative"))?;
        Ok(triplet)
    }
}

/// A token-set ratio that a record came with.
fn score<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<f64>, A::Error> {
    struct Score(f64);

    impl<'de> Deserialize<'de> for Score {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            let ratio = Between {
                what: "a token-set ratio",
                least: 0.0,
                most: 100.0,
                rounding: 1e-9,
            };
            ratio.read(from).map(Self)
        }
    }

    let score: Option<Score> = map.next_value()?;
    Ok(score.map(|Score(score)| score))
}

/// A value on one line: in JSON as it is written a line break is white space and nothing else.
fn on_one_line<E: serde::de::Error>(value: Box<RawValue>) -> Result<Box<RawValue>, E> {
    let breaks = ['\n', '\r'];
    if value.get().contains(breaks) {
        return RawValue::from_string(value.get().replace(breaks, " ")).map_err(E::custom);
    }
    Ok(value)
}

fn once<T, E: serde::de::Error>(slot: &mut Option<T>, key: &str, value: T) -> Result<(), E> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(twice(key)),
    }
}

/// A key that may be null, which says as much as leaving it out; both spellings of a score may stand there if they agree.
fn maybe<T: PartialEq, E: serde::de::Error>(
    slot: &mut Option<T>,
    key: &str,
    value: Option<T>,
) -> Result<(), E> {
    match (slot.as_ref(), value) {
        (_, None) => Ok(()),
        (Some(there), Some(value)) if *there != value => Err(twice(key)),
        (_, Some(value)) => {
            *slot = Some(value);
            Ok(())
        }
    }
}

fn twice<E: serde::de::Error>(key: &str) -> E {
    E::custom(format_args!("`{key}` is given twice"))
}
