//! What is wrong between a record's prose and its key.
//!
//! A benchmark record is fair where a correct answer to its prose equals its key. Most records that are not fail in a few
//! ways: a LIMIT that the prose does not give, an order that leaves ties to the engine, a constant that nobody mentions, an
//! example that is the filter. [`lint`] looks for these, and says where.
//!
//! ```
//! use lint::{Labels, Target, lint};
//! use record::Record;
//!
//! let text = "\
//! #+ summary: Which genes are linked to a disease (e.g. asthma)?
//! #+ tags: [spoke]
//! SELECT ?gene { ?gene <http://e/linkedTo> <http://e/asthma> } LIMIT 10
//! ";
//! let labels = Labels::from_tsv("http://e/asthma\tasthma")?;
//! let record = Record::parse("genes.rq", text.as_bytes());
//! let report = lint(&Target::new(&record, text), &labels);
//!
//! let found: Vec<_> = report.findings.iter().map(|f| (f.line, f.column, &*f.rule)).collect();
//! assert_eq!(
//!     found,
//!     [
//!         (1, 55, "eg-is-filter"),
//!         (3, 62, "limit-unstated"),
//!         (3, 62, "order-missing"),
//!     ]
//! );
//! # Ok::<_, lint::LabelsError>(())
//! ```
//!
//! A finding is decided on the key's algebra and on the words of the prose; the key's text only says where. What needs
//! more than the file (labels of IRIs, figures from an endpoint) is an argument: [`Labels`], [`Facts`]. A rule that lacks
//! its is silent, and [`Report::silent`] says so. [`rules`](rules()) are data, with their examples.

#![doc(test(attr(deny(warnings))))]

mod finding;

mod facts;
mod labels;
mod target;

mod header;
mod prose;
mod shape;
mod token;
mod yaml;

mod subject;

mod rules;

mod allow;
mod lint;

mod render;
mod sarif;

pub use allow::ALLOW_RULES;
pub use facts::{Fact, Facts, GraphRows, Probe, Unanswered, probes};
pub use finding::{Allowed, At, Finding, Report, Severity, Silent};
pub use labels::{Labels, LabelsError, Names, labels_query, labels_wanted};
pub use lint::lint;
pub use render::render;
pub use rules::{EXAMPLE_LABELS, Example, FAMILIES, Family, Rule, rule, rules};
pub use sarif::{Sarif, sarif};
pub use target::Target;
