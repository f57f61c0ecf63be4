//! Checks that cross packages.
