//! What a prompt says, as far as words can tell.
//!
//! Nothing here understands English. It finds words in spite of inflection, numbers in spite of being spelled out, and the
//! few phrases by which a prompt states a limit, a threshold or an example. Each list is short and closed; the labelled
//! set under `tests/lint` says how far that gets.

mod names;
mod numbers;
mod tables;
mod words;

pub(crate) use names::Fit;
pub(crate) use numbers::{Comparison, Mention, Sense, equal, is_superlative, month};
pub(crate) use words::{Lexicon, Word, words_of};

use std::ops::Range;

/// A prompt, cut into words and numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prose {
    pub(crate) text: String,
    pub(crate) words: Vec<Word>,
    /// Word ranges of the sentences.
    pub(crate) sentences: Vec<Range<usize>>,
    /// The numbers, spelled out or not, in order.
    pub(crate) numbers: Vec<Mention>,
    /// Word ranges that only give examples: what follows "e.g." or "such as".
    pub(crate) examples: Vec<Range<usize>>,
}

impl Prose {
    pub(crate) fn new(text: &str) -> Self {
        let words = words_of(text);
        let sentences = words::sentences(text, &words);
        let mut prose = Self {
            text: text.to_owned(),
            words,
            sentences,
            ..Self::default()
        };
        prose.numbers = numbers::mentions(&prose);
        prose.examples = words::examples(&prose);
        prose
    }

    /// The text between a word and the next one.
    pub(crate) fn gap_after(&self, index: usize) -> &str {
        let Some(word) = self.words.get(index) else {
            return "";
        };
        let next = self.words.get(index + 1);
        let end = next.map_or(self.text.len(), |next| next.start);
        self.text.get(word.end..end).unwrap_or_default()
    }

    /// Whether any of these exact lowercase words occurs.
    pub(crate) fn has_any(&self, words: &[&str]) -> bool {
        self.words.iter().any(|w| words.contains(&w.lower.as_str()))
    }

    /// Whether these characters occur as they are, case aside.
    pub(crate) fn contains(&self, text: &str) -> bool {
        self.text.to_lowercase().contains(&text.to_lowercase())
    }

    /// Where a sequence of exact lowercase words begins, punctuation between them aside.
    pub(crate) fn find_phrase(&self, phrase: &str) -> Option<usize> {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        self.words.windows(phrase.len()).position(|window| {
            window
                .iter()
                .zip(&phrase)
                .all(|(word, expected)| word.lower == *expected)
        })
    }

    /// A few words around a place, for messages.
    pub(crate) fn quote(&self, range: Range<usize>) -> &str {
        let (Some(first), Some(last)) = (
            self.words.get(range.start),
            self.words.get(range.end.saturating_sub(1)),
        ) else {
            return "";
        };
        self.text.get(first.start..last.end).unwrap_or_default()
    }
}
