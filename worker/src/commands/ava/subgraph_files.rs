//! The files of `ava extract`, for the commands that write or read them.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::triplet_files;
use crate::{Failure, store};

/// Name of the list of subgraphs, beside them.
pub(super) const MANIFEST: &str = "manifest.json";

pub(super) const REMEDY: &str = "extract the ontology again";

/// What to do where there is no subgraph.
pub(super) const NONE: &str = "extract an ontology whose classes are joined with others: a subgraph has 3 to 20 nodes, and `ava extract` says how many had more or fewer";

/// Whether a text can be the name of a file or folder in a folder, and leads to no other one.
pub(super) fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
}

/// Reads a file of an extraction as `what` it should be.
pub(super) fn read<T: DeserializeOwned>(file: &Path, what: &str) -> Result<T, Failure> {
    parse(file, &store::read(file)?, what)
}

/// The same of bytes that were read from the file.
pub(super) fn parse<T: DeserializeOwned>(
    file: &Path,
    bytes: &[u8],
    what: &str,
) -> Result<T, Failure> {
    triplet_files::parse(file, bytes, what, REMEDY)
}

/// A name of a file that a manifest lists, which lies beside it and nowhere else.
pub(super) fn file_name<'n>(name: &'n str, folder: &Path) -> Result<&'n str, Failure> {
    if is_plain_name(name) {
        return Ok(name);
    }
    Err(Failure::usage(
        format!(
            "{} lists `{name}`, which is no name of a file beside it",
            folder.join(MANIFEST).display()
        ),
        REMEDY,
    ))
}
