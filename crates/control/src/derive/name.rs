//! Where the name comes from that a keyword control tests.

use crate::derive::pattern::{Hierarchy, Position, fresh, placed_triples, variables_of};
use serde::{Deserialize, Serialize};
use spargebra::Query;
use spargebra::term::{NamedNode, NamedNodePattern, TermPattern, TriplePattern, Variable};

const RDFS_LABEL: &str = "http://www.w3.org/2000/01/rdf-schema#label";

/// Predicates that give a thing its name.
pub(crate) const NAMES: [&str; 9] = [
    RDFS_LABEL,
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://schema.org/name",
    "https://schema.org/name",
    "https://w3id.org/biolink/vocab/name",
    "http://purl.org/dc/terms/title",
    "http://purl.org/dc/elements/1.1/title",
    "http://xmlns.com/foaf/0.1/name",
    "http://www.w3.org/2008/05/skos-xl#prefLabel",
];

/// Which of the rules found the name.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NameRule {
    /// The key itself asks for the name of what ranges over the closure.
    Key,
    /// The graph that the key takes that variable's data from gives names to other things in the key.
    DataGraph,
    /// Neither: the hierarchy's own `rdfs:label`.
    Hierarchy,
    /// The caller said so.
    Given,
}

/// Where a keyword control finds the name that it tests.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct NameSource {
    /// The rule that chose it.
    pub rule: NameRule,
    /// The variable that holds the name, without `?`.
    pub variable: String,
    /// The predicate that gives the name.
    pub predicate: String,
    /// The named graph that has it, where one is given.
    pub graph: Option<String>,
}

/// A name pattern, ready to be put into a query.
#[derive(Clone, Debug)]
pub(crate) struct Naming {
    pub(crate) rule: NameRule,
    pub(crate) triple: TriplePattern,
    pub(crate) variable: Variable,
    pub(crate) position: Position,
}

impl Naming {
    /// Chooses a name for what ranges over a hierarchy pattern.
    ///
    /// 1. The key asks for its name (`?condition schema:name ?name`): that name, a projected one first.
    /// 2. Else, where the key takes data about it from a graph of which it also asks names (`?gene rdfs:label ?symbol`):
    ///    the name by the same predicate in the same graph.
    /// 3. Else `rdfs:label` where the hierarchy is.
    pub(crate) fn of(query: &Query, hierarchy: &Hierarchy) -> Self {
        let triples = placed_triples(query);
        let columns = record::columns_of(query);
        let this = TermPattern::from(hierarchy.variable.clone());
        let own: Vec<_> = triples
            .iter()
            .filter(|(triple, _)| triple.subject == this)
            .filter_map(|(triple, position)| Some((named(triple)?, triple, position)))
            .collect();
        let projected = own
            .iter()
            .find(|(variable, ..)| columns.iter().any(|column| column == variable.as_str()));
        if let Some((variable, triple, position)) = projected.or_else(|| own.first()) {
            return Self {
                rule: NameRule::Key,
                triple: TriplePattern::clone(triple),
                variable: (*variable).clone(),
                position: (*position).clone(),
            };
        }
        let data = triples
            .iter()
            .filter(|(triple, _)| triple.subject == this || triple.object == this)
            .map(|(_, position)| position)
            .filter(|position| **position != hierarchy.position);
        for position in data {
            let neighbour = triples
                .iter()
                .find(|(triple, other)| other == position && named(triple).is_some());
            if let Some((neighbour, _)) = neighbour {
                let predicate = neighbour.predicate.clone();
                return Self::new(NameRule::DataGraph, query, hierarchy, predicate, position);
            }
        }
        let label = NamedNode::new_unchecked(RDFS_LABEL).into();
        Self::new(
            NameRule::Hierarchy,
            query,
            hierarchy,
            label,
            &hierarchy.position,
        )
    }

    /// The name by a predicate in a graph of the caller's choice.
    pub(crate) fn given(
        query: &Query,
        hierarchy: &Hierarchy,
        graph: Option<&str>,
        predicate: &str,
    ) -> Self {
        let position = Position {
            graph: graph.map(|graph| NamedNode::new_unchecked(graph).into()),
            service: None,
        };
        let predicate = NamedNode::new_unchecked(predicate).into();
        Self::new(NameRule::Given, query, hierarchy, predicate, &position)
    }

    fn new(
        rule: NameRule,
        query: &Query,
        hierarchy: &Hierarchy,
        predicate: NamedNodePattern,
        position: &Position,
    ) -> Self {
        let name = format!("{}Name", hierarchy.variable.as_str());
        let variable = fresh(&name, &variables_of(query));
        Self {
            rule,
            triple: TriplePattern {
                subject: hierarchy.variable.clone().into(),
                predicate,
                object: variable.clone().into(),
            },
            variable,
            position: position.clone(),
        }
    }

    pub(crate) fn source(&self) -> NameSource {
        NameSource {
            rule: self.rule,
            variable: self.variable.as_str().to_owned(),
            predicate: match &self.triple.predicate {
                NamedNodePattern::NamedNode(node) => node.as_str().to_owned(),
                NamedNodePattern::Variable(variable) => variable.to_string(),
            },
            graph: self.position.graph_iri().map(str::to_owned),
        }
    }
}

/// The variable that a triple pattern gives a name by.
pub(crate) fn named(triple: &TriplePattern) -> Option<&Variable> {
    match (&triple.predicate, &triple.object) {
        (NamedNodePattern::NamedNode(predicate), TermPattern::Variable(variable))
            if NAMES.contains(&predicate.as_str()) =>
        {
            Some(variable)
        }
        _ => None,
    }
}
