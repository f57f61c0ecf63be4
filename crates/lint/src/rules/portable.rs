//! Rules about keys that give other rows, or none, elsewhere.

use super::{Example, Rule};
use crate::facts::{Facts, Unanswered};
use crate::finding::Severity;
use crate::shape::{Shape, is_label_service, is_volatile, local_name};
use crate::subject::{Out, Subject};
use crate::token::Kind;
use record::{Node, walk};
use spargebra::algebra::{
    AggregateExpression, AggregateFunction, Expression, Function, GraphPattern,
    PropertyPathExpression,
};
use spargebra::term::{NamedNode, NamedNodePattern, TermPattern};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const RULES: [Rule; 5] = [
    Rule {
        id: "schema-org-scheme",
        severity: Severity::Warning,
        what: "schema.org terms are written with the other scheme than the graph has them, or with both",
        why: "`http://schema.org/` and `https://schema.org/` are different terms: the wrong one matches nothing",
        remedy: "write the scheme that the graph uses: https in ruralkg, sockg, hydrologykg, nikg and ufokn, http elsewhere in the federation",
        bad: &[
            Example::new(
                "both in one query",
                "PREFIX a: <http://schema.org/>\nPREFIX b: <https://schema.org/>\nSELECT ?x ?name { ?x a a:Dataset ; b:name ?name }",
            ),
            Example::new(
                "that graph has http",
                "PREFIX schema: <https://schema.org/>\nSELECT ?x { GRAPH <https://purl.org/okn/frink/kg/nde> { ?x a schema:Dataset } }",
            ),
        ],
        good: &[
            Example::new(
                "that graph has https",
                "PREFIX schema: <https://schema.org/>\nSELECT ?x { GRAPH <https://purl.org/okn/frink/kg/ruralkg> { ?x a schema:Place } }",
            ),
            Example::new(
                "each graph its own",
                "PREFIX a: <http://schema.org/>\nPREFIX b: <https://schema.org/>\nSELECT ?x { GRAPH <https://purl.org/okn/frink/kg/nde> { ?x a:about ?y } GRAPH <https://purl.org/okn/frink/kg/sockg> { ?y b:name ?n } }",
            ),
        ],
        check: schema_org_scheme,
    },
    Rule {
        id: "not-sparql-11",
        severity: Severity::Warning,
        what: "a function, service or syntax outside SPARQL 1.1, or one that common engines leave out",
        why: "the key then runs on one server only, and cannot be checked on another",
        remedy: "say the same with what SPARQL 1.1 has",
        bad: &[
            Example::new(
                "a full-text predicate of one server",
                "SELECT ?x { ?x <http://e/text> ?t . ?t <bif:contains> \"asthma\" }",
            ),
            Example::new(
                "Wikidata's label service",
                "SELECT ?x ?xLabel { ?x a <http://e/City> SERVICE <http://wikiba.se/ontology#label> { <http://www.bigdata.com/rdf#serviceParam> <http://wikiba.se/ontology#language> \"en\" } }",
            ),
            Example::new(
                "a function by IRI",
                "SELECT ?x { ?x <http://e/wkt> ?w FILTER (<http://www.opengis.net/def/function/geosparql/sfWithin>(?w, ?w)) }",
            ),
            Example::new(
                "prefixes that only one server declares",
                "SELECT ?x { ?x wdt:P31 wd:Q5 }",
            ),
            Example::new(
                "a negated property set",
                "SELECT ?x { ?x !(<http://e/a>|<http://e/b>) ?y }",
            ),
        ],
        good: &[
            Example::new(
                "a cast is SPARQL 1.1",
                "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\nSELECT ?x { ?x <http://e/n> ?n FILTER (xsd:integer(?n) > 3) }",
            ),
            Example::new(
                "paths, sub-selects and BIND are too",
                "SELECT ?x ?m { ?x <http://e/a>+/<http://e/b> ?y { SELECT ?y { ?y a <http://e/C> } } BIND (STRLEN(STR(?y)) AS ?m) }",
            ),
        ],
        check: not_sparql_11,
    },
    Rule {
        id: "service-call",
        severity: Severity::Warning,
        what: "the key calls another server",
        why: "its answer changes and fails with that server, and a key that cannot be computed cannot be checked",
        remedy: "take the data from a graph of the same endpoint",
        bad: &[Example::new(
            "a name from elsewhere",
            "SELECT ?x ?name { ?x a <http://e/Gene> SERVICE <https://example.org/sparql> { ?x <http://e/name> ?name } }",
        )],
        good: &[Example::new(
            "a graph of the same endpoint",
            "SELECT ?x ?name { ?x a <http://e/Gene> GRAPH <http://kg/names> { ?x <http://e/name> ?name } }",
        )],
        check: service_call,
    },
    Rule {
        id: "not-deterministic",
        severity: Severity::Warning,
        what: "a function whose value the engine chooses: SAMPLE, GROUP_CONCAT, RAND, NOW, UUID, BNODE",
        why: "two runs of the key then differ, and no answer can equal both",
        remedy: "take MIN instead of SAMPLE; give one row for each value instead of GROUP_CONCAT",
        bad: &[
            Example::new(
                "any name of several",
                "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?x (SAMPLE(?name) AS ?n) { ?x rdfs:label ?name } GROUP BY ?x",
            ),
            Example::new(
                "a random order",
                "SELECT ?x { ?x a <http://e/Gene> } ORDER BY RAND()",
            ),
        ],
        good: &[
            Example::new(
                "the least name",
                "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?x (MIN(?name) AS ?n) { ?x rdfs:label ?name } GROUP BY ?x",
            ),
            Example::new(
                "a sample of what the group has one of",
                "SELECT ?x (SAMPLE(?x) AS ?y) { ?x a <http://e/Gene> } GROUP BY ?x",
            ),
        ],
        check: not_deterministic,
    },
    Rule {
        id: "key-unanswered",
        severity: Severity::Error,
        what: "the endpoint gives no table for the key, or for a part of it that another rule asks about",
        why: "a key without rows can score nothing, and what its rows decide is not judged",
        remedy: "mend the key if it is at fault; else lint again when the endpoint answers, or give it more time",
        bad: &[Example::new(
            "a server that gives up half-way",
            "SELECT ?x { ?x a <http://e/Gene> }",
        )
        .given(|| Facts {
            unanswered: Some(vec![Unanswered {
                query: "the key".to_owned(),
                why: "no answer within 60 s".to_owned(),
            }]),
            ..Facts::default()
        })],
        good: &[
            Example::new("no row is an answer", "SELECT ?x { ?x a <http://e/Gene> }").given(|| {
                Facts {
                    rows: Some(0),
                    ..Facts::default()
                }
            }),
        ],
        check: key_unanswered,
    },
];

