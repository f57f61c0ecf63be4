//! What the criteria are probed for: a key's closure, and how each of its two data graphs reaches it.

use record::{Node, columns_of, limit_of, order_of, walk};
use spargebra::algebra::{AggregateExpression, Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern, Variable};
use spargebra::{Query, SparqlParser};
use thiserror::Error;

use crate::derive::derived::DeriveError;
use crate::derive::name::NAMES;
use crate::derive::pattern::{Hierarchy, Position, placed_triples, the_hierarchy};
use crate::taxonomy::within;

/// Rows that a question asks for where its key has no LIMIT.
const USUAL_ROWS: usize = 15;

const TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

/// Predicates that say the same of two vocabularies' terms, or that one refers to the other.
pub(crate) const MAPPINGS: [&str; 8] = [
    "http://www.w3.org/2004/02/skos/core#exactMatch",
    "http://www.w3.org/2004/02/skos/core#closeMatch",
    "http://www.w3.org/2004/02/skos/core#broadMatch",
    "http://www.w3.org/2004/02/skos/core#narrowMatch",
    "http://www.w3.org/2004/02/skos/core#relatedMatch",
    "http://www.w3.org/2002/07/owl#sameAs",
    "http://www.w3.org/2002/07/owl#equivalentClass",
    "http://www.geneontology.org/formats/oboInOwl#hasDbXref",
];

/// Predicates that describe terms and carry no data.
pub(crate) const DESCRIPTIONS: [&str; 4] = [
    TYPE,
    "http://www.w3.org/2000/01/rdf-schema#subClassOf",
    "http://www.w3.org/2000/01/rdf-schema#isDefinedBy",
    "http://www.w3.org/2000/01/rdf-schema#seeAlso",
];

/// Why a query cannot be probed.
#[derive(Clone, Debug, Error, Eq, PartialEq)]
pub enum QuestionError {
    /// It does not walk one hierarchy.
    #[error(transparent)]
    Hierarchy(#[from] DeriveError),
    /// It does not join two graphs.
    #[error(
        "the query takes data from {found} graphs beside the hierarchy, and the criteria are about two"
    )]
    NotTwoGraphs {
        /// How many graphs have patterns of it.
        found: usize,
    },
    /// A graph's patterns have nothing to count or nothing to join on.
    #[error("the patterns in {graph} tie no data to what the query joins on")]
    NoLink {
        /// The graph.
        graph: String,
    },
    /// The root or a graph is not an IRI.
    #[error("`{text}` is not an IRI")]
    NotAnIri {
        /// What was given.
        text: String,
    },
}

/// A question to probe.
#[derive(Clone, Debug)]
pub struct Question {
    pub(crate) key: Query,
    pub(crate) hierarchy: Hierarchy,
    pub(crate) first: Link,
    pub(crate) second: Link,
    pub(crate) wanted: usize,
    pub(crate) order: Vec<(usize, bool)>,
}

/// How a data graph is tied to what the query joins on.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) position: Position,
    pub(crate) triples: Vec<TriplePattern>,
    pub(crate) tests: Vec<Expression>,
    /// The data: what the query counts, or whose existence it asks for.
    pub(crate) partner: Variable,
    /// What the query joins on: what ranges over the closure, or something the first graph ties to it.
    pub(crate) term: Variable,
}

impl Question {
    /// The question that a key answers: one hierarchy pattern, and two graphs with data.
    pub fn of_key(key: &Query) -> Result<Self, QuestionError> {
        let (key, hierarchy) = the_hierarchy(key)?;
        let mut groups: Vec<(Position, Vec<TriplePattern>)> = Vec::new();
        for (triple, position) in placed_triples(&key) {
            if position == hierarchy.position {
                continue;
            }
            match groups.iter_mut().find(|(known, _)| *known == position) {
                Some((_, triples)) => triples.push(triple.clone()),
                None => groups.push((position, vec![triple.clone()])),
            }
        }
        let found = groups.len();
        let Ok([first, second]) = <[_; 2]>::try_from(groups) else {
            return Err(QuestionError::NotTwoGraphs { found });
        };
        let counted = counted_in(&key);
        let first = Link::new(&key, first, hierarchy.variable.clone(), &counted)?;
        let term = if mentions(&second.1, &hierarchy.variable) {
            hierarchy.variable.clone()
        } else {
            let shared = variables_in(&second.1)
                .into_iter()
                .find(|variable| mentions(&first.triples, variable));
            shared.ok_or_else(|| no_link(&second.0))?
        };
        let second = Link::new(&key, second, term, &counted)?;
        let columns = columns_of(&key);
        let order = order_of(&key).into_iter().map_while(|by| {
            let column = by.column?;
            let place = columns.iter().position(|known| *known == column)?;
            Some((place, by.descending))
        });
        Ok(Self {
            order: order.collect(),
            wanted: limit_of(&key).unwrap_or(USUAL_ROWS),
            key,
            hierarchy,
            first,
            second,
        })
    }

