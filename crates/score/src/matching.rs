//! Pairing the answer's rows with the key's, one to one, as many as can be.

use table::{RawTable, Table};

use crate::blanks;
use crate::index::{GroupId, RowIndex};
use crate::overlap::Overlap;
use crate::value::{Kinds, Value};

/// Up to so many combinations of readings a row is looked up by each of them; beyond, the key is searched through.
const MAX_COMBINATIONS: usize = 64;

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
    pub(crate) key_row: Vec<Option<usize>>,
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
    let kinds: Vec<Kinds> = columns
        .iter()
        .map(|&column| Kinds::of_column(key.rows().map(|row| &row[column])))
        .collect();
    let (mut index, key_rows_with_blanks) = RowIndex::new(key, &columns);
    let mut overlap = Overlap::new(&index);
    let mut answer_rows_with_blanks = Vec::new();

    let mut readings = Readings::default();
    for row in (0..answer.len()).filter(|&row| !skip(row)) {
        readings.read(answer, row, pairs, &kinds);
        match readings.certainty() {
            Certainty::None => {}
            Certainty::One => {
                if let Some(group) = index.find(&readings.values) {
                    overlap.add_certain(row, group);
                }
            }
            Certainty::Several => overlap.add(row, readings.groups(&index)),
        }
        if readings.has_blank {
            answer_rows_with_blanks.push(row);
        }
    }

    let mut matching = Matching {
        key_row: vec![None; answer.len()],
        ..Matching::default()
    };
    for (row, group) in overlap.resolve() {
        // Rows of a group are equal, so giving them out in sequence keeps the order wherever it can be kept.
        matching.key_row[row] = index.take_row(group);
    }
    if !key_rows_with_blanks.is_empty() {
        answer_rows_with_blanks.retain(|&row| matching.key_row[row].is_none());
        let found = blanks::match_rows(
            key,
            &key_rows_with_blanks,
            answer,
            &answer_rows_with_blanks,
            pairs,
            &kinds,
        );
        for (answer_row, key_row) in found.pairs {
            matching.key_row[answer_row] = Some(key_row);
        }
        matching.bounded = found.bounded;
    }
    matching.matched = matching.key_row.iter().flatten().count();
    matching
}

enum Certainty {
    /// Some cell fits no kind of its column.
    None,
    One,
    Several,
}

/// What one row's cells can mean. Kept between rows, since a row's readings seldom outgrow the last one's.
#[derive(Default)]
struct Readings<'a> {
    values: Vec<Value<'a>>,
    /// Where each column's readings end in `values`.
    ends: Vec<usize>,
    columns: usize,
    fits: bool,
    has_blank: bool,
}

impl<'a> Readings<'a> {
    /// Reads a row; blank nodes are told, not kept.
    fn read(&mut self, answer: &'a RawTable, row: usize, pairs: &[ColumnPair], kinds: &[Kinds]) {
        self.values.clear();
        self.ends.clear();
        self.columns = pairs.len();
        self.fits = true;
        self.has_blank = false;
        for (pair, kinds) in pairs.iter().zip(kinds) {
            let before = self.values.len();
            let text = pair.answer.map_or("", |column| answer.cell(row, column));
            kinds.read(text, |value| match value {
                Value::Blank(_) => self.has_blank = true,
                value => self.values.push(value),
            });
            self.fits &= self.values.len() > before;
            self.ends.push(self.values.len());
        }
    }

    fn certainty(&self) -> Certainty {
        if !self.fits {
            Certainty::None
        } else if self.values.len() == self.columns {
            Certainty::One
        } else {
            Certainty::Several
        }
    }

    fn of_column(&self, column: usize) -> &[Value<'a>] {
        let start = column.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.values[start..self.ends[column]]
    }

    /// Every group of key rows that this row can mean, ascending.
    fn groups(&self, index: &RowIndex<'_>) -> Vec<GroupId> {
        let combinations = (0..self.columns).try_fold(1_usize, |product, column| {
            product
                .checked_mul(self.of_column(column).len())
                .filter(|&product| product <= MAX_COMBINATIONS)
        });
        let mut groups: Vec<GroupId> = match combinations {
            Some(combinations) => (0..combinations)
                .filter_map(|combination| index.find(&self.combination(combination)))
                .collect(),
            None => index
                .groups()
                .filter(|&group| self.can_mean(index.cells(group), index.columns()))
                .collect(),
        };
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    fn combination(&self, mut number: usize) -> Vec<Value<'a>> {
        (0..self.columns)
            .map(|column| {
                let readings = self.of_column(column);
                let reading = readings[number % readings.len()].clone();
                number /= readings.len();
                reading
            })
            .collect()
    }

    fn can_mean(&self, cells: &[table::Cell], columns: &[usize]) -> bool {
        columns.iter().enumerate().all(|(position, &column)| {
            self.of_column(position)
                .iter()
                .any(|value| value.is_of(&cells[column]))
        })
    }
}
