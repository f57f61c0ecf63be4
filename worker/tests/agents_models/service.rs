//! A model's service that says what a script tells it to, in the words of either API.

use std::fmt::Write as _;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use futures::{StreamExt as _, stream};
use serde_json::{Value, json};

/// In whose words the service speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Api {
    Anthropic,
    OpenAi,
}

/// One reply of the service.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// Events of a stream, which then ends in good order.
    Stream(Vec<Value>),
    /// The same, from a service that does not say that it is a stream.
    Unnamed(Vec<Value>),
    /// The same, but the connection breaks after them.
    Broken(Vec<Value>),
    /// The same, but nothing follows them, ever.
    Stalled(Vec<Value>),
    /// The same in the middle of the text of an event.
    Torn(Vec<Value>),
    /// A reply in one piece.
    Whole(Value),
    /// A refusal, with its headers.
    Status(u16, Vec<(&'static str, String)>, Value),
    /// Text that is no JSON.
    Text(u16, &'static str),
    /// Nothing at all, ever.
    Silence,
}

impl Reply {
    pub(crate) fn refusal(status: u16, body: Value) -> Self {
        Self::Status(status, Vec::new(), body)
    }
}

/// One request as the service met it.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

/// What a model says and wants called in one reply.
#[derive(Clone, Debug, Default)]
pub(crate) struct Say {
    pub(crate) text: &'static str,
    /// Tools with the text of their arguments.
    pub(crate) calls: Vec<(&'static str, String)>,
    /// The reason for the end, where it is not the usual one.
    pub(crate) stop: Option<&'static str>,
    /// Tokens read and written.
    pub(crate) tokens: (u64, u64),
}

impl Say {
    pub(crate) fn text(text: &'static str) -> Self {
        Self {
            text,
            tokens: (100, 10),
            ..Self::default()
        }
    }

    pub(crate) fn calls(calls: &[(&'static str, Value)]) -> Self {
        Self {
            calls: calls
                .iter()
                .map(|(name, arguments)| (*name, arguments.to_string()))
                .collect(),
            tokens: (100, 10),
            ..Self::default()
        }
    }

    pub(crate) fn stop(self, stop: &'static str) -> Self {
        Self {
            stop: Some(stop),
            ..self
        }
    }

    /// The reply as a stream's events.
    pub(crate) fn events(&self, api: Api) -> Vec<Value> {
        match api {
            Api::Anthropic => self.anthropic(),
            Api::OpenAi => self.openai(),
        }
    }

    pub(crate) fn stream(&self, api: Api) -> Reply {
        Reply::Stream(self.events(api))
    }

    fn anthropic(&self) -> Vec<Value> {
        let mut events = vec![json!({ "type": "message_start", "message": {
            "id": "msg", "type": "message", "role": "assistant", "model": "claude-scripted-1", "content": [],
            "usage": { "input_tokens": self.tokens.0, "output_tokens": 1 },
        } })];
        let mut index = 0;
        if !self.text.is_empty() {
            events.push(json!({ "type": "content_block_start", "index": index, "content_block": { "type": "text", "text": "" } }));
            for piece in halves(self.text) {
                events.push(json!({ "type": "content_block_delta", "index": index, "delta": { "type": "text_delta", "text": piece } }));
            }
            events.push(json!({ "type": "content_block_stop", "index": index }));
            index += 1;
        }
        for (name, arguments) in &self.calls {
            events.push(
                json!({ "type": "content_block_start", "index": index, "content_block": {
                "type": "tool_use", "id": format!("toolu_{index}"), "name": name, "input": {},
            } }),
            );
            for piece in halves(arguments) {
                events.push(json!({ "type": "content_block_delta", "index": index, "delta": { "type": "input_json_delta", "partial_json": piece } }));
            }
            events.push(json!({ "type": "content_block_stop", "index": index }));
            index += 1;
        }
        let usual = if self.calls.is_empty() {
            "end_turn"
        } else {
            "tool_use"
        };
        events.push(json!({
            "type": "message_delta",
            "delta": { "stop_reason": self.stop.unwrap_or(usual) },
            "usage": { "output_tokens": self.tokens.1 },
        }));
        events.push(json!({ "type": "message_stop" }));
        events
    }

    fn openai(&self) -> Vec<Value> {
        let chunk = |delta: Value| json!({ "id": "c", "model": "scripted-1", "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] });
        let mut events = vec![chunk(json!({ "role": "assistant", "content": "" }))];
        for piece in halves(self.text) {
            events.push(chunk(json!({ "content": piece })));
        }
        for (index, (name, arguments)) in self.calls.iter().enumerate() {
            events.push(chunk(json!({ "tool_calls": [{
                "index": index, "id": format!("call_{index}"), "type": "function",
                "function": { "name": name, "arguments": "" },
            }] })));
            for piece in halves(arguments) {
                events.push(chunk(json!({ "tool_calls": [{ "index": index, "function": { "arguments": piece } }] })));
            }
        }
        let usual = if self.calls.is_empty() {
            "stop"
        } else {
            "tool_calls"
        };
        events.push(json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": self.stop.unwrap_or(usual) }] }));
        events.push(json!({ "choices": [], "usage": {
            "prompt_tokens": self.tokens.0, "completion_tokens": self.tokens.1,
        } }));
        events
    }
}

/// A text in two pieces, cut between two characters.
fn halves(text: &str) -> Vec<&str> {
    let middle = text.char_indices().nth(text.chars().count() / 2);
    let (start, end) = text.split_at(middle.map_or(0, |(at, _)| at));
    [start, end]
        .into_iter()
        .filter(|piece| !piece.is_empty())
        .collect()
}

/// A service that runs through its script, a reply for each request; after the last one it says so with status 418.
pub(crate) struct Service {
    address: SocketAddr,
    script: Arc<Script>,
    seen: Arc<Mutex<Vec<Request>>>,
}

struct Script {
    api: Api,
    replies: Mutex<Vec<Reply>>,
    seen: Arc<Mutex<Vec<Request>>>,
}

impl Service {
    pub(crate) fn new(api: Api, replies: Vec<Reply>) -> Self {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let script = Arc::new(Script {
            api,
            replies: Mutex::new(replies),
            seen: Arc::clone(&seen),
        });
        let served = Arc::clone(&script);
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                let router = Router::new().fallback(answer).with_state(served);
                axum::serve(listener, router).await.unwrap();
            });
        });
        Self {
            address,
            script,
            seen,
        }
    }

    /// The same service with another script, from its first reply on.
    pub(crate) fn restart(&self, replies: Vec<Reply>) {
        *self.script.replies.lock().unwrap() = replies;
        self.seen.lock().unwrap().clear();
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn seen(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }
}

async fn answer(
    State(script): State<Arc<Script>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let place = {
        let mut seen = script.seen.lock().unwrap();
        seen.push(Request {
            path: uri.path().to_owned(),
            headers,
            body: serde_json::from_slice(&body).unwrap(),
        });
        seen.len() - 1
    };
    let over = Reply::refusal(418, json!({ "error": { "message": "the script is over" } }));
    let reply = script.replies.lock().unwrap().get(place).cloned();
    match reply.as_ref().unwrap_or(&over) {
        Reply::Stream(events) => streamed(written(script.api, events, true), None),
        Reply::Unnamed(events) => Response::new(Body::from(written(script.api, events, true))),
        Reply::Broken(events) => streamed(written(script.api, events, false), Some(End::Broken)),
        Reply::Stalled(events) => streamed(written(script.api, events, false), Some(End::Stalled)),
        Reply::Torn(events) => {
            let mut text = written(script.api, events, false);
            text.truncate(text.len() - 12);
            streamed(text, None)
        }
        Reply::Whole(value) => json_reply(200, &[], value),
        Reply::Status(status, headers, body) => json_reply(*status, headers, body),
        Reply::Text(status, text) => Response::builder()
            .status(*status)
            .header("content-type", "text/html")
            .body(Body::from(*text))
            .unwrap(),
        Reply::Silence => {
            tokio::time::sleep(Duration::from_hours(1)).await;
            Response::new(Body::empty())
        }
    }
}

fn json_reply(status: u16, headers: &[(&'static str, String)], body: &Value) -> Response {
    let mut reply = Response::builder()
        .status(StatusCode::from_u16(status).unwrap())
        .header("content-type", "application/json")
        .header("request-id", "req_scripted");
    for (name, value) in headers {
        reply = reply.header(*name, value);
    }
    reply.body(Body::from(body.to_string())).unwrap()
}

fn written(api: Api, events: &[Value], is_ended: bool) -> String {
    let mut text = String::new();
    for event in events {
        if let Some(name) = event["type"].as_str().filter(|_| api == Api::Anthropic) {
            let _ = writeln!(text, "event: {name}");
        }
        let _ = write!(text, "data: {event}\n\n");
    }
    if is_ended && api == Api::OpenAi {
        text.push_str("data: [DONE]\n\n");
    }
    text
}

#[derive(Clone, Copy)]
enum End {
    Broken,
    Stalled,
}

/// Sent in pieces that know nothing of where events or characters end.
fn streamed(text: String, end: Option<End>) -> Response {
    let pieces: Vec<Result<Bytes, io::Error>> = text
        .into_bytes()
        .chunks(61)
        .map(|piece| Ok(Bytes::copy_from_slice(piece)))
        .collect();
    let pieces = stream::iter(pieces).then(|piece| async {
        // Each on its way before the next is written.
        tokio::time::sleep(Duration::from_millis(1)).await;
        piece
    });
    let tail = stream::once(async move {
        match end {
            Some(End::Broken) => {
                // What was written goes out first.
                tokio::time::sleep(Duration::from_millis(50)).await;
                Some(Err(io::Error::other("broken on purpose")))
            }
            Some(End::Stalled) => {
                tokio::time::sleep(Duration::from_hours(1)).await;
                None
            }
            None => None,
        }
    });
    let all = pieces.chain(tail.filter_map(|last| async move { last }));
    Response::builder()
        .header("content-type", "text/event-stream; charset=utf-8")
        .body(Body::from_stream(all))
        .unwrap()
}
