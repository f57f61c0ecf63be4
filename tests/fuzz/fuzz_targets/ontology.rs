//! Any bytes as an ontology: an error in its place, or an ontology whose every reading ends and agrees with the others.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ontology::{
    Closure, Graph, GraphKind, NODES, Ontology, OntologyReader, Part, Taxonomy, extract, metrics,
    subgraph,
};

fuzz_target!(|bytes: &[u8]| {
    for file in ["a.obo", "a.owl", "a.ttl", "a.nt", "a.nq", "a.trig"] {
        let whole = Ontology::read(file, bytes);
        for most in [2, 5] {
            let each = |parts: &[Part<'_>]| parts.iter().map(Part::read).collect();
            let reader = OntologyReader::in_parts(file, bytes, |_| most, each);
            let told = |read: &Result<Ontology, ontology::ReadError>| match read {
                Ok(ontology) => {
                    let skipped: Vec<String> =
                        ontology.skipped().iter().map(|one| format!("{one:?}")).collect();
                    Ok((ontology.statements(), ontology.classes().count(), skipped))
                }
                Err(error) => Err(error.to_string()),
            };
            let parts = reader.and_then(OntologyReader::finish);
            assert_eq!(told(&parts), told(&whole), "{file} in {most}");
        }
        let ontology = match whole {
            Ok(ontology) => ontology,
            Err(error) => {
                let (line, column) = error.position();
                assert!(line >= 1 && column >= 1, "{error}");
                continue;
            }
        };
        let breaks = bytes
            .iter()
            .filter(|byte| matches!(byte, b'\n' | b'\r'))
            .count();
        for skipped in ontology.skipped() {
            assert!(skipped.line as usize <= breaks + 1, "{skipped:?}");
        }
        for kind in [GraphKind::Ava, GraphKind::Full] {
            let graph = Graph::new(&ontology, kind);
            let extraction = extract(&graph);
            let lost = extraction.too_small + extraction.too_large + extraction.duplicates;
            assert_eq!(extraction.found.len() + lost, extraction.seeds);
            for found in &extraction.found {
                let subgraph = subgraph(&graph, found, "a");
                assert!(NODES.contains(&subgraph.nodes.len()));
                assert!(subgraph.nodes.contains(&subgraph.seed));
            }
        }
        let closure = Closure::new(&ontology);
        for class in ontology.classes().take(16) {
            for above in closure.ancestors(class) {
                assert!(closure.is_under(class, above));
            }
        }
        assert!(metrics(&ontology).classes > 0);
        assert!(Taxonomy::of(&ontology).distinct().len() <= Taxonomy::of(&ontology).rows.len());
    }
});
