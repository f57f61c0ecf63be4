//! Sessions that never begin: the agent is told why, and the recording says so.

use serde_json::{Value, json};
use worker::mcp::proxy::ProxyError;

use crate::agent::{Desk, hello, text};
use crate::server::{Act, Server};

async fn fails(desk: &Desk, words: &str) {
    let mut agent = desk.start();
    let answer = agent.ask("initialize", hello()).await;
    let told = answer["error"]["message"]
        .as_str()
        .unwrap_or_else(|| panic!("{answer}"));
    assert!(told.contains(words), "{told}");
    let error = agent.leave().await.unwrap_err();
    assert!(
        matches!(&error, ProxyError::Startup { reason } if reason == told),
        "{error}"
    );
    let recording = desk.recording();
    assert_eq!(recording.startup_error.as_deref(), Some(told));
    assert!(recording.lost_upstream.is_none() && recording.ended.is_some());
    assert_eq!(desk.read("calls.json").trim(), "[]");
}

#[tokio::test]
async fn a_server_that_has_a_tool_of_the_own_ones_name_is_refused() {
    let (url, _server) = Server::with_tools(
        json!([{ "name": "submit_csv", "inputSchema": {} }]),
        |request, _| Act::text(request, ""),
    )
    .await;
    fails(&Desk::at(&url), "has a tool `submit_csv` of its own").await;
}

#[tokio::test]
async fn a_set_of_tools_with_a_name_that_the_server_does_not_have_is_refused() {
    let (url, _server) = Server::start(|request, _| Act::text(request, "")).await;
    for tools in ["only:look,query", "no:query", "no:act,query"] {
        let desk = Desk::at(&url).tools(tools);
        fails(&desk, "no tool query; it has look, act").await;
    }
    let bare = r#"read line; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{}}}'; sleep 5"#;
    let desk = Desk::command(&["sh", "-c", bare]).tools("no:query");
    fails(&desk, "no tool query; it has none").await;
}

#[tokio::test]
async fn a_tool_of_a_later_page_is_one_that_the_server_has() {
    let (url, _server) = Server::with_tools(Value::Null, |request, _| {
        let page = request["params"]["cursor"].as_str().map_or(1, |_| 2);
        let mut result = json!({ "tools": [{ "name": format!("tool{page}"), "inputSchema": {} }] });
        if page == 1 {
            result["nextCursor"] = json!("2");
        }
        Act::result(request, &result)
    })
    .await;
    let desk = Desk::at(&url).tools("no:tool2");
    let (mut agent, _) = desk.open().await;
    assert_eq!(agent.tools().await, ["tool1", "submit_csv"]);
    agent.leave().await.unwrap();
    fails(&Desk::at(&url).tools("no:tool3"), "it has tool1, tool2").await;
}

#[tokio::test]
async fn a_server_that_is_not_there() {
    fails(&Desk::at("http://127.0.0.1:9/mcp"), "Connection refused").await;
    fails(
        &Desk::command(&["/no/such/program"]),
        "cannot start `/no/such/program`",
    )
    .await;
    fails(
        &Desk::command(&["sh", "-c", "echo no snapshot here >&2; exit 3"]),
        "exit status: 3); it said: no snapshot here",
    )
    .await;
    fails(
        &Desk::command(&["sleep", "100"]).timeout(0.3),
        "no answer to initialize within 0.3 s",
    )
    .await;
}

#[tokio::test]
async fn what_is_secret_in_an_address_is_told_to_nobody() {
    let desk = Desk::at("http://127.0.0.1:9/mcp?token=hunter2");
    fails(&desk, "Connection refused").await;
    assert_eq!(
        desk.recording().upstream,
        "http://127.0.0.1:9/mcp?token=***"
    );
    let mut agent = desk.start();
    let told = agent.ask("initialize", hello()).await.to_string();
    let error = agent.leave().await.unwrap_err();
    for said in [told, error.to_string(), desk.read("recording.json")] {
        assert!(!said.contains("hunter2"), "{said}");
    }
}

#[tokio::test]
async fn a_server_that_refuses() {
    let (url, server) = Server::start(|request, _| Act::text(request, "")).await;
    server.shut();
    fails(
        &Desk::at(&url),
        "HTTP 503 Service Unavailable: the server is closed",
    )
    .await;
    let wrong = url.replace("http", "ftp");
    fails(&Desk::at(&wrong), "URL scheme is not allowed").await;
    let refusal = r#"read line; echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unsupported version"}}'; sleep 5"#;
    fails(
        &Desk::command(&["sh", "-c", refusal]),
        "unsupported version",
    )
    .await;
}

#[tokio::test]
async fn a_list_of_tools_that_fails_or_never_ends() {
    let (url, _server) = Server::with_tools(Value::Null, |request, _| {
        Act::result(request, &json!({ "tools": [], "nextCursor": "again" }))
    })
    .await;
    fails(&Desk::at(&url), "has no end").await;
    let (url, _server) = Server::with_tools(Value::Null, |_, _| Act::Hang).await;
    fails(
        &Desk::at(&url).timeout(0.5),
        "does not list its tools: no answer within 0.5 s",
    )
    .await;
    let (url, _server) = Server::with_tools(Value::Null, |request, _| {
        Act::result(request, &json!({ "tools": 3 }))
    })
    .await;
    fails(&Desk::at(&url), "cannot be read").await;
}

#[tokio::test]
async fn a_server_without_tools_leaves_the_own_one() {
    let program = r#"read line; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"prompts":{}},"serverInfo":{"name":"bare","version":"0"}}}'; while read line; do case "$line" in *tools/list*) echo '{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"method not found"}}';; esac; done"#;
    let desk = Desk::command(&["sh", "-c", program]);
    let (mut agent, answer) = desk.open().await;
    assert_eq!(
        answer["result"]["capabilities"],
        json!({ "tools": {}, "prompts": {} })
    );
    assert_eq!(agent.tools().await, ["submit_csv"]);
    assert!(text(&agent.call("submit_csv", json!({ "csv": "a\n" })).await).contains("0 rows"));
    agent.leave().await.unwrap();
}
