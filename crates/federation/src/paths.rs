//! Making a path, and a triple, start where a query says it does.
//!
//! The evaluator walks a path such as `subClassOf*` from a term that is written at one of its ends. From a variable it walks
//! from everywhere, and joins with what `VALUES`, `BIND` or a filter say of the variable afterwards: all pairs of a hierarchy,
//! seconds of them in a page. So such a path becomes one path for each IRI that its variable can be. A triple's variable that
//! can be one IRI only becomes that IRI.

use crate::scope::{Variables, certain};
use oxrdf::{NamedNode, Variable};
use spargebra::algebra::{Expression, GraphPattern, PropertyPathExpression};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};
use std::collections::BTreeMap;

/// More IRIs than this make as many walks costlier than one from everywhere.
const MANY: usize = 64;

/// What variables can be, where that is a few IRIs.
type Given = BTreeMap<Variable, Vec<NamedNode>>;

/// Rewrites the paths and triples of a pattern.
pub(crate) fn anchor(pattern: &mut GraphPattern) {
    narrow(pattern, &Given::new());
}

/// Rewrites the paths and triples of a pattern of whose solutions only those that agree with `given` are kept.
fn narrow(pattern: &mut GraphPattern, given: &Given) {
    match pattern {
        GraphPattern::Values { .. } | GraphPattern::Service { .. } => {}
        GraphPattern::Bgp { patterns } => {
            let known = settle(patterns, given);
            for (variable, iri) in known {
                *pattern = GraphPattern::Extend {
                    inner: Box::new(std::mem::take(pattern)),
                    variable,
                    expression: Expression::NamedNode(iri),
                };
            }
        }
        GraphPattern::Path {
            subject,
            path,
            object,
        } => {
            let anchored = is_closure(path)
                .then(|| anchored(subject, path, object, given))
                .flatten();
            if let Some(anchored) = anchored {
                *pattern = anchored;
            }
        }
        GraphPattern::Join { left, right } => {
            let mut all = given.clone();
            all.append(&mut stated(left));
            all.append(&mut stated(right));
            narrow(left, &all);
            narrow(right, &all);
        }
        GraphPattern::Union { left, right } => {
            narrow(left, given);
            narrow(right, given);
        }
        GraphPattern::LeftJoin { left, right, .. } => {
            // Where the left side does not bind a variable, a match less on the right is a row more.
            let of_left = only(with(given, stated(left)), &certain(left));
            narrow(left, given);
            narrow(right, &of_left);
        }
        GraphPattern::Minus { left, right } => {
            narrow(left, given);
            narrow(right, &Given::new());
        }
        GraphPattern::Filter { expr, inner } => {
            let conditions = conditions(expr);
            narrow(inner, &with(given, conditions));
        }
        GraphPattern::Extend {
            inner, variable, ..
        } => {
            let mut of_inner = given.clone();
            of_inner.remove(variable);
            narrow(inner, &of_inner);
        }
        GraphPattern::Project { inner, variables }
        | GraphPattern::Group {
            inner, variables, ..
        } => {
            let of_inner = only(given.clone(), &variables.iter().cloned().collect());
            narrow(inner, &of_inner);
        }
        // Which rows are cut off depends on all of them.
        GraphPattern::Slice { inner, .. } => narrow(inner, &Given::new()),
        GraphPattern::Graph { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner } => narrow(inner, given),
    }
}

fn with(given: &Given, mut more: Given) -> Given {
    let mut all = given.clone();
    all.append(&mut more);
    all
}

fn only(mut given: Given, variables: &Variables) -> Given {
    given.retain(|variable, _| variables.contains(variable));
    given
}

