//! Keys from a server, and servers that fail: an error each time, never an empty key.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::harness::{Bench, Reply, server, server_greeting};

/// A corpus of one record, whose key is empty whenever an error is taken for an empty result.
fn one(bench: &Bench) {
    bench.write(
        "one/nde-expand_x.rq",
        "#+ summary: one\n#+ tags: [nde]\n#+ expect-empty: true\nSELECT ?x WHERE { ?s ?p ?x }\n",
    );
}

#[test]
fn a_key_comes_from_a_server_by_post_and_is_live() {
    let bench = Bench::new();
    one(&bench);
    let seen = Arc::new(Mutex::new(String::new()));
    let log = Arc::clone(&seen);
    let url = server(move |request| {
        *log.lock().unwrap() = format!("{}{}\n{}", request.line, request.headers, request.body);
        Reply::json(
            r#"{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"literal","value":"a b"}}]}}"#,
        )
    });
    let lines = bench.json(&format!(
        "reference --corpus one --endpoint {url} --out keys"
    ));
    assert_eq!(
        (&lines[0]["rows"], &lines[0]["kind"]),
        (&1.into(), &"live".into())
    );
    let seen = seen.lock().unwrap();
    assert!(seen.starts_with("POST /sparql HTTP/1.1"), "{seen}");
    assert!(
        seen.contains("content-type: application/x-www-form-urlencoded")
            && seen.contains("query=SELECT"),
        "{seen}"
    );
    assert_eq!(
        bench.read("keys/nde-expand_x.csv").trim_end(),
        "x\r\na b".replace("\r\n", "\n")
    );
    assert!(!bench.path("keys/nde-expand_x.reconstruction.csv").exists());
}

#[test]
fn an_error_is_an_error_with_its_reply_kept_and_no_key() {
    for (name, reply, words) in [
        (
            "500",
            (
                "500 Internal Server Error",
                "Content-Type: text/plain\r\n",
                "the index is on fire",
            ),
            "the index is on fire",
        ),
        (
            "a time-out that says 200",
            (
                "200 OK",
                "Content-Type: application/json\r\n",
                "{\"timeout\":300}",
            ),
            "timeout",
        ),
        (
            "a partial result",
            (
                "200 OK",
                "Content-Type: application/sparql-results+json\r\nX-SQL-State: S1TAT\r\n",
                "{\"head\":{\"vars\":[\"x\"]},\"results\":{\"bindings\":[]}}",
            ),
            "partial",
        ),
        (
            "an empty reply",
            (
                "200 OK",
                "Content-Type: application/sparql-results+json\r\n",
                "",
            ),
            "empty",
        ),
        (
            "a reply that breaks off",
            (
                "200 OK",
                "Content-Type: application/sparql-results+json\r\n",
                "{\"head\":{\"vars\":[\"x\"]},\"results\":{\"bindings\":[{\"x\":",
            ),
            "",
        ),
    ] {
        let bench = Bench::new();
        one(&bench);
        let (status, headers, body) = reply;
        let url = server(move |_| Reply::new(status, headers, body));
        bench.write("keys/nde-expand_x.csv", "from an earlier run\n");

        let output = bench.run(&format!(
            "reference --corpus one --endpoint {url} --out keys --json"
        ));
        assert_eq!(output.status.code(), Some(1), "{name}");
        let lines: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(lines[0]["rows"], serde_json::Value::Null, "{name}");
        assert!(
            lines[0]["error"].to_string().contains(words),
            "{name}: {}",
            lines[0]["error"]
        );
        assert!(
            !bench.path("keys/nde-expand_x.csv").exists(),
            "{name}: a key of an earlier run stands in for it"
        );
        assert_eq!(
            bench.read_json("keys/nde-expand_x.error.json")["reply"],
            body,
            "{name}"
        );

        // Without a key there is nothing to check, to score, or to run.
        assert_eq!(
            bench
                .run(&format!("selfcheck --corpus one --endpoint {url}"))
                .status
                .code(),
            Some(1),
            "{name}"
        );
        bench.write("answer.csv", "x\n");
        let line = format!(
            "score --corpus one --endpoint {url} --record nde-expand_x --answer answer.csv"
        );
        let output = bench.run(&line);
        assert_eq!(
            (output.status.code(), output.stdout.len()),
            (Some(1), 0),
            "{name}"
        );
        let line =
            format!("run --corpus one --endpoint {url} --agent baseline:reference --out runs");
        assert_eq!(bench.run(&line).status.code(), Some(1), "{name}");
        assert!(!bench.path("runs").exists(), "{name}");
    }
}

