//! The store as one query sees it: its RDF dataset, and the terms that it computes.

use crate::graph::{Graph, Matches, Merged, Pattern, Triple};
use crate::stop::{self, Held};
use crate::store::Store;
use crate::terms::{TermId, Terms};
use oxrdf::{NamedNode, Term, TermRef};
use rustc_hash::FxHashMap;
use spareval::{InternalQuad, QueryableDataset};
use spargebra::algebra::QueryDataset;
use std::cell::RefCell;

/// An RDF dataset over the store, by the letter of SPARQL 1.1, section 13.
///
/// Without a dataset clause the default graph is the union of everything that is loaded, and every named graph is
/// available. `FROM` makes it the union of the graphs listed, and `FROM NAMED` lists the named ones; where either is
/// given, what is not listed is not there. A union is a set: a triple of two graphs is one triple. Handled here and not by
/// the evaluator, which returns such a triple twice.
pub(crate) struct View<'a> {
    store: &'a Store,
    default: Vec<&'a Graph>,
    /// By name, so that what a query sees first does not depend on which file was loaded first.
    named: Vec<(TermId, &'a Graph)>,
    by_name: FxHashMap<TermId, &'a Graph>,
    /// Terms that no graph holds: numbered from where the store's numbers end.
    computed: RefCell<Terms>,
}

/// Why the dataset could not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ViewError {
    #[error("the query computes more than 4,294,967,295 distinct terms")]
    TooManyTerms,
    #[error("term number {0} is not one of this dataset's")]
    UnknownTerm(TermId),
}

impl<'a> View<'a> {
    pub(crate) fn new(store: &'a Store, dataset: Option<&QueryDataset>) -> Self {
        let of_name = |name: &NamedNode| {
            let id = store.terms.find(name.as_ref().into())?;
            Some((id, store.graph(id)?))
        };
        let (default, mut named): (Vec<_>, Vec<_>) = match dataset {
            None => (
                std::iter::once(&store.unnamed)
                    .chain(store.named().map(|(_, graph)| graph))
                    .collect(),
                store.named().collect(),
            ),
            Some(dataset) => (
                dataset
                    .default
                    .iter()
                    .filter_map(of_name)
                    .map(|(_, graph)| graph)
                    .collect(),
                dataset.named.iter().flatten().filter_map(of_name).collect(),
            ),
        };
        named.sort_by_key(|(name, _)| store.terms.get(*name).map(|term| term.to_string()));
        named.dedup_by_key(|(name, _)| *name);
        Self {
            store,
            default,
            by_name: named.iter().copied().collect(),
            named,
            computed: RefCell::default(),
        }
    }

    /// How many triples the default graph has.
    pub(crate) fn default_graph(&self) -> usize {
        let everything = Pattern {
            subject: None,
            predicate: None,
            object: None,
        };
        self.matching(None, everything).count()
    }

    /// The number of a named graph that is there.
    pub(crate) fn graph(&self, name: &NamedNode) -> Option<TermId> {
        let id = self.term(name.as_ref().into())?;
        self.by_name.contains_key(&id).then_some(id)
    }

    /// The number of a term that some graph holds.
    pub(crate) fn term(&self, term: TermRef<'_>) -> Option<TermId> {
        self.store.terms.find(term)
    }

    /// The term of a number that some graph holds.
    pub(crate) fn named(&self, term: TermId) -> Option<Term> {
        self.store.terms.get(term).map(Term::from)
    }

