//! What was said in an attempt, a line of JSON each, written as it happens.

use std::path::Path;

use serde_json::{Map, Value};

use crate::store::{Log, StoreError};

/// The file's name in an attempt's folder.
pub const TRANSCRIPT: &str = "transcript.jsonl";

/// What stands in the place of a secret.
const HIDDEN: &str = "***";

/// The transcript of an attempt: lines of `{"role": …, …}`, in the order in which things were said.
#[derive(Debug)]
pub struct Transcript {
    log: Log,
    /// As they stand in JSON.
    secrets: Vec<String>,
    /// The first thing that could not be written. The agent goes on; the attempt's end says so.
    failed: Option<StoreError>,
}

impl Transcript {
    /// Opens the transcript of an attempt in its folder.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            log: Log::open(&folder.join(TRANSCRIPT))?,
            secrets: Vec::new(),
            failed: None,
        })
    }

    /// Keeps a text, such as a key, out of every line from here on, whoever says it.
    pub fn hide(&mut self, secret: &str) {
        let json = Value::from(secret).to_string();
        let inner = json.trim_matches('"');
        if !inner.is_empty() {
            self.secrets.push(inner.to_owned());
        }
    }

    /// Adds what somebody said: the members of an object beside the role, anything else as `content`.
    pub fn push(&mut self, role: &str, value: Value) {
        let mut line = Map::new();
        line.insert("role".to_owned(), role.into());
        match value {
            Value::Object(members) => {
                line.extend(members.into_iter().filter(|(name, _)| name != "role"));
            }
            other => {
                line.insert("content".to_owned(), other);
            }
        }
        let mut text = Value::Object(line).to_string();
        for secret in &self.secrets {
            text = text.replace(secret.as_str(), HIDDEN);
        }
        if let Err(error) = self.log.add(text.into_bytes()) {
            self.failed.get_or_insert(error);
        }
    }

    /// Adds a text that somebody said.
    pub fn say(&mut self, role: &str, text: &str) {
        self.push(role, serde_json::json!({ "text": text }));
    }

    /// Ends it; the first thing that could not be written, if there is one.
    pub fn close(self) -> Result<(), StoreError> {
        self.failed.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_keep_their_order_and_secrets_stay_out() {
        let folder = tempfile::tempdir().unwrap();
        let mut transcript = Transcript::open(folder.path()).unwrap();
        transcript.say("user", "the key is sk-\"1 so far");
        transcript.hide("sk-\"1");
        transcript.hide("");
        transcript.push(
            "assistant",
            json!({ "role": "forged", "text": "it is sk-\"1" }),
        );
        transcript.push("tool", json!(["sk-\"1", 2]));
        transcript.close().unwrap();
        let text = std::fs::read_to_string(folder.path().join(TRANSCRIPT)).unwrap();
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(
            lines,
            [
                json!({ "role": "user", "text": "the key is sk-\"1 so far" }),
                json!({ "role": "assistant", "text": "it is ***" }),
                json!({ "role": "tool", "content": ["***", 2] }),
            ]
        );
    }
}
