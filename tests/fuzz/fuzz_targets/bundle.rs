//! Any bytes as the files of a published site and of a sweep: an error, or what is written and read again the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sweep::{
    AnalysisPage, AttemptPage, AvaBoard, BundleIndex, Call, Manifest, Metrics, RecordPage,
    RulesPage,
};

fn again<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let read: T = serde_json::from_slice(bytes).ok()?;
    let written = serde_json::to_string(&read).expect("what was read is written");
    let second: T = serde_json::from_str(&written).expect("what was written is read");
    assert_eq!(serde_json::to_string(&second).expect("as before"), written);
    Some(read)
}

fuzz_target!(|bytes: &[u8]| {
    let _ = again::<BundleIndex>(bytes);
    let _ = again::<RecordPage>(bytes);
    let _ = again::<AnalysisPage>(bytes);
    let _ = again::<AttemptPage>(bytes);
    let _ = again::<RulesPage>(bytes);
    let _ = again::<AvaBoard>(bytes);
    let _ = again::<Manifest>(bytes);
    if let Some(metrics) = again::<Metrics>(bytes) {
        let _ = metrics.contradiction();
    }
    for line in bytes.split(|byte| *byte == b'\n') {
        let _ = again::<Call>(line);
    }
    let _ = federation::Catalogue::parse(bytes);
});
