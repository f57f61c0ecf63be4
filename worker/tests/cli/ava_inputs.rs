//! Files of AVA's commands that hold nothing, or are not what they should be, and places that cannot be written to: told with
//! what is wrong, where, and what to do; and nothing is written.

use serde_json::json;

use crate::ava_synthesize::ANATOMY;
use crate::harness::Bench;
use crate::models::{TRIPLETS, bench};
use crate::models_input::refused;

const COSINE: &str =
    r#"{"anchor_positive": 0.9, "anchor_negative": 0.8, "positive_negative": 0.25}"#;

/// A bench with a set and an extraction, as well as the small model.
fn whole() -> Bench {
    let bench = bench();
    bench.write("small.obo", ANATOMY);
    bench.write("other.obo", ANATOMY.replace("X:", "Y:"));
    bench.write("reference.rdf", "<Alignment></Alignment>");
    let set = TRIPLETS.replace("anatomy", "small");
    bench.write("set.jsonl", set.replace("cells", "small"));
    bench.json("ava extract --ontology small.obo --out subgraphs");
    bench
}

/// Every command that reads a file, with that file called `FILE`.
const READERS: [&str; 14] = [
    "ava filter --in FILE --out out",
    "ava filter --in FILE --out out --drop-malformed",
    "ava split --in FILE --out out --no-absorb",
    "ava stats --in FILE --out out",
    "ava stats --in set.jsonl --cosines FILE --out out",
    "ava evaluate --data FILE --model nowhere --out out",
    "ava evaluate --data triplets.jsonl --tune FILE --model nowhere --out out",
    "ava evaluate --data triplets.jsonl --prompts FILE --model nowhere --out out",
    "ava table FILE",
    "ava table --kind alignment FILE",
    "ava table --kind taxonomy FILE",
    "ava align --reference FILE --predictions reference.rdf",
    "ava align --reference reference.rdf --predictions FILE",
    "ava align --source small.obo --target other.obo --reference FILE --model nowhere --out out",
];

#[test]
fn a_file_that_holds_nothing_is_no_set_of_none() {
    let bench = whole();
    for (name, bytes) in [
        ("empty", b"" as &[u8]),
        ("blank", b"\r\n \t\n"),
        ("mark", b"\xef\xbb\xbf\n"),
    ] {
        bench.write(name, bytes);
        for line in READERS {
            refused(
                &bench,
                &line.replace("FILE", name),
                &format!("{name}:1:1: no "),
            );
            assert!(!bench.path("out").exists(), "{line}");
        }
    }
    // An array of none is a set of none, and says so.
    bench.write("none.json", "[]\n");
    let json = bench.json("ava filter --in none.json --out out");
    assert_eq!((&json["read"], &json["kept"]), (&json!(0), &json!(0)));
    refused(
        &bench,
        "ava evaluate --data none.json --model nowhere --out r.json",
        "none.json:1:1: there is no triplet to judge",
    );
}

#[test]
fn an_extraction_of_no_subgraph_is_refused() {
    let bench = whole();
    bench.write(
        "subgraphs/small/bfs/manifest.json",
        r#"{"ontology": "small", "strategy": "bfs", "total": 0, "subgraphs": []}"#,
    );
    let synthesize = "ava synthesize --subgraphs subgraphs --ontology small.obo --out raw.json";
    refused(
        &bench,
        synthesize,
        "manifest.json:1:1: no subgraph is listed here",
    );
    bench.write("subgraphs/small/bfs/manifest.json", " \n");
    refused(
        &bench,
        synthesize,
        "manifest.json:1:1: no list of subgraphs: the file holds nothing but white space",
    );
    assert!(!bench.path("raw.json").exists());
    bench.write("none/small/bfs/manifest.json", "{}");
    let split = "ava split --in set.jsonl --subgraphs none --out out";
    refused(&bench, split, "there is no subgraph in none/small/bfs");
    assert!(!bench.path("out").exists());
}

#[test]
fn bytes_that_are_no_utf_8_are_told_with_line_and_column() {
    let bench = whole();
    for (name, bytes, place) in [
        ("bytes", b"[\n {\"\xc3\xa9\xff\"}]" as &[u8], "2:5"),
        ("marked", b"\xef\xbb\xbf[\r\n\xc3\xa9\xc3\xa9\xe9", "2:3"),
        ("utf-16", b"\xff\xfe[\x00]\x00", "1:1"),
    ] {
        bench.write(name, bytes);
        for line in READERS {
            let line = line.replace("FILE", name);
            refused(&bench, &line, &format!("{name}:{place}: this is not UTF-8"));
            assert!(!bench.path("out").exists(), "{line}");
        }
    }
}

