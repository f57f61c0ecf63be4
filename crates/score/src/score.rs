//! Scoring an answer against a key.

use table::{RawTable, Repair, RepairKind, Table};

use crate::columns::Mapping;
use crate::diff::{Diff, DiffInput};
use crate::index::RowId;
use crate::key::Key;
use crate::matching::{ColumnPair, Matching, match_rows};
use crate::outcome::{ColumnMatch, Score};
use crate::value::parse_boolean;

/// How to score.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether any row of the tie class at the key's cut is as good as those that the key happens to have.
    pub accept_ties: bool,
    /// The answer's column for every key column, where the caller knows better than names and cells.
    pub mapping: Option<Vec<Option<usize>>>,
    /// How many rows each list of differences holds at most; `None`: all. Counts are never cut, and say how long the lists are.
    pub max_diff_rows: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            accept_ties: false,
            mapping: None,
            max_diff_rows: Some(1_000),
        }
    }
}

/// Scores a submitted answer against a key.
///
/// With *m* rows matched one to one, *a* rows in the answer (those of another width than its header included) and *k* in
/// the key: precision = *m* / *a*, recall = *m* / *k*, f1 = 2*m* / (*a* + *k*). An empty answer to an empty key scores 1
/// whatever its columns; otherwise an empty side scores 0.
///
/// Rows are equal if all cells are, each compared as the key's cell is typed; a row of the answer is never rearranged.
/// The columns are mapped first: by name, else by the assignment that matches most cells over the whole table. A column
/// of the key that stays unmapped is missing in every row of the answer.
///
/// ```
/// let key = table::read_key_csv(b"parent,child\nA,B\n")?;
/// let answer = table::read_answer(b"parent,child\nB,A\n")?;
/// let score = score::score(&score::Key::unordered(&key), &answer, &score::Options::default());
/// assert!(!score.exact);
/// assert_eq!((score.precision, score.recall, score.f1), (0.0, 0.0, 0.0));
/// # Ok::<(), table::ReadError>(())
/// ```
pub fn score(key: &Key<'_>, answer: &RawTable, options: &Options) -> Score {
    if let Some(answer) = headerless_boolean(key.table, answer) {
        return Scoring::new(key, &answer, options).score();
    }
    Scoring::new(key, answer, options).score()
}

/// Scores a typed table as if it had been submitted as CSV.
pub fn score_tables(key: &Key<'_>, answer: &Table, options: &Options) -> Score {
    score(key, &RawTable::from_table(answer), options)
}

/// The answer to a yes-or-no question as people and endpoints write it: one word, no header.
fn headerless_boolean(key: &Table, answer: &RawTable) -> Option<RawTable> {
    key.as_boolean()?;
    let [word] = answer.columns.as_slice() else {
        return None;
    };
    if !answer.is_empty() || !answer.ragged.is_empty() {
        return None;
    }
    parse_boolean(word)?;
    let mut with_header = RawTable::new(key.columns().to_vec());
    with_header.push_row(&[word]);
    with_header.repairs.clone_from(&answer.repairs);
    with_header.repairs.push(Repair {
        kind: RepairKind::HeaderlessBoolean,
        message: "read the only line as the answer, since a yes-or-no question needs no header"
            .to_owned(),
        line: Some(1),
    });
    Some(with_header)
}

struct Scoring<'a> {
    key: &'a Key<'a>,
    answer: &'a RawTable,
    options: &'a Options,
    mapping: Mapping,
    pairs: Vec<ColumnPair>,
    notes: Vec<String>,
}

impl<'a> Scoring<'a> {
    fn new(key: &'a Key<'a>, answer: &'a RawTable, options: &'a Options) -> Self {
        let mapping = match &options.mapping {
            Some(columns) => Mapping::given(columns, key.table, answer),
            None => Mapping::find(key.table, answer),
        };
        let pairs = mapping.pairs();
        Self {
            key,
            answer,
            options,
            mapping,
            pairs,
            notes: Vec::new(),
        }
    }