    /// The triples of a named graph, or of the default graph, that match.
    pub(crate) fn matching(
        &self,
        graph: Option<TermId>,
        pattern: Pattern,
    ) -> impl Iterator<Item = Triple> + use<'a> {
        self.quads(graph, pattern).map(|(_, triple)| triple)
    }

    /// How many these are at most: a triple of several graphs of a union is counted for each.
    pub(crate) fn count(&self, graph: Option<TermId>, pattern: Pattern) -> usize {
        let count = |graph: &Graph| graph.matching(pattern).size_hint().0;
        match graph {
            Some(name) => self.by_name.get(&name).map_or(0, |graph| count(graph)),
            None => self.default.iter().map(|graph| count(graph)).sum(),
        }
    }

    /// The quads of a named graph, or of the default graph, that match.
    fn quads(&self, graph: Option<TermId>, pattern: Pattern) -> Quads<'a> {
        if let Some(name) = graph {
            return match self.by_name.get(&name) {
                Some(graph) => Quads::Of(Some(name), graph.matching(pattern)),
                None => Quads::None,
            };
        }
        let mut parts: Vec<_> = self
            .default
            .iter()
            .map(|graph| graph.matching(pattern))
            .filter(|matches| !matches.is_empty())
            .collect();
        if parts.len() > 1 {
            return Quads::Union(Merged::new(parts));
        }
        parts
            .pop()
            .map_or(Quads::None, |matches| Quads::Of(None, matches))
    }

    /// The quads of every named graph that match.
    fn quads_of_each(&self, pattern: Pattern) -> Quads<'a> {
        let parts: Vec<_> = self
            .named
            .iter()
            .rev()
            .map(|(name, graph)| (*name, graph.matching(pattern)))
            .filter(|(_, matches)| !matches.is_empty())
            .collect();
        Quads::Each(parts)
    }

    /// Where the numbers of computed terms begin.
    fn base(&self) -> usize {
        self.store.terms.len()
    }
}

impl<'a> QueryableDataset<'a> for View<'a> {
    type InternalTerm = Held;
    type Error = ViewError;

    fn internal_quads_for_pattern(
        &self,
        subject: Option<&Held>,
        predicate: Option<&Held>,
        object: Option<&Held>,
        graph_name: Option<Option<&Held>>,
    ) -> impl Iterator<Item = Result<InternalQuad<Held>, ViewError>> + use<'a> {
        let pattern = Pattern {
            subject: subject.map(|term| term.0),
            predicate: predicate.map(|term| term.0),
            object: object.map(|term| term.0),
        };
        let quads = match graph_name {
            Some(name) => self.quads(name.map(|name| name.0), pattern),
            None => self.quads_of_each(pattern),
        };
        quads.map(|(graph_name, [subject, predicate, object])| {
            Ok(InternalQuad {
                subject: Held(subject),
                predicate: Held(predicate),
                object: Held(object),
                graph_name: graph_name.map(Held),
            })
        })
    }

    fn internal_named_graphs(&self) -> impl Iterator<Item = Result<Held, ViewError>> + use<'a> {
        let names: Vec<_> = self.named.iter().map(|(name, _)| Ok(Held(*name))).collect();
        names.into_iter()
    }

    fn contains_internal_graph_name(&self, graph_name: &Held) -> Result<bool, ViewError> {
        Ok(self.by_name.contains_key(&graph_name.0))
    }

    fn internalize_term(&self, term: Term) -> Result<Held, ViewError> {
        if let Some(id) = self.store.terms.find(term.as_ref()) {
            return Ok(Held(id));
        }
        let computed = self
            .computed
            .borrow_mut()
            .intern(term.as_ref())
            .map_err(|_| ViewError::TooManyTerms)?;
        TermId::try_from(self.base() + computed as usize)
            .map(Held)
            .map_err(|_| ViewError::TooManyTerms)
    }

    fn externalize_term(&self, Held(term): Held) -> Result<Term, ViewError> {
        let place = term as usize;
        let found = match place.checked_sub(self.base()) {
            None => self.store.terms.get(term).map(Term::from),
            Some(place) => TermId::try_from(place)
                .ok()
                .and_then(|id| self.computed.borrow().get(id).map(Term::from)),
        };
        found.ok_or(ViewError::UnknownTerm(term))
    }
}

/// Quads of the graphs that a pattern asks for.
enum Quads<'a> {
    None,
    /// Of one graph, named or default.
    Of(Option<TermId>, Matches<'a>),
    /// Of a default graph that is the union of several.
    Union(Merged<'a>),
    /// Of every named graph in turn, the last one first in the list.
    Each(Vec<(TermId, Matches<'a>)>),
}

impl Iterator for Quads<'_> {
    type Item = (Option<TermId>, Triple);

    fn next(&mut self) -> Option<Self::Item> {
        stop::point();
        match self {
            Self::None => None,
            Self::Of(name, matches) => Some((*name, matches.next()?)),
            Self::Union(merged) => Some((None, merged.next()?)),
            Self::Each(parts) => loop {
                let (name, matches) = parts.last_mut()?;
                match matches.next() {
                    Some(triple) => return Some((Some(*name), triple)),
                    None => parts.pop(),
                };
            },
        }
    }
}
