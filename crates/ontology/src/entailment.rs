//! What may follow from an ontology: a cautious answer, for whoever must not state a truth by mistake.

use crate::closure::{Closure, next, reached};
use crate::names::Term;
use crate::ontology::Ontology;
use crate::vocabulary::{Quantifier, Relation};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// A statement about two named terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Axiom {
    /// What it is about.
    pub subject: Term,
    /// How the two are joined.
    pub link: Link,
    /// The other term: a class, or a property behind a relation between properties.
    pub object: Term,
}

/// How an axiom joins its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Link {
    /// A relation of OWL or RDFS
    Relation(Relation),
    /// Every member has, by this property, some of the object
    Some(Term),
    /// Every member has, by this property, nothing but the object
    Only(Term),
}

const NOTHING: &str = "http://www.w3.org/2002/07/owl#Nothing";
/// Properties that every other one is under.
const TOP_PROPERTIES: [&str; 2] = [
    "http://www.w3.org/2002/07/owl#topObjectProperty",
    "http://www.w3.org/2002/07/owl#topDataProperty",
];

/// What a definition asks for, as far as it is read.
#[derive(Default)]
struct Conditions {
    under: Vec<Term>,
    some: Vec<(Term, Term)>,
}

/// A property, read forwards or backwards.
type Way = (Term, bool);

/// What an ontology asserts, and what may follow from it.
///
/// [`may_entail`](Self::may_entail) errs to one side: where something that is not read whole (a part of a definition, a
/// chain of properties) could make a statement follow, the answer is yes. It goes beyond [`Closure`] by definitions,
/// domains and ranges, inverse and equivalent properties, and several steps over any properties. What it does not look at:
/// a class whose definition is nothing but a restriction to a nested expression, a cardinality or a value, domains and ranges of
/// a property that a chain of properties leads to, individuals, and imports that were not read.
///
/// ```
/// use ontology::{Axiom, Entailment, Link, Ontology, Relation};
///
/// let file = "[Term]\nid: X:1\n[Term]\nid: X:2\nis_a: X:1\n[Term]\nid: X:3\nis_a: X:2\n";
/// let ontology = Ontology::read("small.obo", file.as_bytes())?;
/// let entailment = Entailment::new(&ontology);
/// let term = |id| ontology.find(&format!("http://purl.obolibrary.org/obo/X_{id}")).unwrap();
/// let under = |a, b| Axiom { subject: term(a), link: Link::Relation(Relation::SubClassOf), object: term(b) };
/// assert!(entailment.asserts(&under(3, 2)) && !entailment.asserts(&under(3, 1)));
/// assert!(entailment.may_entail(&under(3, 1)) && !entailment.may_entail(&under(1, 3)));
/// # Ok::<(), ontology::ReadError>(())
/// ```
pub struct Entailment<'a> {
    ontology: &'a Ontology,
    plain: Closure<'a>,
    cautious: Closure<'a>,
    only: FxHashMap<Term, Vec<(Term, Term)>>,
    ways: FxHashMap<Way, Vec<Way>>,
    domains: FxHashMap<Term, Vec<Term>>,
    ranges: FxHashMap<Term, Vec<Term>>,
    /// Classes that others may fall under in a way that is not read.
    blurred: FxHashSet<Term>,
    /// The least of these: what is said of one may hold of anything.
    opaque: Vec<Term>,
    /// What is had by a property of which it is said what can be had: a class, the property, the bound.
    bounds: FxHashMap<Term, Vec<(Term, Term)>>,
    /// Which classes may have no member, as far as it was asked.
    empty: RefCell<FxHashMap<Term, bool>>,
}

impl<'a> Entailment<'a> {
    /// Prepares an ontology for questions.
    pub fn new(ontology: &'a Ontology) -> Self {
        let mut entailment = Self {
            ontology,
            plain: Closure::new(ontology),
            cautious: Closure::new(ontology),
            only: FxHashMap::default(),
            ways: FxHashMap::default(),
            domains: FxHashMap::default(),
            ranges: FxHashMap::default(),
            blurred: FxHashSet::default(),
            opaque: Vec::new(),
            bounds: FxHashMap::default(),
            empty: RefCell::default(),
        };
        entailment.read_relations();
        entailment.read_restrictions();
        // What a definition puts a class under may bound what it has, and so on.
        entailment.apply_bounds();
        let opaque = loop {
            let opaque = entailment.apply_definitions();
            if !entailment.apply_bounds() {
                break opaque;
            }
        };
        entailment.opaque.extend(opaque.iter().copied());
        entailment.opaque.sort_unstable();
        for class in opaque {
            entailment.blurred.extend(entailment.cautious.above(class));
        }
        entailment
    }

