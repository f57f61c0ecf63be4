//! What a model replied: triplets, in JSON that is not always JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::TRIPLETS;
use crate::problem::words;
use crate::triplet::{Perturbation, Triplet};

/// No object of a reply is larger, in bytes: five triplets of the longest texts are a third of it.
const LARGEST: usize = 1 << 16;
/// After so many braces that begin nothing, nothing more is looked for.
const MOST_MISSES: usize = 200;

/// What is wrong with a part of a reply that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flaw {
    /// An entry without an anchor, a positive or a negative, or with something else than a text there.
    MissingText,
    /// An entry two of whose three texts are the same.
    SidesEqual,
    /// An entry that was there before.
    Repeated,
    /// A triplet beyond the number that was asked for.
    Surplus,
    /// A perturbation by a name that was not offered: the triplet stays, and names none.
    UnknownPerturbation,
}

impl Flaw {
    /// What it says, for a line of a list.
    pub fn words(self) -> &'static str {
        match self {
            Self::MissingText => "entries without one of the three texts",
            Self::SidesEqual => "entries with two equal texts",
            Self::Repeated => "entries that were there before",
            Self::Surplus => "triplets more than were asked for",
            Self::UnknownPerturbation => "triplets with a perturbation of another name, left out",
        }
    }
}

/// What a reply that can be read holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// At most [`TRIPLETS`], each with its texts and perturbation alone.
    pub triplets: Vec<Triplet>,
    /// Whether it was something else than the JSON array that was asked for, and was read all the same.
    pub mended: bool,
    /// What was wrong with its entries.
    pub flaws: BTreeMap<Flaw, usize>,
}

/// Reads a model's reply. An error says why no triplet can be found in it.
///
/// A reply that is no JSON array is mended here, as far as nothing has to be guessed: reasoning, remarks and code fences around it, commas
/// before a closing bracket, line breaks within a text, an object around the array, a list that breaks off.
///
/// ```
/// let reply = ava::read_reply("Here you are:\n```json\n[{\"anchor\": \"a\", \"positive\": \"b\", \"negative\": \"c\",},]\n```").unwrap();
/// assert_eq!((reply.triplets.len(), reply.mended), (1, true));
/// assert!(ava::read_reply("I would rather not.").is_err());
/// ```
pub fn read_reply(text: &str) -> Result<Reply, String> {
    let text = without_reasoning(text)?;
    let (entries, mended) = match serde_json::from_str(text) {
        Ok(Value::Array(entries)) => (entries, false),
        Ok(other) => (entries_of(other), true),
        Err(error) => {
            let found = objects(text);
            if found.is_empty() {
                return Err(reason(text, &error));
            }
            (found, true)
        }
    };
    let mut reply = Reply {
        mended,
        ..Reply::default()
    };
    for entry in entries {
        reply.take(entry);
    }
    // Where nothing at all is a triplet, the model is told so, as where nothing is JSON.
    let empty = reply.triplets.is_empty();
    match (empty, reply.flaws.contains_key(&Flaw::SidesEqual)) {
        (true, false) => Err("it holds no object with the texts of a triplet".to_owned()),
        (true, true) => Err("in every triplet two of the three texts are the same".to_owned()),
        _ => Ok(reply),
    }
}

impl Reply {
    fn take(&mut self, entry: Value) {
        let mut miss = |flaw| *self.flaws.entry(flaw).or_default() += 1;
        let Value::Object(members) = entry else {
            return miss(Flaw::MissingText);
        };
        let texts = ["anchor", "positive", "negative"].map(|name| text_of(&members, name));
        let [Some(anchor), Some(positive), Some(negative)] = texts else {
            return miss(Flaw::MissingText);
        };
        if anchor == positive || anchor == negative || positive == negative {
            return miss(Flaw::SidesEqual);
        }
        let mut triplet = Triplet {
            anchor,
            positive,
            negative,
            ..Triplet::default()
        };
        let is_same = |other: &Triplet| {
            other.anchor == triplet.anchor
                && other.positive == triplet.positive
                && other.negative == triplet.negative
        };
        if self.triplets.iter().any(is_same) {
            return miss(Flaw::Repeated);
        }
        if self.triplets.len() == TRIPLETS {
            return miss(Flaw::Surplus);
        }
        if let Some(name) = text_of(&members, "perturbation") {
            match Perturbation::from(name.to_lowercase().replace([' ', '_'], "-")) {
                Perturbation::Other(_) => miss(Flaw::UnknownPerturbation),
                known => triplet.perturbation = Some(known),
            }
        }
        self.triplets.push(triplet);
    }
}

