//! What an endpoint serves.

use std::path::{Path, PathBuf};

use federation::protocol::ServerNote;
use federation::{Cancel, Catalogue, Federation, Found, GraphInfo, LoadError, QueryError, is_rdf};
use spargebra::Query;

use crate::endpoint::{EndpointError, MANIFEST};
use crate::{Failure, store};

/// RDF files in memory, and what the endpoint over them calls itself.
pub struct Data {
    federation: Federation,
    note: ServerNote,
}

impl Data {
    /// The whole of a snapshot folder, each file checked against the catalogue.
    pub fn snapshot(folder: &Path) -> Result<Self, Failure> {
        let mut data = Self::empty();
        data.add_snapshot(folder)?;
        Ok(data)
    }

    /// Files and folders of RDF; a folder's other files are passed over. A folder with a catalogue is a snapshot.
    ///
    /// One file that a catalogue beside it lists makes the whole a reconstruction: what was made up must not pass for
    /// something else because it was given by another path.
    pub fn files(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut data = Self::empty();
        for path in paths {
            if path.join(MANIFEST).is_file() {
                data.add_snapshot(path)?;
            } else if path.is_dir() {
                if !data.add_folder(path)? {
                    return Err(Failure::usage(
                        format!("no RDF file lies in {}", path.display()),
                        "RDF files are named .trig, .nq, .ttl, .nt, .rdf or .owl, with .gz behind it or not",
                    ));
                }
            } else {
                data.add_file(path)?;
            }
        }
        Ok(data)
    }

    fn empty() -> Self {
        let note = ServerNote {
            server: "okn-benchmark".to_owned(),
            kind: None,
            release: None,
        };
        Self {
            federation: Federation::new(),
            note,
        }
    }

    fn add_snapshot(&mut self, folder: &Path) -> Result<(), Failure> {
        let catalogue = catalogue_of(folder)?;
        for entry in &catalogue.files {
            let path = folder.join(&entry.file);
            let bytes = store::read(&path)?;
            entry.check(&bytes).map_err(EndpointError::Catalogue)?;
            self.load(&path, &bytes)?;
        }
        self.name_after(&catalogue);
        Ok(())
    }

    /// Whether there was any RDF in the folder or below it.
    fn add_folder(&mut self, folder: &Path) -> Result<bool, Failure> {
        let mut any = false;
        for path in store::list(folder)? {
            if path.join(MANIFEST).is_file() {
                self.add_snapshot(&path)?;
                any = true;
            } else if path.is_dir() {
                any |= self.add_folder(&path)?;
            } else if is_rdf(&path.to_string_lossy()) {
                self.add_file(&path)?;
                any = true;
            }
        }
        Ok(any)
    }

    fn add_file(&mut self, path: &Path) -> Result<(), Failure> {
        let bytes = store::read(path)?;
        self.load(path, &bytes)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        if let Some(name) = path.file_name().and_then(|name| name.to_str())
            && folder.join(MANIFEST).is_file()
            && let Ok(catalogue) = catalogue_of(folder)
            && catalogue.file(name).is_some()
        {
            self.name_after(&catalogue);
        }
        Ok(())
    }

    fn load(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        match self.federation.load(&path.to_string_lossy(), bytes) {
            Ok(_) => Ok(()),
            Err(error) => Err(unreadable(path, &error)),
        }
    }

    fn name_after(&mut self, catalogue: &Catalogue) {
        self.note = ServerNote {
            server: catalogue.server.clone(),
            kind: Some(catalogue.kind.clone()),
            release: Some(catalogue.release.clone()),
        };
    }

    /// What the endpoint calls itself and its data.
    pub fn note(&self) -> &ServerNote {
        &self.note
    }

    /// The named graphs.
    pub fn graphs(&self) -> Vec<GraphInfo> {
        self.federation.graphs()
    }

    /// How many triples lie in no named graph.
    pub fn unnamed(&self) -> usize {
        self.federation.unnamed()
    }

    /// How many triples a query without `GRAPH` sees.
    pub fn default_graph(&self) -> usize {
        self.federation.default_graph()
    }

    /// Evaluates a query to its end.
    pub fn find(&self, query: &Query, cancel: &Cancel) -> Result<Found, QueryError> {
        self.federation.find(query, cancel)
    }
}

fn catalogue_of(folder: &Path) -> Result<Catalogue, EndpointError> {
    let bytes =
        store::read(&folder.join(MANIFEST)).map_err(|source| EndpointError::NoSnapshot {
            folder: folder.to_owned(),
            source,
        })?;
    Catalogue::parse(&bytes).map_err(EndpointError::Catalogue)
}

fn unreadable(path: &Path, error: &LoadError) -> Failure {
    let (line, column) = error.position().unwrap_or((1, 1));
    Failure::Input {
        file: path.to_owned(),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: u32::try_from(column).unwrap_or(u32::MAX),
        message: error.kind.to_string(),
        remedy: error.remedy().map(str::to_owned),
    }
}
