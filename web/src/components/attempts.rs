//! Attempts at a record: one fold each.

use std::sync::Arc;

use leptos::prelude::*;
use sweep::{AttemptEntry, RecordPage, ResultKind};

use crate::browser;
use crate::components::diff_table::DiffTable;
use crate::components::fragment::fragment;
use crate::fragments;
use crate::fragments::html::Html;
use crate::query::AttemptRef;
use crate::state::format;
use crate::state::provenance::download_name;

/// All attempts; the one that the address names stands open. `on_toggle` is called when the reader opens or closes one.
pub fn attempts(
    page: &Arc<RecordPage>,
    open: Signal<Option<AttemptRef>>,
    on_toggle: Callback<Option<AttemptRef>>,
) -> AnyView {
    if page.attempts.is_empty() {
        return fragment("<p class=\"empty\">No agent has been asked this yet.</p>".to_owned());
    }
    (0..page.attempts.len())
        .map(|at| {
            view! { <Attempt page=Arc::clone(page) at open on_toggle /> }
        })
        .collect::<Vec<_>>()
        .into_any()
}

#[component]
fn Attempt(
    page: Arc<RecordPage>,
    at: usize,
    open: Signal<Option<AttemptRef>>,
    on_toggle: Callback<Option<AttemptRef>>,
) -> impl IntoView {
    let entry = &page.attempts[at];
    let this = AttemptRef {
        agent: entry.agent.clone(),
        n: entry.n,
    };
    let is_open = {
        let this = this.clone();
        Memo::new(move |_| open.get().as_ref() == Some(&this))
    };
    let toggle = move |event: leptos::ev::MouseEvent| {
        // The address decides what is open; the browser's own toggling would run against it.
        event.prevent_default();
        on_toggle.run((!is_open.get_untracked()).then(|| this.clone()));
    };
    let line = fragments::attempt::line(entry);
    view! {
        <details class="fold" open=move || is_open.get()>
            <summary on:click=toggle inner_html=line></summary>
            <div class="fold-body">
                {move || is_open.get().then(|| body(&page, &page.attempts[at]))}
            </div>
        </details>
    }
}

fn body(page: &RecordPage, entry: &AttemptEntry) -> impl IntoView + use<> {
    let title = format!("{}, attempt {}", entry.agent, entry.n);
    let diff = entry.score.clone().map(|score| {
        let reading = fragments::score::reading(&score);
        view! {
            <DiffTable score=StoredValue::new(score) label=format!("Key and answer, {title}") />
            {fragment(reading)}
        }
    });
    let download = entry.answer.clone().map(|text| {
        let kind = page.key.as_ref().map_or(ResultKind::Live, |key| key.provenance.kind);
        let stem = format!("{}_{}_{}", page.entry.id, entry.agent, entry.n);
        let name = download_name(&stem, kind, "csv");
        view! {
            <button type="button" class="small" on:click=move |_| browser::download(&name, "text/csv", &text)>
                "Download the answer"
            </button>
        }
    });
    view! {
        <div class="stack">
            {fragment(remarks(entry))}
            {diff}
            {fragment(answer(entry, &title))}
            {download}
            {fragment(format!("<h3>Calls</h3>{}", fragments::attempt::calls(&entry.calls, &format!("Calls, {title}"))))}
        </div>
    }
}

/// How the calls chose their terms, and why a text is no table.
fn remarks(entry: &AttemptEntry) -> String {
    let mut html = Html::new();
    let evidence: Vec<String> = entry
        .metrics
        .evidence
        .iter()
        .map(|evidence| evidence.to_string().replace('-', " "))
        .filter(|evidence| evidence != "none")
        .collect();
    if !evidence.is_empty() {
        html.open("p", &[("class", "note")])
            .text("How its calls chose their terms: ")
            .leaf("strong", &[], &evidence.join(", "))
            .end();
    }
    if let Some(why) = &entry.metrics.answer_error {
        html.leaf(
            "p",
            &[("class", "problem")],
            &format!("The submitted text is no table: {why}"),
        );
    }
    html.finish()
}

/// The submitted text, byte for byte.
fn answer(entry: &AttemptEntry, title: &str) -> String {
    let mut html = Html::new();
    let Some(text) = &entry.answer else {
        html.leaf(
            "p",
            &[("class", "empty")],
            "Nothing was submitted, so there is nothing to compare.",
        );
        return html.finish();
    };
    html.leaf(
        "h3",
        &[],
        &format!("Answer as submitted, {}", format::bytes(text.len() as u64)),
    );
    let region = [
        ("class", "answer-text"),
        ("tabindex", "0"),
        ("role", "region"),
        ("aria-label", &format!("Answer as submitted, {title}")),
    ];
    html.leaf(
        "pre",
        &region,
        if text.is_empty() {
            "(an empty file)"
        } else {
            text
        },
    );
    html.finish()
}
