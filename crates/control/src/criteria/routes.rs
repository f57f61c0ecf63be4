//! The distinct routes by which a graph ties its data to an ontology's terms.
//!
//! A graph that models one relationship in two ways has no single right answer: whoever asks picks a route, and nothing
//! in the data says that there is another. So the routes are enumerated, not assumed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use table::{Cell, Table};

use crate::criteria::question::DESCRIPTIONS;
use crate::taxonomy::{local_name, ontology_prefix, within};

/// Steps from the data to a term that a route may take.
pub const LONGEST_ROUTE: usize = 3;

/// Nodes asked about in one query: some endpoints refuse longer lists.
const NODES_A_QUERY: usize = 400;

/// One step of a route.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Hop {
    /// IRI of the predicate.
    pub predicate: String,
    /// Whether the step goes from the predicate's object to its subject.
    pub inverse: bool,
}

/// The predicates that lead from a datum to a term.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Route {
    /// The steps, first from the datum.
    pub hops: Vec<Hop>,
}

impl fmt::Display for Route {
    /// Like a property path, with the ends of the IRIs: `associated_with/exactMatch`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, hop) in self.hops.iter().enumerate() {
            let slash = if place == 0 { "" } else { "/" };
            let caret = if hop.inverse { "^" } else { "" };
            write!(f, "{slash}{caret}{}", local_name(&hop.predicate))?;
        }
        Ok(())
    }
}

/// What was found along the routes from some terms.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Routes {
    /// The type of the data that routes start from.
    pub partner_type: String,
    /// The routes, the most used first.
    pub routes: Vec<RouteCount>,
    /// What each term has by each route, in the order of `routes`.
    pub terms: Vec<TermRoutes>,
    /// Pairs of datum and term that any route connects.
    pub pairs: usize,
    /// Pairs that more than one route connects.
    pub overlap: usize,
    /// Whether every route connects the same pairs.
    pub agree: bool,
}

/// A route and how much it connects.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct RouteCount {
    /// The route.
    pub route: Route,
    /// Pairs of datum and term that it connects.
    pub pairs: usize,
    /// Terms that it reaches.
    pub terms: usize,
}

/// A term and how many data each route connects with it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct TermRoutes {
    /// IRI of the term.
    pub term: String,
    /// Data by route, in the order of [`Routes::routes`].
    pub counts: Vec<usize>,
}

/// A search for routes, one ring of nodes around the terms at a time: it gives queries and takes their tables.
///
/// From each term it goes outward along any predicate in either direction. It stops at data (nodes of the partner
/// type), at other terms of the same ontology, at literals, and after [`LONGEST_ROUTE`] steps, so that what lies between
/// is a stand-in or a reified statement, never a second datum.
///
/// ```
/// use control::RouteSearch;
/// use table::{Cell, Table};
///
/// let mut search = RouteSearch::new(Some("http://e/graph"), "http://e/Gene", ["http://e/HP_1".to_owned()]);
/// let query = search.next_query().unwrap();
/// assert!(query.contains("<http://e/HP_1>"));
/// let columns = ["from", "link", "inward", "to", "partner"].map(str::to_owned).to_vec();
/// let iri = |text: &str| Cell::Iri(text.into());
/// search.answer(&Table::new(columns, vec![
///     vec![iri("http://e/HP_1"), iri("http://e/about"), Cell::Boolean(true), iri("http://e/gene"), Cell::Boolean(true)],
/// ]));
/// assert!(search.next_query().is_none());
/// let found = search.finish();
/// assert_eq!(found.routes[0].route.to_string(), "about");
/// ```
#[derive(Clone, Debug)]
pub struct RouteSearch {
    graph: Option<String>,
    partner_type: String,
    prefix: String,
    /// Queries of this ring that are still to be asked, by their nodes.
    waiting: Vec<Vec<String>>,
    /// For each node of this ring the terms it was reached from, and how.
    ring: BTreeMap<String, BTreeSet<(String, Route)>>,
    /// The next ring.
    outer: BTreeMap<String, BTreeSet<(String, Route)>>,
    depth: usize,
    /// Terms and data that each route connects.
    found: BTreeMap<Route, BTreeSet<(String, String)>>,
    terms: Vec<String>,
}

impl RouteSearch {
    /// A search in one graph, from these terms of one ontology to data of this type.
    pub fn new(
        graph: Option<&str>,
        partner_type: &str,
        terms: impl IntoIterator<Item = String>,
    ) -> Self {
        let terms: Vec<String> = terms.into_iter().collect();
        let prefix = terms.first().map_or("", |term| ontology_prefix(term));
        let mut search = Self {
            graph: graph.map(str::to_owned),
            partner_type: partner_type.to_owned(),
            prefix: prefix.to_owned(),
            waiting: Vec::new(),
            ring: BTreeMap::new(),
            outer: BTreeMap::new(),
            depth: 0,
            found: BTreeMap::new(),
            terms: Vec::new(),
        };
        for term in &terms {
            let start = (term.clone(), Route { hops: Vec::new() });
            search.outer.insert(term.clone(), BTreeSet::from([start]));
        }
        search.terms = terms;
        search.step_out();
        search
    }

