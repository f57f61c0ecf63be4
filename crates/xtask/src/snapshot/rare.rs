//! Rare diseases and their phenotypes (`rdkg`): HPO's own annotations, whole rows of a part of the diseases.

use std::collections::BTreeSet;

use anyhow::ensure;

use super::choice::shuffled;
use super::hpo::Hpo;
use super::mondo::Mondo;
use super::trig::{BIOLINK_PREFIX, Graph, LABEL, RDFS_PREFIX, biolink, obo};

/// The phenotype of the published question. No chosen disease is annotated with it.
const NERVOUS_SYSTEM: &str = "HP_0000707";
/// How many phenotypes under it the published graph uses.
const PHENOTYPES_IN_USE: usize = 459;
/// Enough diseases that the counts of the commonest phenotypes tell themselves apart.
const DISEASES: usize = 400;

/// The graph of the chosen diseases.
pub(super) fn graph(mondo: &Mondo, hpo: &Hpo) -> anyhow::Result<Graph> {
    let prefixes = [
        BIOLINK_PREFIX,
        super::hpo::PREFIX,
        super::mondo::PREFIX,
        RDFS_PREFIX,
    ];
    let mut graph = Graph::new("rdkg", &prefixes);
    for disease in choose(mondo, hpo)? {
        let subject = obo(disease);
        graph.class(&subject, &biolink("Disease"));
        graph.text(&subject, LABEL, &mondo.ontology.term(disease)?.label);
        for phenotype in phenotypes(mondo, hpo, disease) {
            let object = obo(phenotype);
            graph.link(&subject, &biolink("has_phenotype"), &object);
            graph.class(&object, &biolink("PhenotypicFeature"));
            graph.text(&object, LABEL, &hpo.ontology.term(phenotype)?.label);
        }
    }
    Ok(graph)
}

/// Goes through the diseases in hash order and takes each that does not carry the graph past the published number, until there are
/// enough diseases and exactly that many phenotypes.
fn choose<'a>(mondo: &'a Mondo, hpo: &Hpo) -> anyhow::Result<BTreeSet<&'a str>> {
    let closure = hpo.ontology.closure(NERVOUS_SYSTEM);
    let mut chosen = BTreeSet::new();
    let mut in_use: BTreeSet<&str> = BTreeSet::new();
    for disease in shuffled(mondo.orphanet.keys().map(String::as_str), "rare") {
        let phenotypes = phenotypes(mondo, hpo, disease);
        if phenotypes.is_empty() || phenotypes.contains(NERVOUS_SYSTEM) {
            continue;
        }
        let new: BTreeSet<&str> = phenotypes
            .intersection(&closure)
            .copied()
            .filter(|phenotype| !in_use.contains(phenotype))
            .collect();
        // Once there are enough diseases, only those that still add phenotypes are wanted.
        let fits = in_use.len() + new.len() <= PHENOTYPES_IN_USE;
        if fits && (chosen.len() < DISEASES || !new.is_empty()) {
            in_use.extend(new);
            chosen.insert(disease);
        }
        if chosen.len() >= DISEASES && in_use.len() == PHENOTYPES_IN_USE {
            break;
        }
    }
    ensure!(
        in_use.len() == PHENOTYPES_IN_USE,
        "the diseases reach {} phenotypes under {NERVOUS_SYSTEM}, not {PHENOTYPES_IN_USE}",
        in_use.len()
    );
    Ok(chosen)
}

fn phenotypes<'a>(mondo: &Mondo, hpo: &'a Hpo, disease: &str) -> BTreeSet<&'a str> {
    let entries = mondo.orphanet.get(disease).into_iter().flatten();
    let rows = entries.filter_map(|entry| hpo.annotations.get(entry));
    rows.flatten().map(String::as_str).collect()
}
