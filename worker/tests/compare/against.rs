//! One sweep against an earlier one.

use serde_json::Value;

use crate::fixture::{Bench, How, said};

fn before_and_after() -> Bench {
    use How::{Expanded as No, Lost, Obeyed as Yes};
    let bench = Bench::new();
    let condition = bench.condition("opus");
    let before = [Yes, Yes, Yes, Yes, Yes, No, No, No, No, Yes, Yes, Yes];
    let after = [Yes, Yes, Yes, No, No, No, Yes, No, No, Lost, Lost, Lost];
    bench.sweep("before", &condition, before);
    bench.sweep("after", &condition, after);
    bench
}

#[test]
fn regressions_come_first_and_fail_the_check_when_asked_to() {
    let bench = before_and_after();
    let report = bench.json("compare after --against before --out out");
    let ways: Vec<(&str, &str)> = report["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| {
            (
                change["way"].as_str().unwrap(),
                change["record"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        ways,
        [
            ("regressed", "nde-exact_cardiovascular"),
            ("lost", "nde-exact_musculoskeletal"),
            ("improved", "nde-exact_metabolic"),
            ("unchanged", "nde-exact_autoimmune"),
        ]
    );
    assert!(
        bench
            .read("out/changes.csv")
            .contains("regressed,anthropic opus high,nde-exact_cardiovascular,exact,2,3,")
    );
    let page = bench.read("out/comparison.md");
    assert!(page.find("## Against the earlier sweep").unwrap() < page.find("## By arm").unwrap());

    let output = bench.run("compare after --against before --fail-on-regression");
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("2 records worse than before, or cannot be told any more"));
    let refusal = bench.refusal("compare after --against after");
    assert!(
        refusal.contains("anthropic opus high (after) was given twice"),
        "{refusal}"
    );
}

#[test]
fn the_two_sweeps_stand_side_by_side_too() {
    let bench = before_and_after();
    let report = bench.json("compare after --against before --seed 7");
    assert_eq!(report["seed"], 7);
    let pair = &report["pairs"][0];
    assert_eq!(pair["first"], "anthropic opus high (after)");
    assert_eq!(pair["second"], "anthropic opus high (before)");
    assert_eq!(
        pair["left_out"], 1,
        "the record whose attempts were all lost"
    );
    assert!(pair["mcnemar"]["p"].is_number());
    assert!(pair["right"]["low"].as_f64() <= pair["right"]["difference"].as_f64());
    assert_eq!(report["changes"].as_array().map(Vec::len), Some(4));
    assert_eq!(bench.json("compare after")["changes"], Value::Null);
}

#[test]
fn a_base_without_the_agent_is_refused() {
    let bench = before_and_after();
    let condition = bench.condition("haiku");
    bench.sweep("other", &condition, [How::Obeyed; 12]);
    let refusal = bench.refusal("compare after --against other");
    assert!(
        refusal.contains("other holds no sweep of any of these agents"),
        "{refusal}"
    );
}
