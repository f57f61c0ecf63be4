//! The hierarchy patterns of a key.

use crate::constants::Constants;
use crate::hierarchy::Descent;
use record::{Node, Place, walk};
use serde::{Deserialize, Serialize};
use spargebra::Query;
use spargebra::algebra::GraphPattern;
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

/// A pattern that ties a variable to a term and everything below it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Closure {
    /// The IRI of the term at the top.
    pub root: String,
    /// The variable that ranges over the closure, without `?`. Where a longer path leads from a variable into the
    /// hierarchy, that variable.
    pub variable: String,
    /// The named graph in which the hierarchy is walked, where one is given.
    pub graph: Option<String>,
}

/// The closures that a query walks down to: `rdfs:subClassOf*` or `+`, inverted or as a part of a longer path, from an
/// IRI that stands in the pattern or that VALUES, BIND or `=` gives to a variable.
///
/// A pattern with several roots counts once for each.
///
/// ```
/// use control::closure_of;
/// use spargebra::SparqlParser;
///
/// let query = SparqlParser::new().parse_query(
///     "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
///      SELECT ?c { VALUES ?root { <http://e/heart> } GRAPH <http://e/g> { ?root ^rdfs:subClassOf+ ?c } }",
/// ).unwrap();
/// let closures = closure_of(&query);
/// assert_eq!(closures.len(), 1);
/// assert_eq!(closures[0].root, "http://e/heart");
/// assert_eq!(closures[0].variable, "c");
/// assert_eq!(closures[0].graph.as_deref(), Some("http://e/g"));
/// ```
pub fn closure_of(query: &Query) -> Vec<Closure> {
    let constants = Constants::of(query);
    let triples = triples_of(query);
    let mut closures = Vec::new();
    walk(query, &mut |node, place| {
        let Node::Pattern(GraphPattern::Path {
            subject,
            path,
            object,
        }) = node
        else {
            return;
        };
        let Some(descent) = Descent::of_path(subject, path, object) else {
            return;
        };
        let Some(variable) = variable_of(descent.lower, &triples) else {
            return;
        };
        for root in constants.of_term(descent.upper) {
            closures.push(Closure {
                root: root.to_owned(),
                variable: variable.to_owned(),
                graph: graph_of(place),
            });
        }
    });
    closures
}

fn triples_of(query: &Query) -> Vec<&TriplePattern> {
    let mut triples = Vec::new();
    walk(query, &mut |node, _| {
        if let Node::Pattern(GraphPattern::Bgp { patterns }) = node {
            triples.extend(patterns);
        }
    });
    triples
}

/// The variable at a pattern's end. A path such as `a/b*` is parsed into two patterns that meet in a blank node; the
/// variable is then on the other side of that node.
fn variable_of<'q>(end: &'q TermPattern, triples: &[&'q TriplePattern]) -> Option<&'q str> {
    match end {
        TermPattern::Variable(variable) => Some(variable.as_str()),
        TermPattern::BlankNode(_) => triples.iter().find_map(|triple| {
            let other = if triple.object == *end {
                &triple.subject
            } else if triple.subject == *end {
                &triple.object
            } else {
                return None;
            };
            match other {
                TermPattern::Variable(variable) => Some(variable.as_str()),
                _ => None,
            }
        }),
        _ => None,
    }
}

fn graph_of(place: Place<'_>) -> Option<String> {
    match place.graph? {
        NamedNodePattern::NamedNode(node) => Some(node.as_str().to_owned()),
        NamedNodePattern::Variable(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spargebra::SparqlParser;

    fn check(pattern: &str, expected: &[(&str, &str)]) {
        let text = format!(
            "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX e: <http://e/> SELECT * {{ {pattern} }}"
        );
        let query = SparqlParser::new().parse_query(&text).unwrap();
        let closures = closure_of(&query);
        let found: Vec<_> = closures
            .iter()
            .map(|closure| (closure.variable.as_str(), closure.root.as_str()))
            .collect();
        assert_eq!(found, expected, "{pattern}");
    }

    #[test]
    fn every_spelling_of_a_closure() {
        let one = &[("c", "http://e/r")][..];
        for pattern in [
            "?c rdfs:subClassOf* e:r",
            "?c rdfs:subClassOf+ e:r",
            "e:r ^rdfs:subClassOf* ?c",
            "e:r (^rdfs:subClassOf)+ ?c",
            "?c rdfs:subClassOf/rdfs:subClassOf* e:r",
            "?c (rdfs:subClassOf|e:partOf)* e:r",
            "VALUES ?r { e:r } ?c rdfs:subClassOf* ?r",
            "BIND(e:r AS ?r) ?c rdfs:subClassOf* ?r",
            "?c rdfs:subClassOf* ?r FILTER(?r = e:r)",
            "?c rdfs:subClassOf* e:r FILTER(?c != e:r)",
            "SERVICE e:s { ?c rdfs:subClassOf* e:r }",
            "{ SELECT ?c { ?c rdfs:subClassOf* e:r } }",
            "?c ?p ?o FILTER EXISTS { ?c rdfs:subClassOf* e:r }",
            "?c e:about/rdfs:subClassOf* e:r",
        ] {
            check(pattern, one);
        }
    }

    #[test]
    fn what_is_no_closure_below_a_term() {
        for pattern in [
            "e:r rdfs:subClassOf* ?c",
            "?c rdfs:subClassOf e:r",
            "?c e:partOf* e:r",
            "?c rdfs:subClassOf* ?r",
            "e:a rdfs:subClassOf* e:r",
        ] {
            check(pattern, &[]);
        }
    }

    #[test]
    fn each_root_counts() {
        check(
            "VALUES ?r { e:r e:s } ?c rdfs:subClassOf* ?r",
            &[("c", "http://e/r"), ("c", "http://e/s")],
        );
    }
}
