//! The constants by which a key narrows down its answer.

use super::{RDF_TYPE, is_label_service};
use crate::prose::Comparison;
use record::{Node, walk};
use spargebra::Query;
use spargebra::algebra::{
    AggregateExpression, Expression, Function, GraphPattern, PropertyPathExpression,
};
use spargebra::term::{GroundTerm, Literal, NamedNodePattern, TermPattern};
use std::collections::BTreeSet;

/// A date as far as its lexical form gives it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Date {
    pub(crate) year: i32,
    pub(crate) month: u32,
    pub(crate) day: u32,
}

/// A constant's value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Iri(String),
    Text(String),
    Number(f64),
    Date(Date),
    Boolean(bool),
}

/// How a constant narrows the answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Role {
    /// The class of something.
    Class,
    /// The other end of a triple, a value that is required or excluded.
    Value,
    /// One of a list in VALUES or IN.
    Listed,
    /// A bound; `whole` where only whole numbers are compared, as with COUNT and YEAR.
    Bound { comparison: Comparison, whole: bool },
    /// Part of a text.
    Fragment,
}

/// A constant in a place where it decides which rows there are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Constant {
    pub(crate) value: Value,
    pub(crate) role: Role,
    /// How the query writes it, to find it again.
    pub(crate) lexical: String,
    /// The predicate whose value it is.
    pub(crate) predicate: Option<String>,
}

/// The constants of a query, in its order.
pub(crate) fn constants(query: &Query) -> Vec<Constant> {
    let mut found = Found {
        constants: Vec::new(),
        counts: BTreeSet::new(),
        not_values: BTreeSet::new(),
    };
    walk(query, &mut |node, place| {
        if !is_label_service(place.service) {
            found.prepare(node);
        }
    });
    walk(query, &mut |node, place| {
        if !is_label_service(place.service)
            && let Node::Pattern(pattern) = node
        {
            found.pattern(pattern);
        }
    });
    found.constants
}

struct Found<'q> {
    constants: Vec<Constant>,
    /// Variables that hold a COUNT.
    counts: BTreeSet<&'q str>,
    /// Variables that stand for graphs and predicates, whose VALUES choose a vocabulary and not rows.
    not_values: BTreeSet<&'q str>,
}

impl<'q> Found<'q> {
    fn prepare(&mut self, node: Node<'q>) {
        match node {
            Node::Pattern(GraphPattern::Group { aggregates, .. }) => {
                let counts = aggregates.iter().filter(|(_, a)| super::is_count(a));
                self.counts
                    .extend(counts.map(|(variable, _)| variable.as_str()));
            }
            Node::Pattern(GraphPattern::Extend {
                variable,
                expression: Expression::Variable(source),
                ..
            }) if self.counts.contains(source.as_str()) => {
                self.counts.insert(variable.as_str());
            }
            Node::Pattern(GraphPattern::Graph {
                name: NamedNodePattern::Variable(variable),
                ..
            }) => {
                self.not_values.insert(variable.as_str());
            }
            Node::Pattern(GraphPattern::Bgp { patterns }) => {
                for triple in patterns {
                    if let NamedNodePattern::Variable(variable) = &triple.predicate {
                        self.not_values.insert(variable.as_str());
                    }
                }
            }
            _ => {}
        }
    }

