//! Agents without a model, whose right scores are known beforehand.

use std::fmt;
use std::sync::Arc;

use record::{Arm, Corpus, Record};
use serde::Deserialize;
use serde_json::{Value, json};
use table::{Cell, Table};

use crate::Failure;
use crate::agent::{End, Report, Task, ToolReply, Tools};
use crate::mcp::proxy::SUBMIT;

/// How much of a reply is kept in the transcript, in characters.
const REPLY_SHOWN: usize = 2000;

/// An agent without a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Baseline {
    /// Runs the answer key: right everywhere, obedient where told to be.
    Reference,
    /// Runs control A, the term taken literally; where it is told to do so, that is the key.
    Literal,
    /// Runs control B, a name test in place of the hierarchy.
    Keyword,
    /// Submits nothing.
    Silent,
    /// Submits the header line without having looked.
    HeaderOnly,
}

impl Baseline {
    /// Every baseline agent.
    pub const ALL: [Self; 5] = [
        Self::Reference,
        Self::Literal,
        Self::Keyword,
        Self::Silent,
        Self::HeaderOnly,
    ];

    /// The agent of that name, such as `baseline:reference`.
    pub fn named(name: &str) -> Result<Self, Failure> {
        Self::ALL
            .into_iter()
            .find(|agent| agent.name() == name)
            .ok_or_else(|| Failure::usage(format!("there is no agent `{name}`"), Self::hint()))
    }

    /// What to type instead of an agent that does not exist.
    pub fn hint() -> String {
        let names: Vec<&str> = Self::ALL.iter().map(|agent| agent.name()).collect();
        format!(
            "the agents are {}; name one or several with --agent",
            names.join(", ")
        )
    }

    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reference => "baseline:reference",
            Self::Literal => "baseline:literal",
            Self::Keyword => "baseline:keyword",
            Self::Silent => "baseline:silent",
            Self::HeaderOnly => "baseline:header-only",
        }
    }

    /// What it does, for the transcript.
    fn about(self) -> &'static str {
        match self {
            Self::Reference => "runs the answer key and submits its rows",
            Self::Literal => "runs the term as given, without its closure, and submits the rows",
            Self::Keyword => "runs a name test in place of the hierarchy and submits the rows",
            Self::Silent => "submits nothing",
            Self::HeaderOnly => "submits the header line without having looked",
        }
    }

    /// One attempt at a record.
    pub async fn attempt(self, task: &mut Task) -> Result<Report, Failure> {
        let about = format!("{} {}", self.name(), self.about());
        task.transcript.say("assistant", &about);
        let tools = match Tools::connect(task.proxy.clone()).await {
            Ok(tools) => tools,
            Err(error) => return Ok(Report::without_model(End::without_tools(error)?)),
        };
        let deadline = task.limits.deadline;
        let acting = self.act(task, &tools);
        let end = match tokio::time::timeout_at(deadline, acting).await {
            Ok(()) => End::Finished,
            Err(_) => End::OutOfTime,
        };
        if let Err(error) = tools.close().await {
            End::without_tools(error)?;
        }
        Ok(Report::without_model(end))
    }

    async fn act(self, task: &mut Task, tools: &Tools) {
        let corpus = Arc::clone(&task.corpus);
        let Some(record) = corpus.record(&task.record) else {
            return;
        };
        let mut desk = Desk { task, tools };
        let answer = match (self, self.sparql(record, &corpus)) {
            (Self::Silent, _) => None,
            (Self::HeaderOnly, _) => Some(format!("{}\n", record.columns().join(","))),
            (_, Some(sparql)) => desk.ask(record, sparql).await,
            (_, None) => {
                desk.note("there is no such control for this record");
                None
            }
        };
        if let Some(csv) = answer {
            desk.call(SUBMIT, json!({ "csv": csv })).await;
        }
    }

    /// The query that it runs, where it runs one and the corpus has it.
    fn sparql<'a>(self, record: &'a Record, corpus: &'a Corpus) -> Option<&'a str> {
        let letter = match self {
            Self::Literal if record.name.arm != Some(Arm::Exact) => 'A',
            Self::Keyword => 'B',
            Self::Reference | Self::Literal => return Some(&record.query_text),
            Self::Silent | Self::HeaderOnly => return None,
        };
        let controls = corpus.controls_of(record.name.tier.as_deref()?);
        let control = controls
            .into_iter()
            .find(|control| control.letter == letter)?;
        Some(&control.query_text)
    }
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What an agent has in front of it during one attempt.
struct Desk<'a> {
    task: &'a mut Task,
    tools: &'a Tools,
}

