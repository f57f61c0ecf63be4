//! Time and size.

use std::time::{Duration, Instant};

use serde_json::json;
use sweep::AnsweredBy;

use crate::agent::{Desk, text};
use crate::server::{Act, Server, shell};

#[tokio::test]
async fn a_call_that_is_never_answered_ends_and_the_next_one_is_served() {
    let (url, server) =
        Server::start(
            |request, _| match request["params"]["arguments"]["how"].as_str() {
                Some("hang") => Act::Hang,
                Some("silent stream") => Act::Open(vec![]),
                _ => Act::text(request, "quick"),
            },
        )
        .await;
    let desk = Desk::at(&url).timeout(0.3);
    let (mut agent, _) = desk.open().await;
    for how in ["hang", "silent stream"] {
        let started = Instant::now();
        let reply = agent.call("look", json!({ "how": how })).await;
        assert!(text(&reply).contains("timed out after 0.3 s"), "{reply}");
        assert_eq!(reply["result"]["isError"], true);
        assert!(started.elapsed() < Duration::from_secs(3), "{how}");
        assert_eq!(text(&agent.call("look", json!({})).await), "quick");
    }
    let listed = agent
        .ask("resources/list", json!({ "arguments": { "how": "hang" } }))
        .await;
    assert_eq!(
        listed["error"]["message"],
        "The server did not answer: timed out after 0.3 s."
    );
    agent.leave().await.unwrap();
    let cancelled: Vec<_> = server
        .seen()
        .into_iter()
        .filter(|message| message["method"] == "notifications/cancelled")
        .collect();
    assert_eq!(cancelled.len(), 3, "{cancelled:?}");
    assert_eq!(cancelled[0]["params"]["reason"], "timed out after 0.3 s");
    let calls = desk.calls();
    assert_eq!(calls[0].answered_by, AnsweredBy::TimedOut);
    assert!(calls[0].is_error && calls[0].duration_ms >= 300);
    assert_eq!(
        (desk.recording().timeouts, desk.recording().lost_upstream),
        (2, None)
    );
}

#[tokio::test]
async fn a_call_that_is_taken_back_gets_no_answer_and_the_server_is_told() {
    let (url, server) = Server::start(|request, _| match request["params"]["name"].as_str() {
        Some("act") => Act::Hang,
        _ => Act::text(request, "quick"),
    })
    .await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    let id = agent.send("tools/call", json!({ "name": "act" })).await;
    agent
        .notify(
            "notifications/cancelled",
            json!({ "requestId": id, "reason": "changed my mind" }),
        )
        .await;
    assert_eq!(text(&agent.call("look", json!({})).await), "quick");
    agent.leave().await.unwrap();
    assert!(
        server
            .seen()
            .iter()
            .any(|message| message["params"]["reason"] == "changed my mind"
                && message["params"]["requestId"] == id)
    );
    assert_eq!(desk.calls()[0].answered_by, AnsweredBy::Cancelled);
}

#[tokio::test]
async fn large_replies_and_large_arguments_are_neither_cut_nor_stuck() {
    let reply = "x".repeat(5 << 20);
    let expected = reply.clone();
    let (url, _server) = Server::start(move |request, _| match request["params"]["arguments"]["csv"].as_str() {
        Some(csv) => Act::text(request, &format!("{} bytes", csv.len())),
        None if request["params"]["name"] == "look" => Act::text(request, &reply),
        None => Act::Stream(vec![
            json!({ "jsonrpc": "2.0", "id": request["id"], "result": { "content": [{ "type": "text", "text": reply }] } }).to_string(),
        ]),
    })
    .await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    for tool in ["look", "act"] {
        assert!(
            text(&agent.call(tool, json!({})).await) == expected,
            "{tool}"
        );
    }
    let arguments = json!({ "csv": "y".repeat(200_000) });
    assert_eq!(text(&agent.call("act", arguments).await), "200000 bytes");
    // Written in one go by an agent that reads only afterwards.
    let ids = [
        agent.send("tools/call", json!({ "name": "look" })).await,
        agent.send("tools/call", json!({ "name": "look" })).await,
    ];
    for id in ids {
        assert!(text(&agent.reply(id).await) == expected);
    }
    agent.leave().await.unwrap();
    assert!(desk.calls()[0].reply_bytes > 5 << 20);
    assert!(desk.read("replies.jsonl").len() > 20 << 20);
}

#[tokio::test]
async fn a_command_that_talks_on_its_standard_error_is_not_stopped_by_it() {
    // A megabyte of talk for each line, and a line that is no message.
    let noisy = shell(
        "head -c 1000000 /dev/zero | tr '\\0' z >&2; echo this is no message",
        r#"text=$(printf '%s' "$line" | sed -E 's/.*"text":"([^"]*)".*/\1/')"#,
    );
    let desk = Desk::command(&["sh", "-c", &noisy]);
    let (mut agent, _) = desk.open().await;
    let long = "w".repeat(200_000);
    for _ in 0..5 {
        assert!(text(&agent.call("act", json!({ "text": long })).await) == long);
    }
    agent.leave().await.unwrap();
    assert!(desk.read("upstream.log").len() >= 7_000_000);
}

#[tokio::test]
async fn a_thousand_calls_keep_their_order() {
    let (url, _server) = Server::start(|request, _| {
        Act::text(request, &request["params"]["arguments"]["n"].to_string())
    })
    .await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    for n in 0..1000 {
        assert_eq!(
            text(&agent.call("act", json!({ "n": n })).await),
            n.to_string()
        );
    }
    agent.leave().await.unwrap();
    let calls = desk.calls();
    assert_eq!(calls.len(), 1000);
    assert!(
        calls
            .iter()
            .enumerate()
            .all(|(n, call)| call.sequence as usize == n + 1 && call.arguments["n"] == n)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_proxies_at_once_do_not_get_in_each_others_way() {
    let (url, _server) = Server::start(|request, _| {
        Act::text(request, &request["params"]["arguments"]["n"].to_string())
    })
    .await;
    let agents: Vec<_> = (0..64)
        .map(|proxy| {
            let url = url.clone();
            tokio::spawn(async move {
                let desk = Desk::at(&url);
                let (mut agent, _) = desk.open().await;
                for n in 0..10 {
                    let n = proxy * 100 + n;
                    assert_eq!(
                        text(&agent.call("act", json!({ "n": n })).await),
                        n.to_string()
                    );
                }
                agent.leave().await.unwrap().calls
            })
        })
        .collect();
    for agent in agents {
        assert_eq!(agent.await.unwrap(), 10);
    }
}
