//! Finished runs of another harness.

use std::path::Path;

use serde_json::{Value, json};

use crate::fixture::Bench;

const ENDPOINT: &str = "https://example.org/federation/sparql";

fn source() -> String {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sweeps");
    fixtures.join("other-harness").display().to_string()
}

fn corpus() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    root.join("benchmarks-ontology").display().to_string()
}

#[test]
fn attempts_are_read_with_nothing_lost_and_nothing_made_up() {
    let bench = Bench::new();
    let imported = bench.json(&format!("import {} --out imported", source()));
    assert_eq!(
        (&imported["attempts"], &imported["records"]),
        (&json!(4), &json!(2))
    );
    assert_eq!(imported["facts"]["model"], "claude-opus-5");
    for unknown in ["corpus_hash", "provenance", "server", "agent", "timeout_s"] {
        assert_eq!(imported["facts"][unknown], Value::Null, "{unknown}");
    }
    assert_eq!(imported["unknown"]["cost"], 4);
    assert_eq!(imported["unknown"]["how it ended"], 1);

    let attempt: Value =
        serde_json::from_str(&bench.read("imported/nde-expand_autoimmune/1/attempt.json")).unwrap();
    assert_eq!(attempt["outcome"], "answered");
    assert_eq!(attempt["other"]["harness_version"], "0.9");
    assert_eq!(attempt["server_seconds"], 19.9);
    let source = source();
    for file in ["metrics.json", "calls.json", "answer.csv"] {
        let before =
            std::fs::read_to_string(format!("{source}/nde-expand_autoimmune/1/{file}")).unwrap();
        assert_eq!(
            bench.read(&format!("imported/nde-expand_autoimmune/1/source/{file}")),
            before,
            "{file}"
        );
    }
    let calls: Value =
        serde_json::from_str(&bench.read("imported/nde-expand_autoimmune/1/calls.json")).unwrap();
    assert_eq!(calls[0]["other"]["started_at"], "12:00:01");
}

#[test]
fn imported_attempts_are_compared_and_what_is_not_known_stays_out_of_rates() {
    let bench = Bench::new();
    let corpus = corpus();
    bench.json(&format!(
        "import {} --out imported --corpus {corpus} --endpoint {ENDPOINT} --build v1",
        source()
    ));
    let report = bench.json("compare imported");
    assert_eq!(report["kind"], "live");
    let cells: Vec<Value> = report["cells"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| {
            let figures = &cell["figures"];
            let count = |name: &str| figures[name].clone();
            json!([
                cell["record"],
                count("asked"),
                count("answered"),
                count("infrastructure"),
                count("unknown"),
                figures["raw_exact"]["hits"]
            ])
        })
        .collect();
    assert_eq!(
        cells,
        [
            json!(["nde-exact_autoimmune", 2, 1, 0, 1, 2]),
            json!(["nde-expand_autoimmune", 2, 1, 1, 0, 1]),
        ]
    );
    let exact = &report["cells"][0]["figures"];
    let obeyed = &exact["obedience"]["obeyed"];
    assert_eq!((&obeyed["hits"], &obeyed["of"]), (&json!(1), &json!(1)));
    assert_eq!(exact["evidence"]["attempts"]["literal-term"], 1);
    assert_eq!(
        report["cells"][1]["figures"]["evidence"]["attempts"]["property-path"],
        1
    );
}

#[test]
fn runs_of_unknown_data_stand_beside_no_others() {
    let bench = Bench::new();
    bench.headline();
    bench.json(&format!("import {} --out imported", source()));
    let refusal = bench.refusal("compare imported runs-opus --allow-mixed");
    assert!(
        refusal.contains(
            "results of different kinds never share a table: not known (claude-opus-5 high)"
        ),
        "{refusal}"
    );
    let alone = bench.json("compare imported");
    let notes = alone["notes"].as_array().unwrap();
    assert!(
        notes
            .iter()
            .any(|note| note == "server build: not known for any of these sweeps"),
        "{notes:?}"
    );
}

#[test]
fn what_cannot_be_imported_says_why() {
    let bench = Bench::new();
    bench.write("none/readme.txt", "");
    bench.write(
        "broken/nde-exact_sugar/1/metrics.json",
        "{\"exact\": maybe}",
    );
    bench.write("unnamed/x/1/calls.json", "[]");
    bench.write("two/nde-exact_sugar/1/metrics.json", r#"{"model": "a"}"#);
    bench.write("two/nde-exact_sugar/2/metrics.json", r#"{"model": "b"}"#);
    bench.write("twice/nde-exact_sugar/1/metrics.json", "{}");
    bench.write("twice/nde-exact_sugar/attempt-1/metrics.json", "{}");
    bench.write("full/x", "");
    for (line, expected) in [
        (
            "import nowhere --out out".to_owned(),
            "there is no folder nowhere",
        ),
        ("import none --out out".to_owned(), "none holds no attempt"),
        (
            "import broken --out out".to_owned(),
            "nde-exact_sugar/1/metrics.json:1:11: not JSON",
        ),
        (
            "import unnamed --out out".to_owned(),
            "x/1: nothing says which record was asked",
        ),
        (
            "import two --out out".to_owned(),
            "nde-exact_sugar/2 is of model b, the attempts before it of a",
        ),
        (
            "import twice --out out".to_owned(),
            "nde-exact_sugar/attempt-1 is attempt 1 at nde-exact_sugar, and so is nde-exact_sugar/1",
        ),
        (
            format!("import {} --out full", source()),
            "full is not empty",
        ),
        (
            format!("import {} --out out --model other", source()),
            "the command line is of model other",
        ),
    ] {
        let refusal = bench.refusal(&line);
        assert!(refusal.contains(expected), "{line}: {refusal}");
        assert!(refusal.contains("hint: "), "{line}: {refusal}");
        assert!(!bench.path("out").exists(), "{line}");
    }
}

#[test]
fn a_site_shows_only_what_was_judged_here() {
    let bench = Bench::new();
    bench.json(&format!("import {} --out imported", source()));
    let refusal = bench.refusal(&format!(
        "publish imported --out site --corpus {}",
        corpus()
    ));
    assert!(
        refusal.contains("imported was scored by another harness"),
        "{refusal}"
    );
}
