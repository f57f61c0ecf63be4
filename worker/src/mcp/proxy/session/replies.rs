//! What a session does with what the server says, or does not say.

use sweep::AnsweredBy;
use tokio::time::Instant;

use super::{Link, Session, code};
use crate::mcp::proxy::frame::{Frame, FrameKind, Id, json_text};
use crate::mcp::proxy::opening;
use crate::mcp::proxy::pending::{Pending, Purpose};
use crate::mcp::proxy::record::{Ended, Reply};
use crate::mcp::proxy::relabel::relabelled;
use crate::mcp::proxy::submit;
use crate::mcp::proxy::tools;
use crate::mcp::proxy::upstream::FromUpstream;

impl Session {
    pub(super) fn hear_upstream(&mut self, event: FromUpstream) {
        match event {
            FromUpstream::Message(frame) => self.hear_server(frame),
            FromUpstream::Failed {
                id,
                reason,
                session_reset,
            } => {
                if let Some(mut pending) = self.pending.remove(&id) {
                    pending.session_reset |= session_reset;
                    let text = format!("The server did not answer this call: {reason}.");
                    self.answer(&id, pending, &text, AnsweredBy::Broken);
                }
            }
            FromUpstream::Reopened(answer) => {
                let mut recorder = self.recorder.lock();
                opening::note_reopened(recorder.recording(), &answer);
                recorder.keep();
            }
            FromUpstream::Repeated { id, session_reset } => {
                if let Some(pending) = self.pending.get_mut(&id) {
                    pending.session_reset |= session_reset;
                }
            }
            FromUpstream::Lost(reason) => self.lose(reason),
        }
    }

    fn lose(&mut self, reason: String) {
        self.recorder.lock().lose(&reason);
        let text = loss_text(&reason);
        self.link = Link::Lost(reason);
        for (id, pending) in self.pending.drain() {
            self.answer(&id, pending, &text, AnsweredBy::Broken);
        }
    }

    fn hear_server(&mut self, frame: Frame) {
        if frame.kind() != FrameKind::Response {
            // A client is asked nothing before it has said that it is ready.
            if self.ready || frame.kind() == FrameKind::Notification {
                self.outbox.send(frame);
            } else {
                self.held.push(frame);
            }
            return;
        }
        // A reply that nobody waits for came too late, or never was one.
        let Some(pending) = frame.id().and_then(|id| self.pending.remove(id)) else {
            return;
        };
        let shown = match pending.purpose {
            Purpose::Call(begun) => {
                let reply = frame.result().map_or_else(
                    || Reply::Error(frame.error_text().unwrap_or("{}")),
                    Reply::Result,
                );
                let ended = Ended {
                    answered_by: AnsweredBy::Upstream,
                    reply,
                    session_reset: pending.session_reset,
                };
                let failed_softly = self.recorder.lock().end(begun, &ended);
                (failed_softly && self.setup.strict_upstream_errors)
                    .then(|| frame.with_result(relabelled))
                    .flatten()
            }
            Purpose::List { first } => {
                let own = first.then(|| self.desk.tool());
                frame.with_result(|result| tools::shown(result, &self.setup.tools, own.as_deref()))
            }
            Purpose::Other => None,
        };
        self.outbox.send(shown.unwrap_or(frame));
    }

    /// Ends every request whose time is up, and tells the server that nobody waits.
    pub(super) fn expire(&mut self) {
        let seconds = self.setup.timeout.as_secs_f64();
        for (id, pending) in self.pending.expired(Instant::now()) {
            let why = format!("timed out after {seconds} s");
            let params = format!(
                r#"{{"requestId":{},"reason":{}}}"#,
                id.to_json(),
                json_text(&why)
            );
            self.pass_on(
                Frame::notification("notifications/cancelled", Some(&params)),
                false,
            );
            self.abandon(id.clone());
            let text = format!("The server did not answer: {why}.");
            self.answer(&id, pending, &text, AnsweredBy::TimedOut);
        }
    }

    /// Answers in the server's place: a call with an error that the agent's model reads, anything else with one of the
    /// protocol.
    pub(super) fn answer(&self, id: &Id, pending: Pending, text: &str, answered_by: AnsweredBy) {
        let frame = match pending.purpose {
            Purpose::Call(begun) => {
                let result = submit::result(text.to_owned(), true);
                let ended = Ended {
                    answered_by,
                    reply: Reply::Result(&result),
                    session_reset: pending.session_reset,
                };
                self.recorder.lock().end(begun, &ended);
                Frame::response(id, &result)
            }
            Purpose::List { .. } | Purpose::Other => Frame::error(Some(id), code::NO_REPLY, text),
        };
        self.outbox.send(frame);
    }
}

/// What an agent is told from the loss on. One that is told less goes on trying until its time is up.
pub(super) fn loss_text(reason: &str) -> String {
    format!(
        "The connection to the server is lost and will not come back ({reason}). \
         Calling the server's tools again is pointless. {} still works: submit the best answer you have.",
        submit::NAME
    )
}