fn key_unanswered(subject: &Subject<'_>, out: &mut Out<'_>) {
    for Unanswered { query, why } in subject.target.facts.unanswered.iter().flatten() {
        out.find(
            subject.tokens.beginning(),
            format!("the endpoint gave no table for {query}: {why}"),
        );
    }
}

const FEDERATION: &str = "https://purl.org/okn/frink/kg/";

/// Graphs of the federation that write schema.org with https.
const WITH_HTTPS: [&str; 5] = ["ruralkg", "sockg", "hydrologykg", "nikg", "ufokn"];

fn schema_org_scheme(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some(shape) = subject.key(out) else {
        return;
    };
    // Which schemes each graph is asked with; the empty name is for what stands in no GRAPH.
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    walk(shape.query, &mut |node, place| {
        let graph = match place.graph {
            Some(NamedNodePattern::NamedNode(graph)) => graph.as_str(),
            _ => "",
        };
        if let Node::Pattern(pattern) = node {
            for iri in iris_in(pattern) {
                if iri.starts_with("http://schema.org/") || iri.starts_with("https://schema.org/") {
                    used.entry(graph.to_owned())
                        .or_default()
                        .insert(iri.to_owned());
                }
            }
        }
    });
    // Without GRAPH, the one tagged graph is the one that is asked.
    let tags = subject.target.record.tags();
    for (graph, iris) in &used {
        let name = match (graph.strip_prefix(FEDERATION), tags) {
            (Some(name), _) => Some(name),
            (None, [tag]) if graph.is_empty() && subject.target.record.name.arm.is_some() => {
                Some(tag.as_str())
            }
            _ => None,
        };
        let wrong = name.map_or_else(|| mixed(iris), |name| other_scheme(name, iris));
        if let Some((iri, message)) = wrong {
            out.find(subject.tokens.iri(iri), message);
        }
    }
}

/// An IRI with the scheme that a graph of the federation does not use, and what to say about it.
fn other_scheme<'i>(graph: &str, iris: &'i BTreeSet<String>) -> Option<(&'i str, String)> {
    let scheme = if WITH_HTTPS.contains(&graph) {
        "https:"
    } else {
        "http:"
    };
    let iri = iris.iter().find(|iri| !iri.starts_with(scheme))?;
    let message = format!("`{graph}` writes schema.org with {scheme}//, the key asks for <{iri}>");
    Some((iri, message))
}

