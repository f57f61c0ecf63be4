//! The IRIs that a parsed query mentions.

use crate::walk::{Node, walk};
use spargebra::Query;
use spargebra::algebra::{Expression, Function, GraphPattern, PropertyPathExpression};
use spargebra::term::{GroundTerm, NamedNode, NamedNodePattern, TermPattern, TriplePattern};
use std::collections::BTreeSet;

/// The IRIs of all graphs that a query names, in GRAPH, FROM and FROM NAMED.
pub fn graphs_of(query: &Query) -> BTreeSet<String> {
    let mut graphs = dataset_of(query);
    walk(query, &mut |node, _| {
        if let Node::Pattern(GraphPattern::Graph {
            name: NamedNodePattern::NamedNode(name),
            ..
        }) = node
        {
            graphs.insert(name.as_str().to_owned());
        }
    });
    // `GRAPH ?g` with `VALUES ?g` names its graphs in the VALUES block.
    let mut variables = BTreeSet::new();
    walk(query, &mut |node, _| {
        if let Node::Pattern(GraphPattern::Graph {
            name: NamedNodePattern::Variable(variable),
            ..
        }) = node
        {
            variables.insert(variable.as_str());
        }
    });
    walk(query, &mut |node, _| {
        if let Node::Pattern(GraphPattern::Values {
            variables: named,
            bindings,
        }) = node
        {
            for (column, variable) in named.iter().enumerate() {
                if variables.contains(variable.as_str()) {
                    graphs.extend(
                        bindings
                            .iter()
                            .filter_map(|row| iri_of_ground(row.get(column)?.as_ref()?)),
                    );
                }
            }
        }
    });
    graphs
}

/// Every IRI in a query: terms, paths, functions and graphs, but not the datatypes of literals.
pub fn iris_of(query: &Query) -> BTreeSet<String> {
    let mut iris = dataset_of(query);
    if let Query::Construct { template, .. } = query {
        for triple in template {
            add_triple(&mut iris, triple);
        }
    }
    walk(query, &mut |node, _| match node {
        Node::Pattern(pattern) => add_pattern(&mut iris, pattern),
        Node::Expression(
            Expression::NamedNode(node) | Expression::FunctionCall(Function::Custom(node), _),
        ) => add(&mut iris, node),
        Node::Expression(_) => {}
    });
    iris
}

fn dataset_of(query: &Query) -> BTreeSet<String> {
    let mut iris = BTreeSet::new();
    if let Some(dataset) = query.dataset() {
        for node in dataset.default.iter().chain(dataset.named.iter().flatten()) {
            add(&mut iris, node);
        }
    }
    iris
}

fn add(iris: &mut BTreeSet<String>, node: &NamedNode) {
    iris.insert(node.as_str().to_owned());
}

fn add_term(iris: &mut BTreeSet<String>, term: &TermPattern) {
    if let TermPattern::NamedNode(node) = term {
        add(iris, node);
    }
}

fn add_name(iris: &mut BTreeSet<String>, name: &NamedNodePattern) {
    if let NamedNodePattern::NamedNode(node) = name {
        add(iris, node);
    }
}

fn add_triple(iris: &mut BTreeSet<String>, triple: &TriplePattern) {
    add_term(iris, &triple.subject);
    add_name(iris, &triple.predicate);
    add_term(iris, &triple.object);
}

fn add_path(iris: &mut BTreeSet<String>, path: &PropertyPathExpression) {
    match path {
        PropertyPathExpression::NamedNode(node) => add(iris, node),
        PropertyPathExpression::Reverse(inner)
        | PropertyPathExpression::ZeroOrMore(inner)
        | PropertyPathExpression::OneOrMore(inner)
        | PropertyPathExpression::ZeroOrOne(inner) => add_path(iris, inner),
        PropertyPathExpression::Sequence(a, b) | PropertyPathExpression::Alternative(a, b) => {
            add_path(iris, a);
            add_path(iris, b);
        }
        PropertyPathExpression::NegatedPropertySet(nodes) => {
            for node in nodes {
                add(iris, node);
            }
        }
    }
}

fn add_pattern(iris: &mut BTreeSet<String>, pattern: &GraphPattern) {
    match pattern {
        GraphPattern::Bgp { patterns } => {
            for triple in patterns {
                add_triple(iris, triple);
            }
        }
        GraphPattern::Path {
            subject,
            path,
            object,
        } => {
            add_term(iris, subject);
            add_path(iris, path);
            add_term(iris, object);
        }
        GraphPattern::Graph { name, .. } | GraphPattern::Service { name, .. } => {
            add_name(iris, name);
        }
        GraphPattern::Values { bindings, .. } => {
            iris.extend(
                bindings
                    .iter()
                    .flatten()
                    .flatten()
                    .filter_map(iri_of_ground),
            );
        }
        _ => {}
    }
}

fn iri_of_ground(term: &GroundTerm) -> Option<String> {
    match term {
        GroundTerm::NamedNode(node) => Some(node.as_str().to_owned()),
        GroundTerm::Literal(_) => None,
    }
}