#[test]
fn a_byte_order_mark_and_the_line_ends_of_windows_are_read_over() {
    let bench = whole();
    let windows = |text: &str| format!("\u{feff}{}\r\n\r\n \r\n", text.replace('\n', "\r\n"));
    let lines = |bench: &Bench, file: &str| bench.read(file).lines().count();
    let set = bench.read("set.jsonl");
    let rows = lines(&bench, "set.jsonl");
    bench.write("set.jsonl", windows(&set));
    bench.write("cosines.jsonl", windows(&vec![COSINE; rows].join("\n")));
    let json = bench.json("ava stats --in set.jsonl --cosines cosines.jsonl");
    assert_eq!(json[0]["semantic"]["anchor_positive"]["mean"], 0.9);
    bench.write("prompts.json", windows("{\n\"anchor\": \"the \"\n}"));
    bench.json("ava evaluate --data set.jsonl --model model --prompts prompts.json --out r.json");
    bench.write("r.json", windows(&bench.read("r.json")));
    bench.json("ava table r.json");
    let align = "ava align --source small.obo --target other.obo --reference reference.rdf --model model --out found.rdf";
    bench.write("a.json", windows(&bench.json(align).to_string()));
    bench.json("ava table --kind alignment a.json");
    bench.write("found.rdf", windows(&bench.read("found.rdf")));
    bench.json("ava align --reference reference.rdf --predictions found.rdf");
    let folder = "subgraphs/small/bfs";
    for file in std::fs::read_dir(bench.path(folder)).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let file = format!("{folder}/{name}");
        bench.write(&file, windows(&bench.read(&file)));
    }
    bench.json("ava synthesize --subgraphs subgraphs --ontology small.obo --out raw.json");
    bench.json("ava split --in set.jsonl --subgraphs subgraphs --out sides");
    for name in ["config.json", "modules.json", "1_Pooling/config.json"] {
        let file = format!("model/{name}");
        bench.write(&file, windows(&bench.read(&file)));
    }
    bench.json("ava evaluate --data set.jsonl --model model --out again.json");
    bench.write("model/config.json", "{\n \"hidden_size\": NaN}");
    refused(
        &bench,
        "ava evaluate --data set.jsonl --model model --out r2.json",
        "config.json:2:17: no part of a model: NaN stands where a number of `hidden_size` is due",
    );
}

#[test]
fn a_number_that_is_none_is_told_with_row_and_place_and_what_is_due() {
    let bench = whole();
    let triplet = TRIPLETS.lines().next().unwrap();
    let scored = |number: &str| {
        format!(
            "{triplet}\n{}\n",
            triplet.replacen('{', &format!("{{\"anchor_negaive_score\": {number}, "), 1)
        )
    };
    for (number, why) in [
        ("NaN", "JSON has no such number"),
        ("-Infinity", "JSON has no such number"),
        ("1e999", "it is beyond all numbers that are read"),
    ] {
        bench.write("scores.jsonl", scored(number));
        let filter = "ava filter --in scores.jsonl --out out";
        let words = format!(
            "scores.jsonl:2:26: row 2: {number} stands where a number of `anchor_negaive_score` is due, and {why}"
        );
        refused(&bench, filter, &words);
        refused(
            &bench,
            filter,
            "hint: write a token-set ratio from 0 to 100",
        );
        bench.write(
            "cosines.jsonl",
            format!("{COSINE}\n\n{}\n", COSINE.replace("0.25", number)),
        );
        let stats = "ava stats --in set.jsonl --cosines cosines.jsonl";
        let words = format!(
            "cosines.jsonl:3:71: row 2: {number} stands where a number of `positive_negative` is due, and {why}"
        );
        refused(&bench, stats, &words);
        refused(
            &bench,
            stats,
            "hint: write that row's cosine there, a number from -1 to 1",
        );
        bench.write(
            "r.json",
            format!("{{\"test\": {{\n  \"triplet_accuracy\": {number}}}}}"),
        );
        let words = format!(
            "r.json:2:23: no result file: {number} stands where a number of `triplet_accuracy` is due"
        );
        refused(&bench, "ava table r.json", &words);
        refused(
            &bench,
            "ava table r.json",
            "hint: write a figure from 0 to 1 there, or null",
        );
    }
}