/// What a pattern says of its variables, in every solution.
fn stated(pattern: &GraphPattern) -> Given {
    match pattern {
        GraphPattern::Values {
            variables,
            bindings,
        } => {
            let column = |number: usize| {
                let iris = bindings.iter().map(|row| match row.get(number) {
                    Some(Some(GroundTerm::NamedNode(iri))) => Some(iri.clone()),
                    _ => None,
                });
                iris.collect::<Option<Vec<_>>>()
            };
            variables
                .iter()
                .enumerate()
                .filter_map(|(number, variable)| Some((variable.clone(), column(number)?)))
                .collect()
        }
        GraphPattern::Extend {
            inner,
            variable,
            expression,
        } => {
            let mut found = stated(inner);
            if let Expression::NamedNode(iri) = expression {
                found.insert(variable.clone(), vec![iri.clone()]);
            }
            found
        }
        GraphPattern::Join { left, right } => with(&stated(left), stated(right)),
        GraphPattern::Filter { expr, inner } => with(&stated(inner), conditions(expr)),
        GraphPattern::LeftJoin { left, .. } | GraphPattern::Minus { left, .. } => stated(left),
        GraphPattern::Project { inner, variables } => {
            only(stated(inner), &variables.iter().cloned().collect())
        }
        GraphPattern::Graph { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => stated(inner),
        GraphPattern::Bgp { .. }
        | GraphPattern::Path { .. }
        | GraphPattern::Union { .. }
        | GraphPattern::Group { .. }
        | GraphPattern::Service { .. } => Given::new(),
    }
}

/// What a filter says of variables, in every row that it keeps.
fn conditions(expression: &Expression) -> Given {
    let mut found = Given::new();
    let mut todo = vec![expression];
    while let Some(expression) = todo.pop() {
        match expression {
            Expression::And(a, b) => todo.extend([&**a, &**b]),
            Expression::Equal(a, b) | Expression::SameTerm(a, b) => match (&**a, &**b) {
                (Expression::Variable(variable), Expression::NamedNode(iri))
                | (Expression::NamedNode(iri), Expression::Variable(variable)) => {
                    found.insert(variable.clone(), vec![iri.clone()]);
                }
                _ => {}
            },
            Expression::In(value, list) => {
                let iris = list.iter().map(|item| match item {
                    Expression::NamedNode(iri) => Some(iri.clone()),
                    _ => None,
                });
                if let (Expression::Variable(variable), Some(iris)) = (&**value, iris.collect()) {
                    found.insert(variable.clone(), iris);
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a path may be of any length.
fn is_closure(path: &PropertyPathExpression) -> bool {
    match path {
        PropertyPathExpression::ZeroOrMore(_) | PropertyPathExpression::OneOrMore(_) => true,
        PropertyPathExpression::Reverse(inner) | PropertyPathExpression::ZeroOrOne(inner) => {
            is_closure(inner)
        }
        PropertyPathExpression::Sequence(a, b) | PropertyPathExpression::Alternative(a, b) => {
            is_closure(a) || is_closure(b)
        }
        PropertyPathExpression::NamedNode(_) | PropertyPathExpression::NegatedPropertySet(_) => {
            false
        }
    }
}

/// Writes the IRI in the place of each variable that can be only that one; which ones. Only a term that is written in a
/// triple is looked up: to a variable's value the evaluator joins all that the triple finds without it.
fn settle(triples: &mut [TriplePattern], given: &Given) -> Vec<(Variable, NamedNode)> {
    let mut settled = Vec::new();
    for (variable, iris) in given {
        let Some((iri, others)) = iris.split_first() else {
            continue;
        };
        if others.iter().any(|other| other != iri) {
            continue;
        }
        let mut found = false;
        for triple in &mut *triples {
            for term in [&mut triple.subject, &mut triple.object] {
                if matches!(term, TermPattern::Variable(name) if name == variable) {
                    *term = TermPattern::NamedNode(iri.clone());
                    found = true;
                }
            }
            if matches!(&triple.predicate, NamedNodePattern::Variable(name) if name == variable) {
                triple.predicate = NamedNodePattern::NamedNode(iri.clone());
                found = true;
            }
        }
        if found {
            settled.push((variable.clone(), iri.clone()));
        }
    }
    settled
}

/// The path from, or to, each IRI that one of its ends can be; nothing where an end is a term already.
fn anchored(
    subject: &TermPattern,
    path: &PropertyPathExpression,
    object: &TermPattern,
    given: &Given,
) -> Option<GraphPattern> {
    let (TermPattern::Variable(from), TermPattern::Variable(to)) = (subject, object) else {
        return None;
    };
    if from == to {
        return None;
    }
    let few = |variable: &Variable| {
        let mut iris = given.get(variable)?.clone();
        iris.sort_unstable();
        iris.dedup();
        (iris.len() <= MANY).then_some(iris)
    };
    let (variable, iris) = match (few(from), few(to)) {
        (Some(at_start), Some(at_end)) if at_start.len() < at_end.len() => (from, at_start),
        (_, Some(at_end)) => (to, at_end),
        (Some(at_start), None) => (from, at_start),
        (None, None) => return None,
    };
    let walk = |iri: NamedNode| {
        let term = TermPattern::NamedNode(iri.clone());
        let (subject, object) = if variable == from {
            (term, object.clone())
        } else {
            (subject.clone(), term)
        };
        GraphPattern::Extend {
            inner: Box::new(GraphPattern::Path {
                subject,
                path: path.clone(),
                object,
            }),
            variable: variable.clone(),
            expression: Expression::NamedNode(iri),
        }
    };
    iris.into_iter()
        .map(walk)
        .reduce(|left, right| GraphPattern::Union {
            left: Box::new(left),
            right: Box::new(right),
        })
}
