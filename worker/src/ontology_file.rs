//! Reading an ontology from a file.

use std::path::Path;

use ontology::{Ontology, ReadError};

use crate::{Failure, store};

/// Reads an ontology; a file that is none is a failure with its place and a remedy.
pub fn read(path: &Path) -> Result<Ontology, Failure> {
    let bytes = store::read(path)?;
    Ontology::read(&path.to_string_lossy(), &bytes).map_err(|error| unreadable(path, &error))
}

/// Reads an ontology of whose classes something is made: `owl:Thing` alone is none.
pub fn read_with_classes(path: &Path) -> Result<Ontology, Failure> {
    let ontology = read(path)?;
    if ontology.usable_classes().next().is_none() {
        return Err(lacking(
            path,
            "an ontology without a class: it declares none but owl:Thing",
            "give an ontology that declares an owl:Class or rdfs:Class, or a [Term] in OBO",
        ));
    }
    Ok(ontology)
}

/// An ontology that lacks what a command needs; that has no line, so it is the first.
pub fn lacking(path: &Path, message: &str, remedy: &str) -> Failure {
    Failure::Input {
        file: path.to_owned(),
        line: 1,
        column: 1,
        message: message.to_owned(),
        remedy: Some(remedy.to_owned()),
    }
}

/// The name of the ontology in a file: that of the file, without its endings.
pub fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if stem.is_empty() {
        name.to_owned()
    } else {
        stem.to_owned()
    }
}

fn unreadable(path: &Path, error: &ReadError) -> Failure {
    let (line, column) = error.position();
    let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    Failure::Input {
        file: path.to_owned(),
        line: small(line),
        column: small(column),
        message: error.kind.to_string(),
        remedy: Some(error.remedy().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (path, name) in [
            ("a/hp.obo", "hp"),
            ("schemaorg-28.1.owl", "schemaorg-28.1"),
            ("go.owl.gz", "go"),
            ("plain", "plain"),
            (".owl", ".owl"),
        ] {
            assert_eq!(name_of(Path::new(path)), name);
        }
    }
}
