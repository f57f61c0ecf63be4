//! Patterns that go down `rdfs:subClassOf`.

use spargebra::algebra::PropertyPathExpression;
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

const SUB_CLASS_OF: &str = "http://www.w3.org/2000/01/rdf-schema#subClassOf";

/// A pattern whose lower end is reached from its upper end by going down the hierarchy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descent<'q> {
    pub(crate) upper: &'q TermPattern,
    pub(crate) lower: &'q TermPattern,
}

impl<'q> Descent<'q> {
    /// A path that takes any number of steps down.
    pub(crate) fn of_path(
        subject: &'q TermPattern,
        path: &PropertyPathExpression,
        object: &'q TermPattern,
    ) -> Option<Self> {
        let up = direction(path, true)?;
        Some(Self {
            upper: if up { object } else { subject },
            lower: if up { subject } else { object },
        })
    }

    /// A single step down.
    pub(crate) fn of_triple(triple: &'q TriplePattern) -> Option<Self> {
        match &triple.predicate {
            NamedNodePattern::NamedNode(node) if node.as_str() == SUB_CLASS_OF => Some(Self {
                upper: &triple.object,
                lower: &triple.subject,
            }),
            _ => None,
        }
    }
}

/// Whether a path that repeats `rdfs:subClassOf` leads up from its subject (`true`) or down; `None` where it does not
/// repeat it.
fn direction(path: &PropertyPathExpression, up: bool) -> Option<bool> {
    match path {
        PropertyPathExpression::ZeroOrMore(inner) | PropertyPathExpression::OneOrMore(inner) => {
            step(inner, up)
        }
        PropertyPathExpression::Reverse(inner) => direction(inner, !up),
        PropertyPathExpression::ZeroOrOne(inner) => direction(inner, up),
        PropertyPathExpression::Sequence(a, b) | PropertyPathExpression::Alternative(a, b) => {
            direction(a, up).or_else(|| direction(b, up))
        }
        PropertyPathExpression::NamedNode(_) | PropertyPathExpression::NegatedPropertySet(_) => {
            None
        }
    }
}

/// The direction of the first `rdfs:subClassOf` in a repeated path.
fn step(path: &PropertyPathExpression, up: bool) -> Option<bool> {
    match path {
        PropertyPathExpression::NamedNode(node) => (node.as_str() == SUB_CLASS_OF).then_some(up),
        PropertyPathExpression::Reverse(inner) => step(inner, !up),
        PropertyPathExpression::ZeroOrMore(inner)
        | PropertyPathExpression::OneOrMore(inner)
        | PropertyPathExpression::ZeroOrOne(inner) => step(inner, up),
        PropertyPathExpression::Sequence(a, b) | PropertyPathExpression::Alternative(a, b) => {
            step(a, up).or_else(|| step(b, up))
        }
        PropertyPathExpression::NegatedPropertySet(_) => None,
    }
}
