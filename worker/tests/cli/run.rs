//! `run`: attempts, their judgement, and what becomes of a sweep that is stopped.

use std::fs;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Bench, Reply, assert_told, server};

const ALL: &str = "--agent baseline:reference --agent baseline:literal --agent baseline:keyword \
    --agent baseline:silent --agent baseline:header-only";

fn cell<'a>(report: &'a Value, agent: &str, record: &str) -> &'a Value {
    let cells = report["cells"].as_array().unwrap();
    cells
        .iter()
        .find(|cell| cell["agent"] == agent && cell["record"] == record)
        .unwrap()
}

#[test]
fn baseline_agents_score_what_they_must() {
    let bench = Bench::new();
    let report = bench.json(&format!("run {ALL} --out runs"));
    let (obeyed, disobeyed, unproven) = ([1, 0, 0], [0, 1, 0], [0, 0, 1]);
    let untold = [0, 0, 0];
    for (agent, record, outcome, right, f1, told) in [
        ("reference", "nde-expand_heart", "answered", 1, 1.0, untold),
        (
            "reference",
            "nde-exact_heart",
            "answered-empty",
            1,
            1.0,
            obeyed,
        ),
        ("reference", "nde-expand_sugar", "answered", 1, 1.0, untold),
        ("reference", "nde-exact_sugar", "answered", 1, 1.0, obeyed),
        (
            "literal",
            "nde-expand_heart",
            "answered-empty",
            0,
            0.0,
            untold,
        ),
        (
            "literal",
            "nde-exact_heart",
            "answered-empty",
            1,
            1.0,
            obeyed,
        ),
        ("literal", "nde-exact_sugar", "answered", 1, 1.0, obeyed),
        ("keyword", "nde-exact_heart", "answered", 0, 0.0, disobeyed),
        ("silent", "nde-expand_heart", "no-answer", 0, 0.0, untold),
        ("silent", "nde-exact_heart", "no-answer", 0, 0.0, unproven),
        ("silent", "nde-exact_sugar", "no-answer", 0, 0.0, unproven),
        (
            "header-only",
            "nde-expand_heart",
            "answered-empty",
            0,
            0.0,
            untold,
        ),
        (
            "header-only",
            "nde-exact_heart",
            "answered-empty",
            0,
            1.0,
            unproven,
        ),
        (
            "header-only",
            "nde-exact_sugar",
            "answered-empty",
            0,
            0.0,
            unproven,
        ),
    ] {
        let cell = cell(&report, &format!("baseline:{agent}"), record);
        assert_eq!(cell["outcomes"], json!([outcome]), "{agent} {record}");
        assert_eq!(cell["tally"]["right"], right, "{agent} {record}");
        assert_eq!(cell["tally"]["mean_f1"], f1, "{agent} {record}");
        let [obeyed, disobeyed, unproven] = told;
        let expected = json!({ "obeyed": obeyed, "disobeyed": disobeyed, "unproven": unproven });
        assert_eq!(cell["tally"]["obedience"], expected, "{agent} {record}");
    }
    assert_eq!(report["kind"], "reconstruction");
    // Nothing at all against an empty key: 1 as published figures elsewhere count it, kept beside.
    let silent = bench.read_json("runs/baseline-silent/nde-exact_heart/1/metrics.json");
    assert_eq!(
        (&silent["scores"], &silent["raw"]["f1"]),
        (&json!(null), &json!(1.0))
    );
}

#[test]
fn an_attempt_is_these_files() {
    let bench = Bench::new();
    bench.json("run --agent baseline:reference --tier heart --out runs");
    assert_told!(bench.read("runs/nde-exact_heart/1/metrics.json"));
    let lines: Vec<Value> = bench
        .read("runs/nde-expand_heart/1/calls.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        json!(lines),
        bench.read_json("runs/nde-expand_heart/1/calls.json")
    );
    assert_eq!(
        (&lines[0]["tool"], &lines[1]["tool"]),
        (&json!("query"), &json!("submit_csv"))
    );
    assert!(
        lines[0]["arguments"]["query_string"]
            .as_str()
            .unwrap()
            .contains("subClassOf")
    );
    assert!(
        bench
            .read("runs/nde-expand_heart/1/answer.csv")
            .starts_with("name,condition,datasets")
    );
    assert!(
        bench
            .path("runs/nde-expand_heart/1/transcript.jsonl")
            .is_file()
    );

    bench.json("run --agent baseline:silent --tier heart --out silent");
    assert!(!bench.path("silent/nde-expand_heart/1/answer.csv").exists());
}

