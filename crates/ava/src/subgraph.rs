//! Files of subgraphs, as `ava extract` and AVA's public code write them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

use ontology::{HOPS, STRATEGY, Subgraph, SubgraphTriple, TripleKind, local_name};
use serde::de::{DeserializeOwned, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::json::{Expected, fault, nothing_in, utf8};
use crate::problem::{Lines, Problem, words};

const EXPECTED: Expected<'_> = Expected {
    what: "subgraph",
    remedy: "give a subgraph as `ava extract` or AVA's code writes it, or extract the ontology again",
    number: "write what is due there, or extract the ontology again",
    texts: &[
        "subgraph_id",
        "strategy",
        "seed",
        "seed_label",
        "subject",
        "predicate",
        "object",
        "subject_label",
        "predicate_label",
        "object_label",
        "type",
        "source_ontology",
    ],
};

/// Reads the file of a subgraph. `id` and `ontology` are what the list of subgraphs says, for a file that does not.
///
/// What was written by others may lack what is known without it, or have it in another form, and then means the same: counts
/// and pairs of nodes follow from the triples; a list of labels is in the order of the nodes; a comment that is null is none;
/// a label that is null or missing is the local name of its IRI, as everywhere. A member that nobody here knows is passed
/// over. What could mean this or that is refused with its place.
///
/// ```
/// let file = br#"{"nodes": ["http://e/A", "http://e/B"], "node_labels": ["a thing", null],
///   "triples": [{"subject": "http://e/A", "predicate": "http://e/p", "object": "http://e/B", "type": "direct"}]}"#;
/// let subgraph = ava::read_subgraph(file, "bfs_1", "own")?;
/// assert_eq!((&*subgraph.triples[0].subject_label, &*subgraph.triples[0].object_label), ("a thing", "B"));
/// assert_eq!((&*subgraph.subgraph_id, subgraph.triple_count, subgraph.edges.len()), ("bfs_1", 1, 1));
/// # Ok::<(), ava::Problem>(())
/// ```
pub fn read_subgraph(bytes: &[u8], id: &str, ontology: &str) -> Result<Subgraph<'static>, Problem> {
    let file = File::of(utf8(bytes)?)?;
    let labels: Option<Texts> = file.member("node_labels")?;
    let nodes = file.nodes(labels.as_ref())?;
    let labels = file.of_nodes("node_labels", labels, &nodes)?;
    let comments = file.member("node_comments")?;
    let mut comments = file.of_nodes("node_comments", comments, &nodes)?;
    let label = |iri: &str| match labels.get(iri) {
        Some(label) => label.clone(),
        None => local_name(iri).to_owned(),
    };
    let triples = file.triples(&label)?;
    let seed: String = file.member("seed")?.unwrap_or_default();
    let seed_label: Option<String> = file.member("seed_label")?;
    let named = |key, other: &str| -> Result<Cow<'static, str>, Problem> {
        let found: Option<String> = file.member(key)?;
        Ok(found.unwrap_or_else(|| other.to_owned()).into())
    };
    Ok(Subgraph {
        subgraph_id: named("subgraph_id", id)?,
        strategy: named("strategy", STRATEGY)?,
        seed_label: seed_label.unwrap_or_else(|| label(&seed)).into(),
        seed: seed.into(),
        depth: file.member("depth")?.unwrap_or(HOPS),
        node_labels: nodes
            .iter()
            .map(|node| (node.clone().into(), label(node).into()))
            .collect(),
        node_comments: nodes
            .iter()
            .map(|node| {
                let comment = comments.remove(node).unwrap_or_default();
                (node.clone().into(), comment.into())
            })
            .collect(),
        edges: pairs(&triples),
        triple_count: triples.len(),
        triples,
        source_ontology: named("source_ontology", ontology)?,
        nodes: nodes.into_iter().map(Cow::from).collect(),
    })
}

