//! OBO files that break the grammar: what is right of them is read, and what is not is listed with its place.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use ontology::{Ontology, Relation, TextKind, metrics};

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const TERM: &str = "[Term]\nid: X:1\nname: one\n";

fn read(text: impl AsRef<[u8]>) -> Ontology {
    Ontology::read("case.obo", text.as_ref()).unwrap()
}

#[test]
fn a_broken_clause_is_listed_and_its_neighbours_are_read() {
    for (clause, column, reason) in [
        (
            "nothing at all",
            1,
            "a clause is a tag, a colon and a value",
        ),
        ("def: no quotation", 6, "a definition is a quotation"),
        ("def: \"open", 6, "a quotation that is not closed"),
        (
            "synonym: \"a\" FUZZY []",
            10,
            "a synonym is EXACT, NARROW, BROAD or RELATED",
        ),
        ("is_a: X:2 X:3", 7, "one identifier is due here"),
        (
            "relationship: part_of",
            15,
            "a relation and an identifier are due here",
        ),
        (
            "intersection_of: a b c",
            18,
            "a class, or a relation and a class, are due here",
        ),
        ("is_obsolete: perhaps", 14, "true or false is due here"),
        ("id: X:9", 5, "a second `id` in one stanza"),
        ("colour: red", 9, "an unknown tag"),
        ("  name:", 8, "a tag without a value"),
        (
            "is_a: X:2 {gci_relation=\"part_of\", gci_filler=\"X:3\"}",
            7,
            "a relation that holds in a context only is not read",
        ),
        (
            "relationship: r X:2 {cardinality=\"2\"}",
            15,
            "a relation with a cardinality is not read",
        ),
        (
            "comment: \u{fffd}",
            10,
            "a byte that is not UTF-8, read as \u{fffd}",
        ),
    ] {
        let ontology = read(format!(
            "{TERM}{clause}\nis_a: X:5\n\n[Term]\nid: X:5\nname: five\n"
        ));
        let skipped: Vec<_> = ontology
            .skipped()
            .iter()
            .map(|skipped| {
                (
                    skipped.line,
                    skipped.column,
                    &*skipped.clause,
                    &*skipped.reason,
                )
            })
            .collect();
        assert_eq!(skipped, [(4, column, clause.trim(), reason)]);
        assert_eq!(ontology.classes().count(), 2, "{clause}");
        assert_eq!(metrics(&ontology).relations["subClassOf"], 1, "{clause}");
    }
}

#[test]
fn stanzas_that_are_not_as_they_should_be() {
    let ontology = read(format!(
        "{TERM}\n[Term]\nname: without an id\n\n[Unheard]\nid: X:7\nis_a: X:1\n\n[Term]\nname: early\nid: X:2\nname: two\n\n[Instance]\nid: X:8\ninstance_of: X:1\n"
    ));
    let skipped: Vec<_> = ontology
        .skipped()
        .iter()
        .map(|skipped| (skipped.line, &*skipped.reason))
        .collect();
    assert_eq!(
        skipped,
        [
            (6, "a clause before the stanza's `id`"),
            (5, "a stanza without an `id`"),
            (8, "an unknown kind of stanza; all of it is passed over"),
            (13, "a clause before the stanza's `id`"),
        ]
    );
    let labels: Vec<_> = ontology
        .classes()
        .map(|class| ontology.label(class))
        .collect();
    assert_eq!(labels, ["one", "two"]);
    assert_eq!(ontology.individuals(), 1);
}

#[test]
fn what_is_unusual_and_right() {
    let ontology = read(
        "format-version: 1.4\r\nontology: small\r\ndata-version: 2026-01-01\r\n\r\n[Term] ! a comment\r\nid: X:1 ! one\r\n\
         name: a \\\r\nlong name\r\ndef: \"Say \\\"a\\\": 100\\%\\nnext\" []\r\nsynonym: \"bare\" []\r\nexact_synonym: \"old\" []\r\n\
         ! a whole line\r\nrelationship: uses X:2 {all_only=\"true\"}\r\n[Term]\r\nid: X:2\r\nname: 5\" rule!\r\nunion_of: X:1\r\n\
         [Typedef]\r\nid: note\r\nis_metadata_tag: true\r\n[Typedef]\r\nid: uses\r\nis_a: involves\r\ndomain: X:1\r\ninverse_of: is_used_by",
    );
    assert_eq!(ontology.skipped(), []);
    let one = ontology.find("http://purl.obolibrary.org/obo/X_1").unwrap();
    assert_eq!(ontology.label(one), "a long name");
    assert_eq!(ontology.definition(one), Some("Say \"a\": 100%\nnext"));
    assert_eq!(
        ontology
            .texts(one, TextKind::RelatedSynonym)
            .collect::<Vec<_>>(),
        ["bare"]
    );
    assert_eq!(ontology.synonyms(one), ["old", "bare"]);
    let two = ontology.find("http://purl.obolibrary.org/obo/X_2").unwrap();
    assert_eq!(ontology.label(two), "5\" rule!");
    assert_eq!(
        ontology.ontology_iri(),
        Some("http://purl.obolibrary.org/obo/small.owl")
    );
    assert_eq!(ontology.version(), Some("2026-01-01"));
    let metrics = metrics(&ontology);
    assert_eq!(
        (metrics.restrictions.only, metrics.restrictions.some),
        (1, 0)
    );
    assert_eq!(
        (metrics.object_properties, metrics.annotation_properties),
        (1, 1)
    );
    assert_eq!(metrics.unread["a union"], 1);
    for relation in [
        Relation::SubPropertyOf,
        Relation::Domain,
        Relation::InverseOf,
    ] {
        assert_eq!(metrics.relations[ontology::local_name(relation.iri())], 1);
    }
}

#[test]
fn bytes_that_are_no_utf8_cost_one_clause_at_most() {
    let mut text = TERM.as_bytes().to_vec();
    text.extend(b"comment: caf\xe9\nis_a: X:1\n");
    let ontology = read(&text);
    assert_eq!(ontology.skipped().len(), 1);
    let one = ontology.classes().next().unwrap();
    assert_eq!(ontology.definition(one), Some("caf\u{fffd}"));
}
