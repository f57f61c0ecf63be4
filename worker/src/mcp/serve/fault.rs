//! The ways in which the server can fail on purpose: each is one that programs in front of such servers have met.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use oxrdf::Variable;
use rmcp::model::{
    CallToolResult, ContentBlock, ErrorData, JsonObject, ListToolsResult, MetaObject, Tool,
};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::arguments;
use super::expansion;
use crate::Failure;

/// A way to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The ontology tools say in their payload that they are rate-limited.
    TooManyInBody,
    /// A text that is nothing but an error message.
    ErrorText,
    /// A payload that says `ok` and carries an error.
    OkWithError,
    /// An error by the book, with everything that a result can have.
    RichError,
    /// A payload that breaks off.
    CutJson,
    /// A payload of five megabytes.
    LargeReply,
    /// The list of tools comes in pages.
    PagedTools,
    /// A build whose `lookup_uri` does not work.
    BrokenLookup,
    /// The rewriter breaks on VALUES of the variable that the terms are bound to.
    ValuesCollision,
    /// The rewriter breaks on BIND of a term.
    BindCollision,
    /// A call that is never answered.
    Hang,
    /// The server ends in the middle of a call.
    Exit,
    /// The connection breaks in the middle of a call, and the session is forgotten.
    DroppedSession,
    /// The server has been restarted: it does not know the session.
    Restart,
    /// A call is never answered, and the next one finds the server restarted.
    RestartWhilePending,
    /// The reply to a call breaks off.
    CutReply,
    /// Calls are refused with status 401.
    Unauthorized,
    /// Calls are refused with status 404.
    NotFound,
    /// Calls are refused with status 503.
    Unavailable,
}

/// Where a fault is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In what a tool replies, whatever the transport.
    Tool,
    /// In the transport, which has to be HTTP.
    Http,
    /// In the transport where it is HTTP, else in the tool.
    Either,
}

struct Entry {
    fault: Fault,
    name: &'static str,
    place: Place,
    /// Whether all goes well again after one call.
    once: bool,
    about: &'static str,
}

const fn entry(
    fault: Fault,
    name: &'static str,
    place: Place,
    once: bool,
    about: &'static str,
) -> Entry {
    Entry {
        fault,
        name,
        place,
        once,
        about,
    }
}

const ALWAYS: bool = false;
const ONCE: bool = true;

const FAULTS: [Entry; 19] = [
    entry(
        Fault::TooManyInBody,
        "429-in-body",
        Place::Tool,
        ALWAYS,
        "lookup_uri and get_descendants find nothing and say `HTTP Error 429: Too Many Requests` in their payload",
    ),
    entry(
        Fault::ErrorText,
        "error-text",
        Place::Tool,
        ALWAYS,
        "query replies with a text that is an error message and nothing else, isError unset",
    ),
    entry(
        Fault::OkWithError,
        "ok-with-error",
        Place::Tool,
        ALWAYS,
        "query replies {\"ok\": true, \"data\": [], \"error\": …}",
    ),
    entry(
        Fault::RichError,
        "rich-error",
        Place::Tool,
        ALWAYS,
        "query replies with isError true, two content blocks, structured content and _meta",
    ),
    entry(
        Fault::CutJson,
        "cut-json",
        Place::Tool,
        ALWAYS,
        "query's JSON breaks off in the middle",
    ),
    entry(
        Fault::LargeReply,
        "5mb",
        Place::Tool,
        ALWAYS,
        "query replies with five megabytes of rows",
    ),
    entry(
        Fault::PagedTools,
        "paged-tools",
        Place::Tool,
        ALWAYS,
        "the list of tools comes three at a time",
    ),
    entry(
        Fault::BrokenLookup,
        "broken-lookup",
        Place::Tool,
        ALWAYS,
        "lookup_uri fails, everything else works",
    ),
    entry(
        Fault::ValuesCollision,
        "values-collision",
        Place::Tool,
        ALWAYS,
        "query with bind_expansion_to breaks where the query has VALUES of that variable",
    ),
    entry(
        Fault::BindCollision,
        "bind-collision",
        Place::Tool,
        ALWAYS,
        "query breaks where the query has BIND of an ontology term",
    ),
    entry(
        Fault::Hang,
        "hang",
        Place::Either,
        ONCE,
        "a call is taken and nothing is ever sent",
    ),
    entry(
        Fault::Exit,
        "exit",
        Place::Tool,
        ONCE,
        "the server ends in the middle of a call",
    ),
    entry(
        Fault::DroppedSession,
        "dropped-session",
        Place::Http,
        ONCE,
        "the connection breaks in the middle of a call, and the session is forgotten; a new one can be opened",
    ),
    entry(
        Fault::Restart,
        "restart",
        Place::Http,
        ONCE,
        "a call finds its session unknown (404); a new one can be opened",
    ),
    entry(
        Fault::RestartWhilePending,
        "restart-while-pending",
        Place::Http,
        ONCE,
        "a call is never answered, and the next one finds its session unknown",
    ),
    entry(
        Fault::CutReply,
        "cut-reply",
        Place::Http,
        ALWAYS,
        "the body of the reply to a call breaks off",
    ),
    entry(
        Fault::Unauthorized,
        "401",
        Place::Http,
        ALWAYS,
        "calls are refused with status 401",
    ),
    entry(
        Fault::NotFound,
        "404",
        Place::Http,
        ALWAYS,
        "calls are refused with status 404, in a new session too",
    ),
    entry(
        Fault::Unavailable,
        "503",
        Place::Http,
        ALWAYS,
        "calls are refused with status 503",
    ),
];