#[test]
fn a_table_of_other_columns_is_no_key() {
    let bench = Bench::new();
    one(&bench);
    let broken = Arc::new(AtomicBool::new(false));
    let is_broken = Arc::clone(&broken);
    let url = server(move |_| {
        Reply::json(if is_broken.load(Ordering::SeqCst) {
            r#"{"head":{},"boolean":true}"#
        } else {
            r#"{"head":{"vars":["x"]},"results":{"bindings":[]}}"#
        })
    });
    let at = format!("--corpus one --endpoint {url}");
    bench.json(&format!("run {at} --agent baseline:reference --out runs"));
    broken.store(true, Ordering::SeqCst);
    for line in [
        format!("reference {at}"),
        format!("selfcheck {at}"),
        format!("run {at} --agent baseline:reference --out again"),
        format!("run {at} --agent baseline:reference --out runs"),
        format!("publish {at} runs --out site"),
        format!("controls --endpoint {url} --tier heart"),
    ] {
        let output = bench.run(&line);
        assert_eq!(output.status.code(), Some(1), "{line}");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(
            said.contains("the reply's columns (boolean) are not the query's ("),
            "{line}: {said}"
        );
    }
    assert!(!bench.path("again").exists() && !bench.path("site").exists());
}

#[test]
fn a_reply_cannot_talk_to_the_terminal() {
    let bench = Bench::new();
    one(&bench);
    let url = server(|_| Reply::new("500 Oops", "Content-Type: text/plain\r\n", "\u{1b}[2Jgone"));
    let output = bench.run(&format!("reference --corpus one --endpoint {url}"));
    let said = [output.stdout, output.stderr].concat();
    assert!(String::from_utf8_lossy(&said).contains("[2Jgone"));
    assert!(!said.contains(&0x1b));
}

