//! `ava taxonomy`: what stands above a class, found by the vectors of labels.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::Args;
use ontology::{Taxonomy, TaxonomyPair};
use serde::Serialize;

use super::model::{CacheArgs, Model, ModelChoice};
use crate::encoder::{RemoteArgs, nearest};
use crate::output::{Output, figure, grid};
use crate::{Failure, ontology_file};

/// `ava taxonomy`
#[derive(Args, Debug)]
pub struct TaxonomyArgs {
    /// Ontology: .owl, .rdf, .xml, .ttl, .nt, .nq, .trig or .obo, with .gz behind it or not
    #[arg(long, value_name = "FILE")]
    pub ontology: PathBuf,
    /// Model: a folder as sentence-transformers saves it, or openai:NAME
    #[arg(long, value_name = "DIR|openai:NAME")]
    pub model: ModelChoice,
    /// Nearest classes that each class is paired with
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub top_k: u16,
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
    rows: Counted,
    distinct: Counted,
    model: String,
    revision: String,
    top_k: u16,
    types: usize,
    texts_computed: usize,
    texts_cached: usize,
}

/// Predictions against a ground truth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Counted {
    correct: usize,
    predicted: usize,
    ground_truth: usize,
    precision: f64,
    recall: f64,
    f1: f64,
}

impl Counted {
    fn new(correct: usize, predicted: usize, ground_truth: usize) -> Self {
        let of = |count: usize, all: usize| match all {
            0 => 0.0,
            _ => count as f64 / all as f64,
        };
        Self {
            correct,
            predicted,
            ground_truth,
            precision: of(correct, predicted),
            recall: of(correct, ground_truth),
            f1: of(2 * correct, predicted + ground_truth),
        }
    }
}

pub(super) async fn run(args: &TaxonomyArgs, output: Output) -> Result<(), Failure> {
    let taxonomy = Taxonomy::of(&ontology_file::read(&args.ontology)?);
    let types: Vec<&str> = taxonomy.types().into_iter().collect();
    if types.is_empty() {
        return Err(Failure::usage(
            format!(
                "no class of {} stands below another",
                args.ontology.display()
            ),
            "give an ontology with a hierarchy of named classes",
        ));
    }
    let mut model = Model::open(&args.model, &args.remote, &args.cache).await?;
    let texts = types.iter().map(|name| (*name).to_owned()).collect();
    let vectors = model.vectors("", texts, "labels").await?;
    let k = usize::from(args.top_k);
    let near = nearest(&vectors, &vectors, k + 1)?;
    let near = near
        .into_iter()
        .map(|row| row.into_iter().map(|(place, _)| place).collect::<Vec<_>>());
    let predicted = predicted(&types, near);
    let distinct: BTreeSet<(&str, &str)> = taxonomy.distinct().into_iter().map(names).collect();
    let correct = predicted.intersection(&distinct).count();
    let identity = model.identity();
    let report = Report {
        rows: Counted::new(correct, predicted.len(), taxonomy.rows.len()),
        distinct: Counted::new(correct, predicted.len(), distinct.len()),
        model: identity.model.clone(),
        revision: identity.revision.clone(),
        top_k: args.top_k,
        types: types.len(),
        texts_computed: model.computed,
        texts_cached: model.cached,
    };
    output.print(&report, text)
}

fn names(pair: &TaxonomyPair) -> (&str, &str) {
    (&pair.child, &pair.parent)
}

/// Every type with those near it, itself left out whatever its case, in both directions, each pair once.
fn predicted<'t>(
    types: &[&'t str],
    near: impl Iterator<Item = Vec<usize>>,
) -> BTreeSet<(&'t str, &'t str)> {
    let lowered: BTreeMap<&str, String> = types
        .iter()
        .map(|name| (*name, name.to_lowercase()))
        .collect();
    let mut pairs = BTreeSet::new();
    for (name, row) in types.iter().zip(near) {
        for other in row.into_iter().filter_map(|place| types.get(place)) {
            if lowered.get(name) != lowered.get(other) {
                pairs.insert((*name, *other));
                pairs.insert((*other, *name));
            }
        }
    }
    pairs
}

fn text(report: &Report) -> String {
    let row = |name: &str, counted: &Counted| {
        vec![
            name.to_owned(),
            counted.ground_truth.to_string(),
            figure(counted.precision),
            figure(counted.recall),
            figure(counted.f1),
        ]
    };
    let rows = [
        row("rows, as OntoLearner lists them", &report.rows),
        row("pairs, each once", &report.distinct),
    ];
    [
        format!(
            "{} types, {} at k = {}: {} of {} predicted pairs are correct",
            report.types, report.model, report.top_k, report.rows.correct, report.rows.predicted
        ),
        grid(
            &["ground truth", "count", "precision", "recall", "F1"],
            &[1, 2, 3, 4],
            rows,
        ),
    ]
    .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_and_never_itself() {
        let pairs = predicted(
            &["a", "A", "b"],
            [vec![0, 1], vec![1, 2], vec![2, 1]].into_iter(),
        );
        assert_eq!(pairs, [("A", "b"), ("b", "A")].into());
    }
}
