//! The files of `ava extract`, for the commands that write or read them.

use std::path::Path;

use ontology::Manifest;

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

/// The list of the subgraphs in a folder. Each names its file, which lies beside it. An ontology that is not named is called
/// what the folder above is called, and of a subgraph's identifier and its file one follows from the other.
pub(super) fn manifest(folder: &Path) -> Result<Manifest, Failure> {
    let file = folder.join(MANIFEST);
    let bytes = store::read(&file)?;
    let mut manifest: Manifest = triplet_files::parse(&file, &bytes, "list of subgraphs", REMEDY)?;
    if manifest.ontology.is_empty() {
        let above = folder.parent().and_then(Path::file_name);
        manifest.ontology = above.unwrap_or_default().to_string_lossy().into_owned();
    }
    for entry in &mut manifest.subgraphs {
        if entry.file.is_empty() && !entry.subgraph_id.is_empty() {
            entry.file = format!("{}.json", entry.subgraph_id);
        }
        if entry.subgraph_id.is_empty() {
            let file = &entry.file;
            file.strip_suffix(".json")
                .unwrap_or(file)
                .clone_into(&mut entry.subgraph_id);
        }
        file_name(&entry.file, folder)?;
    }
    Ok(manifest)
}

/// A name of a file that a manifest lists, which lies beside it and nowhere else.
fn file_name(name: &str, folder: &Path) -> Result<(), Failure> {
    if is_plain_name(name) {
        return Ok(());
    }
    Err(Failure::usage(
        format!(
            "{} lists `{name}`, which is no name of a file beside it",
            folder.join(MANIFEST).display()
        ),
        REMEDY,
    ))
}
