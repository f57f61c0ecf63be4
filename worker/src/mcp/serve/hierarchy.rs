//! The ontologies' hierarchy, asked of the endpoint level by level and remembered.
//!
//! One query a level, on the superclass: an index answers that, where neither a join chain for each depth nor an unbounded
//! path stays within a public endpoint's limits.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oxrdf::Literal;
use sweep::ResultKind;
use table::Cell;

use super::known::ONTOLOGIES;
use crate::endpoint::{Endpoint, EndpointError};

/// How many superclasses one query asks for.
const AT_ONCE: usize = 1000;

/// A class below another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Descendant {
    pub(super) iri: String,
    pub(super) label: Option<String>,
    /// Levels between the two, by the shortest way.
    pub(super) distance: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Child {
    iri: String,
    label: Option<String>,
}

/// Asks for classes and remembers what is directly below which.
pub(super) struct Hierarchy {
    endpoint: Arc<Endpoint>,
    children: Mutex<BTreeMap<String, Vec<Child>>>,
}

impl Hierarchy {
    pub(super) fn new(endpoint: Arc<Endpoint>) -> Self {
        Self {
            endpoint,
            children: Mutex::default(),
        }
    }

    /// The classes at most `max_depth` levels below each root, nearest first, at most `most` for each; never the root.
    pub(super) async fn below(
        &self,
        roots: &BTreeSet<String>,
        max_depth: u32,
        most: usize,
    ) -> Result<BTreeMap<String, Vec<Descendant>>, EndpointError> {
        let mut found: BTreeMap<String, Vec<Descendant>> = BTreeMap::new();
        let mut seen: BTreeMap<&String, BTreeSet<String>> = BTreeMap::new();
        let mut frontier: BTreeMap<&String, BTreeSet<String>> = BTreeMap::new();
        for root in roots {
            found.insert(root.clone(), Vec::new());
            seen.insert(root, BTreeSet::from([root.clone()]));
            frontier.insert(root, BTreeSet::from([root.clone()]));
        }
        for distance in 1..=max_depth {
            let unknown: BTreeSet<String> = {
                let children = self.remembered();
                let all = frontier.values().flatten();
                all.filter(|iri| !children.contains_key(*iri))
                    .cloned()
                    .collect()
            };
            let asked = self.children_of(unknown).await?;
            let mut children = self.remembered();
            children.extend(asked);
            for (root, level) in &mut frontier {
                let mut next: BTreeMap<String, Option<String>> = BTreeMap::new();
                for child in level.iter().filter_map(|iri| children.get(iri)).flatten() {
                    let new = seen
                        .get_mut(*root)
                        .is_some_and(|seen| seen.insert(child.iri.clone()));
                    if new {
                        next.insert(child.iri.clone(), child.label.clone());
                    }
                }
                *level = next.keys().cloned().collect();
                if let Some(found) = found.get_mut(*root) {
                    found.extend(next.into_iter().map(|(iri, label)| Descendant {
                        iri,
                        label,
                        distance,
                    }));
                }
            }
            drop(children);
            frontier.retain(|_, level| !level.is_empty());
            if frontier.is_empty() {
                break;
            }
        }
        for descendants in found.values_mut() {
            descendants.truncate(most);
        }
        Ok(found)
    }

    /// What is directly below each class; an entry for each, so that leaves are remembered too.
    async fn children_of(
        &self,
        parents: BTreeSet<String>,
    ) -> Result<BTreeMap<String, Vec<Child>>, EndpointError> {
        let mut found: BTreeMap<String, Vec<Child>> = BTreeMap::new();
        let parents: Vec<String> = parents.into_iter().collect();
        for some in parents.chunks(AT_ONCE) {
            let values: String = some.iter().flat_map(|iri| ["<", iri, "> "]).collect();
            let query = format!(
                "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n\
                 SELECT ?parent ?class (SAMPLE(?name) AS ?label) FROM <{ONTOLOGIES}>\n\
                 WHERE {{ VALUES ?parent {{ {values}}} ?class rdfs:subClassOf ?parent .\n\
                 OPTIONAL {{ ?class rdfs:label ?name }} }}\n\
                 GROUP BY ?parent ?class"
            );
            for parent in some {
                found.entry(parent.clone()).or_default();
            }
            let answer = self.endpoint.query(&query).await?;
            for row in answer.table.rows() {
                // A class expression has no IRI, and is no term.
                if let [Cell::Iri(parent), Cell::Iri(class), label] = row {
                    found.entry(parent.to_string()).or_default().push(Child {
                        iri: class.to_string(),
                        label: text(label),
                    });
                }
            }
        }
        Ok(found)
    }

