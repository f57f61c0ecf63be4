//! The SPARQL 1.1 protocol without I/O: what to send, and what a reply means.
//!
//! ```
//! use federation::protocol::{ReplyErrorKind, parse_reply, request};
//!
//! let request = request("https://example.org/sparql", "ASK {}");
//! assert_eq!((request.method, request.body.as_str()), ("POST", "query=ASK+%7B%7D"));
//!
//! let table = parse_reply(200, &[], br#"{"head": {}, "boolean": true}"#)?;
//! assert_eq!(table.as_boolean(), Some(true));
//!
//! // A failure is an error whatever the status says, and never an empty table.
//! let error = parse_reply(200, &[], br#"{"timeout": 300}"#).unwrap_err();
//! assert_eq!(error.kind, ReplyErrorKind::NotResults);
//! # Ok::<_, federation::protocol::ReplyError>(())
//! ```

mod http_date;
mod reply;
mod request;
mod server;

pub use reply::{BODY_START, ReplyError, ReplyErrorKind, parse_reply};
pub use request::{Request, request};
pub use server::ServerNote;
