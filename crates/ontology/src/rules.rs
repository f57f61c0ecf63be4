//! The axioms of an ontology indexed by what they wait for, so that a [`World`](crate::world::World) can be made of them.

use crate::closure::{next, reached};
use crate::logic::{EVERYTHING, Expression, Logic, Node, Role, is_bottom};
use crate::names::Term;
use crate::ontology::Ontology;
use rustc_hash::{FxHashMap, FxHashSet};

/// A class that is decided on once nothing else is left to do, and what a thing must be in for it to matter.
pub(crate) struct Closing {
    pub(crate) node: Node,
    pub(crate) guard: Vec<Node>,
}

/// What follows from what.
#[derive(Default)]
pub(crate) struct Rules {
    pub(crate) expressions: Vec<Expression>,
    /// Classes that something must be in, so that what they say of it must be made true.
    pub(crate) required: Vec<bool>,
    pub(crate) up: FxHashMap<Node, Vec<Node>>,
    pub(crate) apart: FxHashMap<Node, Vec<Node>>,
    pub(crate) groups: FxHashMap<Node, Vec<u32>>,
    /// Complements by what they are the complement of.
    pub(crate) nots: FxHashMap<Node, Vec<Node>>,
    /// Intersections and unions that something may be found to be in, by their members.
    pub(crate) all_with: FxHashMap<Node, Vec<Node>>,
    pub(crate) any_with: FxHashMap<Node, Vec<Node>>,
    /// The same of existential restrictions, by their filler and by their role.
    pub(crate) some_with: FxHashMap<Node, Vec<(Role, Node)>>,
    pub(crate) some_by: FxHashMap<Role, Vec<(Node, Node)>>,
    /// Upper bounds on a number, by what they count.
    pub(crate) most_with: FxHashMap<Node, Vec<(Role, Node)>>,
    pub(crate) itself_by: FxHashMap<Role, Vec<Node>>,
    /// What a universal restriction says of the transitive roles under its own.
    pub(crate) only_along: FxHashMap<Node, Vec<Node>>,
    pub(crate) closing: Vec<Closing>,
    /// What these look at in the things that a role leads to, and the role.
    pub(crate) closing_over: FxHashMap<Node, Vec<Role>>,
    pub(crate) above: FxHashMap<Role, Vec<Role>>,
    pub(crate) below: FxHashMap<Role, Vec<Role>>,
    pub(crate) domains: FxHashMap<Role, Vec<Node>>,
    pub(crate) functional: FxHashSet<Role>,
    pub(crate) transitive: FxHashSet<Role>,
    /// The transitive roles under a role, itself included.
    pub(crate) transitive_below: FxHashMap<Role, Vec<Role>>,
    pub(crate) reflexive: Vec<Role>,
    pub(crate) irreflexive: FxHashSet<Role>,
    pub(crate) asymmetric: FxHashSet<Role>,
    pub(crate) disjoint: FxHashMap<Role, Vec<Role>>,
    pub(crate) bottom: FxHashSet<Role>,
    /// By their first role, and by their second one: the other, and what follows.
    pub(crate) chains_by_first: FxHashMap<Role, Vec<(Role, Role)>>,
    pub(crate) chains_by_second: FxHashMap<Role, Vec<(Role, Role)>>,
    /// Roles of which something bounds what they lead to, or where they come from.
    pub(crate) bounded: FxHashSet<Role>,
    /// Roles that lead to each thing from one other alone.
    pub(crate) from_one: FxHashSet<Role>,
    /// Whether no thing may be joined to itself, or back, by some property.
    pub(crate) layered: bool,
}

pub(crate) fn back((property, forward): Role) -> Role {
    (property, !forward)
}

impl Rules {
    pub(crate) fn new(ontology: &Ontology) -> Self {
        let logic = &ontology.logic;
        let mut rules = Self {
            expressions: logic.expressions.clone(),
            ..Self::default()
        };
        rules.read_roles(ontology, logic);
        rules.read_classes(logic);
        rules
    }

    /// The role and every one above it.
    pub(crate) fn above(&self, role: Role) -> Vec<Role> {
        let known = next(&self.above, role);
        if known.is_empty() {
            vec![role]
        } else {
            known.to_vec()
        }
    }

    pub(crate) fn expression(&self, node: Node) -> &Expression {
        self.expressions
            .get(node as usize)
            .unwrap_or(&Expression::Atom)
    }

    pub(crate) fn is_required(&self, node: Node) -> bool {
        self.required.get(node as usize).copied().unwrap_or(true)
    }

    /// Whether nothing can be said of what else is in it, so that anything might be.
    pub(crate) fn is_free(&self, node: Node) -> bool {
        matches!(
            self.expression(node),
            Expression::Range | Expression::Unread
        )
    }