    fn read_relations(&mut self) {
        for (subject, relation, object) in &self.ontology.relations {
            match relation {
                Relation::SubPropertyOf => put_way(&mut self.ways, *subject, *object, true),
                Relation::InverseOf => {
                    put_way(&mut self.ways, *subject, *object, false);
                    put_way(&mut self.ways, *object, *subject, false);
                }
                Relation::Domain => self.domains.entry(*subject).or_default().push(*object),
                Relation::Range => self.ranges.entry(*subject).or_default().push(*object),
                // An OBO file has one tag for equivalent classes and properties.
                Relation::EquivalentClass => {
                    put_way(&mut self.ways, *subject, *object, true);
                    put_way(&mut self.ways, *object, *subject, true);
                }
                Relation::SubClassOf | Relation::DisjointWith => {}
            }
        }
        for (member, union) in &self.ontology.definitions.members {
            self.cautious.put_under(*member, *union);
        }
        for (a, b) in &self.ontology.same_properties {
            put_way(&mut self.ways, *a, *b, true);
            put_way(&mut self.ways, *b, *a, true);
        }
        let forwards: Vec<Term> = self.ways.keys().map(|(property, _)| *property).collect();
        for property in forwards {
            let above = reached(&self.ways, (property, true));
            let above = above.into_iter().filter(|(_, forward)| *forward);
            let slot = self.cautious.property_up.entry(property).or_default();
            slot.extend(above.map(|(above, _)| above));
        }
    }

    fn read_restrictions(&mut self) {
        for restriction in &self.ontology.restrictions {
            if restriction.quantifier == Quantifier::Only && restriction.relation.defines() {
                let of_class = self.only.entry(restriction.subject).or_default();
                of_class.push((restriction.property, restriction.filler));
            }
        }
    }

    /// Whether anything was new.
    fn apply_bounds(&mut self) -> bool {
        let mut is_new = false;
        // Whoever has something by a property is in its domain, and what is had is in its range.
        let restricted: Vec<(Term, Vec<(Term, Term)>)> = {
            let some = self.cautious.some.iter();
            some.map(|(class, some)| (*class, some.clone())).collect()
        };
        for (class, some) in restricted {
            for (property, _) in some {
                for domain in self.domains_of(property) {
                    if !self.cautious.is_under(class, domain) {
                        self.cautious.put_under(class, domain);
                        is_new = true;
                    }
                }
                for range in self.ranges_of(property) {
                    is_new |= self.put_bound(class, property, range);
                }
            }
        }
        if self.only.is_empty() {
            return is_new;
        }
        let mut both = Vec::new();
        for class in self.ontology.classes() {
            let above = self.cautious.above(class);
            for (by, within) in above.iter().flat_map(|above| next(&self.only, *above)) {
                for (property, _) in above
                    .iter()
                    .flat_map(|above| next(&self.cautious.some, *above))
                {
                    if self.cautious.is_subproperty(*property, *by) {
                        both.push((class, *property, *within));
                    }
                }
            }
        }
        for (class, property, within) in both {
            is_new |= self.put_bound(class, property, within);
        }
        is_new
    }

    /// Whether it is new.
    fn put_bound(&mut self, class: Term, property: Term, within: Term) -> bool {
        let of_class = self.bounds.entry(class).or_default();
        if of_class.contains(&(property, within)) {
            return false;
        }
        of_class.push((property, within));
        let some = self.cautious.some.entry(class).or_default();
        some.push((property, within));
        true
    }

