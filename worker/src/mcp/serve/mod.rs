//! An MCP server over the federation, in the tools and reply shapes of the federation's public one.
