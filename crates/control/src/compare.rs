//! A control's table beside the key's, row by row.

use crate::identity::identity_column;
use crate::matches::{Matches, unjoined};
use crate::side::{Side, map_columns};
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use table::{Cell, NumberValue, Table};

/// What became of one row.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// In both tables, alike in every cell.
    Kept,
    /// In both tables, with other cells that differ.
    Changed,
    /// In the key only.
    Missed,
    /// In the control, and in the key without its LIMIT: a right row above its rank.
    BelowCut,
    /// In the control only.
    Invented,
}

/// One row of the key or the control, and what became of it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct RowFate {
    /// What became of the row.
    pub fate: Fate,
    /// The text of its identity cell; of all its cells, separated by tabs, where the tables have no identity column.
    pub identity: String,
    /// What the row calls itself, from the first column of text.
    pub name: Option<String>,
    /// Its place in the key, from 1; for a row below the cut its place in the key without its LIMIT.
    pub key_rank: Option<usize>,
    /// Its place in the control, from 1.
    pub control_rank: Option<usize>,
    /// The key's columns in which the two rows differ.
    pub differs: Vec<String>,
}

/// What a control keeps of a key, misses and invents.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Comparison {
    /// Rows of the control.
    pub rows: usize,
    /// Rows of the key.
    pub key_rows: usize,
    /// Rows in both, whether or not their other cells agree.
    pub kept: usize,
    /// Rows of the key that the control lacks.
    pub missed: usize,
    /// Rows of the control that the key lacks, also without its LIMIT where that is known.
    pub invented: usize,
    /// Those of the kept rows whose other cells differ.
    pub changed: usize,
    /// Rows of the control that only the key's LIMIT keeps out of the key.
    pub below_cut: usize,
    /// The first number in the control's first row over that in the key's, column for column; `None` where a table is
    /// empty, the cell is not a number, or the key's is zero.
    pub headline_ratio: Option<f64>,
    /// The verdict that follows.
    pub verdict: Verdict,
    /// Every row: the key's in the key's order, then the control's own in its order.
    pub fates: Vec<RowFate>,
}

/// Compares a control with its question's key by the key's [`identity_column`].
///
/// `key_all` is the key run without its LIMIT, which tells a row below the cut from an invented one. The control's
/// columns are found by the key's names, else by position. Where neither table has a column of IRIs, a row is itself
/// only if all its cells agree. A repeated identity is matched row by row, equal rows first.
pub fn compare(key: &Table, key_all: Option<&Table>, control: &Table) -> Comparison {
    let identity = identity_of(key, key_all, control);
    compare_by(key, key_all, control, identity)
}

/// The one of the key's columns that tells rows apart.
pub(crate) fn identity_of(key: &Table, key_all: Option<&Table>, control: &Table) -> Option<usize> {
    let in_key = |table: &Table| {
        let own = identity_column(table)?;
        let columns = map_columns(key.columns(), table.columns());
        columns.iter().position(|column| *column == Some(own))
    };
    // A key without rows has no cells to tell by, and then the control's say what its columns hold.
    in_key(key)
        .or_else(|| in_key(key_all?))
        .or_else(|| in_key(control))
}

/// Compares like [`compare`], by a column of the reader's choice; `None` compares whole rows.
pub fn compare_by(
    key: &Table,
    key_all: Option<&Table>,
    control: &Table,
    identity: Option<usize>,
) -> Comparison {
    let identity = identity.filter(|column| *column < key.columns().len());
    let key_side = Side::new(key, key.columns(), identity);
    let all_side = key_all.map(|all| Side::new(all, key.columns(), identity));
    let control_side = Side::new(control, key.columns(), identity);

    let matches = Matches::find(&key_side, &control_side);
    let mut fates = key_rows(&key_side, &control_side, &matches);
    let below_cut = all_side.map(|all| BelowCut::of(&key_side, all));
    fates.extend(own_rows(&control_side, &matches, below_cut));

    let count = |fate| fates.iter().filter(|row| row.fate == fate).count();
    let changed = count(Fate::Changed);
    let mut comparison = Comparison {
        rows: control.len(),
        key_rows: key.len(),
        kept: count(Fate::Kept) + changed,
        missed: count(Fate::Missed),
        invented: count(Fate::Invented),
        changed,
        below_cut: count(Fate::BelowCut),
        headline_ratio: headline_ratio(&key_side, &control_side),
        verdict: Verdict::Equivalent,
        fates,
    };
    comparison.verdict = comparison.judge();
    comparison
}

