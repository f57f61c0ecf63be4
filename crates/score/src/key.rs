//! An answer key: a table, which of its rows tie, and what may stand in for the last of them.

use std::ops::Range;

use table::{Cell, Table};

/// What an answer is scored against.
///
/// ```
/// # let key = table::read_key_csv(b"name,n\na,2\nb,1\nc,1\n")?;
/// let order = [(1, true)];
/// let key = score::Key {
///     table: &key,
///     ranks: Some(score::ranks_by(&key, &order)),
///     tie_pool: None,
/// };
/// assert_eq!(key.ranks, Some(vec![0, 1, 1]));
/// # Ok::<(), table::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Key<'a> {
    /// The key's rows, in its sequence.
    pub table: &'a Table,
    /// The tie class of every row, ascending (see [`ranks_by`]); `None`: the key has no order to check.
    pub ranks: Option<Vec<u32>>,
    /// All rows of the tie class that the key's LIMIT cuts through (see [`tie_pool`]), for [`Options::accept_ties`].
    ///
    /// [`Options::accept_ties`]: crate::Options::accept_ties
    pub tie_pool: Option<&'a Table>,
}

impl<'a> Key<'a> {
    /// A key whose order says nothing.
    pub fn unordered(table: &'a Table) -> Self {
        Self {
            table,
            ranks: None,
            tie_pool: None,
        }
    }
}

/// The tie class of every row of a table that was sorted by these columns (zero-based; `true` for descending, which
/// makes no difference to what ties).
///
/// Rows tie where the standard leaves their order open: where their keys are equal, and where it does not compare them.
/// It fixes unbound < blank node < IRI < literal, IRIs by their characters, numbers by value, text by its characters,
/// and false < true. Blank nodes tie, and so do the literals of rows among which they are of several kinds, however they
/// are sorted further. A column that the table does not have (an expression, a variable that is not projected) leaves the
/// rest of the order open.
pub fn ranks_by(table: &Table, order: &[(usize, bool)]) -> Vec<u32> {
    // Where a new tie class starts; the first row starts one without being told.
    let mut starts = vec![false; table.len()];
    // Runs of rows that the columns so far leave equal, and a later column may order.
    let mut runs: Vec<Range<usize>> = std::iter::once(0..table.len()).collect();
    for &(column, _) in order {
        let mut finer = Vec::new();
        for run in runs {
            let cells: Vec<&Cell> = run
                .clone()
                .filter_map(|row| table.row(row).get(column))
                .collect();
            let literals_compare = literals_are_of_one_kind(&cells);
            let mut start = run.start;
            for tied in cells.chunk_by(|left, right| !parts(left, right, literals_compare)) {
                if start > run.start {
                    starts[start] = true;
                }
                let end = start + tied.len();
                if !is_incomparable(tied[0], literals_compare) {
                    finer.push(start..end);
                }
                start = end;
            }
        }
        runs = finer;
    }
    let mut rank = 0;
    starts
        .into_iter()
        .map(|starts| {
            rank += u32::from(starts);
            rank
        })
        .collect()
}

/// The class of a cell in the standard's order of classes.
fn class(cell: &Cell) -> u8 {
    match cell {
        Cell::Missing => 0,
        Cell::Blank(_) => 1,
        Cell::Iri(_) => 2,
        Cell::Number(_) | Cell::Boolean(_) | Cell::Text(_) => 3,
    }
}

fn literals_are_of_one_kind(cells: &[&Cell]) -> bool {
    let mut kinds = cells
        .iter()
        .filter(|cell| class(cell) == 3)
        .map(|cell| std::mem::discriminant(*cell));
    let first = kinds.next();
    kinds.all(|kind| Some(kind) == first)
}

/// Whether two neighbours are in an order that the standard fixes.
fn parts(left: &Cell, right: &Cell, literals_compare: bool) -> bool {
    match (left, right) {
        (Cell::Iri(left), Cell::Iri(right)) => left != right,
        _ if class(left) != class(right) => true,
        _ if class(left) < 3 || !literals_compare => false,
        (Cell::Number(left), Cell::Number(right)) => !left.equals(&right.lexical()),
        _ => left != right,
    }
}

/// Whether the rows of a run are incomparable by this column, so that no later column can order them.
fn is_incomparable(cell: &Cell, literals_compare: bool) -> bool {
    match class(cell) {
        1 => true,
        3 => !literals_compare,
        _ => false,
    }
}

/// The rows of the tie class that a LIMIT cuts through; `None` where it cuts none.
///
/// `all` is the key's table without its LIMIT, sorted by the columns of `order`.
///
/// ```
/// # let all = table::read_key_csv(b"name,n\na,2\nb,1\nc,1\nd,1\n")?;
/// let pool = score::tie_pool(&all, &[(1, true)], 2).unwrap();
/// assert_eq!(table::to_csv(&pool), "name,n\nb,1\nc,1\nd,1\n");
/// assert_eq!(score::tie_pool(&all, &[(1, true)], 1), None);
/// # Ok::<(), table::ReadError>(())
/// ```
pub fn tie_pool(all: &Table, order: &[(usize, bool)], limit: usize) -> Option<Table> {
    let ranks = ranks_by(all, order);
    let last = *ranks.get(limit.checked_sub(1)?)?;
    if ranks.get(limit) != Some(&last) {
        return None;
    }
    let rows: Vec<usize> = (0..all.len()).filter(|&row| ranks[row] == last).collect();
    Some(all.select(&rows))
}
