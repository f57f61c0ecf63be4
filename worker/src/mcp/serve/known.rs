//! What is known of the federation's graphs beforehand: how each names its entities, and so how two of them join.

/// How the IRI of every graph of the federation begins; its short name follows.
pub(super) const GRAPHS: &str = "https://purl.org/okn/frink/kg/";

/// The graph of ontology classes.
pub(super) const ONTOLOGIES: &str = "https://purl.org/okn/frink/kg/ubergraph";

/// A graph of the federation.
pub(super) struct Known {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) domains: &'static [&'static str],
    pub(super) about: &'static str,
    pub(super) keys: &'static [Key],
}

/// A kind of entity in a graph, by what its IRIs are.
pub(super) struct Key {
    /// Also the variable that stands for it in `pattern`.
    pub(super) entity: &'static str,
    pub(super) iri: &'static str,
    /// How such an entity is reached, in prefixed SPARQL.
    pub(super) pattern: &'static str,
}

/// Declares every prefix that the patterns use.
pub(super) const PREFIXES: &str = "\
PREFIX biolink: <https://w3id.org/biolink/vocab/>
PREFIX kg: <https://purl.org/okn/frink/kg/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX schema: <http://schema.org/>
";

const MONDO: &str = "http://purl.obolibrary.org/obo/MONDO_";
const HP: &str = "http://purl.obolibrary.org/obo/HP_";
const GO: &str = "http://purl.obolibrary.org/obo/GO_";
const ENSEMBL: &str = "http://identifiers.org/ensembl/";

/// The graphs, by name.
pub(super) const KNOWN: [Known; 6] = [
    Known {
        name: "gene-expression-atlas-okn",
        title: "Gene Expression Atlas",
        domains: &["biology", "health"],
        about: "Differential gene expression in published experiments of several species. A study has assays \
                (biolink:has_output) and names its species (biolink:in_taxon, an NCBITaxon term); an association links an \
                assay (biolink:subject) to a gene (biolink:object). Genes are named by Ensembl accession and carry their \
                symbol as label; the same symbol stands for genes of several species.",
        keys: &[Key {
            entity: "gene",
            iri: ENSEMBL,
            pattern: "?association biolink:subject ?assay ; biolink:object ?gene .",
        }],
    },
    Known {
        name: "nde",
        title: "NIAID Data Ecosystem",
        domains: &["health"],
        about: "A catalogue of research datasets. A schema:Dataset names the conditions that it is about with \
                schema:healthCondition, each a MONDO term with a schema:name of the catalogue's own.",
        keys: &[Key {
            entity: "disease",
            iri: MONDO,
            pattern: "?dataset a schema:Dataset ; schema:healthCondition ?disease .",
        }],
    },
    Known {
        name: "oard-kg",
        title: "Open Annotations of Rare Diseases",
        domains: &["health"],
        about: "Associations of diseases with phenotypes, derived from electronic health records. An association is a \
                biolink:DiseaseToPhenotypicFeatureAssociation from a MONDO term (biolink:subject) to an HP term \
                (biolink:object).",
        keys: &[
            Key {
                entity: "disease",
                iri: MONDO,
                pattern: "?association a biolink:DiseaseToPhenotypicFeatureAssociation ; biolink:subject ?disease .",
            },
            Key {
                entity: "phenotype",
                iri: HP,
                pattern: "?association a biolink:DiseaseToPhenotypicFeatureAssociation ; biolink:object ?phenotype .",
            },
        ],
    },
    Known {
        name: "pankgraph",
        title: "PanKgraph",
        domains: &["biology", "health"],
        about: "Genes of the human pancreas. A gene, named by Ensembl accession with its symbol as label, is linked to the \
                GO terms of the processes that it takes part in by biolink:functional_association.",
        keys: &[
            Key {
                entity: "gene",
                iri: ENSEMBL,
                pattern: "?gene a biolink:Gene .",
            },
            Key {
                entity: "process",
                iri: GO,
                pattern: "?anyGene biolink:functional_association ?process .",
            },
        ],
    },
    Known {
        name: "rdkg",
        title: "Rare Disease Knowledge Graph",
        domains: &["health"],
        about: "Rare diseases and their phenotypes: a disease, a MONDO term, biolink:has_phenotype an HP term.",
        keys: &[
            Key {
                entity: "disease",
                iri: MONDO,
                pattern: "?disease biolink:has_phenotype ?anyPhenotype .",
            },
            Key {
                entity: "phenotype",
                iri: HP,
                pattern: "?anyDisease biolink:has_phenotype ?phenotype .",
            },
        ],
    },
    Known {
        name: "ubergraph",
        title: "Ubergraph",
        domains: &["biology", "health"],
        about: "Classes of biomedical ontologies, each with its rdfs:label and its direct superclasses (rdfs:subClassOf).",
        keys: &[
            Key {
                entity: "disease",
                iri: MONDO,
                pattern: "?disease rdfs:subClassOf ?broaderDisease .",
            },
            Key {
                entity: "phenotype",
                iri: HP,
                pattern: "?phenotype rdfs:subClassOf ?broaderPhenotype .",
            },
            Key {
                entity: "process",
                iri: GO,
                pattern: "?process rdfs:subClassOf ?broaderProcess .",
            },
        ],
    },
];

/// What is known of a graph, by its short name.
pub(super) fn known(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name)
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, PREFIXES};

    #[test]
    fn every_pattern_is_sparql_and_binds_its_entity() {
        for known in &KNOWN {
            for key in known.keys {
                let query = format!(
                    "{PREFIXES}SELECT ?{} WHERE {{ {} }}",
                    key.entity, key.pattern
                );
                assert!(federation::parse_query(&query).is_ok(), "{query}");
                assert!(
                    key.pattern.contains(&format!("?{} ", key.entity)),
                    "{query}"
                );
            }
        }
    }
}
