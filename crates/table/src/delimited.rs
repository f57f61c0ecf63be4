//! Splitting delimited text into rows of cells.
//!
//! This is RFC 4180 with a reader's patience. It is not the `csv` crate because an answer needs what that crate hides: a
//! blank line is a row in a one-column table, a row knows its line and keeps its own width, and an unclosed quotation mark
//! must not swallow the rest of the file. It also keeps cells as spans of one text, which is what makes scoring fast.

use memchr::{memchr, memchr2_iter, memchr3};

use crate::raw::{Repair, RepairKind, Span, narrow, offset};

/// Rows of cells as spans of one text: the given text, and what [`Split::appended`] adds after it.
#[derive(Default)]
pub(crate) struct Split {
    pub(crate) cells: Vec<Span>,
    /// Where each row's cells end in `cells`.
    pub(crate) row_ends: Vec<usize>,
    /// The one-based line at which each row starts.
    pub(crate) lines: Vec<u32>,
    /// Cells that differ from how they are written (doubled quotes); their spans count on from the end of the text.
    pub(crate) appended: String,
    pub(crate) repairs: Vec<Repair>,
}

impl Split {
    pub(crate) fn rows(&self) -> usize {
        self.row_ends.len()
    }

    pub(crate) fn row(&self, index: usize) -> &[Span] {
        let start = match index.checked_sub(1) {
            None => 0,
            Some(previous) => self.row_ends[previous],
        };
        &self.cells[start..self.row_ends[index]]
    }

    pub(crate) fn end_row(&mut self, line: u32) {
        self.row_ends.push(self.cells.len());
        self.lines.push(line);
    }

    /// The text that all spans point into.
    pub(crate) fn into_text(text: String, appended: &str) -> String {
        let mut text = text;
        text.push_str(appended);
        text
    }
}

/// Splits a text at a delimiter, which must be ASCII. Lines count from `first_line`.
pub(crate) fn split(text: &str, delimiter: u8, first_line: u32) -> Split {
    Splitter::new(text, delimiter, first_line).run(usize::MAX)
}

/// How many cells the first row has at this delimiter.
pub(crate) fn first_row_len(text: &str, delimiter: u8) -> usize {
    Splitter::new(text, delimiter, 1).run(1).cells.len()
}

struct Splitter<'a> {
    text: &'a str,
    bytes: &'a [u8],
    delimiter: u8,
    at: usize,
    line: u32,
    split: Split,
}

impl<'a> Splitter<'a> {
    fn new(text: &'a str, delimiter: u8, first_line: u32) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            delimiter,
            at: 0,
            line: first_line,
            split: Split::default(),
        }
    }

    fn run(mut self, max_rows: usize) -> Split {
        while self.at < self.bytes.len() && self.split.rows() < max_rows {
            let line = self.line;
            while self.cell() {}
            self.split.end_row(line);
        }
        self.split
    }

    /// Reads one cell and what ends it; whether another cell of the row follows.
    fn cell(&mut self) -> bool {
        let span = match self.bytes.get(self.at) {
            Some(b'"') => self.quoted(),
            _ => self.plain(),
        };
        self.split.cells.push(span);
        match self.bytes.get(self.at) {
            Some(b'\r') => {
                let crlf = self.bytes.get(self.at + 1) == Some(&b'\n');
                self.at += if crlf { 2 } else { 1 };
                self.line += 1;
                false
            }
            Some(b'\n') => {
                self.at += 1;
                self.line += 1;
                false
            }
            Some(_) => {
                self.at += 1;
                true
            }
            None => false,
        }
    }

    fn plain(&mut self) -> Span {
        let start = self.at;
        let rest = &self.bytes[start..];
        let len = memchr3(self.delimiter, b'\n', b'\r', rest).unwrap_or(rest.len());
        self.at = start + len;
        span(start, self.at)
    }

    fn quoted(&mut self) -> Span {
        let open = self.at;
        let line = self.line;
        let Some((close, doubled)) = self.closing_quote(open + 1) else {
            // Whatever follows holds its quotes in pairs, so reading on from here cannot scan to the end once more.
            self.split.repairs.push(
                Repair::new(
                    RepairKind::UnclosedQuote,
                    "a quotation mark that nothing closes was read as text",
                )
                .at(line),
            );
            return self.plain();
        };
        self.line += line_ends(&self.bytes[open + 1..close]);
        self.at = close + 1;
        let tail = self.plain();
        if !doubled && tail.start == tail.end {
            return span(open + 1, close);
        }
        if tail.start != tail.end {
            self.split.repairs.push(
                Repair::new(
                    RepairKind::TextAfterQuote,
                    "text after a closing quotation mark was joined to its cell",
                )
                .at(line),
            );
        }
        let inner = self.text.get(open + 1..close).unwrap_or_default();
        let start = self.appended_end();
        self.split.appended.push_str(&inner.replace("\"\"", "\""));
        self.split.appended.push_str(tail.of(self.text));
        Span {
            start,
            end: self.appended_end(),
        }
    }

    fn appended_end(&self) -> u32 {
        offset(self.text).saturating_add(offset(&self.split.appended))
    }

    /// Where the quotation mark is that closes a cell opened before `from`, and whether doubled ones come before it.
    fn closing_quote(&self, from: usize) -> Option<(usize, bool)> {
        let mut doubled = false;
        let mut at = from;
        loop {
            at += memchr(b'"', self.bytes.get(at..)?)?;
            if self.bytes.get(at + 1) != Some(&b'"') {
                return Some((at, doubled));
            }
            doubled = true;
            at += 2;
        }
    }
}

fn span(start: usize, end: usize) -> Span {
    Span {
        start: narrow(start),
        end: narrow(end),
    }
}

fn line_ends(bytes: &[u8]) -> u32 {
    let ends = memchr2_iter(b'\n', b'\r', bytes);
    let starts_crlf = |&at: &usize| bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
    narrow(ends.filter(|at| !starts_crlf(at)).count())
}
