//! A server of streamable HTTP that says what a test wants it to.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use serde_json::{Value, json};

/// What the server does with a request.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// A reply whose body is exactly this.
    Body(String),
    /// A stream of events, each with this as its data; then it ends.
    Stream(Vec<String>),
    /// The same, and the stream stays open.
    Open(Vec<String>),
    /// A status, headers and a body.
    Status(u16, Vec<(&'static str, String)>, String),
    /// Nothing, ever.
    Hang,
    /// The connection is cut after the head of the reply and this much of its body.
    Cut(String),
}

impl Act {
    /// A result as the reply's body.
    pub(crate) fn result(request: &Value, result: &Value) -> Self {
        Self::Body(json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }).to_string())
    }

    /// A result of one text.
    pub(crate) fn text(request: &Value, text: &str) -> Self {
        Self::result(
            request,
            &json!({ "content": [{ "type": "text", "text": text }] }),
        )
    }
}

/// A server that runs as a command, in the language that every machine has: it has the tools of the scripted one, says
/// what `call` makes of a call's `$line` as its text, and runs `each` for every line.
pub(crate) fn shell(each: &str, call: &str) -> String {
    format!(
        r#"
answer() {{ printf '{{"jsonrpc":"2.0","id":%s,"result":%s}}\n' "$id" "$1"; }}
while read -r line; do
    {each}
    id=$(printf '%s' "$line" | sed -nE 's/.*"id":("[^"]*"|[0-9]+).*/\1/p')
    case "$line" in
    *'"initialize"'*) answer '{{"protocolVersion":"2025-06-18","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"shell","version":"1"}}}}' ;;
    *'"tools/list"'*) answer '{{"tools":[{{"name":"look","inputSchema":{{"type":"object"}}}},{{"name":"act","inputSchema":{{"type":"object"}}}}]}}' ;;
    *'"tools/call"'*) {call}; answer '{{"content":[{{"type":"text","text":"'"$text"'"}}]}}' ;;
    esac
done
"#
    )
}

type Play = dyn Fn(&Value, &Server) -> Act + Send + Sync;

/// A server, its address, and what it was told.
#[derive(Clone)]
pub(crate) struct Server(Arc<Inner>);

struct Inner {
    play: Box<Play>,
    tools: Value,
    seen: Mutex<Vec<Value>>,
    keys: Mutex<HashSet<String>>,
    sessions: Mutex<(u32, HashSet<String>)>,
    opens: Mutex<bool>,
}

impl Server {
    /// A server whose tools `look` (changes nothing) and `act` do as `play` says; a request that is not for them is
    /// answered as by any server. The address, and the server.
    pub(crate) async fn start(
        play: impl Fn(&Value, &Self) -> Act + Send + Sync + 'static,
    ) -> (String, Self) {
        let tools = json!([
            { "name": "look", "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true } },
            { "name": "act", "inputSchema": { "type": "object" } },
        ]);
        Self::with_tools(tools, play).await
    }

    pub(crate) async fn with_tools(
        tools: Value,
        play: impl Fn(&Value, &Self) -> Act + Send + Sync + 'static,
    ) -> (String, Self) {
        let server = Self(Arc::new(Inner {
            play: Box::new(play),
            tools,
            seen: Mutex::default(),
            keys: Mutex::default(),
            sessions: Mutex::default(),
            opens: Mutex::new(true),
        }));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().fallback(serve).with_state(server.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        (format!("http://{address}/mcp"), server)
    }

    /// Everything that was posted, in its order.
    pub(crate) fn seen(&self) -> Vec<Value> {
        self.0.seen.lock().unwrap().clone()
    }

    /// How often a method was posted.
    pub(crate) fn count(&self, method: &str) -> usize {
        self.seen()
            .iter()
            .filter(|message| message["method"] == method)
            .count()
    }

    /// How often a tool was called.
    pub(crate) fn calls(&self, tool: &str) -> usize {
        self.seen()
            .iter()
            .filter(|message| message["params"]["name"] == tool)
            .count()
    }

    /// The values of the header that the profile fills in.
    pub(crate) fn keys(&self) -> HashSet<String> {
        self.0.keys.lock().unwrap().clone()
    }

    /// Forgets every session, as a server does that starts again.
    pub(crate) fn forget(&self) {
        self.0.sessions.lock().unwrap().1.clear();
    }

    /// Opens no session any more.
    pub(crate) fn shut(&self) {
        *self.0.opens.lock().unwrap() = false;
        self.forget();
    }

    /// Knows nothing of what was before, and opens sessions again.
    pub(crate) fn open(&self) {
        *self.0.opens.lock().unwrap() = true;
    }

    fn greet(&self, request: &Value) -> Response {
        if !*self.0.opens.lock().unwrap() {
            return respond(503, &[], "the server is closed");
        }
        let session = {
            let mut sessions = self.0.sessions.lock().unwrap();
            sessions.0 += 1;
            let session = format!("session-{}", sessions.0);
            sessions.1.insert(session.clone());
            session
        };
        let result = json!({
            "protocolVersion": request["params"]["protocolVersion"],
            "capabilities": { "tools": {}, "prompts": {} },
            "serverInfo": { "name": "scripted", "version": "3.1" },
            "instructions": "Look before you act.",
        });
        let body = json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }).to_string();
        respond(200, &[("mcp-session-id", session), json_type()], &body)
    }
}

