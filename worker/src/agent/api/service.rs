//! The service of a model, over HTTP: asked until there is a whole reply, or no sense in asking.

use std::borrow::Cow;
use std::time::Duration;

use axum::body::Bytes;
use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Response};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout, timeout_at};

use super::key::Key;
use super::patience::{self, MOST_CONNECTS, MOST_TRIES};
use super::price::{Spending, Tokens};
use super::turn::{Assembly, ServiceError, Turn};
use crate::error::with_causes;
use crate::output::one_line;
use crate::settings::without_values;
use crate::sse::{Event, SseParser};
use crate::{Failure, settings, web_client};

/// How much of a refusal is read, in bytes, and told, in characters.
const REFUSAL: usize = 64 << 10;
const WORDS: usize = 600;

/// No turn of a model is larger, in bytes.
pub(crate) const LARGEST_TURN: usize = 64 << 20;

/// What the last event of a stream is with services that have one.
const DONE: &str = "[DONE]";

/// The service of a model.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    client: Client,
    url: String,
    headers: HeaderMap,
    key: Option<Key>,
    silence: Duration,
    /// How large a reply may be, in bytes.
    largest: usize,
}

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoTurn {
    /// The agent's time was up.
    OutOfTime,
    /// The service failed, or refused: what it said.
    Failed(String),
    /// The service does not serve this account, key or model: what it said.
    Denied(String),
    /// The conversation is longer than the model can read.
    Outgrown(String),
}

/// Why a question has no reply however often it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoReply {
    /// Nobody is there.
    NotThere(String),
    /// The service failed, or refused: what it said.
    Failed(String),
    /// The service will not serve whoever asks.
    Denied(String),
    /// The question is longer than the model can read.
    Outgrown(String),
    /// The reply is larger than it may be.
    TooLarge(String),
}

impl From<NoReply> for NoTurn {
    fn from(none: NoReply) -> Self {
        match none {
            NoReply::NotThere(reason) | NoReply::Failed(reason) | NoReply::TooLarge(reason) => {
                Self::Failed(reason)
            }
            NoReply::Denied(reason) => Self::Denied(reason),
            NoReply::Outgrown(reason) => Self::Outgrown(reason),
        }
    }
}

/// Why a try gave no reply.
enum Trouble {
    /// It may pass: after how long, where the service says so. `is_paid`: what was sent may have been worked on.
    Later {
        reason: String,
        wait: Option<Duration>,
        is_paid: bool,
    },
    /// There is no connection, and nothing was sent.
    NotThere(String),
    /// The reply did not come to its end.
    Broken(String),
    /// The reply is larger than it may be, and would be so again.
    TooLarge(String),
    /// Asking again is pointless.
    Final(String),
    /// So is asking anything else.
    Denied(String),
    /// The conversation is longer than the model can read.
    Outgrown(String),
}

impl Trouble {
    /// Whether what was sent may have been worked on.
    fn is_paid(&self) -> bool {
        matches!(
            self,
            Self::Broken(_) | Self::TooLarge(_) | Self::Later { is_paid: true, .. }
        )
    }
}

/// The tries of one question that failed so far.
struct Tries {
    made: u32,
    breaks: u32,
    /// How many to make where there is no connection.
    connects: u32,
}

impl Tries {
    fn new(connects: u32) -> Self {
        Self {
            made: 0,
            breaks: 0,
            connects,
        }
    }

    /// What follows from one more that failed: why it did and how long to wait before the next, or that there is none.
    fn after(&mut self, trouble: Trouble) -> Result<(String, Duration), NoReply> {
        self.made += 1;
        let (reason, asked_for, most) = match trouble {
            Trouble::Final(reason) => return Err(NoReply::Failed(reason)),
            Trouble::Denied(reason) => return Err(NoReply::Denied(reason)),
            Trouble::Outgrown(reason) => return Err(NoReply::Outgrown(reason)),
            Trouble::TooLarge(reason) => return Err(NoReply::TooLarge(reason)),
            Trouble::Broken(reason) => {
                self.breaks += 1;
                if self.breaks > 1 {
                    return Err(NoReply::Failed(format!("{reason}; twice in one turn")));
                }
                (reason, None, MOST_TRIES)
            }
            Trouble::NotThere(reason) if self.made >= self.connects => {
                return Err(NoReply::NotThere(self.given_up(&reason)));
            }
            Trouble::NotThere(reason) => (reason, None, self.connects),
            Trouble::Later { reason, wait, .. } => (reason, wait, MOST_TRIES),
        };
        if self.made >= most {
            return Err(NoReply::Failed(self.given_up(&reason)));
        }
        let wait = patience::wait(asked_for, self.made, patience::chance());
        Ok((reason, wait))
    }

