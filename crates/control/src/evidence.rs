//! How a query chose its terms.

use crate::constants::Constants;
use crate::hierarchy::Descent;
use record::{Node, walk};
use serde::{Deserialize, Serialize};
use spargebra::Query;
use spargebra::algebra::{Expression, Function, GraphPattern};
use spargebra::term::NamedNodePattern;
use std::collections::BTreeSet;
use std::fmt;

/// A means by which the terms of an answer were chosen.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// `rdfs:subClassOf` walked down, by a property path or one step at a time.
    PropertyPath,
    /// A tool call that asks for a term's descendants. Not seen in a query.
    DescendantsTool,
    /// The server expanded the term by itself, which is not the agent's doing. Not seen in a query.
    ServerRewrite,
    /// A list of terms that a tool call for descendants had brought back. Not seen in a query.
    ListedDescendants,
    /// A list of terms of the root's ontology, by nobody's word but the agent's own.
    EnumeratedTerms,
    /// A test on a name, such as CONTAINS or REGEX.
    NameTest,
    /// The root itself, asked for as data rather than looked up or expanded.
    LiteralTerm,
    /// None of these. Never in a set beside another; [`evidence`] returns an empty set instead.
    None,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PropertyPath => "property-path",
            Self::DescendantsTool => "descendants-tool",
            Self::ServerRewrite => "server-rewrite",
            Self::ListedDescendants => "listed-descendants",
            Self::EnumeratedTerms => "enumerated-terms",
            Self::NameTest => "name-test",
            Self::LiteralTerm => "literal-term",
            Self::None => "none",
        })
    }
}

/// Predicates that look a term up instead of asking for data about it.
const LOOK_UPS: [&str; 6] = [
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2000/01/rdf-schema#subClassOf",
    "http://www.w3.org/2000/01/rdf-schema#isDefinedBy",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://purl.obolibrary.org/obo/IAO_0000115",
];

/// How a query chooses terms around a root.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Means {
    /// Every means that it uses; empty where it uses none.
    pub evidence: BTreeSet<Evidence>,
    /// The terms of the root's ontology that it lists, the root itself left out; empty without
    /// [`Evidence::EnumeratedTerms`].
    pub listed: BTreeSet<String>,
}

/// Every means that a query uses to choose terms around `root`; empty where it uses none.
///
/// ```
/// use control::{Evidence, evidence};
/// use spargebra::SparqlParser;
///
/// let query = SparqlParser::new()
///     .parse_query("SELECT ?d { ?d <http://schema.org/healthCondition> <http://e/MONDO_1> }")
///     .unwrap();
/// assert!(evidence(&query, "http://e/MONDO_1").contains(&Evidence::LiteralTerm));
/// ```
pub fn evidence(query: &Query, root: &str) -> BTreeSet<Evidence> {
    means(query, root).evidence
}

/// The same, with the terms that the query lists, so that one can look where they are from.
///
/// ```
/// use control::{Evidence, means};
/// use spargebra::SparqlParser;
///
/// let query = SparqlParser::new()
///     .parse_query("SELECT ?d { VALUES ?c { <http://e/MONDO_1> <http://e/MONDO_2> <http://e/MONDO_3> } ?d <http://e/about> ?c }")
///     .unwrap();
/// let means = means(&query, "http://e/MONDO_1");
/// assert!(means.evidence.contains(&Evidence::EnumeratedTerms));
/// assert_eq!(Vec::from_iter(means.listed), ["http://e/MONDO_2", "http://e/MONDO_3"]);
/// ```
pub fn means(query: &Query, root: &str) -> Means {
    let constants = Constants::of(query);
    let family = family_of(root);
    let mut found = BTreeSet::new();
    // Terms of the root's ontology that stand in triples, where no list holds them together.
    let mut terms = BTreeSet::new();
    walk(query, &mut |node, _| match node {
        Node::Pattern(GraphPattern::Path {
            subject,
            path,
            object,
        }) => {
            if let Some(descent) = Descent::of_path(subject, path, object) {
                // From a known term upwards, a query looks at ancestors.
                if constants.of_term(descent.lower).is_empty() {
                    found.insert(Evidence::PropertyPath);
                }
            } else if [subject, object]
                .iter()
                .any(|end| constants.of_term(end).contains(root))
            {
                found.insert(Evidence::LiteralTerm);
            }
        }
        Node::Pattern(GraphPattern::Bgp { patterns }) => {
            for triple in patterns {
                let subject = constants.of_term(&triple.subject);
                let object = constants.of_term(&triple.object);
                if Descent::of_triple(triple).is_some()
                    && subject.is_empty()
                    && object.contains(root)
                {
                    found.insert(Evidence::PropertyPath);
                    continue;
                }
                if is_look_up(&triple.predicate) {
                    continue;
                }
                if subject.contains(root) || object.contains(root) {
                    found.insert(Evidence::LiteralTerm);
                }
                terms.extend(subject.into_iter().chain(object));
            }
        }
        Node::Expression(expression) if is_name_test(expression) => {
            found.insert(Evidence::NameTest);
        }
        _ => {}
    });
    let of_family = |set: &BTreeSet<&'_ str>| -> Vec<String> {
        let family = set.iter().filter(|iri| iri.starts_with(family));
        family.map(|iri| (*iri).to_owned()).collect()
    };
    let mut listed = BTreeSet::new();
    for set in constants.sets() {
        let set = of_family(set);
        if set.len() > 1 {
            listed.extend(set);
        }
    }
    let mut apart = of_family(&terms);
    apart.retain(|iri| iri != root);
    if apart.len() > 1 {
        listed.extend(apart);
    }
    if !listed.is_empty() {
        found.insert(Evidence::EnumeratedTerms);
        listed.remove(root);
    }
    Means {
        evidence: found,
        listed,
    }
}

