//! The same vectors as the reference, alone and in any batch.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use worker::encoder::{Cache, Encoder as _, vectors};

use crate::golden::{alone, copy, distance, farthest, folder, golden, read, together};

/// What the reference made of a real model.
#[derive(Deserialize)]
struct OfModel {
    /// SHA-256 of its weights.
    revision: String,
    texts: Vec<String>,
    vectors: Vec<Vec<f32>>,
}

impl OfModel {
    fn read(file: &Path) -> Self {
        serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
    }
}

#[test]
fn small_models_of_every_architecture() {
    let golden = golden();
    let names: Vec<&str> = golden.models.keys().map(String::as_str).collect();
    assert_eq!(names, ["bert", "mpnet", "roberta", "xlm-roberta"]);
    for (name, reference) in &golden.models {
        let encoder = read(&folder().join(name));
        for found in [
            alone(&encoder, &golden.texts),
            together(&encoder, &golden.texts),
        ] {
            let (cosine, length) = distance(&found, reference);
            assert!(cosine < 1e-6 && length < 1e-5, "{name}: {cosine} {length}");
            let farthest = farthest(&found, reference);
            assert!(farthest < 1e-5, "{name}: {farthest}");
        }
    }
}

#[test]
fn characters_that_a_tokenizer_makes_others_of() {
    let characters = golden().characters;
    let encoder = read(&folder().join("xlm-roberta"));
    let found = alone(&encoder, &characters.texts);
    let farthest = farthest(&found, &characters.vectors);
    assert!(farthest < 1e-5, "{farthest}");
    // Full-width letters and ligatures are the plain ones.
    let plain = alone(&encoder, &["HEART fibre".to_owned()]);
    assert_eq!(found[0], plain[0]);
}

#[test]
fn texts_are_cut_where_any_of_the_files_that_may_say_so_says_so() {
    const AT_32: &str = r#"{"max_seq_length": 32, "do_lower_case": false}"#;
    const AT_8: &str = r#"{"max_seq_length": 8}"#;
    let golden = golden();
    let long = |texts: &[String]| texts[8..9].to_vec();
    let reference = long(&golden.texts);
    let expected = &golden.models["bert"][8..9];
    let cut = |files: &[(&str, &str)]| {
        let model = copy("bert");
        fs::remove_file(model.path().join("sentence_bert_config.json")).unwrap();
        for (name, text) in files {
            fs::write(model.path().join(name), text).unwrap();
        }
        farthest(&alone(&read(model.path()), &reference), expected) < 1e-5
    };
    for name in [
        "sentence_bert_config.json",
        "sentence_roberta_config.json",
        "sentence_distilbert_config.json",
        "sentence_camembert_config.json",
        "sentence_albert_config.json",
        "sentence_xlm-roberta_config.json",
        "sentence_xlnet_config.json",
    ] {
        assert!(cut(&[(name, AT_32)]), "{name}");
        assert!(!cut(&[(name, AT_8)]), "{name}");
    }
    let (first, second) = ("sentence_bert_config.json", "sentence_roberta_config.json");
    assert!(cut(&[(first, AT_32), (second, AT_8)]), "the first counts");
    assert!(
        cut(&[(first, "{}"), (second, AT_32)]),
        "one that says nothing"
    );
    assert!(cut(&[]), "the tokenizer's own limit is the same");
    assert!(!cut(&[("tokenizer_config.json", "{}")]), "nobody says so");
}

#[test]
fn every_pooling() {
    let golden = golden();
    assert_eq!(golden.poolings.len(), 3);
    for (mode, reference) in &golden.poolings {
        let model = copy("bert");
        let place = model.path().join("1_Pooling/config.json");
        let flag = format!(
            r#"{{"pooling_mode_{}": true}}"#,
            if mode == "cls" {
                "cls_token"
            } else if mode == "max" {
                "max_tokens"
            } else {
                mode
            }
        );
        fs::write(place, flag).unwrap();
        // The reference pooled without making the length 1.
        let list = model.path().join("modules.json");
        let modules = fs::read_to_string(&list).unwrap();
        let mut modules: Vec<serde_json::Value> = serde_json::from_str(&modules).unwrap();
        modules.truncate(2);
        fs::write(list, serde_json::to_vec(&modules).unwrap()).unwrap();
        let encoder = read(model.path());
        for found in [
            alone(&encoder, &golden.texts),
            together(&encoder, &golden.texts),
        ] {
            let (cosine, length) = distance(&found, reference);
            assert!(cosine < 1e-6 && length < 1e-5, "{mode}: {cosine} {length}");
        }
    }
}

