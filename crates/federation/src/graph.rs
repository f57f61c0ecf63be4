//! One graph: its triples in the three orders that between them answer every pattern by one range.

use crate::terms::TermId;
use std::cmp::Ordering;
use std::sync::OnceLock;

/// Subject, predicate, object.
pub(crate) type Triple = [TermId; 3];

/// Subject, predicate and object of a pattern; `None` matches anything.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern {
    pub(crate) subject: Option<TermId>,
    pub(crate) predicate: Option<TermId>,
    pub(crate) object: Option<TermId>,
}

/// Which terms of a triple a sorted array compares first, second and third.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Spo,
    Pos,
    Osp,
}

impl Order {
    fn permute(self, [s, p, o]: Triple) -> Triple {
        match self {
            Self::Spo => [s, p, o],
            Self::Pos => [p, o, s],
            Self::Osp => [o, s, p],
        }
    }

    fn restore(self, [a, b, c]: Triple) -> Triple {
        match self {
            Self::Spo => [a, b, c],
            Self::Pos => [c, a, b],
            Self::Osp => [b, c, a],
        }
    }
}

/// A set of triples. An order is sorted when a pattern first needs it, so that loading a graph costs no more than reading
/// its file, and a query over predicates alone never pays for the other two.
#[derive(Default)]
pub(crate) struct Graph {
    /// As loaded, duplicates included.
    triples: Vec<Triple>,
    spo: OnceLock<Vec<Triple>>,
    pos: OnceLock<Vec<Triple>>,
    osp: OnceLock<Vec<Triple>>,
}

impl Graph {
    /// Adds triples; the orders are sorted anew when they are next needed.
    pub(crate) fn extend(&mut self, triples: &[Triple]) {
        self.triples.extend_from_slice(triples);
        self.spo = OnceLock::new();
        self.pos = OnceLock::new();
        self.osp = OnceLock::new();
    }

    /// How many distinct triples it holds.
    pub(crate) fn len(&self) -> usize {
        self.sorted(Order::Spo).len()
    }

    /// The triples that match, sorted in the order that serves the pattern: the same for the same pattern in every graph.
    pub(crate) fn matching(&self, pattern: Pattern) -> Matches<'_> {
        let (order, key) = plan(pattern);
        Matches {
            rows: range(self.sorted(order), key),
            order,
        }
    }

    fn sorted(&self, order: Order) -> &[Triple] {
        let sort = || {
            let mut rows: Vec<_> = self.triples.iter().map(|t| order.permute(*t)).collect();
            rows.sort_unstable();
            rows.dedup();
            rows
        };
        match order {
            Order::Spo => self.spo.get_or_init(sort),
            Order::Pos => self.pos.get_or_init(sort),
            Order::Osp => self.osp.get_or_init(sort),
        }
    }
}

/// The order in which the bound terms of a pattern come first, and those terms.
fn plan(pattern: Pattern) -> (Order, Prefix) {
    match (pattern.subject, pattern.predicate, pattern.object) {
        (None, None, None) => (Order::Spo, Prefix::new(&[])),
        (Some(s), None, None) => (Order::Spo, Prefix::new(&[s])),
        (Some(s), Some(p), None) => (Order::Spo, Prefix::new(&[s, p])),
        (Some(s), Some(p), Some(o)) => (Order::Spo, Prefix::new(&[s, p, o])),
        (None, Some(p), None) => (Order::Pos, Prefix::new(&[p])),
        (None, Some(p), Some(o)) => (Order::Pos, Prefix::new(&[p, o])),
        (None, None, Some(o)) => (Order::Osp, Prefix::new(&[o])),
        (Some(s), None, Some(o)) => (Order::Osp, Prefix::new(&[o, s])),
    }
}

/// The first zero to three terms of a permuted triple.
#[derive(Clone, Copy)]
struct Prefix {
    terms: Triple,
    len: usize,
}

impl Prefix {
    fn new(terms: &[TermId]) -> Self {
        let mut prefix = Self {
            terms: [0; 3],
            len: terms.len().min(3),
        };
        for (to, from) in prefix.terms.iter_mut().zip(terms) {
            *to = *from;
        }
        prefix
    }

