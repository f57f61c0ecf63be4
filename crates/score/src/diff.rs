//! The rows of key and answer side by side.

use rustc_hash::{FxHashMap, FxHashSet};
use table::{Cell, Ragged, RawTable, Table};

use crate::matching::{ColumnPair, Matching};
use crate::outcome::{DiffEntry, DiffKind, DiffRow, Score};
use crate::value::{Kinds, Value};

/// Left-over rows are compared each with each up to so many comparisons of cells; beyond, only those with the same
/// identity are paired.
const MAX_COMPARISONS: usize = 1_000_000;

/// What the diff is made of.
pub(crate) struct DiffInput<'a> {
    pub(crate) key: &'a Table,
    pub(crate) answer: &'a RawTable,
    pub(crate) pairs: &'a [ColumnPair],
    pub(crate) matching: &'a Matching,
    pub(crate) limit: usize,
}

/// The part of a [`Score`] that shows rows.
#[derive(Default)]
pub(crate) struct Diff {
    missing_rows: usize,
    missing: Vec<DiffRow>,
    unexpected_rows: usize,
    unexpected: Vec<DiffRow>,
    ragged: Vec<Ragged>,
    entries: Vec<DiffEntry>,
    equal_omitted: usize,
    wrong_omitted: usize,
}

impl Diff {
    pub(crate) fn into_score(self, score: Score) -> Score {
        Score {
            missing_rows: self.missing_rows,
            missing: self.missing,
            unexpected_rows: self.unexpected_rows,
            unexpected: self.unexpected,
            ragged: self.ragged,
            diff: self.entries,
            diff_omitted: self.equal_omitted + self.wrong_omitted,
            wrong_omitted: self.wrong_omitted,
            ..score
        }
    }

    pub(crate) fn new(input: &DiffInput<'_>) -> Self {
        let answer_row = input.matching.answer_row(input.key.len());
        let key_row = &input.matching.key_row;
        let unexpected: Vec<usize> = (0..key_row.len())
            .filter(|&row| key_row[row].is_none())
            .collect();
        let missing: Vec<usize> = (0..answer_row.len())
            .filter(|&row| answer_row[row].is_none())
            .collect();
        let differing = Closest::new(input, &missing, &unexpected).pairs();

        let ragged = &input.answer.ragged;
        let mut diff = Self {
            missing_rows: missing.len(),
            missing: input.missing_rows(&missing),
            unexpected_rows: unexpected.len() + ragged.len(),
            unexpected: input.unexpected_rows(&unexpected),
            ragged: ragged.iter().take(input.limit).cloned().collect(),
            ..Self::default()
        };
        let bad = missing.len() + unexpected.len() + ragged.len() - differing.len();
        // What is wrong is what people look for: equal rows take the room that is left.
        let mut room_for_equal = input.limit.saturating_sub(bad);
        let paired: FxHashMap<usize, usize> = differing.iter().copied().collect();
        let by_answer: FxHashMap<usize, usize> = differing.iter().map(|&(k, a)| (a, k)).collect();
        for (row, answer) in answer_row.iter().enumerate() {
            if let Some(answer) = answer {
                if room_for_equal > 0 {
                    room_for_equal -= 1;
                    let entry = input.both(DiffKind::Equal, row, answer.index());
                    diff.entries.push(entry);
                } else {
                    diff.equal_omitted += 1;
                }
            } else if diff.entries.len() == input.limit {
                diff.wrong_omitted += 1;
            } else if let Some(answer) = paired.get(&row) {
                diff.entries
                    .push(input.both(DiffKind::Differing, row, *answer));
            } else {
                diff.entries.push(input.only_key(row));
            }
        }
        for &row in unexpected.iter().filter(|row| !by_answer.contains_key(row)) {
            if diff.entries.len() == input.limit {
                diff.wrong_omitted += 1;
            } else {
                diff.entries.push(input.only_answer(row));
            }
        }
        for ragged in ragged {
            if diff.entries.len() == input.limit {
                diff.wrong_omitted += 1;
            } else {
                diff.entries.push(DiffEntry {
                    kind: DiffKind::Unexpected,
                    key: None,
                    answer: Some(ragged.cells.clone()),
                    cells: Vec::new(),
                    key_row: None,
                    answer_row: None,
                });
            }
        }
        diff
    }
}