impl Fault {
    /// The fault of that name.
    pub fn named(name: &str, http: bool) -> Result<Self, Failure> {
        let entry = FAULTS
            .iter()
            .find(|entry| entry.name == name)
            .ok_or_else(|| {
                let names: Vec<&str> = FAULTS.iter().map(|entry| entry.name).collect();
                Failure::usage(
                    format!("no fault `{name}`"),
                    format!("the faults are {}", names.join(", ")),
                )
            })?;
        if entry.place == Place::Http && !http {
            return Err(Failure::usage(
                format!("fault `{name}` is one of HTTP, and standard input and output have none"),
                "serve HTTP with --http 127.0.0.1:0",
            ));
        }
        Ok(entry.fault)
    }

    /// Every fault: its name, whether it needs HTTP, and what it does.
    pub fn list() -> impl Iterator<Item = (&'static str, bool, &'static str)> {
        FAULTS
            .iter()
            .map(|entry| (entry.name, entry.place == Place::Http, entry.about))
    }

    fn entry(self) -> Option<&'static Entry> {
        FAULTS.iter().find(|entry| entry.fault == self)
    }
}

/// Decides which calls fail, and how.
#[derive(Debug, Default)]
pub struct Bench {
    fault: Option<Fault>,
    after: usize,
    http: bool,
    calls: AtomicUsize,
    /// Told when the server is to end.
    pub(super) end: Arc<Notify>,
}

impl Bench {
    /// Fails after so many calls that go well.
    pub fn new(fault: Option<Fault>, after: usize, http: bool) -> Self {
        Self {
            fault,
            after,
            http,
            ..Self::default()
        }
    }

    /// The server's version: one that fails on purpose is another build.
    pub(super) fn version(&self, version: &str) -> String {
        match self.fault.and_then(Fault::entry) {
            Some(entry) => format!("{version}+fault.{}", entry.name),
            None => version.to_owned(),
        }
    }

    /// Whether the fault is one that clients without sessions would never see.
    pub(super) fn needs_sessions(&self) -> bool {
        matches!(
            self.fault,
            Some(Fault::DroppedSession | Fault::Restart | Fault::RestartWhilePending)
        )
    }

