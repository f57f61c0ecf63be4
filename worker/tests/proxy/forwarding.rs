//! What passes through passes through as it came.

use serde_json::{Value, json};

use crate::agent::{Desk, hello, text};
use crate::server::{Act, Server};

#[tokio::test]
async fn a_result_is_forwarded_byte_for_byte() {
    // Unknown members, members in an order of their own, numbers whose form a parser would change, escapes.
    let result = r#"{"structuredContent":{"z":1.0,"a":1e2,"big":123456789012345678901234567890,"u":"\u00e4\/"},"zz":{"unknown":[ ]},"content":[{"type":"text","text":"one","annotations":{"priority":0.50}},{"type":"unheard-of","x":-0.0}],"isError":true,"_meta":{"b":1,"a":2}}"#;
    for stream in [false, true] {
        let (url, _server) = Server::start(move |request, _| {
            let body = format!(
                r#"{{"result":{result},"id":{},"jsonrpc":"2.0","extra":7}}"#,
                request["id"]
            );
            if stream {
                Act::Stream(vec![body])
            } else {
                Act::Body(body)
            }
        })
        .await;
        let desk = Desk::at(&url);
        let (mut agent, _) = desk.open().await;
        agent.say(r#"{"jsonrpc":"2.0","id":"call-1","method":"tools/call","params":{"name":"act","arguments":{}}}"#).await;
        let expected = format!(r#"{{"result":{result},"id":"call-1","jsonrpc":"2.0","extra":7}}"#);
        assert_eq!(agent.hear().await, expected);
        agent.leave().await.unwrap();
        assert!(desk.calls()[0].is_error);
        assert_eq!(desk.calls()[0].error.as_deref(), Some("one"));
        assert!(desk.read("replies.jsonl").contains(result));
    }
}

#[tokio::test]
async fn a_request_is_forwarded_byte_for_byte() {
    let line = r#"{"params":{"_meta":{"progressToken":"p","x":1.0},"arguments":{"b":1e2,"a":"\u00e4"},"name":"act"},"method":"tools/call","id":9,"jsonrpc":"2.0"}"#;
    let (url, _server) = Server::start(|request, _| Act::text(request, &request.to_string())).await;
    let (mut agent, _) = Desk::at(&url).open().await;
    agent.say(line).await;
    let reply = agent.reply(9).await;
    let seen: Value = serde_json::from_str(text(&reply)).unwrap();
    assert_eq!(seen, serde_json::from_str::<Value>(line).unwrap());
}

#[tokio::test]
async fn the_agent_sees_the_server_as_it_is() {
    let (url, server) = Server::start(|request, _| Act::text(request, "")).await;
    let desk = Desk::at(&url);
    let (mut agent, answer) = desk.open().await;
    let result = &answer["result"];
    assert_eq!(
        result["serverInfo"],
        json!({ "name": "scripted", "version": "3.1" })
    );
    assert_eq!(
        result["capabilities"],
        json!({ "tools": {}, "prompts": {} })
    );
    assert_eq!(result["instructions"], "Look before you act.");
    assert_eq!(agent.tools().await, ["look", "act", "submit_csv"]);
    agent.leave().await.unwrap();
    // The server was greeted once, in the agent's own words, and saw the profile's headers.
    assert_eq!(server.seen()[0]["params"], hello());
    assert_eq!(
        (
            server.count("initialize"),
            server.count("notifications/initialized")
        ),
        (1, 1)
    );
    assert_eq!(server.keys().into_iter().collect::<Vec<_>>(), ["secret"]);
    let recording = desk.recording();
    assert_eq!(
        (
            recording.server.name.as_str(),
            recording.server.version.as_str()
        ),
        ("scripted", "3.1")
    );
    assert_eq!(recording.server.build.as_deref(), Some("build-7"));
    assert_eq!(
        recording.server.tool_list_hash.map(|hash| hash.len()),
        Some(64)
    );
    assert!(recording.ended.is_some());
    assert!(!desk.read("recording.json").contains("secret"));
}

#[tokio::test]
async fn pages_pass_through_and_the_own_tool_is_on_the_first_one_alone() {
    let (url, _server) = Server::with_tools(Value::Null, |request, _| {
        let page = match request["params"]["cursor"].as_str() {
            None => json!({ "tools": [{ "name": "a", "inputSchema": {} }], "nextCursor": "2" }),
            Some("2") => {
                json!({ "tools": [{ "name": "b", "inputSchema": {} }], "nextCursor": "3" })
            }
            Some("3") => json!({ "tools": [{ "name": "c", "inputSchema": {} }] }),
            Some(other) => panic!("a cursor that was never given: {other}"),
        };
        Act::result(request, &page)
    })
    .await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    let names = |page: &Value| -> Vec<String> {
        page["result"]["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let first = agent.ask("tools/list", json!({})).await;
    assert_eq!(
        (names(&first), &first["result"]["nextCursor"]),
        (vec!["a".into(), "submit_csv".into()], &json!("2"))
    );
    let second = agent.ask("tools/list", json!({ "cursor": "2" })).await;
    assert_eq!(names(&second), ["b"]);
    let third = agent.ask("tools/list", json!({ "cursor": "3" })).await;
    assert_eq!(names(&third), ["c"]);
    agent.leave().await.unwrap();
    assert_eq!(desk.recording().server_tools, ["a", "b", "c"]);
}

#[tokio::test]
async fn resources_prompts_and_whatever_is_invented_later_pass_through() {
    let (url, _server) =
        Server::start(|request, _| Act::result(request, &json!({ "echo": request["method"] })))
            .await;
    let (mut agent, _) = Desk::at(&url).open().await;
    for method in [
        "resources/list",
        "resources/read",
        "prompts/get",
        "completion/complete",
        "logging/setLevel",
        "tasks/get",
        "x/new",
    ] {
        assert_eq!(
            agent.ask(method, json!({ "a": 1 })).await["result"]["echo"],
            method
        );
    }
    // Whether the proxy is there is not the server's to say.
    assert_eq!(agent.ask("ping", json!({})).await["result"], json!({}));
}

#[tokio::test]
async fn progress_comes_before_the_result_and_the_servers_own_requests_get_their_answers() {
    let (url, server) = Server::start(|request, _| {
        Act::Stream(vec![
            json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progressToken": "p", "progress": 1.50 } }).to_string(),
            json!({ "jsonrpc": "2.0", "id": "s-1", "method": "roots/list" }).to_string(),
            json!({ "jsonrpc": "2.0", "id": request["id"], "result": { "content": [{ "type": "text", "text": "done" }] } }).to_string(),
        ])
    })
    .await;
    let (mut agent, _) = Desk::at(&url).open().await;
    let id = agent
        .send(
            "tools/call",
            json!({ "name": "act", "_meta": { "progressToken": "p" } }),
        )
        .await;
    let progress: Value = serde_json::from_str(&agent.hear().await).unwrap();
    assert_eq!(progress["params"]["progress"], 1.5);
    let request: Value = serde_json::from_str(&agent.hear().await).unwrap();
    assert_eq!(
        (&request["method"], &request["id"]),
        (&json!("roots/list"), &json!("s-1"))
    );
    assert_eq!(text(&agent.reply(id).await), "done");
    agent
        .say(r#"{"jsonrpc":"2.0","id":"s-1","result":{"roots":[]}}"#)
        .await;
    agent.leave().await.unwrap();
    let seen = server.seen();
    assert!(
        seen.iter()
            .any(|message| message["id"] == "s-1" && message["result"]["roots"] == json!([])),
        "{seen:?}"
    );
}

#[tokio::test]
async fn an_error_of_the_protocol_is_forwarded_and_recorded() {
    let (url, _server) = Server::start(|request, _| {
        Act::Body(json!({ "jsonrpc": "2.0", "id": request["id"], "error": { "code": -32602, "message": "no such tool", "data": 1 } }).to_string())
    })
    .await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    let reply = agent.call("nothing", json!({})).await;
    assert_eq!(
        reply["error"],
        json!({ "code": -32602, "message": "no such tool", "data": 1 })
    );
    agent.leave().await.unwrap();
    let call = &desk.calls()[0];
    assert_eq!(
        (call.is_error, call.error.as_deref()),
        (true, Some("no such tool"))
    );
}

#[tokio::test]
async fn what_is_no_message_is_told_to_the_agent_and_nothing_stops() {
    let (url, _server) = Server::start(|request, _| Act::text(request, "fine")).await;
    let mut agent = Desk::at(&url).start();
    let early = agent.ask("tools/list", json!({})).await;
    assert_eq!(early["error"]["code"], -32600);
    assert_eq!(
        agent.ask("server/discover", json!({})).await["error"]["code"],
        -32601
    );
    agent.say("{ not JSON").await;
    let complaint: Value = serde_json::from_str(&agent.hear().await).unwrap();
    assert_eq!(complaint["error"]["code"], -32700);
    agent.say("\u{feff}").await;
    agent.ask("initialize", hello()).await;
    assert_eq!(
        agent.ask("initialize", hello()).await["error"]["code"],
        -32600
    );
    assert_eq!(text(&agent.call("act", json!({})).await), "fine");
}
