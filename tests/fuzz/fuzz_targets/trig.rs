//! Any bytes as an RDF file, any text as a query: an error in its place, or an answer; and a bad file changes nothing.

#![no_main]

use federation::{Cancel, Federation, parse_query};
use libfuzzer_sys::fuzz_target;

const EVERYTHING: &str = "SELECT * WHERE { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }";

fuzz_target!(|bytes: &[u8]| {
    let everything = parse_query(EVERYTHING).expect("a query of ours parses");
    let rows = |federation: &Federation| {
        federation
            .evaluate(&everything, &Cancel::new())
            .expect("a query of ours is answered")
    };

    let mut federation = Federation::new();
    let start = b"<http://e/g> { <http://e/s> <http://e/p> _:o }";
    federation
        .load("start.trig", start)
        .expect("a file of ours loads");
    let before = rows(&federation);
    for file in ["a.trig", "a.nq", "a.ttl", "a.nt"] {
        match federation.load(file, bytes) {
            Ok(report) => assert!(report.quads > 0 || rows(&federation).len() >= before.len()),
            Err(error) => {
                let mut fresh = Federation::new();
                fresh
                    .load("start.trig", start)
                    .expect("a file of ours loads");
                assert!(fresh.load(file, bytes).is_err(), "{error}");
                assert_eq!(rows(&fresh), before);
            }
        }
    }

    let text = String::from_utf8_lossy(bytes);
    match parse_query(&text) {
        // The rows do not matter, only that there is an end of them.
        Ok(query) => drop(federation.evaluate(&query, &Cancel::new())),
        Err(error) => {
            if let Some((line, column)) = error.position() {
                let line = text
                    .split('\n')
                    .nth(line as usize - 1)
                    .expect("a line of the text");
                assert!(column as usize <= line.chars().count() + 1, "{error}");
            }
        }
    }
});
