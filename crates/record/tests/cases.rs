//! Every file of `test_data`, read and compared with the JSON beside it. `UPDATE_EXPECT=1` writes the JSON anew.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use record::{Record, Severity};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What a record is, as the expectations spell it.
fn shown(record: &Record) -> Value {
    let order: Vec<_> = record.order().iter().map(|key| json!(key)).collect();
    let header: Vec<_> = record
        .header
        .entries
        .iter()
        .map(|entry| json!({"key": entry.key, "at": [entry.line, entry.column], "value": entry.value}))
        .collect();
    let problems: Vec<_> = record
        .problems
        .iter()
        .map(|problem| json!([format!("{problem} [{}]", problem.rule), problem.remedy]))
        .collect();
    json!({
        "arm": record.name.arm,
        "tier": record.name.tier,
        "header": header,
        "expect_empty": record.expect_empty(),
        "query_line": record.query_line,
        "query_parsed": record.query.is_some(),
        "columns": record.columns(),
        "order": order,
        "limit": record.limit(),
        "problems": problems,
    })
}

#[expect(clippy::disallowed_methods, reason = "a test reads its own cases")]
fn check(case: &Path) -> Record {
    let bytes = std::fs::read(case).unwrap();
    let record = Record::parse(case.file_name().unwrap().to_str().unwrap(), &bytes);
    let expected = case.with_extension("json");
    let found = shown(&record);
    if std::env::var("UPDATE_EXPECT").is_ok() {
        let text = serde_json::to_string_pretty(&found).unwrap() + "\n";
        std::fs::write(&expected, text).unwrap();
    }
    let expected: Value = serde_json::from_slice(&std::fs::read(&expected).unwrap()).unwrap();
    assert_eq!(found, expected, "{}", case.display());
    record
}

#[expect(clippy::disallowed_methods, reason = "a test lists its own cases")]
fn cases(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("test_data")
        .join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "rq"))
        .collect();
    paths.sort();
    assert!(paths.len() > 10);
    paths
}

#[test]
fn good_records_have_no_problem() {
    for case in cases("ok") {
        let record = check(&case);
        assert_eq!(record.problems, [], "{}", case.display());
    }
}

#[test]
fn problems_are_placed_and_explained() {
    for case in cases("problem") {
        let record = check(&case);
        assert!(!record.problems.is_empty(), "{}", case.display());
        let errors = record
            .problems
            .iter()
            .any(|p| p.severity == Severity::Error);
        assert_eq!(record.has_errors(), errors);
        for problem in &record.problems {
            let message = &problem.message;
            assert!(
                !message.ends_with('.') && !message.contains('\n'),
                "{message}"
            );
        }
    }
}
