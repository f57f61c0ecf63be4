//! `ava evaluate`, `ava align` and `ava taxonomy`, with a small model of random weights.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use worker::encoder::{Encoder as _, LocalEncoder};

use crate::harness::{Bench, assert_told};

pub(crate) const TRIPLETS: &str = r#"{"anchor": "Every heart is an organ.", "positive": "A heart is a kind of organ.", "negative": "Every organ is a heart.", "source": "anatomy", "perturbation": "hierarchy-inversion"}
{"anchor": "The lung is part of the organ.", "positive": "Every lung is in an organ.", "negative": "The lung is not part of the organ.", "source": "anatomy"}
{"anchor": "A muscle cell is a cell.", "positive": "Every muscle cell is a kind of cell.", "negative": "A cell is a muscle cell.", "source": "cells"}
"#;

pub(crate) const SMALL: &str = "[Term]\nid: X:1\nname: organ\n\n[Term]\nid: X:2\nname: heart muscle\nis_a: X:1\n\n[Term]\nid: X:3\nname: lung\nis_a: X:1\n";

/// The fixtures, the triplets, and a model in the folder `model`.
pub(crate) fn bench() -> Bench {
    let bench = Bench::new();
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/encoders/bert");
    for file in [
        "modules.json",
        "config.json",
        "sentence_bert_config.json",
        "tokenizer.json",
        "model.safetensors",
        "1_Pooling/config.json",
    ] {
        bench.write(
            &format!("model/{file}"),
            fs::read(model.join(file)).unwrap(),
        );
    }
    bench.write("triplets.jsonl", TRIPLETS);
    bench
}

/// A `NumPy` file of single-precision rows.
pub(crate) fn npy(rows: &[[f32; 2]]) -> Vec<u8> {
    let header = format!(
        "{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, 2), }}\n",
        rows.len()
    );
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend(rows.iter().flatten().flat_map(|value| value.to_le_bytes()));
    bytes
}

#[test]
fn a_result_has_avas_figures_and_how_they_were_made() {
    let bench = bench();
    let evaluate = "ava evaluate --data triplets.jsonl --model model --out out/result.json";
    let first = bench.json(evaluate);
    assert_eq!(bench.read_json("out/result.json"), first);
    for member in [
        "triplet_accuracy",
        "MRR",
        "Recall@1",
        "hard_negative_acc",
        "best_threshold",
        "accuracy",
        "precision",
        "recall",
        "f1",
        "roc_auc",
        "avg_precision",
    ] {
        assert!(first["test"][member].is_number(), "{member}");
    }
    let overall = &first["details"]["overall"];
    assert_eq!(overall["triplets"], 3);
    let accuracy = overall["right"].as_f64().unwrap() / 3.0;
    assert_eq!(first["test"]["triplet_accuracy"], accuracy);
    assert!(overall["hard"].as_u64().unwrap() >= 1, "{overall}");
    assert_eq!(first["details"]["classification"]["threshold"], 0.5);
    assert_eq!(first["details"]["classification"]["origin"], "fixed");
    assert_eq!(first["details"]["by_ontology"][0]["name"], "anatomy");
    let run = &first["run"];
    assert_eq!(run["model"], "model");
    assert_eq!(run["prompts"], json!({"anchor": "", "others": ""}));
    assert_eq!(run["scored_here"], 3);
    assert_eq!(run["texts_computed"], 9);
    assert_eq!(run["texts_cached"], 0);
    let weights = fs::read(bench.path("model/model.safetensors")).unwrap();
    assert_eq!(run["revision"], worker::encoder::sha256(&weights));

    let again = bench.json(evaluate);
    assert_eq!(again["run"]["texts_cached"], 9);
    assert_eq!(again["test"], first["test"]);
    assert_eq!(again["details"], first["details"]);
    // Other weights are another revision, and nothing kept fits them.
    let settings = bench.read("model/1_Pooling/config.json");
    bench.write(
        "model/1_Pooling/config.json",
        settings
            .replace(
                "\"pooling_mode_mean_tokens\": true",
                "\"pooling_mode_mean_tokens\": false",
            )
            .replace(
                "\"pooling_mode_cls_token\": false",
                "\"pooling_mode_cls_token\": true",
            ),
    );
    assert_eq!(bench.json(evaluate)["run"]["texts_cached"], 0);
    assert_eq!(
        bench.json(&format!("{evaluate} --no-cache"))["run"]["texts_cached"],
        0
    );
    let table = bench.json("ava table out/result.json");
    assert_eq!(table["rows"][0]["triplet_accuracy"], accuracy);
}

