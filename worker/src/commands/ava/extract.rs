//! `ava extract`: the two-hop subgraphs of an ontology, in files as AVA's public code writes them.
//!
//! ```text
//! <out>/<ontology>/bfs/<subgraph_id>.json   see ontology::Subgraph
//! <out>/<ontology>/bfs/manifest.json        see ontology::Manifest
//! ```

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ontology::{
    Collision, Excluded, Extraction, Found, Graph, GraphKind, Manifest, ManifestEntry, NODES,
    STRATEGY, SubgraphWriter,
};
use serde::Serialize;

use super::plural;
use super::subgraph_files::{MANIFEST, is_plain_name};
use crate::ontology_file::ImportArgs;
use crate::output::Output;
use crate::store::StoreError;
use crate::{Failure, attempts, ontology_file, parallel, store};

/// Files that are written before it is looked whether somebody wants to stop.
const BATCH: usize = 1024;

/// `ava extract`
#[derive(Args, Debug)]
pub struct ExtractArgs {
    /// Ontology: .owl, .rdf, .xml, .ttl, .nt, .nq, .trig or .obo, with .gz behind it or not
    #[arg(long, value_name = "FILE")]
    pub ontology: PathBuf,
    /// Folder to write `NAME/bfs/` in, in place of what an earlier extraction wrote there
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Name of the ontology [default: that of its file, without the ending]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Which graph is cut up
    #[arg(long, value_enum, default_value_t = GraphChoice::Ava)]
    pub graph: GraphChoice,
    /// What becomes of imports.
    #[command(flatten)]
    pub imports: ImportArgs,
}

/// Which graph is made of an ontology.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphChoice {
    /// As AVA's public code has it: the identifiers are those of its files
    Ava,
    /// Restrictions written out, inside intersections too; without deprecated and unlabelled classes
    Full,
}

impl From<GraphChoice> for GraphKind {
    fn from(choice: GraphChoice) -> Self {
        match choice {
            GraphChoice::Ava => Self::Ava,
            GraphChoice::Full => Self::Full,
        }
    }
}

/// What `ava extract --json` prints.
#[derive(Serialize)]
struct Extracted {
    ontology: String,
    file: String,
    folder: String,
    graph: GraphKind,
    nodes: usize,
    edges: usize,
    seeds: usize,
    subgraphs: usize,
    too_small: usize,
    too_large: usize,
    duplicates: usize,
    excluded: Excluded,
    collisions: Vec<Collision>,
    skipped_clauses: usize,
}

pub(super) async fn run(args: &ExtractArgs, output: Output) -> Result<(), Failure> {
    let name = name(args)?;
    let place = store::resolved(&args.out)?.join(&name).join(STRATEGY);
    if !store::is_vacant(&place)? && !place.join(MANIFEST).is_file() {
        return Err(Failure::usage(
            format!(
                "{} holds files, and no subgraphs that were extracted",
                place.display()
            ),
            "give a new or empty folder with --out",
        ));
    }
    let ontology = ontology_file::read_with_classes(&args.ontology, &args.imports).await?;
    let graph = Graph::new(&ontology, args.graph.into());
    let (extraction, writer) = parallel::both(
        || ontology::extract(&graph),
        || SubgraphWriter::new(&graph, &name),
    );
    write(&writer, &extraction, &name, &place, &args.out).await?;

    let skipped = ontology.skipped().len();
    if skipped > 0 {
        output.say(format!(
            "{} passed over; `okn-benchmark ava ontology {}` lists each",
            plural(skipped, "broken clause"),
            args.ontology.display()
        ));
    }
    for collision in &extraction.collisions {
        output.say(format!(
            "{} is the identifier of two subgraphs; that around {} is {} instead",
            collision.shared_id, collision.seed, collision.given_id
        ));
    }
    let extracted = Extracted {
        file: args.ontology.display().to_string(),
        folder: args.out.join(&name).join(STRATEGY).display().to_string(),
        ontology: name,
        graph: graph.kind(),
        nodes: graph.nodes().len(),
        edges: graph.edges().len(),
        seeds: extraction.seeds,
        subgraphs: extraction.found.len(),
        too_small: extraction.too_small,
        too_large: extraction.too_large,
        duplicates: extraction.duplicates,
        excluded: graph.excluded(),
        collisions: extraction.collisions,
        skipped_clauses: skipped,
    };
    output.print(&extracted, text)
}

fn text(extracted: &Extracted) -> String {
    let mut text = vec![
        format!(
            "{}: {}",
            extracted.folder,
            plural(extracted.subgraphs, "subgraph")
        ),
        format!(
            "graph {} of {} nodes and {} edges, {}",
            extracted.graph,
            extracted.nodes,
            extracted.edges,
            plural(extracted.seeds, "seed")
        ),
        format!(
            "not kept: {} of fewer than {} nodes, {} of more than {}, {} with the nodes of an earlier one",
            extracted.too_small,
            NODES.start(),
            extracted.too_large,
            NODES.end(),
            extracted.duplicates
        ),
    ];
    if extracted.graph == GraphKind::Full {
        text.push(format!(
            "left out of the graph: {} deprecated classes, {} deprecated properties, {} classes without a label",
            extracted.excluded.deprecated_classes,
            extracted.excluded.deprecated_properties,
            extracted.excluded.unlabelled_classes
        ));
    }
    text.join("\n")
}

/// The ontology's name, which is also that of a folder.
fn name(args: &ExtractArgs) -> Result<String, Failure> {
    let name = args
        .name
        .clone()
        .unwrap_or_else(|| ontology_file::name_of(&args.ontology));
    if !is_plain_name(&name) {
        return Err(Failure::usage(
            format!("`{name}` is no name of a folder"),
            "give the ontology another one with --name",
        ));
    }
    Ok(name)
}

/// Writes the subgraphs, all of them aside at first.
async fn write(
    writer: &SubgraphWriter<'_>,
    extraction: &Extraction,
    name: &str,
    place: &Path,
    out: &Path,
) -> Result<(), Failure> {
    let scratch = store::scratch_folder(out)?;
    let new = scratch.path().join(STRATEGY);
    store::make_folder(&new)?;
    let mut entries = Vec::with_capacity(extraction.found.len());
    for batch in extraction.found.chunks(BATCH) {
        entries.extend(write_batch(writer, batch, &new)?);
        // Whoever wants to stop is heard here, and the scratch folder goes.
        tokio::task::yield_now().await;
    }
    let manifest = Manifest {
        ontology: name.to_owned(),
        strategy: STRATEGY.to_owned(),
        total: entries.len(),
        subgraphs: entries,
        collisions: extraction.collisions.clone(),
    };
    store::write_aside(&new.join(MANIFEST), &attempts::json(&manifest))?;
    Ok(store::swap_folder(scratch, &new, place)?)
}

/// Writes some subgraphs, on every processor there is; their entries in the same order.
fn write_batch(
    writer: &SubgraphWriter<'_>,
    batch: &[Found],
    folder: &Path,
) -> Result<Vec<ManifestEntry>, StoreError> {
    let share = batch.len().div_ceil(parallel::threads()).max(1);
    let shares: Vec<&[Found]> = batch.chunks(share).collect();
    let written = parallel::side_by_side(&shares, |share| -> Result<_, StoreError> {
        let mut entries = Vec::with_capacity(share.len());
        for found in *share {
            let (entry, bytes) = writer.write(found);
            store::write_aside(&folder.join(&entry.file), &bytes)?;
            entries.push(entry);
        }
        Ok(entries)
    });
    let written: Result<Vec<_>, _> = written.into_iter().collect();
    Ok(written?.concat())
}