#[test]
fn the_table_that_a_person_sees() {
    assert_told!(Bench::new().told("run --agent baseline:literal --repeat 2 --out runs"));
}

#[test]
fn a_second_run_keeps_what_is_finished_and_makes_the_rest() {
    let bench = Bench::new();
    bench.json("run --agent baseline:reference --tier heart --out runs");
    let before = fs::metadata(bench.path("runs/nde-expand_heart/1/answer.csv"))
        .unwrap()
        .modified()
        .unwrap();
    let report = bench.json("run --agent baseline:reference --repeat 2 --out runs");
    assert_eq!(
        cell(&report, "baseline:reference", "nde-expand_heart")["tally"]["asked"],
        2
    );
    assert_eq!(
        cell(&report, "baseline:reference", "nde-expand_sugar")["tally"]["asked"],
        2
    );
    let after = fs::metadata(bench.path("runs/nde-expand_heart/1/answer.csv"))
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(before, after);
}

#[test]
fn a_finished_attempt_is_judged_again() {
    let bench = Bench::new();
    bench.json("run --agent baseline:reference --tier heart --out runs");
    bench.write(
        "runs/nde-expand_heart/1/answer.csv",
        "name,condition,datasets\n",
    );
    let report = bench.json("run --agent baseline:reference --tier heart --out runs");
    let cell = cell(&report, "baseline:reference", "nde-expand_heart");
    assert_eq!(
        (&cell["outcomes"], &cell["tally"]["exact"]),
        (&json!(["answered-empty"]), &json!(0))
    );
}

#[test]
fn a_folder_in_an_attempts_place_that_is_none_is_not_counted_and_not_removed() {
    let bench = Bench::new();
    bench.write("runs/nde-exact_heart/1/answer.csv", "half");
    assert_told!(bench.told("run --agent baseline:reference --tier heart --out runs"));
    assert_eq!(bench.read("runs/nde-exact_heart/1/answer.csv"), "half");
}

#[test]
fn attempts_without_a_manifest_are_nobodys_and_are_refused() {
    let bench = Bench::new();
    bench.json("run --agent baseline:silent --tier heart --out runs");
    let before = bench.read("runs/nde-exact_heart/1/metrics.json");
    fs::remove_file(bench.path("runs/manifest.json")).unwrap();
    assert_told!(bench.told("run --agent baseline:reference --tier heart --out runs"));
    assert_eq!(bench.read("runs/nde-exact_heart/1/metrics.json"), before);
    assert!(!bench.path("runs/manifest.json").exists());
}

#[test]
fn an_attempt_that_lost_its_metrics_is_missed_by_whoever_reads_the_sweep() {
    let bench = Bench::new();
    bench.json("run --agent baseline:reference --tier heart --repeat 2 --out runs");
    fs::create_dir(bench.path("runs/nde-exact_heart/3")).unwrap();
    bench.json("compare runs");
    fs::remove_file(bench.path("runs/nde-exact_heart/2/metrics.json")).unwrap();
    for line in [
        "compare runs",
        "publish runs --out site",
        "run --agent baseline:reference --tier heart --out runs",
    ] {
        let output = bench.run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains(
                "runs/nde-exact_heart/2 is in the way of an attempt and has no metrics.json"
            ),
            "{line}: {said}"
        );
    }
    assert!(!bench.path("site").exists());
}

#[test]
fn another_condition_in_the_same_folder_is_refused_before_anything_runs() {
    let bench = Bench::new();
    bench.json("run --agent baseline:reference --tier heart --out runs");
    assert_told!(
        bench.told(
            "run --agent baseline:reference --kg-hint tags --timeout 60 --repeat 2 --out runs"
        )
    );
    assert!(
        !bench.path("runs/nde-expand_heart/2").exists()
            && !bench.path("runs/nde-expand_sugar").exists()
    );
    // The corpus is part of the condition.
    let record = bench.read("benchmarks-ontology/nde-expand_sugar.rq");
    bench.write(
        "benchmarks-ontology/nde-expand_sugar.rq",
        record.replace("top 3", "top three"),
    );
    let output = bench.run("run --agent baseline:reference --out runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("corpus_hash")
    );
}

