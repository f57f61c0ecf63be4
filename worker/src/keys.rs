//! Running an answer key: its rows, its order, and what its LIMIT cuts.

use jiff::{Timestamp, Unit};
use record::{OrderKey, Problem, Record, without_limit};
use score::{Key, ranks_by};
use sweep::{KeyEntry, SortColumn};
use table::Table;
use thiserror::Error;

use crate::endpoint::{Endpoint, EndpointError};

/// A key that gave no rows to score against. That is never an empty key.
#[derive(Debug, Error)]
pub enum KeyError {
    /// The record's file holds no query.
    #[error("{}", no_query(file, problem.as_deref()))]
    NoQuery {
        /// The record's file.
        file: String,
        /// What the file has in its place, and where.
        problem: Option<Box<Problem>>,
    },
    /// The endpoint gave no table.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
}

impl KeyError {
    /// That a record's file holds no query, and what it holds instead.
    pub fn no_query(record: &Record) -> Self {
        let is_of_query = |problem: &&Problem| {
            problem.rule.starts_with("query-") || problem.rule.starts_with("file-")
        };
        Self::NoQuery {
            file: record.file.clone(),
            problem: record
                .problems
                .iter()
                .find(is_of_query)
                .cloned()
                .map(Box::new),
        }
    }
}

fn no_query(file: &str, problem: Option<&Problem>) -> String {
    match problem {
        Some(problem) => {
            let (line, column) = (problem.line, problem.column);
            format!("{file}:{line}:{column}: {}", problem.message)
        }
        None => format!("{file} has no key that can be run"),
    }
}

/// A key's rows and what is known about them.
#[derive(Clone, Debug)]
pub struct KeyRun {
    /// The rows.
    pub table: Table,
    /// The order by columns; `None` where there is none, or where the key sorts by what its columns do not show.
    pub order: Option<Vec<SortColumn>>,
    /// Tie class of each row under that order.
    pub ranks: Option<Vec<u32>>,
    /// Content hash of the rows.
    pub hash: String,
    /// Milliseconds that the key took.
    pub ms: f64,
    /// When it was run, RFC 3339.
    pub date: String,
}

impl KeyRun {
    /// Runs a record's key.
    pub async fn of(record: &Record, endpoint: &Endpoint) -> Result<Self, KeyError> {
        if record.query.is_none() {
            return Err(KeyError::no_query(record));
        }
        let answer = endpoint.query(&record.query_text).await?;
        let order = sort_columns(&record.order(), answer.table.columns());
        Ok(Self {
            ranks: order
                .as_deref()
                .map(|order| ranks_by(&answer.table, &pairs(order))),
            order,
            hash: table::content_hash(&answer.table),
            ms: answer.ms,
            date: now(),
            table: answer.table,
        })
    }

    /// The key as the scorer takes it.
    pub fn key<'a>(&'a self, tie_pool: Option<&'a Table>) -> Key<'a> {
        Key {
            table: &self.table,
            ranks: self.ranks.clone(),
            tie_pool,
        }
    }

    /// The key as the bundle publishes it.
    pub fn entry(&self, endpoint: &Endpoint) -> KeyEntry {
        KeyEntry {
            rows: table::to_sparql_json(&self.table),
            ranks: self.ranks.clone(),
            provenance: endpoint.provenance().clone(),
            date: self.date.clone(),
            hash: self.hash.clone(),
            ms: self.ms,
        }
    }
}

/// Runs a record's key for a report that goes on where one fails. Wrong files of the embedded federation are no key's
/// fault, and end the report.
pub async fn tried(
    record: &Record,
    endpoint: &Endpoint,
) -> Result<Result<KeyRun, KeyError>, EndpointError> {
    match KeyRun::of(record, endpoint).await {
        Err(KeyError::Endpoint(error)) if error.is_usage() => Err(error),
        tried => Ok(tried),
    }
}

/// A key run without its LIMIT.
#[derive(Clone, Debug)]
pub struct Uncut {
    /// Every row.
    pub table: Table,
    /// The order by columns, as for [`KeyRun::order`].
    pub order: Option<Vec<SortColumn>>,
}

impl Uncut {
    /// Runs a record's key without its LIMIT; `None` where it has none.
    pub async fn of(record: &Record, endpoint: &Endpoint) -> Result<Option<Self>, KeyError> {
        let Some(query) = record.query.as_ref().filter(|_| record.limit().is_some()) else {
            return Ok(None);
        };
        let answer = endpoint.query(&without_limit(query).to_string()).await?;
        Ok(Some(Self::ordered(record, answer.table)))
    }

    /// The rows of a record's key without its LIMIT, where they are there.
    pub fn ordered(record: &Record, table: Table) -> Self {
        let order = sort_columns(&record.order(), table.columns());
        Self { table, order }
    }

    /// Every row that shares the tie class of the last row before the cut at `limit`.
    pub fn tie_pool(&self, limit: usize) -> Option<Table> {
        score::tie_pool(&self.table, &pairs(self.order.as_deref()?), limit)
    }

    /// The first pair of rows (from 1) that the order leaves tied; `None` where it is total.
    pub fn first_tie(&self) -> Option<(usize, usize)> {
        let ranks = ranks_by(&self.table, &pairs(self.order.as_deref()?));
        let place = ranks.windows(2).position(|pair| pair[0] == pair[1])?;
        Some((place + 1, place + 2))
    }
}

/// The order as columns of the table; `None` for no order, and for one that sorts by what the columns do not show.
pub fn sort_columns(order: &[OrderKey], columns: &[String]) -> Option<Vec<SortColumn>> {
    if order.is_empty() {
        return None;
    }
    order
        .iter()
        .map(|key| {
            let name = key.column.as_ref()?;
            let column = columns.iter().position(|column| column == name)?;
            Some(SortColumn {
                column,
                descending: key.descending,
            })
        })
        .collect()
}

fn pairs(order: &[SortColumn]) -> Vec<(usize, bool)> {
    order
        .iter()
        .map(|sort| (sort.column, sort.descending))
        .collect()
}

/// The time, RFC 3339, to the second.
pub fn now() -> String {
    to_the(Unit::Second)
}

/// The time, RFC 3339, to the millisecond.
pub fn precisely_now() -> String {
    to_the(Unit::Millisecond)
}

fn to_the(unit: Unit) -> String {
    let now = Timestamp::now();
    now.round(unit).unwrap_or(now).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(column: Option<&str>, descending: bool) -> OrderKey {
        OrderKey {
            column: column.map(str::to_owned),
            descending,
        }
    }

    #[test]
    fn an_order_is_known_only_when_every_key_is_a_column() {
        let columns = ["name".to_owned(), "n".to_owned()];
        let by_n = SortColumn {
            column: 1,
            descending: true,
        };
        let by_name = SortColumn {
            column: 0,
            descending: false,
        };
        assert_eq!(
            sort_columns(&[key(Some("n"), true), key(Some("name"), false)], &columns),
            Some(vec![by_n, by_name])
        );
        assert_eq!(sort_columns(&[], &columns), None);
        assert_eq!(
            sort_columns(&[key(Some("n"), true), key(None, false)], &columns),
            None
        );
        assert_eq!(sort_columns(&[key(Some("hidden"), false)], &columns), None);
    }
}
