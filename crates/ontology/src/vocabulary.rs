//! The terms of OWL, RDFS, SKOS and OBO that are read, and what each is read as.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A relation between two named classes or properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// `rdfs:subClassOf`
    SubClassOf,
    /// `owl:equivalentClass`
    EquivalentClass,
    /// `owl:disjointWith`
    DisjointWith,
    /// `rdfs:domain`
    Domain,
    /// `rdfs:range`
    Range,
    /// `rdfs:subPropertyOf`
    SubPropertyOf,
    /// `owl:inverseOf`
    InverseOf,
}

impl Relation {
    /// Every relation, in the order of its variants.
    pub const ALL: [Self; 7] = [
        Self::SubClassOf,
        Self::EquivalentClass,
        Self::DisjointWith,
        Self::Domain,
        Self::Range,
        Self::SubPropertyOf,
        Self::InverseOf,
    ];

    /// The predicate's IRI.
    pub fn iri(self) -> &'static str {
        match self {
            Self::SubClassOf => "http://www.w3.org/2000/01/rdf-schema#subClassOf",
            Self::EquivalentClass => "http://www.w3.org/2002/07/owl#equivalentClass",
            Self::DisjointWith => "http://www.w3.org/2002/07/owl#disjointWith",
            Self::Domain => "http://www.w3.org/2000/01/rdf-schema#domain",
            Self::Range => "http://www.w3.org/2000/01/rdf-schema#range",
            Self::SubPropertyOf => "http://www.w3.org/2000/01/rdf-schema#subPropertyOf",
            Self::InverseOf => "http://www.w3.org/2002/07/owl#inverseOf",
        }
    }

    /// Whether the relation says what a class is, so that a restriction behind it holds for every member.
    pub(crate) fn defines(self) -> bool {
        matches!(self, Self::SubClassOf | Self::EquivalentClass)
    }
}

/// Whether something of the filler is required, or nothing else allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// `owl:someValuesFrom`
    Some,
    /// `owl:allValuesFrom`
    Only,
}

/// What a term is declared to be. One term may be several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const OWL_CLASS: Self = Self(1);
    pub(crate) const RDFS_CLASS: Self = Self(1 << 1);
    pub(crate) const OBJECT_PROPERTY: Self = Self(1 << 2);
    pub(crate) const DATATYPE_PROPERTY: Self = Self(1 << 3);
    pub(crate) const ANNOTATION_PROPERTY: Self = Self(1 << 4);
    pub(crate) const RDF_PROPERTY: Self = Self(1 << 5);
    pub(crate) const CLASS: Self = Self(Self::OWL_CLASS.0 | Self::RDFS_CLASS.0);
    pub(crate) const PROPERTY: Self =
        Self(Self::OBJECT_PROPERTY.0 | Self::DATATYPE_PROPERTY.0 | Self::ANNOTATION_PROPERTY.0);

    pub(crate) fn any_of(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What a text is to its subject, the preferred first among labels and among definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextKind {
    /// `rdfs:label`, or `name` in OBO
    Label,
    /// `skos:prefLabel`
    PrefLabel,
    /// `skos:altLabel`
    AltLabel,
    /// `oboInOwl:hasExactSynonym`, or EXACT in OBO
    ExactSynonym,
    /// `oboInOwl:hasNarrowSynonym`, or NARROW in OBO
    NarrowSynonym,
    /// `oboInOwl:hasBroadSynonym`, or BROAD in OBO
    BroadSynonym,
    /// `oboInOwl:hasRelatedSynonym`, or RELATED in OBO
    RelatedSynonym,
    /// `rdfs:comment`, or `comment` in OBO
    Comment,
    /// `skos:definition`
    SkosDefinition,
    /// `skos:scopeNote`
    ScopeNote,
    /// `IAO:0000115`, `oboInOwl:hasDefinition`, or `def` in OBO
    Definition,
}

impl Quantifier {
    /// The predicate's IRI.
    pub fn iri(self) -> &'static str {
        match self {
            Self::Some => "http://www.w3.org/2002/07/owl#someValuesFrom",
            Self::Only => "http://www.w3.org/2002/07/owl#allValuesFrom",
        }
    }
}

impl fmt::Display for Quantifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Some => "some",
            Self::Only => "only",
        })
    }
}

