//! The recording is there as things happen, and says what happened.

use serde_json::{Value, json};
use sweep::{AnsweredBy, Call};
use worker::profile::UpstreamChoice;

use crate::agent::{Desk, hello, text};
use crate::server::{Act, Server};

fn rate_limited(request: &Value) -> Act {
    Act::text(
        request,
        &json!({ "uri": "http://purl.obolibrary.org/obo/MONDO_0004995", "descendant_count": 0, "descendants": [],
                 "error": "Failed to fetch descendants: HTTP Error 429: Too Many Requests" })
        .to_string(),
    )
}

#[tokio::test]
async fn calls_are_recorded_as_they_happen() {
    let (url, _server) = Server::start(|request, _| Act::text(request, "fine")).await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    for n in 1..=3 {
        agent.call("look", json!({ "n": n })).await;
        assert_eq!(
            desk.calls().len(),
            n,
            "before the agent sees the reply, the record has it"
        );
    }
    agent.leave().await.unwrap();
    let array: Vec<Call> = serde_json::from_str(&desk.read("calls.json")).unwrap();
    assert_eq!(array, desk.calls());
    let first = &array[0];
    assert_eq!(
        (first.sequence, first.tool.as_str(), &first.arguments),
        (1, "look", &json!({ "n": 1 }))
    );
    assert_eq!(
        (first.is_error, first.answered_by, &first.error),
        (false, AnsweredBy::Upstream, &None)
    );
    assert!(first.reply_bytes > 10 && array[2].start_ms >= first.start_ms);
}

#[tokio::test]
async fn calls_at_the_same_time_are_numbered_as_they_began() {
    let (url, _server) = Server::start(|request, _| match request["params"]["name"].as_str() {
        Some("act") => Act::Open(vec![]),
        _ => Act::text(request, "fine"),
    })
    .await;
    let desk = Desk::at(&url).timeout(0.5);
    let (mut agent, _) = desk.open().await;
    let slow = agent.send("tools/call", json!({ "name": "act" })).await;
    agent.call("look", json!({})).await;
    agent.reply(slow).await;
    agent.leave().await.unwrap();
    let in_time: Vec<u32> = desk.calls().iter().map(|call| call.sequence).collect();
    assert_eq!(in_time, [2, 1]);
    let array: Vec<Call> = serde_json::from_str(&desk.read("calls.json")).unwrap();
    assert_eq!(
        array.iter().map(|call| call.sequence).collect::<Vec<_>>(),
        [1, 2]
    );
}

#[tokio::test]
async fn a_soft_error_is_recorded_and_shown_as_it_came() {
    let (url, _server) = Server::start(|request, _| rate_limited(request)).await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    let reply = agent.call("look", json!({})).await;
    assert_eq!(reply["result"].get("isError"), None);
    agent.leave().await.unwrap();
    let call = &desk.calls()[0];
    let soft = call.soft_error.as_ref().unwrap();
    assert_eq!((call.is_error, soft.kind.as_str()), (false, "error-member"));
    assert!(soft.message.contains("429") && !soft.rule.is_empty());
    assert_eq!(desk.recording().upstream_soft_errors, 1);
}

