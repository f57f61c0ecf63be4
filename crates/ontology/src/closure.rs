//! What follows from the hierarchy: who is above whom, and who is apart from whom.

use crate::names::Term;
use crate::ontology::Ontology;
use crate::vocabulary::{Quantifier, Relation, THING};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// The closure of an ontology's named hierarchy, ready for questions.
///
/// It knows `rdfs:subClassOf` and `rdfs:subPropertyOf` between named terms, `owl:equivalentClass` as both directions, the
/// named conjuncts of an intersection that defines a class, disjointness (pairs, `owl:AllDisjointClasses`,
/// `owl:disjointUnionOf`, complements) and existential restrictions. It is no reasoner: an answer of "no" means that
/// nothing among these says so. A circle makes its members equivalent and ends every walk.
///
/// ```
/// use ontology::{Closure, Ontology};
///
/// let file = "
///     [Term]\nid: X:1\n[Term]\nid: X:2\nis_a: X:1\n[Term]\nid: X:3\nis_a: X:2\nrelationship: part_of X:4\n
///     [Term]\nid: X:4\ndisjoint_from: X:1\n";
/// let ontology = Ontology::read("small.obo", file.as_bytes())?;
/// let closure = Closure::new(&ontology);
/// let term = |id| ontology.find(&format!("http://purl.obolibrary.org/obo/X_{id}")).unwrap();
/// assert!(closure.is_under(term(3), term(1)) && !closure.is_under(term(1), term(3)));
/// assert_eq!(closure.ancestors(term(3)), [term(1), term(2)]);
/// assert!(closure.are_disjoint(term(3), term(4)));
/// # Ok::<(), ontology::ReadError>(())
/// ```
pub struct Closure<'a> {
    ontology: &'a Ontology,
    up: FxHashMap<Term, Vec<Term>>,
    down: FxHashMap<Term, Vec<Term>>,
    property_up: FxHashMap<Term, Vec<Term>>,
    apart: FxHashMap<Term, Vec<Term>>,
    /// For each class, the groups of mutually disjoint classes that it belongs to.
    groups: FxHashMap<Term, Vec<u32>>,
    some: FxHashMap<Term, Vec<(Term, Term)>>,
}

impl<'a> Closure<'a> {
    /// Prepares the closure of an ontology.
    pub fn new(ontology: &'a Ontology) -> Self {
        let mut closure = Self {
            ontology,
            up: FxHashMap::default(),
            down: FxHashMap::default(),
            property_up: FxHashMap::default(),
            apart: FxHashMap::default(),
            groups: FxHashMap::default(),
            some: FxHashMap::default(),
        };
        for (subject, relation, object) in &ontology.relations {
            match relation {
                Relation::SubClassOf => closure.put_under(*subject, *object),
                Relation::EquivalentClass => {
                    closure.put_under(*subject, *object);
                    closure.put_under(*object, *subject);
                }
                Relation::DisjointWith => closure.put_apart(*subject, *object),
                Relation::SubPropertyOf => {
                    closure
                        .property_up
                        .entry(*subject)
                        .or_default()
                        .push(*object);
                }
                Relation::Domain | Relation::Range | Relation::InverseOf => {}
            }
        }
        for (class, conjunct) in &ontology.conjuncts {
            closure.put_under(*class, *conjunct);
        }
        for (class, complement) in &ontology.complements {
            closure.put_apart(*class, *complement);
        }
        for (group, members) in (0_u32..).zip(&ontology.disjoint_groups) {
            for member in members {
                closure.groups.entry(*member).or_default().push(group);
            }
        }
        for restriction in &ontology.restrictions {
            if restriction.quantifier == Quantifier::Some && restriction.relation.defines() {
                let of_class = closure.some.entry(restriction.subject).or_default();
                of_class.push((restriction.property, restriction.filler));
            }
        }
        closure
    }

    fn put_under(&mut self, class: Term, above: Term) {
        self.up.entry(class).or_default().push(above);
        self.down.entry(above).or_default().push(class);
    }

    fn put_apart(&mut self, a: Term, b: Term) {
        self.apart.entry(a).or_default().push(b);
        self.apart.entry(b).or_default().push(a);
    }

    /// The classes directly above one, sorted by IRI, each once.
    pub fn parents(&self, class: Term) -> Vec<Term> {
        self.sorted(next(&self.up, class).iter().copied(), class)
    }

