//! What may follow from an ontology, construct by construct. That nothing which does follow is denied is seen over many small
//! ontologies beside the triplets that are made by rule.

#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use ontology::{Axiom, Entailment, Link, Ontology, Relation, local_name};

const TURTLE: &str = "@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:a a owl:Class . :b a owl:Class . :c a owl:Class . :d a owl:Class .
:p a owl:ObjectProperty . :q a owl:ObjectProperty . :r a owl:ObjectProperty .\n";

const OBO: &str = "[Term]\nid: a\n[Term]\nid: b\n[Term]\nid: c\n[Term]\nid: d\n[Typedef]\nid: q\n[Typedef]\nid: r\n";

/// `a some p b` and the like.
fn axiom(ontology: &Ontology, text: &str) -> Axiom {
    let find = |name: &str| {
        let mut terms = ontology.classes().chain(ontology.properties());
        let found = terms.find(|term| local_name(ontology.iri(*term)) == name);
        found.unwrap()
    };
    let words: Vec<&str> = text.split(' ').collect();
    let (link, object) = match words[1..] {
        ["some", property, object] => (Link::Some(find(property)), object),
        ["only", property, object] => (Link::Only(find(property)), object),
        [relation, object] => {
            let mut all = Relation::ALL.into_iter();
            let relation = all.find(|known| known.iri().ends_with(relation)).unwrap();
            (Link::Relation(relation), object)
        }
        _ => unreachable!("{text}"),
    };
    Axiom {
        subject: find(words[0]),
        link,
        object: find(object),
    }
}

/// What the axioms make follow, and what they do not.
fn check(file: &str, text: &str, follows: &str, does_not: &str) {
    let ontology = Ontology::read(file, text.as_bytes()).unwrap();
    let entailment = Entailment::new(&ontology);
    assert!(entailment.can_deny());
    for (statements, expected) in [(follows, true), (does_not, false)] {
        for statement in statements
            .split(", ")
            .filter(|statement| !statement.is_empty())
        {
            let axiom = axiom(&ontology, statement);
            assert_eq!(
                entailment.may_entail(&axiom),
                expected,
                "{statement}\n{text}"
            );
        }
    }
}

