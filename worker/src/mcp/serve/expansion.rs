//! Letting the ontology terms of a query stand for themselves and all terms below them, in its algebra.
//!
//! The federation's public server does this in the text of the query, which breaks where the text says VALUES or BIND of the same
//! variable; here those are rewritten for what they are. A term that a query walks the hierarchy from (`rdfs:subClassOf`) is
//! left alone: the query says itself what it wants below it.

use std::collections::{BTreeMap, BTreeSet};

use oxrdf::{NamedNode, Variable, vocab::rdfs};
use serde::Serialize;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern, PropertyPathExpression};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};

/// What was expanded, as the public server reports it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Report {
    expanded: bool,
    original_uris: Vec<String>,
    /// How many terms each stands for, itself included.
    expanded_uris: BTreeMap<String, usize>,
    total_concepts: usize,
    batched: bool,
    num_batches: u32,
}

impl Report {
    pub(super) fn new(terms: &Terms) -> Self {
        let expanded_uris: BTreeMap<String, usize> = terms
            .iter()
            .map(|(term, below)| (term.as_str().to_owned(), below.len()))
            .collect();
        Self {
            expanded: expanded_uris.values().any(|terms| *terms > 1),
            original_uris: expanded_uris.keys().cloned().collect(),
            total_concepts: expanded_uris.values().sum(),
            expanded_uris,
            batched: false,
            num_batches: 1,
        }
    }
}

/// What each term stands for: itself first, then the terms below it.
pub(super) type Terms = BTreeMap<NamedNode, Vec<NamedNode>>;

/// The terms that can be expanded.
pub(super) fn terms_of(query: &Query) -> BTreeSet<NamedNode> {
    let mut found = BTreeSet::new();
    let mut rewriting = Rewriting {
        stands_for: &mut |term| {
            found.insert(term.clone());
            None
        },
        variable: None,
    };
    rewriting.query(&mut query.clone());
    found
}

/// The query with each term standing for what `terms` says. `variable` takes the place of a term in a pattern; without one each
/// term has a variable of its own.
pub(super) fn expanded(query: &Query, terms: &Terms, variable: Option<&Variable>) -> Query {
    let mut query = query.clone();
    let mut rewriting = Rewriting {
        stands_for: &mut |term| terms.get(term).filter(|terms| terms.len() > 1).cloned(),
        variable,
    };
    rewriting.query(&mut query);
    query
}

/// Whether the query has VALUES of the variable with a term that can be expanded.
pub(super) fn lists_terms(query: &Query, variable: &Variable) -> bool {
    let mut found = false;
    record::walk(query, &mut |node, _| {
        if let record::Node::Pattern(GraphPattern::Values {
            variables,
            bindings,
        }) = node
            && let Some(place) = variables.iter().position(|name| name == variable)
        {
            found |= bindings.iter().any(|row| {
                matches!(row.get(place), Some(Some(GroundTerm::NamedNode(name))) if is_term(name))
            });
        }
    });
    found
}

/// The variable to which the query binds a term that can be expanded.
pub(super) fn binds_term(query: &Query) -> Option<Variable> {
    let mut found = None;
    record::walk(query, &mut |node, _| {
        if let record::Node::Pattern(GraphPattern::Extend {
            variable,
            expression: Expression::NamedNode(name),
            ..
        }) = node
            && is_term(name)
        {
            found = Some(variable.clone());
        }
    });
    found
}

/// Whether an IRI is a term of an ontology that is expanded.
fn is_term(iri: &NamedNode) -> bool {
    const ONTOLOGIES: [&str; 6] = ["MONDO_", "UBERON_", "HP_", "GO_", "CL_", "CHEBI_"];
    iri.as_str()
        .strip_prefix("http://purl.obolibrary.org/obo/")
        .and_then(|id| ONTOLOGIES.iter().find_map(|name| id.strip_prefix(name)))
        .is_some_and(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()))
}

struct Rewriting<'a> {
    /// What a term is to stand for; nothing where it is to stay.
    stands_for: &'a mut dyn FnMut(&NamedNode) -> Option<Vec<NamedNode>>,
    variable: Option<&'a Variable>,
}

