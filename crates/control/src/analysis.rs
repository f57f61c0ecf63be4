//! The whole judgement on a control: counts, ranks, agreement, verdict, and why.

use serde::{Deserialize, Serialize};
use table::Table;
use thiserror::Error;

use crate::compare::{Comparison, RowFate, compare_by, identity_of};
use crate::rank::tau_b;
use crate::side::map_columns;
use crate::why::{Grounds, RowWhy};

/// A control and the key it is judged by.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The key's rows.
    pub key: &'a Table,
    /// The rows of the key without its LIMIT; `None` where it has none.
    pub key_all: Option<&'a Table>,
    /// The control's rows.
    pub control: &'a Table,
    /// The column that tells rows apart; `None`: the key's [`identity_column`](crate::identity_column).
    pub identity: Option<&'a str>,
    /// The key's ORDER BY as columns of the key, `true` for descending; empty where it has none.
    pub order: &'a [(usize, bool)],
    /// Whether the control walks the hierarchy, as one does that varies another part of the key.
    pub walks_hierarchy: bool,
}

/// What a control is worth beside its key.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Analysis {
    /// Against the key's rows.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// The column that tells rows apart; `None` where rows are compared whole.
    pub identity: Option<String>,
    /// Against the key without its LIMIT; `None` where that is not known.
    pub uncut: Option<Uncut>,
    /// Kendall's τ-b ([`tau_b`]) between key and control on the rows that both have, by their ORDER BY; by the key without
    /// its LIMIT where that is known, so that rows below the cut count. `None` where there is no order, or too little in
    /// common for one.
    pub tau_b: Option<f64>,
    /// Why rows are invented or missed; empty where nothing is known beside the rows.
    pub why: Vec<RowWhy>,
}

/// Counts of a control against its key without LIMIT; the same meanings as in [`Comparison`].
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Uncut {
    /// Rows of the key without its LIMIT.
    pub key_rows: usize,
    /// Rows in both.
    pub kept: usize,
    /// Rows that the control lacks.
    pub missed: usize,
    /// Rows that the control alone has.
    pub invented: usize,
    /// Kept rows whose other cells differ.
    pub changed: usize,
}

/// A column that the key does not have.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("the key has no column `{asked}`; it has {}", known.join(", "))]
pub struct NoSuchColumn {
    /// The column that was asked for.
    pub asked: String,
    /// The key's columns.
    pub known: Vec<String>,
}

/// Judges a control by its key.
///
/// ```
/// use control::{Case, Verdict, analyse};
/// use table::read_key_csv;
///
/// let key = read_key_csv(b"condition,n\nhttp://e/1,9\nhttp://e/2,5\n")?;
/// let all = read_key_csv(b"condition,n\nhttp://e/1,9\nhttp://e/2,5\nhttp://e/3,1\n")?;
/// let control = read_key_csv(b"condition,n\nhttp://e/1,9\nhttp://e/3,1\n")?;
/// let case = Case {
///     key: &key,
///     key_all: Some(&all),
///     control: &control,
///     identity: Some("condition"),
///     order: &[(1, true)],
///     walks_hierarchy: false,
/// };
/// let analysis = analyse(&case)?;
/// assert_eq!((analysis.comparison.missed, analysis.comparison.below_cut), (1, 1));
/// assert_eq!(analysis.uncut.map(|uncut| (uncut.kept, uncut.missed, uncut.invented)), Some((2, 1, 0)));
/// assert_eq!(analysis.tau_b, Some(1.0));
/// assert_eq!(analysis.comparison.verdict, Verdict::LooksRightAndIsWrong);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn analyse(case: &Case<'_>) -> Result<Analysis, NoSuchColumn> {
    let identity = match case.identity {
        None => identity_of(case.key, case.key_all, case.control),
        Some(asked) => Some(column(case.key, asked)?),
    };
    let mut comparison = compare_by(case.key, case.key_all, case.control, identity);
    if !case.walks_hierarchy {
        comparison.verdict = comparison.verdict.without_hierarchy();
    }
    let uncut = case
        .key_all
        .map(|all| compare_by(all, None, case.control, identity));
    let tau_b = match (case.key_all, &uncut) {
        (Some(all), Some(uncut)) => agreement(all, case.control, case.order, &uncut.fates),
        _ => agreement(case.key, case.control, case.order, &comparison.fates),
    };
    Ok(Analysis {
        comparison,
        identity: identity.map(|column| case.key.columns()[column].clone()),
        uncut: uncut.map(|uncut| Uncut {
            key_rows: uncut.key_rows,
            kept: uncut.kept,
            missed: uncut.missed,
            invented: uncut.invented,
            changed: uncut.changed,
        }),
        tau_b,
        why: Vec::new(),
    })
}

impl Analysis {
    /// The same with a reason for every invented and missed row.
    #[must_use]
    pub fn explained(mut self, grounds: &Grounds<'_>) -> Self {
        self.why = grounds.explain(&self.comparison.fates);
        self
    }
}

fn column(key: &Table, asked: &str) -> Result<usize, NoSuchColumn> {
    let known = key.columns();
    known
        .iter()
        .position(|column| column == asked.trim_start_matches('?'))
        .ok_or_else(|| NoSuchColumn {
            asked: asked.to_owned(),
            known: known.to_vec(),
        })
}

fn agreement(
    key: &Table,
    control: &Table,
    order: &[(usize, bool)],
    fates: &[RowFate],
) -> Option<f64> {
    if order.is_empty() {
        return None;
    }
    let key_ranks = score::ranks_by(key, order);
    // The control's columns may stand in another order.
    let columns = map_columns(key.columns(), control.columns());
    let own: Vec<_> = order
        .iter()
        .filter_map(|(column, descending)| Some(((*columns.get(*column)?)?, *descending)))
        .collect();
    let control_ranks = score::ranks_by(control, &own);
    let shared = fates.iter().filter_map(|row| {
        Some((
            row.key_rank?.checked_sub(1)?,
            row.control_rank?.checked_sub(1)?,
        ))
    });
    let (first, second): (Vec<u32>, Vec<u32>) = shared
        .filter_map(|(row, other)| Some((*key_ranks.get(row)?, *control_ranks.get(other)?)))
        .unzip();
    tau_b(&first, &second)
}
