//! The readers on small inputs: every case is data, and runs natively and in WebAssembly alike.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use serde::Deserialize;
use table::{Cell, NumberKind, ReadError, Table};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    file: Option<String>,
    input: Option<String>,
    hex: Option<String>,
    #[serde(default)]
    columns: Vec<String>,
    #[serde(default)]
    rows: Vec<Vec<String>>,
    lines: Option<Vec<u32>>,
    #[serde(default)]
    repairs: Vec<String>,
    #[serde(default)]
    ragged: Vec<(u32, Vec<String>)>,
    error: Option<String>,
}

impl Case {
    fn bytes(&self) -> Vec<u8> {
        if let Some(input) = &self.input {
            return input.clone().into_bytes();
        }
        let digits: Vec<u8> = self
            .hex
            .as_ref()
            .unwrap()
            .bytes()
            .filter(|b| *b != b' ')
            .collect();
        digits
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect()
    }
}

fn cases(json: &str) -> Vec<Case> {
    serde_json::from_str(json).unwrap()
}

fn place_and_kind(error: &ReadError) -> String {
    format!("{}:{} {:?}", error.line, error.column, error.kind)
}

#[test]
fn answers_are_read_as_a_person_would() {
    for case in cases(include_str!("../test_data/answers.json")) {
        let answer = match (table::read_answer(&case.bytes()), &case.error) {
            (Err(error), Some(expected)) => {
                assert_eq!(place_and_kind(&error), *expected, "{}", case.id);
                continue;
            }
            (Ok(answer), None) => answer,
            (result, expected) => {
                assert_eq!(
                    result.is_err(),
                    expected.is_some(),
                    "{}: {result:?}",
                    case.id
                );
                continue;
            }
        };
        let rows: Vec<Vec<&str>> = (0..answer.len())
            .map(|row| answer.row(row).collect())
            .collect();
        let kinds: Vec<String> = answer
            .repairs
            .iter()
            .map(|repair| {
                serde_json::to_value(repair.kind)
                    .unwrap()
                    .as_str()
                    .unwrap()
                    .to_owned()
            })
            .collect();
        let ragged: Vec<(u32, Vec<String>)> = answer
            .ragged
            .iter()
            .map(|ragged| (ragged.line, ragged.cells.clone()))
            .collect();
        assert_eq!(answer.columns, case.columns, "{}", case.id);
        assert_eq!(rows, case.rows, "{}", case.id);
        assert_eq!(kinds, case.repairs, "{}", case.id);
        assert_eq!(ragged, case.ragged, "{}", case.id);
        if let Some(lines) = &case.lines {
            let found: Vec<u32> = (0..answer.len())
                .filter_map(|row| answer.line(row))
                .collect();
            assert_eq!(found, *lines, "{}", case.id);
        }
    }
}

#[test]
fn keys_are_read_strictly() {
    for case in cases(include_str!("../test_data/keys.json")) {
        let file = case.file.as_ref().unwrap();
        let key = match (table::read_key(file, &case.bytes()), &case.error) {
            (Err(error), Some(expected)) => {
                let found = format!("{}: {}", place_and_kind(&error), error.message);
                assert_eq!(found, *expected, "{}", case.id);
                continue;
            }
            (Ok(key), None) => key,
            (result, expected) => {
                assert_eq!(
                    result.is_err(),
                    expected.is_some(),
                    "{}: {result:?}",
                    case.id
                );
                continue;
            }
        };
        assert_eq!(key.columns(), case.columns, "{}", case.id);
        assert_eq!(typed_rows(&key), case.rows, "{}", case.id);
        let rewritten = table::read_sparql_json(table::to_sparql_json(&key).as_bytes());
        assert_eq!(rewritten, Ok(key), "{}", case.id);
    }
}

fn typed_rows(table: &Table) -> Vec<Vec<String>> {
    let typed = |cell: &Cell| match cell {
        Cell::Iri(iri) => format!("<{iri}>"),
        Cell::Text(text) => format!("text {text}"),
        Cell::Number(number) => {
            let kind = match number.kind() {
                NumberKind::Integer => "integer",
                NumberKind::Decimal => "decimal",
                NumberKind::Double => "double",
                NumberKind::Float => "float",
            };
            format!("{kind} {number}")
        }
        Cell::Missing | Cell::Blank(_) | Cell::Boolean(_) => cell.to_string(),
    };
    table
        .rows()
        .map(|row| row.iter().map(typed).collect())
        .collect()
}

/// Hashes are compared across machines and builds, so their values are part of the format.
#[test]
fn content_hashes_stay_what_they_are() {
    let key = |csv: &str| table::content_hash(&table::read_key_csv(csv.as_bytes()).unwrap());
    assert_eq!(
        key("iri,name,n\nhttp://e/1,é,1.5\n_:a,,2\n"),
        "593aab2669da3ee843325b5daf6edda8634786b601c61ff2ad6f20a9aaea3ee8"
    );
    assert_eq!(key("x,n\n_:a,1\n_:b,2\n"), key("x,n\n_:q,1.0\n_:p,2\n"));
    assert_ne!(key("x,n\n_:a,1\n_:b,2\n"), key("x,n\n_:a,1\n_:a,2\n"));
    assert_ne!(key("x,n\na,1\nb,2\n"), key("x,n\nb,2\na,1\n"));
    assert_ne!(key("x,n\na,1\n"), key("y,n\na,1\n"));
    assert_ne!(key("x\nab\n"), key("x\na\nb\n"));
}
