//! `ava …`: from ontologies to triplets to a verdict on an embedding model. One file for each sub-command, with what can be
//! typed behind it.

mod extract;
mod metrics;

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
}

/// Does what was typed.
pub(super) fn run(command: AvaCommand, output: Output) -> Result<(), Failure> {
    match command {
        AvaCommand::Ontology(args) => metrics::run(&args, output),
        AvaCommand::Extract(args) => {
            until_interrupted("nothing was written", extract::run(&args, output))
        }
    }
}
