//! Any text as an Accept header: one of the offers or none, and the same one in any case of its letters.

#![no_main]

#[path = "../../../worker/src/serve/accept.rs"]
mod accept;

use libfuzzer_sys::fuzz_target;

const OFFERS: [(usize, &[&str]); 3] = [
    (0, &["application/sparql-results+json", "application/json"]),
    (1, &["application/sparql-results+xml", "application/xml"]),
    (2, &["text/csv"]),
];

fuzz_target!(|header: &str| {
    let chosen = accept::choose(header, &OFFERS);
    assert_eq!(
        chosen,
        accept::choose(&header.to_ascii_uppercase(), &OFFERS)
    );
    assert!(chosen.is_none_or(|place| place < OFFERS.len()));
    // Whatever else a client names, it accepts what it likes best of all.
    let with_all = format!("{header},*/*;q=0.001");
    if chosen.is_some() && !header.is_empty() {
        assert!(accept::choose(&with_all, &OFFERS).is_some(), "{with_all}");
    }
});
