//! From raw triplets to a set: what is kept, what is hard, what is dropped and why.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Serialize, Serializer};

use crate::lexical::{Processor, Scorer, TokenSet, word_count};
use crate::triplet::{Member, StoredScores, Triplet};

/// A negative whose token-set ratio to the anchor reaches this is hard.
pub const HARD_FROM: f64 = 90.0;
/// A negative whose token-set ratio to the positive is beyond this is too close to it to be told apart.
pub const CLOSE_BEYOND: f64 = 90.0;
/// The fewest words of a text.
pub const FEWEST_WORDS: usize = 5;
/// The most characters of a text.
pub const MOST_CHARACTERS: usize = 1_000;

/// The three token-set ratios of a triplet, each from 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LexicalScores {
    /// Anchor and positive.
    pub anchor_positive: f64,
    /// Anchor and negative.
    pub anchor_negative: f64,
    /// Positive and negative.
    pub positive_negative: f64,
}

impl LexicalScores {
    /// The ratios of three texts; each is split once.
    pub fn of(scorer: &mut Scorer, processor: Processor, triplet: &Triplet) -> Self {
        let texts = [&triplet.anchor, &triplet.positive, &triplet.negative];
        let texts = texts.map(|text| processor.apply(text));
        let [anchor, positive, negative] =
            [0, 1, 2].map(|place: usize| TokenSet::of(&texts[place]));
        Self {
            anchor_positive: scorer.ratio(&anchor, &positive),
            anchor_negative: scorer.ratio(&anchor, &negative),
            positive_negative: scorer.ratio(&positive, &negative),
        }
    }

    /// Whether the negative is hard: [`HARD_FROM`] is reached, 90 itself included.
    pub fn is_hard(&self) -> bool {
        self.anchor_negative >= HARD_FROM
    }

    /// Whether the record came with another figure than these, by more than rounding.
    pub fn differ_from(&self, stored: &StoredScores) -> bool {
        let pairs = [
            (self.anchor_positive, stored.anchor_positive),
            (self.anchor_negative, stored.anchor_negative),
            (self.positive_negative, stored.positive_negative),
        ];
        pairs
            .into_iter()
            .any(|(here, there)| there.is_some_and(|there| (here - there).abs() > 1e-9))
    }
}

impl From<LexicalScores> for StoredScores {
    fn from(scores: LexicalScores) -> Self {
        Self {
            anchor_positive: Some(scores.anchor_positive),
            anchor_negative: Some(scores.anchor_negative),
            positive_negative: Some(scores.positive_negative),
        }
    }
}

/// How triplets are filtered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilterOptions {
    /// What is done to texts before they are compared.
    pub processor: Processor,
    /// Keeps triplets whose positive and negative are closer than [`CLOSE_BEYOND`], as the public data does.
    pub keep_close: bool,
}

/// Which text of a triplet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Text {
    /// The anchor.
    Anchor,
    /// The positive.
    Positive,
    /// The negative.
    Negative,
}

impl fmt::Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Anchor => "anchor",
            Self::Positive => "positive",
            Self::Negative => "negative",
        })
    }
}

/// Why a triplet was dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// A text has fewer than [`FEWEST_WORDS`] words, or none.
    TooShort {
        /// The text.
        text: Text,
        /// Its words.
        words: usize,
    },
    /// A text has more than [`MOST_CHARACTERS`] characters.
    TooLong {
        /// The text.
        text: Text,
        /// Its characters.
        characters: usize,
    },
    /// Two of the three texts are the same.
    Same(Text, Text),
    /// The same three texts were there before.
    Repeated,
    /// Positive and negative are closer than [`CLOSE_BEYOND`].
    Close {
        /// Their token-set ratio.
        score: f64,
    },
    /// A later triplet has the same anchor and stands in its place.
    Superseded,
}

impl Reason {
    /// The step that dropped it: `sanity`, `positive-negative` or `anchor`.
    pub fn step(&self) -> &'static str {
        match self {
            Self::TooShort { .. } | Self::TooLong { .. } | Self::Same(..) | Self::Repeated => {
                "sanity"
            }
            Self::Close { .. } => "positive-negative",
            Self::Superseded => "anchor",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { text, words: 0 } => write!(formatter, "the {text} has no word"),
            Self::TooShort { text, words } => write!(
                formatter,
                "the {text} has {words} of at least {FEWEST_WORDS} words"
            ),
            Self::TooLong { text, characters } => write!(
                formatter,
                "the {text} has {characters} characters of at most {MOST_CHARACTERS}"
            ),
            Self::Same(first, second) => write!(formatter, "{first} and {second} are the same"),
            Self::Repeated => formatter.write_str("the same triplet was there before"),
            Self::Close { score } => write!(
                formatter,
                "positive and negative are too close: {score} is more than {CLOSE_BEYOND}"
            ),
            Self::Superseded => formatter.write_str("a later triplet has the same anchor"),
        }
    }
}

