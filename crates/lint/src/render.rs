//! A report for people: the line, a caret under the clause, what to do.

use crate::finding::Report;
use std::fmt::Write;

/// Renders a report beside the text that it is about.
///
/// ```
/// use lint::{Labels, Target, lint, render};
/// use record::Record;
///
/// let text = "SELECT ?x { ?x a <http://e/Gene> } LIMIT 10\n";
/// let record = Record::parse("genes.rq", text.as_bytes());
/// let report = lint(&Target::new(&record, text), &Labels::default());
/// assert_eq!(
///     render(&report, text),
///     "genes.rq:1:36: error[order-missing]: LIMIT 10 without ORDER BY: the engine chooses the rows
///   |
/// 1 | SELECT ?x { ?x a <http://e/Gene> } LIMIT 10
///   |                                    ^^^^^^^^
///   = order the rows by what the prose ranks on, ties by an IRI, or take the LIMIT out
/// "
/// );
/// ```
pub fn render(report: &Report, source: &str) -> String {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let lines: Vec<&str> = lines_of(source);
    let mut text = String::new();
    // Writing to a String cannot fail.
    for finding in &report.findings {
        let _ = writeln!(text, "{finding}");
        let number = finding.line.to_string();
        let margin = " ".repeat(number.len());
        if let Some(line) = lines.get(finding.line.saturating_sub(1) as usize) {
            let before: String = line
                .chars()
                .take(finding.column.saturating_sub(1) as usize)
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            let width = finding.end_column.saturating_sub(finding.column).max(1) as usize;
            let _ = writeln!(
                text,
                "{margin} |\n{number} | {line}\n{margin} | {before}{}",
                "^".repeat(width)
            );
        }
        if let Some(remedy) = &finding.remedy {
            let _ = writeln!(text, "{margin} = {remedy}");
        }
    }
    for allowed in &report.allowed {
        let _ = writeln!(
            text,
            "{}:{}:{}: allowed[{}]: {}",
            report.file,
            allowed.finding.line,
            allowed.finding.column,
            allowed.finding.rule,
            allowed.reason
        );
    }
    text
}

fn lines_of(source: &str) -> Vec<&str> {
    let mut starts = crate::token::line_starts(source);
    starts.push(source.len());
    starts
        .windows(2)
        .filter_map(|pair| source.get(pair[0]..pair[1]))
        .map(|line| line.trim_end_matches(['\n', '\r']))
        .collect()
}
