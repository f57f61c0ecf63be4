//! Associations derived from health records (`oard-kg`): which conditions have any is a reconstruction, which phenotypes they
//! have is taken from HPO's annotations where there are some, and each association says where it comes from.

use std::collections::BTreeSet;

use super::catalogue::Condition;
use super::choice::shuffled;
use super::hpo::Hpo;
use super::mondo::Mondo;
use super::trig::{BIOLINK_PREFIX, Graph, LABEL, Prefix, RDFS_PREFIX, biolink, obo};

const ASSOCIATION: &str = "https://purl.org/okn/frink/kg/oard-kg/reconstruction/association/";
const STUDY: &str = "https://purl.org/okn/frink/kg/oard-kg/reconstruction/study/";

/// No association leads to or from these: records are coded at specific conditions and findings, never at a category.
const CATEGORIES: [&str; 5] = [
    "MONDO_0004995",
    "MONDO_0007179",
    "MONDO_0005066",
    "MONDO_0002081",
    "HP_0000707",
];

/// At most so many phenotypes per condition keep the file small; which ones, a hash decides.
const PHENOTYPES: usize = 12;
/// Rare diseases that no dataset is tagged with, so that having a clinical association alone does not make a condition qualify.
const WITHOUT_DATASETS: usize = 60;

/// Complaints common enough that any condition may come with them, for the conditions HPO says nothing about.
const COMMON: [&str; 12] = [
    "HP_0001945",
    "HP_0012378",
    "HP_0002315",
    "HP_0002829",
    "HP_0012531",
    "HP_0002017",
    "HP_0001824",
    "HP_0002094",
    "HP_0001962",
    "HP_0000969",
    "HP_0001903",
    "HP_0003326",
];

/// Where an association's phenotype comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// HPO's annotation of the ORPHANET entry that is the condition.
    Annotation,
    /// HPO's annotation of entries that are subtypes of the condition.
    SubtypeAnnotation,
    /// Nothing but this file.
    MadeUp,
}

impl Origin {
    const ALL: [Self; 3] = [Self::Annotation, Self::SubtypeAnnotation, Self::MadeUp];

    fn iri(self) -> String {
        let name = match self {
            Self::Annotation => "hpo-annotation",
            Self::SubtypeAnnotation => "hpo-annotation-of-subtypes",
            Self::MadeUp => "made-up",
        };
        format!("{STUDY}{name}")
    }

    const fn label(self) -> &'static str {
        match self {
            Self::Annotation => "HPO annotation, 2025-01-16",
            Self::SubtypeAnnotation => "HPO annotation of subtypes, 2025-01-16",
            Self::MadeUp => "made up for the reconstruction",
        }
    }
}

/// The graph: the catalogue's clinical conditions, and some rare diseases beside them.
pub(super) fn graph(mondo: &Mondo, hpo: &Hpo, conditions: &[Condition]) -> anyhow::Result<Graph> {
    let prefixes: [Prefix; 6] = [
        ("a", ASSOCIATION),
        ("study", STUDY),
        BIOLINK_PREFIX,
        super::hpo::PREFIX,
        super::mondo::PREFIX,
        RDFS_PREFIX,
    ];
    let mut graph = Graph::new("oard-kg", &prefixes);
    for origin in Origin::ALL {
        graph.class(&origin.iri(), &biolink("Study"));
        graph.text(&origin.iri(), LABEL, origin.label());
    }
    let mut number = 0;
    for disease in diseases(mondo, hpo, conditions) {
        let (origin, phenotypes) = phenotypes(mondo, hpo, disease);
        let subject = obo(disease);
        graph.class(&subject, &biolink("Disease"));
        graph.text(&subject, LABEL, &mondo.ontology.term(disease)?.label);
        for phenotype in phenotypes {
            number += 1;
            let association = format!("{ASSOCIATION}{number}");
            let object = obo(phenotype);
            graph.class(&object, &biolink("PhenotypicFeature"));
            graph.text(&object, LABEL, &hpo.ontology.term(phenotype)?.label);
            graph.class(
                &association,
                &biolink("DiseaseToPhenotypicFeatureAssociation"),
            );
            graph.link(&association, &biolink("subject"), &subject);
            graph.link(
                &association,
                &biolink("predicate"),
                &biolink("has_phenotype"),
            );
            graph.link(&association, &biolink("object"), &object);
            graph.link(
                &association,
                &biolink("has_supporting_studies"),
                &origin.iri(),
            );
        }
    }
    Ok(graph)
}

/// Every disease with associations, in order.
fn diseases<'a>(mondo: &'a Mondo, hpo: &Hpo, conditions: &'a [Condition]) -> BTreeSet<&'a str> {
    let clinical = conditions.iter().filter(|condition| condition.clinical);
    let mut diseases: BTreeSet<&str> = clinical.map(|condition| condition.id.as_str()).collect();
    let tagged: BTreeSet<&str> = conditions
        .iter()
        .map(|condition| condition.id.as_str())
        .collect();
    let others = mondo
        .orphanet
        .keys()
        .map(String::as_str)
        .filter(|id| !tagged.contains(id) && !annotated(mondo, hpo, id).is_empty());
    diseases.extend(
        shuffled(others, "clinical")
            .into_iter()
            .take(WITHOUT_DATASETS),
    );
    for category in CATEGORIES {
        diseases.remove(category);
    }
    diseases
}

fn phenotypes<'a>(mondo: &Mondo, hpo: &'a Hpo, disease: &str) -> (Origin, Vec<&'a str>) {
    let mut origin = Origin::Annotation;
    let mut found = annotated(mondo, hpo, disease);
    if found.is_empty() {
        origin = Origin::SubtypeAnnotation;
        let subtypes = mondo.ontology.closure(disease);
        found = subtypes
            .iter()
            .flat_map(|subtype| annotated(mondo, hpo, subtype))
            .collect();
    }
    let mut limit = PHENOTYPES;
    if found.is_empty() {
        origin = Origin::MadeUp;
        found = COMMON.into_iter().collect();
        limit = 4;
    }
    let mut chosen = shuffled(found, disease);
    chosen.truncate(limit);
    chosen.sort_unstable();
    (origin, chosen)
}

/// The phenotypes of the ORPHANET entries that are the disease.
fn annotated<'a>(mondo: &Mondo, hpo: &'a Hpo, disease: &str) -> BTreeSet<&'a str> {
    let entries = mondo.orphanet.get(disease).into_iter().flatten();
    entries
        .filter_map(|entry| hpo.annotations.get(entry))
        .flatten()
        .map(String::as_str)
        .filter(|phenotype| !CATEGORIES.contains(phenotype))
        .collect()
}
