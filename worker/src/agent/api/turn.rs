//! One reply of a model, whatever the API in which it came.

use std::fmt;

use serde_json::{Value, json};

use super::key::Key;
use super::price::Tokens;

/// One reply of a model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Turn {
    /// The reply as the API wants it back in the next request; `None` where it has nothing that could be sent.
    pub(crate) message: Option<Value>,
    /// What the model said.
    pub(crate) text: String,
    /// What it let be seen of its reasoning.
    pub(crate) reasoning: String,
    /// The calls that it wants made, in its order.
    pub(crate) calls: Vec<Asked>,
    /// Parts of the reply that are none of these.
    pub(crate) others: Vec<Value>,
    /// Why it stopped.
    pub(crate) stop: Stop,
    /// The service's own word for that.
    pub(crate) stop_word: Option<String>,
    /// The model, as the service names it.
    pub(crate) model: Option<String>,
}

/// A call that a model wants made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    /// By which the API matches the reply.
    pub(crate) id: String,
    /// The tool, under the name by which the model knows it.
    pub(crate) name: String,
    /// The arguments; where they are none, what the model wrote instead.
    pub(crate) arguments: Result<Value, Unusable>,
}

/// What a model wrote in the place of arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unusable {
    /// The text as it came.
    pub(crate) text: String,
    /// What is wrong with it.
    pub(crate) reason: String,
}

impl Asked {
    /// Reads the text of arguments: an object in JSON, where no text at all stands for an object without members.
    /// `is_cut` says that the reply broke off in this call or right behind it: it is made only where it is whole, and no text,
    /// or an object that has no members yet, is not taken for whole.
    pub(crate) fn read(id: String, name: String, text: &str, is_cut: bool) -> Self {
        let unusable = |reason: String| {
            Err(Unusable {
                text: text.to_owned(),
                reason,
            })
        };
        let arguments = match serde_json::from_str(text) {
            _ if text.trim().is_empty() && !is_cut => Ok(json!({})),
            Ok(Value::Object(_)) if is_cut && text.trim() == "{}" => {
                unusable("the call was cut at the limit of your output".to_owned())
            }
            Ok(arguments @ Value::Object(_)) => Ok(arguments),
            _ if is_cut => unusable("the call was cut at the limit of your output".to_owned()),
            Ok(_) => unusable("the arguments are no JSON object".to_owned()),
            Err(error) => unusable(format!("the arguments are no JSON: {error}")),
        };
        Self {
            id,
            name,
            arguments,
        }
    }
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It was done, or waits for the replies to its calls.
    Done,
    /// Its output came to its limit.
    Cut,
    /// The conversation fills the model's context.
    Full,
    /// It, or its service, refuses to go on.
    Refused,
    /// The service paused a long turn, and goes on with it when asked.
    Paused,
    /// For a reason that this program does not know.
    Other,
}

impl Turn {
    /// The same without the key, which a model can only know from its service.
    pub(crate) fn redact(&mut self, key: &Key) {
        let hide = |text: &mut String| *text = key.redact(text).into_owned();
        self.message.iter_mut().for_each(|m| key.redact_value(m));
        self.others.iter_mut().for_each(|o| key.redact_value(o));
        hide(&mut self.text);
        hide(&mut self.reasoning);
        self.model.iter_mut().for_each(hide);
        self.stop_word.iter_mut().for_each(hide);
        for call in &mut self.calls {
            hide(&mut call.id);
            hide(&mut call.name);
            match &mut call.arguments {
                Ok(arguments) => key.redact_value(arguments),
                Err(unusable) => {
                    hide(&mut unusable.text);
                    hide(&mut unusable.reason);
                }
            }
        }
    }

    /// The reply as the transcript keeps it.
    pub(crate) fn told(&self, number: u32, tokens: Option<Tokens>, seconds: f64) -> Value {
        let calls: Vec<Value> = self.calls.iter().map(call_told).collect();
        let mut told = json!({
            "turn": number,
            "text": self.text,
            "calls": calls,
            "stop": self.stop_word,
            "model": self.model,
            "usage": tokens,
            "seconds": (seconds * 1e3).round() / 1e3,
        });
        if !self.reasoning.is_empty() {
            told["reasoning"] = self.reasoning.as_str().into();
        }
        if !self.others.is_empty() {
            told["others"] = self.others.clone().into();
        }
        told
    }
}

fn call_told(call: &Asked) -> Value {
    match &call.arguments {
        Ok(arguments) => json!({ "id": call.id, "name": call.name, "arguments": arguments }),
        Err(unusable) => json!({
            "id": call.id,
            "name": call.name,
            "malformed": unusable.text,
            "reason": unusable.reason,
        }),
    }
}

