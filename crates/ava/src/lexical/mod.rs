//! Lexical similarity: the token-set ratio, as `RapidFuzz` computes it.
//!
//! Rust's `rapidfuzz` (0.5.0) has the plain ratio only and looks every symbol up in a hash table, so this is an
//! implementation of its own; it gives the same doubles as the Python package, to the last bit.

mod kept;
mod lcs;
mod process;
mod scorer;
mod words;

pub use process::Processor;
pub use scorer::{Scorer, token_set_ratio};
pub use words::TokenSet;
pub(crate) use words::word_count;