/// Every command that writes, with the place called `PLACE`.
const WRITERS: [&str; 9] = [
    "ava extract --ontology small.obo --out PLACE",
    "ava synthesize --subgraphs subgraphs --ontology small.obo --out PLACE",
    "ava filter --in set.jsonl --out PLACE",
    "ava split --in set.jsonl --no-absorb --out PLACE",
    "ava stats --in set.jsonl --out PLACE",
    "ava evaluate --data triplets.jsonl --model nowhere --out PLACE",
    "ava evaluate --data triplets.jsonl --model nowhere --out r.json --details PLACE",
    "ava align --source small.obo --target other.obo --reference reference.rdf --model nowhere --out PLACE",
    "publish runs --out PLACE",
];

#[test]
fn a_place_that_cannot_be_is_named_with_what_is_in_its_way() {
    let bench = whole();
    bench.json("run --agent baseline:silent --out runs");
    bench.write("folder/file", "mine");
    for line in WRITERS {
        for place in ["folder/file/out", "folder/file/a/b/out"] {
            let line = line.replace("PLACE", place);
            refused(&bench, &line, "folder/file is no folder");
            refused(
                &bench,
                &line,
                "a file lies where a folder has to be: move it away",
            );
        }
        let told = bench.told(&line.replace(" PLACE", "="));
        assert!(told.contains("\nexit 2\n"), "{told}");
        let long = "x".repeat(300);
        let told = bench.told(&line.replace("PLACE", &long));
        assert!(
            told.contains("\nexit 2\n") && told.contains("give a shorter name"),
            "{told}"
        );
    }
    assert_eq!(bench.read("folder/file"), "mine");
    for nothing in ["r.json", "raw.json", "out"] {
        assert!(!bench.path(nothing).exists(), "{nothing}");
    }
}

/// In this folder of Linux nobody makes a file, whatever rights they have.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_may_not_be_written_to_is_named() {
    let bench = whole();
    bench.json("run --agent baseline:silent --out runs");
    for line in WRITERS {
        for place in ["/sys/out", "/sys/a/out"] {
            let line = line.replace("PLACE", place);
            refused(&bench, &line, "/sys may not be written to");
            refused(&bench, &line, "give a place that you may write to");
        }
    }
    for nothing in ["r.json", "raw.json", "out"] {
        assert!(!bench.path(nothing).exists(), "{nothing}");
    }
}

#[test]
fn subgraphs_that_others_wrote_are_taken_as_they_are() {
    let bench = whole();
    let line = "ava synthesize --subgraphs subgraphs --ontology small.obo --out";
    bench.json(&format!("{line} raw.json"));
    let expected = bench.read("raw.json");
    assert!(!bench.read_json("raw.json").as_array().unwrap().is_empty());
    let list = "subgraphs/small/bfs/manifest.json";
    let mut manifest = bench.read_json(list);
    for entry in manifest["subgraphs"].as_array_mut().unwrap() {
        let file = format!("subgraphs/small/bfs/{}", entry["file"].as_str().unwrap());
        let mut subgraph = bench.read_json(&file);
        let labels = subgraph["node_labels"]
            .as_object()
            .unwrap()
            .values()
            .cloned()
            .collect();
        subgraph["node_labels"] = labels;
        subgraph["node_comments"] = serde_json::Value::Null;
        subgraph["by"] = json!({"version": 2});
        for triple in subgraph["triples"].as_array_mut().unwrap() {
            triple["subject_label"] = serde_json::Value::Null;
        }
        for key in [
            "edges",
            "triple_count",
            "subgraph_id",
            "source_ontology",
            "depth",
            "strategy",
        ] {
            subgraph.as_object_mut().unwrap().remove(key);
        }
        bench.write(&file, subgraph.to_string());
        for key in ["file", "triple_count", "node_count"] {
            entry.as_object_mut().unwrap().remove(key);
        }
    }
    for key in ["total", "strategy"] {
        manifest.as_object_mut().unwrap().remove(key);
    }
    bench.write(list, manifest.to_string());
    bench.json(&format!("{line} again.json"));
    assert_eq!(bench.read("again.json"), expected);
    // The place of what cannot be meant is that in its file.
    let id = manifest["subgraphs"][0]["subgraph_id"].as_str().unwrap();
    bench.write(
        &format!("subgraphs/small/bfs/{id}.json"),
        "{\"nodes\": [\"a\", \"b\"],\n \"node_labels\": [\"x\"],\n \"triples\": []}",
    );
    refused(
        &bench,
        &format!("{line} third.json"),
        &format!("{id}.json:2:17: no subgraph: `node_labels` is a list of 1 for 2 nodes"),
    );
    assert!(!bench.path("third.json").exists());
}
