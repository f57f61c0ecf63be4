//! The dictionary: every RDF term of the federation under a small number.

use hashbrown::HashTable;
use oxrdf::{BlankNodeRef, LiteralRef, NamedNodeRef, TermRef};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The number of a term: its place in the order in which terms were first seen.
pub(crate) type TermId = u32;

/// What a term is; with its text, that identifies it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Iri,
    Blank,
    /// A literal of datatype `xsd:string`.
    Plain,
    /// A literal in a language; the tag is the text of the given term.
    Tagged(TermId),
    /// A literal of the datatype whose IRI is the given term.
    Typed(TermId),
}

#[derive(Clone, Copy)]
struct Entry {
    kind: Kind,
    /// Where the text ends in the arena; it starts where the one before ends.
    end: usize,
}

/// Terms by number and numbers by term. All texts lie in one arena: a term costs its bytes and 24 more, and reading a file
/// allocates nothing per term.
#[derive(Clone, Default)]
pub(crate) struct Terms {
    arena: String,
    entries: Vec<Entry>,
    numbers: HashTable<TermId>,
}

/// A dictionary holds as many terms as numbers of 32 bits tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Full;

impl Terms {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The number of a term, a new one where it has none yet.
    pub(crate) fn intern(&mut self, term: TermRef<'_>) -> Result<TermId, Full> {
        let (kind, text) = match term {
            TermRef::NamedNode(iri) => (Kind::Iri, iri.as_str()),
            TermRef::BlankNode(node) => (Kind::Blank, node.as_str()),
            TermRef::Literal(literal) => {
                let kind = if let Some(tag) = literal.language() {
                    Kind::Tagged(self.intern_text(Kind::Plain, tag)?)
                } else if literal.datatype() == oxrdf::vocab::xsd::STRING {
                    Kind::Plain
                } else {
                    Kind::Typed(self.intern_text(Kind::Iri, literal.datatype().as_str())?)
                };
                (kind, literal.value())
            }
        };
        self.intern_text(kind, text)
    }

    /// The number of a term that has one.
    pub(crate) fn find(&self, term: TermRef<'_>) -> Option<TermId> {
        let (kind, text) = match term {
            TermRef::NamedNode(iri) => (Kind::Iri, iri.as_str()),
            TermRef::BlankNode(node) => (Kind::Blank, node.as_str()),
            TermRef::Literal(literal) => {
                let kind = if let Some(tag) = literal.language() {
                    Kind::Tagged(self.find_text(Kind::Plain, tag)?)
                } else if literal.datatype() == oxrdf::vocab::xsd::STRING {
                    Kind::Plain
                } else {
                    Kind::Typed(self.find_text(Kind::Iri, literal.datatype().as_str())?)
                };
                (kind, literal.value())
            }
        };
        self.find_text(kind, text)
    }

    /// The term under a number.
    pub(crate) fn get(&self, id: TermId) -> Option<TermRef<'_>> {
        let entry = self.entries.get(id as usize)?;
        let text = self.text(id);
        Some(match entry.kind {
            Kind::Iri => NamedNodeRef::new_unchecked(text).into(),
            Kind::Blank => BlankNodeRef::new_unchecked(text).into(),
            Kind::Plain => LiteralRef::new_simple_literal(text).into(),
            Kind::Tagged(tag) => {
                LiteralRef::new_language_tagged_literal_unchecked(text, self.text(tag)).into()
            }
            Kind::Typed(datatype) => LiteralRef::new_typed_literal(
                text,
                NamedNodeRef::new_unchecked(self.text(datatype)),
            )
            .into(),
        })
    }

    /// Forgets the terms from a number on, which no quad may use.
    pub(crate) fn truncate(&mut self, len: usize) {
        if let Some(first) = self.entries.get(len) {
            let start = self.start(len);
            debug_assert!(start <= first.end);
            self.arena.truncate(start);
            self.entries.truncate(len);
            self.numbers.retain(|id| (*id as usize) < len);
        }
    }

    fn start(&self, index: usize) -> usize {
        index
            .checked_sub(1)
            .and_then(|before| self.entries.get(before))
            .map_or(0, |entry| entry.end)
    }

    fn text(&self, id: TermId) -> &str {
        let index = id as usize;
        self.entries
            .get(index)
            .and_then(|entry| self.arena.get(self.start(index)..entry.end))
            .unwrap_or_default()
    }

    fn find_text(&self, kind: Kind, text: &str) -> Option<TermId> {
        self.numbers
            .find(hash(kind, text), |id| self.is(*id, kind, text))
            .copied()
    }

    fn is(&self, id: TermId, kind: Kind, text: &str) -> bool {
        self.entries
            .get(id as usize)
            .is_some_and(|entry| entry.kind == kind)
            && self.text(id) == text
    }

    fn intern_text(&mut self, kind: Kind, text: &str) -> Result<TermId, Full> {
        let hash_of_it = hash(kind, text);
        if let Some(id) = self.numbers.find(hash_of_it, |id| self.is(*id, kind, text)) {
            return Ok(*id);
        }
        let id = TermId::try_from(self.entries.len()).map_err(|_| Full)?;
        self.arena.push_str(text);
        self.entries.push(Entry {
            kind,
            end: self.arena.len(),
        });
        // Split borrows: growing the table hashes the terms that it holds again.
        let Self {
            arena,
            entries,
            numbers,
        } = self;
        numbers.insert_unique(hash_of_it, id, |id| {
            let index = *id as usize;
            let start = index
                .checked_sub(1)
                .and_then(|before| entries.get(before))
                .map_or(0, |entry| entry.end);
            entries.get(index).map_or(0, |entry| {
                hash(entry.kind, arena.get(start..entry.end).unwrap_or_default())
            })
        });
        Ok(id)
    }
}