/// A triplet that was dropped, and why. Its record has `dropped_at` and `dropped_because` beside the triplet's own keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// The triplet, with its scores.
    pub triplet: Triplet,
    /// Why it was dropped.
    pub reason: Reason,
}

impl Serialize for Dropped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const OURS: [&str; 2] = ["dropped_at", "dropped_because"];
        let mut entries = self.triplet.entries();
        // What an earlier run said of the record no longer holds.
        entries.retain(|(key, _)| !OURS.contains(key));
        entries.push((OURS[0], Member::from(self.reason.step())));
        entries.push((OURS[1], Member::Text(self.reason.to_string().into())));
        serializer.collect_map(entries)
    }
}

/// How many triplets were there after each step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FilterCounts {
    /// Triplets that came in.
    pub read: usize,
    /// Left by the sanity check.
    pub sane: usize,
    /// Left by the rule on positive and negative, or all of them where that is off.
    pub apart: usize,
    /// Left when each anchor is there once: what is kept.
    pub kept: usize,
    /// Of those, hard.
    pub hard: usize,
    /// Of those kept, how many have an anchor–negative ratio of exactly 90: hard here, not hard by "exceeds 90".
    pub anchor_negative_at_90: usize,
    /// Of the sane, how many have a positive–negative ratio of exactly 90: not dropped here.
    pub positive_negative_at_90: usize,
    /// Of the sane, how many have a positive–negative ratio beyond 90, whether they were dropped or not.
    pub positive_negative_beyond_90: usize,
    /// Triplets that came with another score than the one computed, by more than 1e-9.
    pub scores_differing: usize,
}

/// What became of the triplets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filtered {
    /// What is kept, the hard ones among them, each with its computed scores.
    pub kept: Vec<Triplet>,
    /// What was dropped, step by step.
    pub dropped: Vec<Dropped>,
    /// How many at each step.
    pub counts: FilterCounts,
}

impl Filtered {
    /// Those kept whose negative is hard.
    pub fn hard(&self) -> impl Iterator<Item = &Triplet> {
        self.kept.iter().filter(|triplet| is_hard(triplet))
    }
}

/// Whether a triplet's stored anchor–negative ratio says that it is hard.
pub fn is_hard(triplet: &Triplet) -> bool {
    triplet
        .scores
        .anchor_negative
        .is_some_and(|score| score >= HARD_FROM)
}

/// Filters triplets: sanity check, positive and negative apart, one triplet for each anchor, hard ones counted.
///
/// The sanity check wants texts of at least [`FEWEST_WORDS`] words and at most [`MOST_CHARACTERS`] characters, three
/// different ones, and no triplet twice (the first stays). Of several triplets with one anchor the last is kept, at the
/// place of the first, as when they are put into a Python dictionary one after another.
pub fn filter(triplets: Vec<Triplet>, options: &FilterOptions) -> Filtered {
    let mut scorer = Scorer::default();
    let mut counts = FilterCounts {
        read: triplets.len(),
        ..FilterCounts::default()
    };
    let mut seen = FxHashSet::default();
    let mut dropped = Vec::new();
    let mut apart = Vec::new();
    for mut triplet in triplets {
        let ratios = LexicalScores::of(&mut scorer, options.processor, &triplet);
        counts.scores_differing += usize::from(ratios.differ_from(&triplet.scores));
        triplet.scores = ratios.into();
        let insane = insanity(&triplet).or_else(|| {
            let texts = [&triplet.anchor, &triplet.positive, &triplet.negative].map(Clone::clone);
            (!seen.insert(texts)).then_some(Reason::Repeated)
        });
        if let Some(reason) = insane {
            dropped.push(Dropped { triplet, reason });
            continue;
        }
        counts.sane += 1;
        let at_border = ratios.positive_negative == CLOSE_BEYOND;
        counts.positive_negative_at_90 += usize::from(at_border);
        if let Some(reason) = closeness(&ratios) {
            counts.positive_negative_beyond_90 += 1;
            if !options.keep_close {
                dropped.push(Dropped { triplet, reason });
                continue;
            }
        }
        counts.apart += 1;
        apart.push(triplet);
    }
    let kept = one_an_anchor(apart, &mut dropped);
    counts.kept = kept.len();
    for triplet in &kept {
        counts.hard += usize::from(is_hard(triplet));
        let at_border = triplet.scores.anchor_negative == Some(HARD_FROM);
        counts.anchor_negative_at_90 += usize::from(at_border);
    }
    Filtered {
        kept,
        dropped,
        counts,
    }
}

