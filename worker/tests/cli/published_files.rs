//! What others published: their pairs of ontologies aligned, and the figures of all-MiniLM-L6-v2 on them.
//!
//! `OKN_PUBLISHED_DATA` names the folder with the ontologies, `OKN_ENCODER_MODEL` that of the model. `cargo xtask test` says
//! in its closing table what was skipped without them.

#![expect(
    clippy::print_stdout,
    reason = "a test that has nothing to check says so"
)]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::Bench;

/// The weights of all-MiniLM-L6-v2 in single precision.
const MINILM: &str = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db";

/// The folder with the published files.
fn data() -> Option<PathBuf> {
    let data = std::env::var_os("OKN_PUBLISHED_DATA");
    if data.is_none() {
        println!("SKIPPED: OKN_PUBLISHED_DATA names no folder with the published ontologies");
    }
    data.map(PathBuf::from)
}

/// That folder, and the one with a model.
fn data_and_model() -> Option<(PathBuf, OsString)> {
    let data = data()?;
    let model = std::env::var_os("OKN_ENCODER_MODEL");
    if model.is_none() {
        println!("SKIPPED: OKN_ENCODER_MODEL names no folder with all-MiniLM-L6-v2");
    }
    Some((data, model?))
}

/// What the program prints as JSON, and must.
fn told(command: &mut Command) -> Value {
    let output = command.arg("--json").output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The files of a pair: source, target, reference.
fn pair(data: &Path, name: &str, ending: &str) -> [PathBuf; 3] {
    let folder = data.join("alignment").join(name);
    [
        format!("source.{ending}"),
        format!("target.{ending}"),
        "reference.xml".to_owned(),
    ]
    .map(|file| folder.join(file))
}

fn align(bench: &Bench, [source, target, reference]: &[PathBuf; 3], model: &OsString) -> Value {
    let mut command = bench.command("ava align --top-k 1 --out found.rdf");
    command.arg("--source").arg(source);
    command.arg("--target").arg(target);
    command.arg("--reference").arg(reference);
    told(command.arg("--model").arg(model))
}

/// The same by a script that shares no code with the program.
fn counted_again(bench: &Bench, files: &[PathBuf; 3], trigrams: bool) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/published/check.py");
    let mut command = Command::new("python3");
    command.arg(script).args(files).arg(bench.path("found.rdf"));
    command.args(trigrams.then_some("trigrams"));
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Aligns every published pair, and holds the counts against the files' own and against the script's.
fn every_pair(data: &Path, model: &OsString) {
    let trigrams = model == "baseline:trigrams";
    for (name, ending, [source, target, reference]) in [
        ("cmt-conference", "xml", [29, 59, 15]),
        ("bank-fibo", "rdf", [32, 53, 31]),
        ("mouse-human", "xml", [2743, 3304, 1516]),
    ] {
        let bench = Bench::new();
        let files = pair(data, name, ending);
        let found = align(&bench, &files, model);
        let counts = ["source_classes", "target_classes", "reference"];
        assert_eq!(
            counts.map(|key| found[key].clone()),
            [json!(source), json!(target), json!(reference)],
            "{name}"
        );
        // One nearest class for each of the source's.
        assert_eq!(found["predictions"], source, "{name}");
        assert!(found["hits"].as_u64().unwrap() > 0, "{name}: {found}");

        let again = counted_again(&bench, &files, trigrams);
        for key in counts.iter().chain(&["predictions", "hits"]) {
            assert_eq!(found[key], again[key], "{name}: {key}");
        }
        for key in ["precision", "recall", "f1"] {
            let difference = found[key].as_f64().unwrap() - again[key].as_f64().unwrap();
            assert!(difference.abs() < 1e-9, "{name}: {key} {found} {again}");
        }
        if trigrams {
            assert_eq!(again["farther"], json!([]), "{name}");
        }
    }
}

#[test]
fn pairs_are_aligned_by_trigrams_as_a_script_of_few_lines_does_it() {
    let Some(data) = data() else { return };
    every_pair(&data, &OsString::from("baseline:trigrams"));
}

#[test]
fn pairs_are_aligned_by_a_model_and_counted_as_a_script_of_few_lines_does_it() {
    let Some((data, model)) = data_and_model() else {
        return;
    };
    every_pair(&data, &model);
}

#[test]
fn the_published_figures_of_all_minilm_l6_v2() {
    let Some((data, model)) = data_and_model() else {
        return;
    };
    let bench = Bench::new();
    let mut command = bench.command("ava taxonomy --top-k 1");
    command.arg("--ontology");
    command.arg(data.join("taxonomy/schemaorg-28.1.owl"));
    let taxonomy = told(command.arg("--model").arg(&model));
    if taxonomy["revision"] != MINILM {
        println!("SKIPPED: {} is another model", Path::new(&model).display());
        return;
    }
    let counts = ["correct", "predicted", "ground_truth"];
    assert_eq!(
        counts.map(|key| taxonomy[key].clone()),
        [json!(89), json!(1384), json!(1058)]
    );
    // Published with three figures.
    let f1 = taxonomy["f1"].as_f64().unwrap();
    assert!((f1 - 0.0729).abs() < 5e-5, "{taxonomy}");

    let aligned = align(&bench, &pair(&data, "mouse-human", "xml"), &model);
    let counts = ["hits", "predictions", "reference"];
    assert_eq!(
        counts.map(|key| aligned[key].clone()),
        [json!(1291), json!(2743), json!(1516)]
    );
    for (key, published) in [("precision", 47.065), ("recall", 85.158), ("f1", 60.625)] {
        let found = aligned[key].as_f64().unwrap();
        assert!((found - published).abs() < 5e-4, "{key}: {aligned}");
    }
}