#[test]
fn prompts_go_by_the_models_name_unless_they_are_given() {
    let bench = bench();
    let evaluate = "ava evaluate --data triplets.jsonl --model model --out r.json";
    let plain = bench.json(evaluate);
    let e5 = bench.json(&format!("{evaluate} --name e5-tiny"));
    assert_eq!(
        e5["run"]["prompts"],
        json!({"anchor": "query: ", "others": "passage: "})
    );
    assert_eq!(
        e5["run"]["texts_cached"], 0,
        "the prompt is part of the key"
    );
    assert_ne!(
        e5["details"]["classification"],
        plain["details"]["classification"]
    );
    let none = bench.json(&format!("{evaluate} --name e5-tiny --prompts none"));
    assert_eq!(none["details"], plain["details"]);
    bench.write("prompts.json", r#"{"anchor": "the "}"#);
    let given = bench.json(&format!("{evaluate} --prompts prompts.json"));
    assert_eq!(
        given["run"]["prompts"],
        json!({"anchor": "the ", "others": ""})
    );
}

#[test]
fn vectors_that_were_computed_elsewhere() {
    let bench = bench();
    // Cosines with the anchor: 1 and 0, 0 and 1, a tie.
    let rows = [
        [1.0, 0.0],
        [1.0, 0.0],
        [1.0, 0.0],
        [2.0, 0.0],
        [0.0, 1.0],
        [1.0, 1.0],
        [0.0, 3.0],
        [1.0, 0.0],
        [1.0, -1.0],
    ];
    bench.write("v.npy", npy(&rows));
    let evaluate = "ava evaluate --data triplets.jsonl --model vectors:v.npy --out r.json";
    let result = bench.json(evaluate);
    assert_eq!(result["details"]["overall"]["right"], 1);
    assert_eq!(result["details"]["overall"]["ties"], 1);
    assert_eq!(result["test"]["MRR"], (1.0 + 0.5 + 2.0 / 3.0) / 3.0);
    assert_eq!(result["run"]["prompts"], Value::Null);

    fs::remove_file(bench.path("r.json")).unwrap();
    let mut broken = rows;
    broken[4][1] = f32::NAN;
    bench.write("v.npy", npy(&broken));
    assert_told!(bench.told(evaluate));
    bench.write("v.npy", npy(&rows[..8]));
    assert_told!(bench.told(evaluate));
    assert!(!bench.path("r.json").exists());
}

/// A stored ratio counts as it stands; where it is not that of the texts, that is told.
#[test]
fn ratios_that_are_not_those_of_the_texts_are_counted() {
    let bench = bench();
    let [hard, soft] = ["an a b c d e f g", "nothing in common"];
    let record = |negative: &str, ratio: &str, generator: &str| {
        format!(
            "{{\"anchor\": \"an a b c d e f g\", \"positive\": \"p\", \"negative\": \"{negative}\", \"anchor_negaive_score\": {ratio}, \"generator\": \"{generator}\"}}\n"
        )
    };
    // In turn: as computed, hard only as stored, hard only as computed, another one on the same side, at the border.
    let records = [
        record(hard, "100.0", "rules"),
        record(soft, "95.0", "rules"),
        record(hard, "12.0", "rules"),
        record(hard, "99.0", "some-model"),
        record(soft, "90.0", "some-model"),
    ];
    bench.write("scored.jsonl", records.concat());
    let row = |right: bool| {
        if right {
            [[1.0, 0.0], [0.0, 1.0]]
        } else {
            [[0.0, 1.0], [1.0, 0.0]]
        }
    };
    let judged = [true, false, true, true, true].map(row);
    let anchors = [[1.0, 0.0]; 5];
    let rows: Vec<[f32; 2]> = anchors
        .into_iter()
        .chain(judged.map(|[positive, _]| positive))
        .chain(judged.map(|[_, negative]| negative))
        .collect();
    bench.write("v.npy", npy(&rows));
    let evaluate = "ava evaluate --data scored.jsonl --model vectors:v.npy --out r.json";
    let result = bench.json(evaluate);
    assert_eq!(result["run"]["scored_otherwise"], 4);
    assert_eq!(result["run"]["hard_otherwise"], 3);
    let overall = &result["details"]["overall"];
    assert_eq!(
        (&overall["hard"], &overall["hard_right"]),
        (&4.into(), &3.into())
    );
    assert_eq!(
        (&overall["hard_at_90"], &overall["hard_at_90_right"]),
        (&1.into(), &1.into())
    );
    let by_generator = &result["details"]["by_generator"];
    assert_eq!(by_generator[0]["name"], "rules");
    assert_eq!(by_generator[0]["classification"]["accuracy"], 2.0 / 3.0);
    assert_eq!(by_generator[1]["right"], 2);
    assert_told!(bench.told(evaluate));
}

#[test]
fn a_threshold_is_stated_or_tuned_on_other_triplets() {
    let bench = bench();
    let evaluate = "ava evaluate --data triplets.jsonl --model model --out r.json";
    let stated = bench.json(&format!("{evaluate} --threshold -0.25"));
    assert_eq!(stated["test"]["best_threshold"], -0.25);
    bench.write(
        "other.jsonl",
        TRIPLETS
            .replace("heart", "cell")
            .replace("lung", "heart")
            .replace("muscle", "lung"),
    );
    let tuned = bench.json(&format!("{evaluate} --tune other.jsonl"));
    assert_eq!(
        tuned["details"]["classification"]["origin"]["tuned"]["triplets"],
        3
    );
    assert_eq!(tuned["run"]["tuned_on"], "other.jsonl");
    fs::remove_file(bench.path("r.json")).unwrap();
    assert_told!(bench.told(&format!("{evaluate} --tune triplets.jsonl")));
    assert!(!bench.path("r.json").exists());
}

#[test]
fn bad_input_is_refused_with_its_place_and_nothing_is_written() {
    let bench = bench();
    bench.write(
        "anchorless.jsonl",
        "{\"positive\": \"b\", \"negative\": \"c\"}\n",
    );
    bench.write("small.obo", SMALL);
    bench.write(
        "alignment.rdf",
        "<rdf:RDF>\n<Alignment><map><Cell></Cell></map></Alignment></rdf:RDF>",
    );
    for (name, line) in [
        (
            "no-model",
            "ava evaluate --data triplets.jsonl --model nowhere --out r.json",
        ),
        (
            "no-anchor",
            "ava evaluate --data anchorless.jsonl --model model --out r.json",
        ),
        (
            "no-key",
            "ava evaluate --data triplets.jsonl --model openai:some --out r.json",
        ),
        (
            "no-form",
            "ava evaluate --data triplets.jsonl --model openai: --out r.json",
        ),
        (
            "no-prompts",
            "ava evaluate --data triplets.jsonl --model model --prompts mine --out r.json",
        ),
        (
            "no-cell",
            "ava align --source small.obo --target small.obo --reference alignment.rdf --model model",
        ),
        (
            "no-hierarchy",
            "ava taxonomy --ontology flat.obo --model model",
        ),
    ] {
        bench.write("flat.obo", "[Term]\nid: X:1\nname: organ\n");
        assert_eq!(bench.run(line).status.code(), Some(2), "{name}");
        insta::allow_duplicates! {
            insta::with_settings!({ snapshot_suffix => name }, {
                assert_told!(bench.told(line));
            });
        }
    }
    assert!(!bench.path("r.json").exists());
}

#[test]
fn an_alignment_of_an_ontology_with_itself_in_other_letters() {
    let bench = bench();
    bench.write("source.obo", SMALL);
    bench.write(
        "target.obo",
        SMALL
            .replace("X:", "Y:")
            .replace("heart muscle", "Heart_Muscle"),
    );
    let cell = |n: u8, relation: &str| {
        format!(
            "<map><Cell><entity1 rdf:resource=\"http://purl.obolibrary.org/obo/X_{n}\"/><entity2 rdf:resource=\"http://purl.obolibrary.org/obo/Y_{n}\"/><relation>{relation}</relation></Cell></map>"
        )
    };
    bench.write(
        "reference.rdf",
        format!(
            "<RDF xmlns:rdf=\"r\"><Alignment>{}{}{}{}{}</Alignment></RDF>",
            cell(1, "="),
            cell(2, "="),
            cell(2, "="),
            cell(2, "&lt;"),
            cell(3, "?")
        ),
    );
    let align =
        "ava align --source source.obo --target target.obo --reference reference.rdf --model model";
    let one = bench.json(&format!("{align} --top-k 1 --out found.rdf"));
    for (key, expected) in [
        ("hits", json!(2)),
        ("predictions", json!(2)),
        ("reference", json!(2)),
        ("precision", json!(100.0)),
        ("recall", json!(100.0)),
        ("f1", json!(100.0)),
        ("ignored", json!(1)),
        ("subsumptions", json!(0)),
        ("reference_repeated", json!(1)),
        ("task", json!("source–target")),
    ] {
        assert_eq!(one[key], expected, "{key}");
    }
    // What was written is an alignment that agrees with itself.
    let itself = bench.json(&align.replace("reference.rdf", "found.rdf"));
    assert_eq!(
        (&itself["hits"], &itself["reference"]),
        (&json!(3), &json!(3))
    );
    let all = bench.json(&format!("{align} --top-k 3"));
    assert_eq!(all["predictions"], 8, "nine pairs, one of them ignored");
    let again = bench.json(&format!("{align} --top-k 3 --one-to-one"));
    assert_eq!(
        (&again["predictions"], &again["f1"]),
        (&json!(2), &json!(100.0))
    );
    let none = bench.json(&format!("{align} --threshold 1.5"));
    assert_eq!(
        (&none["predictions"], &none["f1"]),
        (&json!(0), &json!(0.0))
    );
}

/// Seven classes below each other, in words that the small model knows.
const TREE: [(&str, Option<&str>); 7] = [
    ("organ", None),
    ("heart", Some("organ")),
    ("heart muscle", Some("heart")),
    ("lung", Some("organ")),
    ("cell", None),
    ("muscle cell", Some("cell")),
    ("heart muscle cell", Some("muscle cell")),
];

#[test]
fn a_taxonomy_pairs_each_class_with_those_whose_vectors_are_nearest() {
    let bench = bench();
    let place = |name: &str| TREE.iter().position(|(other, _)| *other == name).unwrap();
    let terms: Vec<String> = TREE
        .iter()
        .map(|(name, above)| {
            let above = above.map(|above| format!("is_a: X:{}\n", place(above)));
            let above = above.unwrap_or_default();
            format!("[Term]\nid: X:{}\nname: {name}\n{above}\n", place(name))
        })
        .collect();
    bench.write("tree.obo", terms.concat());
    // The same by another way: each label alone, every cosine, no matrix.
    let encoder = LocalEncoder::read(&bench.path("model")).map_err(|error| error.to_string());
    let encoder = encoder.unwrap();
    let vector = |name: &str| encoder.encode(&[name]).unwrap().remove(0);
    let vectors: Vec<Vec<f32>> = TREE.iter().map(|(name, _)| vector(name)).collect();
    let truth: BTreeSet<(usize, usize)> = TREE
        .iter()
        .filter_map(|(name, above)| Some((place(name), place((*above)?))))
        .collect();
    let mut before = BTreeSet::new();
    for k in 1..TREE.len() {
        let mut expected = BTreeSet::new();
        for (from, of) in vectors.iter().enumerate() {
            let mut others: Vec<usize> = (0..TREE.len()).filter(|other| *other != from).collect();
            others.sort_by(|a, b| {
                let [a, b] = [a, b].map(|other| ava::cosine(of, &vectors[*other]).unwrap());
                b.total_cmp(&a)
            });
            for to in &others[..k] {
                expected.extend([(from, *to), (*to, from)]);
            }
        }
        let correct = expected.intersection(&truth).count();
        let found = bench.json(&format!(
            "ava taxonomy --ontology tree.obo --model model --top-k {k}"
        ));
        for (key, value) in [
            ("correct", json!(correct)),
            ("predicted", json!(expected.len())),
            ("ground_truth", json!(5)),
            ("precision", json!(correct as f64 / expected.len() as f64)),
            ("recall", json!(correct as f64 / 5.0)),
            ("types", json!(7)),
            ("task", json!("tree")),
        ] {
            assert_eq!(found[key], value, "{key} at k = {k}");
        }
        assert!(
            expected.len() > before.len() || k > 4,
            "k makes a difference"
        );
        before = expected;
    }
    assert_eq!(before.len(), 42, "at the end everything is near");
}

#[test]
fn downstream_figures_make_a_table_beside_the_published_ones() {
    let bench = bench();
    bench.write("small.obo", SMALL);
    let found = bench.json("ava taxonomy --ontology small.obo --model model --task SchemaOrg");
    bench.write("taxonomy.json", found.to_string());
    // Two pairs are not SchemaOrg's ground truth, whatever the task is called.
    let line = "ava table --kind taxonomy --published --recomputed taxonomy.json";
    let told = bench.told(line);
    assert!(
        told.contains("exit 2") && told.contains("no published figure of model on SchemaOrg"),
        "{told}"
    );
    let table = bench.json("ava table --kind taxonomy --published taxonomy.json");
    let rows = table["rows"].as_array().unwrap();
    let of_task: Vec<&Value> = rows
        .iter()
        .filter(|row| row["task"] == "SchemaOrg")
        .collect();
    assert_eq!((rows.len(), of_task.len()), (41, 9));
    let at = rows.iter().position(|row| row["standing"] == "ours");
    assert_eq!(
        rows[at.unwrap() - 1],
        *of_task[7],
        "beside those of its task"
    );
    let ours = of_task[8];
    assert_eq!(ours["f1"], found["f1"].as_f64().unwrap() * 100.0);
    assert_eq!(ours["reference"], 2);
    assert!(
        of_task[..8]
            .iter()
            .all(|row| row["standing"] == "published")
    );
    assert!(table["source"].as_str().unwrap().contains("doi"));

    let line = "ava table --kind alignment taxonomy.json";
    assert_eq!(bench.run(line).status.code(), Some(2));
    let told = bench.told(line);
    assert!(told.contains("taxonomy.json:1:"), "{told}");
    assert!(told.contains("missing field `hits`"), "{told}");
    assert!(told.contains("--kind"), "{told}");
    assert_told!(bench.told("ava table --kind alignment --published --format csv"));
}

#[test]
fn prompts_that_come_with_the_model_stand_before_texts_when_asked_for() {
    let bench = bench();
    let evaluate = "ava evaluate --data triplets.jsonl --model model --out r.json --prompts model";
    // Without the file there are none.
    let told = bench.told(evaluate);
    assert!(told.contains("comes with no prompts"), "{told}");
    assert_eq!(bench.run(evaluate).status.code(), Some(2));
    bench.write(
        "model/config_sentence_transformers.json",
        r#"{"prompts": {"query": "the ", "document": "a "}, "default_prompt_name": null}"#,
    );
    let result = bench.json(evaluate);
    assert_eq!(
        result["run"]["prompts"],
        json!({"anchor": "the ", "others": "a "})
    );
}

#[test]
fn every_triplet_with_its_cosines_where_it_is_asked_for() {
    let bench = bench();
    let result = bench.json(
        "ava evaluate --data triplets.jsonl --model baseline:words --out out/words.json --details out/words-triplets.json",
    );
    assert_eq!(result["run"]["model"], "baseline:words");
    let named = &result["run"]["triplets"];
    assert_eq!(named["file"], "words-triplets.json");
    let bytes = fs::read(bench.path("out/words-triplets.json")).unwrap();
    assert_eq!(named["sha256"], worker::encoder::sha256(&bytes));

    let records = bench.read_json("out/words-triplets.json");
    let records = records.as_array().unwrap();
    assert_eq!(records.len(), 3);
    let right = records.iter().filter(|record| {
        record["anchor_positive"].as_f64().unwrap() > record["anchor_negative"].as_f64().unwrap()
    });
    assert_eq!(result["details"]["overall"]["right"], right.count());
    // "A muscle cell is a cell." and "A cell is a muscle cell." have the same words.
    let inverted = records[2]["anchor_negative"].as_f64().unwrap();
    assert!((inverted - 1.0).abs() < 1e-9, "{inverted}");
    assert_eq!(records[0]["perturbation"], "hierarchy-inversion");
    assert!(
        records[0]["anchor_negaive_score"].is_number(),
        "{}",
        records[0]
    );

    // The file is one of cosines and one of triplets.
    let stats =
        bench.json("ava stats --in out/words-triplets.json --cosines out/words-triplets.json");
    assert_eq!(
        stats[0]["semantic"]["anchor_negative"]["count"],
        stats[0]["lexical"]["anchor_negative"]["count"]
    );
    let again = bench.json(
        "ava evaluate --data out/words-triplets.json --model baseline:words --out again.json",
    );
    assert_eq!(again["test"], result["test"]);

    let line =
        "ava evaluate --data triplets.jsonl --model baseline:words --out r.json --details r.json";
    assert_eq!(bench.run(line).status.code(), Some(2));
    assert!(
        bench.told(line).contains("r.json is given twice"),
        "{}",
        bench.told(line)
    );
    assert!(!bench.path("r.json").exists());
    // Nor is what is read written over.
    bench.write(
        "tune.jsonl",
        bench.read("triplets.jsonl").replace("cell", "organ"),
    );
    for (input, written) in [
        ("triplets.jsonl", "--out r.json --details ./triplets.jsonl"),
        ("tune.jsonl", "--out r.json --details tune.jsonl"),
        ("triplets.jsonl", "--out triplets.jsonl"),
    ] {
        let before = bench.read(input);
        let told = bench.told(&format!(
            "ava evaluate --data triplets.jsonl --tune tune.jsonl --model baseline:words {written}"
        ));
        assert!(
            told.contains(&format!("{input} is given twice")) && told.contains("exit 2"),
            "{told}"
        );
        assert_eq!(bench.read(input), before);
    }
    let unknown = "ava evaluate --data triplets.jsonl --model baseline:silent --out r.json";
    assert_eq!(bench.run(unknown).status.code(), Some(2));
    assert!(
        bench.told(unknown).contains("baseline:trigrams"),
        "{}",
        bench.told(unknown)
    );
}
