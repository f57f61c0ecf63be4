//! `ava filter`, `ava split`, `ava stats` and `ava table`.

use std::fmt::Write as _;

use serde_json::Value;

use crate::harness::{Bench, assert_told};

/// A set with something for every step: a negative in other words, a hard one at exactly 90, one too close to the positive,
/// one too short, and an anchor that comes again.
const SET: &str = r#"{"anchor": "An acre is a subclass of an area unit.", "positive": "The area unit class includes the subclass acre.", "negative": "An area unit is a subclass of an acre.", "subgraph_id": "bfs_1", "source": "UO"}
{"anchor": "aa b c d x", "positive": "nothing like the two others here", "negative": "aa b c d y", "subgraph_id": "bfs_1", "source": "AgrO", "anchor_negative_score": 12}
{"anchor": "A gel is a kind of colloid.", "positive": "Colloids include the gels, one kind.", "negative": "Colloids include the gels, each one kind.", "subgraph_id": "bfs_2", "source": "FIX"}
{"anchor": "too short", "positive": "Colloids include the gels, one kind.", "negative": "A gel is a kind of solid.", "source": "FIX"}
{"anchor": "An acre is a subclass of an area unit.", "positive": "Each acre belongs to the class of area units.", "negative": "An acre is a subclass of a volume unit.", "subgraph_id": "bfs_3", "source": "FOAF", "note": [1]}
"#;

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("set.jsonl", SET);
    bench
}

fn texts<'a>(records: &'a Value, key: &str) -> Vec<&'a str> {
    let records = records.as_array().unwrap();
    records
        .iter()
        .map(|record| record[key].as_str().unwrap())
        .collect()
}

#[test]
fn a_filtered_set_and_what_was_dropped_from_it() {
    let bench = bench();
    assert_told!(bench.told("ava filter --in set.jsonl --out out"));
    let kept = bench.read_json("out/kept.json");
    assert_eq!(
        texts(&kept, "anchor"),
        ["An acre is a subclass of an area unit.", "aa b c d x"]
    );
    // The last one stands at the first one's place, with what else it said.
    assert_eq!(kept[0]["source"], "FOAF");
    assert_eq!(kept[0]["note"], serde_json::json!([1]));
    let hard = bench.read_json("out/hard.json");
    assert_eq!(texts(&hard, "anchor"), ["aa b c d x"]);
    assert_eq!(hard[0]["anchor_negaive_score"], 90.0);
    assert!(hard[0].get("anchor_negative_score").is_none());
    let dropped = bench.read_json("out/dropped.json");
    assert_eq!(
        texts(&dropped, "dropped_at"),
        ["positive-negative", "sanity", "anchor"]
    );
    for records in [&kept, &dropped] {
        for record in records.as_array().unwrap() {
            for key in [
                "anchor_positive_score",
                "anchor_negaive_score",
                "positive_negaive_score",
            ] {
                assert!(record[key].is_f64(), "{record}");
            }
        }
    }
}

#[test]
fn a_filtered_set_as_json() {
    assert_told!(bench().told("ava filter --in set.jsonl --out out --json"));
}

#[test]
fn the_public_data_is_replayed_on_demand_and_the_processor_is_stated() {
    let bench = bench();
    let json = bench.json("ava filter --in set.jsonl --out out --no-pn-drop --processor default");
    assert_eq!(json["processor"], "default");
    assert_eq!((&json["apart"], &json["kept"]), (&4.into(), &3.into()));
    assert_eq!(json["positive_negative_beyond_90"], 1);
}

#[test]
fn what_a_filter_wrote_is_filtered_again_to_the_same_bytes() {
    let bench = bench();
    bench.write("out/mine.txt", "stays");
    bench.json("ava filter --in set.jsonl --out out");
    let json = bench.json("ava filter --in out/kept.json --out again");
    assert_eq!(
        (&json["dropped"], &json["scores_differing"]),
        (&0.into(), &0.into())
    );
    assert_eq!(bench.read("out/kept.json"), bench.read("again/kept.json"));
    assert_eq!(bench.read("again/dropped.json"), "[]\n");
    bench.json("ava filter --in set.jsonl --out out");
    assert_eq!(bench.read("out/mine.txt"), "stays");
}

