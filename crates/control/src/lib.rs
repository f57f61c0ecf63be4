//! Controls against keys, and the evidence of an ontology closure in a query.
//!
//! A benchmark question is only worth asking if the ontology decides it. A *control* is the question's key with its
//! hierarchy replaced by something weaker: the term alone, a test on the name. [`compare`] says what that costs, row by
//! row; [`closure_of`] finds the hierarchy in a key; [`evidence`] says by which means a query of an agent's chose its
//! terms.
//!
//! ```
//! use control::{Fate, Verdict, compare};
//! use table::{Cell, Table};
//!
//! let table = |rows: &[(&str, &str)]| {
//!     let cell = |value: &str| Cell::literal(value, Some("http://www.w3.org/2001/XMLSchema#integer"));
//!     let rows = rows.iter().map(|(iri, n)| vec![Cell::Iri((*iri).into()), cell(n)]).collect();
//!     Table::new(vec!["condition".to_owned(), "datasets".to_owned()], rows)
//! };
//! let key = table(&[("http://e/lupus", "594"), ("http://e/scleroderma", "61")]);
//! let by_name = table(&[("http://e/scleroderma", "61"), ("http://e/autoimmune-hepatitis", "20")]);
//!
//! let comparison = compare(&key, None, &by_name);
//! assert_eq!((comparison.kept, comparison.missed, comparison.invented), (1, 1, 1));
//! assert_eq!(comparison.fates[0].fate, Fate::Missed);
//! assert_eq!(comparison.headline_ratio, Some(61.0 / 594.0));
//! assert_eq!(comparison.verdict, Verdict::LooksRightAndIsWrong);
//! ```
//!
//! # What more there is
//!
//! - [`analyse`] adds the key without its LIMIT, the agreement of the two rankings and, with [`Grounds`], the reason why
//!   each row is missed or invented. [`AnalysisPlan`] lists the queries that this takes.
//! - [`derive_literal`] and [`derive_keyword`] make both controls from a key alone, by rewriting its algebra.
//! - [`Inquiry`] probes the seven criteria that make a category a question worth asking, for a [`Question`] from a key or
//!   a [`Candidate`]; [`CategorySearch`] ranks the categories of a whole ontology.
//!
//! Nothing here asks an endpoint: queries go out as text and come back as tables, so that the same code works in a page,
//! in a program and in a test.

#![doc(test(attr(deny(warnings))))]

mod constants;
mod hierarchy;

mod closure;
mod evidence;

mod identity;
mod matches;
mod side;
mod verdict;

mod compare;

mod rank;
mod taxonomy;

mod derive;
mod why;

mod analysis;
mod analysis_plan;

mod criteria;

pub use analysis::{Analysis, Case, Findings, Lacking, NoSuchColumn, Uncut, analyse, column_named};
pub use analysis_plan::AnalysisPlan;
pub use closure::{Closure, closure_of};
pub use compare::{Comparison, Fate, RowFate, compare, compare_by};
pub use criteria::inquiry::Inquiry;
pub use criteria::presence::Presence;
pub use criteria::question::{Candidate, Question, QuestionError};
pub use criteria::report::{CriteriaReport, Criterion, CriterionId, LEAST_DENSITY};
pub use criteria::routes::{
    Hop, LONGEST_ROUTE, Route, RouteCount, RouteSearch, Routes, TermRoutes,
};
pub use criteria::search::{Category, CategorySearch, SearchArea, SearchReport};
pub use derive::derived::{DeriveError, Derived, NameChoice, derive_keyword, derive_literal};
pub use derive::name::{NameRule, NameSource};
pub use derive::words::{keywords_of, names_in, names_query};
pub use evidence::{Evidence, Means, evidence, means};
pub use identity::identity_column;
pub use rank::tau_b;
pub use taxonomy::{Labelled, Taxonomy, closure_query, ontology_query};
pub use verdict::Verdict;
pub use why::matched::Match;
pub use why::reason::{Classes, Grounds, Named, Reason, RowWhy};
pub use why::source::{ClassSource, class_source};
