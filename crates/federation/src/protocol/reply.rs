//! What a reply means.

use super::http_date;
use oxttl::{NTriplesParser, TurtleParser, TurtleSyntaxError};
use serde_json::Value;
use table::{ReadError, ReadErrorKind, Table};

/// How much of a body an error keeps, in bytes.
pub const BODY_START: usize = 2048;

/// A reply that is not a whole table: never an empty one, never the rows that came before it broke.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} (status {status}): {message}")]
pub struct ReplyError {
    /// What is wrong.
    pub kind: ReplyErrorKind,
    /// The HTTP status.
    pub status: u16,
    /// What the server said, or what was found.
    pub message: String,
    /// The first [`BODY_START`] bytes of the body, as text.
    pub body_start: String,
    /// The seconds that the server asks to wait. A date is counted from the reply's own `Date`, so there is none where a
    /// browser hides that header from a page.
    pub retry_after: Option<u64>,
}

/// What can be wrong with a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReplyErrorKind {
    /// The server says that there are more rows than it sent.
    Partial,
    /// The results break off.
    Truncated,
    /// There is no body where results were due.
    Empty,
    /// An error in place of results, or beside them.
    ErrorBody,
    /// Something else: a page, other JSON, broken XML.
    NotResults,
    /// A status other than success.
    HttpStatus,
}

impl ReplyErrorKind {
    /// The kebab-case name that logs and JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Partial => "partial",
            Self::Truncated => "truncated",
            Self::Empty => "empty-reply",
            Self::ErrorBody => "error-body",
            Self::NotResults => "not-results",
            Self::HttpStatus => "http-status",
        }
    }
}

impl std::fmt::Display for ReplyErrorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Partial => "partial results",
            Self::Truncated => "truncated results",
            Self::Empty => "empty reply",
            Self::ErrorBody => "an error in place of results",
            Self::NotResults => "not SPARQL results",
            Self::HttpStatus => "the server refused",
        })
    }
}

/// Reads a reply to a query. The rules, in order:
///
/// | a reply | is |
/// |---|---|
/// | with a status that is not 2xx | [`HttpStatus`](ReplyErrorKind::HttpStatus), in the words of its body |
/// | with status 206, or with `X-SQL-State` (Virtuoso ran out of time) | [`Partial`](ReplyErrorKind::Partial) |
/// | without a body, white space aside | [`Empty`](ReplyErrorKind::Empty) |
/// | whose last line begins with `!!!!>>#` (`QLever` failed while sending) | [`Truncated`](ReplyErrorKind::Truncated) |
/// | of JSON with an `error`, `errors`, `exception` or `fault` in it that is not empty | [`ErrorBody`](ReplyErrorKind::ErrorBody) |
/// | of JSON results that say `partial`, `incomplete` or `truncated` of themselves | [`Partial`](ReplyErrorKind::Partial) |
/// | that ends before its results do | [`Truncated`](ReplyErrorKind::Truncated) |
/// | that is anything but results | [`NotResults`](ReplyErrorKind::NotResults) |
///
/// Results are JSON, XML, CSV, TSV and, for CONSTRUCT and DESCRIBE, N-Triples and Turtle (a table of the columns `subject`,
/// `predicate`, `object`), told apart by their media type or else by how they begin. Words in rows are never looked at.
pub fn parse_reply(
    status: u16,
    headers: &[(String, String)],
    body: &[u8],
) -> Result<Table, ReplyError> {
    let header = |name: &str| {
        headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim())
    };
    read(status, &header, body).map_err(|(kind, message)| ReplyError {
        kind,
        status,
        message,
        body_start: start_of(body),
        retry_after: retry_after(&header),
    })
}

type Wrong = (ReplyErrorKind, String);

fn read<'h>(
    status: u16,
    header: &impl Fn(&str) -> Option<&'h str>,
    body: &[u8],
) -> Result<Table, Wrong> {
    if !(200..300).contains(&status) {
        return Err((ReplyErrorKind::HttpStatus, words_of(status, body)));
    }
    if status == 206 {
        let range = header("content-range").filter(|range| !range.is_empty());
        let range = range.unwrap_or("part of the results");
        return Err((ReplyErrorKind::Partial, range.to_owned()));
    }
    if let Some(state) = header("x-sql-state").filter(|state| !state.is_empty()) {
        let message = header("x-sql-message").unwrap_or("the server's time ran out");
        return Err((ReplyErrorKind::Partial, format!("{state}: {message}")));
    }
    let trimmed = body
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(body)
        .trim_ascii();
    if trimmed.is_empty() {
        return Err((
            ReplyErrorKind::Empty,
            "no body where results were due".to_owned(),
        ));
    }
    if let Some(message) = broken_off(trimmed) {
        return Err((ReplyErrorKind::Truncated, message));
    }
    match Syntax::of(header("content-type"), trimmed) {
        Syntax::Json => read_json(trimmed),
        Syntax::Xml => table::read_sparql_xml(body).map_err(|error| wrong(&error)),
        Syntax::Csv => table::read_key_csv(body).map_err(|error| wrong(&error)),
        Syntax::Tsv => table::read_key_tsv(body).map_err(|error| wrong(&error)),
        Syntax::NTriples => read_triples(NTriplesParser::new().for_slice(body)),
        Syntax::Turtle => read_triples(TurtleParser::new().for_slice(body)),
        Syntax::Other => Err((ReplyErrorKind::NotResults, first_line(trimmed))),
    }
}

/// How a body is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Syntax {
    Json,
    Xml,
    Csv,
    Tsv,
    NTriples,
    Turtle,
    Other,
}

