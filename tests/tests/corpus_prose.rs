//! What the prompts may say, and how a control's prompt differs from its question's.
#![expect(
    clippy::expect_used,
    reason = "a function that a test calls fails with the test"
)]

use std::fs;
use std::path::Path;

use record::{Arm, Corpus};

const SENTENCE: &str = "Use the term exactly as I have given it — do not expand it to subtypes, descendants or related terms.";

/// Words that would hand over the finding, or name the graph that is one.
const GIVEN_AWAY: [&str; 13] = [
    "subtype",
    "subclass",
    "descendant",
    "closure",
    "hierarch",
    "ontolog",
    "ubergraph",
    "mondo",
    "hpo",
    "gene ontology",
    "expand",
    "related term",
    "children",
];

fn corpus() -> Corpus {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benchmarks-ontology");
    let mut records = Vec::new();
    for entry in fs::read_dir(folder).expect("the corpus is committed") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|extension| extension == "rq") {
            let name = path.file_name().expect("a file").display().to_string();
            records.push((name, fs::read(&path).expect("readable")));
        }
    }
    Corpus::from_files(records, std::iter::empty())
}

#[test]
fn there_are_six_questions_each_with_its_control() {
    let corpus = corpus();
    assert_eq!(corpus.records.len(), 12);
    assert_eq!(
        corpus.tiers(),
        [
            "autoimmune",
            "cardiovascular",
            "hormonesecretion",
            "metabolic",
            "musculoskeletal",
            "neurological"
        ]
    );
    for record in &corpus.records {
        assert!(
            record.problems.is_empty(),
            "{}: {:?}",
            record.file,
            record.problems
        );
        let twin = corpus.twin(record.id()).expect("every record has a twin");
        assert_eq!(record.tags(), twin.tags(), "{}", record.id());
        assert!(
            !record.tags().iter().any(|tag| tag == "ubergraph"),
            "{}",
            record.id()
        );
        assert_eq!(record.columns(), twin.columns(), "{}", record.id());
    }
}

#[test]
fn a_control_repeats_its_question_and_adds_one_sentence() {
    let corpus = corpus();
    for record in &corpus.records {
        let prompt = record.summary().expect("every record has a prompt").trim();
        let twin = corpus
            .twin(record.id())
            .and_then(|twin| twin.summary())
            .expect("a twin with a prompt");
        if record.name.arm == Some(Arm::Exact) {
            assert_eq!(
                prompt,
                format!("{} {SENTENCE}", twin.trim()),
                "{}",
                record.id()
            );
        }
    }
}

#[test]
fn a_prompt_gives_nothing_away_and_states_its_limits() {
    for record in &corpus().records {
        let prompt = record
            .summary()
            .expect("every record has a prompt")
            .replace(SENTENCE, "")
            .to_lowercase();
        for word in GIVEN_AWAY {
            assert!(!prompt.contains(word), "{}: {word}", record.id());
        }
        for limit in ["top 15", "the one whose iri sorts first comes first"] {
            assert!(prompt.contains(limit), "{}: {limit}", record.id());
        }
        if record.id().starts_with("pankgraph") {
            assert!(
                prompt.contains("published human expression experiments"),
                "{}",
                record.id()
            );
        }
    }
}

#[test]
fn every_key_orders_by_count_then_iri_and_stops_at_15() {
    for record in &corpus().records {
        let columns = record.columns();
        let order: Vec<(Option<String>, bool)> = record
            .order()
            .into_iter()
            .map(|key| (key.column, key.descending))
            .collect();
        assert_eq!(
            order,
            [
                (Some(columns[2].clone()), true),
                (Some(columns[1].clone()), false)
            ],
            "{}",
            record.id()
        );
        assert_eq!(record.limit(), Some(15), "{}", record.id());
    }
}
