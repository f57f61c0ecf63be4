//! Rules about the graphs that a record names, and what its prose gives away.

use super::{Example, Rule};
use crate::finding::Severity;
use crate::prose::Prose;
use crate::shape::{hubs, local_name};
use crate::subject::{Out, Subject};
use record::{Arm, graphs_of};

pub(super) const RULES: [Rule; 2] = [
    Rule {
        id: "gives-answer-away",
        severity: Severity::Error,
        what: "the tags name the ontology hub, or the prose names subtypes, descendants, a closure or the ontology",
        why: "the record tests whether an agent sees by itself that its term stands for a hierarchy; told so, it shows nothing",
        remedy: "ask as a scientist would, and leave the hub out of the tags",
        bad: &[
            Example::new(
                "the hub among the tags",
                "#+ summary: For eye disorder, list the conditions that have datasets.\n#+ tags: [nde, ubergraph]\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?condition { GRAPH <http://kg/ubergraph> { ?condition rdfs:subClassOf* <http://e/eye> } GRAPH <http://kg/nde> { ?dataset <http://e/on> ?condition } }",
            )
            .named("nde-expand_eye.rq"),
            Example::new(
                "subtypes in the prose",
                "#+ summary: For eye disorder and its subtypes, list the conditions that have datasets.\n#+ tags: [nde]\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?condition { GRAPH <http://kg/ubergraph> { ?condition rdfs:subClassOf* <http://e/eye> } GRAPH <http://kg/nde> { ?dataset <http://e/on> ?condition } }",
            )
            .named("nde-expand_eye.rq"),
        ],
        good: &[
            Example::new(
                "the scientist's question",
                "#+ summary: For eye disorder, list the conditions that have datasets.\n#+ tags: [nde]\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?condition { GRAPH <http://kg/ubergraph> { ?condition rdfs:subClassOf* <http://e/eye> } GRAPH <http://kg/nde> { ?dataset <http://e/on> ?condition } }",
            )
            .named("nde-expand_eye.rq"),
            Example::new(
                "the one sentence of an exact arm",
                "#+ summary: For eye disorder, list the conditions that have datasets. Use the term exactly as I have given it — do not expand it to subtypes, descendants or related terms.\n#+ tags: [nde]\nSELECT ?condition { VALUES ?condition { <http://e/eye> } GRAPH <http://kg/nde> { ?dataset <http://e/on> ?condition } }",
            )
            .named("nde-exact_eye.rq"),
            Example::new(
                "outside the benchmark's pairs a query may well ask for subclasses",
                "#+ summary: List all subclasses of eye disorder.\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?class { ?class rdfs:subClassOf* <http://e/eye> }",
            ),
        ],
        check: gives_answer_away,
    },
    Rule {
        id: "graph-not-tagged",
        severity: Severity::Warning,
        what: "the key asks a graph that the tags do not name, the ontology hub aside",
        why: "the tags are what an agent is told to look at: what is in no tagged graph it cannot know of",
        remedy: "add the graph to the tags, or take it out of the key",
        bad: &[Example::new(
            "two graphs, one tag",
            "#+ summary: List the counties that are in both graphs.\n#+ tags: [a]\nSELECT ?county { GRAPH <http://kg/a> { ?county a <http://e/County> } GRAPH <http://kg/b> { ?county a <http://e/County> } }",
        )],
        good: &[
            Example::new(
                "the hub is left out on purpose",
                "#+ summary: For eye disorder, list the conditions that have datasets.\n#+ tags: [nde]\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?condition { GRAPH <http://kg/ubergraph> { ?condition rdfs:subClassOf* <http://e/eye> } GRAPH <http://kg/nde> { ?dataset <http://e/on> ?condition } }",
            ),
            Example::new(
                "tags that are topics",
                "#+ summary: List the genes.\n#+ tags: [genes, biology]\nSELECT ?gene { GRAPH <http://kg/a> { ?gene a <http://e/Gene> } }",
            ),
        ],
        check: graph_not_tagged,
    },
];

