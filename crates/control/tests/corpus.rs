//! The benchmark's own keys and controls, as the algebra sees them.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use control::{Evidence, closure_of, evidence};
use record::{Arm, Corpus};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const OBO: &str = "http://purl.obolibrary.org/obo/";

/// Each tier's root and the variable that ranges over its closure.
const TIERS: [(&str, &str, &str); 6] = [
    ("autoimmune", "MONDO_0007179", "condition"),
    ("cardiovascular", "MONDO_0004995", "condition"),
    ("hormonesecretion", "GO_0046879", "process"),
    ("metabolic", "MONDO_0005066", "condition"),
    ("musculoskeletal", "MONDO_0002081", "condition"),
    ("neurological", "HP_0000707", "phenotype"),
];

#[expect(
    clippy::disallowed_methods,
    reason = "a test reads the corpus it is about"
)]
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|suffix| suffix == "rq") {
                found.push((
                    path.to_str().unwrap().to_owned(),
                    std::fs::read(&path).unwrap(),
                ));
            }
        }
    }
    found
}

fn corpus() -> Corpus {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Corpus::from_files(
        files(&root.join("benchmarks-ontology")),
        files(&root.join("controls-ontology")),
    )
}

#[test]
fn the_corpus_has_no_problem() {
    let corpus = corpus();
    assert_eq!(corpus.records.len(), 12);
    for record in &corpus.records {
        assert_eq!(record.problems, [], "{}", record.file);
        assert!(corpus.twin(record.id()).is_some(), "{}", record.file);
    }
    for control in &corpus.controls {
        assert_eq!(control.problems, [], "{}", control.file);
    }
}

#[test]
fn questions_walk_and_their_twins_do_not() {
    let corpus = corpus();
    for (tier, root, variable) in TIERS {
        for record in corpus.tier(tier).unwrap() {
            let query = record.query.as_ref().unwrap();
            let closures = closure_of(query);
            let means = evidence(query, &format!("{OBO}{root}"));
            if record.name.arm == Some(Arm::Expand) {
                assert_eq!(closures.len(), 1, "{tier}");
                assert_eq!(closures[0].root, format!("{OBO}{root}"));
                assert_eq!(closures[0].variable, variable, "{tier}");
                assert_eq!(
                    closures[0].graph.as_deref(),
                    Some("https://purl.org/okn/frink/kg/ubergraph")
                );
                assert_eq!(means, BTreeSet::from([Evidence::PropertyPath]), "{tier}");
            } else {
                assert_eq!(closures, [], "{tier}");
                assert_eq!(means, BTreeSet::from([Evidence::LiteralTerm]), "{tier}");
            }
        }
    }
}

#[test]
fn controls_do_what_their_letter_says() {
    let corpus = corpus();
    for (tier, root, _) in TIERS {
        for control in corpus.controls_of(tier) {
            let means = evidence(control.query.as_ref().unwrap(), &format!("{OBO}{root}"));
            let expected = match control.letter {
                'A' => Evidence::LiteralTerm,
                'B' => Evidence::NameTest,
                _ => Evidence::PropertyPath,
            };
            assert_eq!(means, BTreeSet::from([expected]), "{}", control.file);
            assert_eq!(
                control.keywords.is_empty(),
                control.letter != 'B',
                "{}",
                control.file
            );
        }
    }
}
