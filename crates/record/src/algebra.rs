//! Questions about a parsed query, answered from its algebra.

use serde::{Deserialize, Serialize};
use spargebra::Query;
use spargebra::algebra::{
    AggregateExpression, Expression, Function, GraphPattern, OrderExpression,
    PropertyPathExpression,
};
use spargebra::term::{
    GroundTerm, NamedNode, NamedNodePattern, TermPattern, TriplePattern, Variable,
};
use std::collections::BTreeSet;

/// One condition of a query's outermost ORDER BY.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct OrderKey {
    /// The column that is sorted on; `None` for an expression or for a variable that is not projected.
    pub column: Option<String>,
    /// Whether large values come first.
    pub descending: bool,
}

/// Where in a query a [`Node`] stands.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Place<'q> {
    /// The innermost `GRAPH` around it.
    pub graph: Option<&'q NamedNodePattern>,
    /// The innermost `SERVICE` around it.
    pub service: Option<&'q NamedNodePattern>,
}

/// What [`walk`] comes by.
#[derive(Clone, Copy, Debug)]
pub enum Node<'q> {
    /// A graph pattern, before its parts.
    Pattern(&'q GraphPattern),
    /// An expression in a filter, a binding, an aggregate or an order, before its parts.
    Expression(&'q Expression),
}

/// Shows every graph pattern and every expression of a query to `visit`, parents first, patterns inside `EXISTS`
/// included.
///
/// ```
/// use record::{Node, walk};
/// use spargebra::{SparqlParser, algebra::GraphPattern};
///
/// let query = SparqlParser::new()
///     .parse_query("SELECT * { GRAPH <http://e/g> { ?s <http://e/p>+ ?o } }")
///     .unwrap();
/// let mut graphs = Vec::new();
/// walk(&query, &mut |node, place| {
///     if let Node::Pattern(GraphPattern::Path { .. }) = node {
///         graphs.push(place.graph.unwrap().to_string());
///     }
/// });
/// assert_eq!(graphs, ["<http://e/g>"]);
/// ```
pub fn walk<'q>(query: &'q Query, visit: &mut dyn FnMut(Node<'q>, Place<'q>)) {
    Walker { visit }.pattern(pattern_of(query), Place::default());
}

/// The columns of a query's result, without `?`: what a SELECT projects, `subject`, `predicate`, `object` for CONSTRUCT
/// and DESCRIBE, and none for ASK.
pub fn columns_of(query: &Query) -> Vec<String> {
    match query {
        Query::Select { pattern, .. } => projected(pattern)
            .iter()
            .map(|variable| variable.as_str().to_owned())
            .collect(),
        Query::Construct { .. } | Query::Describe { .. } => ["subject", "predicate", "object"]
            .map(str::to_owned)
            .to_vec(),
        Query::Ask { .. } => Vec::new(),
    }
}

/// The outermost ORDER BY; empty where there is none.
///
/// `ORDER BY DESC(COUNT(?x))` names the column `n` where `(COUNT(?x) AS ?n)` is projected.
pub fn order_of(query: &Query) -> Vec<OrderKey> {
    let pattern = pattern_of(query);
    let projected = projected(pattern);
    let Some((inner, conditions)) = outermost_order(pattern) else {
        return Vec::new();
    };
    conditions
        .iter()
        .map(|condition| {
            let (expression, descending) = match condition {
                OrderExpression::Asc(expression) => (expression, false),
                OrderExpression::Desc(expression) => (expression, true),
            };
            OrderKey {
                column: column_of(expression, inner, projected),
                descending,
            }
        })
        .collect()
}

/// The outermost LIMIT.
pub fn limit_of(query: &Query) -> Option<usize> {
    match pattern_of(query) {
        GraphPattern::Slice { length, .. } => *length,
        _ => None,
    }
}

/// The same query without its outermost LIMIT and OFFSET.
pub fn without_limit(query: &Query) -> Query {
    let mut query = query.clone();
    let (Query::Select { pattern, .. }
    | Query::Construct { pattern, .. }
    | Query::Describe { pattern, .. }
    | Query::Ask { pattern, .. }) = &mut query;
    if let GraphPattern::Slice { inner, .. } = pattern {
        let inner = std::mem::take(&mut **inner);
        *pattern = inner;
    }
    query
}

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

/// Every IRI in a query: terms, paths, functions, datatypes of VALUES excepted, graphs included.
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