    fn given_up(&self, reason: &str) -> String {
        format!("{reason}; given up after {} tries", self.made)
    }
}

/// The time of an attempt: when it is up, and how much of what went by was the service's and not the agent's.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    deadline: Instant,
    waited: Duration,
}

impl Clock {
    /// A clock that nothing was waited on yet.
    pub(crate) fn new(deadline: Instant) -> Self {
        Self {
            deadline,
            waited: Duration::ZERO,
        }
    }

    /// When the agent's time is up if nothing more is waited for.
    pub(crate) fn end(&self) -> Instant {
        self.deadline + self.waited
    }

    /// Whether it is up.
    pub(crate) fn is_up(&self) -> bool {
        Instant::now() >= self.end()
    }

    /// What was waited for the service.
    pub(crate) fn waited(&self) -> Duration {
        self.waited
    }
}

/// The address of `end` below a base, which may be there already; what a query string of the base says stays.
pub(crate) fn below(base: &str, end: &str) -> String {
    let (path, query) = match base.split_once('?') {
        Some((path, query)) => (path, format!("?{query}")),
        None => (base, String::new()),
    };
    let path = path.trim_end_matches('/');
    let end = if path.ends_with(end) { "" } else { end };
    format!("{path}{end}{query}")
}

impl Service {
    /// A service at an address, which is checked here and has not been reached yet. `silence` is how long it may say
    /// nothing at all, `largest` how many bytes a reply may have.
    pub(crate) fn new(
        url: String,
        headers: HeaderMap,
        key: Option<Key>,
        silence: Duration,
        largest: usize,
    ) -> Result<Self, Failure> {
        let shown = settings::address_shown(&url)?;
        let is_web = reqwest::Url::parse(&url)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        if !is_web {
            return Err(Failure::usage(
                format!("`{shown}` is no address of a model's service"),
                "--base-url takes an address that begins with http:// or https://",
            ));
        }
        // Whoever else is named there must not see the key.
        let none = reqwest::redirect::Policy::none();
        let client = web_client::built(web_client::builder().redirect(none))?;
        Ok(Self {
            client,
            url,
            headers,
            key,
            silence,
            largest,
        })
    }

    /// The address as it may be shown.
    pub(crate) fn shown(&self) -> String {
        without_values(&self.url)
    }

    /// What tells it from another service under which a model may have the same name. Less than what is shown: a query
    /// string may change from day to day where the service stays, and the key may stand in a path.
    pub(crate) fn identity(&self) -> String {
        let sent = self.url.split(['?', '#']).next().unwrap_or_default();
        // Host and scheme in small letters, and no port where it goes without saying.
        let place = reqwest::Url::parse(sent).map_or_else(|_| sent.to_owned(), String::from);
        match &self.key {
            Some(key) => key.redact(&place).into_owned(),
            None => place,
        }
    }

