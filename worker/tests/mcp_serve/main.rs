//! `mcp serve` as agents and proxies meet it: the tools over the embedded federation, and every way to fail on purpose.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends there")]

mod bench;
mod faults;
mod http_faults;
mod peer;
mod program;
mod queries;
mod remote;
mod tools;
