//! Sweeps side by side: what is counted, what is refused, and the published headline.

use std::collections::BTreeSet;

use control::Evidence;
use proptest::prelude::*;
use sweep::{
    ArmFigures, CompareError, CompareOptions, MixedFact, Obedience, Observation, Outcome,
    Provenance, ResultKind, Run, RunFacts, ServerBuild, Way, changes, charts, compare, markdown,
};

const OPTIONS: CompareOptions = CompareOptions {
    allow_mixed: false,
    seed: 1,
    resamples: 1000,
};

fn facts(model: &str) -> RunFacts {
    RunFacts {
        agent: Some("anthropic".into()),
        model: Some(model.into()),
        corpus_hash: Some("c0ffee".into()),
        provenance: Some(Provenance {
            kind: ResultKind::Reconstruction,
            server: "embedded-reconstruction".into(),
            endpoint: "embedded".into(),
            release: Some("2026-11".into()),
        }),
        server: Some(ServerBuild {
            name: "embedded-reconstruction".into(),
            version: "1".into(),
            ..ServerBuild::default()
        }),
        ..RunFacts::default()
    }
}

fn run(model: &str, observations: Vec<Observation>) -> Run {
    Run {
        folder: format!("runs-{model}"),
        facts: facts(model),
        observations,
    }
}

/// An attempt that submitted a table with this f1.
fn answered(record: &str, attempt: u32, f1: f64) -> Observation {
    Observation {
        record: record.into(),
        attempt,
        outcome: Some(Outcome::Answered),
        exact: Some(f1 >= 1.0),
        ordered: Some(f1 >= 1.0),
        f1: Some(f1),
        raw_exact: Some(f1 >= 1.0),
        seconds: Some(10.0),
        server_seconds: Some(4.0),
        calls: Some(3),
        calls_after_loss: Some(0),
        soft_errors: Some(0),
        evidence: Some(BTreeSet::from([Evidence::PropertyPath])),
        ..Observation::default()
    }
}

fn lost(record: &str, attempt: u32) -> Observation {
    Observation {
        outcome: Some(Outcome::Timeout),
        infrastructure: true,
        exact: None,
        ordered: None,
        f1: None,
        raw_exact: Some(false),
        seconds: Some(900.0),
        soft_errors: Some(2),
        ..answered(record, attempt, 0.0)
    }
}

/// How one attempt at an `exact` record with an empty key went.
#[derive(Clone, Copy)]
enum Told {
    Obeyed,
    Disobeyed,
    /// An empty table without a look: as published that is right.
    Blind,
    /// Nothing submitted, lost with the server: as published that is right too.
    Lost,
}

fn told(record: &str, attempt: u32, how: Told) -> Observation {
    let (outcome, obedience, exact) = match how {
        Told::Obeyed => (Outcome::AnsweredEmpty, Obedience::Obeyed, Some(true)),
        Told::Disobeyed => (Outcome::Answered, Obedience::Disobeyed, Some(false)),
        Told::Blind => (Outcome::AnsweredEmpty, Obedience::Unproven, Some(true)),
        Told::Lost => (Outcome::NoAnswer, Obedience::Unproven, None),
    };
    Observation {
        outcome: Some(outcome),
        infrastructure: matches!(how, Told::Lost),
        obedience: Some(obedience),
        exact,
        ordered: exact,
        f1: exact.map(|exact| f64::from(u8::from(exact))),
        raw_exact: Some(exact.unwrap_or(true)),
        ..answered(record, attempt, 0.0)
    }
}

const MONDO: [&str; 4] = [
    "nde-exact_autoimmune",
    "nde-exact_cardiovascular",
    "nde-exact_metabolic",
    "nde-exact_musculoskeletal",
];

/// Twelve attempts, three at each of the four records, that went as `how` says in turn.
fn twelve(how: [Told; 12]) -> Vec<Observation> {
    let places = MONDO
        .iter()
        .flat_map(|record| (1..=3).map(move |n| (*record, n)));
    places
        .zip(how)
        .map(|((record, n), how)| told(record, n, how))
        .collect()
}

