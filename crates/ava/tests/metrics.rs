//! A model judged: figures worked out by hand, laws, and what is refused.

#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test says what is wrong by failing; its figures are exact"
)]

use ava::{
    Cosines, EvaluateOptions, Evaluation, Judged, JudgedSet, MetricsError, ResultFile, Test,
    Threshold, ThresholdOrigin, Triplet, Tuning, evaluate,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// A triplet with a number for a name, its two cosines, whether it is hard, its ontology and its kind.
type Row = (
    u32,
    f64,
    f64,
    bool,
    Option<&'static str>,
    Option<&'static str>,
);

fn judged((number, anchor_positive, anchor_negative, hard, source, kind): Row) -> Judged {
    let mut triplet = Triplet {
        anchor: format!("anchor {number}"),
        source: source.map(str::to_owned),
        perturbation: kind.map(|kind| kind.to_owned().into()),
        ..Triplet::default()
    };
    triplet.scores.anchor_negative = Some(if hard { 90.0 } else { 89.999 });
    let cosines = Cosines {
        anchor_positive,
        anchor_negative,
        positive_negative: 0.0,
    };
    Judged::new(&triplet, cosines)
}

fn set<Role>(rows: &[Row]) -> JudgedSet<Role> {
    JudgedSet::new(rows.iter().copied().map(judged).collect()).unwrap()
}

fn judge(rows: &[Row]) -> Evaluation {
    let options = EvaluateOptions {
        resamples: 200,
        ..EvaluateOptions::default()
    };
    evaluate(&set(rows), &Threshold::published(), &options).unwrap()
}

const ROWS: [Row; 6] = [
    (1, 0.9, 0.4, true, Some("UO"), Some("sibling-swap")),
    (2, 0.7, 0.7, true, Some("UO"), None),
    (3, 0.3, 0.6, false, Some("FIX"), Some("sibling-swap")),
    (4, 0.5, 0.499_999_5, false, Some("FIX"), Some("own")),
    (5, 0.8, 0.2, false, None, None),
    (6, 0.2, 0.200_000_5, true, None, None),
];

#[test]
fn figures_worked_out_by_hand() {
    let found = judge(&ROWS);
    let all = &found.overall;
    assert_eq!(
        (all.triplets, all.right, all.ties, all.near_ties),
        (6, 3, 1, 3)
    );
    assert_eq!((all.hard, all.hard_right), (3, 1));
    // All of them at exactly 90, so none exceeds it.
    assert_eq!((all.hard_at_90, all.hard_at_90_right), (3, 1));
    assert_eq!(all.accuracy_beyond_90(), None);
    assert_eq!(all.triplet_accuracy, Some(0.5));
    assert_eq!(all.hard_negative_accuracy, Some(1.0 / 3.0));
    // Right 1, tie 2/3, wrong 1/2.
    let mrr = all.mrr.unwrap();
    assert!((mrr - (3.0 + 2.0 / 3.0 + 1.0) / 6.0).abs() < 1e-15);
    // From 0.5 on: positives 0.9 0.7 0.5 0.8, negatives 0.7 0.6.
    let told = &found.classification;
    let counts = told.confusion;
    assert_eq!(
        (
            counts.true_positives,
            counts.false_positives,
            counts.false_negatives,
            counts.true_negatives
        ),
        (4, 2, 2, 4)
    );
    assert_eq!((told.threshold, told.origin), (0.5, ThresholdOrigin::Fixed));
    assert_eq!(
        (told.accuracy, told.precision, told.recall),
        (8.0 / 12.0, 4.0 / 6.0, 4.0 / 6.0)
    );
}

#[test]
fn groups_add_up_and_name_what_is_not_stated_last() {
    let found = judge(&ROWS);
    let names = |groups: &[ava::Group]| -> Vec<Option<String>> {
        groups.iter().map(|group| group.name.clone()).collect()
    };
    assert_eq!(
        names(&found.by_ontology),
        [Some("FIX".into()), Some("UO".into()), None]
    );
    assert_eq!(
        names(&found.by_perturbation),
        [Some("own".into()), Some("sibling-swap".into()), None]
    );
    for groups in [&found.by_ontology, &found.by_perturbation] {
        let sum = |of: fn(&ava::Figures) -> usize| -> usize {
            groups.iter().map(|group| of(&group.figures)).sum()
        };
        assert_eq!(
            (sum(|f| f.triplets), sum(|f| f.right), sum(|f| f.hard_right)),
            (6, 3, 1)
        );
    }
    // An ontology of its own has nothing to resample; the three together do.
    assert_eq!(found.by_ontology[0].figures.triplet_accuracy_interval, None);
    let interval = found.overall.triplet_accuracy_interval.unwrap();
    assert!(interval.low <= 0.5 && 0.5 <= interval.high);
}

/// Ninety triplets of one ontology, all right, and ten of another, all wrong: whole ontologies are drawn, so the accuracy
/// is 0, 0.9 or 1. Drawn one by one, triplets would leave it near 0.9.
#[test]
fn intervals_are_of_ontologies_and_not_of_triplets() {
    let rows: Vec<Row> = (0..100)
        .map(|n| match n {
            0..90 => (n, 0.9, 0.1, n % 2 == 0, Some("FIX"), Some("sibling-swap")),
            _ => (n, 0.1, 0.9, n % 2 == 0, Some("UO"), Some("sibling-swap")),
        })
        .collect();
    let found = judge(&rows);
    assert_eq!(found.overall.triplet_accuracy, Some(0.9));
    for figures in [&found.overall, &found.by_perturbation[0].figures] {
        for interval in [
            figures.triplet_accuracy_interval,
            figures.hard_negative_accuracy_interval,
        ] {
            let interval = interval.unwrap();
            assert_eq!((interval.low, interval.high), (0.0, 1.0));
        }
        let ranks = figures.mrr_interval.unwrap();
        assert_eq!((ranks.low, ranks.high), (0.5, 1.0));
    }
    // Of an ontology alone every pair is told right, or every pair wrong; without a pair told right there is no precision.
    for told in [
        Some(found.classification),
        found.by_perturbation[0].classification,
    ] {
        let told = told.unwrap();
        for interval in [
            told.accuracy_interval,
            told.precision_interval,
            told.recall_interval,
            told.f1_interval,
            told.roc_auc_interval,
        ] {
            let interval = interval.unwrap();
            assert_eq!((interval.low, interval.high), (0.0, 1.0));
        }
        // A positive below every negative: half of the pairs are positives.
        let average = told.avg_precision_interval.unwrap();
        assert_eq!((average.low, average.high), (0.5, 1.0));
    }
}

#[test]
fn what_exceeds_90_is_told_from_what_reaches_it() {
    let rows = [
        (89.999, true),
        (90.0, false),
        (90.0, true),
        (90.001, true),
        (100.0, false),
    ];
    let rows = rows.into_iter().map(|(ratio, right)| {
        let mut triplet = Triplet::default();
        triplet.scores.anchor_negative = Some(ratio);
        let cosines = Cosines {
            anchor_positive: if right { 0.9 } else { 0.1 },
            anchor_negative: 0.5,
            positive_negative: 0.0,
        };
        Judged::new(&triplet, cosines)
    });
    let set = JudgedSet::<Test>::new(rows.collect()).unwrap();
    let found = evaluate(&set, &Threshold::published(), &EvaluateOptions::default()).unwrap();
    let all = &found.overall;
    assert_eq!((all.hard, all.hard_at_90, all.hard_at_90_right), (4, 2, 1));
    assert_eq!(all.hard_negative_accuracy, Some(0.5));
    assert_eq!(all.accuracy_beyond_90(), Some(0.5));
}

#[test]
fn a_generator_and_a_group_have_figures_of_their_own() {
    let rows = ROWS
        .into_iter()
        .zip(["rules", "rules", "gpt", "gpt", "gpt", "rules"]);
    let rows = rows.map(|(row, generator)| Judged {
        generator: Some(generator.to_owned()),
        ..judged(row)
    });
    let set = JudgedSet::<Test>::new(rows.collect()).unwrap();
    let found = evaluate(&set, &Threshold::published(), &EvaluateOptions::default()).unwrap();
    let told: Vec<_> = found
        .by_generator
        .iter()
        .map(|group| {
            let classification = group.classification.unwrap();
            (
                group.name.as_deref(),
                group.figures.right,
                classification.confusion.true_positives,
            )
        })
        .collect();
    // Positives from 0.5 on: 0.5 and 0.8, 0.9 and 0.7.
    assert_eq!(told, [(Some("gpt"), 2, 2), (Some("rules"), 1, 2)]);
    let whole = found.classification.confusion.true_positives;
    assert_eq!(told.iter().map(|group| group.2).sum::<usize>(), whole);
}

#[test]
fn near_ties_are_counted_up_to_the_stated_distance() {
    let rows: Vec<Row> = [0.0, 5e-7, -5e-7, 2e-6, 0.25]
        .into_iter()
        .zip(0..)
        .map(|(margin, n)| (n, 0.5 + margin, 0.5, false, Some("UO"), None))
        .collect();
    for (near_tie, expected) in [(0.0, 1), (1e-6, 3), (1e-5, 4), (1.0, 5)] {
        let options = EvaluateOptions {
            near_tie,
            resamples: 0,
            ..EvaluateOptions::default()
        };
        let found = evaluate(&set(&rows), &Threshold::published(), &options).unwrap();
        assert_eq!(found.overall.near_ties, expected, "{near_tie}");
        assert_eq!((found.overall.ties, found.near_tie), (1, near_tie));
    }
}

#[test]
fn a_collapsed_model_has_only_ties_and_no_accuracy() {
    let rows: Vec<Row> = (0..4)
        .map(|n| (n, 1.0, 1.0, true, Some("UO"), None))
        .collect();
    let found = judge(&rows);
    assert_eq!(found.overall.triplet_accuracy, Some(0.0));
    assert_eq!(found.overall.mrr, Some(2.0 / 3.0));
    assert_eq!((found.overall.ties, found.overall.near_ties), (4, 4));
    assert_eq!(
        (
            found.classification.roc_auc,
            found.classification.avg_precision
        ),
        (0.5, 0.5)
    );
}

#[test]
fn a_set_without_hard_negatives_has_no_accuracy_on_them() {
    let found = judge(&ROWS[2..4]);
    assert_eq!(found.overall.hard_negative_accuracy, None);
    let json = serde_json::to_value(ResultFile::from(found)).unwrap();
    assert_eq!(json["test"]["hard_negative_acc"], serde_json::Value::Null);
}

#[test]
fn a_threshold_is_tuned_elsewhere_or_refused() {
    let tuned = Threshold::tuned(&set::<Tuning>(&ROWS[..4]));
    // At 0.5, F1 is 2·3 / (5 + 4); at 0.3, with all eight that are there, 2·4 / (8 + 4), which is the same: the higher one.
    assert_eq!(tuned.value(), 0.5);
    let ThresholdOrigin::Tuned { triplets: 4, f1 } = tuned.origin() else {
        panic!("{:?}", tuned.origin())
    };
    assert!((f1 - 6.0 / 9.0).abs() < 1e-12);
    let options = EvaluateOptions::default();
    let apart = evaluate(&set(&ROWS[4..]), &tuned, &options).unwrap();
    assert_eq!(apart.classification.threshold, 0.5);
    assert_eq!(
        evaluate(&set(&ROWS[3..]), &tuned, &options),
        Err(MetricsError::TunedOnTest { shared: 1 })
    );
    for value in [f64::NAN, f64::INFINITY] {
        assert!(matches!(
            Threshold::fixed(value),
            Err(MetricsError::Threshold(_))
        ));
    }
    assert_eq!(Threshold::fixed(0.25).unwrap().value(), 0.25);
}

#[test]
fn a_cosine_that_is_no_number_is_an_error_with_its_row() {
    for (positive, negative, expected) in [
        (
            f64::NAN,
            0.5,
            "row 2: the cosine of anchor and positive is NaN",
        ),
        (
            0.5,
            f64::INFINITY,
            "row 2: the cosine of anchor and negative is inf",
        ),
    ] {
        let rows = [ROWS[0], (2, positive, negative, false, None, None)];
        let error = JudgedSet::<Test>::new(rows.map(judged).to_vec()).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(JudgedSet::<Test>::new(vec![]), Err(MetricsError::Empty));
}

#[test]
fn a_result_file_is_ava_s_and_more() {
    let file = ResultFile::from(judge(&ROWS));
    let text = serde_json::to_string(&file).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let figures = json["test"].as_object().unwrap();
    let mut keys: Vec<_> = figures.keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(
        keys,
        [
            "MRR",
            "Recall@1",
            "accuracy",
            "avg_precision",
            "best_threshold",
            "f1",
            "hard_negative_acc",
            "precision",
            "recall",
            "roc_auc",
            "triplet_accuracy"
        ]
    );
    assert_eq!(figures["Recall@1"], figures["triplet_accuracy"]);
    assert_eq!(serde_json::from_str::<ResultFile>(&text).unwrap(), file);
    // An older file of theirs.
    let older = r#"{"test": {"triplet_accuracy": 0.657, "MRR": 0.83, "Recall@1": 0.657, "hard_negative_acc": 0.467, "best_threshold": 0.5, "accuracy": 0.5, "precision": 0.5, "recall": 1.0, "f1": 0.67}}"#;
    let older: ResultFile = serde_json::from_str(older).unwrap();
    assert_eq!(
        (older.test.hard_negative_acc, older.test.roc_auc),
        (Some(0.467), None)
    );
}

#[cfg(not(target_arch = "wasm32"))]
mod laws {
    use super::*;
    use proptest::prelude::*;

    const ONTOLOGIES: [Option<&str>; 4] = [None, Some("FIX"), Some("FOAF"), Some("UO")];

    fn rows() -> impl Strategy<Value = Vec<Row>> {
        let row = (-4_i32..=4, -4_i32..=4, any::<bool>(), 0_usize..4);
        proptest::collection::vec(row, 1..40).prop_map(|rows| {
            let numbered = rows.into_iter().zip(0..);
            numbered
                .map(|((positive, negative, hard, ontology), number)| {
                    let cosine = |value: i32| f64::from(value) / 4.0;
                    (
                        number,
                        cosine(positive),
                        cosine(negative),
                        hard,
                        ONTOLOGIES[ontology],
                        None,
                    )
                })
                .collect()
        })
    }

    proptest! {
        #[test]
        fn order_makes_no_difference(rows in rows()) {
            let found = judge(&rows);
            let mut turned = rows.clone();
            turned.reverse();
            let turned = judge(&turned);
            prop_assert_eq!(found.overall.right, turned.overall.right);
            prop_assert!((found.overall.mrr.unwrap() - turned.overall.mrr.unwrap()).abs() < 1e-12);
            prop_assert_eq!(found.classification.roc_auc, turned.classification.roc_auc);
            prop_assert_eq!(found.classification.confusion, turned.classification.confusion);
        }

        #[test]
        fn figures_stay_within_their_bounds(rows in rows()) {
            let found = judge(&rows);
            let all = &found.overall;
            let (accuracy, mrr) = (all.triplet_accuracy.unwrap(), all.mrr.unwrap());
            prop_assert!(all.ties <= all.near_ties && all.right + all.ties <= all.triplets);
            // A wrong one counts a half and a tie two thirds, so the rank is bounded by the accuracy.
            prop_assert!(mrr >= 0.5 + accuracy / 2.0 - 1e-12 && mrr <= (2.0 + accuracy) / 3.0 + 1e-12);
            for interval in [all.triplet_accuracy_interval, all.mrr_interval].into_iter().flatten() {
                prop_assert!(0.0 <= interval.low && interval.low <= interval.high && interval.high <= 1.0);
            }
        }

        #[test]
        fn sides_changed_turn_right_into_wrong(rows in rows()) {
            let found = judge(&rows);
            let changed: Vec<Row> = rows.iter().map(|&(n, p, q, h, o, k)| (n, q, p, h, o, k)).collect();
            let changed = judge(&changed);
            let all = &found.overall;
            prop_assert_eq!(all.right + all.ties + changed.overall.right, all.triplets);
            prop_assert!((found.classification.roc_auc + changed.classification.roc_auc - 1.0).abs() < 1e-12);
        }

        #[test]
        fn no_other_threshold_has_a_better_f1(rows in rows(), other in -1.5_f64..1.5) {
            let tuned = Threshold::tuned(&set::<Tuning>(&rows));
            let at = |threshold: &Threshold| {
                // Judged on the same triplets under other names, which only a test of the law would do.
                let renamed: Vec<Row> = rows.iter().map(|&(n, p, q, h, o, k)| (n + 1000, p, q, h, o, k)).collect();
                evaluate(&set(&renamed), threshold, &EvaluateOptions { resamples: 0, ..EvaluateOptions::default() }).unwrap().classification.f1
            };
            let best = at(&tuned);
            let ThresholdOrigin::Tuned { f1, .. } = tuned.origin() else { panic!("tuned") };
            prop_assert!((f1 - best).abs() < 1e-12);
            prop_assert!(at(&Threshold::fixed(other).unwrap()) <= best + 1e-12);
        }
    }
}
