//! Which classes are defined, and which of the definitions can be read whole enough to say what else falls under them.

use crate::closure::{next, reached};
use crate::names::Term;
use crate::statements::Statements;
use crate::vocabulary::{Part, Relation};
use rustc_hash::{FxHashMap, FxHashSet};

/// The classes that a class may fall under without being put there.
#[derive(Clone, Default)]
pub(crate) struct Definitions {
    /// Classes with one definition: what meets its conditions is in them.
    pub(crate) one: FxHashSet<Term>,
    /// Classes with several definitions, or with other conditions that are not told from those of the definition.
    pub(crate) several: FxHashSet<Term>,
    /// Classes that others may fall under in ways that are not read: unions, enumerations, axioms whose subject is an
    /// expression.
    pub(crate) opaque: FxHashSet<Term>,
    /// Classes that may fall under others in ways that are not read: under what all members of a union fall under.
    pub(crate) loose: FxHashSet<Term>,
    /// Classes and the unions that they are named in.
    pub(crate) members: Vec<(Term, Term)>,
    /// Properties whose domain or range is an expression.
    pub(crate) unbounded: FxHashSet<Term>,
    /// How many expressions a class is equivalent to.
    counts: FxHashMap<Term, usize>,
    /// Classes whose conjuncts are not all of a definition.
    wide: FxHashSet<Term>,
}

/// What holds of nothing but what its members hold of together.
const UNIONS: [Part; 2] = [Part::UnionOf, Part::OneOf];
const UNREADABLE: [Part; 3] = [Part::UnionOf, Part::OneOf, Part::ComplementOf];

impl Definitions {
    /// Must come before the expressions are read, which takes the statements apart.
    pub(crate) fn of(statements: &Statements) -> Self {
        let nodes = Nodes::of(statements);
        let mut definitions = Self::default();
        definitions.read_relations(statements, &nodes);
        definitions.read_parts(&nodes);
        for class in &statements.unread_definitions {
            definitions.opaque.insert(*class);
            definitions.loose.insert(*class);
        }
        // In OBO a stanza has one definition at most, and nothing else makes conjuncts.
        let obo = statements.conjuncts.iter().map(|(class, _)| *class);
        let restricted = statements.restrictions.iter();
        let restricted = restricted
            .filter(|restriction| restriction.relation == Relation::EquivalentClass)
            .map(|restriction| restriction.subject);
        definitions.one.extend(obo.chain(restricted));
        for (class, count) in std::mem::take(&mut definitions.counts) {
            match count {
                0 => {}
                1 if !definitions.wide.contains(&class) => {
                    definitions.one.insert(class);
                }
                // What belongs to which definition, or to none, is not kept.
                _ => {
                    definitions.several.insert(class);
                }
            }
        }
        definitions
    }

    fn read_relations(&mut self, statements: &Statements, nodes: &Nodes<'_>) {
        let mut equivalents: FxHashSet<(Term, Term)> = FxHashSet::default();
        for (subject, relation, object) in &statements.relations {
            match (nodes.is_blank(*subject), nodes.is_blank(*object)) {
                (false, true) => {}
                (true, false) => {
                    if relation.defines() {
                        self.opaque.insert(*object);
                    }
                    continue;
                }
                _ => continue,
            }
            match relation {
                Relation::Domain | Relation::Range => {
                    self.unbounded.insert(*subject);
                }
                _ if nodes.is_loose(*object) => {
                    self.loose.insert(*subject);
                }
                _ => {}
            }
            match relation {
                Relation::EquivalentClass if equivalents.insert((*subject, *object)) => {
                    *self.counts.entry(*subject).or_default() += 1;
                    self.members.extend(nodes.members(*object, *subject));
                    if nodes.has(*object, &UNREADABLE) {
                        self.opaque.insert(*subject);
                    }
                }
                Relation::SubClassOf if nodes.has(*object, &[Part::IntersectionOf]) => {
                    self.wide.insert(*subject);
                }
                _ => {}
            }
        }
    }

    /// Named classes that are an expression themselves.
    fn read_parts(&mut self, nodes: &Nodes<'_>) {
        for (node, parts) in &nodes.parts {
            if nodes.is_blank(*node) {
                continue;
            }
            self.members.extend(nodes.members(*node, *node));
            let is_disjoint_union = parts.contains(&Part::DisjointUnionOf);
            let inner = next(&nodes.inner, *node).iter();
            if is_disjoint_union
                || nodes.has(*node, &UNIONS)
                || inner.copied().any(|inner| nodes.is_loose(inner))
            {
                self.loose.insert(*node);
            }
            if is_disjoint_union {
                self.wide.insert(*node);
            }
            if is_disjoint_union || nodes.has(*node, &UNREADABLE) {
                self.opaque.insert(*node);
            }
            let whole = parts.iter().filter(|part| **part == Part::IntersectionOf);
            *self.counts.entry(*node).or_default() += whole.count();
        }
    }
}

/// The parts of class expressions by their node.
struct Nodes<'s> {
    statements: &'s Statements,
    parts: FxHashMap<Term, Vec<Part>>,
    /// The nodes without a name within one.
    inner: FxHashMap<Term, Vec<Term>>,
    /// The members that a list's node holds.
    firsts: FxHashMap<Term, Vec<Term>>,
    /// The lists of a union's members.
    unions: FxHashMap<Term, Vec<Term>>,
}

impl<'s> Nodes<'s> {
    fn of(statements: &'s Statements) -> Self {
        let mut nodes = Self {
            statements,
            parts: FxHashMap::default(),
            inner: FxHashMap::default(),
            firsts: FxHashMap::default(),
            unions: FxHashMap::default(),
        };
        for (subject, part, object) in &statements.parts {
            nodes.parts.entry(*subject).or_default().push(*part);
            if statements.names.is_blank(*object) {
                nodes.inner.entry(*subject).or_default().push(*object);
            }
            match part {
                Part::First => nodes.firsts.entry(*subject).or_default().push(*object),
                Part::UnionOf => nodes.unions.entry(*subject).or_default().push(*object),
                _ => {}
            }
        }
        nodes
    }

    fn is_blank(&self, term: Term) -> bool {
        self.statements.names.is_blank(term)
    }

    fn has(&self, node: Term, wanted: &[Part]) -> bool {
        let mut parts = next(&self.parts, node).iter();
        parts.any(|part| wanted.contains(part))
    }

    /// Whether a union or an enumeration is anywhere inside of an expression.
    fn is_loose(&self, node: Term) -> bool {
        let mut within = reached(&self.inner, node).into_iter();
        within.any(|node| self.is_blank(node) && self.has(node, &UNIONS))
    }

    /// The classes named in a union. One within a member that is an expression is none, and costs no more than a negative.
    fn members(&self, node: Term, union: Term) -> Vec<(Term, Term)> {
        let lists = next(&self.unions, node).iter();
        let nodes = lists.flat_map(|list| reached(&self.inner, *list));
        let members = nodes.flat_map(|node| next(&self.firsts, node).iter().copied());
        let members = members.filter(|member| !self.is_blank(*member));
        members.map(|member| (member, union)).collect()
    }
}
