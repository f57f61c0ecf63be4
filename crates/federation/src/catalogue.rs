//! The catalogue of a snapshot: which files there are, what is in them, and which of them a query needs.

use crate::needs;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use spargebra::Query;

/// The format of `snapshot/manifest.json` that this version reads; `cargo xtask snapshot` alone writes it.
pub const CATALOGUE_VERSION: u32 = 1;

/// A snapshot's `manifest.json`.
///
/// ```
/// use federation::{Catalogue, parse_query};
///
/// let catalogue = Catalogue::parse(br#"{
///     "version": 1, "server": "embedded-reconstruction", "kind": "reconstruction", "release": "2026-05-05",
///     "files": [
///         {"file": "nde.trig.gz", "graph": "https://purl.org/okn/frink/kg/nde", "name": "nde",
///          "quads": 1, "bytes": 90, "sha256": "00", "licence": "CC0-1.0", "sources": []},
///         {"file": "rdkg.trig.gz", "graph": "https://purl.org/okn/frink/kg/rdkg", "name": "rdkg",
///          "quads": 1, "bytes": 90, "sha256": "00", "licence": "CC0-1.0", "sources": []}
///     ]
/// }"#)?;
/// let query = parse_query("ASK { GRAPH <https://purl.org/okn/frink/kg/nde> { ?s ?p ?o } }")?;
/// let needed: Vec<_> = catalogue.files_for(&query).iter().map(|f| f.file.as_str()).collect();
/// assert_eq!(needed, ["nde.trig.gz"]);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Catalogue {
    /// [`CATALOGUE_VERSION`].
    pub version: u32,
    /// How the snapshot names itself as a server.
    pub server: String,
    /// What it is, in a word that every page and file made on it repeats: `reconstruction`.
    pub kind: String,
    /// The release of the data.
    pub release: String,
    /// The files.
    pub files: Vec<FileEntry>,
}

/// One file of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its name, relative to the manifest.
    pub file: String,
    /// The IRI of the one graph that its quads are in.
    pub graph: String,
    /// The graph's short name.
    pub name: String,
    /// Of a graph in several files: the ontology that this one holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ontology: Option<String>,
    /// Of a graph in several files: how the IRIs of the subjects in this one begin, and in no other. Such a file is closed:
    /// no path of the graph leads out of it to a subject of another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iri_prefix: Option<String>,
    /// Its quads.
    pub quads: u64,
    /// Its size as stored.
    pub bytes: u64,
    /// SHA-256 of it as stored, in lowercase hexadecimal.
    pub sha256: String,
    /// The licence of its content.
    pub licence: String,
    /// Where its content comes from.
    #[serde(default)]
    pub sources: Vec<serde_json::Value>,
}

/// A catalogue, or a file against it, that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CatalogueError {
    /// The text is not a catalogue.
    #[error("manifest.json:{line}:{column}: {message}")]
    Json {
        /// 1-based line.
        line: usize,
        /// 1-based column, in bytes.
        column: usize,
        /// The parser's words.
        message: String,
    },
    /// It is of another version of the format.
    #[error(
        "manifest.json is of version {found}, and this program reads version {CATALOGUE_VERSION}"
    )]
    Version {
        /// The version that it says.
        found: u32,
    },
    /// A file's name may lead out of the manifest's folder.
    #[error("manifest.json names the file `{file}`, which is no plain path below its own folder")]
    FileName {
        /// The name.
        file: String,
    },
    /// A file is not the one that the catalogue lists.
    #[error("{file}: sha-256 is {found}, and manifest.json says {expected}")]
    Checksum {
        /// The file's name.
        file: String,
        /// Of the bytes given.
        found: String,
        /// Of the catalogue.
        expected: String,
    },
}

impl Catalogue {
    /// Reads `manifest.json`.
    pub fn parse(bytes: &[u8]) -> Result<Self, CatalogueError> {
        let catalogue: Self =
            serde_json::from_slice(bytes).map_err(|error| CatalogueError::Json {
                line: error.line(),
                column: error.column(),
                message: error.to_string(),
            })?;
        if catalogue.version != CATALOGUE_VERSION {
            return Err(CatalogueError::Version {
                found: catalogue.version,
            });
        }
        // Whoever opens the files goes by their names: none may lead to what is not the snapshot's.
        match catalogue.files.iter().find(|entry| !is_below(&entry.file)) {
            Some(entry) => Err(CatalogueError::FileName {
                file: entry.file.clone(),
            }),
            None => Ok(catalogue),
        }
    }

    /// The entry of a file.
    pub fn file(&self, file: &str) -> Option<&FileEntry> {
        self.files.iter().find(|entry| entry.file == file)
    }

    /// The files that must be loaded for a query to be answered as if all were, in the catalogue's order.
    ///
    /// These are the files of the graphs that it names; all files where one of its patterns may look in any graph. Of a graph
    /// in several files, those suffice whose [`iri_prefix`](FileEntry::iri_prefix) begins an IRI of the query, where every
    /// pattern over that graph is tied to such an IRI; see the module `needs` for what tied means.
    pub fn files_for(&self, query: &Query) -> Vec<&FileEntry> {
        let needs = needs::of(query);
        self.files
            .iter()
            .filter(|entry| needs.include(entry, &self.files))
            .collect()
    }
}

impl FileEntry {
    /// Whether these bytes are the file that the entry describes.
    pub fn check(&self, bytes: &[u8]) -> Result<(), CatalogueError> {
        let found = sha256_hex(bytes);
        if found == self.sha256 {
            Ok(())
        } else {
            Err(CatalogueError::Checksum {
                file: self.file.clone(),
                found,
                expected: self.sha256.clone(),
            })
        }
    }
}

/// Whether a name is that of a file in the folder or below it, on every system and as a part of an address.
fn is_below(file: &str) -> bool {
    // A drive's letter, another system's separator, a query or a fragment.
    let is_plain = !file.contains(['\\', ':', '?', '#', '%']) && !file.contains(char::is_control);
    let is_part = |part: &str| !part.is_empty() && part != "." && part != "..";
    is_plain && file.split('/').all(is_part)
}

/// SHA-256 in lowercase hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
