//! What single calls show, and what several show together.

use serde_json::{Value, json};

use super::*;

const ROOT: &str = "http://purl.obolibrary.org/obo/GO_0046879";

fn call(sequence: u32, tool: &str, arguments: &Value, more: &Value) -> Call {
    let mut call = json!({
        "sequence": sequence, "tool": tool, "arguments": arguments, "start_ms": 0, "duration_ms": 1, "is_error": false,
        "reply_bytes": 1,
    });
    call.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    serde_json::from_value(call).unwrap()
}

fn query(sequence: u32, pattern: &str, more: &Value) -> Call {
    let text = format!(
        "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX go: <http://purl.obolibrary.org/obo/GO_> \
         PREFIX e: <http://e/> SELECT * {{ {pattern} }}"
    );
    call(sequence, "query", &json!({ "query_string": text }), more)
}

fn check(name: &str, calls: &[Call], expected: &[(Evidence, &[u32])]) {
    let expected: EvidenceCalls = expected
        .iter()
        .map(|(means, calls)| (*means, calls.to_vec()))
        .collect();
    assert_eq!(
        evidence_of(Some(ROOT), &Seen::among(calls)),
        expected,
        "{name}"
    );
}

/// A descendants call that brought three terms back.
fn asked(sequence: u32) -> Call {
    let term = |id: u32| format!("http://purl.obolibrary.org/obo/GO_{id:07}");
    let terms = [term(1), term(2), term(3)];
    call(
        sequence,
        "get_descendants",
        &json!({ "uri": ROOT }),
        &json!({ "terms": terms }),
    )
}

fn expansion(asked: bool, term: &str) -> Value {
    json!({ "expansion": { "term": term, "terms": 36, "asked": asked } })
}

#[test]
fn the_three_ways_to_a_closure_are_told_apart() {
    use Evidence::{DescendantsTool, ListedDescendants, LiteralTerm, PropertyPath, ServerRewrite};
    let literal = "?g e:about go:0046879";
    check(
        "the agent wrote the path",
        &[query(
            1,
            "?p rdfs:subClassOf* go:0046879 . ?g e:about ?p",
            &json!({}),
        )],
        &[(PropertyPath, &[1])],
    );
    check(
        "it asked for descendants and listed them",
        &[
            asked(1),
            query(
                2,
                "VALUES ?p { go:0046879 go:0000001 go:0000003 } ?g e:about ?p",
                &json!({}),
            ),
        ],
        &[
            (DescendantsTool, &[1]),
            (ListedDescendants, &[2]),
            (LiteralTerm, &[2]),
        ],
    );
    check(
        "the server expanded by default",
        &[query(1, literal, &expansion(false, ROOT))],
        &[(ServerRewrite, &[1])],
    );
    check(
        "it asked the server to expand",
        &[query(1, literal, &expansion(true, ROOT))],
        &[(DescendantsTool, &[1])],
    );
    check(
        "it looked at the term alone",
        &[query(1, literal, &json!({}))],
        &[(LiteralTerm, &[1])],
    );
}

#[test]
fn a_list_is_the_agents_own_as_far_as_no_call_brought_its_terms() {
    use Evidence::{DescendantsTool, EnumeratedTerms, ListedDescendants};
    let list = |sequence: u32, ids: &str| {
        query(
            sequence,
            &format!("VALUES ?p {{ {ids} }} ?g e:about ?p"),
            &json!({}),
        )
    };
    check(
        "from memory",
        &[list(1, "go:0000001 go:0000002")],
        &[(EnumeratedTerms, &[1])],
    );
    check(
        "before it asked",
        &[list(1, "go:0000001 go:0000002"), asked(2)],
        &[(DescendantsTool, &[2]), (EnumeratedTerms, &[1])],
    );
    check(
        "some of each",
        &[
            asked(1),
            list(2, "go:0000001 go:0000009"),
            list(5, "go:0000002 go:0000001"),
        ],
        &[
            (DescendantsTool, &[1]),
            (ListedDescendants, &[2, 5]),
            (EnumeratedTerms, &[2]),
        ],
    );
}

#[test]
fn only_what_succeeded_counts_and_names_decide_nothing_by_their_look() {
    use Evidence::{DescendantsTool, LiteralTerm, NameTest, None, PropertyPath, ServerRewrite};
    check("no call", &[], &[(None, &[])]);
    let failed = json!({ "soft_error": { "kind": "error-member", "message": "429", "rule": "r" } });
    check(
        "the tool failed softly",
        &[call(1, "get_descendants", &json!({ "uri": ROOT }), &failed)],
        &[(None, &[])],
    );
    check(
        "a tool that only sounds like it, and one that the profile names",
        &[
            call(
                1,
                "count_descendants",
                &json!({}),
                &json!({ "role": "other" }),
            ),
            call(2, "subtypes", &json!({}), &json!({ "role": "descendants" })),
        ],
        &[(DescendantsTool, &[2])],
    );
    let several = json!({ "queries": {
        "nde": format!("SELECT * {{ ?g <http://e/about> <{ROOT}> }}"),
        "rdkg": "SELECT * { ?g <http://e/name> ?n FILTER(CONTAINS(?n, 'hormone')) }",
        "other": "SELECT nonsense",
    } });
    check(
        "several queries in a call",
        &[call(1, "multi_graph_query", &several, &json!({}))],
        &[(NameTest, &[1]), (LiteralTerm, &[1])],
    );
    check(
        "the server expanded another term than the root",
        &[query(
            4,
            "?g e:about go:0046879 , go:0000009",
            &expansion(false, "http://purl.obolibrary.org/obo/GO_0000009"),
        )],
        &[(ServerRewrite, &[4]), (LiteralTerm, &[4])],
    );
    check(
        "the server expanded, and the query walks by itself",
        &[query(
            4,
            "?p rdfs:subClassOf* ?r . ?r e:is go:0046879",
            &expansion(false, ROOT),
        )],
        &[(PropertyPath, &[4]), (ServerRewrite, &[4])],
    );
    let deep = format!("{}?s ?p ?o{}", "{".repeat(50_000), "}".repeat(50_000));
    check(
        "a query too deep to read",
        &[query(1, &deep, &json!({}))],
        &[(None, &[])],
    );
}
