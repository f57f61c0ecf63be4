//! The program `okn-benchmark`.
fn main() {}
