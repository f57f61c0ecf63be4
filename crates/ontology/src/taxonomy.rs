//! The pairs of class and parent that taxonomy discovery is measured against.

use crate::names::{Term, local_name};
use crate::ontology::Ontology;
use crate::vocabulary::{Relation, TextKind};
use std::collections::BTreeSet;

/// A class and one directly above it, by their labels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaxonomyPair {
    /// Label of the class.
    pub child: String,
    /// Label of the class above it.
    pub parent: String,
}

/// The ground truth of taxonomy discovery, in both of the ways in which it is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taxonomy {
    /// The pairs as OntoLearner lists them: a class with several parents lists all of them once for each, so a class with
    /// two has four rows. Sorted by the IRIs behind the labels.
    pub rows: Vec<TaxonomyPair>,
}

impl Taxonomy {
    /// The ground truth of an ontology.
    ///
    /// Each `rdfs:subClassOf` triple of a named class, its superclass named or not, lists every named superclass of the
    /// class. A name is the English `rdfs:label`, else the `rdfs:label` if it has more than three characters and is no
    /// address, else the IRI's local name. Nothing is listed for `root` and `thing`, in whatever case, nor for a name that
    /// is a generated identifier.
    pub fn of(ontology: &Ontology) -> Self {
        let mut parents: Vec<(Term, Term)> = Vec::new();
        for (subject, relation, object) in &ontology.relations {
            if *relation == Relation::SubClassOf {
                parents.push((*subject, *object));
            }
        }
        parents
            .sort_unstable_by_key(|(child, parent)| (ontology.iri(*child), ontology.iri(*parent)));
        let mut rows = Vec::new();
        for of_class in parents.chunk_by(|a, b| a.0 == b.0) {
            let Some((class, _)) = of_class.first() else {
                continue;
            };
            let Some(child) = name(ontology, *class) else {
                continue;
            };
            let times = of_class.len() + ontology.unnamed_superclasses(*class);
            for _ in 0..times {
                for (_, parent) in of_class {
                    if let Some(parent) = name(ontology, *parent) {
                        rows.push(TaxonomyPair {
                            child: child.clone(),
                            parent,
                        });
                    }
                }
            }
        }
        Self { rows }
    }

    /// The rows, each once, sorted.
    pub fn distinct(&self) -> BTreeSet<&TaxonomyPair> {
        self.rows.iter().collect()
    }

    /// Every name in the rows, each once, sorted: what is to be placed in the taxonomy.
    pub fn types(&self) -> BTreeSet<&str> {
        let names = self.rows.iter().flat_map(|row| [&row.child, &row.parent]);
        names.map(String::as_str).collect()
    }
}

fn name(ontology: &Ontology, class: Term) -> Option<String> {
    let mut labels = ontology.tagged_texts(class, TextKind::Label);
    let first = labels.clone().next().map(|(_, label)| label);
    let english = labels.find(|(language, _)| *language == Some("en"));
    let is_name = |label: &&str| label.chars().count() > 3 && !label.starts_with("http");
    let name = match english {
        Some((_, label)) => label,
        None => first
            .filter(is_name)
            .unwrap_or_else(|| local_name(ontology.iri(class))),
    };
    let is_placeholder = name.eq_ignore_ascii_case("root") || name.eq_ignore_ascii_case("thing");
    (!is_placeholder && !is_generated(name)).then(|| name.to_owned())
}

/// Identifiers of which no reader could make a name, by what stands before their digits.
const NUMBERED: [&str; 20] = [
    "_",
    "BFO_",
    "IAO_",
    "OBI_",
    "FIX_",
    "REX_",
    "UO_",
    "MS_",
    "AFRL_",
    "AFFN_",
    "AFE_",
    "AFQ_",
    "AFP_",
    "AFM_",
    "AFC_",
    "ENVO_",
    "AFR_",
    "blank",
    "genid-",
    "nodeID://",
];

/// The same for hexadecimal digits.
const HEXADECIMAL: [&str; 7] = ["n", "N", "b", "B", "c_", "C_", "node_"];

fn is_generated(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let hexadecimal = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_hexdigit());
    let behind = |prefix: &str| name.strip_prefix(prefix);
    let is_numbered = NUMBERED
        .iter()
        .any(|prefix| behind(prefix).is_some_and(digits));
    // Also true of `bed` and `bee`. OntoLearner passes over these, and so do its published counts.
    let is_hexadecimal = HEXADECIMAL
        .iter()
        .any(|prefix| behind(prefix).is_some_and(hexadecimal));
    let parts: Vec<&str> = name.split('-').collect();
    let is_uuid = parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && parts.into_iter().all(hexadecimal);
    is_numbered || is_hexadecimal || is_uuid
}
