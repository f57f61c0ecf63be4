//! The program `okn-benchmark mcp proxy` as a process among others.

use std::process::Stdio;
use std::time::Duration;

use rmcp::service::ServiceExt as _;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use serde_json::json;
use sweep::AnsweredBy;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};

use crate::process::{Bench, Client, Way, serving, words};

const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;
const SLOW: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":{"graph_name":"nde","query_string":"SELECT ?s WHERE { ?s ?p ?o }"}}}"#;
const SUBMIT: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"submit_csv","arguments":{"csv":"a\n1\n"}}}"#;

#[tokio::test]
async fn a_script_may_write_all_it_has_to_ask_at_once() {
    let bench = Bench::new(Way::Command, &[]).await;
    let mut proxy = bench
        .proxy(&[])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = proxy.stdin.take().unwrap();
    stdin
        .write_all(format!("{HELLO}\n{SLOW}\n{SUBMIT}").as_bytes())
        .await
        .unwrap();
    drop(stdin);
    let output = tokio::time::timeout(Duration::from_secs(30), proxy.wait_with_output())
        .await
        .unwrap()
        .unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    let ids: Vec<i64> = said
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["id"]
                .as_i64()
                .unwrap()
        })
        .collect();
    assert_eq!(ids.len(), 3, "{said}");
    assert_eq!(bench.calls().len(), 2);
    assert!(bench.out("calls.json").is_file());
}

#[cfg(unix)]
#[tokio::test]
async fn a_polite_kill_finishes_the_recording_and_a_rude_one_leaves_whole_lines() {
    for signal in ["-TERM", "-INT", "-KILL"] {
        let bench = Bench::new(Way::Command, &["--fault", "hang"]).await;
        let mut proxy = bench
            .proxy(&[])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = proxy.stdin.take().unwrap();
        let mut lines = BufReader::new(proxy.stdout.take().unwrap()).lines();
        stdin
            .write_all(format!("{HELLO}\n{SUBMIT}\n{SLOW}\n").as_bytes())
            .await
            .unwrap();
        for _ in 0..2 {
            lines.next_line().await.unwrap().unwrap();
        }
        let pid = proxy.id().unwrap().to_string();
        assert!(
            std::process::Command::new("kill")
                .args([signal, &pid])
                .status()
                .unwrap()
                .success()
        );
        let status = tokio::time::timeout(Duration::from_secs(10), proxy.wait())
            .await
            .unwrap()
            .unwrap();
        let calls = bench.calls();
        assert_eq!(calls[0].tool, "submit_csv", "{signal}");
        if signal == "-KILL" {
            assert_eq!((calls.len(), bench.recording().ended), (1, None));
            worker::mcp::proxy::gather(&bench.out("")).unwrap();
        } else {
            assert!(status.success(), "{signal}: {status}");
            assert_eq!(calls[1].answered_by, AnsweredBy::Cancelled, "{signal}");
            assert!(bench.recording().ended.is_some());
        }
        let array = std::fs::read_to_string(bench.out("calls.json")).unwrap();
        assert!(array.starts_with('['), "{signal}");
    }
}

#[tokio::test]
async fn a_start_that_fails_has_a_message_and_a_status() {
    let bench = Bench::new(Way::Command, &["--fault", "no-such-fault"]).await;
    let mut proxy = bench
        .proxy(&[])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = proxy.stdin.take().unwrap();
    stdin
        .write_all(format!("{HELLO}\n").as_bytes())
        .await
        .unwrap();
    let mut stdout = proxy.stdout.take().unwrap();
    let mut said = String::new();
    tokio::time::timeout(Duration::from_secs(30), stdout.read_to_string(&mut said))
        .await
        .unwrap()
        .unwrap();
    let output = proxy.wait_with_output().await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("no-such-fault"),
        "the agent is told what the server said: {said}"
    );
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("the agent never had its tools") && stderr.contains("hint:"),
        "{stderr}"
    );
    assert!(
        bench
            .recording()
            .startup_error
            .unwrap()
            .contains("no-such-fault")
    );
}

#[tokio::test]
async fn what_was_typed_wrong_is_told_before_anything_runs() {
    let bench = Bench::new(Way::Command, &[]).await;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = listener.local_addr().unwrap().to_string();
    let unable = format!("cannot serve on {taken}");
    for (arguments, message) in [
        (&["--tools", "none"] as &[&str], "`none` is no set of tools"),
        (
            &["--tools", "no:submit_csv"],
            "`submit_csv` is the harness's own tool",
        ),
        (&["--timeout", "0"], "`0` is no time limit"),
        (&["--timeout", "NaN"], "`NaN` is no time limit"),
        (
            &["--work", "/no/such/folder"],
            "there is no folder /no/such/folder",
        ),
        (&["--http", &taken], &unable),
    ] {
        let output = bench
            .proxy(arguments)
            .stdin(Stdio::null())
            .output()
            .await
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
    }
}

