//! Derived controls: what a key's hierarchy pattern turns into, wherever it stands.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a function that a test calls fails with the test"
)]

use control::{
    DeriveError, Evidence, NameChoice, NameRule, derive_keyword, derive_literal, evidence,
};
use proptest::prelude::*;
use record::{columns_of, limit_of, order_of};
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

#[track_caller]
fn literal(pattern: &str, expected: &str) {
    let derived = derive_literal(&parse(&format!("SELECT ?c {{ {pattern} }}"))).unwrap();
    let expected = format!("SELECT ?c WHERE {{ {expected} }}");
    assert_eq!(
        short(&derived.text),
        expected,
        "literal control of {pattern}"
    );
    assert_eq!(derived.roots[0], ROOT);
    parse(&derived.text);
}

#[track_caller]
fn keyword(pattern: &str, rule: NameRule, expected: &str) {
    let key = parse(&format!("SELECT ?c {{ {pattern} }}"));
    let derived = derive_keyword(&key, &["Cardio"], NameChoice::ByKey).unwrap();
    let expected = format!("SELECT ?c WHERE {{ {expected} }}");
    assert_eq!(
        short(&derived.text),
        expected,
        "keyword control of {pattern}"
    );
    assert_eq!(
        derived.name.unwrap().rule,
        rule,
        "keyword control of {pattern}"
    );
    parse(&derived.text);
}

#[test]
fn every_spelling_of_a_hierarchy_becomes_the_term() {
    let values = "VALUES ( ?c ) { ( <heart> )  }";
    for pattern in [
        "?c rdfs:subClassOf* e:heart",
        "?c rdfs:subClassOf+ e:heart",
        "?c (rdfs:subClassOf|e:partOf)* e:heart",
        "e:heart ^rdfs:subClassOf* ?c",
        "e:heart (^rdfs:subClassOf)+ ?c",
        "?c ^(^rdfs:subClassOf+) e:heart",
        "?c rdfs:subClassOf/rdfs:subClassOf* e:heart",
        "?c rdfs:subClassOf*/rdfs:subClassOf e:heart",
        "e:heart ^rdfs:subClassOf/^rdfs:subClassOf* ?c",
        "GRAPH e:hub { ?c rdfs:subClassOf* e:heart }",
        "GRAPH ?g { ?c rdfs:subClassOf* e:heart }",
        "SERVICE e:hub { ?c rdfs:subClassOf* e:heart }",
        "SERVICE e:hub { GRAPH e:hub { ?c rdfs:subClassOf* e:heart } }",
    ] {
        literal(pattern, values);
    }
}

#[test]
fn the_term_stands_where_the_hierarchy_stood() {
    let values = "VALUES ( ?c ) { ( <heart> )  }";
    literal(
        "GRAPH e:hub { ?c rdfs:subClassOf* e:heart } GRAPH e:data { ?d e:about ?c }",
        &format!("{values} GRAPH <data> {{ ?d <about> ?c . }}"),
    );
    literal(
        "GRAPH e:data { ?d e:about ?c } GRAPH e:hub { ?c a e:Class ; rdfs:subClassOf* e:heart }",
        &format!(
            "GRAPH <data> {{ ?d <about> ?c . }} {values} GRAPH <hub> {{ ?c \
             <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <Class> . }}"
        ),
    );
    literal(
        "GRAPH e:hub { ?c rdfs:subClassOf* e:heart FILTER(?c != e:heart) } ?d e:about ?c",
        &format!("{values} FILTER(!(?c = <heart>)) ?d <about> ?c ."),
    );
    literal(
        "GRAPH e:hub { ?c rdfs:subClassOf* e:heart OPTIONAL { ?c rdfs:label ?l } } ?d e:about ?c",
        &format!("GRAPH <hub> {{ {values} OPTIONAL {{ ?c label ?l . }} }} ?d <about> ?c ."),
    );
    literal(
        "{ SELECT DISTINCT ?c { GRAPH e:hub { ?c rdfs:subClassOf* e:heart } } } ?d e:about ?c",
        &format!("{{ SELECT DISTINCT ?c WHERE {{ {values} }} }} ?d <about> ?c ."),
    );
    literal(
        "VALUES ?top { e:heart } ?c rdfs:subClassOf* ?top . ?d e:about ?c",
        &format!("VALUES ( ?top ) {{ ( <heart> )  }} {values} ?d <about> ?c ."),
    );
    literal(
        "BIND(e:heart AS ?top) ?c rdfs:subClassOf* ?top",
        &format!(" BIND(<heart> AS ?top) {values}"),
    );
    literal(
        "?d e:about ?c MINUS { ?c rdfs:subClassOf* e:heart }",
        &format!("?d <about> ?c . MINUS {{ {values} }}"),
    );
    literal(
        "?d e:about ?c FILTER NOT EXISTS { GRAPH e:hub { ?c rdfs:subClassOf* e:heart } }",
        &format!("?d <about> ?c . FILTER(NOT EXISTS {{ {values} }})"),
    );
    literal(
        "{ ?c rdfs:subClassOf* e:heart } UNION { ?c e:partOf e:heart }",
        &format!("{{ {values} }} UNION {{ ?c <partOf> <heart> . }}"),
    );
    literal(
        "?c e:about/rdfs:subClassOf* e:heart",
        "?c <about> ?step . VALUES ( ?step ) { ( <heart> )  }",
    );
    literal(
        "VALUES ?top { e:heart e:lung } ?c rdfs:subClassOf* ?top",
        "VALUES ( ?top ) { ( <heart> ) ( <lung> )  } \
         VALUES ( ?c ?top ) { ( <heart> <heart> ) ( <lung> <lung> )  }",
    );
}

