//! Which part of a federation a query can touch, by reading its algebra.
//!
//! The answer may be too wide but never too narrow: a file that is missing would not make a query fail but its answer wrong.
//! So everything that is not understood counts as *any graph*, or as *all of this graph*.
//!
//! A graph in several files is split by subject: each file holds the subjects of one IRI prefix, and no edge of the graph
//! leads from one file's subjects to another's. So a triple pattern with such an IRI in it matches in that IRI's file alone,
//! and so do the patterns tied to it by a variable that stands for a subject. The patterns that are tied together are a
//! *part* of the query; its *anchors* are the IRIs written in it, and those that `VALUES`, `BIND`, `=` or `IN` give its
//! variables. A variable that is nowhere a subject ties nothing: two files may well share a literal or a class.
//!
//! `OPTIONAL`, `MINUS`, `EXISTS` and the branches of `UNION` are groups of their own. They see the ties of what they are
//! joined to, but not the other way round: an IRI in an `OPTIONAL` restricts nothing outside it. A subquery belongs to the
//! group around it, apart from the variables that it keeps to itself; one that cuts off its rows keeps all of them.

use crate::algebra::{Node, exists_in, nodes, pattern_of};
use crate::catalogue::FileEntry;
use crate::query::MAX_DEPTH;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// What a query needs.
#[derive(Debug, Default)]
pub(crate) struct Needs {
    /// A pattern may match in any graph.
    anywhere: bool,
    /// By graph, the parts of the query over it.
    parts: BTreeMap<String, Vec<Part>>,
}

/// The anchors of a part.
type Part = Vec<Anchor>;

/// IRIs of which a term of a pattern is one.
type Anchor = Vec<String>;

impl Needs {
    /// Whether a file, one of those given, is among what is needed.
    pub(crate) fn include(&self, entry: &FileEntry, all: &[FileEntry]) -> bool {
        if self.anywhere {
            return true;
        }
        let Some(parts) = self.parts.get(&entry.graph) else {
            return false;
        };
        let Some(prefix) = &entry.iri_prefix else {
            return true;
        };
        let prefixes: Vec<&str> = all
            .iter()
            .filter(|other| other.graph == entry.graph)
            .filter_map(|other| other.iri_prefix.as_deref())
            .collect();
        // An anchor says in which files to look only if each of its IRIs does.
        let says = |anchor: &&Anchor| {
            anchor
                .iter()
                .all(|iri| prefixes.iter().any(|prefix| iri.starts_with(prefix)))
        };
        // Without a part, the query asks whether the graph is there, which any file of it answers.
        parts.is_empty()
            || parts.iter().any(|part| {
                let mut anchors = part.iter().filter(says).peekable();
                anchors.peek().is_none()
                    || anchors.any(|anchor| anchor.iter().any(|iri| iri.starts_with(prefix)))
            })
    }
}

/// What a query needs.
pub(crate) fn of(query: &Query) -> Needs {
    let mut reader = Reader {
        needs: Needs::default(),
        default: Scope::Anywhere,
        subqueries: 0,
    };
    let too_deep = nodes(Node::Pattern(pattern_of(query))).any(|(_, depth)| depth > MAX_DEPTH);
    // A description follows no pattern of the query's.
    if too_deep || matches!(query, Query::Describe { .. }) {
        reader.needs.anywhere = true;
        return reader.needs;
    }
    if let Some(dataset) = query.dataset() {
        reader.default = Scope::Graphs(
            dataset
                .default
                .iter()
                .map(|g| g.as_str().to_owned())
                .collect(),
        );
    }
    let scope = reader.default.clone();
    reader.group(pattern_of(query), &scope, &[]);
    reader.needs
}

/// The graphs that a pattern matches in.
#[derive(Clone)]
enum Scope {
    Anywhere,
    Graphs(Vec<String>),
}

/// What ties variables and IRIs together in a group.
#[derive(Clone)]
struct Tie {
    /// The graphs of a triple pattern; none for a `VALUES`, `BIND` or filter.
    graphs: Vec<String>,
    /// The variable in the place of the subject.
    subject: Option<String>,
    /// All variables but one in the place of the predicate, which is of no file.
    variables: Vec<String>,
    anchors: Vec<Anchor>,
}

struct Reader {
    needs: Needs,
    /// Where patterns outside `GRAPH` match.
    default: Scope,
    subqueries: usize,
}

/// A group inside a group, the graphs that it matches in and the ties of what it is joined to.
type Inner<'a> = (&'a GraphPattern, Scope, Vec<Tie>);

impl Reader {
    /// Reads a group that sees the ties of the group around it.
    fn group(&mut self, pattern: &GraphPattern, scope: &Scope, around: &[Tie]) {
        let mut ties = Vec::new();
        let mut inner = Vec::new();
        self.collect(pattern, scope, &mut ties, &mut inner);
        let own = ties.len();
        ties.extend_from_slice(around);
        self.record(&ties, own);
        for (pattern, scope, mut joined) in inner {
            joined.extend_from_slice(around);
            self.group(pattern, &scope, &joined);
        }
    }

