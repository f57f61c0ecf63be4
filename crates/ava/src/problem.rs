//! What is wrong with a file, and where.

use serde::Serialize;

/// What is wrong with a file of triplets, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct Problem {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What was found, and what was expected.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl Problem {
    /// What is wrong at a byte of a text, and what to do about it.
    pub(crate) fn at(lines: &Lines<'_>, byte: usize, message: String, remedy: &str) -> Self {
        let (line, column) = lines.place(byte);
        Self {
            line,
            column,
            message,
            remedy: Some(remedy.to_owned()),
        }
    }

    /// What is wrong with a whole file.
    pub(crate) fn at_the_start(message: String, remedy: &str) -> Self {
        Self {
            line: 1,
            column: 1,
            message,
            remedy: Some(remedy.to_owned()),
        }
    }
}

/// Turns places in a text into lines and columns.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t str,
    /// Where each line begins.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(place, _)| place + 1));
        Self {
            text,
            starts: starts.collect(),
        }
    }

    /// Line and column, both from 1, of a byte of the text.
    pub(crate) fn place(&self, byte: usize) -> (u32, u32) {
        let byte = byte.min(self.text.len());
        let line = self.starts.partition_point(|&start| start <= byte) - 1;
        // Counted from the bytes, since the place may lie within a character.
        let before = &self.text.as_bytes()[self.starts[line]..byte];
        let column = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        (number(line), number(column))
    }

    /// The byte that `serde_json` means by its line and column, within `part` of the text that begins at `start`: the last
    /// that it took, or the next that is no space.
    pub(crate) fn byte_of(part: &str, start: usize, error: &serde_json::Error) -> usize {
        let line = error.line().saturating_sub(1);
        let begin = match line {
            0 => 0,
            _ => part
                .match_indices('\n')
                .nth(line - 1)
                .map_or(part.len(), |(place, _)| place + 1),
        };
        let byte = (begin + error.column().saturating_sub(1)).min(part.len());
        let spaces = part.as_bytes()[byte..].iter();
        let spaces = spaces
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        start + byte + spaces
    }
}

fn number(from_zero: usize) -> u32 {
    u32::try_from(from_zero + 1).unwrap_or(u32::MAX)
}

/// An error's words without the place that `serde_json` adds, which counts from the wrong start.
pub(crate) fn words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
