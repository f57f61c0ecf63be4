//! `reference`, `selfcheck` and `controls`: what runs keys.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Bench, assert_told};

#[test]
fn reference_as_json() {
    assert_told!(Bench::new().told("reference --tier heart --json"));
}

#[test]
fn reference_for_people_names_the_reconstruction() {
    let output = Bench::new().run("reference");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(
        text.contains("nde-expand_heart")
            && text.contains("data: reconstruction of published figures (embedded-reconstruction, release fixture-1)"),
        "{text}"
    );
}

#[test]
fn reference_writes_rows_with_a_note_of_where_they_come_from() {
    let bench = Bench::new();
    bench.json("reference --tier heart --out keys");
    assert_eq!(
        bench
            .read("keys/nde-expand_heart.reconstruction.csv")
            .replace("\r\n", "\n"),
        "name,condition,datasets\n\
         myocarditis,http://purl.obolibrary.org/obo/MONDO_3,4\n\
         vasculitis,http://purl.obolibrary.org/obo/MONDO_4,2\n\
         cardiac arrhythmia,http://purl.obolibrary.org/obo/MONDO_2,1\n"
    );
    let typed = bench.read_json("keys/nde-expand_heart.reconstruction.srj");
    assert_eq!(typed["results"]["bindings"][0]["condition"]["type"], "uri");
    let note = bench.read_json("keys/nde-expand_heart.provenance.json");
    assert_eq!(note["kind"], "reconstruction");
    assert_eq!(note["rows"], 3);
    assert_eq!(
        bench.read_json("keys/nde-exact_heart.provenance.json")["rows"],
        0
    );
}

#[test]
fn a_written_key_scores_as_the_record_does() {
    let bench = Bench::new();
    bench.json("reference --tier heart --out keys");
    let csv = "keys/nde-expand_heart.reconstruction.csv";
    for key in [
        "--key keys/nde-expand_heart.reconstruction.srj --ordered",
        "--record nde-expand_heart",
    ] {
        let score = bench.json(&format!("score {key} --answer {csv}"));
        assert_eq!(
            (&score["exact"], &score["ordered"]),
            (&json!(true), &json!(true)),
            "{key}"
        );
    }
}

#[test]
fn two_runs_give_the_same_hash() {
    let bench = Bench::new();
    let hashes = |run: serde_json::Value| -> Vec<String> {
        run.as_array()
            .unwrap()
            .iter()
            .map(|line| line["hash"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        hashes(bench.json("reference")),
        hashes(bench.json("reference"))
    );
}

#[test]
fn selfcheck_passes_on_a_sound_corpus() {
    assert_told!(Bench::new().told("selfcheck"));
}

#[test]
fn selfcheck_says_what_is_wrong_with_each_record() {
    assert_told!(
        Bench::new().told("selfcheck --corpus broken --snapshot benchmarks-ontology/snapshot")
    );
}

#[test]
fn selfcheck_as_json() {
    let bench = Bench::new();
    let report = bench.json("selfcheck");
    assert_eq!(report["passed"], true);
    assert_eq!(report["kind"], "reconstruction");
    assert_eq!(report["records"].as_array().unwrap().len(), 4);
    let failed =
        bench.run("selfcheck --corpus broken --snapshot benchmarks-ontology/snapshot --json");
    assert_eq!(failed.status.code(), Some(1));
}

#[test]
fn controls() {
    assert_told!(Bench::new().told("controls"));
}

#[test]
fn controls_as_json() {
    let lines = Bench::new().json("controls --tier heart");
    let keyword = &lines[1];
    for (field, expected) in [
        ("tier", json!("heart")),
        ("control", json!("B-keyword")),
        ("rows", json!(3)),
        ("key_rows", json!(3)),
        ("kept", json!(2)),
        ("missed", json!(1)),
        ("invented", json!(1)),
        ("changed", json!(0)),
        ("headline_ratio", json!(1.0)),
    ] {
        assert_eq!(keyword[field], expected, "{field}");
    }
    assert_eq!(lines[0]["verdict"], "collapses");
}

#[test]
fn a_snapshot_that_is_not_there_or_was_changed_is_refused() {
    let bench = Bench::new();
    assert_told!(bench.told("reference --corpus broken"));
    bench.write("benchmarks-ontology/snapshot/nde.trig", "");
    assert_told!(bench.told("reference --tier heart"));
    assert_eq!(bench.run("selfcheck").status.code(), Some(2));
    bench.write(
        "benchmarks-ontology/snapshot/manifest.json",
        "{\n  \"version\": 1,\n",
    );
    assert_eq!(bench.run("reference").status.code(), Some(2));
}

#[test]
fn a_key_whose_time_is_up_stops_and_the_next_one_runs() {
    let bench = Bench::new();
    let numbers: Vec<String> = (0..4000).map(|number| number.to_string()).collect();
    let numbers = numbers.join(" ");
    bench.write(
        "slow/nde-expand_a.rq",
        format!(
            "#+ summary: without end\nSELECT (COUNT(*) AS ?n) WHERE {{ VALUES ?a {{ {numbers} }} \
             VALUES ?b {{ {numbers} }} VALUES ?c {{ {numbers} }} VALUES ?d {{ {numbers} }} }}\n"
        ),
    );
    bench.write(
        "slow/nde-expand_b.rq",
        "#+ summary: at once\nSELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }\n",
    );
    let started = Instant::now();
    let output = bench
        .run("reference --corpus slow --snapshot benchmarks-ontology/snapshot --timeout 1 --json");
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(1));
    let lines: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(lines[0]["error"]["message"], "no answer within 1 s");
    assert_eq!(lines[1]["rows"], 1);
}

#[test]
fn a_snapshot_file_that_is_missing_is_told_once() {
    let bench = Bench::new();
    std::fs::remove_file(bench.path("benchmarks-ontology/snapshot/nde.trig")).unwrap();
    assert_told!(bench.told("reference"));
}

#[test]
fn a_key_that_does_not_parse_is_told_with_its_place() {
    let told =
        Bench::new().told("reference --corpus broken --snapshot benchmarks-ontology/snapshot");
    assert!(
        told.contains(
            "nde-expand_garbage: broken/nde-expand_garbage.rq:3:8: the key is not a SPARQL query"
        ),
        "{told}"
    );
}

#[test]
fn a_server_that_is_not_there_is_told_with_its_causes() {
    // Port 9 is "discard": nothing listens there.
    let output = Bench::new().run("reference --tier heart --endpoint http://127.0.0.1:9/");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("nde-expand_heart: cannot reach http://127.0.0.1:9/: ")
            && said.to_lowercase().contains("refused")
            && said.contains("data: none, http://127.0.0.1:9/ was not reached"),
        "{said}"
    );
}
