//! What a model does with its tools, and what it is allowed.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::bench::{Bench, RIGHT, looks_and_submits, streams};
use crate::service::{Api, Reply, Say, Service};

const BOTH: [Api; 2] = [Api::Anthropic, Api::OpenAi];

#[test]
fn a_model_that_looks_and_submits_the_right_table_scores_one() {
    for api in BOTH {
        let bench = Bench::new();
        let (attempt, service) = bench.attempt(
            api,
            streams(api, &looks_and_submits(RIGHT)),
            &["--effort", "high"],
        );
        let metrics = &attempt.metrics;
        assert_eq!(metrics["outcome"], "answered", "{api:?}: {metrics}");
        assert_eq!(metrics["scores"]["exact"], true, "{api:?}: {metrics}");
        assert_eq!(metrics["scores"]["f1"], 1.0);
        let model = match api {
            Api::Anthropic => "claude-scripted-1",
            Api::OpenAi => "scripted-1",
        };
        assert_eq!(metrics["model"], model);
        let usage = &metrics["usage"];
        assert_eq!(
            (
                &usage["input_tokens"],
                &usage["output_tokens"],
                &usage["turns"]
            ),
            (&json!(300), &json!(30), &json!(3))
        );
        assert_eq!(
            (&usage["cost_usd"], &usage["cost_incomplete"]),
            (&Value::Null, &json!(true))
        );

        // Both calls of the first reply went through the proxy, in their order, and the hierarchy was seen to be walked.
        let tools: Vec<&str> = attempt
            .calls
            .iter()
            .map(|call| call["tool"].as_str().unwrap())
            .collect();
        assert_eq!(tools.len(), 3);
        assert_eq!(tools[2], "submit_csv");
        assert!(
            tools.contains(&"list_graphs") && tools.contains(&"query"),
            "{tools:?}"
        );
        assert_eq!(metrics["evidence"], json!(["property-path"]), "{metrics}");

        // The model was told both results together, and saw the rows.
        let seen = service.seen();
        assert_eq!(seen.len(), 3);
        let messages = seen[1].body["messages"].as_array().unwrap();
        let results: Vec<String> = match api {
            Api::Anthropic => {
                let last = messages.last().unwrap();
                assert_eq!(last["role"], "user");
                let blocks = last["content"].as_array().unwrap();
                blocks
                    .iter()
                    .map(|block| block["content"][0]["text"].to_string())
                    .collect()
            }
            Api::OpenAi => {
                let tools = messages.iter().filter(|message| message["role"] == "tool");
                tools
                    .map(|message| message["content"].to_string())
                    .collect()
            }
        };
        assert_eq!(results.len(), 2, "{results:?}");
        assert!(
            results[0].contains("oard-kg") && results[1].contains("MONDO_6"),
            "{results:?}"
        );
        let path = match api {
            Api::Anthropic => "/v1/messages",
            Api::OpenAi => "/v1/chat/completions",
        };
        assert_eq!(seen[0].path, path);
        let tools = seen[0].body["tools"].to_string();
        assert!(tools.contains("submit_csv") && tools.contains("get_descendants"));
        assert!(seen[0].body.to_string().contains("heart disease"));

        let roles: Vec<&str> = attempt
            .transcript
            .iter()
            .map(|line| line["role"].as_str().unwrap())
            .collect();
        let said: Vec<&&str> = roles
            .iter()
            .filter(|role| ["assistant", "tool"].contains(role))
            .collect();
        assert_eq!(
            said,
            [
                &"assistant",
                &"tool",
                &"tool",
                &"assistant",
                &"tool",
                &"assistant"
            ],
            "{roles:?}"
        );
    }
}

