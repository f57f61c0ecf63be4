//! Faults in what a tool replies, seen by a plain client.

use std::time::Duration;

use serde_json::{Value, json};

use crate::bench::{Client, text};

const ROOT: &str = "http://purl.obolibrary.org/obo/MONDO_0007179";

fn query() -> Value {
    json!({ "graph_name": "nde", "query_string": "SELECT ?s WHERE { ?s ?p ?o } LIMIT 1" })
}

#[tokio::test]
async fn a_rate_limit_is_told_in_the_payload_of_the_ontology_tools_only() {
    let client = Client::with(Some("429-in-body"), 0).await;
    let reply = client
        .payload("get_descendants", json!({ "uri": ROOT }))
        .await;
    insta::assert_json_snapshot!("429_get_descendants", reply);
    let reply = client
        .payload("lookup_uri", json!({ "label": "heart", "max_results": 10 }))
        .await;
    insta::assert_json_snapshot!("429_lookup_uri", reply);
    assert_eq!(client.payload("query", query()).await["count"], 1);
}

#[tokio::test]
async fn a_broken_lookup_is_a_build_in_which_the_rest_works() {
    let client = Client::with(Some("broken-lookup"), 0).await;
    let version = client
        .0
        .peer_info()
        .unwrap()
        .server_info
        .clone()
        .unwrap()
        .version;
    assert!(version.ends_with("+fault.broken-lookup"), "{version}");
    let reply = client
        .payload("lookup_uri", json!({ "label": "heart" }))
        .await;
    assert_eq!(
        reply["error"],
        "Lookup failed: HTTP Error 429: Too Many Requests"
    );
    let reply = client
        .payload("get_descendants", json!({ "uri": ROOT, "max_depth": 1 }))
        .await;
    assert!(reply["descendant_count"].as_u64().unwrap() > 0 && reply.get("error").is_none());
}

#[tokio::test]
async fn errors_come_as_text_beside_data_and_by_the_book() {
    let client = Client::with(Some("error-text"), 0).await;
    let result = client.call("query", query()).await.unwrap();
    assert_eq!(
        text(&result),
        "Error: HTTP 400 Bad Request: undefined prefix at line 1"
    );
    assert_ne!(result.is_error, Some(true));

    let client = Client::with(Some("ok-with-error"), 0).await;
    let reply = client.payload("query", query()).await;
    assert_eq!((&reply["ok"], &reply["data"]), (&json!(true), &json!([])));
    assert!(reply["error"].is_string());

    let client = Client::with(Some("rich-error"), 0).await;
    let result = client.call("query", query()).await.unwrap();
    insta::assert_json_snapshot!("rich_error", serde_json::to_value(&result).unwrap());
}

#[tokio::test]
async fn payloads_break_off_or_are_five_megabytes_long() {
    let client = Client::with(Some("cut-json"), 0).await;
    let cut = text(&client.call("query", query()).await.unwrap());
    assert!(cut.starts_with('{') && serde_json::from_str::<Value>(&cut).unwrap_err().is_eof());

    let client = Client::with(Some("5mb"), 0).await;
    let long = text(&client.call("query", query()).await.unwrap());
    assert!(long.len() > 5 << 20);
    let whole: Value = serde_json::from_str(&long).unwrap();
    assert_eq!(whole["count"], whole["data"].as_array().unwrap().len());
}

#[tokio::test]
async fn tools_come_in_pages() {
    let client = Client::with(Some("paged-tools"), 0).await;
    let first = client.0.list_tools(None).await.unwrap();
    assert_eq!(
        (first.tools.len(), first.next_cursor.as_deref()),
        (3, Some("3"))
    );
    let all = client.0.list_all_tools().await.unwrap();
    let whole = Client::new().await.0.list_all_tools().await.unwrap();
    assert_eq!(all, whole);
}

#[tokio::test]
async fn the_rewriter_collides_where_it_did_and_nowhere_else() {
    let root = "<http://purl.obolibrary.org/obo/HP_0000855>";
    let values = json!({
        "graph_name": "rdkg",
        "query_string": format!("SELECT ?pheno WHERE {{ VALUES ?pheno {{ {root} }} ?d ?p ?pheno }} LIMIT 1"),
        "bind_expansion_to": ["pheno"],
    });
    let bind = json!({
        "graph_name": "rdkg",
        "query_string": format!("SELECT ?phen WHERE {{ BIND({root} AS ?phen) ?d ?p ?phen }} LIMIT 1"),
    });
    for (fault, colliding, other, message) in [
        (
            "values-collision",
            &values,
            &bind,
            "Token \"?pheno\": extraneous input '?pheno'",
        ),
        (
            "bind-collision",
            &bind,
            &values,
            "The target variable ?phen of an AS clause was already used before in the query body",
        ),
    ] {
        let client = Client::with(Some(fault), 0).await;
        let reply = client.payload("query", colliding.clone()).await;
        assert_eq!(reply["error"], format!("Query execution failed: {message}"));
        assert_eq!(reply.as_object().unwrap().len(), 1);
        assert_eq!(client.payload("query", other.clone()).await["count"], 1);
        let mut off = colliding.clone();
        off["auto_expand_descendants"] = json!(false);
        assert_eq!(client.payload("query", off).await.get("error"), None);
    }
}

#[tokio::test]
async fn a_call_hangs_and_the_next_is_answered() {
    let client = Client::with(Some("hang"), 1).await;
    assert_eq!(client.payload("query", query()).await["count"], 1);
    let silent = tokio::time::timeout(Duration::from_millis(500), client.call("query", query()));
    assert!(silent.await.is_err());
    assert_eq!(client.payload("query", query()).await["count"], 1);
}
