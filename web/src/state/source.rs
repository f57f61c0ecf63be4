//! A record's file to read line by line, with what the lint points at.

use lint::{Finding, Severity};

use crate::state::lexer::lex;

/// A line of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its parts, in order.
    pub runs: Vec<Run>,
}

/// A part of a line that looks alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its text, without the end of the line.
    pub text: String,
    /// The class that colours it; empty for none.
    pub class: &'static str,
    /// How much the worst finding that points at it matters.
    pub finding: Option<Severity>,
}

/// The lines of a file, coloured as SPARQL, whose comments its header is, and marked where findings point.
pub fn lines(text: &str, findings: &[Finding]) -> Vec<Line> {
    // Positions count from behind a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = vec![Line::default()];
    let mut column = 1;
    for token in lex(text) {
        for character in token.text.chars() {
            let number = u32::try_from(lines.len()).unwrap_or(u32::MAX);
            if character == '\n' {
                lines.push(Line::default());
                column = 1;
                continue;
            }
            if character != '\r' {
                let finding = worst(findings, number, column);
                if let Some(line) = lines.last_mut() {
                    line.push(character, token.kind.class(), finding);
                }
            }
            column += 1;
        }
    }
    // The end of the last line begins no other.
    if lines.len() > 1 && lines.last().is_some_and(|line| line.runs.is_empty()) {
        lines.pop();
    }
    lines
}

impl Line {
    fn push(&mut self, character: char, class: &'static str, finding: Option<Severity>) {
        match self.runs.last_mut() {
            Some(run) if (run.class, run.finding) == (class, finding) => run.text.push(character),
            _ => self.runs.push(Run {
                text: character.to_string(),
                class,
                finding,
            }),
        }
    }
}

fn worst(findings: &[Finding], line: u32, column: u32) -> Option<Severity> {
    findings
        .iter()
        .filter(|finding| {
            finding.line == line
                && (finding.column..finding.end_column.max(finding.column + 1)).contains(&column)
        })
        .map(|finding| finding.severity)
        .min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(line: u32, column: u32, end_column: u32, severity: Severity) -> Finding {
        Finding {
            file: "x.rq".into(),
            line,
            column,
            end_column,
            rule: "limit-unstated".into(),
            severity,
            message: String::new(),
            remedy: None,
        }
    }

    fn shown(text: &str, findings: &[Finding]) -> Vec<String> {
        let mark = |run: &Run| match run.finding {
            Some(severity) => format!("[{severity}:{}]", run.text),
            None => run.text.clone(),
        };
        lines(text, findings)
            .iter()
            .map(|line| line.runs.iter().map(mark).collect())
            .collect()
    }

    #[test]
    fn a_finding_is_marked_where_it_is() {
        let text = "\u{feff}#+ summary: é x\r\nSELECT ?a { } LIMIT 10\n";
        let findings = [
            finding(1, 13, 14, Severity::Warning),
            finding(2, 15, 23, Severity::Error),
            finding(2, 15, 16, Severity::Note),
        ];
        assert_eq!(
            shown(text, &findings),
            [
                "#+ summary: [warning:é] x",
                "SELECT ?a { } [error:LIMIT][error: ][error:10]"
            ]
        );
    }

    #[test]
    fn a_finding_without_width_marks_one_letter_and_one_beyond_the_end_none() {
        let findings = [
            finding(1, 1, 1, Severity::Note),
            finding(9, 9, 9, Severity::Note),
        ];
        assert_eq!(shown("ASK {}", &findings), ["[note:A]SK {}"]);
    }

    #[test]
    fn lines_are_those_of_the_file() {
        assert_eq!(shown("", &[]), [""]);
        assert_eq!(shown("a\n\nb", &[]), ["a", "", "b"]);
        assert_eq!(shown("a\n", &[]), ["a"]);
        let text = lines("SELECT ?x", &[]);
        assert_eq!(text[0].runs[0].class, "tok-word");
    }
}
