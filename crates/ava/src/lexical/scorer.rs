//! The token-set ratio of two texts.

use super::lcs::Lcs;
use super::words::TokenSet;

/// The token-set ratio of two texts, from 0 to 100, as `rapidfuzz.fuzz.token_set_ratio` gives it without a processor.
///
/// Words that both have count once and wholly; the words that only one has are joined and compared by insertions and
/// deletions. Where one text's words are all in the other the ratio is 100; where a side has no word it is 0.
///
/// ```
/// use ava::token_set_ratio;
///
/// assert_eq!(token_set_ratio("an acre is a unit", "a unit is an acre"), 100.0);
/// assert_eq!(token_set_ratio("an acre", ""), 0.0);
/// assert_eq!(token_set_ratio("fuzzy was a bear", "wuzzy was a hare"), 81.25);
/// ```
pub fn token_set_ratio(first: &str, second: &str) -> f64 {
    Scorer::default().ratio(&TokenSet::of(first), &TokenSet::of(second))
}

/// Computes token-set ratios one after another without allocating for each.
///
/// A text that is compared several times, such as an anchor, is split once:
///
/// ```
/// use ava::{Scorer, TokenSet};
///
/// let mut scorer = Scorer::default();
/// let anchor = TokenSet::of("an acre is an area unit");
/// let scores = ["an area unit is an acre", "an acre is a mass unit"].map(|text| scorer.ratio(&anchor, &TokenSet::of(text)));
/// assert!(scores[0] > scores[1]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scorer {
    lcs: Lcs,
    first: Vec<u32>,
    second: Vec<u32>,
}

impl Scorer {
    /// The token-set ratio of two sets of words, from 0 to 100; the order of the two makes no difference.
    pub fn ratio(&mut self, first: &TokenSet<'_>, second: &TokenSet<'_>) -> f64 {
        let (a, b) = (first.words(), second.words());
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        self.first.clear();
        self.second.clear();
        // Length of the shared words with a space between each two.
        let mut shared = 0;
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            match a[i].cmp(b[j]) {
                std::cmp::Ordering::Less => {
                    join(&mut self.first, a[i], first.is_ascii());
                    i += 1;
                }
                std::cmp::Ordering::Greater => {
                    join(&mut self.second, b[j], second.is_ascii());
                    j += 1;
                }
                std::cmp::Ordering::Equal => {
                    shared += usize::from(shared > 0) + length(a[i], first.is_ascii());
                    i += 1;
                    j += 1;
                }
            }
        }
        for word in &a[i..] {
            join(&mut self.first, word, first.is_ascii());
        }
        for word in &b[j..] {
            join(&mut self.second, word, second.is_ascii());
        }
        if shared > 0 && (self.first.is_empty() || self.second.is_empty()) {
            return 100.0;
        }
        // Shared words stand before the rest, with a space between.
        let gap = usize::from(shared > 0);
        let rests = [self.first.len(), self.second.len()];
        let wholes = rests.map(|rest| shared + gap + rest);
        let common = self.lcs.length(&self.first, &self.second);
        let distance = rests[0] + rests[1] - 2 * common;
        let mut ratio = similarity(distance, wholes[0] + wholes[1]);
        if shared > 0 {
            for (rest, whole) in rests.into_iter().zip(wholes) {
                ratio = ratio.max(similarity(gap + rest, shared + whole));
            }
        }
        ratio
    }
}

fn join(words: &mut Vec<u32>, word: &str, is_ascii: bool) {
    if !words.is_empty() {
        words.push(u32::from(' '));
    }
    if is_ascii {
        words.extend(word.bytes().map(u32::from));
    } else {
        words.extend(word.chars().map(u32::from));
    }
}

fn length(word: &str, is_ascii: bool) -> usize {
    if is_ascii {
        word.len()
    } else {
        word.chars().count()
    }
}

/// In this order of operations, so that the last bit is the same.
fn similarity(distance: usize, lengths: usize) -> f64 {
    if lengths == 0 {
        return 100.0;
    }
    100.0 - 100.0 * distance as f64 / lengths as f64
}