    /// The question that a candidate would ask: of the classes below `root`, those with data in both graphs, by their
    /// number of data in the first; data are whatever points to a class by a predicate that is neither a mapping nor a
    /// description.
    ///
    /// ```
    /// use control::{Candidate, Question};
    ///
    /// let candidate = Candidate {
    ///     root: "http://purl.obolibrary.org/obo/MONDO_0004995",
    ///     hierarchy: "https://purl.org/okn/frink/kg/ubergraph",
    ///     first: "https://purl.org/okn/frink/kg/nde",
    ///     second: "https://purl.org/okn/frink/kg/oard-kg",
    /// };
    /// assert!(Question::of_candidate(&candidate).is_ok());
    /// ```
    pub fn of_candidate(candidate: &Candidate<'_>) -> Result<Self, QuestionError> {
        let Candidate {
            root,
            hierarchy,
            first,
            second,
        } = *candidate;
        for text in [root, hierarchy, first, second] {
            if spargebra::term::NamedNode::new(text).is_err() {
                return Err(QuestionError::NotAnIri {
                    text: text.to_owned(),
                });
            }
        }
        let link = |partner: &str, link: &str| {
            format!(
                "?{partner} ?{link} ?class . FILTER(isIRI(?{partner}) && {})",
                is_data(link)
            )
        };
        let text = format!(
            "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n\
             SELECT ?name ?class (COUNT(DISTINCT ?partner) AS ?partners) WHERE {{\n  \
               GRAPH <{hierarchy}> {{ ?class rdfs:subClassOf* <{root}> ; rdfs:label ?name . }}\n  \
               GRAPH <{first}> {{ {} }}\n  \
               {{ SELECT DISTINCT ?class WHERE {{ GRAPH <{second}> {{ {} }} }} }}\n\
             }}\nGROUP BY ?name ?class\nORDER BY DESC(?partners) ASC(?class)\nLIMIT {USUAL_ROWS}",
            link("partner", "link"),
            link("other", "otherLink"),
        );
        let key = SparqlParser::new()
            .parse_query(&text)
            .map_err(|_| QuestionError::NotAnIri {
                text: root.to_owned(),
            })?;
        Self::of_key(&key)
    }

    /// Whether the second graph joins on the classes themselves, not on something that the first graph ties to them.
    pub(crate) fn joins_on_classes(&self) -> bool {
        self.second.term == self.hierarchy.variable
    }

    /// The key that is probed.
    pub fn key(&self) -> &Query {
        &self.key
    }

    /// The term at the top of the closure.
    pub fn root(&self) -> &str {
        self.hierarchy
            .roots
            .first()
            .map_or("", |root| root.as_str())
    }

    /// The named graphs with data, in the key's order.
    pub fn graphs(&self) -> [Option<&str>; 2] {
        [&self.first, &self.second].map(|link| link.position.graph_iri())
    }
}

/// A category that might make a question.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Candidate<'a> {
    /// IRI of the category.
    pub root: &'a str,
    /// IRI of the named graph with the hierarchy and its labels.
    pub hierarchy: &'a str,
    /// IRI of the named graph whose data are counted.
    pub first: &'a str,
    /// IRI of the named graph that crosses it.
    pub second: &'a str,
}

/// A test that the predicate `?link` carries data.
pub(crate) fn is_data(link: &str) -> String {
    let excluded: Vec<_> = MAPPINGS
        .iter()
        .chain(&DESCRIPTIONS)
        .map(|iri| format!("<{iri}>"))
        .collect();
    format!("?{link} NOT IN ({})", excluded.join(", "))
}

