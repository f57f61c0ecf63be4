//! `score`: how well a submitted table answers a key.

use score::{Key, Options, Score, ranks_by};
use serde::Deserialize;
use table::{RawTable, Table};

use crate::fault::Fault;
use crate::order::{By, places};
use crate::source::Source;
use crate::table_input::{TableInput, read};

/// How to score.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScoreOptions {
    /// The answer's name, for errors.
    pub answer_file: Option<String>,
    /// The key's ORDER BY: then `ordered` is judged, as far as it fixes the order.
    pub order: Option<Vec<By>>,
    /// Judge `ordered` by every row's place, where no `order` is given.
    pub ordered: bool,
    /// Whether any row level with the key's last is as good as those that the key happens to have; takes `order`, and
    /// `uncut` or `tie_pool`.
    pub accept_ties: bool,
    /// The key without its LIMIT.
    pub uncut: Option<TableInput>,
    /// Of the key without its LIMIT, the rows level with the key's last.
    pub tie_pool: Option<TableInput>,
    /// For each of the key's columns the answer's, from 0, or `None`: instead of by names and cells.
    pub mapping: Option<Vec<Option<usize>>>,
    /// How many rows each list of differences holds at most.
    pub max_diff_rows: DiffRows,
}

/// How many rows a list of differences holds at most.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(from = "Option<usize>")]
pub enum DiffRows {
    /// As many as [`Options::default`] says, where nothing is given.
    #[default]
    Usual,
    /// So many.
    AtMost(usize),
    /// All, where null is given.
    All,
}

impl From<Option<usize>> for DiffRows {
    fn from(given: Option<usize>) -> Self {
        given.map_or(Self::All, Self::AtMost)
    }
}

/// Scores an answer, read as a person would read it, against a key.
///
/// Fails where a table cannot be read or an option does not fit the tables.
pub fn score(key: &TableInput, answer: &Source, options: &ScoreOptions) -> Result<Score, Fault> {
    let table = key.read("key")?;
    let answer = table::read_answer(answer.bytes()).map_err(|error| {
        let file = options.answer_file.as_deref().unwrap_or("answer");
        Fault::of_table(file, error)
    })?;
    let order = match &options.order {
        Some(order) => places(order, &table)?,
        None => Vec::new(),
    };
    let ranks = if options.order.is_some() {
        Some(ranks_by(&table, &order))
    } else {
        let places = || (0..u32::try_from(table.len()).unwrap_or(u32::MAX)).collect();
        options.ordered.then(places)
    };
    let pool = match read(options.tie_pool.as_ref(), "tie_pool")? {
        Some(pool) => Some(pool),
        None => read(options.uncut.as_ref(), "uncut")?
            .and_then(|uncut| score::tie_pool(&uncut, &order, table.len())),
    };
    let own = Options {
        accept_ties: options.accept_ties,
        mapping: options
            .mapping
            .as_ref()
            .map(|mapping| checked(mapping, &table, &answer))
            .transpose()?,
        max_diff_rows: match options.max_diff_rows {
            DiffRows::Usual => Options::default().max_diff_rows,
            DiffRows::AtMost(rows) => Some(rows),
            DiffRows::All => None,
        },
    };
    let key = Key {
        table: &table,
        ranks,
        tie_pool: pool.as_ref(),
    };
    Ok(score::score(&key, &answer, &own))
}

fn checked(
    mapping: &[Option<usize>],
    key: &Table,
    answer: &RawTable,
) -> Result<Vec<Option<usize>>, Fault> {
    let (wanted, known) = (key.columns().len(), answer.columns.len());
    let message = if mapping.len() != wanted {
        format!(
            "options.mapping: {} entries, where the key has {wanted} columns",
            mapping.len()
        )
    } else if let Some(beyond) = mapping.iter().flatten().find(|place| **place >= known) {
        format!("options.mapping: column {beyond}, where the answer has {known}, counted from 0")
    } else {
        return Ok(mapping.to_vec());
    };
    Err(Fault::argument(
        message,
        "give for each column of the key the answer's column, from 0, or null",
    ))
}
