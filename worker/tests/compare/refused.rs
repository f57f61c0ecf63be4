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

/// What an attempt came to is not judged again here, so that a file that nobody can have written must not be counted.
#[test]
fn metrics_that_cannot_be_are_an_error_with_their_place() {
    let bench = Bench::new();
    bench.headline();
    let file = "runs-opus/nde-exact_autoimmune/1/metrics.json";
    let metrics = bench.read(file);
    for (from, to, said) in [
        (
            "\"precision\": 1.0",
            "\"precision\": 1.5",
            "expected a share from 0 to 1, found 1.5",
        ),
        (
            "\"precision\": 1.0",
            "\"precision\": null",
            "invalid type: null, expected a share from 0 to 1",
        ),
        (
            "\"precision\": 1.0",
            "\"precision\": 0.5",
            "`f1`: it is 1, and the harmonic mean",
        ),
        (
            "\"outcome\": \"answered-empty\"",
            "\"outcome\": \"won\"",
            "unknown variant `won`, expected one of",
        ),
        (
            "\"outcome\": \"answered-empty\"",
            "\"outcome\": \"timeout\"",
            "`scores`: there are scores, and the outcome is `timeout`",
        ),
        (
            "\"key_rows\": 0",
            "\"key_rows\": -1",
            "invalid value: integer `-1`, expected usize",
        ),
        (
            "\"seconds\": 10.0",
            "\"seconds\": -10.0",
            "expected a number from 0 on, found -10",
        ),
        (
            "\"attempt\": 1",
            "\"attempt\": 2",
            "holds attempt 2 at nde-exact_autoimmune, by its own metrics.json",
        ),
    ] {
        assert!(metrics.contains(from), "{from}: {metrics}");
        bench.write(file, &metrics.replacen(from, to, 1));
        let refusal = bench.refusal("compare runs-opus");
        assert!(
            refusal.contains(said) && refusal.contains("hint: "),
            "{to}: {refusal}"
        );
        let place = refusal.split("metrics.json:").nth(1);
        let is_placed = place.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        assert!(is_placed || said.starts_with("holds"), "{to}: {refusal}");
    }
    bench.write(file, &metrics);
    bench.json("compare runs-opus");
}