/// Over the federation that the program carries: a question with its twin, which is told not to expand.
#[test]
fn a_question_and_its_twin_are_answered_over_the_whole_federation() {
    let api = Api::Anthropic;
    let bench = Bench::new();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .join("benchmarks-ontology");
    let corpus = corpus.to_str().unwrap();
    let keys = bench
        .command(&[
            "reference",
            "--corpus",
            corpus,
            "--tier",
            "autoimmune",
            "--out",
            "keys",
        ])
        .output()
        .unwrap();
    assert!(
        keys.status.success(),
        "{}",
        String::from_utf8_lossy(&keys.stderr)
    );
    let key =
        fs::read_to_string(bench.path("keys/nde-expand_autoimmune.reconstruction.csv")).unwrap();
    assert_eq!(key.lines().count(), 16, "{key}");
    let header = key.lines().next().unwrap();

    let literal = "SELECT ?d WHERE { ?d <http://schema.org/healthCondition> <http://purl.obolibrary.org/obo/MONDO_0007179> . \
        GRAPH <https://purl.org/okn/frink/kg/oard-kg> { ?a ?p <http://purl.obolibrary.org/obo/MONDO_0007179> } }";
    let mut says = vec![
        Say::calls(&[(
            "query",
            json!({ "graph_name": "nde", "query_string": literal, "auto_expand_descendants": false }),
        )]),
        Say::calls(&[("submit_csv", json!({ "csv": format!("{header}\n") }))]),
        Say::text("Nothing is tagged so."),
    ];
    says.extend(looks_and_submits(&key));
    let service = Service::new(api, streams(api, &says));
    let output = bench.run(
        api,
        &service,
        &[
            "--corpus",
            corpus,
            "--tier",
            "autoimmune",
            "--kg-hint",
            "tags",
        ],
    );
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metrics = |record: &str| -> Value {
        let file = bench.path("runs").join(record).join("1/metrics.json");
        serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
    };
    let exact = metrics("nde-exact_autoimmune");
    assert_eq!(
        (&exact["outcome"], &exact["obedience"]),
        (&json!("answered-empty"), &json!("obeyed")),
        "{exact}"
    );
    let expand = metrics("nde-expand_autoimmune");
    assert_eq!(
        (&expand["scores"]["exact"], &expand["scores"]["ordered"]),
        (&json!(true), &json!(true)),
        "{expand}"
    );
    bench.hides_the_key(&output);
}

#[test]
fn replies_in_one_piece_will_do() {
    let bench = Bench::new();
    let call = json!({ "id": "a", "type": "function", "function": { "name": "submit_csv", "arguments": json!({ "csv": RIGHT }).to_string() } });
    let whole = |message: Value, reason: &str| {
        Reply::Whole(
            json!({ "model": "local", "choices": [{ "index": 0, "message": message, "finish_reason": reason }] }),
        )
    };
    let replies = vec![
        whole(
            json!({ "role": "assistant", "content": null, "tool_calls": [call] }),
            "tool_calls",
        ),
        whole(json!({ "role": "assistant", "content": "Done." }), "stop"),
    ];
    let (attempt, service) = bench.attempt(
        Api::OpenAi,
        replies,
        &["--no-stream", "--model-params", "{\"temperature\":0}"],
    );
    assert_eq!(
        attempt.metrics["scores"]["exact"], true,
        "{}",
        attempt.metrics
    );
    // This service says nothing of what it used.
    let usage = &attempt.metrics["usage"];
    assert_eq!(
        (&usage["input_tokens"], &usage["cost_incomplete"]),
        (&Value::Null, &json!(true))
    );
    let body = &service.seen()[0].body;
    assert_eq!(
        (&body["temperature"], body.get("stream")),
        (&json!(0), None)
    );
}

#[test]
fn a_stream_that_does_not_say_that_it_is_one_will_do() {
    for api in BOTH {
        let bench = Bench::new();
        let says = looks_and_submits(RIGHT);
        let replies = says.iter().map(|say| Reply::Unnamed(say.events(api)));
        let (attempt, _) = bench.attempt(api, replies.collect(), &[]);
        assert_eq!(attempt.metrics["scores"]["exact"], true, "{api:?}");
    }
}

#[test]
fn a_model_that_submits_nothing_has_not_answered() {
    for api in BOTH {
        let bench = Bench::new();
        let (attempt, _) = bench.attempt(
            api,
            vec![Say::text("I would say: myocarditis.").stream(api)],
            &[],
        );
        assert_eq!(attempt.metrics["outcome"], "no-answer", "{api:?}");
        assert_eq!(attempt.metrics["infrastructure"], false);
    }
}

