//! All rules over one file.

use crate::allow;
use crate::finding::{Finding, Report, Severity};
use crate::labels::Labels;
use crate::rules::rules;
use crate::subject::{Out, Subject};
use crate::target::Target;
use crate::token::line_starts;
use record::Problem;

/// Lints one file.
///
/// The report holds what the rules find, what the record's reader found, and what the header allows of it, each by line,
/// column and rule; and the rules that could not judge, with what they lack.
pub fn lint(target: &Target<'_>, labels: &Labels) -> Report {
    let subject = Subject::new(target, labels);
    let (mut findings, mut silent) = (Vec::new(), Vec::new());
    for rule in rules() {
        let mut out = Out {
            file: &target.record.file,
            rule: rule.id,
            severity: rule.severity,
            remedy: rule.remedy,
            findings: &mut findings,
            silent: &mut silent,
        };
        (rule.check)(&subject, &mut out);
    }
    let ends = line_ends(target.source);
    let problems: Vec<Finding> = target
        .record
        .problems
        .iter()
        .filter(|problem| is_reported(problem, target, &findings))
        .map(|problem| from_reader(problem, target, &ends))
        .collect();
    findings.extend(problems);
    let (mut findings, mut allowed) = allow::apply(target.record, &subject.header, findings);
    findings.sort_by(by_place);
    findings.dedup();
    allowed.sort_by(|a, b| by_place(&a.finding, &b.finding));
    silent.sort();
    silent.dedup();
    Report {
        file: target.record.file.clone(),
        findings,
        allowed,
        silent,
    }
}

fn by_place(a: &Finding, b: &Finding) -> std::cmp::Ordering {
    (a.line, a.column, &a.rule, &a.message).cmp(&(b.line, b.column, &b.rule, &b.message))
}

/// What the reader says about how other readers see a line, where a rule here says it more fully.
const SAID_BY_RULES: [(&str, &str); 4] = [
    ("yaml-differs", "header-"),
    ("no-space-after-colon", "header-"),
    ("document-marker", "header-"),
    ("decorator-after-body", "header-late"),
];

fn is_reported(problem: &Problem, target: &Target<'_>, findings: &[Finding]) -> bool {
    let rule = &*problem.rule;
    if rule == "unknown-key" {
        // A control has keywords, and a plain query may be one.
        let keywords = target.record.header.get("keywords");
        return target.is_record || keywords.is_none_or(|entry| entry.line != problem.line);
    }
    // A plain query prompts nobody, names no graph to anybody, and may give what it likes.
    let of_records = ["summary-missing", "tags-missing", "query-form"];
    if !target.is_record && of_records.contains(&rule) {
        return false;
    }
    let said = |(reader, prefix): &(&str, &str)| {
        *reader == rule
            && findings
                .iter()
                .any(|finding| finding.line == problem.line && finding.rule.starts_with(prefix))
    };
    !SAID_BY_RULES.iter().any(said)
}

/// The column after the last character of each line.
fn line_ends(source: &str) -> Vec<u32> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let mut starts = line_starts(source);
    starts.push(source.len());
    starts
        .windows(2)
        .map(|pair| {
            let line = source.get(pair[0]..pair[1]).unwrap_or_default();
            let length = line.trim_end_matches(['\n', '\r']).chars().count();
            u32::try_from(length).unwrap_or(u32::MAX - 1) + 1
        })
        .collect()
}

fn from_reader(problem: &Problem, target: &Target<'_>, ends: &[u32]) -> Finding {
    // What is missing at the end of a file is reported below its last line, which no editor can show.
    let line = (problem.line as usize).min(ends.len()).max(1);
    let end = ends.get(line - 1).copied().unwrap_or(1);
    let column = if line < problem.line as usize {
        end
    } else {
        problem.column.min(end)
    };
    Finding {
        file: target.record.file.clone(),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column,
        end_column: column.saturating_add(1),
        rule: problem.rule.clone(),
        severity: match problem.severity {
            record::Severity::Error => Severity::Error,
            record::Severity::Lint => Severity::Warning,
        },
        message: problem.message.clone(),
        remedy: problem.remedy.clone(),
    }
}
