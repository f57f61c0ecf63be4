//! Ontologies: from an RDF or OBO file to a labelled graph, its closure, its figures, and the subgraphs around its classes.
//!
//! [`Ontology::read`] takes a file's bytes and gives its classes and properties with their labels, synonyms and
//! definitions, the relations and restrictions between them, and a count of whatever it did not understand. On it stand
//!
//! - [`Graph`]: which nodes there are and what joins them, as AVA's public code has it or as the axioms say;
//! - [`extract`]: the two-hop subgraph around every class, under AVA's identifiers;
//! - [`Closure`]: what follows from the hierarchy;
//! - [`Entailment`]: what may follow from the axioms, for whoever makes sentences that must not be true;
//! - [`Taxonomy`]: the ground truth of taxonomy discovery;
//! - [`metrics()`]: the ontology in figures.
//!
//! An ontology is a set of statements, so nothing here depends on their order in the file. Where several texts would do
//! (two labels in one language), the first by its characters is taken.
//!
//! ```
//! use ontology::{Graph, GraphKind, Ontology, extract};
//!
//! let file = "[Term]\nid: X:1\nname: organ\n\n[Term]\nid: X:2\nname: heart\nis_a: X:1\n\n[Term]\nid: X:3\nname: lung\nis_a: X:1\n";
//! let ontology = Ontology::read("anatomy.obo", file.as_bytes())?;
//! let graph = Graph::new(&ontology, GraphKind::Ava);
//! let extraction = extract(&graph);
//! assert_eq!(extraction.found.len(), 1);
//! assert_eq!(extraction.duplicates, 2);
//! # Ok::<(), ontology::ReadError>(())
//! ```

#![doc(test(attr(deny(warnings))))]

mod names;
mod vocabulary;

mod error;
mod syntax;

mod expression;
mod logic;
mod obo;
mod parts;
mod rdf;
mod statements;

mod ontology;
mod reader;

mod closure;
mod entailment;
mod graph;
mod metrics;
mod rules;
mod subgraph;
mod taxonomy;
mod world;
mod writer;

pub use closure::Closure;
pub use entailment::{Axiom, Entailment, Link};
pub use error::{ReadError, ReadErrorKind};
pub use graph::{Edge, EdgePredicate, Excluded, Graph, GraphKind, TripleKind};
pub use metrics::{Metrics, RestrictionCounts, metrics};
pub use names::{Term, local_name};
pub use ontology::Ontology;
pub use parts::{Draft, Part};
pub use reader::{MAX_TEXT, OntologyReader};
pub use statements::Skipped;
pub use subgraph::{
    Collision, Extraction, Found, HOPS, Manifest, ManifestEntry, NODES, STRATEGY, Subgraph,
    SubgraphTriple, extract, subgraph,
};
pub use syntax::Syntax;
pub use taxonomy::{Taxonomy, TaxonomyPair};
pub use vocabulary::{Quantifier, Relation, TextKind};
pub use writer::SubgraphWriter;
