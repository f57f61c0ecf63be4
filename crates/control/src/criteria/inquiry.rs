//! Probing one question: queries out, tables in, a report at the end.

use std::collections::{BTreeMap, VecDeque};

use record::without_limit;
use table::{Cell, Table};

use crate::analysis::{Case, analyse};
use crate::criteria::queries::{at_root_query, density_query, terms_query, types_query};
use crate::criteria::question::Question;
use crate::criteria::report::{
    CriteriaReport, Criterion, CriterionId, LEAST_DENSITY, counted, one_path, share,
};
use crate::criteria::routes::{RouteSearch, Routes, spread};
use crate::derive::derived::{NameChoice, derive_keyword, derive_literal, with_plain_aggregates};
use crate::derive::words::keywords_of;
use crate::taxonomy::{Taxonomy, closure_query, ontology_prefix};
use crate::why::matched::Match;

/// Terms that the search for routes starts from: enough to meet a second way of modelling, few enough for any endpoint.
const TERMS_SAMPLED: usize = 40;

/// What a query of the inquiry is for.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Probe {
    RootInFirst,
    RootInSecond,
    Hierarchy,
    Key,
    KeyUncut,
    Keyword,
    Density,
    PartnerTypes,
    Terms,
    Route,
}

/// Probes a question against an endpoint, which the caller asks.
///
/// ```
/// use control::{CriterionId, Inquiry, Question};
/// use table::Table;
///
/// let key = spargebra::SparqlParser::new().parse_query(
///     "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
///      SELECT ?c ?name (COUNT(DISTINCT ?d) AS ?n) {
///        GRAPH <http://e/hub> { ?c rdfs:subClassOf* <http://e/heart> }
///        GRAPH <http://e/data> { ?d <http://e/about> ?c . ?c rdfs:label ?name }
///        GRAPH <http://e/clinic> { ?a a <http://e/Association> ; <http://e/subject> ?c }
///      } GROUP BY ?c ?name ORDER BY DESC(?n) ?c LIMIT 15",
/// ).unwrap();
/// let mut inquiry = Inquiry::new(Question::of_key(&key)?, &["cardio"]);
/// while let Some(query) = inquiry.next_query() {
///     // An endpoint with nothing in it.
///     inquiry.answer(&Table::new(record::columns_of(&spargebra::SparqlParser::new().parse_query(&query).unwrap()), vec![]));
/// }
/// let report = inquiry.finish();
/// assert_eq!(report.criteria.len(), 7);
/// assert_eq!(report.criteria[3].id, CriterionId::EnoughQualify);
/// assert_eq!(report.criteria[3].holds, Some(false));
/// # Ok::<_, control::QuestionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Inquiry {
    question: Question,
    keywords: Vec<String>,
    waiting: VecDeque<(Probe, String)>,
    asked: BTreeMap<Probe, Vec<String>>,
    tables: BTreeMap<Probe, Table>,
    taxonomy: Taxonomy,
    search: Option<RouteSearch>,
    /// Whether the queries that depend on others' tables have been made.
    second_round: bool,
}

impl Inquiry {
    /// Starts one. Without keywords, the telling words of the root's label are taken.
    pub fn new<S: AsRef<str>>(question: Question, keywords: &[S]) -> Self {
        let mut inquiry = Self {
            keywords: keywords
                .iter()
                .map(|word| word.as_ref().to_owned())
                .collect(),
            waiting: VecDeque::new(),
            asked: BTreeMap::new(),
            tables: BTreeMap::new(),
            taxonomy: Taxonomy::default(),
            search: None,
            second_round: false,
            question,
        };
        inquiry.waiting = inquiry.first_round();
        inquiry
    }

    fn first_round(&self) -> VecDeque<(Probe, String)> {
        let Question {
            key,
            hierarchy,
            first,
            second,
            ..
        } = &self.question;
        let root = self.question.root();
        let hub = hierarchy.position.graph_iri();
        let uncut = with_plain_aggregates(&without_limit(key));
        let in_second = if self.question.joins_on_classes() {
            at_root_query(&self.question, second)
        } else {
            let literal = derive_literal(&uncut).map(|derived| derived.text);
            literal.unwrap_or_default()
        };
        let mut probes = VecDeque::from([
            (Probe::RootInFirst, at_root_query(&self.question, first)),
            (Probe::RootInSecond, in_second),
            (Probe::Hierarchy, closure_query(hub, root)),
            (Probe::Key, with_plain_aggregates(key).to_string()),
            (Probe::KeyUncut, uncut.to_string()),
        ]);
        let stated = second.stated_type();
        if stated.is_none() {
            probes.push_back((Probe::PartnerTypes, types_query(second)));
        }
        probes.push_back((Probe::Terms, terms_query(&self.question)));
        probes.retain(|(_, query)| !query.is_empty());
        probes
    }

    /// The next query; `None` when there is none left. Its table goes to [`Inquiry::answer`].
    pub fn next_query(&self) -> Option<String> {
        match self.waiting.front() {
            Some((_, query)) => Some(query.clone()),
            None => self.search.as_ref()?.next_query(),
        }
    }

