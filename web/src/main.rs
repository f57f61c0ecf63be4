//! The results explorer.
fn main() {}
