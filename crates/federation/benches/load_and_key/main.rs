//! What a reader waits for: loading the graphs of a key, and the key itself, against the same on `oxrdf::Dataset`.
fn main() {}
