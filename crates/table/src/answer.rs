//! Reading a submitted answer as a person would.

use crate::decode::decode;
use crate::delimited::{self, Split};
use crate::error::{Position, ReadError, ReadErrorKind, one_based};
use crate::markdown;
use crate::no_table::no_table;
use crate::raw::{Ragged, RawTable, Repair, RepairKind, Span};

/// Delimiters to try where the comma gives one column, and their names.
const OTHER_DELIMITERS: [(u8, &str); 3] = [(b';', "semicolons"), (b'\t', "tabs"), (b'|', "pipes")];

/// Reads a submitted answer: CSV as RFC 4180 has it, or what a person would still recognise as the same table.
///
/// The result tells every repair. A file that is empty, or is not text, or whose text is JSON, markup or prose, is an error:
/// it holds no table at all, which is something else than a table without rows. Prose is told from a header line alone by its
/// shape, see [`ReadErrorKind::NotATable`].
///
/// ```
/// let answer = table::read_answer(b"```csv\nx;y\n1;2\n```\n")?;
/// assert_eq!(answer.columns, ["x", "y"]);
/// let kinds: Vec<_> = answer.repairs.iter().map(|repair| repair.kind).collect();
/// assert_eq!(kinds, [table::RepairKind::CodeFence, table::RepairKind::Delimiter]);
/// # Ok::<(), table::ReadError>(())
/// ```
pub fn read_answer(bytes: &[u8]) -> Result<RawTable, ReadError> {
    let (text, decoding) = decode(bytes)?;
    if text.trim().is_empty() {
        return Err(ReadError::new(
            ReadErrorKind::Empty,
            Position::START,
            "the file is empty: a table without rows still has a header line",
        )
        .with_remedy("submit the column names on the first line"));
    }
    let mut answer = match read_unescaped(&text) {
        Some(answer) => answer,
        None => read_text(&text, 1)?,
    };
    answer.repairs.splice(0..0, decoding);
    Ok(answer)
}

/// Reads a text whose line ends were written as a backslash and an `n`; `None` where that does not give a clean table.
///
/// A regular expression or a Windows path in a cell has such pairs too, so the text must be one line and the result must
/// have several lines and columns, all of one width.
fn read_unescaped(text: &str) -> Option<RawTable> {
    let line = text.trim_matches(['\r', '\n']);
    if line.contains(['\r', '\n']) {
        return None;
    }
    let quoted = line
        .strip_prefix('"')
        .and_then(|line| line.strip_suffix('"'))
        .filter(|inner| !has_bare_quote(inner));
    let inner = quoted.unwrap_or(line);
    if !inner.contains("\\n") {
        return None;
    }
    let mut unescaped = inner.replace("\\r\\n", "\n").replace("\\n", "\n");
    if quoted.is_some() {
        unescaped = unescaped.replace("\\\"", "\"");
    }
    if unescaped.trim().is_empty() {
        return None;
    }
    let mut answer = read_text(&unescaped, 1).ok()?;
    if !answer.ragged.is_empty() || answer.is_empty() || answer.columns.len() < 2 {
        return None;
    }
    let quoted = quoted.map(|_| {
        Repair::new(
            RepairKind::QuotedDocument,
            "took off the quotation marks around the whole table",
        )
    });
    let newlines = Repair::new(
        RepairKind::EscapedNewlines,
        "read backslash-n as the end of a line",
    );
    answer
        .repairs
        .splice(0..0, quoted.into_iter().chain([newlines]));
    Some(answer)
}

fn has_bare_quote(text: &str) -> bool {
    let mut escaped = false;
    text.chars().any(|c| {
        let bare = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        bare
    })
}

