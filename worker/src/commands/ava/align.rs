//! `ava align`: the classes of one ontology that are the same as those of another, found by their labels' vectors.

use std::path::{Path, PathBuf};

use ava::{AlignmentResult, Candidate, Pair, alignment_figures, at_least, one_to_one};
use clap::Args;
use ontology::Ontology;
use serde::Serialize;

use super::model::{CacheArgs, Model, ModelChoice};
use crate::alignment::{self, AlignmentFile};
use crate::commands::plural;
use crate::encoder::{RemoteArgs, nearest};
use crate::ontology_file::ImportArgs;
use crate::output::Output;
use crate::{Failure, ontology_file, store};

/// `ava align`
#[derive(Args, Debug)]
pub struct AlignArgs {
    /// Ontology whose classes are looked up
    #[arg(long, value_name = "FILE")]
    pub source: PathBuf,
    /// Ontology in which they are looked up
    #[arg(long, value_name = "FILE")]
    pub target: PathBuf,
    /// Alignment that is taken for true, in the Alignment API's RDF
    #[arg(long, value_name = "FILE")]
    pub reference: PathBuf,
    /// Model: a folder as sentence-transformers saves it, openai:NAME for a service with /v1/embeddings, or baseline:trigrams and
    /// baseline:words, which are no models
    #[arg(long, value_name = "DIR|openai:NAME|baseline:NAME")]
    pub model: ModelChoice,
    /// Nearest classes that each class is paired with
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub top_k: u16,
    /// Pair no classes whose labels' cosine is below this
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    pub threshold: Option<f32>,
    /// Pair each class once at most: the greatest cosines first
    #[arg(long)]
    pub one_to_one: bool,
    /// Name of the task, by which `ava table` lists it [default: the names of the two files]
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
    /// Write the pairs here, in the Alignment API's RDF
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// What becomes of imports.
    #[command(flatten)]
    pub imports: ImportArgs,
    /// Where vectors are kept.
    #[command(flatten)]
    pub cache: CacheArgs,
    /// The service, where --model is one.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// What `ava align --json` prints.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    result: AlignmentResult,
    /// Cells of the reference that repeat another.
    reference_repeated: usize,
    revision: String,
    threshold: Option<f32>,
    one_to_one: bool,
    source_classes: usize,
    target_classes: usize,
    texts_computed: usize,
    texts_cached: usize,
}

pub(super) async fn run(args: &AlignArgs, output: Output) -> Result<(), Failure> {
    let reference = read_reference(&args.reference)?;
    let files = [args.source.as_path(), args.target.as_path()];
    let ontologies = ontology_file::read_both_with_classes(files, &args.imports).await?;
    let [source, target] = ontologies.map(|ontology| classes(&ontology));
    let mut model = Model::open(&args.model, &args.remote, &args.cache).await?;
    // Both at once: a label that both have is computed once.
    let labels = source.iter().chain(&target);
    let labels = labels.map(|class| class.label.clone()).collect();
    let mut source_vectors = model.vectors("", labels, "labels").await?;
    let target_vectors = source_vectors.split_off(source.len());
    let found = nearest(&source_vectors, &target_vectors, usize::from(args.top_k))?;
    let mut candidates: Vec<Candidate> = Vec::new();
    for (from, row) in found.into_iter().enumerate() {
        candidates.extend(row.into_iter().map(|(to, cosine)| (from, to, cosine)));
    }
    if let Some(least) = args.threshold {
        candidates = at_least(candidates, least);
    }
    if args.one_to_one {
        candidates = one_to_one(candidates);
    }
    let cells: Vec<(Pair, f64)> = candidates
        .iter()
        .filter_map(|&(from, to, cosine)| {
            let pair = (source.get(from)?.iri.clone(), target.get(to)?.iri.clone());
            Some((pair, f64::from(cosine.clamp(0.0, 1.0))))
        })
        .collect();
    let predicted = cells.iter().map(|(pair, _)| pair.clone()).collect();
    let figures = alignment_figures(&predicted, &reference.reference);
    if let Some(out) = &args.out {
        let names = [&args.source, &args.target].map(|file| file.display().to_string());
        let text = alignment::write(&cells, &names[0], &names[1]);
        store::write_whole(out, text.as_bytes())?;
    }
    let identity = model.identity();
    let report = Report {
        result: AlignmentResult {
            task: args.task.clone().unwrap_or_else(|| {
                let names = [&args.source, &args.target].map(|file| ontology_file::name_of(file));
                names.join("–")
            }),
            model: identity.model.clone(),
            top_k: args.top_k,
            figures,
        },
        reference_repeated: reference.repeated,
        revision: identity.revision.clone(),
        threshold: args.threshold,
        one_to_one: args.one_to_one,
        source_classes: source.len(),
        target_classes: target.len(),
        texts_computed: model.computed,
        texts_cached: model.cached,
    };
    output.print(&report, text)
}

fn text(report: &Report) -> String {
    let AlignmentResult {
        model,
        top_k,
        figures,
        ..
    } = &report.result;
    let mut lines = vec![
        format!(
            "{} and {} classes, {model} at k = {top_k}",
            report.source_classes, report.target_classes
        ),
        format!(
            "{} of {} predicted pairs are among the {} of the reference",
            figures.hits, figures.predictions, figures.reference
        ),
        format!(
            "precision {:.3} %, recall {:.3} %, F1 {:.3} %",
            figures.precision, figures.recall, figures.f1
        ),
    ];
    let apart = [
        (
            figures.ignored,
            "have the relation ? there, and were left out",
        ),
        (
            figures.subsumptions,
            "are a subsumption there, which is no hit",
        ),
    ];
    lines.extend(
        apart
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("of the predicted, {count} {what}")),
    );
    if report.reference_repeated > 0 {
        lines.push(format!(
            "{} of the reference that repeat another count once",
            plural(report.reference_repeated, "cell")
        ));
    }
    lines.join("\n")
}

/// A class and the text that stands for it.
struct Class {
    iri: String,
    label: String,
}

/// The classes of an ontology; their labels as OntoAligner has them, in lower case and with spaces for `_`.
fn classes(ontology: &Ontology) -> Vec<Class> {
    let classes = ontology.usable_classes().map(|class| Class {
        iri: ontology.iri(class).to_owned(),
        label: ontology.label(class).to_lowercase().replace('_', " "),
    });
    classes.collect()
}

fn read_reference(file: &Path) -> Result<AlignmentFile, Failure> {
    let bytes = store::read(file)?;
    let input = |line, column, message: String| Failure::Input {
        file: file.to_owned(),
        line,
        column,
        message,
        remedy: Some("give an alignment in RDF, as the Alignment API writes it".to_owned()),
    };
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = before.split(|byte| *byte == b'\n').count();
        input(
            u32::try_from(line).unwrap_or(u32::MAX),
            1,
            "this line is not UTF-8".to_owned(),
        )
    })?;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    AlignmentFile::read(text).map_err(|error| input(error.line, error.column, error.message))
}
