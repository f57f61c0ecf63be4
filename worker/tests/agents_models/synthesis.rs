//! `ava synthesize` with a model: asked about subgraphs, by a service that follows a script.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::bench::{Bench, KEY};
use crate::service::{Api, Reply, Request, Say, Service};

/// Families of classes, each of which is one subgraph.
const FAMILIES: usize = 8;

const PRICES: &str =
    "source = \"a page, read on a day\"\n[models.\"a-model\"]\ninput = 5\noutput = 25\n";

/// A folder with the subgraphs of a small ontology.
fn bench() -> Bench {
    let bench = Bench::new();
    let mut file = String::new();
    for family in 0..FAMILIES {
        let _ = write!(
            file,
            "[Term]\nid: X:{family}0\nname: organ {family}\n\n\
             [Term]\nid: X:{family}1\nname: heart {family}\nis_a: X:{family}0\n\n\
             [Term]\nid: X:{family}2\nname: lung {family}\nis_a: X:{family}0\n\n"
        );
    }
    bench.write("anatomy.obo", &file);
    bench.write("prices.toml", PRICES);
    let line = [
        "ava",
        "extract",
        "--ontology",
        "anatomy.obo",
        "--out",
        "subgraphs",
        "--json",
    ];
    let output = bench.command(&line).output().unwrap();
    let extracted: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(extracted["subgraphs"], FAMILIES);
    bench
}

fn command(bench: &Bench, service: &Service, generators: &[&str], more: &[&str]) -> Command {
    let base = format!("{}/v1", service.base_url());
    let mut words = vec![
        "ava",
        "synthesize",
        "--subgraphs",
        "subgraphs",
        "--name",
        "anatomy",
    ];
    words.extend(["--out", "raw.json", "--base-url", &base, "--json"]);
    words.extend(generators.iter().flat_map(|name| ["--generator", *name]));
    words.extend_from_slice(more);
    let mut command = bench.command(&words);
    command.env("OPENAI_API_KEY", KEY);
    command
}

/// Runs it against a script: what it printed, with its exit status, and what the service was asked.
fn run(bench: &Bench, replies: Vec<Reply>, more: &[&str]) -> (Value, i32, Vec<Request>) {
    let service = Service::new(Api::OpenAi, replies);
    let output = command(bench, &service, &["openai:a-model"], more)
        .output()
        .unwrap();
    bench.hides_the_key(&output);
    let (told, code) = told(&output);
    (told, code, service.seen())
}

fn told(output: &Output) -> (Value, i32) {
    let said = String::from_utf8_lossy(&output.stderr);
    let told = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| said.into_owned().into());
    (told, output.status.code().unwrap())
}

fn said(text: &str) -> Say {
    Say::text(Box::leak(text.to_owned().into_boxed_str()))
}

fn reply(text: &str) -> Reply {
    said(text).stream(Api::OpenAi)
}

fn entry(n: usize) -> Value {
    json!({
        "anchor": format!("Every heart {n} is a kind of organ."),
        "positive": format!("Organs of the body take in each heart {n}."),
        "negative": format!("Every organ is a kind of heart {n}."),
        "perturbation": "hierarchy-inversion",
    })
}

/// Five triplets, as they were asked for, with anchors that nobody else has.
fn five(turn: usize) -> String {
    let five: Vec<Value> = (0..5).map(|n| entry(10 * turn + n)).collect();
    Value::from(five).to_string()
}

fn good(count: usize) -> Vec<Reply> {
    (0..count).map(|turn| reply(&five(turn))).collect()
}

