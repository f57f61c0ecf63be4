//! The tools over an endpoint on the network, with data that are nobody's reconstruction.

use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt as _;
use serde_json::json;
use tokio::net::TcpListener;
use worker::endpoint::Endpoint;
use worker::mcp::serve::{Bench, Server};
use worker::output::Output;
use worker::serve::{Data, Limits, app};
use worker::settings::{EndpointChoice, EndpointPlace};

use crate::bench::Client;

const DATA: &str = r#"
PREFIX o: <http://purl.obolibrary.org/obo/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX oio: <http://www.geneontology.org/formats/oboInOwl#>
PREFIX schema: <http://schema.org/>
GRAPH <https://purl.org/okn/frink/kg/ubergraph> {
    o:MONDO_1 rdfs:label "Heart disease" ; oio:hasExactSynonym "Cardiac Disease"@en .
    o:MONDO_2 rdfs:label "myocarditis" ; rdfs:subClassOf o:MONDO_1 , [ a rdfs:Class ] .
}
GRAPH <https://purl.org/okn/frink/kg/nde> { <http://e/set> schema:healthCondition o:MONDO_2 . }
GRAPH <http://e/other> { <http://e/a> <http://e/p> 1 . }
"#;

#[tokio::test]
async fn a_server_on_the_network_is_asked_what_its_indexes_can_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data.trig");
    std::fs::write(&file, DATA).unwrap();
    let limits = Limits {
        timeout: Duration::from_secs(30),
        at_once: 2,
    };
    let served = app(Data::files(&[file]).unwrap(), limits);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/sparql", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, served).await });

    let choice = EndpointChoice {
        place: EndpointPlace::Remote(url),
        timeout: Duration::from_secs(30),
    };
    let endpoint = Arc::new(Endpoint::open(&choice).await.unwrap());
    let tools_server = Server::new(endpoint, Arc::new(Bench::default()), Output::new(false));
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move { tools_server.serve(theirs).await.unwrap().waiting().await });
    let client = Client(().serve(ours).await.unwrap());

    let info = client.0.peer_info().unwrap();
    assert_eq!(info.server_info.as_ref().unwrap().name, "okn-benchmark");
    assert!(
        !info
            .instructions
            .as_ref()
            .unwrap()
            .contains("reconstruction")
    );
    let listed = client.payload("list_graphs", json!({})).await;
    let names = listed["graphs"].as_array().unwrap().iter();
    let names: Vec<_> = names
        .map(|graph| graph["graph_name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["http://e/other", "nde", "ubergraph"]);
    assert_eq!(listed["graphs"][1].get("triples"), None);

    for (label, kind) in [
        ("heart DISEASE", "exact_label"),
        ("cardiac disease", "exact_synonym"),
    ] {
        let found = client
            .payload("lookup_uri", json!({ "label": label }))
            .await;
        assert_eq!(found["match_count"], 1, "{label}");
        assert_eq!(
            found["matches"][0]["uri"],
            "http://purl.obolibrary.org/obo/MONDO_1"
        );
        assert_eq!(found["matches"][0]["match_type"], kind);
    }
    let query = "SELECT ?s WHERE { ?s <http://schema.org/healthCondition> <http://purl.obolibrary.org/obo/MONDO_1> }";
    let arguments = json!({ "graph_name": "nde", "query_string": query });
    let reply = client.payload("query", arguments).await;
    assert_eq!(reply["data"], json!([["http://e/set"]]));
    assert_eq!(reply["ontology_expansion"]["total_concepts"], 2);

    // What the endpoint refuses is told to the agent in the endpoint's words.
    let arguments = json!({
        "graph_name": "nde", "query_string": "SELECT * { SERVICE <http://e/> { ?s ?p ?o } }", "auto_expand_descendants": false,
    });
    let error = client.payload("query", arguments).await["error"].to_string();
    assert!(
        error.contains("name the graph with GRAPH or FROM instead"),
        "{error}"
    );
}
