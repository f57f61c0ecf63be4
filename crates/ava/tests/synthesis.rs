//! Triplets by rule: what they are made of. That no negative follows from the ontology is seen in `negatives.rs`.

#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use std::collections::BTreeSet;

use ava::{FilterOptions, Made, Perturbation, Rules, Triplet, Unmade, filter, read_reply};
use ontology::{Graph, GraphKind, Ontology, extract, subgraph};
use proptest::prelude::*;

const PREFIXES: &str = "@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n";

fn read(file: &str) -> Ontology {
    Ontology::read("case.ttl", format!("{PREFIXES}{file}").as_bytes()).unwrap()
}

/// What is made of every subgraph, in order.
fn made(ontology: &Ontology, kind: GraphKind) -> Vec<Made> {
    let graph = Graph::new(ontology, kind);
    let mut rules = Rules::new(ontology);
    let found = extract(&graph).found;
    found
        .iter()
        .map(|found| rules.make(&subgraph(&graph, found, "case")))
        .collect()
}

fn triplets(ontology: &Ontology, kind: GraphKind) -> Vec<Triplet> {
    let made = made(ontology, kind).into_iter();
    made.flat_map(|made| made.triplets).collect()
}

const ANATOMY: &str = "
:organ a owl:Class . :tool a owl:Class ; owl:disjointWith :organ . :chest a owl:Class . :belly a owl:Class .
:heart a owl:Class ; rdfs:subClassOf :organ, [ a owl:Restriction ; owl:onProperty :within ; owl:someValuesFrom :chest ] .
:lung a owl:Class ; rdfs:subClassOf :organ . :liver a owl:Class ; rdfs:subClassOf :organ .
:within a owl:ObjectProperty . :beside a owl:ObjectProperty .";

#[test]
fn every_kind_of_perturbation_is_made_and_every_triplet_outlives_the_filter() {
    let ontology = read(ANATOMY);
    let set = triplets(&ontology, GraphKind::Ava);
    let kinds: BTreeSet<Perturbation> = set
        .iter()
        .map(|triplet| triplet.perturbation.clone().unwrap())
        .collect();
    assert_eq!(kinds.len(), 5, "{kinds:?}");
    for triplet in &set {
        assert_eq!(triplet.generator.as_deref(), Some("rules"));
        assert_eq!(triplet.source.as_deref(), Some("case"));
        assert!(triplet.subgraph_id.as_ref().unwrap().starts_with("bfs_"));
    }
    let count = set.len();
    assert!(count >= 10, "{count}");
    let filtered = filter(set, &FilterOptions::default());
    assert_eq!(filtered.counts.kept, count);
}

#[test]
fn five_triplets_a_subgraph_where_the_axioms_allow_it_and_reasons_where_not() {
    let ontology = read(ANATOMY);
    for made in made(&ontology, GraphKind::Ava) {
        assert!(made.triplets.len() <= 5);
        assert!(
            made.triplets.len() == 5 || !made.unmade.is_empty(),
            "{made:?}"
        );
    }
    // Every statement about a class that can have no member is true.
    let empty = read(
        ":a a owl:Class ; owl:disjointWith :b . :b a owl:Class .
         :c a owl:Class ; rdfs:subClassOf :a, :b .",
    );
    for made in made(&empty, GraphKind::Ava) {
        assert_eq!(made.unmade[&Unmade::MayBeEmpty], 2);
        let about_c = |text: &str| text.split([' ', '.']).any(|word| word == "c");
        assert!(
            !made
                .triplets
                .iter()
                .any(|triplet| about_c(&triplet.negative))
        );
    }
}

#[test]
fn a_second_run_makes_the_same_and_no_anchor_comes_twice() {
    let (first, second) = (read(ANATOMY), read(ANATOMY));
    let set = triplets(&first, GraphKind::Full);
    assert_eq!(set, triplets(&second, GraphKind::Full));
    let anchors: BTreeSet<&str> = set.iter().map(|triplet| triplet.anchor.as_str()).collect();
    assert_eq!(anchors.len(), set.len());
}

