//! The key of a service: sent to it, and shown to nobody.

use std::borrow::Cow;
use std::fmt;

use reqwest::header::HeaderValue;
use serde_json::Value;

use crate::agent::Transcript;

/// What stands in its place.
const HIDDEN: &str = "***";

/// Local servers want some key and look at none: `none`, `ollama`, `EMPTY`. To hide such a word would change texts and
/// queries in which it stands for itself.
const SHORTEST_SECRET: usize = 12;

/// The key of a service.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key(String);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl Key {
    /// A key as it stands in the environment; `None` where nothing does.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The key behind `prefix`, as the value of a header; `None` where a header cannot carry it.
    pub(crate) fn header(&self, prefix: &str) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("{prefix}{}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// A text that the service sent, without the key: services repeat it in what they say of a wrong one.
    pub(crate) fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.0.len() < SHORTEST_SECRET || !text.contains(&self.0) {
            return Cow::Borrowed(text);
        }
        Cow::Owned(text.replace(&self.0, HIDDEN))
    }

    /// Keeps the key out of a transcript, whoever says it there.
    pub(crate) fn hide_in(&self, transcript: &mut Transcript) {
        if self.0.len() >= SHORTEST_SECRET {
            transcript.hide(&self.0);
        }
    }

    /// The same for every text of a value, the names of its members among them.
    pub(crate) fn redact_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(redacted) = self.redact(text) {
                    *text = redacted;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact_value(item)),
            Value::Object(members) => {
                let hidden = |name: &String| matches!(self.redact(name), Cow::Owned(_));
                if members.keys().any(hidden) {
                    let old = std::mem::take(members);
                    members.extend(
                        old.into_iter()
                            .map(|(name, value)| (self.redact(&name).into_owned(), value)),
                    );
                }
                members
                    .values_mut()
                    .for_each(|member| self.redact_value(member));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_key_is_shown_nowhere() {
        let key = Key::new(" sk-0123456789abcdef\n").unwrap();
        assert_eq!(format!("{key:?} {:?}", Some(&key)), "*** Some(***)");
        assert_eq!(
            key.redact("wrong: sk-0123456789abcdef, sk-0123456789abcdef"),
            "wrong: ***, ***"
        );
        let mut value = json!({"sk-0123456789abcdef": ["x sk-0123456789abcdef", 1, null, true], "b": {"c": "d"}});
        key.redact_value(&mut value);
        assert_eq!(
            value,
            json!({"***": ["x ***", 1, null, true], "b": {"c": "d"}})
        );
        let header = key.header("Bearer ").unwrap();
        assert!(header.is_sensitive());
        assert_eq!(format!("{header:?}"), "Sensitive");
    }

    #[test]
    fn a_word_that_local_servers_ask_for_is_no_secret() {
        let key = Key::new("ollama").unwrap();
        assert_eq!(key.redact("the ollama server"), "the ollama server");
        assert_eq!(Key::new(" \n"), None);
        assert!(Key::new("two\nlines of it").unwrap().header("").is_none());
    }
}
