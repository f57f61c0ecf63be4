//! The behaviour of the program `okn-benchmark`.
