//! What may follow from an ontology: a cautious answer, for whoever must not state a truth by mistake.

use crate::closure::Closure;
use crate::logic::{Node, is_top};
use crate::names::Term;
use crate::ontology::Ontology;
use crate::rules::Rules;
use crate::vocabulary::{Quantifier, Relation};
use crate::world::World;
use std::cell::RefCell;
use std::sync::Arc;

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

/// What an ontology asserts, and what may follow from it.
///
/// What does not follow is seen in a small world that is made of the axioms: it has a member of every class and all that the
/// axioms ask for, so a statement that is false in it is no consequence of theirs. Where there is no such world, the answer of
/// [`may_entail`](Self::may_entail) is that it may follow, so it errs to one side. All axioms and class expressions of OWL 2
/// are looked at, and what OBO says of terms. Of classes whose members are tied to individuals (by an enumeration or a value),
/// must have values of several datatypes, or are described by something that is no class expression, nothing is held not to
/// follow. What is not looked at: facts about individuals, keys, rules of SWRL, macros of OBO, and imports that were not read; and the
/// ontology is taken to be consistent.
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
    /// One; two where a choice was made on the way. None where none could be made.
    worlds: Vec<RefCell<World>>,
}

impl<'a> Entailment<'a> {
    /// Prepares an ontology for questions.
    pub fn new(ontology: &'a Ontology) -> Self {
        let mut worlds = Vec::new();
        if !ontology.logic.is_beyond {
            let rules = Arc::new(Rules::new(ontology));
            let make = |takes_last| {
                let nodes = &ontology.logic.nodes;
                let classes = ontology.classes();
                let classes = classes.filter_map(|class| nodes.get(&class).copied());
                let properties = ontology.properties();
                World::new(Arc::clone(&rules), classes, properties, takes_last)
            };
            let first = make(false);
            if first.has_chosen() && !first.is_overrun() {
                worlds.push(make(true));
            }
            worlds.insert(0, first);
            worlds.retain(|world| !world.is_overrun());
        }
        Self {
            ontology,
            plain: Closure::new(ontology),
            worlds: worlds.into_iter().map(RefCell::new).collect(),
        }
    }

    /// The ontology that is asked.
    pub fn ontology(&self) -> &'a Ontology {
        self.ontology
    }

    /// What certainly follows from the hierarchy.
    pub fn closure(&self) -> &Closure<'a> {
        &self.plain
    }

    /// Whether anything can be held not to follow. Not so where the ontology says something of properties without a name or of
    /// all properties that nothing can be made of, or is too large or too tightly knit for a world of it to be made.
    pub fn can_deny(&self) -> bool {
        !self.worlds.is_empty()
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

    /// Whether a class can have no member, or a property hold of nothing, as far as is known: everything follows for it.
    pub fn may_be_empty(&self, term: Term) -> bool {
        let node = self.node(term);
        let is_property = self.ontology.is_property(term);
        let mut worlds = self.worlds.iter();
        !worlds.any(|world| {
            let world = world.borrow();
            node.is_none_or(|node| world.member(node).is_some())
                && (!is_property || world.joined_by(term).is_some())
        })
    }

    /// Whether a statement is asserted or may follow.
    pub fn may_entail(&self, axiom: &Axiom) -> bool {
        self.asserts(axiom)
            || !self
                .worlds
                .iter()
                .any(|world| self.is_false(axiom, &mut world.borrow_mut()))
    }

    fn node(&self, term: Term) -> Option<Node> {
        self.ontology.logic.nodes.get(&term).copied()
    }

    /// Whether a statement is false in a world that can be.
    fn is_false(&self, axiom: &Axiom, world: &mut World) -> bool {
        let Axiom {
            subject,
            link,
            object,
        } = *axiom;
        let (subject_node, object_node) = (self.node(subject), self.node(object));
        match link {
            Link::Relation(Relation::Domain | Relation::Range) => {
                let Some(class) = object_node else {
                    return true;
                };
                if !self.ontology.is_property(subject) {
                    return true;
                }
                world.joined_by(subject).is_some_and(|(from, to)| {
                    let end = if link == Link::Relation(Relation::Domain) {
                        from
                    } else {
                        to
                    };
                    !world.is_in(end, class)
                })
            }
            Link::Relation(Relation::SubPropertyOf | Relation::InverseOf) => {
                if is_top(self.ontology.iri(object)) {
                    return false;
                }
                if !self.ontology.is_property(subject) || !self.ontology.is_property(object) {
                    return true;
                }
                // An inverse is held not to follow only where it does not follow from the property: that is enough.
                let forward = link == Link::Relation(Relation::SubPropertyOf);
                world.joined_by(subject).is_some_and(|(from, to)| {
                    let (from, to) = if forward { (from, to) } else { (to, from) };
                    !world.is_joined(from, (object, true), to)
                })
            }
            Link::Relation(
                Relation::SubClassOf | Relation::EquivalentClass | Relation::DisjointWith,
            )
            | Link::Some(_)
            | Link::Only(_) => {
                // Nothing is said of what is no class.
                let (Some(subject), Some(object)) = (subject_node, object_node) else {
                    return true;
                };
                is_false_of_classes(subject, link, object, world, self.ontology)
            }
        }
    }
}

fn is_false_of_classes(
    subject: Node,
    link: Link,
    object: Node,
    world: &mut World,
    ontology: &Ontology,
) -> bool {
    let is_outside = |class: Node, of: Node| {
        let member = world.member(class);
        member.is_some_and(|member| !world.is_in(member, of))
    };
    match link {
        Link::Relation(Relation::EquivalentClass) => {
            is_outside(subject, object) || is_outside(object, subject)
        }
        Link::Relation(Relation::DisjointWith) => world.can_share(subject, object),
        Link::Some(property) => {
            let member = world.member(subject);
            !is_top(ontology.iri(property))
                && member.is_some_and(|member| !world.has_some(member, (property, true), object))
        }
        Link::Only(property) => world.can_lead_out(subject, property, object),
        Link::Relation(_) => is_outside(subject, object),
    }
}
