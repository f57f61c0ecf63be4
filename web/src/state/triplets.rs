//! Triplets to look at: their lexical scores, computed here, what the rules say of each, and what a model makes of it.

use ava::{
    CLOSE_BEYOND, Cosines, Detailed, HARD_FROM, LexicalScores, Problem, Processor, Reason, Scorer,
    StoredScores, Triplet, objection, read_triplets,
};
use serde::{Deserialize, Serialize};

use crate::query::Browse;

/// Triplets on a page.
pub const PAGE: usize = 20;
/// Words of a text beyond which two texts are not compared word by word: their table would grow with the square.
const MOST_WORDS: usize = 250;

/// What becomes of a triplet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It stays.
    Kept,
    /// It stays, and its negative is hard.
    Hard,
    /// It goes, and why.
    Dropped(String),
}

impl Verdict {
    /// What the rules say of a triplet by itself.
    fn of(ratios: &LexicalScores, objection: Option<Reason>) -> Self {
        match objection {
            Some(reason) => Self::Dropped(reason.to_string()),
            None if ratios.is_hard() => Self::Hard,
            None => Self::Kept,
        }
    }

    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Hard => "hard",
            Self::Dropped(_) => "dropped",
        }
    }
}

/// A triplet with what was computed of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The line of the file on which its record begins.
    pub line: u32,
    /// What the record says.
    pub triplet: Triplet,
    /// The ratios computed here, of the texts as they are.
    pub ratios: LexicalScores,
    /// What becomes of it.
    pub verdict: Verdict,
    /// Whether that is the word of the file: an earlier run dropped it, for what no triplet shows by itself.
    pub is_told: bool,
    /// What a model's vectors make of it.
    pub cosines: Option<Cosines>,
}

impl Seen {
    fn of(line: u32, mut triplet: Triplet, cosines: Option<Cosines>, scorer: &mut Scorer) -> Self {
        let ratios = LexicalScores::of(scorer, Processor::None, &triplet);
        let mut verdict = Verdict::of(&ratios, objection(&triplet, &ratios));
        let told = triplet.extra.take("dropped_because");
        triplet.extra.take("dropped_at");
        let told: Option<String> = told.and_then(|told| serde_json::from_str(told.get()).ok());
        let is_told = told.is_some() && !matches!(verdict, Verdict::Dropped(_));
        if let (true, Some(told)) = (is_told, told) {
            verdict = Verdict::Dropped(told);
        }
        Self {
            line,
            triplet,
            ratios,
            verdict,
            is_told,
            cosines,
        }
    }

    /// The record's own scores, where they are not the computed ones.
    pub fn other_scores(&self) -> Option<StoredScores> {
        let stored = self.triplet.scores;
        self.ratios.differ_from(&stored).then_some(stored)
    }

    /// Whether its negative is hard: by the record's own ratio where it has one, as the evaluation of a model counts.
    pub fn is_hard(&self) -> bool {
        let stored = self.triplet.scores.anchor_negative;
        stored.unwrap_or(self.ratios.anchor_negative) >= HARD_FROM
    }

    /// Whether a model puts the negative at least as near as the positive.
    pub fn is_wrong(&self) -> bool {
        self.cosines.is_some_and(|cosines| !cosines.is_right())
    }

    fn kind(&self) -> Option<&str> {
        self.triplet
            .perturbation
            .as_ref()
            .map(ava::Perturbation::name)
    }

    fn fits(&self, browse: &Browse, words: &[String]) -> bool {
        let is = |wanted: &Option<String>, value: Option<&str>| {
            wanted.is_none() || wanted.as_deref() == value
        };
        if !is(&browse.kind, self.kind()) || !is(&browse.verdict, Some(self.verdict.word())) {
            return false;
        }
        if words.is_empty() {
            return true;
        }
        let Triplet {
            anchor,
            positive,
            negative,
            ..
        } = &self.triplet;
        let all = format!("{anchor}\n{positive}\n{negative}").to_lowercase();
        words.iter().all(|word| all.contains(word))
    }
}

/// A file of triplets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TripletSet {
    /// What the file is called.
    pub name: String,
    /// Its triplets.
    pub triplets: Vec<Seen>,
    /// Its records that are none.
    pub problems: Vec<Problem>,
    /// Whether each has cosines.
    pub is_judged: bool,
}