#[test]
fn a_negative_that_is_true_of_a_homonym_is_refused() {
    // What is said of one `bank` is no lie, since the other one has the name too.
    let ontology = read(
        ":bank1 a owl:Class ; rdfs:label \"bank\" ; rdfs:subClassOf :institution .
         :bank2 a owl:Class ; rdfs:label \"Bank\" ; rdfs:subClassOf :landform .
         :institution a owl:Class ; rdfs:subClassOf :thing . :landform a owl:Class ; rdfs:subClassOf :thing .
         :thing a owl:Class .",
    );
    let set = triplets(&ontology, GraphKind::Ava);
    assert!(!set.is_empty());
    let lie = [
        "Every bank is a kind of landform.",
        "Every Bank is a kind of institution.",
    ];
    assert!(
        !set.iter()
            .any(|triplet| lie.contains(&triplet.negative.as_str()))
    );
}

#[test]
fn a_class_that_a_bound_over_several_steps_leaves_empty_is_in_no_triplet() {
    // Whatever is within the box is within the crate, which holds nothing but tools, and a stone is none.
    let ontology = read(
        ":within a owl:ObjectProperty, owl:TransitiveProperty .
         :tool a owl:Class ; owl:disjointWith :stone . :stone a owl:Class . :thing a owl:Class .
         :lid a owl:Class ; rdfs:subClassOf :thing . :lock a owl:Class ; rdfs:subClassOf :thing, :tool .
         :box a owl:Class ; rdfs:subClassOf :thing, [ owl:onProperty :within ; owl:someValuesFrom :stone ] .
         :crate a owl:Class ; rdfs:subClassOf :thing, [ owl:onProperty :within ; owl:someValuesFrom :box ],
           [ owl:onProperty :within ; owl:allValuesFrom :tool ] .",
    );
    let set = triplets(&ontology, GraphKind::Ava);
    assert!(set.len() >= 5, "{set:?}");
    for triplet in set {
        let texts = [&triplet.anchor, &triplet.negative];
        assert!(
            !texts.iter().any(|text| text.contains("crate")),
            "{triplet:?}"
        );
    }
}

/// The beginnings and ends of what models write, and the characters on which a reader of it turns.
fn written() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{\"anchor\": \"a\", \"positive\": \"b\", \"negative\": \"c\"}".to_owned()),
        Just("{\"triplets\": [".to_owned()),
        Just("\"anchor\": ".to_owned()),
        Just("<think>".to_owned()),
        Just("</think>".to_owned()),
        "[\\[\\]{}\",:\\\\n\n a]{1,3}",
        ".{0,4}",
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// Whatever a model writes: triplets of three different texts, five at most, or why there are none.
    #[test]
    fn any_reply_is_read_or_refused(text in written()) {
        match read_reply(&text) {
            Ok(reply) => {
                prop_assert!((1..=5).contains(&reply.triplets.len()));
                for triplet in &reply.triplets {
                    let texts = [&triplet.anchor, &triplet.positive, &triplet.negative];
                    prop_assert!(texts.iter().all(|text| !text.trim().is_empty()));
                    prop_assert_eq!(texts.into_iter().collect::<BTreeSet<_>>().len(), 3);
                }
            }
            Err(why) => prop_assert!(!why.is_empty()),
        }
    }

    /// What stands around the array, as long as it holds no brace, changes nothing; nor does its being cut behind an entry.
    #[test]
    fn what_stands_around_the_array_changes_nothing(
        texts in proptest::collection::btree_set("[^\\p{C}\\p{Z}]([^\\p{C}]{0,20}[^\\p{C}\\p{Z}])?", 15),
        before in "[^{}<>\\p{C}]{0,20}",
        after in "[^{}<>\\p{C}]{0,20}",
        cut in 1_usize..=5,
    ) {
        let texts: Vec<String> = texts.into_iter().collect();
        let entries: Vec<String> = texts
            .chunks(3)
            .map(|texts| {
                let entry = Triplet {
                    anchor: texts[0].clone(),
                    positive: texts[1].clone(),
                    negative: texts[2].clone(),
                    ..Triplet::default()
                };
                serde_json::to_string(&entry).unwrap()
            })
            .collect();
        let plain = read_reply(&format!("[{}]", entries.join(", "))).unwrap();
        prop_assert!(!plain.mended && plain.flaws.is_empty());
        prop_assert_eq!(plain.triplets.len(), 5);
        let around = read_reply(&format!("{before}\n```json\n[{}]\n```{after}", entries.join(",\n"))).unwrap();
        prop_assert_eq!(&around.triplets, &plain.triplets);
        let broken = read_reply(&format!("[{}, {{\"anchor\": \"", entries[..cut].join(","))).unwrap();
        prop_assert_eq!(&broken.triplets[..], &plain.triplets[..cut]);
    }
}
