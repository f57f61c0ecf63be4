//! What a model is given and gives, where that is of no use: told with its place, before anything is computed where that can be,
//! and nothing is written.

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Bench, Reply, server};
use crate::models::{SMALL, TRIPLETS, bench, npy};

/// A command must end with status 2 and say `words`.
pub(crate) fn refused(bench: &Bench, line: &str, words: &str) {
    let told = bench.told(line);
    assert!(
        told.contains("\nexit 2\n") && told.contains(words),
        "{told}"
    );
    assert!(
        !told.contains("panicked") && told.contains("\nhint: "),
        "{told}"
    );
}

#[test]
fn what_is_read_is_never_written_over_and_no_model_is_asked_for_it() {
    let bench = bench();
    for (file, text) in [
        ("source.obo", SMALL.to_owned()),
        ("target.obo", SMALL.replace("X:", "Y:")),
        ("reference.rdf", "<Alignment></Alignment>".to_owned()),
        ("tune.jsonl", TRIPLETS.replace("organ", "cell")),
        ("prompts.json", "{\"anchor\": \"the \"}".to_owned()),
        ("folder/file", String::new()),
    ] {
        bench.write(file, text);
    }
    bench.write("v.npy", npy(&[[1.0, 0.0]; 9]));
    // There is no such model: what is refused is refused before that is found.
    let align = "ava align --source source.obo --target target.obo --reference reference.rdf --model nowhere";
    let evaluate = "ava evaluate --data triplets.jsonl --tune tune.jsonl --prompts prompts.json --model nowhere";
    let vectors = "ava evaluate --data triplets.jsonl --model vectors:v.npy";
    let own = "ava evaluate --data triplets.jsonl --model model";
    let own_align = align.replace("nowhere", "model");
    for (line, file, words) in [
        (align, "--out reference.rdf", "reference.rdf is given twice"),
        (align, "--out ./source.obo", "source.obo is given twice"),
        (
            align,
            "--out folder/../target.obo",
            "target.obo is given twice",
        ),
        (align, "--out folder", "folder is a folder"),
        (
            &own_align,
            "--out model/found.rdf",
            "model/found.rdf lies in the model's folder",
        ),
        (
            evaluate,
            "--out prompts.json",
            "prompts.json is given twice",
        ),
        (
            evaluate,
            "--out r.json --details ./prompts.json",
            "prompts.json is given twice",
        ),
        (evaluate, "--out tune.jsonl", "tune.jsonl is given twice"),
        (evaluate, "--out folder", "folder is a folder"),
        (
            evaluate,
            "--out r.json --details folder",
            "folder is a folder",
        ),
        (vectors, "--out v.npy", "v.npy is given twice"),
        (
            own,
            "--out model/config.json",
            "model/config.json lies in the model's folder",
        ),
        (
            own,
            "--out r.json --details model/1_Pooling/config.json",
            "config.json lies in the model's folder",
        ),
    ] {
        let before = everything(&bench);
        refused(&bench, &format!("{line} {file}"), words);
        assert_eq!(everything(&bench), before, "{line} {file}");
    }
}

