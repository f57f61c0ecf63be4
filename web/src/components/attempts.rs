//! Attempts at a record: one fold each, whose file is read when it opens.

use std::sync::Arc;

use leptos::prelude::*;
use score::Score;
use serde::Deserialize;
use sweep::{BundleFormat, RecordPage, ResultKind};

use crate::browser;
use crate::components::diff_table::DiffTable;
use crate::components::drawn::drawn_of;
use crate::components::fold::Fold;
use crate::components::fragment::fragment;
use crate::components::load_problem::load_problem;
use crate::fragments;
use crate::load::{self, Loaded};
use crate::query::{AttemptRef, Open};
use crate::state::provenance::download_name;
use crate::tables::Drawing;

/// All attempts; the one that the address names stands open. `on_toggle` is called when the reader opens or closes one.
pub fn attempts(
    page: &Arc<RecordPage>,
    open: Signal<Open>,
    on_toggle: Callback<Option<AttemptRef>>,
) -> AnyView {
    if page.attempts.is_empty() {
        return fragment("<p class=\"empty\">No agent has been asked this yet.</p>".to_owned());
    }
    (0..page.attempts.len())
        .map(|at| attempt(page, at, open, on_toggle))
        .collect::<Vec<_>>()
        .into_any()
}

fn attempt(
    page: &Arc<RecordPage>,
    at: usize,
    open: Signal<Open>,
    on_toggle: Callback<Option<AttemptRef>>,
) -> impl IntoView + use<> {
    let entry = &page.attempts[at];
    let this = AttemptRef {
        agent: entry.agent.clone(),
        n: entry.n,
    };
    let line = fragments::attempt::line(entry);
    let is_open = {
        let this = this.clone();
        Signal::derive(move || open.with(|open| open.attempt.as_ref() == Some(&this)))
    };
    let toggle = Callback::new(move |wanted: bool| on_toggle.run(wanted.then(|| this.clone())));
    let page = Arc::clone(page);
    let body = Callback::new(move |()| {
        let page = Arc::clone(&page);
        view! { <Attempt page at /> }.into_any()
    });
    view! { <Fold line open=is_open on_toggle=toggle body /> }
}

/// The part of an attempt's file that the page itself works with; the rest is drawn in the tables worker.
#[derive(Deserialize)]
struct Own {
    // A file of another format is refused by it.
    #[serde(rename = "format")]
    _format: BundleFormat,
    score: Option<Score>,
    answer: Option<String>,
}

/// What an attempt came to, once its file is there.
#[component]
fn Attempt(page: Arc<RecordPage>, at: usize) -> impl IntoView {
    let file = page.attempts[at].file.clone();
    let path = Signal::stored(Some(file.clone()));
    let text = load::watch_text(path);
    let drawn = drawn_of(Drawing::Attempt, path, text.into(), Memo::new(|_| None));
    move || match (text.get(), drawn.get()) {
        (Loaded::Failed(error), _) | (_, Loaded::Failed(error)) => load_problem(&error),
        (Loaded::Ready(text), Loaded::Ready(drawn)) => match load::parse::<Own>(&file, &text) {
            Ok(own) => body(&page, at, own, &drawn.parts),
            Err(error) => load_problem(&error),
        },
        _ => fragment("<span class=\"skeleton\" style=\"height:12rem\"></span>".to_owned()),
    }
}

fn body(page: &RecordPage, at: usize, own: Own, parts: &[String]) -> AnyView {
    let entry = &page.attempts[at];
    let part = |at: usize| fragment(parts.get(at).cloned().unwrap_or_default());
    let diff = own.score.map(|score| {
        let reading = fragments::score::reading(&score);
        let label = format!("Key and answer, {}, attempt {}", entry.agent, entry.n);
        view! {
            <DiffTable score=StoredValue::new(score) label />
            {fragment(reading)}
        }
    });
    let download = own.answer.map(|text| {
        let kind = page.key.as_ref().map_or(ResultKind::Live, |key| key.provenance.kind);
        let stem = format!("{}_{}_{}", page.entry.id, entry.agent, entry.n);
        let name = download_name(&stem, kind, "csv");
        view! {
            <button type="button" class="small" on:click=move |_| browser::download(&name, "text/csv", &text)>
                "Download the answer"
            </button>
        }
    });
    view! { <div class="stack">{part(0)} {diff} {part(1)} {download} {part(2)}</div> }.into_any()
}
