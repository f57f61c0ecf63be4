//! The whole judgement on a control: counts, ranks, agreement, verdict, and why.

use serde::{Deserialize, Serialize};
use table::Table;
use thiserror::Error;

use crate::compare::{Comparison, compare_by, identity_of};
use crate::matches::Matches;
use crate::rank::tau_b;
use crate::side::{Side, map_columns, shares_a_name};
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
    /// Columns of the key that the control's rows lack: they are missing in every row, so that no kept row is unchanged.
    pub missing_columns: Vec<String>,
    /// Whether the control's columns were taken in the key's sequence, for want of a name in common.
    pub by_position: bool,
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

/// A column that a table does not have.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("the {of} has no column `{asked}`{}; it has {}", why(*.of), known.join(", "))]
pub struct NoSuchColumn {
    /// The table that lacks it.
    pub of: Lacking,
    /// The column that was asked for.
    pub asked: String,
    /// The table's columns.
    pub known: Vec<String>,
}

/// Which of the two tables lacks a column.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Lacking {
    /// The key, of which it was said to be a column.
    Key,
    /// The control, whose rows cannot be told apart without it.
    Control,
}

impl std::fmt::Display for Lacking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Key => "key",
            Self::Control => "control",
        })
    }
}

fn why(of: Lacking) -> &'static str {
    match of {
        Lacking::Key => "",
        Lacking::Control => ", by which rows are told apart",
    }
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
        Some(asked) => Some(column_named(case.key, asked)?),
    };
    let columns = map_columns(case.key.columns(), case.control.columns());
    if let Some(identity) = identity.filter(|identity| columns[*identity].is_none()) {
        return Err(NoSuchColumn {
            of: Lacking::Control,
            asked: case.key.columns()[identity].clone(),
            known: case.control.columns().to_vec(),
        });
    }
    let mut comparison = compare_by(case.key, case.key_all, case.control, identity);
    // An empty table says nothing about the ontology, and an empty key has no answer to reproduce.
    if !case.walks_hierarchy && !case.key.is_empty() {
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
            missing_columns: missing_columns(case.key, &columns),
            by_position: !shares_a_name(case.key.columns(), case.control.columns()),
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

/// The place of the column of that name in a key, with or without its `?`.
pub fn column_named(key: &Table, asked: &str) -> Result<usize, NoSuchColumn> {
    let known = key.columns();
    known
        .iter()
        .position(|column| column == asked.trim_start_matches(['?', '$']))
        .ok_or_else(|| NoSuchColumn {
            of: Lacking::Key,
            asked: asked.to_owned(),
            known: known.to_vec(),
        })
}

fn missing_columns(key: &Table, columns: &[Option<usize>]) -> Vec<String> {
    let named = key.columns().iter().zip(columns);
    named
        .filter(|(_, column)| column.is_none())
        .map(|(name, _)| name.clone())
        .collect()
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
