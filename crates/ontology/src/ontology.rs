//! An ontology as a whole.

use crate::error::ReadError;
use crate::expression::{self, Expressions};
use crate::logic::Logic;
use crate::names::{Names, Term, local_name};
use crate::reader::OntologyReader;
use crate::statements::{Restriction, Skipped, Statements, Text, UnnamedRestriction};
use crate::syntax::Syntax;
use crate::vocabulary::{Kinds, Relation, THING, TextKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A term that is declared to be a class or a property, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entity {
    pub(crate) term: Term,
    pub(crate) kinds: Kinds,
    pub(crate) deprecated: bool,
}

/// The classes and properties of a file, what is said of them, and what was not understood.
///
/// ```
/// use ontology::Ontology;
///
/// let file = "
///     @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
///     <http://e/Heart> a owl:Class ; rdfs:subClassOf <http://e/Organ> ; rdfs:label \"heart\"@en, \"Herz\"@de .
///     <http://e/Organ> a owl:Class .";
/// let ontology = Ontology::read("anatomy.ttl", file.as_bytes())?;
/// let labels: Vec<&str> = ontology.classes().map(|class| ontology.label(class)).collect();
/// assert_eq!(labels, ["heart", "Organ"]);
/// # Ok::<(), ontology::ReadError>(())
/// ```
#[derive(Clone)]
pub struct Ontology {
    names: Names,
    syntax: Syntax,
    iri: Option<Term>,
    version: Option<String>,
    imports: Vec<String>,
    imports_read: Vec<String>,
    read: usize,
    /// Sorted by IRI.
    pub(crate) entities: Vec<Entity>,
    place: FxHashMap<Term, usize>,
    /// Sorted by subject and kind, then by language and value.
    texts: Vec<Text>,
    pub(crate) relations: Vec<(Term, Relation, Term)>,
    pub(crate) restrictions: Vec<Restriction>,
    /// Read in one of the graphs only; counted in `unread`.
    pub(crate) unnamed_restrictions: Vec<UnnamedRestriction>,
    pub(crate) conjuncts: Vec<(Term, Term)>,
    pub(crate) disjoint_groups: Vec<Vec<Term>>,
    pub(crate) complements: Vec<(Term, Term)>,
    /// For each class, how many superclasses without a name it has.
    unnamed_superclasses: FxHashMap<Term, usize>,
    transitive: FxHashSet<Term>,
    pub(crate) logic: Logic,
    individuals: usize,
    unread: BTreeMap<String, usize>,
    skipped: Vec<Skipped>,
}

impl Ontology {
    /// Reads a file, whose name says its syntax (see [`Syntax::of`]). Files that it imports are listed, not read;
    /// [`OntologyReader`] takes them in.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self, ReadError> {
        OntologyReader::new(file, bytes)?.finish()
    }

    pub(crate) fn new(
        mut statements: Statements,
        syntax: Syntax,
        imports_missing: &[String],
    ) -> Self {
        let unnamed_superclasses = unnamed_superclasses(&statements);
        let logic = Logic::of(&statements);
        let Expressions {
            relations,
            restrictions,
            unnamed_restrictions,
            conjuncts,
            disjoint_groups,
            complements,
        } = expression::read(&mut statements);
        let names = statements.names;
        let deprecated: FxHashSet<Term> = statements.deprecated.into_iter().collect();
        let mut kinds: FxHashMap<Term, Kinds> = FxHashMap::default();
        for (term, kind) in statements.kinds {
            let known = kinds.entry(term).or_default();
            *known = known.and(kind);
        }
        let mut entities: Vec<Entity> = kinds
            .into_iter()
            .map(|(term, kinds)| Entity {
                term,
                kinds,
                deprecated: deprecated.contains(&term),
            })
            .collect();
        entities.sort_unstable_by(|a, b| names.get(a.term).cmp(names.get(b.term)));
        let place = entities.iter().enumerate();
        let place: FxHashMap<Term, usize> = place.map(|(at, entity)| (entity.term, at)).collect();
        let mut texts = statements.texts;
        let read = texts.len();
        // Where a label is blank the next one is the name. AVA's identifiers are made of IRIs, so they are the same.
        texts.retain(|text| !text.value.trim().is_empty());
        let blank = read - texts.len();
        let missing = pointed_at(&mut texts, &statements.text_nodes);
        for (what, count) in [
            ("a label, synonym or definition that is blank", blank),
            (
                "a label, synonym or definition that is a node without a label",
                missing,
            ),
        ] {
            if count > 0 {
                statements.unread.insert(what.to_owned(), count);
            }
        }
        texts.sort_unstable_by(|a, b| {
            let language = |text: &Text| text.language.map(|tag| names.get(tag));
            (a.subject, a.kind)
                .cmp(&(b.subject, b.kind))
                .then_with(|| rank(language(a)).cmp(&rank(language(b))))
                .then_with(|| a.value.cmp(&b.value))
        });
        texts.dedup();
        let mut imports = statements.imports;
        imports.sort_unstable();
        imports.dedup();
        let mut imports_read = imports.clone();
        imports_read.retain(|iri| !imports_missing.contains(iri));
        let individuals: FxHashSet<Term> = statements.individuals.into_iter().collect();
        Self {
            individuals: individuals.len(),
            names,
            syntax,
            iri: statements.ontology,
            version: statements.version,
            imports,
            imports_read,
            read: statements.read,
            entities,
            place,
            texts,
            relations,
            restrictions,
            unnamed_restrictions,
            conjuncts,
            disjoint_groups,
            complements,
            unnamed_superclasses,
            transitive: statements.transitive.into_iter().collect(),
            logic,
            unread: statements.unread,
            skipped: statements.skipped,
        }
    }

    /// The syntax that the file was read as.
    pub fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// The ontology's own IRI, where it has one.
    pub fn ontology_iri(&self) -> Option<&str> {
        self.iri.map(|iri| self.iri(iri))
    }

    /// The IRI of its version, or OBO's `data-version`.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// The IRIs of what it imports, sorted, and of what the imports that were read import.
    pub fn imports(&self) -> &[String] {
        &self.imports
    }

    /// Those of them that were read, by whichever of its names, sorted.
    pub fn imports_read(&self) -> &[String] {
        &self.imports_read
    }

    /// Triples of what was read, repetitions included, or clauses in OBO.
    pub fn statements(&self) -> usize {
        self.read
    }

    /// Named individuals, and whatever else is typed with something that is no class of OWL's own.
    pub fn individuals(&self) -> usize {
        self.individuals
    }

    /// What was not understood, and how often: predicates by their IRI or OBO tag, other things in words.
    pub fn unread(&self) -> &BTreeMap<String, usize> {
        &self.unread
    }

    /// Clauses of an OBO file that were passed over because they are broken, in the file's order.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// The text of a term.
    pub fn iri(&self, term: Term) -> &str {
        self.names.get(term)
    }

    /// The term of an IRI, where the file speaks of it.
    pub fn find(&self, iri: &str) -> Option<Term> {
        self.names.find(iri)
    }

    /// The named classes, sorted by IRI: what is declared an owl:Class or rdfs:Class, `owl:Thing` included if it is.
    pub fn classes(&self) -> impl Iterator<Item = Term> + '_ {
        self.declared(Kinds::CLASS)
    }

    /// The named classes but for `owl:Thing`: those that can be aligned or placed in a taxonomy.
    pub fn usable_classes(&self) -> impl Iterator<Item = Term> + '_ {
        self.classes().filter(|class| self.iri(*class) != THING)
    }

    /// The object, datatype and annotation properties, sorted by IRI.
    pub fn properties(&self) -> impl Iterator<Item = Term> + '_ {
        self.declared(Kinds::PROPERTY)
    }

    pub(crate) fn declared(&self, kinds: Kinds) -> impl Iterator<Item = Term> + '_ {
        let entities = self.entities.iter();
        entities
            .filter(move |entity| entity.kinds.any_of(kinds))
            .map(|entity| entity.term)
    }

    pub(crate) fn entity(&self, term: Term) -> Option<Entity> {
        self.place
            .get(&term)
            .and_then(|at| self.entities.get(*at))
            .copied()
    }

    /// Whether a term is declared to be a class.
    pub fn is_class(&self, term: Term) -> bool {
        let entity = self.entity(term);
        entity.is_some_and(|entity| entity.kinds.any_of(Kinds::CLASS))
    }

    /// Whether a term is declared to be an object, datatype or annotation property.
    pub fn is_property(&self, term: Term) -> bool {
        let entity = self.entity(term);
        entity.is_some_and(|entity| entity.kinds.any_of(Kinds::PROPERTY))
    }

    /// Whether a class or property is marked as deprecated or obsolete.
    pub fn is_deprecated(&self, term: Term) -> bool {
        self.entity(term).is_some_and(|entity| entity.deprecated)
    }

    /// Whether a property is declared to be transitive.
    pub fn is_transitive(&self, property: Term) -> bool {
        self.transitive.contains(&property)
    }

    /// The texts of one kind about a term, the preferred one first: English, then English of a region, then no language,
    /// then the other languages by their tag; within a language by the text itself.
    pub fn texts(&self, term: Term, kind: TextKind) -> impl Iterator<Item = &str> + '_ {
        self.tagged_texts(term, kind).map(|(_, text)| text)
    }

    /// The texts of one kind with their language, in the same order.
    pub(crate) fn tagged_texts(
        &self,
        term: Term,
        kind: TextKind,
    ) -> impl Iterator<Item = (Option<&str>, &str)> + Clone + '_ {
        let start = self
            .texts
            .partition_point(|text| (text.subject, text.kind) < (term, kind));
        let rest = self.texts.get(start..).unwrap_or_default().iter();
        rest.take_while(move |text| (text.subject, text.kind) == (term, kind))
            .map(|text| (text.language.map(|tag| self.iri(tag)), &*text.value))
    }

    /// How many superclasses of a class are expressions.
    pub(crate) fn unnamed_superclasses(&self, class: Term) -> usize {
        self.unnamed_superclasses
            .get(&class)
            .copied()
            .unwrap_or_default()
    }

    /// The first text of the first of these kinds that there is one of.
    pub fn first_text(&self, term: Term, kinds: &[TextKind]) -> Option<&str> {
        kinds.iter().find_map(|kind| self.texts(term, *kind).next())
    }

    /// `rdfs:label`, else `skos:prefLabel`, else `skos:altLabel`, each in the preferred language; `None` where there is none
    /// but blank ones.
    pub fn given_label(&self, term: Term) -> Option<&str> {
        self.first_text(term, &LABELS)
    }

    /// The label, or the local name of the IRI where none is given.
    pub fn label(&self, term: Term) -> &str {
        self.given_label(term)
            .unwrap_or_else(|| local_name(self.iri(term)))
    }

    /// Other names of a term, each once, in the order of the kinds; the label itself is not among them.
    pub fn synonyms(&self, term: Term) -> Vec<&str> {
        let label = self.label(term);
        let mut names = Vec::new();
        for kind in LABELS.iter().chain(&SYNONYMS) {
            for name in self.texts(term, *kind) {
                if name != label && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// A definition: `IAO:0000115`, `skos:definition`, `rdfs:comment` or `skos:scopeNote`, whichever comes first.
    pub fn definition(&self, term: Term) -> Option<&str> {
        self.first_text(term, &DEFINITIONS)
    }
}

const LABELS: [TextKind; 3] = [TextKind::Label, TextKind::PrefLabel, TextKind::AltLabel];
const SYNONYMS: [TextKind; 4] = [
    TextKind::ExactSynonym,
    TextKind::NarrowSynonym,
    TextKind::BroadSynonym,
    TextKind::RelatedSynonym,
];
const DEFINITIONS: [TextKind; 4] = [
    TextKind::Definition,
    TextKind::SkosDefinition,
    TextKind::Comment,
    TextKind::ScopeNote,
];

/// A text with its language.
type Tagged = (Option<Term>, Box<str>);

/// Adds the texts that nodes of their own stand for, as the first translations of OBO have it; how many such nodes have no
/// label.
fn pointed_at(texts: &mut Vec<Text>, nodes: &[(Term, TextKind, Term)]) -> usize {
    let mut labels: FxHashMap<Term, Vec<Tagged>> = FxHashMap::default();
    for (_, _, node) in nodes {
        labels.entry(*node).or_default();
    }
    for text in texts.iter().filter(|text| text.kind == TextKind::Label) {
        if let Some(of_node) = labels.get_mut(&text.subject) {
            of_node.push((text.language, text.value.clone()));
        }
    }
    let mut missing = 0;
    for (subject, kind, node) in nodes {
        let of_node = labels.get(node).map(Vec::as_slice).unwrap_or_default();
        missing += usize::from(of_node.is_empty());
        for (language, value) in of_node {
            texts.push(Text {
                subject: *subject,
                kind: *kind,
                language: *language,
                value: value.clone(),
            });
        }
    }
    missing
}

fn unnamed_superclasses(statements: &Statements) -> FxHashMap<Term, usize> {
    let mut counts = FxHashMap::default();
    for (class, relation, above) in &statements.relations {
        if *relation == Relation::SubClassOf && statements.names.is_blank(*above) {
            *counts.entry(*class).or_default() += 1;
        }
    }
    for restriction in &statements.restrictions {
        if restriction.relation == Relation::SubClassOf {
            *counts.entry(restriction.subject).or_default() += 1;
        }
    }
    counts
}

/// The place of a language in the order of preference.
fn rank(language: Option<&str>) -> (u8, &str) {
    match language {
        Some("en") => (0, ""),
        Some(tag) if tag.starts_with("en-") => (1, tag),
        None => (2, ""),
        Some(tag) => (3, tag),
    }
}