#[test]
fn the_published_headline_comes_out_with_obedience_told_apart_from_breakage() {
    use Told::{Blind, Disobeyed as No, Lost, Obeyed as Yes};
    let comparison = compare(
        vec![
            run(
                "sonnet",
                twelve([Yes, Yes, Yes, No, No, No, Yes, Blind, No, Lost, No, No]),
            ),
            run("opus", twelve([Yes; 12])),
            run(
                "haiku",
                twelve([Yes, No, No, No, No, No, Blind, No, No, No, Lost, No]),
            ),
        ],
        &OPTIONS,
    )
    .unwrap();
    let headline: Vec<_> = comparison
        .arms
        .iter()
        .map(|ArmFigures { run, figures, .. }| {
            let told = figures.obedience.unwrap();
            (
                run.as_str(),
                (figures.raw_exact.hits, figures.raw_exact.of),
                (told.obeyed.hits, told.obeyed.of),
                (told.disobeyed, told.unproven, figures.infrastructure),
            )
        })
        .collect();
    assert_eq!(
        headline,
        [
            ("anthropic haiku", (3, 12), (1, 11), (9, 1, 1)),
            ("anthropic opus", (12, 12), (12, 12), (0, 0, 0)),
            ("anthropic sonnet", (6, 12), (4, 11), (6, 1, 1)),
        ]
    );
    let pair = &comparison.pairs[0];
    assert_eq!(
        (pair.first.as_str(), pair.second.as_str()),
        ("anthropic haiku", "anthropic opus")
    );
    assert_eq!(
        (
            pair.mcnemar.both,
            pair.mcnemar.first_only,
            pair.mcnemar.second_only
        ),
        (0, 0, 4),
        "a record is one pair, not three"
    );
    // Twice the chance of four heads in four tosses.
    assert_eq!(pair.mcnemar.p, Some(0.125));
    assert_eq!(
        pair.left_out, 0,
        "the record of the lost attempt has two more"
    );
    let page = markdown(&comparison, None);
    assert!(
        page.contains("| anthropic sonnet | 6/12 | 4/11 | 0.09–0.78 | 4 | 6 | 1 | 1 |"),
        "{page}"
    );
    assert!(page.contains("Data: **reconstruction**."));
    let files: Vec<String> = charts(&comparison)
        .into_iter()
        .map(|chart| chart.file)
        .collect();
    assert_eq!(
        files,
        ["right-by-arm.svg", "obedience.svg", "right-by-record.svg"]
    );
}

/// Three attempts at each record that go alike tell no more than one: the p and every interval over an arm stay.
#[test]
fn asking_the_same_records_more_often_is_no_more_evidence() {
    let sweep = |model: &str, repeats: u32, right: [bool; 6]| {
        let records = ["a", "b", "c", "d", "e", "f"].map(|tier| format!("nde-expand_{tier}"));
        let attempts = records.iter().zip(right).flat_map(|(record, right)| {
            (1..=repeats).map(move |n| answered(record, n, f64::from(u8::from(right))))
        });
        run(model, attempts.collect())
    };
    let compared = |repeats: u32| {
        let runs = vec![
            sweep("one", repeats, [true, true, true, true, true, false]),
            sweep("two", repeats, [false; 6]),
        ];
        compare(runs, &OPTIONS).unwrap()
    };
    let (once, often) = (compared(1), compared(9));
    assert_eq!(once.pairs, often.pairs);
    assert_eq!(once.pairs[0].mcnemar.p, Some(2.0 / 32.0));
    let interval = |comparison: &sweep::SweepComparison| {
        let right = comparison.arms[0].figures.right;
        (right.low, right.high, right.independent)
    };
    assert_eq!(interval(&once), interval(&often));
    assert_eq!(interval(&once).2, Some(6.0));
    assert_eq!(often.arms[0].figures.right.of, 54);
    // At one record the attempts are draws of what the agent does there, and more of them do tell more.
    assert_eq!(often.cells[0].figures.right.independent, Some(9.0));
}