#[test]
fn a_server_that_says_when_to_come_back_is_asked_again() {
    let bench = Bench::new();
    one(&bench);
    let url = server(|request| {
        if request.place == 0 {
            Reply::new("429 Too Many Requests", "Retry-After: 1\r\n", "slow down")
        } else {
            Reply::json(r#"{"head":{"vars":["x"]},"results":{"bindings":[]}}"#)
        }
    });
    let started = std::time::Instant::now();
    let lines = bench.json(&format!("reference --corpus one --endpoint {url}"));
    assert_eq!(lines[0]["rows"], 0);
    assert!(started.elapsed() >= std::time::Duration::from_secs(1));
    let ms = lines[0]["ms"].as_f64().unwrap();
    assert!(ms < 1000.0, "{ms} ms: waiting is not the query's time");
}

/// What a server may say about when to come back, and about how long is waited then: at least so long, and less than half a
/// second more.
#[test]
fn a_refusal_that_passes_is_waited_for_as_the_server_says_or_a_second() {
    let date = |seconds| {
        let then = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(seconds);
        jiff::fmt::rfc2822::DateTimePrinter::new()
            .timestamp_to_rfc9110_string(&then)
            .unwrap()
    };
    for (name, status, after, least) in [
        // First, while the date is still to come. Dates tell whole seconds.
        ("a date by ours", 429, date(2), 1.0),
        ("seconds", 429, "1".to_owned(), 1.0),
        (
            "a date by the server's own clock",
            503,
            "Sun, 06 Nov 1994 08:49:38 GMT\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT".to_owned(),
            1.0,
        ),
        ("a date that has passed", 503, date(-60), 0.0),
        ("nothing", 429, String::new(), 1.0),
    ] {
        let bench = Bench::new();
        one(&bench);
        let headers = match after.as_str() {
            "" => String::new(),
            after => format!("Retry-After: {after}\r\n"),
        };
        let url = server(move |request| {
            if request.place == 0 {
                Reply::new(&format!("{status} Later"), &headers, "slow down")
            } else {
                Reply::json(r#"{"head":{"vars":["x"]},"results":{"bindings":[]}}"#)
            }
        });
        let started = std::time::Instant::now();
        let output = bench.run(&format!(
            "run --corpus one --endpoint {url} --agent baseline:reference --out runs --json"
        ));
        assert!(output.status.success(), "{name}");
        let took = started.elapsed().as_secs_f64();
        assert!((least..least + 4.0).contains(&took), "{name}: {took}");
    }
}

/// An error without a word about when to come back is told at once, in the server's words.
#[test]
fn what_does_not_pass_by_waiting_is_not_waited_for() {
    for (name, reply, words) in [
        (
            "a query that the server cannot read",
            (
                "400 Bad Request",
                "text/plain",
                "undefined prefix at line 1",
            ),
            "undefined prefix at line 1",
        ),
        (
            "a server that is overloaded and does not say for how long",
            (
                "503 Service Unavailable",
                "text/plain",
                "no answer within 30 s",
            ),
            "no answer within 30 s",
        ),
        (
            "CSV that ends in an error",
            ("200 OK", "text/csv", "x\r\n1\r\n!!!!>># an error occurred"),
            "an error occurred",
        ),
        (
            "XML with a stack trace in the middle",
            (
                "200 OK",
                "application/sparql-results+xml",
                "<?xml version=\"1.0\"?><sparql xmlns=\"http://www.w3.org/2005/sparql-results#\"><head>\
                 <variable name=\"x\"/></head><results><result><binding name=\"x\">\
                 java.lang.OutOfMemoryError: Java heap space at org.example.Iterator<init>(Iterator.java:1)",
            ),
            "not SPARQL results",
        ),
        (
            "a part of the results",
            (
                "206 Partial Content",
                "application/sparql-results+json",
                "{\"head\":{\"vars\":[\"x\"]},\"results\":{\"bindings\":[]}}",
            ),
            "partial",
        ),
    ] {
        let bench = Bench::new();
        one(&bench);
        let (status, media_type, body) = reply;
        let asked = Arc::new(Mutex::new(0));
        let count = Arc::clone(&asked);
        let url = server(move |_| {
            *count.lock().unwrap() += 1;
            Reply::new(status, &format!("Content-Type: {media_type}\r\n"), body)
        });
        let line = format!("reference --corpus one --endpoint {url} --json");
        let output = bench.run(&line);
        assert_eq!(output.status.code(), Some(1), "{name}");
        let lines: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(lines[0]["rows"], serde_json::Value::Null, "{name}");
        let error = &lines[0]["error"];
        assert!(
            error["message"].to_string().contains(words),
            "{name}: {error}"
        );
        assert_eq!(error["reply"], body, "{name}");
        assert_eq!(*asked.lock().unwrap(), 1, "{name}");
    }
}

#[test]
fn a_long_query_goes_in_the_body() {
    let bench = Bench::new();
    let terms: Vec<String> = (0..450)
        .map(|number| format!("<http://e/{number:010}>"))
        .collect();
    let terms = terms.join("\n");
    assert!(terms.len() > 9_000);
    bench.write(
        "one/nde-expand_x.rq",
        format!("#+ summary: one\nSELECT ?x WHERE {{ VALUES ?x {{ {terms} }} }}\n"),
    );
    let seen = Arc::new(Mutex::new((String::new(), 0)));
    let log = Arc::clone(&seen);
    let url = server(move |request| {
        *log.lock().unwrap() = (request.line.clone(), request.body.len());
        Reply::json(r#"{"head":{"vars":["x"]},"results":{"bindings":[]}}"#)
    });
    bench.json(&format!("reference --corpus one --endpoint {url}"));
    let (line, length) = seen.lock().unwrap().clone();
    assert_eq!(line.trim_end(), "POST /sparql HTTP/1.1");
    assert!(length > 9_000, "{length}");
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    let bench = Bench::new();
    one(&bench);
    let url = server(|_| Reply::Hang);
    let output = bench.run(&format!(
        "reference --corpus one --endpoint {url} --timeout 1"
    ));
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("no answer within 1 s")
    );
}

#[test]
fn a_server_that_is_not_there_is_not_an_empty_key() {
    let bench = Bench::new();
    one(&bench);
    // Port 9 is "discard": nothing listens there.
    let output = bench.run("score --corpus one --endpoint http://127.0.0.1:9/ --record nde-expand_x --answer one/nde-expand_x.rq");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("cannot reach http://127.0.0.1:9/") && said.contains("hint:"),
        "{said}"
    );
}

#[test]
fn whose_data_a_server_has_is_what_it_says_and_nothing_where_it_was_not_reached() {
    const ROWS: &str = r#"{"head":{"vars":["x"]},"results":{"bindings":[]}}"#;
    let bench = Bench::new();
    one(&bench);
    let notes = |notes: &str| {
        let headers = format!("Content-Type: application/sparql-results+json\r\n{notes}");
        Reply::new("200 OK", &headers, ROWS)
    };
    let mine = "X-OKN-Server: mine\r\nX-OKN-Release: 7\r\n";
    let made_up = "X-OKN-Server: made-up\r\nX-OKN-Kind: reconstruction\r\n";
    let unnamed = server(|_| Reply::json(ROWS));
    let live = server_greeting(notes(mine), move |_| notes(mine));
    // It closes the connection on a hello, and says its name with the first table.
    let late = server_greeting(Reply::Hang, move |_| notes(made_up));
    let gone = "http://127.0.0.1:9/".to_owned();
    for (url, kind, name, said) in [
        (
            &unnamed,
            "live",
            "127.0.0.1",
            format!("data: live, {unnamed}, which gives itself no name"),
        ),
        (
            &live,
            "live",
            "mine",
            format!("data: live, {live} (mine), release 7"),
        ),
        (
            &late,
            "reconstruction",
            "made-up",
            "data: reconstruction of published figures (made-up)".to_owned(),
        ),
        (
            &gone,
            "unreached",
            "127.0.0.1",
            format!("data: none, {gone} was not reached"),
        ),
    ] {
        let output = bench.run(&format!("reference --corpus one --endpoint {url}"));
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.contains(&said), "{told}");
        let output = bench.run(&format!("reference --corpus one --json --endpoint {url}"));
        let lines: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&lines[0]["kind"], &lines[0]["server"]),
            (&kind.into(), &name.into())
        );
    }
}

