//! Whether a category makes a question worth asking.

pub(crate) mod inquiry;
pub(crate) mod presence;
mod queries;
pub(crate) mod question;
pub(crate) mod report;
pub(crate) mod routes;
pub(crate) mod search;
