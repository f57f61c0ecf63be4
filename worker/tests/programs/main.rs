//! Agents that are programs of their own, and what they are told.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on ends there"
)]

mod api;
mod bench;
mod command;
mod file;
mod live;
mod prompt;
