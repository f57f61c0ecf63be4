//! An ontology in figures.

use crate::names::Term;
use crate::ontology::Ontology;
use crate::statements::Skipped;
use crate::syntax::Syntax;
use crate::vocabulary::{Kinds, Quantifier, Relation, THING};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeMap;

/// What an ontology holds, counted, and what of its file was not understood.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Metrics {
    /// The syntax that the file was read as.
    pub syntax: Syntax,
    /// The ontology's own IRI.
    pub ontology_iri: Option<String>,
    /// The IRI of its version, or OBO's `data-version`.
    pub version: Option<String>,
    /// What it imports, and what of that was read imports in turn.
    pub imports: Vec<String>,
    /// Those of the imports that were read; the figures count what they say too.
    pub imports_read: Vec<String>,
    /// Triples, or clauses in OBO.
    pub statements: usize,
    /// Named classes.
    pub classes: usize,
    /// Object properties.
    pub object_properties: usize,
    /// Datatype properties.
    pub datatype_properties: usize,
    /// Annotation properties.
    pub annotation_properties: usize,
    /// Properties of plain RDF.
    pub rdf_properties: usize,
    /// Individuals.
    pub individuals: usize,
    /// Classes that are deprecated.
    pub deprecated_classes: usize,
    /// Classes without a label.
    pub unlabelled_classes: usize,
    /// Classes without a definition or comment.
    pub undefined_classes: usize,
    /// Synonyms of classes.
    pub synonyms: usize,
    /// Classes with no class above them but `owl:Thing`.
    pub roots: usize,
    /// Classes with a class above and none below.
    pub leaves: usize,
    /// Most steps that it takes from a root to a class by the shortest way; 0 where there are only roots.
    pub depth: usize,
    /// Mean of these steps over the classes that a root leads to.
    pub mean_depth: Option<f64>,
    /// Classes that no root leads to: they are on a circle or under one.
    pub rootless: usize,
    /// Relations between two named terms, by the relation's name.
    pub relations: BTreeMap<&'static str, usize>,
    /// Restrictions between two named classes.
    pub restrictions: RestrictionCounts,
    /// What was not understood, and how often.
    pub unread: BTreeMap<String, usize>,
    /// Broken clauses that were passed over.
    pub skipped: Vec<Skipped>,
}

/// Restrictions of a named class to a named filler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RestrictionCounts {
    /// Existential, directly behind a relation.
    pub some: usize,
    /// Universal, directly behind a relation.
    pub only: usize,
    /// Existential, inside an intersection.
    pub some_in_intersections: usize,
    /// Universal, inside an intersection.
    pub only_in_intersections: usize,
}

/// Counts what an ontology holds.
pub fn metrics(ontology: &Ontology) -> Metrics {
    let classes: Vec<Term> = ontology.classes().collect();
    let count = |kinds| ontology.declared(kinds).count();
    let count_of =
        |test: &dyn Fn(Term) -> bool| classes.iter().filter(|class| test(**class)).count();
    let hierarchy = Hierarchy::new(ontology, &classes);
    let mut relations: BTreeMap<&'static str, usize> = BTreeMap::new();
    for (_, relation, _) in &ontology.relations {
        *relations
            .entry(crate::local_name(relation.iri()))
            .or_default() += 1;
    }
    let mut restrictions = RestrictionCounts::default();
    for restriction in &ontology.restrictions {
        *(match (restriction.quantifier, restriction.nested) {
            (Quantifier::Some, false) => &mut restrictions.some,
            (Quantifier::Only, false) => &mut restrictions.only,
            (Quantifier::Some, true) => &mut restrictions.some_in_intersections,
            (Quantifier::Only, true) => &mut restrictions.only_in_intersections,
        }) += 1;
    }
    Metrics {
        syntax: ontology.syntax(),
        ontology_iri: ontology.ontology_iri().map(str::to_owned),
        version: ontology.version().map(str::to_owned),
        imports: ontology.imports().to_vec(),
        imports_read: ontology.imports_read().to_vec(),
        statements: ontology.statements(),
        classes: classes.len(),
        object_properties: count(Kinds::OBJECT_PROPERTY),
        datatype_properties: count(Kinds::DATATYPE_PROPERTY),
        annotation_properties: count(Kinds::ANNOTATION_PROPERTY),
        rdf_properties: count(Kinds::RDF_PROPERTY),
        individuals: ontology.individuals(),
        deprecated_classes: count_of(&|class| ontology.is_deprecated(class)),
        unlabelled_classes: count_of(&|class| ontology.given_label(class).is_none()),
        undefined_classes: count_of(&|class| ontology.definition(class).is_none()),
        synonyms: classes
            .iter()
            .map(|class| ontology.synonyms(*class).len())
            .sum(),
        roots: hierarchy.roots,
        leaves: hierarchy.leaves,
        depth: hierarchy.steps.iter().max().copied().unwrap_or_default(),
        mean_depth: mean(&hierarchy.steps),
        rootless: classes.len() - hierarchy.steps.len(),
        relations,
        restrictions,
        unread: ontology.unread().clone(),
        skipped: ontology.skipped().to_vec(),
    }
}

fn mean(values: &[usize]) -> Option<f64> {
    let sum: usize = values.iter().sum();
    (!values.is_empty()).then(|| sum as f64 / values.len() as f64)
}

struct Hierarchy {
    roots: usize,
    leaves: usize,
    /// For each class that a root leads to, the steps of the shortest way.
    steps: Vec<usize>,
}

impl Hierarchy {
    fn new(ontology: &Ontology, classes: &[Term]) -> Self {
        let places = classes.iter().copied().zip(0_usize..);
        let places: FxHashMap<Term, usize> = places.collect();
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); classes.len()];
        let mut has_parent = vec![false; classes.len()];
        for (subject, relation, object) in &ontology.relations {
            if *relation != Relation::SubClassOf
                || subject == object
                || ontology.iri(*object) == THING
            {
                continue;
            }
            if let (Some(child), Some(parent)) = (places.get(subject), places.get(object)) {
                below[*parent].push(*child);
                has_parent[*child] = true;
            }
        }
        let is_thing = |place: &usize| {
            classes
                .get(*place)
                .is_some_and(|class| ontology.iri(*class) == THING)
        };
        let places = 0..classes.len();
        let roots: Vec<usize> = places.clone().filter(|place| !has_parent[*place]).collect();
        let mut steps: Vec<Option<usize>> = vec![None; classes.len()];
        let mut level = roots.clone();
        let mut depth = 0;
        while !level.is_empty() {
            level.retain(|place| steps[*place].is_none());
            for place in &level {
                steps[*place] = Some(depth);
            }
            level = level
                .iter()
                .flat_map(|place| below[*place].iter().copied())
                .collect();
            depth += 1;
        }
        Self {
            roots: roots.iter().filter(|place| !is_thing(place)).count(),
            leaves: places
                .filter(|place| has_parent[*place] && below[*place].is_empty())
                .count(),
            steps: steps.into_iter().flatten().collect(),
        }
    }
}