    /// Gathers what holds for every solution of a pattern, and the groups inside it.
    fn collect<'a>(
        &mut self,
        pattern: &'a GraphPattern,
        scope: &Scope,
        ties: &mut Vec<Tie>,
        inner: &mut Vec<Inner<'a>>,
    ) {
        match pattern {
            GraphPattern::Bgp { patterns } => {
                for triple in patterns {
                    let mut tie = self.tie_in(scope);
                    tie.term(&triple.subject);
                    tie.subject = tie.variables.first().cloned();
                    tie.term(&triple.object);
                    ties.push(tie);
                }
            }
            GraphPattern::Path {
                subject, object, ..
            } => {
                // A path of no step begins at any term, so where it begins need not be a subject.
                let mut tie = self.tie_in(scope);
                tie.term(subject);
                tie.term(object);
                ties.push(tie);
            }
            GraphPattern::Join { left, right } => {
                self.collect(left, scope, ties, inner);
                self.collect(right, scope, ties, inner);
            }
            GraphPattern::LeftJoin {
                left,
                right,
                expression,
            } => {
                self.collect(left, scope, ties, inner);
                inner.push((right, scope.clone(), ties.clone()));
                for exists in expression.iter().flat_map(exists_in) {
                    inner.push((exists, scope.clone(), ties.clone()));
                }
            }
            GraphPattern::Minus { left, right } => {
                self.collect(left, scope, ties, inner);
                inner.push((right, scope.clone(), ties.clone()));
            }
            GraphPattern::Union { left, right } => {
                inner.push((left, scope.clone(), ties.clone()));
                inner.push((right, scope.clone(), ties.clone()));
            }
            GraphPattern::Filter {
                expr,
                inner: filtered,
            } => {
                self.collect(filtered, scope, ties, inner);
                conditions(expr, ties);
                for exists in exists_in(expr) {
                    inner.push((exists, scope.clone(), ties.clone()));
                }
            }
            GraphPattern::Graph { name, inner: named } => match name {
                NamedNodePattern::NamedNode(graph) => {
                    let scope = Scope::Graphs(vec![graph.as_str().to_owned()]);
                    // An empty group asks whether the graph is there.
                    self.tie_in(&scope);
                    self.collect(named, &scope, ties, inner);
                }
                NamedNodePattern::Variable(_) => self.collect(named, &Scope::Anywhere, ties, inner),
            },
            GraphPattern::Extend {
                inner: extended,
                variable,
                expression,
            } => {
                self.collect(extended, scope, ties, inner);
                if let Expression::NamedNode(iri) = expression {
                    ties.push(Tie::given(variable.as_str(), vec![iri.as_str().to_owned()]));
                }
                for exists in exists_in(expression) {
                    inner.push((exists, scope.clone(), ties.clone()));
                }
            }
            GraphPattern::Values {
                variables,
                bindings,
            } => {
                for (column, variable) in variables.iter().enumerate() {
                    let iris = bindings.iter().map(|row| match row.get(column) {
                        Some(Some(GroundTerm::NamedNode(iri))) => Some(iri.as_str().to_owned()),
                        _ => None,
                    });
                    // A column with anything but IRIs in it leaves its variable free.
                    if let Some(iris) = iris.collect() {
                        ties.push(Tie::given(variable.as_str(), iris));
                    }
                }
            }
            GraphPattern::OrderBy { inner: below, .. }
            | GraphPattern::Distinct { inner: below }
            | GraphPattern::Reduced { inner: below }
            | GraphPattern::Group { inner: below, .. } => self.collect(below, scope, ties, inner),
            GraphPattern::Project {
                inner: below,
                variables,
            } => self.subquery(below, variables, scope, ties),
            GraphPattern::Slice { inner: below, .. } => self.subquery(below, &[], scope, ties),
            // Never evaluated.
            GraphPattern::Service { .. } => {}
        }
    }

    /// Gathers what holds for every solution of a subquery that lets some variables out.
    fn subquery(
        &mut self,
        pattern: &GraphPattern,
        let_out: &[Variable],
        scope: &Scope,
        ties: &mut Vec<Tie>,
    ) {
        let mut own = Vec::new();
        let mut inner = Vec::new();
        self.collect(pattern, scope, &mut own, &mut inner);
        for (pattern, scope, joined) in inner {
            self.group(pattern, &scope, &joined);
        }
        self.subqueries += 1;
        let number = self.subqueries;
        let rename = |variable: &mut String| {
            if !let_out.iter().any(|out| out.as_str() == variable) {
                // No query can spell such a name, so it meets no other.
                *variable = format!("{variable} of subquery {number}");
            }
        };
        for mut tie in own {
            tie.subject.as_mut().into_iter().for_each(rename);
            tie.variables.iter_mut().for_each(rename);
            ties.push(tie);
        }
    }

    /// A tie of a pattern over the graphs in scope.
    fn tie_in(&mut self, scope: &Scope) -> Tie {
        let graphs = match scope {
            Scope::Anywhere => {
                self.needs.anywhere = true;
                Vec::new()
            }
            Scope::Graphs(graphs) => graphs.clone(),
        };
        for graph in &graphs {
            self.needs.parts.entry(graph.clone()).or_default();
        }
        Tie {
            graphs,
            subject: None,
            variables: Vec::new(),
            anchors: Vec::new(),
        }
    }

    /// Records the parts that the first `own` ties belong to.
    fn record(&mut self, ties: &[Tie], own: usize) {
        let graphs: BTreeSet<&String> = ties.iter().take(own).flat_map(|t| &t.graphs).collect();
        for graph in graphs {
            // Ties over other graphs do not count: what they share with this one may be in any of its files.
            let over: Vec<(usize, Tie)> = ties
                .iter()
                .enumerate()
                .filter(|(_, tie)| tie.graphs.contains(graph))
                .map(|(number, tie)| (number, tie.with_given(ties)))
                .collect();
            let binding: BTreeSet<&str> = over
                .iter()
                .flat_map(|(_, tie)| &tie.subject)
                .map(String::as_str)
                .collect();
            let mut left: BTreeSet<usize> = (0..over.len()).collect();
            while let Some(first) = left.pop_first() {
                let part = take_part(&over, &binding, first, &mut left);
                if part.iter().any(|(number, _)| *number < own) {
                    let anchors = part
                        .iter()
                        .flat_map(|(_, tie)| tie.anchors.iter().cloned())
                        .collect();
                    self.needs
                        .parts
                        .entry(graph.clone())
                        .or_default()
                        .push(anchors);
                }
            }
        }
    }
}

