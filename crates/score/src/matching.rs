//! Pairing the answer's rows with the key's, one to one, as many as can be.

use std::hint::black_box;

use table::{RawTable, Table};

use crate::blanks;
use crate::index::{RowId, RowIndex, hash};
use crate::overlap::Overlap;
use crate::readings::{Certainty, Readings};

/// So many rows of the answer are asked for at once when pairs are compared.
const BLOCK: usize = 64;

/// A column of the key and the answer's column that it is compared with; without one, the answer's cells are missing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnPair {
    pub(crate) key: usize,
    pub(crate) answer: Option<usize>,
}

/// Which row of the key each row of the answer is.
#[derive(Debug, Default)]
pub(crate) struct Matching {
    /// The key's row, by row of the answer.
    pub(crate) key_row: Vec<Option<RowId>>,
    /// Rows that are paired.
    pub(crate) matched: usize,
    /// Whether blank nodes kept the search from proving that no more rows can be paired.
    pub(crate) bounded: bool,
}

/// Pairs rows that are equal in the given columns; rows of the answer for which `skip` holds stay unpaired.
///
/// Rows are equal if every cell of the answer can mean the key's cell. That is not transitive where a column mixes types
/// (the text `7` in an answer means the number 7 as well as the string "7"), so such rows go through a maximum matching;
/// all others are a look-up each.
pub(crate) fn match_rows(
    key: &Table,
    answer: &RawTable,
    pairs: &[ColumnPair],
    skip: &dyn Fn(usize) -> bool,
) -> Matching {
    let columns: Vec<usize> = pairs.iter().map(|pair| pair.key).collect();
    let matcher = Matcher {
        key,
        answer,
        pairs,
        columns: &columns,
    };
    // Looking rows up by their hash alone and comparing the pairs afterwards, in the key's sequence, is twice as fast as
    // comparing at every look-up, because memory is then read in order. Two different rows of one hash do not happen by
    // chance; where somebody made them, the careful way gives the right answer all the same.
    matcher
        .run(skip, LookUp::ByHash)
        .unwrap_or_else(|| matcher.run(skip, LookUp::ByValue).unwrap_or_default())
}

impl Matching {
    /// The other way round: the answer's row, by row of the key, of which there are so many.
    pub(crate) fn answer_row(&self, key_rows: usize) -> Vec<Option<RowId>> {
        let mut answer_row = vec![None; key_rows];
        for (row, key_row) in self.key_row.iter().enumerate() {
            if let Some(key_row) = key_row {
                answer_row[key_row.index()] = RowId::new(row);
            }
        }
        answer_row
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LookUp {
    ByHash,
    ByValue,
}

struct Matcher<'a> {
    key: &'a Table,
    answer: &'a RawTable,
    pairs: &'a [ColumnPair],
    columns: &'a [usize],
}

impl Matcher<'_> {
    /// `None` where a hash misled, or might: two different rows have the same.
    fn run(&self, skip: &dyn Fn(usize) -> bool, look_up: LookUp) -> Option<Matching> {
        let mut index = RowIndex::new(self.key, self.columns);
        if look_up == LookUp::ByHash && index.has_lookalikes() {
            return None;
        }
        let mut overlap = Overlap::new(&index);
        let mut with_blanks = Vec::new();
        let mut hashes: Vec<(u64, RowId)> = Vec::with_capacity(self.answer.len());
        let mut readings = Readings::default();
        let rows = (0..self.answer.len()).filter(|&row| !skip(row));
        for id in rows.filter_map(RowId::new) {
            readings.read(self.answer, id.index(), self.pairs, index.kinds());
            match (readings.certainty(), look_up) {
                (Certainty::None, _) => {}
                (Certainty::One, LookUp::ByHash) => {
                    hashes.push((hash(readings.values()), id));
                }
                (Certainty::One, LookUp::ByValue) => {
                    if let Some(group) = index.find(readings.values()) {
                        overlap.add_certain(id, group);
                    }
                }
                (Certainty::Several, _) => overlap.add(id, readings.groups(&index)),
            }
            if readings.has_blank() {
                with_blanks.push(id.index());
            }
        }
        for (hash, row) in hashes {
            if let Some(group) = index.guess(hash) {
                overlap.add_certain(row, group);
            }
        }

        let mut matching = Matching {
            key_row: vec![None; self.answer.len()],
            ..Matching::default()
        };
        for (row, group) in overlap.resolve() {
            // Rows of a group are equal, so giving them out in sequence keeps the order wherever it can be kept.
            matching.key_row[row.index()] = index.take_row(group);
        }
        if look_up == LookUp::ByHash && !self.confirms(&matching, &index) {
            return None;
        }
        if !index.with_blanks().is_empty() {
            with_blanks.retain(|&row| matching.key_row[row].is_none());
            let found = blanks::match_rows(
                self.key,
                index.with_blanks(),
                self.answer,
                &with_blanks,
                self.pairs,
                index.kinds(),
            );
            for (answer_row, key_row) in found.pairs {
                matching.key_row[answer_row] = RowId::new(key_row);
            }
            matching.bounded = found.bounded;
        }
        matching.matched = matching.key_row.iter().flatten().count();
        Some(matching)
    }

