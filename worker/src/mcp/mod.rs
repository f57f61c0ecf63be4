//! The Model Context Protocol: tools for agents.

pub mod serve;