/// A text of an entry that has anything in it; models write the key in small letters or not.
fn text_of(members: &Map<String, Value>, name: &str) -> Option<String> {
    let mut members = members.iter();
    let found = members.find(|(key, _)| key.trim().eq_ignore_ascii_case(name));
    let text = found?.1.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The reply without what a model thought aloud before it, in which drafts may stand.
fn without_reasoning(text: &str) -> Result<&str, String> {
    const END: &str = "</think>";
    let said = match text.rfind(END) {
        Some(end) => text.get(end + END.len()..).unwrap_or_default(),
        None if text.trim_start().starts_with("<think>") => {
            return Err("it ends before the reasoning does".to_owned());
        }
        None => text,
    };
    match said.trim().trim_start_matches('\u{FEFF}') {
        "" => Err("it is empty".to_owned()),
        said => Ok(said),
    }
}

fn reason(text: &str, error: &serde_json::Error) -> String {
    if text.contains('{') {
        format!(
            "{}, in line {}, column {}",
            words(error),
            error.line(),
            error.column()
        )
    } else {
        "there is no object in it".to_owned()
    }
}

/// The entries of what is no array: an object is one, or holds one list with objects, which are.
fn entries_of(value: Value) -> Vec<Value> {
    let Value::Object(mut members) = value else {
        return vec![value];
    };
    if text_of(&members, "anchor").is_none() {
        let list_of = |member: &mut Value| match member {
            Value::Array(list) if list.iter().any(Value::is_object) => Some(std::mem::take(list)),
            _ => None,
        };
        let mut lists: Vec<Vec<Value>> = members.values_mut().filter_map(list_of).collect();
        if lists.len() == 1 {
            return lists.swap_remove(0);
        }
    }
    vec![Value::Object(members)]
}

/// Every object that stands in a text, in its order; of one within another, the outer one, if that is whole.
fn objects(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut misses = 0;
    while misses < MOST_MISSES {
        let Some(start) = text.get(at..).and_then(|rest| rest.find('{')) else {
            break;
        };
        let rest = text.get(at + start..).unwrap_or_default();
        let object = mended(rest).and_then(|(object, length)| {
            let value = serde_json::from_str::<Value>(&object).ok()?;
            Some((value, length))
        });
        if let Some((value, length)) = object {
            found.extend(entries_of(value));
            at += start + length;
        } else {
            misses += 1;
            at += start + 1;
        }
    }
    found
}

/// The object at the beginning of a text as JSON, and how long it is there; `None` where it has no end.
fn mended(text: &str) -> Option<(String, usize)> {
    let mut object = String::new();
    let mut depth = 0_usize;
    let mut in_text = false;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if at > LARGEST {
            return None;
        }
        match character {
            '"' => in_text = !in_text,
            '\\' if in_text => {
                let (_, escaped) = characters.next()?;
                match escaped {
                    // Not to be escaped in JSON, where models do it all the same.
                    '\'' => object.push('\''),
                    '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u' => {
                        object.push('\\');
                        object.push(escaped);
                    }
                    _ => {
                        object.push_str("\\\\");
                        object.push(escaped);
                    }
                }
                continue;
            }
            _ if in_text && character.is_control() => {
                object.push(' ');
                continue;
            }
            ',' if !in_text => {
                let rest = text.get(at + 1..).unwrap_or_default();
                if rest.trim_start().starts_with(['}', ']']) {
                    continue;
                }
            }
            '{' | '[' if !in_text => depth += 1,
            '}' | ']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        object.push(character);
        if depth == 0 {
            return Some((object, at + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"{"anchor": "a", "positive": "b", "negative": "c"}"#;

    fn entry(n: usize) -> String {
        format!(r#"{{"anchor": "a{n}", "positive": "b", "negative": "c"}}"#)
    }

    /// How many triplets there are, and whether the text was mended for it.
    #[test]
    fn replies_are_read_as_far_as_nothing_is_guessed() {
        let five: Vec<String> = (0..5).map(entry).collect();
        let five = five.join(", ");
        let whole = format!("[{five}]");
        let cut = whole.get(..whole.len() - 10).unwrap();
        for (text, expected) in [
            (whole.clone(), (5, false)),
            (format!(" \n{whole}\n"), (5, false)),
            (format!("\u{feff}{whole}"), (5, false)),
            (format!("```json\n{whole}\n```"), (5, true)),
            (format!("Sure! {{so}} it is:\n{whole}\nAnything else?"), (5, true)),
            (format!("<think>[{ONE}] or not</think>\n{whole}"), (5, false)),
            (format!("{{\"triplets\": {whole}}}"), (5, true)),
            (format!("Of all:\n{{\"triplets\": {whole},}}"), (5, true)),
            (format!("{{\"triplets\": {whole}, \"notes\": [\"x\"]}}"), (5, true)),
            (ONE.to_owned(), (1, true)),
            (
                ONE.replace('}', ", \"entities\": [\"heart\"]}"),
                (1, true),
            ),
            (
                format!("Here: {}", ONE.replace('}', ", \"entities\": [{\"label\": \"heart\"}]}")),
                (1, true),
            ),
            (format!("[{ONE},]"), (1, true)),
            (format!("{}\n{}", entry(1), entry(2)), (2, true)),
            // Cut off in the last of them.
            (cut.to_owned(), (4, true)),
            (format!("{{\"triplets\": {cut}"), (4, true)),
            (
                "[{\"anchor\": \"a\nb\", \"positive\": \"it\\'s {b]\", \"negative\": \"\\alpha \\\"c\\\"\",}]".to_owned(),
                (1, true),
            ),
        ] {
            let reply = read_reply(&text).unwrap();
            assert_eq!((reply.triplets.len(), reply.mended), expected, "{text}");
        }
        let odd = r#"[{"Anchor ": "a	b", "positive": "it\'s {b]", "negative": "\alpha"}]"#;
        let reply = read_reply(odd).unwrap();
        let [triplet] = reply.triplets.as_slice() else {
            panic!("{reply:?}");
        };
        assert_eq!(triplet.anchor, "a b");
        assert_eq!(triplet.positive, "it's {b]");
        assert_eq!(triplet.negative, "\\alpha");
    }

    #[test]
    fn what_is_wrong_with_entries_is_counted() {
        let named = |name: &str| {
            format!(
                r#"{{"anchor": "{name}", "positive": "b", "negative": "c", "perturbation": "{name}"}}"#
            )
        };
        let entries = [
            r#"{"anchor": "a", "positive": "b"}"#.to_owned(),
            r#"{"anchor": "a", "positive": "b", "negative": 7}"#.to_owned(),
            r#"{"anchor": "a", "positive": "b", "negative": " "}"#.to_owned(),
            r#""a""#.to_owned(),
            r#"{"anchor": "a", "positive": "a ", "negative": "c"}"#.to_owned(),
            r#"{"anchor": "a", "positive": "b", "negative": "b"}"#.to_owned(),
            named("Sibling swap"),
            named("entity_replacement"),
            named("magic"),
            named("magic"),
            entry(1),
            entry(2),
            entry(3),
        ];
        let reply = read_reply(&format!("[{}]", entries.join(","))).unwrap();
        assert!(!reply.mended);
        let kinds: Vec<Option<&str>> = reply
            .triplets
            .iter()
            .map(|triplet| triplet.perturbation.as_ref().map(Perturbation::name))
            .collect();
        assert_eq!(
            kinds,
            [
                Some("sibling-swap"),
                Some("entity-replacement"),
                None,
                None,
                None
            ]
        );
        let flaws: Vec<(Flaw, usize)> = reply.flaws.into_iter().collect();
        assert_eq!(
            flaws,
            [
                (Flaw::MissingText, 4),
                (Flaw::SidesEqual, 2),
                (Flaw::Repeated, 1),
                (Flaw::Surplus, 1),
                (Flaw::UnknownPerturbation, 1),
            ]
        );
    }

    #[test]
    fn what_holds_no_triplet_says_why() {
        for (text, says) in [
            ("", "empty"),
            ("<think>done</think> ", "empty"),
            ("<think>[{\"anchor\": ", "before the reasoning does"),
            ("I cannot help with that.", "no object"),
            ("[]", "no object with the texts"),
            ("7", "no object with the texts"),
            ("[{\"anchor\": \"a\"}]", "no object with the texts"),
            (
                "[{\"anchor\": \"a\", \"positive\": \"a\", \"negative\": \"a\"}]",
                "two of the three texts",
            ),
            (
                "[{'anchor': 'a', 'positive': 'b'}]",
                "key must be a string, in line 1, column 3",
            ),
            (
                "[{\"anchor\": \"the \"big\" one\", \"positive\": \"b\"",
                "in line 1, column 19",
            ),
        ] {
            let why = read_reply(text).unwrap_err();
            assert!(why.contains(says), "{text}: {why}");
        }
    }

    #[test]
    fn braces_without_end_are_given_up() {
        assert!(read_reply(&"{".repeat(1 << 20)).is_err());
        assert!(read_reply(&"{\"a\": [".repeat(1 << 17)).is_err());
    }
}