    fn read_roles(&mut self, ontology: &Ontology, logic: &Logic) {
        let mut up: FxHashMap<Role, Vec<Role>> = FxHashMap::default();
        let mut put = |below: Role, above: Role| {
            up.entry(below).or_default().push(above);
            up.entry(back(below)).or_default().push(back(above));
        };
        for (below, above) in &logic.sub_roles {
            put(*below, *above);
        }
        let (chains, spare) = in_pairs(&logic.chains);
        let terms = terms_of(ontology, logic, &up, &chains);
        for role in terms
            .iter()
            .flat_map(|term| [(*term, true), (*term, false)])
        {
            let mut above: Vec<Role> = reached(&up, role).into_iter().collect();
            above.sort_unstable();
            for higher in &above {
                self.below.entry(*higher).or_default().push(role);
            }
            self.above.insert(role, above);
        }
        let is_named = |term: &&Term| term.0 <= spare;
        let bottom = terms.iter().filter(is_named);
        let bottom = bottom.filter(|term| is_bottom(ontology.iri(**term)));
        self.bottom
            .extend(bottom.flat_map(|term| [(*term, true), (*term, false)]));
        for (role, class) in &logic.domains {
            self.domains.entry(*role).or_default().push(*class);
        }
        self.functional.extend(&logic.functional);
        let both = |term: &Term| [(*term, true), (*term, false)];
        self.transitive
            .extend(logic.transitive.iter().flat_map(both));
        self.irreflexive
            .extend(logic.irreflexive.iter().flat_map(both));
        // What is asymmetric is irreflexive.
        self.irreflexive
            .extend(logic.asymmetric.iter().flat_map(both));
        self.asymmetric
            .extend(logic.asymmetric.iter().flat_map(both));
        self.layered = !self.irreflexive.is_empty();
        self.reflexive = logic.reflexive.iter().map(|term| (*term, true)).collect();
        for (a, b) in &logic.disjoint_roles {
            for (a, b) in [(*a, *b), (back(*a), back(*b))] {
                self.disjoint.entry(a).or_default().push(b);
                self.disjoint.entry(b).or_default().push(a);
            }
        }
        self.read_chains(logic, chains);
        self.read_bounds(logic);
    }

    fn read_chains(&mut self, logic: &Logic, mut chains: Vec<(Role, Role, Role)>) {
        let mut transitive: Vec<Role> = self.transitive.iter().copied().collect();
        transitive.sort_unstable();
        // Steps over a transitive property are put together where more depends on it than what it leads to.
        let parts: FxHashSet<Role> = chains.iter().flat_map(|(a, b, _)| [*a, *b]).collect();
        let counted = logic.expressions.iter().filter_map(|expression| {
            let counts = matches!(expression, Expression::AtMost(..) | Expression::Itself(_));
            over(expression).filter(|_| counts).map(|(role, _)| role)
        });
        let counted: FxHashSet<Role> = counted.collect();
        let depended_on = |role: &Role| {
            parts.contains(role)
                || counted.contains(role)
                || self.functional.contains(role)
                || self.irreflexive.contains(role)
                || self.asymmetric.contains(role)
                || self.disjoint.contains_key(role)
        };
        for role in transitive.iter().filter(|(_, forward)| *forward) {
            let above = self.above(*role).into_iter().chain(self.above(back(*role)));
            if above.into_iter().any(|role| depended_on(&role)) {
                chains.push((*role, *role, *role));
            }
        }
        for (first, second, above) in &chains {
            for (first, second, above) in [
                (*first, *second, *above),
                (back(*second), back(*first), back(*above)),
            ] {
                let by_first = self.chains_by_first.entry(first).or_default();
                by_first.push((second, above));
                let by_second = self.chains_by_second.entry(second).or_default();
                by_second.push((first, above));
            }
        }
        let mut transitive_below: FxHashMap<Role, Vec<Role>> = FxHashMap::default();
        for role in &transitive {
            for above in self.above(*role) {
                transitive_below.entry(above).or_default().push(*role);
            }
        }
        self.transitive_below = transitive_below;
    }

    fn read_bounds(&mut self, logic: &Logic) {
        let mut bounded: FxHashSet<Role> = self.functional.clone();
        for expression in &logic.expressions {
            match expression {
                Expression::Only(role, _) | Expression::AtMost(_, role, _) => {
                    bounded.insert(*role);
                }
                _ => {}
            }
        }
        for (role, above) in &self.above {
            let backwards = next(&self.above, back(*role));
            if above
                .iter()
                .chain(backwards)
                .any(|role| bounded.contains(role))
            {
                self.bounded.insert(*role);
            }
            if backwards.iter().any(|role| self.functional.contains(role)) {
                self.from_one.insert(*role);
            }
        }
    }

