//! What the cells of one row of an answer can mean.

use table::{Cell, RawTable};

use crate::index::{GroupId, RowIndex};
use crate::matching::ColumnPair;
use crate::value::{Kinds, Value};

/// Up to so many combinations of readings a row is looked up by each of them; beyond, the key is searched through.
const MAX_COMBINATIONS: usize = 64;

/// How many ways there are to read a row.
pub(crate) enum Certainty {
    /// Some cell fits no kind of its column.
    None,
    One,
    Several,
}

/// The readings of one row's cells. Kept between rows, since a row's readings seldom outgrow the last one's.
#[derive(Default)]
pub(crate) struct Readings<'a> {
    values: Vec<Value<'a>>,
    /// Where each column's readings end in `values`.
    ends: Vec<usize>,
    fits: bool,
    has_blank: bool,
}

impl<'a> Readings<'a> {
    /// Reads a row; blank nodes are told, not kept.
    pub(crate) fn read(
        &mut self,
        answer: &'a RawTable,
        row: usize,
        pairs: &[ColumnPair],
        kinds: &[Kinds],
    ) {
        self.values.clear();
        self.ends.clear();
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

    pub(crate) fn certainty(&self) -> Certainty {
        if !self.fits {
            Certainty::None
        } else if self.values.len() == self.ends.len() {
            Certainty::One
        } else {
            Certainty::Several
        }
    }

    pub(crate) fn has_blank(&self) -> bool {
        self.has_blank
    }

    /// The row's values, one per column, where it can be read in one way.
    pub(crate) fn values(&self) -> &[Value<'a>] {
        &self.values
    }

    fn of_column(&self, column: usize) -> &[Value<'a>] {
        let start = column.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.values[start..self.ends[column]]
    }

    /// Every group of key rows that this row can mean, ascending.
    pub(crate) fn groups(&self, index: &RowIndex<'_>) -> Vec<GroupId> {
        let combinations = (0..self.ends.len()).try_fold(1_usize, |product, column| {
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
        (0..self.ends.len())
            .map(|column| {
                let readings = self.of_column(column);
                let reading = readings[number % readings.len()].clone();
                number /= readings.len();
                reading
            })
            .collect()
    }

    fn can_mean(&self, cells: &[Cell], columns: &[usize]) -> bool {
        columns.iter().enumerate().all(|(position, &column)| {
            self.of_column(position)
                .iter()
                .any(|value| value.is_of(&cells[column]))
        })
    }
}
