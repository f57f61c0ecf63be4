//! `ava …`: from ontologies to triplets to a verdict on an embedding model. One file for each sub-command, with what can be
//! typed behind it.

mod align;
mod evaluate;
mod extract;
mod filter;
mod metrics;
mod model;
mod prompts;
mod split;
mod stats;
mod subgraph_files;
mod synthesize;
pub(super) mod table;
mod taxonomy;
pub(super) mod triplet_files;

use clap::Subcommand;

use super::{plural, until_interrupted};
use crate::Failure;
use crate::output::Output;

/// `ava …`
#[derive(Debug, Subcommand)]
pub enum AvaCommand {
    /// Show what an ontology holds, in figures, and what of its file was not understood
    Ontology(metrics::OntologyArgs),
    /// Cut the two-hop subgraph around every class of an ontology, as AVA's files
    Extract(extract::ExtractArgs),
    /// Make triplets of subgraphs: a true statement, a paraphrase, and a false one in nearly the same words
    Synthesize(Box<synthesize::SynthesizeArgs>),
    /// Make a set of raw triplets: sanity check, close negatives dropped, one an anchor, hard ones told
    Filter(filter::FilterArgs),
    /// Divide a set by ontology into train and test, and list what is on both sides
    Split(split::SplitArgs),
    /// Show what sets of triplets are made of, and how similar their texts are
    Stats(stats::StatsArgs),
    /// Judge a model on a set of triplets
    Evaluate(Box<evaluate::EvaluateArgs>),
    /// Find the classes of one ontology that are the same as those of another, by their labels' vectors
    Align(Box<align::AlignArgs>),
    /// Find what stands above a class, by the vectors of its label and the others
    Taxonomy(Box<taxonomy::TaxonomyArgs>),
    /// Put result files side by side as a table, the published figures among them
    Table(table::TableArgs),
}

/// Does what was typed.
pub(super) fn run(command: AvaCommand, output: Output) -> Result<(), Failure> {
    match command {
        AvaCommand::Ontology(args) => {
            until_interrupted("nothing was shown", metrics::run(&args, output))
        }
        AvaCommand::Extract(args) => {
            until_interrupted("nothing was written", extract::run(&args, output))
        }
        AvaCommand::Synthesize(args) => {
            until_interrupted(args.left(), synthesize::run(&args, output))
        }
        AvaCommand::Filter(args) => filter::run(&args, output),
        AvaCommand::Split(args) => split::run(&args, output),
        AvaCommand::Stats(args) => stats::run(&args, output),
        AvaCommand::Evaluate(args) => {
            let left = args.cache.left(Some(&args.model));
            until_interrupted(left, evaluate::run(&args, output))
        }
        AvaCommand::Align(args) => {
            let left = args.cache.left(args.model.as_ref());
            until_interrupted(left, align::run(&args, output))
        }
        AvaCommand::Taxonomy(args) => {
            let left = args.cache.left(Some(&args.model));
            until_interrupted(left, taxonomy::run(&args, output))
        }
        AvaCommand::Table(args) => table::run(&args, output),
    }
}