/// A second filter in the same folder would leave `dropped.json` without what the first one dropped.
#[test]
fn what_was_read_is_not_written_over() {
    let bench = ten();
    bench.json("ava filter --in ten.jsonl --out set");
    for (file, line) in [
        ("kept.json", "ava filter --in set/kept.json --out set"),
        (
            "kept.json",
            "ava filter --in set/kept.json --out set/../set",
        ),
        (
            "train.json",
            "ava split --in set/train.json --out set --no-absorb",
        ),
        (
            "statistics.json",
            "ava stats --in set/statistics.json --out set",
        ),
    ] {
        let file = format!("set/{file}");
        bench.write(&file, bench.read("ten.jsonl"));
        let dropped = bench.read("set/dropped.json");
        let told = bench.told(line);
        assert!(
            told.contains(&format!("{file} would be written over"))
                || told.contains("/kept.json would be"),
            "{told}"
        );
        assert_eq!(bench.run(line).status.code(), Some(2), "{line}");
        assert_eq!(bench.read(&file), bench.read("ten.jsonl"), "{line}");
        assert_eq!(bench.read("set/dropped.json"), dropped, "{line}");
    }
}

#[test]
fn what_is_no_triplet_is_refused_with_its_place_and_nothing_is_written() {
    let bench = bench();
    bench.write(
        "no-anchor.jsonl",
        format!("{SET}{{\"positive\": \"b\", \"negative\": \"c\"}}\n"),
    );
    bench.write(
        "no-anchor.json",
        "[\n  {\"positive\": \"b\", \"negative\": \"c\"},\n  7\n]\n",
    );
    bench.write("cut.json", "[{\"anchor\": \"a\", ");
    bench.write("text.md", "# no set\n");
    for file in [
        "no-anchor.jsonl",
        "no-anchor.json",
        "cut.json",
        "text.md",
        "none.json",
    ] {
        let line = format!("ava filter --in {file} --out out");
        assert_eq!(bench.run(&line).status.code(), Some(2), "{file}");
        assert!(!bench.path("out").exists(), "{file}");
        insta::allow_duplicates! {
            insta::with_settings!({ snapshot_suffix => file }, {
                assert_told!(bench.told(&line));
            });
        }
    }
    bench.write("file", "");
    assert_eq!(
        bench
            .run("ava filter --in set.jsonl --out file")
            .status
            .code(),
        Some(2)
    );
    let json = bench.json("ava filter --in no-anchor.json --out out --drop-malformed");
    assert_eq!((&json["malformed"], &json["read"]), (&2.into(), &0.into()));
}