fn json_type() -> (&'static str, String) {
    ("content-type", "application/json".into())
}

fn respond(status: u16, headers: &[(&'static str, String)], body: &str) -> Response {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, value);
    }
    response.body(Body::from(body.to_owned())).unwrap()
}

async fn serve(
    State(server): State<Server>,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if method != Method::POST {
        return respond(if method == Method::DELETE { 200 } else { 405 }, &[], "");
    }
    let message: Value = serde_json::from_slice(&body).unwrap();
    server.0.seen.lock().unwrap().push(message.clone());
    if let Some(key) = headers.get("x-key") {
        server
            .0
            .keys
            .lock()
            .unwrap()
            .insert(key.to_str().unwrap().to_owned());
    }
    if message["method"] == "initialize" {
        return server.greet(&message);
    }
    let session = headers
        .get("mcp-session-id")
        .map(|id| id.to_str().unwrap().to_owned());
    let known = session.is_some_and(|id| server.0.sessions.lock().unwrap().1.contains(&id));
    if !known {
        return respond(StatusCode::NOT_FOUND.as_u16(), &[], "Session not found");
    }
    assert_eq!(headers["mcp-protocol-version"], "2025-06-18");
    if message.get("id").is_none() || message.get("method").is_none() {
        return respond(202, &[], "");
    }
    if message["method"] == "tools/list" && server.0.tools.is_array() {
        let body =
            json!({ "jsonrpc": "2.0", "id": message["id"], "result": { "tools": server.0.tools } });
        return respond(200, &[json_type()], &body.to_string());
    }
    let act = (server.0.play)(&message, &server);
    perform(act).await
}

async fn perform(act: Act) -> Response {
    let events = |events: &[String]| {
        events
            .iter()
            .flat_map(|data| ["event: message\ndata: ", data, "\n\n"])
            .collect::<String>()
    };
    let event_type = ("content-type", "text/event-stream".to_owned());
    match act {
        Act::Body(body) => respond(200, &[json_type()], &body),
        Act::Stream(data) => respond(200, &[event_type], &events(&data)),
        Act::Open(data) => {
            let first = events(&data);
            let stream = Endless(Some(first));
            Response::builder()
                .header(event_type.0, event_type.1)
                .body(Body::new(stream))
                .unwrap()
        }
        Act::Status(status, headers, body) => respond(status, &headers, &body),
        Act::Hang => std::future::pending().await,
        Act::Cut(body) => {
            let (name, value) = json_type();
            // A body that is announced longer than it is ends in a broken connection.
            let response = Response::builder()
                .header(name, value)
                .header("content-length", body.len() + 10);
            response.body(Body::new(Short(Some(body)))).unwrap()
        }
    }
}

/// A body that says something and then nothing, without ending.
struct Endless(Option<String>);

/// A body that says something and then fails.
struct Short(Option<String>);

impl axum::body::HttpBody for Endless {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, std::io::Error>>> {
        match self.0.take() {
            Some(text) => std::task::Poll::Ready(Some(Ok(http_body::Frame::data(text.into())))),
            None => std::task::Poll::Pending,
        }
    }
}

impl axum::body::HttpBody for Short {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, std::io::Error>>> {
        std::task::Poll::Ready(Some(match self.0.take() {
            Some(text) => Ok(http_body::Frame::data(text.into())),
            None => Err(std::io::Error::other("cut")),
        }))
    }
}
