//! The labelled graph of an ontology: classes and properties, and what joins them.

use crate::names::Term;
use crate::ontology::Ontology;
use crate::vocabulary::{Kinds, Quantifier, Relation, TextKind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which graph is made of an ontology.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GraphKind {
    /// The one that AVA's public code makes, so that subgraphs have its identifiers.
    ///
    /// Nodes: named owl:Class and rdfs:Class, and object, datatype and annotation properties. Edges: the seven
    /// [relations](Relation) between two nodes; and from a node to a named filler where any of these relations leads to a
    /// restriction, named by the restriction's property or, where that has no name or is missing, by
    /// `owl:someValuesFrom` or `owl:allValuesFrom`. Nothing is excluded for being deprecated, and nothing inside an
    /// intersection is read.
    #[default]
    Ava,
    /// What the axioms say: restrictions inside intersections are read too, written out in full beside the edge, and only
    /// where they hold for the members of the class; a named class in an intersection is above the class that it helps to
    /// define. Deprecated classes and properties, and classes without a label, are left out and counted. Properties of
    /// plain RDF (`rdf:Property`) are in.
    Full,
}

impl fmt::Display for GraphKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ava => "ava",
            Self::Full => "full",
        })
    }
}

impl GraphKind {
    /// Which kinds of text are a node's comment, the preferred one first.
    fn comments(self) -> &'static [TextKind] {
        match self {
            Self::Ava => &[
                TextKind::Comment,
                TextKind::SkosDefinition,
                TextKind::ScopeNote,
            ],
            Self::Full => &[
                TextKind::Definition,
                TextKind::SkosDefinition,
                TextKind::Comment,
                TextKind::ScopeNote,
            ],
        }
    }
}

/// How an edge comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
pub enum TripleKind {
    /// A relation between two named terms
    #[serde(rename = "direct")]
    Direct,
    /// Every member has some of the filler
    #[serde(rename = "restriction_someValuesFrom")]
    Some,
    /// Every member has nothing but the filler
    #[serde(rename = "restriction_allValuesFrom")]
    Only,
}

impl From<Quantifier> for TripleKind {
    fn from(quantifier: Quantifier) -> Self {
        match quantifier {
            Quantifier::Some => Self::Some,
            Quantifier::Only => Self::Only,
        }
    }
}

/// An edge with its direction; `subject` and `object` are places in [`Graph::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Place of the node that the axiom is about.
    pub subject: u32,
    /// The relation or property.
    pub predicate: EdgePredicate,
    /// Place of the other node.
    pub object: u32,
    /// How the edge comes about.
    pub kind: TripleKind,
    /// The relation that a restriction stands behind, as far as it holds: an intersection under `owl:equivalentClass`
    /// says only what is necessary.
    pub relation: Relation,
}

/// What an edge is named by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgePredicate {
    /// One of the relations.
    Relation(Relation),
    /// A property of the ontology.
    Property(Term),
    /// A restriction whose property has no name, such as the inverse of another, or is missing.
    Restriction(Quantifier),
}

/// What was left out of a [`GraphKind::Full`] graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Excluded {
    /// Classes that are deprecated.
    pub deprecated_classes: usize,
    /// Properties that are deprecated.
    pub deprecated_properties: usize,
    /// Classes that are not deprecated and have no label.
    pub unlabelled_classes: usize,
}

/// A graph of named classes and properties, in an order that does not depend on the file's.
pub struct Graph<'a> {
    ontology: &'a Ontology,
    kind: GraphKind,
    nodes: Vec<Term>,
    /// Of each node. A node is written out in every subgraph that holds it, and its texts take a search to find.
    labels: Vec<&'a str>,
    comments: Vec<Option<&'a str>>,
    is_class: Vec<bool>,
    edges: Vec<Edge>,
    /// For each node, where its edges begin in `edges`.
    edge_starts: Vec<usize>,
    neighbours: Vec<u32>,
    neighbour_starts: Vec<usize>,
    excluded: Excluded,
}

