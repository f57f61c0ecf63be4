//! One small ontology in every syntax: the same classes, texts and graph.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use ontology::{Closure, Graph, GraphKind, Ontology, Syntax, extract, metrics, subgraph};

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const TURTLE: &str = include_str!("../test_data/anatomy.ttl");
const RDF_XML: &str = include_str!("../test_data/anatomy.owl");
const N_TRIPLES: &str = include_str!("../test_data/anatomy.nt");
const OBO: &str = include_str!("../test_data/anatomy.obo");

/// N-Quads and `TriG` say the same with the triples spread over graphs, which are read as one.
fn files() -> Vec<(&'static str, Syntax, String)> {
    let quads = N_TRIPLES.lines().enumerate().map(|(at, line)| {
        let statement = line.strip_suffix(" .").unwrap();
        format!("{statement} <http://e/graph/{}> .\n", at % 3)
    });
    let (prefixes, body): (Vec<&str>, Vec<&str>) =
        TURTLE.lines().partition(|line| line.starts_with("@prefix"));
    let trig = format!(
        "{}\n<http://e/graph> {{\n{}\n}}\n",
        prefixes.join("\n"),
        body.join("\n")
    );
    vec![
        ("anatomy.ttl", Syntax::Turtle, TURTLE.to_owned()),
        ("anatomy.owl", Syntax::RdfXml, RDF_XML.to_owned()),
        ("anatomy.nt", Syntax::NTriples, N_TRIPLES.to_owned()),
        ("anatomy.nq", Syntax::NQuads, quads.collect()),
        ("anatomy.trig", Syntax::TriG, trig),
        ("anatomy.obo", Syntax::Obo, OBO.to_owned()),
    ]
}

/// A graph as text: a line for each node with label and comment, and for each edge.
fn shown(graph: &Graph<'_>) -> String {
    let mut lines = Vec::new();
    for node in (0_u32..).take(graph.nodes().len()) {
        lines.push(format!(
            "{} {:?} {:?}",
            graph.iri(node),
            graph.label(node),
            graph.comment(node)
        ));
    }
    for edge in graph.edges() {
        let (subject, object) = (graph.label(edge.subject), graph.label(edge.object));
        let (_, predicate) = graph.predicate(edge);
        lines.push(format!(
            "{subject} -{predicate}-> {object} ({:?}) {}",
            edge.kind,
            graph.axiom(edge)
        ));
    }
    lines.join("\n")
}

#[test]
fn every_syntax_gives_the_same_graph() {
    for kind in [GraphKind::Ava, GraphKind::Full] {
        let expected = match kind {
            GraphKind::Ava => include_str!("../test_data/anatomy.ava.txt"),
            GraphKind::Full => include_str!("../test_data/anatomy.full.txt"),
        };
        for (name, syntax, text) in files() {
            let ontology = Ontology::read(name, text.as_bytes()).unwrap();
            assert_eq!(ontology.syntax(), syntax);
            let graph = Graph::new(&ontology, kind);
            assert_eq!(shown(&graph), expected.trim_end(), "{name} as {kind}");
        }
    }
}

#[test]
fn every_syntax_gives_the_same_subgraphs() {
    let mut all = Vec::new();
    for (name, _, text) in files() {
        let ontology = Ontology::read(name, text.as_bytes()).unwrap();
        let graph = Graph::new(&ontology, GraphKind::Ava);
        let extraction = extract(&graph);
        let subgraphs: Vec<_> = extraction
            .found
            .iter()
            .map(|found| subgraph(&graph, found, "anatomy").to_json())
            .collect();
        assert!(!subgraphs.is_empty());
        all.push(subgraphs);
    }
    for other in &all {
        assert_eq!(other, &all[0]);
    }
}

#[test]
fn every_syntax_gives_the_same_closure_and_texts() {
    let obo = |id: &str| format!("http://purl.obolibrary.org/obo/{id}");
    for (name, _, text) in files() {
        let ontology = Ontology::read(name, text.as_bytes()).unwrap();
        let term = |id: &str| ontology.find(&obo(id)).unwrap();
        let (organ, heart, valve, lung, part_of) = (
            term("X_0000001"),
            term("X_0000002"),
            term("X_0000003"),
            term("X_0000004"),
            term("BFO_0000050"),
        );
        let closure = Closure::new(&ontology);
        assert!(closure.is_under(heart, organ), "{name}");
        assert!(closure.are_disjoint(heart, lung), "{name}");
        assert!(closure.has_some(valve, part_of, organ), "{name}");
        assert!(!closure.has_some(organ, part_of, valve), "{name}");
        assert_eq!(
            ontology.synonyms(heart),
            ["cardiac pump", "ticker"],
            "{name}"
        );
        assert_eq!(
            ontology.definition(heart),
            Some("An organ that pumps \"blood\"."),
            "{name}"
        );
        assert!(ontology.is_deprecated(term("X_0000005")), "{name}");
        assert_eq!(
            ontology.imports(),
            ["http://purl.obolibrary.org/obo/ro.owl"],
            "{name}"
        );
        let metrics = metrics(&ontology);
        assert_eq!(
            (metrics.classes, metrics.object_properties, metrics.depth),
            (6, 1, 1),
            "{name}"
        );
        assert_eq!(metrics.restrictions.some, 1, "{name}");
        assert_eq!(metrics.restrictions.some_in_intersections, 1, "{name}");
    }
}

