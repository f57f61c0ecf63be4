//! `ava align`: the classes of one ontology that are the same as those of another, found by their labels' vectors or elsewhere.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ava::{
    AlignmentFigures, AlignmentResult, Candidate, Pair, alignment_figures, at_least, listed,
    one_to_one,
};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use ontology::Ontology;
use serde::Serialize;

use super::model::{CacheArgs, Model, ModelChoice, written_apart};
use super::triplet_files;
use crate::alignment::{self, AlignmentFile, Relation};
use crate::commands::plural;
use crate::encoder::{EncoderError, RemoteArgs, nearest, sha256};
use crate::ontology_file::ImportArgs;
use crate::output::Output;
use crate::{Failure, ontology_file, store};

/// `ava align`
#[derive(Args, Debug)]
pub struct AlignArgs {
    /// Ontology whose classes are looked up
    #[arg(long, value_name = "FILE", required_unless_present = "predictions")]
    pub source: Option<PathBuf>,
    /// Ontology in which they are looked up
    #[arg(long, value_name = "FILE", required_unless_present = "predictions")]
    pub target: Option<PathBuf>,
    /// Alignment that is taken for true, in the Alignment API's RDF
    #[arg(long, value_name = "FILE")]
    pub reference: PathBuf,
    /// Model: a folder as sentence-transformers saves it, openai:NAME for a service with /v1/embeddings, or baseline:trigrams and
    /// baseline:words, which are no models
    #[arg(
        long,
        value_name = "DIR|openai:NAME|baseline:NAME",
        required_unless_present = "predictions"
    )]
    pub model: Option<ModelChoice>,
    /// Alignment that was found elsewhere, in the Alignment API's RDF: it is scored, and no model is asked
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["source", "target", "model", "top_k", "threshold", "one_to_one", "prompt", "out"]
    )]
    pub predictions: Option<PathBuf>,
    /// Nearest classes that each class is paired with
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub top_k: u16,
    /// Pair no classes whose labels' cosine is below this
    #[arg(long, value_name = "C", allow_negative_numbers = true, value_parser = finite)]
    pub threshold: Option<f32>,
    /// Pair each class once at most: the greatest cosines first
    #[arg(long)]
    pub one_to_one: bool,
    /// What stands before each label [default: the model's default prompt, if it has one]
    #[arg(long, value_name = "TEXT")]
    pub prompt: Option<String>,
    /// Name of the task, by which `ava table` lists it [default: the names of the two files, or of the reference]
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
    /// Name of the model, by which `ava table` lists it [default: its folder's, the service's, or that of the predictions]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// What the model was fine-tuned with, such as "triplet loss"; `ava table` lists it beside the model's name
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    pub tuning: Option<String>,
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

fn finite(text: &str) -> Result<f32, String> {
    let number: f32 = text
        .parse()
        .map_err(|_| "give a number, such as 0.5".to_owned())?;
    if number.is_finite() {
        Ok(number)
    } else {
        Err("give a finite number, such as 0.5".to_owned())
    }
}

/// What `ava align --json` prints.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    result: AlignmentResult,
    /// Cells of the reference that repeat another.
    reference_repeated: usize,
    /// Cells of the reference whose relation is neither equivalence nor subsumption nor unknown, by its sign; they count for nothing.
    reference_others: BTreeMap<&'static str, usize>,
    /// SHA-256 of the weights or of the file of predictions, or the address of the service.
    revision: String,
    /// How a model found the pairs.
    #[serde(flatten)]
    search: Option<Search>,
    /// Predicted cells of another relation than equivalence, by its sign, where the predictions were found elsewhere; they are not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    predictions_others: Option<BTreeMap<&'static str, usize>>,
}

/// How a model found the pairs.
#[derive(Serialize)]
struct Search {
    prompt: String,
    threshold: Option<f32>,
    one_to_one: bool,
    source_classes: usize,
    target_classes: usize,
    texts_computed: usize,
    texts_cached: usize,
}

pub(super) async fn run(args: &AlignArgs, output: Output) -> Result<(), Failure> {
    let report = match (&args.predictions, &args.source, &args.target, &args.model) {
        (Some(file), ..) => scored(args, file)?,
        (None, Some(source), Some(target), Some(model)) => {
            found(args, source, target, model).await?
        }
        _ => {
            return Err(Failure::usage(
                "there is nothing to score",
                "give --source, --target and --model, or --predictions",
            ));
        }
    };
    output.print(&report, text)
}

/// Scores what was found elsewhere.
fn scored(args: &AlignArgs, file: &Path) -> Result<Report, Failure> {
    let reference = read_alignment(&args.reference)?;
    let predictions = read_alignment(file)?;
    let (truth, repeated) = reference.reference();
    Ok(Report {
        result: AlignmentResult {
            task: given(args.task.as_ref(), || {
                ontology_file::name_of(&args.reference)
            }),
            model: given(args.name.as_ref(), || ontology_file::name_of(file)),
            tuning: args.tuning.clone(),
            top_k: None,
            figures: alignment_figures(&predictions.equivalences(), &truth),
        },
        reference_repeated: repeated,
        reference_others: reference.count(|relation| matches!(relation, Relation::Other(_))),
        revision: sha256(&store::read(file)?),
        search: None,
        predictions_others: Some(predictions.count(|relation| relation != Relation::Equivalent)),
    })
}

