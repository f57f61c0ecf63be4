//! Every fault of the bench, through the program as the proxy.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sweep::{AnsweredBy, Call};

use crate::process::{Bench, Way, words};

const SELECT: &str = "SELECT ?s WHERE { ?s ?p ?o } LIMIT 3";
const ROOT: &str = "http://purl.obolibrary.org/obo/MONDO_0004995";

/// The call that meets a fault.
pub(crate) fn probe(fault: &str) -> (&'static str, Value) {
    let query = |sparql: &str| json!({ "graph_name": "nde", "query_string": sparql });
    match fault {
        "429-in-body" => ("get_descendants", json!({ "uri": ROOT })),
        "broken-lookup" => ("lookup_uri", json!({ "label": "heart disease" })),
        "values-collision" => {
            let sparql =
                format!("SELECT ?pheno WHERE {{ VALUES ?pheno {{ <{ROOT}> }} ?s ?p ?pheno }}");
            let mut arguments = query(&sparql);
            arguments["bind_expansion_to"] = json!(["pheno"]);
            ("query", arguments)
        }
        "bind-collision" => (
            "query",
            query(&format!(
                "SELECT ?s WHERE {{ BIND(<{ROOT}> AS ?phen) ?s ?p ?phen }}"
            )),
        ),
        _ => ("query", query(SELECT)),
    }
}

/// How a call went, in a few words.
fn told(call: &Call) -> String {
    let mut text = match call.answered_by {
        AnsweredBy::Upstream if call.is_error => "error".to_owned(),
        AnsweredBy::Upstream => match &call.soft_error {
            Some(soft) => format!("soft {}", soft.kind),
            None if call.reply_bytes > 5 << 20 => "fine, more than 5 MB".to_owned(),
            None => "fine".to_owned(),
        },
        other => serde_json::to_value(other)
            .unwrap()
            .as_str()
            .unwrap()
            .to_owned(),
    };
    if call.session_reset {
        text.push_str(" (session opened again)");
    }
    text
}

/// The fault met twice, another call, and a submission.
async fn meet(fault: &str, way: Way) -> String {
    let bench = Bench::new(way, &["--fault", fault]).await;
    let is_silent = ["hang", "restart-while-pending"].contains(&fault);
    let limit = if is_silent { "1" } else { "20" };
    let client = bench.open(&["--timeout", limit]).await;
    let tools = client.tools().await;
    assert_eq!(
        tools.iter().filter(|name| *name == "submit_csv").count(),
        1,
        "{fault}: {tools:?}"
    );
    assert!((9..=14).contains(&tools.len()), "{fault}: {tools:?}");
    let (tool, arguments) = probe(fault);
    for _ in 0..2 {
        client.call(tool, &arguments).await.unwrap();
    }
    client.call("list_graphs", &json!({})).await.unwrap();
    let submitted = client
        .call("submit_csv", &json!({ "csv": "a\n1\n" }))
        .await
        .unwrap();
    assert!(
        words(&submitted).contains("1 row of 1 column"),
        "{fault}: {submitted:?}"
    );
    client.leave().await;

    let (calls, recording) = (bench.calls(), bench.recording());
    assert_eq!(calls.len(), 4, "{fault}");
    assert_eq!(
        std::fs::read_to_string(bench.out("answer.csv")).unwrap(),
        "a\n1\n"
    );
    assert!(
        recording.ended.is_some() && recording.startup_error.is_none(),
        "{fault}: {recording:?}"
    );
    assert_eq!(
        (recording.server.build.as_deref(), recording.server_changed),
        (Some("b1"), false)
    );
    let lost = if recording.lost_upstream.is_some() {
        "; lost"
    } else {
        ""
    };
    let calls: Vec<String> = calls.iter().map(told).collect();
    format!("{}{lost}", calls.join(", "))
}

async fn meet_all(way: Way, faults: &[&str]) -> String {
    let mut report = String::new();
    for fault in faults {
        writeln!(report, "{fault:22} {}", meet(fault, way).await).unwrap();
    }
    report
}

/// Faults in what a tool replies.
pub(crate) const IN_REPLIES: [&str; 10] = [
    "429-in-body",
    "error-text",
    "ok-with-error",
    "rich-error",
    "cut-json",
    "5mb",
    "paged-tools",
    "broken-lookup",
    "values-collision",
    "bind-collision",
];

/// Faults of streamable HTTP.
pub(crate) const IN_CONNECTIONS: [&str; 8] = [
    "hang",
    "dropped-session",
    "restart",
    "restart-while-pending",
    "cut-reply",
    "401",
    "404",
    "503",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_in_replies_are_told_from_data_however_the_server_is_reached() {
    let by_command = meet_all(Way::Command, &IN_REPLIES).await;
    let by_http = meet_all(Way::Http, &IN_REPLIES).await;
    assert_eq!(by_command, by_http);
    insta::assert_snapshot!(by_command);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_of_the_connection_end_in_a_result_or_in_a_loss_that_is_told() {
    let by_command = meet_all(Way::Command, &["hang"]).await;
    let by_http = meet_all(Way::Http, &IN_CONNECTIONS).await;
    insta::assert_snapshot!(format!("as a command\n{by_command}\nover HTTP\n{by_http}"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_ends_is_lost_soon_however_short_the_calls_time_is() {
    for (way, limit) in [(Way::Command, "20"), (Way::Http, "20"), (Way::Http, "0.5")] {
        let bench = Bench::new(way, &["--fault", "exit"]).await;
        let client = bench.open(&["--timeout", limit]).await;
        let (tool, arguments) = probe("exit");
        // What a server that is about to end still says to the first call is its own affair.
        let _ = client.call(tool, &arguments).await;
        for _ in 0..4 {
            let _ = client.call(tool, &arguments).await;
        }
        let told = client.call(tool, &arguments).await.unwrap();
        assert!(
            words(&told).contains("pointless"),
            "{way:?} {limit}: {told:?}"
        );
        let submitted = client.call("submit_csv", &json!({ "csv": "a\n" })).await;
        assert!(words(&submitted.unwrap()).contains("0 rows"));
        client.leave().await;
        assert!(bench.recording().lost_upstream.is_some());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_strict_proxy_shows_soft_errors_as_errors_with_the_payload_as_it_came() {
    let mut payloads = Vec::new();
    for words_behind in [&[] as &[&str], &["--strict-upstream-errors"]] {
        let bench = Bench::new(Way::Command, &["--fault", "429-in-body"]).await;
        let client = bench.open(words_behind).await;
        let (tool, arguments) = probe("429-in-body");
        let result = client.call(tool, &arguments).await.unwrap();
        payloads.push((result.is_error.unwrap_or(false), words(&result)));
        client.leave().await;
        assert!(bench.calls()[0].soft_error.is_some() && !bench.calls()[0].is_error);
    }
    assert_eq!((payloads[0].0, payloads[1].0), (false, true));
    assert_eq!(payloads[0].1, payloads[1].1);
}
