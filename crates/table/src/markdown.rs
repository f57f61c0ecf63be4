//! Markdown tables: outer pipes, the rule line under the header, escaped pipes.

use crate::delimited::Split;
use crate::raw::{Span, offset};

/// Splits a text that is a Markdown table; `None` where it is not one.
///
/// It is one if its second line is a rule (`|---|:-:|`) under a header with a pipe, or if every line starts and ends
/// with a pipe.
pub(crate) fn split(text: &str, first_line: u32) -> Option<Split> {
    // Nearly every answer is no Markdown, and its header says so.
    text.lines()
        .find(|line| !line.trim().is_empty())
        .filter(|line| line.contains('|'))?;
    let lines: Vec<(u32, &str)> = (first_line..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .collect();
    let (_, header) = lines.first()?;
    let ruled = header.contains('|') && lines.get(1).is_some_and(|(_, line)| is_rule(line));
    if !ruled && !lines.iter().all(|(_, line)| has_outer_pipes(line)) {
        return None;
    }
    let mut split = Split::default();
    for (index, (number, line)) in lines.iter().enumerate() {
        if index == 1 && ruled {
            continue;
        }
        push_cells(&mut split, text, line);
        split.end_row(*number);
    }
    Some(split)
}

fn is_rule(line: &str) -> bool {
    line.contains('-')
        && line.contains('|')
        && line
            .chars()
            .all(|c| matches!(c, '|' | '-' | ':') || c.is_whitespace())
}

fn has_outer_pipes(line: &str) -> bool {
    let line = line.trim();
    line.len() > 1 && line.starts_with('|') && line.ends_with('|')
}

fn push_cells(split: &mut Split, text: &str, line: &str) {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut rest = line;
    loop {
        let (cell, next) = match unescaped_pipe(rest) {
            Some(pipe) => (&rest[..pipe], Some(&rest[pipe + 1..])),
            None => (rest, None),
        };
        push_cell(split, text, cell.trim());
        match next {
            Some(next) if !next.is_empty() => rest = next,
            // Nothing after the last pipe: it was the outer one.
            _ => return,
        }
    }
}

fn unescaped_pipe(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let found = byte == b'|' && !escaped;
        escaped = byte == b'\\' && !escaped;
        found
    })
}

fn push_cell(split: &mut Split, text: &str, cell: &str) {
    let span = if cell.contains("\\|") {
        let start = offset(text).saturating_add(offset(&split.appended));
        split.appended.push_str(&cell.replace("\\|", "|"));
        Span {
            start,
            end: offset(text).saturating_add(offset(&split.appended)),
        }
    } else {
        let start = u32::try_from(cell.as_ptr() as usize - text.as_ptr() as usize).unwrap_or(0);
        Span {
            start,
            end: start.saturating_add(offset(cell)),
        }
    };
    split.cells.push(span);
}