fn raw(bench: &Bench) -> Vec<Value> {
    let text = std::fs::read(bench.path("raw.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// The subgraphs that a service was asked about, by what was said of them first.
fn prompts(seen: &[Request]) -> Vec<String> {
    let first = |request: &Request| {
        let text = request.body["messages"][0]["content"].as_str().unwrap();
        text.to_owned()
    };
    seen.iter().map(first).collect()
}

#[test]
fn triplets_of_a_model_name_it_and_go_through_the_filter() {
    let bench = bench();
    let more = [
        "--model-params",
        "{\"temperature\": 0.5}",
        "--max-output-tokens",
        "900",
    ];
    let (told, code, seen) = run(&bench, good(FAMILIES), &more);
    assert_eq!(code, 0, "{told}");
    assert_eq!(told["triplets"], 5 * FAMILIES);
    let made = &told["generators"][0];
    assert_eq!(made["generator"], "a-model");
    assert_eq!(made["answered_now"], FAMILIES);
    assert_eq!(made["subgraphs_with"], json!({ "5": FAMILIES }));
    assert_eq!(
        made["perturbations"],
        json!({ "hierarchy-inversion": 5 * FAMILIES })
    );
    assert_eq!(made["usage"]["input_tokens"], 100 * FAMILIES);
    let records = raw(&bench);
    assert_eq!(records.len(), 5 * FAMILIES);
    for record in &records {
        assert_eq!(record["generator"], "a-model");
        assert_eq!(record["source"], "anatomy");
        assert!(record["subgraph_id"].as_str().unwrap().starts_with("bfs_"));
        assert_eq!(record["perturbation"], "hierarchy-inversion");
    }
    for request in &seen {
        assert_eq!(request.path, "/v1/chat/completions");
        assert_eq!(request.body["temperature"], 0.5);
        assert_eq!(request.body["max_tokens"], 900);
        assert_eq!(request.body["messages"].as_array().unwrap().len(), 1);
        assert!(request.body.get("tools").is_none());
    }
    // Each subgraph once, by its labels and not by its identifiers; the prompt is kept as it was sent.
    let asked = prompts(&seen);
    let distinct: BTreeSet<&String> = asked.iter().collect();
    assert_eq!(distinct.len(), FAMILIES);
    let kept: BTreeSet<String> = std::fs::read_dir(bench.path("raw.answers/anatomy/a-model"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|file| {
            file.file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("bfs_")
        })
        .map(|file| {
            let answer: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
            answer["turns"][0]["asked"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(kept.iter().collect::<BTreeSet<_>>(), distinct);
    for prompt in &asked {
        assert!(prompt.contains("| subClassOf | organ"), "{prompt}");
        assert!(!prompt.contains("X_"), "{prompt}");
    }
    let line = [
        "ava", "filter", "--in", "raw.json", "--out", "set", "--json",
    ];
    let output = bench.command(&line).output().unwrap();
    let filtered: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(filtered["read"], 5 * FAMILIES);
    assert_eq!(filtered["sane"], 5 * FAMILIES);

    // Nothing that was answered is asked again, and the same is written.
    let before = std::fs::read(bench.path("raw.json")).unwrap();
    let (told, code, seen) = run(&bench, Vec::new(), &more);
    assert_eq!((code, seen.len()), (0, 0), "{told}");
    assert_eq!(told["generators"][0]["answered_before"], FAMILIES);
    assert_eq!(std::fs::read(bench.path("raw.json")).unwrap(), before);

    // What was asked otherwise is another condition.
    let (told, code, seen) = run(&bench, Vec::new(), &["--max-output-tokens", "900"]);
    assert_eq!((code, seen.len()), (2, 0));
    let told = told.as_str().unwrap();
    assert!(
        told.contains("parameters.model_params.temperature"),
        "{told}"
    );
    assert!(told.contains("another folder with --answers"), "{told}");
}

#[test]
fn what_is_wrong_with_a_reply_is_mended_asked_again_or_counted() {
    let bench = bench();
    let cut = five(3);
    let flawed = json!([
        entry(40),
        { "anchor": "The heart is an organ.", "positive": "Hearts are organs." },
        { "anchor": "The same is said here.", "positive": "The same is said here.", "negative": "No." },
        entry(40),
        entry(41),
    ]);
    let outgrown = json!({ "error": { "code": "context_length_exceeded", "message": "too long" } });
    let script = vec![
        // Mended here.
        reply(&format!(
            "Of course:\n```json\n{},]\n```",
            five(0).trim_end_matches(']')
        )),
        // Mended by the model.
        reply("[{\"anchor\": \"a \"quoted\" word"),
        reply(&five(1)),
        // Never readable.
        reply("The heart is an organ."),
        reply("The lung is one too."),
        said("I cannot help with that.")
            .stop("content_filter")
            .stream(Api::OpenAi),
        // Cut in the fourth triplet.
        said(cut.get(..cut.len() - 250).unwrap())
            .stop("length")
            .stream(Api::OpenAi),
        reply(&flawed.to_string()),
        Reply::refusal(400, outgrown),
        // Nothing at all, and then in one piece.
        reply(""),
        untold(7),
    ];
    let (told, code, seen) = run(&bench, script, &["--concurrency", "1"]);
    assert_eq!(code, 0, "{told}");
    assert_eq!(seen.len(), 11);
    let made = &told["generators"][0];
    let count = |list: &str| made[list].as_object().unwrap().len();
    assert_eq!(made["mended"], 2);
    assert_eq!(made["repair_requests"], 3);
    assert_eq!(made["cut"], 1);
    assert_eq!(
        (count("refused"), count("unreadable"), count("outgrown")),
        (1, 1, 1)
    );
    assert_eq!(count("failed"), 0);
    assert_eq!(
        made["flaws"],
        json!({ "missing-text": 1, "sides-equal": 1, "repeated": 1 })
    );
    assert_eq!(
        made["subgraphs_with"],
        json!({ "0": 3, "2": 1, "3": 1, "5": 3 })
    );
    assert_eq!(made["short"], 5);
    assert_eq!(made["usage"]["cost_usd"], Value::Null);
    let words = made["refused"]
        .as_object()
        .unwrap()
        .values()
        .next()
        .unwrap();
    assert_eq!(words, "I cannot help with that.");

    // The model is shown what it wrote, and told what is wrong with it.
    let messages = seen[2].body["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 3);
    assert_eq!(messages[1]["content"], "[{\"anchor\": \"a \"quoted\" word");
    let told = messages[2]["content"].as_str().unwrap();
    assert!(
        told.contains("cannot be read as JSON: expected `,` or `}`"),
        "{told}"
    );
    // What was never said cannot be shown.
    let messages = seen[10].body["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 1);
    let told = messages[0]["content"].as_str().unwrap();
    assert!(
        told.starts_with("# Task") && told.contains("as JSON: it is empty"),
        "{told}"
    );

    // All of these are answers.
    let (told, code, seen) = run(&bench, Vec::new(), &[]);
    assert_eq!((code, seen.len()), (0, 0), "{told}");
    assert_eq!(told["generators"][0]["repair_requests"], 3);
}

#[test]
fn a_service_that_fails_is_waited_for_then_given_up_and_asked_again_another_time() {
    let bench = bench();
    let refusal = |status| {
        Reply::refusal(
            status,
            json!({ "error": { "message": format!("no: {KEY}") } }),
        )
    };
    let busy = Reply::Status(429, vec![("retry-after-ms", "5".to_owned())], json!({}));
    let script = vec![
        busy,
        reply(&five(0)),
        refusal(400),
        reply(&five(1)),
        refusal(400),
        refusal(400),
        refusal(400),
    ];
    let (told, code, seen) = run(&bench, script, &["--concurrency", "1"]);
    assert_eq!(code, 1);
    assert_eq!(seen.len(), 7);
    let made = &told["generators"][0];
    assert_eq!(made["answered_now"], 2);
    assert_eq!(made["failed"].as_object().unwrap().len(), 4);
    assert_eq!(made["left"], FAMILIES - 6);
    // What there is is written.
    assert_eq!(raw(&bench).len(), 10);

    // Whom the service does not serve it need not be asked twice.
    let (told, code, seen) = run(&bench, vec![refusal(401)], &["--concurrency", "1"]);
    assert_eq!((code, seen.len()), (1, 1), "{told}");
    assert_eq!(told["generators"][0]["left"], FAMILIES - 3);

    let (told, code, seen) = run(&bench, good(FAMILIES), &[]);
    assert_eq!((code, seen.len()), (0, FAMILIES - 2), "{told}");
    assert_eq!(raw(&bench).len(), 5 * FAMILIES);
}

#[test]
fn the_money_is_that_of_all_runs_together() {
    let bench = bench();
    // One answer costs 100 tokens at 5 and 10 at 25 dollars a million: 0.00075.
    let limits = |usd| {
        [
            "--prices",
            "prices.toml",
            "--concurrency",
            "1",
            "--max-usd",
            usd,
        ]
    };
    let (told, code, seen) = run(&bench, good(FAMILIES), &limits("0.0015"));
    assert_eq!((code, seen.len()), (1, 2), "{told}");
    assert_eq!(told["generators"][0]["left"], FAMILIES - 2);
    let (_, code, seen) = run(&bench, good(FAMILIES), &limits("0.0015"));
    assert_eq!((code, seen.len()), (1, 0));
    let (told, code, seen) = run(&bench, good(FAMILIES), &limits("1"));
    assert_eq!((code, seen.len()), (0, FAMILIES - 2), "{told}");
    let usd = told["generators"][0]["usage"]["cost_usd"].as_f64().unwrap();
    assert!((usd - 0.00075 * FAMILIES as f64).abs() < 1e-9, "{usd}");
}

/// A reply in one piece, of which the service does not tell what it took.
fn untold(turn: usize) -> Reply {
    Reply::Whole(json!({
        "model": "scripted-1",
        "choices": [{ "message": { "role": "assistant", "content": five(turn) }, "finish_reason": "stop" }],
    }))
}

#[test]
fn a_cost_that_is_not_known_counts_as_the_dearest_that_is() {
    let money = ["--prices", "prices.toml", "--concurrency", "1", "--max-usd"];
    let limits = |usd| [&money as &[&str], &[usd]].concat();
    // Two at 0.00075 each, of which one does not say so.
    let bench = bench();
    let script = vec![reply(&five(0)), untold(1), reply(&five(2))];
    let (told, code, seen) = run(&bench, script, &limits("0.0015"));
    assert_eq!((code, seen.len()), (1, 2), "{told}");
    assert_eq!(told["generators"][0]["left"], FAMILIES - 2);
    let why = told["generators"][0]["poor"].as_str().unwrap();
    assert!(why.contains("1 of them, count as the dearest"), "{why}");

    // While none is known there is no limit that could be kept, in this run or the next.
    let bench = self::bench();
    for asked in [1, 0] {
        let script = (0..FAMILIES).map(untold).collect();
        let (told, code, seen) = run(&bench, script, &limits("100"));
        assert_eq!((code, seen.len()), (1, asked), "{told}");
        let why = told["generators"][0]["poor"].as_str().unwrap();
        assert!(why.contains("--max-usd cannot be kept to"), "{why}");
    }
    let (told, code, seen) = run(&bench, good(FAMILIES), &[]);
    assert_eq!((code, seen.len()), (0, FAMILIES - 1), "{told}");
}

#[test]
fn a_reply_that_cannot_be_asked_about_once_more_stays_the_answer() {
    let bench = bench();
    let outgrown = json!({ "error": { "code": "context_length_exceeded", "message": "too long" } });
    let mut script = vec![
        reply("The heart is an organ."),
        Reply::refusal(400, outgrown),
        // Stopped for a reason that nobody knows, and asked once more.
        said("[{").stop("eos").stream(Api::OpenAi),
    ];
    script.extend(good(FAMILIES - 1));
    let (told, code, seen) = run(&bench, script, &["--concurrency", "1"]);
    assert_eq!((code, seen.len()), (0, FAMILIES + 2), "{told}");
    let made = &told["generators"][0];
    assert_eq!(made["answered_now"], FAMILIES);
    assert_eq!(made["unreadable"].as_object().unwrap().len(), 1);
    assert_eq!(made["repair_requests"], 1);
    let (told, code, seen) = run(&bench, Vec::new(), &[]);
    assert_eq!((code, seen.len()), (0, 0), "{told}");
    assert_eq!(
        told["generators"][0]["usage"]["input_tokens"],
        100 * (FAMILIES + 1)
    );
}

#[test]
fn a_dry_run_asks_nobody_and_writes_nothing() {
    let bench = bench();
    let before = bench.files();
    let more = ["--dry-run", "--prices", "prices.toml"];
    let (told, code, seen) = run(&bench, Vec::new(), &more);
    assert_eq!((code, seen.len()), (0, 0), "{told}");
    let estimate = &told["generators"][0];
    assert_eq!(estimate["requests"], FAMILIES);
    let read = estimate["input_tokens"].as_u64().unwrap();
    let prompt = told["prompt"].as_str().unwrap();
    assert!(prompt.starts_with("# Task"), "{prompt}");
    let about = (FAMILIES * prompt.len() / 4) as u64;
    assert!(read.abs_diff(about) < 20, "{read} {about}");
    let usd = estimate["usd"].as_f64().unwrap();
    let written = estimate["output_tokens"].as_u64().unwrap();
    let expected = (read as f64 * 5.0 + written as f64 * 25.0) / 1e6;
    assert!((usd - expected).abs() < 1e-9);
    assert_eq!(bench.files(), before);

    // What was answered is not counted.
    run(&bench, good(FAMILIES), &[]);
    let (told, ..) = run(&bench, Vec::new(), &more);
    assert_eq!(told["generators"][0]["requests"], 0);
    assert_eq!(told["generators"][0]["answered"], FAMILIES);
}

#[test]
fn several_generators_each_name_their_triplets() {
    let bench = bench();
    let service = Service::new(Api::OpenAi, good(2 * FAMILIES));
    let generators = ["rules", "openai:org/one", "openai:org:one"];
    let more = ["--ontology", "anatomy.obo"];
    let output = command(&bench, &service, &generators, &more)
        .output()
        .unwrap();
    let (told, code) = told(&output);
    assert_eq!(code, 0, "{told}");
    let mut asked: Vec<String> = service
        .seen()
        .iter()
        .map(|request| request.body["model"].as_str().unwrap().to_owned())
        .collect();
    asked.sort();
    assert_eq!(
        asked,
        [vec!["org/one"; FAMILIES], vec!["org:one"; FAMILIES]].concat()
    );
    let by = |name: &str| {
        let records = raw(&bench);
        records
            .iter()
            .filter(|record| record["generator"] == name)
            .count()
    };
    assert_eq!((by("org/one"), by("org:one")), (5 * FAMILIES, 5 * FAMILIES));
    assert!(by("rules") >= FAMILIES);
    let names: Vec<&str> = told["generators"]
        .as_array()
        .unwrap()
        .iter()
        .map(|made| made["generator"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["rules", "org/one", "org:one"]);
}

#[test]
fn a_run_that_was_killed_goes_on_and_its_claims_are_free() {
    let bench = bench();
    let mut script = good(2);
    script.extend([Reply::Silence, Reply::Silence, Reply::Silence]);
    let service = Service::new(Api::OpenAi, script);
    let mut child = command(
        &bench,
        &service,
        &["openai:a-model"],
        &["--concurrency", "3"],
    )
    .stdout(Stdio::null())
    .stderr(Stdio::null())
    .spawn()
    .unwrap();
    // Two were answered, and three wait for what never comes.
    while service.seen().len() < 5 {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!bench.path("raw.json").exists());
    let claims = |bench: &Bench| {
        let files = bench.files().into_iter();
        let claims = files.filter(|file| file.extension().is_some_and(|end| end == "claim"));
        claims.count()
    };
    assert_eq!(claims(&bench), 3);

    let (told, code, seen) = run(&bench, good(FAMILIES), &[]);
    assert_eq!((code, seen.len()), (0, FAMILIES - 2), "{told}");
    assert_eq!(told["generators"][0]["answered_before"], 2);
    assert_eq!(raw(&bench).len(), 5 * FAMILIES);
    assert_eq!(claims(&bench), 0);
    let first: BTreeSet<String> = prompts(&service.seen()).into_iter().take(5).collect();
    let then: BTreeSet<String> = prompts(&seen).into_iter().collect();
    assert_eq!(first.union(&then).count(), FAMILIES);
}

#[test]
fn processes_at_one_folder_never_ask_the_same() {
    let bench = bench();
    let service = Service::new(Api::OpenAi, good(FAMILIES));
    let start = || {
        command(
            &bench,
            &service,
            &["openai:a-model"],
            &["--concurrency", "2"],
        )
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
    };
    let children: Vec<_> = (0..4).map(|_| start()).collect();
    let mut now = 0;
    for child in children {
        let (told, code) = told(&child.wait_with_output().unwrap());
        assert_eq!(code, 0, "{told}");
        now += told["generators"][0]["answered_now"].as_u64().unwrap();
    }
    let asked = prompts(&service.seen());
    assert_eq!(asked.len(), FAMILIES);
    assert_eq!(asked.iter().collect::<BTreeSet<_>>().len(), FAMILIES);
    assert_eq!(now, FAMILIES as u64);
    // The last to end wrote what all of them were told.
    assert_eq!(raw(&bench).len(), 5 * FAMILIES);
}

#[test]
fn an_answer_about_another_subgraph_of_the_same_name_is_none() {
    let bench = bench();
    run(&bench, good(FAMILIES), &[]);
    let mut file = std::fs::read_to_string(bench.path("anatomy.obo")).unwrap();
    file = file.replace("name: lung 3", "name: liver 3");
    bench.write("anatomy.obo", &file);
    let line = [
        "ava",
        "extract",
        "--ontology",
        "anatomy.obo",
        "--out",
        "subgraphs",
    ];
    assert!(bench.command(&line).output().unwrap().status.success());
    let (told, code, seen) = run(&bench, good(1), &[]);
    assert_eq!((code, seen.len()), (0, 1), "{told}");
    assert!(prompts(&seen)[0].contains("liver 3"));
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_asked() {
    let bench = bench();
    std::fs::create_dir_all(bench.path("raw.answers/anatomy/b-model")).unwrap();
    bench.write(
        "raw.answers/anatomy/b-model/condition.json",
        "{\n  \"format\": }\n",
    );
    for (generators, more, says) in [
        (
            &["magic"] as &[&str],
            &[] as &[&str],
            "expected rules, openai:NAME or anthropic:NAME",
        ),
        (&["openai:a-model", "openai:a-model"], &[], "named twice"),
        (
            &["openai:a-model", "anthropic:a-model"],
            &[],
            "two generators have the name a-model",
        ),
        (
            &["openai:a-model"],
            &["--answers", "./raw.json"],
            "raw.json is where answers are kept",
        ),
        (
            &["openai:a-model"],
            &["--answers", "raw.json/answers"],
            "raw.json is where answers are kept",
        ),
        (&["rules"], &[], "with --ontology"),
        (
            &["openai:a-model"],
            &["--max-usd", "1"],
            "--max-usd needs the price of a-model",
        ),
        (
            &["openai:a-model"],
            &["--concurrency", "0"],
            "a number from 1 to 1000",
        ),
        (
            &["openai:a-model"],
            &["--model-params", "{\"messages\": []}"],
            "may not set `messages`",
        ),
        (
            &["openai:a-model"],
            &["--base-url", "ftp://h"],
            "cannot be used multiple times",
        ),
        (
            &["openai:b-model"],
            &[],
            "condition.json:2:13: no condition: expected value",
        ),
        (
            &["openai:a-model"],
            &["--out", "subgraphs"],
            "cannot be used multiple times",
        ),
    ] {
        let service = Service::new(Api::OpenAi, Vec::new());
        let output = command(&bench, &service, generators, more)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            output.status.code(),
            Some(2),
            "{generators:?} {more:?}: {said}"
        );
        assert!(said.contains(says), "{generators:?} {more:?}: {said}");
        assert!(service.seen().is_empty() && !bench.path("raw.json").exists());
    }
    // OpenAI's own service wants a key.
    let line =
        "ava synthesize --subgraphs subgraphs --name anatomy --out raw.json --generator openai:m";
    let words: Vec<&str> = line.split(' ').collect();
    let output = bench.command(&words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("export OPENAI_API_KEY"), "{said}");
}
