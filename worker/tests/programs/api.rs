//! A model's service on this machine that speaks from a script: it looks once, submits what it was given, and is done.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use serde_json::{Value, json};

/// What it does: the arguments of its calls in turn, or a status instead.
pub(crate) struct Script {
    pub(crate) query: Value,
    pub(crate) csv: String,
    pub(crate) status: Option<u16>,
}

/// A running service.
pub(crate) struct Api {
    pub(crate) address: String,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Api {
    pub(crate) async fn serve(script: Script) -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let state = (Arc::new(script), Arc::clone(&asked));
        let router = Router::new().fallback(answer).with_state(state);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, asked }
    }

    /// The requests to the model so far.
    pub(crate) fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }
}

type Shared = (Arc<Script>, Arc<Mutex<Vec<Value>>>);

async fn answer(
    State((script, asked)): State<Shared>,
    uri: Uri,
    body: Bytes,
) -> Result<Response, Infallible> {
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let reply = |status: u16, kind: &str, body: String| {
        let reply = Response::builder()
            .status(StatusCode::from_u16(status).unwrap())
            .header("content-type", kind);
        Ok(reply.body(Body::from(body)).unwrap())
    };
    let path = uri.path();
    let speak = if path.ends_with("/v1/messages") {
        anthropic
    } else if path.ends_with("/responses") {
        openai
    } else if path.ends_with(":streamGenerateContent") {
        gemini
    } else {
        return reply(404, "application/json", "{}".to_owned());
    };
    asked.lock().unwrap().push(body.clone());
    if let Some(status) = script.status {
        let error = json!({ "type": "error", "error": { "type": "scripted", "message": "as the script has it" } });
        return reply(status, "application/json", error.to_string());
    }
    let events = speak(&script, &body);
    let events = events.iter().map(|event| match event["type"].as_str() {
        Some(kind) => format!("event: {kind}\ndata: {event}\n\n"),
        None => format!("data: {event}\r\n\r\n"),
    });
    reply(200, "text/event-stream", events.collect())
}

/// The tool and its arguments after so many results; nothing once it is done.
fn step(script: &Script, results: usize) -> Option<(&'static str, Value)> {
    match results {
        0 => Some(("query", script.query.clone())),
        1 => Some(("submit_csv", json!({ "csv": script.csv }))),
        _ => None,
    }
}

fn anthropic(script: &Script, body: &Value) -> Vec<Value> {
    let messages = body["messages"].as_array().unwrap();
    let is_result = |message: &&Value| message.to_string().contains("\"tool_result\"");
    let results = messages.iter().filter(is_result).count();
    let mut events = vec![json!({ "type": "message_start", "message": {
        "id": format!("msg_{results}"), "type": "message", "role": "assistant", "model": body["model"], "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": { "input_tokens": 100, "output_tokens": 1 },
    } })];
    let stop = if let Some((tool, arguments)) = step(script, results) {
        let name = name_of(&body["tools"], tool);
        let block = json!({ "type": "tool_use", "id": format!("toolu_{results}"), "name": name, "input": {} });
        let delta = json!({ "type": "input_json_delta", "partial_json": arguments.to_string() });
        events.push(json!({ "type": "content_block_start", "index": 0, "content_block": block }));
        events.push(json!({ "type": "content_block_delta", "index": 0, "delta": delta }));
        "tool_use"
    } else {
        let block = json!({ "type": "text", "text": "" });
        let delta = json!({ "type": "text_delta", "text": "Done." });
        events.push(json!({ "type": "content_block_start", "index": 0, "content_block": block }));
        events.push(json!({ "type": "content_block_delta", "index": 0, "delta": delta }));
        "end_turn"
    };
    events.push(json!({ "type": "content_block_stop", "index": 0 }));
    events.push(json!({ "type": "message_delta", "delta": { "stop_reason": stop, "stop_sequence": null }, "usage": { "output_tokens": 20 } }));
    events.push(json!({ "type": "message_stop" }));
    events
}

fn openai(script: &Script, body: &Value) -> Vec<Value> {
    let input = body["input"].as_array().unwrap();
    let results = input
        .iter()
        .filter(|item| item["type"] == "function_call_output")
        .count();
    let item = match step(script, results) {
        Some((tool, arguments)) => {
            // Tools of a server stand in a space of their own.
            let spaces = body["tools"].as_array().unwrap().iter();
            let space = spaces
                .filter(|tool| tool["type"] == "namespace")
                .find(|space| space["tools"].to_string().contains(tool));
            let mut call = json!({
                "type": "function_call", "id": format!("fc_{results}"), "call_id": format!("call_{results}"),
                "status": "completed", "name": tool, "arguments": arguments.to_string(),
            });
            match space {
                Some(space) => call["namespace"] = space["name"].clone(),
                None => call["name"] = name_of(&body["tools"], tool).into(),
            }
            call
        }
        None => json!({
            "type": "message", "id": "msg", "role": "assistant", "status": "completed",
            "content": [{ "type": "output_text", "text": "Done.", "annotations": [] }],
        }),
    };
    let id = format!("resp_{results}");
    let usage = json!({
        "input_tokens": 100, "input_tokens_details": { "cached_tokens": 40 },
        "output_tokens": 20, "output_tokens_details": { "reasoning_tokens": 5 }, "total_tokens": 120,
    });
    vec![
        json!({ "type": "response.created", "response": { "id": id } }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": item }),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": item }),
        json!({ "type": "response.completed", "response": { "id": id, "usage": usage } }),
    ]
}

fn gemini(script: &Script, body: &Value) -> Vec<Value> {
    let contents = body["contents"].as_array().unwrap();
    let is_result = |message: &&Value| message.to_string().contains("\"functionResponse\"");
    let part = match step(script, contents.iter().filter(is_result).count()) {
        Some((tool, arguments)) => {
            let name = name_of(&body["tools"][0]["functionDeclarations"], tool);
            json!({ "functionCall": { "name": name, "args": arguments } })
        }
        None => json!({ "text": "Done." }),
    };
    vec![json!({
        "candidates": [{ "content": { "role": "model", "parts": [part] }, "finishReason": "STOP", "index": 0 }],
        "usageMetadata": { "promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120 },
    })]
}

/// The full name of a tool, which programs put a server's before.
fn name_of(tools: &Value, tool: &str) -> String {
    let names = tools
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["name"].as_str());
    let mut ours = names.filter(|name| {
        *name == tool || name.starts_with("mcp_") && name.ends_with(&format!("_{tool}"))
    });
    ours.next()
        .unwrap_or_else(|| panic!("there is no {tool} among {tools}"))
        .to_owned()
}
