//! Two-hop subgraphs around every class, as AVA cuts and names them.

use crate::graph::{Graph, GraphKind, TripleKind};
use md5::{Digest as _, Md5};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

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
    hex::encode(hasher.finalize())
}

fn id(digest: &str, digits: usize) -> String {
    format!("{STRATEGY}_{}", digest.get(..digits).unwrap_or(digest))
}

/// A subgraph as AVA's files hold it. One that is made of a graph borrows its texts; one that is read from a file owns them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Subgraph<'a> {
    /// See [`Found::id`].
    pub subgraph_id: Cow<'a, str>,
    /// [`STRATEGY`].
    pub strategy: Cow<'a, str>,
    /// IRI of the seed.
    pub seed: Cow<'a, str>,
    /// Label of the seed.
    pub seed_label: Cow<'a, str>,
    /// [`HOPS`].
    pub depth: usize,
    /// IRIs of the nodes, sorted.
    pub nodes: Vec<Cow<'a, str>>,
    /// A label for each node.
    pub node_labels: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    /// A comment for each node; empty where it has none.
    pub node_comments: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    /// The pairs of nodes that any edge joins, the first by IRI first.
    pub edges: Vec<[Cow<'a, str>; 2]>,
    /// The edges with their direction and name.
    pub triples: Vec<SubgraphTriple<'a>>,
    /// How many triples there are.
    pub triple_count: usize,
    /// Name of the ontology.
    pub source_ontology: Cow<'a, str>,
}

/// An edge of a [`Subgraph`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct SubgraphTriple<'a> {
    /// IRI of the subject.
    pub subject: Cow<'a, str>,
    /// IRI of the relation, or of a restriction's property.
    pub predicate: Cow<'a, str>,
    /// IRI of the object, or of a restriction's filler.
    pub object: Cow<'a, str>,
    /// Label of the subject.
    pub subject_label: Cow<'a, str>,
    /// Label of the predicate.
    pub predicate_label: Cow<'a, str>,
    /// Label of the object.
    pub object_label: Cow<'a, str>,
    /// How the edge comes about.
    #[serde(rename = "type")]
    pub kind: TripleKind,
    /// The axiom written out; only in a [`Full`](GraphKind::Full) graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axiom: Option<String>,
}

/// What lies beside the subgraphs of an ontology. What follows from the rest may be missing or null in a file of others, and is
/// then empty or 0 here.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Manifest {
    /// Name of the ontology.
    #[serde(default, deserialize_with = "or_default")]
    pub ontology: String,
    /// [`STRATEGY`].
    #[serde(default, deserialize_with = "or_default")]
    pub strategy: String,
    /// How many subgraphs there are.
    #[serde(default, deserialize_with = "or_default")]
    pub total: usize,
    /// The subgraphs, in the order of their seeds' IRIs.
    #[serde(default, deserialize_with = "or_default")]
    pub subgraphs: Vec<ManifestEntry>,
    /// Subgraphs with an identifier of more digits than AVA's; AVA's own manifests say nothing of them.
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub collisions: Vec<Collision>,
}

/// A subgraph as its manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ManifestEntry {
    /// See [`Found::id`].
    #[serde(default, deserialize_with = "or_default")]
    pub subgraph_id: String,
    /// Name of its file, beside the manifest.
    #[serde(default, deserialize_with = "or_default")]
    pub file: String,
    /// How many triples it has.
    #[serde(default, deserialize_with = "or_default")]
    pub triple_count: usize,
    /// How many nodes it has.
    #[serde(default, deserialize_with = "or_default")]
    pub node_count: usize,
}

/// Null says as much as leaving it out.
fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    from: D,
) -> Result<T, D::Error> {
    Option::deserialize(from).map(Option::unwrap_or_default)
}

impl Subgraph<'_> {
    /// The subgraph as the bytes of its file: JSON, indented by two spaces.
    pub fn to_json(&self) -> Vec<u8> {
        // Ten nodes come to some seven kilobytes. Maps with text for keys always have a form in JSON.
        let mut json = Vec::with_capacity(1 << 13);
        let _ = serde_json::to_writer_pretty(&mut json, self);
        json.push(b'\n');
        json
    }
}

/// Writes a subgraph out.
pub fn subgraph<'a>(graph: &Graph<'a>, found: &'a Found, source: &'a str) -> Subgraph<'a> {
    let iri = |node: u32| Cow::Borrowed(graph.iri(node));
    let label = |node: u32| Cow::Borrowed(graph.label(node));
    // Each node's label is looked up once.
    let labels: Vec<Cow<'a, str>> = found.nodes.iter().map(|node| label(*node)).collect();
    let mut triples = Vec::new();
    let mut edges = Vec::new();
    for (node, subject_label) in found.nodes.iter().zip(&labels) {
        for edge in graph.edges_of(*node) {
            let Some(object_label) = place(&found.nodes, edge.object).and_then(|at| labels.get(at))
            else {
                continue;
            };
            let (predicate, predicate_label) = graph.predicate(edge);
            triples.push(SubgraphTriple {
                subject: iri(edge.subject),
                predicate: predicate.into(),
                object: iri(edge.object),
                subject_label: subject_label.clone(),
                predicate_label: predicate_label.into(),
                object_label: object_label.clone(),
                kind: edge.kind,
                axiom: (graph.kind() == GraphKind::Full).then(|| graph.axiom(edge)),
            });
        }
        for neighbour in graph.neighbours(*node) {
            if node < neighbour && place(&found.nodes, *neighbour).is_some() {
                edges.push([iri(*node), iri(*neighbour)]);
            }
        }
    }
    let nodes = found.nodes.iter();
    Subgraph {
        subgraph_id: found.id.as_str().into(),
        strategy: STRATEGY.into(),
        seed: iri(found.seed),
        seed_label: label(found.seed),
        depth: HOPS,
        nodes: nodes.clone().map(|node| iri(*node)).collect(),
        node_comments: nodes
            .clone()
            .map(|node| (iri(*node), graph.comment(*node).unwrap_or_default().into()))
            .collect(),
        node_labels: nodes.map(|node| iri(*node)).zip(labels).collect(),
        edges,
        triple_count: triples.len(),
        triples,
        source_ontology: source.into(),
    }
}

/// Where a node stands in a sorted list of them.
fn place(nodes: &[u32], node: u32) -> Option<usize> {
    nodes.binary_search(&node).ok()
}

/// What a manifest says of a subgraph.
impl From<&Subgraph<'_>> for ManifestEntry {
    fn from(subgraph: &Subgraph<'_>) -> Self {
        Self {
            subgraph_id: subgraph.subgraph_id.clone().into_owned(),
            file: format!("{}.json", subgraph.subgraph_id),
            triple_count: subgraph.triple_count,
            node_count: subgraph.nodes.len(),
        }
    }
}
