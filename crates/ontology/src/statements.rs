//! What a file says, before it is known which of its terms are classes: the common ground of the readers.

use crate::names::{Names, Term};
use crate::vocabulary::{Characteristic, Kinds, Part, Quantifier, Relation, TextKind};
use std::collections::BTreeMap;

/// A restriction of a named class to a named filler over a named property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Restriction {
    pub(crate) subject: Term,
    pub(crate) property: Term,
    pub(crate) quantifier: Quantifier,
    pub(crate) filler: Term,
    /// The relation that the restriction stands behind.
    pub(crate) relation: Relation,
    /// Whether it is one of several conjuncts.
    pub(crate) nested: bool,
}

/// A restriction of a named class to a named filler, of which it cannot be said in one name what joins them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct UnnamedRestriction {
    pub(crate) subject: Term,
    pub(crate) quantifier: Quantifier,
    pub(crate) filler: Term,
    /// The relation that the restriction stands behind.
    pub(crate) relation: Relation,
}

/// A clause of an OBO file that is no edge of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hidden {
    /// A class, and one of those whose union it is, with the line of the stanza that says so
    Member(Term, Term, u32),
    /// A class, and where the conditions of one definition of it begin and end among the conjuncts and the restrictions
    Definition(Term, [usize; 2], [usize; 2]),
    /// A property that follows from two, one behind the other
    Chain(Term, [Term; 2]),
    /// How many of the filler each member of a class has
    Count(Term, Count, Term, Term),
    /// `is_a` or, with its property, `relationship`, of those members of a class alone that have some of a filler
    Within {
        class: Term,
        context: (Term, Term),
        property: Option<Term>,
        object: Term,
    },
    /// A class of which something is said that is not read
    Unread(Term),
}

impl Hidden {
    /// The same among other statements: with their terms, and behind as many conjuncts and restrictions of theirs.
    fn moved(self, here: &impl Fn(Term) -> Term, [conjuncts, restrictions]: [usize; 2]) -> Self {
        match self {
            Self::Member(class, member, line) => Self::Member(here(class), here(member), line),
            Self::Definition(class, of_conjuncts, of_restrictions) => Self::Definition(
                here(class),
                of_conjuncts.map(|at| at + conjuncts),
                of_restrictions.map(|at| at + restrictions),
            ),
            Self::Chain(property, links) => Self::Chain(here(property), links.map(here)),
            Self::Count(class, count, property, filler) => {
                Self::Count(here(class), count, here(property), here(filler))
            }
            Self::Within {
                class,
                context: (by, filler),
                property,
                object,
            } => Self::Within {
                class: here(class),
                context: (here(by), here(filler)),
                property: property.map(here),
                object: here(object),
            },
            Self::Unread(class) => Self::Unread(here(class)),
        }
    }
}

/// How many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) least: u32,
    pub(crate) most: Option<u32>,
}

/// A text about a term. `language` is interned in lower case; `None` where the text has no tag.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Text {
    pub(crate) subject: Term,
    pub(crate) kind: TextKind,
    pub(crate) language: Option<Term>,
    pub(crate) value: Box<str>,
}

/// A clause of an OBO file that was passed over.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Skipped {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The beginning of the clause.
    pub clause: String,
    /// Why it was not read.
    pub reason: String,
    /// The file, where it is one that is imported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import: Option<String>,
}

/// Everything that a file says, and what it imports as far as that was read.
#[derive(Debug, Default)]
pub(crate) struct Statements {
    pub(crate) names: Names,
    pub(crate) ontology: Option<Term>,
    pub(crate) version: Option<String>,
    pub(crate) imports: Vec<String>,
    /// Triples, or clauses in OBO.
    pub(crate) read: usize,
    pub(crate) kinds: Vec<(Term, Kinds)>,
    pub(crate) transitive: Vec<Term>,
    /// Properties that are each other's equivalents.
    pub(crate) same_properties: Vec<(Term, Term)>,
    pub(crate) characteristics: Vec<(Term, Characteristic)>,
    pub(crate) disjoint_properties: Vec<(Term, Term)>,
    /// Blank nodes that list properties no two of which join the same two things.
    pub(crate) all_disjoint_properties: Vec<Term>,
    pub(crate) deprecated: Vec<Term>,
    pub(crate) individuals: Vec<Term>,
    pub(crate) texts: Vec<Text>,
    /// Texts that a node of their own stands for: subject, kind, and the node with the text as its label.
    pub(crate) text_nodes: Vec<(Term, TextKind, Term)>,
    /// Relations between any two terms; in RDF, either may be blank.
    pub(crate) relations: Vec<(Term, Relation, Term)>,
    /// Parts of class expressions, RDF only.
    pub(crate) parts: Vec<(Term, Part, Term)>,
    /// Restrictions, OBO only: those of RDF are found in `parts`.
    pub(crate) restrictions: Vec<Restriction>,
    /// A class and a named conjunct of its definition.
    pub(crate) conjuncts: Vec<(Term, Term)>,
    /// Blank nodes that list classes no two of which share a member.
    pub(crate) all_disjoint: Vec<Term>,
    /// What OBO says that no graph shows, and that something may follow from.
    pub(crate) hidden: Vec<Hidden>,
    /// What was not understood, and how often.
    pub(crate) unread: BTreeMap<String, usize>,
    pub(crate) skipped: Vec<Skipped>,
}

