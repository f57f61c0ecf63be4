//! What makes a category a question worth asking: seven criteria, each with its figure and the query behind it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::criteria::routes::Routes;

/// The least share of the things in join position that must carry the identifier.
///
/// Published is only that about 1% is not enough; the bound is ours.
pub const LEAST_DENSITY: f64 = 0.10;

/// One of the seven criteria, in the published numbering.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CriterionId {
    /// 1: the root carries data in the first graph, so that a question about it alone looks answered.
    RootInFirst,
    /// 2: the root carries none in the second, so that crossing the graphs without expansion collapses.
    RootNotInSecond,
    /// 3: the members are not named after the root, so that a substring does not reproduce the answer.
    NamedOtherwise,
    /// 4: enough members qualify to fill the table.
    EnoughQualify,
    /// 5, our reading: the identifier that the graphs join on is carried by more than a sliver of the second graph.
    JoinDensity,
    /// 6, our reading: the key's order leaves no tie, so that there is one right table.
    TotalOrder,
    /// 7: the second graph ties its data to the terms by one route.
    OnePath,
}

impl CriterionId {
    /// All seven, in order.
    pub const ALL: [Self; 7] = [
        Self::RootInFirst,
        Self::RootNotInSecond,
        Self::NamedOtherwise,
        Self::EnoughQualify,
        Self::JoinDensity,
        Self::TotalOrder,
        Self::OnePath,
    ];

    /// Its number, from 1 to 7.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// Whether the published text spells it out. It says that there are seven and gives five; the other two are our reading
    /// of its cautions.
    pub fn is_published(self) -> bool {
        !matches!(self, Self::JoinDensity | Self::TotalOrder)
    }

    /// The criterion in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::RootInFirst => "the root carries data in the first graph",
            Self::RootNotInSecond => "the root carries none in the second graph",
            Self::NamedOtherwise => "members are not named after the root",
            Self::EnoughQualify => "enough members qualify",
            Self::JoinDensity => "the join identifier is dense",
            Self::TotalOrder => "the order is total",
            Self::OnePath => "the second graph has one path",
        }
    }
}

impl fmt::Display for CriterionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. {}", self.number(), self.words())
    }
}

/// A criterion, as it was found.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Criterion {
    /// Which one.
    pub id: CriterionId,
    /// Its number, from 1 to 7.
    pub number: usize,
    /// Whether the published text spells it out; otherwise it is our reading.
    pub published: bool,
    /// Whether it holds; `None` where it could not be told, and `sentence` says why.
    pub holds: Option<bool>,
    /// The figure that decides it: a count, or a share between 0 and 1.
    pub figure: Option<f64>,
    /// What was found, in words.
    pub sentence: String,
    /// The queries behind the figure.
    pub queries: Vec<String>,
}

impl Criterion {
    pub(crate) fn new(
        id: CriterionId,
        holds: Option<bool>,
        figure: Option<f64>,
        sentence: String,
    ) -> Self {
        Self {
            id,
            number: id.number(),
            published: id.is_published(),
            holds,
            figure: figure.filter(|figure| figure.is_finite()),
            sentence,
            queries: Vec::new(),
        }
    }

    #[must_use]
    pub(crate) fn by<'q>(mut self, queries: impl IntoIterator<Item = &'q String>) -> Self {
        self.queries = queries.into_iter().cloned().collect();
        self
    }
}

/// What probing a question found.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct CriteriaReport {
    /// IRI of the category.
    pub root: String,
    /// Its label in the hierarchy.
    pub label: Option<String>,
    /// The graph whose data are counted.
    pub first: Option<String>,
    /// The graph that crosses it.
    pub second: Option<String>,
    /// Classes at and below the root.
    pub closure: usize,
    /// The words that a name was tested for.
    pub keywords: Vec<String>,
    /// The seven criteria in order.
    pub criteria: Vec<Criterion>,
    /// The routes behind the seventh; `None` where they could not be looked for.
    pub routes: Option<Routes>,
}

impl CriteriaReport {
    /// How many criteria hold.
    pub fn held(&self) -> usize {
        self.criteria
            .iter()
            .filter(|criterion| criterion.holds == Some(true))
            .count()
    }
}

/// Whether things are plural, for sentences.
pub(crate) fn counted(count: usize, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        _ => format!("{count} {thing}s"),
    }
}

/// A part of a whole; zero of nothing.
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// The seventh criterion.
pub(crate) fn one_path(routes: &Routes) -> Criterion {
    let list: Vec<_> = routes
        .routes
        .iter()
        .map(|found| format!("{} ({})", found.route, counted(found.pairs, "pair")))
        .collect();
    let terms = counted(routes.terms.len(), "term");
    let count = routes.routes.len();
    let sentence = match count {
        0 => format!("no route of up to three steps leads from the data to {terms}"),
        1 => format!("one route to {terms}: {}", list[0]),
        _ => format!(
            "{count} routes to {terms}: {}; {} of {} by more than one{}",
            list.join(", "),
            routes.overlap,
            counted(routes.pairs, "pair"),
            if routes.agree {
                ", so that it makes no difference"
            } else {
                ""
            },
        ),
    };
    let holds = (count > 0).then_some(count == 1 || routes.agree);
    Criterion::new(CriterionId::OnePath, holds, Some(count as f64), sentence)
}
