//! Controls derived from the keys alone give, on the snapshot, the rows of the hand-written ones.

mod support;

use control::{NameChoice, NameRule, derive_keyword, derive_literal};
use support::{CORPUS, ask, control, question};

#[test]
fn derived_literal_controls_give_the_rows_of_the_written_ones() {
    for tier in CORPUS.tiers() {
        let key = question(&tier).query.as_ref().unwrap();
        let derived = derive_literal(key).unwrap();
        let written = &control(&tier, 'A').query_text;
        assert_eq!(ask(&derived.text), ask(written), "{tier}: {}", derived.text);
    }
}

#[test]
fn derived_keyword_controls_give_the_rows_of_the_written_ones() {
    for tier in CORPUS.tiers() {
        let key = question(&tier).query.as_ref().unwrap();
        let written = control(&tier, 'B');
        let derived = derive_keyword(key, &written.keywords, NameChoice::ByKey).unwrap();
        let rows = ask(&derived.text);
        assert!(!rows.is_empty(), "{tier}");
        assert_eq!(rows, ask(&written.query_text), "{tier}: {}", derived.text);

        // What is tested is the name of what ranges over the closure: there the key does not ask for it.
        let expected = match tier.as_str() {
            "hormonesecretion" => NameRule::DataGraph,
            _ => NameRule::Key,
        };
        assert_eq!(derived.name.unwrap().rule, expected, "{tier}");
    }
}
