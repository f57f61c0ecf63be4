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

/// One file that cannot be read takes no other with it: neither from the list, nor from the keys, the controls and the lint.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_listed_with_that() {
    let bench = Bench::new();
    let gone = |place: &str| std::os::unix::fs::symlink("nowhere", bench.path(place)).unwrap();
    gone("benchmarks-ontology/nde-expand_gone.rq");
    gone("controls-ontology/heart/C-gone.rq");
    let listed = bench.json("corpus list");
    let ids: Vec<_> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|record| record["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), 5, "{ids:?}");
    let record = &listed[ids.iter().position(|id| *id == "nde-expand_gone").unwrap()];
    let problem = &record["problems"][0];
    assert_eq!(problem["rule"], "file-unreadable");
    assert!(
        problem["message"]
            .as_str()
            .unwrap()
            .starts_with("the file cannot be read: ")
    );
    // Its key is that record's failure, and the others have theirs.
    let said = bench.told("reference");
    assert!(
        said.contains("nde-expand_gone.rq:1:1: the file cannot be read"),
        "{said}"
    );
    assert!(said.contains("nde-expand_heart"), "{said}");
    let output = bench.run("lint benchmarks-ontology --json");
    assert_eq!(output.status.code(), Some(1));
    let findings: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let unreadable = findings.as_array().unwrap().iter();
    assert_eq!(
        unreadable
            .filter(|finding| finding["rule"] == "file-unreadable")
            .count(),
        1
    );
    // Named alone, it is a file that is not there.
    assert_eq!(
        bench
            .run("lint benchmarks-ontology/nde-expand_gone.rq")
            .status
            .code(),
        Some(2)
    );
    // A tier whose control cannot be read has no analysis, and says of which file that is.
    let said = bench.told("controls --tier heart");
    assert!(
        said.contains("C-gone.rq:1:1: the file cannot be read"),
        "{said}"
    );
    bench.json("controls --tier sugar");
}

/// What a manifest names is opened, so that it must not lead out of the snapshot's folder.
#[test]
fn a_manifest_that_leads_out_of_its_folder_is_refused_by_name() {
    let bench = Bench::new();
    let manifest = "benchmarks-ontology/snapshot/manifest.json";
    let text = bench.read(manifest);
    for file in [
        "../../secret.trig",
        "/etc/passwd",
        "a/../../b.trig",
        "C:/x.trig",
        "",
    ] {
        bench.write(
            manifest,
            text.replace("\"file\": \"nde.trig\"", &format!("\"file\": \"{file}\"")),
        );
        for line in [
            "reference",
            "federation serve --port 0 --snapshot benchmarks-ontology/snapshot",
        ] {
            let output = bench.run(line);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{line} {file}: {said}");
            assert!(
                said.contains(&format!("names the file `{file}`")),
                "{line} {file}: {said}"
            );
        }
    }
}
