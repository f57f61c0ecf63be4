//! The federation: files in, tables out.

use crate::found::{self, Found};
use crate::load::{self, LoadError, LoadReport};
use crate::query::{self, Cancel, Limits, QueryError};
use crate::results;
use crate::store::Store;
use crate::syntax::parse_query;
use crate::view::View;
use oxrdf::TermRef;
use spargebra::Query;
use std::collections::BTreeSet;
use table::Table;

/// Named graphs in memory, and a SPARQL 1.1 engine over them.
///
/// ```
/// use federation::{Federation, Limits};
///
/// let mut federation = Federation::new();
/// let file = b"<http://e/g> { <http://e/a> <http://e/p> 1 }";
/// assert_eq!(federation.load("small.trig", file)?.quads, 1);
/// let table = federation.query("SELECT ?o WHERE { <http://e/a> ?p ?o }", &Limits::default())?;
/// assert_eq!(table::to_csv(&table), "o\n1\n");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Federation {
    store: Store,
    files: BTreeSet<String>,
}

/// A named graph that is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphInfo {
    /// Its IRI, or `_:label`.
    pub name: String,
    /// Its distinct triples.
    pub triples: usize,
}

impl Federation {
    /// One with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. The ending of its name says its syntax (`.trig`, `.nq`, `.ttl`, `.nt` and, with the feature `rdf-xml`, `.rdf`
    /// and `.owl`, each with `.gz` or without), its first bytes whether it is compressed.
    ///
    /// All of it is added or, where it is wrong anywhere, nothing. A file whose name has been loaded is not read again.
    /// Blank nodes of different files are different nodes, whatever their labels. Triples without a graph are in the default
    /// graph only.
    pub fn load(&mut self, file: &str, bytes: &[u8]) -> Result<LoadReport, LoadError> {
        if self.is_loaded(file) {
            return Ok(LoadReport { quads: 0 });
        }
        let report = load::load(&mut self.store, file, bytes)?;
        self.files.insert(file.to_owned());
        Ok(report)
    }

    /// Whether a file of that name has been loaded.
    pub fn is_loaded(&self, file: &str) -> bool {
        self.files.contains(file)
    }

    /// The files that have been loaded, by name.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    /// The named graphs, by name.
    pub fn graphs(&self) -> Vec<GraphInfo> {
        let mut graphs: Vec<_> = self
            .store
            .named()
            .map(|(name, graph)| GraphInfo {
                name: match self.store.terms.get(name) {
                    Some(TermRef::NamedNode(iri)) => iri.as_str().to_owned(),
                    Some(other) => other.to_string(),
                    None => String::new(),
                },
                triples: graph.len(),
            })
            .collect();
        graphs.sort_by(|a, b| a.name.cmp(&b.name));
        graphs
    }

    /// How many distinct triples lie in no named graph.
    pub fn unnamed(&self) -> usize {
        self.store.unnamed.len()
    }

    /// How many distinct triples the default graph has, which is the union of everything loaded.
    pub fn default_graph(&self) -> usize {
        View::new(&self.store, None).default_graph()
    }

    /// Parses a query and evaluates it: SELECT and ASK as usual, CONSTRUCT and DESCRIBE as a table of the columns
    /// `subject`, `predicate`, `object`.
    ///
    /// The default graph is the union of everything loaded; `FROM` and `FROM NAMED` replace it as SPARQL 1.1 says. The rows
    /// come in a sequence that depends on nothing but the data: that of `ORDER BY`, ties broken by the projected columns from
    /// left to right, or by all columns where there is none. Only with LIMIT or OFFSET and no `ORDER BY` does it depend on
    /// which files were loaded first.
    pub fn query(&self, sparql: &str, limits: &Limits) -> Result<Table, QueryError> {
        let query = parse_query(sparql)?;
        query::evaluate(&self.store, &query, &limits.cancel, |found, sorted| {
            results::table(found, limits.rows, sorted)
        })
    }

    /// Evaluates a query that has been parsed; otherwise as [`query`](Self::query).
    pub fn evaluate(&self, query: &Query, cancel: &Cancel) -> Result<Table, QueryError> {
        query::evaluate(&self.store, query, cancel, |found, sorted| {
            results::table(found, None, sorted)
        })
    }

    /// Evaluates a query that has been parsed, and keeps every term as the data have it; the same rows in the same sequence as
    /// from [`evaluate`](Self::evaluate).
    pub fn find(&self, query: &Query, cancel: &Cancel) -> Result<Found, QueryError> {
        query::evaluate(&self.store, query, cancel, found::read)
    }
}