/// A predicate between parts of a class expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    OnProperty,
    SomeValuesFrom,
    AllValuesFrom,
    IntersectionOf,
    UnionOf,
    DisjointUnionOf,
    ComplementOf,
    OneOf,
    Members,
    First,
    Rest,
    Cardinality,
    MinCardinality,
    MaxCardinality,
    /// What a cardinality counts
    OnClass,
    Value,
    HasSelf,
    /// Properties one behind the other that a property follows from
    Chain,
    /// Says more of a datatype.
    Detail,
}

/// What is said of a property as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Characteristic {
    Functional,
    InverseFunctional,
    Symmetric,
    Asymmetric,
    Reflexive,
    Irreflexive,
}

/// What a predicate is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Predicate {
    Type,
    Relation(Relation),
    Part(Part),
    Text(TextKind),
    Deprecated,
    Imports,
    VersionIri,
    /// These join no nodes of a graph, and say what follows.
    SameProperty,
    DisjointProperty,
}

/// What a class of RDF is read as where something is typed with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeOf {
    Entity(Kinds),
    /// A class or property that is deprecated by its type.
    Deprecated,
    Transitive,
    Ontology,
    AllDisjointClasses,
    AllDisjointProperties,
    Characteristic(Characteristic),
    Individual,
    /// Part of the syntax of OWL; known, so that what has it does not pass for an individual.
    Syntax,
}

const OWL: &str = "http://www.w3.org/2002/07/owl#";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const RDFS: &str = "http://www.w3.org/2000/01/rdf-schema#";
const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
const OIO: &str = "http://www.geneontology.org/formats/oboInOwl#";
/// Where the terms of OBO ontologies live.
pub(crate) const OBO: &str = "http://purl.obolibrary.org/obo/";
/// Everything is in it, so it says nothing.
pub(crate) const THING: &str = "http://www.w3.org/2002/07/owl#Thing";
/// Nothing is in it.
pub(crate) const NOTHING: &str = "http://www.w3.org/2002/07/owl#Nothing";
/// The end of an RDF list.
pub(crate) const NIL: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#nil";

/// The predicates between parts of class expressions: namespace, name, reading.
const PARTS: [(&str, &str, Part); 25] = [
    (OWL, "onProperty", Part::OnProperty),
    (OWL, "someValuesFrom", Part::SomeValuesFrom),
    (OWL, "allValuesFrom", Part::AllValuesFrom),
    (OWL, "intersectionOf", Part::IntersectionOf),
    (OWL, "unionOf", Part::UnionOf),
    (OWL, "disjointUnionOf", Part::DisjointUnionOf),
    (OWL, "complementOf", Part::ComplementOf),
    (OWL, "oneOf", Part::OneOf),
    (OWL, "members", Part::Members),
    (RDF, "first", Part::First),
    (RDF, "rest", Part::Rest),
    (OWL, "cardinality", Part::Cardinality),
    (OWL, "minCardinality", Part::MinCardinality),
    (OWL, "maxCardinality", Part::MaxCardinality),
    (OWL, "qualifiedCardinality", Part::Cardinality),
    (OWL, "minQualifiedCardinality", Part::MinCardinality),
    (OWL, "maxQualifiedCardinality", Part::MaxCardinality),
    (OWL, "onClass", Part::OnClass),
    (OWL, "onDataRange", Part::OnClass),
    (OWL, "onDatatype", Part::Detail),
    (OWL, "datatypeComplementOf", Part::Detail),
    (OWL, "withRestrictions", Part::Detail),
    (OWL, "hasValue", Part::Value),
    (OWL, "hasSelf", Part::HasSelf),
    (OWL, "propertyChainAxiom", Part::Chain),
];

/// The predicates whose objects are texts.
const TEXTS: [(&str, &str, TextKind); 12] = [
    (RDFS, "label", TextKind::Label),
    (SKOS, "prefLabel", TextKind::PrefLabel),
    (SKOS, "altLabel", TextKind::AltLabel),
    (OIO, "hasExactSynonym", TextKind::ExactSynonym),
    (OIO, "hasNarrowSynonym", TextKind::NarrowSynonym),
    (OIO, "hasBroadSynonym", TextKind::BroadSynonym),
    (OIO, "hasRelatedSynonym", TextKind::RelatedSynonym),
    (RDFS, "comment", TextKind::Comment),
    (SKOS, "definition", TextKind::SkosDefinition),
    (SKOS, "scopeNote", TextKind::ScopeNote),
    (OBO, "IAO_0000115", TextKind::Definition),
    (OIO, "hasDefinition", TextKind::Definition),
];

