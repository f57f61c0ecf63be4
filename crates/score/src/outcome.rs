//! What a comparison found, in the form in which it is published.

use serde::{Deserialize, Serialize};
use table::{Ragged, Repair};

/// How well an answer matches a key. The JSON of this is `okn-benchmark score --json`.
///
/// Every number is finite: a ratio whose denominator is empty is fixed by rule (see [`score`](crate::score)).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The multisets of rows are equal, and no key column is missing from the answer.
    pub exact: bool,
    /// Exact, and in the key's sequence; `None` where the key has no sequence to keep.
    pub ordered: Option<bool>,
    /// The harmonic mean of precision and recall, 0 to 1.
    pub f1: f64,
    /// Matched rows among the answer's, 0 to 1.
    pub precision: f64,
    /// Matched rows among the key's, 0 to 1.
    pub recall: f64,
    /// Rows that the answer has, those of another width than its header included.
    pub rows: usize,
    /// Rows that the key has.
    pub key_rows: usize,
    /// Rows that match one to one.
    pub matched_rows: usize,
    /// `f1` over the mapped columns alone; `None` where no column is mapped (`notes` says so).
    pub f1_mapped: Option<f64>,
    /// Every column of the key and what it was compared with.
    pub columns: Vec<ColumnMatch>,
    /// Columns of the answer that the key does not ask for. They do not cost the score.
    pub extra_columns: Vec<String>,
    /// What was put right while the answer was read.
    pub repairs: Vec<Repair>,
    /// How many rows have another width than the answer's header.
    #[serde(default)]
    pub ragged_rows: usize,
    /// Those rows, up to [`Options::max_diff_rows`](crate::Options::max_diff_rows); each counts as an unexpected row.
    pub ragged: Vec<Ragged>,
    /// How many rows of the key nothing in the answer matches.
    #[serde(default)]
    pub missing_rows: usize,
    /// Those rows, up to the same number.
    pub missing: Vec<DiffRow>,
    /// How many rows of the answer match nothing in the key.
    #[serde(default)]
    pub unexpected_rows: usize,
    /// Those rows, up to the same number.
    pub unexpected: Vec<DiffRow>,
    /// The rows of both side by side: the key's in its order, then what is unexpected.
    pub diff: Vec<DiffEntry>,
    /// Diff entries left out because of the limit; equal rows go first.
    pub diff_omitted: usize,
    /// Those of them that are not equal rows: what is wrong and not in `diff`.
    #[serde(default)]
    pub wrong_omitted: usize,
    /// Reasons for what is `None` above, and limits that were reached.
    pub notes: Vec<String>,
}

/// A column of the key and the column of the answer that it was compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnMatch {
    /// The key's column.
    pub key: String,
    /// The answer's column as the answer spells it; `None`: the answer lacks it.
    pub answer: Option<String>,
    /// How the two were brought together.
    pub by: MatchedBy,
}

/// How a column of the key found its column of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatchedBy {
    /// The names agree, ignoring case, white space, `_` and `?`.
    Name,
    /// The names do not agree, the cells do.
    Content,
    /// The caller said so.
    Given,
    /// It found none.
    None,
}

/// A row that only one of the two tables has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffRow {
    /// Its zero-based index in its table; `None` for a row of another width than the header.
    pub row: Option<usize>,
    /// The one-based line at which it starts in what was submitted; `None` for the key's rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Its cells: the key's columns for a missing row, the answer's own for an unexpected one.
    pub cells: Vec<String>,
}

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DiffKind {
    /// Both tables have it.
    Equal,
    /// Only the key has it.
    Missing,
    /// Only the answer has it.
    Unexpected,
    /// The answer has the row, but with another value in some cell: one missing and one unexpected row, shown as a pair.
    Differing,
}

/// A row of the key, of the answer, or of both, for a person to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffEntry {
    /// What became of it.
    pub kind: DiffKind,
    /// The key's cells, one per key column.
    pub key: Option<Vec<String>>,
    /// The answer's cells in the order of the key's columns (empty where a column is not mapped); a row of another width
    /// than the header has its cells as they are.
    pub answer: Option<Vec<String>>,
    /// Whether each cell is equal, one per key column; empty where there is no pair.
    pub cells: Vec<bool>,
    /// The zero-based index of the key's row.
    pub key_row: Option<usize>,
    /// The zero-based index of the answer's row among those that fit its header.
    pub answer_row: Option<usize>,
}
