//! Subgraphs: which nodes they have, which are kept, and what they are called.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use ontology::{Extraction, Graph, GraphKind, Ontology, Subgraph, extract, subgraph};
use std::fmt::Write as _;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Classes joined by `rdfs:subClassOf`, from pairs of child and parent.
fn tree(pairs: &[(u32, u32)]) -> Ontology {
    let mut text = String::new();
    for (child, parent) in pairs {
        for class in [child, parent] {
            let _ = writeln!(
                text,
                "<http://e/{class}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class> ."
            );
        }
        let _ = writeln!(
            text,
            "<http://e/{child}> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://e/{parent}> ."
        );
    }
    Ontology::read("tree.nt", text.as_bytes()).unwrap()
}

fn extracted(ontology: &Ontology) -> (Graph<'_>, Extraction) {
    let graph = Graph::new(ontology, GraphKind::Ava);
    let extraction = extract(&graph);
    (graph, extraction)
}

/// Seed and nodes of each subgraph, by local name.
fn cut(ontology: &Ontology) -> Vec<(String, Vec<String>)> {
    let (graph, extraction) = extracted(ontology);
    let name = |node: &u32| ontology::local_name(graph.iri(*node)).to_owned();
    extraction
        .found
        .iter()
        .map(|found| (name(&found.seed), found.nodes.iter().map(name).collect()))
        .collect()
}

/// The public code has a subgraph of three nodes here, whatever stands as the property.
#[test]
fn a_restriction_over_a_property_without_a_name_is_an_edge() {
    for property in [
        "owl:onProperty [ owl:inverseOf :p ] ;",
        "owl:onProperty [] ;",
        "",
    ] {
        let text = format!(
            "@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
             @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
             :A a owl:Class . :B a owl:Class . :C a owl:Class .
             :A rdfs:subClassOf :C , [ {property} owl:someValuesFrom :B ] ."
        );
        let ontology = Ontology::read("case.ttl", text.as_bytes()).unwrap();
        let (graph, extraction) = extracted(&ontology);
        let ids: Vec<_> = extraction.found.iter().map(|found| &*found.id).collect();
        assert_eq!(ids, ["bfs_6fe3044f"], "{property}");
        let written = subgraph(&graph, &extraction.found[0], "case");
        let triples: Vec<_> = written
            .triples
            .iter()
            .map(|triple| (&*triple.predicate, &*triple.predicate_label))
            .collect();
        assert_eq!(
            triples,
            [
                (
                    "http://www.w3.org/2000/01/rdf-schema#subClassOf",
                    "subClassOf"
                ),
                (
                    "http://www.w3.org/2002/07/owl#someValuesFrom",
                    "someValuesFrom"
                ),
            ],
            "{property}"
        );
    }
}

#[test]
fn two_hops_in_either_direction() {
    // 1 <- 2 <- 3 <- 4 <- 5: the ends reach three classes, 3 reaches all.
    let chain = tree(&[(2, 1), (3, 2), (4, 3), (5, 4)]);
    let nodes = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        cut(&chain),
        [
            ("1".to_owned(), nodes(&["1", "2", "3"])),
            ("2".to_owned(), nodes(&["1", "2", "3", "4"])),
            ("3".to_owned(), nodes(&["1", "2", "3", "4", "5"])),
            ("4".to_owned(), nodes(&["2", "3", "4", "5"])),
            ("5".to_owned(), nodes(&["3", "4", "5"])),
        ]
    );
}

#[test]
fn three_to_twenty_nodes_are_kept_and_none_is_cut_down() {
    for (children, kept) in [(1, 0), (2, 1), (19, 1), (20, 0)] {
        let pairs: Vec<(u32, u32)> = (1..=children).map(|child| (child, 0)).collect();
        let star = tree(&pairs);
        let (_, extraction) = extracted(&star);
        let seeds = children as usize + 1;
        assert_eq!(extraction.found.len(), kept, "{children} children");
        assert_eq!(extraction.seeds, seeds);
        assert_eq!(
            kept + extraction.too_small + extraction.too_large + extraction.duplicates,
            seeds,
            "every seed is accounted for"
        );
        // All of a star is around each of its nodes, and the first by IRI is the seed.
        let seeds: Vec<u32> = extraction.found.iter().map(|found| found.seed).collect();
        assert_eq!(seeds, vec![0; kept]);
    }
}

#[test]
fn the_identifier_is_the_start_of_a_digest() {
    let ontology = tree(&[(2, 1), (3, 1)]);
    let (_, extraction) = extracted(&ontology);
    // md5("http://e/1,http://e/2,http://e/3")
    assert_eq!(extraction.found[0].id, "bfs_1e267db4");
    assert_eq!(extraction.collisions, []);
}

#[test]
fn two_subgraphs_with_one_identifier_are_both_kept() {
    // The digests of these two chains begin with the same eight digits.
    let mut text = String::new();
    for chain in ["103890", "114839"] {
        for (name, parent) in [("a", "b"), ("b", "c"), ("c", "d")] {
            let _ = writeln!(
                text,
                "<http://e/{chain}_{name}> a <http://www.w3.org/2002/07/owl#Class> ."
            );
            if parent != "d" {
                let _ = writeln!(
                    text,
                    "<http://e/{chain}_{name}> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://e/{chain}_{parent}> ."
                );
            }
        }
    }
    let ontology = Ontology::read("chains.ttl", text.as_bytes()).unwrap();
    let (_, extraction) = extracted(&ontology);
    let ids: Vec<&str> = extraction
        .found
        .iter()
        .map(|found| found.id.as_str())
        .collect();
    assert_eq!(ids, ["bfs_f9f590c5", "bfs_f9f590c5a93d"]);
    assert_eq!(extraction.collisions.len(), 1);
    let collision = &extraction.collisions[0];
    assert_eq!(
        (&*collision.shared_id, &*collision.given_id),
        (ids[0], ids[1])
    );
    assert_eq!(collision.seed, "http://e/114839_a");
}

#[test]
fn a_subgraph_is_written_and_read_back() {
    let ontology =
        Ontology::read("anatomy.ttl", include_bytes!("../test_data/anatomy.ttl")).unwrap();
    for (kind, expected) in [
        (
            GraphKind::Ava,
            include_str!("../test_data/anatomy.ava.json"),
        ),
        (
            GraphKind::Full,
            include_str!("../test_data/anatomy.full.json"),
        ),
    ] {
        let graph = Graph::new(&ontology, kind);
        let extraction = extract(&graph);
        let subgraph = subgraph(&graph, &extraction.found[0], "anatomy");
        let json = subgraph.to_json();
        assert_eq!(String::from_utf8_lossy(&json), expected, "{kind}");
        let read: Subgraph<'static> = serde_json::from_slice(&json).unwrap();
        assert_eq!(read, subgraph);
    }
}
