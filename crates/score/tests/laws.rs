//! Laws that every pair of tables obeys, on tables from a generator.

#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]
#![expect(
    clippy::float_cmp,
    reason = "a ratio of the same counts has the same bits"
)]

use proptest::prelude::*;
use proptest::sample::Index;
use score::{Key, Options, Score, score, score_tables};
use table::{Cell, Number, NumberKind, RawTable, Table};

/// What a column of a generated table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Iri,
    Text,
    Integer,
    Decimal,
    Double,
    Boolean,
    Blank,
    Mixed,
}

/// Columns of one kind each.
const PURE: &[Kind] = &[
    Kind::Iri,
    Kind::Text,
    Kind::Integer,
    Kind::Decimal,
    Kind::Double,
    Kind::Boolean,
    Kind::Blank,
];

/// Columns that mix kinds, so that a text may mean several things. Not together with blank nodes: there the search is
/// bounded, and says so.
const MIXED: &[Kind] = &[Kind::Mixed, Kind::Mixed, Kind::Iri, Kind::Double];

fn cell(kind: Kind) -> BoxedStrategy<Cell> {
    let number = |lexical: &'static [&'static str], kind| {
        prop::sample::select(lexical)
            .prop_map(move |lexical| Cell::Number(Number::parse(lexical, kind).unwrap()))
    };
    let present = match kind {
        Kind::Iri => prop::sample::select(&["http://e/1", "http://e/2", "http://e/é"][..])
            .prop_map(|iri| Cell::Iri(iri.into()))
            .boxed(),
        Kind::Text => prop::sample::select(
            &[
                "7",
                "007",
                "true",
                "_:b",
                "a, \"b\"",
                "c\r\nd",
                " Sjo\u{308}gren ",
                "Sj\u{f6}gren",
                "http://e/1",
            ][..],
        )
        .prop_map(|text| Cell::Text(text.into()))
        .boxed(),
        Kind::Integer => number(&["7", "07", "-0", "0", "1"], NumberKind::Integer).boxed(),
        Kind::Decimal => number(&["7.0", "7", "0.10", "-0.1", "1"], NumberKind::Decimal).boxed(),
        Kind::Double => number(&["7", "1e-1", "INF", "NaN", "-0"], NumberKind::Double).boxed(),
        Kind::Boolean => any::<bool>().prop_map(Cell::Boolean).boxed(),
        Kind::Blank => prop::sample::select(&["p", "q", "r", "s"][..])
            .prop_map(|label| Cell::Blank(label.into()))
            .boxed(),
        Kind::Mixed => prop::sample::select(
            &[
                Kind::Iri,
                Kind::Text,
                Kind::Integer,
                Kind::Decimal,
                Kind::Boolean,
            ][..],
        )
        .prop_flat_map(cell)
        .boxed(),
    };
    prop_oneof![1 => Just(Cell::Missing), 6 => present].boxed()
}

fn table_of(kinds: Vec<Kind>, rows: std::ops::Range<usize>) -> impl Strategy<Value = Table> {
    let columns: Vec<String> = (0..kinds.len())
        .map(|index| format!("column {index}"))
        .collect();
    let row: Vec<BoxedStrategy<Cell>> = kinds.into_iter().map(cell).collect();
    prop::collection::vec(row, rows).prop_map(move |rows| Table::new(columns.clone(), rows))
}

fn any_table() -> impl Strategy<Value = Table> {
    prop_oneof![Just(PURE), Just(MIXED)]
        .prop_flat_map(|kinds| prop::collection::vec(prop::sample::select(kinds), 1..4))
        .prop_flat_map(|kinds| table_of(kinds, 0..9))
}

/// Two tables with columns of the same kinds.
fn pair_of(kinds: &'static [Kind]) -> impl Strategy<Value = (Table, Table)> {
    prop::collection::vec(prop::sample::select(kinds), 1..4)
        .prop_flat_map(|kinds| (table_of(kinds.clone(), 0..8), table_of(kinds, 0..8)))
}

fn scored(key: &Table, answer: &Table) -> Score {
    score_tables(&Key::unordered(key), answer, &Options::default())
}

/// The table as a person might submit it: rows and columns in another order, blank nodes under other labels.
fn submitted(table: &Table, rows: &[Index], columns: &[Index], rename: bool) -> String {
    let width = table.columns().len();
    let row_order = permutation(table.len(), rows);
    let column_order = permutation(width, columns);
    let header = column_order
        .iter()
        .map(|&column| {
            if rename {
                format!("other {}", width - column)
            } else {
                table.columns()[column].to_uppercase()
            }
        })
        .collect();
    let cells = row_order
        .iter()
        .map(|&row| {
            column_order
                .iter()
                .map(|&column| relabelled(&table.row(row)[column]))
                .collect()
        })
        .collect();
    table::to_csv(&Table::new(header, cells))
}

