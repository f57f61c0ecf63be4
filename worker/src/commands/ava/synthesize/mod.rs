//! `ava synthesize`: triplets from the subgraphs of an ontology.

mod answers;
mod model;
mod money;
mod rules;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

use ava::{RULES, TRIPLETS, Triplet, Unmade};
use clap::Args;
use ontology::{Manifest, ManifestEntry, STRATEGY, Subgraph};
use serde::Serialize;

use self::model::{Asking, ByModel, Estimate, Generator, ModelOptions};
use super::subgraph_files::{self, MANIFEST};
use super::{plural, triplet_files};
use crate::agent::INTERFACES;
use crate::agent::api::{Interface, KeyNeed};
use crate::ontology_file::ImportArgs;
use crate::output::{Output, grid};
use crate::{Failure, ontology_file, store};

/// `ava synthesize`
#[derive(Args, Debug)]
pub struct SynthesizeArgs {
    /// Folder that `ava extract` wrote, or the `bfs` folder of one ontology in it
    #[arg(long, value_name = "DIR")]
    pub subgraphs: PathBuf,
    /// The ontology that the subgraphs were cut from; `rules` reads its axioms
    #[arg(long, value_name = "FILE")]
    pub ontology: Option<PathBuf>,
    /// File to write the triplets to: one JSON array, as `ava filter` reads it
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Name of the ontology in the folder [default: that of its file, without the ending]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// What becomes of imports.
    #[command(flatten)]
    pub imports: ImportArgs,
    /// What makes the triplets, several times for several. `rules`: the axioms themselves, without a model; `openai:NAME` or
    /// `anthropic:NAME`: a model behind any chat endpoint of OpenAI's kind or the Messages API, asked for five triplets a subgraph
    #[arg(long = "generator", value_name = "GENERATOR", default_value = RULES)]
    pub generators: Vec<GeneratorChoice>,
    /// Say how many requests and roughly how many tokens it would take, and on whose money, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How models are asked.
    #[command(flatten)]
    pub model: ModelOptions,
}

impl SynthesizeArgs {
    /// What is left of a run that was stopped.
    pub(super) fn left(&self) -> &'static str {
        let asks = |generator: &GeneratorChoice| *generator != GeneratorChoice::Rules;
        if self.generators.iter().any(asks) && !self.dry_run {
            "no triplets were written; what a model answered is kept, run it again to go on from there"
        } else {
            "no triplets were written"
        }
    }
}

/// What makes triplets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GeneratorChoice {
    /// The axioms of the ontology.
    Rules,
    /// A model of a service: the interface that this speaks, and its name there.
    Model(&'static str, String),
}

impl FromStr for GeneratorChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == RULES {
            return Ok(Self::Rules);
        }
        let (interface, model) = text.split_once(':').unwrap_or_default();
        match by_name(interface) {
            Some(interface) if !model.is_empty() => {
                Ok(Self::Model(interface.facts().name, model.to_owned()))
            }
            _ => Err(format!("expected {RULES}, openai:NAME or anthropic:NAME")),
        }
    }
}

fn by_name(name: &str) -> Option<&'static dyn Interface> {
    INTERFACES
        .into_iter()
        .find(|interface| interface.facts().name == name)
}

/// What `ava synthesize --json` prints.
#[derive(Serialize)]
struct Synthesized {
    subgraphs: String,
    out: String,
    /// How many subgraphs were read.
    subgraphs_read: usize,
    triplets: usize,
    generators: Vec<ByGenerator>,
}

/// What one generator made.
#[derive(Serialize)]
struct ByGenerator {
    generator: String,
    #[serde(flatten)]
    counts: Counts,
    #[serde(flatten)]
    how: How,
}

#[derive(Serialize)]
#[serde(untagged)]
enum How {
    Rules {
        ontology: String,
        /// What stood in the way, and how often, wherever a triplet was looked for.
        unmade: BTreeMap<Unmade, usize>,
    },
    Model(Box<ByModel>),
}

/// Triplets in figures.
#[derive(Default, Serialize)]
struct Counts {
    triplets: usize,
    /// Triplets that are missing to five a subgraph.
    missing: usize,
    /// Subgraphs by how many triplets they gave.
    subgraphs_with: BTreeMap<usize, usize>,
    /// Triplets by the kind of their negative, where it is named.
    perturbations: BTreeMap<String, usize>,
}

impl Counts {
    /// Adds the triplets of one subgraph.
    fn add(&mut self, triplets: &[Triplet]) {
        self.triplets += triplets.len();
        self.missing += TRIPLETS.saturating_sub(triplets.len());
        *self.subgraphs_with.entry(triplets.len()).or_default() += 1;
        let kinds = triplets
            .iter()
            .filter_map(|triplet| triplet.perturbation.as_ref());
        for kind in kinds {
            *self
                .perturbations
                .entry(kind.name().to_owned())
                .or_default() += 1;
        }
    }
}

