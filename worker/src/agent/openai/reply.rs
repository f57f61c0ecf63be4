//! A reply of a chat endpoint, from its stream of chunks or in one piece.
//!
//! Endpoints differ in what they leave out: ids and indices of calls, the reason for the end, the usage. What is left out
//! is made up where nothing hangs on it, and else stays unknown.

use serde_json::{Value, json};

use crate::agent::api::{Asked, Assembly, ServiceError, Stop, Tokens, Turn};

/// A reply that is being put together.
#[derive(Debug, Default)]
pub(super) struct Reply {
    text: String,
    reasoning: String,
    refusal: String,
    calls: Vec<Call>,
    usage: Option<Tokens>,
    model: Option<String>,
    stop: Option<String>,
    is_done: bool,
}

/// A call, as far as it has come.
#[derive(Debug, Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl Assembly for Reply {
    fn event(&mut self, event: &Value) -> Result<(), ServiceError> {
        self.take(event, "delta")
    }

    fn done(&mut self) {
        self.is_done = true;
    }

    fn whole(&mut self, reply: Value) -> Result<(), ServiceError> {
        self.take(&reply, "message")?;
        self.is_done = reply["choices"][0]["message"].is_object();
        Ok(())
    }

    fn is_whole(&self) -> bool {
        self.stop.is_some() || self.is_done
    }

    fn tokens(&self) -> Option<Tokens> {
        self.usage
    }

    fn turn(self: Box<Self>) -> Turn {
        let mut stop = stop(self.stop.as_deref());
        if !self.refusal.is_empty() && self.calls.is_empty() {
            stop = Stop::Refused;
        }
        let last = self.calls.len().saturating_sub(1);
        let mut calls = Vec::new();
        let mut sent = Vec::new();
        for (place, call) in self.calls.into_iter().enumerate() {
            let id = if call.id.is_empty() {
                format!("call_{}", place + 1)
            } else {
                call.id
            };
            let is_cut = stop == Stop::Cut && place == last;
            let asked = Asked::read(id, call.name, &call.arguments, is_cut);
            // Templates of local models read the arguments again, and fail where they are no JSON.
            let arguments = asked.arguments.clone().unwrap_or_else(|_| json!({}));
            sent.push(json!({
                "id": asked.id,
                "type": "function",
                "function": { "name": asked.name, "arguments": arguments.to_string() },
            }));
            calls.push(asked);
        }
        let mut message = json!({ "role": "assistant", "content": self.text });
        if !sent.is_empty() {
            message["tool_calls"] = sent.into();
        }
        let is_empty = self.text.is_empty() && calls.is_empty();
        Turn {
            message: (!is_empty).then_some(message),
            others: if self.refusal.is_empty() {
                Vec::new()
            } else {
                vec![json!({ "refusal": self.refusal })]
            },
            text: self.text,
            reasoning: self.reasoning,
            calls,
            stop,
            stop_word: self.stop,
            model: self.model,
        }
    }
}

impl Reply {
    /// Takes a chunk, or a whole reply, which differ in the name of what holds the message.
    fn take(&mut self, event: &Value, part: &str) -> Result<(), ServiceError> {
        if event["error"].is_object() || event["error"].is_string() {
            return Err(ServiceError::read(event).unwrap_or_default());
        }
        if let Some(model) = event["model"].as_str() {
            self.model = Some(model.to_owned());
        }
        // Some count up with every chunk: the last word holds.
        self.usage = usage(&event["usage"]).or(self.usage);
        let choice = &event["choices"][0];
        if let Some(stop) = choice["finish_reason"]
            .as_str()
            .filter(|stop| !stop.is_empty())
        {
            self.stop = Some(stop.to_owned());
        }
        let message = &choice[part];
        self.text.push_str(&text_of(&message["content"]));
        let reasoning = ["reasoning_content", "reasoning"]
            .into_iter()
            .find_map(|name| message[name].as_str());
        self.reasoning.push_str(reasoning.unwrap_or_default());
        self.refusal
            .push_str(message["refusal"].as_str().unwrap_or_default());
        for delta in message["tool_calls"].as_array().into_iter().flatten() {
            self.call(delta);
        }
        Ok(())
    }

    /// Takes a piece of a call. Its index says of which; where there is none, or one serves for several calls, a new id
    /// begins a new call.
    fn call(&mut self, delta: &Value) {
        let index = delta["index"].as_u64();
        let id = delta["id"].as_str().unwrap_or_default();
        let is_piece_of = |call: &Call| {
            let same_id = id.is_empty() || call.id.is_empty() || id == call.id;
            let same_index = index.is_none() || call.index.is_none() || index == call.index;
            same_id && same_index
        };
        let function = &delta["function"];
        let name = function["name"].as_str().unwrap_or_default();
        // Without index and id, a name is all that tells a new call from more of the last one.
        let is_new = index.is_none() && id.is_empty() && !name.is_empty();
        let place = self.calls.iter().rposition(is_piece_of).filter(|_| !is_new);
        let place = place.unwrap_or_else(|| {
            self.calls.push(Call {
                index,
                ..Call::default()
            });
            self.calls.len() - 1
        });
        let Some(call) = self.calls.get_mut(place) else {
            return;
        };
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        // Sent once by most, again with every piece by some.
        if call.name.is_empty() {
            name.clone_into(&mut call.name);
        }
        match &function["arguments"] {
            Value::String(piece) => call.arguments.push_str(piece),
            Value::Null => {}
            object => call.arguments.push_str(&object.to_string()),
        }
    }
}

/// A message's content: a text, or parts that hold texts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect(),
        _ => String::new(),
    }
}

fn usage(usage: &Value) -> Option<Tokens> {
    let input = usage["prompt_tokens"].as_u64()?;
    let details = &usage["prompt_tokens_details"];
    let count = |value: &Value| value.as_u64().unwrap_or_default();
    Some(Tokens {
        input,
        output: count(&usage["completion_tokens"]),
        cache_read: count(&details["cached_tokens"]).max(count(&usage["prompt_cache_hit_tokens"])),
        cache_write: count(&details["cache_write_tokens"]),
    })
}

fn stop(word: Option<&str>) -> Stop {
    match word {
        None | Some("stop" | "tool_calls" | "function_call" | "eos" | "end_turn") => Stop::Done,
        Some("length" | "max_tokens") => Stop::Cut,
        Some("content_filter") => Stop::Refused,
        Some(_) => Stop::Other,
    }
}
