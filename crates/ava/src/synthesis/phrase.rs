//! Statements in words: several sentences for each kind of axiom, all of them saying the same.

use ontology::{Axiom, Link, Ontology, Relation};

/// `{s}` is the subject, `{o}` the object, `{p}` the property of a restriction. A sentence begins with a word of its own, so
/// that no label is put in capitals, and has five words where every label is one.
const SUB_CLASS: &[&str] = &[
    "Every {s} is a kind of {o}.",
    "Whatever is classified as {s} also belongs to the class {o}.",
    "The category {o} is a broader one which takes in {s}.",
    "In this hierarchy {s} has its place underneath {o}.",
    "A more general term for {s} would be {o}.",
    "All instances of {s} count among the instances of {o}.",
];
const EQUIVALENT: &[&str] = &[
    "The class {s} means exactly the same as {o}.",
    "Anything that is {s} is also {o}, and the reverse holds too.",
    "Between {s} and {o} there is no difference in extent.",
    "Two names for one category are {s} and {o}.",
    "The members of {s} are all those of {o}, and no others.",
];
const DISJOINT: &[&str] = &[
    "Nothing can be both {s} and {o}.",
    "The classes {s} and {o} share no member at all.",
    "Being {s} always excludes being {o}.",
    "No instance of {s} is at the same time an instance of {o}.",
    "As categories, {s} and {o} are mutually exclusive.",
];
const SOME: &[&str] = &[
    "Every {s} has the relation {p} to some {o}.",
    "For each {s} there is at least one {o} that it is joined to by {p}.",
    "At least one {o} can be found, by way of {p}, from any instance of {s}.",
    "It is necessary for {s} to bear {p} towards some {o}.",
    "Without {p} leading to an instance of {o}, nothing is {s}.",
];
const ONLY: &[&str] = &[
    "Every {s} has the relation {p} to nothing but {o}.",
    "Whatever an instance of {s} is joined to by {p} must be {o}.",
    "By way of {p}, only members of {o} can be reached from {s}.",
    "The relation {p} leads from {s} exclusively towards {o}.",
];
const DOMAIN: &[&str] = &[
    "The domain of {s} is the class {o}.",
    "Whatever has the relation {s} to anything is an instance of {o}.",
    "Only {o} can be the subject of a statement with {s}.",
    "Statements made with {s} are always about some {o}.",
    "It is members of {o} that the property {s} describes.",
];
const RANGE: &[&str] = &[
    "The range of {s} is the class {o}.",
    "Whatever the relation {s} leads to is an instance of {o}.",
    "Only {o} can be the object of a statement with {s}.",
    "Values that {s} takes always come from {o}.",
    "It is members of {o} that the property {s} points at.",
];
const SUB_PROPERTY: &[&str] = &[
    "The relation {s} is a special case of {o}.",
    "Whenever {s} holds between two things, {o} holds between them too.",
    "A more general property which covers {s} is {o}.",
    "Any two things joined by {s} are likewise joined by {o}.",
];
const INVERSE: &[&str] = &[
    "The relation {s} is the inverse of {o}.",
    "Reading {s} from right to left gives {o}.",
    "Seen from the other end, {s} says the same as {o}.",
    "Whenever {s} leads from one thing to another, {o} leads back, and only then.",
];

/// The sentences for a kind of axiom.
pub(super) fn sentences(link: Link) -> &'static [&'static str] {
    match link {
        Link::Some(_) => SOME,
        Link::Only(_) => ONLY,
        Link::Relation(Relation::SubClassOf) => SUB_CLASS,
        Link::Relation(Relation::EquivalentClass) => EQUIVALENT,
        Link::Relation(Relation::DisjointWith) => DISJOINT,
        Link::Relation(Relation::Domain) => DOMAIN,
        Link::Relation(Relation::Range) => RANGE,
        Link::Relation(Relation::SubPropertyOf) => SUB_PROPERTY,
        Link::Relation(Relation::InverseOf) => INVERSE,
    }
}

/// An axiom in the words of a sentence. White space within a label becomes one space.
pub(super) fn phrase(ontology: &Ontology, axiom: &Axiom, sentence: &str) -> String {
    let mut text = String::new();
    let mut rest = sentence;
    while let Some((before, behind)) = rest.split_once('{') {
        text.push_str(before);
        let (slot, after) = behind.split_once('}').unwrap_or((behind, ""));
        let term = match (slot, axiom.link) {
            ("s", _) => Some(axiom.subject),
            ("o", _) => Some(axiom.object),
            (_, Link::Some(property) | Link::Only(property)) => Some(property),
            _ => None,
        };
        let label = term.map(|term| ontology.label(term)).unwrap_or_default();
        for (place, word) in label.split_whitespace().enumerate() {
            if place > 0 {
                text.push(' ');
            }
            text.push_str(word);
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::FEWEST_WORDS;

    #[test]
    fn every_sentence_has_enough_words_and_every_slot() {
        let file =
            "[Term]\nid: X:1\nname: a\n[Term]\nid: X:2\nname: b\n[Typedef]\nid: X:3\nname: p\n";
        let ontology = Ontology::read("small.obo", file.as_bytes()).unwrap();
        let term = |id| {
            let iri = format!("http://purl.obolibrary.org/obo/X_{id}");
            ontology.find(&iri).unwrap()
        };
        let links = Relation::ALL.map(Link::Relation).into_iter();
        for link in links.chain([Link::Some(term(3)), Link::Only(term(3))]) {
            let sentences = sentences(link);
            assert!(sentences.len() > 3);
            for sentence in sentences {
                let axiom = Axiom {
                    subject: term(1),
                    link,
                    object: term(2),
                };
                let text = phrase(&ontology, &axiom, sentence);
                assert!(text.split(' ').count() >= FEWEST_WORDS, "{text}");
                assert!(!text.contains(['{', '}']), "{text}");
                let slots = ["{s}", "{o}"].map(|slot| sentence.matches(slot).count());
                assert_eq!(slots, [1, 1], "{sentence}");
                let has_property = matches!(link, Link::Some(_) | Link::Only(_));
                assert_eq!(sentence.contains("{p}"), has_property, "{sentence}");
            }
        }
    }
}
