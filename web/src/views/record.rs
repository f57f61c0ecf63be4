//! One record: prompt, key, controls beside the key, the lint, attempts.

use std::sync::Arc;

use leptos::prelude::*;
use sweep::RecordPage;

use crate::browser;
use crate::components::attempts::attempts;
use crate::components::copy_button::CopyButton;
use crate::components::data_table::DataTable;
use crate::components::drawn::{drawn, once_there, part};
use crate::components::fold::Fold;
use crate::components::fragment::fragment;
use crate::components::load_problem::load_problem;
use crate::context::Bundle;
use crate::fragments;
use crate::fragments::analysis::{CONTROLS, FILE, FILE_LINE, FINDINGS, VERDICTS};
use crate::fragments::html::Html;
use crate::load::{self, Loaded};
use crate::navigate::Navigator;
use crate::query::{Endpoint, KeySource, Open, Route, Source};
use crate::tables::{Drawing, Drawn};

/// One record, by its identifier.
#[component]
pub fn Record(
    /// The identifier, as the address has it.
    id: String,
) -> impl IntoView {
    let navigator = Navigator::from_context();
    let bundle = Bundle::from_context();
    let page = load::watch_json::<RecordPage>(Signal::stored(Some(load::record_path(&id))));
    // The index is there first and knows what stands at the head of the page.
    let head = {
        let id = id.clone();
        move || {
            let index = bundle.ready();
            let find = |id: &str| {
                index
                    .as_ref()?
                    .records
                    .iter()
                    .find(|record| record.id == id)
            };
            match find(&id) {
                Some(entry) => {
                    let twin = entry.twin.as_deref().and_then(find);
                    fragments::record::head(entry, twin)
                }
                None if index.is_some() => String::new(),
                None => "<span class=\"skeleton\" style=\"height:9rem;margin-top:1rem\"></span>"
                    .to_owned(),
            }
        }
    };
    let open = Signal::derive(move || match navigator.route().get() {
        Route::Record { open, .. } => open,
        _ => Open::default(),
    });
    let mut name = Html::new();
    name.name(&id);
    let name = name.finish();
    // What a reader opens is noted in the address, beside what stands open there.
    let note = Callback::new(move |open: Open| {
        navigator.replace(Route::Record {
            id: id.clone(),
            open,
        });
    });
    view! {
        <div class="page-head">
            <p class="crumbs">
                <a href=".">"Overview"</a>
                " / record"
            </p>
            <h1 tabindex="-1" inner_html=name></h1>
            <div inner_html=head></div>
        </div>
        {move || match page.get() {
            Loaded::Loading => fragment("<span class=\"skeleton\" style=\"height:60rem\"></span>".to_owned()),
            Loaded::Failed(error) => load_problem(&error),
            Loaded::Ready(page) => view! { <Body page open note /> }.into_any(),
        }}
    }
}

#[component]
fn Body(page: Arc<RecordPage>, open: Signal<Open>, note: Callback<Open>) -> impl IntoView {
    let run = Route::Query {
        source: Source::Key {
            id: page.entry.id.clone(),
        },
        endpoint: Endpoint::Embedded,
    };
    let score = Route::Rescore {
        id: Some(page.entry.id.clone()),
        key: KeySource::Stored,
    };
    let on_toggle = Callback::new(move |attempt| {
        note.run(Open {
            attempt,
            ..open.get_untracked()
        });
    });
    let path = Signal::stored(Some(page.analysis.clone()));
    let analysis = drawn(Drawing::Analysis, path, Memo::new(|_| None));
    let controls = (!page.controls.is_empty()).then(|| controls(&page, analysis, open, note));
    let lint = lint(analysis, open, note);
    view! {
        {fragment(fragments::record::problems(&page))}
        <section class="section">
            <div class="titled">
                <h2>"Answer key"</h2>
                <div class="actions">
                    <CopyButton text=page.query.clone() what="the query" />
                    <a href=run.href() class="button small">"Run it"</a>
                    <a href=score.href() class="button small">"Score a file against it"</a>
                </div>
            </div>
            <div class="columns two">
                {fragment(key_text(&page))}
                <div>{key_rows(&page)}</div>
            </div>
        </section>
        {controls}
        {lint}
        <section class="section" aria-labelledby="attempts-title">
            <h2 id="attempts-title">"Attempts"</h2>
            <p class="note">"Open one to see its answer beside the key, and every call that it made."</p>
            {attempts(&page, open, on_toggle)}
        </section>
    }
}

