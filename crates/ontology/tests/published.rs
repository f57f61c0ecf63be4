//! Published ontologies, in the repository or in the folder that `OKN_PUBLISHED_DATA` names: the figures that others count in them.

#![cfg(not(target_arch = "wasm32"))]
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a test reads files, says what is wrong by failing, and says which files nobody gave it"
)]

use flate2::read::MultiGzDecoder;
use ontology::{Closure, Graph, GraphKind, Ontology, Relation, Taxonomy, extract};
use oxttl::TriGParser;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The folder that `OKN_PUBLISHED_DATA` names; `None`, and a word about it, where nobody set it.
fn published() -> Option<PathBuf> {
    let folder = std::env::var_os("OKN_PUBLISHED_DATA");
    if folder.is_none() {
        println!("SKIPPED: OKN_PUBLISHED_DATA names no folder with the published ontologies");
    }
    folder.map(PathBuf::from)
}

fn read(file: &Path) -> Ontology {
    let bytes = std::fs::read(file);
    assert!(bytes.is_ok(), "cannot read {}", file.display());
    Ontology::read(&file.to_string_lossy(), &bytes.unwrap()).unwrap()
}

#[test]
fn published_files_of_the_alignment_pairs_have_so_many_usable_classes() {
    let Some(folder) = published() else { return };
    for (file, triples, usable) in [
        ("alignment/mouse-human/source.xml", 15958, 2743),
        ("alignment/mouse-human/target.xml", 35354, 3304),
        ("alignment/cmt-conference/source.xml", 487, 29),
        ("alignment/cmt-conference/target.xml", 754, 59),
        ("alignment/bank-fibo/source.rdf", 179, 32),
        ("alignment/bank-fibo/target.rdf", 352, 53),
    ] {
        let ontology = read(&folder.join(file));
        assert_eq!(
            (ontology.statements(), ontology.usable_classes().count()),
            (triples, usable),
            "{file}"
        );
    }
}

#[test]
fn published_files_have_the_taxonomy_of_schema_org() {
    let Some(folder) = published() else { return };
    let ontology = read(&folder.join("taxonomy/schemaorg-28.1.owl"));
    let taxonomy = Taxonomy::of(&ontology);
    assert_eq!(ontology.classes().count(), 913);
    assert_eq!(taxonomy.rows.len(), 1058);
    assert_eq!(taxonomy.distinct().len(), 950);
    assert_eq!(taxonomy.types().len(), 910);
}

/// MONDO as the embedded federation holds it, which has the hierarchy and the labels, and leaves it to the reader which of
/// its terms are classes: here, whatever is under or above another.
#[test]
fn the_hierarchy_of_mondo() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../benchmarks-ontology/snapshot/ubergraph-mondo.trig.gz");
    let mut text = String::new();
    MultiGzDecoder::new(std::fs::File::open(path).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    let mut classes = BTreeSet::new();
    for quad in TriGParser::new().for_slice(&text) {
        let quad = quad.unwrap();
        if quad.predicate.as_str() == Relation::SubClassOf.iri() {
            classes.insert(quad.subject.to_string());
            classes.insert(quad.object.to_string());
        }
    }
    for class in &classes {
        let _ = writeln!(text, "{class} a <http://www.w3.org/2002/07/owl#Class> .");
    }
    let ontology = Ontology::read("mondo.trig", text.as_bytes()).unwrap();
    assert_eq!(ontology.classes().count(), classes.len());
    let closure = Closure::new(&ontology);
    let term = |id| {
        ontology
            .find(&format!("http://purl.obolibrary.org/obo/MONDO_{id}"))
            .unwrap()
    };
    let (autoimmune, cardiovascular) = (term("0007179"), term("0004995"));
    assert_eq!(ontology.label(autoimmune), "autoimmune disease");
    // Itself and 258 under it.
    assert_eq!(closure.descendants(autoimmune).len() + 1, 259);
    for class in closure.descendants(autoimmune) {
        assert!(closure.ancestors(class).contains(&autoimmune));
    }
    assert!(!closure.is_under(autoimmune, cardiovascular));
    let graph = Graph::new(&ontology, GraphKind::Ava);
    let extraction = extract(&graph);
    assert_eq!(extraction.seeds, classes.len());
    assert!(!extraction.found.is_empty());
}
