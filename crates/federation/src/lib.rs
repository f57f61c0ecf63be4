//! An embedded SPARQL engine over named graphs, and the SPARQL protocol without I/O.

mod algebra;
mod catalogue;
mod exists;
mod federation;
mod found;
mod graph;
mod load;
mod needs;
mod order;
mod paths;
pub mod protocol;
mod query;
mod results;
mod scope;
mod store;
mod syntax;
mod terms;
mod view;

pub use crate::catalogue::{CATALOGUE_VERSION, Catalogue, CatalogueError, FileEntry, sha256_hex};
pub use crate::federation::{Federation, GraphInfo};
pub use found::Found;
pub use load::{LoadError, LoadErrorKind, LoadReport, MAX_TEXT, is_rdf};
pub use query::{Cancel, Limits, MAX_DEPTH, MAX_NESTING, QueryError};
pub use syntax::parse_query;
