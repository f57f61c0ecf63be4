//! Any text as a record, or as labels: every finding is within the file, and where what allows it says.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lint::{Labels, Target, lint, render, sarif};
use record::Record;

fuzz_target!(|text: &str| {
    match Labels::from_tsv(text) {
        Ok(_) => {}
        Err(error) => assert!(
            error.line() >= 1 && error.line() <= text.lines().count(),
            "{error}"
        ),
    }
    let mut labels = Labels::default();
    labels.add(
        "http://purl.obolibrary.org/obo/MONDO_0004995",
        "cardiovascular disorder",
        false,
    );
    let lines = text.split(['\n', '\r']).count();
    for name in ["nde-expand_heart.rq", "nde-exact_heart.rq", "B-keyword.rq"] {
        let record = Record::parse(name, text.as_bytes());
        let twin = Record::parse(
            "nde-exact_heart.rq",
            b"#+ summary: x\nSELECT * { ?s ?p ?o }",
        );
        let target = Target::new(&record, text).with_twin(Some(&twin));
        let report = lint(&target, &labels);
        for finding in &report.findings {
            assert!(
                finding.line >= 1 && finding.line as usize <= lines,
                "{finding:?}"
            );
            assert!(
                finding.column >= 1 && finding.end_column >= finding.column,
                "{finding:?}"
            );
        }
        let _ = (render(&report, text), sarif(&[report]));
    }
});