/// What the rules say of a triplet by itself, whatever else its set holds: why it would be dropped, or nothing.
///
/// ```
/// use ava::{LexicalScores, Processor, Scorer, Triplet, objection};
///
/// let triplet = Triplet {
///     anchor: "an acre is an area unit".to_owned(),
///     positive: "acres are units of area".to_owned(),
///     negative: "an acre weighs".to_owned(),
///     ..Triplet::default()
/// };
/// let ratios = LexicalScores::of(&mut Scorer::default(), Processor::None, &triplet);
/// let reason = objection(&triplet, &ratios).map(|reason| reason.to_string());
/// assert_eq!(reason.as_deref(), Some("the negative has 3 of at least 5 words"));
/// ```
pub fn objection(triplet: &Triplet, ratios: &LexicalScores) -> Option<Reason> {
    insanity(triplet).or_else(|| closeness(ratios))
}

fn closeness(ratios: &LexicalScores) -> Option<Reason> {
    let score = ratios.positive_negative;
    (score > CLOSE_BEYOND).then_some(Reason::Close { score })
}

fn insanity(triplet: &Triplet) -> Option<Reason> {
    let texts = [
        (Text::Anchor, &triplet.anchor),
        (Text::Positive, &triplet.positive),
        (Text::Negative, &triplet.negative),
    ];
    for (text, content) in texts {
        let words = word_count(content);
        if words < FEWEST_WORDS {
            return Some(Reason::TooShort { text, words });
        }
        let characters = content.chars().count();
        if characters > MOST_CHARACTERS {
            return Some(Reason::TooLong { text, characters });
        }
    }
    for (first, second) in [(0, 1), (0, 2), (1, 2)] {
        if texts[first].1 == texts[second].1 {
            return Some(Reason::Same(texts[first].0, texts[second].0));
        }
    }
    None
}