    fn score(mut self) -> Score {
        let mut matching = match_rows(self.key.table, self.answer, &self.pairs, &|_| false);
        if self.options.accept_ties {
            self.accept_ties(&mut matching);
        }
        if matching.bounded {
            self.notes.push(
                "the search for the best pairing of blank nodes was cut short: the score may be too low"
                    .to_owned(),
            );
        }
        let rows = self.answer.len() + self.answer.ragged.len();
        let key_rows = self.key.table.len();
        let both_empty = rows == 0 && key_rows == 0;
        let all_matched = matching.matched == rows && matching.matched == key_rows;
        let exact = both_empty || (all_matched && self.mapping.is_complete());
        let f1_mapped = self.f1_mapped(&matching, rows);
        let diff = Diff::new(&DiffInput {
            key: self.key.table,
            answer: self.answer,
            pairs: &self.pairs,
            matching: &matching,
            limit: self.options.max_diff_rows.unwrap_or(usize::MAX),
        });
        let score = Score {
            exact,
            ordered: self.ordered(&matching, exact),
            f1: ratio(2 * matching.matched, rows + key_rows, both_empty),
            precision: ratio(matching.matched, rows, both_empty),
            recall: ratio(matching.matched, key_rows, both_empty),
            rows,
            key_rows,
            matched_rows: matching.matched,
            f1_mapped,
            columns: self.columns(),
            extra_columns: self.extra_columns(),
            repairs: self.answer.repairs.clone(),
            ragged_rows: self.answer.ragged.len(),
            ragged: Vec::new(),
            missing_rows: 0,
            missing: Vec::new(),
            unexpected_rows: 0,
            unexpected: Vec::new(),
            diff: Vec::new(),
            diff_omitted: 0,
            wrong_omitted: 0,
            notes: self.notes,
        };
        diff.into_score(score)
    }

    fn f1_mapped(&mut self, matching: &Matching, rows: usize) -> Option<f64> {
        let mapped: Vec<ColumnPair> = self
            .pairs
            .iter()
            .copied()
            .filter(|pair| pair.answer.is_some())
            .collect();
        if mapped.is_empty() {
            self.notes
                .push("f1 over the mapped columns: no column of the answer is mapped".to_owned());
            return None;
        }
        let matched = if mapped.len() == self.pairs.len() {
            matching.matched
        } else {
            match_rows(self.key.table, self.answer, &mapped, &|_| false).matched
        };
        let all = rows + self.key.table.len();
        Some(ratio(2 * matched, all, all == 0))
    }

    fn columns(&self) -> Vec<ColumnMatch> {
        let columns = self.key.table.columns().iter();
        columns
            .zip(&self.mapping.columns)
            .map(|(key, &(answer, by))| ColumnMatch {
                key: key.clone(),
                answer: answer.map(|column| self.answer.columns[column].clone()),
                by,
            })
            .collect()
    }

    fn extra_columns(&self) -> Vec<String> {
        let extra = self.mapping.extra(self.answer.columns.len());
        extra
            .into_iter()
            .map(|column| self.answer.columns[column].clone())
            .collect()
    }

    fn ordered(&self, matching: &Matching, exact: bool) -> Option<bool> {
        let ranks = self.key.ranks.as_ref()?;
        let sequence = matching.key_row.iter().flatten();
        let in_sequence = sequence
            .filter_map(|row| ranks.get(row.index()))
            .is_sorted();
        Some(exact && in_sequence)
    }

    /// Lets rows of the tie class at the cut stand in for those of its rows that the key happens to have.
    fn accept_ties(&mut self, matching: &mut Matching) {
        let (Some(pool), Some(ranks)) = (self.key.tie_pool, &self.key.ranks) else {
            return;
        };
        let Some(&cut) = ranks.last() else { return };
        let is_tied = |row: usize| ranks.get(row) == Some(&cut);
        let is_settled =
            |row: usize| matching.key_row[row].is_some_and(|key_row| !is_tied(key_row.index()));
        let in_pool = match_rows(pool, self.answer, &self.pairs, &is_settled);

        let mut found = vec![false; self.key.table.len()];
        for row in matching.key_row.iter().flatten() {
            found[row.index()] = true;
        }
        let places = (0..found.len()).filter(|&row| is_tied(row) && !found[row]);
        let replacements = (0..self.answer.len())
            .filter(|&row| matching.key_row[row].is_none() && in_pool.key_row[row].is_some());
        let accepted: Vec<(usize, usize)> = replacements.zip(places).collect();
        if accepted.is_empty() {
            return;
        }
        self.notes.push(format!(
            "rows of the tie class at the cut that were accepted in place of the key's: {}",
            accepted.len()
        ));
        matching.matched += accepted.len();
        for (answer_row, key_row) in accepted {
            matching.key_row[answer_row] = RowId::new(key_row);
        }
    }
}

fn ratio(part: usize, whole: usize, both_empty: bool) -> f64 {
    if both_empty {
        1.0
    } else if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}