    fn pattern(&mut self, pattern: &GraphPattern) {
        match pattern {
            GraphPattern::Bgp { patterns } => {
                for triple in patterns {
                    let predicate = match &triple.predicate {
                        NamedNodePattern::NamedNode(predicate) => predicate.as_str(),
                        NamedNodePattern::Variable(_) => "",
                    };
                    let class = predicate == RDF_TYPE || predicate.ends_with("/prop/direct/P31");
                    let role = if class { Role::Class } else { Role::Value };
                    self.term(&triple.subject, Role::Value, predicate);
                    self.term(&triple.object, role, predicate);
                }
            }
            GraphPattern::Path {
                subject,
                path,
                object,
            } => {
                let class = is_class_path(path);
                let role = if class { Role::Class } else { Role::Value };
                self.term(subject, role, "");
                self.term(object, role, "");
            }
            GraphPattern::Values {
                variables,
                bindings,
            } => {
                for (column, variable) in variables.iter().enumerate() {
                    if self.not_values.contains(variable.as_str()) {
                        continue;
                    }
                    // Literals beside IRIs in one row are names that the query gives them itself.
                    let beside = variables.len() > 1;
                    for row in bindings {
                        match row.get(column) {
                            Some(Some(GroundTerm::NamedNode(node))) => {
                                self.iri(node.as_str(), Role::Listed, "");
                            }
                            Some(Some(GroundTerm::Literal(literal))) if !beside => {
                                self.literal(literal, Role::Listed, "");
                            }
                            _ => {}
                        }
                    }
                }
            }
            GraphPattern::Filter { expr, .. }
            | GraphPattern::LeftJoin {
                expression: Some(expr),
                ..
            } => self.condition(expr, false),
            GraphPattern::Group { aggregates, .. } => {
                for (_, aggregate) in aggregates {
                    if let AggregateExpression::FunctionCall {
                        expr: Expression::If(condition, _, _),
                        ..
                    } = aggregate
                    {
                        self.condition(condition, false);
                    }
                }
            }
            _ => {}
        }
    }

    fn term(&mut self, term: &TermPattern, role: Role, predicate: &str) {
        match term {
            TermPattern::NamedNode(node) => self.iri(node.as_str(), role, predicate),
            TermPattern::Literal(literal) => self.literal(literal, role, predicate),
            _ => {}
        }
    }

    fn iri(&mut self, iri: &str, role: Role, predicate: &str) {
        self.constants.push(Constant {
            value: Value::Iri(iri.to_owned()),
            role,
            lexical: iri.to_owned(),
            predicate: (!predicate.is_empty()).then(|| predicate.to_owned()),
        });
    }

    fn literal(&mut self, literal: &Literal, role: Role, predicate: &str) {
        self.constants.push(Constant {
            value: value_of(literal),
            role,
            lexical: literal.value().to_owned(),
            predicate: (!predicate.is_empty()).then(|| predicate.to_owned()),
        });
    }

    /// The constants of a condition, in the places where a row passes or fails by them.
    fn condition(&mut self, expression: &Expression, negated: bool) {
        match expression {
            Expression::And(a, b) | Expression::Or(a, b) => {
                self.condition(a, negated);
                self.condition(b, negated);
            }
            Expression::Not(inner) => self.condition(inner, !negated),
            Expression::Equal(a, b) | Expression::SameTerm(a, b) => {
                self.compare(a, b, Comparison::Equal, negated);
            }
            Expression::Greater(a, b) => self.compare(a, b, Comparison::More, negated),
            Expression::GreaterOrEqual(a, b) => self.compare(a, b, Comparison::AtLeast, negated),
            Expression::Less(a, b) => self.compare(a, b, Comparison::Less, negated),
            Expression::LessOrEqual(a, b) => self.compare(a, b, Comparison::AtMost, negated),
            Expression::In(tested, list) => {
                if is_language(tested) {
                    return;
                }
                for item in list {
                    match item {
                        Expression::NamedNode(node) => self.iri(node.as_str(), Role::Listed, ""),
                        Expression::Literal(literal) => self.literal(literal, Role::Listed, ""),
                        _ => {}
                    }
                }
            }
            Expression::FunctionCall(
                Function::Contains | Function::StrStarts | Function::StrEnds | Function::Regex,
                arguments,
            ) => {
                if let [tested, Expression::Literal(literal), ..] = arguments.as_slice()
                    && !is_language(tested)
                {
                    self.literal(literal, Role::Fragment, "");
                }
            }
            _ => {}
        }
    }

