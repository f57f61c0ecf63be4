//! Where keys, controls and baseline agents run their queries: the federation inside this program, or a server.

mod embedded;
mod remote;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use federation::protocol::ReplyError;
use federation::{CatalogueError, LoadError, QueryError};
use sweep::Provenance;
use table::Table;
use thiserror::Error;

use self::embedded::Embedded;
pub(crate) use self::embedded::{CancelOnDrop, MANIFEST};
use self::remote::Remote;
use crate::settings::{EndpointChoice, EndpointPlace};
use crate::store::StoreError;

/// An endpoint, ready to be asked.
pub struct Endpoint {
    inner: Inner,
    timeout: Duration,
}

enum Inner {
    Embedded(Embedded),
    Remote(Remote),
}

/// A query's table and how long it took.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The rows.
    pub table: Table,
    /// Milliseconds from asking to having the table; loading the embedded federation's files is not in it.
    pub ms: f64,
    /// How long was waited, before that, because a server said when to come back.
    pub waited: Duration,
}

/// A query that did not come back with a table. None of these is an empty result.
#[derive(Debug, Error)]
pub enum EndpointError {
    /// The folder of the embedded federation is not one.
    #[error("no embedded federation lies in {}", folder.display())]
    NoSnapshot {
        /// The folder.
        folder: PathBuf,
        /// What is missing or wrong.
        source: StoreError,
    },
    /// The embedded federation's catalogue cannot be read, or a file is not the one that it describes.
    #[error("the embedded federation: {0}")]
    Catalogue(CatalogueError),
    /// A file of the embedded federation cannot be loaded.
    #[error("cannot load {}", file.display())]
    Load {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        source: LoadError,
    },
    /// A file of the embedded federation cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The embedded engine refused or failed the query.
    #[error("the embedded engine: {0}")]
    Query(QueryError),
    /// The query took longer than it may.
    #[error("no answer within {seconds} s")]
    TimedOut {
        /// The bound.
        seconds: u64,
    },
    /// The server could not be reached, or the connection broke.
    #[error("cannot reach {url}")]
    Transport {
        /// Address of the endpoint.
        url: String,
        /// What the connection said.
        source: reqwest::Error,
    },
    /// The program's HTTP client could not be set up.
    #[error("cannot set up the HTTP client")]
    Client(#[source] reqwest::Error),
    /// The server replied with something that is no complete table.
    #[error("{url}: {error}")]
    Reply {
        /// Address of the endpoint.
        url: String,
        /// What is wrong with the reply, its beginning included.
        error: Box<ReplyError>,
        /// How long was waited before it was given up.
        waited: Duration,
    },
    /// The server replied with a table of something else, such as the answer of an ASK.
    #[error("{url}: the reply's columns ({}) are not the query's ({})", found.join(", "), expected.join(", "))]
    Columns {
        /// Address of the endpoint.
        url: String,
        /// Columns of the reply.
        found: Vec<String>,
        /// Columns that the query selects.
        expected: Vec<String>,
    },
    /// The server says that its data are a reconstruction, and did not say so when it was opened.
    #[error("{url} serves a reconstruction now, and did not say so when it was first asked")]
    Reconstruction {
        /// Address of the endpoint.
        url: String,
    },
    /// The engine's thread broke down.
    #[error("the embedded engine stopped: {0}")]
    Stopped(String),
}

impl EndpointError {
    /// Whether what was typed is at fault, and not the endpoint.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::NoSnapshot { .. } | Self::Catalogue(_) | Self::Load { .. } | Self::Store(_)
        )
    }

    /// Whether the server could not be reached, so that the next query will hardly fare better.
    pub fn is_out_of_reach(&self) -> bool {
        matches!(self, Self::Transport { .. })
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoSnapshot { .. } => {
                Some("give the folder of its manifest.json with --snapshot, or a server with --endpoint URL".to_owned())
            }
            Self::Store(error) if error.source.kind() != std::io::ErrorKind::NotFound => error.hint(),
            Self::Catalogue(CatalogueError::FileName { .. }) => {
                Some("put the files beside manifest.json, and name them by their names alone".to_owned())
            }
            Self::Catalogue(_) | Self::Load { .. } | Self::Store(_) => {
                Some("build the files again with `cargo xtask snapshot`".to_owned())
            }
            Self::Query(error) => error.remedy().map(str::to_owned),
            Self::TimedOut { .. } => Some("give it more with --timeout".to_owned()),
            Self::Transport { .. } => Some("check the address and the network; nothing was counted as empty".to_owned()),
            Self::Columns { .. } => Some("check that the address is that of a SPARQL endpoint; nothing of the reply was counted".to_owned()),
            Self::Reconstruction { .. } => Some("run it again; nothing of this was counted as live".to_owned()),
            _ => None,
        }
    }

    /// How long was waited, in vain, because the server said when to come back.
    pub fn waited(&self) -> Duration {
        match self {
            Self::Reply { waited, .. } => *waited,
            _ => Duration::ZERO,
        }
    }

    /// The beginning of the server's reply, where there was one.
    pub fn reply(&self) -> Option<&ReplyError> {
        match self {
            Self::Reply { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl Endpoint {
    /// Opens the endpoint that was chosen. A server is asked nothing yet but whose data it serves.
    pub async fn open(choice: &EndpointChoice) -> Result<Self, EndpointError> {
        let inner = match &choice.place {
            EndpointPlace::Embedded(folder) => Inner::Embedded(Embedded::open(folder)?),
            EndpointPlace::Remote(url) => Inner::Remote(Remote::open(url, choice.timeout).await?),
        };
        Ok(Self {
            inner,
            timeout: choice.timeout,
        })
    }

    /// Where its results come from; of a server, as far as it has said by now.
    pub fn provenance(&self) -> &Provenance {
        match &self.inner {
            Inner::Embedded(embedded) => embedded.provenance(),
            Inner::Remote(remote) => remote.provenance(),
        }
    }

    /// How long one query may take.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// The folder and files of the embedded federation, the catalogue first; `None` for a server.
    pub fn snapshot(&self) -> Option<(&std::path::Path, Vec<String>)> {
        match &self.inner {
            Inner::Embedded(embedded) => Some((embedded.folder(), embedded.files())),
            Inner::Remote(_) => None,
        }
    }

    /// The short names of the embedded federation's graphs; `None` for a server, which may have any.
    pub fn graphs(&self) -> Option<std::collections::BTreeSet<&str>> {
        match &self.inner {
            Inner::Embedded(embedded) => Some(embedded.graphs()),
            Inner::Remote(_) => None,
        }
    }

    /// Runs a query to its end, or until its time is up.
    pub async fn query(&self, sparql: &str) -> Result<Answer, EndpointError> {
        match &self.inner {
            Inner::Embedded(embedded) => embedded.query(sparql, self.timeout).await,
            Inner::Remote(remote) => {
                let started = Instant::now();
                let (table, waited) = remote.query(sparql, self.timeout).await?;
                let ms = milliseconds(started.elapsed().saturating_sub(waited));
                Ok(Answer { table, ms, waited })
            }
        }
    }
}

/// A duration in milliseconds, to the microsecond.
pub fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}
