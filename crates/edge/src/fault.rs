//! What cannot be used, where, and what to do about it.

use lint::LabelsError;
use record::Problem;
use serde::Serialize;
use table::ReadError;
use thiserror::Error;

/// Which of the package's error classes a [`Fault`] becomes.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// An argument of the wrong type, or one that contradicts another.
    Argument,
    /// A file that could not be read: a table, or labels.
    Input,
    /// A query that is not SPARQL, or that has no control.
    Query,
}

/// Why a function has no result.
#[derive(Clone, Debug, Eq, Error, PartialEq, Serialize)]
#[error("{}{message}", place(.file.as_deref(), *.line, *.column))]
pub struct Fault {
    /// Which kind of thing is wrong.
    pub kind: FaultKind,
    /// What was found and what was expected.
    pub message: String,
    /// The file that is wrong; `None` where an argument is.
    pub file: Option<String>,
    /// Line of the file, from 1.
    pub line: Option<u32>,
    /// Column in that line, from 1, in characters.
    pub column: Option<u32>,
    /// What to do about it, where we know.
    pub remedy: Option<String>,
}

fn place(file: Option<&str>, line: Option<u32>, column: Option<u32>) -> String {
    match (file, line, column) {
        (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}: "),
        _ => String::new(),
    }
}

impl Fault {
    /// A wrong argument.
    pub(crate) fn argument(message: impl Into<String>, remedy: &str) -> Self {
        Self {
            kind: FaultKind::Argument,
            message: message.into(),
            file: None,
            line: None,
            column: None,
            remedy: Some(remedy.to_owned()),
        }
    }

    /// A table that could not be read.
    pub(crate) fn of_table(file: &str, error: ReadError) -> Self {
        Self {
            kind: FaultKind::Input,
            message: error.message,
            file: Some(file.to_owned()),
            line: Some(error.line),
            column: Some(error.column),
            remedy: error.remedy,
        }
    }

    /// Labels that could not be read.
    pub(crate) fn of_labels(error: &LabelsError) -> Self {
        Self {
            kind: FaultKind::Input,
            message: error.to_string(),
            file: Some("labels".to_owned()),
            line: Some(u32::try_from(error.line()).unwrap_or(u32::MAX)),
            column: Some(1),
            remedy: Some(
                "write lines of IRI, tab, text, and perhaps tab and `label` or `synonym`"
                    .to_owned(),
            ),
        }
    }

    /// A file whose query could not be read.
    pub(crate) fn of_problem(file: &str, problem: &Problem) -> Self {
        Self {
            kind: FaultKind::Query,
            message: problem.message.clone(),
            file: Some(file.to_owned()),
            line: Some(problem.line),
            column: Some(problem.column),
            remedy: problem.remedy.clone(),
        }
    }
}
