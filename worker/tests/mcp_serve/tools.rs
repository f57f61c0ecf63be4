//! All that an agent is shown, and the shape of every reply.

use serde_json::json;

use crate::bench::{Client, text};

#[tokio::test]
async fn all_text_that_an_agent_is_shown() {
    let client = Client::new().await;
    let info = client.0.peer_info().unwrap();
    let tools = client.0.list_all_tools().await.unwrap();
    let shown = json!({
        "server": info.server_info.as_ref().map(|server| &server.name),
        "instructions": info.instructions,
        "tools": tools,
    });
    insta::assert_json_snapshot!("shown", shown);
}

#[tokio::test]
async fn graphs_are_listed_described_and_taken_apart() {
    let client = Client::new().await;
    insta::assert_json_snapshot!(
        "list_graphs",
        client.payload("list_graphs", json!({})).await
    );
    let few = client
        .payload(
            "list_graphs",
            json!({ "domain": "Health", "entity_type": "gene" }),
        )
        .await;
    assert_eq!(few["count"], 2);
    assert_eq!(few["graphs"][0]["graph_name"], "gene-expression-atlas-okn");
    let none = client
        .payload("list_graphs", json!({ "domain": "justice" }))
        .await;
    assert_eq!(
        (&none["count"], &none["domains"]),
        (&json!(0), &json!(["biology", "health"]))
    );

    let described = client
        .call("get_description", json!({ "graph_name": "nde" }))
        .await
        .unwrap();
    insta::assert_snapshot!("get_description", text(&described));
    insta::assert_json_snapshot!(
        "get_schema",
        client
            .payload("get_schema", json!({ "graph_name": "nde" }))
            .await
    );
    let full = client
        .payload(
            "get_schema",
            json!({ "graph_name": "nde", "compact": false }),
        )
        .await;
    assert_eq!(full["classes"]["columns"], json!(["uri", "label", "uses"]));
    assert_eq!(
        full["classes"]["data"][0],
        json!(["http://schema.org/Dataset", "Dataset", "4001"])
    );
}

#[tokio::test]
async fn terms_are_found_by_name_and_what_is_below_them_by_level() {
    let client = Client::new().await;
    insta::assert_json_snapshot!(
        "lookup_uri",
        client
            .payload("lookup_uri", json!({ "label": "  AutoImmune Disease " }))
            .await
    );
    let nothing = client
        .payload("lookup_uri", json!({ "label": "\" } UNION { ?s ?p ?o" }))
        .await;
    assert_eq!(
        (&nothing["match_count"], &nothing["error"]),
        (&json!(0), &json!(null))
    );

    let root = "http://purl.obolibrary.org/obo/MONDO_0007179";
    let three = json!({ "uri": root, "max_results": 3 });
    insta::assert_json_snapshot!(
        "get_descendants",
        client.payload("get_descendants", three).await
    );
    let all = json!({ "uri": root, "max_depth": 30, "include_distance": false });
    let all = client.payload("get_descendants", all).await;
    // The published closure, less the term itself.
    assert_eq!(all["descendant_count"], 258);
    assert_eq!(all["descendants"][0].get("distance"), None);
    let children = client
        .payload("get_descendants", json!({ "uri": root, "max_depth": 1 }))
        .await;
    let levels = children["descendants"].as_array().unwrap();
    assert!(levels.len() > 5 && levels.iter().all(|class| class["distance"] == 1));
    let leaf = json!({ "uri": "http://purl.obolibrary.org/obo/MONDO_9999999" });
    insta::assert_json_snapshot!(
        "get_descendants_of_nothing",
        client.payload("get_descendants", leaf).await
    );
}

#[tokio::test]
async fn graphs_join_on_what_both_name_alike() {
    let client = Client::new().await;
    let ask = async |a: &str, b: &str| {
        client
            .payload("get_join_strategy", json!({ "graph_a": a, "graph_b": b }))
            .await
    };
    insta::assert_json_snapshot!("get_join_strategy", ask("nde", "oard-kg").await);
    for (a, b, entities) in [
        ("oard-kg", "rdkg", vec!["disease", "phenotype"]),
        ("pankgraph", "gene-expression-atlas-okn", vec!["gene"]),
        ("nde", "pankgraph", vec![]),
    ] {
        let reply = ask(a, b).await;
        let strategies = reply["strategies"].as_array().unwrap();
        let found: Vec<_> = strategies
            .iter()
            .map(|strategy| strategy["entity"].as_str().unwrap())
            .collect();
        assert_eq!(found, entities, "{a} {b}");
        for strategy in strategies {
            assert!(
                strategy["shared_entities"].as_u64().unwrap() > 0,
                "{strategy}"
            );
            let example = strategy["example_query"].as_str().unwrap();
            let rows = client
                .payload(
                    "query",
                    json!({ "graph_name": a, "query_string": example, "analyze": false }),
                )
                .await;
            assert_eq!(rows["count"], 10, "{example}");
        }
    }
}

/// Failures are said in the payload, as the public server does; only arguments that the tool does not take are errors.
#[tokio::test]
async fn failures_are_told_in_words_that_help() {
    let client = Client::new().await;
    let query = |graph: &str, query: &str| json!({ "graph_name": graph, "query_string": query });
    for (tool, arguments, words) in [
        (
            "query",
            query("nowhere", "ASK {}"),
            "unknown graph `nowhere`; the graphs are gene-expression-atlas-okn, nde, ",
        ),
        (
            "query",
            query("nde", "SELECT ?x {"),
            "Query execution failed: 1:",
        ),
        (
            "query",
            query("nde", "ASK { SERVICE <http://e/> {} }"),
            "nothing leaves this engine",
        ),
        (
            "get_schema",
            json!({ "graph_name": "no such" }),
            "unknown graph",
        ),
        (
            "get_description",
            json!({ "graph_name": "no such" }),
            "unknown graph",
        ),
        (
            "get_descendants",
            json!({ "uri": "MONDO 1" }),
            "`MONDO 1` is no IRI",
        ),
        (
            "get_join_strategy",
            json!({ "graph_a": "nde", "graph_b": "x" }),
            "unknown graph `x`",
        ),
    ] {
        let payload = client.payload(tool, arguments).await;
        let error = payload["error"].as_str().unwrap();
        assert!(error.contains(words), "{tool}: {error}");
    }
    for (tool, arguments, words) in [
        (
            "query",
            json!({ "graph_name": "nde" }),
            "missing field `query_string`",
        ),
        (
            "get_descendants",
            json!({ "uri": "x", "max_results": -1 }),
            "Error executing tool get_descendants: ",
        ),
        ("no_tool", json!({}), "Unknown tool: no_tool"),
    ] {
        let result = client.call(tool, arguments).await.unwrap();
        assert_eq!(result.is_error, Some(true), "{tool}");
        assert!(text(&result).contains(words), "{tool}: {}", text(&result));
    }
}
