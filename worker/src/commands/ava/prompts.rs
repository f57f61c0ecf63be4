//! What stands before texts when a model is asked for their vectors.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::triplet_files;
use crate::encoder::OwnPrompts;
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

impl fmt::Display for Prompts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::default() {
            f.write_str("no prompts before texts")
        } else {
            let Self { anchor, others } = self;
            write!(
                f,
                "prompts: {anchor:?} before anchors, {others:?} before the others"
            )
        }
    }
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
    /// of documents; where there are none of these, the one that stands before any text.
    fn of_model(own: &OwnPrompts) -> Option<Self> {
        let named = |names: &[&str]| {
            names
                .iter()
                .find_map(|name| own.by_name.get(*name))
                .cloned()
        };
        let anchor = named(&["query"]);
        let others = named(&["document", "passage", "corpus"]);
        if anchor.is_some() || others.is_some() {
            Some(Self {
                anchor: anchor.unwrap_or_default(),
                others: others.unwrap_or_default(),
            })
        } else {
            own.default.as_deref().map(Self::before_all)
        }
    }

    fn before_all(prompt: &str) -> Self {
        Self {
            anchor: prompt.to_owned(),
            others: prompt.to_owned(),
        }
    }
}

/// Which prompts were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PromptChoice {
    /// As AVA has them, by the model's name; where it has none for it, the model's default one.
    Ava,
    /// As the model's own files have them.
    Model,
    /// As they were given.
    Given(Prompts),
}

impl PromptChoice {
    /// The file that was typed, where it is one.
    pub(super) fn file(typed: &str) -> Option<&Path> {
        let is_word = matches!(typed, "ava" | "model" | "none");
        (!is_word && !typed.trim_start().starts_with('{')).then(|| Path::new(typed))
    }

    /// What was typed: `ava`, `model`, `none`, JSON, or the file that holds it.
    pub(super) fn read(typed: &str) -> Result<Self, Failure> {
        if let Some(file) = Self::file(typed) {
            let bytes = store::read_if_there(file)?.ok_or_else(|| {
                Failure::usage(
                    format!("`{typed}` names no prompts, and there is no such file"),
                    FORMS,
                )
            })?;
            return triplet_files::parse(file, &bytes, "prompts", FORMS).map(Self::Given);
        }
        match typed {
            "ava" => Ok(Self::Ava),
            "model" => Ok(Self::Model),
            "none" => Ok(Self::Given(Prompts::default())),
            json => serde_json::from_str(json)
                .map(Self::Given)
                .map_err(|error| Failure::usage(format!("--prompts: {error}"), FORMS)),
        }
    }

    /// The prompts for a model; `own` are those that come with it.
    pub(super) fn of(self, model: &str, own: Option<&OwnPrompts>) -> Result<Prompts, Failure> {
        match self {
            Self::Ava => {
                let named = Prompts::of_ava(model);
                let default = own.and_then(|own| own.default.as_deref());
                Ok(match default {
                    Some(prompt) if named == Prompts::default() => Prompts::before_all(prompt),
                    _ => named,
                })
            }
            Self::Model => own.and_then(Prompts::of_model).ok_or_else(|| {
                Failure::usage(
                    format!("{model} comes with no prompts for queries and documents"),
                    FORMS,
                )
            }),
            Self::Given(prompts) => Ok(prompts),
        }
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

    fn read(typed: &str, model: &str, own: Option<&OwnPrompts>) -> Result<Prompts, Failure> {
        PromptChoice::read(typed)?.of(model, own)
    }

    #[test]
    fn prompts_that_are_typed() {
        let typed = r#"{"anchor": "q: "}"#;
        let prompts = read(typed, "e5-base", None).unwrap();
        assert_eq!(
            (prompts.anchor.as_str(), prompts.others.as_str()),
            ("q: ", "")
        );
        assert_eq!(read("none", "e5-base", None).unwrap(), Prompts::default());
        for wrong in ["{", r#"{"positive": "x"}"#, "no-such-file"] {
            assert_eq!(
                PromptChoice::read(wrong).unwrap_err().exit_status(),
                2,
                "{wrong}"
            );
        }
        for (typed, file) in [
            ("ava", None),
            ("model", None),
            ("none", None),
            (" {}", None),
            ("p.json", Some(Path::new("p.json"))),
        ] {
            assert_eq!(PromptChoice::file(typed), file, "{typed}");
        }
    }

    #[test]
    fn prompts_that_come_with_the_model() {
        // What was typed, the model's name, its prompts and its default one; anchors and others.
        type Case<'c> = (
            &'c str,
            &'c str,
            &'c [(&'c str, &'c str)],
            Option<&'c str>,
            Option<(&'c str, &'c str)>,
        );
        let both: &[(&str, &str)] = &[("query", "q: "), ("document", "d: ")];
        let three: &[(&str, &str)] = &[("passage", "p: "), ("corpus", "c: "), ("query", "q: ")];
        let cases: [Case<'_>; 12] = [
            ("model", "m", both, None, Some(("q: ", "d: "))),
            ("model", "m", three, None, Some(("q: ", "p: "))),
            ("model", "m", &[("query", "q: ")], None, Some(("q: ", ""))),
            ("model", "m", &[("clustering", "x: ")], None, None),
            ("model", "m", &[], None, None),
            ("model", "m", &[], Some("x: "), Some(("x: ", "x: "))),
            ("model", "m", both, Some("x: "), Some(("q: ", "d: "))),
            // Nobody asks for them, and the default one stands before every text.
            ("ava", "m", both, None, Some(("", ""))),
            ("ava", "m", both, Some("x: "), Some(("x: ", "x: "))),
            (
                "ava",
                "e5-base",
                both,
                Some("x: "),
                Some(("query: ", "passage: ")),
            ),
            ("none", "m", both, Some("x: "), Some(("", ""))),
            (
                r#"{"anchor": "a: "}"#,
                "m",
                both,
                Some("x: "),
                Some(("a: ", "")),
            ),
        ];
        for (typed, model, by_name, default, expected) in cases {
            let by_name = by_name
                .iter()
                .map(|(name, prompt)| ((*name).to_owned(), (*prompt).to_owned()))
                .collect();
            let own = OwnPrompts {
                by_name,
                default: default.map(str::to_owned),
            };
            let found = read(typed, model, Some(&own)).ok();
            let found = found
                .as_ref()
                .map(|found| (found.anchor.as_str(), found.others.as_str()));
            assert_eq!(found, expected, "{typed} {model} {own:?}");
        }
        // A service keeps them to itself.
        assert!(read("model", "m", None).is_err());
        assert_eq!(read("ava", "m", None).unwrap(), Prompts::default());
    }
}
