//! What the lint says about a record, and the record's file beside it. Drawn in the tables worker.

use std::collections::BTreeMap;

use lint::{Finding, Report, Severity};
use sweep::AnalysisPage;

use crate::fragments::fate::fate;
use crate::fragments::html::Html;
use crate::fragments::{line_id, table};
use crate::query::{Open, Route};
use crate::state::format;
use crate::state::source;

/// Findings, what the header allows, and which rules could not judge.
pub fn findings(page: &AnalysisPage) -> String {
    let report = &page.lint;
    let mut html = Html::new();
    html.open("div", &[("class", "stack")]);
    if report.findings.is_empty() {
        html.open("p", &[]);
        fate(&mut html, "kept", "nothing found");
        html.leaf(
            "span",
            &[("class", "quiet after")],
            "Prose, header and key agree as far as the rules can tell.",
        )
        .end();
    } else {
        table_of(&mut html, page);
    }
    allowed(&mut html, report);
    silent(&mut html, report);
    html.finish()
}

/// How many findings there are, by severity.
fn counts(report: &Report) -> String {
    let counts: Vec<String> = [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Note, "note", "notes"),
    ]
    .into_iter()
    .filter_map(|(severity, one, many)| {
        let count = report
            .findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count();
        (count > 0).then(|| format::counted(count, one, many))
    })
    .collect();
    if counts.is_empty() {
        "nothing found".to_owned()
    } else {
        counts.join(", ")
    }
}

fn table_of(html: &mut Html, page: &AnalysisPage) {
    table::open_region(html, "Findings of the lint", false, &[], "");
    table::heads(
        html,
        &[
            "severity",
            "rule",
            "place",
            "what disagrees, and what to do",
        ],
    );
    html.open("tbody", &[]);
    for finding in &page.lint.findings {
        row(html, &page.record, finding);
    }
    html.end().end().end();
}

fn row(html: &mut Html, record: &str, finding: &Finding) {
    html.open("tr", &[]).open("th", &[("scope", "row")]);
    severity(html, finding.severity);
    html.end().open("td", &[("class", "nowrap")]);
    rule(html, &finding.rule);
    html.end().open("td", &[("class", "nowrap")]);
    let place = Route::Record {
        id: record.to_owned(),
        open: Open {
            line: Some(finding.line),
            ..Open::default()
        },
    };
    let words = format!("line {}, column {}", finding.line, finding.column);
    html.leaf("a", &[("href", &place.href()), ("data-keep", "")], &words)
        .end()
        .open("td", &[("class", "wrap wide")])
        .text(&sentence(&finding.message));
    if let Some(remedy) = &finding.remedy {
        html.leaf("span", &[("class", "quiet block")], &sentence(remedy));
    }
    html.end().end();
}

/// Writes a severity with its mark.
pub fn severity(html: &mut Html, severity: Severity) {
    let word = severity.to_string();
    fate(html, &word, &word);
}

fn rule(html: &mut Html, id: &str) {
    let route = Route::Rules {
        rule: Some(id.to_owned()),
    };
    html.leaf("a", &[("class", "mono"), ("href", &route.href())], id);
}

/// Messages and remedies are written without the marks of a sentence.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let Some(first) = characters.next() else {
        return String::new();
    };
    let stop = if text.ends_with(['.', '?', '!', '…']) {
        ""
    } else {
        "."
    };
    format!("{}{}{stop}", first.to_uppercase(), characters.as_str())
}

fn allowed(html: &mut Html, report: &Report) {
    if report.allowed.is_empty() {
        return;
    }
    html.open("div", &[])
        .leaf("h3", &[], "Allowed by the header")
        .open("ul", &[("class", "remarks")]);
    for allowed in &report.allowed {
        html.open("li", &[]);
        rule(html, &allowed.finding.rule);
        html.text(&format!(
            ", line {}: {}",
            allowed.finding.line, allowed.reason
        ))
        .end();
    }
    html.end().end();
}

