//! `ava taxonomy`: what stands above a class, found by the vectors of labels.

use std::path::PathBuf;

use ava::{TaxonomyFigures, TaxonomyResult, both_directions, listed, taxonomy_score};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use ontology::Taxonomy;
use serde::Serialize;

use super::model::{CacheArgs, Model, ModelChoice};
use crate::encoder::{EncoderError, RemoteArgs, nearest};
use crate::ontology_file::ImportArgs;
use crate::output::{Output, figure, grid};
use crate::{Failure, ontology_file};

/// `ava taxonomy`
#[derive(Args, Debug)]
pub struct TaxonomyArgs {
    /// Ontology: .owl, .rdf, .xml, .ttl, .nt, .nq, .trig or .obo, with .gz behind it or not
    #[arg(long, value_name = "FILE")]
    pub ontology: PathBuf,
    /// Model: a folder as sentence-transformers saves it, openai:NAME for a service with /v1/embeddings, or baseline:trigrams and
    /// baseline:words, which are no models
    #[arg(long, value_name = "DIR|openai:NAME|baseline:NAME")]
    pub model: ModelChoice,
    /// Nearest classes that each class is paired with
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub top_k: u16,
    /// Name of the task, by which `ava table` lists it [default: the name of the file]
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
    /// What becomes of imports.
    #[command(flatten)]
    pub imports: ImportArgs,
    /// What stands before each label [default: the model's default prompt, if it has one]
    #[arg(long, value_name = "TEXT")]
    pub prompt: Option<String>,
    /// Name of the model, by which `ava table` lists it [default: its folder's, or the service's]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// What the model was fine-tuned with, such as "triplet loss"; `ava table` lists it beside the model's name
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    pub tuning: Option<String>,
    /// Where vectors are kept.
    #[command(flatten)]
    pub cache: CacheArgs,
    /// The service, where --model is one.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// What `ava taxonomy --json` prints. The figures at the top count the ground truth as OntoLearner lists it, where a class
/// with several parents has each of them several times; `distinct` counts each pair once.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    rows: TaxonomyResult,
    distinct: TaxonomyFigures,
    revision: String,
    prompt: String,
    types: usize,
    texts_computed: usize,
    texts_cached: usize,
}

pub(super) async fn run(args: &TaxonomyArgs, output: Output) -> Result<(), Failure> {
    let ontology = ontology_file::read_with_classes(&args.ontology, &args.imports).await?;
    let taxonomy = Taxonomy::of(&ontology);
    let types: Vec<&str> = taxonomy.types().into_iter().collect();
    if types.is_empty() {
        return Err(ontology_file::lacking(
            &args.ontology,
            "no class stands below another",
            "give an ontology with a hierarchy of named classes",
        ));
    }
    let mut model = Model::open(&args.model, &args.remote, &args.cache).await?;
    let prompt = model.prompt(args.prompt.as_deref());
    let texts = types.iter().map(|name| (*name).to_owned()).collect();
    let vectors = model.vectors(&prompt, texts, "labels").await;
    let vectors = vectors.map_err(|failure| match failure {
        Failure::Encoder(EncoderError::Vector { text, fault, .. }) => Failure::usage(
            format!(
                "{}: the vector of the label `{text}` {fault}",
                args.ontology.display()
            ),
            fault.hint(),
        ),
        other => other,
    })?;
    let k = usize::from(args.top_k);
    let near = nearest(&vectors, &vectors, k + 1)?;
    let near = near
        .into_iter()
        .map(|row| row.into_iter().map(|(place, _)| place).collect::<Vec<_>>());
    let score = taxonomy_score(&both_directions(&types, near), &taxonomy);
    let identity = model.identity();
    let report = Report {
        rows: TaxonomyResult {
            task: args
                .task
                .clone()
                .unwrap_or_else(|| ontology_file::name_of(&args.ontology)),
            model: args.name.clone().unwrap_or_else(|| identity.model.clone()),
            tuning: args.tuning.clone(),
            top_k: Some(args.top_k),
            figures: score.rows,
        },
        distinct: score.distinct,
        revision: identity.revision.clone(),
        prompt,
        types: types.len(),
        texts_computed: model.computed,
        texts_cached: model.cached,
    };
    output.print(&report, text)
}

fn text(report: &Report) -> String {
    let row = |name: &str, counted: &TaxonomyFigures| {
        vec![
            name.to_owned(),
            counted.ground_truth.to_string(),
            figure(counted.precision),
            figure(counted.recall),
            figure(counted.f1),
        ]
    };
    let TaxonomyResult {
        model,
        tuning,
        top_k,
        figures,
        ..
    } = &report.rows;
    let model = listed(model, tuning.as_deref());
    let k = top_k.map_or_else(String::new, |k| format!(" at k = {k}"));
    let rows = [
        row("rows, as OntoLearner lists them", figures),
        row("pairs, each once", &report.distinct),
    ];
    [
        format!(
            "{} types, {model}{k}: {} of {} predicted pairs are correct",
            report.types, figures.correct, figures.predicted
        ),
        grid(
            &["ground truth", "count", "precision", "recall", "F1"],
            &[1, 2, 3, 4],
            rows,
        ),
    ]
    .join("\n")
}