#[test]
fn constructs_of_owl() {
    for (axioms, follows, does_not) in [
        ("", "", "a subClassOf b, a some p b, a only p b, a disjointWith b, p domain a, p range a, p subPropertyOf q, p inverseOf q"),
        // Characteristics of properties.
        (":p a owl:SymmetricProperty ; rdfs:domain :a .", "p range a, p inverseOf p", "p domain b"),
        (":p a owl:SymmetricProperty . :q owl:inverseOf :p .", "q subPropertyOf p, p subPropertyOf q", "q subPropertyOf r"),
        (
            ":p rdfs:subPropertyOf :r . :r a owl:SymmetricProperty ; rdfs:domain :a . :q owl:inverseOf :p .",
            "q domain a, q range a, p range a",
            "r subPropertyOf p, q domain b",
        ),
        (":p a owl:FunctionalProperty . :a rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :b ] .", "a only p b", "a only p c, d only p b"),
        (":p a owl:InverseFunctionalProperty . :a rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :b ] .", "a some p b", "a only p b, a some p c"),
        (":p a owl:ReflexiveProperty ; rdfs:domain :b .", "a some p a, a subClassOf b", "a some p c, a some q a"),
        (":p a owl:IrreflexiveProperty . :a rdfs:subClassOf [ owl:onProperty :p ; owl:hasSelf true ] .", "a subClassOf b", "b subClassOf a"),
        (":p a owl:AsymmetricProperty . :a rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :a ] .", "a some p a", "a subClassOf b"),
        (
            ":p a owl:TransitiveProperty . :a rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom [ owl:onProperty :p ; owl:someValuesFrom :b ] ] .",
            "a some p b",
            "a some p c, a some q b",
        ),
        (":p owl:propertyDisjointWith :q . :r rdfs:subPropertyOf :p, :q .", "r domain a", "p domain a"),
        (
            ":r owl:propertyChainAxiom ( :p :q ) ; rdfs:domain :c .
             :a rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom [ owl:onProperty :q ; owl:someValuesFrom :b ] ] .",
            "a some r b, a subClassOf c",
            "b subClassOf c, a some q b, a some r d",
        ),
        ("[ owl:inverseOf :p ] rdfs:subPropertyOf :q . :q rdfs:domain :a .", "p range a", "p domain a, p subPropertyOf q"),
        // Cardinalities.
        (":a rdfs:subClassOf [ owl:onProperty :p ; owl:qualifiedCardinality 1 ; owl:onClass :b ] .", "a some p b", "a only p b, a some p c"),
        (":a rdfs:subClassOf [ owl:onProperty :p ; owl:minQualifiedCardinality 2 ; owl:onClass :b ] .", "a some p b", "a some q b"),
        (":a rdfs:subClassOf [ owl:onProperty :p ; owl:minCardinality \"1\"^^xsd:nonNegativeInteger ] . :p rdfs:range :b .", "a some p b", "a some p c"),
        (":a rdfs:subClassOf [ owl:onProperty :p ; owl:minQualifiedCardinality 0 ; owl:onClass :b ] .", "", "a some p b"),
        (":a rdfs:subClassOf [ owl:onProperty :p ; owl:maxCardinality 0 ] .", "a only p b", "b only p a"),
        (
            ":a rdfs:subClassOf [ owl:onProperty :p ; owl:maxCardinality 1 ], [ owl:onProperty :p ; owl:minCardinality 2 ] .",
            "a subClassOf b",
            "b subClassOf a",
        ),
        // Two that one bound makes one are one for the other bound, which is said again.
        (
            ":p a owl:SymmetricProperty ; rdfs:domain :a . :b owl:equivalentClass [ owl:onProperty :p ; owl:someValuesFrom :a ] .
             :b owl:disjointWith [ a owl:Restriction ; owl:onProperty :p ; owl:maxQualifiedCardinality 1 ; owl:onClass :a ] .
             :a rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom [ a owl:Restriction ; owl:onProperty :p ; owl:maxQualifiedCardinality 1 ; owl:onClass :a ] ] .",
            "p domain d, a subClassOf d, b subClassOf d",
            "d subClassOf a, q domain d",
        ),
        // Nested expressions.
        (
            ":a rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom [ owl:intersectionOf ( :b [ owl:onProperty :q ; owl:someValuesFrom :c ] ) ] ] .",
            "a some p b",
            "a some p c, a some q c",
        ),
        (
            ":a rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :b ], [ owl:onProperty :p ; owl:allValuesFrom [ owl:intersectionOf ( :c :b ) ] ] .",
            "a some p c, a only p b",
            "a some p d",
        ),
        (
            ":a owl:equivalentClass [ owl:onProperty :p ; owl:someValuesFrom [ owl:onProperty :q ; owl:someValuesFrom :b ] ] .
             :c rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom [ owl:onProperty :q ; owl:someValuesFrom :d ] ] . :d rdfs:subClassOf :b .",
            "c subClassOf a",
            "a subClassOf c, d subClassOf a",
        ),
        ("[ owl:onProperty :p ; owl:someValuesFrom :b ] rdfs:subClassOf :a . :c rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :b ] .", "c subClassOf a", "d subClassOf a"),
        // Nothing is outside of everything, so nothing is in a; what several must have of it is one thing for all.
        (
            ":a owl:disjointWith [ a owl:Restriction ; owl:onProperty :p ; owl:allValuesFrom owl:Thing ] .
             :b rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :a ] . :c rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :b ] .",
            "a subClassOf d, b some p d, c some p d, c subClassOf d",
            "d some p a, d subClassOf c",
        ),
        // Unions, complements and what is said of everything.
        (":a owl:equivalentClass [ owl:unionOf ( :b :c ) ] . :b rdfs:subClassOf :d . :c rdfs:subClassOf :d .", "a subClassOf d, b subClassOf a", "a subClassOf b, a subClassOf c"),
        (":a owl:disjointUnionOf ( :b :c ) .", "b disjointWith c, b subClassOf a", "a subClassOf b, a subClassOf c, d disjointWith b"),
        (":a owl:equivalentClass [ owl:complementOf :b ] .", "a disjointWith b", "c disjointWith a, b subClassOf a"),
        ("owl:Thing rdfs:subClassOf :b . :p rdfs:domain :a .", "p domain b, a subClassOf b", "p domain c, a some p b"),
        (":p rdfs:domain [ owl:intersectionOf ( :a :b ) ] .", "p domain a, p domain b", "p domain c, p range a"),
        // Individuals.
        (":a rdfs:subClassOf [ owl:onProperty :p ; owl:hasValue :i ] .", "a some p b, a subClassOf b", "b subClassOf a"),
        (":a owl:equivalentClass [ owl:oneOf ( :i :j ) ] . :c rdfs:subClassOf :a .", "c subClassOf b", "b subClassOf a"),
    ] {
        check("case.ttl", &format!("{TURTLE}{axioms}"), follows, does_not);
    }
}

