//! Whatever a model replies when it is asked for triplets, and any bytes as a result file: an error, or what keeps its promises.

#![no_main]

use ava::{Detailed, ResultFile, TRIPLETS, Triplet, read_reply};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(reply) = read_reply(&text) {
        assert!(!reply.triplets.is_empty() && reply.triplets.len() <= TRIPLETS);
        for triplet in &reply.triplets {
            let texts = [&triplet.anchor, &triplet.positive, &triplet.negative];
            assert!(
                texts.iter().all(|text| !text.trim().is_empty()),
                "{triplet:?}"
            );
        }
    }
    match ResultFile::read(bytes) {
        Ok(file) => {
            let written = serde_json::to_string(&file).expect("what was read is written");
            let again = ResultFile::read(written.as_bytes()).expect("what was written is read");
            assert_eq!(again.test, file.test);
        }
        Err(problem) => assert!(problem.line >= 1 && problem.column >= 1, "{problem}"),
    }
    if let Ok(triplet) = serde_json::from_slice::<Triplet>(bytes) {
        let _ = Detailed::of(triplet);
    }
});