fn one_an_anchor(triplets: Vec<Triplet>, dropped: &mut Vec<Dropped>) -> Vec<Triplet> {
    let mut kept: Vec<Triplet> = Vec::with_capacity(triplets.len());
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    for triplet in triplets {
        if let Some(&place) = places.get(&triplet.anchor) {
            dropped.push(Dropped {
                triplet: std::mem::replace(&mut kept[place], triplet),
                reason: Reason::Superseded,
            });
        } else {
            places.insert(triplet.anchor.clone(), kept.len());
            kept.push(triplet);
        }
    }
    kept
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these figures are exact")]
mod tests {
    use super::*;

    fn triplet(anchor: &str, positive: &str, negative: &str) -> Triplet {
        Triplet {
            anchor: anchor.to_owned(),
            positive: positive.to_owned(),
            negative: negative.to_owned(),
            ..Triplet::default()
        }
    }

    const A: &str = "an acre is an area unit";
    const P: &str = "acres belong to the units of area";
    const N: &str = "an acre is a mass unit";

    fn reason(anchor: &str, positive: &str, negative: &str) -> Option<String> {
        let filtered = filter(
            vec![triplet(anchor, positive, negative)],
            &FilterOptions::default(),
        );
        assert_eq!(filtered.kept.len() + filtered.dropped.len(), 1);
        filtered
            .dropped
            .first()
            .map(|dropped| format!("{}: {}", dropped.reason.step(), dropped.reason))
    }

    #[test]
    fn the_sanity_check_says_what_is_wrong() {
        let long = format!("a b c d {}", "é".repeat(992));
        let too_long = format!("{long}é");
        let cases = [
            ((A, P, N), None),
            (("", P, N), Some("sanity: the anchor has no word")),
            (
                (A, " \u{1f}\n", N),
                Some("sanity: the positive has no word"),
            ),
            (
                (A, P, "one two three\u{a0}four"),
                Some("sanity: the negative has 4 of at least 5 words"),
            ),
            ((A, P, "one two three\u{2003}four five"), None),
            ((A, long.as_str(), N), None),
            (
                (A, too_long.as_str(), N),
                Some("sanity: the positive has 1001 characters of at most 1000"),
            ),
            ((A, A, N), Some("sanity: anchor and positive are the same")),
            ((A, P, A), Some("sanity: anchor and negative are the same")),
            (
                (A, P, P),
                Some("sanity: positive and negative are the same"),
            ),
        ];
        for ((anchor, positive, negative), expected) in cases {
            assert_eq!(reason(anchor, positive, negative).as_deref(), expected);
        }
    }

    #[test]
    fn a_triplet_that_comes_again_is_dropped_and_the_first_stays() {
        let again = triplet(A, P, N);
        let filtered = filter(vec![again.clone(), again], &FilterOptions::default());
        assert_eq!(filtered.counts.sane, 1);
        assert_eq!(filtered.dropped[0].reason, Reason::Repeated);
    }

    /// Shared "aa b c d" (8), one other letter on each side: 100 - 100 * 2 / (10 + 10).
    #[test]
    fn ninety_is_hard_and_not_too_close() {
        let (first, second) = ("aa b c d x", "aa b c d y");
        assert_eq!(crate::token_set_ratio(first, second), 90.0);
        let other = "nothing at all like the two others";
        let hard = filter(
            vec![triplet(first, other, second)],
            &FilterOptions::default(),
        );
        assert_eq!(
            (
                hard.counts.hard,
                hard.counts.anchor_negative_at_90,
                hard.hard().count()
            ),
            (1, 1, 1)
        );
        let close = filter(
            vec![triplet(other, first, second)],
            &FilterOptions::default(),
        );
        assert_eq!(
            (close.counts.kept, close.counts.positive_negative_at_90),
            (1, 1)
        );
        let closer = vec![triplet(other, first, &format!("{second} {first}"))];
        let dropped = filter(closer.clone(), &FilterOptions::default());
        assert_eq!(dropped.dropped[0].reason, Reason::Close { score: 100.0 });
        assert_eq!(dropped.counts.apart, 0);
        let replayed = filter(
            closer,
            &FilterOptions {
                keep_close: true,
                ..FilterOptions::default()
            },
        );
        assert_eq!(
            (
                replayed.counts.kept,
                replayed.counts.positive_negative_beyond_90
            ),
            (1, 1)
        );
    }

    #[test]
    fn the_last_of_an_anchor_stands_at_the_first_ones_place() {
        let other = "an ampere is a base unit";
        let triplets = vec![
            triplet(A, P, N),
            triplet(other, P, N),
            triplet(A, "the acre is one of the area units", N),
        ];
        let filtered = filter(triplets, &FilterOptions::default());
        let anchors: Vec<_> = filtered.kept.iter().map(|t| t.anchor.as_str()).collect();
        assert_eq!(anchors, [A, other]);
        assert_eq!(
            filtered.kept[0].positive,
            "the acre is one of the area units"
        );
        assert_eq!(filtered.dropped[0].triplet.positive, P);
        assert_eq!(filtered.dropped[0].reason, Reason::Superseded);
        assert_eq!(filtered.counts.kept, 2);
    }

    #[test]
    fn a_dropped_record_says_why_once() {
        let mut earlier = triplet("too short", P, N);
        let value = serde_json::value::to_raw_value("anchor").unwrap();
        earlier.extra = [("dropped_at".to_owned(), value)].into_iter().collect();
        let filtered = filter(vec![earlier], &FilterOptions::default());
        let json = serde_json::to_string(&filtered.dropped[0]).unwrap();
        assert!(
            json.ends_with(
                r#""dropped_at":"sanity","dropped_because":"the anchor has 2 of at least 5 words"}"#
            ),
            "{json}"
        );
        assert_eq!(json.matches("dropped_at").count(), 1);
    }

    #[test]
    fn stored_scores_that_differ_are_counted_and_replaced() {
        let mut stored = triplet(A, P, N);
        stored.scores.anchor_negative = Some(12.0);
        let filtered = filter(vec![stored], &FilterOptions::default());
        assert_eq!(filtered.counts.scores_differing, 1);
        assert_eq!(
            filtered.kept[0].scores.anchor_negative,
            Some(crate::token_set_ratio(A, N))
        );
    }
}