#[test]
fn a_record_is_right_where_most_of_its_attempts_are() {
    let record = "nde-expand_autoimmune";
    let attempts = |scores: &[Option<f64>]| -> Vec<Observation> {
        (1..)
            .zip(scores)
            .map(|(n, score)| score.map_or_else(|| lost(record, n), |f1| answered(record, n, f1)))
            .collect()
    };
    for (first, second, counts, left_out) in [
        (
            &[Some(1.0), Some(1.0), Some(0.0)] as &[_],
            &[Some(0.0)] as &[_],
            (0, 1, 0, 0),
            0,
        ),
        (
            &[Some(1.0), Some(0.0), Some(0.0)],
            &[Some(1.0)],
            (0, 0, 1, 0),
            0,
        ),
        (
            &[Some(1.0), None, None],
            &[Some(1.0), Some(1.0)],
            (1, 0, 0, 0),
            0,
        ),
        (&[Some(0.5), Some(0.9)], &[None, Some(0.0)], (0, 0, 0, 1), 0),
        (&[Some(1.0), Some(0.0)], &[Some(1.0)], (0, 0, 0, 0), 1),
        (&[None, None], &[Some(1.0)], (0, 0, 0, 0), 1),
    ] {
        let runs = vec![run("one", attempts(first)), run("two", attempts(second))];
        let pair = compare(runs, &OPTIONS).unwrap().pairs.remove(0);
        let test = pair.mcnemar;
        assert_eq!(
            (test.both, test.first_only, test.second_only, test.neither),
            counts,
            "{first:?} {second:?}"
        );
        assert_eq!(pair.left_out, left_out, "{first:?} {second:?}");
    }
}

#[test]
fn five_asked_three_lost_one_right_one_wrong_are_all_shown() {
    let record = "nde-expand_autoimmune";
    let attempts = vec![
        lost(record, 1),
        answered(record, 2, 1.0),
        lost(record, 3),
        answered(record, 4, 0.5),
        lost(record, 5),
    ];
    let comparison = compare(vec![run("opus", attempts)], &OPTIONS).unwrap();
    let figures = &comparison.cells[0].figures;
    assert_eq!(
        (figures.asked, figures.answered, figures.infrastructure),
        (5, 2, 3)
    );
    assert_eq!((figures.right.hits, figures.right.of), (1, 2));
    assert_eq!((figures.ordered.hits, figures.ordered.of), (1, 2));
    assert_eq!(figures.pass_at_asked, None);
    assert_eq!((figures.f1.mean, figures.f1.of), (Some(0.75), 2));
    assert_eq!(
        figures.seconds.mean,
        Some(10.0),
        "the lost ones' 900 s are not the agent's"
    );
    assert_eq!(figures.agent_seconds.mean, Some(6.0));
    assert_eq!(
        (figures.soft_errors.sum, figures.soft_errors.of),
        (Some(6), 5)
    );
    assert_eq!(
        (figures.waiting_seconds.mean, figures.cost.usd),
        (None, None)
    );
    assert_eq!(figures.outcomes[&Outcome::Timeout], 3);
    assert_eq!(figures.evidence.attempts[&Evidence::PropertyPath], 5);
}

#[test]
fn nothing_counted_is_null_and_a_dash_and_never_0() {
    let record = "nde-expand_autoimmune";
    let comparison = compare(vec![run("opus", vec![lost(record, 1)])], &OPTIONS).unwrap();
    let figures = serde_json::to_value(&comparison.cells[0].figures).unwrap();
    for field in ["right", "exact", "ordered"] {
        assert!(figures[field]["rate"].is_null(), "{field}");
        assert_eq!(figures[field]["of"], 0, "{field}");
    }
    for field in ["f1", "seconds", "agent_seconds", "calls"] {
        assert!(figures[field]["mean"].is_null(), "{field}");
    }
    assert!(figures["obedience"].is_null() && figures["cost"]["usd"].is_null());
    let page = markdown(&comparison, None);
    assert!(
        page.contains(
            "| nde-expand_autoimmune | anthropic opus | 1 | 0 | 0 | 1 | – | – | – | – | – |"
        ),
        "{page}"
    );
}

#[test]
fn a_cost_is_the_sum_of_what_is_known() {
    let record = "nde-expand_autoimmune";
    let attempt = |n, cost_usd: Option<f64>, cost_incomplete| Observation {
        input_tokens: cost_usd.map(|_| 1000),
        cost_usd,
        cost_incomplete,
        ..answered(record, n, 1.0)
    };
    for (name, third, usd, incomplete) in [
        ("all known", attempt(3, Some(0.5), false), 1.0, false),
        (
            "one killed before a call's usage came back",
            attempt(3, Some(0.25), true),
            0.75,
            true,
        ),
        ("one that says nothing", attempt(3, None, false), 0.5, true),
    ] {
        let tokens = third.input_tokens.map_or(2000, |tokens| tokens + 2000);
        let attempts = vec![
            attempt(1, Some(0.25), false),
            attempt(2, Some(0.25), false),
            third,
        ];
        let comparison = compare(vec![run("opus", attempts)], &OPTIONS).unwrap();
        let figures = &comparison.cells[0].figures;
        assert!((figures.cost.usd.unwrap() - usd).abs() < 1e-12, "{name}");
        assert_eq!(figures.cost.incomplete, incomplete, "{name}");
        assert_eq!(figures.input_tokens.sum, Some(tokens), "{name}");
    }
}

