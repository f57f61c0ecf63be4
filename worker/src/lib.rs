//! The behaviour of the program `okn-benchmark`.
//!
//! The program does what the crates under `crates/` may not: it reads and writes files ([`store`]), keeps time, asks
//! servers ([`endpoint`]) and talks to people ([`output`]). What was typed is in [`cli`], what was decided from it in
//! [`settings`], and each command is a file of [`commands`]. Every failure that a user can meet is a [`Failure`] with
//! an exit status and, where there is one, a hint.

pub mod agent;
pub mod alignment;
pub mod analyst;
pub mod attempts;
pub mod baseline;
pub mod cli;
pub mod commands;
pub mod encoder;
pub mod endpoint;
pub mod error;
pub mod evidence;
pub mod imported;
pub mod judge;
pub mod keys;
pub mod mcp;
pub mod ontology_file;
pub mod output;
mod parallel;
mod place;
pub mod profile;
pub mod runner;
pub mod runs;
pub mod serve;
pub mod settings;
mod sse;
pub mod store;
mod web_client;

pub use error::Failure;
