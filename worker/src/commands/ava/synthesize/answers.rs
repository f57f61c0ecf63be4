//! What models answered, kept so that nothing that was answered is asked again.
//!
//! ```text
//! <answers>/<ontology>/<generator>/condition.json      how the model is asked: the prompt, and its parameters
//! <answers>/<ontology>/<generator>/<subgraph_id>.json  one subgraph: what was asked, word for word, and what came back
//! <answers>/<ontology>/<generator>/<subgraph_id>.claim while a process asks for it; see store::claim
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ava::{Flaw, Reply, Triplet, read_reply};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sweep::Usage;

use crate::agent::api::{Stop, Turn};
use crate::commands::ava::{subgraph_files, triplet_files};
use crate::store::Claim;
use crate::{Failure, attempts, store};

/// How the model is asked.
const CONDITION: &str = "condition.json";

/// Whether what is answered about a subgraph can have its name: it lies in the folder of answers, and is none of its other files.
pub(super) fn can_be_kept(subgraph_id: &str) -> bool {
    let is_condition = format!("{subgraph_id}.json").eq_ignore_ascii_case(CONDITION);
    subgraph_files::is_plain_name(subgraph_id) && !is_condition
}

/// What one model answered to the subgraphs of one ontology.
pub(super) struct Answers {
    folder: PathBuf,
}

/// What was asked about one subgraph, and what came back.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Answer {
    pub(super) subgraph_id: String,
    /// The address of the service, without what is secret in it.
    pub(super) service: String,
    /// The prompt, and where its reply could not be read a second request.
    pub(super) turns: Vec<Exchange>,
    /// What the service said where the prompt is longer than the model can read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) outgrown: Option<String>,
    pub(super) usage: Usage,
}

/// One request and its reply.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Exchange {
    pub(super) asked: String,
    pub(super) replied: String,
    /// The model, as the service names it.
    pub(super) model: Option<String>,
    /// The reply was cut at the limit of the model's output.
    #[serde(default)]
    pub(super) is_cut: bool,
    /// The model, or its service, refused.
    #[serde(default)]
    pub(super) is_refused: bool,
}

impl Exchange {
    pub(super) fn new(asked: String, turn: &Turn) -> Self {
        // A refusal may stand beside the text.
        let refusal = turn.others.iter().find_map(|part| part["refusal"].as_str());
        let replied = if turn.text.is_empty() {
            refusal.unwrap_or_default()
        } else {
            &turn.text
        };
        Self {
            asked,
            replied: replied.to_owned(),
            model: turn.model.clone(),
            is_cut: matches!(turn.stop, Stop::Cut | Stop::Full),
            is_refused: turn.stop == Stop::Refused,
        }
    }

    /// A request that the model could not read.
    pub(super) fn unanswered(asked: String) -> Self {
        Self {
            asked,
            ..Self::default()
        }
    }
}

/// What an answer comes to.
pub(super) struct Judged {
    pub(super) triplets: Vec<Triplet>,
    pub(super) end: End,
    /// It was no JSON array, and was read all the same.
    pub(super) is_mended: bool,
    /// It took a second request.
    pub(super) is_repaired: bool,
    pub(super) is_cut: bool,
    pub(super) flaws: BTreeMap<Flaw, usize>,
}

/// How the asking ended.
pub(super) enum End {
    /// With triplets.
    Made,
    /// Without: refused, in these words.
    Refused(String),
    /// Without: the last reply cannot be read, and why not.
    Unreadable(String),
    /// Without: the subgraph is longer than the model can read.
    Outgrown(String),
}

impl Answer {
    /// The prompt that it answers.
    pub(super) fn prompt(&self) -> &str {
        self.turns.first().map_or("", |turn| turn.asked.as_str())
    }

