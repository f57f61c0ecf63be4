//! `ava synthesize`: triplets from the subgraphs of an ontology.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ava::{RULES, Rules, TRIPLETS, Triplet, Unmade};
use clap::Args;
use ontology::{Manifest, STRATEGY, Subgraph};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{plural, triplet_files};
use crate::output::{Output, grid};
use crate::{Failure, ontology_file, store};

/// Name of the list of subgraphs.
const MANIFEST: &str = "manifest.json";
/// Subgraphs that are worked through before it is looked whether somebody wants to stop.
const BATCH: usize = 64;

/// `ava synthesize`
#[derive(Args, Debug)]
pub struct SynthesizeArgs {
    /// Folder that `ava extract` wrote, or the `bfs` folder of one ontology in it
    #[arg(long, value_name = "DIR")]
    pub subgraphs: PathBuf,
    /// The ontology that the subgraphs were cut from
    #[arg(long, value_name = "FILE")]
    pub ontology: PathBuf,
    /// File to write the triplets to: one JSON array, as `ava filter` reads it
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Name of the ontology in the folder [default: that of its file, without the ending]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// What makes the triplets. `rules`: the axioms themselves, without a model
    #[arg(long, value_name = "GENERATOR", default_value = RULES, value_parser = [RULES])]
    pub generator: String,
}

/// What `ava synthesize --json` prints.
#[derive(Serialize)]
struct Synthesized {
    subgraphs: String,
    ontology: String,
    out: String,
    generator: String,
    /// How many subgraphs were read.
    subgraphs_read: usize,
    triplets: usize,
    /// Subgraphs by how many triplets they gave.
    subgraphs_with: BTreeMap<usize, usize>,
    /// Triplets by the kind of their negative.
    perturbations: BTreeMap<String, usize>,
    /// Triplets that are missing to five a subgraph.
    missing: usize,
    /// What stood in the way, and how often, wherever a triplet was looked for.
    unmade: BTreeMap<Unmade, usize>,
}

pub(super) async fn run(args: &SynthesizeArgs, output: Output) -> Result<(), Failure> {
    if args.out.is_dir() {
        return Err(Failure::usage(
            format!("{} is a folder", args.out.display()),
            "give a file with --out",
        ));
    }
    let folder = folder(args)?;
    let manifest: Manifest = read(&folder.join(MANIFEST), "list of subgraphs")?;
    let ontology = ontology_file::read(&args.ontology)?;
    let mut rules = Rules::new(&ontology);
    let mut triplets = Vec::new();
    let mut subgraphs_with = BTreeMap::new();
    let mut unmade: BTreeMap<Unmade, usize> = BTreeMap::new();
    let mut axioms = 0;
    for batch in manifest.subgraphs.chunks(BATCH) {
        for entry in batch {
            let subgraph: Subgraph<'_> =
                read(&folder.join(file_name(entry, &folder)?), "subgraph")?;
            let made = rules.make(&subgraph);
            axioms += made.axioms;
            *subgraphs_with.entry(made.triplets.len()).or_default() += 1;
            for (why, count) in made.unmade {
                *unmade.entry(why).or_default() += count;
            }
            triplets.extend(made.triplets);
        }
        // Whoever wants to stop is heard here.
        tokio::task::yield_now().await;
    }
    if axioms == 0 && unmade.contains_key(&Unmade::NotAsserted) {
        return Err(Failure::usage(
            format!(
                "{} asserts nothing of what the subgraphs in {} hold",
                args.ontology.display(),
                folder.display()
            ),
            "give the file that they were cut from, with --ontology",
        ));
    }
    store::write_whole(&args.out, &triplet_files::array(&triplets)?)?;
    let synthesized = Synthesized {
        subgraphs: folder.display().to_string(),
        ontology: args.ontology.display().to_string(),
        out: args.out.display().to_string(),
        generator: args.generator.clone(),
        subgraphs_read: manifest.subgraphs.len(),
        missing: (manifest.subgraphs.len() * TRIPLETS).saturating_sub(triplets.len()),
        perturbations: perturbations(&triplets),
        triplets: triplets.len(),
        subgraphs_with,
        unmade,
    };
    output.print(&synthesized, text)
}

fn perturbations(triplets: &[Triplet]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for kind in triplets
        .iter()
        .filter_map(|triplet| triplet.perturbation.as_ref())
    {
        *counts.entry(kind.name().to_owned()).or_default() += 1;
    }
    counts
}

/// Where the manifest lies.
fn folder(args: &SynthesizeArgs) -> Result<PathBuf, Failure> {
    let name = match &args.name {
        Some(name) => name.clone(),
        None => ontology_file::name_of(&args.ontology),
    };
    let places = [
        args.subgraphs.clone(),
        args.subgraphs.join(STRATEGY),
        args.subgraphs.join(&name).join(STRATEGY),
    ];
    let found = places
        .into_iter()
        .find(|place| place.join(MANIFEST).is_file());
    found.ok_or_else(|| {
        Failure::usage(
            format!("{} has no subgraphs of {name}", args.subgraphs.display()),
            "extract them there with `ava extract`, or give their ontology's name with --name",
        )
    })
}

/// The file of a subgraph, which lies beside the manifest and nowhere else.
fn file_name<'e>(entry: &'e ontology::ManifestEntry, folder: &Path) -> Result<&'e str, Failure> {
    let name = entry.file.as_str();
    if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\', '\0']) {
        return Err(Failure::usage(
            format!(
                "{} lists `{name}`, which is no name of a file beside it",
                folder.join(MANIFEST).display()
            ),
            "extract the ontology again",
        ));
    }
    Ok(name)
}

fn read<T: DeserializeOwned>(file: &Path, what: &str) -> Result<T, Failure> {
    serde_json::from_slice(&store::read(file)?).map_err(|error| Failure::Input {
        file: file.to_owned(),
        line: u32::try_from(error.line()).unwrap_or(u32::MAX),
        column: u32::try_from(error.column()).unwrap_or(u32::MAX),
        message: format!("no {what}: {}", triplet_files::words(&error)),
        remedy: Some("extract the ontology again".to_owned()),
    })
}

fn text(synthesized: &Synthesized) -> String {
    let kinds = synthesized.perturbations.iter();
    let mut lines = vec![
        grid(
            &["perturbation", "triplets"],
            &[1],
            kinds.map(|(kind, count)| vec![kind.clone(), count.to_string()]),
        ),
        format!(
            "{} of {}, generator {}; {} missing to {TRIPLETS} each",
            plural(synthesized.triplets, "triplet"),
            plural(synthesized.subgraphs_read, "subgraph"),
            synthesized.generator,
            synthesized.missing
        ),
    ];
    for (triplets, subgraphs) in &synthesized.subgraphs_with {
        lines.push(format!(
            "{} with {}",
            plural(*subgraphs, "subgraph"),
            plural(*triplets, "triplet")
        ));
    }
    if !synthesized.unmade.is_empty() {
        lines.push("met on the way, each time a triplet was looked for:".to_owned());
    }
    for (why, count) in &synthesized.unmade {
        lines.push(format!("{count} {}", why.words()));
    }
    lines.push(format!("written to {}", synthesized.out));
    lines.join("\n")
}