#[test]
fn the_name_is_the_key_s_or_the_data_graph_s_or_the_hierarchy_s() {
    keyword(
        "GRAPH e:hub { ?c rdfs:subClassOf* e:heart } GRAPH e:data { ?d e:about ?c . ?c rdfs:label ?name }",
        NameRule::Key,
        "GRAPH <data> { ?c label ?name . FILTER(CONTAINS(LCASE(?name), \"cardio\")) } \
         GRAPH <data> { ?d <about> ?c .?c label ?name . }",
    );
    keyword(
        "GRAPH e:hub { ?x rdfs:subClassOf* e:heart } GRAPH e:data { ?c e:about ?x ; rdfs:label ?name }",
        NameRule::DataGraph,
        "GRAPH <data> { ?x label ?xName . FILTER(CONTAINS(LCASE(?xName), \"cardio\")) } \
         GRAPH <data> { ?c <about> ?x .?c label ?name . }",
    );
    keyword(
        "GRAPH e:hub { ?c rdfs:subClassOf* e:heart } GRAPH e:data { ?d e:about ?c }",
        NameRule::Hierarchy,
        "GRAPH <hub> { ?c label ?cName . FILTER(CONTAINS(LCASE(?cName), \"cardio\")) } \
         GRAPH <data> { ?d <about> ?c . }",
    );
}

#[test]
fn the_name_test_leaves_blocks_that_do_not_have_the_names() {
    let test = "?c label ?name . FILTER(CONTAINS(LCASE(?name), \"cardio\"))";
    keyword(
        "SERVICE e:hub { ?c rdfs:subClassOf* e:heart } ?c rdfs:label ?name",
        NameRule::Key,
        &format!("{test} ?c label ?name ."),
    );
    keyword(
        "SERVICE e:hub { ?c e:status e:current ; rdfs:subClassOf* e:heart } ?c rdfs:label ?name",
        NameRule::Key,
        &format!("{test} SERVICE <hub> {{ ?c <status> <current> . }} ?c label ?name ."),
    );
    keyword(
        "GRAPH e:hub { ?c rdfs:subClassOf+ e:heart FILTER(?c != e:lung) } ?c rdfs:label ?name",
        NameRule::Key,
        &format!("{test} FILTER(!(?c = <lung>)) ?c label ?name ."),
    );
    keyword(
        "{ SELECT ?c { GRAPH e:hub { ?c rdfs:subClassOf* e:heart } } } ?c rdfs:label ?name",
        NameRule::Key,
        &format!("{{ SELECT ?c WHERE {{ {test} }} }} ?c label ?name ."),
    );
    keyword(
        "VALUES ?top { e:heart e:lung } ?c rdfs:subClassOf* ?top ; rdfs:label ?name",
        NameRule::Key,
        &format!("{test} ?c label ?name ."),
    );
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
fn keys_without_a_control_say_which_pattern_is_in_the_way() {
    let error = |text: &str| derive_literal(&parse(text)).unwrap_err();
    assert_eq!(
        error("SELECT * { VALUES ?c { e:heart } ?d e:about ?c }"),
        DeriveError::NoHierarchy
    );
    assert_eq!(
        error("SELECT * { e:heart rdfs:subClassOf* ?c }"),
        DeriveError::NoHierarchy
    );
    let several =
        error("SELECT * { ?c rdfs:subClassOf* e:heart . ?d e:has/rdfs:subClassOf+ e:lung }");
    assert_eq!(
        short(&several.to_string()),
        "the query has 2 hierarchy patterns: ?c (sub)* <heart>; ?step (sub)+ <lung>"
    );
    assert!(matches!(
        error("SELECT * { ?c rdfs:subClassOf* ?top }"),
        DeriveError::FreeRoot { .. }
    ));
    assert!(matches!(
        error("SELECT * { ?c (e:about|(e:about/rdfs:subClassOf*)) e:heart }"),
        DeriveError::PartOfPath { .. }
    ));

    let keyword = |text: &str, words: &[&str]| {
        derive_keyword(&parse(text), words, NameChoice::ByKey).unwrap_err()
    };
    assert_eq!(
        keyword("SELECT * { ?c rdfs:subClassOf* e:heart }", &[" "]),
        DeriveError::NoKeyword
    );
    assert!(matches!(
        keyword(
            "SELECT ?c ?top { VALUES ?top { e:heart e:lung } ?c rdfs:subClassOf* ?top }",
            &["x"]
        ),
        DeriveError::SeveralRoots { .. }
    ));
    let enclosed = keyword(
        "SELECT ?c { SERVICE e:hub { ?c rdfs:subClassOf* e:heart OPTIONAL { ?c e:rank ?r } } ?c rdfs:label ?n }",
        &["x"],
    );
    assert_eq!(
        enclosed.to_string(),
        "the hierarchy pattern cannot be taken out of the block of <http://e/hub>, which does not have the names"
    );
    assert!(!enclosed.remedy().is_empty());
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