/// The other predicates that are read.
const OTHERS: [(&str, &str, Predicate); 6] = [
    (RDF, "type", Predicate::Type),
    (OWL, "deprecated", Predicate::Deprecated),
    (OWL, "imports", Predicate::Imports),
    (OWL, "versionIRI", Predicate::VersionIri),
    (OWL, "equivalentProperty", Predicate::SameProperty),
    (OWL, "propertyDisjointWith", Predicate::DisjointProperty),
];

/// The types that are known.
const TYPES: [(&str, &str, TypeOf); 28] = [
    (OWL, "Class", TypeOf::Entity(Kinds::OWL_CLASS)),
    (RDFS, "Class", TypeOf::Entity(Kinds::RDFS_CLASS)),
    (
        OWL,
        "ObjectProperty",
        TypeOf::Entity(Kinds::OBJECT_PROPERTY),
    ),
    (
        OWL,
        "DatatypeProperty",
        TypeOf::Entity(Kinds::DATATYPE_PROPERTY),
    ),
    (
        OWL,
        "AnnotationProperty",
        TypeOf::Entity(Kinds::ANNOTATION_PROPERTY),
    ),
    (RDF, "Property", TypeOf::Entity(Kinds::RDF_PROPERTY)),
    (OWL, "DeprecatedClass", TypeOf::Deprecated),
    (OWL, "DeprecatedProperty", TypeOf::Deprecated),
    (OWL, "TransitiveProperty", TypeOf::Transitive),
    (OWL, "Ontology", TypeOf::Ontology),
    (OWL, "AllDisjointClasses", TypeOf::AllDisjointClasses),
    (OWL, "NamedIndividual", TypeOf::Individual),
    (OWL, "Restriction", TypeOf::Syntax),
    (OWL, "Axiom", TypeOf::Syntax),
    (OWL, "Annotation", TypeOf::Syntax),
    (OWL, "AllDifferent", TypeOf::Syntax),
    (OWL, "AllDisjointProperties", TypeOf::AllDisjointProperties),
    (OWL, "NegativePropertyAssertion", TypeOf::Syntax),
    (
        OWL,
        "FunctionalProperty",
        TypeOf::Characteristic(Characteristic::Functional),
    ),
    (
        OWL,
        "InverseFunctionalProperty",
        TypeOf::Characteristic(Characteristic::InverseFunctional),
    ),
    (
        OWL,
        "SymmetricProperty",
        TypeOf::Characteristic(Characteristic::Symmetric),
    ),
    (
        OWL,
        "AsymmetricProperty",
        TypeOf::Characteristic(Characteristic::Asymmetric),
    ),
    (
        OWL,
        "ReflexiveProperty",
        TypeOf::Characteristic(Characteristic::Reflexive),
    ),
    (
        OWL,
        "IrreflexiveProperty",
        TypeOf::Characteristic(Characteristic::Irreflexive),
    ),
    (OWL, "OntologyProperty", TypeOf::Syntax),
    (OWL, "DataRange", TypeOf::Syntax),
    (RDFS, "Datatype", TypeOf::Syntax),
    (RDF, "List", TypeOf::Syntax),
];

/// The predicates and types that are read, each by its IRI.
pub(crate) struct Vocabulary {
    predicates: FxHashMap<String, Predicate>,
    types: FxHashMap<String, TypeOf>,
}

impl Vocabulary {
    pub(crate) fn new() -> Self {
        let relations =
            Relation::ALL.map(|relation| (relation.iri(), "", Predicate::Relation(relation)));
        let parts = PARTS.map(|(space, name, part)| (space, name, Predicate::Part(part)));
        let texts = TEXTS.map(|(space, name, kind)| (space, name, Predicate::Text(kind)));
        let predicates = relations
            .into_iter()
            .chain(parts)
            .chain(texts)
            .chain(OTHERS);
        Self {
            predicates: predicates
                .map(|(space, name, read)| (format!("{space}{name}"), read))
                .collect(),
            types: TYPES
                .into_iter()
                .map(|(space, name, read)| (format!("{space}{name}"), read))
                .collect(),
        }
    }

    pub(crate) fn predicate(&self, iri: &str) -> Option<Predicate> {
        self.predicates.get(iri).copied()
    }

    pub(crate) fn type_of(&self, iri: &str) -> Option<TypeOf> {
        self.types.get(iri).copied()
    }
}
