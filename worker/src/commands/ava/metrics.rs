//! `ava ontology`: an ontology in figures.

use std::path::PathBuf;

use clap::Args;
use ontology::{Metrics, Skipped};
use serde::Serialize;

use super::plural;
use crate::ontology_file::ImportArgs;
use crate::output::{Output, figure_or_dash, grid};
use crate::{Failure, ontology_file};

/// `ava ontology`
#[derive(Args, Debug)]
pub struct OntologyArgs {
    /// Ontology: .owl, .rdf, .xml, .ttl, .nt, .nq, .trig or .obo, with .gz behind it or not
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// What becomes of imports.
    #[command(flatten)]
    pub imports: ImportArgs,
}

/// What `ava ontology --json` prints.
#[derive(Serialize)]
struct Described {
    ontology: String,
    file: String,
    #[serde(flatten)]
    metrics: Metrics,
}

pub(super) async fn run(args: &OntologyArgs, output: Output) -> Result<(), Failure> {
    let ontology = ontology_file::read(&args.file, &args.imports).await?;
    let described = Described {
        ontology: ontology_file::name_of(&args.file),
        file: args.file.display().to_string(),
        metrics: ontology::metrics(&ontology),
    };
    output.print(&described, text)
}

fn text(described: &Described) -> String {
    let metrics = &described.metrics;
    let restrictions = &metrics.restrictions;
    let mut rows = vec![
        vec!["syntax".to_owned(), metrics.syntax.to_string()],
        vec!["statements".to_owned(), metrics.statements.to_string()],
    ];
    rows.extend(
        metrics
            .ontology_iri
            .iter()
            .map(|iri| vec!["ontology".to_owned(), iri.clone()]),
    );
    rows.extend(
        metrics
            .version
            .iter()
            .map(|version| vec!["version".to_owned(), version.clone()]),
    );
    let counts = [
        ("classes", metrics.classes),
        ("  deprecated", metrics.deprecated_classes),
        ("  without a label", metrics.unlabelled_classes),
        ("  without a definition", metrics.undefined_classes),
        ("  roots", metrics.roots),
        ("  leaves", metrics.leaves),
        ("  that no root leads to", metrics.rootless),
        ("synonyms", metrics.synonyms),
        ("depth", metrics.depth),
    ];
    rows.extend(counted(&counts));
    rows.push(vec![
        "mean depth".to_owned(),
        figure_or_dash(metrics.mean_depth),
    ]);
    let counts = [
        ("object properties", metrics.object_properties),
        ("datatype properties", metrics.datatype_properties),
        ("annotation properties", metrics.annotation_properties),
        ("properties of plain RDF", metrics.rdf_properties),
        ("individuals", metrics.individuals),
    ];
    rows.extend(counted(&counts));
    for (relation, count) in &metrics.relations {
        rows.push(vec![(*relation).to_owned(), count.to_string()]);
    }
    let counts = [
        ("some", restrictions.some),
        (
            "some, inside intersections",
            restrictions.some_in_intersections,
        ),
        ("only", restrictions.only),
        (
            "only, inside intersections",
            restrictions.only_in_intersections,
        ),
    ];
    rows.extend(counted(&counts));
    let mut text = vec![grid(&[&described.ontology, ""], &[], rows)];
    for import in &metrics.imports {
        let was_read = metrics.imports_read.contains(import);
        let was_read = if was_read { "was read" } else { "was not read" };
        text.push(format!("imports {import}, which {was_read}"));
    }
    if !metrics.unread.is_empty() {
        let mut unread: Vec<_> = metrics.unread.iter().collect();
        unread.sort_by_key(|(what, count)| (std::cmp::Reverse(**count), *what));
        let rows = unread
            .into_iter()
            .map(|(what, count)| vec![what.clone(), count.to_string()]);
        text.push(String::new());
        text.push(grid(&["not read", "times"], &[1], rows));
    }
    if !metrics.skipped.is_empty() {
        text.push(String::new());
        text.push(format!(
            "{} passed over:",
            plural(metrics.skipped.len(), "broken clause")
        ));
        text.extend(
            metrics
                .skipped
                .iter()
                .map(|skipped| line(&described.file, skipped)),
        );
    }
    text.join("\n")
}

fn counted(counts: &[(&str, usize)]) -> Vec<Vec<String>> {
    counts
        .iter()
        .map(|(name, count)| vec![(*name).to_owned(), count.to_string()])
        .collect()
}

/// `hp.obo:12:7: a definition is a quotation: def: none`
fn line(file: &str, skipped: &Skipped) -> String {
    let Skipped {
        line,
        column,
        clause,
        reason,
        import,
    } = skipped;
    let file = import.as_deref().unwrap_or(file);
    format!("{file}:{line}:{column}: {reason}: {clause}")
}