impl DiffInput<'_> {
    fn missing_rows(&self, rows: &[usize]) -> Vec<DiffRow> {
        rows.iter()
            .take(self.limit)
            .map(|&row| DiffRow {
                row: Some(row),
                line: None,
                cells: self.key_cells(row),
            })
            .collect()
    }

    fn unexpected_rows(&self, rows: &[usize]) -> Vec<DiffRow> {
        let fitting = rows.iter().map(|&row| DiffRow {
            row: Some(row),
            line: self.answer.line(row),
            cells: self.answer.row(row).map(str::to_owned).collect(),
        });
        let ragged = self.answer.ragged.iter().map(|ragged| DiffRow {
            row: None,
            line: Some(ragged.line),
            cells: ragged.cells.clone(),
        });
        fitting.chain(ragged).take(self.limit).collect()
    }

    fn key_cells(&self, row: usize) -> Vec<String> {
        self.key.row(row).iter().map(Cell::to_string).collect()
    }

    fn answer_cells(&self, row: usize) -> Vec<String> {
        self.pairs
            .iter()
            .map(|pair| self.answer_cell(row, *pair).to_owned())
            .collect()
    }

    fn answer_cell(&self, row: usize, pair: ColumnPair) -> &str {
        pair.answer
            .map_or("", |column| self.answer.cell(row, column))
    }

    fn both(&self, kind: DiffKind, key_row: usize, answer_row: usize) -> DiffEntry {
        let equal = |pair: &ColumnPair| {
            let cell = &self.key.row(key_row)[pair.key];
            means(cell, self.answer_cell(answer_row, *pair))
        };
        let cells = match kind {
            // Blank nodes are equal by their place in the whole table, which a look at two cells does not show.
            DiffKind::Equal => self
                .pairs
                .iter()
                .map(|pair| {
                    matches!(self.key.row(key_row)[pair.key], Cell::Blank(_)) || equal(pair)
                })
                .collect(),
            _ => self.pairs.iter().map(equal).collect(),
        };
        DiffEntry {
            kind,
            key: Some(self.key_cells(key_row)),
            answer: Some(self.answer_cells(answer_row)),
            cells,
            key_row: Some(key_row),
            answer_row: Some(answer_row),
        }
    }

    fn only_key(&self, row: usize) -> DiffEntry {
        DiffEntry {
            kind: DiffKind::Missing,
            key: Some(self.key_cells(row)),
            answer: None,
            cells: Vec::new(),
            key_row: Some(row),
            answer_row: None,
        }
    }

    fn only_answer(&self, row: usize) -> DiffEntry {
        DiffEntry {
            kind: DiffKind::Unexpected,
            key: None,
            answer: Some(self.answer_cells(row)),
            cells: Vec::new(),
            key_row: None,
            answer_row: Some(row),
        }
    }
}

/// Whether an answer's text can mean a key's cell.
fn means(cell: &Cell, text: &str) -> bool {
    Kinds::of_column([cell]).can_mean(text, cell)
}

/// Left-over rows of both tables that a person would call the same row with a wrong cell.
struct Closest<'a> {
    input: &'a DiffInput<'a>,
    missing: &'a [usize],
    unexpected: &'a [usize],
}

impl<'a> Closest<'a> {
    fn new(input: &'a DiffInput<'a>, missing: &'a [usize], unexpected: &'a [usize]) -> Self {
        Self {
            input,
            missing,
            unexpected,
        }
    }

    /// Pairs of a row of the key and a row of the answer: first those with the same identity, then those that share more
    /// than half of their cells, the closest first.
    fn pairs(&self) -> Vec<(usize, usize)> {
        if self.missing.is_empty() || self.unexpected.is_empty() {
            return Vec::new();
        }
        let mut pairs = self.by_identity();
        let without = |rows: &[usize], taken: Vec<usize>| -> Vec<usize> {
            let mut taken = taken;
            taken.sort_unstable();
            let is_left = |row: &usize| taken.binary_search(row).is_err();
            rows.iter().copied().filter(is_left).collect()
        };
        let missing = without(self.missing, pairs.iter().map(|pair| pair.0).collect());
        let unexpected = without(self.unexpected, pairs.iter().map(|pair| pair.1).collect());
        pairs.extend(self.by_likeness(&missing, &unexpected));
        pairs.sort_unstable();
        pairs
    }

