//! Running a query, one at a time, in the engine or at an endpoint.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use sweep::ResultKind;
use table::Table;
use web_sys::AbortController;

use crate::browser;
use crate::components::query_problem::RunError;
use crate::components::run_result::Outcome;
use crate::context::{Announcer, Bundle};
use crate::endpoint::{self, Answer, EndpointError};
use crate::engine::{Engine, Stage};
use crate::query::Endpoint;
use crate::state::command::is_web_address;
use crate::state::format;
use crate::tables::{Problem, Tables};

/// How far a run is.
#[derive(Clone)]
pub enum Run {
    /// Nothing has been run.
    Idle,
    /// It is under way.
    Running {
        /// When it began, on the page's clock.
        since: f64,
    },
    /// There are rows.
    Done(Arc<Outcome>),
    /// There are none, and why.
    Failed {
        /// What went wrong.
        error: RunError,
        /// The query as it was sent.
        sparql: String,
    },
}

/// Runs the text in the editor, one run at a time.
#[derive(Clone, Copy)]
pub struct Runner {
    text: RwSignal<String>,
    endpoint: Memo<Endpoint>,
    engine: Engine,
    tables: Tables,
    bundle: Bundle,
    announcer: Announcer,
    /// How far the run is.
    pub run: RwSignal<Run>,
    abort: StoredValue<Option<AbortController>, LocalStorage>,
}

impl Runner {
    /// Will run `text` at `endpoint`, each as it stands then. A request is aborted when the view goes.
    pub fn new(text: RwSignal<String>, endpoint: Memo<Endpoint>) -> Self {
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

    /// Whether a run is under way.
    pub fn is_running(self) -> bool {
        self.run.with(|run| matches!(run, Run::Running { .. }))
    }

    /// Whether there is something to run and someone to run it.
    pub fn can_run(self) -> bool {
        let askable = self.endpoint.with(|endpoint| match endpoint {
            Endpoint::Embedded => true,
            Endpoint::Url(url) => is_web_address(url),
        });
        askable && self.text.with(|text| !text.trim().is_empty())
    }

    /// Runs, unless a run is under way or there is nothing to run.
    pub fn run(self) {
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
                Err(error) => (
                    "The query gave no table".to_owned(),
                    Run::Failed { error, sparql },
                ),
            };
            if self.run.try_set(run).is_none() {
                self.announcer.say(sentence);
            }
        });
    }

    /// What is going on while a run is under way, for people.
    pub fn doing(self) -> String {
        match (self.endpoint.get(), self.engine.stage().get()) {
            (Endpoint::Url(_), _) => "waiting for the endpoint".to_owned(),
            (_, Stage::Idle | Stage::Answering) => "answering".to_owned(),
            (_, Stage::Starting) => "starting the engine".to_owned(),
            (_, Stage::Fetching { file, bytes }) => {
                format!("fetching {file}, {}", format::bytes(bytes))
            }
            (_, Stage::Reading { file }) => format!("reading {file}"),
        }
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
        let controller =
            AbortController::new().map_err(|_| RunError::Endpoint(EndpointError::Cancelled))?;
        self.abort.set_value(Some(controller.clone()));
        let reply = endpoint::ask(url, sparql, self.tables, &controller.signal()).await;
        self.abort.try_set_value(None);
        let Answer { rows, note } = reply.map_err(RunError::Endpoint)?;
        // An endpoint that says that its data are a reconstruction is believed; one that says nothing is as it seems.
        let kind = match &note {
            Some(note) if note.is_reconstruction() => ResultKind::Reconstruction,
            _ => ResultKind::Live,
        };
        let (server, release) =
            note.map_or_else(Default::default, |note| (note.server, note.release));
        Ok(Outcome {
            table: read(&rows)?,
            rows,
            ms: browser::now() - since,
            load_ms: 0.0,
            kind,
            server,
            release,
            endpoint: url.to_owned(),
            date: browser::timestamp(),
        })
    }

    /// Ends the run, wherever it is: the reader may have chosen another endpoint meanwhile.
    pub fn cancel(self) {
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
