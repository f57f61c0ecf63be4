//! Genes of the pancreas and the processes they are associated with (`pankgraph`): real annotations of a part of the genes.

use std::collections::BTreeSet;

use anyhow::{Context as _, bail};

use super::go::Go;
use super::trig::{BIOLINK_PREFIX, Graph, LABEL, Prefix, RDFS_PREFIX, biolink, obo};

const GENES: &str = include_str!("genes.tsv");

/// What both gene graphs key genes on.
pub(super) const ENSEMBL: &str = "http://identifiers.org/ensembl/";
/// What genes are written with.
pub(super) const ENSEMBL_PREFIX: Prefix = ("e", ENSEMBL);

/// A gene of `genes.tsv`.
pub(super) struct Gene {
    pub(super) symbol: String,
    /// Its human Ensembl accession.
    pub(super) accession: String,
    /// Made-up experiments that report it, per species in the atlas's order.
    pub(super) experiments: [usize; 4],
}

/// The listed genes with their accessions.
pub(super) fn genes(go: &Go) -> anyhow::Result<Vec<Gene>> {
    let lines = GENES
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| gene(go, line).with_context(|| format!("genes.tsv: {line}")))
        .collect()
}

fn gene(go: &Go, line: &str) -> anyhow::Result<Gene> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [symbol, human, cow, pig, macaque] = cells[..] else {
        bail!("expected five cells between tabs, found {}", cells.len());
    };
    Ok(Gene {
        symbol: symbol.to_owned(),
        accession: go.accession(symbol)?,
        experiments: [human.parse()?, cow.parse()?, pig.parse()?, macaque.parse()?],
    })
}

/// The graph: every process that a listed gene is annotated with, and the names of both.
pub(super) fn graph(go: &Go, genes: &[Gene]) -> anyhow::Result<Graph> {
    let prefixes = [
        ENSEMBL_PREFIX,
        BIOLINK_PREFIX,
        super::go::PREFIX,
        RDFS_PREFIX,
    ];
    let mut graph = Graph::new("pankgraph", &prefixes);
    let mut named = BTreeSet::new();
    for gene in genes {
        let subject = format!("{ENSEMBL}{}", gene.accession);
        graph.class(&subject, &biolink("Gene"));
        graph.text(&subject, LABEL, &gene.symbol);
        for process in go.processes(&gene.symbol)? {
            let object = obo(&process);
            graph.link(&subject, &biolink("functional_association"), &object);
            if named.insert(process.clone()) {
                graph.class(&object, &biolink("OntologyClass"));
                graph.text(&object, LABEL, &go.ontology.term(&process)?.label);
            }
        }
    }
    Ok(graph)
}
