//! Scoring files in the page.

use std::sync::Arc;

use leptos::prelude::*;
use sweep::ResultKind;

use crate::browser;
use crate::components::diff_table::DiffTable;
use crate::components::drop_zone::DropZone;
use crate::components::file_list::FileList;
use crate::components::fragment::fragment;
use crate::components::key_choice::KeyChoice;
use crate::components::record_picker::RecordPicker;
use crate::context::Bundle;
use crate::files::Given;
use crate::fragments;
use crate::fragments::facts::kind_badge;
use crate::fragments::html::Html;
use crate::navigate::Navigator;
use crate::query::{KeySource, Route};
use crate::rescoring::Rescoring;
use crate::state::format;
use crate::state::provenance::{self, FileReport, KeyOrigin};
use crate::state::submission::{Progress, Submission};

/// Drop files, see their scores.
#[component]
pub fn Rescore() -> impl IntoView {
    let navigator = Navigator::from_context();
    let bundle = Bundle::from_context();
    let fixed = Memo::new(move |_| match navigator.route().get() {
        Route::Rescore { id, .. } => id,
        _ => None,
    });
    let source = Memo::new(move |_| match navigator.route().get() {
        Route::Rescore { key, .. } => key,
        _ => KeySource::Stored,
    });
    let rescoring = Rescoring::new(source.into());
    let on_files = Callback::new(move |given: Vec<Given>| {
        rescoring.add(given, fixed.get_untracked().as_deref());
    });
    let on_source = Callback::new(move |key: KeySource| {
        navigator.replace(Route::Rescore {
            id: fixed.get_untracked(),
            key,
        });
    });
    let on_fixed = Callback::new(move |id: Option<String>| {
        navigator.replace(Route::Rescore {
            id,
            key: source.get_untracked(),
        });
    });
    view! {
        <div class="page-head">
            <h1 tabindex="-1">"Re-score a submission"</h1>
            <p class="lede">
                "Give the tables that an agent, or anyone, submitted. Each is scored row by row against its record's key, here on your machine."
            </p>
        </div>
        <div class="columns side">
            <DropZone
                title="Drop CSV files or a folder here"
                accept=".csv,.tsv,.txt,.md,text/csv"
                folders=true
                on_files
            >
                "They are read and scored in this page; nothing is sent anywhere. A name such as "
                <span class="mono">"nde-expand_autoimmune.csv"</span>
                " says which record a file answers."
            </DropZone>
            <div class="stack">
                <KeyChoice chosen=source.into() on_choose=on_source index=Signal::derive(move || bundle.ready()) />
                <div class="field">
                    <label for="fixed-record">"Record of new files"</label>
                    <RecordPicker
                        id="fixed-record"
                        chosen=fixed
                        none="guessed from each file's name"
                        on_choose=on_fixed
                    />
                </div>
            </div>
        </div>
        <div hidden=move || rescoring.files.with(Vec::is_empty)>
            <section class="section" aria-labelledby="files-title">
                <div class="titled">
                    <h2 id="files-title">"Scores"</h2>
                    <div class="actions">
                        <button type="button" class="small" on:click=move |_| download(rescoring)>
                            "Download all as JSON"
                        </button>
                    </div>
                </div>
                <FileList rescoring />
            </section>
            <Detail rescoring />
        </div>
    }
}

/// The file that is looked at, in full.
#[component]
fn Detail(rescoring: Rescoring) -> impl IntoView {
    move || {
        let number = rescoring.selected.get()?;
        let file = rescoring
            .files
            .with(|files| files.iter().find(|file| file.number == number).cloned())?;
        let title = file.path.clone();
        Some(view! {
            <section class="section file-detail" aria-labelledby="detail-title">
                <h2 id="detail-title">{title}</h2>
                {detail(file)}
            </section>
        })
    }
}

fn detail(file: Submission) -> AnyView {
    let mut html = Html::new();
    match file.progress {
        Progress::NeedsRecord => {
            html.leaf(
                "p",
                &[("class", "empty")],
                "Nothing in its name says which record it answers: choose one above.",
            );
        }
        Progress::Waiting | Progress::Scoring => {
            html.leaf(
                "span",
                &[("class", "skeleton"), ("style", "height:12rem")],
                "",
            );
        }
        Progress::Failed { message, remedy } => {
            html.open("div", &[("class", "problem"), ("role", "alert")])
                .leaf("h3", &[], "It could not be scored")
                .leaf("p", &[], &message)
                .leaf("p", &[], &remedy.unwrap_or_default());
        }
        Progress::Scored { score, key, .. } => {
            let record = file.record.unwrap_or_default();
            let label = format!("Key of {record} and {}", file.path);
            let figures = against(&record, &key) + &fragments::score::scorecard(&score);
            let reading = fragments::score::reading(&score);
            let score = StoredValue::new(Arc::unwrap_or_clone(score));
            return view! {
                <div class="stack">
                    {fragment(figures)}
                    <DiffTable score label />
                    {fragment(reading)}
                </div>
            }
            .into_any();
        }
    }
    fragment(html.finish())
}

/// The rows that a file was compared with.
fn against(record: &str, key: &KeyOrigin) -> String {
    let route = Route::record(record);
    let source = match key.source {
        "engine" => "run in this page",
        _ => "stored rows",
    };
    let mut html = Html::new();
    html.open("p", &[("class", "note")])
        .text("against ")
        .leaf("a", &[("href", &route.href())], record)
        .text(&format!(
            ": {source}, {} at {}, {}, hash {} ",
            key.server,
            key.endpoint,
            format::day(&key.date),
            format::short_hash(&key.hash)
        ));
    kind_badge(&mut html, key.kind);
    html.finish()
}

fn download(rescoring: Rescoring) {
    rescoring.files.with_untracked(|files| {
        let reports: Vec<FileReport<'_>> = files
            .iter()
            .filter_map(|file| match &file.progress {
                Progress::Scored { json, key, .. } => Some(FileReport {
                    file: &file.path,
                    record: file.record.as_deref()?,
                    key,
                    score: json,
                }),
                _ => None,
            })
            .collect();
        // One score on a reconstruction is enough for the whole file to say so.
        let is_reconstruction = reports
            .iter()
            .any(|report| report.key.kind == ResultKind::Reconstruction);
        let kind = if is_reconstruction {
            ResultKind::Reconstruction
        } else {
            ResultKind::Live
        };
        let text = provenance::report(&browser::timestamp(), &reports);
        browser::download(
            &provenance::download_name("scores", kind, "json"),
            "application/json",
            &text,
        );
    });
}
