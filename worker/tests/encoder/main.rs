//! Encoders against the reference library: `fixtures/encoders/make.py` made the small models and what
//! sentence-transformers makes of some texts with them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends there")]

mod agreement;
mod broken;
mod golden;
mod remote;