/// Every file of the folder, with its bytes.
fn everything(bench: &Bench) -> Vec<(String, Vec<u8>)> {
    let mut folders = vec![bench.path("")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push((path.display().to_string(), fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn what_needs_no_model_to_be_refused_is_refused_without_one() {
    let bench = bench();
    let record = |anchor: &str, negative: &str| {
        json!({"anchor": anchor, "positive": "A lung is in an organ.", "negative": negative})
            .to_string()
    };
    let good = record("The lung is in the organ.", "The organ is in the lung.");
    bench.write("empty.jsonl", format!("{good}\n{}\n", record("", "No.")));
    bench.write(
        "blank.json",
        format!(
            "[\n  {},\n  {good},\n  {}]",
            record("Yes.", " \t"),
            record("\n", "No.")
        ),
    );
    bench.write("overlap.jsonl", TRIPLETS.lines().last().unwrap());
    let of = |data: &str| format!("ava evaluate --data {data} --out r.json --model nowhere");
    for (line, words) in [
        (
            of("empty.jsonl"),
            "empty.jsonl:2:11: the anchor of this triplet is empty",
        ),
        (
            of("blank.json"),
            "blank.json:2:31: the negative of this triplet is blank, and 1 more such records",
        ),
        (
            of("triplets.jsonl --tune empty.jsonl"),
            "empty.jsonl:2:11: the anchor",
        ),
        (
            of("triplets.jsonl --tune overlap.jsonl"),
            "tuned on 1 of the triplets that are judged",
        ),
        (of("triplets.jsonl --prompts none.json"), "names no prompts"),
        (of("triplets.jsonl --prompts {}}"), "--prompts: "),
        (of("triplets.jsonl --threshold NaN"), "the threshold is NaN"),
        (
            "ava evaluate --data triplets.jsonl --out r.json --model vectors:none.npy --tune empty.jsonl"
                .to_owned(),
            "empty.jsonl:2:11",
        ),
        (
            "ava evaluate --data triplets.jsonl --out r.json --model vectors:none.npy --tune model/other.jsonl"
                .to_owned(),
            "the set to tune on has no vectors",
        ),
        (
            "ava evaluate --data triplets.jsonl --out r.json --model baseline:words --tune model/other.jsonl --tune-vectors none.npy"
                .to_owned(),
            "--tune-vectors is for a model that is a file of vectors",
        ),
    ] {
        bench.write("model/other.jsonl", &good);
        refused(&bench, &line, words);
        assert!(!bench.path("r.json").exists(), "{line}");
    }
}

#[test]
fn a_file_of_vectors_without_a_component_is_named_with_its_shape() {
    let bench = bench();
    let mut file = npy(&[]);
    let shape = b"(0, 2)";
    let at = file.windows(6).position(|part| part == shape).unwrap();
    file[at..at + 6].copy_from_slice(b"(9, 0)");
    bench.write("v.npy", file);
    refused(
        &bench,
        "ava evaluate --data triplets.jsonl --model vectors:v.npy --out r.json",
        "v.npy: it has the shape [9, 0]: vectors without a component",
    );
}

/// The small model, which makes NaN of every text with the word `lung`.
fn without_lungs(bench: &Bench) {
    let mut bytes = fs::read(bench.path("model/model.safetensors")).unwrap();
    let size = usize::try_from(u64::from_le_bytes(*bytes.first_chunk().unwrap())).unwrap();
    let header: Value = serde_json::from_slice(&bytes[8..8 + size]).unwrap();
    let tensor = &header["embeddings.word_embeddings.weight"];
    let width = usize::try_from(tensor["shape"][1].as_u64().unwrap()).unwrap();
    let start = usize::try_from(tensor["data_offsets"][0].as_u64().unwrap()).unwrap();
    let tokenizer = bench.read_json("model/tokenizer.json");
    let lung = usize::try_from(tokenizer["model"]["vocab"]["lung"].as_u64().unwrap()).unwrap();
    let at = 8 + size + start + 4 * width * lung;
    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    bench.write("model/model.safetensors", bytes);
}

/// Three triplets on the lines 1, 3 and 4 with `text` for one of the nine.
fn with(row: usize, role: &str, text: &str) -> String {
    let mut lines: Vec<String> = (0..3)
        .map(|at| {
            let mut record = json!({
                "anchor": format!("Every heart is an organ of kind {at}."),
                "positive": format!("A heart is a kind {at} organ."),
                "negative": format!("Every organ is a heart of kind {at}."),
            });
            if at + 1 == row {
                record[role] = text.into();
            }
            record.to_string()
        })
        .collect();
    lines.insert(1, String::new());
    lines.join("\n")
}

#[test]
fn a_vector_that_is_of_no_use_names_data_line_row_and_role() {
    let bench = bench();
    without_lungs(&bench);
    bench.write("whole.jsonl", TRIPLETS.replace("lung", "cell"));
    let address = embeddings(|text| {
        let odd = ["lung", "large", "zero"]
            .into_iter()
            .find(|word| text.contains(word));
        match odd {
            Some("lung") => json!([1, null]),
            Some("large") => json!([-1e39, 1]),
            Some(_) => json!([0, 0.0]),
            None => json!([text.len(), 1]),
        }
    });
    let service = format!("openai:some --base-url {address}");
    for (model, word, fault) in [
        ("model", "lung", "has NaN as component 1"),
        (service.as_str(), "lung", "has NaN as component 2"),
        (&service, "large", "has -inf as component 1"),
        (&service, "zero", "is zero in every component"),
    ] {
        for (row, line, role) in [
            (1, 1, "anchor"),
            (2, 3, "anchor"),
            (2, 3, "positive"),
            (3, 4, "negative"),
        ] {
            let text = format!("A {word} of its own.");
            bench.write("set.jsonl", with(row, role, &text));
            let words =
                format!("set.jsonl:{line}:1: row {row}: the vector of the {role} `{text}` {fault}");
            let evaluate = format!("ava evaluate --data set.jsonl --out r.json --model {model}");
            refused(&bench, &evaluate, &words);
            // The other set's rows are its own.
            let tuned = evaluate.replace("set.jsonl", "whole.jsonl") + " --tune set.jsonl";
            refused(&bench, &tuned, &words);
            assert!(!bench.path("r.json").exists());
        }
    }
}

#[test]
fn a_label_whose_vector_is_of_no_use_is_told_with_file_and_class() {
    let bench = bench();
    without_lungs(&bench);
    let heart = SMALL.replace("lung", "cell").replace("X:", "Y:");
    bench.write("lung.obo", SMALL);
    bench.write("heart.obo", &heart);
    bench.write("line.obo", SMALL.replace("lung", "_"));
    bench.write("reference.rdf", "<Alignment></Alignment>");
    let address = embeddings(|text| match text {
        "lung" => json!([1, 2, 3]),
        other => json!([other.len(), 1]),
    });
    let service = format!("openai:some --base-url {address} --batch 1");
    let align = |source: &str, target: &str, model: &str| {
        format!(
            "ava align --source {source}.obo --target {target}.obo --reference reference.rdf --model {model}"
        )
    };
    let taxonomy = |model: &str| format!("ava taxonomy --ontology lung.obo --model {model}");
    let lung = "the vector of `lung`, the label of <http://purl.obolibrary.org/obo/X_3>, ";
    for (line, words) in [
        (
            align("lung", "heart", "model"),
            format!("lung.obo: {lung}has NaN as component 1"),
        ),
        (
            align("heart", "lung", "model"),
            format!("lung.obo: {lung}has NaN as component 1"),
        ),
        (
            align("heart", "line", "baseline:words"),
            "line.obo: the vector of ` `, the label of <http://purl.obolibrary.org/obo/X_3>, is zero"
                .to_owned(),
        ),
        (
            align("heart", "lung", &service),
            format!("lung.obo: {lung}has 3 components, those of other texts 2"),
        ),
        (
            taxonomy("model"),
            "lung.obo: the vector of the label `lung` has NaN as component 1".to_owned(),
        ),
        (
            taxonomy(&service),
            "lung.obo: the vector of the label `lung` has".to_owned(),
        ),
    ] {
        refused(&bench, &line, &words);
    }
}

#[test]
fn a_number_that_json_does_not_have_is_told_as_that() {
    let bench = bench();
    let address = server(|_| Reply::json("{\"data\": [{\"embedding\": [0.5, NaN]}]}"));
    let address = address.replace("/sparql", "/v1");
    refused(
        &bench,
        &format!(
            "ava evaluate --data triplets.jsonl --out r.json --model openai:some --base-url {address}"
        ),
        "NaN stands where a number is due",
    );
}

/// A service with `/v1/embeddings` that gives each text what `vector` says; its address.
fn embeddings(vector: impl Fn(&str) -> Value + Send + Sync + 'static) -> String {
    let address = server(move |request| {
        let body: Value = serde_json::from_str(&request.body).unwrap();
        let texts = body["input"].as_array().unwrap();
        let data: Vec<Value> = texts
            .iter()
            .map(|text| json!({ "embedding": vector(text.as_str().unwrap()) }))
            .collect();
        Reply::json(&json!({ "data": data }).to_string())
    });
    address.replace("/sparql", "/v1")
}

#[test]
fn a_text_is_computed_and_counted_once_in_a_run() {
    let bench = bench();
    // Six texts: what is an anchor is a positive and a negative too.
    let record = |texts: [&str; 3]| {
        json!({"anchor": texts[0], "positive": texts[1], "negative": texts[2]}).to_string()
    };
    bench.write(
        "set.jsonl",
        [
            record(["heart", "organ", "lung"]),
            record(["organ", "heart", "cell"]),
        ]
        .join("\n"),
    );
    bench.write("tune.jsonl", record(["muscle", "heart", "the lung"]));
    let evaluate = "ava evaluate --data set.jsonl --tune tune.jsonl --out r.json --model model";
    let counts = |line: &str| {
        let run = bench.json(line)["run"].clone();
        (run["texts_computed"].clone(), run["texts_cached"].clone())
    };
    let unkept = format!("{evaluate} --no-cache");
    assert_eq!(counts(&unkept), (json!(6), json!(0)));
    assert_eq!(counts(evaluate), (json!(6), json!(0)));
    assert_eq!(counts(evaluate), (json!(0), json!(6)));
    // Behind another prompt it is another text.
    let prompted = format!("{evaluate} --prompts {{\"anchor\":\"the_\"}}");
    assert_eq!(counts(&prompted), (json!(3), json!(5)));
    assert_eq!(counts(&unkept), (json!(6), json!(0)));
}

#[test]
fn the_default_prompt_of_a_model_stands_before_every_text_unless_another_is_given() {
    let bench = bench();
    bench.write("small.obo", SMALL);
    bench.write("reference.rdf", "<Alignment></Alignment>");
    let evaluate = "ava evaluate --data triplets.jsonl --out r.json --model model";
    let taxonomy = "ava taxonomy --ontology small.obo --model model";
    let align =
        "ava align --source small.obo --target small.obo --reference reference.rdf --model model";
    let config = |text: &str| bench.write("model/config_sentence_transformers.json", text);
    let given = bench.json(&format!(
        "{evaluate} --prompts {{\"anchor\":\"the,\",\"others\":\"the,\"}}"
    ));
    config(r#"{"prompts": {"x": "the,", "query": null}, "default_prompt_name": "x"}"#);
    let found = bench.json(evaluate);
    assert_eq!(
        found["run"]["prompts"],
        json!({"anchor": "the,", "others": "the,"})
    );
    assert_eq!(found["details"], given["details"]);
    for (line, expected) in [
        (taxonomy.to_owned(), "the,"),
        (align.to_owned(), "the,"),
        (format!("{taxonomy} --prompt="), ""),
        (format!("{align} --prompt=a"), "a"),
    ] {
        assert_eq!(bench.json(&line)["prompt"], expected, "{line}");
    }
    let none = bench.json(&format!("{evaluate} --prompts none"));
    assert_eq!(none["run"]["prompts"], json!({"anchor": "", "others": ""}));
    assert_ne!(none["details"], given["details"]);
    for plain in [
        r#"{"prompts": null, "default_prompt_name": null}"#,
        r#"{"prompts": {"x": "the,"}}"#,
        r#"{"default_prompt_name": "query"}"#,
        "{}",
    ] {
        config(plain);
        let found = bench.json(evaluate);
        assert_eq!(found["run"]["prompts"], none["run"]["prompts"], "{plain}");
        assert_eq!(found["details"], none["details"], "{plain}");
    }
    config(r#"{"prompts": {"x": "the,"}, "default_prompt_name": "y"}"#);
    refused(
        &bench,
        evaluate,
        "config_sentence_transformers.json: `default_prompt_name` is `y`, and there is no such prompt",
    );
}

#[test]
fn what_a_model_was_tuned_with_is_kept_and_listed() {
    let bench = bench();
    bench.write("small.obo", SMALL);
    bench.write("reference.rdf", "<Alignment></Alignment>");
    let evaluate = "ava evaluate --data triplets.jsonl --model model --name base";
    let before = bench.json(&format!("{evaluate} --out before.json --details b.json"));
    assert_eq!(before["run"]["tuning"], Value::Null);
    let after = bench.json(&format!(
        "{evaluate} --tuning triplet-loss --out after.json --details a.json"
    ));
    assert_eq!(after["run"]["tuning"], "triplet-loss");
    let table = bench.json("ava table before.json after.json");
    for (at, tuning) in [(0, Value::Null), (1, json!("triplet-loss"))] {
        let row = &table["rows"][at];
        assert_eq!((&row["model"], &row["tuning"]), (&json!("base"), &tuning));
        assert_eq!(row["data"], "triplets.jsonl");
    }
    let markdown = bench.told("ava table before.json after.json");
    assert!(
        markdown.contains("| base | – | ours |")
            && markdown.contains("| base | triplet-loss | ours |"),
        "{markdown}"
    );
    assert!(!markdown.contains("| set |"), "{markdown}");
    // Another set, and the column that says so.
    bench.write("few.jsonl", TRIPLETS.lines().next().unwrap());
    bench.json(&format!(
        "{} --out few.json",
        evaluate.replace("triplets.jsonl", "few.jsonl")
    ));
    let markdown = bench.told("ava table before.json few.json");
    assert!(
        markdown.contains("| figures | set | triplets |")
            && markdown.contains("| ours | few.jsonl | 1 |"),
        "{markdown}"
    );
    for (kind, line) in [
        (
            "alignment",
            "ava align --source small.obo --target small.obo --reference reference.rdf",
        ),
        ("taxonomy", "ava taxonomy --ontology small.obo"),
    ] {
        let found = bench.json(&format!("{line} --model model --name base --tuning DPO"));
        bench.write("found.json", found.to_string());
        let table = bench.json(&format!("ava table --kind {kind} found.json"));
        let row = &table["rows"][0];
        assert_eq!(
            (&row["model"], &row["tuning"], &row["top_k"]),
            (&json!("base"), &json!("DPO"), &json!(1)),
            "{kind}"
        );
        // A file of one kind that is taken for another says which it is.
        refused(
            &bench,
            "ava table found.json",
            &format!("--kind {kind} lists what this is"),
        );
    }
    bench.write("other.json", "{}");
    refused(
        &bench,
        "ava table other.json",
        "--kind says of what the files are",
    );
    let told = bench.told(&format!("{evaluate} --out r.json --tuning="));
    assert!(
        told.contains("\nexit 2\n") && told.contains("--tuning"),
        "{told}"
    );
}