fn relabelled(cell: &Cell) -> Cell {
    match cell {
        Cell::Blank(label) => {
            Cell::Blank(format!("{}x", (b't' - label.as_bytes()[0]) as char).into())
        }
        cell => cell.clone(),
    }
}

fn permutation(len: usize, picks: &[Index]) -> Vec<usize> {
    let mut left: Vec<usize> = (0..len).collect();
    let mut picks = picks.iter().cycle();
    let mut order = Vec::new();
    while !left.is_empty() {
        let pick = picks.next().map_or(0, |pick| pick.index(left.len()));
        order.push(left.remove(pick));
    }
    order
}

fn picks() -> impl Strategy<Value = Vec<Index>> {
    prop::collection::vec(any::<Index>(), 9)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_table_scores_one_against_itself_in_any_order(table in any_table(), rows in picks(), columns in picks()) {
        let csv = submitted(&table, &rows, &columns, false);
        let answer = table::read_answer(csv.as_bytes()).unwrap();
        let score = score(&Key::unordered(&table), &answer, &Options::default());
        prop_assert!(score.exact, "{csv:?} {score:?}");
        prop_assert_eq!((score.f1, score.precision, score.recall), (1.0, 1.0, 1.0));
        prop_assert_eq!(score.f1_mapped, Some(1.0));
    }

    #[test]
    fn and_under_other_names(table in any_table(), rows in picks(), columns in picks()) {
        let csv = submitted(&table, &rows, &columns, true);
        let answer = table::read_answer(csv.as_bytes()).unwrap();
        let score = score(&Key::unordered(&table), &answer, &Options::default());
        prop_assert!(score.exact, "{csv:?} {score:?}");
    }

    #[test]
    fn swapping_the_tables_swaps_precision_and_recall((left, right) in pair_of(PURE)) {
        let (forth, back) = (scored(&left, &right), scored(&right, &left));
        prop_assert_eq!(forth.precision, back.recall);
        prop_assert_eq!(forth.recall, back.precision);
        prop_assert_eq!(forth.f1, back.f1);
        prop_assert_eq!(forth.exact, back.exact);
    }

    #[test]
    fn a_wrong_row_never_raises_precision((key, answer) in pair_of(PURE), at in any::<Index>()) {
        let before = scored(&key, &answer);
        let mut worse = RawTable::new(answer.columns().to_vec());
        let wrong = vec!["in no key"; answer.columns().len()];
        let place = at.index(answer.len() + 1);
        for row in 0..=answer.len() {
            if row == place {
                worse.push_row(&wrong);
            }
            if row < answer.len() {
                let cells: Vec<String> = answer.row(row).iter().map(Cell::to_string).collect();
                worse.push_row(&cells.iter().map(String::as_str).collect::<Vec<_>>());
            }
        }
        let after = score(&Key::unordered(&key), &worse, &Options::default());
        prop_assert!(after.precision <= before.precision);
        prop_assert!(after.recall <= before.recall);
        prop_assert!(!after.exact);
    }

    #[test]
    fn what_a_score_says_fits_together((key, answer) in pair_of(PURE)) {
        let score = scored(&key, &answer);
        for ratio in [score.f1, score.precision, score.recall] {
            prop_assert!((0.0..=1.0).contains(&ratio));
        }
        prop_assert_eq!(score.exact, score.missing.is_empty() && score.unexpected.is_empty());
        prop_assert_eq!(score.matched_rows + score.missing.len(), score.key_rows);
        prop_assert_eq!(score.matched_rows + score.unexpected.len(), score.rows);
        let keys = score.diff.iter().filter(|entry| entry.key_row.is_some()).count();
        let answers = score.diff.iter().filter(|entry| entry.answer_row.is_some()).count();
        prop_assert_eq!((keys, answers), (score.key_rows, score.rows));
    }

    #[test]
    fn no_pairing_matches_more((key, answer) in prop_oneof![pair_of(MIXED), pair_of(&[Kind::Integer, Kind::Blank, Kind::Blank])]) {
        let expected = most_matches(&key, &answer);
        let score = scored(&key, &answer);
        prop_assert_eq!(score.matched_rows, expected, "{:?}", score);
    }
}

