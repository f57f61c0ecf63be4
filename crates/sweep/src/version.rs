//! The version that every published file carries.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The version `N` of a file format: written as the number `N`, and read back from that number alone.
///
/// Only the program writes these files; the program and the explorer read them. A reader that meets another number
/// stops there, because a field whose meaning has changed would otherwise become a wrong figure. Adding a field that
/// readers may ignore keeps the number; renaming one, or changing what it means, raises it.
///
/// ```
/// use sweep::Version;
///
/// let text = serde_json::to_string(&Version::<1>).unwrap();
/// assert_eq!(text, "1");
/// assert!(serde_json::from_str::<Version<1>>("2").is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u32", try_from = "u32")]
pub struct Version<const N: u32>;

/// A file written in another version of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the file is in format {found}, this build reads format {known}: use the build that wrote it, or write it again"
)]
pub struct UnknownVersion {
    /// The version that the file states.
    pub found: u32,
    /// The version that this build reads and writes.
    pub known: u32,
}

impl<const N: u32> From<Version<N>> for u32 {
    fn from(_: Version<N>) -> Self {
        N
    }
}

impl<const N: u32> TryFrom<u32> for Version<N> {
    type Error = UnknownVersion;

    fn try_from(found: u32) -> Result<Self, Self::Error> {
        if found == N {
            Ok(Self)
        } else {
            Err(UnknownVersion { found, known: N })
        }
    }
}
