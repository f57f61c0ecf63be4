//! What tools reply with, in the shapes of the federation's public server.

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use table::Table;

use crate::endpoint::EndpointError;

/// Rows as the public server sends them: text by column, nothing for an unbound cell.
#[expect(
    clippy::struct_field_names,
    reason = "the members are named as the public server names them"
)]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Columns {
    pub(super) columns: Vec<String>,
    pub(super) data: Vec<Vec<String>>,
    pub(super) count: usize,
}

impl Columns {
    pub(super) fn new(columns: &[&str]) -> Self {
        Self {
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            data: Vec::new(),
            count: 0,
        }
    }

    pub(super) fn push(&mut self, row: Vec<String>) {
        self.data.push(row);
        self.count += 1;
    }
}

impl From<&Table> for Columns {
    fn from(table: &Table) -> Self {
        let row = |row: &[table::Cell]| row.iter().map(ToString::to_string).collect();
        Self {
            columns: table.columns().to_vec(),
            data: table.rows().map(row).collect(),
            count: table.len(),
        }
    }
}

/// A tool's failure in words. The public server says it in the payload and leaves `isError` false, and so does this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refused(pub(super) String);

impl Refused {
    /// A failure of the endpoint while something was done.
    pub(super) fn failed(what: &str, error: &EndpointError) -> Self {
        Self(format!("{what} failed: {}", said(error)))
    }
}

/// What an endpoint's failure says, its remedy included.
pub(super) fn said(error: &EndpointError) -> String {
    match error.hint() {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    }
}

#[derive(Serialize)]
struct ErrorReply {
    error: String,
}

/// The result of a call: JSON as text, or the failure in a payload of its own.
pub(super) fn result<T: Serialize>(reply: Result<T, Refused>) -> CallToolResult {
    let text = match reply {
        Ok(reply) => serde_json::to_string(&reply),
        Err(Refused(error)) => serde_json::to_string(&ErrorReply { error }),
    };
    match text {
        Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
        Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
    }
}
