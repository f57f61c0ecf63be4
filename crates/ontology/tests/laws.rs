//! Laws: what holds for any ontology.

#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use ontology::{
    Closure, Graph, GraphKind, Manifest, ManifestEntry, NODES, Ontology, SubgraphWriter, extract,
    subgraph,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A name, or a blank node, of a small world in which any two are likely to meet.
fn node() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (0..12_u8).prop_map(|number| format!("<http://e/{number}>")),
        1 => (0..3_u8).prop_map(|number| format!("_:b{number}")),
    ]
}

fn triple() -> impl Strategy<Value = String> {
    let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
    let rdfs = "http://www.w3.org/2000/01/rdf-schema#";
    let owl = "http://www.w3.org/2002/07/owl#";
    let relation = prop_oneof![
        6 => Just(format!("{rdfs}subClassOf")),
        1 => Just(format!("{owl}equivalentClass")),
        1 => Just(format!("{owl}disjointWith")),
        1 => Just(format!("{rdfs}domain")),
        1 => Just(format!("{owl}onProperty")),
        1 => Just(format!("{owl}someValuesFrom")),
        1 => Just(format!("{owl}allValuesFrom")),
        1 => Just(format!("{owl}intersectionOf")),
        1 => Just(format!("{owl}unionOf")),
        1 => Just(format!("{rdf}first")),
        1 => Just(format!("{rdf}rest")),
    ];
    let class = prop_oneof![4 => Just("Class"), 1 => Just("ObjectProperty")];
    prop_oneof![
        3 => (node(), class).prop_map(move |(subject, class)| format!("{subject} <{rdf}type> <{owl}{class}> .")),
        5 => (node(), relation, node()).prop_map(|(subject, relation, object)| format!("{subject} <{relation}> {object} .")),
        1 => (node(), "[a-c]{1,2}", prop_oneof!["", "@en", "@de"])
            .prop_map(move |(subject, label, language)| format!("{subject} <{rdfs}label> \"{label}\"{language} .")),
        1 => node().prop_map(move |subject| format!("{subject} <{owl}deprecated> \"true\" .")),
    ]
}

/// A file that has at least one class.
fn lines() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(triple(), 0..60).prop_map(|mut lines| {
        let class = "<http://e/0> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class> .";
        lines.push(class.to_owned());
        lines
    })
}

fn read(lines: &[String]) -> Ontology {
    Ontology::read("case.nt", lines.join("\n").as_bytes()).unwrap()
}

/// Everything that is written of an ontology, as text.
fn written(ontology: &Ontology, kind: GraphKind) -> String {
    let graph = Graph::new(ontology, kind);
    let extraction = extract(&graph);
    let subgraphs: Vec<_> = extraction
        .found
        .iter()
        .map(|found| subgraph(&graph, found, "case"))
        .collect();
    let manifest = Manifest {
        ontology: "case".to_owned(),
        strategy: "bfs".to_owned(),
        total: subgraphs.len(),
        subgraphs: subgraphs.iter().map(From::from).collect(),
        collisions: extraction.collisions,
    };
    serde_json::to_string(&(subgraphs, manifest)).unwrap()
}

proptest! {
    #[test]
    fn many_subgraphs_are_written_as_one_is(lines in lines(), name in ".{0,8}") {
        let ontology = read(&lines);
        for kind in [GraphKind::Ava, GraphKind::Full] {
            let graph = Graph::new(&ontology, kind);
            let writer = SubgraphWriter::new(&graph, &name);
            for found in &extract(&graph).found {
                let one = subgraph(&graph, found, &name);
                let (entry, bytes) = writer.write(found);
                prop_assert_eq!(&entry, &ManifestEntry::from(&one));
                prop_assert_eq!(String::from_utf8(bytes), String::from_utf8(one.to_json()));
            }
        }
    }
}

