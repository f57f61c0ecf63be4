//! One message of JSON-RPC as it came: its text is cut and joined, but never written anew.
//!
//! Typed models of the protocol drop members they do not know, put others in another order and write numbers in another
//! form. What a benchmark forwards must not change, so only the envelope is read here, and everything inside it stays the
//! text that the other side sent.

use std::borrow::Cow;
use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;
use thiserror::Error;

/// One message of JSON-RPC.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    text: String,
    method: Option<String>,
    id: Option<Id>,
    params: Option<Range<usize>>,
    result: Option<Range<usize>>,
    error: Option<Range<usize>>,
}

/// What a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameKind {
    Request,
    Notification,
    Response,
}

/// The id of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Id {
    /// The number, as it was written.
    Number(String),
    Text(String),
}

impl Id {
    pub(crate) fn to_json(&self) -> String {
        match self {
            Self::Number(number) => number.clone(),
            Self::Text(text) => json_text(text),
        }
    }

    pub(crate) fn read(raw: &RawValue) -> Option<Self> {
        let raw = raw.get();
        if raw.starts_with('"') {
            serde_json::from_str(raw).ok().map(Self::Text)
        } else {
            raw.starts_with(|c: char| c == '-' || c.is_ascii_digit())
                .then(|| Self::Number(raw.to_owned()))
        }
    }
}

/// Bytes that are no message.
#[derive(Debug, Error)]
pub(crate) enum FrameError {
    #[error("not UTF-8")]
    NotUtf8,
    #[error("not a JSON-RPC message: {0}")]
    NotJsonRpc(#[from] serde_json::Error),
    #[error("not a JSON-RPC message: neither method nor result nor error")]
    Nothing,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

impl Frame {
    /// The messages in a line or a body: one, or the members of a batch.
    pub(crate) fn read_all(bytes: &[u8]) -> Result<Vec<Self>, FrameError> {
        let bytes = unmarked(bytes);
        let text = std::str::from_utf8(bytes).map_err(|_| FrameError::NotUtf8)?;
        if text.starts_with('[') {
            let batch: Vec<&RawValue> = serde_json::from_str(text)?;
            return batch
                .into_iter()
                .map(|message| Self::read(message.get()))
                .collect();
        }
        Ok(vec![Self::read(text)?])
    }

    /// The message that the text is.
    pub(crate) fn read(text: &str) -> Result<Self, FrameError> {
        // Between values JSON may break lines, inside of them it may not: a message on one line says the same.
        let text = if text.contains(['\n', '\r']) {
            text.replace(['\n', '\r'], " ")
        } else {
            text.to_owned()
        };
        let envelope: Envelope<'_> = serde_json::from_str(&text)?;
        let at = |raw: Option<&RawValue>| raw.map(|raw| range_in(&text, raw.get()));
        let frame = Self {
            method: envelope.method.as_deref().map(str::to_owned),
            id: envelope.id.and_then(Id::read),
            params: at(envelope.params),
            result: at(envelope.result),
            error: at(envelope.error),
            text: String::new(),
        };
        if frame.method.is_none() && frame.result.is_none() && frame.error.is_none() {
            return Err(FrameError::Nothing);
        }
        Ok(Self { text, ..frame })
    }

    /// A notification of ours.
    pub(crate) fn notification(method: &str, params: Option<&str>) -> Self {
        let params = params
            .map(|params| format!(r#","params":{params}"#))
            .unwrap_or_default();
        Self::ours(format!(
            r#"{{"jsonrpc":"2.0","method":{}{params}}}"#,
            json_text(method)
        ))
    }

    /// A request of ours.
    pub(crate) fn request(id: &Id, method: &str, params: Option<&str>) -> Self {
        let params = params
            .map(|params| format!(r#","params":{params}"#))
            .unwrap_or_default();
        Self::ours(format!(
            r#"{{"jsonrpc":"2.0","id":{},"method":{}{params}}}"#,
            id.to_json(),
            json_text(method)
        ))
    }

    /// A response of ours; `result` is JSON.
    pub(crate) fn response(id: &Id, result: &str) -> Self {
        Self::ours(format!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#,
            id.to_json()
        ))
    }

    /// An error response of ours; without an id where the request's could not be read.
    pub(crate) fn error(id: Option<&Id>, code: i32, message: &str) -> Self {
        let id = id.map_or_else(|| "null".to_owned(), Id::to_json);
        Self::ours(format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{}}}}}"#,
            json_text(message)
        ))
    }

