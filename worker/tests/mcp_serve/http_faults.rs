//! Faults of streamable HTTP, seen by a plain client, and on the wire where a client hides them.

use std::time::Duration;

use reqwest::Client as Http;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use crate::bench::{Client, serving};

fn query() -> Value {
    json!({ "graph_name": "nde", "query_string": "SELECT ?s WHERE { ?s ?p ?o } LIMIT 1" })
}

/// A session opened by hand.
struct Session {
    http: Http,
    url: String,
    id: String,
}

/// What came of a POST: a status and a whole body, a body that broke off, or nothing.
#[derive(Debug, PartialEq, Eq)]
enum Came {
    Whole(u16),
    Broken(u16),
    Nothing,
}

impl Session {
    async fn open(url: &str) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = Http::builder().no_proxy().build().unwrap();
        let mut session = Self {
            http,
            url: url.to_owned(),
            id: String::new(),
        };
        let hello = json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": { "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } },
        });
        let (came, headers) = session.post(&hello).await;
        assert_eq!(came, Came::Whole(200));
        session.id = headers["mcp-session-id"].to_str().unwrap().to_owned();
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(session.post(&ready).await.0, Came::Whole(202));
        session
    }

    async fn post(&self, message: &Value) -> (Came, HeaderMap) {
        let mut request = self
            .http
            .post(&self.url)
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
            .body(message.to_string());
        if !self.id.is_empty() {
            request = request.header("mcp-session-id", &self.id);
        }
        let Ok(reply) = tokio::time::timeout(Duration::from_secs(2), request.send()).await else {
            return (Came::Nothing, HeaderMap::new());
        };
        let reply = reply.unwrap();
        let (status, headers) = (reply.status().as_u16(), reply.headers().clone());
        match reply.bytes().await {
            Ok(_) => (Came::Whole(status), headers),
            Err(_) => (Came::Broken(status), headers),
        }
    }

    async fn call(&self) -> Came {
        let message = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "query", "arguments": query() },
        });
        self.post(&message).await.0
    }
}

/// For each fault, what comes of the calls of one session, the first having gone well; and of the first in a new one.
#[tokio::test]
async fn each_fault_on_the_wire() {
    use Came::{Broken, Nothing, Whole};
    for (fault, calls, afresh) in [
        ("hang", vec![Whole(200), Nothing, Whole(200)], Whole(200)),
        (
            "dropped-session",
            vec![Whole(200), Broken(200), Whole(404)],
            Whole(200),
        ),
        (
            "restart",
            vec![Whole(200), Whole(404), Whole(404)],
            Whole(200),
        ),
        (
            "restart-while-pending",
            vec![Whole(200), Nothing, Whole(404), Whole(404)],
            Whole(200),
        ),
        (
            "cut-reply",
            vec![Whole(200), Broken(200), Broken(200)],
            Broken(200),
        ),
        ("401", vec![Whole(200), Whole(401), Whole(401)], Whole(401)),
        ("404", vec![Whole(200), Whole(404), Whole(404)], Whole(404)),
        ("503", vec![Whole(200), Whole(503), Whole(503)], Whole(503)),
    ] {
        let url = serving(fault, 1).await;
        let session = Session::open(&url).await;
        let mut came = Vec::new();
        for _ in &calls {
            came.push(session.call().await);
        }
        assert_eq!(came, calls, "{fault}");
        assert_eq!(Session::open(&url).await.call().await, afresh, "{fault}");
    }
}

#[tokio::test]
async fn a_plain_client_sees_a_refusal_as_an_error_and_a_hang_as_silence() {
    for fault in ["401", "503", "cut-reply"] {
        let client = Client::over_http(&serving(fault, 0).await).await;
        let call = tokio::time::timeout(Duration::from_secs(5), client.call("query", query()));
        // A client may wait for a stream that broke off to be taken up again; none takes it for a reply.
        assert!(!matches!(call.await, Ok(Ok(_))), "{fault}");
    }
    let client = Client::over_http(&serving("hang", 0).await).await;
    let silent = tokio::time::timeout(Duration::from_secs(1), client.call("query", query()));
    assert!(silent.await.is_err());
    assert_eq!(client.payload("query", query()).await["count"], 1);
}

#[tokio::test]
async fn a_plain_client_opens_a_new_session_after_a_restart() {
    let client = Client::over_http(&serving("restart", 1).await).await;
    for _ in 0..3 {
        assert_eq!(client.payload("query", query()).await["count"], 1);
    }
}

#[tokio::test]
async fn two_calls_at_once_one_of_which_finds_the_server_restarted() {
    let client = Client::over_http(&serving("restart-while-pending", 0).await).await;
    let pending = tokio::time::timeout(Duration::from_secs(2), client.call("query", query()));
    let other = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        client.payload("query", query()).await
    };
    let (pending, other) = tokio::join!(pending, other);
    assert_eq!(other["count"], 1);
    assert!(!matches!(pending, Ok(Ok(_))));
}