/// The rows in a reply of a tool that takes SPARQL, in the shape of the federation's public server.
#[derive(Deserialize)]
struct Rows {
    columns: Vec<String>,
    data: Vec<Vec<Value>>,
}

impl Desk<'_> {
    fn note(&mut self, text: &str) {
        self.task.transcript.say("assistant", text);
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> ToolReply {
        let asked = json!({ "tool": tool, "arguments": arguments });
        self.task.transcript.push("assistant", asked);
        let reply = self.tools.call(tool, arguments).await;
        // What came back whole is in the recording.
        let start: String = reply.text.chars().take(REPLY_SHOWN).collect();
        let told = json!({ "tool": tool, "text": start, "is_error": reply.is_error });
        self.task.transcript.push("tool", told);
        reply
    }

    /// Runs a query as it is; the rows as CSV, or nothing where they did not come.
    async fn ask(&mut self, record: &Record, sparql: &str) -> Option<String> {
        let tool = self.task.proxy.profile.tools.query.first().cloned();
        let tool = tool.unwrap_or_else(|| "query".to_owned());
        // The term is to stand for itself, whatever the server would do by default.
        let arguments = json!({
            "graph_name": graph_of(record),
            "query_string": sparql,
            "auto_expand_descendants": false,
        });
        let reply = self.call(&tool, arguments).await;
        let csv = (!reply.is_error).then(|| csv_of(&reply.text)).flatten();
        if csv.is_none() {
            self.note("the rows did not come back, so that nothing is submitted");
        }
        csv
    }
}

/// The graph that a query of the record is sent to: its first tag, else the first graph that its key names. The query
/// names the others itself.
pub(crate) fn graph_of(record: &Record) -> String {
    let named = || record::graphs_of(record.query.as_ref()?).into_iter().next();
    let tag = record.tags().first().cloned();
    tag.or_else(named).unwrap_or_default()
}

/// The rows of a reply as CSV; `None` where it holds no complete table.
pub(crate) fn csv_of(reply: &str) -> Option<String> {
    let rows: Rows = serde_json::from_str(reply).ok()?;
    let mut table = Table::new(rows.columns, Vec::new());
    let width = table.columns().len();
    for row in rows.data {
        if row.len() != width {
            return None;
        }
        table.push_row(row.into_iter().map(|cell| match cell {
            Value::Null => Cell::Missing,
            Value::String(text) if text.is_empty() => Cell::Missing,
            Value::String(text) => Cell::Text(text.into()),
            other => Cell::Text(other.to_string().into()),
        }));
    }
    Some(table::to_csv(&table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_csv_and_what_is_no_whole_table_becomes_nothing() {
        for (reply, csv) in [
            (
                r#"{"graph_name":"nde","columns":["a","b"],"data":[["x, y",""],["1",2]],"count":2}"#,
                Some("a,b\n\"x, y\",\n1,2\n"),
            ),
            (r#"{"columns":["a"],"data":[],"count":0}"#, Some("a\n")),
            (r#"{"columns":["a","b"],"data":[["1"]]}"#, None),
            (r#"{"error":"Query execution failed"}"#, None),
            ("Error: HTTP 400", None),
        ] {
            let read = csv_of(reply);
            assert_eq!(read.as_deref(), csv, "{reply}");
        }
    }
}