/// An IRI with https beside others with http.
fn mixed(iris: &BTreeSet<String>) -> Option<(&str, String)> {
    iris.iter().find(|iri| iri.starts_with("http:"))?;
    let iri = iris.iter().find(|iri| iri.starts_with("https:"))?;
    let message = format!("the key writes schema.org with http:// and, in <{iri}>, with https://");
    Some((iri, message))
}

fn iris_in(pattern: &GraphPattern) -> Vec<&str> {
    let mut iris = Vec::new();
    match pattern {
        GraphPattern::Bgp { patterns } => {
            for triple in patterns {
                if let NamedNodePattern::NamedNode(node) = &triple.predicate {
                    iris.push(node.as_str());
                }
                for term in [&triple.subject, &triple.object] {
                    if let TermPattern::NamedNode(node) = term {
                        iris.push(node.as_str());
                    }
                }
            }
        }
        GraphPattern::Path { path, object, .. } => {
            in_path(path, &mut iris);
            if let TermPattern::NamedNode(node) = object {
                iris.push(node.as_str());
            }
        }
        _ => {}
    }
    iris
}

fn in_path<'p>(path: &'p PropertyPathExpression, iris: &mut Vec<&'p str>) {
    use PropertyPathExpression as P;
    match path {
        P::NamedNode(node) => iris.push(node.as_str()),
        P::Reverse(a) | P::ZeroOrMore(a) | P::OneOrMore(a) | P::ZeroOrOne(a) => in_path(a, iris),
        P::Sequence(a, b) | P::Alternative(a, b) => {
            in_path(a, iris);
            in_path(b, iris);
        }
        P::NegatedPropertySet(nodes) => iris.extend(nodes.iter().map(NamedNode::as_str)),
    }
}

/// Namespaces in which a server looks for commands instead of data.
const MAGIC: [(&str, &str); 9] = [
    ("bif:", "Virtuoso"),
    ("http://www.openlinksw.com/schemas/bif#", "Virtuoso"),
    ("sql:", "Virtuoso"),
    ("http://www.bigdata.com/rdf", "Blazegraph"),
    ("http://www.bigdata.com/queryHints", "Blazegraph"),
    ("http://jena.apache.org/text#", "Jena"),
    ("http://jena.apache.org/ARQ/", "Jena"),
    ("http://www.ontotext.com/", "GraphDB"),
    ("http://qlever.cs.uni-freiburg.de/", "QLever"),
];

const MAGIC_SERVICES: [&str; 6] = [
    "http://wikiba.se/ontology#label",
    "http://wikiba.se/ontology#around",
    "http://wikiba.se/ontology#box",
    "http://wikiba.se/ontology#mwapi",
    "http://www.bigdata.com/rdf/gas#service",
    "http://www.bigdata.com/rdf/search#search",
];

fn not_sparql_11(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some(shape) = &subject.shape else {
        unparsed(subject, out);
        return;
    };
    let mut said = BTreeSet::new();
    let mut find = |at, key: String, message: String, out: &mut Out<'_>| {
        if said.insert(key) {
            out.find(at, message);
        }
    };
    walk(shape.query, &mut |node, place| match node {
        Node::Pattern(GraphPattern::Service {
            name: NamedNodePattern::NamedNode(name),
            ..
        }) if MAGIC_SERVICES.contains(&name.as_str()) => {
            let message = format!(
                "the service `{}` exists on Wikidata's server only",
                local_name(name.as_str())
            );
            find(
                subject.tokens.iri(name.as_str()),
                name.as_str().to_owned(),
                message,
                out,
            );
        }
        Node::Pattern(GraphPattern::Path {
            path: PropertyPathExpression::NegatedPropertySet(nodes),
            ..
        }) => {
            let at = nodes.first().map_or_else(
                || subject.tokens.beginning(),
                |node| subject.tokens.iri(node.as_str()),
            );
            find(
                at,
                "!".to_owned(),
                "a negated property set, which several QLever releases cannot evaluate".to_owned(),
                out,
            );
        }
        Node::Pattern(pattern) if !is_label_service(place.service) => {
            for iri in iris_in(pattern) {
                if let Some((_, server)) = MAGIC.iter().find(|(start, _)| iri.starts_with(start)) {
                    let message = format!("<{iri}> is a command to {server}, not data");
                    find(subject.tokens.iri(iri), iri.to_owned(), message, out);
                }
            }
        }
        Node::Expression(Expression::FunctionCall(Function::Custom(function), _))
            if !function
                .as_str()
                .starts_with("http://www.w3.org/2001/XMLSchema#") =>
        {
            let iri = function.as_str();
            let message = format!("the function <{iri}> is not part of SPARQL 1.1");
            find(subject.tokens.iri(iri), iri.to_owned(), message, out);
        }
        _ => {}
    });
    for (_, aggregate) in &shape.aggregates {
        if let AggregateExpression::FunctionCall {
            name: AggregateFunction::Custom(function),
            ..
        } = aggregate
        {
            let iri = function.as_str();
            let message = format!("the aggregate <{iri}> is not part of SPARQL 1.1");
            find(subject.tokens.iri(iri), iri.to_owned(), message, out);
        }
    }
}