impl Counts {
    /// How many subgraphs gave how many triplets, a line each.
    fn spread(&self) -> impl Iterator<Item = String> {
        self.subgraphs_with.iter().map(|(triplets, subgraphs)| {
            format!(
                "{} with {}",
                plural(*subgraphs, "subgraph"),
                plural(*triplets, "triplet")
            )
        })
    }
}

/// The subgraphs of an ontology.
struct Subgraphs {
    folder: PathBuf,
    manifest: Manifest,
}

impl Subgraphs {
    /// Reads the list of them; a name in it that could lead elsewhere is refused before anything is made of any.
    fn open(folder: PathBuf) -> Result<Self, Failure> {
        let list = folder.join(MANIFEST);
        let manifest = subgraph_files::manifest(&folder)?;
        if manifest.subgraphs.is_empty() {
            return Err(triplet_files::lacking(
                &list,
                "no subgraph is listed here",
                subgraph_files::NONE,
            ));
        }
        for entry in &manifest.subgraphs {
            // What is answered is kept by it.
            if !answers::can_be_kept(&entry.subgraph_id) {
                return Err(Failure::usage(
                    format!(
                        "{} has a subgraph `{}`, by which no answer can be kept",
                        folder.join(MANIFEST).display(),
                        entry.subgraph_id
                    ),
                    subgraph_files::REMEDY,
                ));
            }
        }
        Ok(Self { folder, manifest })
    }

    fn read(&self, entry: &ManifestEntry) -> Result<Subgraph<'static>, Failure> {
        let file = self.folder.join(&entry.file);
        let bytes = store::read(&file)?;
        let subgraph = ava::read_subgraph(&bytes, &entry.subgraph_id, &self.manifest.ontology);
        subgraph.map_err(|problem| triplet_files::input(&file, problem))
    }
}

pub(super) async fn run(args: &SynthesizeArgs, output: Output) -> Result<(), Failure> {
    if args.out.is_dir() {
        return Err(Failure::usage(
            format!("{} is a folder", args.out.display()),
            "give a file with --out",
        ));
    }
    if !args.dry_run {
        store::check_place(&args.out)?;
    }
    let models = models(args)?;
    let subgraphs = Subgraphs::open(folder(args)?)?;
    let root = match &args.model.answers {
        Some(folder) => folder.clone(),
        None => args.out.with_extension("answers"),
    };
    if !models.is_empty() && store::resolved(&root)?.starts_with(store::resolved(&args.out)?) {
        return Err(Failure::usage(
            format!(
                "{} is where answers are kept, and no place for the triplets",
                args.out.display()
            ),
            "give a file of another name with --out, or another folder with --answers",
        ));
    }
    let need = if args.dry_run {
        KeyNeed::NotYet
    } else {
        KeyNeed::Now
    };
    let ontology = &subgraphs.manifest.ontology;
    let generators = models.into_iter().map(|(interface, model)| {
        Generator::new(interface, model, &args.model, need, &root, ontology)
    });
    let generators: Vec<Generator> = generators.collect::<Result<_, _>>()?;
    if args.dry_run {
        return dry_run(&generators, &subgraphs, output);
    }
    let mut triplets = Vec::new();
    let mut told = Vec::new();
    if args.generators.contains(&GeneratorChoice::Rules) {
        let made = rules::make(&subgraphs, args.ontology.as_deref(), &args.imports).await?;
        triplets.extend(made.triplets);
        let file = args.ontology.as_deref().unwrap_or(&args.subgraphs);
        told.push(ByGenerator {
            generator: RULES.to_owned(),
            counts: made.counts,
            how: How::Rules {
                ontology: file.display().to_string(),
                unmade: made.unmade,
            },
        });
    }
    let mut missing = None;
    if generators.is_empty() {
        write(args, &triplets)?;
    } else {
        let asking = Asking::all(&generators, &subgraphs, &args.model).await?;
        // One reader at a time, so that of several processes the last to end writes all answers.
        let _alone = store::wait_for_folder(&root).await?;
        for (place, generator) in generators.iter().enumerate() {
            let (made, counts, by_model) = asking.gather(place).await?;
            triplets.extend(made);
            let of_one = by_model.missing();
            missing = missing.or(of_one.map(|why| format!("{}: {why}", generator.model)));
            told.push(ByGenerator {
                generator: generator.model.clone(),
                counts,
                how: How::Model(Box::new(by_model)),
            });
        }
        write(args, &triplets)?;
    }
    let synthesized = Synthesized {
        subgraphs: subgraphs.folder.display().to_string(),
        out: args.out.display().to_string(),
        subgraphs_read: subgraphs.manifest.subgraphs.len(),
        triplets: triplets.len(),
        generators: told,
    };
    output.print(&synthesized, text)?;
    match missing {
        None => Ok(()),
        Some(why) => Err(Failure::Check(format!(
            "{why}; what was answered is written and kept: run it again for the rest"
        ))),
    }
}