impl Rewriting<'_> {
    fn query(&mut self, query: &mut Query) {
        let (Query::Select { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. }
        | Query::Ask { pattern, .. }) = query;
        self.pattern(pattern);
    }

    fn pattern(&mut self, pattern: &mut GraphPattern) {
        use GraphPattern as P;
        match pattern {
            P::Bgp { patterns } => {
                let mut values = Values::default();
                for TriplePattern {
                    subject,
                    predicate,
                    object,
                } in patterns
                {
                    if !matches!(predicate, NamedNodePattern::NamedNode(name) if *name == rdfs::SUB_CLASS_OF)
                    {
                        self.term(subject, &mut values);
                        self.term(object, &mut values);
                    }
                }
                values.join(pattern);
            }
            P::Path {
                subject,
                path,
                object,
            } => {
                let mut values = Values::default();
                if !walks_hierarchy(path) {
                    self.term(subject, &mut values);
                    self.term(object, &mut values);
                }
                values.join(pattern);
            }
            P::Values { bindings, .. } => self.bindings(bindings),
            P::Extend {
                inner,
                variable,
                expression,
            } => {
                self.pattern(inner);
                self.expression(expression);
                if let Expression::NamedNode(term) = expression
                    && let Some(terms) = self.expand(term)
                {
                    let variable = variable.clone();
                    let inner = std::mem::take(&mut **inner);
                    *pattern = join(one_of(variable, terms), inner);
                }
            }
            P::Filter { expr, inner } => {
                self.pattern(inner);
                self.expression(expr);
            }
            P::LeftJoin {
                left,
                right,
                expression,
            } => {
                self.pattern(left);
                self.pattern(right);
                if let Some(expression) = expression {
                    self.expression(expression);
                }
            }
            P::Join { left, right } | P::Union { left, right } | P::Minus { left, right } => {
                self.pattern(left);
                self.pattern(right);
            }
            P::Graph { inner, .. }
            | P::Service { inner, .. }
            | P::OrderBy { inner, .. }
            | P::Project { inner, .. }
            | P::Distinct { inner }
            | P::Reduced { inner }
            | P::Slice { inner, .. }
            | P::Group { inner, .. } => self.pattern(inner),
        }
    }

    fn expand(&mut self, term: &NamedNode) -> Option<Vec<NamedNode>> {
        if is_term(term) {
            (self.stands_for)(term)
        } else {
            None
        }
    }

    fn term(&mut self, term: &mut TermPattern, values: &mut Values) {
        let TermPattern::NamedNode(name) = &*term else {
            return;
        };
        let Some(terms) = self.expand(name) else {
            return;
        };
        let variable = self.variable.cloned().unwrap_or_else(|| variable_of(name));
        values
            .0
            .insert((variable.as_str().to_owned(), name.clone()), terms);
        *term = TermPattern::Variable(variable);
    }

    /// A row for each term that one of its own stands for.
    fn bindings(&mut self, bindings: &mut Vec<Vec<Option<GroundTerm>>>) {
        let mut rows = Vec::new();
        for row in bindings.drain(..) {
            let mut some = vec![Vec::with_capacity(row.len())];
            for cell in row {
                let cells = match &cell {
                    Some(GroundTerm::NamedNode(name)) => self.expand(name).map(|terms| {
                        terms
                            .into_iter()
                            .map(|term| Some(GroundTerm::NamedNode(term)))
                            .collect()
                    }),
                    _ => None,
                };
                let cells: Vec<Option<GroundTerm>> = cells.unwrap_or_else(|| vec![cell]);
                some = some
                    .iter()
                    .flat_map(|row| {
                        cells.iter().map(|cell| {
                            let mut row = row.clone();
                            row.push(cell.clone());
                            row
                        })
                    })
                    .collect();
            }
            rows.append(&mut some);
        }
        *bindings = rows;
    }

    /// `= term` becomes `IN` the terms, and a list takes them up; other uses of a term in an expression keep it.
    fn expression(&mut self, expression: &mut Expression) {
        use Expression as E;
        match expression {
            E::Equal(a, b) | E::SameTerm(a, b) => {
                let ((E::NamedNode(term), value) | (value, E::NamedNode(term))) = (&**a, &**b)
                else {
                    return;
                };
                if let Some(terms) = self.expand(term) {
                    let terms = terms.into_iter().map(E::NamedNode).collect();
                    *expression = E::In(Box::new(value.clone()), terms);
                }
            }
            E::In(_, list) => {
                let mut all = Vec::new();
                for item in list.drain(..) {
                    let terms = match &item {
                        E::NamedNode(term) => self.expand(term),
                        _ => None,
                    };
                    match terms {
                        Some(terms) => all.extend(terms.into_iter().map(E::NamedNode)),
                        None => all.push(item),
                    }
                }
                *list = all;
            }
            E::Or(a, b) | E::And(a, b) => {
                self.expression(a);
                self.expression(b);
            }
            E::Not(inner) => self.expression(inner),
            E::If(a, b, c) => {
                for part in [a, b, c] {
                    self.expression(part);
                }
            }
            E::FunctionCall(_, parts) => {
                for part in parts {
                    self.expression(part);
                }
            }
            E::Exists(pattern) => self.pattern(pattern),
            _ => {}
        }
    }
}

/// The lists that have to stand beside a pattern, by variable and term.
#[derive(Default)]
struct Values(BTreeMap<(String, NamedNode), Vec<NamedNode>>);

impl Values {
    fn join(self, pattern: &mut GraphPattern) {
        for ((variable, _), terms) in self.0 {
            let inner = std::mem::take(pattern);
            *pattern = join(one_of(Variable::new_unchecked(variable), terms), inner);
        }
    }
}

fn join(left: GraphPattern, right: GraphPattern) -> GraphPattern {
    GraphPattern::Join {
        left: Box::new(left),
        right: Box::new(right),
    }
}

fn one_of(variable: Variable, terms: Vec<NamedNode>) -> GraphPattern {
    GraphPattern::Values {
        variables: vec![variable],
        bindings: terms
            .into_iter()
            .map(|term| vec![Some(GroundTerm::NamedNode(term))])
            .collect(),
    }
}

/// The variable in the place of a term, as the public server names it but for the ontology, so that no two share one.
fn variable_of(term: &NamedNode) -> Variable {
    let id = term.as_str().rsplit('/').next().unwrap_or_default();
    Variable::new_unchecked(format!("expanded_uri_{id}"))
}

fn walks_hierarchy(path: &PropertyPathExpression) -> bool {
    use PropertyPathExpression as P;
    match path {
        P::NamedNode(name) => *name == rdfs::SUB_CLASS_OF,
        P::Reverse(inner) | P::ZeroOrMore(inner) | P::OneOrMore(inner) | P::ZeroOrOne(inner) => {
            walks_hierarchy(inner)
        }
        P::Sequence(a, b) | P::Alternative(a, b) => walks_hierarchy(a) || walks_hierarchy(b),
        P::NegatedPropertySet(_) => false,
    }
}

#[cfg(test)]
mod tests;
