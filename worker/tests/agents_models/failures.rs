//! Services that fail: what is waited for, what is asked again, and what ends an attempt.

use serde_json::{Value, json};

use crate::bench::{Bench, RIGHT, looks_and_submits, streams};
use crate::service::{Api, Reply, Say};

fn soon() -> Vec<(&'static str, String)> {
    vec![("retry-after-ms", "5".to_owned())]
}

fn error(api: Api, kind: &str, message: &str) -> Value {
    match api {
        Api::Anthropic => json!({ "type": "error", "error": { "type": kind, "message": message } }),
        Api::OpenAi => json!({ "error": { "type": kind, "message": message } }),
    }
}

/// The script with other replies in the place of one, which comes after them.
fn with(mut script: Vec<Reply>, place: usize, others: Vec<Reply>) -> Vec<Reply> {
    script.splice(place..place, others);
    script
}

#[test]
fn what_may_pass_is_waited_for_and_is_no_time_of_the_agents() {
    for api in [Api::Anthropic, Api::OpenAi] {
        let refusals = [429, 529, 500, 502, 503].map(|status| {
            Reply::Status(status, soon(), error(api, "rate_limit_error", "slow down"))
        });
        let mut trouble = refusals.to_vec();
        trouble.push(Reply::Status(
            429,
            vec![("retry-after", "1".to_owned())],
            json!({}),
        ));
        let bench = Bench::new();
        let script = with(streams(api, &looks_and_submits(RIGHT)), 1, trouble);
        let (attempt, service) = bench.attempt(api, script, &[]);
        let metrics = &attempt.metrics;
        assert_eq!(metrics["scores"]["exact"], true, "{api:?}: {metrics}");
        assert_eq!(service.seen().len(), 9);
        assert!(
            metrics["waiting_seconds"].as_f64().unwrap() >= 1.0,
            "{metrics}"
        );
        // Nothing of what was refused was worked on, so that all of the use is known.
        assert_eq!(metrics["usage"]["input_tokens"], 300);
        let waits: Vec<&Value> = attempt
            .transcript
            .iter()
            .filter(|line| line["role"] == "service")
            .collect();
        assert_eq!(waits.len(), 6);
        // As long as the service said, and not by the program's own waits.
        let wait = |line: &Value| line["wait_s"].as_f64().unwrap();
        assert!(
            waits[..5].iter().all(|line| wait(line) < 0.006),
            "{waits:?}"
        );
        assert!((1.0..=1.1).contains(&wait(waits[5])), "{waits:?}");
        assert!(
            waits[0]["text"].as_str().unwrap().contains("HTTP 429"),
            "{}",
            waits[0]
        );
    }
}

#[test]
fn a_service_that_never_recovers_has_failed_and_the_agent_has_not() {
    let api = Api::Anthropic;
    let bench = Bench::new();
    let script = vec![Reply::Status(529, soon(), error(api, "overloaded_error", "Overloaded")); 20];
    let (attempt, service) = bench.attempt(api, script, &[]);
    let metrics = &attempt.metrics;
    assert_eq!(
        (&metrics["outcome"], &metrics["infrastructure"]),
        (&json!("agent-error"), &json!(true)),
        "{metrics}"
    );
    assert_eq!(metrics["flags"]["model_api_failed"], true);
    let reason = metrics["reason"].as_str().unwrap();
    assert!(
        reason.contains("overloaded_error: Overloaded") && reason.contains("after 8 tries"),
        "{reason}"
    );
    assert_eq!(service.seen().len(), 8);
}

