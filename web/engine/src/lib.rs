//! The query engine of the explorer: the embedded federation, driven by messages in a web worker.
//!
//! The message types are in [`message`]. The page uses them alone, with `default-features = false`; the feature `engine`
//! adds the evaluator, and `src/main.rs` is the worker's entry point.

#[cfg(feature = "engine")]
mod engine;
pub mod message;
#[cfg(all(feature = "engine", target_arch = "wasm32"))]
pub mod worker;

#[cfg(feature = "engine")]
pub use engine::Engine;
