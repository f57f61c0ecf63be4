//! Reading an ontology from a file, with what it imports.

mod imports;

use std::path::Path;

use ontology::{Ontology, OntologyReader, Part, ReadError};

pub use self::imports::{ImportArgs, ImportChoice, ImportCopy};
use crate::{Failure, parallel, store};

/// Bytes of a text that are worth a thread.
const PART: usize = 1 << 20;

/// Reads an ontology; a file that is none is a failure with its place and a remedy, and so is a copy of an import for
/// something that is not imported.
pub async fn read(path: &Path, imports: &ImportArgs) -> Result<Ontology, Failure> {
    let ontology = read_one(path, imports).await?;
    imports.check(&[&ontology])?;
    Ok(ontology)
}

/// Reads an ontology of whose classes something is made: `owl:Thing` alone is none.
pub async fn read_with_classes(path: &Path, imports: &ImportArgs) -> Result<Ontology, Failure> {
    let ontology = read(path, imports).await?;
    check_classes(path, &ontology)?;
    Ok(ontology)
}

/// Reads two ontologies whose classes are compared. A copy of an import is one for both.
pub async fn read_both_with_classes(
    paths: [&Path; 2],
    imports: &ImportArgs,
) -> Result<[Ontology; 2], Failure> {
    let [first, second] = paths;
    let ontologies = [
        read_one(first, imports).await?,
        read_one(second, imports).await?,
    ];
    imports.check(&[&ontologies[0], &ontologies[1]])?;
    check_classes(first, &ontologies[0])?;
    check_classes(second, &ontologies[1])?;
    Ok(ontologies)
}

fn check_classes(path: &Path, ontology: &Ontology) -> Result<(), Failure> {
    if ontology.usable_classes().next().is_none() {
        return Err(lacking(
            path,
            "an ontology without a class: it declares none but owl:Thing",
            "give an ontology that declares an owl:Class or rdfs:Class, or a [Term] in OBO",
        ));
    }
    Ok(())
}

async fn read_one(path: &Path, imports: &ImportArgs) -> Result<Ontology, Failure> {
    let bytes = store::read(path)?;
    let wrong = |error: ReadError| unreadable(path, &error);
    let most = |length| parallel::threads().min(length / PART);
    let mut reader = OntologyReader::in_parts(&path.to_string_lossy(), &bytes, most, |parts| {
        parallel::side_by_side(parts, Part::read)
    })
    .map_err(wrong)?;
    drop(bytes);
    imports.read(&mut reader).await?;
    reader.finish().map_err(wrong)
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