impl Link {
    fn new(
        key: &Query,
        (position, triples): (Position, Vec<TriplePattern>),
        term: Variable,
        counted: &[Variable],
    ) -> Result<Self, QuestionError> {
        let partner = counted
            .iter()
            .find(|variable| mentions(&triples, variable))
            .cloned()
            .or_else(|| neighbour(&triples, &term))
            .filter(|_| mentions(&triples, &term))
            .ok_or_else(|| no_link(&position))?;
        let mut tests = Vec::new();
        walk(key, &mut |node, place| {
            if let Node::Pattern(GraphPattern::Filter { expr, .. }) = node
                && Position::from(place) == position
            {
                tests.push(expr.clone());
            }
        });
        Ok(Self {
            position,
            triples,
            tests,
            partner,
            term,
        })
    }

    /// The patterns as SPARQL, in their graph.
    pub(crate) fn text(&self) -> String {
        self.text_of(self.triples.iter())
    }

    pub(crate) fn text_of<'t>(&self, triples: impl Iterator<Item = &'t TriplePattern>) -> String {
        let triples = triples.map(|triple| format!("{triple} ."));
        let tests = self.tests.iter().map(|test| format!("FILTER({test})"));
        let body: Vec<_> = triples.chain(tests).collect();
        within(self.position.graph_iri(), &body.join("\n    "))
    }

    /// The type that the patterns give the data.
    pub(crate) fn stated_type(&self) -> Option<&str> {
        self.triples.iter().find_map(|triple| {
            let typed = is_variable(&triple.subject, &self.partner)
                && matches!(&triple.predicate, NamedNodePattern::NamedNode(node) if node.as_str() == TYPE);
            match &triple.object {
                TermPattern::NamedNode(class) if typed => Some(class.as_str()),
                _ => None,
            }
        })
    }

    /// Where the identifier hangs on a thing by a mapping: that pattern, and the thing.
    pub(crate) fn mapping(&self) -> Option<(&TriplePattern, &Variable)> {
        self.triples.iter().find_map(|triple| {
            let mapped = matches!(&triple.predicate, NamedNodePattern::NamedNode(node) if MAPPINGS.contains(&node.as_str()));
            match (&triple.subject, &triple.object) {
                (TermPattern::Variable(thing), TermPattern::Variable(term)) if mapped && *term == self.term => {
                    Some((triple, thing))
                }
                _ => None,
            }
        })
    }
}

fn no_link(position: &Position) -> QuestionError {
    QuestionError::NoLink {
        graph: position
            .graph_iri()
            .unwrap_or("the default graph")
            .to_owned(),
    }
}

fn is_variable(term: &TermPattern, variable: &Variable) -> bool {
    matches!(term, TermPattern::Variable(found) if found == variable)
}

fn mentions(triples: &[TriplePattern], variable: &Variable) -> bool {
    triples.iter().any(|triple| {
        is_variable(&triple.subject, variable) || is_variable(&triple.object, variable)
    })
}

fn variables_in(triples: &[TriplePattern]) -> Vec<Variable> {
    let ends = triples
        .iter()
        .flat_map(|triple| [&triple.subject, &triple.object]);
    ends.filter_map(|end| match end {
        TermPattern::Variable(variable) => Some(variable.clone()),
        _ => None,
    })
    .collect()
}

/// A variable that a triple ties to the term, names aside.
fn neighbour(triples: &[TriplePattern], term: &Variable) -> Option<Variable> {
    triples.iter().find_map(|triple| {
        if matches!(&triple.predicate, NamedNodePattern::NamedNode(node) if NAMES.contains(&node.as_str())) {
            return None;
        }
        match (&triple.subject, &triple.object) {
            (TermPattern::Variable(other), end) | (end, TermPattern::Variable(other))
                if is_variable(end, term) && other != term =>
            {
                Some(other.clone())
            }
            _ => None,
        }
    })
}

/// The variables that aggregates are about.
fn counted_in(key: &Query) -> Vec<Variable> {
    let mut counted = Vec::new();
    walk(key, &mut |node, _| {
        if let Node::Pattern(GraphPattern::Group { aggregates, .. }) = node {
            for (_, aggregate) in aggregates {
                if let AggregateExpression::FunctionCall {
                    expr: Expression::Variable(variable),
                    ..
                } = aggregate
                {
                    counted.push(variable.clone());
                }
            }
        }
    });
    counted
}
