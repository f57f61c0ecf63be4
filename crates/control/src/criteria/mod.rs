//! Whether a category makes a question worth asking.

pub(crate) mod inquiry;
mod queries;
pub(crate) mod question;
pub(crate) mod report;
pub(crate) mod routes;
pub(crate) mod search;
