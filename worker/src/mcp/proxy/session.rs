//! One agent's session: what comes from it, what comes from the server, and what the proxy says itself.
//!
//! A single task that waits for whatever happens next, and never for one thing alone: neither a server that hangs nor an
//! agent that does not read can stop it.

mod replies;

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use sweep::AnsweredBy;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::frame::{Frame, FrameKind, Id};
use super::outbox::Outbox;
use super::pending::{Pending, PendingSet, Purpose};
use super::record::{Ended, Reply, SharedRecorder, UPSTREAM_LOG};
use super::submit::{self, Desk};
use super::tools::KnownTools;
use super::upstream::{FromUpstream, Upstream};
use super::{Setup, opening};
use replies::loss_text;

/// Errors of JSON-RPC that the proxy answers with.
mod code {
    pub(super) const PARSE_ERROR: i32 = -32700;
    pub(super) const INVALID_REQUEST: i32 = -32600;
    pub(super) const METHOD_NOT_FOUND: i32 = -32601;
    pub(super) const NO_REPLY: i32 = -32000;
}

/// What comes from an agent: a message, or why a line is none.
pub(crate) type FromAgent = Result<Frame, String>;

/// Says when to end, whatever is under way.
pub(crate) type Stop = watch::Receiver<bool>;

/// One agent's session.
#[derive(Debug)]
pub(crate) struct Session {
    setup: Arc<Setup>,
    pub(super) recorder: SharedRecorder,
    outbox: Outbox,
    pub(super) tools: KnownTools,
    pub(super) server_has_tools: bool,
    desk: Desk,
    pending: PendingSet,
    /// What the server said before the agent was ready for it.
    pub(super) held: Vec<Frame>,
    ready: bool,
    link: Link,
}

/// The way to the server.
#[derive(Debug)]
enum Link {
    NotOpen,
    Open(Upstream),
    Lost(String),
}

/// What happens next.
enum Next {
    /// A message of the agent, or its end.
    FromAgent(Option<FromAgent>),
    FromUpstream(FromUpstream),
    /// A request's time is up.
    Expiry,
    /// The agent has read some of what waits for it.
    Room,
    /// The agent has gone, or the proxy is told to end.
    End,
}

/// Why a session ended before the agent had its tools.
#[derive(Debug)]
pub(crate) struct StartupError(pub(crate) String);

#[derive(Deserialize)]
struct CallParams<'a> {
    name: String,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ListParams {
    cursor: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CancelParams<'a> {
    #[serde(borrow)]
    request_id: &'a RawValue,
}

impl Session {
    pub(crate) fn new(setup: Arc<Setup>, recorder: SharedRecorder, outbox: Outbox) -> Self {
        Self {
            desk: Desk {
                out: setup.out.clone(),
                work: setup.work.clone(),
            },
            setup,
            recorder,
            outbox,
            tools: KnownTools::default(),
            server_has_tools: false,
            pending: PendingSet::default(),
            held: Vec::new(),
            ready: false,
            link: Link::NotOpen,
        }
    }

    /// Serves the agent until it ends, or `stop` says so, or the server cannot be reached to begin with.
    pub(crate) async fn run(
        mut self,
        mut agent: mpsc::Receiver<FromAgent>,
        mut stop: Stop,
    ) -> Result<(), StartupError> {
        let mut result = Ok(());
        // What was asked before the agent's stream ended is still answered: scripts write all they have to ask at once.
        let mut listening = true;
        while result.is_ok() && (listening || !self.pending.is_empty()) {
            match self.next(&mut agent, listening, &mut stop).await {
                Next::FromAgent(Some(message)) => {
                    result = self.hear_agent(message, &mut stop).await;
                }
                Next::FromAgent(None) => listening = false,
                Next::FromUpstream(event) => self.hear_upstream(event),
                Next::Expiry => self.expire(),
                Next::Room => {}
                Next::End => break,
            }
        }
        self.finish().await;
        result
    }

