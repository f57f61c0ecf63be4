//! What is imported, where somebody brings it: one ontology of several files.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use ontology::{Graph, GraphKind, Ontology, OntologyReader, metrics};

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const PREFIXES: &str = "\
@prefix : <http://e/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
";

/// The first file, then the others by the IRI that they are imported by, in that order.
fn read(files: &[(&str, &str)]) -> Ontology {
    let mut files = files.iter().map(|(iri, text)| (*iri, turtle(text)));
    let (_, first) = files.next().unwrap();
    let mut reader = OntologyReader::new("first.ttl", first.as_bytes()).unwrap();
    for (iri, text) in files {
        assert!(
            reader.missing().iter().any(|missing| missing == iri),
            "{iri}"
        );
        reader.import(iri, "other.ttl", text.as_bytes()).unwrap();
    }
    reader.finish().unwrap()
}

fn turtle(text: &str) -> String {
    format!("{PREFIXES}{text}")
}

fn edges(ontology: &Ontology) -> Vec<String> {
    let graph = Graph::new(ontology, GraphKind::Full);
    graph.edges().iter().map(|edge| graph.axiom(edge)).collect()
}

const FIRST: (&str, &str) = (
    "",
    ":o a owl:Ontology ; owl:versionIRI :o1 ; owl:imports :p , :q .
     :A a owl:Class ; rdfs:label \"A\" ; rdfs:subClassOf :B , _:x . _:x owl:onProperty :r ; owl:someValuesFrom :C .",
);
const P: (&str, &str) = (
    "http://e/p",
    ":p a owl:Ontology ; owl:versionIRI :p2 ; owl:imports :o , <http://e/o1#> , :q .
     :B a owl:Class ; rdfs:label \"B\" ; rdfs:subClassOf _:x . _:x owl:onProperty :s ; owl:someValuesFrom <C> .",
);
const Q: (&str, &str) = (
    "http://e/q",
    ":a a owl:Ontology ; owl:imports :p , :p2 , <http://e/p#> , :t .
     :C a owl:Class ; rdfs:label \"C\" . :D a owl:Class ; rdfs:label \"D\" . _:x owl:onProperty :s ; owl:someValuesFrom :D .",
);

#[test]
fn the_statements_of_all_files_are_one_ontology_whatever_their_order() {
    for files in [[FIRST, P, Q], [FIRST, Q, P]] {
        let ontology = read(&files);
        assert_eq!(
            edges(&ontology),
            [
                "A SubClassOf B",
                "A SubClassOf r some C",
                "B SubClassOf s some C"
            ]
        );
        assert_eq!(ontology.ontology_iri(), Some("http://e/o"));
        assert_eq!(ontology.version(), Some("http://e/o1"));
        let metrics = metrics(&ontology);
        let not_read = metrics.imports.iter();
        let not_read = not_read.filter(|iri| !metrics.imports_read.contains(iri));
        assert_eq!(not_read.collect::<Vec<_>>(), ["http://e/t"]);
        assert_eq!((metrics.imports.len(), metrics.imports_read.len()), (7, 6));
        assert_eq!((metrics.classes, metrics.statements), (4, 31));
    }
}

#[test]
fn nothing_that_was_read_is_missing_by_another_of_its_names() {
    for (read, missing) in [
        (&[FIRST][..], &["http://e/p", "http://e/q"][..]),
        (&[FIRST, P], &["http://e/q"]),
        (
            &[FIRST, Q],
            &["http://e/p", "http://e/p#", "http://e/p2", "http://e/t"],
        ),
        (&[FIRST, P, Q], &["http://e/t"]),
    ] {
        let mut files = read.iter();
        let (_, first) = files.next().unwrap();
        let mut reader = OntologyReader::new("first.ttl", turtle(first).as_bytes()).unwrap();
        for (iri, text) in files {
            reader
                .import(iri, "other.ttl", turtle(text).as_bytes())
                .unwrap();
        }
        assert_eq!(reader.missing(), missing);
    }
}

#[test]
fn files_of_different_syntaxes_come_together() {
    let first =
        "format-version: 1.4\nimport: http://e/p.owl\n\n[Term]\nid: X:1\nname: one\nis_a: X:2\n";
    let second = "[Term]\nid: X:2\nname: two\nis_a:\n";
    let mut reader = OntologyReader::new("first.obo", first.as_bytes()).unwrap();
    reader
        .import("http://e/p.owl", "second.obo", second.as_bytes())
        .unwrap();
    let ontology = reader.finish().unwrap();
    assert_eq!(edges(&ontology), ["one SubClassOf two"]);
    let skipped: Vec<_> = ontology
        .skipped()
        .iter()
        .map(|skipped| (skipped.import.as_deref(), skipped.line))
        .collect();
    assert_eq!(skipped, [(Some("second.obo"), 4)]);
}

#[test]
fn an_error_names_the_file_that_it_is_in() {
    let first = turtle(":o owl:imports :p .");
    let reader = || OntologyReader::new("first.ttl", first.as_bytes()).unwrap();
    let error = reader().import("http://e/p", "p.ttl", b"\n:a").unwrap_err();
    assert!(error.to_string().starts_with("p.ttl:2:1: "), "{error}");
    // Nothing but an import, which might hold the classes.
    let error = reader().finish().err().unwrap();
    assert_eq!(
        error.to_string(),
        "first.ttl:1:1: an ontology without a class: none of its 1 statements declares one, and one import was not read"
    );
    assert!(error.remedy().starts_with("read what it imports too"));
}
