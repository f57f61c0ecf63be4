//! Every term as the data have it, in each form.

use crate::bench::Endpoint;

const ALL: &str =
    "PREFIX e: <http://e/> SELECT ?p ?o ?none WHERE { GRAPH ?g { e:a ?p ?o } } ORDER BY ?p ?o";

#[tokio::test]
async fn language_tags_and_datatypes_are_kept_wherever_a_form_has_a_place_for_them() {
    let endpoint = Endpoint::new().await;
    for (name, accept) in [
        ("json", "application/sparql-results+json"),
        ("xml", "application/sparql-results+xml"),
        ("csv", "text/csv"),
        ("tsv", "text/tab-separated-values"),
    ] {
        let reply = endpoint.ask(ALL, &[], accept).await;
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("vary"), "accept");
        // A number in hexadecimal without leading zeros: one in sixteen is shorter than the others.
        insta::with_settings!({ filters => [(r"f0_[0-9a-f]{1,32}", "[BLANK]")] }, {
            insta::assert_snapshot!(name, reply.body);
        });
    }
}

#[tokio::test]
async fn a_client_that_reads_the_four_forms_reads_the_same_table() {
    let endpoint = Endpoint::new().await;
    let query = "PREFIX e: <http://e/> SELECT ?p ?o WHERE { e:a ?p ?o FILTER(!isBlank(?o)) } ORDER BY ?p ?o";
    let mut tables = Vec::new();
    for accept in [
        "application/json",
        "application/xml",
        "text/tab-separated-values",
    ] {
        let reply = endpoint.ask(query, &[], accept).await;
        let headers = [(
            "content-type".to_owned(),
            reply.header("content-type").to_owned(),
        )];
        let table =
            federation::protocol::parse_reply(reply.status, &headers, reply.body.as_bytes());
        tables.push(table.unwrap());
    }
    assert_eq!(tables[0].len(), 8);
    assert_eq!(
        table::to_sparql_json(&tables[0]),
        table::to_sparql_json(&tables[1])
    );
    assert_eq!(
        table::to_sparql_json(&tables[0]),
        table::to_sparql_json(&tables[2])
    );
}

#[tokio::test]
async fn the_description_of_the_service_names_its_graphs_and_their_size() {
    let endpoint = Endpoint::new().await;
    let reply = endpoint.send("GET", "", &[], "").await;
    let host = endpoint.url.clone();
    insta::with_settings!({ filters => [(r"_:\w+", "[BLANK]"), (r"@prefix .*\n", "")] }, {
        insta::assert_snapshot!("description", reply.body.replace(&host, "[ADDRESS]"));
    });
}
