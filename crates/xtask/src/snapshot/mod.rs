//! Rebuilds the embedded federation from its pinned sources: every file under `benchmarks-ontology/snapshot/` but the README,
//! byte for byte the same each time.
//!
//! Hierarchies, labels and annotations are read from published releases; what the catalogue, the clinical graph and the
//! expression atlas hold is made up from the tables beside this file, so that the published figures come out.

mod atlas;
mod catalogue;
mod choice;
mod clinical;
mod go;
mod hpo;
mod manifest;
mod mondo;
mod ontology;
mod pancreas;
mod rare;
mod sources;
mod trig;

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::paths;
use manifest::{Entry, Manifest};

/// Where the files go, from the repository's root.
const FOLDER: &str = "benchmarks-ontology/snapshot";

/// Builds every file and writes it, or, with `check`, fails if one differs from what is there.
pub(crate) fn run(check: bool) -> anyhow::Result<()> {
    let files = build()?;
    let folder = paths::root().join(FOLDER);
    if check {
        return compare(&folder, &files);
    }
    fs::create_dir_all(&folder)?;
    for (name, bytes) in &files {
        fs::write(folder.join(name), bytes).with_context(|| format!("failed to write {name}"))?;
        println!("{name}: {} bytes", bytes.len());
    }
    Ok(())
}

/// All files in the order in which the manifest names them, the manifest last.
fn build() -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mondo = mondo::read()?;
    let hpo = hpo::read()?;
    let go = go::read()?;
    let conditions = catalogue::conditions(&mondo)?;
    let genes = pancreas::genes(&go)?;

    let mut manifest = Manifest::new();
    let mut files = Vec::new();
    let mut add = |entry: Entry, graph: &trig::Graph| -> anyhow::Result<()> {
        let bytes = trig::gzip(&graph.to_string())?;
        files.push((entry.file(), bytes.clone()));
        manifest.add(&entry, graph, &bytes);
        Ok(())
    };
    add(
        Entry::ontology("mondo", "MONDO"),
        &mondo.ontology.graph(mondo::PREFIX),
    )?;
    add(
        Entry::ontology("hpo", "HP"),
        &hpo.ontology.graph(hpo::PREFIX),
    )?;
    add(Entry::ontology("go", "GO"), &go.ontology.graph(go::PREFIX))?;
    add(Entry::graph("nde"), &catalogue::graph(&conditions))?;
    add(
        Entry::graph("oard-kg"),
        &clinical::graph(&mondo, &hpo, &conditions)?,
    )?;
    add(Entry::graph("rdkg"), &rare::graph(&mondo, &hpo)?)?;
    add(Entry::graph("pankgraph"), &pancreas::graph(&go, &genes)?)?;
    add(
        Entry::graph("gene-expression-atlas-okn"),
        &atlas::graph(&genes),
    )?;
    files.push(("manifest.json".to_owned(), manifest.to_json()?));
    Ok(files)
}

fn compare(folder: &Path, files: &[(String, Vec<u8>)]) -> anyhow::Result<()> {
    let differing: Vec<&str> = files
        .iter()
        .filter(|(name, bytes)| fs::read(folder.join(name)).ok().as_ref() != Some(bytes))
        .map(|(name, _)| name.as_str())
        .collect();
    if !differing.is_empty() {
        bail!(
            "{FOLDER} differs from its sources in {}; run `cargo xtask snapshot`, look at the change and commit it",
            differing.join(", ")
        );
    }
    println!("{FOLDER}: {} files, as their sources say", files.len());
    Ok(())
}
