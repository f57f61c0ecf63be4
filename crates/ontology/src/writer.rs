//! Subgraphs as the bytes of their files, many of one graph.

use crate::graph::{Graph, GraphKind};
use crate::subgraph::{Found, HOPS, ManifestEntry, STRATEGY};

/// Writes subgraphs of a graph: the bytes of [`Subgraph::to_json`](crate::Subgraph::to_json), in less time.
///
/// A node stands in several subgraphs and many times in each, so its texts are made strings of JSON once, here.
///
/// ```
/// use ontology::{Graph, GraphKind, Ontology, SubgraphWriter, extract, subgraph};
///
/// let file = "[Term]\nid: X:1\nname: organ\n\n[Term]\nid: X:2\nname: heart\nis_a: X:1\n\n[Term]\nid: X:3\nname: lung\nis_a: X:1\n";
/// let ontology = Ontology::read("anatomy.obo", file.as_bytes())?;
/// let graph = Graph::new(&ontology, GraphKind::Ava);
/// let found = &extract(&graph).found[0];
/// let (entry, bytes) = SubgraphWriter::new(&graph, "anatomy").write(found);
/// assert_eq!(bytes, subgraph(&graph, found, "anatomy").to_json());
/// assert_eq!(entry.node_count, 3);
/// # Ok::<(), ontology::ReadError>(())
/// ```
pub struct SubgraphWriter<'g> {
    graph: &'g Graph<'g>,
    source: String,
    nodes: Vec<Node>,
}

/// The texts of a node as strings of JSON, quotes included, one behind the other.
struct Node {
    texts: Box<str>,
    label: usize,
    comment: usize,
}

impl Node {
    fn new(iri: &str, label: &str, comment: &str) -> Self {
        let mut texts = string(iri);
        let label_at = texts.len();
        texts.push_str(&string(label));
        let comment_at = texts.len();
        texts.push_str(&string(comment));
        Self {
            texts: texts.into(),
            label: label_at,
            comment: comment_at,
        }
    }

    fn iri(&self) -> &str {
        self.texts.get(..self.label).unwrap_or_default()
    }

    fn label(&self) -> &str {
        self.texts.get(self.label..self.comment).unwrap_or_default()
    }

    fn comment(&self) -> &str {
        self.texts.get(self.comment..).unwrap_or_default()
    }
}

impl<'g> SubgraphWriter<'g> {
    /// One for the subgraphs of a graph; `source` is the name of the ontology.
    pub fn new(graph: &'g Graph<'g>, source: &str) -> Self {
        let nodes = (0_u32..).take(graph.nodes().len()).map(|node| {
            Node::new(
                graph.iri(node),
                graph.label(node),
                graph.comment(node).unwrap_or_default(),
            )
        });
        Self {
            graph,
            source: string(source),
            nodes: nodes.collect(),
        }
    }

    /// What the manifest says of a subgraph, and the bytes of its file.
    pub fn write(&self, found: &Found) -> (ManifestEntry, Vec<u8>) {
        let graph = self.graph;
        let is_in = |node: u32| found.nodes.binary_search(&node).is_ok();
        let nodes = || found.nodes.iter().filter_map(|node| self.node(*node));
        // Ten nodes come to some seven kilobytes.
        let mut out = String::with_capacity(1 << 13);
        out.push('{');
        for (key, value) in [
            ("subgraph_id", string(&found.id).as_str()),
            ("strategy", &string(STRATEGY)),
            ("seed", self.node(found.seed).map_or("\"\"", Node::iri)),
            (
                "seed_label",
                self.node(found.seed).map_or("\"\"", Node::label),
            ),
            ("depth", &HOPS.to_string()),
        ] {
            member(&mut out, key, value);
        }
        key(&mut out, "nodes");
        items(&mut out, "[]", nodes(), |out, node| {
            out.push_str(node.iri());
        });
        for (name, text) in [
            ("node_labels", Node::label as fn(&Node) -> &str),
            ("node_comments", Node::comment),
        ] {
            key(&mut out, name);
            items(&mut out, "{}", nodes(), |out, node| {
                out.push_str(node.iri());
                out.push_str(": ");
                out.push_str(text(node));
            });
        }
        let edges = found.nodes.iter().flat_map(|node| {
            let neighbours = graph.neighbours(*node).iter();
            neighbours
                .filter(move |neighbour| node < neighbour && is_in(**neighbour))
                .filter_map(move |neighbour| Some((self.node(*node)?, self.node(*neighbour)?)))
        });
        key(&mut out, "edges");
        items(&mut out, "[]", edges, |out, (one, other)| {
            for text in ["[\n      ", one.iri(), ",\n      ", other.iri(), "\n    ]"] {
                out.push_str(text);
            }
        });
        let mut count = 0;
        let triples = found.nodes.iter().flat_map(|node| graph.edges_of(*node));
        let triples = triples.filter(|edge| is_in(edge.object));
        key(&mut out, "triples");
        items(&mut out, "[]", triples, |out, edge| {
            count += 1;
            let (predicate, predicate_label) = graph.predicate(edge);
            let node = |place| self.node(place);
            out.push('{');
            for (key, value) in [
                ("subject", node(edge.subject).map_or("", Node::iri)),
                ("predicate", &string(predicate)),
                ("object", node(edge.object).map_or("", Node::iri)),
                ("subject_label", node(edge.subject).map_or("", Node::label)),
                ("predicate_label", &string(predicate_label)),
                ("object_label", node(edge.object).map_or("", Node::label)),
                ("type", &json(&edge.kind)),
            ] {
                out.push_str("\n      \"");
                out.push_str(key);
                out.push_str("\": ");
                out.push_str(value);
                out.push(',');
            }
            if graph.kind() == GraphKind::Full {
                out.push_str("\n      \"axiom\": ");
                out.push_str(&string(&graph.axiom(edge)));
            } else {
                out.pop();
            }
            out.push_str("\n    }");
        });
        member(&mut out, "triple_count", &count.to_string());
        key(&mut out, "source_ontology");
        out.push_str(&self.source);
        out.push_str("\n}\n");
        let entry = ManifestEntry {
            subgraph_id: found.id.clone(),
            file: format!("{}.json", found.id),
            triple_count: count,
            node_count: found.nodes.len(),
        };
        (entry, out.into_bytes())
    }

    fn node(&self, place: u32) -> Option<&Node> {
        self.nodes.get(place as usize)
    }
}

/// The key of a member whose value comes next.
fn key(out: &mut String, key: &str) {
    out.push_str("\n  \"");
    out.push_str(key);
    out.push_str("\": ");
}

fn member(out: &mut String, name: &str, value: &str) {
    key(out, name);
    out.push_str(value);
    out.push(',');
}

/// A list or an object of the items, each on a line of its own.
fn items<T>(
    out: &mut String,
    brackets: &str,
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(&mut String, T),
) {
    let (open, close) = brackets.split_at(1);
    out.push_str(open);
    let mut is_empty = true;
    for item in items {
        out.push_str(if is_empty { "\n    " } else { ",\n    " });
        is_empty = false;
        write(out, item);
    }
    if !is_empty {
        out.push_str("\n  ");
    }
    out.push_str(close);
    out.push(',');
}

fn string(text: &str) -> String {
    json(&text)
}

/// Texts and the names of kinds always have a form in JSON.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
