//! The endpoint as an HTTP service.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body as HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use federation::protocol::ServerNote;
use federation::{Cancel, Found, QueryError};
use spargebra::Query;
use tokio::sync::Semaphore;
use tower_http::cors::{Any, CorsLayer};

use super::answer::{self, Body, Prefixes};
use super::ask::{MAX_BODY, Question, Refusal};
use super::data::Data;
use super::describe;
use crate::endpoint::CancelOnDrop;

/// What one query may take, and how many are evaluated at once.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long one query may take, waiting for others included.
    pub timeout: Duration,
    /// How many are evaluated at once; the others wait.
    pub at_once: usize,
}

struct Server {
    data: Data,
    timeout: Duration,
    places: Semaphore,
    /// Of every reply: whose data these are.
    note: HeaderMap,
}

/// The service: queries at `/sparql`, to pages of any origin too.
pub fn app(data: Data, limits: Limits) -> Router {
    let mut note = HeaderMap::new();
    for (name, value) in data.note().headers() {
        if let Ok(value) = HeaderValue::from_str(&value) {
            note.insert(HeaderName::from_static(name), value);
        }
    }
    let server = Server {
        timeout: limits.timeout,
        places: Semaphore::new(limits.at_once),
        data,
        note,
    };
    let exposed = ServerNote::HEADERS.map(HeaderName::from_static);
    let cors = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers(Any)
        .expose_headers(exposed)
        // A page of the public network that queries the reader's own machine asks for this first.
        .allow_private_network(true)
        .max_age(Duration::from_hours(24));
    Router::new()
        .route("/sparql", axum::routing::any(reply))
        .fallback(elsewhere)
        .with_state(Arc::new(server))
        .layer(cors)
}

async fn elsewhere() -> Response {
    refused(&Refusal::new(
        StatusCode::NOT_FOUND,
        "the endpoint is at /sparql",
    ))
}

async fn reply(State(server): State<Arc<Server>>, request: Request) -> Response {
    let mut response = match answered(&server, request).await {
        Ok(body) => {
            let mut response = Response::new(HttpBody::from(body.bytes));
            let media_type = HeaderValue::from_static(body.media_type);
            response
                .headers_mut()
                .insert(header::CONTENT_TYPE, media_type);
            response
                .headers_mut()
                .insert(header::VARY, HeaderValue::from_static("accept"));
            response
        }
        Err(refusal) => refused(&refusal),
    };
    response.headers_mut().extend(server.note.clone());
    response
}

fn refused(refusal: &Refusal) -> Response {
    let mut response = Response::new(HttpBody::from(format!("{}\n", refusal.message)));
    *response.status_mut() = refusal.status;
    let headers = response.headers_mut();
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, text);
    if refusal.status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(
            header::ALLOW,
            HeaderValue::from_static("GET, HEAD, POST, OPTIONS"),
        );
    }
    response
}

async fn answered(server: &Arc<Server>, request: Request) -> Result<Body, Refusal> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, MAX_BODY).await.map_err(|_| {
        Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("a body that breaks off, or is longer than {MAX_BODY} bytes"),
        )
    })?;
    let content_type = parts.headers.get(header::CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    let accept = accepted(&parts.headers);
    match Question::read(&parts.method, parts.uri.query(), content_type, &body)? {
        Question::Query(query) => found(server, *query, accept).await,
        Question::Description => {
            let host = parts.headers.get(header::HOST);
            let host = host
                .and_then(|host| host.to_str().ok())
                .unwrap_or("localhost");
            let triples = describe::triples(&server.data, &format!("http://{host}/sparql"));
            written(Found::Triples(triples), &accept, &describe::PREFIXES)
        }
    }
}

/// What is evaluated on the thread that serves, in steps of the engine: less than a millisecond's worth. To hand a query to
/// another thread and wait for it takes longer than many a query itself; what is not done by then begins anew there.
const AT_ONCE: u64 = 5_000;

/// Evaluates and writes: at once where that is little, else away from the threads that serve, until the time is up or the
/// client has gone.
async fn found(server: &Arc<Server>, query: Query, accept: String) -> Result<Body, Refusal> {
    if let Ok(_place) = server.places.try_acquire() {
        match server.data.find(&query, &Cancel::after(AT_ONCE)) {
            Err(QueryError::Cancelled) => {}
            found => return written(found?, &accept, &[]),
        }
    }
    let cancel = Cancel::new();
    let _guard = CancelOnDrop(cancel.clone());
    let work = async {
        let place = Arc::clone(server);
        // The semaphore is never closed.
        let _place = server.places.acquire().await;
        let work = move || {
            let found = place.data.find(&query, &cancel)?;
            written(found, &accept, &[])
        };
        tokio::task::spawn_blocking(work)
            .await
            .unwrap_or_else(|error| {
                let message = format!("the evaluation broke down: {error}");
                Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message))
            })
    };
    tokio::time::timeout(server.timeout, work)
        .await
        .unwrap_or_else(|_| {
            let seconds = server.timeout.as_secs_f64();
            Err(Refusal::new(
                StatusCode::SERVICE_UNAVAILABLE,
                format!("no answer within {seconds} s, the time limit of this endpoint"),
            ))
        })
}

fn written(found: Found, accept: &str, prefixes: Prefixes) -> Result<Body, Refusal> {
    let forms = answer::forms(&found);
    match answer::write(found, accept, prefixes) {
        Some(written) => written.map_err(|error| {
            let message = format!("cannot write the results: {error}");
            Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message)
        }),
        None => Err(Refusal::new(
            StatusCode::NOT_ACCEPTABLE,
            format!("the results can be had as {forms}"),
        )),
    }
}

/// All that the client accepts, as one list.
fn accepted(headers: &HeaderMap) -> String {
    let values = headers.get_all(header::ACCEPT).iter();
    let values: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
    values.join(",")
}
