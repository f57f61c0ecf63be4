//! The server behind stdio or streamable HTTP.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::serve::ListenerExt as _;
use futures::{StreamExt as _, stream};
use rmcp::ServiceExt as _;
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;
use tokio::net::TcpListener;

use super::fault::{Bench, InTransport};
use super::server::Server;

/// The longest request that is looked at.
const MAX_BODY: usize = 4 << 20;

/// Serves standard input and output until the client closes them.
pub async fn stdio(server: Server, bench: &Bench) -> io::Result<()> {
    let serving = async {
        let running = server
            .serve(rmcp::transport::stdio())
            .await
            .map_err(io::Error::other)?;
        running.waiting().await.map_err(io::Error::other)?;
        Ok(())
    };
    tokio::select! {
        ended = serving => ended,
        () = bench.end.notified() => Ok(()),
    }
}

struct Bridge {
    bench: Arc<Bench>,
    sessions: Arc<LocalSessionManager>,
}

/// Serves streamable HTTP at `/mcp`.
pub async fn http(server: Server, bench: Arc<Bench>, listener: TcpListener) -> io::Result<()> {
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::clone(&sessions),
        StreamableHttpServerConfig::default(),
    );
    let end = Arc::clone(&bench.end);
    let bridge = Arc::new(Bridge { bench, sessions });
    let app = Router::new()
        .nest_service("/mcp", service)
        .layer(from_fn_with_state(bridge, fail_on_purpose));
    // A small reply does not wait for the one before it to be acknowledged, which takes 40 ms.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    tokio::select! {
        ended = async { axum::serve(listener, app).await } => ended,
        () = end.notified() => Ok(()),
    }
}

/// The one member of a message that is looked at.
#[derive(Deserialize)]
struct Message {
    method: Option<String>,
}

async fn fail_on_purpose(
    State(bridge): State<Arc<Bridge>>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, MAX_BODY).await else {
        return refused(StatusCode::PAYLOAD_TOO_LARGE);
    };
    let is_call = serde_json::from_slice::<Message>(&body)
        .is_ok_and(|message| message.method.as_deref() == Some("tools/call"));
    let request = Request::from_parts(parts, Body::from(body));
    match is_call.then(|| bridge.bench.in_transport()).flatten() {
        None => next.run(request).await,
        Some(InTransport::Silence) => std::future::pending().await,
        Some(InTransport::Forget) => {
            bridge.forget().await;
            next.run(request).await
        }
        Some(InTransport::ForgetAndBreak) => {
            bridge.forget().await;
            broken(": the server is thinking\n\n")
        }
        Some(InTransport::Cut) => broken(
            "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"te",
        ),
        Some(InTransport::Status(status)) => {
            refused(StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE))
        }
    }
}

impl Bridge {
    /// What a restart does to sessions.
    async fn forget(&self) {
        let open: Vec<_> = self
            .sessions
            .sessions
            .read()
            .await
            .keys()
            .cloned()
            .collect();
        for session in open {
            // One that ends by itself in the meantime is forgotten too.
            let _ = self.sessions.close_session(&session).await;
        }
    }
}

fn refused(status: StatusCode) -> Response {
    let reason = status.canonical_reason().unwrap_or("refused");
    let mut response = Response::new(Body::from(reason));
    *response.status_mut() = status;
    response
}

/// A stream of events of which only the beginning comes before the connection breaks.
fn broken(beginning: &'static str) -> Response {
    let beginning = stream::once(async { Ok(Bytes::from_static(beginning.as_bytes())) });
    let end = stream::once(async {
        // What is written together with the end would not be sent at all.
        tokio::time::sleep(Duration::from_millis(50)).await;
        Err(io::Error::from(io::ErrorKind::ConnectionReset))
    });
    let mut response = Response::new(Body::from_stream(beginning.chain(end)));
    let events = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, events);
    response
}
