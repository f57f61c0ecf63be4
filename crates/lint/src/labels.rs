//! What IRIs are called.

use crate::shape::{Value, constants};
use serde::{Deserialize, Serialize};
use spargebra::Query;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use thiserror::Error;

/// What an IRI is called.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct Names {
    /// Its label, or labels.
    pub labels: BTreeSet<String>,
    /// Its exact synonyms.
    pub synonyms: BTreeSet<String>,
}

/// Labels and exact synonyms by IRI.
///
/// ```
/// let labels = lint::Labels::from_tsv(
///     "# iri\ttext\tkind\n\
///      http://purl.obolibrary.org/obo/MONDO_0004995\tcardiovascular disorder\n\
///      http://purl.obolibrary.org/obo/MONDO_0004995\tcardiovascular disease\tsynonym\n",
/// )?;
/// let names = labels.get("http://purl.obolibrary.org/obo/MONDO_0004995").unwrap();
/// assert!(names.synonyms.contains("cardiovascular disease"));
/// # Ok::<_, lint::LabelsError>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Labels(BTreeMap<String, Names>);

/// A label file that cannot be read.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum LabelsError {
    /// A line without an IRI and a text.
    #[error("expected an IRI, a tab and a text, found `{found}`")]
    NotALabel {
        /// Line of the file, from 1.
        line: usize,
        /// The line.
        found: String,
    },
    /// A third field that is neither `label` nor `synonym`.
    #[error("the third field is `label` or `synonym`, found `{found}`")]
    UnknownKind {
        /// Line of the file, from 1.
        line: usize,
        /// The field.
        found: String,
    },
}

impl LabelsError {
    /// The line of the file, from 1.
    pub fn line(&self) -> usize {
        match self {
            Self::NotALabel { line, .. } | Self::UnknownKind { line, .. } => *line,
        }
    }
}

impl Labels {
    /// Reads lines of `IRI<TAB>text[<TAB>label|synonym]`; blank lines and lines that start with `#` do not count.
    pub fn from_tsv(text: &str) -> Result<Self, LabelsError> {
        let mut labels = Self::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim_end_matches('\r');
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let mut fields = line.split('\t').map(str::trim);
            let (Some(iri), Some(text)) = (fields.next(), fields.next()) else {
                return Err(LabelsError::NotALabel {
                    line: index + 1,
                    found: line.to_owned(),
                });
            };
            let synonym = match fields.next() {
                None | Some("" | "label") => false,
                Some("synonym") => true,
                Some(other) => {
                    return Err(LabelsError::UnknownKind {
                        line: index + 1,
                        found: other.to_owned(),
                    });
                }
            };
            labels.add(iri, text, synonym);
        }
        Ok(labels)
    }

    /// Adds a label, or an exact synonym, of an IRI.
    pub fn add(&mut self, iri: &str, text: &str, synonym: bool) {
        let iri = iri.trim_start_matches('<').trim_end_matches('>');
        let names = self.0.entry(iri.to_owned()).or_default();
        if synonym {
            names.synonyms.insert(text.to_owned());
        } else {
            names.labels.insert(text.to_owned());
        }
    }

    /// What an IRI is called, if that is known.
    pub fn get(&self, iri: &str) -> Option<&Names> {
        self.0.get(iri)
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Names {
    /// Labels first, then synonyms.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.labels.iter().chain(&self.synonyms).map(String::as_str)
    }

    /// The name to use in a message.
    pub fn preferred(&self) -> Option<&str> {
        self.all().next()
    }
}

/// The IRIs of a key whose labels the rules would compare with the prose.
pub fn labels_wanted(query: &Query) -> BTreeSet<String> {
    constants(query)
        .into_iter()
        .filter_map(|constant| match constant.value {
            Value::Iri(iri) => Some(iri),
            _ => None,
        })
        .collect()
}

/// The SPARQL that fetches labels and exact synonyms: columns `iri`, `text` and `kind`, which is `label` or `synonym`.
///
/// Named graphs and the default graph are both asked, because endpoints differ in whether the default graph is the union
/// of the others.
pub fn labels_query(iris: &BTreeSet<String>) -> String {
    let mut query = String::from("SELECT DISTINCT ?iri ?text ?kind WHERE {\n  VALUES ?iri {");
    for iri in iris {
        // Writing to a String cannot fail.
        let _ = write!(query, " <{iri}>");
    }
    query.push_str(
        " }\n  VALUES (?predicate ?kind) {\n    \
         (<http://www.w3.org/2000/01/rdf-schema#label> \"label\")\n    \
         (<http://www.w3.org/2004/02/skos/core#prefLabel> \"label\")\n    \
         (<http://schema.org/name> \"label\")\n    \
         (<http://www.geneontology.org/formats/oboInOwl#hasExactSynonym> \"synonym\")\n    \
         (<http://www.w3.org/2004/02/skos/core#altLabel> \"synonym\")\n  }\n  \
         { ?iri ?predicate ?text } UNION { GRAPH ?graph { ?iri ?predicate ?text } }\n}",
    );
    query
}