impl Statements {
    /// Counts something that was not understood.
    pub(crate) fn miss(&mut self, what: &str) {
        match self.unread.get_mut(what) {
            Some(count) => *count += 1,
            None => {
                self.unread.insert(what.to_owned(), 1);
            }
        }
    }

    /// Adds what the next part of the same file says, as if both had been read at once.
    pub(crate) fn append(&mut self, next: Self) {
        let Self {
            names,
            ontology,
            version,
            imports,
            read,
            kinds,
            transitive,
            same_properties,
            characteristics,
            disjoint_properties,
            all_disjoint_properties,
            deprecated,
            individuals,
            texts,
            text_nodes,
            relations,
            parts,
            restrictions,
            conjuncts,
            all_disjoint,
            hidden,
            unread,
            skipped,
        } = next;
        let terms = self.names.append(&names);
        let here = |term: Term| terms.get(term.0 as usize).copied().unwrap_or(term);
        let pair = |(one, other): (Term, Term)| (here(one), here(other));
        self.found_ontology(ontology.map(here));
        self.version = self.version.take().max(version);
        self.imports.extend(imports);
        self.read += read;
        let kinds = kinds.into_iter().map(|(term, kind)| (here(term), kind));
        self.kinds.extend(kinds);
        for (all, more) in [
            (&mut self.transitive, transitive),
            (&mut self.all_disjoint_properties, all_disjoint_properties),
            (&mut self.deprecated, deprecated),
            (&mut self.individuals, individuals),
            (&mut self.all_disjoint, all_disjoint),
        ] {
            all.extend(more.into_iter().map(here));
        }
        // Where the next part's restrictions and conjuncts begin.
        let starts = [self.conjuncts.len(), self.restrictions.len()];
        for (all, more) in [
            (&mut self.same_properties, same_properties),
            (&mut self.disjoint_properties, disjoint_properties),
            (&mut self.conjuncts, conjuncts),
        ] {
            all.extend(more.into_iter().map(pair));
        }
        let characteristics = characteristics.into_iter();
        self.characteristics
            .extend(characteristics.map(|(term, characteristic)| (here(term), characteristic)));
        self.texts.extend(texts.into_iter().map(|text| Text {
            subject: here(text.subject),
            language: text.language.map(here),
            ..text
        }));
        let text_nodes = text_nodes.into_iter();
        self.text_nodes
            .extend(text_nodes.map(|(subject, kind, node)| (here(subject), kind, here(node))));
        let relations = relations.into_iter();
        self.relations.extend(
            relations.map(|(subject, relation, object)| (here(subject), relation, here(object))),
        );
        let parts = parts.into_iter();
        self.parts
            .extend(parts.map(|(subject, part, object)| (here(subject), part, here(object))));
        let restrictions = restrictions.into_iter();
        self.restrictions
            .extend(restrictions.map(|restriction| Restriction {
                subject: here(restriction.subject),
                property: here(restriction.property),
                filler: here(restriction.filler),
                ..restriction
            }));
        let hidden = hidden.into_iter();
        self.hidden
            .extend(hidden.map(|hidden| hidden.moved(&here, starts)));
        for (what, count) in unread {
            *self.unread.entry(what).or_default() += count;
        }
        self.skipped.extend(skipped);
    }

    /// Notes what a file calls itself: with several names the first by its text, whatever their order.
    pub(crate) fn found_ontology(&mut self, found: Option<Term>) {
        let names = &self.names;
        let both = self.ontology.into_iter().chain(found);
        self.ontology = both.min_by_key(|term| names.get(*term));
    }
}
