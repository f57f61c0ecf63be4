//! Everything that is loaded: the dictionary and the graphs.

use crate::graph::{Graph, Triple};
use crate::terms::{Full, TermId, Terms};
use oxrdf::{GraphNameRef, QuadRef, TermRef};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Named graphs and the triples that are in none.
#[derive(Default)]
pub(crate) struct Store {
    pub(crate) terms: Terms,
    pub(crate) unnamed: Graph,
    named: Vec<(TermId, Graph)>,
    place: FxHashMap<TermId, usize>,
    /// Files added so far: blank nodes of different files are different nodes, whatever their labels.
    files: usize,
}

impl Store {
    /// The named graphs, in the order in which they were first loaded.
    pub(crate) fn named(&self) -> impl Iterator<Item = (TermId, &Graph)> {
        self.named.iter().map(|(name, graph)| (*name, graph))
    }

    /// The graph of that name.
    pub(crate) fn graph(&self, name: TermId) -> Option<&Graph> {
        let place = *self.place.get(&name)?;
        self.named.get(place).map(|(_, graph)| graph)
    }

    /// Starts a file, which changes nothing until it is committed.
    pub(crate) fn stage(&mut self) -> Staged<'_> {
        Staged {
            terms_before: self.terms.len(),
            scope: self.files,
            store: self,
            parts: Vec::new(),
            part_of: FxHashMap::default(),
            recent: [None, None, None],
            label: String::new(),
            committed: false,
        }
    }

    fn graph_mut(&mut self, name: Option<TermId>) -> Option<&mut Graph> {
        let Some(name) = name else {
            return Some(&mut self.unnamed);
        };
        let place = *self.place.entry(name).or_insert_with(|| {
            self.named.push((name, Graph::default()));
            self.named.len() - 1
        });
        self.named.get_mut(place).map(|(_, graph)| graph)
    }
}

/// The quads of a file that has not been read to its end. Dropped uncommitted, it leaves the store as it was.
pub(crate) struct Staged<'a> {
    store: &'a mut Store,
    terms_before: usize,
    scope: usize,
    parts: Vec<(Option<TermId>, Vec<Triple>)>,
    part_of: FxHashMap<Option<TermId>, usize>,
    /// The last graph, subject and predicate: files are written subject by subject, so most terms repeat the one before.
    recent: [Option<(oxrdf::Term, TermId)>; 3],
    label: String,
    committed: bool,
}

impl Staged<'_> {
    pub(crate) fn add(&mut self, quad: QuadRef<'_>) -> Result<(), Full> {
        let graph = match quad.graph_name {
            GraphNameRef::DefaultGraph => None,
            GraphNameRef::NamedNode(name) => Some(self.repeated(0, name.into())?),
            GraphNameRef::BlankNode(name) => Some(self.repeated(0, name.into())?),
        };
        let subject = self.repeated(1, quad.subject.into())?;
        let predicate = self.repeated(2, quad.predicate.into())?;
        let object = self.number(quad.object)?;
        let part = *self.part_of.entry(graph).or_insert_with(|| {
            self.parts.push((graph, Vec::new()));
            self.parts.len() - 1
        });
        if let Some((_, triples)) = self.parts.get_mut(part) {
            triples.push([subject, predicate, object]);
        }
        Ok(())
    }

    pub(crate) fn quads(&self) -> usize {
        self.parts.iter().map(|(_, triples)| triples.len()).sum()
    }

    pub(crate) fn commit(mut self) {
        for (name, triples) in std::mem::take(&mut self.parts) {
            if let Some(graph) = self.store.graph_mut(name) {
                graph.extend(&triples);
            }
        }
        self.store.files += 1;
        self.committed = true;
    }

    fn repeated(&mut self, slot: usize, term: TermRef<'_>) -> Result<TermId, Full> {
        if let Some(Some((last, id))) = self.recent.get(slot)
            && last.as_ref() == term
        {
            return Ok(*id);
        }
        let id = self.number(term)?;
        if let Some(place) = self.recent.get_mut(slot) {
            *place = Some((term.into_owned(), id));
        }
        Ok(id)
    }

    fn number(&mut self, term: TermRef<'_>) -> Result<TermId, Full> {
        let TermRef::BlankNode(node) = term else {
            return self.store.terms.intern(term);
        };
        self.label.clear();
        // Writing into a String cannot fail.
        let _ = write!(self.label, "f{}_{}", self.scope, node.as_str());
        let scoped = oxrdf::BlankNodeRef::new_unchecked(&self.label);
        self.store.terms.intern(scoped.into())
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        if !self.committed {
            self.store.terms.truncate(self.terms_before);
        }
    }
}