    fn by_identity(&self) -> Vec<(usize, usize)> {
        let input = self.input;
        let Some(pair) = self.identity() else {
            return Vec::new();
        };
        let mut rows: FxHashMap<Value<'_>, usize> = FxHashMap::default();
        for &row in self.missing {
            rows.insert(Value::of_cell(&input.key.row(row)[pair.key]), row);
        }
        let kinds = Kinds::of_column(
            self.missing
                .iter()
                .map(|&row| &input.key.row(row)[pair.key]),
        );
        let mut pairs = Vec::new();
        for &row in self.unexpected {
            let mut found = None;
            kinds.read(input.answer_cell(row, pair), |value| {
                found = found.or_else(|| rows.remove(&value));
            });
            pairs.extend(found.map(|key_row| (key_row, row)));
        }
        pairs
    }

    /// The column that says which thing a row is about: one whose values in the missing rows are nowhere else in the key,
    /// and one of IRIs if there is such.
    fn identity(&self) -> Option<ColumnPair> {
        // One column is all there is of a row: two rows that share it are equal.
        if self.input.pairs.len() < 2 {
            return None;
        }
        let is_iri = |pair: &ColumnPair| {
            let mut rows = self.missing.iter().map(|&row| self.input.key.row(row));
            rows.all(|row| matches!(row[pair.key], Cell::Iri(_)))
        };
        let mapped = || {
            self.input
                .pairs
                .iter()
                .copied()
                .filter(|pair| pair.answer.is_some())
        };
        let iris = mapped().filter(is_iri);
        let others = mapped().filter(|pair| !is_iri(pair));
        iris.chain(others).find(|pair| self.is_distinct(*pair))
    }

    fn is_distinct(&self, pair: ColumnPair) -> bool {
        let value = |row: usize| Value::of_cell(&self.input.key.row(row)[pair.key]);
        let mut times_seen: FxHashMap<Value<'_>, usize> = FxHashMap::default();
        for &row in self.missing {
            let value = value(row);
            let repeated = matches!(value, Value::Missing | Value::Blank(_))
                || times_seen.insert(value, 0).is_some();
            if repeated {
                return false;
            }
        }
        (0..self.input.key.len()).all(|row| {
            times_seen.get_mut(&value(row)).is_none_or(|times| {
                *times += 1;
                *times == 1
            })
        })
    }

    fn by_likeness(&self, missing: &[usize], unexpected: &[usize]) -> Vec<(usize, usize)> {
        let width = self.input.pairs.len();
        let comparisons = missing
            .len()
            .saturating_mul(unexpected.len())
            .saturating_mul(width);
        if comparisons > MAX_COMPARISONS {
            return Vec::new();
        }
        let mut close = Vec::new();
        for &key_row in missing {
            for &answer_row in unexpected {
                let equal = |pair: &&ColumnPair| {
                    let cell = &self.input.key.row(key_row)[pair.key];
                    means(cell, self.input.answer_cell(answer_row, **pair))
                };
                let equal_cells = self.input.pairs.iter().filter(equal).count();
                if 2 * equal_cells > width {
                    close.push((width - equal_cells, key_row, answer_row));
                }
            }
        }
        close.sort_unstable();
        let mut key_rows = FxHashSet::default();
        let mut answer_rows = FxHashSet::default();
        close
            .into_iter()
            .filter(|&(_, key_row, answer_row)| {
                let free = !key_rows.contains(&key_row) && !answer_rows.contains(&answer_row);
                if free {
                    key_rows.insert(key_row);
                    answer_rows.insert(answer_row);
                }
                free
            })
            .map(|(_, key_row, answer_row)| (key_row, answer_row))
            .collect()
    }
}
