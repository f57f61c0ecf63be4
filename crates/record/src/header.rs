//! The decorators of a file as typed values, whoever wrote them and however.

use serde::{Deserialize, Serialize};

/// The value of one decorator.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeaderValue {
    /// Nothing stands after the colon.
    Empty,
    /// Text, with quotes, folding and continuation undone.
    Text(String),
    /// `true` or `false`.
    Bool(bool),
    /// A number as it was written.
    Number(String),
    /// A list of plain values, from `[a, b]`, `a, b` or a list of `- a` lines.
    List(Vec<String>),
    /// A list that holds more than plain values.
    Items(Vec<HeaderValue>),
    /// Keys and values in the order of the file.
    Map(Vec<(String, HeaderValue)>),
}

/// One decorator, where it stood and what it says.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct HeaderEntry {
    /// The key as written.
    pub key: String,
    /// Line of the key, from 1.
    pub line: u32,
    /// Column of the key, from 1, in characters.
    pub column: u32,
    /// What stands behind the colon.
    pub value: HeaderValue,
}

/// The decorators of a file in the order in which they were written; of a repeated key only the first.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Header {
    /// The decorators, each key once.
    pub entries: Vec<HeaderEntry>,
}

impl Header {
    /// The decorator of that name.
    pub fn get(&self, key: &str) -> Option<&HeaderEntry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The text under `key`, if it is there and is text.
    pub fn text(&self, key: &str) -> Option<&str> {
        match &self.get(key)?.value {
            HeaderValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The list under `key`; empty where there is none.
    pub fn list(&self, key: &str) -> &[String] {
        match self.get(key).map(|entry| &entry.value) {
            Some(HeaderValue::List(items)) => items,
            _ => &[],
        }
    }

    /// The boolean under `key`, if it is there and is one.
    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.get(key)?.value {
            HeaderValue::Bool(flag) => Some(flag),
            _ => None,
        }
    }
}
