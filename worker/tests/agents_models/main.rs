//! The agents with a model, against services that follow a script: the whole program, through the recording proxy, over
//! the embedded federation.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on ends there"
)]

mod bench;
mod endings;
mod failures;
mod secrets;
mod service;
mod sweeps;
mod synthesis;
mod turns;
