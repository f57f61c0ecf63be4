//! Keywords taken from what an ontology calls a term.

use table::{Cell, Table};

use crate::taxonomy::within;

/// Words that say what kind of thing a term is, or nothing: a test for one of them finds half of its ontology.
const GENERIC: [&str; 46] = [
    "a",
    "abnormal",
    "abnormalities",
    "abnormality",
    "activity",
    "adult",
    "an",
    "and",
    "as",
    "by",
    "cell",
    "cellular",
    "condition",
    "conditions",
    "congenital",
    "disease",
    "diseases",
    "disorder",
    "disorders",
    "due",
    "familial",
    "feature",
    "finding",
    "from",
    "functional",
    "general",
    "hereditary",
    "human",
    "in",
    "inherited",
    "involving",
    "morphology",
    "of",
    "on",
    "or",
    "organ",
    "other",
    "process",
    "rare",
    "regulation",
    "syndrome",
    "system",
    "the",
    "to",
    "type",
    "with",
];

/// The telling words of a term's label and synonyms, in lower case and in the order of their first use.
///
/// A word that contains another is left out: the shorter one finds whatever the longer one would.
///
/// ```
/// use control::keywords_of;
///
/// assert_eq!(keywords_of(&["cardiovascular disorder", "disease of the vascular system"]), ["vascular"]);
/// assert_eq!(keywords_of(&["Abnormality of the nervous system"]), ["nervous"]);
/// assert!(keywords_of(&["disease"]).is_empty());
/// ```
pub fn keywords_of<S: AsRef<str>>(names: &[S]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for name in names {
        let lower = name.as_ref().to_lowercase();
        for word in lower.split(|c: char| !(c.is_alphanumeric() || c == '-')) {
            let telling = word.chars().count() > 2 && !GENERIC.contains(&word);
            if telling && !words.iter().any(|known| known == word) {
                words.push(word.to_owned());
            }
        }
    }
    let all = words.clone();
    words.retain(|word| {
        !all.iter()
            .any(|other| other != word && word.contains(other.as_str()))
    });
    words
}

/// The SPARQL that fetches a term's label and synonyms, from a named graph where one is given; see [`names_in`].
pub fn names_query(graph: Option<&str>, term: &str) -> String {
    let body = within(
        graph,
        &format!(
            "VALUES ?property {{ rdfs:label skos:prefLabel skos:altLabel oio:hasExactSynonym }}\n    <{term}> ?property ?name ."
        ),
    );
    format!(
        "PREFIX oio: <http://www.geneontology.org/formats/oboInOwl#>\n\
         PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n\
         PREFIX skos: <http://www.w3.org/2004/02/skos/core#>\n\
         SELECT DISTINCT ?name WHERE {{\n  {body}\n}}\nORDER BY ?name"
    )
}

/// The texts of a table's first column.
pub fn names_in(table: &Table) -> Vec<String> {
    table
        .rows()
        .filter_map(|row| match row.first() {
            Some(Cell::Text(text)) => Some(text.to_string()),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use spargebra::SparqlParser;

    #[test]
    fn words_that_tell() {
        let cases: [(&[&str], &[&str]); 4] = [
            (&["hormone secretion"], &["hormone", "secretion"]),
            (&["metabolic disease", "Disease, Metabolic"], &["metabolic"]),
            (&["X-linked disease"], &["x-linked"]),
            (&["", "   ", "of the"], &[]),
        ];
        for (names, expected) in cases {
            assert_eq!(keywords_of(names), expected, "{names:?}");
        }
        assert!(
            GENERIC.is_sorted_by(|a, b| a < b),
            "in order and without doublets"
        );
    }

    #[test]
    fn the_query_is_sparql() {
        for graph in [None, Some("http://e/g")] {
            let query = names_query(graph, "http://e/t");
            SparqlParser::new().parse_query(&query).unwrap();
        }
    }
}
