//! The whole judgement on a control: counts, ranks, agreement, verdict, and why.

use serde::{Deserialize, Serialize};
use table::Table;
use thiserror::Error;

use crate::compare::{Comparison, compare_by, identity_of};
use crate::matches::Matches;
use crate::rank::tau_b;
use crate::side::{Side, map_columns};
use crate::why::reason::{Grounds, RowWhy};

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
    /// What takes more than the two tables to say.
    #[serde(flatten)]
    pub findings: Findings,
}

/// What an analysis adds to a [`Comparison`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct Findings {
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
/// assert_eq!(analysis.findings.uncut.map(|uncut| (uncut.kept, uncut.missed, uncut.invented)), Some((2, 1, 0)));
/// assert_eq!(analysis.findings.tau_b, Some(1.0));
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
    let (uncut, tau_b) = if let Some(all) = case.key_all {
        let (uncut, shared) = Uncut::of(all, case.control, identity);
        (Some(uncut), agreement(all, case, shared))
    } else {
        let shared = comparison
            .fates
            .iter()
            .filter_map(|row| Some((row.key_rank? - 1, row.control_rank? - 1)));
        (None, agreement(case.key, case, shared.collect()))
    };
    Ok(Analysis {
        comparison,
        findings: Findings {
            identity: identity.map(|column| case.key.columns()[column].clone()),
            uncut,
            tau_b,
            why: Vec::new(),
        },
    })
}

impl Analysis {
    /// The same with a reason for every invented and missed row.
    #[must_use]
    pub fn explained(mut self, grounds: &Grounds<'_>) -> Self {
        self.findings.why = grounds.explain(&self.comparison.fates);
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

impl Uncut {
    /// The counts, and the rows that both tables have, as a row of each.
    fn of(all: &Table, control: &Table, identity: Option<usize>) -> (Self, Vec<(usize, usize)>) {
        let key = Side::new(all, all.columns(), identity);
        let control = Side::new(control, all.columns(), identity);
        let matches = Matches::find(&key, &control);
        let shared: Vec<_> = (0..key.len())
            .filter_map(|row| Some((row, matches.of_key[row]?)))
            .collect();
        let uncut = Self {
            key_rows: key.len(),
            kept: shared.len(),
            missed: key.len() - shared.len(),
            invented: control.len() - shared.len(),
            changed: shared
                .iter()
                .filter(|(row, other)| !key.is_same(*row, &control, *other))
                .count(),
        };
        (uncut, shared)
    }
}

fn agreement(key: &Table, case: &Case<'_>, shared: Vec<(usize, usize)>) -> Option<f64> {
    if case.order.is_empty() {
        return None;
    }
    let key_ranks = score::ranks_by(key, case.order);
    // The control's columns may stand in another order.
    let columns = map_columns(key.columns(), case.control.columns());
    let own = case.order.iter().map(|(column, descending)| {
        // A column that the control lacks leaves the rest of its order open.
        let place = columns.get(*column).copied().flatten();
        (place.unwrap_or(usize::MAX), *descending)
    });
    let control_ranks = score::ranks_by(case.control, &own.collect::<Vec<_>>());
    let ranks = shared
        .into_iter()
        .filter_map(|(row, other)| Some((*key_ranks.get(row)?, *control_ranks.get(other)?)));
    let (first, second): (Vec<u32>, Vec<u32>) = ranks.unzip();
    tau_b(&first, &second)
}
