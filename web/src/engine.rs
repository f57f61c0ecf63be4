//! The query engine, as the page sees it: the embedded federation in a worker, with the graphs that a query needs.

use explorer_engine::message::{Failure, NeededFile, Op};
use leptos::prelude::*;
use serde::Deserialize;
use thiserror::Error;

use crate::browser;
use crate::load::{self, LoadError};
use crate::state::provenance::SnapshotHead;
use crate::worker::{Worker, WorkerError};

/// The script that Trunk writes beside the page.
const SCRIPT: &str = "explorer-engine_loader.js";

/// The engine's handle; copied freely and found in the context.
#[derive(Clone, Copy)]
pub struct Engine {
    worker: Worker,
    manifest: StoredValue<Option<(String, SnapshotHead)>>,
    stage: RwSignal<Stage>,
}

/// What the engine is doing, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Nothing.
    #[default]
    Idle,
    /// The worker is being started.
    Starting,
    /// A file of the snapshot is on its way.
    Fetching {
        /// Its name.
        file: String,
        /// Its size in bytes, as stored.
        bytes: u64,
    },
    /// A file of the snapshot is being read.
    Reading {
        /// Its name.
        file: String,
    },
    /// The query is being evaluated.
    Answering,
}

/// What a query gave, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The rows as SPARQL JSON.
    pub rows: String,
    /// Milliseconds of the evaluation alone.
    pub ms: f64,
    /// Milliseconds that starting the engine and loading graphs took before.
    pub load_ms: f64,
    /// The snapshot's own words about itself.
    pub snapshot: SnapshotHead,
}

/// Why there is no answer.
#[derive(Clone, Debug, Error)]
pub enum EngineError {
    /// The engine says so.
    #[error("{}", .0.message)]
    Refused(Failure),
    /// A file of the snapshot could not be read.
    #[error(transparent)]
    Snapshot(#[from] LoadError),
    /// The site has no snapshot to query.
    #[error("this site was published without the embedded federation")]
    NoSnapshot,
    /// The worker ended.
    #[error(transparent)]
    Worker(#[from] WorkerError),
}

/// A reply with whatever it may hold. One struct without variants keeps the page's module small.
#[derive(Deserialize)]
struct Reply {
    error: Option<Failure>,
    #[serde(default)]
    files: Vec<NeededFile>,
    json: Option<String>,
    ms: Option<f64>,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// A handle without a worker yet.
    pub fn new() -> Self {
        Self {
            worker: Worker::new(SCRIPT),
            manifest: StoredValue::new(None),
            stage: RwSignal::new(Stage::Idle),
        }
    }

    /// The engine of the page.
    pub fn from_context() -> Self {
        use_context().unwrap_or_default()
    }

    /// What the engine is doing.
    pub fn stage(self) -> Signal<Stage> {
        self.stage.into()
    }

    /// Ends whatever is running.
    pub fn cancel(self) {
        self.worker.cancel();
    }

    /// Evaluates a query over the snapshot whose manifest lies at `manifest`, loading what the query needs.
    pub async fn run(self, sparql: &str, manifest: Option<&str>) -> Result<Answered, EngineError> {
        let outcome = self.run_stages(sparql, manifest).await;
        self.at(Stage::Idle);
        outcome
    }

    async fn run_stages(
        self,
        sparql: &str,
        manifest: Option<&str>,
    ) -> Result<Answered, EngineError> {
        let path = manifest.ok_or(EngineError::NoSnapshot)?;
        let begun = browser::now();
        if !self.worker.is_running() {
            self.at(Stage::Starting);
        }
        self.worker.start().await?;
        let (manifest, snapshot) = self.manifest(path).await?;
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let files = Op::Files {
            sparql: sparql.to_owned(),
            manifest,
        };
        for file in self.ask(files).await?.files {
            if !file.loaded {
                self.load(folder, file).await?;
            }
        }
        let load_ms = browser::now() - begun;
        self.at(Stage::Answering);
        let query = Op::Query {
            sparql: sparql.to_owned(),
            rows: None,
        };
        let reply = self.ask(query).await?;
        Ok(Answered {
            rows: reply.json.unwrap_or_default(),
            ms: reply.ms.unwrap_or_default(),
            load_ms,
            snapshot,
        })
    }

    async fn load(self, folder: &str, file: NeededFile) -> Result<(), EngineError> {
        self.at(Stage::Fetching {
            file: file.file.clone(),
            bytes: file.bytes,
        });
        let bytes = load::bytes(&format!("{folder}/{}", file.file)).await?;
        self.at(Stage::Reading {
            file: file.file.clone(),
        });
        let load = Op::Load {
            file: file.file,
            bytes,
        };
        self.ask(load).await.map(drop)
    }

    async fn manifest(self, path: &str) -> Result<(String, SnapshotHead), EngineError> {
        if let Some(known) = self.manifest.get_value() {
            return Ok(known);
        }
        let text = load::text(path, None).await?;
        let head = load::parse(path, &text)?;
        let manifest = (text, head);
        self.manifest.try_set_value(Some(manifest.clone()));
        Ok(manifest)
    }

    async fn ask(self, op: Op) -> Result<Reply, EngineError> {
        let reply: Reply = self.worker.ask(&op).await?;
        match reply.error {
            Some(failure) => Err(EngineError::Refused(failure)),
            None => Ok(reply),
        }
    }

    fn at(self, stage: Stage) {
        self.stage.try_set(stage);
    }
}