#[test]
fn a_malformed_call_is_told_to_the_model_and_counted_and_not_made() {
    let bench = Bench::new();
    let mut first = Say::calls(&[("list_graphs", json!({}))]);
    first.calls.push(("submit_csv", "{'csv': 'a'}".to_owned()));
    let replies = streams(
        Api::OpenAi,
        &[
            first,
            Say::calls(&[("submit_csv", json!({ "csv": RIGHT }))]),
            Say::text("Done."),
        ],
    );
    let (attempt, service) = bench.attempt(Api::OpenAi, replies, &[]);
    assert_eq!(attempt.metrics["scores"]["exact"], true);
    assert_eq!(attempt.metrics["usage"]["malformed_calls"], 1);
    let tools: Vec<&Value> = attempt.calls.iter().map(|call| &call["tool"]).collect();
    assert_eq!(tools, ["list_graphs", "submit_csv"]);
    let messages = service.seen()[1].body["messages"].to_string();
    assert!(
        messages.contains("The call was not made: the arguments are no JSON"),
        "{messages}"
    );
}

#[test]
fn a_tool_that_is_withheld_or_does_not_exist_is_an_error_that_is_recorded() {
    let api = Api::Anthropic;
    let bench = Bench::new();
    let asks = Say::calls(&[
        ("get_descendants", json!({ "uri": "MONDO_1" })),
        ("make_coffee", json!({})),
    ]);
    let (attempt, service) = bench.attempt(
        api,
        streams(api, &[asks, Say::text("I give up.")]),
        &["--tools", "no:get_descendants"],
    );
    assert_eq!(attempt.calls.len(), 2);
    assert_eq!(attempt.calls[0]["answered_by"], "withheld");
    assert!(
        attempt.calls.iter().all(|call| call["is_error"] == true),
        "{:?}",
        attempt.calls
    );
    let seen = service.seen();
    assert!(
        !seen[0].body["tools"]
            .to_string()
            .contains("get_descendants")
    );
    let results = seen[1].body["messages"][2]["content"]
        .as_array()
        .unwrap()
        .clone();
    assert!(
        results.iter().all(|result| result["is_error"] == true),
        "{results:?}"
    );
}

#[test]
fn an_allowance_ends_an_attempt_after_the_calls_of_the_last_reply() {
    let prices =
        "source = \"a page, read on a day\"\n[models.\"a-*\"]\ninput = 10000\noutput = 0\n";
    for api in BOTH {
        for (more, replies, says) in [
            (&["--turns", "2"] as &[&str], 2, "turns"),
            // 110 tokens a reply.
            (&["--max-tokens", "300"], 3, "tokens"),
            // A dollar a reply.
            (&["--max-usd", "3.5", "--prices", "prices.toml"], 4, "money"),
        ] {
            let bench = Bench::new();
            bench.write("prices.toml", prices);
            let asks = Say::calls(&[("list_graphs", json!({}))]);
            let script = vec![asks.stream(api); 10];
            let (attempt, service) = bench.attempt(api, script, more);
            assert_eq!(
                attempt.metrics["outcome"], "budget",
                "{api:?} {more:?}: {}",
                attempt.metrics
            );
            let reason = attempt.metrics["reason"].as_str().unwrap();
            assert!(reason.contains(says), "{reason}");
            assert_eq!(
                (service.seen().len(), attempt.calls.len()),
                (replies, replies),
                "{api:?} {more:?}"
            );
        }
    }
    // What was submitted in the last reply counts.
    let bench = Bench::new();
    let submits = Say::calls(&[("submit_csv", json!({ "csv": RIGHT }))]);
    let (attempt, _) = bench.attempt(
        Api::OpenAi,
        vec![submits.stream(Api::OpenAi)],
        &["--turns", "1"],
    );
    assert_eq!(attempt.metrics["scores"]["exact"], true);
}

