//! Controls of the published kinds, in the small, and the laws that every comparison keeps.

use control::{Comparison, Fate, Verdict, compare, compare_by};
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

const CONDITIONS: &str = "\
    preeclampsia,1,144
    cardiomyopathy,2,123
    myocarditis,3,70
    cardiovascular anomaly,4,61
    vasculitis,5,50
    cardiac arrest,6,33
    vascular dementia,7,20";

#[test]
fn a_name_test_keeps_misses_and_invents() {
    let all = table(CONDITIONS);
    let by_name = table(
        "cardiomyopathy,2,123
         cardiovascular anomaly,4,61
         cardiac arrest,6,33
         vascular dementia,7,20
         familial avascular necrosis,90,7",
    );
    let comparison = compare(&cut(&all, 5), Some(&all), &by_name);
    assert_eq!(counts(&comparison), [2, 0, 3, 2, 1]);
    assert_eq!(comparison.verdict, Verdict::LooksRightAndIsWrong);
    assert_eq!(comparison.headline_ratio, Some(123.0 / 144.0));
    let fates: Vec<_> = comparison
        .fates
        .iter()
        .map(|row| {
            (
                row.fate,
                row.name.as_deref().unwrap(),
                row.key_rank,
                row.control_rank,
            )
        })
        .collect();
    assert_eq!(
        fates,
        [
            (Fate::Missed, "preeclampsia", Some(1), None),
            (Fate::Kept, "cardiomyopathy", Some(2), Some(1)),
            (Fate::Missed, "myocarditis", Some(3), None),
            (Fate::Kept, "cardiovascular anomaly", Some(4), Some(2)),
            (Fate::Missed, "vasculitis", Some(5), None),
            (Fate::BelowCut, "cardiac arrest", Some(6), Some(3)),
            (Fate::BelowCut, "vascular dementia", Some(7), Some(4)),
            (Fate::Invented, "familial avascular necrosis", None, Some(5)),
        ]
    );
    // Without the whole key, what lies below the cut cannot be told from what is made up.
    let blind = compare(&cut(&all, 5), None, &by_name);
    assert_eq!(counts(&blind), [2, 0, 3, 0, 3]);
}

#[test]
fn a_join_that_pools_species_changes_counts() {
    let key = table("INS,1,40\nGCG,2,30\nSST,3,20");
    let pooled = table("GCG,2,55\nINS,1,40\nNEUROD1,4,25");
    let comparison = compare(&key, Some(&key), &pooled);
    assert_eq!(counts(&comparison), [2, 1, 1, 0, 1]);
    assert_eq!(comparison.fates[1].differs, ["datasetCount"]);
    assert_eq!(comparison.headline_ratio, Some(55.0 / 40.0));
}

#[test]
fn verdicts() {
    let key = table("INS,1,40\nGCG,2,30");
    let none = table("");
    let cases = [
        ("", Verdict::Collapses),
        ("GCG,2,30\nINS,1,40", Verdict::Equivalent),
        ("INS,1,40", Verdict::Partial),
        ("INS,1,41\nGCG,2,30", Verdict::LooksRightAndIsWrong),
        (
            "INS,1,40\nGCG,2,30\nSST,3,20",
            Verdict::LooksRightAndIsWrong,
        ),
    ];
    for (rows, expected) in cases {
        assert_eq!(
            compare(&key, None, &table(rows)).verdict,
            expected,
            "{rows}"
        );
    }
    assert_eq!(compare(&none, None, &none).verdict, Verdict::Equivalent);
    let into_nothing = compare(&none, None, &key);
    assert_eq!(counts(&into_nothing), [0, 0, 0, 0, 2]);
    assert_eq!(into_nothing.fates[0].identity, "http://e/1");
    assert_eq!(into_nothing.headline_ratio, None);
}

#[test]
fn columns_are_found_by_name_and_else_by_place() {
    let key = table("INS,1,40");
    let row = || {
        vec![
            Cell::literal("40.0", INTEGER),
            Cell::Iri("http://e/1".into()),
            Cell::Text("INS ".into()),
        ]
    };
    let named = |names: [&str; 3]| Table::new(names.map(str::to_owned).to_vec(), vec![row()]);
    let shuffled = compare(&key, None, &named(["Dataset_Count", "condition", "?name"]));
    assert_eq!(counts(&shuffled), [1, 0, 0, 0, 0]);
    let elsewhere = compare(&key, None, &named(["a", "b", "c"]));
    assert_eq!(elsewhere.fates[0].differs, ["name", "datasetCount"]);
}

#[test]
fn a_repeated_identity_is_matched_row_by_row() {
    let key = table("a,1,1\nb,1,2\nc,1,3");
    let control = table("c,1,3\nx,1,9\na,1,1");
    let comparison = compare(&key, None, &control);
    assert_eq!(counts(&comparison), [3, 1, 0, 0, 0]);
    assert_eq!(comparison.fates[1].control_rank, Some(2));
}

#[test]
fn another_column_can_be_the_identity() {
    let key = table("INS,1,40");
    let control = table("INS,9,40");
    assert_eq!(counts(&compare(&key, None, &control)), [0, 0, 1, 0, 1]);
    assert_eq!(
        counts(&compare_by(&key, None, &control, Some(0))),
        [1, 1, 0, 0, 0]
    );
    assert_eq!(
        counts(&compare_by(&key, None, &control, None)),
        [0, 0, 1, 0, 1]
    );
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
