//! The expression atlas (`gene-expression-atlas-okn`): made-up experiments of four species over real human genes.

use super::choice::{below, scatter};
use super::pancreas::{ENSEMBL, ENSEMBL_PREFIX, Gene};
use super::trig::{BIOLINK_PREFIX, Graph, LABEL, OBO, Prefix, RDFS_PREFIX, biolink, obo};

const STUDY: &str = "https://purl.org/okn/frink/kg/gene-expression-atlas-okn/reconstruction/study/";
const ASSAY: &str = "https://purl.org/okn/frink/kg/gene-expression-atlas-okn/reconstruction/assay/";
const ASSOCIATION: &str =
    "https://purl.org/okn/frink/kg/gene-expression-atlas-okn/reconstruction/association/";

/// A species whose experiments the atlas holds.
struct Species {
    taxon: &'static str,
    name: &'static str,
    studies: usize,
    /// What its made-up gene accessions begin with; the run of nines is outside what Ensembl gives out.
    accession: Option<&'static str>,
}

/// In the order of the counts in `genes.tsv`. The atlas is multi-species, and symbols are shared across species.
const SPECIES: [Species; 4] = [
    Species {
        taxon: "NCBITaxon_9606",
        name: "human",
        studies: 40,
        accession: None,
    },
    Species {
        taxon: "NCBITaxon_9913",
        name: "cow",
        studies: 8,
        accession: Some("ENSBTAG99"),
    },
    Species {
        taxon: "NCBITaxon_9823",
        name: "pig",
        studies: 16,
        accession: Some("ENSSSCG99"),
    },
    Species {
        taxon: "NCBITaxon_9544",
        name: "macaque",
        studies: 7,
        accession: Some("ENSMMUG99"),
    },
];

/// The graph: studies with two assays each, and a result of an assay for a gene wherever an experiment reports the gene.
pub(super) fn graph(genes: &[Gene]) -> Graph {
    let prefixes: [Prefix; 7] = [
        ENSEMBL_PREFIX,
        BIOLINK_PREFIX,
        RDFS_PREFIX,
        ("o", OBO),
        ("study", STUDY),
        ("assay", ASSAY),
        ("r", ASSOCIATION),
    ];
    let mut graph = Graph::new("gene-expression-atlas-okn", &prefixes);
    for species in &SPECIES {
        for number in 0..species.studies {
            study(&mut graph, species, number);
        }
    }
    for (index, gene) in genes.iter().enumerate() {
        for (species, reported) in SPECIES.iter().zip(gene.experiments) {
            if reported > 0 {
                results(&mut graph, species, gene, index, reported);
            }
        }
    }
    graph
}

fn study(graph: &mut Graph, species: &Species, number: usize) {
    let study = format!("{STUDY}{}-{number}", species.name);
    graph.class(&study, &biolink("Study"));
    graph.text(
        &study,
        LABEL,
        &format!("reconstructed {} experiment {number}", species.name),
    );
    graph.link(&study, &biolink("in_taxon"), &obo(species.taxon));
    for assay in assays(species, number) {
        graph.class(&assay, &biolink("Assay"));
        graph.link(&study, &biolink("has_output"), &assay);
    }
}

fn assays(species: &Species, study: usize) -> [String; 2] {
    [1, 2].map(|contrast| format!("{ASSAY}{}-{study}-{contrast}", species.name))
}

/// The gene's node and its results in `reported` consecutive studies, in one assay or in both.
fn results(graph: &mut Graph, species: &Species, gene: &Gene, index: usize, reported: usize) {
    let accession = match species.accession {
        Some(start) => format!("{start}{index:09}"),
        None => gene.accession.clone(),
    };
    let node = format!("{ENSEMBL}{accession}");
    graph.class(&node, &biolink("Gene"));
    graph.text(&node, &biolink("symbol"), &gene.symbol);
    graph.text(&node, LABEL, &gene.symbol);
    let start = below(species.studies, &["study", species.name, &gene.symbol]);
    for offset in 0..reported {
        let study = (start + offset) % species.studies;
        let key = format!("{}-{study}-{}", species.name, gene.symbol);
        let both = scatter(&["assays", &key]).is_multiple_of(2);
        let assays = assays(species, study)
            .into_iter()
            .take(if both { 2 } else { 1 });
        for (contrast, assay) in assays.enumerate() {
            let association = format!("{ASSOCIATION}{key}-{}", contrast + 1);
            graph.class(&association, &biolink("GeneExpressionMixin"));
            graph.link(&association, &biolink("subject"), &assay);
            graph.link(
                &association,
                &biolink("predicate"),
                &biolink("affects_expression_of"),
            );
            graph.link(&association, &biolink("object"), &node);
        }
    }
}
