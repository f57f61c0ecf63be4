//! From OBO's identifiers to IRIs.

use super::clause::unescaped;
use crate::vocabulary::OBO;
use rustc_hash::FxHashMap;

/// Prefixes that the format knows without a declaration.
const KNOWN: [(&str, &str); 6] = [
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("oboInOwl", "http://www.geneontology.org/formats/oboInOwl#"),
];

/// Stands for the name of an ontology that gives itself none.
const UNNAMED: &str = "unnamed";

/// How the identifiers of one file become IRIs.
#[derive(Clone, Default)]
pub(crate) struct Ids {
    /// From `idspace`.
    spaces: FxHashMap<String, String>,
    /// From `ontology`.
    ontology: String,
    /// A relation without a prefix, and the identifier that its stanza gives as `xref`.
    shorthands: FxHashMap<String, String>,
}

impl Ids {
    pub(crate) fn set_space(&mut self, prefix: &str, iri: &str) {
        self.spaces.insert(prefix.to_owned(), iri.to_owned());
    }

    pub(crate) fn set_ontology(&mut self, name: &str) {
        name.clone_into(&mut self.ontology);
    }

    pub(crate) fn set_shorthand(&mut self, id: &str, xref: &str) {
        // The first one counts; a relation has one.
        if !id.contains(':') && is_canonical(xref) {
            self.shorthands
                .entry(id.to_owned())
                .or_insert_with(|| xref.to_owned());
        }
    }

    /// The IRI of an identifier as it is written in the file.
    pub(crate) fn iri(&self, written: &str) -> String {
        let id = unescaped(written);
        let id = self.shorthands.get(&id).unwrap_or(&id);
        if id.contains("://") || id.starts_with("urn:") || id.starts_with("mailto:") {
            return id.clone();
        }
        let Some((prefix, local)) = id.split_once(':') else {
            let ontology = if self.ontology.is_empty() {
                UNNAMED
            } else {
                &self.ontology
            };
            return format!("{OBO}{ontology}#{id}");
        };
        if let Some(space) = self.spaces.get(prefix) {
            return format!("{space}{local}");
        }
        let known = KNOWN.iter().find(|(known, _)| *known == prefix);
        match known {
            Some((_, space)) => format!("{space}{local}"),
            None if is_canonical(id) => format!("{OBO}{prefix}_{local}"),
            None => format!("{OBO}{prefix}#_{local}"),
        }
    }
}

/// Whether an identifier is a prefix and digits, such as `HP:0000001`.
fn is_canonical(id: &str) -> bool {
    id.split_once(':').is_some_and(|(prefix, local)| {
        !prefix.is_empty()
            && prefix
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
            && !local.is_empty()
            && local.chars().all(|c| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        let mut ids = Ids::default();
        ids.set_ontology("hp");
        ids.set_space("dc", "http://purl.org/dc/elements/1.1/");
        ids.set_shorthand("part_of", "BFO:0000050");
        ids.set_shorthand("part_of", "RO:1");
        ids.set_shorthand("uses", "not an identifier");
        for (id, iri) in [
            ("HP:0000001", "http://purl.obolibrary.org/obo/HP_0000001"),
            ("part_of", "http://purl.obolibrary.org/obo/BFO_0000050"),
            ("uses", "http://purl.obolibrary.org/obo/hp#uses"),
            ("dc:title", "http://purl.org/dc/elements/1.1/title"),
            ("owl:Thing", "http://www.w3.org/2002/07/owl#Thing"),
            ("X:foo", "http://purl.obolibrary.org/obo/X#_foo"),
            ("http\\://e/a", "http://e/a"),
            ("https://e/a:b", "https://e/a:b"),
        ] {
            assert_eq!(ids.iri(id), iri);
        }
    }
}
