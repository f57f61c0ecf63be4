//! A connection that is lost for good: the agent is told so, and the proxy goes on.

use std::time::{Duration, Instant};

use serde_json::json;
use sweep::AnsweredBy;

use crate::agent::{Agent, Desk, hello, text};
use crate::server::{Act, Server, shell};

/// What holds from the loss on.
async fn is_lost(agent: &mut Agent, desk: &Desk, reason: &str) {
    for _ in 0..3 {
        let started = Instant::now();
        let reply = agent.call("look", json!({})).await;
        let told = text(&reply);
        assert!(
            told.contains("will not come back")
                && told.contains("pointless")
                && told.contains("submit_csv still works"),
            "{told}"
        );
        assert!(told.contains(reason), "{told}");
        assert_eq!(reply["result"]["isError"], true);
        assert!(
            started.elapsed() < Duration::from_secs(1),
            "later calls are answered at once"
        );
    }
    assert!(
        agent.ask("prompts/list", json!({})).await["error"]["message"]
            .as_str()
            .unwrap()
            .contains("pointless")
    );
    assert_eq!(agent.tools().await, ["look", "act", "submit_csv"]);
    assert_eq!(agent.ask("ping", json!({})).await["result"], json!({}));
    let reply = agent.call("submit_csv", json!({ "csv": "a\n1\n" })).await;
    assert!(text(&reply).contains("1 row of 1 column"), "{reply}");
    assert_eq!(desk.read("answer.csv"), "a\n1\n");
    let recording = desk.recording();
    let loss = recording.lost_upstream.unwrap();
    assert!(loss.reason.contains(reason), "{loss:?}");
    assert_eq!((recording.startup_error, recording.ended), (None, None));
}

#[tokio::test]
async fn a_session_that_cannot_be_opened_again_is_lost() {
    let (url, server) = Server::start(|request, _| {
        if request["params"]["arguments"]["slow"] == true {
            Act::Hang
        } else {
            Act::text(request, "fine")
        }
    })
    .await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    agent.call("look", json!({})).await;
    let slow = agent
        .send(
            "tools/call",
            json!({ "name": "look", "arguments": { "slow": true } }),
        )
        .await;
    while server.calls("look") < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    server.shut();
    let next = agent
        .send("tools/call", json!({ "name": "act", "arguments": {} }))
        .await;
    for _ in [slow, next] {
        let reply: serde_json::Value = serde_json::from_str(&agent.hear().await).unwrap();
        assert!(text(&reply).contains("will not come back"), "{reply}");
    }
    is_lost(&mut agent, &desk, "the server is closed").await;
    let recording = agent.leave().await.unwrap();
    assert_eq!((recording.calls_after_loss, recording.submissions), (3, 1));
    let by: Vec<AnsweredBy> = desk.calls().iter().map(|call| call.answered_by).collect();
    assert_eq!(by[1..3], [AnsweredBy::Broken, AnsweredBy::Broken]);
    assert_eq!(by[3..6], [AnsweredBy::Lost; 3]);
    assert_eq!(by[6], AnsweredBy::Harness);
}

#[tokio::test]
async fn a_session_that_is_forgotten_at_once_again_is_lost() {
    let (url, server) = Server::start(|request, server| {
        server.forget();
        Act::text(request, "fine")
    })
    .await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    // Each call is answered once, in a session of its own: that can go on.
    for _ in 0..3 {
        assert_eq!(text(&agent.call("act", json!({})).await), "fine");
    }
    assert_eq!(server.count("initialize"), 3);

    let (url, server) =
        Server::start(
            |request, _| match request["params"]["arguments"]["bad"].as_bool() {
                Some(true) => Act::Status(404, vec![], "Session not found".into()),
                _ => Act::text(request, "fine"),
            },
        )
        .await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    agent.call("act", json!({})).await;
    agent.call("act", json!({ "bad": true })).await;
    is_lost(&mut agent, &desk, "404").await;
    assert_eq!(server.count("initialize"), 2, "opened again once");
}

#[tokio::test]
async fn a_server_that_wants_nothing_from_us_any_more_is_lost() {
    for status in [401, 403] {
        let (url, _server) =
            Server::start(move |_, _| Act::Status(status, vec![], "your token has expired".into()))
                .await;
        let desk = Desk::at(&url);
        let (mut agent, _) = desk.open().await;
        agent.call("act", json!({})).await;
        is_lost(&mut agent, &desk, "your token has expired").await;
    }
}

#[tokio::test]
async fn a_server_that_fails_three_times_in_a_row_is_lost() {
    let (url, server) = Server::start(|_, _| Act::Status(503, vec![], "overloaded".into())).await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    for last in [false, false, true] {
        let reply = agent.call("act", json!({})).await;
        assert!(text(&reply).contains("overloaded"), "{reply}");
        assert_eq!(text(&reply).contains("will not come back"), last, "{reply}");
    }
    is_lost(&mut agent, &desk, "3 requests in a row").await;
    assert_eq!(server.calls("act"), 3);
}

#[tokio::test]
async fn a_command_that_ends_is_lost() {
    let mortal = shell(
        "",
        "calls=$((calls + 1)); [ $calls = 3 ] && exit 9; text=fine",
    );
    let desk = Desk::command(&["sh", "-c", &mortal]);
    let (mut agent, _) = desk.open().await;
    for _ in 0..2 {
        assert_eq!(text(&agent.call("look", json!({})).await), "fine");
    }
    let reply = agent.call("look", json!({})).await;
    assert!(text(&reply).contains("will not come back"), "{reply}");
    is_lost(&mut agent, &desk, "exit status: 9").await;
    agent.leave().await.unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_and_what_it_started_end_with_the_proxy() {
    // Beside the server, the shell starts something that would outlive it.
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("pid");
    let script = format!(
        "sleep 1000 & echo $! > {}\n{}",
        mark.display(),
        shell("", "text=fine")
    );
    let desk = Desk::command(&["sh", "-c", &script]);
    let (agent, _) = desk.open().await;
    let pid = std::fs::read_to_string(&mark).unwrap();
    let is_running = || {
        let state =
            std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        !state.is_empty() && !state.contains(") Z ")
    };
    assert!(is_running());
    agent.leave().await.unwrap();
    for _ in 0..100 {
        if !is_running() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{pid} still runs");
}

/// An agent may open another connection to its tools just before it ends, and the proxy with it.
#[tokio::test]
async fn to_be_told_to_end_is_no_loss_of_a_server_that_has_not_answered_yet() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    // It answers the first time that it is started; the second time it hears what it is asked, and no more.
    let script = format!(
        "if [ -e {0} ]; then read -r line; : > {1}; sleep 1000; fi; : > {0}\n{2}",
        first.display(),
        second.display(),
        shell("", "text=fine")
    );
    let desk = Desk::command(&["sh", "-c", &script]);
    let (agent, _) = desk.open().await;
    agent.leave().await.unwrap();

    let mut agent = desk.start();
    let id = agent.send("initialize", hello()).await;
    while !second.exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    agent.stop.stop();
    let told = agent.reply(id).await;
    assert_eq!(
        told["error"]["message"],
        "stopped before the server answered"
    );
    agent.leave().await.unwrap_err();
    let recording = desk.recording();
    assert_eq!(
        (&recording.lost_upstream, &recording.startup_error),
        (&None, &None)
    );
    assert!(recording.ended.is_some());
}
