//! Keys as CSV or TSV, read strictly; where the format has no types, the cells of a column decide.

use crate::cell::Cell;
use crate::decode::decode;
use crate::delimited::{self, Split};
use crate::error::{Position, ReadError, ReadErrorKind, check_distinct};
use crate::number::{Number, NumberKind};
use crate::raw::{RepairKind, Span};
use crate::table::Table;
use crate::turtle::parse_term;

/// What an endpoint writes after the rows so far when it fails while answering in CSV or TSV.
const ERROR_MARKER: &str = "!!!!>>";

/// Reads a key given as CSV, which has no types.
///
/// A column is numeric if all its cells are numbers without leading zeros, and boolean if all are `true` or `false`;
/// missing cells do not matter. Elsewhere a cell is an IRI if it looks like one (`http:`, `https:`, `urn:`, or in angle
/// brackets), a blank node if it starts with `_:`, and text otherwise.
///
/// ```
/// use table::Cell;
///
/// let key = table::read_key_csv(b"id,n\n007,7\n008,8\n")?;
/// assert_eq!(key.row(0)[0], Cell::Text("007".into()));
/// assert!(matches!(key.row(0)[1], Cell::Number(_)));
/// # Ok::<(), table::ReadError>(())
/// ```
pub fn read_key_csv(bytes: &[u8]) -> Result<Table, ReadError> {
    let (text, _) = decode(bytes)?;
    let split = split_strictly(&text, b',')?;
    let text = JoinedText::new(&text, &split);
    if let (1, [only]) = (split.rows(), split.row(0)) {
        // CSV results of an ASK query are that one line, without a header.
        match text.cell(*only) {
            "true" => return Ok(Table::boolean(true)),
            "false" => return Ok(Table::boolean(false)),
            _ => {}
        }
    }
    typed_by_column(&split, &text)
}

/// Reads a key given as TSV: SPARQL TSV, whose header has `?` before its names and whose cells are terms in Turtle's
/// syntax, or else plain tab-separated text with the types of [`read_key_csv`].
pub fn read_key_tsv(bytes: &[u8]) -> Result<Table, ReadError> {
    let (text, _) = decode(bytes)?;
    let header = text.lines().next().unwrap_or_default();
    if !header.split('\t').all(|name| name.starts_with('?')) {
        let split = split_strictly(&text, b'\t')?;
        let text = JoinedText::new(&text, &split);
        return typed_by_column(&split, &text);
    }
    // Quotation marks are part of the terms here, and line ends inside them are escaped: lines are rows.
    let columns: Vec<String> = header
        .split('\t')
        .map(|name| name[1..].trim().to_owned())
        .collect();
    check_distinct(&columns)?;
    let mut table = Table::with_capacity(columns, 0);
    for (number, line) in (2..).zip(text.lines().skip(1)) {
        let mut row = Vec::with_capacity(table.columns().len());
        let mut column = 1;
        for cell in line.split('\t') {
            let at = Position {
                line: number,
                column,
            };
            row.push(parse_term(cell).ok_or_else(|| bad_term(cell, at))?);
            column += crate::error::one_based(cell.chars().count());
        }
        check_width(row.len(), table.columns().len(), number)?;
        table.push_row(row);
    }
    Ok(table)
}

fn bad_term(cell: &str, at: Position) -> ReadError {
    if cell.starts_with(ERROR_MARKER) {
        return cut_off(at, cell);
    }
    ReadError::new(
        ReadErrorKind::Syntax,
        at,
        format!("{cell:?} is not a term as SPARQL TSV writes them"),
    )
    .with_remedy(
        "write IRIs in angle brackets, text in quotation marks; or leave the ? out of the header",
    )
}

fn cut_off(at: Position, found: &str) -> ReadError {
    ReadError::new(
        ReadErrorKind::Truncated,
        at,
        format!("the endpoint failed while it was answering, and wrote {found:?}"),
    )
    .with_remedy("ask the endpoint again, for JSON: a truncated reply shows there")
}

fn check_width(found: usize, expected: usize, line: u32) -> Result<(), ReadError> {
    if found == expected {
        return Ok(());
    }
    Err(ReadError::new(
        ReadErrorKind::Syntax,
        Position { line, column: 1 },
        format!("the row has {found} cells where the header has {expected}"),
    )
    .with_remedy("quote cells that hold the delimiter, a quotation mark or a line end"))
}

fn split_strictly(text: &str, delimiter: u8) -> Result<Split, ReadError> {
    let mut split = delimited::split(text, delimiter, 1);
    if split.rows() == 0 {
        return Err(ReadError::new(
            ReadErrorKind::Empty,
            Position::START,
            "the file is empty: a key without rows still has a header line",
        ));
    }
    if let Some(repair) = split.repairs.first() {
        let message = match repair.kind {
            RepairKind::UnclosedQuote => "a quotation mark opens a cell and nothing closes it",
            _ => "text stands between a closing quotation mark and the end of its cell",
        };
        let line = repair.line.unwrap_or(1);
        return Err(
            ReadError::new(ReadErrorKind::Syntax, Position { line, column: 1 }, message)
                .with_remedy("write a quotation mark inside a quoted cell twice"),
        );
    }
    let width = split.row(0).len();
    let last = split.rows() - 1;
    if let (Some(first), [only, ..]) = (split.lines.get(last), split.row(last)) {
        let found = only.of(text);
        if found.starts_with(ERROR_MARKER) {
            let at = Position {
                line: *first,
                column: 1,
            };
            return Err(cut_off(at, found));
        }
    }
    // Line ends at the end of the file are no rows, except in a one-column table.
    while width > 1 && split.rows() > 1 && is_blank(split.row(split.rows() - 1)) {
        split.row_ends.pop();
        split.lines.pop();
    }
    for index in 1..split.rows() {
        check_width(split.row(index).len(), width, split.lines[index])?;
    }
    Ok(split)
}