    /// The service's key, where it has one.
    pub(crate) fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    /// Asks until there is a whole reply. `fresh` begins a reply: none is ever put together from two.
    ///
    /// Everything before the try that gave it, failed tries and waits alike, is added to what the clock has waited. Each wait is
    /// `told`, with its reason.
    pub(crate) async fn turn(
        &self,
        body: &Value,
        fresh: &(dyn Fn() -> Box<dyn Assembly> + Sync),
        clock: &mut Clock,
        spending: &mut Spending,
        told: &mut (dyn FnMut(Value) + Send),
    ) -> Result<(Turn, Option<Tokens>), NoTurn> {
        let began = Instant::now();
        let waited_before = clock.waited;
        let mut tries = Tries::new(MOST_CONNECTS);
        loop {
            if tries.made > 0 {
                clock.waited = waited_before + began.elapsed();
            }
            let mut assembly = fresh();
            let asked = timeout_at(clock.end(), self.ask(body, assembly.as_mut())).await;
            let tokens = assembly.tokens();
            let trouble = match asked {
                Ok(Ok(())) => {
                    spending.turn();
                    spending.add(tokens);
                    let mut turn = assembly.turn();
                    if let Some(key) = &self.key {
                        turn.redact(key);
                    }
                    return Ok((turn, tokens));
                }
                Ok(Err(trouble)) => trouble,
                Err(_) => {
                    spending.add_broken(tokens);
                    return Err(NoTurn::OutOfTime);
                }
            };
            if trouble.is_paid() {
                spending.add_broken(tokens);
            }
            let (reason, wait) = tries.after(trouble).inspect_err(|none| {
                // What the conversation has outgrown is the agent's doing.
                if !matches!(none, NoReply::Outgrown(_)) {
                    clock.waited = waited_before + began.elapsed();
                }
            })?;
            told(json!({ "text": reason, "try": tries.made, "wait_s": wait.as_secs_f64() }));
            tokio::time::sleep(wait).await;
        }
    }

    /// Asks until there is a whole reply, and reads it; what cannot be read is told with `read`'s words. No clock runs, and
    /// nothing is kept of what went by. `connects` is how often to ask where nobody is there.
    pub(crate) async fn reply<T>(
        &self,
        body: &Value,
        connects: u32,
        read: impl Fn(&Value) -> Result<T, String>,
    ) -> Result<T, NoReply> {
        let mut tries = Tries::new(connects);
        loop {
            match self.ask_whole(body, &read).await {
                Ok(reply) => return Ok(reply),
                Err(trouble) => tokio::time::sleep(tries.after(trouble)?.1).await,
            }
        }
    }

    /// One try of a turn.
    async fn ask(&self, body: &Value, assembly: &mut dyn Assembly) -> Result<(), Trouble> {
        let reply = self.send(body).await?;
        let kind = reply.headers().get(CONTENT_TYPE);
        let is_stream = kind
            .and_then(|kind| kind.to_str().ok())
            .is_some_and(|kind| kind.contains("event-stream"));
        if is_stream {
            self.read_stream(reply, assembly).await
        } else {
            self.read_whole(reply, assembly).await
        }
    }

    /// One try of a question with one reply.
    async fn ask_whole<T>(
        &self,
        body: &Value,
        read: impl Fn(&Value) -> Result<T, String>,
    ) -> Result<T, Trouble> {
        let mut reply = self.send(body).await?;
        let body = self.body(&mut reply).await?;
        let value = self.json(&body)?;
        if value.get("error").is_some_and(|error| !error.is_null()) {
            return Err(self.told(&ServiceError::read(&value).unwrap_or_default()));
        }
        read(&value).map_err(|reason| Trouble::Final(self.hidden(&reason).into_owned()))
    }

    /// Sends a request; a reply that is a refusal is none.
    async fn send(&self, body: &Value) -> Result<Response, Trouble> {
        let request = self
            .client
            .post(&self.url)
            .headers(self.headers.clone())
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(body.to_string());
        let sent = timeout(self.silence, request.send()).await;
        let reply = match sent.map_err(|_| self.silent())? {
            Ok(reply) => reply,
            Err(error) if error.is_connect() => {
                let reason = format!("cannot reach the service: {}", self.causes(error));
                return Err(Trouble::NotThere(reason));
            }
            Err(error) => {
                return Err(Trouble::Later {
                    reason: format!("the connection broke: {}", self.causes(error)),
                    wait: None,
                    is_paid: true,
                });
            }
        };
        if reply.status().is_success() {
            Ok(reply)
        } else {
            Err(self.refusal(reply).await)
        }
    }

