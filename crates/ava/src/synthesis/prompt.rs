//! What a model is asked: five triplets of one subgraph.

use std::fmt::Write as _;

use ontology::{Quantifier, Subgraph, TripleKind};

/// What every prompt begins with; the subgraph follows it.
pub const TASK: &str = r#"# Task

Below is a small part of an ontology: its entities with their definitions, and the statements that join them. Write five triplets of English sentences about it. They will show whether a text encoder puts a true statement nearer to its paraphrase than to a false statement in nearly the same words.

# A triplet

- "anchor": one clear sentence that says what a statement or a definition below asserts outright. Nothing that you know from elsewhere, and nothing that has to be inferred.
- "positive": a sentence with exactly the meaning of the anchor, in another form: another sentence structure, passive for active, a synonym, another form of a word.
- "negative": a sentence that keeps nearly all words of the anchor and is false by this ontology. It says the wrong thing about the same entities, or the right thing about the wrong one; it must be plausible at first sight, and no paraphrase of the anchor.
- "perturbation": what was done to make the negative false, as one of these words:
  - "hierarchy-inversion": the narrower and the wider class have changed places
  - "relation-substitution": another relation stands between the same two entities
  - "sibling-swap": a sibling stands where the right class was
  - "disjointness-injection": related classes are said to exclude each other, or classes that exclude each other are said to be related
  - "entity-replacement": an entity that is no sibling stands where the right one was

Name entities by their labels, never by an identifier. Every sentence has five words at least and can be understood by itself. No two anchors say the same, as far as there is enough to say. Use several of the perturbations.

# Output

Exactly five triplets, as one JSON array and nothing besides: no heading, no remark, no code fence.

[{"anchor": "…", "positive": "…", "negative": "…", "perturbation": "…"}, …]
"#;

/// What a model is told after a reply that cannot be read; why not stands in the place of `{why}`.
const REPAIR: &str = "That cannot be read as JSON: {why}. Send the five triplets again, as one JSON array of objects with the keys \"anchor\", \"positive\", \"negative\" and \"perturbation\", and nothing besides.";

/// The prompt for a subgraph: [`TASK`], its entities with their definitions, and its statements.
pub fn prompt(subgraph: &Subgraph<'_>) -> String {
    let mut text = format!(
        "{TASK}\n# Subgraph\n\nOntology: {}\n\nEntities, each with its definition where it has one:\n",
        line(&subgraph.source_ontology)
    );
    for node in &subgraph.nodes {
        let label = subgraph.node_labels.get(node).unwrap_or(node);
        let comment = subgraph.node_comments.get(node);
        let comment = comment.map(|comment| line(comment)).unwrap_or_default();
        let colon = if comment.is_empty() { "" } else { ": " };
        // Writing to a text never fails.
        let _ = writeln!(text, "- {}{colon}{comment}", line(label));
    }
    text.push_str("\nStatements, each as subject | relation | object:\n");
    for triple in &subgraph.triples {
        let quantifier = match triple.kind {
            TripleKind::Direct => "",
            // Over a property without a name, the predicate is the quantifier itself.
            TripleKind::Some if triple.predicate == Quantifier::Some.iri() => "",
            TripleKind::Only if triple.predicate == Quantifier::Only.iri() => "",
            TripleKind::Some => " some",
            TripleKind::Only => " only",
        };
        let _ = writeln!(
            text,
            "- {} | {}{quantifier} | {}",
            line(&triple.subject_label),
            line(&triple.predicate_label),
            line(&triple.object_label)
        );
    }
    text
}

/// What a model is told after a reply that cannot be read, and why it cannot.
pub fn repair_request(why: &str) -> String {
    REPAIR.replace("{why}", why)
}

/// A text on one line: a line break in a definition would look like the next entity.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use ontology::{Graph, GraphKind, Ontology, extract, subgraph};

    use super::*;

    #[test]
    fn a_prompt_has_the_task_the_entities_and_the_statements() {
        let file = "[Term]\nid: X:1\nname: organ\ncomment: Part of a body,\\nwith a function.\n\n[Term]\nid: X:2\nname: heart\nis_a: X:1\nrelationship: part_of X:3\nrelationship: beats X:1 {all_only=\"true\"}\n\n[Term]\nid: X:3\nname: chest\n\n[Typedef]\nid: part_of\nname: part of\n\n[Typedef]\nid: beats\n";
        let ontology = Ontology::read("anatomy.obo", file.as_bytes()).unwrap();
        let graph = Graph::new(&ontology, GraphKind::Ava);
        let found = extract(&graph).found.remove(0);
        let text = prompt(&subgraph(&graph, &found, "anatomy"));
        let own = text.strip_prefix(TASK).unwrap();
        assert_eq!(
            own,
            "\n# Subgraph\n\nOntology: anatomy\n\nEntities, each with its definition where it has one:\n\
             - organ: Part of a body, with a function.\n- heart\n- chest\n\n\
             Statements, each as subject | relation | object:\n\
             - heart | subClassOf | organ\n- heart | part of some | chest\n- heart | beats only | organ\n"
        );
        let file = "
            @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
            @prefix : <http://e/> . :A a owl:Class . :B a owl:Class . :C a owl:Class . :A rdfs:subClassOf
            [ owl:onProperty [ owl:inverseOf :p ] ; owl:someValuesFrom :B ] , [ owl:allValuesFrom :C ] .";
        let ontology = Ontology::read("unnamed.ttl", file.as_bytes()).unwrap();
        let graph = Graph::new(&ontology, GraphKind::Ava);
        let found = extract(&graph).found.remove(0);
        let text = prompt(&subgraph(&graph, &found, "unnamed"));
        assert!(
            text.ends_with("- A | someValuesFrom | B\n- A | allValuesFrom | C\n"),
            "{text}"
        );
        assert!(repair_request("EOF").contains("as JSON: EOF. Send"));
    }
}
