//! The recording proxy between an agent and servers that go well, or wrong in every way that was met.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on ends there"
)]

mod agent;
mod conformance;
mod connection;
mod evidence;
mod faults;
mod forwarding;
mod limits;
mod loss;
mod process;
mod program;
mod python;
mod recording;
mod server;
mod startup;
mod submission;
mod withholding;