    fn step_out(&mut self) {
        self.depth += 1;
        self.ring = std::mem::take(&mut self.outer);
        if self.depth <= LONGEST_ROUTE {
            let nodes: Vec<String> = self.ring.keys().cloned().collect();
            self.waiting = nodes.chunks(NODES_A_QUERY).map(<[_]>::to_vec).collect();
        }
    }

    /// The next query; `None` when the search is over. Its table goes to [`RouteSearch::answer`].
    pub fn next_query(&self) -> Option<String> {
        let nodes = self.waiting.last()?;
        let nodes: Vec<_> = nodes.iter().map(|node| format!("<{node}>")).collect();
        let excluded: Vec<_> = DESCRIPTIONS.iter().map(|iri| format!("<{iri}>")).collect();
        let typed = format!("?to a <{}> . BIND(true AS ?partner)", self.partner_type);
        // In the last ring only data are of use, and a node may have any number of other neighbours.
        let typed = if self.depth < LONGEST_ROUTE {
            format!("OPTIONAL {{ {typed} }}")
        } else {
            typed
        };
        let body = format!(
            "{{ ?from ?link ?to . BIND(false AS ?inward) }} UNION {{ ?to ?link ?from . BIND(true AS ?inward) }}\n    \
             FILTER(isIRI(?to) && ?link NOT IN ({}))\n    {typed}",
            excluded.join(", ")
        );
        Some(format!(
            "SELECT DISTINCT ?from ?link ?inward ?to ?partner WHERE {{\n  VALUES ?from {{ {} }}\n  {}\n}}",
            nodes.join(" "),
            within(self.graph.as_deref(), &body)
        ))
    }

    /// Takes the table of [`RouteSearch::next_query`].
    pub fn answer(&mut self, table: &Table) {
        self.waiting.pop();
        for row in table.rows() {
            let [
                Cell::Iri(from),
                Cell::Iri(link),
                inward,
                Cell::Iri(to),
                partner,
            ] = row
            else {
                continue;
            };
            let hop = Hop {
                predicate: link.to_string(),
                // A step towards the term, seen from the datum.
                inverse: *inward != Cell::Boolean(true),
            };
            let reached = self.ring.get(&**from).into_iter().flatten();
            let is_partner = *partner == Cell::Boolean(true);
            for (term, route) in reached {
                let hops = std::iter::once(hop.clone()).chain(route.hops.iter().cloned());
                let route = Route {
                    hops: hops.collect(),
                };
                if is_partner {
                    let pair = (term.clone(), to.to_string());
                    self.found.entry(route).or_default().insert(pair);
                } else if !to.starts_with(&self.prefix) {
                    let to = self.outer.entry(to.to_string()).or_default();
                    to.insert((term.clone(), route));
                }
            }
        }
        if self.waiting.is_empty() {
            self.step_out();
        }
    }

    /// What was found.
    pub fn finish(self) -> Routes {
        let mut ways: BTreeMap<&(String, String), usize> = BTreeMap::new();
        for pair in self.found.values().flatten() {
            *ways.entry(pair).or_default() += 1;
        }
        let agree = ways.values().all(|count| *count == self.found.len());
        let overlap = ways.values().filter(|count| **count > 1).count();
        let pairs = ways.len();
        let mut found: Vec<_> = self.found.iter().collect();
        found.sort_by_key(|(_, connected)| std::cmp::Reverse(connected.len()));
        let by_term = |connected: &BTreeSet<(String, String)>, term: &str| {
            connected.iter().filter(|(of, _)| of == term).count()
        };
        Routes {
            terms: self
                .terms
                .iter()
                .map(|term| TermRoutes {
                    counts: found.iter().map(|(_, c)| by_term(c, term)).collect(),
                    term: term.clone(),
                })
                .collect(),
            routes: found
                .into_iter()
                .map(|(route, connected)| RouteCount {
                    route: route.clone(),
                    pairs: connected.len(),
                    terms: connected
                        .iter()
                        .map(|(term, _)| term)
                        .collect::<BTreeSet<_>>()
                        .len(),
                })
                .collect(),
            partner_type: self.partner_type,
            pairs,
            overlap,
            agree,
        }
    }
}

/// At most so many items, evenly spread over the list, so that a graph that models its terms in several ways is caught.
pub(crate) fn spread(items: &[String], most: usize) -> Vec<String> {
    let taken = items.len().min(most);
    (0..taken)
        .filter_map(|place| items.get(place * items.len() / taken).cloned())
        .collect()
}
