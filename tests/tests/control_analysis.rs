//! What is published about the controls, as their analysis over the snapshot finds it.
#![expect(
    clippy::unwrap_used,
    reason = "a function that a test calls fails with the test"
)]

mod support;

use std::collections::BTreeMap;

use control::{
    Analysis, AnalysisPlan, Case, ClassSource, Classes, Fate, Grounds, RowWhy, Taxonomy, Verdict,
    analyse,
};
use support::{CORPUS, ask, control, question};

fn classes(source: &ClassSource) -> Classes {
    match source {
        ClassSource::Rows => Classes::Rows,
        ClassSource::Query(query) => Classes::from_table(&ask(query)),
        ClassSource::Unknown => Classes::Unknown,
    }
}

fn analysis(tier: &str, letter: char) -> Analysis {
    let (record, control) = (question(tier), control(tier, letter));
    let key = ask(&record.query_text);
    let identity = control::identity_column(&key).unwrap();
    let plan = AnalysisPlan::new(
        record.query.as_ref().unwrap(),
        control.query.as_ref().unwrap(),
        &key.columns()[identity],
    );
    let all = plan.uncut.as_deref().map(ask);
    let mut taxonomy = Taxonomy::default();
    for query in &plan.hierarchy {
        taxonomy.add(&ask(query));
    }
    let case = Case {
        key: &key,
        key_all: all.as_ref(),
        control: &ask(&control.query_text),
        identity: None,
        order: &plan.order,
        walks_hierarchy: plan.walks_hierarchy,
    };
    analyse(&case).unwrap().explained(&Grounds {
        keywords: &control.keywords,
        roots: &plan.roots,
        taxonomy: &taxonomy,
        key: &classes(&plan.key_classes),
        control: &classes(&plan.control_classes),
    })
}

/// Kept, missed, invented, changed, below the cut.
fn counts(analysis: &Analysis) -> [usize; 5] {
    let found = &analysis.comparison;
    [
        found.kept,
        found.missed,
        found.invented,
        found.changed,
        found.below_cut,
    ]
}

fn whys(analysis: &Analysis, fate: Fate) -> Vec<&RowWhy> {
    analysis
        .findings
        .why
        .iter()
        .filter(|row| row.fate == fate)
        .collect()
}

#[test]
fn the_literal_term_collapses_or_keeps_next_to_nothing() {
    for tier in CORPUS.tiers() {
        let found = analysis(&tier, 'A').comparison;
        if tier == "hormonesecretion" {
            assert_eq!((found.rows, found.kept, found.missed), (2, 2, 13), "{tier}");
        } else {
            assert_eq!((found.rows, found.missed), (0, 15), "{tier}");
            assert_eq!(found.verdict, Verdict::Collapses, "{tier}");
            assert_eq!(found.headline_ratio, None, "{tier}");
        }
    }
}

#[test]
fn cardiovascular_by_name() {
    let found = analysis("cardiovascular", 'B');
    assert_eq!(counts(&found), [4, 11, 1, 0, 7]);
    assert_eq!(found.comparison.verdict, Verdict::LooksRightAndIsWrong);
    assert_eq!(
        found.comparison.headline_ratio,
        Some(1.0),
        "its own top row is right"
    );
    assert_eq!(found.findings.identity.as_deref(), Some("condition"));

    let uncut = found.findings.uncut.unwrap();
    assert_eq!((uncut.key_rows, uncut.kept, uncut.missed), (81, 11, 70));
    assert_eq!((uncut.invented, uncut.changed), (1, 0));
    assert_eq!(
        found.findings.tau_b,
        Some(1.0),
        "what it keeps, it keeps in order"
    );

    let missed: Vec<_> = found
        .comparison
        .fates
        .iter()
        .filter(|row| row.fate == Fate::Missed)
        .map(|row| row.key_rank.unwrap())
        .collect();
    assert_eq!(
        missed[..5],
        [2, 3, 4, 5, 6],
        "the 2nd through the 6th largest"
    );

    let [invented] = whys(&found, Fate::Invented)[..] else {
        panic!("one invented row");
    };
    let reason = &invented.reasons[0];
    let sits = reason.matched.as_ref().unwrap();
    assert_eq!(
        (&*sits.before, &*sits.matched, &*sits.after),
        ("a", "vascular", "")
    );
    assert_eq!(sits.word(), "avascular");
    assert!(!reason.in_closure);

    let missed = whys(&found, Fate::Missed);
    assert_eq!(missed.len(), 11);
    for row in missed {
        let reason = &row.reasons[0];
        assert_eq!(reason.matched, None, "{reason}");
        assert!(reason.path.len() >= 2, "{reason}");
        assert_eq!(reason.path[0].iri, row.identity);
        let root = &reason.path[reason.path.len() - 1];
        assert!(root.iri.ends_with("MONDO_0004995"), "{reason}");
    }
}

#[test]
fn autoimmune_by_name() {
    let found = analysis("autoimmune", 'B');
    assert_eq!(found.comparison.headline_ratio, Some(20.0 / 594.0));
    let largest = &found.comparison.fates[..10];
    assert!(largest.iter().all(|row| row.fate == Fate::Missed));
    assert_eq!(found.comparison.verdict, Verdict::LooksRightAndIsWrong);
}

#[test]
fn hormone_secretion_by_symbol() {
    let pooled = analysis("hormonesecretion", 'C');
    let [_, missed, invented, changed, _] = counts(&pooled);
    assert_eq!((missed, invented, changed), (1, 1, 3));
    assert!(
        pooled
            .findings
            .why
            .iter()
            .all(|row| !row.reasons.is_empty()),
        "the classes behind each gene are known"
    );
    assert!(pooled.findings.tau_b.is_some_and(|tau| tau < 1.0));

    let human = analysis("hormonesecretion", 'D').comparison;
    assert_eq!(human.verdict, Verdict::Equivalent);
    assert_eq!((human.missed, human.invented, human.changed), (0, 0, 0));
}

#[test]
fn every_row_that_a_name_test_gets_wrong_is_explained() {
    let mut unexplained = BTreeMap::new();
    for tier in CORPUS.tiers() {
        let found = analysis(&tier, 'B');
        for row in &found.findings.why {
            let right = match row.fate {
                // Some class of the row is in the closure and not named after it.
                Fate::Missed => row
                    .reasons
                    .iter()
                    .any(|reason| reason.in_closure && reason.matched.is_none()),
                // Some class of the row matches and is not in the closure.
                _ => row
                    .reasons
                    .iter()
                    .any(|reason| !reason.in_closure && reason.matched.is_some()),
            };
            if !right {
                unexplained.insert((tier.clone(), row.identity.clone()), row.reasons.clone());
            }
        }
    }
    assert!(unexplained.is_empty(), "{unexplained:#?}");
}
