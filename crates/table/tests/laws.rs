//! Laws of reading and writing, on inputs from a generator.

#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use table::{Cell, Decimal, Number, NumberKind, Table};

fn cell() -> impl Strategy<Value = Cell> {
    let number = |kind| {
        "[+-]?[0-9]{1,25}(\\.[0-9]{0,3})?".prop_filter_map("not of its kind", move |lexical| {
            Number::parse(&lexical, kind).map(Cell::Number)
        })
    };
    prop_oneof![
        Just(Cell::Missing),
        "http://e/[a-z0-9é#?]{0,6}".prop_map(|iri| Cell::Iri(iri.into())),
        "(_:)?[a-z][a-z0-9]{0,3}".prop_map(|label| Cell::Blank(label.into())),
        any::<bool>().prop_map(Cell::Boolean),
        ".{0,8}".prop_map(|text| Cell::Text(text.into())),
        "[a,;\"|\r\n\\\\ ]{0,6}".prop_map(|text| Cell::Text(text.into())),
        number(NumberKind::Integer),
        number(NumberKind::Decimal),
        number(NumberKind::Double),
        number(NumberKind::Float),
    ]
}

fn tables() -> impl Strategy<Value = Table> {
    (1_usize..5).prop_flat_map(|width| {
        let columns: Vec<String> = (0..width).map(|index| format!("c{index}")).collect();
        prop::collection::vec(prop::collection::vec(cell(), width), 0..8)
            .prop_map(move |rows| Table::new(columns.clone(), rows))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sparql_json_keeps_tables(table in tables()) {
        let json = table::to_sparql_json(&table);
        prop_assert_eq!(table::read_sparql_json(json.as_bytes()), Ok(table), "{}", json);
    }

    #[test]
    fn csv_keeps_every_cell(table in tables()) {
        let csv = table::to_csv(&table);
        let answer = table::read_answer(csv.as_bytes()).unwrap();
        prop_assert_eq!(&answer.columns, table.columns());
        prop_assert_eq!(&answer.ragged, &[], "{:?}", csv);
        prop_assert_eq!(answer.len(), table.len(), "{:?}", csv);
        for (index, row) in table.rows().enumerate() {
            let found: Vec<&str> = answer.row(index).collect();
            let expected: Vec<String> = row.iter().map(Cell::to_string).collect();
            prop_assert_eq!(found, expected);
        }
    }

    /// Cutting a document anywhere must not give a shorter key.
    #[test]
    fn a_cut_document_is_no_key(table in tables(), at in any::<prop::sample::Index>()) {
        let json = table::to_sparql_json(&table);
        let document = json.trim_end();
        let cut = at.index(document.len());
        prop_assert!(table::read_sparql_json(&document.as_bytes()[..cut]).is_err());
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_everything(&bytes);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[a1,;|\t\"'`\\\\nr\r\n \u{feff}é<>?_:^@{}\\[\\]-]{0,80}") {
        read_everything(text.as_bytes());
    }

    #[test]
    fn decimals_print_what_they_are(text in "[+-]?[0-9]{0,30}\\.?[0-9]{0,30}([eE][+-]?[0-9]{1,2})?") {
        if let Some(value) = Decimal::parse(&text) {
            prop_assert_eq!(Decimal::parse(&value.to_string()), Some(value), "{}", text);
        }
    }

    /// Padding a number with zeros, or moving its point, leaves its value.
    #[test]
    fn decimals_have_one_value(digits in "[0-9]{1,40}", zeros in 0_usize..30, shift in 0_usize..30) {
        let value = Decimal::parse(&digits);
        prop_assert!(value.is_some());
        let padded = format!("+{}{digits}.{}", "0".repeat(zeros), "0".repeat(zeros));
        prop_assert_eq!(&Decimal::parse(&padded), &value);
        let moved = format!("{digits}{}e-{shift}", "0".repeat(shift));
        prop_assert_eq!(&Decimal::parse(&moved), &value);
        let next = Decimal::parse(&format!("{digits}.{}1", "0".repeat(zeros)));
        prop_assert_ne!(next, value);
    }
}

/// What a reader accepts must have the shape that it says it has.
fn read_everything(bytes: &[u8]) {
    if let Ok(answer) = table::read_answer(bytes) {
        for row in 0..answer.len() {
            assert_eq!(answer.row(row).len(), answer.columns.len());
            assert!(answer.line(row).is_some());
        }
        for ragged in &answer.ragged {
            assert_ne!(ragged.cells.len(), ragged.expected);
        }
    }
    for name in ["key.csv", "key.tsv", "key.srj", "key.srx"] {
        match table::read_key(name, bytes) {
            Ok(key) => assert!(key.rows().all(|row| row.len() == key.columns().len())),
            Err(error) => assert!(error.line > 0 && error.column > 0),
        }
    }
}
