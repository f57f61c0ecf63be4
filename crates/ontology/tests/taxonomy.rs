//! The ground truth of taxonomy discovery.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use ontology::{Ontology, Taxonomy};

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn rows(text: &str) -> Vec<String> {
    let text = format!(
        "@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
         :Some a owl:Class . {text}"
    );
    let ontology = Ontology::read("case.ttl", text.as_bytes()).unwrap();
    let taxonomy = Taxonomy::of(&ontology);
    taxonomy
        .rows
        .iter()
        .map(|row| format!("{} < {}", row.child, row.parent))
        .collect()
}

#[test]
fn rows_as_they_are_counted() {
    for (text, expected) in [
        (":Heart rdfs:subClassOf :Organ .", &["Heart < Organ"][..]),
        // All the parents once for each parent.
        (
            ":Heart rdfs:subClassOf :Organ , :Pump .",
            &[
                "Heart < Organ",
                "Heart < Pump",
                "Heart < Organ",
                "Heart < Pump",
            ],
        ),
        // A superclass without a name counts as a parent that is not listed.
        (
            ":Heart rdfs:subClassOf :Organ , [ owl:onProperty :p ; owl:someValuesFrom :Pump ] .",
            &["Heart < Organ", "Heart < Organ"],
        ),
        (
            ":Heart rdfs:subClassOf :Thing , :Organ . :Organ rdfs:subClassOf owl:Thing .",
            &["Heart < Organ", "Heart < Organ"],
        ),
        // The English label, another one of some length, the local name.
        (
            ":Heart rdfs:subClassOf :Organ ; rdfs:label \"Herz\"@de , \"cor\"@la , \"heart\"@en .",
            &["heart < Organ"],
        ),
        (
            ":Heart rdfs:subClassOf :Organ ; rdfs:label \"Herz\"@de .",
            &["Herz < Organ"],
        ),
        (
            ":Heart rdfs:subClassOf :Organ ; rdfs:label \"cor\"@la .",
            &["Heart < Organ"],
        ),
        (
            ":Heart rdfs:subClassOf :Organ ; rdfs:label \"http://e/\" .",
            &["Heart < Organ"],
        ),
        // Identifiers, and whatever looks like one.
        (
            ":BFO_0000001 rdfs:subClassOf :Organ . :Bed rdfs:subClassOf :Organ . :Bench rdfs:subClassOf :Organ .",
            &["Bench < Organ"],
        ),
        (
            ":0e09c4e1-8d6f-4f2a-9a3b-1c2d3e4f5a6b rdfs:subClassOf :Organ .",
            &[],
        ),
    ] {
        assert_eq!(rows(text), expected, "{text}");
    }
}
