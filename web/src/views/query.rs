//! Running a query: a key, a control, or the reader's own.

use std::time::Duration;

use leptos::prelude::*;
use sweep::RecordPage;

use crate::browser;
use crate::components::editor::Editor;
use crate::components::endpoint_choice::EndpointChoice;
use crate::components::query_problem::query_problem;
use crate::components::query_source::QuerySource;
use crate::components::run_result::run_result;
use crate::fragments::html::Html;
use crate::load::{self, Loaded};
use crate::navigate::Navigator;
use crate::query::{Endpoint, Route, Source};
use crate::running::{Run, Runner};
use crate::state::format;

/// How long the address waits for the reader to stop typing.
const SETTLED: Duration = Duration::from_millis(500);

/// A query, who answers it, and the answer.
#[component]
pub fn Query() -> impl IntoView {
    let navigator = Navigator::from_context();
    let source = Memo::new(move |_| match navigator.route().get() {
        Route::Query { source, .. } => source,
        _ => Source::Own {
            sparql: String::new(),
        },
    });
    let endpoint = Memo::new(move |_| match navigator.route().get() {
        Route::Query { endpoint, .. } => endpoint,
        _ => Endpoint::Embedded,
    });
    let record_path = Memo::new(move |_| match source.get() {
        Source::Key { id } | Source::Control { id, .. } => Some(load::record_path(&id)),
        Source::Own { .. } => None,
    });
    let page = load::watch_json::<RecordPage>(record_path.into());
    let text = RwSignal::new(String::new());
    let problem = follow_source(source, page, text);
    let address = Address {
        navigator,
        source,
        endpoint,
        text,
        settling: StoredValue::new(None),
    };
    let runner = Runner::new(text, endpoint);

    view! {
        <div class="page-head">
            <h1 tabindex="-1">"Query"</h1>
            <p class="lede">
                "Run a key, a control or a query of your own: on the federation embedded in this page, or on any SPARQL endpoint."
            </p>
        </div>
        <div class="columns side">
            <div>
                <QuerySource
                    source=source.into()
                    page
                    on_choose=Callback::new(move |source| address.set_source(source))
                />
                {move || problem.get().map(|problem| view! { <p class="problem">{problem}</p> })}
                <div class="field">
                    <label for="sparql">"SPARQL"</label>
                    <Editor
                        text=text.into()
                        on_input=Callback::new(move |typed| address.typed(typed))
                        on_run=Callback::new(move |()| runner.run())
                    />
                    <span class="hint" id="sparql-hint">
                        "Ctrl+Enter runs it; Tab leaves the field"
                    </span>
                </div>
                <RunLine runner />
            </div>
            <EndpointChoice
                chosen=endpoint.into()
                on_choose=Callback::new(move |endpoint| address.set_endpoint(endpoint))
            />
        </div>
        <section class="results" aria-label="Result">
            {move || match runner.run.get() {
                Run::Idle | Run::Running { .. } => ().into_any(),
                Run::Done(outcome) => run_result(&outcome),
                Run::Failed { error, sparql } => query_problem(&error, &sparql),
            }}
        </section>
    }
}

/// Puts the text that the address names into the editor; what it cannot find is the problem returned.
fn follow_source(
    source: Memo<Source>,
    page: ReadSignal<Loaded<RecordPage>>,
    text: RwSignal<String>,
) -> ReadSignal<Option<String>> {
    let (problem, set_problem) = signal(None);
    Effect::new(move |_| {
        set_problem.set(None);
        let found = match (source.get(), page.get()) {
            (Source::Own { sparql }, _) => sparql,
            (_, Loaded::Loading) => return,
            (_, Loaded::Failed(error)) => {
                set_problem.set(Some(format!("{error}; {}", error.remedy())));
                return;
            }
            (Source::Key { .. }, Loaded::Ready(page)) => page.query.clone(),
            (Source::Control { name, .. }, Loaded::Ready(page)) => {
                let control = page.controls.iter().find(|control| control.name == name);
                let Some(control) = control else {
                    set_problem.set(Some(format!("this record has no control `{name}`")));
                    return;
                };
                control.query.clone()
            }
        };
        if text.with_untracked(|text| *text != found) {
            text.set(found);
        }
    });
    problem
}

/// Keeps the address equal to what stands in the fields.
#[derive(Clone, Copy)]
struct Address {
    navigator: Navigator,
    source: Memo<Source>,
    endpoint: Memo<Endpoint>,
    text: RwSignal<String>,
    settling: StoredValue<Option<TimeoutHandle>>,
}

impl Address {
    fn set_source(self, source: Source) {
        self.navigator.go(Route::Query {
            source,
            endpoint: self.endpoint.get_untracked(),
        });
    }

    fn set_endpoint(self, endpoint: Endpoint) {
        self.navigator.replace(Route::Query {
            source: self.source.get_untracked(),
            endpoint,
        });
    }

    /// A text that is typed becomes the address once the reader pauses: browsers refuse a change at every keystroke.
    fn typed(self, typed: String) {
        self.text.set(typed);
        if let Some(waiting) = self.settling.get_value() {
            waiting.clear();
        }
        let settle = move || {
            if let Some(sparql) = self.text.try_get_untracked() {
                self.navigator.replace(Route::Query {
                    source: Source::Own { sparql },
                    endpoint: self.endpoint.get_untracked(),
                });
            }
        };
        self.settling
            .set_value(set_timeout_with_handle(settle, SETTLED).ok());
    }
}

/// The buttons, and what is going on.
#[component]
fn RunLine(runner: Runner) -> impl IntoView {
    let (elapsed, set_elapsed) = signal(0.0);
    let tick = set_interval_with_handle(
        move || {
            if let Some(Run::Running { since }) = runner.run.try_get_untracked() {
                set_elapsed.try_set(browser::now() - since);
            }
        },
        Duration::from_millis(100),
    );
    on_cleanup(move || {
        if let Ok(tick) = tick {
            tick.clear();
        }
    });
    let doing = move || {
        let mut html = Html::new();
        if runner.is_running() {
            html.leaf("span", &[("class", "spinner"), ("aria-hidden", "true")], "")
                .text(&format!(
                    "{}, {}",
                    runner.doing(),
                    format::duration(elapsed.get())
                ));
        }
        html.finish()
    };
    view! {
        <div class="run-line">
            <button
                type="button"
                class="primary"
                disabled=move || runner.is_running() || !runner.can_run()
                on:click=move |_| runner.run()
            >
                "Run"
            </button>
            <button type="button" disabled=move || !runner.is_running() on:click=move |_| runner.cancel()>
                "Cancel"
            </button>
            <span class="status" inner_html=doing></span>
        </div>
    }
}
