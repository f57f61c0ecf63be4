//! `compare` and `import` as their users meet them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends there")]

mod against;
mod fixture;
mod headline;
mod import;
mod refused;
