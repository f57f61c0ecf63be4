//! What the calls of an attempt show about a closure, by a real server's replies: the published case of hormone secretion, 71
//! genes with the server's rewriting and 5 without.

use std::path::Path;

use serde_json::{Value, json};
use sweep::{Call, ToolRole};
use worker::evidence::{EvidenceCalls, Seen, evidence_of};

use crate::agent::{Agent, Desk, text};

const ROOT: &str = "http://purl.obolibrary.org/obo/GO_0046879";
const ANNOTATED: &str = "https://w3id.org/biolink/vocab/functional_association";

fn desk() -> Desk {
    let snapshot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benchmarks-ontology/snapshot");
    let program = assert_cmd::cargo::cargo_bin!("okn-benchmark");
    Desk::command(&[
        program.to_str().unwrap(),
        "mcp",
        "serve",
        "--snapshot",
        snapshot.to_str().unwrap(),
    ])
}

/// The reply's payload.
async fn call(agent: &mut Agent, tool: &str, arguments: Value) -> Value {
    let reply = agent.call(tool, arguments).await;
    serde_json::from_str(text(&reply)).unwrap()
}

async fn genes(agent: &mut Agent, terms: &str, more: Value) -> u64 {
    let query = format!("SELECT DISTINCT ?gene WHERE {{ {terms} ?gene <{ANNOTATED}> ?term }}");
    let mut arguments = json!({ "graph_name": "pankgraph", "query_string": query });
    arguments
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    call(agent, "query", arguments).await["count"]
        .as_u64()
        .unwrap()
}

fn shown(calls: &[Call]) -> Value {
    let evidence: EvidenceCalls = evidence_of(Some(ROOT), &Seen::among(calls));
    serde_json::to_value(evidence).unwrap()
}

#[tokio::test]
async fn whose_doing_a_closure_was_is_told_from_the_recorded_calls() {
    let desk = desk();
    let (mut agent, _) = desk.open().await;
    let root = format!("VALUES ?term {{ <{ROOT}> }}");
    // 1 and 2: the same query, with the server's default and without.
    assert_eq!(genes(&mut agent, &root, json!({})).await, 71);
    let off = json!({ "auto_expand_descendants": false });
    assert_eq!(genes(&mut agent, &root, off.clone()).await, 5);
    // 3: the agent asks for the expansion by name.
    let on = json!({ "auto_expand_descendants": true });
    assert_eq!(genes(&mut agent, &root, on).await, 71);
    // 4: it writes the path itself.
    let path = format!(
        "GRAPH <https://purl.org/okn/frink/kg/ubergraph> \
         {{ ?term <http://www.w3.org/2000/01/rdf-schema#subClassOf>* <{ROOT}> }}"
    );
    assert_eq!(genes(&mut agent, &path, off.clone()).await, 71);
    // 5 and 6: it asks for the terms below, all levels of them, and lists what it was told.
    let told = call(
        &mut agent,
        "get_descendants",
        json!({ "uri": ROOT, "max_depth": 20 }),
    )
    .await;
    let below: Vec<&str> = told["descendants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|term| term["uri"].as_str().unwrap())
        .collect();
    let listed: Vec<String> = [ROOT]
        .iter()
        .chain(&below)
        .map(|term| format!("<{term}>"))
        .collect();
    let list = format!("VALUES ?term {{ {} }}", listed.join(" "));
    assert_eq!(genes(&mut agent, &list, off.clone()).await, 71);
    // 7: a list of two terms that nobody told it of.
    let own = "VALUES ?term { <http://purl.obolibrary.org/obo/GO_9999998> <http://purl.obolibrary.org/obo/GO_9999999> }";
    assert_eq!(genes(&mut agent, own, off).await, 0);
    // 8: several graphs in one call, expanded by default.
    let queries = json!({ "queries": { "pankgraph": format!("SELECT ?gene WHERE {{ ?gene <{ANNOTATED}> <{ROOT}> }}") } });
    call(&mut agent, "multi_graph_query", queries).await;
    agent.leave().await.unwrap();

    let calls = desk.calls();
    assert_eq!(
        shown(&calls),
        json!({
            "property-path": [4],
            "descendants-tool": [3, 5],
            "server-rewrite": [1, 8],
            "listed-descendants": [6],
            "enumerated-terms": [7],
            "literal-term": [2, 6],
        })
    );
    // Each way alone.
    assert_eq!(shown(&calls[..1]), json!({ "server-rewrite": [1] }));
    assert_eq!(shown(&calls[1..2]), json!({ "literal-term": [2] }));
    assert_eq!(
        shown(&calls[5..6])["enumerated-terms"],
        json!([6]),
        "without the call that brought its terms"
    );
    assert_eq!(
        calls[4].terms.len(),
        below.len() + 1,
        "the root is named too"
    );
    assert_eq!(calls[0].expansion.as_ref().unwrap().term, ROOT);
    assert!(
        !calls[0].expansion.as_ref().unwrap().asked && calls[2].expansion.as_ref().unwrap().asked
    );
}

/// A server of another make calls its tools otherwise, and its profile says how.
#[tokio::test]
async fn the_profiles_table_of_names_says_what_a_tool_is_for() {
    let mut desk = desk();
    desk.setup.profile.tools.descendants = vec!["lookup_uri".to_owned()];
    desk.setup.profile.tools.lookup = Vec::new();
    let (mut agent, _) = desk.open().await;
    call(&mut agent, "get_descendants", json!({ "uri": ROOT })).await;
    call(
        &mut agent,
        "lookup_uri",
        json!({ "label": "hormone secretion" }),
    )
    .await;
    agent.leave().await.unwrap();
    let calls = desk.calls();
    let roles: Vec<_> = calls.iter().map(|call| call.role).collect();
    assert_eq!(roles, [Some(ToolRole::Other), Some(ToolRole::Descendants)]);
    assert!(calls[0].terms.is_empty() && calls[1].terms.contains(&ROOT.to_owned()));
    assert_eq!(shown(&calls), json!({ "descendants-tool": [2] }));
}
