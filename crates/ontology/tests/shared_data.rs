//! Published ontologies, where they lie beside the repository: the figures that others count in them.

#![cfg(not(target_arch = "wasm32"))]
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test reads files, says what is wrong by failing, and says which files it did not find"
)]

use ontology::{Ontology, Taxonomy};
use std::path::Path;

/// The ontology in a file of the shared data; `None`, and a word about it, where there is none.
fn shared(file: &str) -> Option<Ontology> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data")
        .join(file);
    let Ok(bytes) = std::fs::read(&path) else {
        eprintln!("SKIPPED: {} is not there", path.display());
        return None;
    };
    Some(Ontology::read(file, &bytes).unwrap())
}

#[test]
fn usable_classes_of_the_alignment_pairs() {
    for (file, triples, usable) in [
        ("alignment/mouse-human/source.xml", 15958, 2743),
        ("alignment/mouse-human/target.xml", 35354, 3304),
        ("alignment/cmt-conference/source.xml", 487, 29),
        ("alignment/cmt-conference/target.xml", 754, 59),
        ("alignment/bank-fibo/source.rdf", 179, 32),
        ("alignment/bank-fibo/target.rdf", 352, 53),
    ] {
        if let Some(ontology) = shared(file) {
            assert_eq!(
                (ontology.statements(), ontology.usable_classes().count()),
                (triples, usable),
                "{file}"
            );
        }
    }
}

#[test]
fn the_taxonomy_of_schema_org() {
    if let Some(ontology) = shared("taxonomy/schemaorg-28.1.owl") {
        let taxonomy = Taxonomy::of(&ontology);
        assert_eq!(ontology.classes().count(), 913);
        assert_eq!(taxonomy.rows.len(), 1058);
        assert_eq!(taxonomy.distinct().len(), 950);
        assert_eq!(taxonomy.types().len(), 910);
    }
}