    async fn read_stream(
        &self,
        mut reply: Response,
        assembly: &mut dyn Assembly,
    ) -> Result<(), Trouble> {
        let mut parser = SseParser::default();
        let mut size = 0;
        while let Some(bytes) = self.chunk(&mut reply).await? {
            size += bytes.len();
            self.fits(size)?;
            for event in parser.push(&bytes) {
                self.take(&event, assembly)?;
            }
        }
        // Some servers leave out the last empty line; half of an event is no JSON.
        let last = parser.end().filter(|_| !assembly.is_whole());
        self.take_all(last.into_iter().collect(), assembly)
    }

    /// Takes the last events of a stream.
    fn take_all(&self, events: Vec<Event>, assembly: &mut dyn Assembly) -> Result<(), Trouble> {
        for event in events {
            self.take(&event, assembly)?;
        }
        if assembly.is_whole() {
            Ok(())
        } else {
            Err(Trouble::Broken(
                "the reply ended before it was whole".to_owned(),
            ))
        }
    }

    fn take(&self, event: &Event, assembly: &mut dyn Assembly) -> Result<(), Trouble> {
        if event.data.trim() == DONE {
            assembly.done();
            return Ok(());
        }
        let data: Value = serde_json::from_str(&event.data).map_err(|error| {
            Trouble::Broken(format!(
                "an event of the reply is no JSON ({error}): {}",
                self.words(&event.data)
            ))
        })?;
        assembly.event(&data).map_err(|error| self.told(&error))
    }

    async fn read_whole(
        &self,
        mut reply: Response,
        assembly: &mut dyn Assembly,
    ) -> Result<(), Trouble> {
        let body = self.body(&mut reply).await?;
        if ["data:", "event:"]
            .iter()
            .any(|start| body.starts_with(start.as_bytes()))
        {
            // Some servers forget to say that it is a stream.
            let mut parser = SseParser::default();
            let mut events = parser.push(&body);
            events.extend(parser.end());
            return self.take_all(events, assembly);
        }
        let value = self.json(&body)?;
        assembly.whole(value).map_err(|error| self.told(&error))?;
        if assembly.is_whole() {
            Ok(())
        } else {
            let text = String::from_utf8_lossy(&body);
            Err(Trouble::Broken(format!(
                "the reply holds no message: {}",
                self.words(&text)
            )))
        }
    }

    /// The whole of a reply.
    async fn body(&self, reply: &mut Response) -> Result<Vec<u8>, Trouble> {
        let mut body = Vec::new();
        while let Some(bytes) = self.chunk(reply).await? {
            body.extend_from_slice(&bytes);
            self.fits(body.len())?;
        }
        Ok(body)
    }

    fn json(&self, body: &[u8]) -> Result<Value, Trouble> {
        serde_json::from_slice(body).map_err(|error| {
            let text = String::from_utf8_lossy(body);
            let number = no_number(&text, &error).map(|word| {
                format!("; {word} stands where a number is due, and JSON has no such number")
            });
            Trouble::Broken(format!(
                "the reply is no JSON ({error}{}): {}",
                number.unwrap_or_default(),
                self.words(&text)
            ))
        })
    }

    async fn chunk(&self, reply: &mut Response) -> Result<Option<Bytes>, Trouble> {
        let chunk = timeout(self.silence, reply.chunk()).await;
        chunk.map_err(|_| self.silent())?.map_err(|error| {
            Trouble::Broken(format!("the reply broke off: {}", self.causes(error)))
        })
    }

    /// What a service tells in the midst of a reply.
    fn told(&self, error: &ServiceError) -> Trouble {
        let reason = self.hidden(&error.to_string()).into_owned();
        let passes = matches!(
            error.kind.as_str(),
            "overloaded_error"
                | "rate_limit_error"
                | "api_error"
                | "timeout_error"
                | "server_error"
        );
        let status = error.status.unwrap_or_default();
        if is_outgrown(status, error) {
            Trouble::Outgrown(reason)
        } else if !error.is_used_up() && (passes || patience::may_pass(status, &HeaderMap::new())) {
            Trouble::Later {
                reason,
                wait: None,
                is_paid: true,
            }
        } else if is_denied(status, error) {
            Trouble::Denied(reason)
        } else if matches!(status, 400..=499) || error.kind == "invalid_request_error" {
            Trouble::Final(reason)
        } else {
            Trouble::Broken(reason)
        }
    }

