//! What an analysis has to ask an endpoint beside the rows of key and control.

use record::{columns_of, order_of, without_limit};
use spargebra::Query;

use crate::closure::closure_of;
use crate::derive::derived::with_plain_aggregates;
use crate::taxonomy::closure_query;
use crate::why::source::{ClassSource, class_source};

/// The queries that explain a control, and what follows from the two queries alone.
///
/// The caller runs the queries, on whatever endpoint, and hands their tables to [`analyse`](crate::analyse) and
/// [`Grounds`](crate::Grounds).
///
/// ```
/// use control::{AnalysisPlan, ClassSource};
/// # let parse = |text: &str| spargebra::SparqlParser::new().parse_query(text).unwrap();
/// let prefix = "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>";
/// let key = parse(&format!("{prefix} SELECT ?c {{ ?c rdfs:subClassOf* <http://e/heart> }} ORDER BY ?c LIMIT 15"));
/// let control = parse(&format!("{prefix} SELECT ?c {{ ?c rdfs:label ?n FILTER(CONTAINS(?n, \"cardio\")) }} LIMIT 15"));
///
/// let plan = AnalysisPlan::new(&key, &control, "c");
/// assert_eq!(plan.roots, ["http://e/heart"]);
/// assert!(plan.uncut.is_some_and(|query| !query.contains("LIMIT")));
/// assert_eq!((plan.key_classes, plan.control_classes), (ClassSource::Rows, ClassSource::Rows));
/// assert_eq!((plan.order, plan.walks_hierarchy), (vec![(0, false)], false));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AnalysisPlan {
    /// The key without its LIMIT; `None` where it has none.
    pub uncut: Option<String>,
    /// For each root, the query for the hierarchy below it, for [`Taxonomy::from_table`](crate::Taxonomy::from_table).
    pub hierarchy: Vec<String>,
    /// The terms at the top of the key's closure.
    pub roots: Vec<String>,
    /// Where the classes behind the key's rows are.
    pub key_classes: ClassSource,
    /// Where the classes behind the control's rows are.
    pub control_classes: ClassSource,
    /// The key's ORDER BY by its columns, up to the first condition that is no column.
    pub order: Vec<(usize, bool)>,
    /// Whether the control walks the hierarchy too.
    pub walks_hierarchy: bool,
}

impl AnalysisPlan {
    /// Plans the analysis of a control; `identity` is the column that tells the key's rows apart.
    pub fn new(key: &Query, control: &Query, identity: &str) -> Self {
        let closures = closure_of(key);
        let mut hierarchy = Vec::new();
        let mut roots = Vec::new();
        for closure in &closures {
            let query = closure_query(closure.graph.as_deref(), &closure.root);
            if !hierarchy.contains(&query) {
                hierarchy.push(query);
                roots.push(closure.root.clone());
            }
        }
        let columns = columns_of(key);
        let order = order_of(key)
            .into_iter()
            .map_while(|by| {
                let column = by.column?;
                let place = columns.iter().position(|known| *known == column)?;
                Some((place, by.descending))
            })
            .collect();
        let uncut = without_limit(key);
        Self {
            uncut: (uncut != *key).then(|| with_plain_aggregates(&uncut).to_string()),
            hierarchy,
            roots,
            key_classes: class_source(key, identity),
            control_classes: class_source(control, identity),
            order,
            walks_hierarchy: !closure_of(control).is_empty(),
        }
    }
}
