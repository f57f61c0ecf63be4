use super::*;
use serde_json::json;

fn kind(result: &serde_json::Value) -> Option<String> {
    soft_error(&result.to_string()).map(|found| found.kind)
}

fn text(text: &str) -> serde_json::Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "a table of cases, some of them on several lines"
)]
fn each_rule_fires_on_its_own_structure() {
    let structured =
        |value: serde_json::Value| json!({ "content": [], "structuredContent": value });
    let cases = [
        ("empty-reply", "no content at all", json!({ "content": [] })),
        ("empty-reply", "blank text", text(" \n")),
        (
            "truncated",
            "SPARQL results cut in a binding",
            text(r#"{"head":{"vars":["x"]},"results":{"bindings":[{"x":"#),
        ),
        ("truncated", "a list cut", text("[1, 2,")),
        (
            "truncated",
            "rows and then a failure",
            text("x\n1\n!!!!>># an error occurred"),
        ),
        (
            "error-member",
            "a reply that calls itself ok",
            text(r#"{"ok": true, "data": [], "error": "HTTP 500"}"#),
        ),
        (
            "error-member",
            "an object as error",
            text(r#"{"error": {"code": 3, "message": "no such graph"}}"#),
        ),
        (
            "error-member",
            "in structured content",
            structured(json!({ "error": "no" })),
        ),
        (
            "error-member",
            "QLever's exception",
            text(r#"{"status":"ERROR","exception":"Invalid SPARQL"}"#),
        ),
        (
            "errors-member",
            "per graph",
            text(r#"{"columns":[],"data":[],"errors":{"nde":"timed out"}}"#),
        ),
        (
            "errors-member",
            "a list",
            text(r#"{"data":null,"errors":["bad"]}"#),
        ),
        ("not-ok", "without a reason", text(r#"{"ok": false}"#)),
        (
            "not-ok",
            "with one",
            text(r#"{"success": false, "message": "index is rebuilding"}"#),
        ),
        (
            "partial-result",
            "said at the top",
            text(r#"{"data":[1],"partial":true}"#),
        ),
        (
            "partial-result",
            "said by SPARQL results",
            text(r#"{"head":{"vars":[]},"results":{"bindings":[],"truncated":true}}"#),
        ),
        (
            "partial-result",
            "said beside SPARQL results",
            text(r#"{"head":{"vars":[]},"results":{"bindings":[]},"truncated":true}"#),
        ),
        (
            "html-page",
            "a gateway's page",
            text("<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>"),
        ),
        (
            "error-text",
            "a status",
            text("Error: HTTP 400 Bad Request"),
        ),
        (
            "error-text",
            "what was being done",
            text("Error executing query: unexpected token"),
        ),
        (
            "error-text",
            "HTTP alone",
            text("HTTP Error 429: Too Many Requests"),
        ),
        (
            "error-text",
            "a phrase alone",
            text("503 Service Unavailable"),
        ),
        (
            "error-text",
            "a trace",
            text("Traceback (most recent call last):\n  File \"x.py\", line 1"),
        ),
        ("error-text", "a type", text("urllib.error.HTTPError: 404")),
        (
            "error-text",
            "a parser's",
            text("Parse error: line 3, column 7"),
        ),
        (
            "error-text",
            "a failure",
            text("Failed to fetch descendants: HTTP Error 429: Too Many Requests"),
        ),
        (
            "error-text",
            "as a JSON string",
            text(r#""Error: HTTP 400""#),
        ),
        (
            "error-text",
            "beside an image",
            json!({ "content": [{ "type": "image", "data": "", "mimeType": "image/png" }, { "type": "text", "text": "Error: no" }] }),
        ),
    ];
    for (expected, name, result) in &cases {
        assert_eq!(kind(result).as_deref(), Some(*expected), "{name}: {result}");
    }
    for rule in RULES {
        assert!(
            cases.iter().any(|(expected, ..)| *expected == rule.kind),
            "no case for {}",
            rule.kind
        );
    }
}

#[test]
fn published_failures_are_seen_with_the_servers_words() {
    let rate_limited = text(
        r#"{"uri": "http://purl.obolibrary.org/obo/MONDO_0004995", "label": "cardiovascular disorder",
            "descendant_count": 0, "descendants": [],
            "error": "Failed to fetch descendants: HTTP Error 429: Too Many Requests"}"#,
    );
    let injected = text(
        r#"{"ok": true, "data": [], "error": "Token \"?pheno\": extraneous input '?pheno' expecting {<IRIREF>, …}"}"#,
    );
    let bound_twice = text(
        r#"{"ok": true, "data": [], "error": "The target variable ?phen of an AS clause was already used before in the query body"}"#,
    );
    for (result, words) in [
        (rate_limited, "HTTP Error 429"),
        (injected, "extraneous input '?pheno'"),
        (bound_twice, "AS clause was already used"),
    ] {
        let found = soft_error(&result.to_string()).unwrap();
        assert_eq!(found.kind, "error-member");
        assert!(found.message.contains(words), "{}", found.message);
    }
}

#[test]
fn data_is_no_failure_whatever_words_are_in_it() {
    for result in [
        text(
            r#"{"data":[{"name":"inborn error of metabolism","error":"yes","errors":[1]}],"error":null,"errors":null}"#,
        ),
        text(r#"{"data":[],"count":0,"errors":{},"error":""}"#),
        text(r#"{"ok":true,"exception":null,"partial":false,"success":true}"#),
        text("condition,datasets\nError: a journal,3"),
        text("error,count\nHTTP Error 429,2"),
        text("error:code,count\n1,2"),
        text("standard error: 0.3"),
        text("404 datasets carry the term"),
        text("The refractive error is caused by: the lens"),
        text("{ ?s ?p ?o } is a group"),
        text("[1] see below"),
        text(r#"{"descendants":["a"],"truncated":true}"#),
        text(r#"{"head":"of the table","results":[1,2]}"#),
        text(r#""just a word""#),
        text("42"),
        json!({ "content": [], "structuredContent": { "rows": [] } }),
        json!({ "content": [{ "type": "image", "data": "", "mimeType": "image/png" }] }),
        json!({ "content": [{ "type": "resource", "resource": { "uri": "a:b", "text": "{\"error\": null}" } }] }),
        json!({ "task": { "taskId": "1", "status": "working" } }),
    ] {
        assert_eq!(kind(&result), None, "{result}");
    }
}

#[test]
fn an_open_error_is_not_a_soft_one() {
    let mut result = text("Error: HTTP 400 Bad Request");
    result["isError"] = json!(true);
    assert_eq!(kind(&result), None);
    result["isError"] = json!(false);
    assert_eq!(kind(&result).as_deref(), Some("error-text"));
    assert_eq!(soft_error("not JSON"), None);
}

#[test]
fn a_long_message_is_kept_as_far_as_a_log_needs_it() {
    let found = soft_error(&text(&format!("Error: {}", "ä".repeat(100_000))).to_string()).unwrap();
    assert_eq!(found.message.chars().count(), ERROR_TEXT);
}

#[test]
fn expansions_are_read_where_the_server_reports_them() {
    let report = |value: serde_json::Value| {
        expansion(
            &text(&json!({ "data": [], "ontology_expansion": value }).to_string()).to_string(),
        )
    };
    let found = report(json!({ "expanded": true, "original_uris": ["a:1", "a:2"], "expanded_uris": { "a:1": 71, "a:2": 3 } })).unwrap();
    assert_eq!((found.term.as_str(), found.terms), ("a:1", Some(71)));
    assert_eq!(found.further, [("a:2".to_owned(), Some(3))]);

    let found = report(json!({ "original_uris": ["a:1"], "total_concepts": 9 })).unwrap();
    assert_eq!((found.term.as_str(), found.terms), ("a:1", Some(9)));

    // A tool that asks several graphs reports by graph.
    let found = report(json!({
        "nde": { "expanded": true, "expanded_uris": { "a:1": 71 } },
        "rdkg": { "expanded": false, "original_uris": ["a:3"] },
        "oard-kg": { "expanded": true, "expanded_uris": { "a:1": 71, "a:2": 3 } },
    }))
    .unwrap();
    assert_eq!((found.term.as_str(), found.terms), ("a:1", Some(71)));
    assert_eq!(found.further, [("a:2".to_owned(), Some(3))]);
    assert_eq!(report(json!({ "nde": { "expanded": false } })), None);
    assert_eq!(report(json!({ "nde": "no report" })), None);

    assert_eq!(
        report(json!({ "expanded": false, "original_uris": ["a:1"] })),
        None
    );
    assert_eq!(report(json!(null)), None);
    assert_eq!(report(json!("ontology_expansion")), None);
    assert_eq!(expansion(r#"{"content":[]}"#), None);
}