#[test]
fn what_is_around_a_text_does_not_matter_to_it() {
    let golden = golden();
    for name in golden.models.keys() {
        let encoder = read(&folder().join(name));
        let expected = alone(&encoder, &golden.texts);
        let texts: Vec<&str> = golden.texts.iter().map(String::as_str).collect();
        for (place, text) in texts.iter().enumerate() {
            for other in &texts {
                let found = encoder.encode(&[other, text]).unwrap();
                let (cosine, _) = distance(&found[1..], &expected[place..=place]);
                assert!(cosine < 1e-6, "{name}: {text:?} behind {other:?}: {cosine}");
            }
        }
    }
}

#[test]
fn the_same_texts_give_the_same_bits_in_their_own_order() {
    let encoder = read(&folder().join("bert"));
    let words = ["heart", "organ", "lung", "cell", "muscle"];
    // More than one batch, repetitions among it.
    let texts: Vec<String> = (0..200)
        .map(|n| format!("{} ", words[n % 5]).repeat(1 + n % 13))
        .collect();
    let first = together(&encoder, &texts);
    assert_eq!(first, together(&encoder, &texts));
    let (cosine, _) = distance(&first, &alone(&encoder, &texts));
    assert!(cosine < 1e-6, "{cosine}");
}

#[test]
fn a_prompt_stands_before_every_text_and_vectors_are_kept_apart_by_it() {
    let encoder = read(&folder().join("bert"));
    let folder = tempfile::tempdir().unwrap();
    let made = |prompt: &str| {
        let mut cache = Cache::open(folder.path(), encoder.identity()).unwrap();
        vectors(
            &encoder,
            prompt,
            &["heart", "lung", "heart"],
            &mut cache,
            &|_| {},
        )
        .unwrap()
    };
    let with = made("the ");
    assert_eq!((with.computed, with.cached), (2, 0));
    assert_eq!(with.vectors[0], with.vectors[2]);
    let expected = alone(&encoder, &["the heart".to_owned()]);
    assert!(distance(&with.vectors[..1], &expected).0 < 1e-6);
    let without = made("");
    assert_eq!((without.computed, without.cached), (2, 0));
    assert_ne!(without.vectors, with.vectors);
    let again = made("the ");
    assert_eq!((again.computed, again.cached), (0, 2));
    assert_eq!(again.vectors, with.vectors);
}

#[test]
fn a_real_model() {
    let variable = |name| std::env::var_os(name);
    let Some(model) = variable("OKN_ENCODER_MODEL") else {
        println!("SKIPPED: OKN_ENCODER_MODEL names no folder with a model");
        return;
    };
    let encoder = read(Path::new(&model));
    let revision = &encoder.identity().revision;
    let golden = match variable("OKN_ENCODER_GOLDEN") {
        Some(file) => {
            let golden = OfModel::read(Path::new(&file));
            assert_eq!(golden.revision, *revision, "vectors of another model");
            Some(golden)
        }
        None => ["all-MiniLM-L6-v2.json", "all-mpnet-base-v2.json"]
            .map(|name| OfModel::read(&folder().join(name)))
            .into_iter()
            .find(|golden| golden.revision == *revision),
    };
    let Some(golden) = golden else {
        println!(
            "SKIPPED: no vectors of {}; tests/fixtures/encoders/make.py makes them, and OKN_ENCODER_GOLDEN names them",
            encoder.identity().model
        );
        return;
    };
    // A batch as it comes is mostly padding, so that some are enough.
    let some = golden.texts.len().min(120);
    let mixed = golden.texts[..some].chunks(8).flat_map(|batch| {
        let texts: Vec<&str> = batch.iter().map(String::as_str).collect();
        encoder.encode(&texts).unwrap()
    });
    for (how, found) in [
        ("in batches of all lengths", mixed.collect()),
        (
            "in batches of like length",
            together(&encoder, &golden.texts),
        ),
        ("alone", alone(&encoder, &golden.texts)),
    ] {
        let (cosine, length) = distance(&found, &golden.vectors[..found.len()]);
        eprintln!(
            "{} texts {how}: 1 - cosine at most {cosine:.2e}",
            found.len()
        );
        assert!(cosine < 1e-5 && length < 1e-4, "{how}: {cosine} {length}");
    }
}
