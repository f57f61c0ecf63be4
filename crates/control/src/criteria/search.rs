//! Ranking every category of an ontology by the criteria.
//!
//! One by one, thousands of categories would cost an endpoint tens of thousands of queries. Here the hierarchy and the data of
//! each class are fetched once, for all classes together, and the closures are computed in memory.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use spargebra::term::NamedNode;
use table::{Cell, Table};

use crate::criteria::inquiry::{count_in, join_density, named_in};
use crate::criteria::question::{QuestionError, is_data};
use crate::criteria::report::{Criterion, CriterionId, one_path, share};
use crate::criteria::routes::{RouteSearch, Routes, spread};
use crate::derive::words::keywords_of;
use crate::taxonomy::{Taxonomy, ontology_query, within};
use crate::why::matched::Match;

/// Terms that the search for routes starts from.
const TERMS_SAMPLED: usize = 40;

/// Where to search.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SearchArea {
    /// IRI of the named graph with the hierarchy and its labels.
    pub hierarchy: String,
    /// IRI of the named graph whose data are counted.
    pub first: String,
    /// IRI of the named graph that crosses it.
    pub second: String,
    /// What the IRIs of the ontology's classes begin with.
    pub prefix: String,
    /// Rows that a question is to have.
    pub wanted: usize,
}

/// A category and what the criteria say of it.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Category {
    /// IRI of the class.
    pub root: String,
    /// Its label.
    pub label: Option<String>,
    /// How many of the seven criteria hold.
    pub held: usize,
    /// Which do not hold, or cannot be told.
    pub failed: Vec<CriterionId>,
    /// Classes at and below it.
    pub closure: usize,
    /// Data of the class itself in the first graph.
    pub root_in_first: usize,
    /// Data of the class itself in the second graph.
    pub root_in_second: usize,
    /// Classes of the closure with data in both graphs.
    pub qualifying: usize,
    /// The telling words of its label.
    pub keywords: Vec<String>,
    /// The share of the closure's labels that contain one of them.
    pub named: f64,
    /// Rows of the answer: the classes with most data in the first graph, up to the number wanted.
    pub answer: usize,
    /// Rows of the answer that a test for the keywords keeps.
    pub kept: usize,
    /// Rows that such a test has instead, from outside the closure.
    pub invented: usize,
}

/// What a search found.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct SearchReport {
    /// Every category with at least one qualifying class, the best first: by criteria held, then by how little of the answer
    /// a keyword keeps, then by the size of the closure (the smaller is the cheaper to expand), then by IRI.
    pub categories: Vec<Category>,
    /// The fifth criterion, which is the second graph's.
    pub density: Criterion,
    /// The seventh, likewise.
    pub one_path: Criterion,
    /// The routes behind it; `None` where they could not be looked for.
    pub routes: Option<Routes>,
}

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Probe {
    Ontology,
    First,
    Names,
    Second,
    Density,
    PartnerTypes,
}

/// A search through an ontology: it gives queries, takes their tables, and ranks at the end.
///
/// ```
/// use control::{CategorySearch, SearchArea};
/// use table::Table;
///
/// let area = SearchArea {
///     hierarchy: "http://e/hub".to_owned(),
///     first: "http://e/data".to_owned(),
///     second: "http://e/clinic".to_owned(),
///     prefix: "http://e/MONDO_".to_owned(),
///     wanted: 15,
/// };
/// let mut search = CategorySearch::new(area)?;
/// let mut queries = 0;
/// while let Some(_query) = search.next_query() {
///     search.answer(&Table::default());
///     queries += 1;
/// }
/// assert_eq!(queries, 6);
/// assert!(search.finish(&mut |_, _| {}).categories.is_empty());
/// # Ok::<_, control::QuestionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CategorySearch {
    area: SearchArea,
    waiting: Vec<(Probe, String)>,
    asked: BTreeMap<Probe, String>,
    tables: BTreeMap<Probe, Table>,
    taxonomy: Taxonomy,
    routes: Option<RouteSearch>,
    route_queries: Vec<String>,
}