#[test]
fn a_key_without_a_sequence_has_no_ordered_rate() {
    let record = "nde-expand_autoimmune";
    let unordered = Observation {
        ordered: None,
        ..answered(record, 1, 1.0)
    };
    let comparison = compare(
        vec![run("opus", vec![unordered, answered(record, 2, 0.5)])],
        &OPTIONS,
    )
    .unwrap();
    assert_eq!(comparison.cells[0].figures.ordered.of, 0);
}

#[test]
fn what_is_not_known_is_counted_as_that() {
    let record = "nde-exact_autoimmune";
    let silent = Observation {
        record: record.into(),
        attempt: 1,
        raw_exact: Some(true),
        ..Observation::default()
    };
    let comparison = compare(vec![run("opus", vec![silent])], &OPTIONS).unwrap();
    let figures = &comparison.cells[0].figures;
    assert_eq!(
        (figures.asked, figures.unknown, figures.right.of),
        (1, 1, 0)
    );
    assert_eq!((figures.raw_exact.hits, figures.raw_exact.of), (1, 1));
    assert_eq!(
        (
            figures.calls.mean,
            figures.soft_errors.sum,
            figures.evidence.of
        ),
        (None, None, 0)
    );
}

#[test]
fn made_up_and_real_results_never_share_a_table() {
    let live = |kind| {
        let mut live = run("opus", vec![answered("nde-expand_autoimmune", 1, 1.0)]);
        live.facts.provenance = kind;
        live
    };
    let mut provenance = facts("opus").provenance.unwrap();
    provenance.kind = ResultKind::Live;
    let allowing = CompareOptions {
        allow_mixed: true,
        ..OPTIONS
    };
    for other in [Some(provenance), None] {
        let both = vec![
            run("sonnet", vec![answered("nde-expand_autoimmune", 1, 1.0)]),
            live(other),
        ];
        let refused = compare(both, &allowing).unwrap_err();
        assert!(
            matches!(&refused, CompareError::Kinds(kinds) if kinds.len() == 2),
            "{refused}"
        );
    }
}

#[test]
fn other_builds_corpora_and_releases_are_refused_or_marked() {
    let attempts = || vec![answered("nde-expand_autoimmune", 1, 1.0)];
    let changed = |change: fn(&mut RunFacts)| {
        let mut other = run("sonnet", attempts());
        change(&mut other.facts);
        vec![run("opus", attempts()), other]
    };
    let build: fn(&mut RunFacts) =
        |facts| facts.server.as_mut().unwrap().build = Some("v2-3-gabc".into());
    let no_build: fn(&mut RunFacts) = |facts| facts.server = None;
    let corpus: fn(&mut RunFacts) = |facts| facts.corpus_hash = Some("decaf".into());
    let release: fn(&mut RunFacts) = |facts| facts.provenance.as_mut().unwrap().release = None;
    for (change, what) in [
        (build, MixedFact::ServerBuild),
        (no_build, MixedFact::ServerBuild),
        (corpus, MixedFact::Corpus),
        (release, MixedFact::Data),
    ] {
        let refused = compare(changed(change), &OPTIONS).unwrap_err();
        let CompareError::Mixed(mixes) = &refused else {
            panic!("{refused}");
        };
        assert_eq!(mixes.iter().map(|mix| mix.what).collect::<Vec<_>>(), [what]);
        assert!(refused.remedy().contains("--allow-mixed"));
        let allowing = CompareOptions {
            allow_mixed: true,
            ..OPTIONS
        };
        let marked = compare(changed(change), &allowing).unwrap();
        assert_eq!(&marked.mixed, mixes);
        assert!(markdown(&marked, None).contains("mixed, and so not comparable"));
    }
}