/// Ten ontologies in one set, O0 to O9; the first three share a subgraph.
fn ten() -> Bench {
    let bench = Bench::new();
    let mut set = String::new();
    for number in 0..10 {
        let subgraph = number.max(2);
        let _ = writeln!(
            set,
            r#"{{"anchor": "anchor of {number}", "positive": "b", "negative": "c", "subgraph_id": "bfs_{subgraph}", "source": "O{number}"}}"#
        );
        // Every ontology has the labels 0 and 1; from O5 on two more.
        let labels = if number < 5 {
            r#""x": "0", "y": "1""#
        } else {
            r#""x": "0", "y": "1", "z": "2", "w": "3""#
        };
        bench.write(
            &format!("subgraphs/O{number}/bfs/bfs_{subgraph}.json"),
            format!(r#"{{"subgraph_id": "bfs_{subgraph}", "node_labels": {{{labels}}}}}"#),
        );
        bench.write(&format!("subgraphs/O{number}/bfs/manifest.json"), "{}");
    }
    bench.write("ten.jsonl", set);
    bench
}

#[test]
fn a_set_is_divided_by_ontology_as_python_shuffles() {
    let bench = ten();
    assert_told!(bench.told("ava split --in ten.jsonl --out out --no-absorb"));
    // names = [f"O{n}" for n in range(10)]; random.Random(42).shuffle(names); names[:int(10 * .55)]
    let mut train: Vec<String> = texts(&bench.read_json("out/train.json"), "source")
        .into_iter()
        .map(str::to_owned)
        .collect();
    train.sort();
    assert_eq!(train, TRAIN);
    assert_eq!(
        bench.read_json("out/test.json").as_array().unwrap().len(),
        5
    );
    let again = bench.json("ava split --in ten.jsonl --out again --no-absorb");
    assert_eq!(bench.read("out/split.json"), bench.read("again/split.json"));
    assert_eq!(again["absorbed"], 0);
    for ontology in again["ontologies"].as_array().unwrap() {
        for count in ["shared_with_train", "shared_at_the_end"] {
            assert_eq!(ontology[count], serde_json::Value::Null, "nobody counted");
        }
    }
}

/// Labels count as they are read everywhere, whoever wrote the file: one that is null or missing is the local name.
#[test]
fn labels_of_subgraphs_that_others_wrote_are_shared_too() {
    let bench = ten();
    for (file, number) in [
        (
            r#"{"nodes": ["http://e/0", "http://e/1"], "node_labels": {"http://e/0": null}}"#,
            0,
        ),
        (
            r#"{"nodes": ["http://e/x", "http://e/y"], "node_labels": ["0", "1"]}"#,
            1,
        ),
        (r#"{"node_labels": ["0", "1"]}"#, 4),
    ] {
        let subgraph = number.max(2);
        bench.write(
            &format!("subgraphs/O{number}/bfs/bfs_{subgraph}.json"),
            file,
        );
        let manifest = format!(r#"{{"subgraphs": [{{"subgraph_id": "bfs_{subgraph}"}}]}}"#);
        bench.write(&format!("subgraphs/O{number}/bfs/manifest.json"), manifest);
    }
    let line = "ava split --in ten.jsonl --out out --subgraphs subgraphs --shared-labels 2";
    assert_eq!(bench.json(line)["absorbed"], 5);
    let told =
        bench.told("ava split --in ten.jsonl --out out --subgraphs subgraphs --shared-labels 0");
    assert!(!told.contains("is in test and shares"), "{told}");
}

#[test]
fn a_side_without_an_ontology_is_told() {
    let bench = ten();
    let one = bench.read("ten.jsonl").lines().next().unwrap().to_owned();
    bench.write("one.jsonl", one);
    let told = bench.told("ava split --in one.jsonl --out out --no-absorb");
    let expected = "train is empty: whole ontologies are divided, here 1 at a train share of 0.55";
    assert!(told.contains(expected), "{told}");
    let told = bench.told("ava split --in ten.jsonl --out all --no-absorb");
    assert!(!told.contains("is empty"), "{told}");
}

const TRAIN: [&str; 5] = ["O2", "O3", "O5", "O7", "O8"];

#[test]
fn what_shares_too_many_labels_is_absorbed() {
    let bench = ten();
    let with = |limit: usize| {
        bench.json(&format!(
            "ava split --in ten.jsonl --out out --subgraphs subgraphs --shared-labels {limit}"
        ))
    };
    // All share two labels with train; O6 and O9 share four with those of their kind there.
    for (limit, absorbed) in [(2, 5), (3, 2), (4, 2), (5, 0)] {
        let json = with(limit);
        assert_eq!(json["absorbed"], absorbed, "{limit}");
        assert_eq!(json["test"]["ontologies"], 5 - absorbed, "{limit}");
        let test = bench.read_json("out/test.json");
        assert_eq!(test.as_array().unwrap().len(), 5 - absorbed);
    }
}

#[test]
fn a_split_that_cannot_be_made_says_why() {
    let bench = ten();
    bench.write(
        "nowhere.json",
        r#"[{"anchor": "a", "positive": "b", "negative": "c"}]"#,
    );
    for line in [
        "ava split --in ten.jsonl --out out",
        "ava split --in ten.jsonl --out out --subgraphs none",
        "ava split --in nowhere.json --out out --no-absorb",
        "ava split --in ten.jsonl --out out --no-absorb --train-share 2",
    ] {
        assert_eq!(bench.run(line).status.code(), Some(2), "{line}");
        assert!(!bench.path("out").exists(), "{line}");
        assert_told!(bench.told(line));
    }
}

#[test]
fn a_subgraph_that_the_manifest_lists_is_there() {
    let bench = ten();
    bench.write(
        "subgraphs/O4/bfs/manifest.json",
        r#"{"subgraphs": [{"file": "bfs_4.json"}, {"file": "bfs_44.json"}]}"#,
    );
    let line = "ava split --in ten.jsonl --out out --subgraphs subgraphs";
    let told = bench.told(line);
    assert!(told.contains("bfs_44.json is missing"), "{told}");
    assert_eq!(bench.run(line).status.code(), Some(2));
    assert!(!bench.path("out").exists());
    // What lies elsewhere is none of the ontology's, whether it is there or not.
    for file in ["../../O3/bfs/bfs_3.json", "/etc/passwd", "..", ""] {
        bench.write(
            "subgraphs/O4/bfs/manifest.json",
            format!(r#"{{"subgraphs": [{{"file": "{file}"}}]}}"#),
        );
        let told = bench.told(line);
        assert!(
            told.contains(&format!(
                "lists `{file}`, which is no name of a file beside it"
            )),
            "{told}"
        );
        assert!(
            told.contains("exit 2") && !bench.path("out").exists(),
            "{told}"
        );
    }
}

#[test]
fn the_flag_says_whose_figures_they_are() {
    let bench = Bench::new();
    bench.write("own.json", r#"{"test": {"triplet_accuracy": 0.5}}"#);
    bench.write(
        "all-MiniLM-L6-v2.json",
        r#"{"test": {"triplet_accuracy": 0.5}}"#,
    );
    bench.write("gte-small.json", OWN);
    bench.write("wrong.json", r#"{"test": {"triplet_accuracy": 1.5}}"#);
    let json = bench.json("ava table --recomputed all-MiniLM-L6-v2.json");
    assert_eq!(json["rows"][0]["standing"], "recomputed");
    let json = bench.json("ava table own.json");
    assert_eq!(json["rows"][0]["standing"], "ours");
    let json = bench.json("ava table --published-file own.json");
    assert_eq!(json["rows"][0]["standing"], "published");
    assert_eq!(json["rows"][0]["data"], "AVA's test set");
    // Whoever says `recomputed` says that there is a published figure to compare it with.
    for (file, said) in [
        ("own.json", "there is no published figure of own"),
        (
            "gte-small.json",
            "17796 triplets (7229 hard), this one of 3 triplets (0 hard)",
        ),
    ] {
        let line = format!("ava table --recomputed {file}");
        assert_eq!(bench.run(&line).status.code(), Some(2), "{line}");
        let told = bench.told(&line);
        assert!(told.contains(file) && told.contains(said), "{told}");
        assert!(told.contains("list it as your own"), "{told}");
    }
    let line = "ava table --recomputed wrong.json";
    assert_eq!(bench.run(line).status.code(), Some(2));
    let told = bench.told(line);
    assert!(told.contains("wrong.json:1:"), "{told}");
    assert!(told.contains("from 0 to 1, found 1.5"), "{told}");
}

#[test]
fn a_cosine_is_no_greater_than_1() {
    let bench = bench();
    let cosine = r#"{"anchor_positive": 2, "anchor_negative": 0.8, "positive_negative": 0.25}"#;
    bench.write("wide.jsonl", format!("{cosine}\n").repeat(5));
    let line = "ava stats --in set.jsonl --cosines wide.jsonl";
    assert_eq!(bench.run(line).status.code(), Some(2));
    let told = bench.told(line);
    assert!(told.contains("wide.jsonl:1:"), "{told}");
    assert!(told.contains("from -1 to 1, found 2"), "{told}");
}

#[test]
fn statistics_of_two_sets_side_by_side() {
    let bench = bench();
    bench.json("ava filter --in set.jsonl --out out");
    assert_told!(bench.told("ava stats --in set.jsonl --in out/kept.json --out stats"));
    let svg = bench.read("stats/lexical-kept.svg");
    assert!(svg.contains("anchor–negative: 2 triplets, mean"), "{svg}");
    let json = bench.json("ava stats --in out/kept.json");
    assert_eq!(json[0]["hard"], 1);
    assert_eq!(
        bench.read_json("stats/statistics.json")[1]["lexical"],
        json[0]["lexical"]
    );
}

#[test]
fn what_was_published_of_avas_sets_stands_beside() {
    let bench = bench();
    assert_told!(bench.told("ava stats --in set.jsonl --published"));
    let json = bench.json("ava stats --in set.jsonl --published");
    assert_eq!(json["sets"][0]["triplets"], 5);
    assert_eq!(json["published"][4]["hard"], 7229);
    assert!(json["source"].as_str().unwrap().contains("doi:"));
}

#[test]
fn cosines_are_as_many_as_the_triplets_and_numbers() {
    let bench = bench();
    let cosine = r#"{"anchor_positive": 0.9, "anchor_negative": 0.8, "positive_negative": 0.25}"#;
    bench.write("cosines.jsonl", format!("{cosine}\n").repeat(5));
    let json = bench.json("ava stats --in set.jsonl --cosines cosines.jsonl --out stats");
    assert_eq!(json[0]["semantic"]["positive_negative"]["mean"], 0.25);
    assert!(bench.path("stats/semantic-set.svg").is_file());
    bench.write("few.jsonl", cosine);
    bench.write(
        "broken.jsonl",
        format!("{cosine}\n{{\"anchor_positive\": NaN}}\n"),
    );
    for line in [
        "ava stats --in set.jsonl --cosines few.jsonl",
        "ava stats --in set.jsonl --cosines broken.jsonl",
        "ava stats --in set.jsonl --in set.jsonl --cosines cosines.jsonl",
    ] {
        assert_eq!(bench.run(line).status.code(), Some(2), "{line}");
        assert_told!(bench.told(line));
    }
}

#[test]
fn result_files_side_by_side_with_where_their_figures_come_from() {
    let bench = Bench::new();
    bench.write(
        "MiniLM.json",
        r#"{"test": {"triplet_accuracy": 0.657, "MRR": 0.8285, "Recall@1": 0.657, "hard_negative_acc": 0.467, "best_threshold": 0.5}}"#,
    );
    bench.write("own.json", OWN);
    assert_told!(bench.told("ava table own.json --published-file MiniLM.json"));
    // Whoever runs AVA's evaluation has a file of that form, and nobody published it.
    let own = bench.json("ava table MiniLM.json");
    assert_eq!(own["rows"][0]["standing"], "ours");
    assert_told!(bench.told("ava table own.json --format csv"));
    assert_told!(bench.told("ava table --published --format latex"));
    let json = bench.json("ava table --published own.json");
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(
        (rows.len(), &rows[0]["standing"]),
        (42, &"published".into())
    );
    assert_eq!(
        (&rows[41]["standing"], &rows[41]["triplets"]),
        (&"ours".into(), &3.into())
    );
    assert!(json["source"].as_str().unwrap().contains("doi:"));
    bench.write("empty.json", "{}");
    bench.write("broken.json", "{\"test\": {\"MRR\": x}}");
    for line in [
        "ava table",
        "ava table empty.json",
        "ava table broken.json",
        "ava table none.json",
    ] {
        assert_eq!(bench.run(line).status.code(), Some(2), "{line}");
    }
}

/// As an evaluation of three triplets writes it.
const OWN: &str = r#"{"test": {"triplet_accuracy": 0.5, "MRR": 0.75, "Recall@1": 0.5, "hard_negative_acc": null, "best_threshold": 0.5, "accuracy": 0.5, "precision": 0.5, "recall": 1.0, "f1": 0.66, "roc_auc": 0.5, "avg_precision": 0.5}, "details": {"overall": {"triplets": 3, "right": 1, "ties": 0, "near_ties": 0, "triplet_accuracy": 0.5, "triplet_accuracy_interval": {"low": 0.25, "high": 0.75}, "hard": 0, "hard_right": 0, "hard_negative_accuracy": null, "hard_negative_accuracy_interval": null, "mrr": 0.75, "mrr_interval": null}, "classification": {"threshold": 0.5, "origin": "fixed", "confusion": {"true_positives": 3, "false_positives": 3, "false_negatives": 0, "true_negatives": 0}, "accuracy": 0.5, "precision": 0.5, "recall": 1.0, "f1": 0.66, "roc_auc": 0.5, "avg_precision": 0.5}, "by_perturbation": [], "by_ontology": [], "near_tie": 1e-6, "resamples": 200, "seed": 42}}"#;
