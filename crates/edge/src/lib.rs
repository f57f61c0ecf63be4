//! The benchmark's functions for JavaScript: what the npm package `okn-benchmark` runs.
//!
//! Each function takes plain data and returns plain data: a [`Source`] (a file's text or bytes) or a [`TableInput`]
//! (SPARQL results, CSV or TSV) and options whose fields are spelled as the published JSON spells them. What cannot be
//! used is a [`Fault`] with file, line, column and remedy. Natively the functions are called as they are; in Wasm
//! `exports` hands JavaScript's values to them.
//!
//! ```
//! use edge::{ScoreOptions, TableInput, score};
//!
//! let key = TableInput::named("key.csv", "gene,n\nINS,144\nGCG,61\n");
//! let result = score(&key, &"gene,n\nINS,144.0\n".into(), &ScoreOptions::default())?;
//! assert_eq!((result.exact, result.matched_rows, result.key_rows), (false, 1, 2));
//!
//! let unreadable = TableInput::named("key.srj", "{\"head\": ");
//! let fault = score(&unreadable, &"gene\n".into(), &ScoreOptions::default()).unwrap_err();
//! assert_eq!((fault.file.as_deref(), fault.line), (Some("key.srj"), Some(1)));
//! # Ok::<_, edge::Fault>(())
//! ```

#![doc(test(attr(deny(warnings))))]

mod fault;
mod source;

mod order;
mod packed;
mod table_input;

mod analyse_control;
mod derive_controls;
mod lint;
mod parse_record;
mod score;

#[cfg(target_arch = "wasm32")]
pub mod exports;

pub use analyse_control::{AnalysisOptions, ClassesInput, GroundsInput, analyse_control};
pub use derive_controls::{
    ClassPlan, ControlPlan, DeriveOptions, DerivedControl, DerivedControls, NameInput,
    derive_controls,
};
pub use fault::{Fault, FaultKind};
pub use lint::{LabelsInput, LintOptions, TwinInput, lint};
pub use order::{By, Column};
pub use parse_record::{ParseOptions, ParsedRecord, parse_record};
pub use score::{DiffRows, ScoreOptions, score};
pub use source::Source;
pub use table_input::{TableFormat, TableInput};
