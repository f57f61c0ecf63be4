//! What may not stand in one table.

use sweep::ResultKind;

use crate::fixture::{Bench, How};

#[test]
fn another_build_or_corpus_is_refused_or_marked() {
    let bench = Bench::new();
    bench.headline();
    let mut build = bench.condition("fable");
    build.server.build = Some("v2-3-gabc".into());
    bench.sweep("other-build", &build, [How::Obeyed; 12]);
    let mut corpus = bench.condition("fable");
    corpus.corpus_hash = "decaf".into();
    bench.sweep("other-corpus", &corpus, [How::Obeyed; 12]);
    for (folder, what) in [
        (
            "other-build",
            "server build: fixture 1 (anthropic opus high); fixture 1 build v2-3-gabc (anthropic fable high)",
        ),
        ("other-corpus", "corpus: "),
    ] {
        let refusal = bench.refusal(&format!("compare runs-opus {folder}"));
        assert!(
            refusal.contains(what) && refusal.contains("--allow-mixed"),
            "{refusal}"
        );
        let report = bench.json(&format!("compare runs-opus {folder} --allow-mixed"));
        assert_eq!(report["mixed"].as_array().unwrap().len(), 1);
        assert!(
            report["notes"][1]
                .as_str()
                .unwrap()
                .starts_with("mixed, and so not comparable")
        );
    }
}

#[test]
fn made_up_and_live_results_never_share_a_table() {
    let bench = Bench::new();
    bench.headline();
    let mut live = bench.condition("fable");
    live.provenance.kind = ResultKind::Live;
    live.provenance.endpoint = "https://example.org/sparql".into();
    bench.sweep("live", &live, [How::Obeyed; 12]);
    let refusal = bench.refusal("compare runs-opus live --allow-mixed");
    assert!(
        refusal.contains("live (anthropic fable high); reconstruction (anthropic opus high)"),
        "{refusal}"
    );
}

#[test]
fn bad_input_says_what_to_do() {
    let bench = Bench::new();
    bench.headline();
    bench.write("empty/x.txt", "");
    for (line, expected) in [
        ("compare empty", "empty holds no sweep"),
        ("compare nowhere", "nowhere holds no sweep"),
        ("compare runs-opus --fail-on-regression", "--against"),
        (
            "compare runs-opus --against runs-opus --tolerance 2",
            "a share is a number from 0 to 1",
        ),
        ("compare runs-opus --resamples 1", "100..=1000000"),
        (
            "compare runs-opus --record nde-exact_x",
            "the records are nde-exact_autoimmune",
        ),
    ] {
        let refusal = bench.refusal(line);
        assert!(refusal.contains(expected), "{line}: {refusal}");
    }
    bench.write(
        "runs-opus/nde-exact_metabolic/2/metrics.json",
        "{\n  \"format\": 2\n}",
    );
    let refusal = bench.refusal("compare runs-opus");
    assert!(
        refusal
            .contains("runs-opus/nde-exact_metabolic/2/metrics.json:3:1: the file is in format 2"),
        "{refusal}"
    );
}
