//! Sweeps that cost something: what they may cost, and what is said of it beforehand.

use serde_json::{Value, json};

use crate::bench::{Bench, RIGHT, looks_and_submits, streams};
use crate::service::{Api, Reply, Say, Service};

/// 300 tokens read and 30 written cost 0.00225.
const PRICES: &str =
    "source = \"a page, read on a day\"\n[models.\"a-model\"]\ninput = 5\noutput = 25\n";

#[test]
fn the_money_of_a_sweep_ends_it_before_an_attempt_that_it_does_not_reach_for() {
    let api = Api::Anthropic;
    let bench = Bench::new();
    bench.write("prices.toml", PRICES);
    let whole = || streams(api, &looks_and_submits(RIGHT));
    let sweep = |usd: &str, service: &Service| {
        let words = [
            "--prices",
            "prices.toml",
            "--repeat",
            "3",
            "--max-usd",
            "0.003",
            "--json",
        ];
        bench.run(
            api,
            service,
            &[&words[..], &["--max-sweep-usd", usd]].concat(),
        )
    };
    let service = Service::new(api, [whole(), whole(), whole()].concat());
    let output = sweep("0.006", &service);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("1 attempt left: give more with --max-sweep-usd"),
        "{said}"
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let summary = &report["summary"];
    assert_eq!(
        (&summary["made"], &summary["unmade"], &summary["outcomes"]),
        (&json!(2), &json!(1), &json!({ "answered": 2 }))
    );
    assert!((summary["spent_usd"].as_f64().unwrap() - 0.0045).abs() < 1e-12);
    assert!(!bench.path("runs/nde-expand_heart/3").exists());

    // What was spent before counts: a little less than this would not do.
    assert_eq!(sweep("0.0074", &service).status.code(), Some(1));
    let output = sweep("0.0076", &service);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&report["summary"]["made"], &report["summary"]["kept"]),
        (&json!(1), &json!(2))
    );
}

#[test]
fn a_dry_run_counts_tokens_names_the_payer_and_asks_the_service_nothing() {
    for (api, payer) in [
        (Api::Anthropic, "ANTHROPIC_API_KEY"),
        (Api::OpenAi, "OPENAI_API_KEY"),
    ] {
        let bench = Bench::new();
        let service = Service::new(api, Vec::new());
        let output = bench.run(api, &service, &["--dry-run", "--repeat", "2", "--json"]);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let dry: Value = serde_json::from_slice(&output.stdout).unwrap();
        let sweep = &dry["sweeps"][0];
        assert_eq!(sweep["make"], 2);
        assert!(sweep["payer"].as_str().unwrap().contains(payer), "{sweep}");
        // Two attempts, each with two turns over a list of tools and a prompt of some thousand bytes.
        let tokens = sweep["tokens_at_least"].as_u64().unwrap();
        let prompt = &dry["prompts"][0];
        let told: usize = ["system", "user"]
            .iter()
            .map(|part| prompt[*part].as_str().unwrap().len())
            .sum();
        // Four readings at four bytes a token: what goes beyond the prompt is the list of tools.
        assert!(tokens > told as u64 + 1_000, "{tokens}");
        assert!(tokens < 40_000, "{tokens}");
        assert_eq!(service.seen().len(), 0);
        assert!(!bench.path("runs").exists());
    }
}

