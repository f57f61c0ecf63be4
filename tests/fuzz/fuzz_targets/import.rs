//! Any bytes as the files of another harness: an error in its place, or an attempt that is written and read again the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sweep::{ForeignCondition, ForeignFolder, ImportedAttempt};

fuzz_target!(|bytes: &[u8]| {
    // Three files in one: metrics, calls and the table, each to a line of hyphens.
    let text = String::from_utf8_lossy(bytes);
    let mut files = text.split("\n---\n");
    let (metrics, calls, answer) = (files.next(), files.next(), files.next());
    let folder = ForeignFolder {
        path: "nde-exact_heart/1",
        metrics: metrics.map(|text| ("metrics.json", text.as_bytes())),
        calls: calls.map(|text| ("calls.json", text.as_bytes())),
        answer: answer.map(|text| ("answer.csv", text.as_bytes())),
    };
    match ImportedAttempt::read(&folder) {
        Ok((attempt, calls)) => {
            let written = serde_json::to_string(&attempt).unwrap();
            let again: ImportedAttempt = serde_json::from_str(&written).unwrap();
            assert_eq!(serde_json::to_string(&again).unwrap(), written);
            let _ = attempt.observation();
            for call in calls.into_iter().flatten() {
                let _ = (call.role(), call.queries(), call.succeeded());
            }
        }
        Err(error) => assert!(!error.remedy().is_empty(), "{error}"),
    }
    for text in text.split("\n---\n") {
        let _ = ForeignCondition::read("config.json", text.as_bytes());
    }
});