    /// An error response with an error that came as JSON.
    pub(crate) fn error_response(id: &Id, error: &str) -> Self {
        Self::ours(format!(
            r#"{{"jsonrpc":"2.0","id":{},"error":{error}}}"#,
            id.to_json()
        ))
    }

    /// What is written here is a message; if it ever were not, it would still go out as it stands.
    fn ours(text: String) -> Self {
        Self::read(&text).unwrap_or(Self {
            text,
            method: None,
            id: None,
            params: None,
            result: None,
            error: None,
        })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    pub(crate) fn kind(&self) -> FrameKind {
        match (&self.method, &self.id) {
            (Some(_), Some(_)) => FrameKind::Request,
            (Some(_), None) => FrameKind::Notification,
            (None, _) => FrameKind::Response,
        }
    }

    pub(crate) fn method(&self) -> Option<&str> {
        self.method.as_deref()
    }

    pub(crate) fn id(&self) -> Option<&Id> {
        self.id.as_ref()
    }

    pub(crate) fn params(&self) -> Option<&str> {
        self.part(self.params.as_ref())
    }

    pub(crate) fn result(&self) -> Option<&str> {
        self.part(self.result.as_ref())
    }

    pub(crate) fn error_text(&self) -> Option<&str> {
        self.part(self.error.as_ref())
    }

    /// Whether it is the response to the request of that id.
    pub(crate) fn answers(&self, id: &Id) -> bool {
        self.kind() == FrameKind::Response && self.id.as_ref() == Some(id)
    }

    /// The same message with the result changed.
    pub(crate) fn with_result(&self, change: impl FnOnce(&str) -> Option<String>) -> Option<Self> {
        let range = self.result.clone()?;
        let changed = change(self.text.get(range.clone())?)?;
        let mut text = self.text.clone();
        text.replace_range(range, &changed);
        Self::read(&text).ok()
    }

    fn part(&self, range: Option<&Range<usize>>) -> Option<&str> {
        self.text.get(range?.clone())
    }
}

/// Bytes without a byte order mark before them and without white space around them.
pub(crate) fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(bytes)
        .trim_ascii()
}

/// Where a part that was borrowed from a text lies in it.
pub(crate) fn range_in(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}

/// A text as JSON. Text always serialises.
pub(crate) fn json_text(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_keeps_every_byte_and_shows_its_envelope() {
        let text = r#" {"id":1e2 , "jsonrpc":"2.0","params":{"b":1.0,"a":[]},"method":"tools/call","x":null}"#;
        let frame = Frame::read(text).unwrap();
        assert_eq!(frame.text(), text);
        assert_eq!(frame.kind(), FrameKind::Request);
        assert_eq!(
            (frame.method(), frame.params()),
            (Some("tools/call"), Some(r#"{"b":1.0,"a":[]}"#))
        );
        assert_eq!(frame.id().unwrap().to_json(), "1e2");
    }

    #[test]
    fn ids_are_equal_by_what_they_say() {
        let id = |id: &str| {
            Frame::read(&format!(r#"{{"id":{id},"method":"m"}}"#))
                .unwrap()
                .id()
                .cloned()
        };
        assert_eq!(id(r#""a""#), id(r#""\u0061""#));
        assert_ne!(id("1"), id(r#""1""#));
        assert_eq!(id("null"), None);
    }

    #[test]
    fn a_message_over_several_lines_becomes_one_line_and_a_byte_order_mark_goes() {
        let frames = Frame::read_all(b"\xEF\xBB\xBF{\"method\":\r\n\"m\"}\n").unwrap();
        assert_eq!(frames[0].text(), "{\"method\":  \"m\"}");
    }

    #[test]
    fn a_batch_is_its_messages() {
        let frames = Frame::read_all(br#"[{"id":1,"method":"a"},{"method":"b"}]"#).unwrap();
        assert_eq!(frames.len(), 2);
        assert_eq!(frames[1].kind(), FrameKind::Notification);
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        for bytes in [
            &b"{"[..],
            b"\xff",
            b"{}",
            b"INFO starting",
            br#"{"id":1,"id":2,"method":"m"}"#,
            b"[1]",
        ] {
            assert!(Frame::read_all(bytes).is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn only_the_result_changes_where_it_is_changed() {
        let frame = Frame::read(r#"{"result": {"a":1.50} ,"id":"x"}"#).unwrap();
        let changed = frame
            .with_result(|result| Some(result.replace('1', "2")))
            .unwrap();
        assert_eq!(changed.text(), r#"{"result": {"a":2.50} ,"id":"x"}"#);
        assert!(changed.answers(&Id::Text("x".into())));
    }
}
