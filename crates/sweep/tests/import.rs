//! Attempts of another harness: what is read, what stays unknown, and what cannot be placed.

use std::collections::BTreeSet;

use control::Evidence;
use serde_json::json;
use sweep::{ForeignFolder, ImportedAttempt, ImportedCall, Obedience, Outcome};

fn read(
    path: &str,
    metrics: Option<&str>,
    calls: Option<&str>,
    answer: Option<&str>,
) -> Result<(ImportedAttempt, Option<Vec<ImportedCall>>), sweep::ImportError> {
    ImportedAttempt::read(&ForeignFolder {
        path,
        metrics: metrics.map(|text| ("metrics.json", text.as_bytes())),
        calls: calls.map(|text| ("calls.json", text.as_bytes())),
        answer: answer.map(|text| ("answer.csv", text.as_bytes())),
    })
}

const CALLS: &str = r#"[
  {"tool": "query", "arguments": {"query": "ASK {}"}, "is_error": false, "soft_error": null, "seconds": 1.5, "colour": "red"},
  {"tool": "get_descendants", "arguments": {}, "is_error": false, "soft_error": "HTTP Error 429", "seconds": 31},
  {"tool": "submit_csv", "arguments": {}, "is_error": false, "soft_error": null, "seconds": 0.5}
]"#;

#[test]
fn what_files_say_is_read_and_what_they_do_not_is_null() {
    let metrics = r#"{"exact": true, "ordered": false, "f1": 1.0, "seconds": 156.0, "lost_upstream": false,
        "usage": {"input_tokens": 10}, "model": "claude-opus-5", "mood": "good"}"#;
    let (attempt, calls) = read(
        "nde-expand_autoimmune/2",
        Some(metrics),
        Some(CALLS),
        Some("a,b\n1,2\n"),
    )
    .unwrap();
    let written = serde_json::to_value(&attempt).unwrap();
    for (field, value) in [
        ("record", json!("nde-expand_autoimmune")),
        ("attempt", json!(2)),
        ("outcome", json!("answered")),
        ("infrastructure", json!(false)),
        ("exact", json!(true)),
        ("ordered", json!(false)),
        ("rows", json!(1)),
        ("key_rows", json!(null)),
        ("seconds", json!(156.0)),
        ("server_seconds", json!(32.5)),
        ("calls", json!(3)),
        ("calls_after_loss", json!(null)),
        ("upstream_soft_errors", json!(1)),
        ("input_tokens", json!(10)),
        ("output_tokens", json!(null)),
        ("cost_usd", json!(null)),
        ("timed_out", json!(null)),
        ("obedience", json!(null)),
        ("evidence", json!(null)),
        ("other", json!({"mood": "good"})),
        (
            "derived",
            json!([
                "calls",
                "server_seconds",
                "upstream_soft_errors",
                "rows",
                "outcome",
                "infrastructure"
            ]),
        ),
    ] {
        assert_eq!(written[field], value, "{field}");
    }
    assert_eq!(attempt.condition.model.as_deref(), Some("claude-opus-5"));
    let calls = calls.unwrap();
    assert_eq!(calls[0].other["colour"], "red");
    assert!(calls[0].succeeded() && !calls[1].succeeded());
    assert_eq!(calls[1].soft_error_detail, Some(json!("HTTP Error 429")));
    let seen = attempt.observation();
    assert_eq!(
        (seen.exact, seen.cost_usd, seen.output_tokens),
        (Some(true), None, None)
    );
}

