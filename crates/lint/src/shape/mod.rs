//! What a key means, as far as its algebra can tell.

mod constants;
mod definitions;
mod joins;
mod keys;
mod scope;

pub(crate) use constants::{Constant, Date, Role, Value, constants};
pub(crate) use definitions::{Definition, local_name, name_words};
pub(crate) use joins::Part;

use record::{Node, walk};
use spargebra::Query;
use spargebra::algebra::{
    AggregateExpression, AggregateFunction, Expression, Function, GraphPattern, OrderExpression,
};
use spargebra::term::{NamedNodePattern, TermPattern, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// A parsed key and what follows from it.
#[derive(Debug)]
pub(crate) struct Shape<'q> {
    pub(crate) query: &'q Query,
    pub(crate) columns: Vec<String>,
    pub(crate) limit: Option<usize>,
    pub(crate) offset: usize,
    pub(crate) order: &'q [OrderExpression],
    /// What is below the outermost solution modifiers and the projection.
    pub(crate) body: &'q GraphPattern,
    pub(crate) definitions: BTreeMap<String, Definition>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) aggregates: Vec<(&'q Variable, &'q AggregateExpression)>,
    /// Variables whose values the key restricts by constants: in VALUES, or in a condition.
    pub(crate) restricted: BTreeSet<String>,
    /// The keys of the GROUP BY clauses, clause by clause.
    pub(crate) group_keys: Vec<&'q [Variable]>,
    /// Whether anything is excluded: MINUS, NOT EXISTS, `!`, `!=`, a `false`, a count of zero.
    pub(crate) negates: bool,
    /// Whether whole patterns are excluded: MINUS or NOT EXISTS.
    pub(crate) excludes: bool,
    /// Whether the label service of Wikidata's server fills in `?xLabel`.
    pub(crate) label_service: bool,
}

impl<'q> Shape<'q> {
    pub(crate) fn new(query: &'q Query) -> Self {
        let mut shape = Self {
            query,
            columns: match query {
                Query::Select { .. } => record::columns_of(query),
                _ => Vec::new(),
            },
            limit: None,
            offset: 0,
            order: &[],
            body: pattern_of(query),
            definitions: definitions::definitions(query),
            constants: constants(query),
            aggregates: Vec::new(),
            restricted: BTreeSet::new(),
            group_keys: Vec::new(),
            negates: false,
            excludes: false,
            label_service: false,
        };
        shape.unwrap_modifiers();
        walk(query, &mut |node, place| shape.note(node, place.service));
        shape
    }

    /// Whether the key is a SELECT, and so has columns of its own.
    pub(crate) fn is_select(&self) -> bool {
        matches!(self.query, Query::Select { .. })
    }

    /// Whether the outermost ORDER BY, LIMIT and projection can only ever see one row.
    pub(crate) fn has_one_row(&self) -> bool {
        matches!(self.query, Query::Ask { .. }) || at_most_one_row(self.body)
    }

    /// The variables and expressions on which rows are ordered, with whether large values come first.
    pub(crate) fn order_keys(&self) -> impl Iterator<Item = (&'q Expression, bool)> + use<'q> {
        self.order.iter().map(|condition| match condition {
            OrderExpression::Asc(expression) => (expression, false),
            OrderExpression::Desc(expression) => (expression, true),
        })
    }

    /// The aggregate behind a variable, through `AS`.
    pub(crate) fn aggregate(&self, variable: &str) -> Option<&'q AggregateExpression> {
        let direct = |name: &str| {
            let found = self.aggregates.iter().find(|(v, _)| v.as_str() == name);
            found.map(|(_, aggregate)| *aggregate)
        };
        direct(variable).or_else(|| {
            let definition = self.definitions.get(variable)?;
            definition.sources.iter().find_map(|source| direct(source))
        })
    }

    /// Whether any aggregate is of that kind.
    pub(crate) fn aggregates_by(&self, test: impl Fn(&AggregateExpression) -> bool) -> bool {
        self.aggregates.iter().any(|(_, aggregate)| test(aggregate))
    }

