//! The case tables of the libraries, through the functions that JavaScript calls. `tests/npm/cases.mjs` runs the same tables
//! through the package, and both compare with the same files.
//!
//! `UPDATE_EXPECT=1 cargo test -p edge --test cases` writes anew what is this crate's own: `test_data/derived.jsonl`.
#![expect(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reads its own cases, and says what is wrong by failing"
)]

use std::path::{Path, PathBuf};

use edge::{
    AnalysisOptions, DeriveOptions, LintOptions, ParseOptions, ScoreOptions, Source, TableInput,
    analyse_control, derive_controls, lint, parse_record, score,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn path(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(below)
}

fn read(below: &str) -> String {
    let path = path(below);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn list(below: &str) -> Vec<Value> {
    serde_json::from_str(&read(below)).unwrap()
}

fn lines(below: &str) -> Vec<Value> {
    let text = read(below);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn given<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn csv(text: &Value) -> Value {
    match text {
        Value::Null => Value::Null,
        text => json!({"format": "csv", "text": text}),
    }
}

fn by(order: &Value) -> Value {
    let order = order.as_array().map(|order| {
        order
            .iter()
            .map(|by| json!({"column": by[0], "descending": by[1]}))
            .collect::<Vec<_>>()
    });
    json!(order)
}

/// What is there and not null.
fn known(options: Value) -> Value {
    let Value::Object(options) = options else {
        return options;
    };
    options
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .collect()
}

#[test]
fn records() {
    let mut seen = 0;
    for folder in ["record/test_data/ok", "record/test_data/problem"] {
        for entry in std::fs::read_dir(path(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "rq") {
                continue;
            }
            let options = ParseOptions {
                file: Some(path.file_name().unwrap().to_str().unwrap().to_owned()),
            };
            let source = Source::from(std::fs::read(&path).unwrap());
            let record = parse_record(&source, &options);
            let problems: Vec<Value> = record
                .problems
                .iter()
                .map(|problem| json!([format!("{problem} [{}]", problem.rule), problem.remedy]))
                .collect();
            let header: Vec<Value> = record
                .header
                .iter()
                .map(|entry| json!({"key": entry.key, "at": [entry.line, entry.column], "value": entry.value}))
                .collect();
            let record = serde_json::to_value(&record).unwrap();
            let mut expected: Value =
                serde_json::from_slice(&std::fs::read(path.with_extension("json")).unwrap())
                    .unwrap();
            let expected = expected.as_object_mut().unwrap();
            assert_eq!(
                expected.remove("problems"),
                Some(json!(problems)),
                "{path:?}"
            );
            assert_eq!(expected.remove("header"), Some(json!(header)), "{path:?}");
            for (member, expected) in expected {
                assert_eq!(record[member.as_str()], *expected, "{path:?}: {member}");
            }
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
}

/// A typed key as SPARQL results; a row is `variable: [type, lexical form]`, and the widest row names the columns.
fn typed(rows: &Value) -> Value {
    let Some(rows) = rows.as_array() else {
        let text = json!({"head": {}, "boolean": rows}).to_string();
        return json!({"format": "sparql-json", "text": text});
    };
    let rows: Vec<_> = rows.iter().map(|row| row.as_object().unwrap()).collect();
    let columns: Vec<_> = rows
        .iter()
        .max_by_key(|row| row.len())
        .unwrap()
        .keys()
        .collect();
    let term = |term: &Value| match term[0].as_str().unwrap() {
        kind @ ("uri" | "bnode") => json!({"type": kind, "value": term[1]}),
        kind => json!({
            "type": "literal",
            "value": term[1],
            "datatype": format!("http://www.w3.org/2001/XMLSchema#{kind}"),
        }),
    };
    let bindings: Vec<Value> = rows
        .iter()
        .map(|row| {
            row.iter()
                .map(|(name, value)| (name.clone(), term(value)))
                .collect()
        })
        .collect();
    let results = json!({"head": {"vars": columns}, "results": {"bindings": bindings}});
    json!({"format": "sparql-json", "text": results.to_string()})
}

#[test]
fn scores() {
    let cases = list("score/test_data/cases.json");
    let expected = lines("score/test_data/scores.jsonl");
    assert_eq!(cases.len(), expected.len());
    for (case, expected) in cases.iter().zip(&expected) {
        let key: TableInput = given(match &case["key"] {
            Value::Null => typed(&case["key_json"]),
            text => csv(text),
        });
        let options: ScoreOptions = given(known(json!({
            "order": by(&case["order"]),
            "accept_ties": case["accept_ties"],
            "mapping": case["mapping"],
            "tie_pool": csv(&case["pool"]),
            "max_diff_rows": case["max_diff_rows"],
        })));
        let answer: Source = given(case["answer"].clone());
        let found = serde_json::to_value(score(&key, &answer, &options).unwrap()).unwrap();
        assert_eq!(found, *expected, "{}", case["id"]);
    }
}

#[test]
fn analyses() {
    let cases = list("control/test_data/analyses.json");
    let expected = lines("control/test_data/analyses.jsonl");
    assert_eq!(cases.len(), expected.len());
    for (case, expected) in cases.iter().zip(&expected) {
        let classes = |classes: &Value| match classes.as_str() {
            Some("rows") => classes.clone(),
            _ => csv(classes),
        };
        let grounds = match &case["grounds"] {
            Value::Null => Value::Null,
            grounds => json!({
                "keywords": grounds["keywords"],
                "roots": grounds["roots"],
                "hierarchy": [csv(&grounds["hierarchy"])],
                "key_classes": classes(&grounds["key_classes"]),
                "control_classes": classes(&grounds["control_classes"]),
            }),
        };
        let options: AnalysisOptions = given(known(json!({
            "uncut": csv(&case["uncut"]),
            "identity": case["identity"],
            "order": by(&case["order"]),
            "walks_hierarchy": case["walks_hierarchy"],
            "grounds": grounds,
        })));
        let tables: [TableInput; 2] = ["key", "control"].map(|table| given(csv(&case[table])));
        let found = analyse_control(&tables[0], &tables[1], &options).unwrap();
        assert_eq!(
            serde_json::to_value(found).unwrap(),
            *expected,
            "{}",
            case["id"]
        );
    }
}

#[test]
fn derived() {
    let table: Value = serde_json::from_str(&read("control/test_data/derived.json")).unwrap();
    let prefixes = table["prefixes"].as_str().unwrap();
    let mut found = String::new();
    for case in table["cases"].as_array().unwrap() {
        let query = format!("{prefixes}{}", case["query"].as_str().unwrap());
        let options: DeriveOptions = given(known(json!({"keywords": case["keywords"]})));
        let outcome = match derive_controls(&query.as_str().into(), &options) {
            Ok(controls) => serde_json::to_value(controls).unwrap(),
            Err(fault) => json!({
                "error": fault.to_string(),
                "file": fault.file,
                "line": fault.line,
                "column": fault.column,
                "remedy": fault.remedy,
            }),
        };
        found.push_str(&outcome.to_string());
        found.push('\n');
    }
    let file = "edge/test_data/derived.jsonl";
    if std::env::var("UPDATE_EXPECT").is_ok() {
        std::fs::write(path(file), &found).unwrap();
    }
    let expected = read(file);
    assert_eq!(found.lines().count(), expected.lines().count());
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
}

#[test]
fn lints() {
    let mut cases = lines("lint/test_data/examples.jsonl");
    let labels = cases.remove(0)["labels"].clone();
    for case in cases {
        let options: LintOptions = given(json!({
            "file": case["file"],
            "twin": case["twin"],
            "facts": case["facts"],
            "labels": labels,
        }));
        let source: Source = given(case["text"].clone());
        let found = lint(&source, &options).unwrap();
        assert_eq!(
            serde_json::to_value(found).unwrap(),
            case["report"],
            "{case}"
        );
    }
}