#[test]
fn what_does_not_pass_ends_the_attempt_at_once_in_the_services_words() {
    for api in [Api::Anthropic, Api::OpenAi] {
        for (reply, says) in [
            (
                Reply::refusal(
                    400,
                    error(api, "invalid_request_error", "effort: bad value"),
                ),
                "HTTP 400, invalid_request_error: effort: bad value (request req_scripted)",
            ),
            (
                Reply::refusal(401, error(api, "authentication_error", "invalid key")),
                "HTTP 401, authentication_error: invalid key",
            ),
            (
                Reply::refusal(403, error(api, "permission_error", "not yours")),
                "HTTP 403, permission_error: not yours",
            ),
            (
                Reply::refusal(404, error(api, "not_found_error", "model: a-model")),
                "HTTP 404, not_found_error: model: a-model",
            ),
            (
                Reply::Status(
                    429,
                    soon(),
                    json!({ "error": { "code": "insufficient_quota", "message": "pay first" } }),
                ),
                "insufficient_quota: pay first",
            ),
            // In a stream that has begun.
            (
                Reply::Stream(vec![json!({
                    "type": "error",
                    "error": { "code": 429, "type": "insufficient_quota", "message": "pay first" }
                })]),
                "insufficient_quota: pay first",
            ),
            (
                Reply::Status(500, vec![("x-should-retry", "false".to_owned())], json!({})),
                "HTTP 500",
            ),
            (
                Reply::Status(
                    307,
                    vec![("location", "http://127.0.0.1:1/".to_owned())],
                    json!({}),
                ),
                "give that address with --base-url",
            ),
            (
                Reply::Text(404, "<html>\n  <b>nothing here</b></html>"),
                "HTTP 404, <html> <b>nothing here</b></html>",
            ),
        ] {
            let bench = Bench::new();
            let (attempt, service) = bench.attempt(api, vec![reply], &[]);
            let metrics = &attempt.metrics;
            let reason = metrics["reason"].as_str().unwrap();
            assert!(reason.contains(says), "{api:?}: {reason}");
            assert_eq!(metrics["outcome"], "agent-error");
            assert_eq!(metrics["infrastructure"], true);
            assert_eq!(service.seen().len(), 1, "{api:?} {says}");
        }
    }
}

#[test]
fn a_reply_that_breaks_off_is_asked_for_again_whole_and_half_a_call_is_never_made() {
    for api in [Api::Anthropic, Api::OpenAi] {
        let submits = Say::calls(&[("submit_csv", json!({ "csv": RIGHT }))]);
        let wrong = Say::calls(&[("submit_csv", json!({ "csv": "name,condition,datasets\n" }))]);
        let events = wrong.events(api);
        // All of the wrong call, without the end of the reply.
        let part = events[..events.len() - 2].to_vec();
        for cut in [
            Reply::Broken(part.clone()),
            Reply::Torn(part.clone()),
            Reply::Stalled(part.clone()),
            Reply::Silence,
            Reply::Text(200, "<html>not yet</html>"),
        ] {
            let bench = Bench::new();
            let script = vec![
                cut.clone(),
                submits.stream(api),
                Say::text("Done.").stream(api),
            ];
            let (attempt, service) = bench.attempt(api, script, &["--model-timeout", "4"]);
            let metrics = &attempt.metrics;
            assert_eq!(
                metrics["scores"]["exact"], true,
                "{api:?} {cut:?}: {metrics}"
            );
            assert_eq!(attempt.calls.len(), 1, "{api:?} {cut:?}");
            assert_eq!(metrics["usage"]["cost_incomplete"], true);
            let seen = service.seen();
            assert_eq!(seen.len(), 3);
            assert_eq!(seen[0].body, seen[1].body, "{api:?}: the same turn, whole");
        }
        let bench = Bench::new();
        let (attempt, service) = bench.attempt(
            api,
            vec![Reply::Broken(part.clone()), Reply::Broken(part)],
            &[],
        );
        let metrics = &attempt.metrics;
        assert_eq!(
            (&metrics["outcome"], &metrics["infrastructure"]),
            (&json!("agent-error"), &json!(true)),
            "{metrics}"
        );
        assert_eq!((service.seen().len(), attempt.calls.len()), (2, 0));
    }
}