#[test]
fn clauses_of_obo() {
    for (clauses, follows, does_not) in [
        (
            "[Typedef]\nid: p\nis_symmetric: true\ndomain: a",
            "p range a",
            "p range b",
        ),
        (
            "[Typedef]\nid: p\nis_symmetric: false\ndomain: a",
            "",
            "p range a",
        ),
        (
            "[Typedef]\nid: p\nis_functional: true\n[Term]\nid: x\nrelationship: p b",
            "x only p b",
            "x only p c",
        ),
        (
            "[Typedef]\nid: p\nis_reflexive: true",
            "a some p a",
            "a some p b",
        ),
        (
            "[Typedef]\nid: p\nholds_over_chain: q r\n[Term]\nid: x\nrelationship: q y\n[Term]\nid: y\nrelationship: r b",
            "x some p b",
            "y some p b, x some p a",
        ),
        (
            "[Typedef]\nid: p\ntransitive_over: q\n[Term]\nid: x\nrelationship: p y\n[Term]\nid: y\nrelationship: q b",
            "x some p b",
            "y some p b",
        ),
        (
            "[Typedef]\nid: p\nequivalent_to: q",
            "p subPropertyOf q, q subPropertyOf p",
            "p subPropertyOf r",
        ),
        (
            "[Term]\nid: x\nrelationship: q b {cardinality=\"2\"}",
            "x some q b",
            "x some q c",
        ),
        (
            "[Term]\nid: x\nrelationship: q b {minCardinality=\"0\", maxCardinality=\"0\"}",
            "",
            "x some q b, a subClassOf x",
        ),
        (
            "[Term]\nid: x\nrelationship: q b {minCardinality=\"many\"}",
            "x some q c",
            "a subClassOf x",
        ),
        (
            "[Term]\nid: x\nunion_of: a\nunion_of: b",
            "a subClassOf x, b subClassOf x",
            "x subClassOf a, x subClassOf b, c subClassOf x",
        ),
        (
            "[Term]\nid: x\nis_a: a {gci_relation=\"q\", gci_filler=\"b\"}\n[Term]\nid: y\nis_a: x\nrelationship: q b",
            "y subClassOf a",
            "x subClassOf a",
        ),
        (
            "[Term]\nid: x\nintersection_of: a\nintersection_of: q b\n[Term]\nid: y\nis_a: a\nrelationship: q b",
            "y subClassOf x",
            "a subClassOf x",
        ),
        (
            "[Term]\nid: x\nintersection_of: a\nintersection_of: q b\n[Term]\nid: x\nintersection_of: c\nintersection_of: q d\n\
             [Term]\nid: y\nis_a: a\nrelationship: q b",
            "y subClassOf x, y subClassOf c",
            "a subClassOf x",
        ),
    ] {
        check("case.obo", &format!("{OBO}{clauses}\n"), follows, does_not);
    }
}

/// Things that are one another's only ones by many ways are made one again and again.
#[test]
fn what_is_knit_too_tightly_is_given_up_on() {
    let axioms = "
        :a rdfs:subClassOf [ owl:intersectionOf ( :b [ owl:onProperty :p ; owl:someValuesFrom :e ] ) ] .
        :c owl:equivalentClass [ owl:intersectionOf ( :b [ owl:onProperty :p ; owl:minQualifiedCardinality 1 ; owl:onClass :d ] ) ] .
        :d owl:equivalentClass [ owl:onProperty :p ; owl:someValuesFrom [ owl:onProperty :p ; owl:someValuesFrom :f ] ] .
        :p rdfs:range :d ; a owl:InverseFunctionalProperty . :q rdfs:subPropertyOf :p .";
    let ontology = Ontology::read("case.ttl", format!("{TURTLE}{axioms}").as_bytes()).unwrap();
    assert!(!Entailment::new(&ontology).can_deny());
}
