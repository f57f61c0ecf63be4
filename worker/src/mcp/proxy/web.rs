//! Agents that speak streamable HTTP.
//!
//! Each `initialize` opens a session with a connection of its own to the server under test; all sessions write into the
//! one recording of the attempt. A request is answered on a stream that begins at once, so that no agent gives up waiting
//! for the head of the reply; what the server says on its own goes to the stream that the agent keeps open for it, and to
//! the latest request where it keeps none.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::serve::ListenerExt as _;
use sweep::Recording;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::UnboundedReceiverStream;

use super::frame::{Frame, FrameKind, Id};
use super::outbox::{Outbox, Outgoing};
use super::record::SharedRecorder;
use super::session::{FromAgent, Session, Stop};
use super::{LAST_WRITES, ProxyError, QUEUE, Setup, StopSignal, open_recorder};

const SESSION_HEADER: &str = "mcp-session-id";

/// Messages of the server's own that are kept for an agent that listens to nothing.
const MOST_UNHEARD: usize = 256;

/// A comment is sent on a silent stream this often, so that nothing in between closes it.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Serves agents over streamable HTTP at `/mcp`, until `stop` says so.
pub async fn serve_http(
    listener: TcpListener,
    setup: Setup,
    stop: StopSignal,
) -> Result<Recording, ProxyError> {
    let web = Web(Arc::new(Inner {
        recorder: open_recorder(&setup)?,
        setup: Arc::new(setup),
        stop: stop.0.clone(),
        sessions: Mutex::default(),
        tasks: Mutex::default(),
    }));
    let methods = post(take)
        .get(listen)
        .delete(leave)
        .layer(DefaultBodyLimit::disable());
    let router = Router::new().route("/mcp", methods).with_state(web.clone());
    // A small reply does not wait for the one before it to be acknowledged, which takes 40 ms.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let (mut over, mut signal) = (stop.0.clone(), stop.0);
    let server = axum::serve(listener, router).with_graceful_shutdown(async move {
        let _ = signal.wait_for(|stop| *stop).await;
    });
    let serving = tokio::spawn(async move { server.await });
    let _ = over.wait_for(|stop| *stop).await;
    let tasks = std::mem::take(&mut *lock(&web.0.tasks));
    for task in tasks {
        let _ = task.await;
    }
    // The streams have ended; what they carried may still be on its way.
    let _ = tokio::time::timeout(LAST_WRITES, serving).await;
    web.0.recorder.lock().close().map_err(ProxyError::Recording)
}

#[derive(Clone)]
struct Web(Arc<Inner>);

struct Inner {
    setup: Arc<Setup>,
    recorder: SharedRecorder,
    stop: Stop,
    sessions: Mutex<HashMap<String, Connection>>,
    tasks: Mutex<Vec<tokio::task::JoinHandle<()>>>,
}

/// An agent's session, as far as its requests need it.
#[derive(Clone)]
struct Connection {
    agent: mpsc::Sender<FromAgent>,
    streams: Arc<Mutex<Streams>>,
}

/// Where the messages for an agent go.
#[derive(Default)]
struct Streams {
    requests: HashMap<Id, mpsc::UnboundedSender<Frame>>,
    latest: Option<mpsc::WeakUnboundedSender<Frame>>,
    listening: Option<mpsc::UnboundedSender<Frame>>,
    unheard: VecDeque<Frame>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Streams {
    fn send(&mut self, frame: Frame) {
        if frame.kind() == FrameKind::Response {
            if let Some(stream) = frame.id().and_then(|id| self.requests.remove(id)) {
                let _ = stream.send(frame);
            }
            return;
        }
        let latest = self
            .latest
            .as_ref()
            .and_then(mpsc::WeakUnboundedSender::upgrade);
        let open = [self.listening.clone(), latest]
            .into_iter()
            .flatten()
            .find(|stream| !stream.is_closed());
        if let Some(stream) = open {
            let _ = stream.send(frame);
            return;
        }
        self.unheard.push_back(frame);
        if self.unheard.len() > MOST_UNHEARD {
            self.unheard.pop_front();
        }
    }

    fn listen(&mut self) -> mpsc::UnboundedReceiver<Frame> {
        let (sender, receiver) = mpsc::unbounded_channel();
        for frame in self.unheard.drain(..) {
            let _ = sender.send(frame);
        }
        self.listening = Some(sender);
        receiver
    }

    /// A stream for the responses to these requests; it ends with the last of them.
    fn await_all(&mut self, ids: Vec<Id>) -> mpsc::UnboundedReceiver<Frame> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.latest = Some(sender.downgrade());
        for id in ids {
            self.requests.insert(id, sender.clone());
        }
        receiver
    }
}

