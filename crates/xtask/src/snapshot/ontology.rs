//! An ontology as the federation needs it: identifiers, labels and the is-a hierarchy. Definitions are left out on purpose.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;

use super::trig::{Graph, LABEL, Prefix, RDFS_PREFIX, SUB_CLASS_OF, obo};

/// What is kept of one class.
#[derive(Debug, Default)]
pub(super) struct Term {
    pub(super) label: String,
    /// The classes it is directly under, by is-a alone.
    pub(super) parents: BTreeSet<String>,
    /// Other names; they are checked against, never written.
    pub(super) synonyms: BTreeSet<String>,
}

/// Classes by identifier in the form `MONDO_0004995`, obsolete ones left out.
#[derive(Debug)]
pub(super) struct Ontology {
    terms: BTreeMap<String, Term>,
    children: BTreeMap<String, BTreeSet<String>>,
}

impl Ontology {
    /// Links to classes that are not in `terms` are dropped: their ends are obsolete or of another ontology.
    pub(super) fn new(mut terms: BTreeMap<String, Term>) -> Self {
        let known: BTreeSet<String> = terms.keys().cloned().collect();
        let mut children: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (id, term) in &mut terms {
            term.parents.retain(|parent| known.contains(parent));
            for parent in &term.parents {
                children
                    .entry(parent.clone())
                    .or_default()
                    .insert(id.clone());
            }
        }
        Self { terms, children }
    }

    /// The class, or an error that names what is missing.
    pub(super) fn term(&self, id: &str) -> anyhow::Result<&Term> {
        self.terms
            .get(id)
            .with_context(|| format!("{id} is not a class of this release"))
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        self.terms.contains_key(id)
    }

    /// The class and everything under it.
    pub(super) fn closure<'a>(&'a self, root: &'a str) -> BTreeSet<&'a str> {
        let mut closure = BTreeSet::from([root]);
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            for child in self.children.get(id).into_iter().flatten() {
                if closure.insert(child) {
                    open.push(child);
                }
            }
        }
        closure
    }

    /// The ontology's part of the hub graph.
    pub(super) fn graph(&self, prefix: Prefix) -> Graph {
        let mut graph = Graph::new("ubergraph", &[prefix, RDFS_PREFIX]);
        for (id, term) in &self.terms {
            let class = obo(id);
            graph.text(&class, LABEL, &term.label);
            for parent in &term.parents {
                graph.link(&class, SUB_CLASS_OF, &obo(parent));
            }
        }
        graph
    }
}

#[cfg(test)]
mod tests {
    use super::{Ontology, Term};
    use std::collections::BTreeSet;

    #[test]
    fn a_closure_holds_its_root_and_survives_two_ways_to_one_class() {
        let term = |parents: &[&str]| Term {
            label: "x".to_owned(),
            parents: parents.iter().map(ToString::to_string).collect(),
            synonyms: BTreeSet::new(),
        };
        let ontology = Ontology::new(
            [
                ("a", term(&["gone"])),
                ("b", term(&["a"])),
                ("c", term(&["a"])),
                ("d", term(&["b", "c"])),
                ("e", term(&[])),
            ]
            .into_iter()
            .map(|(id, term)| (id.to_owned(), term))
            .collect(),
        );
        assert_eq!(ontology.closure("a"), BTreeSet::from(["a", "b", "c", "d"]));
        assert_eq!(ontology.closure("d"), BTreeSet::from(["d"]));
        assert!(ontology.term("a").unwrap().parents.is_empty());
        assert!(ontology.term("gone").is_err());
    }
}
