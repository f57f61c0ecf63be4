//! The graphs of the endpoint: which there are, and what is in each.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use serde::Serialize;
use sweep::ResultKind;
use table::Cell;
use tokio::sync::OnceCell;

use super::arguments;
use super::known::{GRAPHS, KNOWN, Known, known};
use super::reply::{Columns, Refused};
use crate::endpoint::{Endpoint, EndpointError};

/// A graph of the endpoint.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) iri: String,
    /// Its triples, where it was cheap to count them.
    triples: Option<u64>,
}

impl Graph {
    /// The short name by which tools call it: the end of its IRI where the beginning is the federation's.
    pub(super) fn name(&self) -> &str {
        self.iri.strip_prefix(GRAPHS).unwrap_or(&self.iri)
    }

    fn known(&self) -> Option<&'static Known> {
        known(self.name())
    }
}

/// Asks for the graphs once, and for what is in them each time.
pub(super) struct Graphs {
    endpoint: Arc<Endpoint>,
    listed: OnceCell<Vec<Graph>>,
}

/// The reply of `list_graphs`.
#[derive(Debug, Serialize)]
pub(super) struct Listing {
    graphs: Vec<ListedGraph>,
    count: usize,
    domains: BTreeSet<&'static str>,
    entity_types: BTreeSet<&'static str>,
}

#[derive(Debug, Serialize)]
struct ListedGraph {
    graph_name: String,
    title: String,
    iri: String,
    domains: Vec<&'static str>,
    entity_types: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triples: Option<u64>,
}

/// The reply of `get_schema`.
#[derive(Debug, Serialize)]
pub(super) struct Schema {
    graph_name: String,
    classes: Columns,
    predicates: Columns,
    /// Statements about statements: none of these graphs has any.
    edge_properties: serde_json::Map<String, serde_json::Value>,
    node_properties: Columns,
}

impl Graphs {
    pub(super) fn new(endpoint: Arc<Endpoint>) -> Self {
        Self {
            endpoint,
            listed: OnceCell::new(),
        }
    }

    async fn all(&self) -> Result<&[Graph], EndpointError> {
        let listed = self.listed.get_or_try_init(|| async {
            // Counting is cheap in memory, and days of work for a public endpoint.
            let query = match self.endpoint.provenance().kind {
                ResultKind::Reconstruction => {
                    "SELECT ?g (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g ORDER BY ?g"
                }
                ResultKind::Live | ResultKind::Unreached => "SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g",
            };
            let answer = self.endpoint.query(query).await?;
            let graphs = answer.table.rows().filter_map(|row| match row.first()? {
                Cell::Iri(iri) => Some(Graph {
                    iri: iri.to_string(),
                    triples: row.get(1).and_then(|cell| cell.to_string().parse().ok()),
                }),
                _ => None,
            });
            Ok::<_, EndpointError>(graphs.collect())
        });
        listed.await.map(Vec::as_slice)
    }

    /// The graph of that name or IRI. Where the endpoint cannot say which there are, a name is taken at its word.
    pub(super) async fn named(&self, name: &str) -> Result<Graph, Refused> {
        let iri = if name.contains("://") {
            name.to_owned()
        } else {
            format!("{GRAPHS}{name}")
        };
        match self.all().await {
            Ok(all) => all
                .iter()
                .find(|graph| graph.iri == iri)
                .cloned()
                .ok_or_else(|| {
                    let names: Vec<&str> = all.iter().map(Graph::name).collect();
                    Refused(format!(
                        "unknown graph `{name}`; the graphs are {}",
                        names.join(", ")
                    ))
                }),
            Err(_) => oxrdf::NamedNode::new(iri)
                .map(|iri| Graph {
                    iri: iri.into_string(),
                    triples: None,
                })
                .map_err(|error| Refused(format!("`{name}` is no name of a graph: {error}"))),
        }
    }