/// Puts one reply together, from a stream or in one piece.
pub(crate) trait Assembly: Send {
    /// Takes an event of a stream.
    fn event(&mut self, event: &Value) -> Result<(), ServiceError>;
    /// Hears that the stream says it is over.
    fn done(&mut self) {}
    /// Takes a reply that was not streamed.
    fn whole(&mut self, reply: Value) -> Result<(), ServiceError>;
    /// Whether nothing is missing of the reply.
    fn is_whole(&self) -> bool;
    /// What the reply used, as far as the service has said.
    fn tokens(&self) -> Option<Tokens>;
    /// The reply.
    fn turn(self: Box<Self>) -> Turn;
}

/// A failure that a service tells in the place of a reply, or in the midst of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ServiceError {
    /// The service's word for its kind: a type or a code.
    pub(crate) kind: String,
    /// Its sentence.
    pub(crate) message: String,
    /// The status that it would have as a reply of its own, where the service says so.
    pub(crate) status: Option<u16>,
}

impl ServiceError {
    /// Whether what was paid for is used up, which no waiting changes.
    pub(crate) fn is_used_up(&self) -> bool {
        matches!(
            self.kind.as_str(),
            "insufficient_quota" | "billing_hard_limit_reached" | "billing_error"
        )
    }

    /// Reads what services write: an `error` with type, code and message, or a text in one of several places.
    pub(crate) fn read(body: &Value) -> Option<Self> {
        let error = body.get("error").filter(|error| !error.is_null());
        let place = error.unwrap_or(body);
        let text = |names: &[&str]| {
            let found = names.iter().find_map(|name| place.get(*name)?.as_str());
            found.map(str::to_owned)
        };
        let message = match place {
            Value::String(text) => Some(text.clone()),
            _ => text(&["message", "detail", "error_message"]),
        };
        if error.is_none() && message.is_none() {
            return None;
        }
        let number = place.get("code").or_else(|| place.get("status"));
        Some(Self {
            kind: text(&["code", "type"]).unwrap_or_default(),
            message: message.unwrap_or_else(|| place.to_string()),
            status: number
                .and_then(Value::as_u64)
                .and_then(|number| u16::try_from(number).ok()),
        })
    }
}

impl fmt::Display for ServiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.kind, self.message)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_an_object_or_are_not_used() {
        for (text, is_cut, expected) in [
            ("{\"a\": 1}", false, Ok(json!({"a": 1}))),
            ("", false, Ok(json!({}))),
            (" {} ", false, Ok(json!({}))),
            ("{\"a\": 1}", true, Ok(json!({"a": 1}))),
            ("", true, Err("cut at the limit")),
            ("{}", true, Err("cut at the limit")),
            ("{\"a\": \"SEL", true, Err("cut at the limit")),
            ("{\"a\": \"SEL", false, Err("no JSON: EOF")),
            ("[1]", false, Err("no JSON object")),
            ("{'a': 1}", false, Err("no JSON: key must be a string")),
        ] {
            let asked = Asked::read("1".to_owned(), "t".to_owned(), text, is_cut);
            match (asked.arguments, expected) {
                (Ok(arguments), Ok(expected)) => assert_eq!(arguments, expected, "{text}"),
                (Err(unusable), Err(says)) => {
                    assert!(
                        unusable.reason.contains(says),
                        "{text}: {}",
                        unusable.reason
                    );
                    assert_eq!(unusable.text, text);
                }
                (got, _) => panic!("{text}: {got:?}"),
            }
        }
    }

    #[test]
    fn services_tell_failures_in_several_places() {
        let error = |kind: &str, message: &str, status| {
            Some(ServiceError {
                kind: kind.to_owned(),
                message: message.to_owned(),
                status,
            })
        };
        for (body, expected) in [
            (
                json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
                error("overloaded_error", "Overloaded", None),
            ),
            (
                json!({"error": {"message": "too long", "type": "invalid_request_error", "code": "context_length_exceeded"}}),
                error("context_length_exceeded", "too long", None),
            ),
            (
                json!({"error": {"message": "down", "code": 502}}),
                error("", "down", Some(502)),
            ),
            (
                json!({"object": "error", "message": "bad", "type": "BadRequestError", "code": 400}),
                error("BadRequestError", "bad", Some(400)),
            ),
            (
                json!({"error": "model 'x' not found"}),
                error("", "model 'x' not found", None),
            ),
            (json!({"detail": "Not Found"}), error("", "Not Found", None)),
            (json!({"error": {"odd": 1}}), error("", "{\"odd\":1}", None)),
            (json!({"error": null, "choices": []}), None),
            (json!({"id": "x"}), None),
        ] {
            assert_eq!(ServiceError::read(&body), expected, "{body}");
        }
    }
}
