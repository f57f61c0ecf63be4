//! A server that speaks streamable HTTP: one POST a message, and one stream for what the server says on its own.
//!
//! The task decides what becomes of a request whose exchange went wrong, and the rule is one: it is passed on again only
//! if the server cannot have carried it out, or if carrying it out twice does no harm.
//!
//! | what was seen | then |
//! |---|---|
//! | no connection | tried again for a few seconds; then the connection is lost |
//! | 404, or 400 without a JSON-RPC error, for a session | the session is opened again, once; the request was refused, and is repeated |
//! | the same again before anything was answered | the connection is lost |
//! | 429 or 503 with `Retry-After` | waited for, as the server says; the request was refused, and is repeated |
//! | 401, 403 | the connection is lost |
//! | any other refusal | the request fails, in the server's words |
//! | the reply breaks off, or cannot be read | taken up again where the server offers that; else a request that changes nothing is repeated once, any other fails |
//! | three failures in a row | the connection is lost |

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::{FAREWELL, FromUpstream, Order, QUEUE, Upstream};
use crate::mcp::proxy::frame::{Frame, FrameKind, Id};

mod exchange;
mod handshake;
mod listen;

use exchange::{Outcome, exchange};
use handshake::handshake;

const SESSION_HEADER: &str = "mcp-session-id";
const VERSION_HEADER: &str = "mcp-protocol-version";
const LAST_EVENT_HEADER: &str = "last-event-id";

/// So many requests may fail one after another before the connection counts as lost.
const MOST_FAILURES: u32 = 3;

/// Where the server is, and how long it is waited for.
#[derive(Debug)]
struct Place {
    client: reqwest::Client,
    url: String,
    headers: HeaderMap,
    limit: Duration,
}

/// One session with the server; the generation counts how often it was opened.
#[derive(Clone, Debug, Default)]
struct Session {
    id: Option<HeaderValue>,
    version: Option<HeaderValue>,
    generation: u32,
}

pub(super) async fn open(
    url: &str,
    headers: &[(String, String)],
    initialize: &Frame,
    limit: Duration,
) -> Result<(Upstream, Frame), String> {
    let place = Arc::new(Place::new(url, headers, limit)?);
    let (events, received) = mpsc::channel(QUEUE);
    let (session, answer) = handshake(&place, initialize, 1, &events).await?;
    let (orders, ordered) = mpsc::unbounded_channel();
    if answer.error_text().is_none() {
        let (reports, reported) = mpsc::unbounded_channel();
        let listening = listen::start(&place, &session, &events);
        let link = Link {
            place,
            session,
            initialize: initialize.clone(),
            events,
            reports,
            flights: HashMap::new(),
            listening,
            has_answered: true,
            failures: 0,
        };
        tokio::spawn(link.run(ordered, reported));
    }
    let upstream = Upstream {
        orders,
        events: received,
    };
    Ok((upstream, answer))
}

impl Place {
    fn new(url: &str, headers: &[(String, String)], limit: Duration) -> Result<Self, String> {
        let same_origin = reqwest::redirect::Policy::custom(|attempt| {
            let from = attempt.previous().first().map(reqwest::Url::origin);
            if from == Some(attempt.url().origin()) && attempt.previous().len() <= 5 {
                attempt.follow()
            } else {
                // Whoever else is named there must not see the headers.
                attempt.stop()
            }
        });
        let client = crate::web_client::builder()
            .connect_timeout(Duration::from_secs(10))
            .redirect(same_origin)
            .build()
            .map_err(exchange::causes)?;
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let wrong = || format!("the profile's header {name} is none");
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong())?;
            let mut value = HeaderValue::from_str(value).map_err(|_| wrong())?;
            value.set_sensitive(true);
            map.insert(name, value);
        }
        Ok(Self {
            client,
            url: url.to_owned(),
            headers: map,
            limit,
        })
    }

    fn request(&self, method: reqwest::Method, session: &Session) -> reqwest::RequestBuilder {
        let mut request = self
            .client
            .request(method, &self.url)
            .headers(self.headers.clone());
        if let Some(id) = &session.id {
            request = request.header(SESSION_HEADER, id);
        }
        if let Some(version) = &session.version {
            request = request.header(VERSION_HEADER, version);
        }
        request
    }
}