/// The labels of a subgraph's nodes, which is all that is read of its file; they are those that [`read_subgraph`] gives.
///
/// ```
/// let labels = ava::read_labels(br#"{"nodes": ["http://e/A", "http://e/B"], "node_labels": {"http://e/A": "a thing"}}"#)?;
/// assert_eq!(labels, ["B", "a thing"].map(str::to_owned).into());
/// # Ok::<(), ava::Problem>(())
/// ```
pub fn read_labels(bytes: &[u8]) -> Result<BTreeSet<String>, Problem> {
    let file = File::of(utf8(bytes)?)?;
    let labels = match file.member("node_labels")? {
        Some(Texts::Listed(labels)) if !file.members.contains_key("nodes") => {
            return Ok(labels.into_iter().flatten().collect());
        }
        labels => labels,
    };
    let nodes = file.nodes(labels.as_ref())?;
    let mut labels = file.of_nodes("node_labels", labels, &nodes)?;
    let label = |node: String| {
        let label = labels.remove(&node);
        label.unwrap_or_else(|| local_name(&node).to_owned())
    };
    Ok(nodes.into_iter().map(label).collect())
}

/// A file's members, each as it is written.
struct File<'t> {
    text: &'t str,
    members: HashMap<String, &'t RawValue>,
}

/// Members of an object, none of which comes twice: which of the two would be meant, nobody knows.
struct Members<'t>(HashMap<String, &'t RawValue>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Once;

        impl<'de> Visitor<'de> for Once {
            type Value = Members<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = HashMap::new();
                while let Some(key) = map.next_key::<String>()? {
                    if members.contains_key(&key) {
                        return Err(A::Error::custom(format_args!("`{key}` is given twice")));
                    }
                    members.insert(key, map.next_value()?);
                }
                Ok(Members(members))
            }
        }

        from.deserialize_map(Once)
    }
}

impl<'t> File<'t> {
    fn of(text: &'t str) -> Result<Self, Problem> {
        if let Some(nothing) = nothing_in(text, EXPECTED.what, EXPECTED.remedy) {
            return Err(nothing);
        }
        match serde_json::from_str(text) {
            Ok(Members(members)) => Ok(Self { text, members }),
            Err(error) => Err(whole(text, text, 0, &error, "")),
        }
    }

    /// A member's value; `None` where it is missing or null, which says as much.
    fn member<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, Problem> {
        let Some(value) = self.members.get(key) else {
            return Ok(None);
        };
        let value = value.get();
        let read = serde_json::from_str(value);
        read.map_err(|error| self.wrong(value, &error, &format!("`{key}`: ")))
    }

    /// What is wrong with a part of the text.
    fn wrong(&self, part: &str, error: &serde_json::Error, of: &str) -> Problem {
        whole(self.text, part, self.place(part), error, of)
    }

    /// A part of the text is a slice of it, so its place is where it begins in memory.
    fn place(&self, part: &str) -> usize {
        (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize)
    }

    /// What is wrong with a member as a whole.
    fn refused(&self, key: &str, message: &str) -> Problem {
        let value = self.members.get(key);
        let place = value.map_or(0, |value| self.place(value.get()));
        let message = format!("no subgraph: {message}");
        Problem::at(&Lines::of(self.text), place, message, EXPECTED.remedy)
    }

    /// The nodes; where they are not listed, those that have a label.
    fn nodes(&self, labels: Option<&Texts>) -> Result<Vec<String>, Problem> {
        let nodes: Option<Vec<String>> = self.member("nodes")?;
        if let Some(nodes) = nodes {
            let mut seen = HashSet::new();
            return match nodes.iter().find(|node| !seen.insert(*node)) {
                Some(twice) => Err(self.refused("nodes", &format!("`nodes` has {twice} twice"))),
                None => Ok(nodes),
            };
        }
        match labels {
            Some(Texts::ByNode(labels)) => Ok(labels.keys().cloned().collect()),
            _ => Err(self.refused("nodes", "it has no `nodes`")),
        }
    }