/// A key that does not parse may be another server's dialect; the usual signs of that are told apart from mere mistakes.
fn unparsed(subject: &Subject<'_>, out: &mut Out<'_>) {
    let problems = &subject.target.record.problems;
    for (prefix, index) in &subject.tokens.undeclared {
        let at = subject.tokens.at(*index);
        // The first of them is where the reader gives up, and says so.
        if problems
            .iter()
            .any(|p| (p.line, p.column) == (at.line, at.column))
        {
            continue;
        }
        out.find_with(
            at,
            format!("the prefix `{prefix}:` is declared nowhere; a server that knows it by itself is the only one to run this"),
            "declare every prefix that the key uses",
        );
    }
    let tokens = &subject.tokens.all;
    for (index, pair) in tokens.windows(2).enumerate() {
        let word = |word: &str| pair[0].kind == Kind::Word(word.to_owned());
        let named = (word("INCLUDE") || word("LATERAL"))
            || (word("WITH") && pair[1].kind == Kind::Sign('{'));
        let triple = pair[0].kind == Kind::Sign('<')
            && pair[1].kind == Kind::Sign('<')
            && pair[0].end == pair[1].start;
        if named || triple {
            out.find(
                subject.tokens.at(index),
                if triple {
                    "a triple as a term is not part of SPARQL 1.1"
                } else {
                    "this clause is an extension of one server"
                },
            );
        }
    }
}

fn service_call(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some(shape) = subject.key(out) else {
        return;
    };
    walk(shape.query, &mut |node, _| {
        if let Node::Pattern(GraphPattern::Service { name, .. }) = node {
            match name {
                NamedNodePattern::NamedNode(name) if MAGIC_SERVICES.contains(&name.as_str()) => {}
                NamedNodePattern::NamedNode(name) => {
                    out.find(
                        subject.tokens.iri(name.as_str()),
                        format!("the key calls the server {name}"),
                    );
                }
                NamedNodePattern::Variable(variable) => out.find(
                    subject.tokens.word("SERVICE"),
                    format!("the key calls whatever servers {variable} names"),
                ),
            }
        }
    });
}

fn not_deterministic(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some(shape) = subject.key(out) else {
        return;
    };
    let mut said = BTreeSet::new();
    let mut find = |word: &str, why: &str, out: &mut Out<'_>| {
        if said.insert(word.to_owned()) {
            out.find(subject.tokens.word(word), format!("{word} {why}"));
        }
    };
    walk(shape.query, &mut |node, _| match node {
        Node::Pattern(GraphPattern::Group {
            variables,
            aggregates,
            ..
        }) => {
            for (_, aggregate) in aggregates {
                if let AggregateExpression::FunctionCall { name, expr, .. } = aggregate {
                    let one = matches!(expr, Expression::Variable(v) if variables.contains(v) || follows(shape, v.as_str(), variables));
                    match name {
                        AggregateFunction::Sample if !one => {
                            find(
                                "SAMPLE",
                                "gives whichever value the engine meets first",
                                out,
                            );
                        }
                        AggregateFunction::GroupConcat { .. } if !one => {
                            find(
                                "GROUP_CONCAT",
                                "joins values in whatever order the engine meets them",
                                out,
                            );
                        }
                        _ => {}
                    }
                }
            }
        }
        Node::Expression(Expression::FunctionCall(function, _)) if is_volatile(function) => {
            let name = function.to_string().to_uppercase();
            find(&name, "gives another value each time", out);
        }
        _ => {}
    });
}

/// Whether a variable is computed from the group's keys alone.
fn follows(shape: &Shape<'_>, variable: &str, keys: &[spargebra::term::Variable]) -> bool {
    shape.definitions.get(variable).is_some_and(|definition| {
        !definition.sources.is_empty()
            && definition
                .sources
                .iter()
                .all(|source| keys.iter().any(|key| key.as_str() == source))
    })
}
