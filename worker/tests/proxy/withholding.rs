//! Tools that the agent is not given.

use serde_json::json;
use sweep::AnsweredBy;

use crate::agent::{Desk, text};
use crate::server::{Act, Server};

#[tokio::test]
async fn a_withheld_tool_is_neither_listed_nor_callable_and_the_attempt_is_recorded() {
    for tools in ["no:act", "only:look,submit_csv"] {
        let (url, server) = Server::start(|request, _| Act::text(request, "fine")).await;
        let desk = Desk::at(&url).tools(tools);
        let (mut agent, _) = desk.open().await;
        assert_eq!(agent.tools().await, ["look", "submit_csv"], "{tools}");
        let reply = agent.call("act", json!({ "x": 1 })).await;
        assert_eq!(
            (text(&reply), &reply["result"]["isError"]),
            ("Unknown tool: act", &json!(true))
        );
        assert_eq!(text(&agent.call("look", json!({})).await), "fine");
        agent.leave().await.unwrap();
        assert_eq!(server.calls("act"), 0, "{tools}");
        let call = &desk.calls()[0];
        assert_eq!(
            (call.answered_by, call.is_error, &call.arguments),
            (AnsweredBy::Withheld, true, &json!({ "x": 1 }))
        );
        let recording = desk.recording();
        assert_eq!(
            (recording.withheld_calls, recording.tools.as_str()),
            (1, tools)
        );
        assert_eq!(recording.server_tools, ["look", "act"]);
    }
}

#[tokio::test]
async fn the_hash_is_of_the_servers_tools_and_not_of_those_that_are_given() {
    let mut hashes = Vec::new();
    for tools in ["all-tools", "no:act", "only:look"] {
        let (url, _server) = Server::start(|request, _| Act::text(request, "fine")).await;
        let desk = Desk::at(&url).tools(tools);
        let (agent, _) = desk.open().await;
        hashes.push(agent.leave().await.unwrap().server.tool_list_hash.unwrap());
    }
    assert!(
        hashes.windows(2).all(|pair| pair[0] == pair[1]),
        "{hashes:?}"
    );
}