#[test]
fn an_attempt_that_comes_twice_is_refused() {
    let twice = vec![answered("nde-expand_autoimmune", 1, 1.0); 2];
    let refused = compare(vec![run("opus", twice)], &OPTIONS).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "attempt 1 at nde-expand_autoimmune is in anthropic opus twice"
    );
}

/// An ablation is what they are compared for, and no mistake; but nobody may take it for a repetition.
#[test]
fn what_sweeps_differ_in_is_told_beside_their_figures() {
    let of = |folder: &str, tools: &str, seconds: u64| {
        let mut run = run("opus", vec![answered("nde-expand_autoimmune", 1, 1.0)]);
        run.folder = folder.into();
        run.facts.tools = Some(tools.into());
        run.facts.agent_timeout_s = Some(seconds);
        run
    };
    let differ = |runs: Vec<Run>| -> Vec<String> {
        let mut notes = compare(runs, &OPTIONS).unwrap().notes;
        notes.retain(|note| note.starts_with("the sweeps differ in"));
        notes
    };
    let (all, without) = ("all-tools", "no:get_descendants");
    assert_eq!(
        differ(vec![of("a", all, 900), of("b", without, 900)]),
        [
            "the sweeps differ in tools: all-tools (anthropic opus (a)); no:get_descendants (anthropic opus (b))"
        ]
    );
    assert_eq!(
        differ(vec![of("a", all, 900), of("b", all, 300)]),
        [
            "the sweeps differ in seconds that an attempt may take: 300 (anthropic opus (b)); 900 (anthropic opus (a))"
        ]
    );
    let mut hinted = of("b", all, 900);
    hinted.facts.kg_hint = Some("tags".into());
    assert_eq!(
        differ(vec![of("a", all, 900), hinted]),
        [
            "the sweeps differ in what prompts say of the graphs: nothing (anthropic opus (a)); tags (anthropic opus (b))"
        ]
    );
    assert!(differ(vec![of("a", all, 900), of("b", all, 900)]).is_empty());
}

#[test]
fn two_sweeps_of_one_agent_are_told_apart_by_their_folders() {
    let attempts = || vec![answered("nde-expand_autoimmune", 1, 1.0)];
    let mut second = run("opus", attempts());
    second.folder = "runs-again".into();
    let comparison = compare(vec![second, run("opus", attempts())], &OPTIONS).unwrap();
    let ids: Vec<&str> = comparison.runs.iter().map(|run| run.id.as_str()).collect();
    assert_eq!(
        ids,
        ["anthropic opus (runs-again)", "anthropic opus (runs-opus)"]
    );
    for (folders, shown) in [
        (["/home/a/x/runs", "/home/a/y/runs"], ["x/runs", "y/runs"]),
        (["runs", "runs/again"], ["runs", "again"]),
        (["/home/me/a", "/home/me/a/again"], ["a", "again"]),
        (["/home/me/a", "b"], ["a", "b"]),
        // Where one is the end of the other, it is told as a whole.
        (["x/runs", "/home/x/runs"], ["x/runs", "home/x/runs"]),
        (["/a/runs", "/a/runs"], ["runs", "runs"]),
    ] {
        let given = folders.map(|folder| ("opus".to_owned(), folder.to_owned()));
        assert_eq!(
            sweep::sweep_names(&given),
            shown.map(|shown| format!("opus ({shown})"))
        );
    }
    let twice = vec![run("opus", attempts()), run("opus", attempts())];
    let refused = compare(twice, &OPTIONS).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "anthropic opus (runs-opus) was given twice"
    );
}

