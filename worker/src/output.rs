//! Data on standard output, talk on standard error.

use std::error::Error as _;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use comfy_table::{CellAlignment, ContentArrangement, Table as Grid, TableComponent, presets};
use serde::Serialize;

use crate::Failure;

/// Where a command puts what it has to say.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    json: bool,
}

impl Output {
    /// JSON instead of tables when `json`.
    pub fn new(json: bool) -> Self {
        Self { json }
    }

    /// Whether JSON was asked for.
    pub fn is_json(self) -> bool {
        self.json
    }

    /// Prints `value` as JSON, or what `text` makes of it.
    ///
    /// A closed pipe is no failure: whoever reads has seen enough, and the status still tells what the command found.
    pub fn print<T: Serialize + ?Sized>(
        self,
        value: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<(), Failure> {
        let mut printed = if self.json {
            serde_json::to_string_pretty(value).map_err(|error| Failure::Output(error.into()))?
        } else {
            printable(&text(value))
        };
        if !printed.ends_with('\n') {
            printed.push('\n');
        }
        let mut stdout = io::stdout().lock();
        let written = stdout
            .write_all(printed.as_bytes())
            .and_then(|()| stdout.flush());
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
            _ => Ok(()),
        }
    }

    /// Says something to the person at the terminal. Nobody listening is no reason to stop.
    pub fn say(self, message: impl AsRef<str>) {
        let _ = writeln!(io::stderr().lock(), "{}", printable(message.as_ref()));
    }

    /// Says why a command failed and what to do about it; the status to exit with.
    pub fn report(self, failure: &Failure) -> ExitCode {
        self.say(explained(failure));
        ExitCode::from(failure.exit_status())
    }
}

/// The beginning of a text, `most` characters of it, on one line.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// Text that leaves a terminal as it is: a server's reply or a record could hold its control sequences.
fn printable(text: &str) -> String {
    let shown = |c: char| {
        if c.is_control() && !matches!(c, '\n' | '\t') {
            '\u{fffd}'
        } else {
            c
        }
    };
    text.chars().map(shown).collect()
}

/// A failure, its causes and its hint, a line each.
fn explained(failure: &Failure) -> String {
    let mut text = format!("error: {failure}");
    let mut source = failure.source();
    while let Some(cause) = source {
        // A transparent wrapper repeats its cause's words.
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            let _ = write!(text, "\n  because: {cause_text}");
        }
        source = cause.source();
    }
    if let Some(hint) = failure.hint() {
        let _ = write!(text, "\nhint: {hint}");
    }
    text
}

/// A table for people: `right` names the columns of numbers.
pub fn grid(
    header: &[&str],
    right: &[usize],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let mut grid = Grid::new();
    grid.load_preset(presets::NOTHING).set_header(header);
    grid.set_style(TableComponent::HeaderLines, '─')
        .set_style(TableComponent::MiddleHeaderIntersections, '─');
    if io::stdout().is_terminal() {
        grid.set_content_arrangement(ContentArrangement::Dynamic);
    }
    for row in rows {
        grid.add_row(row);
    }
    for &index in right {
        if let Some(column) = grid.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for column in grid.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let lines: Vec<String> = grid
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    lines.join("\n")
}

/// A share as `0.8571`, with nothing behind the point when it is whole.
pub fn figure(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A figure, or `–` where there is none.
pub fn figure_or_dash(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), figure)
}