/// A server that closes the connection on a hello says whose data it serves with the keys, and not before.
#[test]
fn a_sweep_over_a_server_that_says_its_name_late_goes_on_and_is_published() {
    const ROWS: &str = r#"{"head":{"vars":["x"]},"results":{"bindings":[]}}"#;
    let bench = Bench::new();
    one(&bench);
    let is_other = Arc::new(AtomicBool::new(false));
    let other = Arc::clone(&is_other);
    let late = server_greeting(Reply::Hang, move |_| {
        let name = if other.load(Ordering::SeqCst) {
            "other"
        } else {
            "made-up"
        };
        let headers = format!(
            "Content-Type: application/sparql-results+json\r\nX-OKN-Server: {name}\r\nX-OKN-Kind: reconstruction\r\n"
        );
        Reply::new("200 OK", &headers, ROWS)
    });
    let at = format!("--corpus one --endpoint {late}");
    let run = format!("run {at} --agent baseline:silent --out runs");
    assert_eq!(bench.json(&run)["summary"]["made"], 1);
    let again = format!("{run} --repeat 2");
    let report = bench.json(&again);
    assert_eq!(
        (&report["summary"]["made"], &report["summary"]["kept"]),
        (&1.into(), &1.into())
    );
    let publish = format!("publish {at} runs --out site");
    assert_eq!(bench.json(&publish)["attempts"], 2);

    // Other data are found out all the same, once they have said so.
    is_other.store(true, Ordering::SeqCst);
    for (line, words) in [
        (again, "provenance.server"),
        (publish.replace("site", "other"), "was run on"),
    ] {
        let output = bench.run(&line);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
    }
    assert!(!bench.path("other").exists());
}

#[test]
fn an_endpoint_is_embedded_or_an_address() {
    let output = Bench::new().run("reference --endpoint ftp://example.org");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("an endpoint is `embedded`, or an address")
    );
}

#[test]
fn what_is_secret_in_an_address_is_neither_shown_nor_stored() {
    let bench = Bench::new();
    one(&bench);
    for address in [
        "http://me:hunter2@127.0.0.1:1/sparql",
        "me:hunter2@127.0.0.1/sparql",
        "HTTP://hunter2@127.0.0.1/sparql",
    ] {
        let told = bench.run(&format!("reference --corpus one --endpoint {address}"));
        let said = String::from_utf8_lossy(&told.stderr).into_owned();
        assert_eq!(told.status.code(), Some(2), "{said}");
        assert!(
            said.contains("hint:") && !said.contains("hunter2"),
            "{said}"
        );
    }

    let seen = Arc::new(Mutex::new(String::new()));
    let log = Arc::clone(&seen);
    let url = server(move |request| {
        log.lock().unwrap().clone_from(&request.line);
        Reply::json(r#"{"head":{"vars":["x"]},"results":{"bindings":[]}}"#)
    });
    let run = "run --corpus one --agent baseline:silent --out runs --json --endpoint";
    let output = bench.run(&format!("{run} {url}?token=hunter2&hunter2"));
    assert!(output.status.success(), "{output:?}");
    assert!(seen.lock().unwrap().contains("?token=hunter2&hunter2"));
    let manifest = bench.read_json("runs/manifest.json");
    assert_eq!(
        manifest["condition"]["provenance"]["endpoint"],
        format!("{url}?token=***&***")
    );
    let gone =
        bench.run("reference --corpus one --endpoint http://127.0.0.1:1/sparql?token=hunter2");
    for told in [output, gone] {
        let said = [told.stdout, told.stderr].concat();
        assert!(!String::from_utf8_lossy(&said).contains("hunter2"));
    }
}
