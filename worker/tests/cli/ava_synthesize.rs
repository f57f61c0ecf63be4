//! `ava synthesize`.

use std::collections::BTreeSet;

use crate::harness::{Bench, assert_told};

pub(crate) const ANATOMY: &str = "\
[Term]
id: X:1
name: organ
disjoint_from: X:5

[Term]
id: X:2
name: heart
is_a: X:1
relationship: part_of X:4

[Term]
id: X:3
name: lung
is_a: X:1

[Term]
id: X:4
name: chest

[Term]
id: X:5
name: tool

[Typedef]
id: part_of
name: part of
";

const LINE: &str = "ava synthesize --subgraphs subgraphs --ontology anatomy.obo --out raw.json";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("anatomy.obo", ANATOMY);
    bench.json("ava extract --ontology anatomy.obo --out subgraphs");
    bench
}

#[test]
fn triplets_that_a_filter_takes_as_they_are() {
    let bench = bench();
    assert_told!(bench.told(LINE));
    let first = bench.read("raw.json");
    let records = bench.read_json("raw.json");
    let records = records.as_array().unwrap();
    let kinds: BTreeSet<&str> = records
        .iter()
        .map(|record| record["perturbation"].as_str().unwrap())
        .collect();
    assert_eq!(kinds.len(), 5, "{kinds:?}");
    for record in records {
        assert_eq!(record["generator"], "rules");
        assert_eq!(record["source"], "anatomy");
    }
    // A second run writes the same, from whichever folder the subgraphs are named by.
    for folder in ["subgraphs", "subgraphs/anatomy", "subgraphs/anatomy/bfs"] {
        let json = bench.json(&format!(
            "ava synthesize --subgraphs {folder} --ontology anatomy.obo --out again.json"
        ));
        assert_eq!(json["triplets"], records.len());
        assert_eq!(bench.read("again.json"), first);
    }
    let filtered = bench.json("ava filter --in raw.json --out set");
    assert_eq!(filtered["kept"], records.len());
}

/// What is answered about a subgraph is kept by its id, in the folder of answers and beside no other file of it.
#[test]
fn a_subgraph_whose_id_is_no_name_of_a_file_is_refused() {
    let bench = bench();
    let list = bench.read_json("subgraphs/anatomy/bfs/manifest.json");
    for id in ["../../x", "/tmp/x", "..", "condition", "Condition"] {
        let mut list = list.clone();
        list["subgraphs"][0]["subgraph_id"] = id.into();
        bench.write("subgraphs/anatomy/bfs/manifest.json", list.to_string());
        for more in ["", " --generator openai:m --base-url http://127.0.0.1:9/v1"] {
            let told = bench.told(&format!("{LINE}{more}"));
            assert!(
                told.contains(&format!(
                    "manifest.json has a subgraph `{id}`, by which no answer can be kept"
                )) && told.contains("exit 2"),
                "{told}"
            );
            let is_there =
                ["raw.json", "raw.answers", "x.json"].map(|name| bench.path(name).exists());
            assert_eq!(is_there, [false; 3], "{id}");
        }
    }
}

#[test]
fn what_cannot_be_read_is_refused_and_nothing_is_written() {
    let bench = bench();
    bench.write(
        "other.obo",
        "[Term]\nid: Y:1\nname: acre\n\n[Term]\nid: Y:2\nname: unit\n",
    );
    bench.write("broken/manifest.json", "{\n  \"ontology\": 7}\n");
    bench.write(
        "outside/manifest.json",
        r#"{"ontology": "x", "strategy": "bfs", "total": 1, "subgraphs": [{"subgraph_id": "x", "file": "../anatomy.obo", "triple_count": 1, "node_count": 3}]}"#,
    );
    bench.write(
        "beyond.ttl",
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
         <http://e/A> a owl:Class . owl:topObjectProperty rdfs:subPropertyOf <http://e/p> .",
    );
    for (case, subgraphs, ontology) in [
        ("no folder", "none", "anatomy.obo"),
        ("another name", "subgraphs", "other.obo"),
        ("another ontology", "subgraphs/anatomy", "other.obo"),
        ("nothing to deny", "subgraphs/anatomy", "beyond.ttl"),
        ("broken", "broken", "anatomy.obo"),
        ("outside", "outside", "anatomy.obo"),
        ("no ontology", "subgraphs", "none.obo"),
    ] {
        let line =
            format!("ava synthesize --subgraphs {subgraphs} --ontology {ontology} --out new.json");
        assert_eq!(bench.run(&line).status.code(), Some(2), "{case}");
        assert!(!bench.path("new.json").exists(), "{case}");
        insta::allow_duplicates! {
            insta::with_settings!({ snapshot_suffix => case.replace(' ', "-") }, {
                assert_told!(bench.told(&line));
            });
        }
    }
}

/// Nothing can be made of axioms about what may be empty, in the very file that the subgraphs were cut from.
#[test]
fn a_file_of_which_nothing_can_be_made_is_not_told_to_be_another() {
    let bench = Bench::new();
    bench.write(
        "own.ttl",
        "@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a owl:Class ; rdfs:subClassOf :b . :c a owl:Class ; rdfs:subClassOf :b .
:b a owl:Class ; owl:equivalentClass [ owl:oneOf ( :i ) ] .
:p a owl:ObjectProperty ; rdfs:domain [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :b ] .",
    );
    bench.json("ava extract --ontology own.ttl --out subgraphs");
    let made =
        bench.json("ava synthesize --subgraphs subgraphs --ontology own.ttl --out triplets.json");
    assert_eq!(made["triplets"], 0, "{made}");
    let unmade = &made["generators"][0]["unmade"];
    assert!(
        unmade["not-asserted"].is_u64() && unmade["may-be-empty"].is_u64(),
        "{made}"
    );
}
