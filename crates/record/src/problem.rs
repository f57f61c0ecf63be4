//! What is wrong with a file, where, and what to do about it.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// How much a [`Problem`] matters.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The record cannot be used as it is meant.
    Error,
    /// The record works here, but is likely to surprise somebody.
    Lint,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Lint => "lint",
        })
    }
}

/// One thing that is wrong with a file.
///
/// Displayed as `line:column: severity: message`; the file's name stands before it, and the remedy after it, where the
/// caller shows them.
///
/// ```
/// use record::{Record, Severity};
///
/// let record = Record::parse("a.rq", b"#+ expect-empty: perhaps\nASK {}\n");
/// let problem = record.problems.iter().find(|p| p.rule == "not-a-boolean").unwrap();
/// assert_eq!(problem.severity, Severity::Error);
/// assert_eq!(
///     problem.to_string(),
///     "1:18: error: `expect-empty` is true or false, found `perhaps`"
/// );
/// ```
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Problem {
    /// Line of the file, from 1. CRLF, CR and LF each end a line.
    pub line: u32,
    /// Column in that line, from 1, counted in characters; a byte order mark counts for nothing.
    pub column: u32,
    /// Whether the record can still be used.
    pub severity: Severity,
    /// A stable identifier of the rule, for filters and tests.
    pub rule: Cow<'static, str>,
    /// What was expected and what was found.
    pub message: String,
    /// What to do about it, where that is not already plain from the message.
    pub remedy: Option<String>,
}

impl Problem {
    /// Every rule that a problem may be of.
    pub const RULES: [&'static str; 33] = [
        "bad-escape",
        "bad-line",
        "bad-structure",
        "boolean-spelling",
        "decorator-after-body",
        "document-marker",
        "duplicate-id",
        "duplicate-key",
        "empty-item",
        "empty-value",
        "expect-empty-expand",
        "file-empty",
        "file-unreadable",
        "indented-decorator",
        "key-as-continuation",
        "list-not-closed",
        "no-space-after-colon",
        "not-a-boolean",
        "not-a-list",
        "not-a-number",
        "not-utf8",
        "query-form",
        "query-is-update",
        "query-missing",
        "query-parameter",
        "query-syntax",
        "query-too-deep",
        "quote-not-closed",
        "summary-missing",
        "tags-missing",
        "twin-missing",
        "unknown-key",
        "yaml-differs",
    ];

    /// An error found by `rule` at a one-based `(line, column)`.
    pub fn error(rule: &'static str, at: (u32, u32), message: impl Into<String>) -> Self {
        Self::new(Severity::Error, rule, at, message)
    }

    /// A lint found by `rule` at a one-based `(line, column)`.
    pub fn lint(rule: &'static str, at: (u32, u32), message: impl Into<String>) -> Self {
        Self::new(Severity::Lint, rule, at, message)
    }

    /// That a file could not be read.
    pub(crate) fn unreadable(why: &str) -> Self {
        Self::error(
            "file-unreadable",
            (1, 1),
            format!("the file cannot be read: {why}"),
        )
        .with_remedy("make it readable, or take it out of the folder")
    }

    /// The same problem with a remedy.
    #[must_use]
    pub fn with_remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    fn new(
        severity: Severity,
        rule: &'static str,
        (line, column): (u32, u32),
        message: impl Into<String>,
    ) -> Self {
        debug_assert!(Self::RULES.contains(&rule), "{rule} is not listed");
        Self {
            line,
            column,
            severity,
            rule: Cow::Borrowed(rule),
            message: message.into(),
            remedy: None,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}: {}: {}",
            self.line, self.column, self.severity, self.message
        )
    }
}
