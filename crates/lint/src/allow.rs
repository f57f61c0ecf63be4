//! `allow` in a record's header: findings that may stay, each with a reason.
//!
//! ```text
//! #+ allow:
//! #+   limit-unstated: the registry caps every query at 100 rows
//! ```
//!
//! The short forms `#+ allow: [limit-unstated: "…"]` and `#+ allow: limit-unstated: …` say the same.

use crate::finding::{Allowed, At, Finding, Severity};
use crate::header::HeaderText;
use crate::rules;
use record::{HeaderValue, Problem, Record};
use std::borrow::Cow;

/// One entry of a header's `allow`.
struct Allow {
    rule: String,
    reason: String,
    at: At,
    used: bool,
}

/// What is wrong with an `allow`, as rules of their own that nothing can allow.
pub const ALLOW_RULES: [(&str, Severity, &str); 3] = [
    (
        "allow-without-reason",
        Severity::Error,
        "an `allow` that does not say why",
    ),
    (
        "allow-unknown-rule",
        Severity::Error,
        "an `allow` for a rule that does not exist",
    ),
    (
        "allow-unused",
        Severity::Note,
        "an `allow` for a rule that finds nothing here",
    ),
];

/// Splits findings into those that stay and those that the header allows; what is wrong with the `allow`s is added to the
/// first.
pub(crate) fn apply(
    record: &Record,
    header: &HeaderText<'_>,
    findings: Vec<Finding>,
) -> (Vec<Finding>, Vec<Allowed>) {
    let mut allows = allows_of(record, header);
    let (mut kept, mut allowed) = (Vec::new(), Vec::new());
    for finding in findings {
        let allow = allows.iter_mut().find(|allow| allow.rule == finding.rule);
        match allow {
            Some(allow) => {
                allow.used = true;
                if allow.reason.is_empty() {
                    kept.push(finding);
                } else {
                    let reason = allow.reason.clone();
                    allowed.push(Allowed { finding, reason });
                }
            }
            None => kept.push(finding),
        }
    }
    for allow in &allows {
        let known = rules::rule(&allow.rule).is_some() || Problem::RULES.contains(&&*allow.rule);
        let (index, message, remedy) = if !known {
            (
                1,
                format!("there is no rule `{}`", allow.rule),
                "take it out, or correct its name",
            )
        } else if allow.reason.is_empty() {
            (
                0,
                format!("`allow` gives no reason for `{}`", allow.rule),
                "write the reason behind the colon",
            )
        } else if !allow.used {
            (
                2,
                format!(
                    "`{}` finds nothing here that needs to be allowed",
                    allow.rule
                ),
                "take it out",
            )
        } else {
            continue;
        };
        let (id, severity, _) = ALLOW_RULES[index];
        kept.push(Finding {
            file: record.file.clone(),
            line: allow.at.line,
            column: allow.at.column,
            end_column: allow.at.end_column,
            rule: Cow::Borrowed(id),
            severity,
            message,
            remedy: Some(remedy.to_owned()),
        });
    }
    (kept, allowed)
}

fn allows_of(record: &Record, header: &HeaderText<'_>) -> Vec<Allow> {
    let Some(entry) = record.header.get("allow") else {
        return Vec::new();
    };
    // The reader makes a map of every form in which rules and reasons are written.
    let HeaderValue::Map(pairs) = &entry.value else {
        return Vec::new();
    };
    pairs
        .iter()
        .map(|(rule, reason)| Allow {
            at: header.find(rule, entry.line).unwrap_or(At {
                line: entry.line,
                column: entry.column,
                end_column: entry.column + 5,
            }),
            rule: rule.clone(),
            reason: match reason {
                HeaderValue::Text(text) => text.clone(),
                _ => String::new(),
            },
            used: false,
        })
        .collect()
}
