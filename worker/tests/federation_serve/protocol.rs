//! Which requests are answered, which are refused, and in which words.

use std::time::{Duration, Instant};

use crate::bench::Endpoint;

const QUERY: &str =
    "?query=SELECT%20%3Fs%20WHERE%20%7B%20%3Fs%20%3Chttp%3A%2F%2Fe%2Fp%3E%20%3Fo%20%7D";
const FORM: &str = "application/x-www-form-urlencoded";
const DIRECT: &str = "application/sparql-query";
const JSON: &str = "application/sparql-results+json";
const ROWS: &str = "http://e/a";

/// Method, what is behind the address, content type, Accept, body; status, media type and some words of the reply.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    u16,
    &'static str,
    &'static str,
);

const CASES: [Case; 36] = [
    // Three ways to ask, and HEAD.
    ("GET", QUERY, "", "", "", 200, JSON, ROWS),
    (
        "POST",
        "",
        FORM,
        "",
        "query=SELECT+?s+{?s+<http://e/p>+?o}",
        200,
        JSON,
        ROWS,
    ),
    (
        "POST",
        "",
        "application/x-www-form-urlencoded; charset=utf-8",
        "",
        "query=SELECT+?s+{?s+<http://e/p>+?o}",
        200,
        JSON,
        ROWS,
    ),
    (
        "POST",
        "",
        DIRECT,
        "",
        "SELECT ?s { ?s <http://e/p> ?o }",
        200,
        JSON,
        ROWS,
    ),
    ("HEAD", QUERY, "", "", "", 200, JSON, ""),
    // Forms of a table.
    ("GET", QUERY, "", "*/*", "", 200, JSON, ROWS),
    ("GET", QUERY, "", "application/json", "", 200, JSON, ROWS),
    (
        "GET",
        QUERY,
        "",
        "application/sparql-results+xml",
        "",
        200,
        "application/sparql-results+xml",
        "<uri>http://e/a</uri>",
    ),
    (
        "GET",
        QUERY,
        "",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "",
        200,
        "application/sparql-results+xml",
        "<uri>",
    ),
    (
        "GET",
        QUERY,
        "",
        "text/csv",
        "",
        200,
        "text/csv; charset=utf-8",
        "s\r\nhttp://e/a",
    ),
    (
        "GET",
        QUERY,
        "",
        "text/tab-separated-values",
        "",
        200,
        "text/tab-separated-values; charset=utf-8",
        "?s\n<http://e/a>",
    ),
    (
        "GET",
        QUERY,
        "",
        "text/csv;q=0.5, application/json;q=0.9",
        "",
        200,
        JSON,
        ROWS,
    ),
    (
        "GET",
        QUERY,
        "",
        "text/turtle",
        "",
        406,
        "text/plain",
        "application/sparql-results+json, ",
    ),
    // Forms of a truth value and of a graph.
    (
        "POST",
        "",
        DIRECT,
        "",
        "ASK { ?s <http://e/p> ?o }",
        200,
        JSON,
        "\"boolean\":true",
    ),
    (
        "POST",
        "",
        DIRECT,
        "text/csv",
        "ASK { ?s <http://e/x> ?o }",
        200,
        "text/csv; charset=utf-8",
        "false",
    ),
    (
        "POST",
        "",
        DIRECT,
        "",
        "CONSTRUCT WHERE { ?s <http://e/p> ?o }",
        200,
        "text/turtle",
        "<http://e/a> <http://e/p> <http://e/b>",
    ),
    (
        "POST",
        "",
        DIRECT,
        "application/n-triples",
        "DESCRIBE <http://e/a>",
        200,
        "application/n-triples",
        "<http://e/a> <http://e/name> \"lait\"@fr .\n",
    ),
    (
        "POST",
        "",
        DIRECT,
        "text/csv",
        "CONSTRUCT WHERE { ?s <http://e/p> ?o }",
        406,
        "text/plain",
        "text/turtle, application/n-triples",
    ),
    // The endpoint about itself.
    (
        "GET",
        "",
        "",
        "",
        "",
        200,
        "text/turtle",
        "sd:UnionDefaultGraph",
    ),
    (
        "GET",
        "",
        "",
        "application/n-triples",
        "",
        200,
        "application/n-triples",
        "sparql-service-description#endpoint",
    ),
    // No query, or none that can be read.
    (
        "GET",
        "?default-graph-uri=http://e/one",
        "",
        "",
        "",
        400,
        "text/plain",
        "no query; give it as the parameter `query`",
    ),
    (
        "GET",
        "?queri=ASK%7B%7D",
        "",
        "",
        "",
        400,
        "text/plain",
        "no query",
    ),
    ("POST", "", FORM, "", "", 400, "text/plain", "no query"),
    (
        "POST",
        "",
        FORM,
        "",
        "query=ASK{}&query=ASK{}",
        400,
        "text/plain",
        "2 queries; give one",
    ),
    (
        "POST",
        QUERY,
        DIRECT,
        "",
        "ASK {}",
        400,
        "text/plain",
        "a query in the address and another in the body",
    ),
    (
        "POST",
        "",
        DIRECT,
        "",
        "SELECT ?s\nWHERE { ?s e:p ?o }",
        400,
        "text/plain",
        "2:",
    ),
    ("POST", "", DIRECT, "", "", 400, "text/plain", "1:1"),
    (
        "POST",
        "",
        DIRECT,
        "",
        "SELECT * { SERVICE <http://e/> { ?s ?p ?o } }",
        400,
        "text/plain",
        "name the graph with GRAPH or FROM instead",
    ),
    (
        "POST",
        "?default-graph-uri=none",
        DIRECT,
        "",
        "ASK {}",
        400,
        "text/plain",
        "default-graph-uri `none` is no IRI",
    ),
    // Nothing is ever written.
    (
        "POST",
        "",
        FORM,
        "",
        "update=CLEAR+ALL",
        403,
        "text/plain",
        "read-only",
    ),
    (
        "POST",
        "",
        "application/sparql-update",
        "",
        "CLEAR ALL",
        403,
        "text/plain",
        "read-only",
    ),
    (
        "POST",
        "",
        DIRECT,
        "",
        "CLEAR ALL",
        400,
        "text/plain",
        "an update, and the federation is read-only",
    ),
    // Other ways to send.
    (
        "POST",
        "",
        "application/json",
        "",
        "{}",
        415,
        "text/plain",
        "send application/x-www-form-urlencoded or application/sparql-query",
    ),
    (
        "POST",
        "",
        "",
        "",
        "ASK {}",
        415,
        "text/plain",
        "a body without a content type",
    ),
    (
        "PUT",
        QUERY,
        DIRECT,
        "",
        "ASK {}",
        405,
        "text/plain",
        "ask by GET or POST",
    ),
    (
        "DELETE",
        "",
        "",
        "",
        "",
        405,
        "text/plain",
        "ask by GET or POST",
    ),
];

