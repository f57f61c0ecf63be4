//! Running a query: a key, a control, or the reader's own.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use sweep::{RecordPage, ResultKind};
use table::Table;
use web_sys::AbortController;

use crate::browser;
use crate::components::editor::Editor;
use crate::components::endpoint_choice::EndpointChoice;
use crate::components::query_problem::{QueryProblem, RunError};
use crate::components::query_source::QuerySource;
use crate::components::run_result::{Outcome, RunResult};
use crate::context::{Announcer, Bundle};
use crate::endpoint::{self, EndpointError};
use crate::engine::{Engine, Stage};
use crate::load::{self, Loaded};
use crate::navigate::Navigator;
use crate::query::{Endpoint, Route, Source};
use crate::state::command::is_web_address;
use crate::state::format;
use crate::tables::{Problem, Tables};

/// How far a run is.
#[derive(Clone)]
enum Run {
    Idle,
    Running { since: f64 },
    Done(Arc<Outcome>),
    Failed { error: RunError, sparql: String },
}

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
                Run::Done(outcome) => view! { <RunResult outcome /> }.into_any(),
                Run::Failed { error, sparql } => view! { <QueryProblem error sparql /> }.into_any(),
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
        self.settling.set_value(set_timeout_with_handle(settle, SETTLED).ok());
    }
}

/// Runs the text in the editor, one run at a time.
#[derive(Clone, Copy)]
struct Runner {
    text: RwSignal<String>,
    endpoint: Memo<Endpoint>,
    engine: Engine,
    tables: Tables,
    bundle: Bundle,
    announcer: Announcer,
    run: RwSignal<Run>,
    abort: StoredValue<Option<AbortController>, LocalStorage>,
}

impl Runner {
    fn new(text: RwSignal<String>, endpoint: Memo<Endpoint>) -> Self {
        let this = Self {
            text,
            endpoint,
            engine: Engine::from_context(),
            tables: Tables::from_context(),
            bundle: Bundle::from_context(),
            announcer: Announcer::from_context(),
            run: RwSignal::new(Run::Idle),
            abort: StoredValue::new_local(None),
        };
        on_cleanup(move || {
            if let Some(Some(controller)) = this.abort.try_get_value() {
                controller.abort();
            }
        });
        this
    }

    fn is_running(self) -> bool {
        self.run.with(|run| matches!(run, Run::Running { .. }))
    }

    /// Whether there is something to run and someone to run it.
    fn can_run(self) -> bool {
        let askable = self.endpoint.with(|endpoint| match endpoint {
            Endpoint::Embedded => true,
            Endpoint::Url(url) => is_web_address(url),
        });
        askable && self.text.with(|text| !text.trim().is_empty())
    }

    fn run(self) {
        if untrack(move || self.is_running() || !self.can_run()) {
            return;
        }
        let since = browser::now();
        self.run.set(Run::Running { since });
        let sparql = self.text.get_untracked();
        let endpoint = self.endpoint.get_untracked();
        spawn_local(async move {
            let result = match &endpoint {
                Endpoint::Embedded => self.embedded(&sparql).await,
                Endpoint::Url(url) => self.remote(url, &sparql, since).await,
            };
            let (sentence, run) = match result {
                Ok(outcome) => (outcome.sentence(), Run::Done(Arc::new(outcome))),
                Err(error) => ("The query gave no table".to_owned(), Run::Failed { error, sparql }),
            };
            if self.run.try_set(run).is_none() {
                self.announcer.say(sentence);
            }
        });
    }

    async fn embedded(self, sparql: &str) -> Result<Outcome, RunError> {
        let answered = self
            .engine
            .run(sparql, self.bundle.manifest().as_deref())
            .await
            .map_err(RunError::Engine)?;
        Ok(Outcome {
            table: read(&answered.rows)?,
            rows: answered.rows,
            ms: answered.ms,
            load_ms: answered.load_ms,
            kind: ResultKind::Reconstruction,
            server: answered.snapshot.server,
            release: answered.snapshot.release,
            endpoint: "embedded".to_owned(),
            date: browser::timestamp(),
        })
    }

    async fn remote(self, url: &str, sparql: &str, since: f64) -> Result<Outcome, RunError> {
        let controller = AbortController::new().map_err(|_| RunError::Endpoint(EndpointError::Cancelled))?;
        self.abort.set_value(Some(controller.clone()));
        let reply = endpoint::ask(url, sparql, self.tables, &controller.signal()).await;
        self.abort.try_set_value(None);
        let rows = reply.map_err(RunError::Endpoint)?;
        Ok(Outcome {
            table: read(&rows)?,
            rows,
            ms: browser::now() - since,
            load_ms: 0.0,
            kind: ResultKind::Live,
            server: String::new(),
            release: None,
            endpoint: url.to_owned(),
            date: browser::timestamp(),
        })
    }

    /// Ends the run, wherever it is: the reader may have chosen another endpoint meanwhile.
    fn cancel(self) {
        match self.abort.try_get_value().flatten() {
            Some(controller) => controller.abort(),
            None => self.engine.cancel(),
        }
    }
}

/// Both workers give rows as SPARQL JSON.
fn read(rows: &str) -> Result<Arc<Table>, RunError> {
    table::read_sparql_json(rows.as_bytes())
        .map(Arc::new)
        .map_err(|error| {
            RunError::Endpoint(EndpointError::Reply(Problem {
                message: error.to_string(),
                ..Problem::default()
            }))
        })
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
    let stage = runner.engine.stage();
    let doing = move || match runner.endpoint.get() {
        Endpoint::Url(_) => "waiting for the endpoint".to_owned(),
        Endpoint::Embedded => match stage.get() {
            Stage::Idle | Stage::Answering => "answering".to_owned(),
            Stage::Starting => "starting the engine".to_owned(),
            Stage::Fetching { file, bytes } => format!("fetching {file}, {}", format::bytes(bytes as usize)),
            Stage::Reading { file } => format!("reading {file}"),
        },
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
            <Show when=move || runner.is_running()>
                <span class="status">
                    <span class="spinner" aria-hidden="true"></span>
                    {doing}
                    ", "
                    {move || format::duration(elapsed.get())}
                </span>
            </Show>
        </div>
    }
}
