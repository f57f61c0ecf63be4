//! One message and what comes back for it.

use std::time::{Duration, Instant};

use reqwest::header::{ACCEPT, CONTENT_TYPE, DATE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Method, Response, StatusCode};
use tokio::sync::mpsc;

use super::{LAST_EVENT_HEADER, Place, SESSION_HEADER, Session};
use crate::error::with_causes;
use crate::mcp::proxy::frame::{Frame, FrameKind};
use crate::mcp::proxy::upstream::FromUpstream;
use crate::sse::{Event, SseParser};

/// What became of a message.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The response has been handed on, or the notification was taken.
    Answered,
    /// The server does not know the session, and did nothing.
    SessionGone(String),
    /// There is no connection, and nothing was sent.
    NotSent(String),
    /// The server wants nothing from us at all.
    Denied(String),
    /// The server refused this message.
    Refused(String),
    /// The message was sent, and there is no reply to read.
    Broken(String),
}

/// Waits between tries to connect: together long enough for a server that starts again.
const CONNECT_AGAIN: [Duration; 4] = [
    Duration::from_millis(100),
    Duration::from_millis(400),
    Duration::from_secs(1),
    Duration::from_secs(2),
];

/// A refusal that names a time is waited for this often, and no longer than [`LONGEST_WAIT`] each time.
const MOST_WAITS: u32 = 3;
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// How often a stream is taken up again without anything coming.
const MOST_RESUMPTIONS: u32 = 5;
const RESUME_AFTER: Duration = Duration::from_secs(1);

/// How much of a body is told.
const WORDS: usize = 2048;

/// How long the rest of a stream is read after the response, so that the connection can be used again.
const LINGER: Duration = Duration::from_millis(50);

/// Sends a message and hands on every message that comes back, the response last; what became of it, and the session
/// that the server named.
pub(super) async fn exchange(
    place: &Place,
    session: &Session,
    frame: &Frame,
    events: &mpsc::Sender<FromUpstream>,
) -> (Outcome, Option<HeaderValue>) {
    let mut connects = CONNECT_AGAIN.into_iter();
    let started = Instant::now();
    let mut waits = 0;
    loop {
        let request = place
            .request(Method::POST, session)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream")
            .body(frame.text().to_owned());
        let reply = match request.send().await {
            Ok(reply) => reply,
            Err(error) if error.is_connect() => match connects.next() {
                // Well before the request's own time is up: that there is no server is to be told as what it is.
                Some(wait) if started.elapsed() + wait < place.limit / 2 => {
                    tokio::time::sleep(wait).await;
                    continue;
                }
                _ => return (Outcome::NotSent(causes(error)), None),
            },
            Err(error) => return (Outcome::Broken(causes(error)), None),
        };
        if let Some(wait) = asked_to_wait(&reply).filter(|_| waits < MOST_WAITS) {
            waits += 1;
            tokio::time::sleep(wait).await;
            continue;
        }
        let named = reply.headers().get(SESSION_HEADER).cloned();
        let outcome = if reply.status().is_success() {
            read(place, session, frame, reply, events).await
        } else {
            refused(session, frame, reply, events).await
        };
        return (outcome, named);
    }
}

/// How long to wait before the same message is welcome, where the server says so.
fn asked_to_wait(reply: &Response) -> Option<Duration> {
    let status = reply.status();
    if status != StatusCode::TOO_MANY_REQUESTS && status != StatusCode::SERVICE_UNAVAILABLE {
        return None;
    }
    let headers: Vec<(String, String)> = [RETRY_AFTER, DATE]
        .into_iter()
        .filter_map(|name| {
            Some((
                name.to_string(),
                reply.headers().get(&name)?.to_str().ok()?.to_owned(),
            ))
        })
        .collect();
    // The rules of the SPARQL protocol's replies hold here, too: seconds, or a date against the server's own clock.
    let refusal = federation::protocol::parse_reply(status.as_u16(), &headers, b"").err()?;
    let seconds = refusal.retry_after?;
    Some(Duration::from_secs(seconds).min(LONGEST_WAIT))
}

async fn read(
    place: &Place,
    session: &Session,
    frame: &Frame,
    reply: Response,
    events: &mpsc::Sender<FromUpstream>,
) -> Outcome {
    if is_stream(reply.headers()) {
        return stream(place, session, frame, reply, events).await;
    }
    let status = reply.status();
    let body = match reply.bytes().await {
        Ok(body) => body,
        Err(error) => return Outcome::Broken(format!("the reply broke off: {}", causes(error))),
    };
    if frame.kind() != FrameKind::Request {
        return Outcome::Answered;
    }
    if body.trim_ascii().is_empty() {
        return Outcome::Broken(format!("the server answered {status} without a reply"));
    }
    let frames = match Frame::read_all(&body) {
        Ok(frames) => frames,
        Err(error) => {
            return Outcome::Broken(format!(
                "the reply cannot be read: {error}: {}",
                words(&body)
            ));
        }
    };
    if hand_on(frame, frames, events).await {
        Outcome::Answered
    } else {
        Outcome::Broken("the server's reply answers another request".to_owned())
    }
}

