//! What agents over a model's HTTP interface share: the conversation with its limits, and the service behind it.
//!
//! ```text
//! converse ── Dialect (anthropic | openai) ── body, replies to calls
//!    │
//!    ├── Service: tries and waits (patience), reads streams into an Assembly, hides the Key
//!    ├── Spending: tokens, money by the operator's Prices
//!    └── Tools: the recording proxy
//! ```

mod args;
mod converse;
mod key;
#[cfg(test)]
pub(crate) mod mutate;
pub(crate) mod patience;
mod price;
mod service;
mod turn;

pub use args::ModelArgs;
pub(crate) use args::{ModelSettings, Thinking};
pub(crate) use converse::{Answered, Dialect, Offered, converse};
pub(crate) use key::Key;
pub(crate) use price::Tokens;
pub(crate) use service::{Service, below};
pub(crate) use turn::{Asked, Assembly, ServiceError, Stop, Turn};