/// Reads a text with real line ends, of which the first is line `first_line`.
fn read_text(text: &str, first_line: u32) -> Result<RawTable, ReadError> {
    if let Some(fence) = find_fence(text) {
        let mut answer = read_table(fence.inside, first_line + fence.lines_before)?;
        let message = match fence.lines_outside {
            0 => "took the table out of its code fence".to_owned(),
            lines => format!(
                "took the table out of its code fence, and left out the text around it (lines with text: {lines})"
            ),
        };
        let repair = Repair::new(RepairKind::CodeFence, message)
            .at(first_line + fence.lines_before.saturating_sub(1));
        answer.repairs.insert(0, repair);
        return Ok(answer);
    }
    read_table(text, first_line)
}

struct Fence<'a> {
    inside: &'a str,
    lines_before: u32,
    /// Lines with text outside the fence.
    lines_outside: usize,
}

/// The one code fence of a text; `None` where there is none, or several: nobody can tell which holds the answer.
fn find_fence(text: &str) -> Option<Fence<'_>> {
    memchr::memchr2(b'`', b'~', text.as_bytes())?;
    let is_fence =
        |line: &str| line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
    let mut fences = Vec::new();
    let mut offset = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if is_fence(line) {
            fences.push((number, offset, offset + line.len()));
        }
        offset += line.len();
    }
    let (&(line, start, inside_start), rest) = fences.split_first()?;
    let before = &text[..start];
    // Inside a quoted cell, three backticks are a cell's text.
    if before.matches('"').count() % 2 == 1 {
        return None;
    }
    let (inside_end, after) = match rest {
        [] if before.trim().is_empty() => (text.len(), ""),
        [(_, close, close_end)] => (*close, &text[*close_end..]),
        _ => return None,
    };
    let with_text = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).count();
    let inside = &text[inside_start..inside_end];
    if inside.trim().is_empty() {
        return None;
    }
    Some(Fence {
        inside,
        lines_before: one_based(line),
        lines_outside: with_text(before) + with_text(after),
    })
}

/// Reads a text that is a table from its first line to its last.
fn read_table(text: &str, first_line: u32) -> Result<RawTable, ReadError> {
    let header_start = text.len() - text.trim_start().len();
    // The header's own leading white space stays with it.
    let body_start = text[..header_start]
        .rfind(['\r', '\n'])
        .map_or(0, |line_end| line_end + 1);
    let (before, body) = text.split_at(body_start);
    let blank_lines = delimited::split(before, b',', first_line).lines;
    let first_line = first_line.saturating_add(crate::raw::narrow(blank_lines.len()));

    if let Some(error) = no_table(body, first_line) {
        return Err(error);
    }
    let (split, repair) = match markdown::split(body, first_line) {
        Some(split) => (
            split,
            Some(Repair::new(
                RepairKind::MarkdownTable,
                "read as a Markdown table",
            )),
        ),
        None => split_delimited(body, first_line),
    };
    let mut answer = assemble(body, split, blank_lines);
    answer.repairs.splice(0..0, repair);
    Ok(answer)
}

/// Splits at the comma, or where that gives one column, at the delimiter that gives a table.
fn split_delimited(text: &str, first_line: u32) -> (Split, Option<Repair>) {
    if delimited::first_row_len(text, b',') == 1 {
        for (delimiter, name) in OTHER_DELIMITERS {
            if delimited::first_row_len(text, delimiter) < 2 {
                continue;
            }
            let split = delimited::split(text, delimiter, first_line);
            let width = split.row(0).len();
            let fitting = (1..split.rows())
                .filter(|&row| split.row(row).len() == width)
                .count();
            if 2 * fitting >= split.rows() - 1 {
                let message = format!("the cells are separated by {name}, not commas");
                return (split, Some(Repair::new(RepairKind::Delimiter, message)));
            }
        }
    }
    (delimited::split(text, b',', first_line), None)
}

