//! `controls` and `criteria`: what a question's controls and its category are worth.

use serde_json::json;

use crate::harness::{Bench, assert_told};

#[test]
fn every_wrong_row_has_a_reason() {
    assert_told!(Bench::new().told("controls --tier heart --why"));
}

#[test]
fn an_analysis_as_json() {
    let lines = Bench::new().json("controls --tier heart");
    let keyword = &lines[1];
    assert_eq!(
        keyword["uncut"],
        json!({ "key_rows": 4, "kept": 2, "missed": 2, "invented": 1, "changed": 0 })
    );
    assert_eq!(keyword["identity"], "condition");
    assert_eq!(keyword["tau_b"], 1.0);
    let why = keyword["why"].as_array().unwrap();
    assert_eq!(why.len(), 2);
    assert_eq!(why[0]["fate"], "missed");
    assert_eq!(why[0]["reasons"][0]["in_closure"], true);
    assert_eq!(why[1]["reasons"][0]["matched"]["keyword"], "card");
    assert_eq!(why[1]["reasons"][0]["matched"]["after"], "iogenic");
    assert_eq!(why[1]["reasons"][0]["in_closure"], false);
}

#[test]
fn controls_are_derived_from_any_query() {
    let bench = Bench::new();
    let key = "benchmarks-ontology/nde-expand_heart.rq";
    bench.write("own/query.rq", bench.read(key));
    let lines = bench.json("controls --derive own/query.rq --keyword card --keyword heart");
    let written = bench.json("controls --tier heart");
    for (derived, written, name) in [
        (&lines[0], &written[0], "derived-literal"),
        (&lines[1], &written[1], "derived-keyword"),
    ] {
        assert_eq!(derived["control"], name);
        for field in ["rows", "kept", "missed", "invented", "fates", "why"] {
            assert_eq!(derived[field], written[field], "{name}: {field}");
        }
    }
    assert_eq!(lines[1]["name"]["rule"], "key");
    assert_eq!(lines[1]["keywords_from"], "given");
}

#[test]
fn a_derived_control_is_printed() {
    let line = "controls --derive benchmarks-ontology/nde-expand_heart.rq --keyword heart --print";
    assert_told!(Bench::new().told(line));
}

#[test]
fn what_has_no_derived_control_says_why() {
    let bench = Bench::new();
    assert_told!(bench.told("controls --derive benchmarks-ontology/nde-exact_heart.rq"));
    bench.write("own/broken.rq", "SELECT ?c WHERE {\n  ?c a\n}\n");
    assert_told!(bench.told("controls --derive own/broken.rq"));
    assert_told!(bench.told("controls --tier heart --identity colour"));
}

#[test]
fn criteria_of_a_record() {
    assert_told!(Bench::new().told("criteria nde-expand_heart"));
}

#[test]
fn criteria_as_json_with_the_queries_behind_them() {
    let report = Bench::new().json("criteria nde-expand_heart");
    assert_eq!(report["kind"], "reconstruction");
    assert_eq!(report["keywords"], json!(["card", "heart"]));
    let criteria = report["criteria"].as_array().unwrap();
    assert_eq!(criteria.len(), 7);
    let published = |wanted: bool| {
        let of = criteria.iter().filter(|c| c["published"] == wanted);
        of.map(|c| c["number"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (published(true), published(false)),
        (vec![1, 2, 3, 4, 7], vec![5, 6])
    );
    assert_eq!(criteria[0]["figure"], 3.0);
    assert!(
        criteria[0]["queries"][0]
            .as_str()
            .unwrap()
            .contains("MONDO_1>")
    );
    // Nothing in the fixture's second graph has a type.
    assert_eq!(criteria[6]["holds"], json!(null));
}

#[test]
fn criteria_of_a_candidate_are_those_of_its_record() {
    let bench = Bench::new();
    let record = bench.json("criteria nde-expand_heart");
    let line = "criteria --root http://purl.obolibrary.org/obo/MONDO_1 --graph nde --graph oard-kg";
    let candidate = bench.json(&format!("{line} --keyword card --keyword heart"));
    // The fixture's hierarchy has no labels, so no candidate has a name: only what needs none can be compared.
    for place in [0, 1] {
        assert_eq!(
            record["criteria"][place]["figure"], candidate["criteria"][place]["figure"],
            "{place}"
        );
    }
}

#[test]
fn bad_criteria_are_usage_errors() {
    let bench = Bench::new();
    for line in [
        "criteria",
        "criteria nde-expand_heart --root MONDO_1 --graph nde",
        "criteria nowhere",
        "criteria nde-exact_heart",
        "criteria --root MONDO_1 --graph nde",
        "criteria search --ontology MONDO --graph nde",
        "criteria search --graph nde --graph oard-kg",
    ] {
        assert_eq!(bench.run(line).status.code(), Some(2), "{line}");
    }
    assert_told!(bench.told("criteria nde-exact_heart"));
    assert_told!(bench.told("criteria --root MONDO_1 --graph nde"));
}

#[test]
fn a_search_through_an_ontology_without_labels_finds_nothing_and_says_so() {
    let bench = Bench::new();
    let line = "criteria search --ontology MONDO --graph nde --graph oard-kg --rows 2";
    let report = bench.json(line);
    // Without labels there are no classes, and a class without a hierarchy is its own category.
    assert!(report["categories"].as_array().is_some());
    assert_eq!(report["density"]["holds"], true);
}
