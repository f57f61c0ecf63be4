//! The prompts of the corpus: what they say, and above all what they do not.

use std::path::{Path, PathBuf};
use std::time::Duration;

use record::{Arm, Corpus, Record};
use worker::agent::prompt::{Budget, KgHint, Prompt};
use worker::settings::CorpusPlace;

/// Beginnings of words that point at a hierarchy, at the ontologies that have one, or at what to do with it.
const POINTERS: &[&str] = &[
    "ancest",
    "branch",
    "broad",
    "categor",
    "chebi",
    "child",
    "class",
    "closure",
    "descen",
    "expan",
    "generali",
    "gene ontology",
    "go:",
    "go_",
    "hierarch",
    "hp:",
    "hp_",
    "hpo",
    "hyper",
    "hypo",
    "include",
    "inherit",
    "instance",
    "is-a",
    "is_a",
    "kind",
    "level",
    "mondo",
    "narrow",
    "nested",
    "node",
    "ontolog",
    "owl",
    "parent",
    "part of",
    "path",
    "recurs",
    "relat",
    "root",
    "skos",
    "speciali",
    "specific",
    "sub",
    "super",
    "taxon",
    "thesaur",
    "transitiv",
    "tree",
    "type",
    "uberon",
    "ubergraph",
    "umbrella",
    "under",
    "vocabular",
    "walk",
];

/// Words of the frame that begin so and point at nothing of the kind: the desk's tool, and what is done at it.
const HARMLESS: &[&str] = &["submit", "submit_csv", "submission"];

fn corpus() -> Corpus {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let args = worker::cli::CorpusArgs {
        corpus: root.join("benchmarks-ontology"),
        controls: None::<PathBuf>,
    };
    CorpusPlace::from(&args).read().unwrap()
}

fn prompts(record: &Record) -> Vec<Prompt> {
    let mut prompts = Vec::new();
    for hint in [KgHint::None, KgHint::Tags] {
        for (seconds, turns) in [(900, None), (45, Some(1)), (7200, Some(40))] {
            let time = Duration::from_secs(seconds);
            prompts.push(Prompt::of(record, hint, Budget { time, turns }).unwrap());
        }
    }
    prompts
}

/// The words of a text that begin like a pointer, in the text's order.
fn pointers(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let is_start = |at: usize| {
        !text[..at]
            .chars()
            .next_back()
            .is_some_and(|before| before.is_alphanumeric() || before == '_')
    };
    let mut found = Vec::new();
    for (at, _) in text.char_indices().filter(|(at, _)| is_start(*at)) {
        let word: String = text[at..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        if POINTERS
            .iter()
            .any(|pointer| text[at..].starts_with(pointer))
            && !HARMLESS.contains(&word.as_str())
        {
            found.push(word);
        }
    }
    found
}

#[test]
fn no_prompt_names_a_hierarchy() {
    let corpus = corpus();
    assert_eq!(corpus.records.len(), 12);
    for record in &corpus.records {
        let prose = record.summary().unwrap().trim();
        for prompt in prompts(record) {
            let whole = prompt.whole();
            assert_eq!(whole.matches(prose).count(), 1, "{}", record.id());
            // The compliance arm says in its prose what not to do, in the very words; what is set around it may not.
            let frame = whole.replacen(prose, "", 1);
            assert_eq!(
                pointers(&frame),
                Vec::<String>::new(),
                "{}: {frame}",
                record.id()
            );
            if record.name.arm == Some(Arm::Expand) {
                let in_prose: Vec<String> = pointers(prose)
                    .into_iter()
                    .filter(|word| word != "include")
                    .collect();
                assert_eq!(in_prose, Vec::<String>::new(), "{}", record.id());
            }
        }
    }
}

#[test]
fn the_list_of_pointers_finds_what_it_is_for() {
    for text in [
        "count every subtype",
        "with all descendants",
        "use rdfs:subClassOf*",
        "in ubergraph",
        "MONDO_0004995 and below it",
        "the category as a whole",
        "expand the term",
    ] {
        assert_eq!(pointers(text).len(), 1, "{text}");
    }
    assert_eq!(
        pointers("submit_csv takes your submission"),
        Vec::<String>::new()
    );
}

#[test]
fn the_hint_is_one_line_with_the_tags_and_nothing_else_differs() {
    for record in &corpus().records {
        let budget = Budget {
            time: Duration::from_mins(15),
            turns: None,
        };
        let [bare, hinted] =
            [KgHint::None, KgHint::Tags].map(|hint| Prompt::of(record, hint, budget).unwrap().user);
        let line = format!("\n\nKnowledge graphs: {}", record.tags().join(", "));
        assert_eq!(hinted.matches(&line).count(), 1, "{}", record.id());
        assert_eq!(hinted.replacen(&line, "", 1), bare, "{}", record.id());
    }
}

#[test]
fn what_an_agent_is_shown() {
    let corpus = corpus();
    for (id, hint, turns) in [
        ("nde-expand_cardiovascular", KgHint::Tags, Some(40)),
        ("rdkg-exact_neurological", KgHint::None, None),
    ] {
        let time = Duration::from_mins(15);
        let prompt = Prompt::of(corpus.record(id).unwrap(), hint, Budget { time, turns }).unwrap();
        insta::assert_snapshot!(id, prompt.whole());
    }
}
