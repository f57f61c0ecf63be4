//! How a session begins: the server's answer to `initialize`, and the tools that it has.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use sweep::{Recording, ServerBuild};

use super::frame::{Frame, FrameKind, Id, range_in};
use super::session::Session;
use super::tools::KnownTools;
use super::upstream::{FromUpstream, Upstream};
use super::{Setup, submit};

/// So many pages of tools are read; a server that has more than that goes round in circles.
const MOST_PAGES: usize = 1000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Initialized<'a> {
    protocol_version: Option<String>,
    #[serde(borrow)]
    capabilities: Option<&'a RawValue>,
    server_info: Option<ServerInfo>,
}

#[derive(Default, Deserialize)]
struct ServerInfo {
    #[serde(default)]
    name: String,
    #[serde(default)]
    version: String,
}

#[derive(Deserialize)]
struct Capabilities<'a> {
    #[serde(borrow)]
    tools: Option<&'a RawValue>,
}

/// Opens the connection, learns the server's tools and writes down who it is; the connection, and what the agent is
/// answered. The reason, where the attempt cannot begin.
pub(crate) async fn open(
    session: &mut Session,
    setup: &Setup,
    initialize: &Frame,
    log: &Path,
) -> Result<(Upstream, Frame), String> {
    let (mut upstream, answer) =
        Upstream::open(&setup.profile.upstream, initialize, setup.timeout, log).await?;
    if let Some(error) = answer.error_text() {
        return Err(format!("the server refused to initialize: {error}"));
    }
    let result = answer
        .result()
        .ok_or("the server's answer to initialize has no result")?;
    let read: Initialized<'_> = serde_json::from_str(result)
        .map_err(|error| format!("the server's answer to initialize cannot be read: {error}"))?;
    session.server_has_tools = has_tools(read.capabilities);
    if session.server_has_tools {
        session.tools = list(&mut upstream, &mut session.held, setup.timeout).await?;
    }
    let names = session.tools.names();
    if names.iter().any(|name| name == submit::NAME) {
        return Err(format!(
            "the server has a tool `{}` of its own, which would be taken for the harness's",
            submit::NAME
        ));
    }
    // A misspelt name would withhold nothing, and the attempt would pass for one of an agent that went without.
    let absent = setup.tools.absent(&names);
    if !absent.is_empty() {
        let there = match names.as_slice() {
            [] => "none".to_owned(),
            names => names.join(", "),
        };
        return Err(format!(
            "the server has no tool {}; it has {there}",
            absent.join(", ")
        ));
    }
    let mut recorder = session.recorder.lock();
    let recording = recorder.recording();
    let hash = session.server_has_tools.then(|| session.tools.hash());
    note_opened(recording, read, names, hash);
    recorder.keep();
    drop(recorder);
    let offered = answer.with_result(offering_tools);
    Ok((upstream, offered.unwrap_or(answer)))
}

/// Writes down which server answers. Where one has answered an earlier session of this recording, another one is noted.
fn note_opened(
    recording: &mut Recording,
    read: Initialized<'_>,
    tools: Vec<String>,
    tool_list_hash: Option<String>,
) {
    let info = read.server_info.unwrap_or_default();
    let server = ServerBuild {
        name: info.name,
        version: info.version,
        tool_list_hash,
        build: recording.server.build.clone(),
    };
    recording.server_changed |= recording.has_begun() && server != recording.server;
    recording.server = server;
    recording.protocol_version = read.protocol_version;
    recording.server_tools = tools;
    // Whatever kept an earlier session from beginning has passed.
    recording.startup_error = None;
}

