//! `publish`: the bundle that the explorer reads.

use serde_json::json;

use crate::harness::{Bench, assert_told};

fn swept() -> Bench {
    let bench = Bench::new();
    bench.json("run --agent baseline:reference --agent baseline:keyword --agent baseline:silent --out runs");
    bench
}

#[test]
fn a_site_is_explorer_results_and_snapshot() {
    let bench = swept();
    bench.write("explorer/index.html", "<!doctype html>");
    bench.write("explorer/assets/app.css", "body {}");
    let published = bench.json("publish runs --explorer explorer --out site");
    assert_eq!(published["attempts"], 12);
    for file in [
        "index.html",
        "assets/app.css",
        "results/records/nde-exact_sugar.json",
        "snapshot/nde.trig",
    ] {
        assert!(bench.path("site").join(file).is_file(), "{file}");
    }
    let manifest = bench.read("site/snapshot/manifest.json");
    assert_eq!(
        manifest,
        bench.read("benchmarks-ontology/snapshot/manifest.json")
    );
}

#[test]
fn the_index_holds_records_agents_and_cells() {
    let bench = swept();
    let said = bench.told("publish runs --out site");
    assert!(
        said.contains("no pages that show them: --explorer"),
        "{said}"
    );
    let index = bench.read_json("site/results/index.json");
    assert_eq!(index["format"], 2);
    assert_eq!(index["provenance"]["kind"], "reconstruction");
    assert_eq!(index["snapshot"]["manifest"], "snapshot/manifest.json");
    assert_eq!(index["records"].as_array().unwrap().len(), 4);
    assert_eq!(index["agents"].as_array().unwrap().len(), 3);
    assert_eq!(index["cells"].as_array().unwrap().len(), 12);
    let heart = &index["records"][2];
    assert_eq!(
        (
            &heart["id"],
            &heart["arm"],
            &heart["twin"],
            &heart["key_rows"]
        ),
        (
            &json!("nde-expand_heart"),
            &json!("expand"),
            &json!("nde-exact_heart"),
            &json!(3)
        )
    );
}

#[test]
fn a_page_holds_key_controls_and_attempts() {
    let bench = swept();
    bench.json("publish runs --out site");
    let page: sweep::RecordPage =
        serde_json::from_str(&bench.read("site/results/records/nde-expand_heart.json")).unwrap();
    let key = page.key.unwrap();
    assert_eq!(
        table::read_sparql_json(key.rows.as_bytes()).unwrap().len(),
        3
    );
    assert_eq!(key.ranks.unwrap(), [0, 1, 2]);
    assert_eq!(page.identity, Some(1));
    assert_eq!(
        page.root.as_deref(),
        Some("http://purl.obolibrary.org/obo/MONDO_1")
    );
    let letters: Vec<char> = page.controls.iter().map(|control| control.letter).collect();
    assert_eq!(letters, ['A', 'B']);
    let analysis: sweep::AnalysisPage =
        serde_json::from_str(&bench.read(&format!("site/{}", page.analysis))).unwrap();
    assert_eq!(analysis.controls[1].keywords, ["card", "heart"]);
    assert_eq!(analysis.controls[1].comparison, page.controls[1].comparison);
    assert!(!analysis.controls[1].findings.why.is_empty());
    let agents: Vec<&str> = page
        .attempts
        .iter()
        .map(|attempt| attempt.agent.as_str())
        .collect();
    assert_eq!(
        agents,
        ["baseline:reference", "baseline:keyword", "baseline:silent"]
    );
    let attempt = |at: usize| -> sweep::AttemptPage {
        let file = bench.read(&format!("site/{}", page.attempts[at].file));
        serde_json::from_str(&file).unwrap()
    };
    assert!(attempt(0).score.unwrap().exact);
    assert_eq!(attempt(1).score.unwrap().missing.len(), 1);
    assert_eq!((attempt(2).score, attempt(2).answer), (None, None));

    let exact: sweep::RecordPage =
        serde_json::from_str(&bench.read("site/results/records/nde-exact_heart.json")).unwrap();
    assert!(exact.controls.is_empty());
    assert_eq!(
        exact.attempts[0].metrics.obedience,
        Some(sweep::Obedience::Obeyed)
    );
}

