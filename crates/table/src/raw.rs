//! An answer as it was submitted: rows of text without types.

use serde::{Deserialize, Serialize};

use crate::table::Table;

/// Something that was put right while an answer was read, so that nothing is changed in silence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// Which repair.
    pub kind: RepairKind,
    /// What was done, for a person.
    pub message: String,
    /// The one-based line it concerns, where it concerns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl Repair {
    pub(crate) fn new(kind: RepairKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            line: None,
        }
    }

    pub(crate) fn at(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }
}

/// The repairs that [`read_answer`](crate::read_answer) knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepairKind {
    /// A UTF-8 byte order mark was dropped.
    ByteOrderMark,
    /// UTF-16 with a byte order mark was decoded.
    Utf16,
    /// A Markdown code fence, and whatever stood outside it, was taken off.
    CodeFence,
    /// The whole table was one quoted string, as in JSON.
    QuotedDocument,
    /// Line ends written as a backslash and an `n` were turned into line ends.
    EscapedNewlines,
    /// A Markdown table was read: outer pipes, rule line, escaped pipes.
    MarkdownTable,
    /// The cells are separated by something else than a comma.
    Delimiter,
    /// A last column without a name or a value was dropped.
    TrailingColumn,
    /// Blank lines in a table of several columns were passed over.
    BlankLines,
    /// A cell opens with a quotation mark that nothing closes: the mark was read as text.
    UnclosedQuote,
    /// Text stands between a closing quotation mark and the end of its cell: it was joined to the cell.
    TextAfterQuote,
    /// The answer to a yes-or-no question had no header; its one line was read as the answer.
    HeaderlessBoolean,
}

/// A row whose number of cells is not the header's. It is kept apart, so that it never shifts its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ragged {
    /// The one-based line at which the row starts.
    pub line: u32,
    /// The cells that are there.
    pub cells: Vec<String>,
    /// How many the header has.
    pub expected: usize,
}

/// A piece of [`RawTable::text`], in bytes. Half the size of a slice: a large answer has millions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn of(self, text: &str) -> &str {
        // Spans are made by the splitters, at character boundaries of this very text.
        text.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}

/// A submitted answer: the rows that fit the header, as text, and what was repaired or did not fit.
///
/// ```
/// let answer = table::read_answer(b"gene,score\nA,1\nB\n")?;
/// assert_eq!(answer.columns, ["gene", "score"]);
/// assert_eq!(answer.row(0).collect::<Vec<_>>(), ["A", "1"]);
/// assert_eq!(answer.ragged[0].line, 3);
/// # Ok::<(), table::ReadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawTable {
    /// The header's cells, without white space around them.
    pub columns: Vec<String>,
    /// What was put right on the way, in the order in which it was done.
    pub repairs: Vec<Repair>,
    /// Rows of another width than the header's, in the order of their lines.
    pub ragged: Vec<Ragged>,
    text: String,
    cells: Vec<Span>,
    lines: Vec<u32>,
}

impl RawTable {
    /// A table without rows, to be filled with [`RawTable::push_row`].
    pub fn new(columns: Vec<String>) -> Self {
        Self {
            columns,
            ..Self::default()
        }
    }

    pub(crate) fn from_parts(
        columns: Vec<String>,
        text: String,
        cells: Vec<Span>,
        lines: Vec<u32>,
    ) -> Self {
        Self {
            columns,
            repairs: Vec::new(),
            ragged: Vec::new(),
            text,
            cells,
            lines,
        }
    }

    /// A table as its own CSV would be read: every cell by its lexical form.
    pub fn from_table(table: &Table) -> Self {
        use std::fmt::Write as _;

        let mut raw = Self::new(table.columns().to_vec());
        for (index, row) in table.rows().enumerate() {
            for cell in row {
                let start = offset(&raw.text);
                // Writing to a `String` cannot fail.
                let _ = write!(raw.text, "{cell}");
                let end = offset(&raw.text);
                raw.cells.push(Span { start, end });
            }
            raw.lines.push(crate::error::one_based(index + 1));
        }
        raw
    }

    /// Adds one row in memory, as if it stood on the line after the last; it must have one cell per column to be kept.
    pub fn push_row(&mut self, row: &[&str]) {
        let line = self.lines.last().map_or(2, |line| line.saturating_add(1));
        if row.len() != self.columns.len() {
            self.ragged.push(Ragged {
                line,
                cells: row.iter().map(|&cell| cell.to_owned()).collect(),
                expected: self.columns.len(),
            });
            return;
        }
        for cell in row {
            let start = offset(&self.text);
            self.text.push_str(cell);
            let end = offset(&self.text);
            self.cells.push(Span { start, end });
        }
        self.lines.push(line);
    }

    /// How many rows fit the header. The others are in [`RawTable::ragged`].
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether no row fits the header.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The text of a cell; empty for one that is not there.
    pub fn cell(&self, row: usize, column: usize) -> &str {
        self.cells
            .get(row * self.columns.len() + column)
            .map_or("", |span| span.of(&self.text))
    }

    /// How many bytes a cell's text has; unlike [`RawTable::cell`], this does not look at them.
    pub fn cell_len(&self, row: usize, column: usize) -> usize {
        self.cells
            .get(row * self.columns.len() + column)
            .map_or(0, |span| (span.end - span.start) as usize)
    }

    /// The cells of a row that fits the header.
    pub fn row(&self, index: usize) -> impl ExactSizeIterator<Item = &str> {
        (0..self.columns.len()).map(move |column| self.cell(index, column))
    }

    /// The one-based line at which a row starts in what was submitted.
    pub fn line(&self, row: usize) -> Option<u32> {
        self.lines.get(row).copied()
    }
}

/// The end of the text as an offset. Longer texts than `u32` addresses are refused by the readers; one built in memory
/// stops growing instead of wrapping.
pub(crate) fn offset(text: &str) -> u32 {
    narrow(text.len())
}

/// A count or an offset in the width that tables use.
pub(crate) fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
