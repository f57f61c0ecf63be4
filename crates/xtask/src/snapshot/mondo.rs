//! MONDO 2026-05-05, and which of its diseases are which ORPHANET entries.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use serde::Deserialize;

use super::ontology::{Ontology, Term};
use super::sources::{CELLXGENE_ONTOLOGIES, ONTO_MERGER};
use super::trig::Prefix;

/// What MONDO's classes are written with.
pub(super) const PREFIX: Prefix = ("mondo", "http://purl.obolibrary.org/obo/MONDO_");

const RELEASE: &str = "cellxgene_ontology_guide/data/MONDO-ontology-v2026-05-05.json.zst";
const MAPPINGS: &str = "onto_merger-0.1.0/tests/test_data/input/mappings.csv";

/// The disease ontology with its mapping to the entries that rare disease annotations are keyed on.
pub(super) struct Mondo {
    pub(super) ontology: Ontology,
    /// Per class the equivalent entries in the form `ORPHA:558`.
    pub(super) orphanet: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Deserialize)]
struct Entry {
    label: String,
    deprecated: bool,
    /// Every ancestor with the least number of steps to it.
    ancestors: BTreeMap<String, u32>,
    #[serde(default)]
    synonyms: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Mapping {
    source_id: String,
    target_id: String,
    relation: String,
    namespace_source_id: String,
    namespace_target_id: String,
}

/// Reads both from their packages.
pub(super) fn read() -> anyhow::Result<Mondo> {
    let packed = CELLXGENE_ONTOLOGIES.member(RELEASE)?;
    let json = ruzstd::decoding::StreamingDecoder::new(packed.as_slice())
        .context("MONDO's release is not zstd")?;
    let entries: BTreeMap<String, Entry> =
        serde_json::from_reader(json).context("MONDO's release is not as expected")?;
    let terms = entries
        .into_iter()
        .filter(|(_, entry)| !entry.deprecated)
        .map(|(id, entry)| (underscored(&id), entry.into()))
        .collect();
    let ontology = Ontology::new(terms);

    let mut orphanet: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let table = ONTO_MERGER.member(MAPPINGS)?;
    for mapping in csv::Reader::from_reader(table.as_slice()).deserialize() {
        let mapping: Mapping = mapping?;
        let wanted = mapping.namespace_source_id == "MONDO"
            && mapping.namespace_target_id == "ORPHANET"
            && mapping.relation == "equivalent_to";
        let class = underscored(&mapping.source_id);
        if wanted && ontology.contains(&class) {
            let entry = mapping.target_id.replace("ORPHANET:", "ORPHA:");
            orphanet.entry(class).or_default().insert(entry);
        }
    }
    Ok(Mondo { ontology, orphanet })
}

impl From<Entry> for Term {
    fn from(entry: Entry) -> Self {
        let direct = entry.ancestors.into_iter().filter(|(_, steps)| *steps == 1);
        Self {
            label: entry.label,
            parents: direct.map(|(id, _)| underscored(&id)).collect(),
            synonyms: entry.synonyms,
        }
    }
}

/// `MONDO:0004995` as it stands in an IRI.
pub(super) fn underscored(id: &str) -> String {
    id.replacen(':', "_", 1)
}