    /// Waits for whatever happens next. Nothing is lost where something else happens first.
    async fn next(
        &mut self,
        agent: &mut mpsc::Receiver<FromAgent>,
        listening: bool,
        stop: &mut Stop,
    ) -> Next {
        let has_room = self.outbox.has_room();
        let upstream = match &mut self.link {
            Link::Open(upstream) if has_room => Some(upstream),
            _ => None,
        };
        let event = async {
            match upstream {
                Some(upstream) => upstream.next().await,
                None => std::future::pending().await,
            }
        };
        let deadline = self.pending.next_deadline();
        let expiry = async {
            match deadline {
                Some(deadline) => tokio::time::sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            message = agent.recv(), if listening => Next::FromAgent(message),
            event = event => Next::FromUpstream(event),
            () = expiry => Next::Expiry,
            () = self.outbox.room(), if !has_room => Next::Room,
            () = self.outbox.closed() => Next::End,
            _ = stop.wait_for(|stop| *stop) => Next::End,
        }
    }

    async fn hear_agent(
        &mut self,
        message: FromAgent,
        stop: &mut Stop,
    ) -> Result<(), StartupError> {
        let frame = match message {
            Ok(frame) => frame,
            Err(why) => {
                self.outbox
                    .send(Frame::error(None, code::PARSE_ERROR, &why));
                return Ok(());
            }
        };
        match (frame.kind(), frame.method(), frame.id().cloned()) {
            (FrameKind::Request, Some("initialize"), Some(id)) => {
                return self.initialize(id, frame, stop).await;
            }
            (FrameKind::Request, Some(method), Some(id)) => {
                let method = method.to_owned();
                self.request(&method, id, frame);
            }
            (FrameKind::Notification, Some("notifications/initialized"), _) => self.get_ready(),
            (FrameKind::Notification, Some("notifications/cancelled"), _) => self.cancel(frame),
            _ => self.pass_on(frame, false),
        }
        Ok(())
    }

    async fn initialize(
        &mut self,
        id: Id,
        frame: Frame,
        stop: &mut Stop,
    ) -> Result<(), StartupError> {
        if !matches!(self.link, Link::NotOpen) {
            self.outbox.send(Frame::error(
                Some(&id),
                code::INVALID_REQUEST,
                "already initialized",
            ));
            return Ok(());
        }
        let log = self.setup.out.join(UPSTREAM_LOG);
        let setup = Arc::clone(&self.setup);
        let mut is_stopped = false;
        let opened = tokio::select! {
            opened = opening::open(self, &setup, &frame, &log) => opened,
            _ = stop.wait_for(|stop| *stop) => {
                is_stopped = true;
                Err("stopped before the server answered".to_owned())
            }
        };
        match opened {
            Ok((upstream, answer)) => {
                self.link = Link::Open(upstream);
                self.outbox.send(answer);
                Ok(())
            }
            Err(reason) => {
                let has_begun = self.recorder.lock().recording().has_begun();
                // To be told to end is no loss of a server that the agent has had before.
                if !(is_stopped && has_begun) {
                    self.recorder.lock().fail_to_begin(&reason);
                }
                self.outbox
                    .send(Frame::error(Some(&id), code::NO_REPLY, &reason));
                Err(StartupError(reason))
            }
        }
    }

    fn get_ready(&mut self) {
        self.ready = true;
        for frame in std::mem::take(&mut self.held) {
            self.outbox.send(frame);
        }
    }

    fn request(&mut self, method: &str, id: Id, frame: Frame) {
        if method == "ping" {
            // Whether the proxy is there is a question to the proxy.
            self.outbox.send(Frame::response(&id, "{}"));
            return;
        }
        if matches!(self.link, Link::NotOpen) {
            // Agents that know a later protocol ask in that first, and fall back when it is not known.
            let (code, why) = match method {
                "server/discover" => (code::METHOD_NOT_FOUND, "method not found"),
                _ => (code::INVALID_REQUEST, "send initialize first"),
            };
            self.outbox.send(Frame::error(Some(&id), code, why));
            return;
        }
        if !self.ready {
            self.get_ready();
        }
        if self.pending.contains(&id) {
            let why = "a request of this id has not been answered yet";
            self.outbox
                .send(Frame::error(Some(&id), code::INVALID_REQUEST, why));
            return;
        }
        match method {
            "tools/call" => self.call(id, frame),
            "tools/list" if !self.server_has_tools => self.list_alone(&id),
            "tools/list" => {
                let cursor = frame
                    .params()
                    .and_then(|params| serde_json::from_str(params).ok());
                let first = cursor
                    .and_then(|params: ListParams| params.cursor)
                    .is_none();
                self.forward(id, frame, Purpose::List { first }, true);
            }
            _ => {
                let reads = matches!(
                    method,
                    "resources/read" | "prompts/get" | "completion/complete"
                ) || method.ends_with("/list");
                self.forward(id, frame, Purpose::Other, reads);
            }
        }
    }

    fn call(&mut self, id: Id, frame: Frame) {
        let params = frame.params().map(serde_json::from_str::<CallParams<'_>>);
        let Some(Ok(params)) = params else {
            // Whatever it is, the server says what is wrong with it.
            self.forward(id, frame, Purpose::Other, false);
            return;
        };
        let arguments = params.arguments.map(RawValue::get);
        let begun = self.recorder.lock().begin(&params.name, arguments);
        if params.name == submit::NAME {
            let submitted = self.desk.submit(arguments);
            let mut recorder = self.recorder.lock();
            if submitted.kept {
                recorder.recording().submissions += 1;
            }
            recorder.end(
                begun,
                &Ended::by(AnsweredBy::Harness, Reply::Result(&submitted.result)),
            );
            drop(recorder);
            self.outbox.send(Frame::response(&id, &submitted.result));
        } else if !self.setup.tools.gives(&params.name) {
            // In the words of a server that has no such tool: that it has, and why not here, would be a hint.
            let result = submit::result(format!("Unknown tool: {}", params.name), true);
            self.recorder.lock().end(
                begun,
                &Ended::by(AnsweredBy::Withheld, Reply::Result(&result)),
            );
            self.outbox.send(Frame::response(&id, &result));
        } else {
            let repeatable = self.tools.is_read_only(&params.name);
            self.forward(id, frame, Purpose::Call(begun), repeatable);
        }
    }

    /// Passes a request on to the server, or answers at once if there is none any more.
    fn forward(&mut self, id: Id, frame: Frame, purpose: Purpose, repeatable: bool) {
        match &self.link {
            Link::Open(upstream) => {
                let deadline = Instant::now() + self.setup.timeout;
                self.pending.insert(id, Pending::new(purpose, deadline));
                upstream.send(frame, repeatable);
            }
            Link::Lost(reason) => {
                if let Purpose::List { .. } = purpose {
                    self.list_alone(&id);
                    return;
                }
                let text = loss_text(reason);
                self.answer(
                    &id,
                    Pending::new(purpose, Instant::now()),
                    &text,
                    AnsweredBy::Lost,
                );
            }
            Link::NotOpen => {}
        }
    }

    /// Lists the tools without the server: those that it had, and the harness's own.
    fn list_alone(&self, id: &Id) {
        let alone = self.tools.alone(&self.setup.tools, &self.desk.tool());
        self.outbox.send(Frame::response(id, &alone));
    }

    /// Passes on what needs no answer.
    fn pass_on(&self, frame: Frame, repeatable: bool) {
        if let Link::Open(upstream) = &self.link {
            upstream.send(frame, repeatable);
        }
    }

    /// The agent takes a request back: it waits for no answer, and gets none.
    fn cancel(&mut self, frame: Frame) {
        let id = frame
            .params()
            .and_then(|params| serde_json::from_str::<CancelParams<'_>>(params).ok())
            .and_then(|params| Id::read(params.request_id));
        let Some(id) = id else {
            self.pass_on(frame, false);
            return;
        };
        if let Some(pending) = self.pending.remove(&id) {
            self.pass_on(frame, false);
            self.abandon(id);
            if let Purpose::Call(begun) = pending.purpose {
                self.recorder
                    .lock()
                    .end(begun, &Ended::by(AnsweredBy::Cancelled, Reply::None));
            }
        }
    }

    fn abandon(&self, id: Id) {
        if let Link::Open(upstream) = &self.link {
            upstream.abandon(id);
        }
    }

    async fn finish(mut self) {
        for (_, pending) in self.pending.drain() {
            if let Purpose::Call(begun) = pending.purpose {
                self.recorder
                    .lock()
                    .end(begun, &Ended::by(AnsweredBy::Cancelled, Reply::None));
            }
        }
        if let Link::Open(upstream) = self.link {
            upstream.close().await;
        }
    }
}
