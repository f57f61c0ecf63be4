//! The published headline, recomputed.

use serde_json::{Value, json};

use crate::fixture::Bench;

#[test]
fn the_published_counts_come_out_and_obedience_is_told_apart_from_breakage() {
    let bench = Bench::new();
    bench.headline();
    let report = bench.json("compare runs-sonnet runs-opus runs-haiku --out out");
    let headline: Vec<Value> = report["arms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|arm| {
            let figures = &arm["figures"];
            let told = &figures["obedience"];
            json!([
                arm["run"],
                [figures["raw_exact"]["hits"], figures["raw_exact"]["of"]],
                [told["obeyed"]["hits"], told["obeyed"]["of"]],
                told["disobeyed"],
                told["unproven"],
                figures["infrastructure"],
            ])
        })
        .collect();
    assert_eq!(
        headline,
        [
            json!(["anthropic haiku high", [3, 12], [1, 11], 9, 1, 1]),
            json!(["anthropic opus high", [12, 12], [12, 12], 0, 0, 0]),
            json!(["anthropic sonnet high", [6, 12], [4, 11], 6, 1, 1]),
        ]
    );
    assert_eq!(report["kind"], "reconstruction");
    assert_eq!(
        (&report["seed"], &report["resamples"]),
        (&json!(1), &json!(10_000))
    );
    let sonnet = &report["arms"][2]["figures"];
    assert_eq!(
        sonnet["cost"],
        json!({ "usd": 3.0, "incomplete": true, "of": 12 })
    );
    assert_eq!(sonnet["soft_errors"], json!({ "sum": 1, "of": 12 }));
    assert_eq!(
        sonnet["agent_seconds"]["mean"],
        json!(90.0 / 11.0),
        "one attempt made no call"
    );
    assert!(sonnet["waiting_seconds"]["mean"].is_null());
}

#[test]
fn every_form_is_written_and_says_that_the_data_are_made_up() {
    let bench = Bench::new();
    bench.headline();
    bench.json("compare runs-sonnet runs-opus runs-haiku --out out");
    let page = bench.read("out/comparison.md");
    assert!(
        page.contains("| anthropic sonnet high | 6/12 | 4/11 | 0.09–0.78 | 4 | 6 | 1 | 1 |"),
        "{page}"
    );
    assert!(page.contains("reconstruction"));
    let arms = bench.read("out/arms.csv");
    assert_eq!(arms.lines().count(), 4);
    assert!(arms.starts_with("arm,sweep,records,asked,"));
    assert_eq!(bench.read("out/records.csv").lines().count(), 13);
    assert_eq!(bench.read("out/pairs.csv").lines().count(), 4);
    for chart in ["right-by-arm", "obedience", "right-by-record"] {
        let svg = bench.read(&format!("out/{chart}.svg"));
        assert!(
            svg.contains("<title") && svg.contains("<desc") && svg.contains("currentColor"),
            "{chart}"
        );
    }
    let stored: sweep::SweepComparison =
        serde_json::from_str(&bench.read("out/comparison.json")).unwrap();
    assert_eq!(stored.runs.len(), 3);
}

#[test]
fn neither_the_order_of_folders_nor_a_folder_around_them_changes_a_figure() {
    let bench = Bench::new();
    bench.headline();
    let one = bench.json("compare runs-sonnet runs-opus runs-haiku");
    assert_eq!(bench.json("compare runs-haiku runs-sonnet runs-opus"), one);
    assert_eq!(bench.json("compare ."), one);
}

#[test]
fn a_part_of_the_records_can_be_compared() {
    let bench = Bench::new();
    bench.headline();
    let part = bench.json("compare runs-opus --tier autoimmune --record nde-exact_metabolic");
    let records: Vec<&Value> = part["cells"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| &cell["record"])
        .collect();
    assert_eq!(records, ["nde-exact_autoimmune", "nde-exact_metabolic"]);
    let refusal = bench.refusal("compare runs-opus --tier ontology");
    assert!(
        refusal.contains("the tiers are autoimmune, cardiovascular, metabolic, musculoskeletal"),
        "{refusal}"
    );
}
