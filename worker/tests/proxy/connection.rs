//! A connection that goes wrong and can be mended: one request is never carried out twice.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use sweep::AnsweredBy;

use crate::agent::{Desk, text};
use crate::server::{Act, Server};

#[tokio::test]
async fn a_server_that_forgot_the_session_is_greeted_again_and_asked_again() {
    let (url, server) = Server::start(|request, _| Act::text(request, "fine")).await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    for _ in 0..3 {
        agent.call("act", json!({})).await;
    }
    server.forget();
    // The request was refused, so that even one that changes something can be repeated.
    assert_eq!(text(&agent.call("act", json!({})).await), "fine");
    assert_eq!(text(&agent.call("act", json!({})).await), "fine");
    agent.leave().await.unwrap();
    assert_eq!(
        (
            server.count("initialize"),
            server.count("notifications/initialized")
        ),
        (2, 2)
    );
    let resets: Vec<bool> = desk.calls().iter().map(|call| call.session_reset).collect();
    assert_eq!(resets, [false, false, false, true, false]);
    let recording = desk.recording();
    assert_eq!(
        (
            recording.session_resets,
            recording.server_changed,
            recording.lost_upstream
        ),
        (1, false, None)
    );
}

#[tokio::test]
async fn every_call_that_is_under_way_while_the_session_is_opened_again_ends() {
    // The two calls hang in the old session; the third one finds the session gone.
    let (url, server) = Server::start(|request, server| {
        if server.count("initialize") == 1 && request["params"]["arguments"]["slow"] == true {
            Act::Hang
        } else {
            Act::text(request, "fine")
        }
    })
    .await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    agent.call("look", json!({})).await;
    let reading = agent
        .send(
            "tools/call",
            json!({ "name": "look", "arguments": { "slow": true } }),
        )
        .await;
    let writing = agent
        .send(
            "tools/call",
            json!({ "name": "act", "arguments": { "slow": true } }),
        )
        .await;
    while server.calls("act") == 0 || server.calls("look") < 2 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    server.forget();
    let third = agent
        .send("tools/call", json!({ "name": "act", "arguments": {} }))
        .await;
    let mut replies = std::collections::HashMap::new();
    for _ in 0..3 {
        let reply: serde_json::Value = serde_json::from_str(&agent.hear().await).unwrap();
        replies.insert(reply["id"].as_u64().unwrap(), reply);
    }
    assert_eq!(text(&replies[&third]), "fine");
    assert_eq!(
        text(&replies[&reading]),
        "fine",
        "what changes nothing is asked again"
    );
    assert!(
        text(&replies[&writing]).contains("may or may not have carried it out"),
        "{}",
        replies[&writing]
    );
    agent.leave().await.unwrap();
    assert_eq!(server.count("initialize"), 2);
    assert_eq!(
        server.calls("act"),
        3,
        "one in the old session, one refused, one repeated"
    );
    assert_eq!(
        desk.calls()
            .iter()
            .filter(|call| call.session_reset)
            .count(),
        3
    );
}

#[tokio::test]
async fn two_calls_that_are_refused_together_are_both_repeated() {
    let (url, server) = Server::start(|request, _| Act::text(request, "fine")).await;
    let (mut agent, _) = Desk::at(&url).open().await;
    agent.call("look", json!({})).await;
    server.forget();
    let ids = [
        agent
            .send("tools/call", json!({ "name": "act", "arguments": {} }))
            .await,
        agent
            .send("tools/call", json!({ "name": "act", "arguments": {} }))
            .await,
    ];
    for _ in ids {
        let reply: serde_json::Value = serde_json::from_str(&agent.hear().await).unwrap();
        assert_eq!(text(&reply), "fine");
    }
    assert_eq!(server.count("initialize"), 2);
}

