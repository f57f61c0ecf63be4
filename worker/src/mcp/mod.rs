//! The Model Context Protocol: tools for agents.

pub mod proxy;
pub mod serve;
