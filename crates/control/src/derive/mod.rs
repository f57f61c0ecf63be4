//! Controls made from a key alone, by rewriting its algebra.

pub(crate) mod derived;
pub(crate) mod name;
pub(crate) mod pattern;
mod replace;
mod rewrite;
pub(crate) mod words;