    /// The classes directly under one, sorted by IRI, each once.
    pub fn children(&self, class: Term) -> Vec<Term> {
        self.sorted(next(&self.down, class).iter().copied(), class)
    }

    /// Every class above one, itself left out, sorted by IRI.
    pub fn ancestors(&self, class: Term) -> Vec<Term> {
        self.sorted(reached(&self.up, class).into_iter(), class)
    }

    /// Every class under one, itself left out, sorted by IRI.
    pub fn descendants(&self, class: Term) -> Vec<Term> {
        self.sorted(reached(&self.down, class).into_iter(), class)
    }

    /// Every property above one, itself left out, sorted by IRI.
    pub fn super_properties(&self, property: Term) -> Vec<Term> {
        self.sorted(reached(&self.property_up, property).into_iter(), property)
    }

    /// Other classes with a parent in common, sorted by IRI; nothing above or under the class is among them.
    pub fn siblings(&self, class: Term) -> Vec<Term> {
        let mut siblings = FxHashSet::default();
        for parent in next(&self.up, class) {
            siblings.extend(next(&self.down, *parent).iter().copied());
        }
        siblings
            .retain(|sibling| !self.is_under(*sibling, class) && !self.is_under(class, *sibling));
        self.sorted(siblings.into_iter(), class)
    }

    /// Whether every member of `class` is one of `above`: the same class, a descendant, or anything under `owl:Thing`.
    pub fn is_under(&self, class: Term, above: Term) -> bool {
        class == above || self.ontology.iri(above) == THING || reaches(&self.up, class, above)
    }

    /// Whether every use of `property` is one of `above`.
    pub fn is_subproperty(&self, property: Term, above: Term) -> bool {
        property == above || reaches(&self.property_up, property, above)
    }

    /// Whether two classes can share no member: they, or classes above them, are said to be disjoint.
    pub fn are_disjoint(&self, a: Term, b: Term) -> bool {
        let above_a = reached(&self.up, a);
        let above_b = reached(&self.up, b);
        above_a.iter().any(|class| {
            let apart = next(&self.apart, *class);
            apart.iter().any(|other| above_b.contains(other))
                || next(&self.groups, *class).iter().any(|group| {
                    above_b
                        .iter()
                        .any(|other| other != class && next(&self.groups, *other).contains(group))
                })
        })
    }

    /// Whether every member of `class` has, by `property`, some of `filler`: asserted for it or a class above it, of a
    /// property under this one or a filler under this one, or over several steps where the property is transitive.
    pub fn has_some(&self, class: Term, property: Term, filler: Term) -> bool {
        let transitive = self.ontology.is_transitive(property);
        let mut seen = FxHashSet::default();
        let mut waiting = vec![class];
        while let Some(class) = waiting.pop() {
            for above in reached(&self.up, class) {
                for (by, of) in next(&self.some, above) {
                    if !self.is_subproperty(*by, property) {
                        continue;
                    }
                    if self.is_under(*of, filler) {
                        return true;
                    }
                    if transitive && seen.insert(*of) {
                        waiting.push(*of);
                    }
                }
            }
        }
        false
    }

    fn sorted(&self, terms: impl Iterator<Item = Term>, but: Term) -> Vec<Term> {
        let mut terms: Vec<Term> = terms.filter(|term| *term != but).collect();
        terms.sort_unstable_by_key(|term| self.ontology.iri(*term));
        terms.dedup();
        terms
    }
}

pub(crate) fn next<K: Copy + Eq + Hash, T>(steps: &FxHashMap<K, Vec<T>>, from: K) -> &[T] {
    steps.get(&from).map(Vec::as_slice).unwrap_or_default()
}

/// Everything that steps lead to, the start included.
pub(crate) fn reached<T: Copy + Eq + Hash>(steps: &FxHashMap<T, Vec<T>>, from: T) -> FxHashSet<T> {
    let mut seen = FxHashSet::from_iter([from]);
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        waiting.extend(
            next(steps, at)
                .iter()
                .copied()
                .filter(|to| seen.insert(*to)),
        );
    }
    seen
}

fn reaches(steps: &FxHashMap<Term, Vec<Term>>, from: Term, target: Term) -> bool {
    let mut seen = FxHashSet::from_iter([from]);
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        for to in next(steps, at) {
            if *to == target {
                return true;
            }
            if seen.insert(*to) {
                waiting.push(*to);
            }
        }
    }
    false
}
