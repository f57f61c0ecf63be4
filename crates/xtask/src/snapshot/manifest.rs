//! `manifest.json`: what the page and the program read to know which file holds which graph.

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::sources::hex;
use super::trig::{Graph, OBO};

/// Counts up whenever the files change in a way that a user of older results should know of.
const RELEASE: &str = "2026-11-30";

/// Which file an entry is about, before its contents are known.
pub(super) struct Entry {
    graph: &'static str,
    ontology: Option<(&'static str, &'static str)>,
}

impl Entry {
    /// A graph that has a file of its own.
    pub(super) const fn graph(graph: &'static str) -> Self {
        Self {
            graph,
            ontology: None,
        }
    }

    /// The hub graph's part for one ontology: its name, and what its identifiers begin with.
    pub(super) const fn ontology(name: &'static str, namespace: &'static str) -> Self {
        Self {
            graph: "ubergraph",
            ontology: Some((name, namespace)),
        }
    }

    /// The file's name.
    pub(super) fn file(&self) -> String {
        match self.ontology {
            Some((name, _)) => format!("{}-{name}.trig.gz", self.graph),
            None => format!("{}.trig.gz", self.graph),
        }
    }

    fn licence(&self) -> &'static str {
        match (self.graph, self.ontology) {
            ("ubergraph", Some(("hpo", _))) | ("oard-kg" | "rdkg", _) => "HPO licence",
            ("ubergraph" | "pankgraph" | "nde", _) => "CC-BY-4.0",
            _ => "MIT OR Apache-2.0",
        }
    }

    fn sources(&self) -> &'static [&'static str] {
        const MONDO: &str = "MONDO 2026-05-05";
        const HPO: &str = "HPO 2025-01-16";
        match (self.graph, self.ontology) {
            (_, Some(("mondo", _))) => &[MONDO],
            (_, Some(("hpo", _))) => &[HPO],
            (_, Some(_)) => &["GO 2022-07-01"],
            ("nde", _) => &["reconstruction", MONDO],
            ("oard-kg", _) => &["reconstruction", "HPO annotations 2025-01-16", MONDO],
            ("rdkg", _) => &["HPO annotations 2025-01-16", MONDO],
            ("pankgraph", _) => &["GO annotations of human genes 2022-09", "GO 2022-07-01"],
            _ => &[
                "reconstruction",
                "Ensembl accessions of human genes 2022-06",
            ],
        }
    }
}

/// The manifest as it is written.
#[derive(Serialize)]
pub(super) struct Manifest {
    version: u32,
    server: &'static str,
    kind: &'static str,
    release: &'static str,
    files: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    file: String,
    graph: String,
    name: &'static str,
    ontology: Option<&'static str>,
    iri_prefix: Option<String>,
    quads: usize,
    bytes: usize,
    sha256: String,
    licence: &'static str,
    sources: &'static [&'static str],
}

impl Manifest {
    pub(super) const fn new() -> Self {
        Self {
            version: 1,
            server: "embedded-reconstruction",
            kind: "reconstruction",
            release: RELEASE,
            files: Vec::new(),
        }
    }

    /// Adds a file that holds `graph` as `bytes`.
    pub(super) fn add(&mut self, entry: &Entry, graph: &Graph, bytes: &[u8]) {
        self.files.push(Listed {
            file: entry.file(),
            graph: graph.iri(),
            name: entry.graph,
            ontology: entry.ontology.map(|(name, _)| name),
            iri_prefix: entry
                .ontology
                .map(|(_, namespace)| format!("{OBO}{namespace}_")),
            quads: graph.len(),
            bytes: bytes.len(),
            sha256: hex(&Sha256::digest(bytes)),
            licence: entry.licence(),
            sources: entry.sources(),
        });
    }

    /// The file's bytes.
    pub(super) fn to_json(&self) -> anyhow::Result<Vec<u8>> {
        let mut json = serde_json::to_vec_pretty(self)?;
        json.push(b'\n');
        Ok(json)
    }
}
