//! Any bytes as SPARQL results: an error or a table that survives being written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for name in ["key.srj", "key.srx", "key.tsv", "key.csv"] {
        match table::read_key(name, bytes) {
            Ok(key) => {
                assert!(key.rows().all(|row| row.len() == key.columns().len()));
                let json = table::to_sparql_json(&key);
                let again = table::read_sparql_json(json.as_bytes());
                assert_eq!(again.as_ref(), Ok(&key), "{name}: {json}");
                assert_eq!(table::content_hash(&key).len(), 64);
            }
            Err(error) => assert!(error.line > 0 && error.column > 0),
        }
    }
});
