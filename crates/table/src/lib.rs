//! Typed tables: SPARQL results and submitted CSV in, CSV and SPARQL JSON out.
//!
//! A *key* is a [`Table`] of typed [`Cell`]s, read strictly: a reader of keys would rather fail than guess. An *answer* is
//! a [`RawTable`] of text, read as a person would read it, with every [`Repair`] on record. The key's types decide how
//! the two compare; that comparison is the `score` crate's.
//!
//! ```
//! let key = table::read_key(
//!     "key.srj",
//!     br#"{"head": {"vars": ["n"]}, "results": {"bindings": [
//!         {"n": {"type": "literal", "value": "144", "datatype": "http://www.w3.org/2001/XMLSchema#integer"}}
//!     ]}}"#,
//! )?;
//! assert!(matches!(key.row(0), [table::Cell::Number(n)] if n.equals("144.0")));
//!
//! let answer = table::read_answer(b"\xef\xbb\xbfn;name\n144;myocarditis\n")?;
//! assert_eq!(answer.cell(0, 1), "myocarditis");
//! assert_eq!(answer.repairs.len(), 2);
//! # Ok::<(), table::ReadError>(())
//! ```

mod cell;
mod decimal;
mod number;
mod table;
mod text;

mod error;
mod raw;

mod answer;
mod decode;
mod delimited;
mod markdown;
mod no_table;

mod delimited_key;
mod json;
mod key;
mod turtle;
mod xml;

mod hash;
mod write;

pub use answer::read_answer;
pub use cell::Cell;
pub use decimal::Decimal;
pub use delimited_key::{read_key_csv, read_key_tsv};
pub use error::{ReadError, ReadErrorKind};
pub use hash::content_hash;
pub use json::read_sparql_json;
pub use key::{KeyFormat, read_key};
pub use number::{Number, NumberKind, NumberValue, parse_double, parse_float};
pub use raw::{Ragged, RawTable, Repair, RepairKind};
pub use table::Table;
pub use text::{comparable_iri, comparable_text};
pub use write::{to_csv, to_sparql_json};
pub use xml::read_sparql_xml;