    /// What has been asked already; never held while waiting for an answer.
    fn remembered(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Child>>> {
        self.children.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A class's label.
    pub(super) async fn label(&self, iri: &str) -> Result<Option<String>, EndpointError> {
        let query = format!(
            "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n\
             SELECT ?label FROM <{ONTOLOGIES}> WHERE {{ <{iri}> rdfs:label ?label }} ORDER BY ?label LIMIT 1"
        );
        let answer = self.endpoint.query(&query).await?;
        Ok(answer
            .table
            .rows()
            .next()
            .and_then(|row| text(row.first()?)))
    }

    /// The classes of that name, whatever its case: IRI, name, and whether it is a label or a synonym.
    pub(super) async fn named(
        &self,
        name: &str,
        most: usize,
    ) -> Result<Vec<(String, String, String)>, EndpointError> {
        let test = if self.endpoint.provenance().kind == ResultKind::Reconstruction {
            let lower = Literal::new_simple_literal(name.trim().to_lowercase());
            format!("FILTER(LCASE(STR(?name)) = {lower})")
        } else {
            // No index knows lower case: a large endpoint is asked for the spellings that there can be.
            format!("VALUES ?name {{ {} }}", spellings(name.trim()).join(" "))
        };
        let query = format!(
            "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n\
             PREFIX oio: <http://www.geneontology.org/formats/oboInOwl#>\n\
             SELECT DISTINCT ?class ?name ?kind FROM <{ONTOLOGIES}> WHERE {{\n\
             {{ ?class rdfs:label ?name . {test} BIND(\"exact_label\" AS ?kind) }}\n\
             UNION {{ ?class oio:hasExactSynonym ?name . {test} BIND(\"exact_synonym\" AS ?kind) }}\n\
             }} ORDER BY ?kind ?class LIMIT {most}"
        );
        let answer = self.endpoint.query(&query).await?;
        let rows = answer.table.rows().filter_map(|row| match row {
            [Cell::Iri(class), name, kind] => {
                Some((class.to_string(), name.to_string(), kind.to_string()))
            }
            _ => None,
        });
        Ok(rows.collect())
    }
}

/// The ways in which labels are written, as SPARQL literals, with and without a language.
fn spellings(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    let ways = BTreeSet::from([
        name.to_owned(),
        capitalised(&lower),
        lower
            .split(' ')
            .map(capitalised)
            .collect::<Vec<_>>()
            .join(" "),
        name.to_uppercase(),
        lower,
    ]);
    ways.into_iter()
        .map(|way| Literal::new_simple_literal(way).to_string())
        .flat_map(|way| [format!("{way}@en"), way])
        .collect()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

fn text(cell: &Cell) -> Option<String> {
    (!cell.is_missing()).then(|| cell.to_string())
}

#[cfg(test)]
mod tests {
    use super::spellings;

    #[test]
    fn a_large_endpoint_is_asked_for_the_spellings_that_labels_have() {
        let found = spellings("sjogren Syndrome");
        for spelling in [
            "\"Sjogren syndrome\"",
            "\"sjogren syndrome\"@en",
            "\"Sjogren Syndrome\"",
            "\"sjogren Syndrome\"",
        ] {
            assert!(
                found.iter().any(|one| one == spelling),
                "{spelling} in {found:?}"
            );
        }
        assert_eq!(
            spellings("a\"b").last().map(String::as_str),
            Some("\"a\\\"b\"")
        );
    }
}
