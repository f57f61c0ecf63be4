//! `federation serve` as its clients meet it: the SPARQL 1.1 protocol over HTTP, and the program that serves it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends there")]

mod bench;
mod dataset;
mod program;
mod protocol;
mod results;