#[test]
fn an_attempt_names_the_calls_behind_its_evidence() {
    let bench = swept();
    bench.json("publish runs --out site");
    let page = bench.read_json("site/results/records/nde-expand_heart.json");
    let evidence = |at: usize| {
        let file = page["attempts"][at]["file"].as_str().unwrap();
        let attempt = bench.read_json(&format!("site/{file}"));
        assert_eq!(
            (&attempt["format"], &attempt["record"]),
            (&json!(2), &json!("nde-expand_heart"))
        );
        assert_eq!(attempt["agent"], page["attempts"][at]["agent"]);
        attempt["metrics"]["evidence_calls"].clone()
    };
    assert_eq!(evidence(0), json!({"property-path": [1]}));
    assert_eq!(evidence(1), json!({"name-test": [1]}));
    assert_eq!(evidence(2), json!({"none": []}));
}

#[test]
fn a_page_holds_its_file_and_what_the_lint_finds_in_it() {
    let bench = Bench::new();
    let file = "benchmarks-ontology/nde-expand_heart.rq";
    let unordered = bench.read(file).replace("ORDER BY", "# ORDER BY");
    bench.write(file, &unordered);
    bench.json("run --agent baseline:silent --out runs");
    bench.json("publish runs --out site");
    let page = bench.read_json("site/results/analyses/nde-expand_heart.json");
    assert_eq!(page["source"], unordered.as_str());
    let findings = page["lint"]["findings"].as_array().unwrap();
    let found = findings
        .iter()
        .find(|finding| finding["rule"] == "order-missing");
    let line = found.unwrap()["line"].as_u64().unwrap();
    let limit = unordered
        .lines()
        .position(|line| line.contains("LIMIT"))
        .unwrap();
    assert_eq!(line, limit as u64 + 1);
    // Its rule is explained beside it.
    let rules = bench.read_json("site/results/rules.json");
    let families = rules["families"].as_array().unwrap();
    let mut rules = families
        .iter()
        .flat_map(|family| family["rules"].as_array().unwrap());
    let rule = rules.find(|rule| rule["id"] == "order-missing").unwrap();
    assert!(!rule["bad"].as_array().unwrap().is_empty());
}