/// Whatever the name, where the first characters say it.
#[test]
fn a_syntax_is_told_by_its_first_characters() {
    const TYPE: &str = "<http://e/A> a <http://www.w3.org/2002/07/owl#Class> .";
    const TRIPLE: &str = "<http://e/A> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class>";
    const OWL: &str = "owl: <http://www.w3.org/2002/07/owl#>";
    let obo = "[Term]\nid: X:1\nname: one\n";
    for (text, syntax) in [
        (obo.to_owned(), Syntax::Obo),
        (format!("! a comment\n\n{obo}"), Syntax::Obo),
        (
            format!("ontology: x\nformat-version: 1.4\n\n{obo}"),
            Syntax::Obo,
        ),
        (
            format!("[] a <http://www.w3.org/2002/07/owl#Ontology> .\n{TYPE}"),
            Syntax::Turtle,
        ),
        (
            format!("[ ] a <http://www.w3.org/2002/07/owl#Ontology> .\n{TYPE}"),
            Syntax::Turtle,
        ),
        (
            format!("[ a <http://www.w3.org/2002/07/owl#Ontology> ] .\n{TYPE}"),
            Syntax::Turtle,
        ),
        (format!("[<http://e/p> \"[\"] .\n{TYPE}"), Syntax::Turtle),
        (format!("@prefix {OWL} .\n{TYPE}"), Syntax::Turtle),
        (format!("PREFIX {OWL}\n{TYPE}"), Syntax::Turtle),
        (format!("prefix {OWL}\n{TYPE}"), Syntax::Turtle),
        (format!("BASE <http://e/>\n{TYPE}"), Syntax::Turtle),
        (format!("@base<http://e/>.\n{TYPE}"), Syntax::Turtle),
        (
            format!("# format-version: none\n\n  # <?xml\n@prefix {OWL} .\n{TYPE}"),
            Syntax::Turtle,
        ),
        (
            format!("{}\n@prefix {OWL} .\n{TYPE}", "# long\n".repeat(1000)),
            Syntax::Turtle,
        ),
        (format!("{TRIPLE} .\n{TYPE}"), Syntax::Turtle),
        (format!("<urn:a> a <urn:b> .\n{TYPE}"), Syntax::Turtle),
        (format!("<#a> <#b> \"<rdf:RDF\" .\n{TYPE}"), Syntax::Turtle),
        (format!("{{ {TYPE} }}"), Syntax::TriG),
        (
            "<!-- <Ontology --><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='http://e/A'><rdf:type rdf:resource='http://www.w3.org/2002/07/owl#Class'/></rdf:Description></rdf:RDF>".to_owned(),
            Syntax::RdfXml,
        ),
    ] {
        for file in ["x.txt", "x", "x.owl", "x.xml"] {
            let ontology = Ontology::read(file, text.as_bytes());
            let ontology = ontology.unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(ontology.syntax(), syntax, "{file}: {text}");
            assert_eq!(ontology.classes().count(), 1, "{file}: {text}");
        }
    }
    let quads = format!("# quads\n{TRIPLE} <http://e/g> .\n");
    let ontology = Ontology::read("x.txt", quads.as_bytes()).unwrap();
    assert_eq!(ontology.syntax(), Syntax::NQuads);
}

#[test]
fn compression_and_a_byte_order_mark_change_nothing() {
    let plain = Ontology::read("anatomy.obo", OBO.as_bytes()).unwrap();
    let marked = Ontology::read("anatomy.obo", format!("\u{feff}{OBO}").as_bytes()).unwrap();
    let graphs = [&plain, &marked].map(|ontology| shown(&Graph::new(ontology, GraphKind::Ava)));
    assert_eq!(graphs[0], graphs[1]);
    let crlf = Ontology::read("anatomy.obo", OBO.replace('\n', "\r\n").as_bytes()).unwrap();
    assert_eq!(shown(&Graph::new(&crlf, GraphKind::Ava)), graphs[0]);
    assert!(plain.skipped().is_empty() && crlf.skipped().is_empty());
}