/// A message on its way.
#[derive(Debug)]
struct Flight {
    frame: Frame,
    repeatable: bool,
    repeated: bool,
    generation: u32,
    task: AbortHandle,
}

/// What became of a message.
#[derive(Debug)]
struct Report {
    id: Id,
    generation: u32,
    outcome: Outcome,
}

struct Link {
    place: Arc<Place>,
    session: Session,
    initialize: Frame,
    events: mpsc::Sender<FromUpstream>,
    reports: mpsc::UnboundedSender<Report>,
    flights: HashMap<Id, Flight>,
    listening: AbortHandle,
    /// Whether the server has answered anything since it was connected to: one that has not is not connected to again.
    has_answered: bool,
    failures: u32,
}

impl Link {
    async fn run(
        mut self,
        mut orders: mpsc::UnboundedReceiver<Order>,
        mut reports: mpsc::UnboundedReceiver<Report>,
    ) {
        let close = loop {
            tokio::select! {
                order = orders.recv() => match order {
                    Some(Order::Send { frame, repeatable }) => self.send(frame, repeatable),
                    Some(Order::Abandon(id)) => {
                        if let Some(flight) = self.flights.remove(&id) {
                            flight.task.abort();
                        }
                    }
                    Some(Order::Close(done)) => break Some(done),
                    None => break None,
                },
                Some(report) = reports.recv() => {
                    if let Err(reason) = self.settle(report, &mut reports).await {
                        let _ = self.events.send(FromUpstream::Lost(reason)).await;
                        break None;
                    }
                }
            }
        };
        self.listening.abort();
        for flight in self.flights.values() {
            flight.task.abort();
        }
        if let Some(done) = close {
            self.farewell().await;
            let _ = done.send(());
        }
    }

    /// Passes a message on. Only requests are followed to their end: nobody would be told about the rest.
    fn send(&mut self, frame: Frame, repeatable: bool) {
        match frame.id() {
            Some(id) if frame.kind() == FrameKind::Request => {
                let id = id.clone();
                let task = self.start(&id, &frame);
                let flight = Flight {
                    frame,
                    repeatable,
                    repeated: false,
                    generation: self.session.generation,
                    task,
                };
                self.flights.insert(id, flight);
            }
            _ => {
                let (place, session, events) = (
                    Arc::clone(&self.place),
                    self.session.clone(),
                    self.events.clone(),
                );
                tokio::spawn(async move {
                    let _ = exchange(&place, &session, &frame, &events).await;
                });
            }
        }
    }

    fn start(&self, id: &Id, frame: &Frame) -> AbortHandle {
        let (place, session, frame) =
            (Arc::clone(&self.place), self.session.clone(), frame.clone());
        let (events, reports, id) = (self.events.clone(), self.reports.clone(), id.clone());
        let task = tokio::spawn(async move {
            let outcome = exchange(&place, &session, &frame, &events).await.0;
            let _ = reports.send(Report {
                id,
                generation: session.generation,
                outcome,
            });
        });
        task.abort_handle()
    }

    /// Decides what follows from what became of a request; why the connection is lost, if it is.
    async fn settle(
        &mut self,
        report: Report,
        others: &mut mpsc::UnboundedReceiver<Report>,
    ) -> Result<(), String> {
        let Report {
            id,
            generation,
            outcome,
        } = report;
        // What was abandoned, or repeated since, is of no interest any more.
        if self
            .flights
            .get(&id)
            .is_none_or(|flight| flight.generation != generation)
        {
            return Ok(());
        }
        match outcome {
            Outcome::Answered => {
                self.flights.remove(&id);
                self.has_answered = true;
                self.failures = 0;
                Ok(())
            }
            Outcome::SessionGone(reason) => {
                if !self.has_answered {
                    return Err(reason);
                }
                self.reopen(id, others).await
            }
            Outcome::NotSent(reason) | Outcome::Denied(reason) => Err(reason),
            Outcome::Refused(reason) => self.fail(&id, reason).await,
            Outcome::Broken(reason) => {
                let Some(flight) = self
                    .flights
                    .get(&id)
                    .filter(|flight| flight.repeatable && !flight.repeated)
                else {
                    let reason =
                        format!("{reason}; the server may or may not have carried the call out");
                    return self.fail(&id, reason).await;
                };
                let task = self.start(&id, &flight.frame);
                self.again(&id, task, false).await;
                Ok(())
            }
        }
    }