async fn refused(
    session: &Session,
    frame: &Frame,
    reply: Response,
    events: &mpsc::Sender<FromUpstream>,
) -> Outcome {
    let status = reply.status();
    let body = reply.bytes().await.unwrap_or_default();
    let reason = format!("HTTP {status}: {}", words(&body));
    let error = Frame::read_all(&body).ok().and_then(|frames| {
        frames
            .into_iter()
            .find(|frame| frame.error_text().is_some())
    });
    // Some servers that do not know a session do not know the status for that either.
    let is_gone =
        status == StatusCode::NOT_FOUND || (status == StatusCode::BAD_REQUEST && error.is_none());
    match (status, error) {
        _ if is_gone && session.id.is_some() => Outcome::SessionGone(reason),
        (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, _) => Outcome::Denied(reason),
        (_, Some(error)) if frame.kind() == FrameKind::Request => {
            let (Some(id), Some(text)) = (frame.id(), error.error_text()) else {
                return Outcome::Refused(reason);
            };
            // Refusals of the transport seldom name the request that they refuse.
            let error = if error.answers(id) {
                error
            } else {
                Frame::error_response(id, text)
            };
            let _ = events.send(FromUpstream::Message(error)).await;
            Outcome::Answered
        }
        _ => Outcome::Refused(reason),
    }
}

/// Reads a stream up to the response, and takes it up again where it breaks off and the server offers that.
async fn stream(
    place: &Place,
    session: &Session,
    frame: &Frame,
    mut reply: Response,
    events: &mpsc::Sender<FromUpstream>,
) -> Outcome {
    let mut parser = SseParser::default();
    let mut resumptions = 0;
    loop {
        let end = loop {
            match reply.chunk().await {
                Ok(Some(bytes)) => {
                    for Event { data, .. } in
                        parser.push(&bytes).into_iter().filter(Event::is_message)
                    {
                        resumptions = 0;
                        let frames = match Frame::read_all(data.as_bytes()) {
                            Ok(frames) => frames,
                            Err(error) => {
                                return Outcome::Broken(format!(
                                    "the reply cannot be read: {error}: {}",
                                    words(data.as_bytes())
                                ));
                            }
                        };
                        if hand_on(frame, frames, events).await {
                            tokio::spawn(tokio::time::timeout(LINGER, async move {
                                while let Ok(Some(_)) = reply.chunk().await {}
                            }));
                            return Outcome::Answered;
                        }
                    }
                }
                Ok(None) if parser.is_midway() => {
                    break "the server ended the stream in the middle of an event".to_owned();
                }
                Ok(None) => break "the server ended the stream before the reply".to_owned(),
                Err(error) => break format!("the reply broke off: {}", causes(error)),
            }
        };
        if frame.kind() != FrameKind::Request {
            return Outcome::Answered;
        }
        let Some(last) = parser.last_id().filter(|_| resumptions < MOST_RESUMPTIONS) else {
            return Outcome::Broken(end);
        };
        resumptions += 1;
        tokio::time::sleep(parser.retry().unwrap_or(RESUME_AFTER).min(LONGEST_WAIT)).await;
        match resume(place, session, Some(last)).await {
            Some(resumed) => {
                parser = parser.next();
                reply = resumed;
            }
            None => return Outcome::Broken(end),
        }
    }
}

/// Opens the stream of what the server says on its own, or takes a stream up again after an event.
pub(super) async fn resume(
    place: &Place,
    session: &Session,
    last_event: Option<&str>,
) -> Option<Response> {
    let mut request = place
        .request(Method::GET, session)
        .header(ACCEPT, "text/event-stream");
    if let Some(last) = last_event {
        request = request.header(LAST_EVENT_HEADER, last);
    }
    let reply = request.send().await.ok()?;
    (reply.status().is_success() && is_stream(reply.headers())).then_some(reply)
}

/// Hands messages on; whether the response to `frame` was among them.
async fn hand_on(frame: &Frame, frames: Vec<Frame>, events: &mpsc::Sender<FromUpstream>) -> bool {
    let mut answered = false;
    for message in frames {
        answered |= frame.id().is_some_and(|id| message.answers(id));
        let _ = events.send(FromUpstream::Message(message)).await;
    }
    answered
}

fn is_stream(headers: &HeaderMap) -> bool {
    let content_type = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    content_type.is_some_and(|value| {
        value
            .trim_start()
            .to_ascii_lowercase()
            .starts_with("text/event-stream")
    })
}

fn words(body: &[u8]) -> String {
    let start = body.get(..WORDS.min(body.len())).unwrap_or_default();
    let text = String::from_utf8_lossy(start);
    match text.trim() {
        "" => "(no text)".to_owned(),
        text => text.to_owned(),
    }
}

/// What the connection said, without the address: its query string may hold a secret.
pub(super) fn causes(error: reqwest::Error) -> String {
    with_causes(&error.without_url())
}
