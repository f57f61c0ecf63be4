//! What each tool takes, under the names of the federation's public server. The schemas that an agent is shown are made from
//! these types, so that they cannot differ.

use std::collections::BTreeMap;

use rmcp::schemars;
use schemars::JsonSchema;
use serde::Deserialize;

/// `list_graphs`
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct ListGraphs {
    /// Only graphs of this domain, such as "health"
    #[serde(default)]
    pub(super) domain: Option<String>,
    /// Only graphs that hold this kind of entity, such as "disease"
    #[serde(default)]
    pub(super) entity_type: Option<String>,
}

/// `get_description`
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct GetDescription {
    /// Short name of the graph, as `list_graphs` gives it
    pub(super) graph_name: String,
}

/// `get_schema`
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct GetSchema {
    /// Short name of the graph, as `list_graphs` gives it
    pub(super) graph_name: String,
    /// IRIs and labels only; false adds how often each is used
    #[serde(default = "yes")]
    pub(super) compact: bool,
}

/// `query`
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[expect(
    clippy::struct_field_names,
    reason = "the argument's name is published"
)]
pub(super) struct Query {
    /// Short name of the graph, as `list_graphs` gives it
    pub(super) graph_name: String,
    /// The SPARQL query
    pub(super) query_string: String,
    /// Say what is doubtful about the query, such as LIMIT without ORDER BY
    #[serde(default = "yes")]
    pub(super) analyze: bool,
    /// Let each ontology term in the query (MONDO, UBERON, HP, GO, CL, CHEBI) stand for itself and all terms below it
    #[serde(default = "yes")]
    pub(super) auto_expand_descendants: bool,
    /// The most terms that one term may stand for
    #[serde(default = "most_results")]
    pub(super) max_descendants: usize,
    /// How many levels below a term are taken
    #[serde(default = "levels")]
    pub(super) max_depth: u32,
    /// The variable that takes the place of the expanded term, to count or list by it
    #[serde(default)]
    pub(super) bind_expansion_to: Option<Vec<String>>,
}

impl Query {
    /// What is asked where an agent says nothing.
    pub(super) fn defaults() -> Self {
        Self {
            graph_name: String::new(),
            query_string: String::new(),
            analyze: yes(),
            auto_expand_descendants: yes(),
            max_descendants: most_results(),
            max_depth: levels(),
            bind_expansion_to: None,
        }
    }
}

/// `multi_graph_query`
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct MultiGraphQuery {
    /// A query for each graph: a list of `graph_name` and `query_string`, or an object of query strings by graph name
    pub(super) queries: Queries,
    /// As for query
    #[serde(default = "yes")]
    pub(super) auto_expand_descendants: bool,
}

/// Queries by graph, in either form that agents write.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(super) enum Queries {
    /// Queries in the sequence given
    List(Vec<GraphQuery>),
    /// Query strings by graph name
    Map(BTreeMap<String, String>),
}

/// A query for one graph of several
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct GraphQuery {
    /// Short name of the graph
    pub(super) graph_name: String,
    /// The SPARQL query
    pub(super) query_string: String,
}

impl Queries {
    pub(super) fn into_list(self) -> Vec<GraphQuery> {
        match self {
            Self::List(queries) => queries,
            Self::Map(queries) => queries
                .into_iter()
                .map(|(graph_name, query_string)| GraphQuery {
                    graph_name,
                    query_string,
                })
                .collect(),
        }
    }
}

/// `lookup_uri`
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct LookupUri {
    /// Name of the term, such as "autoimmune disease"; case does not matter
    pub(super) label: String,
    /// The most matches to return
    #[serde(default = "most_results")]
    pub(super) max_results: usize,
}

/// `get_descendants`
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct GetDescendants {
    /// Full IRI of the term, such as `http://purl.obolibrary.org/obo/MONDO_0007179`
    pub(super) uri: String,
    /// The most terms to return
    #[serde(default = "most_results")]
    pub(super) max_results: usize,
    /// How many levels below the term are taken
    #[serde(default = "levels")]
    pub(super) max_depth: u32,
    /// Say how many levels below the term each one is
    #[serde(default = "yes")]
    pub(super) include_distance: bool,
}

/// `get_join_strategy`
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct GetJoinStrategy {
    /// Short name of one graph
    pub(super) graph_a: String,
    /// Short name of the other
    pub(super) graph_b: String,
}

fn yes() -> bool {
    true
}

fn most_results() -> usize {
    2000
}

fn levels() -> u32 {
    5
}