    /// Takes the table of [`Inquiry::next_query`].
    pub fn answer(&mut self, table: &Table) {
        if let Some((probe, query)) = self.waiting.pop_front() {
            self.asked.entry(probe).or_default().push(query);
            if probe == Probe::Hierarchy {
                self.taxonomy.add(table);
            } else {
                self.tables.insert(probe, table.clone());
            }
        } else if let Some(search) = &mut self.search {
            let asked = self.asked.entry(Probe::Route).or_default();
            asked.extend(search.next_query());
            search.answer(table);
        }
        if self.waiting.is_empty() && !self.second_round {
            self.second_round = true;
            self.plan_second_round();
        }
    }

    fn plan_second_round(&mut self) {
        let root = self.question.root().to_owned();
        if self.keywords.is_empty() {
            self.keywords = keywords_of(&[self.taxonomy.label(&root).unwrap_or_default()]);
        }
        let control = derive_keyword(&self.question.key, &self.keywords, NameChoice::ByKey);
        if let Ok(control) = control {
            self.waiting.push_back((Probe::Keyword, control.text));
        }
        let terms = self.terms();
        let second = &self.question.second;
        // What the query joins on need not be of the hierarchy's ontology.
        let example = if self.question.joins_on_classes() {
            Some(&root)
        } else {
            terms.first()
        };
        if let Some(example) = example {
            let query = density_query(second, ontology_prefix(example));
            self.waiting.push_back((Probe::Density, query));
        }
        let stated = second.stated_type().map(str::to_owned);
        let seen = || {
            let types = self.tables.get(&Probe::PartnerTypes)?;
            match types.row(0).first()? {
                Cell::Iri(class) => Some(class.to_string()),
                _ => None,
            }
        };
        let Some(partner_type) = stated.or_else(seen) else {
            return;
        };
        self.search = Some(RouteSearch::new(
            second.position.graph_iri(),
            &partner_type,
            spread(&terms, TERMS_SAMPLED),
        ));
    }

    fn terms(&self) -> Vec<String> {
        let rows = self
            .tables
            .get(&Probe::Terms)
            .into_iter()
            .flat_map(Table::rows);
        rows.filter_map(|row| match row.first()? {
            Cell::Iri(term) => Some(term.to_string()),
            _ => None,
        })
        .collect()
    }

    /// The report on what was answered so far; a criterion whose queries were not answered is not told.
    pub fn finish(self) -> CriteriaReport {
        let root = self.question.root().to_owned();
        let [first, second] = self.question.graphs().map(|graph| graph.map(str::to_owned));
        let routes = self.search.clone().map(RouteSearch::finish);
        CriteriaReport {
            label: self.taxonomy.label(&root).map(str::to_owned),
            closure: self.taxonomy.closure(&root).len(),
            criteria: vec![
                self.root_in_first(),
                self.root_not_in_second(),
                self.named_otherwise(),
                self.enough_qualify(),
                self.join_density(),
                self.total_order(),
                self.one_path(routes.as_ref()),
            ],
            keywords: self.keywords,
            root,
            first,
            second,
            routes,
        }
    }

    fn queries(&self, probes: &[Probe]) -> impl Iterator<Item = &String> {
        let listed = probes.iter().filter_map(|probe| self.asked.get(probe));
        listed.flatten().collect::<Vec<_>>().into_iter()
    }

    fn root_in_first(&self) -> Criterion {
        let found = self.tables.get(&Probe::RootInFirst).and_then(number);
        let sentence = match found {
            Some(count) => format!("the root itself has {count} in the first graph"),
            None => "not asked".to_owned(),
        };
        Criterion::new(
            CriterionId::RootInFirst,
            found.map(|count| count > 0),
            found.map(|count| count as f64),
            sentence,
        )
        .by(self.queries(&[Probe::RootInFirst]))
    }

    fn root_not_in_second(&self) -> Criterion {
        let is_direct = self.question.joins_on_classes();
        let table = self.tables.get(&Probe::RootInSecond);
        let found = table.and_then(|table| {
            if is_direct {
                number(table)
            } else {
                Some(table.len())
            }
        });
        let sentence = match found {
            Some(count) if is_direct => format!("the root itself has {count} in the second graph"),
            Some(count) => format!(
                "the root itself leads to {} through both graphs",
                counted(count, "row")
            ),
            None => "not asked".to_owned(),
        };
        Criterion::new(
            CriterionId::RootNotInSecond,
            found.map(|count| count == 0),
            found.map(|count| count as f64),
            sentence,
        )
        .by(self.queries(&[Probe::RootInSecond]))
    }

