//! The decorators as they stand in the file, for what the parsed header no longer shows.

use crate::finding::At;
use crate::token::line_starts;

/// A line that starts with `#+`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeaderLine<'t> {
    /// Line of the file, from 1.
    pub(crate) line: u32,
    /// What follows the `#+`.
    pub(crate) text: &'t str,
    /// Column of `text`, from 1.
    pub(crate) column: u32,
    /// Whether the query has begun before it.
    pub(crate) late: bool,
}

/// All decorator lines of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeaderText<'t> {
    pub(crate) lines: Vec<HeaderLine<'t>>,
}

impl<'t> HeaderText<'t> {
    pub(crate) fn new(source: &'t str) -> Self {
        let source = source.strip_prefix('\u{feff}').unwrap_or(source);
        let mut starts = line_starts(source);
        starts.push(source.len());
        let mut late = false;
        let lines = starts
            .windows(2)
            .enumerate()
            .filter_map(|(index, pair)| {
                let line = source.get(pair[0]..pair[1])?.trim_end_matches(['\n', '\r']);
                let Some(text) = line.strip_prefix("#+") else {
                    late |= !line.trim().is_empty() && !line.trim_start().starts_with('#');
                    return None;
                };
                Some(HeaderLine {
                    line: u32::try_from(index + 1).ok()?,
                    text,
                    column: 3,
                    late,
                })
            })
            .collect();
        Self { lines }
    }

    /// Where words stand, from a line on; they may be broken over two lines only where they are not found in one.
    pub(crate) fn find(&self, words: &str, from: u32) -> Option<At> {
        let wanted = words.trim();
        if wanted.is_empty() {
            return None;
        }
        let first = wanted.split_whitespace().next().unwrap_or(wanted);
        let place = |wanted: &str| {
            self.lines
                .iter()
                .filter(|line| line.line >= from)
                .find_map(|line| {
                    let start = line.text.find(wanted)?;
                    let before = line.text.get(..start)?.chars().count();
                    let column = line.column + u32::try_from(before).ok()?;
                    Some(At {
                        line: line.line,
                        column,
                        end_column: column + u32::try_from(wanted.chars().count()).ok()?,
                    })
                })
        };
        place(wanted).or_else(|| place(first))
    }
}
