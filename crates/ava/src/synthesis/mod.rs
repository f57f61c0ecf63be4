//! Triplets of an ontology's subgraphs: from the axioms, without a model, and from what a model replies.

mod perturb;
mod phrase;
mod prompt;
mod reply;

use std::collections::BTreeMap;

use ontology::{Axiom, Entailment, Link, Ontology, Relation, Subgraph, Term, TripleKind};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::filter::{CLOSE_BEYOND, FEWEST_WORDS, LexicalScores, MOST_CHARACTERS};
use crate::lexical::{Processor, Scorer, token_set_ratio, word_count};
use crate::triplet::Triplet;
use perturb::{KINDS, Neighbourhood};
use phrase::{phrase, sentences};

pub use prompt::{TASK, prompt, repair_request};
pub use reply::{Flaw, Reply, read_reply};

/// Triplets of one subgraph, where its axioms allow so many.
pub const TRIPLETS: usize = 5;
/// The name of this generator in its triplets.
pub const RULES: &str = "rules";
/// Homonyms of a statement's terms that are looked at; a statement with more is taken to be true.
const MOST_READINGS: usize = 64;
const THING: &str = "http://www.w3.org/2002/07/owl#Thing";

/// Why something was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unmade {
    /// An edge of the subgraph is no axiom that the ontology asserts, such as a restriction behind another relation than
    /// subClassOf or equivalentClass.
    NotAsserted,
    /// An edge of the subgraph has a term that the ontology lacks: it is another ontology's.
    UnknownTerm,
    /// An axiom joins a term to itself, to one with the same label, or to `owl:Thing`.
    SaysNothing,
    /// A class of the axiom may have no member, so that everything is true of it; or too little is known of its members, as where
    /// they are tied to individuals.
    MayBeEmpty,
    /// A way to make an axiom false has nothing to put in.
    NothingToPutIn,
    /// A negative may follow from the ontology, under one reading of its labels.
    MayBeTrue,
    /// The sentence was an anchor already.
    AnchorUsed,
    /// No paraphrase is far enough from the negative, or a sentence is too short or too long.
    NoWording,
}

impl Unmade {
    /// What it says, for a line of a list.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotAsserted => "edges that are no asserted axiom",
            Self::UnknownTerm => "edges with a term that the ontology lacks",
            Self::SaysNothing => "axioms about owl:Thing or between two terms of one label",
            Self::MayBeEmpty => {
                "axioms about a class that may have no member, or whose members are tied to individuals"
            }
            Self::NothingToPutIn => "perturbations with nothing to put in",
            Self::MayBeTrue => "negatives refused: they may follow from the ontology",
            Self::AnchorUsed => "sentences that were an anchor already",
            Self::NoWording => "triplets without a paraphrase far enough from the negative",
        }
    }
}

/// What was made of a subgraph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Made {
    /// At most [`TRIPLETS`].
    pub triplets: Vec<Triplet>,
    /// Axioms that could be an anchor.
    pub axioms: usize,
    /// What was not made, and how often that was met on the way.
    pub unmade: BTreeMap<Unmade, usize>,
}