/// The greatest number of rows that can be paired, by trying everything: every renaming of blank nodes, and for each a
/// maximum matching by augmenting paths.
fn most_matches(key: &Table, answer: &Table) -> usize {
    let labels = |table: &Table| {
        let mut labels: Vec<Box<str>> = Vec::new();
        for row in table.rows() {
            for cell in row {
                match cell {
                    Cell::Blank(label) if !labels.contains(label) => labels.push(label.clone()),
                    _ => {}
                }
            }
        }
        labels
    };
    let (from, to) = (labels(answer), labels(key));
    let mut best = 0;
    let mut partners: Vec<Option<usize>> = Vec::new();
    try_partners(&from, &to, &mut partners, &mut |partners| {
        let becomes = |label: &str| {
            let index = from.iter().position(|known| **known == *label)?;
            partners[index].map(|partner| &*to[partner])
        };
        let equal = |answer_row: usize, key_row: usize| {
            let cells = answer.row(answer_row).iter().zip(key.row(key_row));
            cells
                .into_iter()
                .all(|(answer, key)| means(answer, key, &becomes))
        };
        best = best.max(maximum_matching(answer.len(), key.len(), &equal));
    });
    best
}

fn try_partners(
    from: &[Box<str>],
    to: &[Box<str>],
    partners: &mut Vec<Option<usize>>,
    visit: &mut dyn FnMut(&[Option<usize>]),
) {
    if partners.len() == from.len() {
        visit(partners);
        return;
    }
    for partner in (0..to.len()).map(Some).chain([None]) {
        if partner.is_none() || !partners.contains(&partner) {
            partners.push(partner);
            try_partners(from, to, partners, visit);
            partners.pop();
        }
    }
}

/// Whether an answer's cell can mean a key's, told anew from the rules.
fn means<'a>(answer: &Cell, key: &Cell, becomes: &dyn Fn(&str) -> Option<&'a str>) -> bool {
    let text = answer.to_string();
    let trimmed = text.trim();
    match key {
        Cell::Missing => trimmed.is_empty(),
        Cell::Iri(iri) => **iri == *trimmed,
        Cell::Blank(label) => trimmed.strip_prefix("_:").and_then(becomes) == Some(label),
        Cell::Number(number) => number.equals(trimmed),
        Cell::Boolean(value) => {
            let spellings = if *value {
                ["true", "1"]
            } else {
                ["false", "0"]
            };
            spellings.contains(&trimmed.to_lowercase().as_str())
        }
        Cell::Text(expected) => table::comparable_text(expected) == table::comparable_text(&text),
    }
}

fn maximum_matching(left: usize, right: usize, equal: &dyn Fn(usize, usize) -> bool) -> usize {
    let mut partner = vec![None; right];
    (0..left)
        .filter(|&row| augment(row, right, equal, &mut vec![false; right], &mut partner))
        .count()
}

fn augment(
    row: usize,
    right: usize,
    equal: &dyn Fn(usize, usize) -> bool,
    visited: &mut [bool],
    partner: &mut [Option<usize>],
) -> bool {
    for other in 0..right {
        if visited[other] || !equal(row, other) {
            continue;
        }
        visited[other] = true;
        let free = match partner[other] {
            None => true,
            Some(holder) => augment(holder, right, equal, visited, partner),
        };
        if free {
            partner[other] = Some(row);
            return true;
        }
    }
    false
}

/// Crowds of look-alikes, a hub, a chain, a ring: none may take more than about linear time, or come out inexact.
#[test]
fn many_blank_nodes_are_matched_whole() {
    const ROWS: usize = 4_000;
    type Shape = (&'static str, fn(usize) -> String);
    let shapes: [Shape; 5] = [
        ("crowd", |row| format!("_:b{row},1")),
        ("pairs", |row| format!("_:b{},{}", row / 2, row % 2)),
        ("hub", |row| format!("_:hub,_:b{row}")),
        ("chain", |row| format!("_:b{row},_:b{}", row + 1)),
        ("ring", |row| format!("_:b{row},_:b{}", (row + 1) % ROWS)),
    ];
    for (name, row) in shapes {
        let rows: Vec<String> = (0..ROWS).map(row).collect();
        let key = table::read_key_csv(format!("x,y\n{}\n", rows.join("\n")).as_bytes()).unwrap();
        // Another order, and other labels in it.
        let permuted: Vec<String> = (0..ROWS)
            .map(|index| rows[index * 1_237 % ROWS].replace("_:b", "_:other"))
            .collect();
        let answer = format!("x,y\n{}\n", permuted.join("\n"));
        let answer = table::read_answer(answer.as_bytes()).unwrap();
        let score = score(&Key::unordered(&key), &answer, &Options::default());
        assert!(
            score.exact,
            "{name}: {} of {ROWS}, {:?}",
            score.matched_rows, score.notes
        );
    }
}
