//! Ways to make an axiom false: what might be put in the place of what.

use ontology::{Axiom, Link, Ontology, Relation, Subgraph, Term};

use super::{Rules, small};
use crate::triplet::Perturbation;

/// The kinds that are made.
pub(super) const KINDS: [Perturbation; 5] = [
    Perturbation::HierarchyInversion,
    Perturbation::RelationSubstitution,
    Perturbation::SiblingSwap,
    Perturbation::DisjointnessInjection,
    Perturbation::EntityReplacement,
];

/// Candidates of one kind that are tried from beyond the subgraph.
const FROM_AFAR: usize = 8;

/// The terms of a subgraph, in its order.
pub(super) struct Neighbourhood {
    classes: Vec<Term>,
    properties: Vec<Term>,
}

impl Neighbourhood {
    pub(super) fn of(ontology: &Ontology, subgraph: &Subgraph<'_>) -> Self {
        let nodes = subgraph.nodes.iter();
        let nodes: Vec<Term> = nodes.filter_map(|iri| ontology.find(iri)).collect();
        let (classes, properties) = nodes
            .into_iter()
            .filter(|term| !ontology.is_deprecated(*term))
            .partition(|term| ontology.is_class(*term));
        Self {
            classes,
            properties,
        }
    }
}

impl Rules<'_> {
    /// Axioms that a kind of perturbation makes of another one, the preferred first. Whether they are false is not looked at.
    pub(super) fn candidates(
        &self,
        axiom: &Axiom,
        kind: &Perturbation,
        around: &Neighbourhood,
        number: u64,
    ) -> Vec<Axiom> {
        let Axiom {
            subject,
            link,
            object,
        } = *axiom;
        let with_object = |objects: Vec<Term>| -> Vec<Axiom> {
            let axioms = objects.into_iter().map(|object| Axiom { object, ..*axiom });
            axioms.collect()
        };
        let linked = |relation: Relation| Axiom {
            link: Link::Relation(relation),
            ..*axiom
        };
        let hierarchy = matches!(
            link,
            Link::Relation(Relation::SubClassOf | Relation::SubPropertyOf)
        );
        let of_properties = matches!(
            link,
            Link::Relation(Relation::SubPropertyOf | Relation::InverseOf)
        );
        match kind {
            Perturbation::HierarchyInversion if hierarchy => vec![Axiom {
                subject: object,
                link,
                object: subject,
            }],
            Perturbation::RelationSubstitution => match link {
                Link::Relation(Relation::SubClassOf) => {
                    let mut axioms = self.restricted(axiom, Link::Some, number);
                    axioms.push(linked(Relation::EquivalentClass));
                    axioms
                }
                Link::Relation(Relation::EquivalentClass) => {
                    self.restricted(axiom, Link::Some, number)
                }
                Link::Relation(Relation::DisjointWith) => vec![linked(Relation::EquivalentClass)],
                Link::Relation(Relation::Domain) => vec![linked(Relation::Range)],
                Link::Relation(Relation::Range) => vec![linked(Relation::Domain)],
                Link::Relation(Relation::SubPropertyOf) => vec![linked(Relation::InverseOf)],
                Link::Relation(Relation::InverseOf) => vec![linked(Relation::SubPropertyOf)],
                Link::Some(_) => self.restricted(axiom, Link::Some, number),
                Link::Only(_) => self.restricted(axiom, Link::Only, number),
            },
            Perturbation::SiblingSwap if !of_properties => {
                // A sibling of the narrower class in the place of the wider one, or of what the axiom leads to.
                let mut of = vec![object];
                if link == Link::Relation(Relation::SubClassOf) {
                    of.insert(0, subject);
                }
                if link == Link::Relation(Relation::DisjointWith) {
                    // Siblings are the likeliest of all to be disjoint, whether an ontology says so or not.
                    return Vec::new();
                }
                with_object(self.siblings(&of, around, number))
            }
            Perturbation::DisjointnessInjection => match link {
                Link::Relation(Relation::SubClassOf | Relation::EquivalentClass) => {
                    vec![linked(Relation::DisjointWith)]
                }
                Link::Relation(Relation::DisjointWith) => vec![linked(Relation::SubClassOf)],
                _ => Vec::new(),
            },
            Perturbation::EntityReplacement => match link {
                Link::Relation(Relation::DisjointWith) => {
                    with_object(self.entailment.closure().ancestors(subject))
                }
                _ if of_properties => {
                    with_object(others(&around.properties, &self.properties, number))
                }
                _ => {
                    let closure = self.entailment.closure();
                    let parents = |class: Term| closure.parents(class);
                    let beside = [parents(subject), parents(object)].concat();
                    let mut others = others(&around.classes, &self.classes, number);
                    // A sibling is the other kind.
                    others.retain(|other| !parents(*other).iter().any(|up| beside.contains(up)));
                    with_object(others)
                }
            },
            _ => Vec::new(),
        }
    }

    /// The same two classes joined by a property.
    fn restricted(&self, axiom: &Axiom, link: fn(Term) -> Link, number: u64) -> Vec<Axiom> {
        let near = around_restrictions(&self.restricting, &self.properties);
        let properties = picked(near, number);
        let axioms = properties.into_iter().map(|property| Axiom {
            link: link(property),
            ..*axiom
        });
        axioms.collect()
    }

    /// Siblings of classes: those in the subgraph, else some from beyond it.
    fn siblings(&self, of: &[Term], around: &Neighbourhood, number: u64) -> Vec<Term> {
        let closure = self.entailment.closure();
        let mut near = Vec::new();
        for class in of {
            let parents = closure.parents(*class);
            for other in &around.classes {
                let shared = closure.parents(*other);
                if other != class
                    && !near.contains(other)
                    && shared.iter().any(|parent| parents.contains(parent))
                {
                    near.push(*other);
                }
            }
        }
        if !near.is_empty() {
            let turn = small(number >> 24, near.len());
            near.rotate_left(turn);
            return near;
        }
        of.iter()
            .flat_map(|class| picked(&closure.siblings(*class), number))
            .collect()
    }
}

/// Terms that have nothing to do with each other as far as is known: of the subgraph, then from beyond it.
fn others(near: &[Term], far: &[Term], number: u64) -> Vec<Term> {
    let mut others = near.to_vec();
    if !others.is_empty() {
        let turn = small(number >> 32, others.len());
        others.rotate_left(turn);
    }
    for other in picked(far, number) {
        if !others.contains(&other) {
            others.push(other);
        }
    }
    others
}

/// The properties of restrictions; where there are none, all.
fn around_restrictions<'r>(restricting: &'r [Term], all: &'r [Term]) -> &'r [Term] {
    if restricting.is_empty() {
        all
    } else {
        restricting
    }
}

/// Some of many, beginning where the number says.
fn picked(all: &[Term], number: u64) -> Vec<Term> {
    let start = small(number >> 40, all.len());
    let turned = all.iter().skip(start).chain(all.iter().take(start));
    turned.take(FROM_AFAR).copied().collect()
}