#[test]
fn the_end_of_an_attempt_is_told_only_where_the_files_tell_it() {
    let empty_key = r#"{"exact": true, "f1": 1.0}"#;
    for (name, metrics, calls, answer, outcome, infrastructure) in [
        (
            "stated",
            r#"{"outcome": "no_answer", "lost_upstream": true}"#,
            None,
            None,
            Some(Outcome::NoAnswer),
            Some(true),
        ),
        (
            "never had tools",
            r#"{"startup_error": "no server"}"#,
            None,
            None,
            Some(Outcome::StartupError),
            Some(true),
        ),
        (
            "header only",
            empty_key,
            None,
            Some("a,b\n"),
            Some(Outcome::AnsweredEmpty),
            Some(false),
        ),
        // Obedience or a crash: an empty key gives both a score of 1.
        ("a score and no table", empty_key, None, None, None, None),
        (
            "a score that rows must have",
            r#"{"f1": 0.4, "key_rows": 15}"#,
            None,
            None,
            Some(Outcome::Answered),
            Some(false),
        ),
        (
            "out of time after a soft error",
            r#"{"timed_out": true}"#,
            Some(r#"[{"soft_error": true}]"#),
            None,
            Some(Outcome::Timeout),
            Some(true),
        ),
        (
            "out of time, and nobody says whether the server was there",
            r#"{"timed_out": true}"#,
            None,
            None,
            Some(Outcome::Timeout),
            None,
        ),
        (
            "an end of another name",
            r#"{"status": "weird"}"#,
            None,
            None,
            None,
            None,
        ),
    ] {
        let (attempt, _) = read("nde-exact_sugar/1", Some(metrics), calls, answer).unwrap();
        assert_eq!(
            (attempt.outcome, attempt.infrastructure),
            (outcome, infrastructure),
            "{name}"
        );
        assert_eq!(
            attempt.observation().counts(),
            infrastructure == Some(false),
            "{name}"
        );
    }
    let (attempt, _) = read(
        "nde-exact_sugar/1",
        Some(r#"{"status": "weird"}"#),
        None,
        None,
    )
    .unwrap();
    assert_eq!(attempt.other["outcome"], "weird");
}

#[test]
fn obedience_follows_the_rule_and_what_is_not_known_proves_nothing() {
    use Obedience::{Disobeyed, Obeyed, Unproven};
    let there = r#""lost_upstream": false"#;
    for (name, metrics, answer, looked, expected) in [
        (
            "rows that are the key's",
            r#"{"exact": true}"#.to_owned(),
            "a\n1\n2\n",
            false,
            Obeyed,
        ),
        (
            "other rows",
            r#"{"exact": false}"#.to_owned(),
            "a\n1\n",
            false,
            Disobeyed,
        ),
        (
            "rows nobody scored",
            "{}".to_owned(),
            "a\n1\n",
            true,
            Unproven,
        ),
        (
            "empty, with a look",
            format!(r#"{{"exact": true, "key_rows": 0, {there}}}"#),
            "a\n",
            true,
            Obeyed,
        ),
        (
            "empty, without a look",
            format!(r#"{{"exact": true, {there}}}"#),
            "a\n",
            false,
            Unproven,
        ),
        (
            "empty, and nobody says whether the server was there",
            r#"{"exact": true}"#.to_owned(),
            "a\n",
            true,
            Unproven,
        ),
    ] {
        let (attempt, _) = read("nde-exact_sugar/1", Some(&metrics), None, Some(answer)).unwrap();
        let attempt = if looked {
            attempt.with_evidence(BTreeSet::from([Evidence::LiteralTerm]))
        } else {
            attempt
        };
        assert_eq!(attempt.obedience, Some(expected), "{name}");
    }
}

#[test]
fn an_attempt_is_placed_by_its_metrics_or_by_its_path() {
    for (path, metrics, record, attempt) in [
        ("nde-exact_sugar/3", "{}", "nde-exact_sugar", 3),
        (
            "runs-opus/nde-exact_sugar/attempt-12",
            "{}",
            "nde-exact_sugar",
            12,
        ),
        (
            "nde-exact_sugar/claude-opus-5/r02",
            "{}",
            "nde-exact_sugar",
            2,
        ),
        ("a/7", r#"{"record": "036_drugs"}"#, "036_drugs", 7),
        (
            "somewhere",
            r#"{"record_id": "036_drugs", "repeat": 0}"#,
            "036_drugs",
            0,
        ),
    ] {
        let (read, _) = read(path, Some(metrics), None, None).unwrap();
        assert_eq!(
            (read.record.as_str(), read.attempt),
            (record, attempt),
            "{path}"
        );
    }
}

#[test]
fn what_cannot_be_read_says_file_field_and_remedy() {
    for (path, metrics, calls, expected) in [
        (
            "nde-exact_sugar/1",
            "{\n \"exact\": tru}",
            None,
            "metrics.json:2:14: not JSON: expected ident at line 2 column 14",
        ),
        (
            "nde-exact_sugar/1",
            "[]",
            None,
            "metrics.json: `the file` should be an object, and is an array",
        ),
        (
            "nde-exact_sugar/1",
            r#"{"exact": "yes"}"#,
            None,
            "metrics.json: `exact` should be true or false, and is the text \"yes\"",
        ),
        (
            "nde-exact_sugar/1",
            r#"{"seconds": -1}"#,
            None,
            "metrics.json: `seconds` should be a number from 0 on, and is -1",
        ),
        (
            "nde-exact_sugar/1",
            "{}",
            Some("{}"),
            "calls.json: `the file` should be an array of calls, or an object with `calls`, and is an object",
        ),
        (
            "nde-exact_sugar/1",
            "{}",
            Some(r#"[{"tool": 3}]"#),
            "calls.json: `calls[0].tool` should be text, and is 3",
        ),
        (
            "nde-exact_sugar/first",
            "{}",
            None,
            "nde-exact_sugar/first: nothing says which attempt it is: no `attempt` in its metrics, and its folder ends in no number",
        ),
        (
            "1",
            "{}",
            None,
            "1: nothing says which record was asked: no `record` in its metrics, and no folder above it is named KG-ARM_TIER",
        ),
    ] {
        let error = read(path, Some(metrics), calls, None).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(!error.remedy().is_empty());
    }
}

#[test]
fn a_record_that_leads_out_of_its_folder_is_refused() {
    for record in ["../../etc", "a/b", r"a\\b", "", ".hidden", "c:"] {
        let metrics = format!(r#"{{"record": "{record}", "attempt": 1}}"#);
        let error = read("x/1", Some(&metrics), None, None).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("x/1: `record` should be an id that can name a folder"),
            "{error}"
        );
    }
}

#[test]
fn nulls_say_nothing_and_are_not_left_over() {
    let (attempt, _) = read(
        "nde-exact_sugar/1",
        Some(r#"{"exact": null, "f1": null, "seconds": null}"#),
        None,
        None,
    )
    .unwrap();
    assert_eq!(
        (attempt.exact, attempt.f1, attempt.seconds),
        (None, None, None)
    );
    assert!(attempt.other.is_empty());
}

#[test]
fn what_is_written_is_read_back() {
    let (attempt, calls) = read(
        "nde-exact_sugar/1",
        Some(r#"{"exact": true, "x": [1, {"y": null}]}"#),
        Some(CALLS),
        Some("a\n"),
    )
    .unwrap();
    let text = serde_json::to_string(&(&attempt, &calls)).unwrap();
    let back: (ImportedAttempt, Option<Vec<ImportedCall>>) = serde_json::from_str(&text).unwrap();
    assert_eq!(back, (attempt, calls));
}

/// This program's own attempts: flags in an object, and a soft error that did not happen is left out.
#[test]
fn own_recordings_say_by_absence_that_nothing_failed() {
    let metrics = r#"{"outcome": "answered-empty", "rows": 0, "key_rows": 0, "flags": {"lost_upstream": false, "timed_out": false,
        "strict": false}, "scores": {"exact": true, "f1": 1.0}}"#;
    let call = r#"{"sequence": 1, "tool": "query", "arguments": {"query": "ASK {}"}, "start_ms": 1, "duration_ms": 5,
        "is_error": false, "reply_bytes": 9, "session_reset": false, "answered_by": "upstream", "role": "query"}"#;
    let own = format!("[{call}]");
    let (attempt, calls) =
        read("nde-exact_sugar/1", Some(metrics), Some(&own), Some("a\n")).unwrap();
    let calls = calls.unwrap();
    assert!(calls[0].succeeded());
    assert_eq!(calls[0].role(), sweep::ToolRole::Query);
    assert_eq!(attempt.upstream_soft_errors, Some(0));
    assert_eq!(attempt.lost_upstream, Some(false));
    let looked = attempt.with_evidence([control::Evidence::LiteralTerm].into());
    assert_eq!(looked.obedience, Some(sweep::Obedience::Obeyed));

    let soft = own.replace(
        "\"reply_bytes\"",
        "\"soft_error\": {\"kind\": \"timeout\", \"text\": \"x\"}, \"reply_bytes\"",
    );
    let foreign = own.replace(r#", "answered_by": "upstream""#, "");
    for (calls, why) in [
        (soft, "it failed"),
        (foreign, "another harness says nothing by leaving it out"),
    ] {
        let (_, calls) = read("nde-exact_sugar/1", Some(metrics), Some(&calls), None).unwrap();
        assert!(!calls.unwrap()[0].succeeded(), "{why}");
    }
}