impl CategorySearch {
    /// Starts a search.
    pub fn new(area: SearchArea) -> Result<Self, QuestionError> {
        for text in [&area.hierarchy, &area.first, &area.second, &area.prefix] {
            if NamedNode::new(text.as_str()).is_err() || text.contains('"') {
                return Err(QuestionError::NotAnIri { text: text.clone() });
            }
        }
        let SearchArea {
            hierarchy,
            first,
            second,
            prefix,
            ..
        } = &area;
        let starts = format!("STRSTARTS(STR(?class), \"{prefix}\")");
        let link = format!(
            "?partner ?link ?class . FILTER(isIRI(?partner) && {} && {starts})",
            is_data("link")
        );
        let counts = |graph: &str| {
            format!(
                "SELECT ?class (COUNT(DISTINCT ?partner) AS ?partners) WHERE {{\n  {}\n}}\nGROUP BY ?class",
                within(Some(graph), &link)
            )
        };
        let names = format!(
            "VALUES ?property {{ <http://schema.org/name> rdfs:label skos:prefLabel }}\n    \
             ?class ?property ?name . FILTER({starts})"
        );
        let reaching = within(
            Some(second),
            &format!(
                "?reaching ?link ?class . FILTER({starts} && {})",
                is_data("link")
            ),
        );
        let density = within(Some(second), "?partner ?link ?thing .");
        let types = within(Some(second), &format!("{link}\n    ?partner a ?type ."));
        let mut waiting = vec![
            (Probe::Ontology, ontology_query(Some(hierarchy), prefix)),
            (Probe::First, counts(first)),
            (
                Probe::Names,
                format!(
                    "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n\
                     PREFIX skos: <http://www.w3.org/2004/02/skos/core#>\n\
                     SELECT ?class ?name WHERE {{\n  {}\n}}\nORDER BY ?class ?name",
                    within(Some(first), &names)
                ),
            ),
            (Probe::Second, counts(second)),
            (
                Probe::Density,
                format!(
                    "SELECT (COUNT(DISTINCT ?thing) AS ?things) (COUNT(DISTINCT ?carrier) AS ?carrying) WHERE {{\n  \
                     {{ SELECT DISTINCT ?link WHERE {{ {reaching} }} }}\n  {density}\n  \
                     BIND(IF(STRSTARTS(STR(?thing), \"{prefix}\"), ?thing, ?nothing) AS ?carrier)\n}}"
                ),
            ),
            (
                Probe::PartnerTypes,
                format!(
                    "SELECT ?type (COUNT(DISTINCT ?partner) AS ?n) WHERE {{\n  {types}\n}}\nGROUP BY ?type\nORDER BY DESC(?n) ?type"
                ),
            ),
        ];
        waiting.reverse();
        Ok(Self {
            area,
            waiting,
            asked: BTreeMap::new(),
            tables: BTreeMap::new(),
            taxonomy: Taxonomy::default(),
            routes: None,
            route_queries: Vec::new(),
        })
    }

    /// The next query; `None` when there is none left. Its table goes to [`CategorySearch::answer`].
    pub fn next_query(&self) -> Option<String> {
        match self.waiting.last() {
            Some((_, query)) => Some(query.clone()),
            None => self.routes.as_ref()?.next_query(),
        }
    }

    /// Takes the table of [`CategorySearch::next_query`].
    pub fn answer(&mut self, table: &Table) {
        if let Some((probe, query)) = self.waiting.pop() {
            self.asked.insert(probe, query);
            if probe == Probe::Ontology {
                self.taxonomy.add(table);
            } else {
                self.tables.insert(probe, table.clone());
            }
            if self.waiting.is_empty() {
                self.look_for_routes();
            }
        } else if let Some(routes) = &mut self.routes {
            self.route_queries.extend(routes.next_query());
            routes.answer(table);
        }
    }

    fn look_for_routes(&mut self) {
        let types = self.tables.get(&Probe::PartnerTypes);
        let Some([Cell::Iri(partner_type), ..]) = types.map(|types| types.row(0)) else {
            return;
        };
        let mut terms: Vec<_> = self.counts(Probe::Second).into_keys().collect();
        terms.sort_unstable();
        self.routes = Some(RouteSearch::new(
            Some(&self.area.second),
            partner_type,
            spread(&terms, TERMS_SAMPLED),
        ));
    }

    fn counts(&self, probe: Probe) -> HashMap<String, usize> {
        let rows = self.tables.get(&probe).into_iter().flat_map(Table::rows);
        rows.filter_map(|row| match row {
            [Cell::Iri(class), count] => Some((class.to_string(), count_in(count)?)),
            _ => None,
        })
        .collect()
    }

