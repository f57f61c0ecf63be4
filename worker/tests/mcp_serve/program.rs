//! The program: stdio, HTTP, and what is refused.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::bench::Client;

fn program(words: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("okn-benchmark"));
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/benchmarks");
    command
        .args(["mcp", "serve", "--corpus", corpus])
        .args(words);
    command
}

fn told(words: &[&str]) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = program(words).stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn faults_are_listed() {
    let (status, listed, _) = told(&["--fault", "list"]);
    assert_eq!(status, Some(0));
    insta::assert_snapshot!("faults", listed);
}

#[test]
fn what_makes_no_sense_is_refused_with_what_would() {
    let (status, _, said) = told(&["--fault", "flood"]);
    assert_eq!(status, Some(2));
    assert!(
        said.contains("no fault `flood`") && said.contains("hint: the faults are 429-in-body, "),
        "{said}"
    );

    let (status, _, said) = told(&["--fault", "503"]);
    assert_eq!(status, Some(2));
    assert!(
        said.contains("fault `503` is one of HTTP") && said.contains("--http 127.0.0.1:0"),
        "{said}"
    );

    let (status, _, said) = told(&["--fault-after", "3"]);
    assert_eq!(status, Some(2), "{said}");

    let (status, _, said) = told(&["--snapshot", "/nowhere"]);
    assert_eq!(status, Some(2));
    assert!(
        said.contains("no embedded federation lies in /nowhere"),
        "{said}"
    );
}

/// Standard output carries the protocol and nothing else, and ends when the client leaves.
#[test]
fn standard_input_and_output_speak_the_protocol_and_nothing_else() {
    let mut child = program(&[])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |message: Value| -> Value {
        writeln!(stdin, "{message}").unwrap();
        serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap()
    };
    let hello = ask(json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": { "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } },
    }));
    assert_eq!(
        hello["result"]["serverInfo"]["name"],
        "embedded-reconstruction"
    );
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
    let reply = ask(json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "query", "arguments": { "graph_name": "nde", "query_string": "ASK { ?s ?p ?o }" } },
    }));
    let payload: Value =
        serde_json::from_str(reply["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(
        (&payload["count"], &payload["data"]),
        (&json!(1), &json!([["true"]]))
    );
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert!(lines.next().is_none());
}

#[tokio::test]
async fn http_is_served_at_the_address_that_is_printed() {
    let mut child = program(&["--http", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut address)
        .unwrap();
    let client = Client::over_http(address.trim()).await;
    let listed = client.payload("list_graphs", json!({})).await;
    assert_eq!(listed["count"], 3);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_server_ends_in_the_middle_of_a_call() {
    let mut child = program(&["--fault", "exit"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for message in [
        json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": { "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } },
        }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "list_graphs", "arguments": {} } }),
    ] {
        writeln!(stdin, "{message}").unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines.lines().count(), 1, "{lines}");
    drop(stdin);
}