    /// How a row's first terms compare with these.
    fn compare(&self, row: &Triple) -> Ordering {
        row.iter()
            .zip(&self.terms)
            .take(self.len)
            .map(|(a, b)| a.cmp(b))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

/// The rows that begin with the prefix. The end is sought by doubling steps from the start: most ranges are short, and a
/// closure asks for thousands of them.
fn range(rows: &[Triple], prefix: Prefix) -> &[Triple] {
    if prefix.len == 0 {
        return rows;
    }
    let start = rows.partition_point(|row| prefix.compare(row).is_lt());
    let rest = rows.get(start..).unwrap_or_default();
    let mut step = 1;
    while rest
        .get(step)
        .is_some_and(|row| prefix.compare(row).is_eq())
    {
        step *= 2;
    }
    let reach = rest.get(..step.min(rest.len())).unwrap_or_default();
    let end = if step < rest.len() {
        reach.partition_point(|row| prefix.compare(row).is_eq())
    } else {
        rest.partition_point(|row| prefix.compare(row).is_eq())
    };
    rest.get(..end).unwrap_or_default()
}

/// Triples of one graph that match a pattern.
#[derive(Clone)]
pub(crate) struct Matches<'a> {
    rows: &'a [Triple],
    order: Order,
}

impl Matches<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What the next triple is sorted by.
    pub(crate) fn peek(&self) -> Option<&Triple> {
        self.rows.first()
    }
}

impl Iterator for Matches<'_> {
    type Item = Triple;

    fn next(&mut self) -> Option<Triple> {
        let (first, rest) = self.rows.split_first()?;
        self.rows = rest;
        Some(self.order.restore(*first))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rows.len(), Some(self.rows.len()))
    }
}

/// The union of several graphs' matches of the same pattern: sorted, each triple once.
#[derive(Clone)]
pub(crate) struct Merged<'a> {
    parts: Vec<Matches<'a>>,
}

impl<'a> Merged<'a> {
    pub(crate) fn new(parts: Vec<Matches<'a>>) -> Self {
        Self { parts }
    }
}

impl Iterator for Merged<'_> {
    type Item = Triple;

    fn next(&mut self) -> Option<Triple> {
        let least = *self.parts.iter().filter_map(Matches::peek).min()?;
        let mut triple = None;
        for part in &mut self.parts {
            if part.peek() == Some(&least) {
                triple = part.next();
            }
        }
        triple
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn graph(triples: &[Triple]) -> Graph {
        let mut graph = Graph::default();
        graph.extend(triples);
        graph
    }

    fn naive(triples: &[Triple], pattern: Pattern) -> Vec<Triple> {
        let fits = |bound: Option<TermId>, term| bound.is_none_or(|b| b == term);
        let mut found: Vec<_> = triples
            .iter()
            .copied()
            .filter(|[s, p, o]| {
                fits(pattern.subject, *s) && fits(pattern.predicate, *p) && fits(pattern.object, *o)
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn pattern() -> impl Strategy<Value = Pattern> {
        let term = || proptest::option::of(0..6_u32);
        (term(), term(), term()).prop_map(|(subject, predicate, object)| Pattern {
            subject,
            predicate,
            object,
        })
    }

    fn triples() -> impl Strategy<Value = Vec<Triple>> {
        proptest::collection::vec([0..6_u32, 0..6, 0..6], 0..80)
    }

    proptest! {
        #[test]
        fn a_range_is_what_a_scan_finds(triples in triples(), pattern in pattern()) {
            let graph = graph(&triples);
            let mut found: Vec<_> = graph.matching(pattern).collect();
            found.sort_unstable();
            prop_assert_eq!(found, naive(&triples, pattern));
        }

        #[test]
        fn merging_is_the_union(a in triples(), b in triples(), c in triples(), pattern in pattern()) {
            let graphs = [graph(&a), graph(&b), graph(&c)];
            let mut found: Vec<_> = Merged::new(graphs.iter().map(|g| g.matching(pattern)).collect()).collect();
            found.sort_unstable();
            prop_assert_eq!(found, naive(&[a, b, c].concat(), pattern));
        }

        #[test]
        fn pieces_equal_the_whole(a in triples(), b in triples(), pattern in pattern()) {
            let mut pieces = graph(&a);
            // An order that was sorted before the second piece came must not be answered from.
            prop_assert_eq!(pieces.matching(pattern).count(), naive(&a, pattern).len());
            pieces.extend(&b);
            let whole = graph(&[a, b].concat());
            prop_assert_eq!(
                pieces.matching(pattern).collect::<Vec<_>>(),
                whole.matching(pattern).collect::<Vec<_>>()
            );
            prop_assert_eq!(pieces.len(), whole.len());
        }
    }
}