#[test]
fn money_is_counted_by_the_operators_prices() {
    let api = Api::Anthropic;
    let bench = Bench::new();
    bench.write(
        "prices.toml",
        "source = \"a page, read on a day\"\n[models.\"a-model\"]\ninput = 5\noutput = 25\n",
    );
    let (attempt, _) = bench.attempt(
        api,
        streams(api, &looks_and_submits(RIGHT)),
        &["--prices", "prices.toml"],
    );
    let usage = &attempt.metrics["usage"];
    // 300 tokens read, 30 written.
    assert!(
        (usage["cost_usd"].as_f64().unwrap() - (300.0 * 5.0 + 30.0 * 25.0) / 1e6).abs() < 1e-12
    );
    assert_eq!(usage["cost_incomplete"], false);

    let refused = bench
        .command(&["run", "--out", "x", "--model", "claude-y", "--max-usd", "1"])
        .env("ANTHROPIC_API_KEY", "k")
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        said.contains("--max-usd needs the price") && said.contains("--prices"),
        "{said}"
    );
}

/// Twenty calls, one killed before its usage came back: the sum of what is known, and said to be that.
#[test]
fn the_cost_of_a_reply_that_was_killed_is_not_made_up() {
    let prices =
        "source = \"a page, read on a day\"\n[models.\"a-model\"]\ninput = 5\noutput = 25\n";
    for api in BOTH {
        let bench = Bench::new();
        bench.write("prices.toml", prices);
        let asks = Say::calls(&[("list_graphs", json!({}))]);
        let mut script = vec![asks.stream(api); 19];
        script.push(Say::text("So.").stream(api));
        // The first event alone, which with one of the two says what was read.
        script.insert(12, Reply::Broken(asks.events(api)[..1].to_vec()));
        let (attempt, service) = bench.attempt(api, script, &["--prices", "prices.toml"]);
        assert_eq!(service.seen().len(), 21);
        let usage = &attempt.metrics["usage"];
        let killed: (u32, u32) = match api {
            Api::Anthropic => (100, 1),
            Api::OpenAi => (0, 0),
        };
        assert_eq!(usage["input_tokens"], 20 * 100 + killed.0, "{api:?}");
        let usd = f64::from(2000 + killed.0) * 5e-6 + f64::from(200 + killed.1) * 25e-6;
        assert!(
            (usage["cost_usd"].as_f64().unwrap() - usd).abs() < 1e-9,
            "{api:?}: {usage}"
        );
        assert_eq!(usage["cost_incomplete"], true);
        assert_eq!(usage["turns"], 20);
    }
}

#[test]
fn an_overlong_reply_of_a_tool_is_shown_in_part_and_recorded_whole() {
    let api = Api::OpenAi;
    let bench = Bench::new();
    let asks = Say::calls(&[("list_graphs", json!({}))]);
    let (attempt, service) = bench.attempt(
        api,
        streams(api, &[asks, Say::text("So.")]),
        &["--tool-reply-chars", "40"],
    );
    let messages = service.seen()[1].body["messages"].clone();
    let shown = messages.as_array().unwrap().last().unwrap()["content"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(shown.contains("[cut: the first 40 of "), "{shown}");
    let line = attempt
        .transcript
        .iter()
        .find(|line| line["role"] == "tool")
        .unwrap();
    assert!(line["characters"].as_u64().unwrap() > 40, "{line}");
    assert!(attempt.calls[0]["reply_bytes"].as_u64().unwrap() > 100);
}

#[test]
fn the_agent_follows_from_the_model() {
    let bench = Bench::new();
    for (model, variables, says) in [
        (
            "claude-y",
            &[] as &[(&str, &str)],
            "`anthropic` needs a key",
        ),
        (
            "a-model",
            &[],
            "no telling which service has the model `a-model`",
        ),
        ("a-model", &[("OPENAI_API_KEY", "")], "`openai` needs a key"),
    ] {
        let output = bench
            .command(&["run", "--out", "runs", "--model", model])
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(says), "{model}: {said}");
    }
    assert!(!bench.path("runs").exists());
}

#[test]
fn other_options_of_the_model_are_another_condition() {
    let api = Api::OpenAi;
    let bench = Bench::new();
    let (_, service) = bench.attempt(api, vec![Say::text("No.").stream(api)], &["--turns", "7"]);
    let output = bench.run(
        api,
        &service,
        &["--turns", "7", "--model-params", "{\"temperature\":1}"],
    );
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("agent_options.model_params.temperature"),
        "{said}"
    );
}
