//! Changing a parsed query: every part of it passes through a [`Rewrite`], patterns after their parts.

use spargebra::Query;
use spargebra::algebra::{AggregateExpression, Expression, GraphPattern, OrderExpression};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern, Variable};

/// What becomes of the parts of a query. Whatever a rewriting does not speak of stays as it is.
pub(crate) trait Rewrite {
    /// A variable, wherever it stands.
    fn variable(&mut self, _: &mut Variable) {}

    /// A subject or object; if it is a variable afterwards, [`Rewrite::variable`] sees it too.
    fn term(&mut self, _: &mut TermPattern) {}

    /// A pattern whose parts have been rewritten.
    fn pattern(&mut self, _: &mut GraphPattern) {}
}

/// Rewrites all that a query evaluates; its form and its dataset stay, and so do CONSTRUCT's template and what DESCRIBE
/// names.
pub(crate) fn rewritten(query: &Query, with: &mut impl Rewrite) -> Query {
    let mut query = query.clone();
    let (Query::Select { pattern, .. }
    | Query::Construct { pattern, .. }
    | Query::Describe { pattern, .. }
    | Query::Ask { pattern, .. }) = &mut query;
    self::pattern(pattern, with);
    query
}

fn pattern<R: Rewrite>(found: &mut GraphPattern, with: &mut R) {
    use GraphPattern as P;
    match found {
        P::Bgp { patterns } => {
            for triple in patterns {
                let TriplePattern {
                    subject,
                    predicate,
                    object,
                } = triple;
                term(subject, with);
                name(predicate, with);
                term(object, with);
            }
        }
        P::Path {
            subject, object, ..
        } => {
            term(subject, with);
            term(object, with);
        }
        P::Join { left, right } | P::Union { left, right } | P::Minus { left, right } => {
            pattern(left, with);
            pattern(right, with);
        }
        P::LeftJoin {
            left,
            right,
            expression: test,
        } => {
            pattern(left, with);
            pattern(right, with);
            if let Some(test) = test {
                expression(test, with);
            }
        }
        P::Filter { expr, inner } => {
            pattern(inner, with);
            expression(expr, with);
        }
        P::Graph { name: graph, inner }
        | P::Service {
            name: graph, inner, ..
        } => {
            name(graph, with);
            pattern(inner, with);
        }
        P::Extend {
            inner,
            variable,
            expression: value,
        } => {
            pattern(inner, with);
            with.variable(variable);
            expression(value, with);
        }
        P::Values { variables, .. } => each(variables, with),
        P::OrderBy {
            inner,
            expression: conditions,
        } => {
            pattern(inner, with);
            for OrderExpression::Asc(condition) | OrderExpression::Desc(condition) in conditions {
                expression(condition, with);
            }
        }
        P::Project { inner, variables } => {
            pattern(inner, with);
            each(variables, with);
        }
        P::Distinct { inner } | P::Reduced { inner } | P::Slice { inner, .. } => {
            pattern(inner, with);
        }
        P::Group {
            inner,
            variables,
            aggregates,
        } => {
            pattern(inner, with);
            each(variables, with);
            for (variable, aggregate) in aggregates {
                with.variable(variable);
                if let AggregateExpression::FunctionCall { expr, .. } = aggregate {
                    expression(expr, with);
                }
            }
        }
    }
    with.pattern(found);
}

fn each<R: Rewrite>(variables: &mut [Variable], with: &mut R) {
    for variable in variables {
        with.variable(variable);
    }
}

fn term<R: Rewrite>(found: &mut TermPattern, with: &mut R) {
    with.term(found);
    if let TermPattern::Variable(variable) = found {
        with.variable(variable);
    }
}

fn name<R: Rewrite>(found: &mut NamedNodePattern, with: &mut R) {
    if let NamedNodePattern::Variable(variable) = found {
        with.variable(variable);
    }
}

fn expression<R: Rewrite>(found: &mut Expression, with: &mut R) {
    use Expression as E;
    match found {
        E::NamedNode(_) | E::Literal(_) => {}
        E::Variable(variable) | E::Bound(variable) => with.variable(variable),
        E::Or(a, b)
        | E::And(a, b)
        | E::Equal(a, b)
        | E::SameTerm(a, b)
        | E::Greater(a, b)
        | E::GreaterOrEqual(a, b)
        | E::Less(a, b)
        | E::LessOrEqual(a, b)
        | E::Add(a, b)
        | E::Subtract(a, b)
        | E::Multiply(a, b)
        | E::Divide(a, b) => {
            expression(a, with);
            expression(b, with);
        }
        E::UnaryPlus(a) | E::UnaryMinus(a) | E::Not(a) => expression(a, with),
        E::If(a, b, c) => {
            for part in [a, b, c] {
                expression(part, with);
            }
        }
        E::In(tested, list) => {
            expression(tested, with);
            for item in list {
                expression(item, with);
            }
        }
        E::Coalesce(list) | E::FunctionCall(_, list) => {
            for item in list {
                expression(item, with);
            }
        }
        E::Exists(inner) => pattern(inner, with),
    }
}