fn write(args: &SynthesizeArgs, triplets: &[Triplet]) -> Result<(), Failure> {
    Ok(store::write_whole(
        &args.out,
        &triplet_files::array(triplets)?,
    )?)
}

/// The models that are asked, each named once.
fn models(args: &SynthesizeArgs) -> Result<Vec<(&'static dyn Interface, &str)>, Failure> {
    let mut models: Vec<(&'static dyn Interface, &str)> = Vec::new();
    for (place, choice) in args.generators.iter().enumerate() {
        if args
            .generators
            .iter()
            .take(place)
            .any(|other| other == choice)
        {
            return Err(Failure::usage(
                "a generator was named twice",
                "name each once; every one of them makes five triplets of each subgraph",
            ));
        }
        if let GeneratorChoice::Model(interface, model) = choice {
            // Answers are kept and triplets told apart by the model's name.
            if models.iter().any(|(_, other)| other == model) {
                return Err(Failure::usage(
                    format!("two generators have the name {model}"),
                    "run them one after the other, each with its own --answers and --out",
                ));
            }
            models.extend(by_name(interface).map(|interface| (interface, model.as_str())));
        }
    }
    Ok(models)
}

/// Where the manifest lies.
fn folder(args: &SynthesizeArgs) -> Result<PathBuf, Failure> {
    let of_file = args.ontology.as_deref().map(ontology_file::name_of);
    let name = args.name.clone().or(of_file);
    let mut places = vec![args.subgraphs.clone(), args.subgraphs.join(STRATEGY)];
    if let Some(name) = &name {
        places.push(args.subgraphs.join(name).join(STRATEGY));
    }
    let found = places
        .into_iter()
        .find(|place| place.join(MANIFEST).is_file());
    found.ok_or_else(|| {
        let of = name.map(|name| format!(" of {name}")).unwrap_or_default();
        Failure::usage(
            format!("{} has no subgraphs{of}", args.subgraphs.display()),
            "extract them there with `ava extract`, or give their ontology's name with --name",
        )
    })
}

fn dry_run(generators: &[Generator], subgraphs: &Subgraphs, output: Output) -> Result<(), Failure> {
    /// What `ava synthesize --dry-run --json` prints.
    #[derive(Serialize)]
    struct DryRun {
        subgraphs: usize,
        generators: Vec<Estimate>,
        /// The prompt for the first of the subgraphs.
        prompt: Option<String>,
    }
    let estimates = generators
        .iter()
        .map(|generator| generator.estimate(subgraphs));
    let first = subgraphs.manifest.subgraphs.first();
    let prompt = match first.filter(|_| !generators.is_empty()) {
        Some(entry) => Some(ava::prompt(&subgraphs.read(entry)?)),
        None => None,
    };
    let dry = DryRun {
        subgraphs: subgraphs.manifest.subgraphs.len(),
        generators: estimates.collect::<Result<_, _>>()?,
        prompt,
    };
    output.say("nothing was asked, and nothing written");
    output.print(&dry, |dry| {
        if dry.generators.is_empty() {
            return format!("{RULES} asks nobody");
        }
        let header = [
            "generator",
            "answered",
            "requests",
            "tokens read, about",
            "written, about",
            "cost, about",
            "whose money",
        ];
        let rows = dry.generators.iter().map(model::row);
        let table = grid(&header, &[1, 2, 3, 4, 5], rows);
        let prompt = dry.prompt.as_deref().unwrap_or_default();
        format!("{table}\n\n── the prompt for the first subgraph ──\n{prompt}")
    })
}

fn text(synthesized: &Synthesized) -> String {
    let mut lines = Vec::new();
    for ByGenerator {
        generator,
        counts,
        how,
    } in &synthesized.generators
    {
        let kinds = counts.perturbations.iter();
        lines.push(grid(
            &["perturbation", "triplets"],
            &[1],
            kinds.map(|(kind, count)| vec![kind.clone(), count.to_string()]),
        ));
        lines.push(format!(
            "{} of {}, generator {generator}; {} missing to {TRIPLETS} each",
            plural(counts.triplets, "triplet"),
            plural(synthesized.subgraphs_read, "subgraph"),
            counts.missing
        ));
        lines.extend(counts.spread());
        lines.extend(match how {
            How::Rules { unmade, .. } => rules::lines(unmade),
            How::Model(by_model) => by_model.lines(),
        });
    }
    lines.push(format!("written to {}", synthesized.out));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators() {
        for (text, expected) in [
            ("rules", Some(GeneratorChoice::Rules)),
            (
                "openai:qwen3:8b",
                Some(GeneratorChoice::Model("openai", "qwen3:8b".to_owned())),
            ),
            (
                "anthropic:claude",
                Some(GeneratorChoice::Model("anthropic", "claude".to_owned())),
            ),
            ("openai:", None),
            ("openai", None),
            ("magic", None),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }
}
