//! `corpus list` and `corpus show`.

use crate::harness::{Bench, assert_told};

#[test]
fn list() {
    assert_told!(Bench::new().told("corpus list"));
}

#[test]
fn list_as_json() {
    assert_told!(Bench::new().told("corpus list --tier sugar --json"));
}

#[test]
fn every_record_is_listed_whatever_its_problems() {
    assert_told!(Bench::new().told("corpus list --corpus broken"));
}

#[test]
fn a_tier_that_no_record_has_lists_those_that_there_are() {
    assert_told!(Bench::new().told("corpus list --tier ontology"));
}

#[test]
fn show() {
    assert_told!(Bench::new().told("corpus show nde-exact_heart"));
}

#[test]
fn show_as_json() {
    let shown = Bench::new().json("corpus show nde-expand_heart");
    assert_eq!(shown["pair"], "nde-exact_heart");
    assert_eq!(
        shown["columns"],
        serde_json::json!(["name", "condition", "datasets"])
    );
    assert!(
        shown["query"]
            .as_str()
            .unwrap()
            .starts_with("PREFIX schema:")
    );
}

#[test]
fn a_record_that_is_not_there_lists_those_that_are() {
    assert_told!(Bench::new().told("corpus show nde-expand_lungs"));
}

#[test]
fn a_folder_that_is_no_corpus_says_so() {
    let bench = Bench::new();
    assert_told!(bench.told("corpus list --corpus nowhere"));
    assert_eq!(
        bench
            .run("corpus list --corpus controls-ontology")
            .status
            .code(),
        Some(2)
    );
    assert_eq!(
        bench.run("corpus list --controls nowhere").status.code(),
        Some(2)
    );
}