#[test]
fn an_error_in_the_midst_of_a_stream_is_what_it_would_be_as_a_reply() {
    let api = Api::Anthropic;
    let mut events = Say::text("I am abou").events(api);
    events.truncate(3);
    let with_error = |kind: &str| {
        let mut events = events.clone();
        events.push(error(api, kind, "in the midst"));
        Reply::Stream(events)
    };
    let bench = Bench::new();
    let mut script = vec![
        with_error("overloaded_error"),
        with_error("overloaded_error"),
        with_error("overloaded_error"),
    ];
    script.extend(streams(api, &looks_and_submits(RIGHT)));
    let (attempt, _) = bench.attempt(api, script, &[]);
    assert_eq!(
        attempt.metrics["scores"]["exact"], true,
        "{}",
        attempt.metrics
    );
    // What the three had read is known, and that it is not all.
    assert_eq!(attempt.metrics["usage"]["input_tokens"], 600);
    assert_eq!(attempt.metrics["usage"]["cost_incomplete"], true);

    let bench = Bench::new();
    let (attempt, service) = bench.attempt(api, vec![with_error("invalid_request_error")], &[]);
    assert_eq!(
        attempt.metrics["reason"],
        "invalid_request_error: in the midst"
    );
    assert_eq!(service.seen().len(), 1);
}

#[test]
fn an_agent_whose_time_is_up_is_out_of_time_whatever_the_service_does() {
    for api in [Api::Anthropic, Api::OpenAi] {
        let events = Say::text("I am about to").events(api);
        let submits = Say::calls(&[("submit_csv", json!({ "csv": RIGHT }))]);
        for (script, outcome, timed_out) in [
            (vec![Reply::Stalled(events[..2].to_vec())], "timeout", false),
            (vec![Reply::Silence], "timeout", false),
            (vec![submits.stream(api), Reply::Silence], "answered", true),
        ] {
            let bench = Bench::new();
            let (attempt, _) = bench.attempt(api, script, &["--agent-timeout", "8"]);
            let metrics = &attempt.metrics;
            assert_eq!(metrics["outcome"], outcome, "{api:?}: {metrics}");
            assert_eq!(metrics["flags"]["timed_out"], timed_out);
            assert_eq!(metrics["flags"]["model_api_failed"], false);
            assert_eq!(metrics["usage"]["cost_incomplete"], true);
        }
    }
}

#[test]
fn waiting_does_not_use_up_the_agents_time() {
    let api = Api::OpenAi;
    let bench = Bench::new();
    let later = || Reply::Status(429, vec![("retry-after", "5".to_owned())], json!({}));
    let script = with(
        streams(api, &looks_and_submits(RIGHT)),
        0,
        vec![later(), later()],
    );
    let (attempt, _) = bench.attempt(api, script, &["--agent-timeout", "8"]);
    let metrics = &attempt.metrics;
    assert_eq!(metrics["scores"]["exact"], true, "{metrics}");
    assert!(metrics["waiting_seconds"].as_f64().unwrap() >= 10.0);
}

#[test]
fn a_service_that_is_not_there_is_said_to_be_so() {
    let bench = Bench::new();
    // Nobody listens on a port that was just given back.
    let address = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let base = format!("http://{address}/v1");
    let output = bench
        .command(&[
            "run",
            "--out",
            "runs",
            "--model",
            "a-model",
            "--base-url",
            &base,
            "--agent-timeout",
            "60",
        ])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("was lost: cannot reach the service") && said.contains("were all lost"),
        "{said}"
    );
    let metrics: Value = serde_json::from_slice(
        &std::fs::read(bench.path("runs/nde-expand_heart/1/metrics.json")).unwrap(),
    )
    .unwrap();
    assert_eq!(metrics["infrastructure"], true);
    let reason = metrics["reason"].as_str().unwrap();
    assert!(reason.contains("cannot reach the service"), "{reason}");
    assert!(reason.contains("given up after 6 tries"), "{reason}");
}