/// The controls: in a picture, each with its analysis, and row by row.
fn controls(
    page: &Arc<RecordPage>,
    analysis: ReadSignal<Loaded<Drawn>>,
    open: Signal<Open>,
    note: Callback<Open>,
) -> AnyView {
    let names: Vec<String> = page
        .controls
        .iter()
        .map(|control| control.name.clone())
        .collect();
    let analysed = once_there(analysis, "24rem", move || {
        let folds: Vec<_> = names
            .iter()
            .enumerate()
            .map(|(at, name)| control(at, name, analysis, open, note))
            .collect();
        let verdicts = part(analysis, VERDICTS);
        view! {
            <div class="stack">
                <div class="stack" inner_html=move || verdicts.get()></div>
                <div id="analyses">{folds}</div>
            </div>
        }
        .into_any()
    });
    view! {
        <section class="section" aria-labelledby="controls-title">
            <h2 id="controls-title">"Controls beside the key"</h2>
            <p class="note">
                "The same query with only the choice of terms changed. What a control keeps, misses and invents is what the hierarchy is worth."
            </p>
            <div class="stack">
                {fragment(fragments::side_by_side::picture(page))}
                {analysed}
                {fragment(fragments::side_by_side::rows(page))}
            </div>
        </section>
    }
    .into_any()
}

/// The analysis of one control, folded.
fn control(
    at: usize,
    name: &str,
    analysis: ReadSignal<Loaded<Drawn>>,
    open: Signal<Open>,
    note: Callback<Open>,
) -> impl IntoView + use<> {
    let line = part(analysis, CONTROLS + 2 * at).get_untracked();
    let body = part(analysis, CONTROLS + 2 * at + 1);
    let (this, name) = (name.to_owned(), name.to_owned());
    let is_open = Signal::derive(move || open.with(|open| open.control.as_ref() == Some(&this)));
    let on_toggle = Callback::new(move |wanted: bool| {
        note.run(Open {
            control: wanted.then(|| name.clone()),
            ..open.get_untracked()
        });
    });
    let body =
        Callback::new(move |()| view! { <div inner_html=move || body.get()></div> }.into_any());
    view! { <Fold line open=is_open on_toggle body /> }
}

/// What the lint finds, and the record's file with the places that it points at.
fn lint(analysis: ReadSignal<Loaded<Drawn>>, open: Signal<Open>, note: Callback<Open>) -> AnyView {
    let line = Memo::new(move |_| open.with(|open| open.line));
    let file = part(analysis, FILE);
    // Once the file is drawn and stands open.
    Effect::new(move |before: Option<Option<u32>>| {
        let now = line.get();
        if file.with(String::is_empty) {
            return before.flatten();
        }
        if let Some(number) = now.filter(|number| *number > 0 && before.flatten() != now) {
            // A frame later than what is drawn now: otherwise all that it pushes down would seem to jump into view.
            request_animation_frame(move || {
                request_animation_frame(move || {
                    browser::point_at(".line", &fragments::line_id(number));
                });
            });
        }
        now
    });
    // Line 0 stands for the file opened without a place in mind.
    let on_toggle = Callback::new(move |wanted: bool| {
        note.run(Open {
            line: wanted.then_some(0),
            ..open.get_untracked()
        });
    });
    let there = once_there(analysis, "6rem", move || {
        let findings = part(analysis, FINDINGS);
        let summary = part(analysis, FILE_LINE).get_untracked();
        let body =
            Callback::new(move |()| view! { <div inner_html=move || file.get()></div> }.into_any());
        view! {
            <div class="stack">
                <div inner_html=move || findings.get()></div>
                <Fold
                    line=summary
                    open=Signal::derive(move || line.get().is_some())
                    on_toggle
                    body
                />
            </div>
        }
        .into_any()
    });
    view! {
        <section class="section" aria-labelledby="lint-title">
            <h2 id="lint-title">"Lint"</h2>
            <p class="note">
                "Whether a right answer to the prose is a right answer to the key, as far as rules can tell. "
                <a href=Route::Rules { rule: None }.href()>"What the lint looks for"</a>
            </p>
            {there}
        </section>
    }
    .into_any()
}

fn key_text(page: &RecordPage) -> String {
    let mut html = Html::new();
    fragments::sparql::sparql(&mut html, &page.query, &format!("Key of {}", page.entry.id));
    html.leaf(
        "p",
        &[("class", "note")],
        &format!("{}, from line {}", page.file, page.query_line),
    );
    html.finish()
}

fn key_rows(page: &RecordPage) -> AnyView {
    let empty = |text: &str| {
        let mut html = Html::new();
        html.leaf("p", &[("class", "panel empty")], text);
        fragment(html.finish())
    };
    let Some(key) = &page.key else {
        return empty("The key could not be run, so there are no rows.");
    };
    let rows = match table::read_sparql_json(key.rows.as_bytes()) {
        Err(error) => empty(&format!("The stored rows cannot be read: {error}")),
        Ok(table) if table.is_empty() && page.entry.expect_empty => empty(
            "No rows, and that is the right answer: nothing is annotated with the term itself.",
        ),
        Ok(table) if table.is_empty() => empty("No rows."),
        Ok(table) => {
            view! { <DataTable table=Arc::new(table) label="Key rows".to_owned() ranked=true /> }
                .into_any()
        }
    };
    view! {
        {rows}
        {fragment(fragments::record::provenance(key))}
    }
    .into_any()
}
