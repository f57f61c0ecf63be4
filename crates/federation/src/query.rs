//! A query from its text to its table.

use crate::algebra::{Node, nodes, pattern_of, pattern_of_mut};
use crate::exists;
use crate::order;
use crate::results;
use crate::store::Store;
use crate::view::View;
use spareval::{CancellationToken, QueryEvaluationError, QueryEvaluator};
use spargebra::algebra::GraphPattern;
use spargebra::{Query, SparqlParser};
use std::panic::{AssertUnwindSafe, catch_unwind};
use table::Table;

/// Stops a query that runs, from another thread or task: every clone stands for the same query.
///
/// The evaluation notices at the next quad that it looks at and ends with [`QueryError::Cancelled`].
///
/// ```
/// use federation::{Cancel, Federation, QueryError};
///
/// let cancel = Cancel::new();
/// cancel.cancel();
/// let query = federation::parse_query("SELECT * WHERE { ?s ?p ?o }")?;
/// assert_eq!(Federation::new().evaluate(&query, &cancel), Err(QueryError::Cancelled));
/// # Ok::<_, QueryError>(())
/// ```
#[derive(Clone, Default)]
pub struct Cancel(CancellationToken);

impl Cancel {
    /// One that has not been used.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the query.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

impl std::fmt::Debug for Cancel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
    }
}

/// What a query may take.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most rows that it may return; one more is [`QueryError::TooManyRows`], never a table cut short.
    pub rows: Option<usize>,
    /// Stops it from outside.
    pub cancel: Cancel,
}

/// A query without an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// The text is not SPARQL 1.1.
    #[error("{line}:{column}: {message}")]
    Syntax {
        /// 1-based line.
        line: u32,
        /// 1-based column, in characters.
        column: u32,
        /// The parser's words.
        message: String,
    },
    /// The text is an update.
    #[error("an update, and the federation is read-only")]
    Update,
    /// The query would ask another server.
    #[error("SERVICE {service} asks another server, and nothing leaves this engine")]
    Service {
        /// The service, as SPARQL writes it.
        service: String,
    },
    /// Deeper than the evaluator's recursion can go.
    #[error("nested {depth} deep, more than {MAX_DEPTH}")]
    Nesting {
        /// Its depth.
        depth: usize,
    },
    /// More rows than [`Limits::rows`].
    #[error("more than {limit} rows")]
    TooManyRows {
        /// The limit.
        limit: usize,
    },
    /// Stopped by its [`Cancel`].
    #[error("cancelled")]
    Cancelled,
    /// The evaluator could not go on.
    #[error("{message}")]
    Evaluation {
        /// Its words.
        message: String,
    },
}

impl QueryError {
    /// The 1-based line and column (in characters) at which the text is wrong.
    pub fn position(&self) -> Option<(u32, u32)> {
        match self {
            Self::Syntax { line, column, .. } => Some((*line, *column)),
            _ => None,
        }
    }

    /// What to do about it, where there is something to do.
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::Update => Some("ask with SELECT, ASK, CONSTRUCT or DESCRIBE"),
            Self::Service { .. } => Some("name the graph with GRAPH or FROM instead"),
            Self::Nesting { .. } => {
                Some("list the alternatives with VALUES or IN instead of UNION or ||")
            }
            Self::TooManyRows { .. } => Some("add a LIMIT, or count instead of listing"),
            Self::Syntax { .. } | Self::Cancelled | Self::Evaluation { .. } => None,
        }
    }
}

impl From<QueryEvaluationError> for QueryError {
    fn from(error: QueryEvaluationError) -> Self {
        match error {
            QueryEvaluationError::Cancelled => Self::Cancelled,
            other => Self::Evaluation {
                message: other.to_string(),
            },
        }
    }
}

/// How deep a query may be nested: brackets in its text, or operators in its algebra (`a || b || c` is two deep).
///
/// Parser and evaluator recurse, and a stack that overflows takes the page or the program with it.
pub const MAX_DEPTH: usize = 100;

/// Parses a query.
///
/// ```
/// use federation::{QueryError, parse_query};
///
/// assert!(parse_query("ASK { ?s ?p ?o }").is_ok());
/// assert_eq!(parse_query("SELECT *\nWHERE ?s").unwrap_err().position(), Some((2, 7)));
/// assert_eq!(parse_query("CLEAR ALL"), Err(QueryError::Update));
/// ```
pub fn parse_query(sparql: &str) -> Result<Query, QueryError> {
    let depth = nesting(sparql);
    if depth > MAX_DEPTH {
        return Err(QueryError::Nesting { depth });
    }
    SparqlParser::new().parse_query(sparql).map_err(|error| {
        if SparqlParser::new().parse_update(sparql).is_ok() {
            return QueryError::Update;
        }
        let (line, column, message) = located(&error.to_string());
        QueryError::Syntax {
            line,
            column,
            message,
        }
    })
}

