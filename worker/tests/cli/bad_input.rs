//! Queries that are none, endpoints that fail half-way, and a closure of thirty thousand: an error or a result, never a wrong number.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use crate::harness::{Bench, Reply, Request, server};

const LUPUS: &str = "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nPREFIX e: <http://e/>\n";

#[test]
fn a_query_that_is_none_is_refused_at_its_place() {
    let bench = Bench::new();
    let many = format!(
        "SELECT * {{ ?s ?p ?o FILTER(?o = 1{}) }}",
        " || ?o = 1".repeat(50_000)
    );
    let deep = format!(
        "SELECT * {}?s ?p ?o{}",
        "{".repeat(50_000),
        "}".repeat(50_000)
    );
    for (text, place) in [
        ("this is no SPARQL\n", "own/query.rq:1:1:"),
        ("SELECT ?c WHERE {\n  ?c a\n}\n", "own/query.rq:3:1:"),
        ("SELECT ?c WHERE { ?c a ex:Gene }\n", "own/query.rq:1:24:"),
        ("DELETE WHERE { ?s ?p ?o }\n", "own/query.rq:1:1:"),
        ("", "own/query.rq:1:1:"),
        (&many, "own/query.rq:1:1:"),
        (&deep, "own/query.rq:1:1:"),
    ] {
        bench.write("own/query.rq", text);
        let start: String = text.chars().take(40).collect();
        for (line, status) in [
            ("controls --derive own/query.rq", 2),
            ("lint own/query.rq", 1),
        ] {
            let output = bench.run(line);
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            assert_eq!(output.status.code(), Some(status), "{line} {start}: {said}");
            assert!(said.contains(place), "{line} {start}: {said}");
        }
    }
    bench.write("own/bytes.rq", b"SELECT * { ?s ?p \"\xff\" }");
    assert_eq!(
        bench.run("controls --derive own/bytes.rq").status.code(),
        Some(2)
    );
}

/// The SPARQL that a request carries.
fn query_in(request: &Request) -> String {
    let mut pairs = form_urlencoded::parse(request.body.as_bytes());
    let query = pairs.find(|(name, _)| name == "query").unwrap();
    query.1.into_owned()
}

/// A reply without rows, of the columns that were asked for.
fn nothing(request: &Request) -> Reply {
    let query = federation::parse_query(&query_in(request)).unwrap();
    if matches!(query, spargebra::Query::Ask { .. }) {
        return Reply::json(r#"{"head":{},"boolean":true}"#);
    }
    let vars = record::columns_of(&query);
    Reply::json(&json!({ "head": { "vars": vars }, "results": { "bindings": [] } }).to_string())
}

/// However far an endpoint gets before it fails, and in whatever way it does, there is no report.
#[test]
fn an_endpoint_that_fails_half_way_leaves_no_report() {
    let bench = Bench::new();
    for line in [
        "controls --tier heart --json",
        "criteria nde-expand_heart --json",
        "criteria search --ontology MONDO --graph nde --graph oard-kg --json",
        "controls --derive benchmarks-ontology/nde-expand_heart.rq --keyword card --json",
    ] {
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        let url = server(move |request| {
            counted.fetch_add(1, Ordering::SeqCst);
            nothing(request)
        });
        let output = bench.run(&format!("{line} --endpoint {url}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {said}");
        let queries = asked.load(Ordering::SeqCst);
        assert!(queries > 2, "{line}: {queries}");
        for failing in 0..queries {
            let url = server(move |request| {
                if request.place < failing {
                    return nothing(request);
                }
                match failing % 4 {
                    0 => Reply::new("500 Oops", "Content-Type: text/plain\r\n", "out of memory"),
                    1 => Reply::json(r#"{"head":{"vars":["x"]},"results":{"bindings":[{"x":"#),
                    2 => Reply::json(r#"{"timeout":300}"#),
                    _ => Reply::new(
                        "200 OK",
                        "Content-Type: application/sparql-results+json\r\n",
                        "",
                    ),
                }
            });
            let output = bench.run(&format!("{line} --endpoint {url}"));
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                output.status.code(),
                Some(1),
                "{line}, query {failing}: {said}"
            );
            assert!(output.stdout.is_empty(), "{line}, query {failing}");
            assert!(said.contains("error: "), "{line}, query {failing}: {said}");
        }
    }
}

/// 30,000 classes, a third of them with data, and a chain of 3,000 that is as deep as it is long.
#[test]
fn a_closure_of_thirty_thousand_is_a_result() {
    const CLASSES: u32 = 30_000;
    let bench = Bench::new();
    let mut data = String::new();
    for class in 2..=CLASSES {
        // The first 3,000 are a chain, the others a tree below its top.
        let parent = if class <= 3_000 {
            class - 1
        } else {
            class / 3_000
        };
        let _ = writeln!(
            data,
            "<http://e/C_{class}> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://e/C_{parent}> <http://e/hub> ."
        );
    }
    let mut named = 0;
    let mut with_data = 0;
    for class in (3..=CLASSES).step_by(3) {
        with_data += 1;
        let is_named = class % 10 == 0;
        named += u32::from(is_named);
        let name = if is_named { "heart disease" } else { "disease" };
        let _ = writeln!(
            data,
            "<http://e/C_{class}> <http://www.w3.org/2000/01/rdf-schema#label> \"{name} {class}\" <http://e/data> ."
        );
        let _ = writeln!(
            data,
            "<http://e/d{class}> <http://e/about> <http://e/C_{class}> <http://e/data> ."
        );
    }
    bench.write("big.nq", data);
    bench.write(
        "big.rq",
        format!(
            "{LUPUS}SELECT ?c ?name (COUNT(DISTINCT ?d) AS ?n) WHERE {{ GRAPH e:hub {{ ?c rdfs:subClassOf* e:C_1 }} \
             GRAPH e:data {{ ?d e:about ?c . ?c rdfs:label ?name }} }} GROUP BY ?c ?name ORDER BY DESC(?n) ?c"
        ),
    );
    let mut served = bench
        .command("federation serve --data big.nq --port 0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(served.stdout.take().unwrap())
        .read_line(&mut address)
        .unwrap();
    let line = format!(
        "controls --derive big.rq --keyword heart --endpoint {} --json",
        address.trim()
    );
    let output = bench.run(&line);
    served.kill().unwrap();
    served.wait().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let (literal, keyword) = (&lines[0], &lines[1]);
    assert_eq!(
        (&literal["rows"], &literal["key_rows"]),
        (&json!(0), &json!(with_data))
    );
    assert_eq!(literal["verdict"], "collapses");
    assert_eq!(
        (
            &keyword["kept"],
            &keyword["missed"],
            &keyword["invented"],
            &keyword["changed"]
        ),
        (
            &json!(named),
            &json!(with_data - named),
            &json!(0),
            &json!(0)
        )
    );
    // The path of the deepest link of the chain goes up to the top, class by class.
    let why = keyword["why"].as_array().unwrap();
    let deepest = why
        .iter()
        .find(|row| row["identity"] == "http://e/C_2997")
        .unwrap();
    assert_eq!(
        deepest["reasons"][0]["path"].as_array().unwrap().len(),
        2_997
    );
}