/// Makes triplets by rule.
///
/// The anchor states an axiom that the subgraph holds and the ontology asserts; the positive says the same in another
/// sentence; the negative states a perturbed axiom in the anchor's sentence, or in the one nearest to it. A negative is
/// refused where [`Entailment::may_entail`] says that it may be true, for its terms or for any others with the same labels.
/// The same ontology and subgraphs in the same order give the same triplets; no two of them have the same anchor.
///
/// ```
/// use ava::Rules;
/// use ontology::{Graph, GraphKind, Ontology, extract, subgraph};
///
/// let file = "[Term]\nid: X:1\nname: organ\n\n[Term]\nid: X:2\nname: heart\nis_a: X:1\n\n[Term]\nid: X:3\nname: lung\nis_a: X:1\n";
/// let ontology = Ontology::read("anatomy.obo", file.as_bytes())?;
/// let graph = Graph::new(&ontology, GraphKind::Ava);
/// let found = extract(&graph).found.remove(0);
/// let made = Rules::new(&ontology).make(&subgraph(&graph, &found, "anatomy"));
/// assert_eq!((made.triplets.len(), made.axioms), (5, 2));
/// # Ok::<(), ontology::ReadError>(())
/// ```
pub struct Rules<'a> {
    ontology: &'a Ontology,
    entailment: Entailment<'a>,
    /// Terms by their label in lower case.
    named: FxHashMap<String, Vec<Term>>,
    classes: Vec<Term>,
    properties: Vec<Term>,
    restricting: Vec<Term>,
    anchors: FxHashSet<String>,
    scorer: Scorer,
}

impl<'a> Rules<'a> {
    /// Whether there can be a negative at all: see [`Entailment::can_deny`].
    pub fn can_deny(&self) -> bool {
        self.entailment.can_deny()
    }

    /// Prepares an ontology.
    pub fn new(ontology: &'a Ontology) -> Self {
        let entailment = Entailment::new(ontology);
        let mut named: FxHashMap<String, Vec<Term>> = FxHashMap::default();
        let classes: Vec<Term> = ontology
            .usable_classes()
            .filter(|class| !ontology.is_deprecated(*class))
            .collect();
        let properties: Vec<Term> = ontology
            .properties()
            .filter(|property| !ontology.is_deprecated(*property))
            .collect();
        for term in ontology.classes().chain(ontology.properties()) {
            let same = named.entry(key(ontology.label(term))).or_default();
            if !same.contains(&term) {
                same.push(term);
            }
        }
        Self {
            ontology,
            restricting: entailment.restricting_properties(),
            entailment,
            named,
            classes,
            properties,
            anchors: FxHashSet::default(),
            scorer: Scorer::default(),
        }
    }