impl TripletSet {
    /// Reads a file; with `is_judged`, every triplet must have a model's cosines.
    pub fn read(name: String, bytes: &[u8], is_judged: bool) -> Result<Self, Problem> {
        let reading = read_triplets(bytes)?;
        if reading.is_blank() {
            return Err(Problem {
                line: 1,
                column: 1,
                message: "no triplet in this file".to_owned(),
                remedy: Some(
                    "give a JSON array, or one JSON object a line, each with `anchor`, `positive` and `negative`".to_owned(),
                ),
            });
        }
        if reading.triplets.is_empty()
            && let Some(problem) = reading.problems.first()
        {
            return Err(problem.clone());
        }
        let mut scorer = Scorer::default();
        let mut triplets = Vec::with_capacity(reading.triplets.len());
        for (line, triplet) in reading.triplets {
            let (triplet, cosines) = if is_judged {
                let detailed = Detailed::of(triplet).map_err(|message| Problem {
                    line,
                    column: 1,
                    message,
                    remedy: Some("give a file that `ava evaluate` wrote with --details".to_owned()),
                })?;
                (detailed.triplet, Some(detailed.cosines))
            } else {
                (triplet, None)
            };
            triplets.push(Seen::of(line, triplet, cosines, &mut scorer));
        }
        Ok(Self {
            name,
            triplets,
            problems: reading.problems,
            is_judged,
        })
    }

    /// Every kind of perturbation and how many triplets have it, by name.
    pub fn kinds(&self) -> Vec<(String, usize)> {
        let mut kinds = std::collections::BTreeMap::new();
        for kind in self.triplets.iter().filter_map(Seen::kind) {
            *kinds.entry(kind.to_owned()).or_insert(0) += 1;
        }
        kinds.into_iter().collect()
    }

    /// How many triplets have this verdict.
    pub fn count(&self, word: &str) -> usize {
        let each = self.triplets.iter();
        each.filter(|seen| seen.verdict.word() == word).count()
    }

    /// How many triplets sit at exactly 90: hard, but not by "exceeds 90"; and kept, but close.
    pub fn at_border(&self) -> (usize, usize) {
        #[expect(clippy::float_cmp, reason = "exactly 90 is what is asked for")]
        let at = |of: fn(&Seen) -> f64, border: f64| {
            self.triplets
                .iter()
                .filter(|seen| of(seen) == border)
                .count()
        };
        (
            at(|seen| seen.ratios.anchor_negative, HARD_FROM),
            at(|seen| seen.ratios.positive_negative, CLOSE_BEYOND),
        )
    }

    /// The triplets that are asked for: in the file's order, or those that the model gets wrong, the worst first.
    pub fn shown(&self, browse: &Browse) -> Vec<&Seen> {
        let text = browse.text.as_deref().unwrap_or_default().to_lowercase();
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let mut shown: Vec<&Seen> = self
            .triplets
            .iter()
            .filter(|seen| (!self.is_judged || seen.is_wrong()) && seen.fits(browse, &words))
            .collect();
        if self.is_judged {
            let margin = |seen: &Seen| seen.cosines.map_or(0.0, |cosines| cosines.margin());
            shown.sort_by(|a, b| margin(a).total_cmp(&margin(b)));
        }
        shown
    }
}

/// A triplet that the reader typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Typed {
    /// Anchor, positive, negative.
    pub texts: [String; 3],
    /// Whether they are put through `default_process` first.
    pub is_processed: bool,
}

/// The scores of a triplet that the reader typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// The texts as they are compared.
    pub triplet: Triplet,
    /// Their ratios.
    pub ratios: LexicalScores,
    /// What becomes of it.
    pub verdict: Verdict,
}

impl Own {
    /// Scores it.
    pub fn of(typed: Typed) -> Self {
        let Typed {
            texts: [anchor, positive, negative],
            is_processed,
        } = typed;
        let processor = if is_processed {
            Processor::Default
        } else {
            Processor::None
        };
        let triplet = Triplet {
            anchor,
            positive,
            negative,
            ..Triplet::default()
        };
        let ratios = LexicalScores::of(&mut Scorer::default(), processor, &triplet);
        let verdict = Verdict::of(&ratios, objection(&triplet, &ratios));
        Self {
            triplet,
            ratios,
            verdict,
        }
    }
}

