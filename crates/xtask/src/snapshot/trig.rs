//! One named graph, written as `TriG` in a fixed order: sorted subjects, predicates and objects, prefixed names throughout.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::io::Write as _;

use flate2::{Compression, GzBuilder};

/// The prefix of every graph's name.
pub(super) const KG: &str = "https://purl.org/okn/frink/kg/";
/// The prefix of ontology terms and taxa.
pub(super) const OBO: &str = "http://purl.obolibrary.org/obo/";
const BIOLINK: &str = "https://w3id.org/biolink/vocab/";
const SCHEMA: &str = "http://schema.org/";
const RDF_TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
/// `rdfs:label`.
pub(super) const LABEL: &str = "http://www.w3.org/2000/01/rdf-schema#label";
/// `rdfs:subClassOf`.
pub(super) const SUB_CLASS_OF: &str = "http://www.w3.org/2000/01/rdf-schema#subClassOf";

/// An IRI of the Biolink model.
pub(super) fn biolink(name: &str) -> String {
    format!("{BIOLINK}{name}")
}

/// An IRI of schema.org, which this federation spells with `http:`.
pub(super) fn schema(name: &str) -> String {
    format!("{SCHEMA}{name}")
}

/// The IRI of an ontology term given as `MONDO_0004995`.
pub(super) fn obo(id: &str) -> String {
    format!("{OBO}{id}")
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Object {
    Iri(String),
    Text(String),
}

/// A prefix and the start of the IRIs that it stands for.
pub(super) type Prefix = (&'static str, &'static str);

/// What the graphs' names are written with.
const KG_PREFIX: Prefix = ("kg", KG);
/// What Biolink classes and predicates are written with.
pub(super) const BIOLINK_PREFIX: Prefix = ("bl", BIOLINK);
/// What schema.org's classes and predicates are written with.
pub(super) const SCHEMA_PREFIX: Prefix = ("s", SCHEMA);
/// What labels and the hierarchy are written with.
pub(super) const RDFS_PREFIX: Prefix = ("rdfs", "http://www.w3.org/2000/01/rdf-schema#");

/// The triples of one named graph, none of them twice.
pub(super) struct Graph {
    name: &'static str,
    prefixes: Vec<Prefix>,
    subjects: BTreeMap<String, BTreeMap<String, BTreeSet<Object>>>,
}

impl Graph {
    /// An empty graph by its short name, with the prefixes that its names are written with.
    pub(super) fn new(name: &'static str, prefixes: &[Prefix]) -> Self {
        Self {
            name,
            prefixes: std::iter::once(KG_PREFIX)
                .chain(prefixes.iter().copied())
                .collect(),
            subjects: BTreeMap::new(),
        }
    }

    /// The graph's IRI.
    pub(super) fn iri(&self) -> String {
        format!("{KG}{}", self.name)
    }

    /// Adds a triple between two resources.
    pub(super) fn link(&mut self, subject: &str, predicate: &str, object: &str) {
        self.add(subject, predicate, Object::Iri(object.to_owned()));
    }

    /// Adds a triple whose object is a plain text.
    pub(super) fn text(&mut self, subject: &str, predicate: &str, text: &str) {
        self.add(subject, predicate, Object::Text(text.to_owned()));
    }

    /// Says what class the subject belongs to.
    pub(super) fn class(&mut self, subject: &str, class: &str) {
        self.link(subject, RDF_TYPE, class);
    }

    fn add(&mut self, subject: &str, predicate: &str, object: Object) {
        self.subjects
            .entry(subject.to_owned())
            .or_default()
            .entry(predicate.to_owned())
            .or_default()
            .insert(object);
    }

    /// The number of triples.
    pub(super) fn len(&self) -> usize {
        let predicates = self.subjects.values().flat_map(BTreeMap::values);
        predicates.map(BTreeSet::len).sum()
    }

    /// The shortest way to write an IRI: by the prefix that covers most of it, if what is left is a plain local name.
    fn name_of<'a>(&'a self, iri: &'a str) -> Name<'a> {
        let covered = self
            .prefixes
            .iter()
            .filter_map(|(prefix, start)| Some((*prefix, iri.strip_prefix(start)?)))
            .min_by_key(|(_, local)| local.len());
        match covered {
            Some((prefix, local)) if is_plain_local(local) => Name::Prefixed(prefix, local),
            _ => Name::Whole(iri),
        }
    }
}

enum Name<'a> {
    Prefixed(&'a str, &'a str),
    Whole(&'a str),
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prefixed(prefix, local) => write!(f, "{prefix}:{local}"),
            Self::Whole(RDF_TYPE) => f.write_str("a"),
            Self::Whole(iri) => write!(f, "<{iri}>"),
        }
    }
}