#[test]
fn an_earlier_sweep_shows_what_became_of_each_record() {
    let bench = swept();
    bench.json("run --agent baseline:reference --out before");
    let metrics = "before/nde-expand_heart/1/metrics.json";
    let worse = bench
        .read(metrics)
        .replace(r#""exact": true"#, r#""exact": false"#)
        .replace(r#""ordered": true"#, r#""ordered": false"#);
    bench.write(metrics, worse);
    bench.json("publish runs --against before --out site");
    let comparison = bench.read_json("site/results/comparison/comparison.json");
    let first = &comparison["changes"][0];
    assert_eq!(
        (&first["record"], &first["way"]),
        (&json!("nde-expand_heart"), &json!("improved"))
    );
    assert_told!(bench.told("publish runs --against benchmarks-ontology --out other"));
    assert!(!bench.path("other").exists());
}

#[test]
fn sweeps_stand_in_the_order_in_which_they_were_begun() {
    let bench = swept();
    for (agent, second) in [
        ("keyword", "00.51"),
        ("reference", "00.5"),
        ("silent", "00"),
    ] {
        let file = format!("runs/baseline-{agent}/manifest.json");
        let mut manifest = bench.read_json(&file);
        manifest["created"] = format!("2026-11-30T12:00:{second}Z").into();
        bench.write(&file, manifest.to_string());
    }
    bench.json("publish runs --out site");
    let index = bench.read_json("site/results/index.json");
    let agents: Vec<&str> = index["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| agent["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        agents,
        ["baseline:silent", "baseline:reference", "baseline:keyword"]
    );
}

#[test]
fn the_sweeps_stand_side_by_side_beside_the_index() {
    let bench = swept();
    bench.json("publish runs --out site");
    let index = bench.read_json("site/results/index.json");
    let file = index["comparison"].as_str().unwrap();
    assert_eq!(file, "results/comparison/comparison.json");
    let comparison = bench.read_json(&format!("site/{file}"));
    let runs: Vec<&str> = comparison["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        runs,
        ["baseline:keyword", "baseline:reference", "baseline:silent"]
    );
    assert!(
        bench
            .path("site/results/comparison/right-by-arm.svg")
            .is_file()
    );
}

#[test]
fn sweeps_over_two_builds_are_published_only_when_that_is_allowed() {
    let bench = swept();
    let manifest = bench.read("runs/baseline-silent/manifest.json");
    let build = concat!("okn-benchmark ", env!("CARGO_PKG_VERSION"));
    let other = manifest.replace(&format!(r#""build": "{build}""#), r#""build": "v2""#);
    assert_ne!(other, manifest);
    bench.write("runs/baseline-silent/manifest.json", other);
    let refused = bench.told("publish runs --out site");
    assert!(
        refused.contains("exit 2")
            && refused.contains("build v2 ")
            && refused.contains("(baseline:silent)"),
        "{refused}"
    );
    bench.json("publish runs --out site --allow-mixed");
    let comparison = bench.read_json("site/results/comparison/comparison.json");
    assert_eq!(comparison["mixed"][0]["what"], "server-build");
}

/// Two sweeps of one agent, as over two builds or at two times, stand side by side under the names of their folders.
#[test]
fn two_sweeps_of_one_label_are_both_published() {
    let bench = Bench::new();
    for (out, tier) in [("before", "heart"), ("after", "sugar")] {
        bench.json(&format!(
            "run --agent baseline:reference --tier {tier} --repeat 2 --out {out}"
        ));
    }
    let told = bench.told("publish before after --out site");
    assert!(
        told.contains("8 attempts of 2 agents at 4 records"),
        "{told}"
    );
    let ids = ["baseline:reference (before)", "baseline:reference (after)"];
    let index = bench.read_json("site/results/index.json");
    let agents = index["agents"].as_array().unwrap();
    assert_eq!(
        agents.iter().map(|agent| &agent["id"]).collect::<Vec<_>>(),
        ids
    );
    // Each has its own attempts, and the comparison knows both by the same names.
    let cells = index["cells"].as_array().unwrap();
    let of = |id: &str| cells.iter().filter(|cell| cell["agent"] == id).count();
    assert_eq!(ids.map(of), [2, 2]);
    let comparison = bench.read_json("site/results/comparison/comparison.json");
    let mut runs: Vec<&str> = comparison["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["id"].as_str().unwrap())
        .collect();
    runs.reverse();
    assert_eq!(runs, ids);
    // One alone says how many records were asked, of how many there are.
    let told = bench.told("publish before --out one");
    assert!(
        told.contains("4 attempts of 1 agent at 2 of 4 records"),
        "{told}"
    );
    for twice in [
        "publish before ./before --out two",
        "compare before ./before",
    ] {
        let told = bench.told(twice);
        assert!(
            told.contains("exit 2") && told.contains("./before was given twice, once as before"),
            "{told}"
        );
    }
    assert!(!bench.path("two").exists());
}

#[test]
fn publishing_again_replaces_the_results() {
    let bench = swept();
    bench.json("publish runs --out site");
    bench.write("site/results/records/gone.json", "{}");
    bench.write("site/.nojekyll", "");
    bench.json("publish runs --out site");
    assert!(!bench.path("site/results/records/gone.json").exists());
    assert!(bench.path("site/snapshot/manifest.json").is_file());
    assert!(bench.path("site/.nojekyll").is_file());
}

#[test]
fn a_site_takes_no_place_that_is_not_its_own() {
    let bench = swept();
    bench.write("notes/plan.txt", "mine");
    for out in ["notes", "runs", "runs/site", "."] {
        let told = bench.told(&format!("publish runs --out {out}"));
        assert!(told.contains("exit 2") && told.contains("--out"), "{told}");
    }
    assert_eq!(bench.read("notes/plan.txt"), "mine");
    assert!(!bench.path("runs/site").exists() && !bench.path("notes/results").exists());
}

#[cfg(unix)]
#[test]
fn a_link_in_the_explorer_is_not_followed_and_nothing_is_left_behind() {
    let bench = swept();
    bench.json("publish runs --out site");
    let before = bench.read("site/results/index.json");
    bench.write("secret.txt", "secret");
    bench.write("explorer/index.html", "<!doctype html>");
    std::os::unix::fs::symlink(bench.path("secret.txt"), bench.path("explorer/assets.txt"))
        .unwrap();
    for out in ["site", "fresh/site"] {
        let told = bench.told(&format!("publish runs --explorer explorer --out {out}"));
        assert!(
            told.contains("exit 2") && told.contains("explorer/assets.txt"),
            "{told}"
        );
    }
    assert_eq!(bench.read("site/results/index.json"), before);
    assert!(!bench.path("fresh").exists());
    let names = std::fs::read_dir(bench.path(".")).unwrap();
    assert!(
        names
            .map(|entry| entry.unwrap().file_name())
            .all(|name| !name.to_string_lossy().starts_with("unfinished"))
    );
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let bench = swept();
    assert_told!(bench.told("publish controls-ontology --out site"));
    assert_told!(bench.told("publish runs runs/baseline-silent --out site"));
    assert_told!(bench.told("publish runs --explorer controls-ontology --out site"));
    assert_told!(bench.told("publish runs --endpoint http://127.0.0.1:9/sparql --out site"));
    let record = bench.read("benchmarks-ontology/nde-expand_sugar.rq");
    bench.write(
        "benchmarks-ontology/nde-expand_sugar.rq",
        record.replace("top 3", "top three"),
    );
    assert_told!(bench.told("publish runs --out site"));
    assert!(!bench.path("site").exists());
}

const TRIPLETS: &str = r#"{"anchor": "every heart is an organ", "positive": "hearts belong to the organs here", "negative": "every organ is an heart", "source": "anatomy", "perturbation": "hierarchy-inversion"}
{"anchor": "the lung is part of a body", "positive": "lungs are found within the bodies", "negative": "the lung is a neighbour to houses", "source": "anatomy"}
"#;

/// A sweep, a result with its judged triplets, and a file as AVA's own are.
fn judged() -> Bench {
    let bench = swept();
    bench.write("set/all.jsonl", TRIPLETS);
    bench.json("ava evaluate --data set/all.jsonl --model baseline:words --out ava/words.json --details ava/words-triplets.json");
    bench.write(
        "all-MiniLM-L6-v2.json",
        r#"{"test": {"triplet_accuracy": 0.657}}"#,
    );
    bench
}

#[test]
fn results_of_models_and_triplets_are_part_of_a_site() {
    let bench = judged();
    let published = bench.json(
        "publish runs --out site --ava ava/words.json all-MiniLM-L6-v2.json --ava-triplets set/all.jsonl",
    );
    assert_eq!(published["ava_results"], 2);
    let index: sweep::BundleIndex =
        serde_json::from_str(&bench.read("site/results/index.json")).unwrap();
    let ava = index.ava.unwrap();
    let named = |files: &[sweep::AvaFile]| -> Vec<(String, usize)> {
        files
            .iter()
            .map(|file| (file.name.clone(), file.triplets))
            .collect()
    };
    assert_eq!(named(&ava.sets), [("set/all.jsonl".to_owned(), 2)]);
    assert_eq!(named(&ava.judged), [("baseline:words".to_owned(), 2)]);
    for (file, path) in [
        (&ava.sets[0], "set/all.jsonl"),
        (&ava.judged[0], "ava/words-triplets.json"),
    ] {
        assert_eq!(bench.read(&format!("site/{}", file.path)), bench.read(path));
    }
    let board: sweep::AvaBoard =
        serde_json::from_str(&bench.read(&format!("site/{}", ava.board))).unwrap();
    let of = |at: usize| {
        (
            board.results[at].name.as_str(),
            board.results[at].recomputed,
        )
    };
    assert_eq!(
        (of(0), of(1)),
        (("words", false), ("all-MiniLM-L6-v2", false))
    );
    assert_eq!(board.results[0].result, bench.read_json("ava/words.json"));

    let again = bench.json("publish runs --out site --ava-recomputed all-MiniLM-L6-v2.json");
    assert_eq!(again["ava_results"], 1);
    let board: sweep::AvaBoard =
        serde_json::from_str(&bench.read(&format!("site/{}", ava.board))).unwrap();
    assert!(board.results[0].recomputed);
    assert!(
        !bench.path(&format!("site/{}", ava.sets[0].path)).exists(),
        "what the site had of another time is gone"
    );
    // A site without any has the page of the published figures all the same.
    bench.json("publish runs --out bare");
    let bare = bench.read_json("bare/results/index.json");
    assert_eq!(bare["ava"]["sets"], json!([]));
    assert!(
        bench
            .path("bare")
            .join(bare["ava"]["board"].as_str().unwrap())
            .is_file()
    );
}

/// What `ava align --json` and `ava taxonomy --json` print.
const ALIGNMENT: &str = r#"{"task": "Mouse–Human", "model": "mine", "top_k": 1, "hits": 1, "predictions": 2, "reference": 4, "precision": 50.0, "recall": 25.0, "f1": 33.3, "ignored": 0, "subsumptions": 0}"#;
const TAXONOMY: &str = r#"{"task": "SchemaOrg", "model": "all-mpnet-base-v2", "top_k": 1, "correct": 90, "predicted": 1384, "ground_truth": 1058, "precision": 0.065, "recall": 0.085, "f1": 0.0737}"#;

#[test]
fn downstream_results_are_part_of_a_site() {
    let bench = judged();
    bench.write("alignment.json", ALIGNMENT);
    bench.write("taxonomy.json", TAXONOMY);
    bench.write("a.ttl", "@prefix o: <http://www.w3.org/2002/07/owl#> . @prefix r: <http://www.w3.org/2000/01/rdf-schema#> . @prefix e: <http://e/> .\ne:a a o:Class; r:label \"heart\" . e:b a o:Class; r:label \"heart valve\"; r:subClassOf e:a .\n");
    let printed = bench.json("ava taxonomy --ontology a.ttl --model baseline:words --task own");
    bench.write("printed.json", printed.to_string());
    let published = bench.json(
        "publish runs --out site --ava printed.json alignment.json ava/words.json --ava-recomputed taxonomy.json",
    );
    assert_eq!(published["ava_results"], 4);
    let index = bench.read_json("site/results/index.json");
    let board: sweep::AvaBoard = serde_json::from_str(
        &bench.read(&format!("site/{}", index["ava"]["board"].as_str().unwrap())),
    )
    .unwrap();
    let found: Vec<(&str, bool, &serde_json::Value)> = board
        .results
        .iter()
        .map(|one| (one.name.as_str(), one.recomputed, &one.result["task"]))
        .collect();
    assert_eq!(
        found,
        [
            ("printed", false, &json!("own")),
            ("alignment", false, &json!("Mouse–Human")),
            ("words", false, &serde_json::Value::Null),
            ("taxonomy", true, &json!("SchemaOrg")),
        ]
    );
    assert_eq!(board.results[1].result, bench.read_json("alignment.json"));
}

#[test]
fn sets_are_named_by_as_much_of_their_paths_as_tells_them_apart() {
    let bench = judged();
    bench.write("hp/set/kept.json", "[]");
    bench.write("mondo/set/kept.json", "[]");
    bench.json(
        "publish runs --out site --ava-triplets hp/set/kept.json mondo/set/kept.json ./set/all.jsonl",
    );
    let index = bench.read_json("site/results/index.json");
    let names: Vec<&str> = index["ava"]["sets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|set| set["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["hp/set/kept.json", "mondo/set/kept.json", "set/all.jsonl"]
    );
}

#[test]
fn what_cannot_be_shown_of_ava_is_refused_and_nothing_is_written() {
    let bench = judged();
    bench.write("broken.json", "{\"test\": {\"triplet_accuracy\": 2}}");
    bench.write("none-of-them.json", "{\"rows\": []}");
    bench.write("align.json", ALIGNMENT.replace("50.0", "\n150"));
    bench.write("taxonomy.json", TAXONOMY.replace("\"model\"", "\"name\""));
    bench.write(
        "another.json",
        TAXONOMY.replace("\"top_k\": 1", "\"top_k\": 5"),
    );
    bench.write("set/one.jsonl", "{\"anchor\": \"a\"}\n");
    bench.write("set/blank.jsonl", "\u{FEFF}\n");
    bench.write("moved/words.json", bench.read("ava/words.json"));
    bench.write("changed/words.json", bench.read("ava/words.json"));
    bench.write("changed/words-triplets.json", "[]");
    for (options, said) in [
        ("--ava broken.json", "broken.json:1:"),
        ("--ava none.json", "none.json"),
        (
            "--ava none-of-them.json",
            "none-of-them.json:1:1: no result file: `test` has no `triplet_accuracy`",
        ),
        (
            "--ava none-of-them.json",
            "`ava align --json` or `ava taxonomy --json` printed",
        ),
        (
            "--ava align.json",
            "align.json:2:1: no result of an alignment: expected a figure from 0 to 100, found 150",
        ),
        (
            "--ava-recomputed taxonomy.json",
            "taxonomy.json:1:169: no result of a taxonomy: missing field `model`",
        ),
        (
            "--ava-triplets set/one.jsonl",
            "set/one.jsonl:1:1: this triplet has no `positive`",
        ),
        (
            "--ava-triplets set/blank.jsonl",
            "set/blank.jsonl:1:1: no triplet in this file",
        ),
        (
            "--ava-triplets set/all.jsonl ./set/all.jsonl",
            "two files of triplets for set/all.jsonl",
        ),
        (
            "--ava-recomputed ava/words.json",
            "words.json holds no published figure computed again: there is no published figure of baseline:words",
        ),
        (
            "--ava-recomputed another.json",
            "the published figure is of 1058 true pairs at k = 1, this one of 1058 true pairs at k = 5",
        ),
        (
            "--ava ava/words.json ava/words.json",
            "two files of triplets for baseline:words",
        ),
        (
            "--ava moved/words.json",
            "words-triplets.json, which is not there",
        ),
        (
            "--ava changed/words.json",
            "words-triplets.json, which is not the one that was written with it",
        ),
    ] {
        let line = format!("publish runs --out site {options}");
        assert_eq!(bench.run(&line).status.code(), Some(2), "{line}");
        let told = bench.told(&line);
        assert!(told.contains(said), "{told}");
        assert!(!bench.path("site").exists(), "{line}");
    }
}
