//! The one hierarchy pattern of a key, as a rewriting needs to know it.

use crate::constants::Constants;
use crate::derive::derived::DeriveError;
use crate::derive::rewrite::{Rewrite, rewritten};
use crate::hierarchy::Descent;
use record::{Node, Place, walk};
use spargebra::Query;
use spargebra::algebra::{GraphPattern, PropertyPathExpression};
use spargebra::term::{NamedNode, NamedNodePattern, TermPattern, TriplePattern, Variable};
use std::collections::BTreeSet;

/// A hierarchy pattern and all that goes with it when it is taken out.
#[derive(Clone, Debug)]
pub(crate) struct Hierarchy {
    /// The pattern itself.
    pub(crate) pattern: GraphPattern,
    /// Single steps of `rdfs:subClassOf` before or after it: `a/a*` is parsed into a step and a path.
    pub(crate) steps: Vec<TriplePattern>,
    /// What ranges over the closure.
    pub(crate) variable: Variable,
    /// The variable at the top, where the root is not written into the pattern.
    pub(crate) upper: Option<Variable>,
    /// Whether only tests tie that variable to its terms, so that nothing binds it once the pattern is gone.
    pub(crate) is_tested: bool,
    /// The terms at the top.
    pub(crate) roots: Vec<NamedNode>,
    /// Where the pattern stands.
    pub(crate) position: Position,
}

/// A [`Place`] that outlives its query.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Position {
    pub(crate) graph: Option<NamedNodePattern>,
    pub(crate) service: Option<NamedNodePattern>,
}

impl From<Place<'_>> for Position {
    fn from(place: Place<'_>) -> Self {
        Self {
            graph: place.graph.cloned(),
            service: place.service.cloned(),
        }
    }
}

impl Position {
    /// The pattern, put there.
    pub(crate) fn around(&self, pattern: GraphPattern) -> GraphPattern {
        let pattern = match &self.graph {
            Some(name) => GraphPattern::Graph {
                name: name.clone(),
                inner: Box::new(pattern),
            },
            None => pattern,
        };
        match &self.service {
            Some(name) => GraphPattern::Service {
                name: name.clone(),
                inner: Box::new(pattern),
                silent: false,
            },
            None => pattern,
        }
    }

    /// The graph's IRI, where one is named.
    pub(crate) fn graph_iri(&self) -> Option<&str> {
        match self.graph.as_ref()? {
            NamedNodePattern::NamedNode(node) => Some(node.as_str()),
            NamedNodePattern::Variable(_) => None,
        }
    }
}

/// The query with a name for what stands between `a` and `b*` in a path `a/b*`, and its one hierarchy pattern.
pub(crate) fn the_hierarchy(query: &Query) -> Result<(Query, Hierarchy), DeriveError> {
    let (query, made_up) = with_named_ends(query);
    let constants = Constants::of(&query);
    let steps = steps_of(&query, &made_up);
    let mut found = Vec::new();
    walk(&query, &mut |node, place| {
        if let Node::Pattern(pattern) = node
            && let Some(candidate) = Candidate::of(pattern, place, &constants, &steps)
        {
            found.push(candidate);
        }
    });
    let candidate = match found.len() {
        0 => return Err(DeriveError::NoHierarchy),
        1 => found.remove(0),
        _ => {
            let patterns = found.iter().map(Candidate::to_string).collect();
            return Err(DeriveError::SeveralHierarchies { patterns });
        }
    };
    let mut hierarchy = candidate.finish(&constants)?;
    let bound = |upper: &Variable| is_bound_by_constants(&query, upper);
    hierarchy.is_tested = hierarchy.upper.as_ref().is_some_and(|upper| !bound(upper));
    Ok((query, hierarchy))
}

/// Whether a VALUES or BIND somewhere gives a variable its value.
fn is_bound_by_constants(query: &Query, variable: &Variable) -> bool {
    let mut bound = false;
    walk(query, &mut |node, _| {
        bound |= match node {
            Node::Pattern(GraphPattern::Values { variables, .. }) => variables.contains(variable),
            Node::Pattern(GraphPattern::Extend { variable: to, .. }) => to == variable,
            _ => false,
        };
    });
    bound
}

/// A pattern that goes down from somewhere.
struct Candidate<'q> {
    pattern: &'q GraphPattern,
    path: &'q PropertyPathExpression,
    lower: &'q TermPattern,
    upper: &'q TermPattern,
    steps: Vec<TriplePattern>,
    position: Position,
}

impl<'q> Candidate<'q> {
    fn of(
        pattern: &'q GraphPattern,
        place: Place<'_>,
        constants: &Constants<'q>,
        single: &[Step<'q>],
    ) -> Option<Self> {
        let GraphPattern::Path {
            subject,
            path,
            object,
        } = pattern
        else {
            return None;
        };
        let Descent {
            mut lower,
            mut upper,
        } = Descent::of_path(subject, path, object)?;
        let mut steps = Vec::new();
        while let Some(step) = single.iter().find(|step| is_open(step.lower, upper, step)) {
            upper = step.upper;
            steps.push(step.triple.clone());
        }
        while let Some(step) = single.iter().find(|step| is_open(step.upper, lower, step)) {
            lower = step.lower;
            steps.push(step.triple.clone());
        }
        // From a term that is known, a query looks at what is above it.
        if !constants.of_term(lower).is_empty() {
            return None;
        }
        Some(Self {
            pattern,
            path,
            lower,
            upper,
            steps,
            position: place.into(),
        })
    }

    fn finish(self, constants: &Constants<'q>) -> Result<Hierarchy, DeriveError> {
        if !is_whole(self.path) {
            return Err(DeriveError::PartOfPath {
                pattern: self.to_string(),
            });
        }
        let roots: Vec<_> = constants
            .of_term(self.upper)
            .into_iter()
            .map(NamedNode::new_unchecked)
            .collect();
        let (TermPattern::Variable(variable), false) = (self.lower, roots.is_empty()) else {
            return Err(DeriveError::FreeRoot {
                pattern: self.to_string(),
            });
        };
        Ok(Hierarchy {
            pattern: self.pattern.clone(),
            variable: variable.clone(),
            upper: match self.upper {
                TermPattern::Variable(upper) => Some(upper.clone()),
                _ => None,
            },
            is_tested: false,
            steps: self.steps,
            roots,
            position: self.position,
        })
    }
}

impl std::fmt::Display for Candidate<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = self.pattern.to_string();
        f.write_str(text.trim_end_matches([' ', '.']))
    }
}

