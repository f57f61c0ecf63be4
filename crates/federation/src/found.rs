//! What the evaluator found, term by term.

use crate::query::QueryError;
use oxrdf::{Term, Triple, Variable};
use spareval::QueryResults;

/// What a query found, with every term as the data have it. A [`Table`](table::Table) keeps neither language tags nor the
/// datatypes that it has no cell for; a server that answers others must.
///
/// ```
/// use federation::{Cancel, Federation, Found, parse_query};
///
/// let mut federation = Federation::new();
/// federation.load("small.ttl", b"<http://e/a> <http://e/p> \"lait\"@fr .")?;
/// let query = parse_query("SELECT ?o WHERE { ?s ?p ?o }")?;
/// let Found::Solutions { rows, .. } = federation.find(&query, &Cancel::new())? else {
///     unreachable!("a SELECT gives solutions")
/// };
/// assert_eq!(rows[0][0].as_ref().map(ToString::to_string).as_deref(), Some("\"lait\"@fr"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Of ASK.
    Boolean(bool),
    /// Of SELECT.
    Solutions {
        /// The projection.
        variables: Vec<Variable>,
        /// A term, or none, for each variable.
        rows: Vec<Vec<Option<Term>>>,
    },
    /// Of CONSTRUCT and DESCRIBE, each triple once.
    Triples(Vec<Triple>),
}

/// Reads the results to their end, in the sequence in which a table has them.
pub(crate) fn read(results: QueryResults<'_>, ordered: bool) -> Result<Found, QueryError> {
    match results {
        QueryResults::Boolean(value) => Ok(Found::Boolean(value)),
        QueryResults::Solutions(solutions) => {
            let variables = solutions.variables().to_vec();
            let mut rows = solutions
                .map(|solution| Ok(solution?.values().to_vec()))
                .collect::<Result<Vec<_>, QueryError>>()?;
            if !ordered {
                rows.sort_by_cached_key(|row| {
                    row.iter()
                        .map(|term| text(term.as_ref()))
                        .collect::<Vec<_>>()
                });
            }
            Ok(Found::Solutions { variables, rows })
        }
        QueryResults::Graph(triples) => {
            let mut found = triples.collect::<Result<Vec<_>, _>>()?;
            found.sort_by_cached_key(ToString::to_string);
            found.dedup();
            Ok(Found::Triples(found))
        }
    }
}

/// The text by which a row is sorted: that of its cell in a table.
fn text(term: Option<&Term>) -> String {
    match term {
        None => String::new(),
        Some(Term::NamedNode(iri)) => iri.as_str().to_owned(),
        Some(Term::BlankNode(node)) => node.to_string(),
        Some(Term::Literal(literal)) => literal.value().to_owned(),
    }
}