impl<'a> Graph<'a> {
    /// Makes a graph of an ontology.
    pub fn new(ontology: &'a Ontology, kind: GraphKind) -> Self {
        let mut excluded = Excluded::default();
        let mut nodes = Vec::new();
        let mut is_class = Vec::new();
        let wanted = match kind {
            GraphKind::Ava => Kinds::CLASS.and(Kinds::PROPERTY),
            GraphKind::Full => Kinds::CLASS.and(Kinds::PROPERTY).and(Kinds::RDF_PROPERTY),
        };
        for entity in &ontology.entities {
            let class = entity.kinds.any_of(Kinds::CLASS);
            if !entity.kinds.any_of(wanted) {
                continue;
            }
            if kind == GraphKind::Full {
                if entity.deprecated {
                    *(if class {
                        &mut excluded.deprecated_classes
                    } else {
                        &mut excluded.deprecated_properties
                    }) += 1;
                    continue;
                }
                if class && ontology.given_label(entity.term).is_none() {
                    excluded.unlabelled_classes += 1;
                    continue;
                }
            }
            nodes.push(entity.term);
            is_class.push(class);
        }
        let labels = nodes.iter().map(|term| ontology.label(*term)).collect();
        let comments = nodes
            .iter()
            .map(|term| ontology.first_text(*term, kind.comments()))
            .collect();
        let edges = edges(ontology, kind, &nodes);
        let edge_starts = starts(nodes.len(), edges.iter().map(|edge| edge.subject));
        let mut pairs: Vec<(u32, u32)> = edges
            .iter()
            .flat_map(|edge| [(edge.subject, edge.object), (edge.object, edge.subject)])
            .filter(|(from, to)| from != to)
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let neighbour_starts = starts(nodes.len(), pairs.iter().map(|(from, _)| *from));
        Self {
            ontology,
            kind,
            nodes,
            labels,
            comments,
            is_class,
            edges,
            edge_starts,
            neighbours: pairs.into_iter().map(|(_, to)| to).collect(),
            neighbour_starts,
            excluded,
        }
    }

    /// The ontology that the graph was made of.
    pub fn ontology(&self) -> &'a Ontology {
        self.ontology
    }

    /// Which graph it is.
    pub fn kind(&self) -> GraphKind {
        self.kind
    }

    /// The nodes, sorted by IRI.
    pub fn nodes(&self) -> &[Term] {
        &self.nodes
    }

    /// Every edge, each once, sorted by subject, relation before property, and object.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// What was left out; nothing in an [`Ava`](GraphKind::Ava) graph.
    pub fn excluded(&self) -> Excluded {
        self.excluded
    }

    /// Places of the classes, from each of which a subgraph can be grown.
    pub fn seeds(&self) -> impl Iterator<Item = u32> + '_ {
        let places = self.is_class.iter().zip(0_u32..);
        places
            .filter(|(is_class, _)| **is_class)
            .map(|(_, place)| place)
    }

    /// The edges whose subject is this node.
    pub fn edges_of(&self, node: u32) -> &[Edge] {
        slice(&self.edges, &self.edge_starts, node)
    }

    /// The nodes that any edge joins to this one, in either direction; never the node itself.
    pub fn neighbours(&self, node: u32) -> &[u32] {
        slice(&self.neighbours, &self.neighbour_starts, node)
    }

    /// The IRI of a node.
    pub fn iri(&self, node: u32) -> &'a str {
        match self.nodes.get(node as usize) {
            Some(term) => self.ontology.iri(*term),
            None => "",
        }
    }

    /// The label of a node: see [`Ontology::label`].
    pub fn label(&self, node: u32) -> &'a str {
        self.labels.get(node as usize).copied().unwrap_or_default()
    }

    /// The comment of a node, or nothing. In an [`Ava`](GraphKind::Ava) graph: `rdfs:comment`, `skos:definition` or
    /// `skos:scopeNote`; in a [`Full`](GraphKind::Full) one the definition goes before them.
    pub fn comment(&self, node: u32) -> Option<&'a str> {
        self.comments.get(node as usize).copied().flatten()
    }

    /// The IRI and the label of what an edge is named by.
    pub fn predicate(&self, edge: &Edge) -> (&'a str, &'a str) {
        match edge.predicate {
            EdgePredicate::Relation(relation) => {
                (relation.iri(), crate::local_name(relation.iri()))
            }
            EdgePredicate::Property(property) => {
                (self.ontology.iri(property), self.ontology.label(property))
            }
            EdgePredicate::Restriction(quantifier) => {
                (quantifier.iri(), crate::local_name(quantifier.iri()))
            }
        }
    }

    /// An edge as the axiom that it stands for, in Manchester syntax with labels.
    pub fn axiom(&self, edge: &Edge) -> String {
        let subject = quoted(self.label(edge.subject));
        let object = quoted(self.label(edge.object));
        let keyword = match edge.relation {
            Relation::SubClassOf => "SubClassOf",
            Relation::EquivalentClass => "EquivalentTo",
            Relation::DisjointWith => "DisjointWith",
            Relation::Domain => "Domain",
            Relation::Range => "Range",
            Relation::SubPropertyOf => "SubPropertyOf",
            Relation::InverseOf => "InverseOf",
        };
        let quantifier = match edge.kind {
            TripleKind::Direct => return format!("{subject} {keyword} {object}"),
            TripleKind::Some => Quantifier::Some,
            TripleKind::Only => Quantifier::Only,
        };
        let predicate = quoted(self.predicate(edge).1);
        match edge.predicate {
            EdgePredicate::Restriction(_) => format!("{subject} {keyword} {predicate} {object}"),
            _ => format!("{subject} {keyword} {predicate} {quantifier} {object}"),
        }
    }
}

