//! A query from its text to its table.

use crate::algebra::{Node, nodes, pattern_of, pattern_of_mut};
use crate::exists;
use crate::lookup;
use crate::order;
use crate::paths;
use crate::stop::Stoppable;
use crate::store::Store;
use crate::view::View;
use spareval::{CancellationToken, QueryEvaluationError, QueryEvaluator, QueryResults};
use spargebra::Query;
use spargebra::algebra::GraphPattern;
use std::panic::{AssertUnwindSafe, catch_unwind};

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
pub struct Cancel {
    token: CancellationToken,
    steps: Option<u64>,
}

impl Cancel {
    /// One that has not been used.
    pub fn new() -> Self {
        Self::default()
    }

    /// One that stops the query by itself after so many steps, each a quad that was looked at or a term that was copied.
    ///
    /// ```
    /// use federation::{Cancel, Federation, QueryError};
    ///
    /// let mut federation = Federation::new();
    /// federation.load("three.ttl", b"<http://e/a> <http://e/p> 1, 2, 3 .")?;
    /// let query = federation::parse_query("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }")?;
    /// assert_eq!(federation.find(&query, &Cancel::after(50)), Err(QueryError::Cancelled));
    /// assert!(federation.find(&query, &Cancel::after(50_000)).is_ok());
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn after(steps: u64) -> Self {
        Self {
            steps: Some(steps),
            ..Self::default()
        }
    }

    /// Stops the query.
    pub fn cancel(&self) {
        self.token.cancel();
    }

    /// Whether [`cancel`](Self::cancel) was called, or there were more steps than it allows.
    pub fn is_cancelled(&self) -> bool {
        self.token.is_cancelled()
    }

    /// How many steps a query may take, where that is limited.
    pub(crate) fn steps(&self) -> Option<u64> {
        self.steps
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
    #[error("nested {depth} deep, more than {limit}")]
    Nesting {
        /// Its depth.
        depth: usize,
        /// [`MAX_NESTING`], [`MAX_LINKS`] or [`MAX_DEPTH`].
        limit: usize,
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

/// How deep brackets may be nested in the text of a query.
///
/// Parser, optimiser and evaluator recurse, and a stack that overflows takes the page or the program with it. This and
/// [`MAX_DEPTH`] are below half of what 2 MB of stack bear in an unoptimised build.
pub const MAX_NESTING: usize = 200;

/// How many operators and clauses the text of a query may chain: what the parser makes of them has to be taken apart again,
/// which recurses, whether it is evaluated or not. The longest list of terms that somebody wrote with `||` has some 1,600.
pub const MAX_LINKS: usize = 3_000;

/// How deep operators may be nested in the algebra of a query: `a || b || c` is two deep, and so are three `UNION`s or
/// triples in a row.
pub const MAX_DEPTH: usize = 500;

/// Evaluates a query over the store. What was found goes through `read`, with whether the query itself says in which
/// sequence.
pub(crate) fn evaluate<T>(
    store: &Store,
    query: &Query,
    cancel: &Cancel,
    read: impl FnOnce(QueryResults<'_>, bool) -> Result<T, QueryError>,
) -> Result<T, QueryError> {
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
    paths::anchor(pattern);
    order::decide(pattern);
    let evaluator = QueryEvaluator::new().with_cancellation_token(cancel.token.clone());
    // The evaluator states no panics but has had some. Where they unwind, one costs its query; the view it may leave in
    // disorder is dropped here, and the store is only ever read. What was cancelled unwinds too.
    catch_unwind(AssertUnwindSafe(|| {
        let _stoppable = Stoppable::by(cancel);
        lookup::tabulate(pattern_of_mut(&mut query), &view);
        let found = evaluator.prepare(&query).execute(view)?;
        read(found, sorted)
    }))
    .unwrap_or_else(|_| {
        Err(if cancel.is_cancelled() {
            QueryError::Cancelled
        } else {
            QueryError::Evaluation {
                message: "the evaluator broke down on this query".to_owned(),
            }
        })
    })
}

/// Refuses what must not be evaluated.
fn check(query: &Query) -> Result<(), QueryError> {
    let mut deepest = 0;
    for (node, depth) in nodes(Node::Pattern(pattern_of(query))) {
        // The evaluator makes a list of triples a tower of joins.
        let joins = match node {
            Node::Pattern(GraphPattern::Bgp { patterns }) => patterns.len(),
            _ => 0,
        };
        deepest = deepest.max(depth + joins);
        if let Node::Pattern(GraphPattern::Service { name, .. }) = node {
            return Err(QueryError::Service {
                service: name.to_string(),
            });
        }
    }
    if deepest > MAX_DEPTH {
        return Err(QueryError::Nesting {
            depth: deepest,
            limit: MAX_DEPTH,
        });
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
