//! `ava align`: alignments in, and what of them counts.

use std::fs;

use serde_json::json;

use crate::harness::Bench;
use crate::models::{SMALL, bench};
use crate::models_input::refused;

fn alignment(cells: &[(&str, &str, &str)]) -> String {
    let cells: Vec<String> = cells
        .iter()
        .map(|(first, second, relation)| {
            format!(
                "<map><Cell><entity1 rdf:resource=\"{first}\"/><entity2 rdf:resource=\"{second}\"/><relation>{relation}</relation></Cell></map>"
            )
        })
        .collect();
    format!(
        "<RDF xmlns:rdf=\"r\">\n<Alignment>{}</Alignment></RDF>",
        cells.concat()
    )
}

#[test]
fn an_alignment_that_was_found_elsewhere_is_scored_as_a_set() {
    let bench = Bench::new();
    bench.write("truth.rdf", alignment(&[("a", "b", "=")]));
    bench.write("found.rdf", alignment(&[("a", "b", "="), ("a", "b", "=")]));
    let align = "ava align --predictions found.rdf --reference truth.rdf";
    let found = bench.json(align);
    for (key, expected) in [
        ("hits", json!(1)),
        ("predictions", json!(1)),
        ("reference", json!(1)),
        ("precision", json!(100.0)),
        ("recall", json!(100.0)),
        ("f1", json!(100.0)),
        ("predictions_repeated", json!(1)),
        ("predictions_others", json!({})),
        ("reference_repeated", json!(0)),
        ("task", json!("truth")),
        ("model", json!("found")),
        ("top_k", json!(null)),
    ] {
        assert_eq!(found[key], expected, "{key}");
    }
    let bytes = fs::read(bench.path("found.rdf")).unwrap();
    assert_eq!(found["revision"], worker::encoder::sha256(&bytes));
    let told = bench.told(align);
    for words in [
        "1 of 1 predicted pairs are among the 1 of the reference",
        "1 cell of the predictions that repeats another counts once",
    ] {
        assert!(told.contains(words), "{told}");
    }

    // What is no equivalence is told and not judged, on either side.
    bench.write(
        "found.rdf",
        alignment(&[
            ("a", "b", "="),
            ("c", "d", "="),
            ("e", "f", "&lt;"),
            ("g", "h", "%"),
            ("i", "j", "="),
            ("k", "l", "="),
        ]),
    );
    bench.write(
        "truth.rdf",
        alignment(&[
            ("a", "b", "fr.inrialpes.exmo.align.impl.rel.EquivRelation"),
            ("c", "d", "?"),
            ("e", "f", "="),
            ("i", "j", "%"),
            ("k", "l", "SubsumedBy"),
            ("m", "n", "~&gt;"),
            ("o", "p", "%"),
        ]),
    );
    let found = bench.json(&format!("{align} --task T --name M --tuning DPO"));
    for (key, expected) in [
        ("hits", json!(1)),
        ("predictions", json!(3)),
        ("reference", json!(2)),
        ("ignored", json!(1)),
        ("subsumptions", json!(1)),
        ("predictions_repeated", json!(0)),
        ("predictions_others", json!({"<": 1, "%": 1})),
        ("reference_others", json!({"%": 2, "~>": 1})),
        ("task", json!("T")),
        ("model", json!("M")),
        ("tuning", json!("DPO")),
    ] {
        assert_eq!(found[key], expected, "{key}");
    }
    let told = bench.told(align);
    for words in [
        "cells of other relations in the predictions: 1 %, 1 <; equivalences alone are judged",
        "cells of other relations in the reference: 2 %, 1 ~>; they count for nothing",
    ] {
        assert!(told.contains(words), "{told}");
    }
    bench.write("al.json", found.to_string());
    let table = bench.told("ava table --kind alignment al.json");
    assert!(table.contains("| T | M | DPO | ours | 2 | – |"), "{table}");
}

#[test]
fn what_cannot_be_aligned_or_scored_says_why() {
    let bench = bench();
    bench.write("small.obo", SMALL);
    bench.write("truth.rdf", alignment(&[("a", "b", "=")]));
    bench.write("odd.rdf", alignment(&[("a", "b", "="), ("a", "b", "near")]));
    bench.write("entity.rdf", alignment(&[("&o;a", "b", "=")]));
    let of = |options: &str| format!("ava align --reference truth.rdf {options}");
    let model = "--source small.obo --target small.obo --model model";
    for (line, words) in [
        (
            of("--predictions odd.rdf"),
            "odd.rdf:2:117: the relation of this cell is `near`: one of =, <, >, ?, %, ~>, InstanceOf, HasInstance, or its name",
        ),
        (
            of("--predictions entity.rdf"),
            "entity.rdf:2:23: the entity `&o;` is not declared in this file",
        ),
        (
            of("--predictions truth.rdf").replace("truth.rdf --p", "odd.rdf --p"),
            "odd.rdf:2:117",
        ),
        (of("--predictions none.rdf"), "none.rdf"),
    ] {
        refused(&bench, &line, words);
    }
    // What clap says has no hint.
    for (options, words) in [
        ("", "--source"),
        ("--source small.obo --target small.obo", "--model"),
        (
            "--predictions truth.rdf --model model",
            "cannot be used with",
        ),
        ("--predictions truth.rdf --out o.rdf", "cannot be used with"),
        ("--predictions truth.rdf --top-k 2", "cannot be used with"),
    ] {
        let told = bench.told(&of(options));
        assert!(
            told.contains("\nexit 2\n") && told.contains(words),
            "{told}"
        );
    }
    for threshold in ["nan", "inf", "-inf", "1e39", "x"] {
        let told = bench.told(&of(&format!("{model} --threshold={threshold}")));
        assert!(
            told.contains("\nexit 2\n") && told.contains("number, such as 0.5"),
            "{told}"
        );
    }
    let kept = bench.json(&of(&format!("{model} --threshold=-1")));
    assert_eq!(
        (&kept["predictions"], &kept["threshold"]),
        (&json!(3), &json!(-1.0))
    );
}