/// A ratio with two decimals, or as many as it takes to tell it from 90.
pub fn ratio(value: f64) -> String {
    let short = format!("{value:.2}");
    let is_at = value == HARD_FROM;
    if short == "90.00" && !is_at {
        value.to_string()
    } else {
        short
    }
}

/// The words of a text, each with whether it is not at this place in the other: those that two readings in parallel do not
/// share.
pub fn changed<'t>(text: &'t str, other: &str) -> Vec<(&'t str, bool)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let others: Vec<&str> = other.split_whitespace().collect();
    if words.len().max(others.len()) > MOST_WORDS {
        return words.into_iter().map(|word| (word, false)).collect();
    }
    // lengths[i][j]: the longest common sequence of words[i..] and others[j..].
    let mut lengths = vec![vec![0_usize; others.len() + 1]; words.len() + 1];
    for (i, word) in words.iter().enumerate().rev() {
        for (j, other) in others.iter().enumerate().rev() {
            lengths[i][j] = if word == other {
                lengths[i + 1][j + 1] + 1
            } else {
                lengths[i + 1][j].max(lengths[i][j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut marked = Vec::with_capacity(words.len());
    while i < words.len() {
        if j < others.len() && words[i] == others[j] {
            marked.push((words[i], false));
            i += 1;
            j += 1;
        } else if j < others.len() && lengths[i][j + 1] >= lengths[i + 1][j] {
            j += 1;
        } else {
            marked.push((words[i], true));
            i += 1;
        }
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Route;

    const FILE: &str = r#"[
{"anchor": "every heart is an organ", "positive": "hearts belong to the organs here", "negative": "every organ is an heart", "perturbation": "hierarchy-inversion"},
{"anchor": "the lung is part of a body", "positive": "lungs are found within the bodies", "negative": "the lung is a neighbour to any house", "perturbation": "relation-substitution", "anchor_negative_score": 12.5},
{"anchor": "a nail grows on a finger", "positive": "fingers carry the nails that grow", "negative": "nails", "perturbation": "sibling-swap"},
{"anchor": "an eye sees all the light", "positive": "light is what eyes can see", "negative": "an eye hears each loud sound", "dropped_at": "anchor", "dropped_because": "a later triplet has the same anchor"}
]"#;

    fn browse(search: &str) -> Browse {
        match Route::parse(search) {
            Route::Triplets(browse) | Route::Errors(browse) => browse,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_rules_say_what_becomes_of_each() {
        let set = TripletSet::read("set.json".into(), FILE.as_bytes(), false).unwrap();
        let words: Vec<&str> = set
            .triplets
            .iter()
            .map(|seen| seen.verdict.word())
            .collect();
        assert_eq!(words, ["hard", "kept", "dropped", "dropped"]);
        let lines: Vec<u32> = set.triplets.iter().map(|seen| seen.line).collect();
        assert_eq!(lines, [2, 3, 4, 5]);
        assert_eq!(
            set.triplets[2].verdict,
            Verdict::Dropped("the negative has 1 of at least 5 words".into())
        );
        // No triplet shows by itself that another has its anchor.
        assert!(set.triplets[3].is_told && !set.triplets[2].is_told);
        assert_eq!(set.triplets[0].other_scores(), None);
        let other = set.triplets[1].other_scores().unwrap();
        assert_eq!(other.anchor_negative, Some(12.5));
        assert_eq!((set.count("dropped"), set.kinds().len()), (2, 3));
    }

    #[test]
    fn what_is_asked_for_is_shown() {
        let set = TripletSet::read("set.json".into(), FILE.as_bytes(), false).unwrap();
        for (search, expected) in [
            ("?view=triplets", 4),
            ("?view=triplets&kind=sibling-swap", 1),
            ("?view=triplets&kind=disjointness-injection", 0),
            ("?view=triplets&verdict=dropped", 2),
            ("?view=triplets&text=ORGAN", 1),
            ("?view=triplets&text=nails+finger", 1),
            ("?view=triplets&text=nails+organ", 0),
        ] {
            assert_eq!(set.shown(&browse(search)).len(), expected, "{search}");
        }
    }

    #[test]
    fn errors_of_a_model_are_those_it_gets_wrong_the_worst_first() {
        let record = |anchor: &str, positive: f64, negative: f64| {
            format!(
                r#"{{"anchor": "{anchor}", "positive": "b", "negative": "c", "anchor_positive": {positive}, "anchor_negative": {negative}, "positive_negative": 0}}"#
            )
        };
        let file = [
            record("tie", 0.5, 0.5),
            record("right", 0.75, 0.5),
            record("worst", 0.25, 1.0),
        ]
        .join("\n");
        let set = TripletSet::read("m".into(), file.as_bytes(), true).unwrap();
        let shown = set.shown(&browse("?view=errors"));
        let anchors: Vec<&str> = shown
            .iter()
            .map(|seen| seen.triplet.anchor.as_str())
            .collect();
        assert_eq!(anchors, ["worst", "tie"]);
    }

    #[test]
    fn what_is_no_such_file_says_where_and_what_to_do() {
        for (file, is_judged, expected) in [
            ("", false, "1:1: no triplet in this file"),
            ("\n ", false, "1:1: no triplet in this file"),
            ("\u{FEFF}\n", false, "1:1: no triplet in this file"),
            (
                "{\"anchor\": \"a\"}",
                false,
                "1:1: this triplet has no `positive`",
            ),
            ("[{]", false, "1:3: no JSON array"),
            (
                FILE,
                true,
                "2:1: this triplet has no cosine `anchor_positive`",
            ),
        ] {
            let problem = TripletSet::read("x".into(), file.as_bytes(), is_judged).unwrap_err();
            let said = problem.to_string();
            assert!(said.starts_with(expected), "{said}");
            assert!(problem.remedy.is_some(), "{said}");
        }
        // Where nothing was dropped there is a file of nothing.
        for nothing in ["[]\n", "\u{FEFF}[]", "\u{FEFF}\n []"] {
            let none = TripletSet::read("dropped.json".into(), nothing.as_bytes(), false).unwrap();
            assert_eq!((none.triplets.len(), none.problems.len()), (0, 0));
        }
        // A record that is none costs its neighbours nothing.
        let mixed = format!(
            "{{\"positive\": 1}}\n{}",
            FILE.lines().nth(1).unwrap().trim_end_matches(',')
        );
        let set = TripletSet::read("x".into(), mixed.as_bytes(), false).unwrap();
        assert_eq!((set.triplets.len(), set.problems.len()), (1, 1));
    }

    #[test]
    fn ninety_reads_as_ninety_only_where_it_is() {
        for (value, expected) in [
            (90.0, "90.00"),
            (89.998, "89.998"),
            (90.001, "90.001"),
            (69.026_548_672_566_38, "69.03"),
        ] {
            assert_eq!(ratio(value), expected);
        }
    }

    #[test]
    fn words_that_are_elsewhere_are_marked() {
        let marked = |text: &str, other: &str| -> String {
            let words = changed(text, other).into_iter();
            let words = words.map(|(word, is_changed)| {
                if is_changed {
                    format!("[{word}]")
                } else {
                    word.to_owned()
                }
            });
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(marked("a b c", "a b c"), "a b c");
        assert_eq!(
            marked("an acre is a volume unit", "an acre is an area unit"),
            "an acre is [a] [volume] unit"
        );
        assert_eq!(
            marked("every organ is a heart", "every heart is a organ")
                .matches('[')
                .count(),
            2
        );
        assert_eq!(marked("", "a"), "");
    }

    #[test]
    fn a_triplet_that_is_typed_is_scored() {
        let own = Own::of(Typed {
            texts: [
                "An acre is a unit",
                "Units of area include the acre",
                "a unit is an acre",
            ]
            .map(str::to_owned),
            is_processed: true,
        });
        assert_eq!(own.verdict, Verdict::Hard);
        assert!((own.ratios.anchor_negative - 100.0).abs() < 1e-9);
    }
}
