//! Small inputs on which comparisons fail. Every case is data; it runs natively and in WebAssembly, and both must give
//! the JSON in `test_data/scores.jsonl`, bit for bit.
//!
//! `UPDATE_EXPECT=1 cargo test -p score --test cases` writes that file anew.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use std::collections::BTreeMap;

use score::{Key, Options, Score, ranks_by};
use serde::Deserialize;
use serde_json::{Map, Value};
use table::{Cell, Table};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    /// A key as CSV, or typed: a boolean, or rows of `variable: [type, lexical form]`.
    key: Option<String>,
    key_json: Option<Value>,
    #[serde(default)]
    order: Vec<(usize, bool)>,
    pool: Option<String>,
    #[serde(default)]
    accept_ties: bool,
    mapping: Option<Vec<Option<usize>>>,
    max_diff_rows: Option<usize>,
    answer: String,
    /// The members of the score that the case is about.
    expect: Map<String, Value>,
}

impl Case {
    fn key(&self) -> Table {
        match (&self.key, &self.key_json) {
            (None, Some(Value::Bool(value))) => Table::boolean(*value),
            (None, Some(rows)) => typed_table(rows.as_array().unwrap()),
            (csv, _) => table::read_key_csv(csv.as_ref().unwrap().as_bytes()).unwrap(),
        }
    }

    fn score(&self) -> Score {
        let key = self.key();
        let pool = self
            .pool
            .as_ref()
            .map(|csv| table::read_key_csv(csv.as_bytes()).unwrap());
        let ordered = !self.order.is_empty();
        let key = Key {
            table: &key,
            ranks: ordered.then(|| ranks_by(&key, &self.order)),
            tie_pool: pool.as_ref(),
        };
        let answer = table::read_answer(self.answer.as_bytes()).unwrap();
        let options = Options {
            accept_ties: self.accept_ties,
            mapping: self.mapping.clone(),
            max_diff_rows: self.max_diff_rows.or(Options::default().max_diff_rows),
        };
        score::score(&key, &answer, &options)
    }
}

fn typed_table(rows: &[Value]) -> Table {
    type Row = BTreeMap<String, (String, String)>;
    let rows: Vec<Row> = rows
        .iter()
        .map(|row| serde_json::from_value(row.clone()).unwrap())
        .collect();
    let columns: Vec<String> = rows
        .iter()
        .max_by_key(|row| row.len())
        .unwrap()
        .keys()
        .cloned()
        .collect();
    let cell = |row: &Row, column: &String| match row.get(column) {
        None => Cell::Missing,
        Some((kind, value)) => match kind.as_str() {
            "uri" => Cell::Iri(value.as_str().into()),
            "bnode" => Cell::Blank(value.as_str().into()),
            kind => Cell::literal(
                value,
                Some(&format!("http://www.w3.org/2001/XMLSchema#{kind}")),
            ),
        },
    };
    let cells = rows
        .iter()
        .map(|row| columns.iter().map(|column| cell(row, column)).collect())
        .collect();
    Table::new(columns, cells)
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("../test_data/cases.json")).unwrap()
}

#[test]
fn scores_are_right() {
    for case in cases() {
        let score = serde_json::to_value(case.score()).unwrap();
        for (member, expected) in &case.expect {
            assert_eq!(
                score[member], *expected,
                "{}: {member} of {score:#}",
                case.id
            );
        }
    }
}

#[test]
fn scores_are_the_same_bit_for_bit() {
    let mut scores = String::new();
    for case in cases() {
        let score = case.score();
        let json = serde_json::to_string(&score).unwrap();
        assert_eq!(
            serde_json::from_str::<Score>(&json).unwrap(),
            score,
            "{}",
            case.id
        );
        scores.push_str(&json);
        scores.push('\n');
    }
    let expected = include_str!("../test_data/scores.jsonl");
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        write_expected(&scores);
        return;
    }
    for ((score, expected), case) in scores.lines().zip(expected.lines()).zip(cases()) {
        assert_eq!(score, expected, "{}", case.id);
    }
    assert_eq!(scores.lines().count(), expected.lines().count());
}

#[cfg(not(target_arch = "wasm32"))]
#[expect(
    clippy::disallowed_methods,
    reason = "only the native test writes the file that both compare with"
)]
fn write_expected(scores: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/test_data/scores.jsonl");
    std::fs::write(path, scores).unwrap();
}