/// Writes down that the session was opened again, and whether it was the same server that did so.
pub(crate) fn note_reopened(recording: &mut Recording, answer: &Frame) {
    recording.session_resets += 1;
    let read = answer
        .result()
        .and_then(|result| serde_json::from_str::<Initialized<'_>>(result).ok());
    let Some(info) = read.and_then(|read| read.server_info) else {
        return;
    };
    recording.server_changed |=
        info.name != recording.server.name || info.version != recording.server.version;
}

fn has_tools(capabilities: Option<&RawValue>) -> bool {
    let read =
        capabilities.and_then(|raw| serde_json::from_str::<Capabilities<'_>>(raw.get()).ok());
    read.is_some_and(|capabilities| capabilities.tools.is_some())
}

/// All of the server's tools, page by page. What else it says meanwhile waits in `held`.
async fn list(
    upstream: &mut Upstream,
    held: &mut Vec<Frame>,
    limit: Duration,
) -> Result<KnownTools, String> {
    let mut tools = KnownTools::default();
    let mut cursor = None;
    for page in 0..MOST_PAGES {
        let id = Id::Text(format!("okn-benchmark:tools:{page}"));
        let params = cursor
            .map(|cursor: String| format!(r#"{{"cursor":{}}}"#, super::frame::json_text(&cursor)));
        upstream.send(Frame::request(&id, "tools/list", params.as_deref()), true);
        let answer = tokio::time::timeout(limit, reply(upstream, &id, held)).await;
        let answer =
            answer.unwrap_or_else(|_| Err(format!("no answer within {} s", limit.as_secs_f64())));
        let answer =
            answer.map_err(|reason| format!("the server does not list its tools: {reason}"))?;
        let result = answer.result().ok_or_else(|| {
            format!(
                "the server does not list its tools: {}",
                answer.error_text().unwrap_or("no result")
            )
        })?;
        let next = tools.add_page(result);
        cursor =
            next.map_err(|error| format!("the server's list of tools cannot be read: {error}"))?;
        if cursor.is_none() {
            return Ok(tools);
        }
    }
    Err(format!(
        "the server's list of tools has no end: {MOST_PAGES} pages were read"
    ))
}

async fn reply(upstream: &mut Upstream, id: &Id, held: &mut Vec<Frame>) -> Result<Frame, String> {
    loop {
        match upstream.next().await {
            FromUpstream::Message(frame) if frame.answers(id) => return Ok(frame),
            FromUpstream::Message(frame) if frame.kind() != FrameKind::Response => held.push(frame),
            FromUpstream::Failed { reason, .. } | FromUpstream::Lost(reason) => return Err(reason),
            FromUpstream::Message(_)
            | FromUpstream::Reopened(_)
            | FromUpstream::Repeated { .. } => {}
        }
    }
}

/// The answer to `initialize` with tools among the capabilities, as the harness has one; `None` where they are there.
fn offering_tools(result: &str) -> Option<String> {
    let read: Initialized<'_> = serde_json::from_str(result).ok()?;
    if has_tools(read.capabilities) {
        return None;
    }
    let mut changed = result.to_owned();
    match read.capabilities.map(|raw| range_in(result, raw.get())) {
        Some(range) if result.get(range.clone())?.starts_with('{') => {
            let members = result.get(range.start + 1..range.end - 1)?;
            let comma = if members.trim().is_empty() { "" } else { "," };
            changed.insert_str(range.start + 1, &format!(r#""tools":{{}}{comma}"#));
        }
        _ => changed.insert_str(result.find('{')? + 1, r#""capabilities":{"tools":{}},"#),
    }
    Some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_offered_beside_what_the_server_offers_and_nothing_else_is() {
        for (result, expected) in [
            (r#"{"capabilities":{"tools":{"listChanged":true}}}"#, None),
            (
                r#"{"capabilities":{ "prompts" : {} }, "x":1.0}"#,
                Some(r#"{"capabilities":{"tools":{}, "prompts" : {} }, "x":1.0}"#),
            ),
            (
                r#"{"capabilities": { }}"#,
                Some(r#"{"capabilities": {"tools":{} }}"#),
            ),
            (
                r#"{"protocolVersion":"1"}"#,
                Some(r#"{"capabilities":{"tools":{}},"protocolVersion":"1"}"#),
            ),
        ] {
            assert_eq!(offering_tools(result).as_deref(), expected, "{result}");
        }
    }

    #[test]
    fn another_server_in_a_session_that_was_opened_again_is_noted() {
        let mut recording = Recording::default();
        recording.server.name = "a".into();
        recording.server.version = "1".into();
        let answer = |version: &str| {
            let text = format!(
                r#"{{"id":1,"result":{{"serverInfo":{{"name":"a","version":"{version}"}}}}}}"#
            );
            Frame::read(&text).unwrap()
        };
        note_reopened(&mut recording, &answer("1"));
        assert_eq!(
            (recording.session_resets, recording.server_changed),
            (1, false)
        );
        note_reopened(&mut recording, &answer("2"));
        assert_eq!(
            (recording.session_resets, recording.server_changed),
            (2, true)
        );
    }
}
