//! An MCP server over the federation, in the tools, argument names and reply shapes of the federation's public server.
//!
//! [`Server`] answers calls over any endpoint; [`stdio`] and [`http`] put it behind a transport. It doubles as a bench for
//! whatever stands in front of such a server: with a [`Fault`] it fails in one known way.

mod analysis;
mod arguments;
mod expansion;
mod fault;
mod graphs;
mod hierarchy;
mod join;
mod known;
mod query;
mod reply;
mod server;
mod tools;
mod transport;

pub use fault::{Bench, Fault};
pub use server::Server;
pub use transport::{http, stdio};
