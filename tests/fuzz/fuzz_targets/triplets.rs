//! Whatever the bytes: triplets or problems inside the file, and what is written is read back the same.

#![no_main]

use ava::{FilterOptions, filter, read_triplets, to_json_array};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let lines = u32::try_from(String::from_utf8_lossy(data).split('\n').count()).unwrap();
    let reading = match read_triplets(data) {
        Ok(reading) => reading,
        Err(problem) => {
            assert!(problem.line >= 1 && problem.line <= lines && problem.column >= 1);
            return;
        }
    };
    for problem in &reading.problems {
        assert!(problem.line >= 1 && problem.line <= lines && problem.column >= 1);
    }
    let triplets: Vec<_> = reading
        .triplets
        .into_iter()
        .map(|(_, triplet)| triplet)
        .collect();
    let written = to_json_array(&triplets).unwrap();
    assert_eq!(
        read_triplets(written.as_bytes()).unwrap().all().unwrap(),
        triplets
    );

    let count = triplets.len();
    let filtered = filter(triplets, &FilterOptions::default());
    assert_eq!(filtered.kept.len() + filtered.dropped.len(), count);
    // What is kept once is kept again.
    let kept = filtered.kept.clone();
    assert_eq!(filter(filtered.kept, &FilterOptions::default()).kept, kept);
});
