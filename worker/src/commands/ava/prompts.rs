//! What stands before texts when a model is asked for their vectors.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::triplet_files;
use crate::{Failure, store};

/// What stands before the anchors, and before the positives and negatives.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Prompts {
    /// Before each anchor.
    #[serde(default)]
    pub(super) anchor: String,
    /// Before each positive and negative.
    #[serde(default)]
    pub(super) others: String,
}

const FORMS: &str = "give `ava`, `model`, `none`, a file, or JSON such as '{\"anchor\": \"query: \", \"others\": \"passage: \"}'";

impl Prompts {
    /// As AVA has them, by the model's name.
    fn of_ava(model: &str) -> Self {
        const SEARCH: &str =
            "Instruct: Represent this sentence for searching relevant passages: \nQuery: ";
        const WEB: &str = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ";
        let name = model.to_lowercase();
        let has = |part: &str| name.contains(part);
        let (anchor, others) = if has("qwen3-embedding") {
            (WEB, "")
        } else if has("llama-embed-nemotron")
            || has("multilingual-e5-large-instruct")
            || has("linq-embed")
        {
            (SEARCH, "")
        } else if is_e5(&name) {
            ("query: ", "passage: ")
        } else {
            ("", "")
        };
        Self {
            anchor: anchor.to_owned(),
            others: others.to_owned(),
        }
    }

    /// As the model's own files have them, under the names by which sentence-transformers looks for those of queries and
    /// of documents.
    fn of_model(own: &BTreeMap<String, String>) -> Option<Self> {
        let named = |names: &[&str]| names.iter().find_map(|name| own.get(*name)).cloned();
        let anchor = named(&["query"]);
        let others = named(&["document", "passage", "corpus"]);
        (anchor.is_some() || others.is_some()).then(|| Self {
            anchor: anchor.unwrap_or_default(),
            others: others.unwrap_or_default(),
        })
    }

    /// What was typed: `ava`, `model`, `none`, JSON, or the file that holds it. `own` are the prompts that come with the model.
    pub(super) fn read(
        typed: &str,
        model: &str,
        own: Option<&BTreeMap<String, String>>,
    ) -> Result<Self, Failure> {
        match typed {
            "ava" => return Ok(Self::of_ava(model)),
            "model" => {
                return own.and_then(Self::of_model).ok_or_else(|| {
                    Failure::usage(
                        format!("{model} comes with no prompts for queries and documents"),
                        FORMS,
                    )
                });
            }
            "none" => return Ok(Self::default()),
            _ => {}
        }
        if typed.trim_start().starts_with('{') {
            return serde_json::from_str(typed)
                .map_err(|error| Failure::usage(format!("--prompts: {error}"), FORMS));
        }
        let file = Path::new(typed);
        let bytes = store::read_if_there(file)?.ok_or_else(|| {
            Failure::usage(
                format!("`{typed}` names no prompts, and there is no such file"),
                FORMS,
            )
        })?;
        serde_json::from_slice(&bytes)
            .map_err(|error| triplet_files::no("prompts", file, &error, FORMS))
    }
}

/// Whether a name has `e5` as a word of its own: `e5-base-v2`, `multilingual-e5-small`.
fn is_e5(name: &str) -> bool {
    name.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| word == "e5")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_as_ava_has_them() {
        for (model, anchor, others) in [
            ("all-MiniLM-L6-v2", "", ""),
            ("intfloat/e5-base-v2", "query: ", "passage: "),
            ("multilingual-e5-small", "query: ", "passage: "),
            (
                "multilingual-e5-large-instruct",
                "Instruct: Represent this sentence for searching relevant passages: \nQuery: ",
                "",
            ),
            (
                "Qwen/Qwen3-Embedding-0.6B",
                "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ",
                "",
            ),
            ("gte-base", "", ""),
            ("some5e5model", "", ""),
        ] {
            let prompts = Prompts::of_ava(model);
            assert_eq!(
                (prompts.anchor.as_str(), prompts.others.as_str()),
                (anchor, others),
                "{model}"
            );
        }
    }

    #[test]
    fn prompts_that_are_typed() {
        let typed = r#"{"anchor": "q: "}"#;
        let prompts = Prompts::read(typed, "e5-base", None).unwrap();
        assert_eq!(
            (prompts.anchor.as_str(), prompts.others.as_str()),
            ("q: ", "")
        );
        assert_eq!(
            Prompts::read("none", "e5-base", None).unwrap(),
            Prompts::default()
        );
        for wrong in ["{", r#"{"positive": "x"}"#, "no-such-file"] {
            assert_eq!(
                Prompts::read(wrong, "m", None).unwrap_err().exit_status(),
                2,
                "{wrong}"
            );
        }
    }

    #[test]
    fn prompts_that_come_with_the_model() {
        type Case<'c> = (&'c [(&'c str, &'c str)], Option<(&'c str, &'c str)>);
        let cases: [Case<'_>; 5] = [
            (
                &[("query", "q: "), ("document", "d: ")],
                Some(("q: ", "d: ")),
            ),
            (
                &[("passage", "p: "), ("corpus", "c: "), ("query", "q: ")],
                Some(("q: ", "p: ")),
            ),
            (&[("query", "q: ")], Some(("q: ", ""))),
            (&[("clustering", "x: ")], None),
            (&[], None),
        ];
        for (own, expected) in cases {
            let own = own
                .iter()
                .map(|(name, prompt)| ((*name).to_owned(), (*prompt).to_owned()))
                .collect();
            let found = Prompts::read("model", "m", Some(&own)).ok();
            let found = found
                .as_ref()
                .map(|found| (found.anchor.as_str(), found.others.as_str()));
            assert_eq!(found, expected, "{own:?}");
        }
        // A service keeps them to itself.
        assert!(Prompts::read("model", "m", None).is_err());
    }
}
