//! Answers made elsewhere: what is written out for them, and how they are judged.

use serde_json::{Value, json};

use crate::bench::{Bench, LOOK, stderr};

#[test]
fn questions_are_written_out_and_tell_no_more_than_the_prose() {
    let bench = Bench::new();
    let output = bench
        .command(&[
            "export-questions",
            "--out",
            "questions",
            "--kg-hint",
            "tags",
        ])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let questions = bench.lines("questions/questions.jsonl");
    assert_eq!(questions.len(), 4);
    for question in &questions {
        let members: Vec<&str> = question
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(members, ["answer", "id", "prompt"]);
        let prompt = question["prompt"].as_str().unwrap();
        assert!(
            prompt.contains("Knowledge graphs: nde, oard-kg"),
            "{prompt}"
        );
        // The key's own names of columns, and the rules of a desk that is not there.
        for word in ["?datasets", "name,condition", "submit_csv", "You have"] {
            assert!(!prompt.contains(word), "{word}: {prompt}");
        }
    }
    let readme = bench.read("questions/README.md");
    let line = "--answers answers --kg-hint tags --repeat 1";
    assert!(
        readme.contains("answers/<id>/<n>.csv") && readme.contains(line),
        "{readme}"
    );
    assert!(
        stderr(&output).contains("--answers DIR --kg-hint tags"),
        "{}",
        stderr(&output)
    );

    let file = ["export-questions", "--out", "some.jsonl", "--tier", "heart"];
    let output = bench.command(&file).output().unwrap();
    assert!(
        output.status.success() && stderr(&output).contains("RECORD/N.csv"),
        "{}",
        stderr(&output)
    );
    let questions = bench.lines("some.jsonl");
    assert_eq!(questions.len(), 2);
    assert!(
        !questions[0]["prompt"]
            .as_str()
            .unwrap()
            .contains("Knowledge graphs")
    );
    let again = bench.command(&file).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("some.jsonl is there already"));
}

/// The key of a record, as its answer.
fn key(bench: &Bench, id: &str) -> Vec<u8> {
    let out = bench
        .command(&["reference", "--out", "keys"])
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", stderr(&out));
    std::fs::read(bench.path(&format!("keys/{id}.reconstruction.csv"))).unwrap()
}

fn judged(bench: &Bench, repeat: &str) -> std::process::Output {
    let words = [
        "run",
        "--agent",
        "file",
        "--answers",
        "answers",
        "--repeat",
        repeat,
        "--out",
        "runs",
    ];
    bench.command(&words).output().unwrap()
}

#[test]
fn answers_are_judged_wherever_they_lie() {
    let bench = Bench::new();
    bench.write(
        "answers/nde-expand_heart.csv",
        key(&bench, "nde-expand_heart"),
    );
    bench.write(
        "answers/nde-expand_sugar/2.csv",
        key(&bench, "nde-expand_sugar"),
    );
    bench.write(
        "answers/nde-exact_heart/1/answer.csv",
        "name,condition,datasets\n",
    );
    bench.write("answers/nde-exact_heart/2.csv", "name,condition,datasets\n");
    let call = json!([{
        "sequence": 1, "tool": "query", "arguments": serde_json::from_str::<Value>(LOOK).unwrap(),
        "start_ms": 0, "duration_ms": 5, "is_error": false, "reply_bytes": 90,
    }]);
    bench.write("answers/nde-exact_heart/1/calls.json", call.to_string());
    bench.write("answers/README.md", "notes");
    let output = judged(&bench, "2");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("4 of 8 attempts have no answer"),
        "{}",
        stderr(&output)
    );
    for (attempt, outcome, exact, obedience) in [
        ("nde-expand_heart/1", "answered", json!(true), Value::Null),
        ("nde-expand_heart/2", "no-answer", Value::Null, Value::Null),
        ("nde-expand_sugar/1", "no-answer", Value::Null, Value::Null),
        ("nde-expand_sugar/2", "answered", json!(true), Value::Null),
        // The agent looked, as its calls say; nothing tells whether the other one did.
        (
            "nde-exact_heart/1",
            "answered-empty",
            json!(true),
            json!("obeyed"),
        ),
        (
            "nde-exact_heart/2",
            "answered-empty",
            json!(true),
            json!("unproven"),
        ),
    ] {
        let metrics = bench.json(&format!("runs/{attempt}/metrics.json"));
        assert_eq!(metrics["agent"], "file");
        assert_eq!(metrics["outcome"], outcome, "{attempt}: {metrics:#}");
        assert_eq!(metrics["scores"]["exact"], exact, "{attempt}");
        assert_eq!(metrics["obedience"], obedience, "{attempt}");
    }
    assert_eq!(
        std::fs::read(bench.path("runs/nde-expand_heart/1/answer.csv")).unwrap(),
        std::fs::read(bench.path("answers/nde-expand_heart.csv")).unwrap()
    );
}