/// The part of an IRI that the terms of one ontology share.
fn family_of(root: &str) -> &str {
    let end = root
        .rfind(['_', '/', '#', ':'])
        .map_or(root.len(), |at| at + 1);
    &root[..end]
}

fn is_look_up(predicate: &NamedNodePattern) -> bool {
    matches!(predicate, NamedNodePattern::NamedNode(node) if LOOK_UPS.contains(&node.as_str()))
}

/// A string function that matches a part of its first argument against a text.
fn is_name_test(expression: &Expression) -> bool {
    let Expression::FunctionCall(function, arguments) = expression else {
        return false;
    };
    let matches_part = matches!(
        function,
        Function::Contains | Function::Regex | Function::StrStarts | Function::StrEnds
    );
    // The prefix of an IRI picks an ontology, not a name.
    let on_iri = matches!(
        arguments.first(),
        Some(Expression::FunctionCall(Function::Str, _))
    ) && matches!(arguments.get(1), Some(Expression::Literal(text)) if text.value().contains("://"));
    matches_part && !on_iri
}

#[cfg(test)]
mod tests {
    use super::*;
    use spargebra::SparqlParser;

    const ROOT: &str = "http://purl.obolibrary.org/obo/MONDO_0004995";

    fn check(pattern: &str, expected: &[Evidence]) {
        let text = format!(
            "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX e: <http://e/>
             PREFIX m: <http://purl.obolibrary.org/obo/MONDO_> SELECT * {{ {pattern} }}"
        );
        let query = SparqlParser::new().parse_query(&text).unwrap();
        let expected: BTreeSet<_> = expected.iter().copied().collect();
        assert_eq!(evidence(&query, ROOT), expected, "{pattern}");
    }

    #[test]
    fn means_one_by_one() {
        use Evidence::{EnumeratedTerms, LiteralTerm, NameTest, PropertyPath};
        let cases: &[(&str, &[Evidence])] = &[
            (
                "?c rdfs:subClassOf* m:0004995 . ?d e:about ?c",
                &[PropertyPath],
            ),
            (
                "VALUES ?r { m:0004995 } ?c rdfs:subClassOf+ ?r",
                &[PropertyPath],
            ),
            (
                "?c rdfs:subClassOf* ?r . ?r rdfs:label 'heart disease'",
                &[PropertyPath],
            ),
            ("?c rdfs:subClassOf m:0004995", &[PropertyPath]),
            ("m:0004995 rdfs:subClassOf ?parent", &[]),
            ("m:0004995 rdfs:subClassOf* ?parent", &[]),
            ("m:0004995 rdfs:label ?name", &[]),
            ("?d e:about m:0004995", &[LiteralTerm]),
            ("?d e:about ?c FILTER(?c = m:0004995)", &[LiteralTerm]),
            ("VALUES ?c { m:0004995 } ?d e:about ?c", &[LiteralTerm]),
            ("?d e:about/e:same m:0004995", &[LiteralTerm]),
            (
                "VALUES ?c { m:0004995 m:1 } ?d e:about ?c",
                &[LiteralTerm, EnumeratedTerms],
            ),
            ("?d e:about ?c FILTER(?c IN (m:1, m:2))", &[EnumeratedTerms]),
            (
                "{ ?d e:about m:1 } UNION { ?d e:about m:2 }",
                &[EnumeratedTerms],
            ),
            ("?d e:about m:1", &[]),
            ("VALUES ?g { e:a e:b } ?d e:about ?g", &[]),
            (
                "?c rdfs:label ?n FILTER(CONTAINS(LCASE(?n), 'cardio'))",
                &[NameTest],
            ),
            (
                "?c rdfs:label ?n FILTER(REGEX(?n, 'cardio', 'i') || false)",
                &[NameTest],
            ),
            (
                "?d e:about ?c FILTER(STRSTARTS(STR(?c), 'http://purl.obolibrary.org/obo/MONDO_'))",
                &[],
            ),
            ("?s ?p ?o", &[]),
        ];
        for (pattern, expected) in cases {
            check(pattern, expected);
        }
    }
}
