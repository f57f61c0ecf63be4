//! `parseRecord`: a `.rq` file as plain data.

use record::{Arm, HeaderEntry, OrderKey, Problem, Record};
use serde::{Deserialize, Serialize};

use crate::source::Source;

/// The name of a file that comes without one.
const UNNAMED: &str = "record.rq";

/// What may be said beside the file.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct ParseOptions {
    /// The file's name: it gives the record's identifier, graph, arm and tier.
    pub file: Option<String>,
}

/// A record as `corpus show --json` prints it, and what its query says of itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParsedRecord {
    /// The file's name without folders and ending.
    pub id: String,
    /// The name under which the file was given.
    pub file: String,
    /// The prompt.
    pub summary: Option<String>,
    /// The graph in which the question starts, from the name.
    pub kg: Option<String>,
    /// Which half of its pair the record is, from the name.
    pub arm: Option<Arm>,
    /// The category that the question is about, from the name.
    pub tier: Option<String>,
    /// The identifier of the other half of the pair, whether or not there is one.
    pub pair: Option<String>,
    /// The graphs named to the agent.
    pub tags: Vec<String>,
    /// Whether the key is meant to return no row.
    pub expect_empty: bool,
    /// The decorators in their order.
    pub header: Vec<HeaderEntry>,
    /// The answer key as written.
    pub query: String,
    /// The line on which it begins, from 1.
    pub query_line: u32,
    /// Whether it is SPARQL.
    pub query_parsed: bool,
    /// Its columns, without `?`.
    pub columns: Vec<String>,
    /// Its outermost ORDER BY.
    pub order: Vec<OrderKey>,
    /// Its outermost LIMIT.
    pub limit: Option<usize>,
    /// Errors and lints by position.
    pub problems: Vec<Problem>,
}

/// Reads a record. Whatever is wrong with the file is among its problems.
pub fn parse_record(source: &Source, options: &ParseOptions) -> ParsedRecord {
    let record = read(source, options.file.as_deref());
    ParsedRecord {
        id: record.id().to_owned(),
        summary: record.summary().map(str::to_owned),
        kg: record.name.kg.clone(),
        arm: record.name.arm,
        tier: record.name.tier.clone(),
        pair: record.name.twin_id(),
        tags: record.tags().to_vec(),
        expect_empty: record.expect_empty(),
        query_parsed: record.query.is_some(),
        columns: record.columns(),
        order: record.order(),
        limit: record.limit(),
        file: record.file,
        header: record.header.entries,
        query: record.query_text,
        query_line: record.query_line,
        problems: record.problems,
    }
}

pub(crate) fn read(source: &Source, file: Option<&str>) -> Record {
    Record::parse(file.unwrap_or(UNNAMED), source.bytes())
}