    /// The fault of the next call, counted for the place where this fault is made.
    fn next(&self, in_http: bool) -> Option<(Fault, usize)> {
        let fault = self.fault?;
        let entry = fault.entry()?;
        let made_in_http = match entry.place {
            Place::Tool => false,
            Place::Http => true,
            Place::Either => self.http,
        };
        if made_in_http != in_http {
            return None;
        }
        let place = self
            .calls
            .fetch_add(1, Ordering::SeqCst)
            .checked_sub(self.after)?;
        let calls = match fault {
            Fault::RestartWhilePending => 2,
            _ => 1,
        };
        (!entry.once || place < calls).then_some((fault, place))
    }

    /// What becomes of the next call on its way through HTTP.
    pub(super) fn in_transport(&self) -> Option<InTransport> {
        Some(match self.next(true)? {
            (Fault::Hang, _) | (Fault::RestartWhilePending, 0) => InTransport::Silence,
            (Fault::Restart | Fault::RestartWhilePending, _) => InTransport::Forget,
            (Fault::DroppedSession, _) => InTransport::ForgetAndBreak,
            (Fault::CutReply, _) => InTransport::Cut,
            (Fault::Unauthorized, _) => InTransport::Status(401),
            (Fault::NotFound, _) => InTransport::Status(404),
            (Fault::Unavailable, _) => InTransport::Status(503),
            _ => return None,
        })
    }

    /// The reply in the place of a tool's own; none where the call goes well.
    pub(super) async fn instead(
        &self,
        tool: &str,
        arguments: &JsonObject,
    ) -> Option<CallToolResult> {
        let (fault, _) = self.next(false)?;
        match (fault, tool) {
            (Fault::TooManyInBody, "get_descendants") => Some(payload(&json!({
                "uri": arguments.get("uri"),
                "label": null,
                "max_depth": arguments.get("max_depth").cloned().unwrap_or(json!(5)),
                "descendant_count": 0,
                "descendants": [],
                "error": "Failed to fetch descendants: HTTP Error 429: Too Many Requests",
            }))),
            (Fault::TooManyInBody | Fault::BrokenLookup, "lookup_uri") => Some(payload(&json!({
                "query_label": arguments.get("label"),
                "match_count": 0,
                "matches": [],
                "error": "Lookup failed: HTTP Error 429: Too Many Requests",
            }))),
            (Fault::ErrorText, "query") => Some(text(
                "Error: HTTP 400 Bad Request: undefined prefix at line 1",
            )),
            (Fault::OkWithError, "query") => Some(payload(&json!({
                "ok": true,
                "data": [],
                "error": "the endpoint did not answer",
            }))),
            (Fault::RichError, "query") => Some(rich_error()),
            (Fault::CutJson, "query") => Some(text(
                "{\"graph_name\":\"nde\",\"columns\":[\"condition\",\"n\"],\"data\":[[\"http://purl.obolibrary.org/obo/MONDO_0",
            )),
            (Fault::LargeReply, "query") => Some(payload(&large())),
            (Fault::ValuesCollision | Fault::BindCollision, "query") => collision(fault, arguments),
            (Fault::Hang, _) => std::future::pending().await,
            (Fault::Exit, _) => {
                self.end.notify_one();
                std::future::pending().await
            }
            _ => None,
        }
    }

    /// Whether the process is to end in the midst of a call: then nothing more is said, not even that the call was cancelled on the way out.
    pub(super) fn dies(&self) -> bool {
        self.fault == Some(Fault::Exit)
    }

    /// A page of the tools: all of them, unless they are to come in pages.
    pub(super) fn page(
        &self,
        tools: Vec<Tool>,
        cursor: Option<&str>,
    ) -> Result<ListToolsResult, ErrorData> {
        const PAGE: usize = 3;
        if self.fault != Some(Fault::PagedTools) {
            return Ok(ListToolsResult::with_all_items(tools));
        }
        let start: usize = match cursor {
            None => 0,
            Some(cursor) => cursor.parse().map_err(|_| {
                ErrorData::invalid_params(format!("no page begins at `{cursor}`"), None)
            })?,
        };
        let rest = tools.len().saturating_sub(start);
        let page = tools.into_iter().skip(start).take(PAGE).collect();
        let mut result = ListToolsResult::with_all_items(page);
        result.next_cursor = (rest > PAGE).then(|| (start + PAGE).to_string());
        Ok(result)
    }
}