#[tokio::test]
async fn a_reply_that_breaks_off_is_asked_for_again_only_if_that_does_no_harm() {
    let broken = [
        (
            "cut",
            Act::Cut(r#"{"jsonrpc":"2.0","id":2,"result":{"con"#.into()),
        ),
        (
            "half of the JSON",
            Act::Body(r#"{"jsonrpc":"2.0","id":2,"result":{"con"#.into()),
        ),
        ("a stream without the reply", Act::Stream(vec![])),
        ("nothing", Act::Body(String::new())),
        (
            "half of an event",
            Act::Stream(vec![r#"{"jsonrpc":"2.0","id":2,"res"#.into()]),
        ),
    ];
    for (name, act) in broken {
        let times = AtomicUsize::new(0);
        let (url, server) = Server::start(move |request, _| {
            if times.fetch_add(1, Ordering::SeqCst).is_multiple_of(2) {
                act.clone()
            } else {
                Act::text(request, "fine")
            }
        })
        .await;
        let desk = Desk::at(&url);
        let (mut agent, _) = desk.open().await;
        assert_eq!(text(&agent.call("look", json!({})).await), "fine", "{name}");
        assert_eq!(server.calls("look"), 2, "{name}");
        let reply = agent.call("act", json!({})).await;
        assert!(
            text(&reply).contains("may or may not have carried the call out"),
            "{name}: {reply}"
        );
        assert_eq!(server.calls("act"), 1, "{name}");
        agent.leave().await.unwrap();
        assert_eq!(desk.calls()[1].answered_by, AnsweredBy::Broken, "{name}");
        assert_eq!(desk.recording().lost_upstream, None, "{name}");
    }
}

#[tokio::test]
async fn a_stream_that_ends_early_is_taken_up_again_where_the_server_offers_that() {
    // Taking it up again is a GET, which this server does not have; what it says of the stream decides.
    let (url, server) = Server::start(|_, _| {
        Act::Status(
            200,
            vec![("content-type", "text/event-stream".into())],
            "id: 7\nretry: 1\ndata:\n\n".into(),
        )
    })
    .await;
    let (mut agent, _) = Desk::at(&url).open().await;
    let reply = agent.call("act", json!({})).await;
    assert!(
        text(&reply).contains("the server ended the stream before the reply"),
        "{reply}"
    );
    assert_eq!(server.calls("act"), 1);
}

#[tokio::test]
async fn an_event_that_the_end_of_its_stream_cuts_is_no_reply_however_whole_it_looks() {
    // A client that is connected directly drops it, as the standard says; the agent is told that something was cut.
    let (url, server) = Server::start(|request, _| {
        let whole = json!({ "jsonrpc": "2.0", "id": request["id"], "result": { "content": [] } });
        Act::Status(
            200,
            vec![("content-type", "text/event-stream".into())],
            format!("event: message\ndata: {whole}\n"),
        )
    })
    .await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    let reply = agent.call("act", json!({})).await;
    assert!(
        text(&reply).contains("ended the stream in the middle of an event"),
        "{reply}"
    );
    assert_eq!(server.calls("act"), 1);
    agent.leave().await.unwrap();
    assert_eq!(desk.calls()[0].answered_by, AnsweredBy::Broken);
}

#[tokio::test]
async fn a_refusal_that_names_a_time_is_waited_for() {
    let times = AtomicUsize::new(0);
    let (url, server) =
        Server::start(
            move |request, _| match times.fetch_add(1, Ordering::SeqCst) {
                0 => Act::Status(429, vec![("retry-after", "0".into())], "slow down".into()),
                1 => Act::Status(503, vec![("retry-after", "1".into())], String::new()),
                _ => Act::text(request, "fine"),
            },
        )
        .await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    assert_eq!(text(&agent.call("act", json!({})).await), "fine");
    assert_eq!(server.calls("act"), 3);
    agent.leave().await.unwrap();
    assert!(desk.calls()[0].duration_ms >= 1000);
}

#[tokio::test]
async fn a_refusal_is_told_in_the_servers_words() {
    let (url, _server) = Server::start(|request, _| match request["params"]["name"].as_str() {
        Some("look") => Act::Status(500, vec![], "the index is on fire".into()),
        Some("act") => Act::Status(422, vec![], r#"{"jsonrpc":"2.0","id":"server-error","error":{"code":-1,"message":"undefined prefix at line 1"}}"#.into()),
        _ => Act::text(request, "fine"),
    })
    .await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    let reply = agent.call("look", json!({})).await;
    assert!(
        text(&reply).contains("HTTP 500") && text(&reply).contains("the index is on fire"),
        "{reply}"
    );
    let reply = agent.call("act", json!({})).await;
    assert_eq!(reply["error"]["message"], "undefined prefix at line 1");
    agent.leave().await.unwrap();
    let errors: Vec<_> = desk
        .calls()
        .into_iter()
        .map(|call| call.error.unwrap())
        .collect();
    assert!(
        errors[0].contains("the index is on fire") && errors[1].contains("undefined prefix"),
        "{errors:?}"
    );
}