    async fn refusal(&self, mut reply: Response) -> Trouble {
        let status = reply.status().as_u16();
        let headers = reply.headers().clone();
        let mut body = Vec::new();
        while let Ok(Some(bytes)) = self.chunk(&mut reply).await {
            body.extend_from_slice(&bytes);
            if body.len() > REFUSAL {
                break;
            }
        }
        let text = String::from_utf8_lossy(&body);
        let read = serde_json::from_slice(&body)
            .ok()
            .and_then(|body: Value| ServiceError::read(&body));
        let error = read.unwrap_or_else(|| ServiceError {
            message: text.trim().to_owned(),
            ..ServiceError::default()
        });
        let mut reason = format!("HTTP {status}");
        if !error.message.is_empty() {
            reason = format!("{reason}, {}", self.words(&error.to_string()));
        }
        let id = ["request-id", "x-request-id"]
            .into_iter()
            .find_map(|name| headers.get(name)?.to_str().ok());
        if let Some(id) = id {
            reason = format!("{reason} (request {})", self.words(id));
        }
        if is_outgrown(status, &error) {
            Trouble::Outgrown(reason)
        } else if (300..400).contains(&status) {
            Trouble::Final(format!(
                "{reason}: the service is elsewhere; give that address with --base-url"
            ))
        } else if patience::may_pass(status, &headers) && !error.is_used_up() {
            Trouble::Later {
                reason,
                wait: patience::asked_for(&headers, Timestamp::now()),
                is_paid: false,
            }
        } else if is_denied(status, &error) {
            Trouble::Denied(reason)
        } else {
            Trouble::Final(reason)
        }
    }

    fn fits(&self, size: usize) -> Result<(), Trouble> {
        if size > self.largest {
            return Err(Trouble::TooLarge(format!(
                "the reply is larger than {} MiB",
                self.largest >> 20
            )));
        }
        Ok(())
    }

    fn silent(&self) -> Trouble {
        Trouble::Broken(format!(
            "the service said nothing for {} s",
            self.silence.as_secs_f64()
        ))
    }

    fn causes(&self, error: reqwest::Error) -> String {
        self.hidden(&with_causes(&error.without_url())).into_owned()
    }

    fn hidden<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match &self.key {
            Some(key) => key.redact(text),
            None => Cow::Borrowed(text),
        }
    }

    /// The beginning of what a service said, on one line.
    fn words(&self, text: &str) -> String {
        one_line(&self.hidden(text.trim()), WORDS)
    }
}

/// Whether a service says that it does not serve this account, key or model at all: with a status, or in a word of its own where
/// it had begun to reply.
fn is_denied(status: u16, error: &ServiceError) -> bool {
    const KINDS: [&str; 3] = [
        "authentication_error",
        "permission_error",
        "not_found_error",
    ];
    let says_so = KINDS.contains(&error.kind.as_str()) || error.is_used_up();
    patience::is_denied(status) || says_so
}

/// Whether a service says that the conversation is longer than the model can read: the agent's doing, and no failure of
/// the service.
fn is_outgrown(status: u16, error: &ServiceError) -> bool {
    const KINDS: [&str; 3] = [
        "context_length_exceeded",
        "exceed_context_size_error",
        "request_too_large",
    ];
    const WORDS: [&str; 6] = [
        "prompt is too long",
        "input is too long",
        "maximum context length",
        "context window",
        "context length",
        "available context size",
    ];
    if KINDS.contains(&error.kind.as_str()) || status == 413 {
        return true;
    }
    let message = error.message.to_lowercase();
    matches!(status, 400 | 422) && WORDS.iter().any(|words| message.contains(words))
}

