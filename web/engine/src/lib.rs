//! The query engine of the explorer: the embedded federation, driven by messages in a web worker.
//!
//! The message types are in [`message`]. The page uses them alone, with `default-features = false`; the feature `engine`
//! adds the evaluator, and `src/main.rs` is the worker's entry point.

pub mod message;