#[tokio::test]
async fn a_strict_proxy_calls_a_soft_error_an_error_and_changes_nothing_else() {
    let result = r#"{"content":[{"type":"text","text":"{\"ok\": true, \"data\": [], \"error\": \"x\"}"}],"isError":false,"n":1.0}"#;
    let (url, _server) = Server::start(move |request, _| {
        Act::Body(format!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#,
            request["id"]
        ))
    })
    .await;
    let mut desk = Desk::at(&url);
    desk.setup.strict_upstream_errors = true;
    let (mut agent, _) = desk.open().await;
    let id = agent.send("tools/call", json!({ "name": "look" })).await;
    let expected = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{}}}"#,
        result.replace("false", "true")
    );
    assert_eq!(agent.hear().await, expected);
    agent.leave().await.unwrap();
    let call = &desk.calls()[0];
    assert!(
        !call.is_error && call.soft_error.is_some(),
        "the record says what the server said"
    );
    assert!(desk.read("replies.jsonl").contains(r#""isError":false"#));
    assert!(desk.recording().strict_upstream_errors);
}

#[tokio::test]
async fn what_the_server_expanded_by_itself_is_recorded() {
    let (url, _server) = Server::start(|request, _| {
        Act::text(request, &json!({ "data": [], "ontology_expansion": { "expanded": true, "expanded_uris": { "http://e/GO_1": 71 } } }).to_string())
    })
    .await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    agent.call("look", json!({})).await;
    agent.leave().await.unwrap();
    let expansion = desk.calls()[0].expansion.clone().unwrap();
    assert_eq!(
        (expansion.term.as_str(), expansion.terms),
        ("http://e/GO_1", Some(71))
    );
}

#[tokio::test]
async fn an_agent_that_starts_its_tools_again_carries_the_recording_on() {
    let (url, _server) = Server::start(|request, _| Act::text(request, "fine")).await;
    let mut desk = Desk::at(&url);
    for _ in 0..2 {
        let (mut agent, _) = desk.open().await;
        agent.call("look", json!({})).await;
        agent.leave().await.unwrap();
    }
    let calls = desk.calls();
    assert_eq!((calls[0].sequence, calls[1].sequence), (1, 2));
    assert!(calls[1].start_ms >= calls[0].start_ms);
    let finished = desk.recording();
    assert_eq!((finished.calls, finished.server_changed), (2, false));
    assert!(finished.server.tool_list_hash.is_some());

    // One that is started and asked nothing leaves what was known of the server.
    desk.start().leave().await.unwrap();
    let left = desk.recording();
    assert_eq!(
        (left.server, left.protocol_version, left.server_tools),
        (
            finished.server.clone(),
            finished.protocol_version,
            finished.server_tools
        )
    );

    // Under another condition it would be another attempt's.
    desk.setup.tools = "no:act".parse().unwrap();
    let before = desk.read("recording.json");
    let refused = desk.start().leave().await.unwrap_err().to_string();
    assert!(
        refused.contains("another condition")
            && refused.contains("tools: all-tools there, no:act now"),
        "{refused}"
    );
    assert_eq!(desk.read("recording.json"), before);
}

#[tokio::test]
async fn a_line_that_was_cut_short_takes_no_other_with_it() {
    let (url, _server) = Server::start(|request, _| Act::text(request, "fine")).await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    agent.call("look", json!({})).await;
    agent.leave().await.unwrap();
    let lines = desk.setup.out.join("calls.jsonl");
    let torn = desk.read("calls.jsonl") + r#"{"sequence":2,"tool":"lo"#;
    std::fs::write(&lines, torn).unwrap();
    let (mut agent, _) = desk.open().await;
    agent.call("look", json!({})).await;
    agent.leave().await.unwrap();
    let array: Vec<Call> = serde_json::from_str(&desk.read("calls.json")).unwrap();
    let sequence: Vec<u32> = array.iter().map(|call| call.sequence).collect();
    assert_eq!(sequence, [1, 2]);
}

#[tokio::test]
async fn another_server_behind_a_recording_that_is_carried_on_is_noted() {
    let (url, _server) = Server::start(|request, _| Act::text(request, "fine")).await;
    let mut desk = Desk::at(&url);
    let (agent, _) = desk.open().await;
    agent.leave().await.unwrap();
    let tools = json!([{ "name": "look", "inputSchema": {} }]);
    let (other, _server) = Server::with_tools(tools, |request, _| Act::text(request, "")).await;
    desk.setup.profile.upstream = UpstreamChoice::Url {
        url: other,
        headers: Vec::new(),
    };
    let (agent, _) = desk.open().await;
    let recording = agent.leave().await.unwrap();
    assert!(recording.server_changed);
    assert_eq!(recording.server_tools, ["look"]);

    // A third that does not answer is the loss of the tools that the agent has had.
    desk.setup.profile.upstream = UpstreamChoice::Url {
        url: "http://127.0.0.1:9/mcp".into(),
        headers: Vec::new(),
    };
    desk.start().ask("initialize", hello()).await;
    let recording = desk.recording();
    assert_eq!(recording.startup_error, None);
    let loss = recording.lost_upstream.unwrap();
    assert!(loss.reason.contains("Connection refused"), "{loss:?}");
}

#[tokio::test]
async fn a_start_that_failed_and_then_did_not_is_no_failure_of_the_attempt() {
    let (url, server) = Server::start(|request, _| Act::text(request, "fine")).await;
    let desk = Desk::at(&url);
    server.shut();
    desk.start().ask("initialize", hello()).await;
    assert!(desk.recording().startup_error.is_some());
    server.open();
    let (agent, _) = desk.open().await;
    let recording = agent.leave().await.unwrap();
    assert_eq!(
        (recording.startup_error, recording.lost_upstream),
        (None, None)
    );
}

#[tokio::test]
async fn a_proxy_that_is_told_to_end_records_what_is_under_way() {
    let (url, server) = Server::start(|_, _| Act::Hang).await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    agent
        .send(
            "tools/call",
            json!({ "name": "act", "arguments": { "csv": "\u{1}" } }),
        )
        .await;
    while server.calls("act") == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    agent.stop.stop();
    let mut end = String::new();
    assert_eq!(
        tokio::io::AsyncBufReadExt::read_line(&mut agent.lines, &mut end)
            .await
            .unwrap(),
        0
    );
    let recording = agent.leave().await.unwrap();
    assert!(recording.ended.is_some());
    assert_eq!(desk.calls()[0].answered_by, AnsweredBy::Cancelled);
}

#[tokio::test]
async fn arguments_that_are_no_unicode_are_recorded_as_the_text_they_are() {
    let (url, _server) = Server::start(|request, _| Act::text(request, "fine")).await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    agent.say(r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"submit_csv","arguments":{"csv":"\ud800"}}}"#).await;
    let reply = agent.reply(7).await;
    assert!(text(&reply).contains("Nothing was submitted"), "{reply}");
    agent.leave().await.unwrap();
    assert_eq!(desk.calls()[0].arguments, json!(r#"{"csv":"\ud800"}"#));
}