impl Syntax {
    fn of(media_type: Option<&str>, body: &[u8]) -> Self {
        let media_type = media_type.unwrap_or_default().to_ascii_lowercase();
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        match essence {
            "text/csv" => Self::Csv,
            "text/tab-separated-values" => Self::Tsv,
            "application/n-triples" => Self::NTriples,
            "text/turtle" => Self::Turtle,
            "text/html" | "application/xhtml+xml" => Self::Other,
            json if json.ends_with("json") => Self::Json,
            xml if xml.ends_with("xml") => Self::Xml,
            // Untyped, or typed as nothing in particular: `text/plain`, `application/octet-stream`.
            _ => match body.first() {
                Some(b'{' | b'[') => Self::Json,
                Some(b'<') => Self::Xml,
                _ => Self::Other,
            },
        }
    }
}

fn read_json(body: &[u8]) -> Result<Table, Wrong> {
    // A body that is not JSON at all is left to the reader of results, who says where it breaks.
    if let Some(members) = Members::of(body) {
        if let Some(error) = members.error() {
            return Err((ReplyErrorKind::ErrorBody, error));
        }
        if members.is_partial() {
            return Err((
                ReplyErrorKind::Partial,
                "the results say that they are not all".to_owned(),
            ));
        }
    }
    table::read_sparql_json(body).map_err(|error| wrong(&error))
}

/// The members of a JSON reply by which a server reports failure. Rows are skipped, not kept: a reply may hold millions.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Members {
    error: Value,
    errors: Value,
    exception: Value,
    fault: Value,
    partial: Value,
    incomplete: Value,
    truncated: Value,
    head: Marks,
    results: Marks,
}

/// The members of `head` and `results` by which a server reports that rows are missing.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Marks {
    partial: Value,
    incomplete: Value,
    truncated: Value,
}

impl Members {
    /// Those of a JSON object; a list would be taken for its members in order.
    fn of(body: &[u8]) -> Option<Self> {
        let body = body.trim_ascii();
        body.starts_with(b"{")
            .then(|| serde_json::from_slice(body).ok())?
    }

    fn error(&self) -> Option<String> {
        [&self.error, &self.errors, &self.exception, &self.fault]
            .into_iter()
            .find_map(|value| match value {
                Value::Null | Value::Bool(false) => None,
                Value::String(text) if text.is_empty() => None,
                Value::Array(list) if list.is_empty() => None,
                Value::Object(members) if members.is_empty() => None,
                Value::String(text) => Some(text.clone()),
                Value::Object(members) => Some(match members.get("message") {
                    Some(Value::String(message)) => message.clone(),
                    _ => value.to_string(),
                }),
                other => Some(other.to_string()),
            })
    }

    fn is_partial(&self) -> bool {
        [
            &self.partial,
            &self.incomplete,
            &self.truncated,
            &self.head.partial,
            &self.head.incomplete,
            &self.head.truncated,
            &self.results.partial,
            &self.results.incomplete,
            &self.results.truncated,
        ]
        .contains(&&Value::Bool(true))
    }
}

fn read_triples(
    triples: impl Iterator<Item = Result<oxrdf::Triple, TurtleSyntaxError>>,
) -> Result<Table, Wrong> {
    let columns = crate::results::TRIPLE.map(str::to_owned).to_vec();
    let mut table = Table::new(columns, Vec::new());
    for triple in triples {
        let triple = triple.map_err(|error| (ReplyErrorKind::NotResults, error.to_string()))?;
        table.push_row(crate::results::triple(triple));
    }
    Ok(table)
}

/// The words of a server that failed after it had begun to send rows: HTTP leaves it no other place for them.
fn broken_off(body: &[u8]) -> Option<String> {
    let last = body.rsplit(|byte| *byte == b'\n').next()?;
    let message = last.strip_prefix(b"!!!!>>#")?;
    Some(String::from_utf8_lossy(message).trim().to_owned())
}

fn wrong(error: &ReadError) -> Wrong {
    let kind = match error.kind {
        ReadErrorKind::Truncated => ReplyErrorKind::Truncated,
        ReadErrorKind::Empty => ReplyErrorKind::Empty,
        _ => ReplyErrorKind::NotResults,
    };
    (kind, error.to_string())
}

/// What the body of a refusal says: its text, or the error of its JSON.
fn words_of(status: u16, body: &[u8]) -> String {
    if let Some(error) = Members::of(body).and_then(|members| members.error()) {
        return error;
    }
    let text = start_of(body);
    let text = text.trim();
    if text.is_empty() {
        format!("status {status} without a word")
    } else {
        text.to_owned()
    }
}

/// The first line with something on it.
fn first_line(body: &[u8]) -> String {
    let text = start_of(body);
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| !line.is_empty()).map_or_else(
        || format!("{} bytes without a word", body.len()),
        str::to_owned,
    )
}

/// The first [`BODY_START`] bytes as text, a character that is cut in two there left out.
fn start_of(body: &[u8]) -> String {
    let cut = body.get(..BODY_START.min(body.len())).unwrap_or_default();
    let whole = match std::str::from_utf8(cut) {
        Err(error) if error.error_len().is_none() && cut.len() < body.len() => {
            cut.get(..error.valid_up_to()).unwrap_or(cut)
        }
        _ => cut,
    };
    String::from_utf8_lossy(whole).into_owned()
}

fn retry_after<'h>(header: &impl Fn(&str) -> Option<&'h str>) -> Option<u64> {
    let value = header("retry-after")?;
    value.parse().ok().or_else(|| {
        let until = http_date::seconds(value)?;
        let now = http_date::seconds(header("date")?)?;
        Some(until.saturating_sub(now))
    })
}

#[cfg(test)]
mod tests;
