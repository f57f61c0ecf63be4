//! The results explorer.
