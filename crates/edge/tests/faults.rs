//! What cannot be used is said with its place.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use edge::{
    AnalysisOptions, DeriveOptions, Fault, FaultKind, LintOptions, ScoreOptions, TableInput,
    analyse_control, derive_controls, lint, score,
};
use serde_json::json;

fn place(fault: &Fault) -> (FaultKind, Option<&str>, Option<u32>, Option<u32>) {
    (fault.kind, fault.file.as_deref(), fault.line, fault.column)
}

fn scored(options: serde_json::Value) -> Fault {
    let options: ScoreOptions = serde_json::from_value(options).unwrap();
    let key = TableInput::named("key.csv", "a,b\n1,2\n");
    score(&key, &"x,y\n2,1\n".into(), &options).unwrap_err()
}

#[test]
fn options_that_do_not_fit_the_tables() {
    for (options, message) in [
        (
            json!({"order": [{"column": "c"}]}),
            "options.order: the key has no column `c`; it has a, b",
        ),
        (
            json!({"order": [{"column": 2, "descending": true}]}),
            "options.order: the key has no column number 2; it has a, b",
        ),
        (
            json!({"mapping": [0]}),
            "options.mapping: 1 entries, where the key has 2 columns",
        ),
        (
            json!({"mapping": [0, 9]}),
            "options.mapping: column 9, where the answer has 2, counted from 0",
        ),
    ] {
        let fault = scored(options);
        assert_eq!(fault.message, message);
        assert_eq!(place(&fault), (FaultKind::Argument, None, None, None));
        assert!(fault.remedy.is_some());
    }
    let table = TableInput::named("t.csv", "a\n1\n");
    let options = AnalysisOptions {
        identity: Some("z".to_owned()),
        ..AnalysisOptions::default()
    };
    let fault = analyse_control(&table, &table, &options).unwrap_err();
    assert_eq!(
        fault.message,
        "options.identity: the key has no column `z`; it has a"
    );
    // The column is the key's own; it is the control that lacks it.
    let key = TableInput::named("key.csv", "a,b\nhttp://e/1,1\n");
    let control = TableInput::named("control.csv", "b\n1\n");
    let fault = analyse_control(&key, &control, &AnalysisOptions::default()).unwrap_err();
    assert!(fault.message.starts_with("control: "), "{}", fault.message);
}

#[test]
fn an_order_may_end_in_an_expression() {
    let options: ScoreOptions = serde_json::from_value(json!({
        "order": [{"column": "?a"}, {"column": null}, {"column": "no column at all"}]
    }))
    .unwrap();
    let key = TableInput::named("key.csv", "a\n1\n2\n");
    let score = score(&key, &"a\n1\n2\n".into(), &options).unwrap();
    assert_eq!(score.ordered, Some(true));
}

#[test]
fn ties_at_the_cut_come_from_the_whole_key() {
    let key = TableInput::named("key.csv", "name,n\na,2\nb,1\n");
    let options: ScoreOptions = serde_json::from_value(json!({
        "order": [{"column": "n", "descending": true}],
        "accept_ties": true,
        "uncut": {"format": "csv", "text": "name,n\na,2\nb,1\nc,1\n"},
    }))
    .unwrap();
    assert!(
        score(&key, &"name,n\na,2\nc,1\n".into(), &options)
            .unwrap()
            .exact
    );
}

#[test]
fn files_that_cannot_be_read() {
    let options = ScoreOptions::default();
    let answer = "x\n1\n".into();
    let cut = TableInput::named("key.srj", "{\"head\": {\"vars\": [\"x\"]},\n \"results\"");
    let fault = score(&cut, &answer, &options).unwrap_err();
    assert_eq!(
        (fault.kind, fault.file.as_deref(), fault.line),
        (FaultKind::Input, Some("key.srj"), Some(2))
    );
    assert!(fault.to_string().starts_with("key.srj:2:"), "{fault}");

    let mut nameless = TableInput::named("", "x\n1\n");
    nameless.file = None;
    let fault = score(&nameless, &answer, &options).unwrap_err();
    assert_eq!(
        place(&fault),
        (FaultKind::Input, Some("key"), Some(1), Some(1))
    );
    assert_eq!(fault.message, "nothing says which format the table has");

    let options: LintOptions =
        serde_json::from_value(json!({"labels": "http://e/1\tone\nhttp://e/2"})).unwrap();
    let fault = lint(&"ASK {}".into(), &options).unwrap_err();
    assert_eq!(
        place(&fault),
        (FaultKind::Input, Some("labels"), Some(2), Some(1))
    );
}

#[test]
fn queries_without_a_control() {
    let options = DeriveOptions {
        file: Some("q.rq".to_owned()),
        ..DeriveOptions::default()
    };
    let fault = derive_controls(&"#+ summary: s\nASK {\n".into(), &options).unwrap_err();
    assert_eq!(
        (fault.kind, fault.file.as_deref(), fault.line),
        (FaultKind::Query, Some("q.rq"), Some(2))
    );
    let fault = derive_controls(&"#+ summary: s\nASK {}\n".into(), &options).unwrap_err();
    assert_eq!(
        place(&fault),
        (FaultKind::Query, Some("q.rq"), Some(2), Some(1))
    );
    assert!(fault.message.contains("no hierarchy pattern"), "{fault}");
}