#[tokio::test]
async fn each_request_has_its_outcome() {
    let endpoint = Endpoint::new().await;
    for (method, behind, content_type, accept, body, status, media_type, words) in CASES {
        let case = format!("{method} {behind} {content_type} {accept} {body}");
        let mut headers = Vec::new();
        if !content_type.is_empty() {
            headers.push(("content-type", content_type));
        }
        if !accept.is_empty() {
            headers.push(("accept", accept));
        }
        let reply = endpoint.send(method, behind, &headers, body).await;
        assert_eq!(reply.status, status, "{case}: {}", reply.body);
        let sent = reply.header("content-type");
        assert!(sent.starts_with(media_type), "{case}: {sent}");
        assert!(reply.body.contains(words), "{case}: {}", reply.body);
        if status == 405 {
            assert_eq!(reply.header("allow"), "GET, HEAD, POST, OPTIONS");
        }
        assert_eq!(reply.header("x-okn-server"), "okn-benchmark", "{case}");
        assert_eq!(reply.header("access-control-allow-origin"), "*", "{case}");
    }
}

#[tokio::test]
async fn a_mistake_is_placed_by_line_and_column() {
    let endpoint = Endpoint::new().await;
    let reply = endpoint
        .ask("SELECT ?s\nWHERE { ?s e:p ?o }", &[], "")
        .await;
    assert!(reply.body.starts_with("2:12: "), "{}", reply.body);
    assert!(reply.body.contains("e:"), "{}", reply.body);
}

#[tokio::test]
async fn a_page_of_another_origin_may_ask_in_every_way() {
    let endpoint = Endpoint::new().await;
    let headers = [
        ("origin", "https://example.org"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type, accept"),
        ("access-control-request-private-network", "true"),
    ];
    let reply = endpoint.send("OPTIONS", "", &headers, "").await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("access-control-allow-origin"), "*");
    assert_eq!(reply.header("access-control-allow-methods"), "GET,POST");
    assert_eq!(reply.header("access-control-allow-headers"), "*");
    assert_eq!(reply.header("access-control-allow-private-network"), "true");

    let headers = [("origin", "https://example.org")];
    let reply = endpoint.send("GET", QUERY, &headers, "").await;
    assert_eq!(
        reply.header("access-control-expose-headers"),
        "x-okn-server,x-okn-kind,x-okn-release"
    );
    // A refusal that a page cannot read would look like a server that is down.
    let reply = endpoint.send("GET", "?query=nonsense", &headers, "").await;
    assert_eq!(
        (reply.status, reply.header("access-control-allow-origin")),
        (400, "*")
    );
}

#[tokio::test]
async fn a_query_that_takes_too_long_ends_and_the_next_one_is_answered() {
    let endpoint = Endpoint::with(Duration::from_millis(300)).await;
    let values: String = (0..3000)
        .flat_map(|number| [number.to_string(), " ".to_owned()])
        .collect();
    let endless = format!(
        "SELECT (COUNT(*) AS ?n) {{ VALUES ?a {{ {values} }} VALUES ?b {{ {values} }} \
         ?s ?p ?o . ?t ?q ?r . ?u ?v ?w FILTER(?a + ?b = -1) }}"
    );
    let started = Instant::now();
    // As many as there are places, and one that waits for one of them.
    let (first, second, third) = tokio::join!(
        endpoint.ask(&endless, &[], ""),
        endpoint.ask(&endless, &[], ""),
        endpoint.ask(&endless, &[], ""),
    );
    for reply in [first, second, third] {
        assert_eq!(reply.status, 503);
        assert_eq!(
            reply.body,
            "no answer within 0.3 s, the time limit of this endpoint\n"
        );
        assert_eq!(reply.header("retry-after"), "", "waiting does not help");
    }
    assert!(started.elapsed() < Duration::from_secs(5));
    let reply = endpoint.send("GET", QUERY, &[], "").await;
    assert_eq!(reply.status, 200);
}

#[tokio::test]
async fn a_body_that_is_too_long_and_an_address_elsewhere_are_refused() {
    let endpoint = Endpoint::new().await;
    let long = "#".repeat((4 << 20) + 1);
    let reply = endpoint.ask(&long, &[], "").await;
    assert_eq!(reply.status, 413, "{}", reply.body);
    let reply = endpoint.send("GET", "/update", &[], "").await;
    assert_eq!(reply.status, 404);
    assert_eq!(reply.body, "the endpoint is at /sparql\n");
}
