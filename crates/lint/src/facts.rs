//! What only an endpoint can tell, computed by the caller.

use crate::target::Target;
use record::{limit_of, without_limit};
use serde::{Deserialize, Serialize};
use spargebra::Query;
use std::fmt;

/// Figures about a key on one endpoint. Each is optional; the rules that lack theirs are silent and say so.
///
/// [`probes`] gives the queries behind them.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct Facts {
    /// Rows of the key.
    pub rows: Option<usize>,
    /// Rows of the key without its LIMIT and OFFSET.
    pub rows_without_limit: Option<usize>,
    /// Columns of the key that are unbound in every row, without `?`; only where there are rows.
    pub unbound_columns: Option<Vec<String>>,
    /// Rows of the key without its LIMIT that the ORDER BY puts level with the last row kept, that row included.
    pub tied_at_cut: Option<usize>,
    /// For each graph that a key with the term taken literally names: whether that graph alone has rows for the term.
    pub graphs_with_term: Option<Vec<GraphRows>>,
    /// Queries behind these figures that the endpoint did not answer with a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unanswered: Option<Vec<Unanswered>>,
}

/// A query that an endpoint did not answer with a table.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Unanswered {
    /// What the query is, such as `the key`.
    pub query: String,
    /// What came instead.
    pub why: String,
}

/// How many rows one graph has for the part of a key that is about it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct GraphRows {
    /// The graph's IRI.
    pub graph: String,
    /// Rows of its part alone.
    pub rows: usize,
}

/// A query whose result fills in [`Facts`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Probe {
    /// What the result is for.
    pub fact: Fact,
    /// The SPARQL to run.
    pub query: String,
}

/// Which of [`Facts`] a [`Probe`] is for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Fact {
    /// The key itself: count its rows for `rows`, and list the columns without a value for `unbound_columns`.
    Key,
    /// The key without its LIMIT: count its rows for `rows_without_limit`, and the rows level with the last row kept for
    /// `tied_at_cut`.
    WithoutLimit,
    /// The part of the key inside `GRAPH <iri>`: count its rows, at most one is asked for.
    Graph(String),
}

impl fmt::Display for Fact {
    /// Writes what the query is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key => f.write_str("the key"),
            Self::WithoutLimit => f.write_str("the key without its LIMIT"),
            Self::Graph(graph) => write!(f, "the key's part in <{graph}>"),
        }
    }
}

/// The queries that fill in [`Facts`] for a target; none where the key is not a query.
pub fn probes(target: &Target<'_>) -> Vec<Probe> {
    let Some(query) = &target.record.query else {
        return Vec::new();
    };
    let mut probes = vec![Probe {
        fact: Fact::Key,
        query: query.to_string(),
    }];
    if limit_of(query).is_some() {
        probes.push(Probe {
            fact: Fact::WithoutLimit,
            query: without_limit(query).to_string(),
        });
    }
    if target.is_exact() && target.record.expect_empty() {
        probes.extend(graph_probes(query));
    }
    probes
}

fn graph_probes(query: &Query) -> Vec<Probe> {
    use record::{Node, walk};
    use spargebra::algebra::GraphPattern;
    use spargebra::term::NamedNodePattern;

    let mut values = Vec::new();
    let mut graphs: Vec<(String, GraphPattern)> = Vec::new();
    walk(query, &mut |node, _| match node {
        Node::Pattern(pattern @ GraphPattern::Values { .. }) => values.push(pattern.clone()),
        Node::Pattern(
            pattern @ GraphPattern::Graph {
                name: NamedNodePattern::NamedNode(name),
                ..
            },
        ) => graphs.push((name.as_str().to_owned(), pattern.clone())),
        _ => {}
    });
    graphs
        .into_iter()
        .map(|(graph, pattern)| {
            let pattern = values
                .iter()
                .cloned()
                .fold(pattern, |right, left| GraphPattern::Join {
                    left: Box::new(left),
                    right: Box::new(right),
                });
            let mut variables = Vec::new();
            pattern.on_in_scope_variable(|variable| {
                if !variables.contains(variable) {
                    variables.push(variable.clone());
                }
            });
            let query = Query::Select {
                dataset: None,
                pattern: GraphPattern::Slice {
                    inner: Box::new(GraphPattern::Project {
                        inner: Box::new(pattern),
                        variables,
                    }),
                    start: 0,
                    length: Some(1),
                },
                base_iri: None,
            };
            Probe {
                fact: Fact::Graph(graph),
                query: query.to_string(),
            }
        })
        .collect()
}
