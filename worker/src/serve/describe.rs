//! What the endpoint says about itself: a SPARQL 1.1 service description.

use oxrdf::{BlankNode, Literal, NamedNode, NamedOrBlankNode, Term, Triple, vocab::rdf};

use super::data::Data;

const SD: &str = "http://www.w3.org/ns/sparql-service-description#";
const VOID: &str = "http://rdfs.org/ns/void#";
const DCTERMS: &str = "http://purl.org/dc/terms/";
const FORMATS: &str = "http://www.w3.org/ns/formats/";

/// What shortens the description.
pub(super) const PREFIXES: [(&str, &str); 4] = [
    ("sd", SD),
    ("void", VOID),
    ("dcterms", DCTERMS),
    ("formats", FORMATS),
];

/// The description of the endpoint at `address`, as triples.
pub(super) fn triples(data: &Data, address: &str) -> Vec<Triple> {
    let mut text = Triples::default();
    let note = data.note();

    let service = text.node("service");
    text.add(&service, rdf::TYPE.into_owned(), sd("Service"));
    text.add(&service, sd("endpoint"), NamedNode::new_unchecked(address));
    text.add(&service, sd("supportedLanguage"), sd("SPARQL11Query"));
    text.add(&service, sd("feature"), sd("UnionDefaultGraph"));
    for format in [
        "SPARQL_Results_JSON",
        "SPARQL_Results_XML",
        "SPARQL_Results_CSV",
        "SPARQL_Results_TSV",
        "Turtle",
        "N-Triples",
    ] {
        let format = NamedNode::new_unchecked(format!("{FORMATS}{format}"));
        text.add(&service, sd("resultFormat"), format);
    }
    text.add(&service, dcterms("title"), literal(&note.server));
    if let Some(kind) = &note.kind {
        text.add(&service, dcterms("type"), literal(kind));
    }

    let dataset = text.node("dataset");
    text.add(&service, sd("defaultDataset"), dataset.clone());
    text.add(&dataset, rdf::TYPE.into_owned(), sd("Dataset"));
    if let Some(release) = &note.release {
        text.add(&dataset, dcterms("hasVersion"), literal(release));
    }
    let default = text.node("default");
    text.add(&dataset, sd("defaultGraph"), default.clone());
    text.add(&default, rdf::TYPE.into_owned(), sd("Graph"));
    let triples = Literal::from(data.default_graph() as u64);
    text.add(&default, void("triples"), triples);
    let mut graphs = Vec::new();
    for info in data.graphs() {
        // A graph that a blank node names cannot be asked for by name.
        if let Ok(name) = NamedNode::new(&info.name) {
            let named = text.node("named");
            text.add(&dataset, sd("namedGraph"), named.clone());
            graphs.push((named, name, info.triples as u64));
        }
    }
    for (named, name, triples) in graphs {
        let graph = text.node("graph");
        text.add(&named, rdf::TYPE.into_owned(), sd("NamedGraph"));
        text.add(&named, sd("name"), name);
        text.add(&named, sd("graph"), graph.clone());
        text.add(&graph, rdf::TYPE.into_owned(), sd("Graph"));
        text.add(&graph, void("triples"), Literal::from(triples));
    }
    text.0
}

/// Triples under construction, about blank nodes with names of their own.
#[derive(Default)]
struct Triples(Vec<Triple>);

impl Triples {
    fn node(&self, name: &str) -> BlankNode {
        BlankNode::new_unchecked(format!("{name}x{}", self.0.len()))
    }

    fn add(&mut self, subject: &BlankNode, predicate: NamedNode, object: impl Into<Term>) {
        let subject = NamedOrBlankNode::from(subject.clone());
        self.0.push(Triple::new(subject, predicate, object));
    }
}

fn sd(name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("{SD}{name}"))
}

fn void(name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("{VOID}{name}"))
}

fn dcterms(name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("{DCTERMS}{name}"))
}

fn literal(text: &str) -> Literal {
    Literal::new_simple_literal(text)
}
