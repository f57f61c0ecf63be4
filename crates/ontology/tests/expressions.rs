//! What is read of class expressions, and what is counted instead.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use ontology::{Closure, Graph, GraphKind, Ontology};

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const PREFIXES: &str = "\
@prefix : <http://e/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:A a owl:Class ; rdfs:label \"A\" . :B a owl:Class ; rdfs:label \"B\" . :C a rdfs:Class ; rdfs:label \"C\" .
:r a owl:ObjectProperty . :d a owl:DatatypeProperty .
";

fn read(text: &str) -> Ontology {
    Ontology::read("case.ttl", format!("{PREFIXES}{text}").as_bytes()).unwrap()
}

fn edges(ontology: &Ontology, kind: GraphKind) -> Vec<String> {
    let graph = Graph::new(ontology, kind);
    graph.edges().iter().map(|edge| graph.axiom(edge)).collect()
}

#[test]
fn edges_of_both_graphs() {
    for (text, ava, full) in [
        (
            ":A rdfs:subClassOf :B .",
            &["A SubClassOf B"][..],
            &["A SubClassOf B"][..],
        ),
        // A name that is not declared is no node.
        (":A rdfs:subClassOf :Undeclared , owl:Thing .", &[], &[]),
        (
            ":r rdfs:domain :A ; rdfs:range :B .",
            &["r Domain A", "r Range B"],
            &["r Domain A", "r Range B"],
        ),
        (
            ":r owl:inverseOf :d ; rdfs:subPropertyOf :d .",
            &["r SubPropertyOf d", "r InverseOf d"],
            &["r SubPropertyOf d", "r InverseOf d"],
        ),
        (
            ":A owl:equivalentClass :B ; owl:disjointWith :C .",
            &["A EquivalentTo B", "A DisjointWith C"],
            &["A EquivalentTo B", "A DisjointWith C"],
        ),
        (
            ":A rdfs:subClassOf [ owl:onProperty :r ; owl:allValuesFrom :B ] .",
            &["A SubClassOf r only B"],
            &["A SubClassOf r only B"],
        ),
        // The public code looks at no relation; the full graph reads what holds for every member only.
        (
            ":A owl:disjointWith [ owl:onProperty :r ; owl:someValuesFrom :B ] . :r rdfs:domain [ owl:onProperty :r ; owl:someValuesFrom :C ] .",
            &["A DisjointWith r some B", "r Domain r some C"],
            &[],
        ),
        (
            ":A owl:equivalentClass [ owl:intersectionOf ( :C [ owl:intersectionOf ( [ owl:onProperty :r ; owl:someValuesFrom :B ] ) ] ) ] .",
            &[],
            &["A SubClassOf C", "A SubClassOf r some B"],
        ),
        (":A owl:intersectionOf ( :B ) .", &[], &["A SubClassOf B"]),
        (
            ":B rdfs:subClassOf :A . :A owl:deprecated true .",
            &["B SubClassOf A"],
            &[],
        ),
        (
            ":D a owl:Class ; rdfs:subClassOf :A .",
            &["D SubClassOf A"],
            &[],
        ),
        (
            ":D a owl:Class ; skos:altLabel \"d\" ; rdfs:subClassOf :A .",
            &["d SubClassOf A"],
            &["d SubClassOf A"],
        ),
        // The public code looks at the filler, and takes the property for a label only.
        (
            ":A rdfs:subClassOf :C , [ owl:onProperty [ owl:inverseOf :p ] ; owl:someValuesFrom :B ] .",
            &["A SubClassOf C", "A SubClassOf someValuesFrom B"],
            &["A SubClassOf C"],
        ),
        (
            ":A owl:disjointWith [ owl:allValuesFrom :B ] ; rdfs:subClassOf [ owl:intersectionOf ( [ owl:someValuesFrom :C ] ) ] .",
            &["A DisjointWith allValuesFrom B"],
            &[],
        ),
        (
            ":A rdfs:subClassOf [ owl:onProperty [ owl:inverseOf :r ] , :r ; owl:someValuesFrom :B ] .",
            &["A SubClassOf r some B"],
            &["A SubClassOf r some B"],
        ),
        (":p a rdf:Property ; rdfs:domain :A .", &[], &["p Domain A"]),
    ] {
        let ontology = read(text);
        assert_eq!(edges(&ontology, GraphKind::Ava), ava, "ava: {text}");
        assert_eq!(edges(&ontology, GraphKind::Full), full, "full: {text}");
    }
}

