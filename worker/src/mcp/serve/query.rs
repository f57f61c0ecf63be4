//! `query` and `multi_graph_query`: SPARQL scoped to a graph, its ontology terms expanded.

use std::collections::BTreeMap;
use std::sync::Arc;

use oxrdf::{NamedNode, Variable};
use serde::Serialize;
use spargebra::algebra::QueryDataset;

use super::analysis::{self, Analysis};
use super::arguments;
use super::expansion::{self, Report, Terms};
use super::graphs::{Graph, Graphs};
use super::hierarchy::Hierarchy;
use super::reply::{Columns, Refused};
use crate::endpoint::Endpoint;

/// The reply of `query`.
#[derive(Debug, Serialize)]
pub(super) struct Reply {
    graph_name: String,
    #[serde(flatten)]
    rows: Columns,
    #[serde(skip_serializing_if = "Option::is_none")]
    query_analysis: Option<Analysis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ontology_expansion: Option<Report>,
}

/// The reply of `multi_graph_query`: the rows of all graphs, each after the name of its graph.
#[derive(Debug, Serialize)]
pub(super) struct MultiReply {
    #[serde(flatten)]
    rows: Columns,
    /// How many rows are from which.
    per_graph: BTreeMap<String, usize>,
    /// What went wrong in which; nothing where all went well.
    errors: Option<BTreeMap<String, String>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    ontology_expansion: BTreeMap<String, Report>,
}

/// Runs agents' queries.
pub(super) struct Queries {
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) graphs: Arc<Graphs>,
    pub(super) hierarchy: Arc<Hierarchy>,
}

impl Queries {
    pub(super) async fn one(&self, asked: &arguments::Query) -> Result<Reply, Refused> {
        let graph = self.graphs.named(&asked.graph_name).await?;
        let query = federation::parse_query(&asked.query_string)
            .map_err(|error| Refused(format!("Query execution failed: {error}")))?;
        let query_analysis = asked.analyze.then(|| analysis::of(&query)).flatten();
        let (mut query, ontology_expansion) = if asked.auto_expand_descendants {
            self.expanded(query, asked).await?
        } else {
            (query, None)
        };
        scope(&mut query, &graph)?;
        let answer = self
            .endpoint
            .query(&query.to_string())
            .await
            .map_err(|error| Refused::failed("Query execution", &error))?;
        Ok(Reply {
            graph_name: graph.name().to_owned(),
            rows: Columns::from(&answer.table),
            query_analysis,
            ontology_expansion,
        })
    }

    async fn expanded(
        &self,
        query: spargebra::Query,
        asked: &arguments::Query,
    ) -> Result<(spargebra::Query, Option<Report>), Refused> {
        let terms = expansion::terms_of(&query);
        if terms.is_empty() {
            return Ok((query, None));
        }
        let variable = match asked.bind_expansion_to.as_deref() {
            Some([name, ..]) => {
                let name = name.trim_start_matches(['?', '$']);
                let variable = Variable::new(name).map_err(|_| {
                    Refused(format!(
                        "bind_expansion_to: `{name}` is no name of a variable"
                    ))
                })?;
                Some(variable)
            }
            _ => None,
        };
        let roots = terms.iter().map(|term| term.as_str().to_owned()).collect();
        let most = asked.max_descendants.saturating_sub(1);
        let below = self
            .hierarchy
            .below(&roots, asked.max_depth, most)
            .await
            .map_err(|error| Refused::failed("Expanding the ontology terms", &error))?;
        let mut stands_for = Terms::new();
        for term in terms {
            let below = below
                .get(term.as_str())
                .map(Vec::as_slice)
                .unwrap_or_default();
            let below = below
                .iter()
                .map(|class| NamedNode::new_unchecked(&class.iri));
            let all = std::iter::once(term.clone()).chain(below).collect();
            stands_for.insert(term, all);
        }
        let expanded = expansion::expanded(&query, &stands_for, variable.as_ref());
        Ok((expanded, Some(Report::new(&stands_for))))
    }

    pub(super) async fn many(&self, asked: arguments::MultiGraphQuery) -> MultiReply {
        let auto_expand_descendants = asked.auto_expand_descendants;
        let mut parts = Vec::new();
        let mut errors = BTreeMap::new();
        for query in asked.queries.into_list() {
            let graph_name = query.graph_name.clone();
            let query = arguments::Query::of(query, auto_expand_descendants);
            match self.one(&query).await {
                Ok(reply) => parts.push(reply),
                Err(Refused(error)) => {
                    errors.insert(graph_name, error);
                }
            }
        }
        let mut rows = Columns::new(&["graph_name"]);
        for column in parts.iter().flat_map(|part| &part.rows.columns) {
            if !rows.columns.contains(column) {
                rows.columns.push(column.clone());
            }
        }
        let mut per_graph = BTreeMap::new();
        let mut ontology_expansion = BTreeMap::new();
        for part in parts {
            *per_graph.entry(part.graph_name.clone()).or_insert(0) += part.rows.count;
            for row in part.rows.data {
                let mut cells: BTreeMap<&String, String> =
                    part.rows.columns.iter().zip(row).collect();
                let others = rows.columns.iter().skip(1);
                let others = others.map(|column| cells.remove(column).unwrap_or_default());
                let all = std::iter::once(part.graph_name.clone()).chain(others);
                let row: Vec<String> = all.collect();
                rows.push(row);
            }
            if let Some(report) = part.ontology_expansion {
                ontology_expansion.insert(part.graph_name, report);
            }
        }
        MultiReply {
            rows,
            per_graph,
            errors: (!errors.is_empty()).then_some(errors),
            ontology_expansion,
        }
    }
}

impl arguments::Query {
    /// A query of several, with what else there is to say of one left at its default.
    fn of(query: arguments::GraphQuery, auto_expand_descendants: bool) -> Self {
        Self {
            graph_name: query.graph_name,
            query_string: query.query_string,
            analyze: false,
            auto_expand_descendants,
            ..Self::defaults()
        }
    }
}

/// Looks in the graph, and in those that the query names itself; a query with FROM of its own keeps it.
fn scope(query: &mut spargebra::Query, graph: &Graph) -> Result<(), Refused> {
    let named = record::graphs_of(query);
    let (spargebra::Query::Select { dataset, .. }
    | spargebra::Query::Construct { dataset, .. }
    | spargebra::Query::Describe { dataset, .. }
    | spargebra::Query::Ask { dataset, .. }) = query;
    if dataset.is_some() {
        return Ok(());
    }
    let iri = |iri: &str| {
        NamedNode::new(iri).map_err(|error| Refused(format!("`{iri}` is no IRI: {error}")))
    };
    let named = named
        .iter()
        .map(|name| iri(name))
        .collect::<Result<Vec<_>, _>>()?;
    *dataset = Some(QueryDataset {
        default: vec![iri(&graph.iri)?],
        named: (!named.is_empty()).then_some(named),
    });
    Ok(())
}