impl Comparison {
    fn judge(&self) -> Verdict {
        let wrong = self.invented + self.changed;
        if wrong + self.missed == 0 {
            Verdict::Equivalent
        } else if self.rows == 0 {
            Verdict::Collapses
        } else if wrong + self.below_cut > 0 {
            Verdict::LooksRightAndIsWrong
        } else {
            Verdict::Partial
        }
    }
}

fn key_rows(key: &Side<'_>, control: &Side<'_>, matches: &Matches) -> Vec<RowFate> {
    (0..key.len())
        .map(|row| {
            let other = matches.of_key[row];
            let differs = other.map_or_else(Vec::new, |other| key.differs(row, control, other));
            let fate = match other {
                None => Fate::Missed,
                Some(_) if differs.is_empty() => Fate::Kept,
                Some(_) => Fate::Changed,
            };
            RowFate {
                fate,
                identity: key.identity(row).into_owned(),
                name: key.name(row),
                key_rank: Some(row + 1),
                control_rank: other.map(|other| other + 1),
                differs,
            }
        })
        .collect()
}

/// The rows that the key's LIMIT keeps out of it, by identity.
struct BelowCut<'t> {
    all: Side<'t>,
    rows: HashMap<Cow<'t, str>, VecDeque<usize>>,
}

impl<'t> BelowCut<'t> {
    fn of(key: &Side<'t>, all: Side<'t>) -> Self {
        let mut rows: HashMap<Cow<'t, str>, VecDeque<usize>> = HashMap::new();
        for row in unjoined(&Matches::find(key, &all).of_control) {
            rows.entry(all.identity(row)).or_default().push_back(row);
        }
        Self { all, rows }
    }

    /// The place in the whole key of a row of that identity, and in which columns it differs.
    fn take(&mut self, control: &Side<'_>, row: usize) -> Option<(usize, Vec<String>)> {
        let place = self
            .rows
            .get_mut(control.identity(row).as_ref())?
            .pop_front()?;
        Some((place, self.all.differs(place, control, row)))
    }
}

/// The rows of the control that answer no row of the key.
fn own_rows(
    control: &Side<'_>,
    matches: &Matches,
    mut below_cut: Option<BelowCut<'_>>,
) -> Vec<RowFate> {
    unjoined(&matches.of_control)
        .into_iter()
        .map(|row| {
            let found = below_cut
                .as_mut()
                .and_then(|below| below.take(control, row));
            let (fate, key_rank, differs) = match found {
                Some((place, differs)) => (Fate::BelowCut, Some(place + 1), differs),
                None => (Fate::Invented, None, Vec::new()),
            };
            RowFate {
                fate,
                identity: control.identity(row).into_owned(),
                name: control.name(row),
                key_rank,
                control_rank: Some(row + 1),
                differs,
            }
        })
        .collect()
}

fn headline_ratio(key: &Side<'_>, control: &Side<'_>) -> Option<f64> {
    if key.len() == 0 || control.len() == 0 {
        return None;
    }
    let column = (0..key.width()).find(|column| number_of(key.cell(0, *column)).is_some())?;
    let ratio = number_of(control.cell(0, column))? / number_of(key.cell(0, column))?;
    ratio.is_finite().then_some(ratio)
}

fn number_of(cell: &Cell) -> Option<f64> {
    let Cell::Number(number) = cell else {
        return None;
    };
    match number.value() {
        NumberValue::Exact(_) => number.lexical().parse().ok(),
        NumberValue::Double(value) => Some(*value),
        NumberValue::Float(value) => Some(f64::from(*value)),
    }
}
