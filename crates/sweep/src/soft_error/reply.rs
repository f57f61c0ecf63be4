//! The parts of a tool's result by which a failure shows; rows are skipped, not kept.

use std::fmt;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// The result of a tool call, as far as the rules look at it.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) is_error: bool,
    pub(super) payloads: Vec<Payload>,
}

/// What one block of content, or the structured content, says.
#[derive(Debug)]
pub(super) enum Payload {
    /// A JSON object.
    Members(Box<Members>),
    /// Any other complete JSON.
    Data,
    /// JSON that ends before it is complete: how it ends.
    Cut(String),
    /// Text that is not JSON.
    Text(String),
}

impl Reply {
    /// `None` where the text is no result of a tool call, such as that of a task that has only begun.
    pub(super) fn read(result: &str) -> Option<Self> {
        let read: ToolResult = serde_json::from_str(result).ok()?;
        let (content, structured) = (read.content, read.structured_content);
        if content.is_none() && structured.is_none() {
            return None;
        }
        let blocks = content.into_iter().flatten();
        let texts = blocks.filter_map(|block| match (block.text, block.resource) {
            (Some(text), _) => Some(Payload::of(text)),
            (None, Some(resource)) => resource.text.map(Payload::of),
            // An image, a link, sound: content that is no text and cannot fail by what it says.
            (None, None) => Some(Payload::Data),
        });
        Some(Self {
            is_error: read.is_error.unwrap_or(false),
            payloads: structured.into_iter().chain(texts).collect(),
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.payloads
            .iter()
            .all(|payload| matches!(payload, Payload::Text(text) if text.trim().is_empty()))
    }

    pub(super) fn members(&self) -> impl Iterator<Item = &Members> {
        self.payloads.iter().filter_map(|payload| match payload {
            Payload::Members(members) => Some(&**members),
            _ => None,
        })
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.payloads.iter().filter_map(|payload| match payload {
            Payload::Text(text) => Some(text.trim()),
            _ => None,
        })
    }
}

impl Payload {
    fn of(text: String) -> Self {
        let trimmed = text.trim();
        if !trimmed.starts_with(['{', '[', '"']) {
            return Self::Text(text);
        }
        match serde_json::from_str(trimmed) {
            Ok(payload) => payload,
            Err(error) if error.is_eof() && !trimmed.starts_with('"') => {
                Self::Cut(error.to_string())
            }
            Err(_) => Self::Text(text),
        }
    }

    pub(super) fn broken_off(&self) -> Option<String> {
        match self {
            Self::Cut(how) => Some(how.clone()),
            Self::Text(text) => {
                let last = text.trim_end().rsplit('\n').next()?;
                Some(last.strip_prefix("!!!!>>#")?.trim().to_owned())
            }
            Self::Members(_) | Self::Data => None,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolResult {
    content: Option<Vec<Block>>,
    structured_content: Option<Payload>,
    is_error: Option<bool>,
}

#[derive(Deserialize)]
struct Block {
    text: Option<String>,
    resource: Option<Resource>,
}

#[derive(Deserialize)]
struct Resource {
    text: Option<String>,
}

/// The members of an object by which a server reports failure, or an expansion.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Members {
    error: Value,
    exception: Value,
    fault: Value,
    pub(super) errors: Value,
    ok: Value,
    success: Value,
    partial: Value,
    incomplete: Value,
    truncated: Value,
    message: Value,
    head: Marks,
    results: Marks,
    pub(super) ontology_expansion: Value,
}

/// The members of `head` and `results` by which a SPARQL server reports that rows are missing.
#[derive(Debug, Default)]
struct Marks {
    is_there: bool,
    short: bool,
}

impl Members {
    pub(super) fn error(&self) -> Option<String> {
        [&self.error, &self.exception, &self.fault]
            .into_iter()
            .find_map(words)
    }

    pub(super) fn denial(&self) -> Option<String> {
        [&self.ok, &self.success]
            .contains(&&Value::Bool(false))
            .then(|| {
                words(&self.message)
                    .unwrap_or_else(|| "the reply says that it is not ok".to_owned())
            })
    }

    pub(super) fn shortfall(&self) -> Option<String> {
        // A tool may truncate a list to the length that was asked for; only of SPARQL results is that a failure.
        let is_sparql = self.head.is_there && self.results.is_there;
        let says_so = [&self.partial, &self.incomplete].contains(&&Value::Bool(true))
            || (is_sparql && self.truncated == Value::Bool(true))
            || self.head.short
            || self.results.short;
        says_so.then(|| "the results say that they are not all".to_owned())
    }
}

/// What a member says, where it says anything: null, false and empty values do not.
pub(super) fn words(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Bool(false) => None,
        Value::String(text) if text.trim().is_empty() => None,
        Value::Array(list) if list.is_empty() => None,
        Value::Object(members) if members.is_empty() => None,
        Value::String(text) => Some(text.clone()),
        Value::Object(members) => Some(match members.get("message") {
            Some(Value::String(message)) => message.clone(),
            _ => value.to_string(),
        }),
        other => Some(other.to_string()),
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PayloadVisitor)
    }
}

/// Objects are read for their members, text is kept, and everything else is skipped: a reply may hold millions of rows.
struct PayloadVisitor;

impl<'de> Visitor<'de> for PayloadVisitor {
    type Value = Payload;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Payload, A::Error> {
        let members = Members::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
        Ok(Payload::Members(Box::new(members)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Payload, E> {
        Ok(Payload::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Payload, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Payload::Data)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Payload, E> {
        Ok(Payload::Data)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Payload, E> {
        Ok(Payload::Data)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Payload, E> {
        Ok(Payload::Data)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Payload, E> {
        Ok(Payload::Data)
    }

    fn visit_unit<E>(self) -> Result<Payload, E> {
        Ok(Payload::Data)
    }
}

impl<'de> Deserialize<'de> for Marks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MarksVisitor)
    }
}

/// Other tools have members named `head` and `results` as well, of any type.
struct MarksVisitor;

impl<'de> Visitor<'de> for MarksVisitor {
    type Value = Marks;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Marks, A::Error> {
        let mut marks = Marks {
            is_there: true,
            short: false,
        };
        while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
            if matches!(&*key, "partial" | "incomplete" | "truncated") {
                marks.short |= map.next_value::<Value>()? == Value::Bool(true);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(marks)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Marks, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Marks::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<Marks, E> {
        Ok(Marks::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Marks, E> {
        Ok(Marks::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Marks, E> {
        Ok(Marks::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Marks, E> {
        Ok(Marks::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Marks, E> {
        Ok(Marks::default())
    }

    fn visit_unit<E>(self) -> Result<Marks, E> {
        Ok(Marks::default())
    }
}
