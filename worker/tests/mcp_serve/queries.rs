//! `query` and `multi_graph_query`: scope, expansion and what is said about both.

use serde_json::{Value, json};

use crate::bench::Client;

const GENES: &str = "SELECT DISTINCT ?gene WHERE { ?gene <https://w3id.org/biolink/vocab/functional_association> \
                     <http://purl.obolibrary.org/obo/GO_0046879> }";

#[tokio::test]
async fn a_term_stands_for_what_is_below_it_by_default_and_the_reply_says_so() {
    let client = Client::new().await;
    let ask = async |more: Value| {
        let mut arguments = json!({ "graph_name": "pankgraph", "query_string": GENES });
        arguments
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        client.payload("query", arguments).await
    };
    // The published figures: 71 genes with the rewriter on, 5 with it off.
    let expanded = ask(json!({})).await;
    assert_eq!(expanded["count"], 71);
    insta::assert_json_snapshot!("ontology_expansion", expanded["ontology_expansion"]);
    let literal = ask(json!({ "auto_expand_descendants": false })).await;
    assert_eq!(
        (&literal["count"], literal.get("ontology_expansion")),
        (&json!(5), None)
    );
    // No level below, and no room for any, are the term alone; the reply says that it was looked at.
    for none in [json!({ "max_depth": 0 }), json!({ "max_descendants": 1 })] {
        let reply = ask(none).await;
        assert_eq!(reply["count"], 5);
        assert_eq!(reply["ontology_expansion"]["expanded"], false);
        assert_eq!(reply["ontology_expansion"]["total_concepts"], 1);
    }
}

#[tokio::test]
async fn rows_have_the_published_shape() {
    let client = Client::new().await;
    let query = "SELECT ?condition ?name ?none WHERE { ?condition <http://schema.org/name> ?name \
                 FILTER(?condition = <http://purl.obolibrary.org/obo/MONDO_0012727>) } LIMIT 3";
    let arguments = json!({ "graph_name": "nde", "query_string": query });
    insta::assert_json_snapshot!("query", client.payload("query", arguments).await);
}

#[tokio::test]
async fn a_query_looks_in_its_graph_in_those_that_it_names_and_where_it_says_itself() {
    let client = Client::new().await;
    let count = async |graph: &str, query: &str| -> u64 {
        let arguments =
            json!({ "graph_name": graph, "query_string": query, "auto_expand_descendants": false });
        let reply = client.payload("query", arguments).await;
        reply["data"][0][0].as_str().unwrap().parse().unwrap()
    };
    let kg = "PREFIX kg: <https://purl.org/okn/frink/kg/>";
    let all = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }";
    let (nde, rdkg) = (count("nde", all).await, count("rdkg", all).await);
    assert!(nde > 30_000 && rdkg != nde);
    assert_eq!(count("https://purl.org/okn/frink/kg/nde", all).await, nde);
    let other = format!("{kg} SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH kg:rdkg {{ ?s ?p ?o }} }}");
    assert_eq!(count("nde", &other).await, rdkg);
    let from = format!("{kg} SELECT (COUNT(*) AS ?n) FROM kg:rdkg WHERE {{ ?s ?p ?o }}");
    assert_eq!(count("nde", &from).await, rdkg);
    let any = "SELECT (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } }";
    assert_eq!(count("nde", any).await, 0, "a graph that nobody named");
}

/// The two queries on which the public server's rewriter breaks, in their published form.
#[tokio::test]
async fn the_rewriter_does_not_collide_with_an_agents_own_variables() {
    let client = Client::new().await;
    let has = "<https://w3id.org/biolink/vocab/has_phenotype>";
    let root = "<http://purl.obolibrary.org/obo/HP_0000855>";
    let values = format!(
        "SELECT DISTINCT ?pheno WHERE {{ VALUES ?pheno {{ {root} }} ?disease {has} ?pheno }}"
    );
    let bind =
        format!("SELECT DISTINCT ?phen WHERE {{ BIND({root} AS ?phen) ?disease {has} ?phen }}");
    let path = format!(
        "SELECT DISTINCT ?p WHERE {{ GRAPH <https://purl.org/okn/frink/kg/ubergraph> \
         {{ ?p <http://www.w3.org/2000/01/rdf-schema#subClassOf>* {root} }} ?disease {has} ?p }}"
    );
    let ask = async |query: &str, variable: Option<&str>| {
        let arguments = json!({
            "graph_name": "rdkg",
            "query_string": query,
            "bind_expansion_to": variable.map(|name| vec![name]),
            "max_depth": 20,
        });
        client.payload("query", arguments).await
    };
    let sorted = |reply: &Value| {
        let mut rows: Vec<String> = reply["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(ToString::to_string)
            .collect();
        rows.sort();
        rows
    };
    let walked = ask(&path, None).await;
    assert_eq!(
        walked.get("ontology_expansion"),
        None,
        "the query expands by itself"
    );
    let expected = sorted(&walked);
    assert!(expected.len() > 1);
    for (query, variable) in [
        (&values, Some("pheno")),
        (&values, Some("?pheno")),
        (&values, None),
        (&bind, None),
        (&bind, Some("phen")),
    ] {
        let reply = ask(query, variable).await;
        assert_eq!(sorted(&reply), expected, "{query} {variable:?}");
        assert_eq!(reply["ontology_expansion"]["expanded"], true);
    }
}

#[tokio::test]
async fn several_graphs_answer_in_one_table_and_one_failure_is_one_graphs() {
    let client = Client::new().await;
    let queries = json!([
        { "graph_name": "nde", "query_string": "SELECT ?name WHERE { <http://purl.obolibrary.org/obo/MONDO_0012727> <http://schema.org/name> ?name }" },
        { "graph_name": "ubergraph", "query_string": "SELECT ?label WHERE { <http://purl.obolibrary.org/obo/MONDO_0012727> <http://www.w3.org/2000/01/rdf-schema#label> ?label }" },
        { "graph_name": "rdkg", "query_string": "SELECT nonsense" },
    ]);
    let arguments = json!({ "queries": queries, "auto_expand_descendants": false });
    insta::assert_json_snapshot!(
        "multi_graph_query",
        client.payload("multi_graph_query", arguments).await
    );

    // As an object by graph, expanded, without a failure.
    let arguments = json!({ "queries": { "pankgraph": GENES } });
    let reply = client.payload("multi_graph_query", arguments).await;
    assert_eq!(
        (&reply["per_graph"]["pankgraph"], &reply["errors"]),
        (&json!(71), &json!(null))
    );
    assert_eq!(reply["ontology_expansion"]["pankgraph"]["expanded"], true);
}
