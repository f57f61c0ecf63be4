//! The catalogue of a snapshot: what it says when it is wrong, and which files it names for a query.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use federation::{Catalogue, CatalogueError, parse_query, sha256_hex};

/// Two graphs in one file each, and an ontology hub in two.
fn catalogue() -> Catalogue {
    let entry = |file: &str, graph: &str, prefix: Option<&str>| {
        serde_json::json!({
            "file": file, "graph": format!("http://e/{graph}"), "name": graph, "iri_prefix": prefix,
            "quads": 1, "bytes": 2, "sha256": sha256_hex(file.as_bytes()), "licence": "CC0-1.0", "sources": [],
        })
    };
    let text = serde_json::json!({
        "version": 1, "server": "embedded-reconstruction", "kind": "reconstruction", "release": "2026-05-05",
        "files": [
            entry("mondo", "hub", Some("http://e/M_")),
            entry("hpo", "hub", Some("http://e/H_")),
            entry("nde", "nde", None),
            entry("oard", "oard", None),
        ],
    });
    Catalogue::parse(text.to_string().as_bytes()).unwrap()
}

const ALL: &str = "mondo hpo nde oard";

/// Patterns, each with the files that it needs.
const PATTERNS: &[(&str, &str)] = &[
    ("GRAPH :nde { ?s ?p ?o }", "nde"),
    (
        "GRAPH :nde { ?s ?p ?o } GRAPH :oard { ?s ?p ?o }",
        "nde oard",
    ),
    ("GRAPH :nowhere { ?s ?p ?o }", ""),
    ("GRAPH ?g { ?s ?p ?o }", ALL),
    ("?s ?p ?o", ALL),
    ("GRAPH :nde { ?s ?p ?o } ?s ?q ?o", ALL),
    ("", ""),
    // An IRI of the hub's says where in it to look, and so does what is tied to it by a subject.
    ("GRAPH :hub { ?c :sub* :M_1 }", "mondo"),
    ("GRAPH :hub { ?c :sub* :M_1 ; :label ?l }", "mondo"),
    (
        "GRAPH :hub { ?c :sub* :M_1 } GRAPH :nde { ?d :about ?c }",
        "mondo nde",
    ),
    (
        "GRAPH :hub { ?c :sub* :M_1 } GRAPH :hub { ?c :label ?l }",
        "mondo",
    ),
    ("GRAPH :hub { ?c :sub* :M_1 . ?x :sub* :H_1 }", "mondo hpo"),
    (
        "GRAPH :hub { ?c :sub* ?root } VALUES ?root { :H_1 :H_2 }",
        "hpo",
    ),
    ("BIND(:H_1 AS ?root) GRAPH :hub { ?c :sub* ?root }", "hpo"),
    (
        "GRAPH :hub { ?c :sub* ?root FILTER(?root = :M_1) }",
        "mondo",
    ),
    (
        "GRAPH :hub { ?c :sub* ?root FILTER(?root IN (:M_1, :M_2)) }",
        "mondo",
    ),
    (
        "{ SELECT ?c { GRAPH :hub { ?c :sub* :M_1 } } } GRAPH :nde { ?d :about ?c }",
        "mondo nde",
    ),
    (
        "GRAPH :nde { ?d :about ?c FILTER NOT EXISTS { GRAPH :hub { ?c :sub* :M_1 } } }",
        "mondo nde",
    ),
    (
        "GRAPH :hub { ?c :sub* :M_1 OPTIONAL { ?c :label ?l } }",
        "mondo",
    ),
    // What is not tied may be in any of its files.
    ("GRAPH :hub { ?c :label ?l }", "mondo hpo"),
    ("GRAPH :hub {}", "mondo hpo"),
    ("GRAPH :hub { ?c a :Class }", "mondo hpo"),
    (
        "GRAPH :hub { ?c :label ?l OPTIONAL { ?c :sub :M_1 } }",
        "mondo hpo",
    ),
    (
        "GRAPH :hub { { ?c :sub :M_1 } UNION { ?c :label ?l } }",
        "mondo hpo",
    ),
    (
        "GRAPH :hub { ?c :sub ?root } VALUES ?root { :M_1 :Class }",
        "mondo hpo",
    ),
    (
        "GRAPH :hub { ?c :sub ?root FILTER(?root != :M_1) }",
        "mondo hpo",
    ),
    // Two files may share a label, a class or a predicate.
    ("GRAPH :hub { :M_1 :label ?l . ?x :label ?l }", "mondo hpo"),
    ("GRAPH :hub { :M_1 ?p ?o . ?x ?p ?y }", "mondo hpo"),
    (
        "GRAPH :hub { ?c :sub* :M_1 } { SELECT ?l { GRAPH :hub { ?c :label ?l } } }",
        "mondo hpo",
    ),
    (
        "GRAPH :hub { ?c :sub* :M_1 } { SELECT ?c { GRAPH :hub { ?c :label ?l } } LIMIT 3 }",
        "mondo hpo",
    ),
];