    fn put(&mut self, expression: Expression) -> Node {
        let node = Node::try_from(self.expressions.len()).unwrap_or(Node::MAX);
        self.expressions.push(expression);
        self.required.push(true);
        node
    }

    fn read_classes(&mut self, logic: &Logic) {
        let marks = Marks::of(logic);
        self.required = marks.required;
        for (below, above) in &logic.under {
            let below = if self.is_free(*below) {
                EVERYTHING
            } else {
                *below
            };
            self.up.entry(below).or_default().push(*above);
        }
        for (a, b) in &logic.apart {
            self.apart.entry(*a).or_default().push(*b);
            self.apart.entry(*b).or_default().push(*a);
        }
        for (group, members) in (0_u32..).zip(&logic.groups) {
            for member in members {
                self.groups.entry(*member).or_default().push(group);
            }
        }
        for (node, expression) in (0..).zip(&logic.expressions) {
            let is_found = marks.found.get(node as usize).copied().unwrap_or(true);
            match expression {
                Expression::Not(inner) => self.nots.entry(*inner).or_default().push(node),
                Expression::Only(role, filler) => self.read_only(node, *role, *filler),
                Expression::AtMost(_, role, filler) => {
                    let counted = self.most_with.entry(*filler).or_default();
                    counted.push((*role, node));
                }
                Expression::All(members) if is_found => {
                    if members.is_empty() {
                        self.up.entry(EVERYTHING).or_default().push(node);
                    }
                    for member in members {
                        let member = if self.is_free(*member) {
                            EVERYTHING
                        } else {
                            *member
                        };
                        self.all_with.entry(member).or_default().push(node);
                    }
                }
                Expression::Any(members) if is_found => {
                    for member in members {
                        let member = if self.is_free(*member) {
                            EVERYTHING
                        } else {
                            *member
                        };
                        self.any_with.entry(member).or_default().push(node);
                    }
                }
                Expression::Some(role, filler) | Expression::AtLeast(_, role, filler)
                    if is_found =>
                {
                    // More than one may be asked for; one is taken to be enough.
                    self.read_some(node, *role, *filler);
                }
                Expression::Itself(role) if is_found => {
                    self.itself_by.entry(*role).or_default().push(node);
                }
                _ => {}
            }
        }
        self.closing = marks.closing;
        for closing in &self.closing {
            let expression = logic.expressions.get(closing.node as usize);
            if let Some((role, Some(filler))) = expression.and_then(over) {
                self.closing_over.entry(filler).or_default().push(role);
            }
        }
    }

    fn read_only(&mut self, node: Node, role: Role, filler: Node) {
        for along in next(&self.transitive_below, role).to_vec() {
            if along != role {
                let aux = self.put(Expression::Only(along, filler));
                self.only_along.entry(node).or_default().push(aux);
            }
        }
    }

    fn read_some(&mut self, node: Node, role: Role, filler: Node) {
        let filler = if self.is_free(filler) {
            EVERYTHING
        } else {
            filler
        };
        self.put_some(role, filler, node);
        for along in next(&self.transitive_below, role).to_vec() {
            // What has it over several steps is handed back along them.
            let aux = self.put(Expression::Atom);
            self.put_some(along, filler, aux);
            self.put_some(along, aux, aux);
            self.up.entry(aux).or_default().push(node);
        }
    }

    fn put_some(&mut self, role: Role, filler: Node, node: Node) {
        self.some_with.entry(filler).or_default().push((role, node));
        self.some_by.entry(role).or_default().push((filler, node));
    }
}

/// Chains of two, longer ones by properties that have no name: those beyond the term that comes with them.
fn in_pairs(all: &[(Vec<Role>, Role)]) -> (Vec<(Role, Role, Role)>, u32) {
    let mut chains: Vec<(Role, Role, Role)> = Vec::new();
    let mut spare = u32::MAX;
    for (steps, above) in all {
        // Longer ones by properties that have no name.
        let mut steps = steps.iter().copied();
        let (Some(mut first), Some(mut second)) = (steps.next(), steps.next()) else {
            continue;
        };
        for third in steps {
            let between = (Term(spare), true);
            spare = spare.saturating_sub(1);
            chains.push((first, second, between));
            (first, second) = (between, third);
        }
        chains.push((first, second, *above));
    }
    (chains, spare)
}

