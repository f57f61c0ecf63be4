//! A benchmark record: a decorated SPARQL answer key, the corpus of them, and what is wrong with it.
//!
//! A `.rq` file opens with a block of `#+ key: value` decorators and goes on with one SPARQL query, the answer key.
//! Reading one never fails: whatever is wrong becomes a [`Problem`] with a line, a column and a remedy, and everything
//! that could be read is there.
//!
//! ```
//! use record::{Arm, Record, Severity};
//!
//! let file = "benchmarks-ontology/nde-expand_autoimmune.rq";
//! let text = "\
//! #+ summary: Which autoimmune conditions have datasets?
//! #+ tags: nde, oard-kg
//! #+ colour: blue
//! SELECT ?condition WHERE { ?dataset <http://schema.org/healthCondition> ?condition } LIMIT 15
//! ";
//! let record = Record::parse(file, text.as_bytes());
//!
//! assert_eq!(record.id(), "nde-expand_autoimmune");
//! assert_eq!(record.name.arm, Some(Arm::Expand));
//! assert_eq!(record.tags(), ["nde", "oard-kg"]);
//! assert_eq!(record.columns(), ["condition"]);
//! assert_eq!(record.limit(), Some(15));
//!
//! // The key nobody knows is a lint, and costs nothing else.
//! let problem = &record.problems[0];
//! assert_eq!(
//!     (problem.line, problem.column, problem.severity, &*problem.rule),
//!     (3, 4, Severity::Lint, "unknown-key"),
//! );
//! ```
//!
//! [`Corpus`] pairs records with their twins and with the [`Control`]s of their tier. The free functions at the crate's
//! root ([`columns_of`], [`order_of`], [`walk`] …) answer questions about any parsed query; none looks at its text.

#![doc(test(attr(deny(warnings))))]

mod problem;

mod lines;
mod name;

mod decorators;
mod header;
mod scalar;
mod schema;
mod structure;
mod value;

mod algebra;
mod mentions;
mod walk;

mod lexer;
mod query;

mod parser;
mod record;

mod control;
mod corpus;

pub use algebra::{OrderKey, columns_of, limit_of, order_of, without_limit};
pub use control::Control;
pub use corpus::{Corpus, UnknownTier};
pub use header::{Header, HeaderEntry, HeaderValue};
pub use mentions::{graphs_of, iris_of};
pub use name::{Arm, RecordName};
pub use parser::RecordParser;
pub use problem::{Problem, Severity};
pub use record::Record;
pub use walk::{Node, Place, walk};