impl Web {
    /// Opens a session; its name, and the way to it.
    fn open(&self) -> (String, Connection) {
        let (outbox, outgoing) = Outbox::new();
        let (agent, messages) = mpsc::channel(QUEUE);
        let connection = Connection {
            agent,
            streams: Arc::default(),
        };
        let name = random_name();
        lock(&self.0.sessions).insert(name.clone(), connection.clone());
        let session = Session::new(Arc::clone(&self.0.setup), self.0.recorder.clone(), outbox);
        let (web, ended) = (self.clone(), name.clone());
        let streams = Arc::clone(&connection.streams);
        let task = tokio::spawn(async move {
            let sorting = tokio::spawn(sort(outgoing, streams));
            // Why a session never began is recorded, and the agent has been told.
            let _ = session.run(messages, web.0.stop.clone()).await;
            lock(&web.0.sessions).remove(&ended);
            let _ = tokio::time::timeout(LAST_WRITES, sorting).await;
        });
        let mut tasks = lock(&self.0.tasks);
        tasks.retain(|task| !task.is_finished());
        tasks.push(task);
        (name, connection)
    }

    /// The session that a request names, or how to refuse one that names none that there is.
    fn find(&self, headers: &HeaderMap) -> Result<Connection, Refusal> {
        let name = headers
            .get(SESSION_HEADER)
            .and_then(|name| name.to_str().ok());
        let name = name.ok_or((
            StatusCode::BAD_REQUEST,
            "name the session in Mcp-Session-Id",
        ))?;
        let found = lock(&self.0.sessions).get(name).cloned();
        found.ok_or((StatusCode::NOT_FOUND, "there is no such session"))
    }
}

/// A status, and why.
type Refusal = (StatusCode, &'static str);

async fn sort(mut outgoing: Outgoing, streams: Arc<Mutex<Streams>>) {
    while let Some(frame) = outgoing.next().await {
        lock(&streams).send(frame);
    }
    // Nothing more is said to anybody.
    *lock(&streams) = Streams::default();
}

async fn take(State(web): State<Web>, headers: HeaderMap, body: Bytes) -> Response {
    if !is_local(&headers) {
        return refuse(
            StatusCode::FORBIDDEN,
            "pages of other sites may not call tools",
        );
    }
    let frames = match Frame::read_all(&body) {
        Ok(frames) => frames,
        Err(error) => return refuse(StatusCode::BAD_REQUEST, &error.to_string()),
    };
    let opens = frames
        .iter()
        .any(|frame| frame.kind() == FrameKind::Request && frame.method() == Some("initialize"));
    let (name, connection) = if opens {
        let (name, connection) = web.open();
        (Some(name), connection)
    } else {
        match web.find(&headers) {
            Ok(connection) => (None, connection),
            Err((status, why)) => return refuse(status, why),
        }
    };
    let requests = frames
        .iter()
        .filter(|frame| frame.kind() == FrameKind::Request);
    let ids: Vec<Id> = requests.filter_map(|frame| frame.id().cloned()).collect();
    let replies = (!ids.is_empty()).then(|| lock(&connection.streams).await_all(ids));
    for frame in frames {
        if connection.agent.send(Ok(frame)).await.is_err() {
            return refuse(StatusCode::NOT_FOUND, "the session has ended");
        }
    }
    let Some(replies) = replies else {
        return StatusCode::ACCEPTED.into_response();
    };
    match name {
        Some(name) => ([(SESSION_HEADER, name)], stream(replies)).into_response(),
        None => stream(replies),
    }
}

async fn listen(State(web): State<Web>, headers: HeaderMap) -> Response {
    if !is_local(&headers) {
        return refuse(
            StatusCode::FORBIDDEN,
            "pages of other sites may not call tools",
        );
    }
    match web.find(&headers) {
        Ok(connection) => stream(lock(&connection.streams).listen()),
        Err((status, why)) => refuse(status, why),
    }
}

async fn leave(State(web): State<Web>, headers: HeaderMap) -> Response {
    let name = headers
        .get(SESSION_HEADER)
        .and_then(|name| name.to_str().ok())
        .unwrap_or_default();
    // The session ends as it does when an agent's input ends.
    match lock(&web.0.sessions).remove(name) {
        Some(_) => StatusCode::NO_CONTENT.into_response(),
        None => refuse(StatusCode::NOT_FOUND, "there is no such session"),
    }
}

fn stream(frames: mpsc::UnboundedReceiver<Frame>) -> Response {
    let events = UnboundedReceiverStream::new(frames);
    let events = events.map(|frame| {
        Ok::<_, Infallible>(Event::default().event("message").data(frame.into_text()))
    });
    Sse::new(events)
        .keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
        .into_response()
}

fn refuse(status: StatusCode, why: &str) -> Response {
    let body = Frame::error(None, -32600, why).into_text();
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// Whether a request comes from no page at all, or from one of this machine: any page that a browser shows could else
/// reach a port of it.
fn is_local(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let host = origin
        .to_str()
        .ok()
        .and_then(|origin| origin.split_once("://"))
        .map(|(_, host)| host);
    let name = host.map(|host| host.rsplit_once(':').map_or(host, |(name, _)| name));
    matches!(name, Some("localhost" | "127.0.0.1" | "[::1]"))
}

/// A name that nobody guesses, from the one source of randomness in the standard library.
fn random_name() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}
