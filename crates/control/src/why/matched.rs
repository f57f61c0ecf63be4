//! Where a keyword sits in a name.

use serde::{Deserialize, Serialize};

/// An occurrence of a keyword in a name, and the word it sits in.
///
/// A test like `CONTAINS(LCASE(?name), "vascular")` knows nothing of words: here one can see what it caught.
///
/// ```
/// let found = control::Match::find("Familial Avascular necrosis", &["vascular"]).unwrap();
/// assert_eq!((&*found.before, &*found.matched, &*found.after), ("A", "vascular", ""));
/// assert_eq!(found.word(), "Avascular");
/// ```
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Match {
    /// The keyword as it was given.
    pub keyword: String,
    /// What stands before it in the same word.
    pub before: String,
    /// What matched, as the name writes it.
    pub matched: String,
    /// What follows it in the same word.
    pub after: String,
}

impl Match {
    /// The first of the keywords that occurs in the name, compared in lower case as SPARQL's `LCASE` does, at its first
    /// place.
    pub fn find<S: AsRef<str>>(name: &str, keywords: &[S]) -> Option<Self> {
        let (lower, origins) = lowered(name);
        let found = keywords.iter().map(AsRef::as_ref).find_map(|keyword| {
            let sought = keyword.trim().to_lowercase();
            let start = lower.find(&sought).filter(|_| !sought.is_empty())?;
            Some((keyword, start, start + sought.len()))
        });
        let (keyword, start, end) = found?;
        // The character that a byte of the lower-case text came from; a letter whose lower case has two is taken whole.
        let from = origins.get(start).copied()?;
        let last = origins.get(end - 1).copied()?;
        let to = last + name.get(last..)?.chars().next().map_or(0, char::len_utf8);
        let (head, matched, tail) = (name.get(..from)?, name.get(from..to)?, name.get(to..)?);
        let before = head.len() - head.trim_end_matches(char::is_alphanumeric).len();
        let after = tail.len() - tail.trim_start_matches(char::is_alphanumeric).len();
        Some(Self {
            keyword: keyword.to_owned(),
            before: head.get(head.len() - before..)?.to_owned(),
            matched: matched.to_owned(),
            after: tail.get(..after)?.to_owned(),
        })
    }

    /// The whole word, or the words where the keyword has several.
    pub fn word(&self) -> String {
        format!("{}{}{}", self.before, self.matched, self.after)
    }
}

/// The text in lower case, and for each of its bytes where in the text its character began.
fn lowered(text: &str) -> (String, Vec<usize>) {
    let mut lower = String::with_capacity(text.len());
    let mut origins = Vec::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        lower.extend(character.to_lowercase());
        origins.resize(lower.len(), at);
    }
    (lower, origins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, keywords: &[&str], expected: Option<&str>) {
        let found = Match::find(name, keywords);
        let shown = found.map(|m| format!("{}[{}]{}", m.before, m.matched, m.after));
        assert_eq!(shown.as_deref(), expected, "{keywords:?} in {name}");
    }

    #[test]
    fn the_word_around_the_keyword() {
        let name = "familial avascular necrosis of femoral head";
        check(name, &["cardio", "vascular"], Some("a[vascular]"));
        check(name, &["cardio", ""], None);
        check(
            "Neurofibromatosis type 1",
            &["neuro", "nerv"],
            Some("[Neuro]fibromatosis"),
        );
        check(
            "peptide hormone secretions",
            &["hormone secretion"],
            Some("[hormone secretion]s"),
        );
        check("non-cardiovascular", &["cardio"], Some("[cardio]vascular"));
        check("", &["a"], None);
    }

    #[test]
    fn letters_whose_lower_case_is_longer() {
        check("İSTANBUL fever", &["stanbul"], Some("İ[STANBUL]"));
        check("İSTANBUL", &["i"], Some("[İ]STANBUL"));
        check("STRASSE ẞ", &["ß"], Some("[ẞ]"));
        check("日本脳炎", &["脳"], Some("日本[脳]炎"));
    }
}
