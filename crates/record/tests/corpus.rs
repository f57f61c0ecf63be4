//! Records and controls together.

use record::{Corpus, Record, Severity};

fn file(path: &str, text: &str) -> (String, Vec<u8>) {
    (path.to_owned(), text.as_bytes().to_vec())
}

fn records() -> Vec<(String, Vec<u8>)> {
    let text = "#+ summary: s\n#+ tags: [nde]\nASK {}\n";
    [
        "nde-expand_heart",
        "nde-exact_heart",
        "rdkg-expand_brain",
        "001_registry",
    ]
    .map(|id| file(&format!("corpus/{id}.rq"), text))
    .to_vec()
}

fn controls() -> Vec<(String, Vec<u8>)> {
    vec![
        file(
            "controls/heart/B-keyword.rq",
            "#+ keywords: [cardio, 'heart']\nASK {}\n",
        ),
        file("controls/heart/A-literal.rq", "ASK {}\n"),
        file("controls/brain/notes.rq", "SELECT nothing"),
    ]
}

#[test]
fn records_find_their_tier_twin_and_controls() {
    let corpus = Corpus::from_files(records(), controls());
    let ids: Vec<_> = corpus.records.iter().map(Record::id).collect();
    assert_eq!(
        ids,
        [
            "001_registry",
            "nde-exact_heart",
            "nde-expand_heart",
            "rdkg-expand_brain"
        ]
    );
    assert_eq!(corpus.tiers(), ["brain", "heart"]);
    assert_eq!(corpus.tier("heart").unwrap().len(), 2);
    assert_eq!(
        corpus.twin("nde-exact_heart").unwrap().id(),
        "nde-expand_heart"
    );
    assert_eq!(
        corpus.question_of_tier("heart").unwrap().id(),
        "nde-expand_heart"
    );
    assert!(corpus.twin("001_registry").is_none());

    let names: Vec<_> = corpus
        .controls_of("heart")
        .iter()
        .map(|c| (c.letter, c.name.as_str()))
        .collect();
    assert_eq!(names, [('A', "A-literal"), ('B', "B-keyword")]);
    assert_eq!(corpus.controls_of("heart")[1].keywords, ["cardio", "heart"]);
    let notes = corpus.controls_of("brain")[0];
    assert_eq!(
        (notes.letter, notes.query.is_none(), notes.problems.len()),
        ('?', true, 1)
    );
    assert!(
        corpus
            .controls_of("heart")
            .iter()
            .all(|control| control.problems.is_empty())
    );
}

#[test]
fn an_unknown_tier_lists_those_that_exist() {
    let corpus = Corpus::from_files(records(), []);
    let error = corpus.tier("ontology").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no tier `ontology`; the tiers are brain, heart"
    );
    let none = Corpus::default().tier("heart").unwrap_err();
    assert_eq!(
        none.to_string(),
        "no tier `heart`; no record of this corpus has a tier"
    );
}

#[test]
fn problems_between_files_belong_to_the_records() {
    let mut files = records();
    files.push(file("other/nde-exact_heart.rq", "ASK {}"));
    let corpus = Corpus::from_files(files, []);
    let found: Vec<_> = corpus
        .records
        .iter()
        .flat_map(|record| {
            record
                .problems
                .iter()
                .map(|problem| (record.file.as_str(), &*problem.rule, problem.severity))
        })
        .filter(|(_, rule, _)| matches!(*rule, "twin-missing" | "duplicate-id"))
        .collect();
    assert_eq!(
        found,
        [
            ("other/nde-exact_heart.rq", "duplicate-id", Severity::Error),
            (
                "corpus/rdkg-expand_brain.rq",
                "twin-missing",
                Severity::Lint
            ),
        ]
    );
}

#[test]
fn the_hash_depends_on_contents_and_names_alone() {
    let hash = Corpus::from_files(records(), controls()).hash();
    assert_eq!(hash.len(), 64);

    let mut reversed = records();
    reversed.reverse();
    assert_eq!(Corpus::from_files(reversed, controls()).hash(), hash);
    let moved = records()
        .into_iter()
        .map(|(path, bytes)| (format!("/elsewhere/{path}"), bytes));
    assert_eq!(Corpus::from_files(moved, controls()).hash(), hash);

    let mut edited = records();
    edited[0].1.push(b'\n');
    assert_ne!(Corpus::from_files(edited, controls()).hash(), hash);
    assert_ne!(Corpus::from_files(records(), []).hash(), hash);
}
