//! Length of the longest common subsequence, 64 places of the pattern in one step.
//!
//! Hyyrö 2004, "Bit-parallel LCS-length computation revisited": a zero bit of the state stands for a row of the dynamic
//! programme in which the length grows by one. Patterns beyond 64 symbols take several words with a carry between them.

use rustc_hash::FxHashMap;

/// Symbols below this have their masks at their own place, without a search.
const DIRECT: usize = 256;

/// Scratch space, so that a pair costs no allocation once the longest has been seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Lcs {
    /// Row `r`, block `b` at `r * blocks + b`. All zero between two calls.
    masks: Vec<u64>,
    /// Rows of the symbols from [`DIRECT`] on.
    rows: FxHashMap<u32, usize>,
    state: Vec<u64>,
}

impl Lcs {
    /// How many symbols the longest common subsequence of both sequences has.
    pub(super) fn length(&mut self, first: &[u32], second: &[u32]) -> usize {
        let (affix, first, second) = without_affixes(first, second);
        if first.is_empty() || second.is_empty() {
            return affix;
        }
        let steps = |pattern: &[u32], text: &[u32]| pattern.len().div_ceil(64) * text.len();
        let (pattern, text) = if steps(first, second) <= steps(second, first) {
            (first, second)
        } else {
            (second, first)
        };
        affix + self.of_pattern(pattern, text)
    }

    fn of_pattern(&mut self, pattern: &[u32], text: &[u32]) -> usize {
        let blocks = pattern.len().div_ceil(64);
        self.fill(pattern, blocks);
        let length = if blocks == 1 {
            self.one_block(text)
        } else {
            self.many_blocks(text, blocks)
        };
        self.clear(pattern, blocks);
        length
    }

    fn fill(&mut self, pattern: &[u32], blocks: usize) {
        if self.masks.len() < DIRECT * blocks {
            self.masks.resize(DIRECT * blocks, 0);
        }
        for (place, &symbol) in pattern.iter().enumerate() {
            let row = match usize::try_from(symbol) {
                Ok(row) if row < DIRECT => row,
                _ => {
                    let next = DIRECT + self.rows.len();
                    let row = *self.rows.entry(symbol).or_insert(next);
                    if self.masks.len() < (row + 1) * blocks {
                        self.masks.resize((row + 1) * blocks, 0);
                    }
                    row
                }
            };
            self.masks[row * blocks + place / 64] |= 1 << (place % 64);
        }
    }

    /// Only what the pattern touched is wiped: wiping all of it would cost more than the comparison.
    fn clear(&mut self, pattern: &[u32], blocks: usize) {
        for &symbol in pattern {
            if let Some(row) = self.row(symbol) {
                self.masks[row * blocks..(row + 1) * blocks].fill(0);
            }
        }
        self.rows.clear();
    }

    fn row(&self, symbol: u32) -> Option<usize> {
        match usize::try_from(symbol) {
            Ok(row) if row < DIRECT => Some(row),
            _ => self.rows.get(&symbol).copied(),
        }
    }

    fn one_block(&self, text: &[u32]) -> usize {
        let mut state = u64::MAX;
        for &symbol in text {
            let mask = self.row(symbol).map_or(0, |row| self.masks[row]);
            let matched = state & mask;
            state = state.wrapping_add(matched) | (state - matched);
        }
        // Bits beyond the pattern never match, so they stay set.
        state.count_zeros() as usize
    }

    fn many_blocks(&mut self, text: &[u32], blocks: usize) -> usize {
        self.state.clear();
        self.state.resize(blocks, u64::MAX);
        for &symbol in text {
            // A symbol that the pattern lacks leaves the state as it is.
            let Some(row) = self.row(symbol) else {
                continue;
            };
            let masks = &self.masks[row * blocks..(row + 1) * blocks];
            let mut carry = false;
            for (state, mask) in self.state.iter_mut().zip(masks) {
                let matched = *state & mask;
                let (sum, over) = state.overflowing_add(matched);
                let (sum, over_again) = sum.overflowing_add(u64::from(carry));
                carry = over | over_again;
                *state = sum | (*state - matched);
            }
        }
        self.state
            .iter()
            .map(|block| block.count_zeros() as usize)
            .sum()
    }
}

/// How much both share at their ends, which is part of every longest common subsequence, and what lies between.
fn without_affixes<'s>(first: &'s [u32], second: &'s [u32]) -> (usize, &'s [u32], &'s [u32]) {
    let prefix = first.iter().zip(second).take_while(|(a, b)| a == b).count();
    let (first, second) = (&first[prefix..], &second[prefix..]);
    let ends = first.iter().rev().zip(second.iter().rev());
    let suffix = ends.take_while(|(a, b)| a == b).count();
    (
        prefix + suffix,
        &first[..first.len() - suffix],
        &second[..second.len() - suffix],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The dynamic programme of the textbooks.
    fn plain(first: &[u32], second: &[u32]) -> usize {
        let mut row = vec![0; second.len() + 1];
        for a in first {
            let mut diagonal = 0;
            for (place, b) in second.iter().enumerate() {
                let above = row[place + 1];
                row[place + 1] = if a == b {
                    diagonal + 1
                } else {
                    above.max(row[place])
                };
                diagonal = above;
            }
        }
        row[second.len()]
    }

    fn symbols(text: &str) -> Vec<u32> {
        text.chars().map(u32::from).collect()
    }

    #[test]
    fn lengths_are_those_of_the_dynamic_programme() {
        let mut lcs = Lcs::default();
        let long = "the quick brown fox jumps over the lazy dog ".repeat(7);
        let other = "a lazy dog was jumped over by the quick brown fox ".repeat(5);
        let cases = [
            ("", ""),
            ("a", ""),
            ("abc", "abc"),
            ("abcd", "dcba"),
            ("ábç", "abc"),
            ("漢字かな", "かな漢字"),
            ("x漢y字z", "漢x字y"),
            (&long, &other),
            (&other, "fox"),
            (&long[..64], &other[1..66]),
            (&long[1..65], &other[..128]),
        ];
        for (a, b) in cases {
            let (a, b) = (symbols(a), symbols(b));
            assert_eq!(lcs.length(&a, &b), plain(&a, &b));
            assert_eq!(lcs.length(&b, &a), plain(&a, &b));
            assert!(
                lcs.masks.iter().all(|&mask| mask == 0),
                "left for the next pair"
            );
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    proptest::proptest! {
        #[test]
        fn any_two_sequences_agree_with_the_dynamic_programme(
            a in proptest::collection::vec(proptest::prop_oneof![97_u32..101, 250_u32..262, 0x1F600_u32..0x1F603], 0..200),
            b in proptest::collection::vec(proptest::prop_oneof![97_u32..101, 250_u32..262, 0x1F600_u32..0x1F603], 0..200),
        ) {
            let mut lcs = Lcs::default();
            assert_eq!(lcs.length(&a, &b), plain(&a, &b));
            assert_eq!(lcs.length(&a[..a.len() / 2], &b), plain(&a[..a.len() / 2], &b));
        }
    }
}