#[tokio::test]
async fn a_folder_is_one_proxys_at_a_time() {
    let bench = Bench::new(Way::Command, &[]).await;
    let mut first = bench
        .proxy(&[])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = first.stdin.take().unwrap();
    let mut lines = BufReader::new(first.stdout.take().unwrap()).lines();
    stdin
        .write_all(format!("{HELLO}\n").as_bytes())
        .await
        .unwrap();
    lines.next_line().await.unwrap().unwrap();
    let before = std::fs::read(bench.out("recording.json")).unwrap();
    let second = bench
        .proxy(&[])
        .stdin(Stdio::null())
        .output()
        .await
        .unwrap();
    let stderr = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("another process is recording in") && stderr.contains("hint: "),
        "{stderr}"
    );
    assert_eq!(std::fs::read(bench.out("recording.json")).unwrap(), before);

    // One that comes while the first is about to end waits for that.
    let waiting = bench.proxy(&[]).stdin(Stdio::null()).output();
    drop(stdin);
    let (third, ended) = tokio::join!(waiting, first.wait());
    assert!(ended.unwrap().success() && third.unwrap().status.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_over_http_have_sessions_of_their_own_and_one_recording() {
    let bench = Bench::new(Way::Command, &[]).await;
    let command = bench.proxy(&["--http", "127.0.0.1:0"]);
    let arguments: Vec<String> = command
        .as_std()
        .get_args()
        .map(|word| word.to_str().unwrap().to_owned())
        .collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (address, mut proxy) = serving(&arguments, &[]).await;
    // Fails only where another test has set it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let open = || async {
        Client(
            ().serve(StreamableHttpClientTransport::from_uri(address.clone()))
                .await
                .unwrap(),
        )
    };
    let (first, second) = (open().await, open().await);
    for client in [&first, &second] {
        assert!(client.tools().await.contains(&"submit_csv".to_owned()));
        let result = client.call("list_graphs", &json!({})).await.unwrap();
        assert!(words(&result).contains("nde"), "{result:?}");
    }
    second
        .call("submit_csv", &json!({ "csv": "a\n1\n" }))
        .await
        .unwrap();
    first.leave().await;
    second.leave().await;

    // A page of another site must not reach it, and a session that is none has the status that says so.
    let client = reqwest::Client::new();
    let post = |header: &'static str, value: &'static str| {
        client
            .post(&address)
            .header(header, value)
            .body(SUBMIT)
            .send()
    };
    assert_eq!(
        post("origin", "https://example.org")
            .await
            .unwrap()
            .status(),
        403
    );
    assert_eq!(post("mcp-session-id", "x").await.unwrap().status(), 404);
    assert_eq!(post("accept", "*/*").await.unwrap().status(), 400);

    let pid = proxy.id().unwrap().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    let status = tokio::time::timeout(Duration::from_secs(10), proxy.wait())
        .await
        .unwrap()
        .unwrap();
    assert!(status.success());
    assert_eq!(bench.calls().len(), 3);
    assert_eq!(
        (bench.recording().calls, bench.recording().submissions),
        (3, 1)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_processes_at_once() {
    let bench = Bench::new(Way::Http, &[]).await;
    let out = tempfile::tempdir().unwrap();
    let mut clients = Vec::new();
    for place in 0..64 {
        let command = bench.proxy_to(&out.path().join(place.to_string()));
        clients.push(tokio::spawn(async move {
            let client = Client(
                ().serve(TokioChildProcess::new(command).unwrap())
                    .await
                    .unwrap(),
            );
            for _ in 0..3 {
                let result = client.call("list_graphs", &json!({})).await.unwrap();
                assert!(words(&result).contains("nde"), "{result:?}");
            }
            client
                .call("submit_csv", &json!({ "csv": "a\n" }))
                .await
                .unwrap();
            client.leave().await;
        }));
    }
    for client in clients {
        client.await.unwrap();
    }
    for place in 0..64 {
        let lines =
            std::fs::read_to_string(out.path().join(format!("{place}/calls.jsonl"))).unwrap();
        assert_eq!(lines.lines().count(), 4, "{place}");
    }
}
