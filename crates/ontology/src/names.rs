//! The dictionary: every IRI and blank node once, in one piece of text.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::fmt;
use std::hash::Hasher as _;

/// An IRI or blank node of one ontology; [`Ontology::iri`](crate::Ontology::iri) gives its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub(crate) u32);

/// Terms by their text and the reverse. Blank nodes begin with `_:`, as no IRI does.
#[derive(Clone, Default)]
pub(crate) struct Names {
    text: String,
    ends: Vec<usize>,
    table: HashTable<u32>,
}

impl Names {
    /// The term of a text, a new one where there is none yet.
    pub(crate) fn intern(&mut self, name: &str) -> Term {
        let hash = hash(name);
        let (text, ends) = (&self.text, &self.ends);
        if let Some(found) = self.table.find(hash, |id| at(text, ends, *id) == name) {
            return Term(*found);
        }
        // A file is shorter than 2^32 bytes, so it has fewer terms than that.
        let id = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        self.text.push_str(name);
        self.ends.push(self.text.len());
        let (text, ends) = (&self.text, &self.ends);
        self.table
            .insert_unique(hash, id, |id| self::hash(at(text, ends, *id)));
        Term(id)
    }

    /// Takes in all terms of another; what each of them is here, in the order of their numbers there.
    pub(crate) fn append(&mut self, other: &Self) -> Vec<Term> {
        let terms = (0_u32..).take(other.ends.len());
        terms.map(|id| self.intern(other.get(Term(id)))).collect()
    }

    pub(crate) fn find(&self, name: &str) -> Option<Term> {
        let found = self
            .table
            .find(hash(name), |id| self.get(Term(*id)) == name);
        found.copied().map(Term)
    }

    pub(crate) fn get(&self, term: Term) -> &str {
        at(&self.text, &self.ends, term.0)
    }

    pub(crate) fn is_blank(&self, term: Term) -> bool {
        self.get(term).starts_with("_:")
    }
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = (0_u32..).take(self.ends.len());
        f.debug_list()
            .entries(terms.map(|id| self.get(Term(id))))
            .finish()
    }
}

fn at<'a>(text: &'a str, ends: &[usize], id: u32) -> &'a str {
    let id = id as usize;
    let start = match id.checked_sub(1) {
        Some(before) => ends.get(before).copied().unwrap_or_default(),
        None => 0,
    };
    let end = ends.get(id).copied().unwrap_or(start);
    text.get(start..end).unwrap_or_default()
}

fn hash(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish()
}

/// What stands behind the last `#` or `/` of an IRI; the whole IRI where nothing does.
///
/// ```
/// assert_eq!(ontology::local_name("http://e/onto#Heart"), "Heart");
/// assert_eq!(ontology::local_name("http://e/Heart"), "Heart");
/// assert_eq!(ontology::local_name("http://e/"), "http://e/");
/// ```
pub fn local_name(iri: &str) -> &str {
    let behind = |mark| iri.rsplit_once(mark).map(|(_, name)| name);
    let name = behind('#').or_else(|| behind('/'));
    name.filter(|name| !name.is_empty()).unwrap_or(iri)
}