#[test]
fn regressions_come_first_and_the_worst_of_them_first() {
    let records = [
        "r-expand_a",
        "r-expand_b",
        "r-expand_c",
        "r-expand_d",
        "r-expand_e",
        "r-expand_f",
    ];
    let sweep = |scores: [Option<[f64; 2]>; 6]| {
        let mut attempts = Vec::new();
        for (record, scores) in records.iter().zip(scores) {
            match scores {
                Some(both) => {
                    attempts.extend((1..).zip(both).map(|(n, f1)| answered(record, n, f1)));
                }
                None => attempts.push(lost(record, 1)),
            }
        }
        run("opus", attempts)
    };
    let before = sweep([
        Some([1.0, 0.5]),
        Some([1.0, 1.0]),
        Some([1.0, 1.0]),
        Some([0.5, 0.5]),
        Some([1.0, 0.0]),
        None,
    ]);
    let now = sweep([
        Some([1.0, 1.0]),
        Some([0.0, 1.0]),
        Some([0.0, 0.0]),
        Some([0.5, 0.4]),
        None,
        Some([1.0, 1.0]),
    ]);
    let ways = |tolerance| -> Vec<(Way, String)> {
        let changes = changes(before.clone(), now.clone(), tolerance).unwrap();
        changes
            .into_iter()
            .map(|change| (change.way, change.record))
            .collect()
    };
    let expected = [
        (Way::Regressed, "r-expand_c"),
        (Way::Regressed, "r-expand_b"),
        (Way::Regressed, "r-expand_d"),
        (Way::Lost, "r-expand_e"),
        (Way::New, "r-expand_f"),
        (Way::Improved, "r-expand_a"),
    ];
    assert_eq!(
        ways(0.0),
        expected.map(|(way, record)| (way, record.to_owned()))
    );
    assert_eq!(
        ways(0.1)[2].0,
        Way::Lost,
        "a fall of f1 within the tolerance is none"
    );
    assert_eq!(
        ways(0.1).last().unwrap(),
        &(Way::Unchanged, "r-expand_d".to_owned())
    );
    assert!(
        changes(now.clone(), now, 0.0)
            .unwrap()
            .iter()
            .all(|change| !change.way.is_failure())
    );
}

fn attempts() -> impl Strategy<Value = Vec<Observation>> {
    let record = prop::sample::select(vec![
        "nde-expand_autoimmune",
        "nde-exact_autoimmune",
        "rdkg-expand_neurological",
        "other",
    ]);
    prop::collection::btree_map((record, 1_u32..4), (0_u8..4, 0.0_f64..=1.0), 0..12).prop_map(
        |ends| {
            ends.into_iter()
                .map(|((record, n), (end, f1))| match end {
                    0 => lost(record, n),
                    1 => answered(record, n, 1.0),
                    _ => answered(record, n, f1),
                })
                .collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_order_of_folders_and_of_attempts_changes_nothing(
        sweeps in prop::collection::vec(attempts(), 1..4),
        turn in 0_usize..4,
    ) {
        let models = ["opus", "sonnet", "haiku", "opus"];
        let runs: Vec<Run> = sweeps.into_iter().zip(models).map(|(attempts, model)| run(model, attempts)).collect();
        let runs: Vec<Run> = runs.into_iter().enumerate().map(|(place, run)| Run { folder: format!("{place}"), ..run }).collect();
        let mut turned = runs.clone();
        turned.rotate_left(turn % runs.len());
        for run in &mut turned {
            run.observations.reverse();
        }
        prop_assert_eq!(compare(turned, &OPTIONS).unwrap(), compare(runs, &OPTIONS).unwrap());
    }

    #[test]
    fn every_attempt_is_counted_once_and_a_sweep_equals_itself(attempts in attempts()) {
        let asked = attempts.len();
        let comparison = compare(vec![run("opus", attempts.clone()), run("sonnet", attempts)], &OPTIONS).unwrap();
        let of = |run: &str| -> u32 {
            let arms = comparison.arms.iter().filter(|arm| arm.run == run);
            arms.map(|arm| arm.figures.asked).sum()
        };
        prop_assert_eq!(of("anthropic opus") as usize, asked);
        for cell in &comparison.cells {
            let f = &cell.figures;
            prop_assert_eq!(f.asked, f.answered + f.unanswered + f.infrastructure + f.unknown);
            prop_assert!(f.right.hits <= f.exact.hits && f.ordered.hits <= f.exact.hits);
        }
        for pair in &comparison.pairs {
            // Both sides are the same sweep.
            prop_assert!(pair.mcnemar.p.is_none_or(|p| p >= 1.0));
            for gap in [pair.right, pair.exact, pair.f1].into_iter().flatten() {
                prop_assert_eq!((gap.difference, gap.low.unwrap_or(0.0), gap.high.unwrap_or(0.0)), (0.0, 0.0, 0.0));
            }
        }
        let text = serde_json::to_string(&comparison).unwrap();
        let read: sweep::SweepComparison = serde_json::from_str(&text).unwrap();
        // Figures may lose their last digit on the way through decimal text; what is counted does not.
        prop_assert_eq!(read.runs, comparison.runs);
        prop_assert_eq!(read.pairs.len(), comparison.pairs.len());
    }
}