proptest! {
    #[test]
    fn the_order_of_triples_changes_nothing(lines in lines(), shuffled in any::<proptest::sample::Index>()) {
        let mut other = lines.clone();
        other.reverse();
        let middle = shuffled.index(other.len());
        other.rotate_left(middle);
        // Said twice is said once.
        other.push(other[0].clone());
        for kind in [GraphKind::Ava, GraphKind::Full] {
            prop_assert_eq!(written(&read(&lines), kind), written(&read(&other), kind));
        }
    }

    #[test]
    fn the_names_of_blank_nodes_change_nothing(lines in lines()) {
        let renamed: Vec<String> = lines.iter().map(|line| line.replace("_:b", "_:z9")).collect();
        for kind in [GraphKind::Ava, GraphKind::Full] {
            prop_assert_eq!(written(&read(&lines), kind), written(&read(&renamed), kind));
        }
    }

    #[test]
    fn subgraphs_are_what_a_plain_search_finds(lines in lines()) {
        let ontology = read(&lines);
        let graph = Graph::new(&ontology, GraphKind::Ava);
        let extraction = extract(&graph);
        let mut expected = BTreeSet::new();
        for seed in graph.seeds() {
            let joined = |node: u32| {
                graph.edges().iter().filter_map(move |edge| match (edge.subject == node, edge.object == node) {
                    (true, _) => Some(edge.object),
                    (_, true) => Some(edge.subject),
                    _ => None,
                })
            };
            let mut around = BTreeSet::from([seed]);
            for _ in 0..2 {
                around = around.iter().flat_map(|node| joined(*node).chain([*node])).collect();
            }
            if NODES.contains(&around.len()) {
                expected.insert(around.into_iter().collect::<Vec<u32>>());
            }
        }
        let found: BTreeSet<Vec<u32>> = extraction.found.iter().map(|found| found.nodes.clone()).collect();
        prop_assert_eq!(found.len(), extraction.found.len());
        prop_assert_eq!(found, expected);
        let ids: BTreeSet<&str> = extraction.found.iter().map(|found| found.id.as_str()).collect();
        prop_assert_eq!(ids.len(), extraction.found.len());
    }

    #[test]
    fn closures_agree_with_themselves(lines in lines()) {
        let ontology = read(&lines);
        let closure = Closure::new(&ontology);
        let classes: Vec<_> = ontology.classes().collect();
        for a in &classes {
            let above = closure.ancestors(*a);
            for b in &classes {
                prop_assert_eq!(a == b || above.contains(b), closure.is_under(*a, *b));
                prop_assert_eq!(closure.descendants(*b).contains(a), above.contains(b));
                prop_assert_eq!(closure.are_disjoint(*a, *b), closure.are_disjoint(*b, *a));
                // Whoever is under one of two disjoint classes is disjoint from the other.
                for c in &classes {
                    if closure.is_under(*a, *b) && closure.are_disjoint(*b, *c) {
                        prop_assert!(closure.are_disjoint(*a, *c));
                    }
                }
            }
        }
    }

    #[test]
    fn any_text_is_an_ontology_or_an_error_in_its_place(text in "(\\[Term\\]\n|id: X:[0-9]\n|is_a: [X:0-9 \"!{}\\\\]{0,8}\n|def: [\"a\\\\]{0,5}\n|\\PC{0,10}|\r|\\\\\n){0,12}") {
        for file in ["a.obo", "a.ttl", "a.owl", "a.nt", "a.nq", "a.trig"] {
            match Ontology::read(file, text.as_bytes()) {
                Ok(ontology) => {
                    let lines = text.lines().count().max(text.matches('\r').count() + 1) + text.matches('\n').count();
                    for skipped in ontology.skipped() {
                        prop_assert!(skipped.line >= 1 && skipped.column >= 1 && (skipped.line as usize) <= lines + 1);
                    }
                    written(&ontology, GraphKind::Full);
                }
                Err(error) => prop_assert!(error.position() >= (1, 1)),
            }
        }
    }
}