    /// Puts under a defined class whatever meets all conditions of the definition that are read. The classes with a
    /// definition of which nothing is read come back.
    fn apply_definitions(&mut self) -> FxHashSet<Term> {
        let mut opaque = self.ontology.definitions.opaque.clone();
        let mut wanted: FxHashMap<Term, Conditions> = FxHashMap::default();
        let definitions = &self.ontology.definitions;
        let is_defined =
            |class: &Term| definitions.one.contains(class) || definitions.several.contains(class);
        for (class, conjunct) in &self.ontology.conjuncts {
            if is_defined(class) {
                wanted.entry(*class).or_default().under.push(*conjunct);
            }
        }
        for restriction in &self.ontology.restrictions {
            let class = restriction.subject;
            if restriction.relation != Relation::EquivalentClass || !is_defined(&class) {
                continue;
            }
            let conditions = wanted.entry(class).or_default();
            if restriction.quantifier == Quantifier::Some {
                conditions
                    .some
                    .push((restriction.property, restriction.filler));
            }
        }
        for (class, conditions) in &wanted {
            if conditions.under.is_empty() && conditions.some.is_empty() {
                opaque.insert(*class);
            }
        }
        let mut backwards: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
        for (class, some) in &self.cautious.some {
            for (_, of) in some {
                backwards.entry(*of).or_default().push(*class);
            }
        }
        loop {
            let mut loosely = FxHashSet::default();
            for class in &self.ontology.definitions.loose {
                loosely.extend(self.leading_to(*class, &backwards));
            }
            let mut found = Vec::new();
            for (class, Conditions { under, some }) in &wanted {
                let mut candidates = loosely.clone();
                let is_one = !definitions.several.contains(class);
                // What meets all conditions meets the first one.
                let first = if is_one { 1 } else { usize::MAX };
                for (_, filler) in some.iter().take(first) {
                    candidates.extend(self.leading_to(*filler, &backwards));
                }
                if !is_one || some.is_empty() {
                    for conjunct in under.iter().take(first) {
                        candidates.extend(self.cautious.below(*conjunct));
                    }
                }
                for candidate in candidates {
                    let is_under = |above: &Term| self.under(candidate, *above);
                    let has = |(property, filler): &(Term, Term)| {
                        self.may_have_some(candidate, *property, *filler)
                    };
                    let meets = !self.cautious.is_under(candidate, *class)
                        && if is_one {
                            under.iter().all(is_under) && some.iter().all(has)
                        } else {
                            under.iter().any(is_under) || some.iter().any(has)
                        };
                    if meets {
                        found.push((candidate, *class));
                    }
                }
            }
            if found.is_empty() {
                return opaque;
            }
            for (class, above) in found {
                self.cautious.put_under(class, above);
            }
        }
    }

    /// The classes from which a way leads to `filler`, over any restrictions and up the hierarchy.
    fn leading_to(&self, filler: Term, backwards: &FxHashMap<Term, Vec<Term>>) -> FxHashSet<Term> {
        let mut seen = FxHashSet::default();
        let mut waiting = vec![filler];
        while let Some(at) = waiting.pop() {
            for below in self.cautious.below(at) {
                if seen.insert(below) {
                    waiting.extend(next(backwards, below));
                }
            }
        }
        seen
    }

    fn ways_of(&self, property: Term, forward: bool) -> FxHashSet<Way> {
        reached(&self.ways, (property, forward))
    }

    fn ends(&self, ways: FxHashSet<Way>) -> Vec<Term> {
        let mut ends: Vec<Term> = ways
            .into_iter()
            .flat_map(|(property, forward)| {
                let ends = if forward { &self.domains } else { &self.ranges };
                next(ends, property)
            })
            .copied()
            .collect();
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    fn domains_of(&self, property: Term) -> Vec<Term> {
        self.ends(self.ways_of(property, true))
    }

    fn ranges_of(&self, property: Term) -> Vec<Term> {
        self.ends(self.ways_of(property, false))
    }

    /// Whether the hierarchy says it, or a union above `class` might.
    fn under(&self, class: Term, above: Term) -> bool {
        self.cautious.is_under(class, above) || self.is_loose(class)
    }

    /// The classes above one, and those above whatever it might be under.
    fn above_all(&self, class: Term) -> FxHashSet<Term> {
        let mut above = self.cautious.above(class);
        above.extend(&self.blurred);
        above
    }

    fn is_loose(&self, class: Term) -> bool {
        let loose = &self.ontology.definitions.loose;
        !loose.is_empty()
            && self
                .cautious
                .above(class)
                .iter()
                .any(|above| loose.contains(above))
    }

    /// By one step over the property or one under it; or by several over any, since chains of properties are not read.
    fn may_have_some(&self, class: Term, property: Term, filler: Term) -> bool {
        let mut seen = FxHashSet::default();
        let mut waiting = vec![(class, true)];
        waiting.extend(self.opaque.iter().map(|opaque| (*opaque, true)));
        while let Some((at, first)) = waiting.pop() {
            for above in self.cautious.above(at) {
                for (by, of) in next(&self.cautious.some, above) {
                    let counts = !first || self.cautious.is_subproperty(*by, property);
                    if counts && self.under(*of, filler) {
                        return true;
                    }
                    if seen.insert(*of) {
                        waiting.push((*of, false));
                    }
                }
            }
        }
        false
    }

    /// The ontology that is asked.
    pub fn ontology(&self) -> &'a Ontology {
        self.ontology
    }

