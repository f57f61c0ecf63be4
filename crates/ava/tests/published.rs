//! Ten published triplets, where they are at hand: their scores are the published ones.

#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::disallowed_methods, reason = "a test reads its own cases")]

use std::path::Path;

use ava::{LexicalScores, Processor, Scorer, read_triplets};

#[test]
fn published_files_have_the_scores_that_are_computed_to_1e_9() {
    let Some(folder) = std::env::var_os("OKN_PUBLISHED_DATA") else {
        println!("SKIPPED: OKN_PUBLISHED_DATA names no folder with the ten published triplets");
        return;
    };
    let file = Path::new(&folder).join("ava-triplets-visible.jsonl");
    let triplets = read_triplets(&std::fs::read(file).unwrap())
        .unwrap()
        .all()
        .unwrap();
    assert_eq!(triplets.len(), 10);
    let mut scorer = Scorer::default();
    for triplet in triplets {
        let here = LexicalScores::of(&mut scorer, Processor::None, &triplet);
        let there = triplet.scores;
        for (here, there) in [
            (here.anchor_positive, there.anchor_positive),
            (here.anchor_negative, there.anchor_negative),
            (here.positive_negative, there.positive_negative),
        ] {
            assert!((here - there.unwrap()).abs() < 1e-9, "{}", triplet.anchor);
        }
    }
}
