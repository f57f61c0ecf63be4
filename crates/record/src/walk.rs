//! Every part of a parsed query, with where it stands.

use spargebra::Query;
use spargebra::algebra::{AggregateExpression, Expression, GraphPattern, OrderExpression};
use spargebra::term::NamedNodePattern;

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

/// The pattern that a query, of whatever form, evaluates.
pub(crate) fn pattern_of(query: &Query) -> &GraphPattern {
    match query {
        Query::Select { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. }
        | Query::Ask { pattern, .. } => pattern,
    }
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