/// Every property that anything is said of.
fn terms_of(
    ontology: &Ontology,
    logic: &Logic,
    up: &FxHashMap<Role, Vec<Role>>,
    chains: &[(Role, Role, Role)],
) -> Vec<Term> {
    let mut terms: Vec<Term> = ontology.properties().collect();
    terms.extend(up.keys().map(|(term, _)| *term));
    terms.extend(up.values().flatten().map(|(term, _)| *term));
    terms.extend(chains.iter().flat_map(|(a, b, c)| [a.0, b.0, c.0]));
    terms.extend(logic.domains.iter().map(|(role, _)| role.0));
    terms.extend(logic.functional.iter().map(|role| role.0));
    terms.extend(logic.disjoint_roles.iter().flat_map(|(a, b)| [a.0, b.0]));
    let characteristics = [
        &logic.transitive,
        &logic.reflexive,
        &logic.irreflexive,
        &logic.asymmetric,
    ];
    terms.extend(characteristics.into_iter().flatten());
    terms.extend(logic.expressions.iter().filter_map(|expression| {
        let (role, _) = over(expression)?;
        Some(role.0)
    }));
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// The role of a restriction, and its filler where it has one.
fn over(expression: &Expression) -> Option<(Role, Option<Node>)> {
    match expression {
        Expression::Some(role, filler)
        | Expression::Only(role, filler)
        | Expression::AtLeast(_, role, filler)
        | Expression::AtMost(_, role, filler) => Some((*role, Some(*filler))),
        Expression::Itself(role) => Some((*role, None)),
        _ => None,
    }
}

/// On which side of an axiom each class stands.
struct Marks {
    /// Something is said to be in it.
    required: Vec<bool>,
    /// Something is said of what is in it.
    found: Vec<bool>,
    closing: Vec<Closing>,
}

impl Marks {
    fn of(logic: &Logic) -> Self {
        let count = logic.expressions.len();
        let mut marks = Self {
            required: vec![false; count],
            found: vec![false; count],
            closing: Vec::new(),
        };
        let mut waiting: Vec<(Node, bool)> = Vec::new();
        // The guards of what is decided last; none where anything at all could be in it.
        let mut guards: FxHashMap<Node, Vec<Node>> = FxHashMap::default();
        let is_late = |node: Node| {
            matches!(
                logic.expressions.get(node as usize),
                Some(Expression::Only(..) | Expression::AtMost(..) | Expression::Not(_))
            )
        };
        for (below, above) in &logic.under {
            waiting.extend([(*below, false), (*above, true)]);
            if is_late(*below) {
                guards.insert(*below, Vec::new());
            }
        }
        let apart = logic.apart.iter().flat_map(|(a, b)| [*a, *b]);
        for node in apart.chain(logic.groups.iter().flatten().copied()) {
            waiting.push((node, false));
            if is_late(node) {
                guards.insert(node, Vec::new());
            }
        }
        waiting.extend(logic.domains.iter().map(|(_, class)| (*class, true)));
        while let Some((node, required)) = waiting.pop() {
            let marked = if required {
                &mut marks.required
            } else {
                &mut marks.found
            };
            match marked.get_mut(node as usize) {
                Some(marked) if !*marked => *marked = true,
                _ => continue,
            }
            let Some(expression) = logic.expressions.get(node as usize) else {
                continue;
            };
            match expression {
                Expression::All(members) | Expression::Any(members) => {
                    waiting.extend(members.iter().map(|member| (*member, required)));
                    if required {
                        continue;
                    }
                    let is_all = matches!(expression, Expression::All(_));
                    for member in members.iter().filter(|member| is_late(**member)) {
                        let guard = members.iter().copied().filter(|member| {
                            let expression = logic.expressions.get(*member as usize);
                            let is_free =
                                matches!(expression, Some(Expression::Range | Expression::Unread));
                            is_all && !is_late(*member) && !is_free
                        });
                        let guard = guard.collect();
                        let known = guards.get(member);
                        let guard = if known.is_none_or(|known| *known == guard) {
                            guard
                        } else {
                            Vec::new()
                        };
                        guards.insert(*member, guard);
                    }
                }
                Expression::Some(_, inner) | Expression::AtLeast(_, _, inner) => {
                    waiting.push((*inner, required));
                    if !required && is_late(*inner) {
                        guards.insert(*inner, Vec::new());
                    }
                }
                Expression::Not(inner) | Expression::AtMost(_, _, inner) => {
                    waiting.push((*inner, false));
                    if is_late(*inner) {
                        guards.insert(*inner, Vec::new());
                    }
                }
                Expression::Only(_, inner) => {
                    waiting.push((*inner, true));
                    if !required {
                        waiting.push((*inner, false));
                        if is_late(*inner) {
                            guards.insert(*inner, Vec::new());
                        }
                    }
                }
                _ => {}
            }
        }
        let mut closing: Vec<Closing> = guards
            .into_iter()
            .map(|(node, guard)| Closing { node, guard })
            .collect();
        closing.sort_unstable_by_key(|closing| closing.node);
        marks.closing = closing;
        marks
    }
}
