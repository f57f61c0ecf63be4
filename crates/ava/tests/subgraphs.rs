//! Files of subgraphs that others wrote: what is read, and what is refused and where.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use ava::read_subgraph;
use ontology::{Graph, GraphKind, Ontology, extract, subgraph};
use serde_json::{Value, json};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const FILE: &str = "[Term]\nid: X:1\nname: organ\ncomment: A part.\n\n[Term]\nid: X:2\nname: heart\nis_a: X:1\nrelationship: part_of X:3\n\n[Term]\nid: X:3\nname: chest\n\n[Typedef]\nid: part_of\nname: part of\n";

/// A subgraph as it is written here.
fn written() -> Value {
    let ontology = Ontology::read("anatomy.obo", FILE.as_bytes()).unwrap();
    let graph = Graph::new(&ontology, GraphKind::Ava);
    let found = extract(&graph).found.remove(0);
    let bytes = subgraph(&graph, &found, "anatomy").to_json();
    let read = read_subgraph(&bytes, "other", "other").unwrap();
    assert_eq!(read, subgraph(&graph, &found, "anatomy"));
    serde_json::from_slice(&bytes).unwrap()
}

#[test]
fn what_others_leave_out_or_write_otherwise_means_the_same() {
    let own = written();
    let id = own["subgraph_id"].as_str().unwrap();
    let read = |file: &Value| read_subgraph(file.to_string().as_bytes(), id, "anatomy");
    let expected = read(&own).unwrap();
    let labels: Vec<&Value> = own["node_labels"].as_object().unwrap().values().collect();
    let comments: Vec<&Value> = own["node_comments"].as_object().unwrap().values().collect();
    let pairs = own["edges"].as_array().unwrap();
    let changes = [
        ("edges", Value::Null),
        ("edges", json!([])),
        (
            "edges",
            pairs
                .iter()
                .map(|pair| json!([pair[0], pair[1], {"weight": 1}]))
                .collect(),
        ),
        (
            "edges",
            pairs
                .iter()
                .map(|pair| json!({"source": pair[0], "target": pair[1]}))
                .collect(),
        ),
        ("triple_count", Value::Null),
        ("triple_count", json!(2.0)),
        ("strategy", Value::Null),
        ("depth", Value::Null),
        ("seed_label", Value::Null),
        ("nodes", Value::Null),
        ("subgraph_id", Value::Null),
        ("source_ontology", Value::Null),
        ("node_labels", json!(labels)),
        ("node_comments", json!(comments)),
        (
            "node_comments",
            comments
                .iter()
                .map(|text| {
                    if **text == "" {
                        Value::Null
                    } else {
                        (*text).clone()
                    }
                })
                .collect(),
        ),
        ("generated_by", json!({"version": [1, 2], "at": null})),
    ];
    for (key, value) in changes {
        let mut file = own.clone();
        file[key] = value.clone();
        assert_eq!(read(&file).unwrap(), expected, "{key}: {value}");
        if value.is_null() {
            file.as_object_mut().unwrap().remove(key);
            assert_eq!(read(&file).unwrap(), expected, "without {key}");
        }
    }
    for key in ["subject_label", "object_label"] {
        let mut file = own.clone();
        file["triples"][0][key] = Value::Null;
        file["triples"][1].as_object_mut().unwrap().remove(key);
        assert_eq!(read(&file).unwrap(), expected, "{key}");
    }
}

#[test]
fn what_has_no_label_is_called_by_its_local_name() {
    let own = written();
    let read = |file: &Value| read_subgraph(file.to_string().as_bytes(), "", "").unwrap();
    for missing in [false, true] {
        let mut file = own.clone();
        for triple in file["triples"].as_array_mut().unwrap() {
            let triple = triple.as_object_mut().unwrap();
            for key in ["subject_label", "predicate_label", "object_label"] {
                if missing {
                    triple.remove(key);
                } else {
                    triple.insert(key.to_owned(), Value::Null);
                }
            }
        }
        let first = own["nodes"][0].as_str().unwrap();
        file["node_labels"][first] = Value::Null;
        let found = read(&file);
        assert_eq!(found.node_labels[first], "X_1");
        let predicates: Vec<&str> = found
            .triples
            .iter()
            .map(|triple| &*triple.predicate_label)
            .collect();
        assert_eq!(predicates, ["subClassOf", "part_of"]);
        let objects: Vec<&str> = found
            .triples
            .iter()
            .map(|triple| &*triple.object_label)
            .collect();
        assert_eq!(objects, ["X_1", "chest"]);
    }
}

