//! Parts of a key that no variable joins to the rest.

use super::{Shape, at_most_one_row, in_scope, is_label_service, parts_of, pattern_of};
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{BlankNode, NamedNodePattern, TermPattern, TriplePattern};
use std::collections::{BTreeMap, BTreeSet};

/// What kind of part is loose.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Part {
    /// Triples or a sub-select: each of its solutions meets each of the others'.
    Block,
    /// An OPTIONAL: the same, where it has solutions.
    Optional,
    /// A MINUS: it removes nothing.
    Minus,
    /// An EXISTS: it keeps everything or nothing.
    Exists,
}

/// A part that shares no variable with the rest.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Loose {
    pub(crate) part: Part,
    /// Its variables.
    pub(crate) variables: Vec<String>,
}

impl Shape<'_> {
    /// The loose parts of the key.
    pub(crate) fn loose(&self) -> Vec<Loose> {
        let mut loose = Vec::new();
        level(pattern_of(self.query), &BTreeSet::new(), &mut loose);
        loose.sort();
        loose.dedup();
        loose
    }
}

/// Something that contributes solutions, with its variables.
struct Element {
    part: Part,
    variables: BTreeSet<String>,
}

#[derive(Default)]
struct Level<'q> {
    elements: Vec<Element>,
    /// Variables that a filter or a binding brings together.
    links: Vec<BTreeSet<String>>,
    loose: Vec<Loose>,
    /// The branches of each union, with the index of its element.
    unions: Vec<(usize, [&'q GraphPattern; 2])>,
}

/// Judges one group and, below it, every group of its own scope. `outer` is bound from outside, and so joined already.
fn level(pattern: &GraphPattern, outer: &BTreeSet<String>, loose: &mut Vec<Loose>) {
    let mut level = Level::default();
    level.links.push(outer.clone());
    level.flatten(pattern, Part::Block, outer);
    level.judge_branches(outer);
    loose.append(&mut level.loose);

    let mut groups = Groups::default();
    for link in &level.links {
        groups.join(link.iter());
    }
    for element in &level.elements {
        groups.join(element.variables.iter());
    }
    let mut components: BTreeMap<usize, (Part, BTreeSet<String>)> = BTreeMap::new();
    let mut order = Vec::new();
    for element in &level.elements {
        let Some(root) = element.variables.iter().next().map(|v| groups.root(v)) else {
            continue;
        };
        if !components.contains_key(&root) {
            order.push(root);
        }
        let component = components
            .entry(root)
            .or_insert((element.part, BTreeSet::new()));
        component.0 = component.0.min(element.part);
        component.1.extend(element.variables.iter().cloned());
    }
    let outer_root = outer.iter().next().map(|v| groups.root(v));
    for (index, root) in order.iter().enumerate() {
        // The first component is what the others fail to join, unless the outside is.
        if Some(*root) == outer_root || (outer_root.is_none() && index == 0) {
            continue;
        }
        if let Some((part, variables)) = components.get(root) {
            let variables: Vec<String> = variables
                .iter()
                .filter(|v| !v.starts_with("_:"))
                .cloned()
                .collect();
            if outer_root.is_none() || *part == Part::Optional || index > 0 {
                loose.push(Loose {
                    part: *part,
                    variables,
                });
            }
        }
    }
}

impl<'q> Level<'q> {
    fn flatten(&mut self, pattern: &'q GraphPattern, part: Part, outer: &BTreeSet<String>) {
        match pattern {
            GraphPattern::Bgp { patterns } => {
                for triple in patterns {
                    self.add(part, of_triple(triple));
                }
            }
            GraphPattern::Path {
                subject, object, ..
            } => {
                let mut variables = BTreeSet::new();
                of_term(subject, &mut variables);
                of_term(object, &mut variables);
                self.add(part, variables);
            }
            GraphPattern::Join { left, right } => {
                self.flatten(left, part, outer);
                self.flatten(right, part, outer);
            }
            GraphPattern::LeftJoin {
                left,
                right,
                expression,
            } => {
                self.flatten(left, part, outer);
                self.flatten(right, Part::Optional, outer);
                if let Some(expression) = expression {
                    self.link(expression, pattern, outer);
                }
            }
            GraphPattern::Filter { expr, inner } => {
                self.flatten(inner, part, outer);
                self.link(expr, inner, outer);
            }
            GraphPattern::Extend {
                inner,
                variable,
                expression,
            } => {
                self.flatten(inner, part, outer);
                let mut link: BTreeSet<String> = super::variables_of(expression)
                    .into_iter()
                    .map(str::to_owned)
                    .collect();
                link.insert(variable.as_str().to_owned());
                self.links.push(link);
            }
            GraphPattern::Graph { name, inner } => {
                if let NamedNodePattern::Variable(variable) = name {
                    let mut link = in_scope(inner);
                    link.insert(variable.as_str().to_owned());
                    self.links.push(link);
                }
                self.flatten(inner, part, outer);
            }
            GraphPattern::Minus { left, right } => {
                self.flatten(left, part, outer);
                let kept = in_scope(left);
                self.below(right, &kept, Part::Minus);
            }
            GraphPattern::Union { left, right } => {
                // The branches wait until it is known what stands beside the union, before it or after.
                self.unions.push((self.elements.len(), [left, right]));
                self.elements.push(Element {
                    part,
                    variables: in_scope(pattern),
                });
            }
            GraphPattern::Service { name, inner, .. } => {
                if !is_label_service(Some(name)) {
                    let mut variables = in_scope(inner);
                    if let NamedNodePattern::Variable(variable) = name {
                        variables.insert(variable.as_str().to_owned());
                    }
                    self.add(part, variables);
                }
            }
            GraphPattern::Values { .. } => {
                if !at_most_one_row(pattern) {
                    self.add(part, in_scope(pattern));
                }
            }
            GraphPattern::Project { inner, .. }
            | GraphPattern::Distinct { inner }
            | GraphPattern::Reduced { inner }
            | GraphPattern::OrderBy { inner, .. }
            | GraphPattern::Slice { inner, .. }
            | GraphPattern::Group { inner, .. } => {
                if !at_most_one_row(pattern) {
                    self.add(part, in_scope(pattern));
                }
                level(inner, &BTreeSet::new(), &mut self.loose);
            }
        }
    }

    /// Judges each branch of a union by itself. What is bound beside the union joins the parts of a branch that mention it.
    fn judge_branches(&mut self, outer: &BTreeSet<String>) {
        for (index, branches) in std::mem::take(&mut self.unions) {
            let mut beside = outer.clone();
            for (other, element) in self.elements.iter().enumerate() {
                if other != index {
                    beside.extend(element.variables.iter().cloned());
                }
            }
            for branch in branches {
                let shared = in_scope(branch).intersection(&beside).cloned().collect();
                level(branch, &shared, &mut self.loose);
            }
        }
    }

    fn add(&mut self, part: Part, variables: BTreeSet<String>) {
        if !variables.is_empty() {
            self.elements.push(Element { part, variables });
        }
    }

    /// Brings together what one condition mentions. Conditions that are merely listed side by side, or joined by `&&`, bring
    /// nothing together.
    fn link(&mut self, condition: &Expression, around: &GraphPattern, outer: &BTreeSet<String>) {
        if let Expression::And(a, b) = condition {
            self.link(a, around, outer);
            self.link(b, around, outer);
            return;
        }
        let (mut variables, mut patterns) = (Vec::new(), Vec::new());
        parts_of(condition, &mut variables, &mut patterns);
        let mut link: BTreeSet<String> = variables.into_iter().map(str::to_owned).collect();
        let mut scope = in_scope(around);
        scope.extend(outer.iter().cloned());
        for inside in patterns {
            link.extend(mentioned(inside).intersection(&scope).cloned());
            self.below(inside, &scope, Part::Exists);
        }
        self.links.push(link);
    }

    /// A pattern that only tests what is around it.
    fn below(&mut self, pattern: &GraphPattern, around: &BTreeSet<String>, part: Part) {
        let inside = mentioned(pattern);
        if !around.is_empty() && !inside.is_empty() && inside.is_disjoint(around) {
            self.loose.push(Loose {
                part,
                variables: inside
                    .into_iter()
                    .filter(|v| !v.starts_with("_:"))
                    .collect(),
            });
            return;
        }
        let shared: BTreeSet<String> = inside.intersection(around).cloned().collect();
        level(pattern, &shared, &mut self.loose);
    }
}

/// The variables in scope, and those that its filters take from outside.
fn mentioned(pattern: &GraphPattern) -> BTreeSet<String> {
    let mut variables = in_scope(pattern);
    if let GraphPattern::Filter { expr, inner } = pattern {
        variables.extend(super::variables_of(expr).into_iter().map(str::to_owned));
        variables.extend(mentioned(inner));
    }
    variables
}

fn of_triple(triple: &TriplePattern) -> BTreeSet<String> {
    let mut variables = BTreeSet::new();
    of_term(&triple.subject, &mut variables);
    if let NamedNodePattern::Variable(variable) = &triple.predicate {
        variables.insert(variable.as_str().to_owned());
    }
    of_term(&triple.object, &mut variables);
    variables
}

fn of_term(term: &TermPattern, variables: &mut BTreeSet<String>) {
    match term {
        TermPattern::Variable(variable) => {
            variables.insert(variable.as_str().to_owned());
        }
        TermPattern::BlankNode(node) => {
            variables.insert(blank(node));
        }
        _ => {}
    }
}

fn blank(node: &BlankNode) -> String {
    format!("_:{}", node.as_str())
}

/// Union-find over names.
#[derive(Default)]
struct Groups {
    ids: BTreeMap<String, usize>,
    parents: Vec<usize>,
}

impl Groups {
    fn join<'n>(&mut self, names: impl Iterator<Item = &'n String>) {
        let mut first = None;
        for name in names {
            let root = self.root(name);
            match first {
                None => first = Some(root),
                Some(first) => self.parents[root] = first,
            }
        }
    }

    fn root(&mut self, name: &str) -> usize {
        let next = self.parents.len();
        let mut at = *self.ids.entry(name.to_owned()).or_insert(next);
        if at == next {
            self.parents.push(next);
        }
        while self.parents[at] != at {
            at = self.parents[at];
        }
        at
    }
}
