//! A SPARQL 1.1 endpoint over RDF files: what `federation serve` runs.
//!
//! A request becomes a [`Question`] or a [`Refusal`] (`ask`), the form of its reply is chosen from what the client accepts
//! (`accept`), the engine of crate `federation` finds the rows, and `answer` writes them with every term as the data have it.
//! `describe` is what the endpoint says about itself, and [`Data`] what it serves.

mod accept;
mod answer;
mod app;
mod ask;
mod data;
mod describe;

pub use app::{Limits, app};
pub use ask::{MAX_BODY, Question, Refusal};
pub use data::Data;
