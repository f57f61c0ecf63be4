//! Whatever a SPARQL endpoint replies: a whole table, or what is wrong with it; never a panic, and never a part for the whole.

#![no_main]

use federation::protocol::{ServerNote, parse_reply};
use libfuzzer_sys::fuzz_target;

const TYPES: [&str; 8] = [
    "application/sparql-results+json",
    "application/sparql-results+xml",
    "text/csv; charset=utf-8",
    "text/tab-separated-values",
    "text/turtle",
    "application/n-triples",
    "text/html",
    "",
];

fuzz_target!(|bytes: &[u8]| {
    // A digit that chooses the type, a line for the other headers, and the body.
    let Some((choice, rest)) = bytes.split_first() else {
        return;
    };
    let end = rest
        .iter()
        .position(|byte| *byte == b'\n')
        .unwrap_or(rest.len());
    let (header, body) = rest.split_at(end);
    let header = String::from_utf8_lossy(header);
    let body = body.strip_prefix(b"\n").unwrap_or(body);
    let kind = TYPES[usize::from(*choice) % TYPES.len()];
    let headers = [
        ("Content-Type".to_owned(), kind.to_owned()),
        ("Retry-After".to_owned(), header.to_string()),
        ("X-Okn-Server".to_owned(), header.to_string()),
    ];
    let _ = ServerNote::read(&headers);
    for status in [200, 206, 503] {
        match parse_reply(status, &headers, body) {
            Ok(table) => {
                assert_eq!(status, 200);
                assert!(table.rows().all(|row| row.len() == table.columns().len()));
            }
            Err(error) => assert!(!error.message.is_empty() || body.is_empty(), "{error:?}"),
        }
    }
});