/// Words that tell of a hierarchy. `term` and `class` alone do not: a scientist uses them too.
const TELLTALE: [&str; 22] = [
    "subtype",
    "subtypes",
    "subclass",
    "subclasses",
    "descendant",
    "descendants",
    "descend",
    "closure",
    "transitive",
    "transitively",
    "hierarchy",
    "hierarchical",
    "ontology",
    "ontologies",
    "ontological",
    "subtree",
    "subclassof",
    "mondo",
    "hpo",
    "subcategories",
    "superclass",
    "narrower",
];

/// The same in several words.
const TELLTALE_PHRASES: [&str; 9] = [
    "sub types",
    "sub classes",
    "child terms",
    "child classes",
    "all kinds of",
    "all forms of",
    "all types of",
    "gene ontology",
    "specific forms of",
];

fn gives_answer_away(subject: &Subject<'_>, out: &mut Out<'_>) {
    let record = subject.target.record;
    let Some(arm) = record.name.arm else {
        // Only a pair tests expansion; elsewhere asking for subclasses is asking plainly.
        return;
    };
    let mut hubs: Vec<String> = [Some(record), subject.target.twin]
        .into_iter()
        .flatten()
        .filter_map(|record| record.query.as_ref())
        .flat_map(hubs)
        .map(|graph| local_name(&graph).to_owned())
        .collect();
    hubs.push("ubergraph".to_owned());
    for tag in record.tags() {
        if hubs.iter().any(|hub| hub.eq_ignore_ascii_case(tag)) {
            let line = record.header.get("tags").map_or(1, |entry| entry.line);
            let at = subject
                .header
                .find(tag, line)
                .unwrap_or(crate::finding::At::START);
            out.find(at, format!("the tags name the ontology hub `{tag}`"));
        }
    }
    let Some(prose) = &subject.prose else {
        out.silent("the file has no prompt");
        return;
    };
    let exempt = if arm == Arm::Exact {
        exempt_sentences(prose)
    } else {
        Vec::new()
    };
    let told = |index: usize| !exempt.iter().any(|range| range.contains(&index));
    let word = prose.words.iter().enumerate().find(|(index, word)| {
        told(*index)
            && (TELLTALE.contains(&word.lower.as_str())
                || hubs.iter().any(|hub| word.lower == hub.to_lowercase()))
    });
    let phrase = TELLTALE_PHRASES.iter().find_map(|phrase| {
        prose
            .find_phrase(phrase)
            .filter(|index| told(*index))
            .map(|index| (index, phrase))
    });
    if let Some((index, _)) = word {
        let said = prose.quote(index..index + 1);
        out.find(
            subject.in_prose(said),
            format!("the prose says \"{said}\", which tells that the term is to be expanded"),
        );
    } else if let Some((_, phrase)) = phrase {
        out.find(
            subject.in_prose(phrase),
            format!("the prose says \"{phrase}\", which tells that the term is to be expanded"),
        );
    }
}

/// The sentence by which an exact arm forbids expansion.
fn exempt_sentences(prose: &Prose) -> Vec<std::ops::Range<usize>> {
    prose
        .sentences
        .iter()
        .filter(|sentence| {
            let words = prose.words.get((*sentence).clone()).unwrap_or_default();
            words.iter().any(|word| word.lower == "exactly")
                || words
                    .windows(2)
                    .any(|pair| pair[0].lower == "not" && pair[1].lower == "expand")
        })
        .cloned()
        .collect()
}

fn graph_not_tagged(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some(shape) = subject.key(out) else {
        return;
    };
    let record = subject.target.record;
    let graphs = graphs_of(shape.query);
    if graphs.is_empty() || !subject.target.is_record {
        return;
    }
    let tagged = |graph: &str| {
        record
            .tags()
            .iter()
            .any(|tag| tag.eq_ignore_ascii_case(local_name(graph)) || tag == graph)
    };
    if record.name.arm.is_none() && !graphs.iter().any(|graph| tagged(graph)) {
        out.silent("no tag is the name of a graph: the tags are topics");
        return;
    }
    let hubs = hubs(shape.query);
    for graph in &graphs {
        if !tagged(graph) && !hubs.contains(graph) {
            out.find(
                subject.tokens.iri(graph),
                format!(
                    "the key asks the graph `{}`, which the tags do not name",
                    local_name(graph)
                ),
            );
        }
    }
}
