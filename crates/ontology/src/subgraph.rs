//! Two-hop subgraphs around every class, as AVA cuts and names them.

use crate::graph::{Graph, GraphKind, TripleKind};
use md5::{Digest as _, Md5};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How far from its seed a subgraph reaches.
pub const HOPS: usize = 2;
/// Nodes of the smallest and the largest subgraph that is kept.
pub const NODES: std::ops::RangeInclusive<usize> = 3..=20;
/// How a subgraph was cut, as AVA's files say it.
pub const STRATEGY: &str = "bfs";

/// Every subgraph that is kept, and what became of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extraction {
    /// The subgraphs, in the order of their seeds' IRIs.
    pub found: Vec<Found>,
    /// Classes that were a seed.
    pub seeds: usize,
    /// Seeds with fewer nodes around them than are kept.
    pub too_small: usize,
    /// Seeds with more.
    pub too_large: usize,
    /// Seeds with the nodes of an earlier one around them.
    pub duplicates: usize,
    /// Subgraphs that could not have the identifier that AVA would give them.
    pub collisions: Vec<Collision>,
}

/// A subgraph that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// `bfs_` and the first hexadecimal digits of the fingerprint's MD5: eight but for a [`Collision`].
    pub id: String,
    /// Place of the first seed, by IRI, that gave these nodes.
    pub seed: u32,
    /// Places of the nodes, and so sorted by IRI.
    pub nodes: Vec<u32>,
}

/// Two sets of nodes whose digests begin alike. AVA's code gives both the same identifier, and so one of the files is
/// written over; here the later one gets more digits.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Collision {
    /// The identifier that both would have, and the earlier one has.
    pub shared_id: String,
    /// The identifier that this one has instead.
    pub given_id: String,
    /// Its seed's IRI.
    pub seed: String,
}

/// Cuts the subgraph around every class.
///
/// A subgraph is all nodes at most [`HOPS`] edges away from the seed, whatever the edges' direction, with every edge
/// between two of them. It is kept whole or not at all: nothing is cut down to [`NODES`].
pub fn extract(graph: &Graph<'_>) -> Extraction {
    let mut extraction = Extraction {
        found: Vec::new(),
        seeds: 0,
        too_small: 0,
        too_large: 0,
        duplicates: 0,
        collisions: Vec::new(),
    };
    let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
    let mut digests: FxHashSet<String> = FxHashSet::default();
    let mut ids: FxHashSet<String> = FxHashSet::default();
    for seed in graph.seeds() {
        extraction.seeds += 1;
        let Some(nodes) = around(graph, seed) else {
            extraction.too_large += 1;
            continue;
        };
        if nodes.len() < *NODES.start() {
            extraction.too_small += 1;
            continue;
        }
        if !seen.insert(nodes.clone()) {
            extraction.duplicates += 1;
            continue;
        }
        let digest = digest(graph, &nodes);
        // Two sets are told apart by their fingerprint, so a comma in an IRI can make two the same.
        if !digests.insert(digest.clone()) {
            extraction.duplicates += 1;
            continue;
        }
        let shared_id = id(&digest, 8);
        let mut given_id = shared_id.clone();
        let mut digits = 8;
        // Whole digests differ, so this ends.
        while !ids.insert(given_id.clone()) {
            digits += 4;
            given_id = id(&digest, digits);
        }
        if given_id != shared_id {
            extraction.collisions.push(Collision {
                shared_id,
                given_id: given_id.clone(),
                seed: graph.iri(seed).to_owned(),
            });
        }
        extraction.found.push(Found {
            id: given_id,
            seed,
            nodes,
        });
    }
    extraction
}

/// The nodes around a seed, sorted; `None` where there are more than are kept.
fn around(graph: &Graph<'_>, seed: u32) -> Option<Vec<u32>> {
    let most = *NODES.end();
    let mut nodes = vec![seed];
    let mut frontier = 0..1;
    for _ in 0..HOPS {
        let start = frontier.end;
        for at in frontier {
            for neighbour in graph.neighbours(nodes[at]) {
                // So few are kept that looking through them is quicker than hashing.
                if !nodes.contains(neighbour) {
                    if nodes.len() == most {
                        return None;
                    }
                    nodes.push(*neighbour);
                }
            }
        }
        frontier = start..nodes.len();
    }
    nodes.sort_unstable();
    Some(nodes)
}