    /// What the ontology says.
    pub fn entailment(&self) -> &Entailment<'a> {
        &self.entailment
    }

    /// Makes the triplets of one subgraph.
    pub fn make(&mut self, subgraph: &Subgraph<'_>) -> Made {
        let mut made = Made::default();
        let id = subgraph.subgraph_id.as_ref();
        let mut axioms = self.axioms(subgraph, &mut made);
        axioms.sort_by_cached_key(|axiom| self.number(id, axiom));
        made.axioms = axioms.len();
        let around = Neighbourhood::of(self.ontology, subgraph);
        let mut used: FxHashSet<Axiom> = FxHashSet::default();
        let mut counts = [0_usize; KINDS.len()];
        let rounds = axioms.iter().map(|axiom| sentences(axiom.link).len()).max();
        for round in 0..rounds.unwrap_or_default() {
            for axiom in &axioms {
                if made.triplets.len() == TRIPLETS {
                    return made;
                }
                let sentences = sentences(axiom.link);
                if round >= sentences.len() {
                    continue;
                }
                let number = self.number(id, axiom);
                let place = (small(number, sentences.len()) + round) % sentences.len();
                let anchor = phrase(self.ontology, axiom, sentences[place]);
                if self.anchors.contains(&anchor) {
                    *made.unmade.entry(Unmade::AnchorUsed).or_default() += 1;
                    continue;
                }
                // The kinds that were used least come first, so that a subgraph has something of each.
                let mut kinds: Vec<usize> = (0..KINDS.len()).collect();
                let turn = small(number >> 8, KINDS.len());
                kinds.sort_by_key(|kind| (counts[*kind], (kind + turn) % KINDS.len()));
                for kind in kinds {
                    let Some((negative, triplet)) = self.triplet(
                        axiom, place, &anchor, kind, &around, &used, number, &mut made,
                    ) else {
                        continue;
                    };
                    used.insert(negative);
                    counts[kind] += 1;
                    self.anchors.insert(anchor);
                    made.triplets.push(Triplet {
                        subgraph_id: Some(id.to_owned()),
                        source: Some(subgraph.source_ontology.clone().into_owned()),
                        generator: Some(RULES.to_owned()),
                        perturbation: Some(KINDS[kind].clone()),
                        ..triplet
                    });
                    break;
                }
            }
        }
        made
    }

    /// The axioms of a subgraph that can be an anchor, each once.
    fn axioms(&self, subgraph: &Subgraph<'_>, made: &mut Made) -> Vec<Axiom> {
        let mut axioms = Vec::new();
        let mut miss = |why| *made.unmade.entry(why).or_default() += 1;
        for triple in &subgraph.triples {
            let terms = [&triple.subject, &triple.predicate, &triple.object];
            let [subject, predicate, object] = terms.map(|iri| self.ontology.find(iri));
            let link = match triple.kind {
                TripleKind::Some => predicate.map(Link::Some),
                TripleKind::Only => predicate.map(Link::Only),
                TripleKind::Direct => Relation::ALL
                    .into_iter()
                    .find(|relation| relation.iri() == triple.predicate)
                    .map(Link::Relation),
            };
            let (Some(subject), Some(object)) = (subject, object) else {
                miss(Unmade::UnknownTerm);
                continue;
            };
            let Some(link) = link else {
                miss(Unmade::NotAsserted);
                continue;
            };
            let axiom = Axiom {
                subject,
                link,
                object,
            };
            if !self.entailment.asserts(&axiom) {
                miss(Unmade::NotAsserted);
            } else if !self.says_something(&axiom) {
                miss(Unmade::SaysNothing);
            } else if [subject, object]
                .into_iter()
                .any(|term| self.entailment.may_be_empty(term))
            {
                miss(Unmade::MayBeEmpty);
            } else if !axioms.contains(&axiom) {
                axioms.push(axiom);
            }
        }
        axioms
    }

    fn says_something(&self, axiom: &Axiom) -> bool {
        let labels = [axiom.subject, axiom.object].map(|term| key(self.ontology.label(term)));
        labels[0] != labels[1]
            && labels.iter().all(|label| !label.is_empty())
            && [axiom.subject, axiom.object]
                .into_iter()
                .all(|term| self.ontology.iri(term) != THING)
    }

    /// A triplet of one kind, with the axiom that its negative states.
    #[expect(
        clippy::too_many_arguments,
        reason = "one step of a search, with all of its state"
    )]
    fn triplet(
        &mut self,
        axiom: &Axiom,
        place: usize,
        anchor: &str,
        kind: usize,
        around: &Neighbourhood,
        used: &FxHashSet<Axiom>,
        number: u64,
        made: &mut Made,
    ) -> Option<(Axiom, Triplet)> {
        let candidates = self.candidates(axiom, &KINDS[kind], around, number);
        let mut miss = |why| *made.unmade.entry(why).or_default() += 1;
        if candidates.is_empty() {
            miss(Unmade::NothingToPutIn);
        }
        for candidate in candidates {
            if candidate == *axiom || used.contains(&candidate) || !self.says_something(&candidate)
            {
                continue;
            }
            if self.may_be_true(&candidate) {
                miss(Unmade::MayBeTrue);
                continue;
            }
            match self.worded(axiom, place, anchor, &candidate, number) {
                Some(triplet) => return Some((candidate, triplet)),
                None => miss(Unmade::NoWording),
            }
        }
        None
    }

    /// Whether a statement may be true, of its terms or of others that have the same labels.
    fn may_be_true(&self, axiom: &Axiom) -> bool {
        let same = |term: Term| {
            let named = self.named.get(&key(self.ontology.label(term)));
            let mut terms = named.cloned().unwrap_or_default();
            if !terms.contains(&term) {
                terms.push(term);
            }
            terms
        };
        let links: Vec<Link> = match axiom.link {
            Link::Relation(_) => vec![axiom.link],
            Link::Some(property) => same(property).into_iter().map(Link::Some).collect(),
            Link::Only(property) => same(property).into_iter().map(Link::Only).collect(),
        };
        let (subjects, objects) = (same(axiom.subject), same(axiom.object));
        if subjects.len() * links.len() * objects.len() > MOST_READINGS {
            return true;
        }
        let empty = |terms: &[Term]| terms.iter().any(|term| self.entailment.may_be_empty(*term));
        if empty(&subjects) || empty(&objects) {
            return true;
        }
        subjects.iter().any(|subject| {
            links.iter().any(|link| {
                objects.iter().any(|object| {
                    self.entailment.may_entail(&Axiom {
                        subject: *subject,
                        link: *link,
                        object: *object,
                    })
                })
            })
        })
    }

    /// The sentences for an axiom and its perturbation.
    fn worded(
        &mut self,
        axiom: &Axiom,
        place: usize,
        anchor: &str,
        perturbed: &Axiom,
        number: u64,
    ) -> Option<Triplet> {
        let same_kind = std::mem::discriminant(&axiom.link)
            == std::mem::discriminant(&perturbed.link)
            && match (axiom.link, perturbed.link) {
                (Link::Relation(a), Link::Relation(b)) => a == b,
                _ => true,
            };
        let negative = if same_kind {
            phrase(self.ontology, perturbed, sentences(perturbed.link)[place])
        } else {
            let all = sentences(perturbed.link).iter();
            let texts = all.map(|sentence| phrase(self.ontology, perturbed, sentence));
            // The nearest to the anchor; the first of several.
            texts
                .map(|text| (token_set_ratio(anchor, &text), text))
                .reduce(|best, next| if next.0 > best.0 { next } else { best })?
                .1
        };
        let all = sentences(axiom.link);
        for step in 1..all.len() {
            // Any other sentence, beginning where the number says.
            let at = (place + 1 + (small(number >> 16, all.len() - 1) + step) % (all.len() - 1))
                % all.len();
            let triplet = Triplet {
                anchor: anchor.to_owned(),
                positive: phrase(self.ontology, axiom, all[at]),
                negative: negative.clone(),
                ..Triplet::default()
            };
            let texts = [&triplet.anchor, &triplet.positive, &triplet.negative];
            let sane = texts.iter().all(|text| {
                word_count(text) >= FEWEST_WORDS && text.chars().count() <= MOST_CHARACTERS
            }) && texts[0] != texts[1]
                && texts[0] != texts[2];
            let scores = LexicalScores::of(&mut self.scorer, Processor::None, &triplet);
            if sane && scores.positive_negative <= CLOSE_BEYOND {
                return Some(triplet);
            }
        }
        None
    }

    /// A number that depends on nothing but the texts.
    fn number(&self, id: &str, axiom: &Axiom) -> u64 {
        let mut texts = vec![
            id,
            self.ontology.iri(axiom.subject),
            self.ontology.iri(axiom.object),
        ];
        match axiom.link {
            Link::Relation(relation) => texts.push(relation.iri()),
            Link::Some(property) => texts.extend(["some", self.ontology.iri(property)]),
            Link::Only(property) => texts.extend(["only", self.ontology.iri(property)]),
        }
        texts.iter().fold(OFFSET, |hash, text| {
            let bytes = text.bytes().chain([0]);
            bytes.fold(hash, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(PRIME)
            })
        })
    }
}

/// FNV-1a of 64 bits, which is the same on every machine.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A number from 0 to below `count`.
fn small(number: u64, count: usize) -> usize {
    // The upper bits of the product are as good as the lower ones are bad.
    let mixed = (number ^ (number >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
    usize::try_from(mixed % (count.max(1) as u64)).unwrap_or_default()
}

/// What makes two labels one to a reader.
fn key(label: &str) -> String {
    let words: Vec<String> = label.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}
