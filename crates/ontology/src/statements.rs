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
#[derive(Default)]
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
}
