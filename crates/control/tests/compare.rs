//! Controls of the published kinds, in the small, and the laws that every comparison keeps.

use control::{Comparison, Verdict, compare, compare_by};
use proptest::prelude::*;
use table::{Cell, Table};

const INTEGER: Option<&str> = Some("http://www.w3.org/2001/XMLSchema#integer");

/// A table of `name,id,count` rows, one a line.
fn table(rows: &str) -> Table {
    let columns = ["name", "condition", "datasetCount"]
        .map(str::to_owned)
        .to_vec();
    let rows = rows
        .lines()
        .map(|line| {
            let cells: Vec<_> = line.trim().split(',').collect();
            vec![
                Cell::Text(cells[0].into()),
                Cell::Iri(format!("http://e/{}", cells[1]).into()),
                Cell::literal(cells[2], INTEGER),
            ]
        })
        .collect();
    Table::new(columns, rows)
}

/// The first `n` rows.
fn cut(table: &Table, n: usize) -> Table {
    table.select(&(0..n).collect::<Vec<_>>())
}

fn counts(comparison: &Comparison) -> [usize; 5] {
    [
        comparison.kept,
        comparison.changed,
        comparison.missed,
        comparison.below_cut,
        comparison.invented,
    ]
}

#[test]
fn json_has_the_published_names() {
    let comparison = compare(&table("INS,1,40"), None, &table("INS,1,20"));
    let json = serde_json::to_value(&comparison).unwrap();
    for (field, expected) in [
        ("rows", 1.into()),
        ("key_rows", 1.into()),
        ("kept", 1.into()),
        ("missed", 0.into()),
        ("invented", 0.into()),
        ("changed", 1.into()),
        ("headline_ratio", 0.5.into()),
        (
            "verdict",
            serde_json::Value::from("looks-right-and-is-wrong"),
        ),
    ] {
        assert_eq!(json[field], expected, "{field}");
    }
    let back: Comparison = serde_json::from_value(json).unwrap();
    assert_eq!(back, comparison);
}

fn any_table() -> impl Strategy<Value = Table> {
    let cell = prop_oneof![
        Just(Cell::Missing),
        "[ab]".prop_map(|text| Cell::Text(text.into())),
        "[ab]".prop_map(|text| Cell::Iri(text.into())),
        "-?[0-9]{1,2}".prop_map(|text| Cell::literal(&text, INTEGER)),
    ];
    prop::collection::vec(prop::collection::vec(cell, 3), 0..8)
        .prop_map(|rows| Table::new(["a", "b", "c"].map(str::to_owned).to_vec(), rows))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_key_is_equivalent_to_itself(key in any_table(), take in 0usize..8) {
        let comparison = compare(&key, Some(&key), &key);
        prop_assert_eq!(comparison.verdict, Verdict::Equivalent);
        prop_assert_eq!(comparison.kept, key.len());
        // What the LIMIT cuts off is below the cut, and nothing is invented.
        let taken = take.min(key.len());
        let below = compare(&cut(&key, taken), Some(&key), &key);
        prop_assert_eq!(counts(&below), [taken, 0, 0, key.len() - taken, 0]);
    }

    #[test]
    fn every_row_has_one_fate(key in any_table(), control in any_table(), identity in 0usize..4) {
        let identity = (identity < 3).then_some(identity);
        let comparison = compare_by(&key, None, &control, identity);
        prop_assert_eq!(comparison.kept + comparison.missed, key.len());
        prop_assert_eq!(comparison.kept + comparison.below_cut + comparison.invented, control.len());
        let mut ranks: Vec<_> = comparison.fates.iter().filter_map(|row| row.control_rank).collect();
        ranks.sort_unstable();
        prop_assert_eq!(ranks, (1..=control.len()).collect::<Vec<_>>());
    }

    #[test]
    fn swapping_sides_swaps_missed_and_invented(key in any_table(), control in any_table()) {
        let there = compare_by(&key, None, &control, Some(0));
        let back = compare_by(&control, None, &key, Some(0));
        prop_assert_eq!(there.missed, back.invented);
        prop_assert_eq!(there.kept, back.kept);
    }
}
