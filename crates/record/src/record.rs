//! One record: what its name, its header and its key say.

use crate::algebra::{OrderKey, columns_of, limit_of, order_of};
use crate::header::Header;
use crate::name::{Arm, RecordName};
use crate::parser::RecordParser;
use crate::problem::{Problem, Severity};
use spargebra::Query;

/// A question, its answer key, and whatever is wrong with the file that holds them.
#[derive(Clone, Debug)]
pub struct Record {
    /// The path under which the file was given.
    pub file: String,
    /// Identifier, graph, arm and tier, from the file's name.
    pub name: RecordName,
    /// The decorators.
    pub header: Header,
    /// The answer key as written, line ends included; empty where the file has none.
    pub query_text: String,
    /// The line of the file on which `query_text` begins, from 1.
    pub query_line: u32,
    /// The answer key, parsed; `None` where it is not a SPARQL query.
    pub query: Option<Query>,
    /// Errors and lints by position.
    pub problems: Vec<Problem>,
}

impl Record {
    /// Reads a whole file; the face of [`RecordParser`] for callers who have all of it.
    pub fn parse(file: impl Into<String>, bytes: &[u8]) -> Self {
        let mut parser = RecordParser::new(file);
        parser.push(bytes);
        parser.finish()
    }

    /// A record whose file could not be read, and `why`: its name is all that is known of it.
    pub fn unreadable(file: impl Into<String>, why: &str) -> Self {
        let mut record = Self::parse(file, b"");
        record.problems = vec![Problem::unreadable(why)];
        record
    }

    /// The file's name without folders and suffix.
    pub fn id(&self) -> &str {
        &self.name.id
    }

    /// The prompt.
    pub fn summary(&self) -> Option<&str> {
        self.header.text("summary")
    }

    /// The graphs that are named to the agent.
    pub fn tags(&self) -> &[String] {
        self.header.list("tags")
    }

    /// Whether the key is meant to return no row.
    pub fn expect_empty(&self) -> bool {
        self.header.flag("expect-empty").unwrap_or(false)
    }

    /// The key's columns, without `?`; see [`columns_of`].
    pub fn columns(&self) -> Vec<String> {
        self.query.as_ref().map(columns_of).unwrap_or_default()
    }

    /// The key's outermost ORDER BY; see [`order_of`].
    pub fn order(&self) -> Vec<OrderKey> {
        self.query.as_ref().map(order_of).unwrap_or_default()
    }

    /// The key's outermost LIMIT.
    pub fn limit(&self) -> Option<usize> {
        self.query.as_ref().and_then(limit_of)
    }

    /// Whether any problem is an error.
    pub fn has_errors(&self) -> bool {
        self.problems
            .iter()
            .any(|problem| problem.severity == Severity::Error)
    }

    /// Reports that the other half of the record's pair is not there, where `is_there` says so of its identifier.
    ///
    /// A file alone cannot know; [`Corpus`](crate::Corpus) reports it of the records that it holds.
    pub fn miss_twin(&mut self, is_there: impl FnOnce(&str) -> bool) {
        let Some(twin) = self.name.twin_id().filter(|twin| !is_there(twin)) else {
            return;
        };
        let message = format!("the pair is incomplete: there is no record `{twin}`");
        let problem = Problem::lint("twin-missing", (1, 1), message)
            .with_remedy("add the twin, or choose a name without `-expand_` and `-exact_`");
        self.problems.push(problem);
    }

    /// Reports what a record as a whole lacks or contradicts.
    pub(crate) fn check(&mut self) {
        if self
            .summary()
            .is_none_or(|summary| summary.trim().is_empty())
        {
            let problem = Problem::error(
                "summary-missing",
                (1, 1),
                "the record has no summary, so there is no prompt",
            )
            .with_remedy("add a line `#+ summary: …` above the query");
            self.problems.push(problem);
        }
        if self.tags().is_empty() {
            let problem = Problem::lint(
                "tags-missing",
                (1, 1),
                "the record names no graph to the agent",
            )
            .with_remedy("add a line `#+ tags: [graph, graph]` above the query");
            self.problems.push(problem);
        }
        if self.expect_empty() && self.name.arm == Some(Arm::Expand) {
            let at = self
                .header
                .get("expect-empty")
                .map_or((1, 1), |entry| (entry.line, entry.column));
            let problem = Problem::lint(
                "expect-empty-expand",
                at,
                "an expanding question is meant to have an answer",
            )
            .with_remedy("take `expect-empty` out, or name the record `-exact_`");
            self.problems.push(problem);
        }
    }
}