fn is_blank(row: &[Span]) -> bool {
    matches!(row, [span] if span.start == span.end)
}

/// The text that spans point into, without copying the part that was read.
struct JoinedText<'a> {
    text: &'a str,
    appended: &'a str,
}

impl<'a> JoinedText<'a> {
    fn new(text: &'a str, split: &'a Split) -> Self {
        Self {
            text,
            appended: &split.appended,
        }
    }

    fn cell(&self, span: Span) -> &'a str {
        let len = crate::raw::offset(self.text);
        match span.start.checked_sub(len) {
            Some(start) if span.end > span.start => Span {
                start,
                end: span.end - len,
            }
            .of(self.appended),
            _ => span.of(self.text),
        }
    }
}

/// What the cells of a column have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnType {
    Number,
    Boolean,
    PerCell,
}

impl ColumnType {
    /// The narrowest type that a cell fits.
    fn of_cell(cell: &str) -> Self {
        if plain_number(cell).is_some() {
            Self::Number
        } else if matches!(cell, "true" | "false") {
            Self::Boolean
        } else {
            Self::PerCell
        }
    }
}

fn typed_by_column(split: &Split, text: &JoinedText<'_>) -> Result<Table, ReadError> {
    let columns: Vec<String> = split
        .row(0)
        .iter()
        .map(|span| text.cell(*span).trim().to_owned())
        .collect();
    check_distinct(&columns)?;
    let cell = |row: usize, column: usize| text.cell(split.row(row)[column]);
    // The first cell proposes a type; the others, while they are read, may refute it.
    let mut types: Vec<ColumnType> = (0..columns.len())
        .map(|column| {
            (1..split.rows())
                .map(|row| cell(row, column).trim())
                .find(|cell| !cell.is_empty())
                .map_or(ColumnType::PerCell, ColumnType::of_cell)
        })
        .collect();
    let mut refuted = Vec::new();
    let mut table = Table::with_capacity(columns, split.rows() - 1);
    for row in 1..split.rows() {
        table.push_row(split.row(row).iter().zip(&types).enumerate().map(
            |(column, (span, column_type))| {
                typed_cell(text.cell(*span), *column_type).unwrap_or_else(|| {
                    refuted.push(column);
                    Cell::Missing
                })
            },
        ));
    }
    if refuted.is_empty() {
        return Ok(table);
    }
    for column in refuted {
        types[column] = ColumnType::PerCell;
    }
    let mut retyped = Table::with_capacity(table.columns().to_vec(), split.rows() - 1);
    for row in 1..split.rows() {
        let spans = split.row(row).iter().zip(&types);
        retyped.push_row(spans.map(|(span, column_type)| {
            typed_cell(text.cell(*span), *column_type).unwrap_or(Cell::Missing)
        }));
    }
    Ok(retyped)
}

/// The cell as its column is typed; `None` where it does not fit the type.
fn typed_cell(cell: &str, column_type: ColumnType) -> Option<Cell> {
    let trimmed = cell.trim();
    if trimmed.is_empty() {
        return Some(Cell::Missing);
    }
    match (column_type, trimmed) {
        (ColumnType::Number, _) => plain_number(trimmed).map(Cell::Number),
        (ColumnType::Boolean, "true") => Some(Cell::Boolean(true)),
        (ColumnType::Boolean, "false") => Some(Cell::Boolean(false)),
        (ColumnType::Boolean, _) => None,
        (ColumnType::PerCell, _) => Some(untyped_cell(cell)),
    }
}

/// A number without leading zeros.
fn plain_number(cell: &str) -> Option<Number> {
    let unsigned = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    if let [b'0', b'0'..=b'9', ..] = unsigned.as_bytes() {
        return None;
    }
    let is_integer = unsigned.bytes().all(|byte| byte.is_ascii_digit());
    let kind = if is_integer {
        NumberKind::Integer
    } else {
        NumberKind::Decimal
    };
    Number::parse(cell, kind)
}

fn untyped_cell(cell: &str) -> Cell {
    let trimmed = cell.trim();
    match trimmed.as_bytes() {
        [b'_', b':', _, ..] => Cell::blank(trimmed),
        _ => as_iri(trimmed).map_or_else(|| Cell::Text(cell.into()), |iri| Cell::Iri(iri.into())),
    }
}

fn as_iri(cell: &str) -> Option<&str> {
    let bracketed = cell
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'));
    let iri = bracketed.unwrap_or(cell);
    let has_scheme = match bracketed {
        Some(iri) => iri.contains(':'),
        None => ["http://", "https://", "urn:"]
            .iter()
            .any(|scheme| iri.starts_with(scheme)),
    };
    let allowed = |byte: u8| byte > b' ' && !matches!(byte, b'<' | b'>' | b'"');
    (has_scheme && iri.bytes().all(allowed)).then_some(iri)
}
