//! Any text as SPARQL: an error in its place, or a query that every reader of queries comes to an end with.

#![no_main]

use control::{NameChoice, closure_of, derive_keyword, derive_literal, means};
use federation::parse_query;
use libfuzzer_sys::fuzz_target;

const TERM: &str = "http://purl.obolibrary.org/obo/MONDO_0004995";

fuzz_target!(|text: &str| {
    let query = match parse_query(text) {
        Ok(query) => query,
        Err(error) => {
            if let Some((line, column)) = error.position() {
                assert!(line >= 1 && column >= 1, "{error}");
            }
            return;
        }
    };
    let _ = (
        record::columns_of(&query),
        record::order_of(&query),
        record::limit_of(&query),
    );
    let _ = (
        record::graphs_of(&query),
        lint::labels_wanted(&query),
        means(&query, TERM),
    );
    for closure in closure_of(&query) {
        let _ = means(&query, &closure.root);
    }
    // A control that is derived is a query again, for every endpoint that reads it.
    let keyword = derive_keyword(&query, &["heart"], NameChoice::ByKey);
    for derived in [derive_literal(&query), keyword].into_iter().flatten() {
        assert!(parse_query(&derived.text).is_ok(), "{}", derived.text);
        assert_eq!(record::limit_of(&derived.query), record::limit_of(&query));
    }
});