#[test]
fn what_is_not_understood_is_counted() {
    for (text, what) in [
        (":A rdfs:subClassOf [ owl:unionOf ( :B :C ) ] .", "a union"),
        (
            ":A rdfs:subClassOf [ owl:onProperty :r ; owl:minCardinality 1 ] .",
            "a cardinality",
        ),
        (
            ":A rdfs:subClassOf [ owl:onProperty :r ; owl:hasValue :x ] .",
            "a value restriction",
        ),
        (
            ":A rdfs:subClassOf [ owl:oneOf ( :x ) ] .",
            "an enumeration of individuals",
        ),
        (
            ":A rdfs:subClassOf [ owl:someValuesFrom :B ] .",
            "a restriction over no named property",
        ),
        (
            ":A rdfs:label \" \\n\\u00a0\" .",
            "a label, synonym or definition that is blank",
        ),
        (
            ":A rdfs:subClassOf [ owl:onProperty :r ; owl:someValuesFrom [ owl:unionOf ( :B ) ] ] .",
            "a restriction whose filler is an expression",
        ),
        (
            ":A rdfs:subClassOf \"text\" .",
            "a literal where a class or property is due",
        ),
        (
            ":A rdfs:subClassOf [] .",
            "a blank node that is no class expression",
        ),
        (
            "[] rdfs:subClassOf :A .",
            "an axiom about a class expression or an unnamed property",
        ),
        (
            ":A owl:intersectionOf _:l . _:l rdf:first :B ; rdf:rest _:l .",
            "a list that runs in a circle",
        ),
        (
            ":A owl:intersectionOf _:l . _:l rdf:first :B .",
            "a list that breaks off",
        ),
        (
            ":A rdfs:label :nowhere .",
            "a label, synonym or definition that is a node without a label",
        ),
        (":A :colour \"red\" .", "http://e/colour"),
        (
            "_:x owl:intersectionOf ( _:x ) . :A rdfs:subClassOf _:x .",
            "an expression nested too deeply",
        ),
    ] {
        let ontology = read(text);
        let unread: Vec<_> = ontology
            .unread()
            .iter()
            .map(|(what, count)| (what.as_str(), *count))
            .collect();
        assert_eq!(unread, [(what, 1)], "{text}");
    }
}

#[test]
fn a_blank_text_is_no_text() {
    for (texts, label, synonyms, definition) in [
        ("rdfs:label \"\" , \"alpha\"", "alpha", &[][..], None),
        (
            "rdfs:label \"  \" ; skos:prefLabel \"beta\"",
            "beta",
            &[],
            None,
        ),
        (
            "rdfs:label \"\"@en , \"Wort\"@de ; rdfs:comment \"\\t\"",
            "Wort",
            &[],
            None,
        ),
        (
            "rdfs:label \"\" ; skos:altLabel \"\\n\" ; skos:definition \" \" ; rdfs:comment \"c\"",
            "D",
            &[],
            Some("c"),
        ),
        (
            "rdfs:label \" a \" ; skos:altLabel \"\" , \"b\"",
            " a ",
            &["b"],
            None,
        ),
    ] {
        let ontology = read(&format!(":D a owl:Class ; {texts} ."));
        let class = ontology.find("http://e/D").unwrap();
        assert_eq!(ontology.label(class), label, "{texts}");
        assert_eq!(ontology.synonyms(class), synonyms, "{texts}");
        assert_eq!(ontology.definition(class), definition, "{texts}");
        let unlabelled = Graph::new(&ontology, GraphKind::Full).excluded();
        assert_eq!(
            unlabelled.unlabelled_classes,
            usize::from(label == "D"),
            "{texts}"
        );
    }
}

#[test]
fn what_follows_from_the_hierarchy() {
    let ontology = read(
        ":A rdfs:subClassOf :B . :B rdfs:subClassOf :C . :C rdfs:subClassOf :B .
         :D a owl:Class ; owl:equivalentClass :A , [ owl:onProperty :q ; owl:someValuesFrom :E ] .
         :E a owl:Class ; rdfs:subClassOf [ owl:onProperty :s ; owl:someValuesFrom :F ] . :F a owl:Class ; rdfs:subClassOf [ owl:complementOf :C ] .
         :q rdfs:subPropertyOf :s . :s a owl:TransitiveProperty .
         [] a owl:AllDisjointClasses ; owl:members ( :G :H ) . :I rdfs:subClassOf :G . :J rdfs:subClassOf :H .
         :K owl:disjointUnionOf ( :L :M ) .",
    );
    let closure = Closure::new(&ontology);
    let term = |name: &str| ontology.find(&format!("http://e/{name}")).unwrap();
    let names = |terms: Vec<_>| {
        terms
            .into_iter()
            .map(|term| ontology::local_name(ontology.iri(term)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    for (class, above, under) in [
        ("A", "B C D", "D"),
        ("B", "C", "A C D"),
        ("C", "B", "A B D"),
        ("L", "K", ""),
        ("K", "", "L M"),
    ] {
        assert_eq!(
            names(closure.ancestors(term(class))),
            above,
            "above {class}"
        );
        assert_eq!(
            names(closure.descendants(term(class))),
            under,
            "under {class}"
        );
    }
    for (a, b, apart) in [
        ("A", "F", true),
        ("D", "F", true),
        ("I", "J", true),
        ("L", "M", true),
        ("I", "G", false),
        ("A", "B", false),
        ("G", "G", false),
        ("K", "L", false),
    ] {
        assert_eq!(closure.are_disjoint(term(a), term(b)), apart, "{a} and {b}");
        assert_eq!(closure.are_disjoint(term(b), term(a)), apart, "{b} and {a}");
    }
    for (class, property, filler, has) in [
        ("D", "q", "E", true),
        ("A", "q", "E", true),
        ("A", "s", "E", true),
        ("A", "s", "F", true),
        ("A", "q", "F", false),
        ("E", "q", "F", false),
        ("F", "s", "E", false),
    ] {
        assert_eq!(
            closure.has_some(term(class), term(property), term(filler)),
            has,
            "{class} {property} {filler}"
        );
    }
    assert_eq!(names(closure.siblings(term("L"))), "M");
    assert_eq!(names(closure.parents(term("A"))), "B D");
    assert_eq!(names(closure.children(term("C"))), "B");
    assert_eq!(names(closure.super_properties(term("q"))), "s");
}
