//! Triplets by rule, from the axioms of the ontology.

use std::collections::BTreeMap;
use std::path::Path;

use ava::{Rules, Triplet, Unmade};

use super::{Counts, Subgraphs};
use crate::ontology_file::ImportArgs;
use crate::{Failure, ontology_file};

/// Subgraphs that are worked through before it is looked whether somebody wants to stop.
const BATCH: usize = 64;

/// What was made by rule, and what was not.
pub(super) struct ByRule {
    pub(super) triplets: Vec<Triplet>,
    pub(super) counts: Counts,
    pub(super) unmade: BTreeMap<Unmade, usize>,
}

pub(super) async fn make(
    subgraphs: &Subgraphs,
    file: Option<&Path>,
    imports: &ImportArgs,
) -> Result<ByRule, Failure> {
    let file = file.ok_or_else(|| {
        Failure::usage(
            "the generator `rules` reads the axioms of an ontology",
            "give the file that the subgraphs were cut from, with --ontology",
        )
    })?;
    let ontology = ontology_file::read(file, imports).await?;
    let mut rules = Rules::new(&ontology);
    if !rules.can_deny() {
        return Err(Failure::usage(
            format!(
                "nothing can be held not to follow from {}: it is too large or too tightly knit, or says something of all properties",
                file.display()
            ),
            "give a part of it with --ontology, or ask a model with --generator openai:NAME",
        ));
    }
    let mut made = ByRule {
        triplets: Vec::new(),
        counts: Counts::default(),
        unmade: BTreeMap::new(),
    };
    let mut axioms = 0;
    for batch in subgraphs.manifest.subgraphs.chunks(BATCH) {
        for entry in batch {
            let of_one = rules.make(&subgraphs.read(entry)?);
            axioms += of_one.axioms;
            made.counts.add(&of_one.triplets);
            for (why, count) in of_one.unmade {
                *made.unmade.entry(why).or_default() += count;
            }
            made.triplets.extend(of_one.triplets);
        }
        // Whoever wants to stop is heard here.
        tokio::task::yield_now().await;
    }
    // Where it is the file, and all of its classes may be empty, say, nothing is made, and why is told.
    let is_another = made.unmade.contains_key(&Unmade::UnknownTerm)
        || made.unmade.keys().eq([&Unmade::NotAsserted]);
    if axioms == 0 && is_another {
        return Err(Failure::usage(
            format!(
                "{} asserts nothing of what the subgraphs in {} hold",
                file.display(),
                subgraphs.folder.display()
            ),
            "give the file that they were cut from, with --ontology, and its imports where they were cut with them",
        ));
    }
    Ok(made)
}

/// What stood in the way, a line each.
pub(super) fn lines(unmade: &BTreeMap<Unmade, usize>) -> Vec<String> {
    let mut lines = Vec::new();
    if !unmade.is_empty() {
        lines.push("met on the way, each time a triplet was looked for:".to_owned());
    }
    lines.extend(
        unmade
            .iter()
            .map(|(why, count)| format!("{count} {}", why.words())),
    );
    lines
}
