//! Why a file could not be read as a table.

use thiserror::Error;

/// What kind of thing stopped a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadErrorKind {
    /// The bytes are not text in an encoding that is read here.
    Encoding,
    /// There is nothing in the file.
    Empty,
    /// The file is larger than a table can address.
    TooLarge,
    /// The file ends, or is cut off by an error message, before the table does.
    Truncated,
    /// The file breaks the rules of its format.
    Syntax,
    /// The file is well-formed, but not SPARQL results or not a table.
    ///
    /// Of an answer's text that is said where it is JSON; where it begins with a tag of HTML or XML; where its first line is a
    /// sentence (several words, and a full stop or its like at the end) and no line after it looks like a row; and where it is
    /// a single line that is too wordy for names of columns: three words or more for one, more than four each for several.
    NotATable,
    /// The file's name does not say which format it has.
    UnknownFormat,
}

/// A file that could not be read as a table: what is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ReadError {
    /// What kind of problem it is.
    pub kind: ReadErrorKind,
    /// One-based line.
    pub line: u32,
    /// One-based column, in characters.
    pub column: u32,
    /// What was found and what was expected.
    pub message: String,
    /// What the person can do, where we know.
    pub remedy: Option<String>,
}

impl ReadError {
    pub(crate) fn new(kind: ReadErrorKind, at: Position, message: impl Into<String>) -> Self {
        Self {
            kind,
            line: at.line,
            column: at.column,
            message: message.into(),
            remedy: None,
        }
    }

    pub(crate) fn with_remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

/// Refuses a key with two columns of one name: nothing could tell which of them an answer's column is.
pub(crate) fn check_distinct(columns: &[String]) -> Result<(), ReadError> {
    for (index, column) in columns.iter().enumerate() {
        if columns[..index].contains(column) {
            return Err(ReadError::new(
                ReadErrorKind::NotATable,
                Position::START,
                format!("two columns have the name `{column}`"),
            )
            .with_remedy("give every column a name of its own"));
        }
    }
    Ok(())
}

/// A place in a text: one-based line and column, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Position {
    pub(crate) const START: Self = Self { line: 1, column: 1 };

    /// The position of the byte at `offset`; bytes that are not UTF-8 count as one character each.
    pub(crate) fn of_offset(bytes: &[u8], offset: usize) -> Self {
        let before = &bytes[..offset.min(bytes.len())];
        let line_start = before
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |newline| newline + 1);
        let lines = before.split(|&byte| byte == b'\n').count() - 1;
        let characters = String::from_utf8_lossy(&before[line_start..])
            .chars()
            .count();
        Self {
            line: one_based(lines),
            column: one_based(characters),
        }
    }
}

/// Turns a zero-based count into a one-based `u32`, without wrapping for files that no person opens.
pub(crate) fn one_based(count: usize) -> u32 {
    crate::raw::narrow(count).saturating_add(1)
}