#[test]
fn what_may_mean_this_or_that_is_refused_with_its_place() {
    let triple = r#"{"subject": "a", "predicate": "p", "object": "b", "type": "direct"}"#;
    let file = |nodes: &str, labels: &str, triples: &str| {
        format!(
            "\u{feff}{{\r\n \"nodes\": {nodes},\n \"node_labels\": {labels},\n \"triples\": [\n  {triple},\n  {triples}]}}"
        )
    };
    let whole = [r#"["é", "b"]"#, r#"{"é": "x"}"#, triple];
    let with = |part: usize, text: &str| {
        let mut parts = whole;
        parts[part] = text;
        let [nodes, labels, triples] = parts;
        file(nodes, labels, triples)
    };
    assert!(read_subgraph(with(0, whole[0]).as_bytes(), "x", "y").is_ok());
    for (text, expected) in [
        (String::new(), "1:1: no subgraph: the file is empty"),
        (
            " \n".to_owned(),
            "1:1: no subgraph: the file holds nothing but white space",
        ),
        (
            "[]".to_owned(),
            "1:1: no subgraph: invalid type: sequence, expected an object",
        ),
        ("{}".to_owned(), "1:1: no subgraph: it has no `nodes`"),
        (
            r#"{"nodes": []}"#.to_owned(),
            "1:1: no subgraph: it has no `triples`",
        ),
        (
            with(0, r#"["é", 7]"#),
            "2:17: no subgraph: `nodes`: invalid type: integer `7`, expected a string",
        ),
        (
            with(1, r#"["x"]"#),
            "3:17: no subgraph: `node_labels` is a list of 1 for 2 nodes, so which is whose cannot be told",
        ),
        (
            with(1, r#"{"é": ["x"]}"#),
            "3:23: no subgraph: `node_labels`: invalid type: sequence, expected a string",
        ),
        (
            with(1, r#""x""#),
            "3:17: no subgraph: `node_labels`: invalid type: string \"x\", expected a text for each node, by its IRI or in the order of the nodes",
        ),
        (
            with(2, r#"{"subject": "a", "object": "b", "type": "direct"}"#),
            "6:3: no subgraph: triple 2: missing field `predicate`",
        ),
        (
            with(2, r#"{"subject": "a", "predicate": "p", "object": "b"}"#),
            "6:3: no subgraph: triple 2: missing field `type`",
        ),
        (
            with(2, &triple.replace("direct", "some")),
            "6:61: no subgraph: triple 2: unknown variant `some`, expected one of `direct`, `restriction_someValuesFrom`, `restriction_allValuesFrom`",
        ),
        (
            with(2, &triple.replace("\"b\"", "NaN")),
            "6:48: no subgraph: NaN stands where a text of `object` is due, and JSON has no such value",
        ),
        (
            "{\"nodes\": [\"a\"],\n \"triples\": [], \"nodes\": [\"b\"]}".to_owned(),
            "2:18: no subgraph: `nodes` is given twice",
        ),
        (
            "{\"nodes\":\n [\"a\", \"b\", \"a\"], \"triples\": []}".to_owned(),
            "2:2: no subgraph: `nodes` has a twice",
        ),
        (
            with(2, "{\"subject\": \"a\""),
            "6:18: no subgraph: expected `,` or `}`",
        ),
    ] {
        let problem = read_subgraph(text.as_bytes(), "x", "y").unwrap_err();
        assert_eq!(problem.to_string(), expected, "{text}");
        assert!(problem.remedy.is_some());
    }
}