    async fn fail(&mut self, id: &Id, reason: String) -> Result<(), String> {
        self.failures += 1;
        if self.failures >= MOST_FAILURES {
            return Err(format!(
                "{MOST_FAILURES} requests in a row failed, the last one so: {reason}"
            ));
        }
        self.flights.remove(id);
        self.give_up(id.clone(), reason, false).await;
        Ok(())
    }

    async fn give_up(&self, id: Id, reason: String, session_reset: bool) {
        let event = FromUpstream::Failed {
            id,
            reason,
            session_reset,
        };
        let _ = self.events.send(event).await;
    }

    /// Opens the session again after it refused the request `refused`, and repeats or ends every other one that is under
    /// way: their replies belong to the session that is gone.
    async fn reopen(
        &mut self,
        refused: Id,
        others: &mut mpsc::UnboundedReceiver<Report>,
    ) -> Result<(), String> {
        self.listening.abort();
        let generation = self.session.generation + 1;
        let opening = handshake(&self.place, &self.initialize, generation, &self.events);
        let opened = tokio::time::timeout(self.place.limit, opening).await;
        let timed_out = || Err("no answer to initialize in time".to_owned());
        let (session, answer) = opened
            .unwrap_or_else(|_| timed_out())
            .map_err(|reason| format!("the session ended and cannot be opened again: {reason}"))?;
        if let Some(error) = answer.error_text() {
            return Err(format!(
                "the session ended and the server does not open it again: {error}"
            ));
        }
        // Those that were sent together with the refused one have been refused, too, by now.
        let mut harmless = HashSet::from([refused]);
        while let Ok(report) = others.try_recv() {
            match report.outcome {
                Outcome::SessionGone(_) | Outcome::NotSent(_) => {
                    harmless.insert(report.id);
                }
                Outcome::Answered => {
                    self.flights.remove(&report.id);
                }
                Outcome::Denied(_) | Outcome::Refused(_) | Outcome::Broken(_) => {}
            }
        }
        self.session = session;
        self.has_answered = false;
        self.listening = listen::start(&self.place, &self.session, &self.events);
        let _ = self.events.send(FromUpstream::Reopened(answer)).await;
        let ids: Vec<Id> = self.flights.keys().cloned().collect();
        for id in ids {
            let Some(flight) = self.flights.get(&id) else {
                continue;
            };
            flight.task.abort();
            if flight.repeatable || harmless.contains(&id) {
                let task = self.start(&id, &flight.frame);
                self.again(&id, task, true).await;
            } else {
                self.flights.remove(&id);
                let reason = "the server's session ended and was opened again while the call was under way; \
                              the server may or may not have carried it out";
                self.give_up(id, reason.to_owned(), true).await;
            }
        }
        Ok(())
    }

    async fn again(&mut self, id: &Id, task: AbortHandle, session_reset: bool) {
        if let Some(flight) = self.flights.get_mut(id) {
            flight.repeated = true;
            flight.generation = self.session.generation;
            flight.task = task;
        }
        let event = FromUpstream::Repeated {
            id: id.clone(),
            session_reset,
        };
        let _ = self.events.send(event).await;
    }

    /// Tells the server that the session is over; servers need not care.
    async fn farewell(&self) {
        if self.session.id.is_some() {
            let request = self.place.request(reqwest::Method::DELETE, &self.session);
            let _ = tokio::time::timeout(FAREWELL, request.send()).await;
        }
    }
}
