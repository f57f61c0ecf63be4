//! `ava align`: the classes of one ontology that are the same as those of another, found by their labels' vectors.

use std::path::{Path, PathBuf};

use clap::Args;
use ontology::Ontology;
use serde::Serialize;

use super::model::{CacheArgs, Model, ModelChoice};
use crate::alignment::{self, Measured, Pair, Reference, measure};
use crate::encoder::{RemoteArgs, nearest};
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
    /// Model: a folder as sentence-transformers saves it, or openai:NAME
    #[arg(long, value_name = "DIR|openai:NAME")]
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
    /// Write the pairs here, in the Alignment API's RDF
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
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
    measured: Measured,
    model: String,
    revision: String,
    top_k: u16,
    threshold: Option<f32>,
    one_to_one: bool,
    source_classes: usize,
    target_classes: usize,
    texts_computed: usize,
    texts_cached: usize,
}

pub(super) async fn run(args: &AlignArgs, output: Output) -> Result<(), Failure> {
    let reference = read_reference(&args.reference)?;
    let source = classes(&args.source)?;
    let target = classes(&args.target)?;
    let mut model = Model::open(&args.model, &args.remote, &args.cache).await?;
    // Both at once: a label that both have is computed once.
    let labels = source.iter().chain(&target);
    let labels = labels.map(|class| class.label.clone()).collect();
    let mut source_vectors = model.vectors("", labels, "labels").await?;
    let target_vectors = source_vectors.split_off(source.len());
    let found = nearest(&source_vectors, &target_vectors, usize::from(args.top_k))?;
    let mut pairs: Vec<(usize, usize, f32)> = Vec::new();
    for (from, row) in found.into_iter().enumerate() {
        let near = row.into_iter().map(|(to, cosine)| (from, to, cosine));
        pairs.extend(
            near.filter(|(_, _, cosine)| args.threshold.is_none_or(|least| *cosine >= least)),
        );
    }
    if args.one_to_one {
        pairs = one_to_one(pairs, source.len(), target.len());
    }
    let cells: Vec<(Pair, f64)> = pairs
        .iter()
        .filter_map(|&(from, to, cosine)| {
            let pair = (source.get(from)?.iri.clone(), target.get(to)?.iri.clone());
            Some((pair, f64::from(cosine.clamp(0.0, 1.0))))
        })
        .collect();
    let measured = measure(cells.iter().map(|(pair, _)| pair.clone()), &reference);
    if let Some(out) = &args.out {
        let names = [&args.source, &args.target].map(|file| file.display().to_string());
        let text = alignment::write(&cells, &names[0], &names[1]);
        store::write_whole(out, text.as_bytes())?;
    }
    let identity = model.identity();
    let report = Report {
        measured,
        model: identity.model.clone(),
        revision: identity.revision.clone(),
        top_k: args.top_k,
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
    let measured = &report.measured;
    let mut lines = vec![
        format!(
            "{} and {} classes, {} at k = {}",
            report.source_classes, report.target_classes, report.model, report.top_k
        ),
        format!(
            "{} of {} predicted pairs are among the {} of the reference",
            measured.hits, measured.predictions, measured.reference
        ),
        format!(
            "precision {:.3} %, recall {:.3} %, F1 {:.3} %",
            measured.precision, measured.recall, measured.f1
        ),
    ];
    let apart = [
        (measured.duplicates, "repeat another pair"),
        (
            measured.ignored,
            "have the relation ? there, and were left out",
        ),
        (
            measured.subsumptions,
            "are a subsumption there, which is no hit",
        ),
    ];
    lines.extend(
        apart
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("of the predicted, {count} {what}")),
    );
    lines.join("\n")
}

/// A class and the text that stands for it.
struct Class {
    iri: String,
    label: String,
}

/// The classes of an ontology; their labels as OntoAligner has them, in lower case and with spaces for `_`.
fn classes(file: &Path) -> Result<Vec<Class>, Failure> {
    let ontology: Ontology = ontology_file::read(file)?;
    let classes = ontology.usable_classes().map(|class| Class {
        iri: ontology.iri(class).to_owned(),
        label: ontology.label(class).to_lowercase().replace('_', " "),
    });
    Ok(classes.collect())
}

fn read_reference(file: &Path) -> Result<Reference, Failure> {
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
    Reference::read(text).map_err(|error| input(error.line, error.column, error.message))
}

/// Takes the pairs with the greatest cosines, each class once.
fn one_to_one(
    mut pairs: Vec<(usize, usize, f32)>,
    sources: usize,
    targets: usize,
) -> Vec<(usize, usize, f32)> {
    pairs.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
    let (mut used_sources, mut used_targets) = (vec![false; sources], vec![false; targets]);
    pairs.retain(|&(from, to, _)| {
        let (Some(source), Some(target)) = (used_sources.get_mut(from), used_targets.get_mut(to))
        else {
            return false;
        };
        let is_free = !*source && !*target;
        if is_free {
            (*source, *target) = (true, true);
        }
        is_free
    });
    pairs.sort_unstable_by_key(|&(from, to, _)| (from, to));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_cosines_take_their_classes() {
        let pairs = vec![
            (0, 0, 0.9),
            (0, 1, 0.8),
            (1, 0, 0.95),
            (1, 1, 0.7),
            (2, 1, 0.7),
        ];
        assert_eq!(one_to_one(pairs, 3, 2), [(0, 1, 0.8), (1, 0, 0.95)]);
    }
}