/// Evaluates a query over the store.
pub(crate) fn evaluate(
    store: &Store,
    query: &Query,
    rows: Option<usize>,
    cancel: &Cancel,
) -> Result<Table, QueryError> {
    check(query)?;
    if cancel.is_cancelled() {
        return Err(QueryError::Cancelled);
    }
    let view = View::new(store, query.dataset());
    let sorted = is_ordered(pattern_of(query));
    // The view has read the dataset clause; left in, the evaluator would read it its own way.
    let mut query = without_dataset(query.clone());
    let pattern = pattern_of_mut(&mut query);
    exists::join(pattern);
    order::decide(pattern);
    let evaluator = QueryEvaluator::new().with_cancellation_token(cancel.0.clone());
    // The evaluator states no panics but has had some. Where they unwind, one costs its query; the view it may leave in
    // disorder is dropped here, and the store is only ever read.
    catch_unwind(AssertUnwindSafe(|| {
        let found = evaluator.prepare(&query).execute(view)?;
        results::table(found, rows, sorted)
    }))
    .unwrap_or_else(|_| {
        Err(QueryError::Evaluation {
            message: "the evaluator broke down on this query".to_owned(),
        })
    })
}

/// Refuses what must not be evaluated.
fn check(query: &Query) -> Result<(), QueryError> {
    let mut deepest = 0;
    for (node, depth) in nodes(Node::Pattern(pattern_of(query))) {
        deepest = deepest.max(depth);
        if let Node::Pattern(GraphPattern::Service { name, .. }) = node {
            return Err(QueryError::Service {
                service: name.to_string(),
            });
        }
    }
    if deepest > MAX_DEPTH {
        return Err(QueryError::Nesting { depth: deepest });
    }
    Ok(())
}

/// Whether the query itself says in which sequence its rows come, or which of them: then that is kept.
fn is_ordered(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::OrderBy { .. } | GraphPattern::Slice { .. } => true,
        GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner } => is_ordered(inner),
        _ => false,
    }
}

fn without_dataset(mut query: Query) -> Query {
    match &mut query {
        Query::Select { dataset, .. }
        | Query::Construct { dataset, .. }
        | Query::Describe { dataset, .. }
        | Query::Ask { dataset, .. } => *dataset = None,
    }
    query
}

/// Line, column and message of the parser's `error at LINE:COLUMN: expected …`, the only form in which it gives them.
fn located(message: &str) -> (u32, u32, String) {
    message
        .strip_prefix("error at ")
        .and_then(|rest| {
            let (line, rest) = rest.split_once(':')?;
            let (column, rest) = rest.split_once(':')?;
            Some((
                line.parse().ok()?,
                column.parse().ok()?,
                rest.trim().to_owned(),
            ))
        })
        .unwrap_or_else(|| (1, 1, message.to_owned()))
}

/// The deepest nesting of brackets in a query's text, those in strings, comments and IRIs not counted.
fn nesting(sparql: &str) -> usize {
    let mut deepest = 0_usize;
    let mut depth = 0_usize;
    let mut rest = sparql;
    while let Some(first) = rest.chars().next() {
        let token = match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => string_len(rest, first),
            '<' => iri_len(rest),
            other => {
                match other {
                    '(' | '{' | '[' => depth += 1,
                    ')' | '}' | ']' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                other.len_utf8()
            }
        };
        deepest = deepest.max(depth);
        rest = rest.get(token..).unwrap_or_default();
    }
    deepest
}

/// The bytes of the string that the text begins with; all of them where it does not end.
fn string_len(text: &str, quote: char) -> usize {
    let long: String = std::iter::repeat_n(quote, 3).collect();
    let mark = if text.starts_with(&long) {
        long.as_str()
    } else {
        long.get(..1).unwrap_or_default()
    };
    let mut at = mark.len();
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with(mark) {
            return at + mark.len();
        }
        let mut chars = rest.chars();
        let step = chars.next().map_or(1, char::len_utf8);
        at += step;
        if rest.starts_with('\\') {
            at += chars.next().map_or(0, char::len_utf8);
        }
    }
    text.len()
}

/// The bytes of the IRI that the text begins with, or of the `<` that begins none.
fn iri_len(text: &str) -> usize {
    let inner = text.get(1..).unwrap_or_default();
    match inner.find(|c: char| c <= ' ' || "<>\"{}|^`\\".contains(c)) {
        Some(end) if inner.get(end..).is_some_and(|rest| rest.starts_with('>')) => end + 2,
        _ => 1,
    }
}
