use super::*;
use ReplyErrorKind as Kind;

const JSON: (&str, &str) = ("Content-Type", "application/sparql-results+json");
const ROWS: &str = r#"{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"literal","value":"an error occurred"}}]}}"#;

fn reply(status: u16, headers: &[(&str, &str)], body: &str) -> Result<Table, ReplyError> {
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    parse_reply(status, &headers, body.as_bytes())
}

#[test]
fn what_is_results_is_read() {
    let xml = r#"<?xml version="1.0"?><sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="x"/></head><results><result><binding name="x"><literal>an error occurred</literal></binding></result></results></sparql>"#;
    for (name, headers, body) in [
        ("json", &[JSON][..], ROWS.to_owned()),
        ("json by its beginning", &[], format!("\u{FEFF} {ROWS}")),
        (
            "json as plain text",
            &[("content-type", "text/plain")],
            ROWS.to_owned(),
        ),
        (
            "json with parameters",
            &[("Content-Type", "Application/JSON; charset=utf-8")],
            ROWS.to_owned(),
        ),
        (
            "json with errors that are none",
            &[JSON],
            ROWS.replace(r#"{"head""#, r#"{"error":null,"errors":[],"head""#),
        ),
        (
            "xml",
            &[("content-type", "application/sparql-results+xml")],
            xml.to_owned(),
        ),
        (
            "csv",
            &[("content-type", "text/csv; header=present")],
            "x\nan error occurred\n".to_owned(),
        ),
        (
            "tsv",
            &[("content-type", "text/tab-separated-values")],
            "?x\n\"an error occurred\"\n".to_owned(),
        ),
    ] {
        let table = reply(200, headers, &body).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(table.columns(), ["x"], "{name}");
        assert_eq!(table.row(0)[0].to_string(), "an error occurred", "{name}");
        assert_eq!(table.len(), 1, "{name}");
    }
    assert_eq!(
        reply(200, &[JSON], r#"{"head":{},"boolean":false}"#)
            .unwrap()
            .as_boolean(),
        Some(false)
    );
    let triples = reply(
        200,
        &[("content-type", "application/n-triples")],
        "<http://e/s> <http://e/p> \"1\" .\n",
    )
    .unwrap();
    assert_eq!(
        table::to_csv(&triples),
        "subject,predicate,object\nhttp://e/s,http://e/p,1\n"
    );
}

/// What the case is, its status, headers and body, and the error's kind and a part of its message.
type Wrong = (
    &'static str,
    u16,
    &'static [(&'static str, &'static str)],
    &'static str,
    Kind,
    &'static str,
);

const BROKEN_XML: &str = "<?xml version=\"1.0\"?><sparql xmlns=\"http://www.w3.org/2005/sparql-results#\"><head><variable name=\"x\"/></head><results><result>\njava.util.concurrent.ExecutionException: <timeout>\n\tat com.example.Task.run(Task.java:1)\n</results></sparql>";

const PARTIAL: &[(&str, &str)] = &[
    JSON,
    ("X-SQL-State", "S1TAT"),
    ("X-SQL-Message", "RC...: Returning incomplete results"),
];

const WRONG: &[Wrong] = &[
    (
        "E1 header",
        200,
        PARTIAL,
        ROWS,
        Kind::Partial,
        "S1TAT: RC...: Returning incomplete results",
    ),
    (
        "E1 status",
        206,
        &[JSON],
        ROWS,
        Kind::Partial,
        "part of the results",
    ),
    (
        "a mark at the top",
        200,
        &[JSON],
        r#"{"partial":true,"head":{"vars":[]},"results":{"bindings":[]}}"#,
        Kind::Partial,
        "not all",
    ),
    (
        "a mark in the results",
        200,
        &[JSON],
        r#"{"head":{"vars":[]},"results":{"incomplete":true,"bindings":[]}}"#,
        Kind::Partial,
        "not all",
    ),
    (
        "E2 json",
        200,
        &[JSON],
        r#"{"head":{"vars":["x"]},"results":{"bindings":[{"x":"#,
        Kind::Truncated,
        "",
    ),
    (
        "E2 csv",
        200,
        &[("content-type", "text/csv")],
        "x\n1\n!!!!>># an error occurred\n",
        Kind::Truncated,
        "an error occurred",
    ),
    (
        "the same in json",
        200,
        &[JSON],
        "{\"head\":{\"vars\":[\"x\"]},\"results\":{\"bindings\":[\n!!!!>># out of memory",
        Kind::Truncated,
        "out of memory",
    ),
    (
        "E3",
        200,
        &[("content-type", "application/sparql-results+xml")],
        BROKEN_XML,
        Kind::NotResults,
        "line 2",
    ),
    (
        "E5",
        400,
        &[("content-type", "text/plain")],
        "undefined prefix at line 1\n",
        Kind::HttpStatus,
        "undefined prefix at line 1",
    ),
    (
        "a refusal in json",
        500,
        &[("content-type", "application/json")],
        r#"{"exception":"out of time","status":"ERROR"}"#,
        Kind::HttpStatus,
        "out of time",
    ),
    (
        "Q6 status",
        500,
        &[],
        "",
        Kind::HttpStatus,
        "status 500 without a word",
    ),
    (
        "Q6 body",
        200,
        &[("content-type", "application/json")],
        r#"{"timeout":300}"#,
        Kind::NotResults,
        "",
    ),
    (
        "E7",
        200,
        &[("Content-Length", "0")],
        "",
        Kind::Empty,
        "no body",
    ),
    ("white space", 200, &[JSON], " \r\n", Kind::Empty, "no body"),
    ("no content", 204, &[], "", Kind::Empty, "no body"),
    (
        "an error alone",
        200,
        &[JSON],
        r#"{"error":"Token \"?pheno\": extraneous input"}"#,
        Kind::ErrorBody,
        "Token \"?pheno\": extraneous input",
    ),
    (
        "an error beside rows",
        200,
        &[JSON],
        r#"{"errors":[{"message":"late"}],"head":{"vars":[]},"results":{"bindings":[]}}"#,
        Kind::ErrorBody,
        "late",
    ),
    (
        "an error with a message",
        200,
        &[JSON],
        r#"{"error":{"code":1,"message":"too complex"}}"#,
        Kind::ErrorBody,
        "too complex",
    ),
    (
        "a page",
        200,
        &[("content-type", "text/html")],
        "<!doctype html>\n<title>Sign in</title>",
        Kind::NotResults,
        "<!doctype html>",
    ),
    (
        "a page without a type",
        200,
        &[],
        "<html><body>Sign in</body></html>",
        Kind::NotResults,
        "",
    ),
    (
        "text",
        200,
        &[("content-type", "text/plain")],
        "Virtuoso 42000 Error The estimated execution time",
        Kind::NotResults,
        "Virtuoso 42000 Error",
    ),
    (
        "a redirect",
        302,
        &[("location", "/login")],
        "",
        Kind::HttpStatus,
        "status 302",
    ),
    (
        "json of something else",
        200,
        &[JSON],
        "[1, 2]",
        Kind::NotResults,
        "",
    ),
];

#[test]
fn what_is_not_results_is_an_error_of_its_kind() {
    for &(id, status, headers, body, kind, message) in WRONG {
        let error = reply(status, headers, body).expect_err(id);
        assert_eq!(error.kind, kind, "{id}: {error}");
        assert_eq!(error.status, status, "{id}");
        assert!(error.message.contains(message), "{id}: {}", error.message);
        assert_eq!(error.body_start, body, "{id}");
        assert_eq!(error.retry_after, None, "{id}");
    }
}

#[test]
fn every_error_has_words() {
    let page = [("Content-Type".to_owned(), "text/html".to_owned())];
    for (body, words) in [
        // Half a character, and nothing else.
        (&b"\n\n\xEC\n"[..], "\u{FFFD}"),
        // White space that is not ASCII's.
        (b"\xC2\xA0\n\xE3\x80\x80", "6 bytes without a word"),
        (b"\xC2\xA0\n<html>\n<p>", "<html>"),
    ] {
        let error = parse_reply(200, &page, body).unwrap_err();
        assert_eq!(
            (error.kind, error.message.as_str()),
            (Kind::NotResults, words)
        );
    }
    let error = reply(206, &[("Content-Range", "")], ROWS).unwrap_err();
    assert_eq!(error.message, "part of the results");
}

#[test]
fn an_error_keeps_2_kb_of_the_body() {
    // E3; the byte at which it is cut is inside the last character that would fit.
    let body = format!("<html>{}", "ü".repeat(2_000));
    let error = reply(200, &[], &body).unwrap_err();
    assert_eq!(error.body_start.len(), BODY_START);
    let shifted = format!("<html >{}", "ü".repeat(2_000));
    let error = reply(200, &[], &shifted).unwrap_err();
    assert_eq!(error.body_start.len(), BODY_START - 1);
    assert!(shifted.starts_with(&error.body_start));
}

#[test]
fn a_server_says_how_long_to_wait() {
    // E4
    let later = ("Retry-After", "Mon, 30 Nov 2026 12:00:30 GMT");
    let now = ("Date", "Mon, 30 Nov 2026 12:00:00 GMT");
    for (headers, seconds) in [
        (&[("Retry-After", "7")][..], Some(7)),
        (&[later, now], Some(30)),
        (&[("retry-after", now.1), ("date", later.1)], Some(0)),
        (&[later], None),
        (&[("Retry-After", "soon")], None),
        (&[], None),
    ] {
        let error = reply(429, headers, "slow down").unwrap_err();
        assert_eq!(error.kind, Kind::HttpStatus);
        assert_eq!(error.retry_after, seconds, "{headers:?}");
    }
}
