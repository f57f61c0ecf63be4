//! One record: prompt, key, controls beside the key, attempts.

use std::sync::Arc;

use leptos::prelude::*;
use sweep::RecordPage;

use crate::components::attempts::attempts;
use crate::components::copy_button::CopyButton;
use crate::components::data_table::DataTable;
use crate::components::fragment::fragment;
use crate::components::load_problem::load_problem;
use crate::context::Bundle;
use crate::fragments;
use crate::fragments::html::Html;
use crate::load::{self, Loaded};
use crate::navigate::Navigator;
use crate::query::{AttemptRef, Endpoint, KeySource, Route, Source};

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
        Route::Record { attempt, .. } => attempt,
        _ => None,
    });
    let on_toggle = {
        let id = id.clone();
        Callback::new(move |attempt: Option<AttemptRef>| {
            navigator.replace(Route::Record {
                id: id.clone(),
                attempt,
            });
        })
    };
    view! {
        <div class="page-head">
            <p class="crumbs">
                <a href=".">"Overview"</a>
                " / record"
            </p>
            <h1 tabindex="-1">{id}</h1>
            <div inner_html=head></div>
        </div>
        {move || match page.get() {
            Loaded::Loading => fragment("<span class=\"skeleton\" style=\"height:60rem\"></span>".to_owned()),
            Loaded::Failed(error) => load_problem(&error),
            Loaded::Ready(page) => view! { <Body page open on_toggle /> }.into_any(),
        }}
    }
}

#[component]
fn Body(
    page: Arc<RecordPage>,
    open: Signal<Option<AttemptRef>>,
    on_toggle: Callback<Option<AttemptRef>>,
) -> impl IntoView {
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
    let controls = (!page.controls.is_empty()).then(|| {
        let rows = fragments::side_by_side::side_by_side(&page);
        fragment(format!(
            "<section class=\"section\"><h2>Controls beside the key</h2><p class=\"note\">The same query with only the choice of terms changed. What a control keeps, misses and invents is what the hierarchy is worth.</p>{rows}</section>"
        ))
    });
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
        <section class="section" aria-labelledby="attempts-title">
            <h2 id="attempts-title">"Attempts"</h2>
            <p class="note">"Open one to see its answer beside the key, and every call that it made."</p>
            {attempts(&page, open, on_toggle)}
        </section>
    }
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