/// Letters, digits, `_` and inner `-`: the part of `TriG`'s local names that needs no escape.
fn is_plain_local(local: &str) -> bool {
    !local.is_empty()
        && !local.starts_with('-')
        && local
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# Made by `cargo xtask snapshot`; README.md beside this file says from what, and what in it is made up."
        )?;
        for (prefix, start) in &self.prefixes {
            writeln!(f, "PREFIX {prefix}: <{start}>")?;
        }
        writeln!(f, "GRAPH {} {{", self.name_of(&self.iri()))?;
        self.write_body(f)?;
        f.write_str("}\n")
    }
}

impl Graph {
    fn write_body(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (subject, predicates) in &self.subjects {
            write!(f, "{}", self.name_of(subject))?;
            let mut separator = " ";
            for (predicate, objects) in predicates {
                write!(f, "{separator}{} ", self.name_of(predicate))?;
                separator = ";";
                for (index, object) in objects.iter().enumerate() {
                    if index > 0 {
                        f.write_char(',')?;
                    }
                    match object {
                        Object::Iri(iri) => write!(f, "{}", self.name_of(iri))?,
                        Object::Text(text) => write_text(f, text)?,
                    }
                }
            }
            f.write_str(" .\n")?;
        }
        Ok(())
    }
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            other => f.write_char(other)?,
        }
    }
    f.write_char('"')
}

/// Compresses without a time or a file name, so that the same text gives the same bytes.
pub(super) fn gzip(text: &str) -> anyhow::Result<Vec<u8>> {
    let mut encoder = GzBuilder::new()
        .mtime(0)
        .write(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes())?;
    Ok(encoder.finish()?)
}

#[cfg(test)]
mod tests {
    use super::{Graph, LABEL, gzip};

    #[test]
    fn a_graph_is_sorted_prefixed_and_escaped() {
        let mut graph = Graph::new(
            "nde",
            &[
                ("x", "http://e/x#"),
                super::SCHEMA_PREFIX,
                super::RDFS_PREFIX,
            ],
        );
        graph.text("http://e/x#2", LABEL, "a \"b\" \\ c");
        graph.class("http://e/x#1", "http://schema.org/Dataset");
        graph.link(
            "http://e/x#1",
            "http://schema.org/healthCondition",
            "http://e/x#a.b",
        );
        graph.link(
            "http://e/x#1",
            "http://schema.org/healthCondition",
            "http://e/x#3",
        );
        graph.link(
            "http://e/x#1",
            "http://schema.org/healthCondition",
            "http://e/x#3",
        );
        let text = graph.to_string();
        let body: Vec<&str> = text
            .lines()
            .skip_while(|line| !line.starts_with("GRAPH"))
            .collect();
        assert_eq!(
            body,
            [
                "GRAPH kg:nde {",
                "x:1 s:healthCondition x:3,<http://e/x#a.b>;a s:Dataset .",
                "x:2 rdfs:label \"a \\\"b\\\" \\\\ c\" .",
                "}"
            ]
        );
        assert_eq!(graph.len(), 4);
        assert_eq!(gzip(&text).unwrap(), gzip(&text).unwrap());
    }
}
