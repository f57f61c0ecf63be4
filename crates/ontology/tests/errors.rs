//! Files that are no ontology: where they go wrong, and what to do.

use ontology::{Ontology, ReadError};

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const XML: &str = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n";

#[test]
fn every_error_has_a_place_and_a_remedy() {
    for (file, text, place, says, remedy) in [
        (
            "a.ttl",
            "@prefix e: <http://e/> .\ne:a e:b \u{e9}\u{e9} ;; [ .",
            (2, 9),
            "",
            "mend",
        ),
        ("a.nt", "<http://e/a> <http://e/b> .\n", (1, 27), "", "mend"),
        (
            "a.owl",
            &format!("{XML}<rdf:Description rdf:about='http://e/a'>\n</rdf:RDF>"),
            (3, 11),
            "",
            "mend",
        ),
        (
            "a.owl",
            "Prefix(:=<http://e/>)\nOntology(<http://e/>)",
            (1, 1),
            "OWL functional syntax",
            "ROBOT",
        ),
        (
            "a.owl",
            "<?xml version='1.0'?>\n<Ontology xmlns='http://www.w3.org/2002/07/owl#'/>",
            (1, 1),
            "OWL/XML",
            "ROBOT",
        ),
        (
            "a.owl",
            &format!("{XML}<rdf:Description rdf:about='http://e/\u{e9}'>\n\n"),
            (2, 41),
            "the file ends before `</rdf:Description>`",
            "fetch the file again",
        ),
        (
            "a.rdf",
            "<?xml version='1.0'?>\n",
            (1, 22),
            "the file ends before its first element",
            "fetch the file again",
        ),
        (
            "a.trig",
            "<http://e/g> { <http://e/a> <http://e/b> <http://e/c> .\n",
            (2, 1),
            "",
            "mend",
        ),
        (
            "a.txt",
            "[{\"@id\": \"http://e/a\"}]",
            (1, 1),
            "JSON",
            "ROBOT",
        ),
        (
            "a.txt",
            "[section]\na = 1\n",
            (1, 1),
            "unknown format",
            "name it",
        ),
        (
            "a.txt",
            "<html>\n</html>",
            (1, 1),
            "unknown format",
            "name it",
        ),
        ("a.jsonld", "{}", (1, 1), "JSON", "ROBOT"),
        ("a.csv", "a,b", (1, 1), "unknown format", "name it"),
        (
            "a.obo",
            "format-version: 1.4\n",
            (1, 1),
            "an ontology without a class",
            "declares",
        ),
        ("a.obo", "", (1, 1), "none of its 0 statements", "declares"),
        (
            "a.ttl",
            "<http://e/a> a <http://e/Person> .",
            (1, 1),
            "none of its 1 statements",
            "declares",
        ),
    ] {
        check(file, text.as_bytes(), place, says, remedy);
    }
    check(
        "a.obo.gz",
        b"\x1f\x8b\x08\x00cut short",
        (1, 1),
        "not a whole gzip file",
        "fetch",
    );
}

fn check(file: &str, bytes: &[u8], place: (u64, u64), says: &str, remedy: &str) {
    let read = Ontology::read(file, bytes);
    let error = read.err();
    assert_eq!(
        error.as_ref().map(ReadError::position),
        Some(place),
        "{file}: {error:?}"
    );
    let text = error.as_ref().map(ToString::to_string).unwrap_or_default();
    assert!(text.contains(says), "{text}");
    assert!(
        text.starts_with(&format!("{file}:{}:{}: ", place.0, place.1)),
        "{text}"
    );
    assert!(
        error.is_some_and(|error| error.remedy().contains(remedy)),
        "{text}"
    );
}