#[test]
fn two_services_under_one_name_of_a_model_are_two_conditions() {
    for api in [Api::Anthropic, Api::OpenAi] {
        let bench = Bench::new();
        let whole = || streams(api, &looks_and_submits(RIGHT));
        let first = Service::new(api, [whole(), whole()].concat());
        let output = bench.run(api, &first, &[]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{api:?}: {said}");

        let other = Service::new(api, whole());
        let output = bench.run(api, &other, &["--repeat", "2"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{api:?}: {said}");
        let differs = |line: &str| {
            line.contains("agent_options.service")
                && line.contains(first.base_url().as_str())
                && line.contains(other.base_url().as_str())
        };
        assert!(said.lines().any(differs), "{said}");
        assert_eq!(other.seen().len(), 0);

        let output = bench.run(api, &first, &["--repeat", "2"]);
        assert!(output.status.success(), "{api:?}: the same service goes on");
    }
}

fn refused(status: u16) -> Reply {
    let error = json!({ "error": { "type": "authentication_error", "message": "invalid key" } });
    Reply::refusal(status, error)
}

#[test]
fn a_key_that_the_service_does_not_take_stops_the_sweep_and_not_each_attempt() {
    for (api, agent, variable) in [
        (Api::Anthropic, "anthropic", "ANTHROPIC_API_KEY"),
        (Api::OpenAi, "openai", "OPENAI_API_KEY"),
    ] {
        for status in [401, 403, 404] {
            let bench = Bench::new();
            let service = Service::new(api, vec![refused(status); 20]);
            let output = bench.run(api, &service, &["--repeat", "9", "--json"]);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{said}");
            assert_eq!(service.seen().len(), 2, "{api:?} {status}: {said}");
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            let summary = &report["summary"];
            assert_eq!(
                (&summary["made"], &summary["unmade"], &summary["lost"]),
                (&json!(2), &json!(7), &json!(2))
            );
            let reason = format!("HTTP {status}, authentication_error: invalid key");
            assert_eq!(
                summary["lost_reasons"],
                json!([{ "reason": reason, "attempts": 2 }])
            );
            for words in [
                format!(
                    "attempt 1 of {agent} at nde-expand_heart was lost: {reason} (request req_scripted)\n"
                ),
                format!("\n  2 × {reason}\n"),
                "7 attempts were not begun".to_owned(),
                format!("check {variable}, --model and --base-url"),
                "--retry infrastructure".to_owned(),
            ] {
                assert!(said.contains(&words), "{words}: {said}");
            }

            // With the right key the same line makes what was lost and what was not begun.
            let whole = || streams(api, &looks_and_submits(RIGHT));
            service.restart((0..9).flat_map(|_| whole()).collect());
            let output = bench.run(
                api,
                &service,
                &["--repeat", "9", "--json", "--retry", "infrastructure"],
            );
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{said}");
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(report["cells"][0]["tally"]["exact"], 9);
        }
    }
}

#[test]
fn one_refusal_between_attempts_that_get_through_stops_nothing() {
    let api = Api::OpenAi;
    let bench = Bench::new();
    let whole = || streams(api, &looks_and_submits(RIGHT));
    let script = [
        vec![refused(403)],
        whole(),
        vec![refused(403)],
        whole(),
        vec![refused(403)],
    ];
    let service = Service::new(api, script.concat());
    let output = bench.run(api, &service, &["--repeat", "5", "--json"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("\n  3 × HTTP 403"), "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["cells"][0]["tally"]["exact"], 2);
}

/// A service that tells no usage: what its attempts cost is not known, and they count as all that they may have cost.
#[test]
fn an_unknown_cost_counts_as_the_whole_allowance() {
    let api = Api::OpenAi;
    let bench = Bench::new();
    bench.write("prices.toml", PRICES);
    let whole = || {
        let says = looks_and_submits(RIGHT);
        let without_usage = |say: &Say| {
            let mut events = say.events(api);
            events.pop();
            Reply::Stream(events)
        };
        says.iter().map(without_usage).collect::<Vec<_>>()
    };
    let service = Service::new(api, (0..6).flat_map(|_| whole()).collect());
    let sweep = |usd: &str| {
        let words = [
            "--prices",
            "prices.toml",
            "--repeat",
            "4",
            "--max-usd",
            "0.003",
            "--max-sweep-usd",
            usd,
            "--json",
        ];
        let output = bench.run(api, &service, &words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), report["summary"].clone(), said)
    };
    let (code, summary, said) = sweep("0.007");
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(
        (&summary["made"], &summary["unmade"], &summary["spent_usd"]),
        (&json!(2), &json!(2), &Value::Null)
    );
    assert!(
        said.contains("2 attempts left")
            && said.contains("the cost of 2 attempts is not wholly known, and counts as --max-usd"),
        "{said}"
    );
    // So do those that are there already.
    let (code, summary, said) = sweep("0.010");
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(
        (&summary["made"], &summary["unmade"]),
        (&json!(1), &json!(1))
    );
}
