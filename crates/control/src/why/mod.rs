//! Why a control's rows are wrong.

pub(crate) mod matched;
pub(crate) mod reason;
pub(crate) mod source;