fn pattern_of(query: &Query) -> &GraphPattern {
    match query {
        Query::Select { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. }
        | Query::Ask { pattern, .. } => pattern,
    }
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

fn projected(pattern: &GraphPattern) -> &[Variable] {
    match pattern {
        GraphPattern::Project { variables, .. } => variables,
        GraphPattern::Slice { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner } => projected(inner),
        _ => &[],
    }
}

fn outermost_order(pattern: &GraphPattern) -> Option<(&GraphPattern, &[OrderExpression])> {
    match pattern {
        GraphPattern::OrderBy { inner, expression } => Some((inner, expression)),
        GraphPattern::Slice { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Project { inner, .. } => outermost_order(inner),
        _ => None,
    }
}

fn column_of(
    expression: &Expression,
    inner: &GraphPattern,
    projected: &[Variable],
) -> Option<String> {
    if let Expression::Variable(variable) = expression
        && projected.contains(variable)
    {
        return Some(variable.as_str().to_owned());
    }
    let mut pattern = inner;
    while let GraphPattern::Extend {
        inner,
        variable,
        expression: bound,
    } = pattern
    {
        if bound == expression && projected.contains(variable) {
            return Some(variable.as_str().to_owned());
        }
        pattern = inner;
    }
    None
}

struct Walker<'v, 'q> {
    visit: &'v mut dyn FnMut(Node<'q>, Place<'q>),
}

impl<'q> Walker<'_, 'q> {
    fn pattern(&mut self, pattern: &'q GraphPattern, place: Place<'q>) {
        (self.visit)(Node::Pattern(pattern), place);
        match pattern {
            GraphPattern::Bgp { .. } | GraphPattern::Path { .. } | GraphPattern::Values { .. } => {}
            GraphPattern::Join { left, right }
            | GraphPattern::Union { left, right }
            | GraphPattern::Minus { left, right } => {
                self.pattern(left, place);
                self.pattern(right, place);
            }
            GraphPattern::LeftJoin {
                left,
                right,
                expression,
            } => {
                self.pattern(left, place);
                self.pattern(right, place);
                if let Some(expression) = expression {
                    self.expression(expression, place);
                }
            }
            GraphPattern::Filter { expr, inner } => {
                self.pattern(inner, place);
                self.expression(expr, place);
            }
            GraphPattern::Graph { name, inner } => self.pattern(
                inner,
                Place {
                    graph: Some(name),
                    ..place
                },
            ),
            GraphPattern::Service { name, inner, .. } => self.pattern(
                inner,
                // Another server has its own graphs: a GRAPH around the SERVICE says nothing about them.
                Place {
                    graph: None,
                    service: Some(name),
                },
            ),
            GraphPattern::Extend {
                inner, expression, ..
            } => {
                self.pattern(inner, place);
                self.expression(expression, place);
            }
            GraphPattern::OrderBy { inner, expression } => {
                self.pattern(inner, place);
                for condition in expression {
                    let (OrderExpression::Asc(expression) | OrderExpression::Desc(expression)) =
                        condition;
                    self.expression(expression, place);
                }
            }
            GraphPattern::Project { inner, .. }
            | GraphPattern::Distinct { inner }
            | GraphPattern::Reduced { inner }
            | GraphPattern::Slice { inner, .. } => self.pattern(inner, place),
            GraphPattern::Group {
                inner, aggregates, ..
            } => {
                self.pattern(inner, place);
                for (_, aggregate) in aggregates {
                    if let AggregateExpression::FunctionCall { expr, .. } = aggregate {
                        self.expression(expr, place);
                    }
                }
            }
        }
    }

    fn expression(&mut self, expression: &'q Expression, place: Place<'q>) {
        (self.visit)(Node::Expression(expression), place);
        match expression {
            Expression::NamedNode(_)
            | Expression::Literal(_)
            | Expression::Variable(_)
            | Expression::Bound(_) => {}
            Expression::Or(a, b)
            | Expression::And(a, b)
            | Expression::Equal(a, b)
            | Expression::SameTerm(a, b)
            | Expression::Greater(a, b)
            | Expression::GreaterOrEqual(a, b)
            | Expression::Less(a, b)
            | Expression::LessOrEqual(a, b)
            | Expression::Add(a, b)
            | Expression::Subtract(a, b)
            | Expression::Multiply(a, b)
            | Expression::Divide(a, b) => {
                self.expression(a, place);
                self.expression(b, place);
            }
            Expression::UnaryPlus(a) | Expression::UnaryMinus(a) | Expression::Not(a) => {
                self.expression(a, place);
            }
            Expression::If(a, b, c) => {
                self.expression(a, place);
                self.expression(b, place);
                self.expression(c, place);
            }
            Expression::In(a, list) => {
                self.expression(a, place);
                for item in list {
                    self.expression(item, place);
                }
            }
            Expression::Coalesce(list) | Expression::FunctionCall(_, list) => {
                for item in list {
                    self.expression(item, place);
                }
            }
            Expression::Exists(pattern) => self.pattern(pattern, place),
        }
    }
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
        _ => None,
    }
}
