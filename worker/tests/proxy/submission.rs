//! The harness's own tool, and every text that an agent is shown.

use serde_json::json;

use crate::agent::Desk;
use crate::server::{Act, Server};

#[tokio::test]
async fn what_an_agent_is_shown() {
    let (url, server) = Server::start(|request, _| Act::text(request, "fine")).await;
    let mut desk = Desk::at(&url).tools("no:look");
    desk.setup.work = Some(desk.folder.path().to_owned());
    std::fs::write(desk.folder.path().join("a.csv"), "gene,score\nINS,2\nGCK\n").unwrap();
    let (mut agent, _) = desk.open().await;
    let mut shown = Vec::new();
    let listed = agent.ask("tools/list", json!({})).await;
    let own = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    shown.push(serde_json::to_string_pretty(&own).unwrap());
    for arguments in [
        json!({ "csv": "gene,score\nINS,2\n" }),
        json!({ "csv": "```csv\ngene;score\nINS;2\n```" }),
        json!({ "path": "a.csv" }),
        json!({ "path": "../a.csv" }),
        json!({ "csv": "" }),
        json!({}),
    ] {
        let reply = agent.call("submit_csv", arguments.clone()).await;
        shown.push(format!("submit_csv {arguments}\n{}", reply["result"]));
    }
    shown.push(format!(
        "look\n{}",
        agent.call("look", json!({})).await["result"]
    ));
    server.shut();
    shown.push(format!(
        "act, once the server is gone\n{}",
        agent.call("act", json!({})).await["result"]
    ));
    insta::assert_snapshot!(shown.join("\n\n"));
    assert_eq!(agent.leave().await.unwrap().submissions, 3);
}

#[tokio::test]
async fn a_submission_is_kept_byte_for_byte_and_the_last_one_counts() {
    let (url, server) = Server::start(|request, _| Act::text(request, "fine")).await;
    let desk = Desk::at(&url);
    let (mut agent, _) = desk.open().await;
    for csv in ["a\n1\n", "\u{feff}a,b\r\n\"x\ny\",ä\r\n"] {
        agent.call("submit_csv", json!({ "csv": csv })).await;
        assert_eq!(desk.read("answer.csv"), csv);
    }
    // What names no table leaves what is there.
    agent.call("submit_csv", json!({ "table": "b" })).await;
    assert!(desk.read("answer.csv").starts_with('\u{feff}'));
    agent.leave().await.unwrap();
    assert_eq!(server.calls("submit_csv"), 0);
}
