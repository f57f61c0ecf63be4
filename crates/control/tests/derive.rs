//! Derived controls: what a key's hierarchy pattern turns into, wherever it stands.
#![expect(
    clippy::panic,
    reason = "a function that a test calls fails with the test"
)]

use control::{
    DeriveError, Evidence, NameChoice, NameRule, derive_keyword, derive_literal, evidence,
};
use proptest::prelude::*;
use record::{columns_of, limit_of, order_of};
use serde::Deserialize;
use spargebra::{Query, SparqlParser};

const ROOT: &str = "http://e/heart";

fn parse(text: &str) -> Query {
    let prefixes = "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX e: <http://e/> ";
    SparqlParser::new()
        .parse_query(&format!("{prefixes}{text}"))
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The text with the namespaces of these tests shortened again.
fn short(text: &str) -> String {
    text.replace("<http://www.w3.org/2000/01/rdf-schema#subClassOf>", "sub")
        .replace("<http://www.w3.org/2000/01/rdf-schema#label>", "label")
        .replace("<http://e/", "<")
}

/// A key and the controls that it gives, in the short form, or the reason why it gives none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    query: String,
    #[serde(default)]
    keywords: Vec<String>,
    literal: Option<String>,
    keyword: Option<String>,
    rule: Option<NameRule>,
    error: Option<String>,
}

#[derive(Deserialize)]
struct Cases {
    prefixes: String,
    cases: Vec<Case>,
}

fn refusal(case: &Case, key: &Query) -> Option<DeriveError> {
    let keyword = || derive_keyword(key, &case.keywords, NameChoice::ByKey);
    match derive_literal(key) {
        Err(error) => Some(error),
        Ok(_) if case.keywords.is_empty() => None,
        Ok(_) => keyword().err(),
    }
}

#[test]
fn keys_give_their_controls() {
    let text = include_str!("../test_data/derived.json");
    let Cases { prefixes, cases } = serde_json::from_str(text).unwrap();
    for case in cases {
        let named = format!("{}: {}", case.id, case.query);
        let key = SparqlParser::new()
            .parse_query(&format!("{prefixes}{}", case.query))
            .unwrap();
        let error = refusal(&case, &key);
        let message = error.as_ref().map(|error| short(&error.to_string()));
        assert_eq!(message, case.error, "{named}");
        if let Some(error) = error {
            assert!(!error.remedy().is_empty(), "{named}");
            continue;
        }
        let literal = derive_literal(&key).unwrap();
        assert_eq!(literal.roots[0], ROOT, "{named}");
        parse(&literal.text);
        if let Some(expected) = &case.literal {
            assert_eq!(short(&literal.text), *expected, "{named}");
        }
        if !case.keywords.is_empty() {
            let keyword = derive_keyword(&key, &case.keywords, NameChoice::ByKey).unwrap();
            assert_eq!(Some(short(&keyword.text)), case.keyword, "{named}");
            parse(&keyword.text);
            assert_eq!(keyword.name.map(|name| name.rule), case.rule, "{named}");
        }
    }
}

#[test]
fn a_caller_may_say_where_the_names_are() {
    let key =
        parse("SELECT ?c { GRAPH e:hub { ?c rdfs:subClassOf* e:heart } ?c rdfs:label ?name }");
    let choice = NameChoice::From {
        graph: Some("http://e/other"),
        predicate: "http://e/called",
    };
    let name = derive_keyword(&key, &["cardio", " ", "Vas"], choice)
        .unwrap()
        .name
        .unwrap();
    assert_eq!(name.rule, NameRule::Given);
    assert_eq!(
        (&*name.variable, name.graph.as_deref()),
        ("cName", Some("http://e/other"))
    );
}

#[test]
fn the_same_key_gives_the_same_text() {
    let text = "SELECT ?c (COUNT(DISTINCT ?d) AS ?n) (MAX(?y) AS ?last) { ?c rdfs:subClassOf* e:heart . ?d e:about ?c ; \
                e:year ?y } GROUP BY ?c ORDER BY DESC(?n) ?c LIMIT 15";
    let first = derive_literal(&parse(text)).unwrap();
    let second = derive_literal(&parse(text)).unwrap();
    assert_eq!(first.text, second.text);
    assert!(first.text.contains("?aggregate2"), "{}", first.text);
    assert_eq!(limit_of(&first.query), Some(15));
}

/// Keys put together from parts: a spelling, a place, and what else the query does.
fn keys() -> impl Strategy<Value = String> {
    let spelling = prop::sample::select(vec![
        "?c rdfs:subClassOf* e:heart .",
        "?c rdfs:subClassOf+ e:heart .",
        "e:heart ^rdfs:subClassOf* ?c .",
        "?c rdfs:subClassOf/rdfs:subClassOf* e:heart .",
        "?c (rdfs:subClassOf|e:partOf)+ e:heart .",
        "VALUES ?top { e:heart } ?c rdfs:subClassOf* ?top .",
    ]);
    let place = prop::sample::select(vec![
        ("", ""),
        ("GRAPH e:hub {", "}"),
        ("GRAPH e:hub { ?c a e:Class .", "}"),
        ("GRAPH e:hub {", "FILTER(?c != e:lung) }"),
        ("SERVICE e:hub {", "}"),
        ("{ SELECT DISTINCT ?c {", "} }"),
        ("{ SELECT DISTINCT ?c { GRAPH e:hub {", "} } }"),
    ]);
    let name = prop::sample::select(vec![
        "",
        "?c rdfs:label ?name .",
        "GRAPH e:data { ?c rdfs:label ?name }",
        "OPTIONAL { ?c rdfs:label ?name }",
    ]);
    let first = any::<bool>();
    let tail = prop::sample::select(vec![
        "",
        "ORDER BY ?c",
        "ORDER BY DESC(?n) ?c LIMIT 15",
        "LIMIT 3 OFFSET 2",
    ]);
    (spelling, place, name, first, tail).prop_map(|(spelling, place, name, first, tail)| {
        let hierarchy = format!("{} {spelling} {}", place.0, place.1);
        let data = format!("GRAPH e:data {{ ?d e:about ?c }} {name}");
        let (a, b) = if first {
            (hierarchy, data)
        } else {
            (data, hierarchy)
        };
        format!("SELECT ?c (COUNT(DISTINCT ?d) AS ?n) {{ {a} {b} }} GROUP BY ?c {tail}")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn derived_controls_keep_all_but_the_hierarchy(text in keys()) {
        let key = parse(&text);
        let literal = derive_literal(&key).unwrap();
        let keyword = derive_keyword(&key, &["cardio"], NameChoice::ByKey).unwrap();
        for derived in [&literal, &keyword] {
            // Printed and read again it is still what it was, but for names that the parser draws.
            let again = parse(&derived.text);
            for query in [&derived.query, &again] {
                prop_assert_eq!(columns_of(query), columns_of(&key));
                prop_assert_eq!(order_of(query), order_of(&key));
                prop_assert_eq!(limit_of(query), limit_of(&key));
                prop_assert!(!evidence(query, ROOT).contains(&Evidence::PropertyPath), "{}", derived.text);
            }
            prop_assert!(!derived.text.contains("subClassOf"), "{}", derived.text);
        }
        prop_assert!(evidence(&literal.query, ROOT).contains(&Evidence::LiteralTerm), "{}", literal.text);
        prop_assert!(evidence(&keyword.query, ROOT).contains(&Evidence::NameTest), "{}", keyword.text);
    }
}
