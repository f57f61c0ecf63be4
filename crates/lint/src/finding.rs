//! What a lint says: findings, what was allowed, and what could not be judged.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// How much a [`Finding`] matters.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Whoever answers the prose cannot be scored fairly against the key.
    Error,
    /// Likely to surprise somebody: a reader of the prose, or another engine.
    Warning,
    /// Worth knowing; nothing needs to change.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}

/// A stretch of one line of a file; one-based, columns in characters, the end exclusive.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct At {
    /// Line of the file.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Column after the last character.
    pub end_column: u32,
}

impl At {
    /// The beginning of a file, for what concerns the whole of it.
    pub const START: Self = Self {
        line: 1,
        column: 1,
        end_column: 1,
    };
}

/// One thing that a rule objects to.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Finding {
    /// The path under which the file was given.
    pub file: String,
    /// Line of the file, from 1.
    pub line: u32,
    /// Column in that line, from 1, in characters.
    pub column: u32,
    /// Column after the last character of the offending clause.
    pub end_column: u32,
    /// The rule's identifier.
    pub rule: Cow<'static, str>,
    /// How much it matters.
    pub severity: Severity,
    /// What disagrees with what.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}: {}[{}]: {}",
            self.file, self.line, self.column, self.severity, self.rule, self.message
        )
    }
}

/// A finding that the record's header allows.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Allowed {
    /// What was found.
    pub finding: Finding,
    /// Why it may stay.
    pub reason: String,
}

/// A rule that could not judge a file, wholly or in part.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Silent {
    /// The rule's identifier.
    pub rule: Cow<'static, str>,
    /// What it lacks.
    pub why: String,
}

/// All that a lint has to say about one file.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Report {
    /// The path under which the file was given.
    pub file: String,
    /// Findings by line, column and rule.
    pub findings: Vec<Finding>,
    /// Findings that the header allows, in the same order.
    pub allowed: Vec<Allowed>,
    /// Rules that could not judge, by rule.
    pub silent: Vec<Silent>,
}

impl Report {
    /// Whether any finding is an error.
    pub fn has_errors(&self) -> bool {
        self.findings
            .iter()
            .any(|finding| finding.severity == Severity::Error)
    }

    /// Whether there is no error and no warning.
    pub fn is_clean(&self) -> bool {
        self.findings
            .iter()
            .all(|finding| finding.severity == Severity::Note)
    }
}