    fn named_otherwise(&self) -> Criterion {
        let id = CriterionId::NamedOtherwise;
        let probes = [
            Probe::Hierarchy,
            Probe::Key,
            Probe::KeyUncut,
            Probe::Keyword,
        ];
        if self.keywords.is_empty() {
            let sentence =
                "no keyword was given, and the root's label has no telling word".to_owned();
            return Criterion::new(id, None, None, sentence);
        }
        let (named, labels) = named_in(&self.taxonomy, self.question.root(), &self.keywords);
        let share = share(named, labels);
        let tables = [Probe::Key, Probe::Keyword].map(|probe| self.tables.get(&probe));
        let [Some(key), Some(control)] = tables else {
            return Criterion::new(
                id,
                None,
                Some(share),
                "the keyword control was not run".to_owned(),
            );
        };
        let case = Case {
            key,
            key_all: self.tables.get(&Probe::KeyUncut),
            control,
            identity: None,
            order: &self.question.order,
            walks_hierarchy: false,
        };
        let found = analyse(&case).ok().map(|analysis| analysis.comparison);
        let holds = found
            .as_ref()
            .map(|c| c.missed + c.invented + c.changed > 0);
        let words = self.keywords.join(" or ");
        let kept = found.map_or_else(String::new, |c| {
            format!(
                ", and a control that tests for it keeps {} of {} and invents {}",
                c.kept,
                counted(c.key_rows, "row"),
                c.invented
            )
        });
        let sentence = format!(
            "{:.1}% of {} contain {words}{kept}",
            share * 100.0,
            counted(labels, "label")
        );
        Criterion::new(id, holds, Some(share), sentence).by(self.queries(&probes))
    }

    fn enough_qualify(&self) -> Criterion {
        let found = self.tables.get(&Probe::KeyUncut).map(Table::len);
        let wanted = self.question.wanted;
        let sentence = found.map_or_else(
            || "not asked".to_owned(),
            |count| format!("{count} qualify where {wanted} are wanted"),
        );
        Criterion::new(
            CriterionId::EnoughQualify,
            found.map(|count| count >= wanted),
            found.map(|count| count as f64),
            sentence,
        )
        .by(self.queries(&[Probe::KeyUncut]))
    }

    fn join_density(&self) -> Criterion {
        join_density(self.tables.get(&Probe::Density)).by(self.queries(&[Probe::Density]))
    }

    fn total_order(&self) -> Criterion {
        let id = CriterionId::TotalOrder;
        let order = &self.question.order;
        let Some(table) = self.tables.get(&Probe::KeyUncut) else {
            return Criterion::new(id, None, None, "not asked".to_owned());
        };
        let ranks = score::ranks_by(table, order);
        let tied: usize = ranks
            .chunk_by(|a, b| a == b)
            .filter(|run| run.len() > 1)
            .map(<[u32]>::len)
            .sum();
        let sentence = if order.is_empty() {
            "the key has no ORDER BY".to_owned()
        } else {
            format!(
                "the order leaves {} of {} tied",
                tied,
                counted(table.len(), "row")
            )
        };
        Criterion::new(
            id,
            Some(tied == 0 && !order.is_empty()),
            Some(tied as f64),
            sentence,
        )
        .by(self.queries(&[Probe::KeyUncut]))
    }

    fn one_path(&self, routes: Option<&Routes>) -> Criterion {
        let probes = [Probe::PartnerTypes, Probe::Terms, Probe::Route];
        match routes {
            Some(routes) => one_path(routes),
            None => Criterion::new(
                CriterionId::OnePath,
                None,
                None,
                "the second graph's data have no type, so that routes cannot tell where they end"
                    .to_owned(),
            ),
        }
        .by(self.queries(&probes))
    }
}

/// How many labels of a closure contain a keyword, and how many there are.
pub(crate) fn named_in(taxonomy: &Taxonomy, root: &str, keywords: &[String]) -> (usize, usize) {
    let closure = taxonomy.closure(root);
    let labels: Vec<_> = closure
        .iter()
        .filter_map(|class| taxonomy.label(class))
        .collect();
    let named = labels
        .iter()
        .filter(|label| Match::find(label, keywords).is_some())
        .count();
    (named, labels.len())
}

/// The fifth criterion, by the table of [`density_query`].
pub(crate) fn join_density(table: Option<&Table>) -> Criterion {
    let id = CriterionId::JoinDensity;
    let row = table.and_then(|table| match table.row(0) {
        [all, carrying] => Some((count_in(all)?, count_in(carrying)?)),
        _ => None,
    });
    let Some((all, carrying)) = row else {
        return Criterion::new(id, None, None, "not asked".to_owned());
    };
    let density = share(carrying, all);
    let sentence = format!(
        "{carrying} of {} in join position carry the identifier, {:.1}%",
        counted(all, "thing"),
        density * 100.0
    );
    let holds = (all > 0).then_some(density >= LEAST_DENSITY);
    Criterion::new(id, holds, Some(density), sentence)
}

fn number(table: &Table) -> Option<usize> {
    count_in(table.row(0).first()?)
}

pub(crate) fn count_in(cell: &Cell) -> Option<usize> {
    match cell {
        Cell::Number(number) => number.lexical().parse().ok(),
        _ => None,
    }
}
