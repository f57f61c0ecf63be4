//! The query engine of the explorer.
fn main() {}