    /// What certainly follows from the hierarchy.
    pub fn closure(&self) -> &Closure<'a> {
        &self.plain
    }

    /// Whether the ontology says it in so many words; a named conjunct of a definition is a superclass, and a restriction
    /// holds where it stands behind `rdfs:subClassOf` or `owl:equivalentClass`.
    pub fn asserts(&self, axiom: &Axiom) -> bool {
        let restriction = |property: Term, quantifier: Quantifier| {
            let all = &self.ontology.restrictions;
            let start = all.partition_point(|restriction| restriction.subject < axiom.subject);
            let rest = all.get(start..).unwrap_or_default().iter();
            let mut of_class = rest.take_while(|found| found.subject == axiom.subject);
            of_class.any(|found| {
                (found.property, found.quantifier, found.filler)
                    == (property, quantifier, axiom.object)
                    && found.relation.defines()
            })
        };
        match axiom.link {
            Link::Some(property) => restriction(property, Quantifier::Some),
            Link::Only(property) => restriction(property, Quantifier::Only),
            Link::Relation(relation) => {
                let wanted = (axiom.subject, relation, axiom.object);
                let conjunct = (axiom.subject, axiom.object);
                self.ontology.relations.binary_search(&wanted).is_ok()
                    || relation == Relation::SubClassOf
                        && self.ontology.conjuncts.binary_search(&conjunct).is_ok()
            }
        }
    }

    /// The properties that restrictions of classes are over, sorted by IRI.
    pub fn restricting_properties(&self) -> Vec<Term> {
        let all = self.ontology.restrictions.iter();
        let mut properties: Vec<Term> = all.map(|restriction| restriction.property).collect();
        properties.sort_unstable();
        properties.dedup();
        properties.sort_unstable_by_key(|property| self.ontology.iri(*property));
        properties
    }

    /// Whether a class can have no member, or a property hold of nothing: everything follows for it.
    pub fn may_be_empty(&self, term: Term) -> bool {
        let apart = |a: Term, b: Term| self.cautious.are_disjoint(a, b);
        let ends = [self.domains_of(term), self.ranges_of(term)];
        let ends_clash = ends.iter().any(|ends| {
            let mut pairs = ends.iter().flat_map(|a| ends.iter().map(move |b| (*a, *b)));
            pairs.any(|(a, b)| apart(a, b))
        });
        ends_clash
            || self.ontology.iri(term) == NOTHING
            || ends
                .iter()
                .flatten()
                .any(|end| self.class_may_be_empty(*end))
            || self.class_may_be_empty(term)
    }

    fn class_may_be_empty(&self, class: Term) -> bool {
        // The walks below are long where many classes have bounds, and every candidate for a negative is asked about.
        if let Some(known) = self.empty.borrow().get(&class) {
            return *known;
        }
        let is_empty = self.walk_to_nothing(class);
        self.empty.borrow_mut().insert(class, is_empty);
        is_empty
    }

    fn walk_to_nothing(&self, term: Term) -> bool {
        let loose = &self.ontology.definitions.loose;
        let apart = |a: Term, b: Term| self.cautious.are_disjoint(a, b);
        // A class whose members must have a member of an empty one is empty too.
        let mut seen = FxHashSet::from_iter([term]);
        let mut waiting = vec![term];
        while let Some(at) = waiting.pop() {
            if apart(at, at) {
                return true;
            }
            let above = self.cautious.above(at);
            // The members of a union may all be empty.
            if self.cautious.has_disjoint() && above.iter().any(|class| loose.contains(class)) {
                return true;
            }
            if self.cautious.has_disjoint() && self.may_break_a_bound(&above) {
                return true;
            }
            for class in &above {
                for (by, of) in next(&self.cautious.some, *class) {
                    let bounds = above.iter().flat_map(|above| next(&self.bounds, *above));
                    if bounds
                        .filter(|(bound, _)| bound == by)
                        .any(|(_, within)| apart(*of, *within))
                    {
                        return true;
                    }
                    if seen.insert(*of) {
                        waiting.push(*of);
                    }
                }
            }
        }
        false
    }

    /// Whether what is had over several steps may lie outside of what alone may be had: over a transitive property, one above it, or a
    /// chain, which are not told from others here.
    fn may_break_a_bound(&self, above: &FxHashSet<Term>) -> bool {
        let bounds: FxHashSet<Term> = above
            .iter()
            .flat_map(|class| next(&self.only, *class))
            .map(|(_, within)| *within)
            .collect();
        if bounds.is_empty() {
            return false;
        }
        let steps = |classes: &FxHashSet<Term>| -> Vec<Term> {
            let steps = classes
                .iter()
                .flat_map(|class| next(&self.cautious.some, *class));
            steps.map(|(_, of)| *of).collect()
        };
        let mut seen = FxHashSet::default();
        let mut waiting = steps(above);
        while let Some(at) = waiting.pop() {
            for of in steps(&self.cautious.above(at)) {
                if seen.insert(of) {
                    if bounds
                        .iter()
                        .any(|within| self.cautious.are_disjoint(of, *within))
                    {
                        return true;
                    }
                    waiting.push(of);
                }
            }
        }
        false
    }

    /// Whether a statement is asserted or may follow.
    pub fn may_entail(&self, axiom: &Axiom) -> bool {
        let Axiom {
            subject,
            link,
            object,
        } = *axiom;
        let under = |a: Term, b: Term| self.under(a, b);
        let unbounded = |way: Way| self.ontology.definitions.unbounded.contains(&way.0);
        match link {
            Link::Relation(Relation::SubClassOf) => self.may_be_under(subject, object),
            Link::Relation(Relation::EquivalentClass) => {
                self.may_be_under(subject, object) && self.may_be_under(object, subject)
            }
            Link::Relation(Relation::DisjointWith) => {
                self.is_loose(subject)
                    || self.is_loose(object)
                    || self.opaque.iter().any(|opaque| {
                        [subject, object]
                            .into_iter()
                            .any(|class| self.cautious.are_disjoint(*opaque, class))
                    })
                    || self.cautious.are_disjoint(subject, object)
            }
            Link::Relation(Relation::Domain) => {
                let domains = self.domains_of(subject);
                self.is_blurred(object)
                    || self.ways_of(subject, true).into_iter().any(unbounded)
                    || domains.into_iter().any(|domain| under(domain, object))
            }
            Link::Relation(Relation::Range) => {
                let ranges = self.ranges_of(subject);
                self.is_blurred(object)
                    || self.ways_of(subject, false).into_iter().any(unbounded)
                    || ranges.into_iter().any(|range| under(range, object))
            }
            Link::Relation(Relation::SubPropertyOf) => {
                self.ways_of(subject, true).contains(&(object, true))
                    || TOP_PROPERTIES.contains(&self.ontology.iri(object))
            }
            Link::Relation(Relation::InverseOf) => {
                // Whether a property is symmetric is not known, so an equivalent one may be the inverse.
                let there = self.ways_of(subject, true);
                let back = self.ways_of(object, true);
                there.contains(&(object, false))
                    || there.contains(&(object, true)) && back.contains(&(subject, true))
            }
            Link::Some(property) => {
                // Whether a property is reflexive is not known.
                self.is_blurred(object)
                    || under(subject, object)
                    || self.may_have_some(subject, property, object)
            }
            Link::Only(property) => {
                // What may be had at all: where that is nothing, it is anything.
                let mut bounds = self.ranges_of(property);
                for above in self.above_all(subject) {
                    let only = next(&self.only, above).iter();
                    let only = only.filter(|(by, _)| self.cautious.is_subproperty(property, *by));
                    bounds.extend(only.map(|(_, within)| *within));
                }
                let clash = |a: &Term| bounds.iter().any(|b| self.cautious.are_disjoint(*a, *b));
                self.is_blurred(object)
                    || self.may_be_empty(property)
                    || self.is_loose(subject)
                    || self.ways_of(property, false).into_iter().any(unbounded)
                    || bounds.iter().any(|bound| {
                        under(*bound, object) || self.class_may_be_empty(*bound) || clash(bound)
                    })
            }
        }
    }

    fn may_be_under(&self, class: Term, above: Term) -> bool {
        self.under(class, above) || self.is_blurred(above)
    }

    /// Everything is in `owl:Thing`, and so it is blurred too.
    fn is_blurred(&self, class: Term) -> bool {
        self.blurred.contains(&class) || self.ontology.iri(class) == crate::vocabulary::THING
    }
}

/// `below` implies `above`, read in the same direction or the other one.
fn put_way(ways: &mut FxHashMap<Way, Vec<Way>>, below: Term, above: Term, same: bool) {
    for forward in [true, false] {
        let slot = ways.entry((below, forward)).or_default();
        slot.push((above, forward == same));
    }
}