#[test]
fn a_folder_is_one_agents_or_severals() {
    let bench = Bench::new();
    bench.json("run --agent baseline:silent --out one");
    assert_told!(bench.told("run --agent baseline:silent --agent baseline:literal --out one"));
    bench.json("run --agent baseline:silent --agent baseline:literal --out several");
    assert_told!(bench.told("run --agent baseline:silent --out several"));
}

#[test]
fn an_agent_that_does_not_exist_is_named_with_those_that_do() {
    let bench = Bench::new();
    assert_told!(bench.told("run --agent oracle --out runs"));
    assert_told!(bench.told("run --model claude-opus-5 --effort high --out runs"));
    assert_told!(bench.told("run --agent baseline:silent --agent baseline:silent --out runs"));
    assert_told!(bench.told("run --agent baseline:silent --shard 3/2 --out runs"));
    assert!(!bench.path("runs").exists());
}

#[test]
fn shards_make_the_whole_together() {
    let bench = Bench::new();
    for shard in ["1/3", "2/3", "3/3"] {
        bench.json(&format!(
            "run --agent baseline:reference --shard {shard} --out runs"
        ));
    }
    let records: Vec<_> = fs::read_dir(bench.path("runs"))
        .unwrap()
        .filter(|entry| {
            entry
                .as_ref()
                .unwrap()
                .path()
                .join("1/metrics.json")
                .is_file()
        })
        .collect();
    assert_eq!(records.len(), 4);
}

/// Stops a sweep while its second attempt waits for the server; the words that finish it.
fn stopped_in_attempt_two(bench: &Bench, stop: impl Fn(&mut std::process::Child)) -> String {
    let (asked, hears) = mpsc::channel();
    // Each run asks for the key first and for the canary then, so that the sixth query is that of attempt 2; the server
    // that the agent asks also asks which graphs there are.
    let queries = AtomicUsize::new(0);
    let url = server(move |request| {
        if request.asks("SELECT DISTINCT ?g ") {
            return Reply::json(
                r#"{"head":{"vars":["g"]},"results":{"bindings":[{"g":{"type":"uri","value":"https://purl.org/okn/frink/kg/nde"}}]}}"#,
            );
        }
        if queries.fetch_add(1, Ordering::SeqCst) == 5 {
            asked.send(()).unwrap();
            return Reply::Hang;
        }
        Reply::json(
            r#"{"head":{"vars":["name"]},"results":{"bindings":[{"name":{"type":"literal","value":"a"}}]}}"#,
        )
    });
    bench.write(
        "one/nde-expand_x.rq",
        "#+ summary: one\n#+ tags: [nde]\nSELECT ?name WHERE { ?s ?p ?name }\n",
    );
    let line = format!("run --corpus one --endpoint {url} --agent baseline:reference --out runs");
    bench.json(&line);
    let first = bench.read("runs/nde-expand_x/1/metrics.json");

    let line = format!("{line} --repeat 2");
    let mut child = bench
        .command(&line)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    hears.recv_timeout(Duration::from_mins(1)).unwrap();
    stop(&mut child);
    assert_eq!(bench.read("runs/nde-expand_x/1/metrics.json"), first);
    assert!(!bench.path("runs/nde-expand_x/2").exists());
    line
}

#[test]
fn a_sweep_killed_in_attempt_two_keeps_attempt_one_and_makes_two_again() {
    let bench = Bench::new();
    let line = stopped_in_attempt_two(&bench, |child| {
        child.kill().unwrap();
        child.wait().unwrap();
    });
    // What a write cut short would have left, had the kill come a moment later.
    bench.write(
        "runs/.unfinished/unfinished-x/metrics.json",
        "{\"format\": 1, \"rec",
    );
    let modified = || {
        fs::metadata(bench.path("runs/nde-expand_x/1/answer.csv"))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = modified();
    let report = bench.json(&line);
    let tally = &cell(&report, "baseline:reference", "nde-expand_x")["tally"];
    assert_eq!(
        (&tally["asked"], &tally["answered"], &tally["exact"]),
        (&json!(2), &json!(2), &json!(2))
    );
    assert_eq!(before, modified(), "attempt 1 was made again");
    assert!(!bench.path("runs/.unfinished/unfinished-x").exists());
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_whole_attempts_only() {
    let bench = Bench::new();
    stopped_in_attempt_two(&bench, |child| {
        let kill = std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap();
        assert!(kill.success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
    });
    assert!(!bench.path("runs/nde-expand_x/2").exists());
}
