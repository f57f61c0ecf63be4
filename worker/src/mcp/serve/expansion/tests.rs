use super::*;

const PREFIXES: &str = "PREFIX : <http://purl.obolibrary.org/obo/> PREFIX e: <http://e/> \
    PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> ";

fn parsed(query: &str) -> Query {
    federation::parse_query(&format!("{PREFIXES}{query}")).unwrap()
}

fn term(id: &str) -> NamedNode {
    NamedNode::new(format!("http://purl.obolibrary.org/obo/{id}")).unwrap()
}

/// `MONDO_1` with two below it, `HP_1` with one, and a leaf.
fn terms() -> Terms {
    [
        ("MONDO_1", vec!["MONDO_1", "MONDO_2", "MONDO_3"]),
        ("HP_1", vec!["HP_1", "HP_2"]),
        ("GO_9", vec!["GO_9"]),
    ]
    .into_iter()
    .map(|(root, below)| (term(root), below.into_iter().map(term).collect()))
    .collect()
}

/// Each query beside what it must mean once expanded, written by hand.
#[test]
fn a_term_stands_for_all_below_it_wherever_it_may() {
    for (query, variable, meant) in [
        (
            "SELECT ?d { ?d e:on :MONDO_1 }",
            None,
            "SELECT ?d { VALUES ?expanded_uri_MONDO_1 { :MONDO_1 :MONDO_2 :MONDO_3 } ?d e:on ?expanded_uri_MONDO_1 }",
        ),
        // A leaf, an IRI of another kind, and a predicate stay.
        (
            "SELECT ?d { ?d e:on :GO_9 ; e:of :NCBITaxon_9606 ; :GO_9 ?x }",
            None,
            "SELECT ?d { ?d e:on :GO_9 ; e:of :NCBITaxon_9606 ; :GO_9 ?x }",
        ),
        // So does where a query walks the hierarchy by itself.
        (
            "SELECT ?d { ?c rdfs:subClassOf* :MONDO_1 . ?c rdfs:subClassOf :HP_1 . ?d (^rdfs:subClassOf)+ :HP_1 }",
            None,
            "SELECT ?d { ?c rdfs:subClassOf* :MONDO_1 . ?c rdfs:subClassOf :HP_1 . ?d (^rdfs:subClassOf)+ :HP_1 }",
        ),
        // The two on which the public server breaks: VALUES and BIND of the variable that the terms are to go to.
        (
            "SELECT ?p { VALUES ?p { :HP_1 } ?d e:has ?p }",
            Some("p"),
            "SELECT ?p { VALUES ?p { :HP_1 :HP_2 } ?d e:has ?p }",
        ),
        (
            "SELECT ?p { ?d e:has ?q . BIND(:HP_1 AS ?p) }",
            None,
            "SELECT ?p { VALUES ?p { :HP_1 :HP_2 } ?d e:has ?q }",
        ),
        (
            "SELECT ?c (COUNT(?d) AS ?n) { ?d e:on :HP_1 ; e:on ?c } GROUP BY ?c",
            Some("c"),
            "SELECT ?c (COUNT(?d) AS ?n) { VALUES ?c { :HP_1 :HP_2 } ?d e:on ?c ; e:on ?c } GROUP BY ?c",
        ),
        (
            "SELECT ?d { ?d e:on ?c FILTER(?c = :HP_1 || ?c IN (:HP_1, e:x)) }",
            None,
            "SELECT ?d { ?d e:on ?c FILTER(?c IN (:HP_1, :HP_2) || ?c IN (:HP_1, :HP_2, e:x)) }",
        ),
        (
            "SELECT ?d { ?d e:on ?c FILTER NOT EXISTS { ?d e:has :HP_1 } }",
            None,
            "SELECT ?d { ?d e:on ?c FILTER NOT EXISTS { VALUES ?expanded_uri_HP_1 { :HP_1 :HP_2 } ?d e:has ?expanded_uri_HP_1 } }",
        ),
        (
            "SELECT ?d { GRAPH e:g { ?d e:on* :HP_1 } }",
            None,
            "SELECT ?d { GRAPH e:g { VALUES ?expanded_uri_HP_1 { :HP_1 :HP_2 } ?d e:on* ?expanded_uri_HP_1 } }",
        ),
        (
            "SELECT * { VALUES (?a ?b) { (:HP_1 UNDEF) (e:x :HP_1) } }",
            None,
            "SELECT * { VALUES (?a ?b) { (:HP_1 UNDEF) (:HP_2 UNDEF) (e:x :HP_1) (e:x :HP_2) } }",
        ),
    ] {
        let variable = variable.map(Variable::new_unchecked);
        let rewritten = expanded(&parsed(query), &terms(), variable.as_ref());
        assert_eq!(normal(&rewritten), normal(&parsed(meant)), "{query}");
        // What is sent to a server is text, and has to mean the same.
        let text = rewritten.to_string();
        assert!(federation::parse_query(&text).is_ok(), "{text}");
    }
}

/// A query's text, in which a join of blocks and a list of triples look alike, and the parser's own variables are numbered.
fn normal(query: &Query) -> String {
    let query = federation::parse_query(&query.to_string()).unwrap();
    let mut names: Vec<String> = Vec::new();
    let text = query.to_string();
    let words = text.split_inclusive(|c: char| !c.is_ascii_hexdigit());
    words
        .map(|word| {
            let name = word.trim_end_matches(|c: char| !c.is_ascii_hexdigit());
            if name.len() < 30 {
                return word.to_owned();
            }
            let place = names.iter().position(|known| known == name);
            let place = place.unwrap_or_else(|| {
                names.push(name.to_owned());
                names.len() - 1
            });
            word.replace(name, &format!("fresh{place}"))
        })
        .collect()
}

#[test]
fn only_terms_in_a_place_where_they_can_stand_for_others_are_asked_for() {
    let query = parsed(
        "SELECT ?d { ?d e:on :MONDO_1 ; e:of :NCBITaxon_9606 ; :GO_9 ?x . ?c rdfs:subClassOf* :HP_1 FILTER(?y = :CL_7) }",
    );
    assert_eq!(
        terms_of(&query),
        BTreeSet::from([term("MONDO_1"), term("CL_7")])
    );
}

#[test]
fn the_report_counts_each_term_with_itself() {
    let report = Report::new(&terms());
    assert_eq!(
        serde_json::to_string(&report).unwrap(),
        "{\"expanded\":true,\"original_uris\":[\"http://purl.obolibrary.org/obo/GO_9\",\
         \"http://purl.obolibrary.org/obo/HP_1\",\"http://purl.obolibrary.org/obo/MONDO_1\"],\"expanded_uris\":{\
         \"http://purl.obolibrary.org/obo/GO_9\":1,\"http://purl.obolibrary.org/obo/HP_1\":2,\
         \"http://purl.obolibrary.org/obo/MONDO_1\":3},\"total_concepts\":6,\"batched\":false,\"num_batches\":1}"
    );
}