    pub(super) fn judge(&self) -> Judged {
        let last = self.turns.last();
        let read = match (&self.outgrown, last) {
            (Some(why), _) => Err(End::Outgrown(why.clone())),
            (None, None) => Err(End::Unreadable("there is no reply".to_owned())),
            (None, Some(turn)) => read_reply(&turn.replied).map_err(|why| {
                if turn.is_refused {
                    End::Refused(turn.replied.clone())
                } else {
                    End::Unreadable(why)
                }
            }),
        };
        let (reply, end) = match read {
            Ok(reply) => (reply, End::Made),
            Err(end) => (Reply::default(), end),
        };
        Judged {
            triplets: reply.triplets,
            end,
            is_mended: reply.mended,
            is_repaired: self.turns.len() > 1,
            is_cut: last.is_some_and(|turn| turn.is_cut),
            flaws: reply.flaws,
        }
    }
}

impl Answers {
    /// The answers of a model about an ontology; nothing is written yet.
    pub(super) fn new(root: &Path, ontology: &str, model: &str) -> Self {
        Self {
            folder: root.join(folder_name(ontology)).join(folder_name(model)),
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Fails where the answers that are there were given to another question.
    pub(super) fn check(&self, condition: &Value) -> Result<(), Failure> {
        let file = self.folder.join(CONDITION);
        let Some(bytes) = store::read_if_there(&file)? else {
            return Ok(());
        };
        let there: Value = triplet_files::parse(&file, &bytes, "condition", ELSEWHERE)?;
        let differences = sweep::differences(&there, condition);
        if differences.is_empty() {
            return Ok(());
        }
        let differences: Vec<String> = differences.iter().map(ToString::to_string).collect();
        Err(Failure::usage(
            format!(
                "{} holds answers to something else, and nothing was asked; {}",
                self.folder.display(),
                differences.join("; ")
            ),
            ELSEWHERE,
        ))
    }

    /// Writes how the model is asked, or checks it where another process did.
    pub(super) fn begin(&self, condition: &Value) -> Result<(), Failure> {
        store::write_new(&self.folder.join(CONDITION), &attempts::json(condition))?;
        self.check(condition)
    }

    /// The answer about a subgraph, if there is one to this prompt: another one is about another subgraph of that name.
    pub(super) fn find(&self, id: &str, prompt: &str) -> Result<Option<Answer>, Failure> {
        let file = self.folder.join(format!("{id}.json"));
        let Some(bytes) = store::read_if_there(&file)? else {
            return Ok(None);
        };
        let remedy = "remove it, and it is asked for again";
        let answer: Answer = triplet_files::parse(&file, &bytes, "answer of a model", remedy)?;
        Ok((answer.prompt() == prompt).then_some(answer))
    }

    /// The right to ask about a subgraph; `None` where another process does.
    pub(super) fn claim(&self, id: &str) -> Result<Option<Claim>, Failure> {
        Ok(store::claim(&self.folder.join(format!("{id}.claim")))?)
    }

    pub(super) fn keep(&self, answer: &Answer) -> Result<(), Failure> {
        let file = self.folder.join(format!("{}.json", answer.subgraph_id));
        Ok(store::write_whole(&file, &attempts::json(answer))?)
    }
}

const ELSEWHERE: &str = "give another folder with --answers, or the options of the first run";

/// A name as that of a folder. Models have slashes and colons in theirs; two that differ in such a character alone stay apart.
fn folder_name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let kept: String = name
        .chars()
        .map(|c| if plain(c) { c } else { '_' })
        .collect();
    if kept == name && !name.starts_with('.') && !name.is_empty() {
        return kept;
    }
    let [a, b, c, d, ..] = <[u8; 32]>::from(Sha256::digest(name));
    format!("_{kept}-{:08x}", u32::from_be_bytes([a, b, c, d]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_have_the_names_of_models_as_far_as_a_folder_can() {
        for (name, expected) in [
            ("qwen3.5", "qwen3.5"),
            ("Qwen/Qwen3", "_Qwen_Qwen3-cf172107"),
            ("Qwen:Qwen3", "_Qwen_Qwen3-83ee011b"),
            ("..", "_..-5ec1f7e7"),
            ("", "_-e3b0c442"),
        ] {
            assert_eq!(folder_name(name), expected);
        }
    }
}
