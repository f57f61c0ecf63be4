//! The key of a service: in its requests, and nowhere else.

use serde_json::json;

use crate::bench::{Bench, KEY, RIGHT};
use crate::service::{Api, Reply, Say};

#[test]
fn the_key_goes_to_the_service_and_is_found_nowhere_however_it_is_echoed() {
    for api in [Api::Anthropic, Api::OpenAi] {
        let echo = json!({ "error": { "type": "authentication_error", "message": format!("wrong key: {KEY}") } });
        // In a refusal that is waited for, in the model's text and in the arguments of its calls.
        let says: &'static str = Box::leak(format!("My key is {KEY}, I think.").into_boxed_str());
        let leaks = Say {
            text: says,
            ..Say::calls(&[
                (
                    "query",
                    json!({ "graph_name": "nde", "query_string": format!("SELECT ?{KEY}"), KEY: KEY }),
                ),
                (
                    "submit_csv",
                    json!({ "csv": format!("{RIGHT}{KEY},a,1\n") }),
                ),
            ])
        };
        let bench = Bench::new();
        let script = vec![
            Reply::Status(429, vec![("retry-after-ms", "5".to_owned())], echo.clone()),
            leaks.stream(api),
            Reply::refusal(401, echo.clone()),
        ];
        let (attempt, service) = bench.attempt(api, script, &["--json"]);
        bench.hides_the_key(&attempt.output);
        assert_eq!(attempt.calls.len(), 2);
        let seen = service.seen();
        for request in &seen {
            let (name, value) = match api {
                Api::Anthropic => ("x-api-key", KEY.to_owned()),
                Api::OpenAi => ("authorization", format!("Bearer {KEY}")),
            };
            assert_eq!(request.headers[name], value);
            assert!(!request.body.to_string().contains(KEY));
        }
        let reason = attempt.metrics["reason"].as_str().unwrap();
        assert!(reason.contains("wrong key: ***"), "{reason}");

        // The same from the first word on, and where the program is told to stop.
        let bench = Bench::new();
        let (attempt, _) = bench.attempt(api, vec![Reply::refusal(401, echo)], &[]);
        bench.hides_the_key(&attempt.output);
    }
}

#[test]
fn a_secret_in_the_address_is_not_shown() {
    let bench = Bench::new();
    for (url, code) in [
        (format!("http://user:{KEY}@127.0.0.1:9/v1"), 2),
        (format!("http://127.0.0.1:9/v1?token={KEY}"), 1),
    ] {
        let output = bench
            .command(&[
                "run",
                "--out",
                "runs",
                "--agent",
                "openai",
                "--model",
                "m",
                "--base-url",
                &url,
                "--agent-timeout",
                "60",
            ])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        bench.hides_the_key(&output);
    }
}
