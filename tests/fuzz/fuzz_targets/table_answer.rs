//! Whatever is submitted, reading and scoring it ends, and the score keeps its promises.

#![no_main]

use libfuzzer_sys::fuzz_target;
use score::{Key, Options, score};

fuzz_target!(|bytes: &[u8]| {
    let Ok(answer) = table::read_answer(bytes) else {
        return;
    };
    for ragged in &answer.ragged {
        assert_ne!(ragged.cells.len(), ragged.expected);
    }
    let options = Options::default();
    // A key of every kind of cell, with columns that the answer may name by accident.
    let key = table::read_key_csv(b"a,b,c\nhttp://e/1,1,_:x\n,2,_:y\ntext,3,\n");
    if let Ok(key) = key {
        let score = score(&Key::unordered(&key), &answer, &options);
        for ratio in [score.f1, score.precision, score.recall] {
            assert!((0.0..=1.0).contains(&ratio));
        }
        assert_eq!(score.matched_rows + score.missing.len(), score.key_rows);
    }
    // Read strictly, the same bytes are a key; a key that the patient reader reads without a repair scores 1.
    let Ok(key) = table::read_key_csv(bytes) else {
        return;
    };
    if key.as_boolean().is_none() && answer.repairs.is_empty() && answer.ragged.is_empty() {
        let score = score(&Key::unordered(&key), &answer, &options);
        assert!(score.exact || !score.notes.is_empty(), "{score:?}");
    }
});