fn hash(kind: Kind, text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    kind.hash(&mut hasher);
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxrdf::{BlankNode, Literal, NamedNode, Term, vocab::xsd};

    fn some() -> Vec<Term> {
        vec![
            NamedNode::new_unchecked("http://e/a").into(),
            NamedNode::new_unchecked("").into(),
            BlankNode::new_unchecked("a").into(),
            Literal::new_simple_literal("http://e/a").into(),
            Literal::new_simple_literal("").into(),
            Literal::new_simple_literal("en").into(),
            Literal::new_language_tagged_literal_unchecked("a", "en").into(),
            Literal::new_language_tagged_literal_unchecked("a", "de").into(),
            Literal::new_typed_literal("1", xsd::INTEGER).into(),
            Literal::new_typed_literal("01", xsd::INTEGER).into(),
            Literal::new_typed_literal("1", xsd::DECIMAL).into(),
        ]
    }

    #[test]
    fn a_term_keeps_its_number_and_a_number_its_term() {
        let mut terms = Terms::default();
        let numbers: Vec<_> = some()
            .iter()
            .map(|t| terms.intern(t.as_ref()).unwrap())
            .collect();
        for (term, number) in some().iter().zip(&numbers) {
            assert_eq!(terms.intern(term.as_ref()), Ok(*number));
            assert_eq!(terms.find(term.as_ref()), Some(*number));
            assert_eq!(terms.get(*number), Some(term.as_ref()));
        }
        let distinct: std::collections::BTreeSet<_> = numbers.iter().collect();
        assert_eq!(distinct.len(), numbers.len());
    }

    #[test]
    fn a_term_that_was_not_seen_has_no_number() {
        let mut terms = Terms::default();
        terms
            .intern(NamedNodeRef::new_unchecked("http://e/a").into())
            .unwrap();
        assert_eq!(
            terms.find(LiteralRef::new_simple_literal("http://e/a").into()),
            None
        );
        assert_eq!(
            terms.find(LiteralRef::new_typed_literal("1", xsd::INTEGER).into()),
            None
        );
        assert_eq!(terms.get(1), None);
    }

    #[test]
    fn truncating_forgets_what_came_after() {
        let mut terms = Terms::default();
        let all = some();
        let (kept, dropped) = all.split_at(6);
        let before: Vec<_> = kept
            .iter()
            .map(|t| terms.intern(t.as_ref()).unwrap())
            .collect();
        let len = terms.len();
        for term in dropped {
            terms.intern(term.as_ref()).unwrap();
        }
        terms.truncate(len);
        assert_eq!(terms.len(), len);
        for term in dropped {
            assert_eq!(terms.find(term.as_ref()), None);
        }
        for (term, number) in kept.iter().zip(before) {
            assert_eq!(terms.find(term.as_ref()), Some(number));
        }
        // And they can come back under the numbers they had.
        for term in dropped {
            let number = terms.intern(term.as_ref()).unwrap();
            assert_eq!(terms.get(number), Some(term.as_ref()));
        }
    }
}
