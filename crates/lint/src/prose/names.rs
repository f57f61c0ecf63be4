//! Whether a prompt names a thing that a label names.

use super::{Prose, Word, words_of};
use std::ops::Range;

/// How well a label fits a prompt.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Fit {
    /// Its words are there.
    Named,
    /// Its words are there, but only among examples.
    OnlyAsExample,
    /// They are not.
    Absent,
}

/// Words of a label that say nothing by themselves.
const STOP: [&str; 26] = [
    "a", "an", "the", "of", "in", "on", "and", "or", "by", "to", "for", "with", "from", "at", "as",
    "is", "are", "be", "strain", "atcc", "not", "its", "their", "that", "system", "mellitus",
];

impl Prose {
    /// Whether the prompt names what any of `names` names.
    pub(crate) fn names_any<'n>(&self, names: impl Iterator<Item = &'n str>) -> Fit {
        let mut fit = Fit::Absent;
        for name in names {
            match self.names(name) {
                Fit::Named => return Fit::Named,
                Fit::OnlyAsExample => fit = Fit::OnlyAsExample,
                Fit::Absent => {}
            }
        }
        fit
    }

    /// Whether the prompt names what `name` names: all its words that matter, in any order.
    pub(crate) fn names(&self, name: &str) -> Fit {
        let plain = name.split(" (").next().unwrap_or(name);
        let mut wanted = words_of(plain);
        wanted.retain(|word| !STOP.contains(&word.lower.as_str()));
        if wanted.is_empty() {
            return Fit::Named;
        }
        if self.covers(&wanted, &self.examples) {
            return Fit::Named;
        }
        if self.abbreviates(name) {
            return Fit::Named;
        }
        if self.examples.is_empty() || !self.covers(&wanted, &[]) {
            Fit::Absent
        } else {
            Fit::OnlyAsExample
        }
    }

    /// Whether the words of this prompt outside `except` cover `wanted`.
    fn covers(&self, wanted: &[Word], except: &[Range<usize>]) -> bool {
        let has = |wanted: &Word| {
            self.words.iter().enumerate().any(|(index, word)| {
                word.means(wanted) && !except.iter().any(|range| range.contains(&index))
            })
        };
        // A scientific name is covered by the common one, which is one word for two.
        wanted.iter().all(&has)
            || (wanted.len() > 3
                && wanted.iter().filter(|word| has(word)).count() * 4 >= wanted.len() * 3
                && wanted
                    .iter()
                    .filter(|word| word.lower.bytes().any(|b| b.is_ascii_digit()))
                    .all(&has))
    }

    /// Whether the prompt has the initials of a name of several words, in capitals.
    fn abbreviates(&self, name: &str) -> bool {
        let initials: String = name
            .split([' ', '-'])
            .filter(|word| !STOP.contains(&word.to_lowercase().as_str()))
            .filter_map(|word| word.chars().next())
            .filter(|c| c.is_alphabetic())
            .flat_map(char::to_uppercase)
            .collect();
        initials.chars().count() >= 2
            && self
                .words
                .iter()
                .any(|word| self.text.get(word.start..word.end) == Some(initials.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_in_a_scientists_words() {
        for (prose, name, fit) in [
            (
                "For cardiovascular disease, list",
                "cardiovascular disorder",
                Fit::Named,
            ),
            ("human proteins", "Homo sapiens", Fit::Named),
            ("French painters", "France", Fit::Named),
            ("German cities", "Germany", Fit::Named),
            (
                "yeast proteins",
                "Saccharomyces cerevisiae (strain ATCC 204508 / S288c)",
                Fit::Named,
            ),
            ("type 1 diabetes", "type 2 diabetes mellitus", Fit::Absent),
            ("type 2 diabetes", "type 2 diabetes mellitus", Fit::Named),
            (
                "COPD patients",
                "chronic obstructive pulmonary disease",
                Fit::Named,
            ),
            ("a disease (e.g. asthma)", "asthma", Fit::OnlyAsExample),
            ("asthma (e.g. asthma)", "asthma", Fit::Named),
            (
                "abnormality of the nervous system",
                "Abnormality of the nervous system",
                Fit::Named,
            ),
            ("painters", "Paris", Fit::Absent),
        ] {
            assert_eq!(Prose::new(prose).names(name), fit, "{prose} / {name}");
        }
    }
}