/// Finds the pairs with a model, and scores them.
async fn found(
    args: &AlignArgs,
    source_file: &Path,
    target_file: &Path,
    model: &ModelChoice,
) -> Result<Report, Failure> {
    let read = [source_file, target_file, &args.reference];
    let written: Vec<_> = args
        .out
        .iter()
        .map(|out| ("--out", out.as_path()))
        .collect();
    written_apart(read, Some(model), &written)?;
    let reference = read_alignment(&args.reference)?;
    let files = [source_file, target_file];
    let ontologies = ontology_file::read_both_with_classes(files, &args.imports).await?;
    let [source, target] = ontologies.map(|ontology| classes(&ontology));
    let mut model = Model::open(model, &args.remote, &args.cache).await?;
    let prompt = model.prompt(args.prompt.as_deref());
    // Both at once: a label that both have is computed once.
    let labels = source.iter().chain(&target);
    let labels = labels.map(|class| class.label.clone()).collect();
    let vectors = model.vectors(&prompt, labels, "labels").await;
    let mut source_vectors = vectors.map_err(|failure| {
        faulty(failure, |at| match at.checked_sub(source.len()) {
            Some(at) => Some((target_file, target.get(at)?)),
            None => Some((source_file, source.get(at)?)),
        })
    })?;
    let target_vectors = source_vectors.split_off(source.len());
    let near = nearest(&source_vectors, &target_vectors, usize::from(args.top_k))?;
    let mut candidates: Vec<Candidate> = Vec::new();
    for (from, row) in near.into_iter().enumerate() {
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
    let predicted: Vec<Pair> = cells.iter().map(|(pair, _)| pair.clone()).collect();
    if let Some(out) = &args.out {
        let names = [source_file, target_file].map(|file| file.display().to_string());
        let text = alignment::write(&cells, &names[0], &names[1]);
        store::write_whole(out, text.as_bytes())?;
    }
    let identity = model.identity();
    let (truth, repeated) = reference.reference();
    Ok(Report {
        result: AlignmentResult {
            task: given(args.task.as_ref(), || {
                [source_file, target_file]
                    .map(ontology_file::name_of)
                    .join("–")
            }),
            model: given(args.name.as_ref(), || identity.model.clone()),
            tuning: args.tuning.clone(),
            top_k: Some(args.top_k),
            figures: alignment_figures(&predicted, &truth),
        },
        reference_repeated: repeated,
        reference_others: reference.count(|relation| matches!(relation, Relation::Other(_))),
        revision: identity.revision.clone(),
        search: Some(Search {
            prompt,
            threshold: args.threshold,
            one_to_one: args.one_to_one,
            source_classes: source.len(),
            target_classes: target.len(),
            texts_computed: model.computed,
            texts_cached: model.cached,
        }),
        predictions_others: None,
    })
}

/// A name that was typed, else another one.
fn given(name: Option<&String>, other: impl Fn() -> String) -> String {
    name.cloned().unwrap_or_else(other)
}

fn text(report: &Report) -> String {
    let AlignmentResult {
        model,
        tuning,
        top_k,
        figures,
        ..
    } = &report.result;
    let model = listed(model, tuning.as_deref());
    let mut lines = Vec::new();
    match (&report.search, top_k) {
        (Some(search), Some(top_k)) => lines.push(format!(
            "{} and {} classes, {model} at k = {top_k}",
            search.source_classes, search.target_classes
        )),
        _ => lines.push(format!("the pairs of {model}")),
    }
    lines.push(format!(
        "{} of {} predicted pairs are among the {} of the reference",
        figures.hits, figures.predictions, figures.reference
    ));
    lines.push(format!(
        "precision {:.3} %, recall {:.3} %, F1 {:.3} %",
        figures.precision, figures.recall, figures.f1
    ));
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
    let AlignmentFigures {
        predictions_repeated,
        ..
    } = figures;
    for (count, whose) in [
        (*predictions_repeated, "predictions"),
        (report.reference_repeated, "reference"),
    ] {
        if count > 0 {
            let cells = plural(count, "cell");
            lines.push(match count {
                1 => format!("{cells} of the {whose} that repeats another counts once"),
                _ => format!("{cells} of the {whose} that repeat another count once"),
            });
        }
    }
    let none = BTreeMap::new();
    let predicted = report.predictions_others.as_ref().unwrap_or(&none);
    for (others, whose, but) in [
        (predicted, "predictions", "equivalences alone are judged"),
        (
            &report.reference_others,
            "reference",
            "they count for nothing",
        ),
    ] {
        if !others.is_empty() {
            let each: Vec<String> = others
                .iter()
                .map(|(sign, count)| format!("{count} {sign}"))
                .collect();
            lines.push(format!(
                "cells of other relations in the {whose}: {}; {but}",
                each.join(", ")
            ));
        }
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

/// A failure, with the class where it is a label's; `class` says which stood where, and in which file.
fn faulty<'c>(failure: Failure, class: impl Fn(usize) -> Option<(&'c Path, &'c Class)>) -> Failure {
    let Failure::Encoder(EncoderError::Vector { at, fault, .. }) = &failure else {
        return failure;
    };
    let Some((file, class)) = class(*at) else {
        return failure;
    };
    Failure::usage(
        format!(
            "{}: the vector of `{}`, the label of <{}>, {fault}",
            file.display(),
            class.label,
            class.iri
        ),
        fault.hint(),
    )
}

fn read_alignment(file: &Path) -> Result<AlignmentFile, Failure> {
    let bytes = store::read(file)?;
    let remedy = "give an alignment in RDF, as the Alignment API writes it";
    let input = |line, column, message: String| Failure::Input {
        file: file.to_owned(),
        line,
        column,
        message,
        remedy: Some(remedy.to_owned()),
    };
    let text = ava::utf8(&bytes).map_err(|problem| triplet_files::input(file, problem))?;
    if text.trim().is_empty() {
        let message = "no alignment: the file is empty";
        return Err(triplet_files::lacking(file, message, remedy));
    }
    AlignmentFile::read(text).map_err(|error| input(error.line, error.column, error.message))
}
