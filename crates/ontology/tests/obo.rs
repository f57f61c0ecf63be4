//! OBO files that break the grammar: what is right of them is read, and what is not is listed with its place.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use ontology::{Graph, GraphKind, Ontology, Relation, TextKind, metrics};

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
            "intersection_of: r X:2 {minCardinality=\"2\"}",
            18,
            "a relation with a cardinality is not read",
        ),
        (
            "intersection_of: r X:2 {gci_relation=\"part_of\", gci_filler=\"X:3\"}",
            18,
            "a relation that holds in a context only is not read",
        ),
        (
            "comment: \u{fffd}",
            10,
            "a character that was lost: a byte that is not UTF-8, or the \u{fffd} that stands for one",
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

/// What a file says of its terms, and which of its lines were passed over, and why.
fn told(ontology: &Ontology) -> (Vec<String>, Vec<(u32, &str)>) {
    let mut told: Vec<String> = ontology
        .classes()
        .map(|class| {
            format!(
                "{} {}",
                ontology::local_name(ontology.iri(class)),
                ontology.label(class)
            )
        })
        .collect();
    let graph = Graph::new(ontology, GraphKind::Full);
    told.extend(graph.edges().iter().map(|edge| graph.axiom(edge)));
    let skipped = ontology.skipped().iter();
    let skipped = skipped.map(|skipped| (skipped.line, &*skipped.reason));
    (told, skipped.collect())
}

#[test]
fn a_missing_or_broken_header_costs_what_stands_behind_it_and_nothing_before() {
    const SECOND: &str =
        "a second `id` in one stanza; what follows is passed over up to the next one";
    const HEADER: &str =
        "a broken header of a stanza; what follows is passed over up to the next one";
    const NOWHERE: &str = "a clause of no stanza";
    let wolf = "[Term]\nid: X:1\nname: animal\n[Term]\nid: X:2\nname: wolf\nis_a: X:1\n";
    let all = &["X_1 animal", "X_2 wolf", "wolf SubClassOf animal"][..];
    let next = "[Term]\nid: X:4\nname: bee\nis_a: X:1\n";
    let with_next = &[
        "X_1 animal",
        "X_2 wolf",
        "X_4 bee",
        "wolf SubClassOf animal",
        "bee SubClassOf animal",
    ][..];
    let ant = "id: X:3\nname: ant\nis_a: X:9\nrelationship: r X:1\nintersection_of: X:1\n";
    let passed_over = |first: (u32, &'static str)| {
        let mut lines = vec![first];
        lines.extend((first.0 + 1..=first.0 + 5).map(|line| (line, NOWHERE)));
        lines
    };
    for (text, expected, skipped) in [
        (format!("{wolf}[Term\n{ant}"), all, passed_over((8, HEADER))),
        (
            format!("{wolf}  [Term ! one\n{ant}{next}"),
            with_next,
            passed_over((8, HEADER)),
        ),
        (
            format!("{wolf}[Term]]\n{ant}{next}"),
            with_next,
            passed_over((8, HEADER)),
        ),
        (
            format!("{wolf}{ant}{next}"),
            with_next,
            vec![
                (8, SECOND),
                (9, NOWHERE),
                (10, NOWHERE),
                (11, NOWHERE),
                (12, NOWHERE),
            ],
        ),
        (
            format!("{wolf}Term]\n{ant}{next}"),
            with_next,
            vec![
                (8, "a clause is a tag, a colon and a value"),
                (9, SECOND),
                (10, NOWHERE),
                (11, NOWHERE),
                (12, NOWHERE),
                (13, NOWHERE),
            ],
        ),
        // A header whose comment has no space before it.
        (
            format!("{wolf}{}", next.replace("[Term]", "[Term]! bee")),
            with_next,
            vec![],
        ),
    ] {
        let ontology = read(&text);
        let (told, found) = told(&ontology);
        assert_eq!(told, expected, "{text}");
        assert_eq!(found, skipped, "{text}");
    }
    // A relation's identifier goes by its own stanza only.
    let ontology = read(format!(
        "{wolf}relationship: r X:1\n[Typedef]\nid: s\nid: r\nxref: RO:1\n"
    ));
    let graph = Graph::new(&ontology, GraphKind::Full);
    let predicates: Vec<_> = graph
        .edges()
        .iter()
        .map(|edge| graph.predicate(edge).0)
        .collect();
    assert!(
        predicates.contains(&"http://purl.obolibrary.org/obo/unnamed#r"),
        "{predicates:?}"
    );
}

#[test]
fn modifiers_say_the_same_of_a_relation_and_of_a_part_of_a_definition() {
    for (modifiers, restrictions) in [
        ("", &["r some two"][..]),
        ("{all_only=\"true\"}", &["r only two"]),
        ("{all_only=\"false\"}", &["r some two"]),
        (
            "{all_some=\"true\", all_only=\"true\"}",
            &["r some two", "r only two"],
        ),
        (
            "{source=\"cardinality of gci_sets, all_only=\\\"true\\\"\"}",
            &["r some two"],
        ),
        ("{source=\"a{b ! c\"} ! two", &["r some two"]),
        ("{minCardinality=\"1\"}", &[]),
        ("{gci_relation=\"s\", gci_filler=\"X:1\"}", &[]),
    ] {
        for tag in ["relationship", "intersection_of"] {
            let ontology = read(format!(
                "{TERM}{tag}: r X:2 {modifiers}\n[Term]\nid: X:2\nname: two\n[Typedef]\nid: r\n"
            ));
            let graph = Graph::new(&ontology, GraphKind::Full);
            let axioms: Vec<_> = graph.edges().iter().map(|edge| graph.axiom(edge)).collect();
            let expected: Vec<_> = restrictions
                .iter()
                .map(|restriction| format!("one SubClassOf {restriction}"))
                .collect();
            assert_eq!(axioms, expected, "{tag} {modifiers}");
            assert_eq!(ontology.skipped().is_empty(), !expected.is_empty());
        }
    }
    for modifiers in [
        "{source=\"a{b\"}",
        "{source=\"a ! b\"} ! two",
        "{source=\"}\", x=y}",
    ] {
        let ontology = read(format!("{TERM}is_a: X:2 {modifiers}\n"));
        assert_eq!(ontology.skipped(), [], "{modifiers}");
        assert_eq!(metrics(&ontology).relations["subClassOf"], 1, "{modifiers}");
    }
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
