//! Whatever the bytes: a file of judgements, cosines or subgraphs that is read, or a problem inside the file; and a result
//! that is written is read back the same.

#![no_main]

use ava::{ModelResult, Problem, ResultFile, read_cosines, read_labels, read_subgraph};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let lines = u32::try_from(String::from_utf8_lossy(bytes).split('\n').count()).unwrap();
    let inside = |problem: &Problem| {
        assert!(
            problem.line >= 1 && problem.line <= lines && problem.column >= 1,
            "{problem}"
        );
    };
    match ModelResult::read(bytes) {
        Ok(ModelResult::Triplets(result)) => {
            let written = serde_json::to_vec(&result).unwrap();
            let again = ResultFile::read(&written).unwrap();
            assert_eq!((again.test, again.details), (result.test, result.details));
        }
        Ok(ModelResult::Alignment(_) | ModelResult::Taxonomy(_)) => {}
        Err(problem) => inside(&problem),
    }
    if let Err(problem) = read_cosines(bytes, 1) {
        inside(&problem);
    }
    let labels = read_labels(bytes);
    match read_subgraph(bytes, "bfs_0", "a") {
        Ok(subgraph) => {
            let all = subgraph.node_labels.values().map(|label| label.to_string());
            assert_eq!(labels.unwrap(), all.collect());
        }
        Err(problem) => {
            inside(&problem);
            if let Err(problem) = labels {
                inside(&problem);
            }
        }
    }
});