/// A single step of `rdfs:subClassOf` that a path goes on with, at an end that nothing else in the query sees.
struct Step<'q> {
    triple: &'q TriplePattern,
    upper: &'q TermPattern,
    lower: &'q TermPattern,
    /// Which of the two ends only a path sees.
    inner: TermPattern,
}

fn is_open(near: &TermPattern, end: &TermPattern, step: &Step<'_>) -> bool {
    near == end && *end == step.inner
}

fn steps_of<'q>(query: &'q Query, made_up: &[Variable]) -> Vec<Step<'q>> {
    let mut steps = Vec::new();
    for (triple, _) in placed_triples(query) {
        let Some(Descent { upper, lower }) = Descent::of_triple(triple) else {
            continue;
        };
        // Seen by this step and by one path.
        let inner = made_up.iter().filter(|name| occurrences(query, name) == 2);
        for inner in inner.cloned().map(TermPattern::from) {
            if *upper == inner || *lower == inner {
                steps.push(Step {
                    triple,
                    upper,
                    lower,
                    inner,
                });
            }
        }
    }
    steps
}

/// Whether the path is nothing but a repetition of single steps.
fn is_whole(path: &PropertyPathExpression) -> bool {
    use PropertyPathExpression as P;
    fn is_step(path: &P) -> bool {
        match path {
            P::NamedNode(_) => true,
            P::Reverse(inner) => is_step(inner),
            P::Alternative(a, b) => is_step(a) && is_step(b),
            _ => false,
        }
    }
    match path {
        P::ZeroOrMore(inner) | P::OneOrMore(inner) => is_step(inner) || is_whole(inner),
        P::Reverse(inner) => is_whole(inner),
        _ => false,
    }
}

/// Gives the blank nodes at the ends of hierarchy patterns names: a rewriting puts something else in their place.
fn with_named_ends(query: &Query) -> (Query, Vec<Variable>) {
    struct Naming(Vec<TermPattern>, Vec<Variable>);
    impl Rewrite for Naming {
        fn term(&mut self, term: &mut TermPattern) {
            if let Some(place) = self.0.iter().position(|blank| blank == term) {
                *term = self.1[place].clone().into();
            }
        }
    }
    let mut ends = Vec::new();
    walk(query, &mut |node, _| {
        if let Node::Pattern(GraphPattern::Path {
            subject,
            path,
            object,
        }) = node
            && Descent::of_path(subject, path, object).is_some()
        {
            for end in [subject, object] {
                if matches!(end, TermPattern::BlankNode(_)) && !ends.contains(end) {
                    ends.push(end.clone());
                }
            }
        }
    });
    let mut taken = variables_of(query);
    let mut names = Vec::new();
    for _ in &ends {
        let name = fresh("step", &taken);
        taken.insert(name.as_str().to_owned());
        names.push(name);
    }
    let query = rewritten(query, &mut Naming(ends, names.clone()));
    (query, names)
}

/// Every triple pattern of a query with its position.
pub(crate) fn placed_triples(query: &Query) -> Vec<(&TriplePattern, Position)> {
    let mut triples = Vec::new();
    walk(query, &mut |node, place| {
        if let Node::Pattern(GraphPattern::Bgp { patterns }) = node {
            triples.extend(
                patterns
                    .iter()
                    .map(|triple| (triple, Position::from(place))),
            );
        }
    });
    triples
}

/// The names of all variables in a query.
pub(crate) fn variables_of(query: &Query) -> BTreeSet<String> {
    struct Listing(BTreeSet<String>);
    impl Rewrite for Listing {
        fn variable(&mut self, variable: &mut Variable) {
            self.0.insert(variable.as_str().to_owned());
        }
    }
    let mut listing = Listing(BTreeSet::new());
    rewritten(query, &mut listing);
    listing.0
}

/// How often a variable stands in a query.
pub(crate) fn occurrences(query: &Query, variable: &Variable) -> usize {
    struct Counting<'v>(&'v Variable, usize);
    impl Rewrite for Counting<'_> {
        fn variable(&mut self, variable: &mut Variable) {
            self.1 += usize::from(variable == self.0);
        }
    }
    let mut counting = Counting(variable, 0);
    rewritten(query, &mut counting);
    counting.1
}

/// A variable of that name, or of that name and a number where the query has it already.
pub(crate) fn fresh(name: &str, taken: &BTreeSet<String>) -> Variable {
    let mut candidate = name.to_owned();
    let mut number = 1;
    while taken.contains(&candidate) {
        number += 1;
        candidate = format!("{name}{number}");
    }
    Variable::new_unchecked(candidate)
}