    /// Texts by the nodes that they are of.
    fn of_nodes(
        &self,
        key: &str,
        texts: Option<Texts>,
        nodes: &[String],
    ) -> Result<BTreeMap<String, String>, Problem> {
        let texts = match texts {
            None => return Ok(BTreeMap::new()),
            Some(Texts::ByNode(texts)) => texts,
            Some(Texts::Listed(texts)) if texts.len() == nodes.len() => {
                nodes.iter().cloned().zip(texts).collect()
            }
            Some(Texts::Listed(texts)) => {
                let message = format!(
                    "`{key}` is a list of {} for {} nodes, so which is whose cannot be told",
                    texts.len(),
                    nodes.len()
                );
                return Err(self.refused(key, &message));
            }
        };
        let texts = texts.into_iter();
        Ok(texts
            .filter_map(|(node, text)| Some((node, text?)))
            .collect())
    }

    fn triples(
        &self,
        label: &impl Fn(&str) -> String,
    ) -> Result<Vec<SubgraphTriple<'static>>, Problem> {
        let Some(list) = self.members.get("triples") else {
            return Err(self.refused("triples", "it has no `triples`"));
        };
        let written: Vec<&RawValue> = serde_json::from_str(list.get())
            .map_err(|error| self.wrong(list.get(), &error, "`triples`: "))?;
        let mut triples = Vec::with_capacity(written.len());
        for (number, triple) in written.into_iter().enumerate() {
            let read: Triple = serde_json::from_str(triple.get()).map_err(|error| {
                self.wrong(triple.get(), &error, &format!("triple {}: ", number + 1))
            })?;
            let or =
                |given: Option<String>, iri: &str| Cow::from(given.unwrap_or_else(|| label(iri)));
            triples.push(SubgraphTriple {
                subject_label: or(read.subject_label, &read.subject),
                predicate_label: or(read.predicate_label, &read.predicate),
                object_label: or(read.object_label, &read.object),
                subject: read.subject.into(),
                predicate: read.predicate.into(),
                object: read.object.into(),
                kind: read.kind,
                axiom: read.axiom,
            });
        }
        Ok(triples)
    }
}

/// What is wrong with a part of a file; what is missing is nowhere, and the part's beginning stands for it.
fn whole(text: &str, part: &str, place: usize, error: &serde_json::Error, of: &str) -> Problem {
    let fault = fault(part, error, &EXPECTED);
    let is_missing = words(error).starts_with("missing field");
    let byte = if is_missing { 0 } else { fault.byte };
    let message = format!("no subgraph: {of}{}", fault.message);
    Problem::at(&Lines::of(text), place + byte, message, &fault.remedy)
}

/// The pairs of nodes that triples join, the first by IRI first.
fn pairs(triples: &[SubgraphTriple<'static>]) -> Vec<[Cow<'static, str>; 2]> {
    let pairs = triples.iter().filter_map(|triple| {
        let (one, other) = (triple.subject.clone(), triple.object.clone());
        match one.cmp(&other) {
            std::cmp::Ordering::Less => Some([one, other]),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some([other, one]),
        }
    });
    let pairs: BTreeSet<_> = pairs.collect();
    pairs.into_iter().collect()
}

/// A triple as it is written.
#[derive(Deserialize)]
struct Triple {
    subject: String,
    predicate: String,
    object: String,
    #[serde(default)]
    subject_label: Option<String>,
    #[serde(default)]
    predicate_label: Option<String>,
    #[serde(default)]
    object_label: Option<String>,
    #[serde(rename = "type")]
    kind: TripleKind,
    #[serde(default)]
    axiom: Option<String>,
}

/// Texts of nodes, some of which may have none.
enum Texts {
    ByNode(BTreeMap<String, Option<String>>),
    Listed(Vec<Option<String>>),
}

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Texts;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a text for each node, by its IRI or in the order of the nodes")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Texts, A::Error> {
                let mut texts = BTreeMap::new();
                while let Some((node, text)) = map.next_entry()? {
                    texts.insert(node, text);
                }
                Ok(Texts::ByNode(texts))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Texts, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = list.next_element()? {
                    texts.push(text);
                }
                Ok(Texts::Listed(texts))
            }
        }

        from.deserialize_any(Either)
    }
}