    /// Ranks the categories; `progress` is told how many of how many are done.
    pub fn finish(self, progress: &mut dyn FnMut(usize, usize)) -> SearchReport {
        let density =
            join_density(self.tables.get(&Probe::Density)).by(self.asked.get(&Probe::Density));
        let routes = self.routes.clone().map(RouteSearch::finish);
        let one_path = match &routes {
            Some(routes) => one_path(routes),
            None => Criterion::new(
                CriterionId::OnePath,
                None,
                None,
                "the second graph's data have no type, so that routes cannot tell where they end"
                    .to_owned(),
            ),
        }
        .by(&self.route_queries);
        let data = Data::new(&self);
        let mut of_all = Vec::new();
        for criterion in [&density, &one_path] {
            if criterion.holds != Some(true) {
                of_all.push(criterion.id);
            }
        }
        let roots = data.categories(&self.taxonomy);
        let total = roots.len();
        let mut categories = Vec::with_capacity(total);
        for (done, (root, qualifying)) in roots.into_iter().enumerate() {
            progress(done, total);
            categories.push(self.category(root, &qualifying, &data, &of_all));
        }
        progress(total, total);
        categories.sort_by(|a, b| {
            rank(a)
                .partial_cmp(&rank(b))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        SearchReport {
            categories,
            density,
            one_path,
            routes,
        }
    }

    fn category(
        &self,
        root: &str,
        qualifying: &[usize],
        data: &Data,
        of_all: &[CriterionId],
    ) -> Category {
        let label = self.taxonomy.label(root);
        let keywords = keywords_of(&[label.unwrap_or_default()]);
        let closure = self.taxonomy.closure(root);
        let (named, labels) = named_in(&self.taxonomy, root, &keywords);
        // The qualifying classes are sorted by their data, so the first ones are the answer.
        let answer: Vec<usize> = qualifying.iter().copied().take(self.area.wanted).collect();
        let by_name: Vec<usize> = (0..data.classes.len())
            .filter(|class| Match::find(&data.classes[*class].name, &keywords).is_some())
            .take(self.area.wanted)
            .collect();
        let kept = answer
            .iter()
            .filter(|class| by_name.contains(class))
            .count();
        let invented = by_name
            .iter()
            .filter(|class| qualifying.binary_search(class).is_err())
            .count();
        let root_in_first = data.first.get(root).copied().unwrap_or(0);
        let root_in_second = data.second.get(root).copied().unwrap_or(0);

        let mut failed = of_all.to_vec();
        let mut unless = |holds: bool, id| {
            if !holds {
                failed.push(id);
            }
        };
        unless(root_in_first > 0, CriterionId::RootInFirst);
        unless(root_in_second == 0, CriterionId::RootNotInSecond);
        // A name test with nothing to test for cannot be told.
        unless(
            !keywords.is_empty() && (kept < answer.len() || invented > 0),
            CriterionId::NamedOtherwise,
        );
        unless(
            qualifying.len() >= self.area.wanted,
            CriterionId::EnoughQualify,
        );
        failed.sort_unstable();
        Category {
            root: root.to_owned(),
            label: label.map(str::to_owned),
            held: CriterionId::ALL.len() - failed.len(),
            failed,
            closure: closure.len(),
            root_in_first,
            root_in_second,
            qualifying: qualifying.len(),
            named: share(named, labels),
            keywords,
            answer: answer.len(),
            kept,
            invented,
        }
    }
}

/// By what categories are ranked: smaller is better.
fn rank(category: &Category) -> (Reverse<usize>, f64, usize, &str) {
    (
        Reverse(category.held),
        share(category.kept, category.answer),
        category.closure,
        &category.root,
    )
}

/// The data of all classes.
struct Data {
    first: HashMap<String, usize>,
    second: HashMap<String, usize>,
    /// The classes with data in both graphs, those with most in the first graph first, ties by IRI.
    classes: Vec<Crossing>,
}

struct Crossing {
    iri: String,
    name: String,
}

impl Data {
    fn new(search: &CategorySearch) -> Self {
        let (first, second) = (search.counts(Probe::First), search.counts(Probe::Second));
        let mut names: HashMap<&str, &str> = HashMap::new();
        for row in search
            .tables
            .get(&Probe::Names)
            .into_iter()
            .flat_map(Table::rows)
        {
            if let [Cell::Iri(class), Cell::Text(name)] = row {
                names.entry(class).or_insert(name);
            }
        }
        let crossing = first.keys().filter(|class| second.contains_key(*class));
        let mut classes: Vec<_> = crossing
            .map(|class| Crossing {
                name: names
                    .get(class.as_str())
                    .copied()
                    .or_else(|| search.taxonomy.label(class))
                    .unwrap_or_default()
                    .to_owned(),
                iri: class.clone(),
            })
            .collect();
        classes.sort_by_key(|class| (Reverse(first.get(&class.iri).copied()), class.iri.clone()));
        Self {
            first,
            second,
            classes,
        }
    }

    /// Every category above a class with data, with the places of its qualifying classes, ascending.
    fn categories<'t>(&self, taxonomy: &'t Taxonomy) -> BTreeMap<&'t str, Vec<usize>> {
        let mut categories: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, class) in self.classes.iter().enumerate() {
            for root in taxonomy.ancestors(&class.iri) {
                categories.entry(root).or_default().push(place);
            }
        }
        categories
    }
}