    /// Whether every pair is one of equal rows.
    fn confirms(&self, matching: &Matching, index: &RowIndex<'_>) -> bool {
        let answer_row = matching.answer_row(self.key.len());
        let last = self.answer.columns.len().saturating_sub(1);
        (0..self.key.len()).step_by(BLOCK).all(|start| {
            let end = usize::min(start + BLOCK, answer_row.len());
            let pairs =
                || (start..end).filter_map(|key_row| Some((key_row, answer_row[key_row]?.index())));
            // The answer's rows come in any order. Asking for the ends of each, first where they are and then what is
            // there, lets the processor wait for all of them at once.
            let lengths: usize = pairs().map(|(_, row)| self.answer.cell_len(row, 0)).sum();
            let first_byte = |row, column| self.answer.cell(row, column).as_bytes().first();
            let bytes = pairs().filter_map(|(_, row)| first_byte(row, 0)).count()
                + pairs().filter_map(|(_, row)| first_byte(row, last)).count();
            black_box((lengths, bytes));
            pairs().all(|(key_row, row)| self.is_equal(key_row, row, index))
        })
    }

    fn is_equal(&self, key_row: usize, row: usize, index: &RowIndex<'_>) -> bool {
        let cells = self.key.row(key_row);
        self.pairs.iter().zip(index.kinds()).all(|(pair, kinds)| {
            let text = pair
                .answer
                .map_or("", |column| self.answer.cell(row, column));
            kinds.can_mean(text, &cells[pair.key])
        })
    }
}

#[cfg(test)]
mod tests {
    use table::{Cell, RawTable, Table};

    use super::{ColumnPair, match_rows};
    use crate::index::{RowId, hash};
    use crate::value::Value;

    /// Two texts with one hash, made by solving the last word for the difference that the first makes.
    fn colliding_texts() -> (String, String) {
        let hash_of = |text: &str| hash(&[Value::Text(text.into())]);
        let one = "abcdefghijklmnop".to_owned();
        let rotated_state = |first: &[u8; 8]| {
            let mut hasher = crate::value::RowHasher::default();
            hasher.word(u64::from_le_bytes(*first));
            hasher.state().rotate_left(23)
        };
        let last = u64::from_le_bytes(*b"ijklmnop");
        let wanted = rotated_state(b"abcdefgh");
        for number in 0..1_000_000 {
            // The low byte, which reaches every bit of a product, must vary.
            let first: Vec<u8> = format!("{number:08}").bytes().rev().collect();
            let first: [u8; 8] = first.try_into().unwrap();
            let solved = (last ^ wanted ^ rotated_state(&first)).to_le_bytes();
            if solved.iter().all(u8::is_ascii_graphic) {
                let other: Vec<u8> = [first, solved].concat();
                let other = String::from_utf8(other).unwrap();
                assert_eq!(hash_of(&one), hash_of(&other));
                return (one, other);
            }
        }
        panic!("no collision found");
    }

    /// The key's rows that the answer's rows are paired with.
    fn pairs(key: &[&str], answer: &[&str]) -> Vec<Option<usize>> {
        let rows = key.iter().map(|&text| vec![Cell::Text(text.into())]);
        let key = Table::new(vec!["x".to_owned()], rows.collect());
        let mut submitted = RawTable::new(vec!["x".to_owned()]);
        for text in answer {
            submitted.push_row(&[text]);
        }
        let pair = ColumnPair {
            key: 0,
            answer: Some(0),
        };
        let matching = match_rows(&key, &submitted, &[pair], &|_| false);
        let rows = matching.key_row.into_iter();
        rows.map(|row| row.map(RowId::index)).collect()
    }

    #[test]
    fn a_crafted_hash_gains_nothing() {
        let (one, other) = colliding_texts();
        let (one, other) = (one.as_str(), other.as_str());
        assert_eq!(pairs(&[one], &[other]), [None]);
        assert_eq!(pairs(&[one], &[other, one]), [None, Some(0)]);
        assert_eq!(pairs(&[one], &[one, other]), [Some(0), None]);
        assert_eq!(pairs(&[one, other], &[other, one]), [Some(1), Some(0)]);
        assert_eq!(
            pairs(&[one, other], &[one, one, other]),
            [Some(0), None, Some(1)]
        );
    }
}
