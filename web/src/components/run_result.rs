//! What a query returned.

use std::sync::Arc;

use leptos::prelude::*;
use serde::Serialize;
use sweep::ResultKind;
use table::Table;

use crate::browser;
use crate::components::data_table::DataTable;
use crate::components::fragment::fragment;
use crate::fragments::facts::kind_badge;
use crate::fragments::html::Html;
use crate::state::format;
use crate::state::provenance::download_name;

/// The rows of a run and where they come from.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The rows.
    #[serde(skip)]
    pub table: Arc<Table>,
    /// The rows as SPARQL JSON.
    #[serde(skip)]
    pub rows: String,
    /// Reconstruction or live.
    pub kind: ResultKind,
    /// The server's own name, where it gives one.
    pub server: String,
    /// Release of the data, where it states one.
    pub release: Option<String>,
    /// Who answered.
    pub endpoint: String,
    /// When, RFC 3339.
    pub date: String,
    /// Milliseconds until the answer.
    pub ms: f64,
    /// Milliseconds of loading before.
    #[serde(skip)]
    pub load_ms: f64,
}

impl Outcome {
    /// The result in a sentence.
    pub fn sentence(&self) -> String {
        let rows = match self.table.as_boolean() {
            Some(answer) => format!("The answer is {}", if answer { "yes" } else { "no" }),
            None => format::counted(self.table.len(), "row", "rows"),
        };
        format!("{rows} in {}", format::duration(self.ms))
    }

    fn origin(&self) -> String {
        let mut html = Html::new();
        html.open("p", &[("class", "note")]);
        // An endpoint's address does not say what its data are.
        if self.kind == ResultKind::Reconstruction {
            kind_badge(&mut html, self.kind);
        }
        html.text(&format!(" from {} at {}", self.endpoint, self.date));
        // The embedded federation is known; of another server its own word is worth telling.
        if !self.server.is_empty() && self.endpoint != "embedded" {
            let release = self
                .release
                .as_deref()
                .map_or_else(String::new, |release| format!(", release {release}"));
            html.text(&format!(", which calls itself {}{release}", self.server));
        }
        html.finish()
    }

    /// The rows as SPARQL JSON, with a member that says where they come from: readers of the format pass over it.
    fn to_json(&self) -> String {
        match (self.rows.split_once('{'), serde_json::to_string(self)) {
            (Some((_, members)), Ok(provenance)) => {
                format!("{{\"provenance\":{provenance},{members}")
            }
            _ => self.rows.clone(),
        }
    }
}

/// The rows, what they took, and ways to keep them.
pub fn run_result(outcome: &Arc<Outcome>) -> AnyView {
    let loaded = (outcome.load_ms > 100.0).then(|| {
        format!(
            ", after {} to load engine and graphs",
            format::duration(outcome.load_ms)
        )
    });
    let save = |extension: &'static str| {
        let outcome = Arc::clone(outcome);
        move |_| {
            let name = download_name("result", outcome.kind, extension);
            match extension {
                "csv" => browser::download(&name, "text/csv", &table::to_csv(&outcome.table)),
                _ => {
                    browser::download(&name, "application/sparql-results+json", &outcome.to_json());
                }
            }
        }
    };
    let rows = if outcome.table.is_empty() {
        fragment("<p class=\"empty\">The query was answered, and no row matches it.</p>".to_owned())
    } else {
        view! { <DataTable table=Arc::clone(&outcome.table) label="Result".to_owned() /> }
            .into_any()
    };
    view! {
        <div class="titled">
            <h2>{outcome.sentence()}<span class="quiet" style="font-weight:400">{loaded}</span></h2>
            <div class="actions">
                <button type="button" class="small" on:click=save("csv")>
                    "Download CSV"
                </button>
                <button type="button" class="small" on:click=save("srj")>
                    "Download JSON"
                </button>
            </div>
        </div>
        {fragment(outcome.origin())}
        {rows}
    }
    .into_any()
}
