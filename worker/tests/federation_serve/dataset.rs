//! Which graphs a query looks in: those of the request, else those of the query, else all.

use crate::bench::Endpoint;

#[tokio::test]
async fn the_dataset_of_the_request_stands_instead_of_the_querys_own() {
    let endpoint = Endpoint::new().await;
    let one = ("default-graph-uri", "http://e/one");
    let two = ("default-graph-uri", "http://e/two");
    let named = ("named-graph-uri", "http://e/two");
    let count =
        |from: &str, pattern: &str| format!("SELECT (COUNT(*) AS ?n) {from} WHERE {{ {pattern} }}");
    let any = "?s ?p ?o";
    let graph = "GRAPH ?g { ?s ?p ?o }";
    for (query, parameters, expected) in [
        // Nothing said: everything, and every named graph.
        (count("", any), vec![], 9),
        (count("", graph), vec![], 8),
        // The query's own words.
        (count("FROM <http://e/one>", any), vec![], 3),
        (
            count("FROM <http://e/one> FROM <http://e/two>", any),
            vec![],
            8,
        ),
        (count("FROM <http://e/one>", graph), vec![], 0),
        (count("FROM NAMED <http://e/two>", graph), vec![], 5),
        (count("FROM NAMED <http://e/two>", any), vec![], 0),
        // The request's.
        (count("", any), vec![one], 3),
        (count("", any), vec![one, two], 8),
        (count("", graph), vec![one, named], 5),
        (count("", any), vec![named], 0),
        (count("FROM <http://e/two>", any), vec![one], 3),
        (count("FROM NAMED <http://e/one>", graph), vec![named], 5),
        (
            count("", any),
            vec![("default-graph-uri", "http://e/nowhere")],
            0,
        ),
        // By name inside the query.
        (count("", "GRAPH <http://e/two> { ?s ?p ?o }"), vec![], 5),
    ] {
        let reply = endpoint.ask(&query, &parameters, "text/csv").await;
        assert_eq!(
            reply.body,
            format!("n\r\n{expected}\r\n"),
            "{query} {parameters:?}"
        );
    }
}