    /// Whether `name` is filled in by Wikidata's label service.
    pub(crate) fn is_service_label(&self, name: &str) -> bool {
        self.label_service
            && ["AltLabel", "Label", "Description"].iter().any(|end| {
                name.strip_suffix(end)
                    .is_some_and(|v| self.definitions.contains_key(v))
            })
    }

    fn unwrap_modifiers(&mut self) {
        if let GraphPattern::Slice {
            inner,
            start,
            length,
        } = self.body
        {
            self.limit = *length;
            self.offset = *start;
            self.body = inner;
        }
        if let GraphPattern::Distinct { inner } | GraphPattern::Reduced { inner } = self.body {
            self.body = inner;
        }
        // What stands below the projection and is no ORDER BY belongs to the pattern, were it another SELECT.
        if let GraphPattern::Project { inner, .. } = self.body {
            self.body = inner;
        }
        if let GraphPattern::OrderBy { inner, expression } = self.body {
            self.order = expression;
            self.body = inner;
        }
    }

    fn note(&mut self, node: Node<'q>, service: Option<&NamedNodePattern>) {
        if is_label_service(service) {
            self.label_service = true;
            return;
        }
        if let Node::Expression(expression) = node
            && compares_with_constant(expression)
        {
            // With several variables, none of them is what the constant restricts.
            if let [variable] = variables_of(expression).as_slice() {
                self.restricted.insert((*variable).to_owned());
            }
        }
        match node {
            Node::Pattern(GraphPattern::Values { variables, .. }) => {
                self.restricted
                    .extend(variables.iter().map(|v| v.as_str().to_owned()));
            }
            Node::Pattern(GraphPattern::Minus { .. }) => {
                (self.negates, self.excludes) = (true, true);
            }
            Node::Expression(Expression::Not(inner)) => {
                self.negates = true;
                self.excludes |= matches!(**inner, Expression::Exists(_));
            }
            Node::Pattern(GraphPattern::Bgp { patterns }) => {
                let no = |object: &TermPattern| matches!(object, TermPattern::Literal(literal) if matches!(literal.value(), "false" | "0"));
                self.negates |= patterns.iter().any(|triple| no(&triple.object));
            }
            Node::Pattern(GraphPattern::Group {
                variables,
                aggregates,
                ..
            }) => {
                self.group_keys.push(variables);
                self.aggregates
                    .extend(aggregates.iter().map(|(v, a)| (v, a)));
            }
            Node::Expression(Expression::Equal(a, b)) => {
                let zero = |e: &Expression| matches!(e, Expression::Literal(l) if matches!(l.value(), "0" | "false"));
                self.negates |= zero(a) || zero(b);
            }
            _ => {}
        }
    }
}

/// Whether an expression is a comparison, or a test of a text, with a literal on one side.
fn compares_with_constant(expression: &Expression) -> bool {
    let literal = |e: &Expression| matches!(e, Expression::Literal(_));
    match expression {
        Expression::Equal(a, b)
        | Expression::Greater(a, b)
        | Expression::GreaterOrEqual(a, b)
        | Expression::Less(a, b)
        | Expression::LessOrEqual(a, b) => literal(a) || literal(b),
        Expression::FunctionCall(
            Function::Contains | Function::StrStarts | Function::StrEnds | Function::Regex,
            arguments,
        ) => arguments.get(1).is_some_and(literal),
        _ => false,
    }
}

/// Predicates that lead from a class to a wider one.
pub(crate) const HIERARCHIES: [&str; 5] = [
    "http://www.w3.org/2000/01/rdf-schema#subClassOf",
    "http://www.w3.org/2004/02/skos/core#broader",
    "http://www.w3.org/2004/02/skos/core#broaderTransitive",
    "http://www.wikidata.org/prop/direct/P279",
    "http://purl.obolibrary.org/obo/BFO_0000050",
];