/// Rules that could not judge, one line for each reason.
fn silent(html: &mut Html, report: &Report) {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for silent in &report.silent {
        reasons.entry(&silent.why).or_default().push(&silent.rule);
    }
    if reasons.is_empty() {
        return;
    }
    html.open("div", &[])
        .leaf("h3", &[], "Rules that could not judge")
        .open("ul", &[("class", "remarks")]);
    for (why, rules) in reasons {
        html.open("li", &[]);
        for (at, id) in rules.iter().enumerate() {
            if at > 0 {
                html.text(", ");
            }
            rule(html, id);
        }
        html.text(&format!(": {why}")).end();
    }
    html.end().end();
}

/// The line above the record's file.
pub fn file_line(page: &AnalysisPage) -> String {
    let mut html = Html::new();
    html.leaf("span", &[("class", "mono")], &page.file).leaf(
        "span",
        &[("class", "quiet after")],
        &counts(&page.lint),
    );
    html.finish()
}

/// The record's file with numbered lines.
pub fn file(page: &AnalysisPage) -> String {
    let mut html = Html::new();
    let region = [
        ("class", "sparql numbered"),
        ("tabindex", "0"),
        ("role", "region"),
        ("aria-label", page.file.as_str()),
    ];
    html.open("pre", &region).open("code", &[]);
    for (number, line) in (1..).zip(source::lines(&page.source, &page.lint.findings)) {
        // A link to a line moves the focus there.
        let attributes = [
            ("class", "line"),
            ("id", &line_id(number)),
            ("tabindex", "-1"),
        ];
        html.open("span", &attributes);
        for run in line.runs {
            if let Some(severity) = run.finding {
                html.open("mark", &[("class", &format!("finding {severity}"))]);
            }
            match run.class {
                "" => html.text(&run.text),
                class => html.leaf("span", &[("class", class)], &run.text),
            };
            if run.finding.is_some() {
                html.end();
            }
        }
        html.text("\n").end();
    }
    html.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lint::{Allowed, Silent};

    fn finding() -> Finding {
        Finding {
            file: "x.rq".into(),
            line: 7,
            column: 3,
            end_column: 8,
            rule: "order-missing".into(),
            severity: Severity::Error,
            message: "LIMIT 10 without ORDER BY <b>".into(),
            remedy: Some("order the rows".into()),
        }
    }

    #[test]
    fn a_finding_leads_to_its_line_and_its_rule_and_keeps_what_stands_open() {
        let mut html = Html::new();
        row(&mut html, "nde-expand_x", &finding());
        let html = html.finish();
        for part in [
            "href=\"?view=record&amp;id=nde-expand_x&amp;line=7\" data-keep=\"\">line 7, column 3",
            "href=\"?view=rules&amp;rule=order-missing\"",
            "LIMIT 10 without ORDER BY &lt;b&gt;.",
            "Order the rows.",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
    }

    #[test]
    fn counts_in_words() {
        let report = |findings| Report {
            findings,
            ..Report::default()
        };
        assert_eq!(counts(&report(Vec::new())), "nothing found");
        let note = Finding {
            severity: Severity::Note,
            ..finding()
        };
        assert_eq!(
            counts(&report(vec![finding(), note.clone(), note])),
            "1 error, 2 notes"
        );
    }

    #[test]
    fn what_could_not_judge_and_what_is_allowed_is_said() {
        let report = Report {
            allowed: vec![Allowed {
                finding: finding(),
                reason: "the registry caps every query".into(),
            }],
            silent: ["a-rule", "b-rule"]
                .map(|rule| Silent {
                    rule: rule.into(),
                    why: "no labels".into(),
                })
                .into(),
            ..Report::default()
        };
        let mut html = Html::new();
        allowed(&mut html, &report);
        silent(&mut html, &report);
        let html = html.finish();
        assert!(html.contains(", line 7: the registry caps"), "{html}");
        assert_eq!(html.matches("no labels").count(), 1, "{html}");
    }
}
