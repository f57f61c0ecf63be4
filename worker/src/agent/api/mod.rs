//! What agents over a model's HTTP interface share: the conversation with its limits, and the service behind it.
//!
//! ```text
//! ModelAgent, converse ── Interface (anthropic | openai) ── address, key, body, replies to calls
//!    │
//!    ├── Service: tries and waits (patience), reads streams into an Assembly, hides the Key
//!    ├── Spending: tokens, money by the operator's Prices
//!    └── Tools: the recording proxy
//! ```

mod access;
mod agent;
mod args;
mod converse;
mod key;
#[cfg(test)]
pub(crate) mod mutate;
pub(crate) mod patience;
mod price;
mod service;
mod turn;

pub use access::KeyNeed;
pub(crate) use access::{Facts, credentials};
pub(crate) use agent::Interface;
pub use agent::ModelAgent;
pub use args::ModelArgs;
pub(crate) use args::{ModelSettings, Thinking};
pub(crate) use converse::{Answered, Offered};
pub(crate) use key::Key;
pub(crate) use price::{OF_MESSAGE, Tokens};
pub(crate) use service::{Clock, NoReply, NoTurn, Service, below};
pub(crate) use turn::{Asked, Assembly, ServiceError, Stop, Turn};