#[test]
fn answers_that_were_corrected_or_came_in_are_judged_anew_and_the_old_ones_are_kept() {
    let bench = Bench::new();
    bench.write(
        "answers/nde-expand_heart.csv",
        "name,condition,datasets\nx,y,1\n",
    );
    let first = judged(&bench, "1");
    assert!(first.status.success(), "{}", stderr(&first));
    let metrics = |place: &str| bench.json(&format!("runs/{place}/metrics.json"));
    assert_eq!(metrics("nde-expand_heart/1")["scores"]["exact"], false);
    // The same answers are kept.
    let again = judged(&bench, "1");
    assert!(
        stderr(&again).contains("0 attempts made, 4 kept"),
        "{}",
        stderr(&again)
    );

    bench.write(
        "answers/nde-expand_heart.csv",
        key(&bench, "nde-expand_heart"),
    );
    bench.write(
        "answers/nde-expand_sugar.csv",
        key(&bench, "nde-expand_sugar"),
    );
    bench.write("answers/nde-expand_sugar/2.csv", "a\n");
    let now = judged(&bench, "1");
    let said = stderr(&now);
    assert!(
        said.contains("2 attempts are made again")
            && said.contains("1 answer is beyond --repeat 1 and not judged")
            && said.contains("2.csv")
            && said.contains("2 kept"),
        "{said}"
    );
    for place in ["nde-expand_heart/1", "nde-expand_sugar/1"] {
        assert_eq!(metrics(place)["scores"]["exact"], true, "{place}");
        assert_eq!(metrics(place)["lost_before"], Value::Null, "{place}");
    }
    assert_eq!(
        bench.read("runs/nde-expand_heart/1.replaced-1/answer.csv"),
        "name,condition,datasets\nx,y,1\n"
    );
    // An answer whose file is gone stays.
    std::fs::remove_file(bench.path("answers/nde-expand_heart.csv")).unwrap();
    let gone = judged(&bench, "1");
    assert!(
        stderr(&gone).contains("0 attempts made, 4 kept"),
        "{}",
        stderr(&gone)
    );
}

#[test]
fn a_name_that_is_none_is_refused_before_anything_is_judged() {
    for (file, content, message) in [
        (
            "answers/nde-expand_hart.csv",
            "a\n",
            "nde-expand_hart.csv is named after no record",
        ),
        (
            "answers/nde-expand_hart/1.csv",
            "a\n",
            "nde-expand_hart is named after no record",
        ),
        (
            "answers/nde-expand_heart/first.csv",
            "a\n",
            "first.csv is named after no attempt",
        ),
        (
            "answers/nde-expand_heart/0.csv",
            "a\n",
            "0.csv is named after no attempt",
        ),
        (
            "answers/nde-expand_heart/01/answer.csv",
            "a\n",
            "01 is named after no attempt",
        ),
        (
            "answers/nde-expand_heart/1/answer.csv",
            "a\n",
            "are both the answer of attempt 1",
        ),
        (
            "answers/nde-expand_heart.calls.json",
            "[{}]",
            "nde-expand_heart.calls.json:1:3: missing field",
        ),
        ("answers.txt", "", ""),
    ] {
        let bench = Bench::new();
        bench.write("answers/nde-expand_heart.csv", "a\n");
        bench.write(file, content);
        let output = judged(&bench, "1");
        let said = stderr(&output);
        let expected = if message.is_empty() { Some(0) } else { Some(2) };
        assert_eq!(output.status.code(), expected, "{file}: {said}");
        assert!(said.contains(message), "{file}: {said}");
        assert_eq!(bench.path("runs").exists(), message.is_empty(), "{file}");
    }
    let bench = Bench::new();
    for (words, message) in [
        (&[] as &[&str], "no folder of answers was given"),
        (&["--answers", "none"], "there is no folder none"),
        (
            &["--answers", "controls-ontology"],
            "is named after no record",
        ),
    ] {
        let words = [&["run", "--agent", "file", "--out", "runs"], words].concat();
        let output = bench.command(&words).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}
