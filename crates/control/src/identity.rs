//! Which column of a table says what its rows are about.

use table::{Cell, Table};

/// The column whose cells are the rows' subjects: the first that holds IRIs and nothing else but missing cells.
///
/// `None` where there is none, as in a table without rows.
pub fn identity_column(table: &Table) -> Option<usize> {
    let holds_iris = |column: &usize| {
        let mut cells = table.rows().filter_map(|row| row.get(*column)).peekable();
        cells.peek().is_some()
            && cells.all(|cell| matches!(cell, Cell::Iri(_) | Cell::Missing))
            && table
                .rows()
                .any(|row| matches!(row.get(*column), Some(Cell::Iri(_))))
    };
    (0..table.columns().len()).find(holds_iris)
}

/// The column that names the rows for people: the first that holds text.
pub(crate) fn name_column(table: &Table) -> Option<usize> {
    (0..table.columns().len()).find(|column| {
        table
            .rows()
            .any(|row| matches!(row.get(*column), Some(Cell::Text(_))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_column_of_iris() {
        let iri = || Cell::Iri("http://e/1".into());
        let text = || Cell::Text("a".into());
        let cases = [
            (vec![vec![text(), iri()]], Some(1)),
            (
                vec![vec![Cell::Missing, iri()], vec![iri(), iri()]],
                Some(0),
            ),
            (vec![vec![iri(), text()], vec![text(), iri()]], None),
            (vec![vec![Cell::Missing, text()]], None),
            (vec![], None),
        ];
        for (rows, expected) in cases {
            let table = Table::new(vec!["a".to_owned(), "b".to_owned()], rows);
            assert_eq!(identity_column(&table), expected, "{table:?}");
        }
    }
}
