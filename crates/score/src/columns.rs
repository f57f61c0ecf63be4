//! Which column of the answer is which of the key's.

use rustc_hash::FxHashMap;
use table::{RawTable, Table};

use crate::assignment::best_assignments;
use crate::matching::{ColumnPair, match_rows};
use crate::outcome::MatchedBy;
use crate::value::{Kinds, Value};

/// Where several assignments match equally many cells, whole rows decide, as long as that takes no more look-ups.
const MAX_ROWS_TRIED: usize = 2_000_000;

/// The answer's column for every column of the key, and how it was found.
pub(crate) struct Mapping {
    pub(crate) columns: Vec<(Option<usize>, MatchedBy)>,
}

impl Mapping {
    /// The mapping that the caller gave; indexes past the answer's columns count as none.
    pub(crate) fn given(columns: &[Option<usize>], key: &Table, answer: &RawTable) -> Self {
        let column = |index: usize| {
            let given = columns.get(index).copied().flatten();
            match given.filter(|&column| column < answer.columns.len()) {
                Some(column) => (Some(column), MatchedBy::Given),
                None => (None, MatchedBy::None),
            }
        };
        Self {
            columns: (0..key.columns().len()).map(column).collect(),
        }
    }

    /// Maps by name where names agree, and the other columns by the assignment that matches most cells.
    pub(crate) fn find(key: &Table, answer: &RawTable) -> Self {
        let mut mapping = Self::by_name(key.columns(), &answer.columns);
        let open = mapping.open(answer.columns.len());
        if open.key.is_empty() || open.answer.is_empty() || answer.is_empty() {
            return mapping;
        }
        let weights = open.weights(key, answer);
        let best = best_assignments(&weights);
        let tried = (MAX_ROWS_TRIED / (key.len() + answer.len()).max(1)).max(1);
        let mut candidates = best.iter().take(tried);
        let chosen = if best.len() > 1 {
            // `max_by_key` keeps the last of equals; the first is the one that keeps the order of columns.
            candidates.rev().max_by_key(|&assignment| {
                let pairs = mapping.with(&open, assignment).pairs();
                match_rows(key, answer, &pairs, &|_| false).matched
            })
        } else {
            candidates.next()
        };
        if let Some(assignment) = chosen {
            mapping = mapping.with(&open, assignment);
        }
        mapping
    }

    /// The pairs to compare rows by.
    pub(crate) fn pairs(&self) -> Vec<ColumnPair> {
        let columns = self.columns.iter().enumerate();
        columns
            .map(|(key, &(answer, _))| ColumnPair { key, answer })
            .collect()
    }

    /// Whether no column of the key lacks one of the answer's.
    pub(crate) fn is_complete(&self) -> bool {
        self.columns.iter().all(|(answer, _)| answer.is_some())
    }

    /// Columns of the answer that no column of the key is mapped to.
    pub(crate) fn extra(&self, answer_columns: usize) -> Vec<usize> {
        (0..answer_columns)
            .filter(|&column| {
                self.columns
                    .iter()
                    .all(|(mapped, _)| *mapped != Some(column))
            })
            .collect()
    }

    fn by_name(key: &[String], answer: &[String]) -> Self {
        let mut columns = vec![(None, MatchedBy::None); key.len()];
        let mut taken = vec![false; answer.len()];
        // The same spelling first, so that `count` and `Count` in one table find their own.
        let same: [fn(&str) -> String; 2] = [str::to_owned, comparable_name];
        for comparable in same {
            let names: Vec<String> = answer.iter().map(|name| comparable(name)).collect();
            for (index, name) in key.iter().enumerate() {
                if columns[index].0.is_some() {
                    continue;
                }
                let name = comparable(name);
                let agree = |&column: &usize| !taken[column] && names[column] == name;
                if let Some(column) = (0..answer.len()).find(agree) {
                    taken[column] = true;
                    columns[index] = (Some(column), MatchedBy::Name);
                }
            }
        }
        Self { columns }
    }

    fn open(&self, answer_columns: usize) -> Open {
        let is_open = |&column: &usize| self.columns[column].0.is_none();
        Open {
            key: (0..self.columns.len()).filter(is_open).collect(),
            answer: self.extra(answer_columns),
        }
    }

    fn with(&self, open: &Open, assignment: &[Option<usize>]) -> Self {
        let mut columns = self.columns.clone();
        for (&key, column) in open.key.iter().zip(assignment) {
            if let Some(column) = column {
                columns[key] = (Some(open.answer[*column]), MatchedBy::Content);
            }
        }
        Self { columns }
    }
}

/// A column's name without what people spell differently: case, white space, `_`, and the `?` or `$` of a variable.
fn comparable_name(name: &str) -> String {
    name.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '_' | '?' | '$'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Columns of both tables that their names do not bring together.
struct Open {
    key: Vec<usize>,
    answer: Vec<usize>,
}

impl Open {
    /// How many cells match, column by column, as multisets.
    fn weights(&self, key: &Table, answer: &RawTable) -> Vec<Vec<u64>> {
        let answer_counts: Vec<Vec<(&str, u64)>> = self
            .answer
            .iter()
            .map(|&column| count_texts(answer, column))
            .collect();
        self.key
            .iter()
            .map(|&column| {
                let values = KeyColumn::new(key, column);
                answer_counts
                    .iter()
                    .map(|counts| values.matches(counts))
                    .collect()
            })
            .collect()
    }
}

/// The distinct texts of a column in order of appearance, and how often each appears.
fn count_texts(answer: &RawTable, column: usize) -> Vec<(&str, u64)> {
    let mut positions: FxHashMap<&str, usize> = FxHashMap::default();
    let mut counts = Vec::new();
    for row in 0..answer.len() {
        let text = answer.cell(row, column);
        let position = *positions.entry(text).or_insert(counts.len());
        match counts.get_mut(position) {
            Some((_, count)) => *count += 1,
            None => counts.push((text, 1)),
        }
    }
    counts
}

/// The values of a key's column and how often each appears.
struct KeyColumn<'k> {
    kinds: Kinds,
    positions: FxHashMap<Value<'k>, usize>,
    counts: Vec<u64>,
}

impl<'k> KeyColumn<'k> {
    fn new(key: &'k Table, column: usize) -> Self {
        let mut values = Self {
            kinds: Kinds::of_column(key.rows().map(|row| &row[column])),
            positions: FxHashMap::default(),
            counts: Vec::new(),
        };
        for row in key.rows() {
            let next = values.counts.len();
            let value = any_blank(Value::of_cell(&row[column]));
            let position = *values.positions.entry(value).or_insert(next);
            match values.counts.get_mut(position) {
                Some(count) => *count += 1,
                None => values.counts.push(1),
            }
        }
        values
    }

    fn matches(&self, texts: &[(&str, u64)]) -> u64 {
        let mut free = self.counts.clone();
        let mut matches = 0;
        for &(text, count) in texts {
            let mut due = count;
            self.kinds.read(text, |value| {
                if let Some(&position) = self.positions.get(&any_blank(value)) {
                    let found = due.min(free[position]);
                    free[position] -= found;
                    due -= found;
                    matches += found;
                }
            });
        }
        matches
    }
}

/// A column has blank nodes or not; which is which is a matter of whole rows.
fn any_blank(value: Value<'_>) -> Value<'_> {
    match value {
        Value::Blank(_) => Value::Blank(""),
        value => value,
    }
}