/// Takes the ties that hang together with one of them by binding variables out of those that are left.
fn take_part<'a>(
    over: &'a [(usize, Tie)],
    binding: &BTreeSet<&str>,
    first: usize,
    left: &mut BTreeSet<usize>,
) -> Vec<(usize, &'a Tie)> {
    let mut part = Vec::new();
    let mut todo = vec![first];
    while let Some(next) = todo.pop() {
        let Some((number, tie)) = over.get(next) else {
            continue;
        };
        part.push((*number, tie));
        let tied: Vec<usize> = left
            .iter()
            .copied()
            .filter(|other| {
                over.get(*other)
                    .is_some_and(|(_, other)| tie.is_tied_to(other, binding))
            })
            .collect();
        for other in tied {
            left.remove(&other);
            todo.push(other);
        }
    }
    part
}

impl Tie {
    /// What is known of a variable's value.
    fn given(variable: &str, iris: Anchor) -> Self {
        Self {
            graphs: Vec::new(),
            subject: None,
            variables: vec![variable.to_owned()],
            anchors: vec![iris],
        }
    }

    /// Adds the subject or the object of a pattern.
    fn term(&mut self, term: &TermPattern) {
        match term {
            TermPattern::NamedNode(iri) => self.anchors.push(vec![iri.as_str().to_owned()]),
            TermPattern::Variable(variable) => self.variables.push(variable.as_str().to_owned()),
            // In a query, a variable by another name; its `_:` keeps it apart.
            TermPattern::BlankNode(node) => self.variables.push(node.to_string()),
            TermPattern::Literal(_) => {}
        }
    }

    /// With the anchors that others give its variables. They hold for each pattern by itself: what two patterns have in common
    /// through a given value, be it a class, need not be of one file.
    fn with_given(&self, ties: &[Self]) -> Self {
        let mut tie = self.clone();
        for given in ties.iter().filter(|other| other.graphs.is_empty()) {
            if given.variables.iter().any(|v| self.variables.contains(v)) {
                tie.anchors.extend_from_slice(&given.anchors);
            }
        }
        tie
    }

    fn is_tied_to(&self, other: &Self, binding: &BTreeSet<&str>) -> bool {
        self.variables
            .iter()
            .any(|v| binding.contains(v.as_str()) && other.variables.contains(v))
    }
}

/// The ties of a filter: the conditions that all of its solutions meet and that give a variable one of some IRIs.
fn conditions(expression: &Expression, ties: &mut Vec<Tie>) {
    let mut todo = vec![expression];
    while let Some(expression) = todo.pop() {
        match expression {
            Expression::And(a, b) => todo.extend([&**a, &**b]),
            Expression::Equal(a, b) | Expression::SameTerm(a, b) => match (&**a, &**b) {
                (Expression::Variable(variable), Expression::NamedNode(iri))
                | (Expression::NamedNode(iri), Expression::Variable(variable)) => {
                    ties.push(Tie::given(variable.as_str(), vec![iri.as_str().to_owned()]));
                }
                _ => {}
            },
            Expression::In(value, list) => {
                let iris: Option<Vec<_>> = list
                    .iter()
                    .map(|item| match item {
                        Expression::NamedNode(iri) => Some(iri.as_str().to_owned()),
                        _ => None,
                    })
                    .collect();
                if let (Expression::Variable(variable), Some(iris)) = (&**value, iris) {
                    ties.push(Tie::given(variable.as_str(), iris));
                }
            }
            _ => {}
        }
    }
}
