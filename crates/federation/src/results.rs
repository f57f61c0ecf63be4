//! What the evaluator found, as a table.

use crate::query::QueryError;
use oxrdf::{Term, Triple};
use spareval::QueryResults;
use table::{Cell, Table};

/// Reads the results to their end.
///
/// Where the query does not say in which sequence its rows come, they are sorted by the text of their cells: the sequence
/// must not tell which files were loaded, or when.
pub(crate) fn table(
    results: QueryResults<'_>,
    limit: Option<usize>,
    ordered: bool,
) -> Result<Table, QueryError> {
    match results {
        QueryResults::Boolean(value) => Ok(Table::boolean(value)),
        QueryResults::Solutions(solutions) => {
            let columns = solutions
                .variables()
                .iter()
                .map(|v| v.as_str().to_owned())
                .collect();
            let rows = solutions.map(|solution| {
                let solution = solution?;
                Ok(solution
                    .values()
                    .iter()
                    .map(|term| term.as_ref().map_or(Cell::Missing, cell))
                    .collect())
            });
            collect(columns, rows, limit, ordered)
        }
        QueryResults::Graph(triples) => {
            let columns = TRIPLE.map(str::to_owned).to_vec();
            let rows = triples.map(|found| Ok(triple(found?).to_vec()));
            // A graph is a set, and one has no sequence even where the pattern behind it does.
            let mut table = collect(columns, rows, limit, false)?;
            dedup(&mut table);
            Ok(table)
        }
    }
}

fn collect(
    columns: Vec<String>,
    rows: impl Iterator<Item = Result<Vec<Cell>, QueryError>>,
    limit: Option<usize>,
    ordered: bool,
) -> Result<Table, QueryError> {
    let mut kept = Vec::new();
    for row in rows {
        if let Some(limit) = limit
            && kept.len() == limit
        {
            return Err(QueryError::TooManyRows { limit });
        }
        kept.push(row?);
    }
    if !ordered {
        kept.sort_by_cached_key(|row| row.iter().map(ToString::to_string).collect::<Vec<_>>());
    }
    Ok(Table::new(columns, kept))
}

/// Drops the repetitions of a sorted table.
fn dedup(table: &mut Table) {
    let mut distinct: Vec<usize> = Vec::new();
    for row in 0..table.len() {
        if distinct
            .last()
            .is_none_or(|last| table.row(*last) != table.row(row))
        {
            distinct.push(row);
        }
    }
    if distinct.len() < table.len() {
        *table = table.select(&distinct);
    }
}

/// The columns of a table of triples.
pub(crate) const TRIPLE: [&str; 3] = ["subject", "predicate", "object"];

/// A triple as a row.
pub(crate) fn triple(triple: Triple) -> [Cell; 3] {
    [
        cell(&triple.subject.into()),
        cell(&triple.predicate.into()),
        cell(&triple.object),
    ]
}

/// A term as a cell.
fn cell(term: &Term) -> Cell {
    match term {
        Term::NamedNode(iri) => Cell::Iri(iri.as_str().into()),
        Term::BlankNode(node) => Cell::Blank(node.as_str().into()),
        Term::Literal(literal) => Cell::literal(literal.value(), Some(literal.datatype().as_str())),
    }
}
