//! An embedded SPARQL engine over named graphs, and the SPARQL protocol without I/O.
//!
//! [`Federation`] holds the graphs of a snapshot in memory and answers queries natively and in a page, by the same code;
//! [`Catalogue`] says which of the snapshot's files a query needs. [`protocol`] builds the requests to any other endpoint,
//! and tells a whole table from everything else that comes back.
//!
//! The evaluator is Oxigraph's `spareval`, over a store of our own: a reader waits for graphs to load, and this store loads
//! them four times as fast as `oxrdf::Dataset` and answers a key of the corpus's shape in a fifth of the time
//! (`cargo bench -p federation`: 191,497 quads in 334 ms, of which the parser takes 242 ms, on two busy cores; in
//! Chromium, the 121,338 quads of the cardiovascular key load in 0.5 s and the key takes 60 ms). From the text to the rows,
//! a query passes through
//!
//! 1. `syntax`, which refuses what would overflow the stack and says where a mistake is;
//! 2. `view`, the RDF dataset that `FROM` and `FROM NAMED` choose;
//! 3. `exists`, `paths`, `order` and `lookup`, which rewrite what the evaluator would do slowly or by chance;
//! 4. the evaluator, over `graph` (sorted triples) and `terms` (the dictionary), and
//! 5. `results`, the table.

mod algebra;
mod catalogue;
mod exists;
mod federation;
mod found;
mod graph;
mod load;
mod lookup;
mod needs;
mod order;
mod paths;
pub mod protocol;
mod query;
mod results;
mod scope;
mod stop;
mod store;
mod syntax;
mod terms;
mod view;

pub use crate::catalogue::{CATALOGUE_VERSION, Catalogue, CatalogueError, FileEntry, sha256_hex};
pub use crate::federation::{Federation, GraphInfo};
pub use found::Found;
pub use load::{LoadError, LoadErrorKind, LoadReport, MAX_TEXT, is_rdf};
pub use query::{Cancel, Limits, MAX_DEPTH, MAX_LINKS, MAX_NESTING, QueryError};
pub use syntax::parse_query;