/// What becomes of a request on its way through HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InTransport {
    /// Nothing is ever sent.
    Silence,
    /// Every session is forgotten before the request is looked at.
    Forget,
    /// Every session is forgotten, and the connection breaks after the head of the reply.
    ForgetAndBreak,
    /// The reply breaks off in the middle.
    Cut,
    /// Refused with this status.
    Status(u16),
}

fn text(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

fn payload(value: &Value) -> CallToolResult {
    text(&value.to_string())
}

fn rich_error() -> CallToolResult {
    let mut meta = MetaObject::new();
    meta.insert("org.example/trace".to_owned(), json!({"id": 7, "at": 1.50}));
    let mut result = CallToolResult::error(vec![
        ContentBlock::text("the endpoint refused the query"),
        ContentBlock::text("undefined prefix at line 1"),
    ]);
    result.structured_content = Some(json!({"error": {"line": 1, "prefix": null}}));
    result.with_meta(Some(meta))
}

/// Rows whose text is five megabytes long.
fn large() -> Value {
    const BYTES: usize = 5 << 20;
    let row = json!([
        "http://purl.obolibrary.org/obo/MONDO_0004995",
        "cardiovascular disorder",
        "447"
    ]);
    let count = BYTES / row.to_string().len() + 1;
    json!({
        "graph_name": "nde",
        "columns": ["condition", "name", "datasets"],
        "data": vec![row; count],
        "count": count,
    })
}

/// The published messages of the public server's rewriter, where a query is one that it breaks on.
fn collision(fault: Fault, arguments: &JsonObject) -> Option<CallToolResult> {
    let asked: arguments::Query = serde_json::from_value(Value::Object(arguments.clone())).ok()?;
    let query = federation::parse_query(&asked.query_string).ok()?;
    if !asked.auto_expand_descendants {
        return None;
    }
    let message = if fault == Fault::ValuesCollision {
        let name = asked.bind_expansion_to?.into_iter().next()?;
        let variable = Variable::new(name.trim_start_matches(['?', '$'])).ok()?;
        expansion::lists_terms(&query, &variable)
            .then(|| format!("Token \"{variable}\": extraneous input '{variable}'"))?
    } else {
        let variable = expansion::binds_term(&query)?;
        format!(
            "The target variable {variable} of an AS clause was already used before in the query body"
        )
    };
    Some(payload(
        &json!({ "error": format!("Query execution failed: {message}") }),
    ))
}

#[cfg(test)]
mod tests {
    use super::{Bench, FAULTS, Fault, InTransport, Place};

    #[test]
    fn every_fault_is_in_the_table_once_and_found_by_name() {
        for entry in &FAULTS {
            assert_eq!(Fault::named(entry.name, true).unwrap(), entry.fault);
            assert_eq!(entry.fault.entry().unwrap().name, entry.name);
            assert_eq!(
                Fault::named(entry.name, false).is_ok(),
                entry.place != Place::Http
            );
        }
        assert!(Fault::named("none", true).is_err());
    }

    #[test]
    fn calls_before_a_fault_go_well_and_those_after_one_that_passes() {
        let bench = Bench::new(Some(Fault::Restart), 2, true);
        let made: Vec<_> = (0..5).map(|_| bench.in_transport()).collect();
        assert_eq!(made, [None, None, Some(InTransport::Forget), None, None]);
        let bench = Bench::new(Some(Fault::RestartWhilePending), 0, true);
        let made: Vec<_> = (0..3).map(|_| bench.in_transport()).collect();
        assert_eq!(
            made,
            [Some(InTransport::Silence), Some(InTransport::Forget), None]
        );
        let bench = Bench::new(Some(Fault::Unavailable), 1, true);
        let made: Vec<_> = (0..3).map(|_| bench.in_transport()).collect();
        assert_eq!(
            made,
            [
                None,
                Some(InTransport::Status(503)),
                Some(InTransport::Status(503))
            ]
        );
        assert_eq!(Bench::new(None, 0, true).in_transport(), None);
    }
}
