//! `deriveControls`: the controls that follow from a key alone, and what to ask an endpoint to judge them.

use control::{
    AnalysisPlan, ClassSource, DeriveError, Derived, NameChoice, NameSource, derive_keyword,
    derive_literal,
};
use record::{Record, Severity};
use serde::{Deserialize, Serialize};
use spargebra::Query;

use crate::fault::{Fault, FaultKind};
use crate::parse_record::read;
use crate::source::Source;

/// Which controls to derive, and how.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct DeriveOptions {
    /// The file's name.
    pub file: Option<String>,
    /// The words of the keyword control; without any there is none.
    pub keywords: Vec<String>,
    /// Where the names are that it tests; by the key where absent.
    pub name: Option<NameInput>,
    /// The column that tells the key's rows apart, for the plan; the hierarchy's variable where absent.
    pub identity: Option<String>,
}

/// Where names are.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct NameInput {
    /// IRI of the named graph; `None` for the default graph.
    #[serde(default)]
    pub graph: Option<String>,
    /// IRI of the predicate.
    pub predicate: String,
}

/// The controls of a key.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DerivedControls {
    /// The name under which the file was given.
    pub file: String,
    /// The variable that ranges over the closure, without `?`.
    pub variable: String,
    /// The terms at the top of the closure.
    pub roots: Vec<String>,
    /// The key without its LIMIT; `None` where it has none.
    pub uncut: Option<String>,
    /// Queries for the hierarchy at and below the roots.
    pub hierarchy: Vec<String>,
    /// The closure replaced by the term.
    pub literal: DerivedControl,
    /// The closure replaced by a test on the name; `None` without keywords.
    pub keyword: Option<DerivedControl>,
}

/// One control.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DerivedControl {
    /// The control as SPARQL.
    pub query: String,
    /// Where the name is that it tests; `None` for the literal one.
    pub name: Option<NameSource>,
    /// What [`analyse_control`](crate::analyse_control) takes to explain its rows.
    pub plan: ControlPlan,
}

/// Where the classes behind the rows are: `"rows"`, `{query}`, or `None` where that is not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ControlPlan {
    /// Of the key's rows.
    pub key_classes: Option<ClassPlan>,
    /// Of the control's rows.
    pub control_classes: Option<ClassPlan>,
}

/// Where the classes behind a table's rows are.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassPlan {
    /// The rows' own identities.
    Rows,
    /// In the table of this query.
    Query(String),
}

/// Derives the literal control of a record or a plain query, and with `keywords` the keyword control.
///
/// Fails where the file holds no query, and where the query has no hierarchy pattern that can be replaced.
pub fn derive_controls(source: &Source, options: &DeriveOptions) -> Result<DerivedControls, Fault> {
    let record = read(source, options.file.as_deref());
    let Some(key) = &record.query else {
        return Err(unreadable(&record));
    };
    let refused = |error| refused(&record, &error);
    let literal = derive_literal(key).map_err(refused)?;
    let keyword = if options.keywords.is_empty() {
        None
    } else {
        let name = match &options.name {
            Some(name) => NameChoice::From {
                graph: name.graph.as_deref(),
                predicate: &name.predicate,
            },
            None => NameChoice::ByKey,
        };
        Some(derive_keyword(key, &options.keywords, name).map_err(refused)?)
    };
    let identity = options.identity.as_deref().unwrap_or(&literal.variable);
    let identity = identity.trim_start_matches(['?', '$']);
    let plan = AnalysisPlan::new(key, &literal.query, identity);
    Ok(DerivedControls {
        variable: literal.variable.clone(),
        roots: literal.roots.clone(),
        uncut: plan.uncut,
        hierarchy: plan.hierarchy,
        keyword: keyword.map(|keyword| DerivedControl::new(key, keyword, identity)),
        literal: DerivedControl::new(key, literal.clone(), identity),
        file: record.file,
    })
}

impl DerivedControl {
    fn new(key: &Query, derived: Derived, identity: &str) -> Self {
        let plan = AnalysisPlan::new(key, &derived.query, identity);
        Self {
            query: derived.text,
            name: derived.name,
            plan: ControlPlan {
                key_classes: ClassPlan::of(plan.key_classes),
                control_classes: ClassPlan::of(plan.control_classes),
            },
        }
    }
}

impl ClassPlan {
    fn of(source: ClassSource) -> Option<Self> {
        match source {
            ClassSource::Rows => Some(Self::Rows),
            ClassSource::Query(query) => Some(Self::Query(query)),
            ClassSource::Unknown => None,
        }
    }
}

/// A plain query lacks what a record's header has, and that is not what stops it.
fn unreadable(record: &Record) -> Fault {
    let errors = || {
        let problems = record.problems.iter();
        problems.filter(|problem| problem.severity == Severity::Error)
    };
    let error = errors()
        .find(|problem| problem.rule.starts_with("query"))
        .or_else(|| errors().next());
    match error {
        Some(problem) => Fault::of_problem(&record.file, problem),
        None => refused(record, &DeriveError::NoHierarchy),
    }
}

fn refused(record: &Record, error: &DeriveError) -> Fault {
    Fault {
        kind: FaultKind::Query,
        message: error.to_string(),
        file: Some(record.file.clone()),
        line: Some(record.query_line),
        column: Some(1),
        remedy: Some(error.remedy().to_owned()),
    }
}
