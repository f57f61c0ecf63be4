//! A typed table: what a query returned.

use crate::cell::Cell;

/// The column of an ASK query's table.
const BOOLEAN_COLUMN: &str = "boolean";

/// Columns by name and rows of typed cells, in the order the engine gave them.
///
/// ```
/// use table::{Cell, Table};
///
/// let table = Table::new(
///     vec!["condition".to_owned(), "name".to_owned()],
///     vec![vec![Cell::Iri("http://e/1".into()), Cell::Text("myocarditis".into())]],
/// );
/// assert_eq!(table.len(), 1);
/// assert_eq!(table.row(0)[1].to_string(), "myocarditis");
/// assert!(table.select(&[]).is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    columns: Vec<String>,
    cells: Vec<Cell>,
    /// Kept apart from `cells`, so that a table without columns can still have rows.
    rows: usize,
}

impl Table {
    /// A table of the given rows. A row shorter than the header is filled up with missing cells, a longer one cut: every
    /// reader checks widths before it comes here.
    pub fn new(columns: Vec<String>, rows: Vec<Vec<Cell>>) -> Self {
        let mut table = Self::with_capacity(columns, rows.len());
        for row in rows {
            table.push_row(row);
        }
        table
    }

    /// A table without rows, with room for so many.
    pub fn with_capacity(columns: Vec<String>, rows: usize) -> Self {
        let cells = Vec::with_capacity(columns.len() * rows);
        Self {
            columns,
            cells,
            rows: 0,
        }
    }

    /// Adds a row, filled up or cut to the table's width as in [`Table::new`].
    pub fn push_row(&mut self, row: impl IntoIterator<Item = Cell>) {
        self.rows += 1;
        self.cells.extend(row.into_iter().take(self.columns.len()));
        self.cells
            .resize(self.rows * self.columns.len(), Cell::Missing);
    }

    /// The table of an ASK query: one column, `boolean`, and one row.
    pub fn boolean(value: bool) -> Self {
        Self::new(
            vec![BOOLEAN_COLUMN.to_owned()],
            vec![vec![Cell::Boolean(value)]],
        )
    }

    /// The answer of an ASK query, where this is its table.
    pub fn as_boolean(&self) -> Option<bool> {
        match (self.columns.as_slice(), self.cells.as_slice()) {
            ([column], [Cell::Boolean(value)]) if column == BOOLEAN_COLUMN => Some(*value),
            _ => None,
        }
    }

    /// The column names, without `?`.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The cells of row `index`, as many as columns; empty for an index past the end.
    pub fn row(&self, index: usize) -> &[Cell] {
        let width = self.columns.len();
        self.cells
            .get(index * width..(index + 1) * width)
            .unwrap_or_default()
    }

    /// The rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Cell]> {
        (0..self.rows).map(|index| self.row(index))
    }

    /// The rows with these indexes, in this order; an index past the end is left out.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        let mut table = Self::with_capacity(self.columns.clone(), rows.len());
        for &index in rows.iter().filter(|&&index| index < self.rows) {
            table.push_row(self.row(index).iter().cloned());
        }
        table
    }
}