    fn compare(&mut self, a: &Expression, b: &Expression, comparison: Comparison, negated: bool) {
        let (tested, constant, comparison) = match (constant_of(a), constant_of(b)) {
            (None, Some(constant)) => (a, constant, comparison),
            (Some(constant), None) => (b, constant, mirrored(comparison)),
            _ => return,
        };
        if is_language(tested) {
            return;
        }
        let comparison = if negated {
            comparison.opposite()
        } else {
            comparison
        };
        let whole = match tested {
            Expression::Variable(variable) => self.counts.contains(variable.as_str()),
            Expression::FunctionCall(
                Function::Year | Function::StrLen | Function::Month | Function::Day,
                _,
            ) => true,
            _ => false,
        };
        match constant {
            Expression::NamedNode(node) => self.iri(node.as_str(), Role::Value, ""),
            Expression::Literal(literal) => {
                let ordered = matches!(value_of(literal), Value::Number(_) | Value::Date(_));
                let role = if ordered {
                    Role::Bound { comparison, whole }
                } else {
                    Role::Value
                };
                self.literal(literal, role, "");
            }
            _ => {}
        }
    }
}

/// `rdf:type`, `P31` and sub-class paths after them: the object says what kind of thing it is. A path over sub-classes alone
/// does not count: there the object is the term that the question is about.
fn is_class_path(path: &PropertyPathExpression) -> bool {
    use PropertyPathExpression as P;
    match path {
        P::NamedNode(node) => {
            node.as_str() == RDF_TYPE || node.as_str().ends_with("/prop/direct/P279")
        }
        P::Reverse(a)
        | P::ZeroOrMore(a)
        | P::OneOrMore(a)
        | P::ZeroOrOne(a)
        | P::Sequence(a, _) => is_class_path(a),
        P::Alternative(a, b) => is_class_path(a) && is_class_path(b),
        P::NegatedPropertySet(_) => false,
    }
}

/// The constant that an expression is, casts undone.
fn constant_of(expression: &Expression) -> Option<&Expression> {
    match expression {
        Expression::Literal(_) | Expression::NamedNode(_) => Some(expression),
        Expression::FunctionCall(Function::Custom(cast), arguments)
            if cast
                .as_str()
                .starts_with("http://www.w3.org/2001/XMLSchema#") =>
        {
            match arguments.as_slice() {
                [inner @ Expression::Literal(_)] => Some(inner),
                _ => None,
            }
        }
        Expression::FunctionCall(Function::LCase | Function::UCase | Function::Str, arguments) => {
            match arguments.as_slice() {
                [inner @ Expression::Literal(_)] => Some(inner),
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_language(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::FunctionCall(Function::Lang | Function::Datatype, _)
    )
}

fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::More,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::Equal => Comparison::Equal,
        Comparison::AtLeast => Comparison::AtMost,
        Comparison::More => Comparison::Less,
    }
}

fn value_of(literal: &Literal) -> Value {
    let lexical = literal.value();
    match super::local_name(literal.datatype().as_str()) {
        "boolean" => Value::Boolean(matches!(lexical, "true" | "1")),
        "date" | "dateTime" | "dateTimeStamp" => {
            date_of(lexical).map_or_else(|| Value::Text(lexical.to_owned()), Value::Date)
        }
        "gYear" | "integer" | "int" | "long" | "short" | "byte" | "nonNegativeInteger"
        | "positiveInteger" | "decimal" | "double" | "float" => number_of(lexical),
        _ => Value::Text(lexical.to_owned()),
    }
}

fn number_of(lexical: &str) -> Value {
    match lexical.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Value::Number(number),
        _ => Value::Text(lexical.to_owned()),
    }
}

fn date_of(lexical: &str) -> Option<Date> {
    let (negative, lexical) = match lexical.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, lexical),
    };
    let mut parts = lexical.split(['-', 'T']);
    let year: i32 = parts.next()?.parse().ok()?;
    let month = parts.next()?.parse().ok()?;
    let day = parts.next()?.get(..2)?.parse().ok()?;
    Some(Date {
        year: if negative { -year } else { year },
        month,
        day,
    })
}
