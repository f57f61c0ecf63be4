//! The federation inside this program, over the files of a snapshot folder.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use federation::{Cancel, Catalogue, Federation, FileEntry, parse_query};
use spargebra::Query;
use sweep::{Provenance, ResultKind};

use super::{Answer, EndpointError, milliseconds};
use crate::store;

/// The catalogue's file in a snapshot folder.
pub(crate) const MANIFEST: &str = "manifest.json";

pub(super) struct Embedded {
    folder: PathBuf,
    catalogue: Catalogue,
    provenance: Provenance,
    /// Shared with the threads that load and evaluate, so that waiting for them can end before they do.
    federation: Arc<RwLock<Federation>>,
}

impl Embedded {
    pub(super) fn open(folder: &Path) -> Result<Self, EndpointError> {
        let bytes =
            store::read(&folder.join(MANIFEST)).map_err(|source| EndpointError::NoSnapshot {
                folder: folder.to_owned(),
                source,
            })?;
        let catalogue = Catalogue::parse(&bytes).map_err(EndpointError::Catalogue)?;
        let provenance = Provenance {
            kind: ResultKind::Reconstruction,
            server: catalogue.server.clone(),
            endpoint: "embedded".to_owned(),
            release: Some(catalogue.release.clone()),
        };
        Ok(Self {
            folder: folder.to_owned(),
            catalogue,
            provenance,
            federation: Arc::default(),
        })
    }

    pub(super) fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The graphs by their short names.
    pub(super) fn graphs(&self) -> BTreeSet<&str> {
        let files = self.catalogue.files.iter();
        files.map(|file| file.name.as_str()).collect()
    }

    pub(super) fn files(&self) -> Vec<String> {
        let listed: BTreeSet<&String> =
            self.catalogue.files.iter().map(|file| &file.file).collect();
        std::iter::once(MANIFEST.to_owned())
            .chain(listed.into_iter().cloned())
            .collect()
    }

    pub(super) async fn query(
        &self,
        sparql: &str,
        timeout: Duration,
    ) -> Result<Answer, EndpointError> {
        let query = parse_query(sparql).map_err(EndpointError::Query)?;
        self.load_for(&query).await?;

        let cancel = Cancel::default();
        // Ends the evaluation when the caller stops waiting, for time or by Ctrl-C: a thread cannot be dropped.
        let _guard = CancelOnDrop(cancel.clone());
        let federation = Arc::clone(&self.federation);
        let evaluation = tokio::task::spawn_blocking(move || {
            let federation = federation
                .read()
                .map_err(|poisoned| EndpointError::Stopped(poisoned.to_string()))?;
            let started = Instant::now();
            let table = federation
                .evaluate(&query, &cancel)
                .map_err(EndpointError::Query)?;
            Ok(Answer {
                table,
                ms: milliseconds(started.elapsed()),
                waited: Duration::ZERO,
            })
        });
        match tokio::time::timeout(timeout, evaluation).await {
            Ok(joined) => joined.map_err(|error| EndpointError::Stopped(error.to_string()))?,
            Err(_) => Err(EndpointError::TimedOut {
                seconds: timeout.as_secs(),
            }),
        }
    }

    /// Loads the files that a query needs and that are not there yet.
    async fn load_for(&self, query: &Query) -> Result<(), EndpointError> {
        let wanted: Vec<FileEntry> = self
            .catalogue
            .files_for(query)
            .into_iter()
            .cloned()
            .collect();
        let folder = self.folder.clone();
        let federation = Arc::clone(&self.federation);
        let loading = tokio::task::spawn_blocking(move || {
            let mut federation = federation
                .write()
                .map_err(|poisoned| EndpointError::Stopped(poisoned.to_string()))?;
            for entry in wanted {
                if federation.is_loaded(&entry.file) {
                    continue;
                }
                let file = folder.join(&entry.file);
                let bytes = store::read(&file)?;
                entry.check(&bytes).map_err(EndpointError::Catalogue)?;
                federation
                    .load(&entry.file, &bytes)
                    .map_err(|source| EndpointError::Load { file, source })?;
            }
            Ok(())
        });
        loading
            .await
            .map_err(|error| EndpointError::Stopped(error.to_string()))?
    }
}

/// Stops an evaluation whose caller has stopped waiting, for time, by Ctrl-C or because a client has gone.
pub(crate) struct CancelOnDrop(pub(crate) Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
