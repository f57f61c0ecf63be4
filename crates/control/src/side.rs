//! A table as the key sees it.

use crate::identity::name_column;
use std::borrow::Cow;
use table::{Cell, NumberValue, Table, comparable_iri, comparable_text};

/// A table seen through the key's columns.
pub(crate) struct Side<'t> {
    table: &'t Table,
    key_columns: &'t [String],
    /// For each of the key's columns the table's own.
    columns: Vec<Option<usize>>,
    /// Which of the key's columns identifies a row.
    identity: Option<usize>,
    /// Which of the table's own columns names a row.
    name: Option<usize>,
}

impl<'t> Side<'t> {
    pub(crate) fn new(
        table: &'t Table,
        key_columns: &'t [String],
        identity: Option<usize>,
    ) -> Self {
        Self {
            table,
            key_columns,
            columns: map_columns(key_columns, table.columns()),
            identity,
            name: name_column(table),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// The number of the key's columns.
    pub(crate) fn width(&self) -> usize {
        self.columns.len()
    }

    /// The cell in that one of the key's columns; missing where the table has no such column.
    pub(crate) fn cell(&self, row: usize, key_column: usize) -> &'t Cell {
        let own = self.columns.get(key_column).copied().flatten();
        own.and_then(|column| self.table.row(row).get(column))
            .unwrap_or(&Cell::Missing)
    }

    /// What the row is about, as a text to compare.
    pub(crate) fn identity(&self, row: usize) -> Cow<'t, str> {
        match self.identity {
            Some(column) => text_of(self.cell(row, column)),
            None => Cow::Owned(self.whole(row)),
        }
    }

    /// All of the row, as a text to compare.
    pub(crate) fn whole(&self, row: usize) -> String {
        let cells: Vec<_> = (0..self.width())
            .map(|column| text_of(self.cell(row, column)))
            .collect();
        cells.join("\t")
    }

    /// What the row calls itself.
    pub(crate) fn name(&self, row: usize) -> Option<String> {
        match self.table.row(row).get(self.name?)? {
            Cell::Missing => None,
            cell => Some(cell.to_string()),
        }
    }

    /// Whether this row and the other's agree in every one of the key's columns.
    pub(crate) fn is_same(&self, row: usize, other: &Side<'_>, other_row: usize) -> bool {
        (0..self.width())
            .all(|column| same_cell(self.cell(row, column), other.cell(other_row, column)))
    }

    /// The key's columns in which this row and the other's differ.
    pub(crate) fn differs(&self, row: usize, other: &Side<'_>, other_row: usize) -> Vec<String> {
        self.key_columns
            .iter()
            .enumerate()
            .filter(|(column, _)| {
                !same_cell(self.cell(row, *column), other.cell(other_row, *column))
            })
            .map(|(_, name)| name.clone())
            .collect()
    }
}

/// For each of the key's columns the other table's of that name; by position where no name agrees.
pub(crate) fn map_columns(key: &[String], other: &[String]) -> Vec<Option<usize>> {
    let by_name = by_name(key, other);
    if by_name.iter().all(Option::is_none) {
        return (0..key.len())
            .map(|column| (column < other.len()).then_some(column))
            .collect();
    }
    by_name
}

/// Whether any column of one table has the name of one of the other's.
pub(crate) fn shares_a_name(key: &[String], other: &[String]) -> bool {
    by_name(key, other).iter().any(Option::is_some)
}

fn by_name(key: &[String], other: &[String]) -> Vec<Option<usize>> {
    let plain = |name: &str| -> String {
        name.chars()
            .filter(|c| !c.is_whitespace() && !matches!(c, '_' | '?'))
            .flat_map(char::to_lowercase)
            .collect()
    };
    let names: Vec<_> = other.iter().map(|name| plain(name)).collect();
    key.iter()
        .map(|name| names.iter().position(|other| *other == plain(name)))
        .collect()
}

/// A cell as identities compare it.
fn text_of(cell: &Cell) -> Cow<'_, str> {
    match cell {
        Cell::Iri(iri) => Cow::Borrowed(comparable_iri(iri)),
        Cell::Text(text) => comparable_text(text),
        Cell::Number(number) => Cow::Owned(match number.value() {
            NumberValue::Exact(value) => value.to_string(),
            NumberValue::Double(value) => value.to_string(),
            NumberValue::Float(value) => value.to_string(),
        }),
        Cell::Missing => Cow::Borrowed(""),
        Cell::Blank(_) | Cell::Boolean(_) => Cow::Owned(cell.to_string()),
    }
}

/// Whether a control's cell says what the key's says.
fn same_cell(key: &Cell, other: &Cell) -> bool {
    match (key, other) {
        (Cell::Number(number), Cell::Number(other)) => match (number.value(), other.value()) {
            (NumberValue::Exact(value), NumberValue::Exact(other)) => value == other,
            _ => number.equals(&other.lexical()),
        },
        (Cell::Number(number), Cell::Text(text)) => number.equals(text),
        _ => text_of(key) == text_of(other),
    }
}