/// The MD5 of the nodes' IRIs, sorted and joined by commas, in hexadecimal digits.
fn digest(graph: &Graph<'_>, nodes: &[u32]) -> String {
    let mut hasher = Md5::new();
    for (at, node) in nodes.iter().enumerate() {
        if at > 0 {
            hasher.update(b",");
        }
        hasher.update(graph.iri(*node));
    }
    let mut hex = String::with_capacity(32);
    for byte in hasher.finalize() {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

fn id(digest: &str, digits: usize) -> String {
    format!("{STRATEGY}_{}", digest.get(..digits).unwrap_or(digest))
}

/// A subgraph as AVA's files hold it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Subgraph {
    /// See [`Found::id`].
    pub subgraph_id: String,
    /// [`STRATEGY`].
    pub strategy: String,
    /// IRI of the seed.
    pub seed: String,
    /// Label of the seed.
    pub seed_label: String,
    /// [`HOPS`].
    pub depth: usize,
    /// IRIs of the nodes, sorted.
    pub nodes: Vec<String>,
    /// A label for each node.
    pub node_labels: BTreeMap<String, String>,
    /// A comment for each node; empty where it has none.
    pub node_comments: BTreeMap<String, String>,
    /// The pairs of nodes that any edge joins, the first by IRI first.
    pub edges: Vec<[String; 2]>,
    /// The edges with their direction and name.
    pub triples: Vec<SubgraphTriple>,
    /// How many triples there are.
    pub triple_count: usize,
    /// Name of the ontology.
    pub source_ontology: String,
}

/// An edge of a [`Subgraph`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct SubgraphTriple {
    /// IRI of the subject.
    pub subject: String,
    /// IRI of the relation, or of a restriction's property.
    pub predicate: String,
    /// IRI of the object, or of a restriction's filler.
    pub object: String,
    /// Label of the subject.
    pub subject_label: String,
    /// Label of the predicate.
    pub predicate_label: String,
    /// Label of the object.
    pub object_label: String,
    /// How the edge comes about.
    #[serde(rename = "type")]
    pub kind: TripleKind,
    /// The axiom written out; only in a [`Full`](GraphKind::Full) graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axiom: Option<String>,
}

/// What lies beside the subgraphs of an ontology.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Manifest {
    /// Name of the ontology.
    pub ontology: String,
    /// [`STRATEGY`].
    pub strategy: String,
    /// How many subgraphs there are.
    pub total: usize,
    /// The subgraphs, in the order of their seeds' IRIs.
    pub subgraphs: Vec<ManifestEntry>,
    /// Subgraphs with an identifier of more digits than AVA's; AVA's own manifests say nothing of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collisions: Vec<Collision>,
}

/// A subgraph as its manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ManifestEntry {
    /// See [`Found::id`].
    pub subgraph_id: String,
    /// Name of its file, beside the manifest.
    pub file: String,
    /// How many triples it has.
    pub triple_count: usize,
    /// How many nodes it has.
    pub node_count: usize,
}

/// Writes a subgraph out.
pub fn subgraph(graph: &Graph<'_>, found: &Found, source: &str) -> Subgraph {
    let iri = |node: u32| graph.iri(node).to_owned();
    let label = |node: u32| graph.label(node).to_owned();
    let mut triples = Vec::new();
    let mut edges = Vec::new();
    for node in &found.nodes {
        for edge in graph.edges_of(*node) {
            if found.nodes.binary_search(&edge.object).is_err() {
                continue;
            }
            let (predicate, predicate_label) = graph.predicate(edge);
            triples.push(SubgraphTriple {
                subject: iri(edge.subject),
                predicate: predicate.to_owned(),
                object: iri(edge.object),
                subject_label: label(edge.subject),
                predicate_label: predicate_label.to_owned(),
                object_label: label(edge.object),
                kind: edge.kind,
                axiom: (graph.kind() == GraphKind::Full).then(|| graph.axiom(edge)),
            });
        }
        for neighbour in graph.neighbours(*node) {
            if node < neighbour && found.nodes.binary_search(neighbour).is_ok() {
                edges.push([iri(*node), iri(*neighbour)]);
            }
        }
    }
    let nodes = found.nodes.iter();
    Subgraph {
        subgraph_id: found.id.clone(),
        strategy: STRATEGY.to_owned(),
        seed: iri(found.seed),
        seed_label: label(found.seed),
        depth: HOPS,
        nodes: nodes.clone().map(|node| iri(*node)).collect(),
        node_labels: nodes
            .clone()
            .map(|node| (iri(*node), label(*node)))
            .collect(),
        node_comments: nodes
            .map(|node| {
                (
                    iri(*node),
                    graph.comment(*node).unwrap_or_default().to_owned(),
                )
            })
            .collect(),
        edges,
        triple_count: triples.len(),
        triples,
        source_ontology: source.to_owned(),
    }
}

/// What a manifest says of a subgraph.
impl From<&Subgraph> for ManifestEntry {
    fn from(subgraph: &Subgraph) -> Self {
        Self {
            subgraph_id: subgraph.subgraph_id.clone(),
            file: format!("{}.json", subgraph.subgraph_id),
            triple_count: subgraph.triple_count,
            node_count: subgraph.nodes.len(),
        }
    }
}
