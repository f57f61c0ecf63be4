//! The queries that probe a question.

use spargebra::term::NamedNodePattern;

use crate::criteria::question::{Link, Question};
use crate::taxonomy::within;

/// How many data a graph has for the root itself.
pub(crate) fn at_root_query(question: &Question, link: &Link) -> String {
    format!(
        "SELECT (COUNT(DISTINCT {}) AS ?partners) WHERE {{\n  VALUES {} {{ <{}> }}\n  {}\n}}",
        link.partner,
        question.hierarchy.variable,
        question.root(),
        link.text()
    )
}

/// How many things stand where a graph joins, and how many of them carry an identifier that begins with `prefix`.
pub(crate) fn density_query(link: &Link, prefix: &str) -> String {
    let (thing, body) = match link.mapping() {
        // The identifier hangs on the thing by a mapping that most things may lack.
        Some((mapping, thing)) => {
            let rest = link.triples.iter().filter(|triple| *triple != mapping);
            let graph = format!(
                "{mapping} . FILTER(STRSTARTS(STR({}), \"{prefix}\")) BIND({thing} AS ?carrier)",
                link.term
            );
            let optional = within(link.position.graph_iri(), &graph);
            (
                thing,
                format!("{}\n  OPTIONAL {{ {optional} }}", link.text_of(rest)),
            )
        }
        None => (
            &link.term,
            format!(
                "{}{}\n  BIND(IF(STRSTARTS(STR({term}), \"{prefix}\"), {term}, ?nothing) AS ?carrier)",
                reaching(link, prefix),
                link.text(),
                term = link.term
            ),
        ),
    };
    format!(
        "SELECT (COUNT(DISTINCT {thing}) AS ?things) (COUNT(DISTINCT ?carrier) AS ?carrying) WHERE {{\n  {body}\n}}"
    )
}

/// Where any predicate will do, those that reach the ontology: what other predicates lead to is in no join position.
fn reaching(link: &Link, prefix: &str) -> String {
    let free = link
        .triples
        .iter()
        .find_map(|triple| match &triple.predicate {
            NamedNodePattern::Variable(predicate) => Some(predicate),
            NamedNodePattern::NamedNode(_) => None,
        });
    let Some(predicate) = free else {
        return String::new();
    };
    let body = within(
        link.position.graph_iri(),
        &format!("?reaching {predicate} ?reached . FILTER(STRSTARTS(STR(?reached), \"{prefix}\"))"),
    );
    format!("{{ SELECT DISTINCT {predicate} WHERE {{\n  {body}\n  }} }}\n  ")
}

/// The terms of the closure, or what the first graph ties to them, that are in the second graph.
pub(crate) fn terms_query(question: &Question) -> String {
    let Question {
        hierarchy,
        first,
        second,
        ..
    } = question;
    let (term, class) = (&second.term, &hierarchy.variable);
    let hub = within(
        hierarchy.position.graph_iri(),
        &format!("{class} rdfs:subClassOf* <{}> .", question.root()),
    );
    let tied = if question.joins_on_classes() {
        String::new()
    } else {
        first.text()
    };
    let present = format!("{{ {term} ?outward ?value }} UNION {{ ?subject ?inward {term} }}");
    format!(
        "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT DISTINCT {term} WHERE {{\n  {hub}\n  {tied}\n  \
         {}\n}}\nORDER BY {term}",
        within(second.position.graph_iri(), &present)
    )
}

/// The types of the data in a graph, the most frequent first.
pub(crate) fn types_query(link: &Link) -> String {
    let typed = format!("{} a ?type .", link.partner);
    format!(
        "SELECT ?type (COUNT(DISTINCT {}) AS ?n) WHERE {{\n  {}\n  {}\n}}\nGROUP BY ?type\nORDER BY DESC(?n) ?type",
        link.partner,
        link.text(),
        within(link.position.graph_iri(), &typed)
    )
}