#[test]
fn a_query_names_its_files() {
    let catalogue = catalogue();
    for (pattern, files) in PATTERNS {
        let text = format!("PREFIX : <http://e/> SELECT * {{ {pattern} }}");
        let query = parse_query(&text).unwrap();
        let found: Vec<_> = catalogue
            .files_for(&query)
            .iter()
            .map(|f| f.file.as_str())
            .collect();
        assert_eq!(found.join(" "), *files, "{pattern}");
    }
    for (text, files) in [
        ("SELECT * FROM <http://e/nde> { ?s ?p ?o }", "nde"),
        (
            "SELECT * FROM <http://e/hub> { ?c <http://e/sub>* <http://e/M_1> }",
            "mondo",
        ),
        ("DESCRIBE <http://e/M_1>", ALL),
    ] {
        let query = parse_query(text).unwrap();
        let found: Vec<_> = catalogue
            .files_for(&query)
            .iter()
            .map(|f| f.file.as_str())
            .collect();
        assert_eq!(found.join(" "), files, "{text}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let error = Catalogue::parse(b"{\n  \"version\": \"one\"}").unwrap_err();
    assert!(
        matches!(error, CatalogueError::Json { line: 2, .. }),
        "{error}"
    );
    let mut later = serde_json::to_value(catalogue()).unwrap();
    later["version"] = 2.into();
    let error = Catalogue::parse(later.to_string().as_bytes()).unwrap_err();
    assert_eq!(error, CatalogueError::Version { found: 2 });

    let catalogue = catalogue();
    let entry = catalogue.file("nde").unwrap();
    assert_eq!(entry.check(b"nde"), Ok(()));
    let error = entry.check(b"other").unwrap_err();
    assert!(error.to_string().starts_with("nde: sha-256 is "), "{error}");
    assert_eq!(catalogue.file("none"), None);
}

#[test]
fn a_file_that_may_lie_elsewhere_is_refused_by_name() {
    let named = |file: &str| {
        let mut catalogue = catalogue();
        catalogue.files[2].file = file.to_owned();
        Catalogue::parse(&serde_json::to_vec(&catalogue).unwrap())
    };
    for file in ["nde.trig.gz", "graphs/nde.trig", "nde..trig", ".nde"] {
        assert!(named(file).is_ok(), "{file}");
    }
    for file in [
        "",
        "/etc/passwd",
        "..",
        "../nde.trig",
        "a/../../b",
        "./a",
        "a//b",
        "a/",
        "a\\..\\b",
        "\\\\host\\b",
        "C:b",
        "b?x",
        "b#x",
        "%2e%2e/b",
        "a\nb",
    ] {
        let refused = CatalogueError::FileName {
            file: file.to_owned(),
        };
        assert_eq!(named(file), Err(refused), "{file}");
    }
}