/// The graphs of a query that only hold its hierarchy: every pattern in them is about classes and their labels.
pub(crate) fn hubs(query: &Query) -> BTreeSet<String> {
    let closures = control::closure_of(query);
    let mut hubs: BTreeSet<String> = closures.into_iter().filter_map(|c| c.graph).collect();
    walk(query, &mut |node, place| {
        let Some(NamedNodePattern::NamedNode(graph)) = place.graph else {
            return;
        };
        let Node::Pattern(GraphPattern::Bgp { patterns }) = node else {
            return;
        };
        let about_classes = patterns.iter().all(|triple| match &triple.predicate {
            NamedNodePattern::NamedNode(predicate) => {
                HIERARCHIES.contains(&predicate.as_str())
                    || definitions::is_naming(predicate.as_str())
                    || predicate.as_str() == RDF_TYPE
            }
            NamedNodePattern::Variable(_) => false,
        });
        if !about_classes {
            hubs.remove(graph.as_str());
        }
    });
    hubs
}

pub(crate) const RDF_TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

pub(crate) fn is_label_service(service: Option<&NamedNodePattern>) -> bool {
    matches!(service, Some(NamedNodePattern::NamedNode(name)) if name.as_str() == "http://wikiba.se/ontology#label")
}

pub(crate) fn pattern_of(query: &Query) -> &GraphPattern {
    match query {
        Query::Select { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. }
        | Query::Ask { pattern, .. } => pattern,
    }
}

/// The variables in scope after a pattern.
pub(crate) fn in_scope(pattern: &GraphPattern) -> BTreeSet<String> {
    let mut variables = BTreeSet::new();
    pattern.on_in_scope_variable(|variable| {
        variables.insert(variable.as_str().to_owned());
    });
    variables
}

/// The variables of an expression, and the patterns of its EXISTS.
pub(crate) fn parts_of<'e>(
    expression: &'e Expression,
    variables: &mut Vec<&'e str>,
    patterns: &mut Vec<&'e GraphPattern>,
) {
    match expression {
        Expression::NamedNode(_) | Expression::Literal(_) => {}
        Expression::Variable(variable) | Expression::Bound(variable) => {
            variables.push(variable.as_str());
        }
        Expression::Exists(pattern) => patterns.push(pattern),
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
            parts_of(a, variables, patterns);
            parts_of(b, variables, patterns);
        }
        Expression::UnaryPlus(a) | Expression::UnaryMinus(a) | Expression::Not(a) => {
            parts_of(a, variables, patterns);
        }
        Expression::If(a, b, c) => {
            for part in [a, b, c] {
                parts_of(part, variables, patterns);
            }
        }
        Expression::In(a, list) => {
            parts_of(a, variables, patterns);
            for item in list {
                parts_of(item, variables, patterns);
            }
        }
        Expression::Coalesce(list) | Expression::FunctionCall(_, list) => {
            for item in list {
                parts_of(item, variables, patterns);
            }
        }
    }
}

/// The variables of an expression, those inside EXISTS left out.
pub(crate) fn variables_of(expression: &Expression) -> Vec<&str> {
    let (mut variables, mut patterns) = (Vec::new(), Vec::new());
    parts_of(expression, &mut variables, &mut patterns);
    variables
}

/// Whether a pattern has at most one solution whatever the data.
pub(crate) fn at_most_one_row(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Group { variables, .. } => variables.is_empty(),
        GraphPattern::Slice { inner, length, .. } => {
            length.is_some_and(|length| length <= 1) || at_most_one_row(inner)
        }
        GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::Filter { inner, .. } => at_most_one_row(inner),
        GraphPattern::Join { left, right } => at_most_one_row(left) && at_most_one_row(right),
        GraphPattern::Values { bindings, .. } => bindings.len() <= 1,
        GraphPattern::Bgp { patterns } => patterns.is_empty(),
        _ => false,
    }
}

/// Whether an aggregate counts.
pub(crate) fn is_count(aggregate: &AggregateExpression) -> bool {
    matches!(
        aggregate,
        AggregateExpression::CountSolutions { .. }
            | AggregateExpression::FunctionCall {
                name: AggregateFunction::Count,
                ..
            }
    )
}

/// Whether an expression gives another value each time it is evaluated.
pub(crate) fn is_volatile(function: &Function) -> bool {
    matches!(
        function,
        Function::Rand | Function::Now | Function::Uuid | Function::StrUuid | Function::BNode
    )
}