/// What some languages write for a number that is none, where an error points at it.
fn no_number(text: &str, error: &serde_json::Error) -> Option<&'static str> {
    let line = text.lines().nth(error.line().checked_sub(1)?)?;
    // Errors point at the word's first letter, give or take one, or at the one behind its sign.
    let first = error.column().saturating_sub(3);
    (first..first + 4).find_map(|at| {
        let from = line.get(at..)?;
        ["NaN", "Infinity", "-Infinity"]
            .into_iter()
            .find(|word| from.starts_with(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_that_is_too_long_is_no_failure_of_the_service() {
        let error = |kind: &str, message: &str| ServiceError {
            kind: kind.to_owned(),
            message: message.to_owned(),
            status: None,
        };
        for (status, kind, message, expected) in [
            (
                400,
                "invalid_request_error",
                "prompt is too long: 210000 tokens > 200000 maximum",
                true,
            ),
            (400, "context_length_exceeded", "…", true),
            (
                400,
                "BadRequestError",
                "This model's maximum context length is 4096 tokens.",
                true,
            ),
            (
                400,
                "exceed_context_size_error",
                "the request exceeds the available context size",
                true,
            ),
            (413, "request_too_large", "", true),
            (
                400,
                "invalid_request_error",
                "max_tokens: 64000 > 32000",
                false,
            ),
            (500, "", "the context window is broken", false),
        ] {
            assert_eq!(
                is_outgrown(status, &error(kind, message)),
                expected,
                "{kind} {message}"
            );
        }
    }

    #[test]
    fn a_word_for_no_number_is_told_where_the_reply_breaks_at_it() {
        for (text, expected) in [
            ("{\"a\": [1, NaN]}", Some("NaN")),
            ("{\"a\": [NaN,1]}", Some("NaN")),
            ("{\"é\": [1,\n Infinity]}", Some("Infinity")),
            ("[-Infinity]", Some("-Infinity")),
            ("[ -Infinity ]", Some("-Infinity")),
            ("[1, None]", None),
            ("{\"a\" 1, \"b\": NaN}", None),
            ("", None),
            ("<html>", None),
        ] {
            let error = serde_json::from_str::<Value>(text).unwrap_err();
            assert_eq!(no_number(text, &error), expected, "{text}: {error}");
        }
    }

    #[test]
    fn what_is_denied_once_is_denied_always_however_it_is_said() {
        let error = |kind: &str| ServiceError {
            kind: kind.to_owned(),
            ..ServiceError::default()
        };
        for (status, kind, expected) in [
            (401, "", true),
            (402, "", true),
            (403, "permission_error", true),
            (404, "", true),
            (429, "insufficient_quota", true),
            (0, "authentication_error", true),
            (0, "not_found_error", true),
            (429, "rate_limit_error", false),
            (400, "invalid_request_error", false),
            (0, "api_error", false),
            (529, "overloaded_error", false),
        ] {
            assert_eq!(is_denied(status, &error(kind)), expected, "{status} {kind}");
        }
    }

    #[test]
    fn a_service_is_told_by_its_address_without_query_and_key() {
        let key = Key::new("sk-0123456789abcdef");
        for (url, identity) in [
            ("https://H.example:443/v1/x", "https://h.example/v1/x"),
            ("http://127.0.0.1:8080/v1/x", "http://127.0.0.1:8080/v1/x"),
            ("https://h/v1/x?token=secret&v=2#there", "https://h/v1/x"),
            ("https://h/sk-0123456789abcdef/v1/x", "https://h/***/v1/x"),
        ] {
            let service = Service::new(
                url.to_owned(),
                HeaderMap::new(),
                key.clone(),
                Duration::from_secs(1),
                LARGEST_TURN,
            );
            assert_eq!(service.unwrap().identity(), identity, "{url}");
        }
    }

    #[test]
    fn an_address_that_is_none_or_holds_a_password_is_refused() {
        let service = |url: &str| {
            Service::new(
                url.to_owned(),
                HeaderMap::new(),
                None,
                Duration::from_secs(1),
                LARGEST_TURN,
            )
        };
        for url in ["ftp://h/x", "nonsense", "http://", "https://u:secret@h/"] {
            let error = service(url).unwrap_err();
            assert!(
                !format!("{error:?} {error} {:?}", error.hint()).contains("secret"),
                "{url}"
            );
        }
        let shown = service("https://h/v1?key=secret").unwrap().shown();
        assert_eq!(shown, "https://h/v1?key=***");
    }
}