/// The edges between nodes, sorted, each once.
fn edges(ontology: &Ontology, kind: GraphKind, nodes: &[Term]) -> Vec<Edge> {
    let places = nodes.iter().copied().zip(0_u32..);
    let places: rustc_hash::FxHashMap<Term, u32> = places.collect();
    let joined =
        |subject: Term, object: Term| Some((*places.get(&subject)?, *places.get(&object)?));
    let mut edges = Vec::new();
    let mut direct = |subject, relation, object| {
        if let Some((subject, object)) = joined(subject, object) {
            edges.push(Edge {
                subject,
                predicate: EdgePredicate::Relation(relation),
                object,
                kind: TripleKind::Direct,
                relation,
            });
        }
    };
    for (subject, relation, object) in &ontology.relations {
        direct(*subject, *relation, *object);
    }
    if kind == GraphKind::Full {
        for (subject, object) in &ontology.conjuncts {
            direct(*subject, Relation::SubClassOf, *object);
        }
    }
    for restriction in &ontology.restrictions {
        let read = match kind {
            GraphKind::Ava => !restriction.nested,
            GraphKind::Full => restriction.relation.defines(),
        };
        let Some((subject, object)) =
            joined(restriction.subject, restriction.filler).filter(|_| read)
        else {
            continue;
        };
        edges.push(Edge {
            subject,
            predicate: EdgePredicate::Property(restriction.property),
            object,
            kind: restriction.quantifier.into(),
            relation: if restriction.nested {
                Relation::SubClassOf
            } else {
                restriction.relation
            },
        });
    }
    // The public code looks at the filler, and takes the property for a label only.
    let unnamed = ontology.unnamed_restrictions.iter();
    for restriction in unnamed.filter(|_| kind == GraphKind::Ava) {
        if let Some((subject, object)) = joined(restriction.subject, restriction.filler) {
            edges.push(Edge {
                subject,
                predicate: EdgePredicate::Restriction(restriction.quantifier),
                object,
                kind: restriction.quantifier.into(),
                relation: restriction.relation,
            });
        }
    }
    let name = |edge: &Edge| match edge.predicate {
        EdgePredicate::Relation(relation) => (Some(relation), ""),
        EdgePredicate::Property(property) => (None, ontology.iri(property)),
        EdgePredicate::Restriction(quantifier) => (None, quantifier.iri()),
    };
    edges.sort_unstable_by(|a, b| {
        (a.subject, a.kind, name(a), a.object, a.relation).cmp(&(
            b.subject,
            b.kind,
            name(b),
            b.object,
            b.relation,
        ))
    });
    // One edge of a kind is enough, whatever it stands behind; the first relation is the one that says the least.
    edges.dedup_by(|later, first| {
        (later.subject, later.kind, later.predicate, later.object)
            == (first.subject, first.kind, first.predicate, first.object)
    });
    edges
}

/// Where each node's part of a list begins that is sorted by node, with the end of the last one.
fn starts(nodes: usize, sorted: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut counts = vec![0; nodes + 1];
    for node in sorted {
        if let Some(count) = counts.get_mut(node as usize + 1) {
            *count += 1;
        }
    }
    for at in 1..counts.len() {
        counts[at] += counts[at - 1];
    }
    counts
}

fn slice<'s, T>(all: &'s [T], starts: &[usize], node: u32) -> &'s [T] {
    let at = node as usize;
    match (starts.get(at), starts.get(at + 1)) {
        (Some(start), Some(end)) => all.get(*start..*end).unwrap_or_default(),
        _ => &[],
    }
}

/// A label as Manchester syntax wants it: in quotes where it is more than one word.
fn quoted(label: &str) -> String {
    if label
        .chars()
        .all(|c| c.is_alphanumeric() || "_-".contains(c))
    {
        label.to_owned()
    } else {
        format!("'{}'", label.replace('\'', "\\'"))
    }
}