/// Makes a table of the rows: the first is the header, rows of its width are kept, others reported.
fn assemble(text: &str, mut split: Split, blank_lines: Vec<u32>) -> RawTable {
    let mut repairs = std::mem::take(&mut split.repairs);
    let appended = std::mem::take(&mut split.appended);
    let text = Split::into_text(text.to_owned(), &appended);

    let dropped = trailing_columns(&split, &text);
    let header = split.row(0);
    let width = header.len() - dropped.in_header;
    let columns: Vec<String> = header[..width]
        .iter()
        .map(|span| span.of(&text).trim().to_owned())
        .collect();
    if dropped.in_rows > 0 || dropped.in_header > 0 {
        let message = "dropped an empty column at the end of the rows";
        repairs.push(Repair::new(RepairKind::TrailingColumn, message));
    }

    let row_width = width + dropped.in_rows;
    let Split {
        mut cells,
        row_ends,
        mut lines,
        ..
    } = split;
    let mut ragged = Vec::new();
    let mut blank = blank_lines;
    // Rows that fit move to the front in place: a second list of a large answer's cells would cost as much as reading it.
    let mut kept = 0;
    for index in 1..row_ends.len() {
        let (start, end) = (row_ends[index - 1], row_ends[index]);
        let row = &cells[start..end];
        let line = lines[index];
        // A row may spare itself the empty cells that the header has at its end.
        let is_empty = |span: &Span| span.of(&text).trim().is_empty();
        let fits = row.len() == row_width
            || (row.len() >= width && row.len() < row_width && row[width..].iter().all(is_empty));
        if fits && !(width > 1 && is_blank_line(row, &text)) {
            cells.copy_within(start..start + width, kept * width);
            lines[kept] = line;
            kept += 1;
        } else if is_blank_line(row, &text) {
            blank.push(line);
        } else {
            ragged.push(Ragged {
                line,
                cells: row.iter().map(|span| span.of(&text).to_owned()).collect(),
                expected: width,
            });
        }
    }
    cells.truncate(kept * width);
    lines.truncate(kept);
    if let Some(&first) = blank.first() {
        let message = format!("passed over blank lines: {}", blank.len());
        repairs.push(Repair::new(RepairKind::BlankLines, message).at(first));
    }
    let mut answer = RawTable::from_parts(columns, text, cells, lines);
    answer.repairs = repairs;
    answer.ragged = ragged;
    answer
}

/// How many cells at the end of the header, and of every row, are an empty column that nobody meant.
struct Trailing {
    in_header: usize,
    in_rows: usize,
}

fn trailing_columns(split: &Split, text: &str) -> Trailing {
    let header = split.row(0);
    let is_empty = |span: &Span| span.of(text).trim().is_empty();
    let rows = || {
        (1..split.rows())
            .map(|index| split.row(index))
            .filter(|row| !is_blank_line(row, text))
    };
    let mut in_header = 0;
    while in_header + 1 < header.len() && is_empty(&header[header.len() - 1 - in_header]) {
        in_header += 1;
    }
    if in_header > 0 {
        let unnamed = header.len() - in_header..header.len();
        let all_empty = rows()
            .filter(|row| row.len() == header.len())
            .all(|row| row[unnamed.clone()].iter().all(is_empty));
        return if all_empty {
            Trailing {
                in_header,
                in_rows: in_header,
            }
        } else {
            Trailing {
                in_header: 0,
                in_rows: 0,
            }
        };
    }
    // A comma at the end of every row but the header's.
    let has_rows = rows().next().is_some();
    let in_rows = usize::from(
        has_rows
            && rows().all(|row| row.len() == header.len() + 1 && row.last().is_some_and(is_empty)),
    );
    Trailing { in_header, in_rows }
}

/// A row of one cell with nothing written in it, not even quotation marks.
fn is_blank_line(row: &[Span], text: &str) -> bool {
    let [span] = row else { return false };
    span.of(text).trim().is_empty()
        && span.start.checked_sub(1).is_none_or(|before| {
            matches!(text.as_bytes().get(before as usize), Some(b'\n' | b'\r'))
        })
}