    pub(super) async fn list(&self, wanted: &arguments::ListGraphs) -> Result<Listing, Refused> {
        let all = self
            .all()
            .await
            .map_err(|error| Refused::failed("Listing the graphs", &error))?;
        let is = |filter: &Option<String>, values: &[&'static str]| {
            filter.as_ref().is_none_or(|filter| {
                values
                    .iter()
                    .any(|value| value.eq_ignore_ascii_case(filter))
            })
        };
        let graphs: Vec<ListedGraph> = all
            .iter()
            .map(ListedGraph::new)
            .filter(|graph| {
                is(&wanted.domain, &graph.domains) && is(&wanted.entity_type, &graph.entity_types)
            })
            .collect();
        Ok(Listing {
            count: graphs.len(),
            graphs,
            domains: KNOWN
                .iter()
                .flat_map(|known| known.domains)
                .copied()
                .collect(),
            entity_types: KNOWN
                .iter()
                .flat_map(|known| known.keys)
                .map(|key| key.entity)
                .collect(),
        })
    }

    /// The reply of `get_description`: text for an agent to read.
    pub(super) async fn describe(&self, name: &str) -> Result<String, Refused> {
        let graph = self.named(name).await?;
        let mut text = match graph.known() {
            Some(known) => {
                let keys: Vec<String> = known
                    .keys
                    .iter()
                    .map(|key| format!("- {}: <{}…>, as in `{}`", key.entity, key.iri, key.pattern))
                    .collect();
                format!(
                    "# {}\n\n{}\n\nEntities:\n{}\n",
                    known.title,
                    known.about,
                    keys.join("\n")
                )
            }
            None => format!(
                "# {}\n\nNothing is known of this graph beforehand; see its schema.\n",
                graph.name()
            ),
        };
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "\nNamed graph: <{}>", graph.iri);
        let provenance = self.endpoint.provenance();
        if provenance.kind == ResultKind::Reconstruction {
            let release = provenance.release.as_deref().unwrap_or("unknown");
            let _ = writeln!(
                text,
                "\nThis is a reconstruction ({}, release {release}) that reproduces published figures, not the live graph.",
                provenance.server
            );
        }
        Ok(text)
    }

    pub(super) async fn schema(&self, name: &str, compact: bool) -> Result<Schema, Refused> {
        let graph = self.named(name).await?;
        let iri = &graph.iri;
        let ask = |query: String| async move {
            let answer = self.endpoint.query(&query).await;
            answer.map_err(|error| Refused::failed("Reading the schema", &error))
        };
        let classes = ask(format!(
            "SELECT ?class (COUNT(DISTINCT ?thing) AS ?n) FROM <{iri}> WHERE {{ ?thing a ?class }} \
             GROUP BY ?class ORDER BY ?class"
        ))
        .await?;
        let predicates = ask(format!(
            "SELECT ?predicate (COUNT(*) AS ?n) (SUM(IF(isLiteral(?value), 1, 0)) AS ?literals) FROM <{iri}> \
             WHERE {{ ?thing ?predicate ?value }} GROUP BY ?predicate ORDER BY ?predicate"
        ))
        .await?;
        let mut schema = Schema {
            graph_name: graph.name().to_owned(),
            classes: used(compact),
            predicates: used(compact),
            edge_properties: serde_json::Map::new(),
            node_properties: used(compact),
        };
        for row in classes.table.rows() {
            if let [class, n] = row {
                schema.classes.push(entry(class, n, compact));
            }
        }
        for row in predicates.table.rows() {
            if let [predicate, n, literals] = row {
                let list = if n.to_string() == literals.to_string() {
                    &mut schema.node_properties
                } else {
                    &mut schema.predicates
                };
                list.push(entry(predicate, n, compact));
            }
        }
        Ok(schema)
    }
}

impl ListedGraph {
    fn new(graph: &Graph) -> Self {
        let known = graph.known();
        let entities = known.map(|known| known.keys.iter().map(|key| key.entity).collect());
        Self {
            graph_name: graph.name().to_owned(),
            title: known.map_or(graph.name(), |known| known.title).to_owned(),
            iri: graph.iri.clone(),
            domains: known
                .map(|known| known.domains.to_vec())
                .unwrap_or_default(),
            entity_types: entities.unwrap_or_default(),
            triples: graph.triples,
        }
    }
}

fn used(compact: bool) -> Columns {
    Columns::new(if compact {
        &["uri", "label"]
    } else {
        &["uri", "label", "uses"]
    })
}

fn entry(iri: &Cell, uses: &Cell, compact: bool) -> Vec<String> {
    let iri = iri.to_string();
    let label = iri.rsplit(['/', '#']).next().unwrap_or_default().to_owned();
    if compact {
        vec![iri, label]
    } else {
        vec![iri, label, uses.to_string()]
    }
}
