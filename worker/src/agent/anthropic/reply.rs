//! A reply of the Messages API, from its stream of events or in one piece.
//!
//! <https://platform.claude.com/docs/en/build-with-claude/streaming>

use serde_json::{Value, json};

use crate::agent::api::{Asked, Assembly, OF_MESSAGE, ServiceError, Stop, Tokens, Turn};

/// A reply that is being put together.
#[derive(Debug, Default)]
pub(super) struct Reply {
    blocks: Vec<Block>,
    usage: Value,
    model: Option<String>,
    stop: Option<String>,
    stop_details: Value,
    was_whole: bool,
}

/// A part of the reply.
#[derive(Debug, Default)]
struct Block {
    value: Value,
    /// The input of a call, as far as it has come.
    input: String,
    is_whole: bool,
}

impl Assembly for Reply {
    fn event(&mut self, event: &Value) -> Result<(), ServiceError> {
        match event["type"].as_str().unwrap_or_default() {
            "message_start" => self.start(&event["message"]),
            "content_block_start" => {
                let block = self.block(&event["index"]);
                block.value = event["content_block"].clone();
            }
            "content_block_delta" => {
                let delta = &event["delta"];
                self.block(&event["index"]).add(delta);
            }
            "content_block_stop" => self.block(&event["index"]).is_whole = true,
            "message_delta" => {
                let delta = &event["delta"];
                if let Some(stop) = delta["stop_reason"].as_str() {
                    self.stop = Some(stop.to_owned());
                }
                if !delta["stop_details"].is_null() {
                    self.stop_details = delta["stop_details"].clone();
                }
                self.uses(&event["usage"]);
            }
            "error" => return Err(ServiceError::read(event).unwrap_or_default()),
            // Pings, and kinds of events that are yet to come.
            _ => {}
        }
        Ok(())
    }

    fn whole(&mut self, reply: Value) -> Result<(), ServiceError> {
        if reply["type"] == "error" {
            return Err(ServiceError::read(&reply).unwrap_or_default());
        }
        self.start(&reply);
        self.was_whole = true;
        self.stop = reply["stop_reason"].as_str().map(str::to_owned);
        self.stop_details = reply["stop_details"].clone();
        let blocks = reply["content"].as_array().cloned().unwrap_or_default();
        self.blocks = blocks
            .into_iter()
            .map(|value| Block {
                input: match &value["input"] {
                    Value::Null => String::new(),
                    input => input.to_string(),
                },
                value,
                is_whole: true,
            })
            .collect();
        Ok(())
    }

    fn is_whole(&self) -> bool {
        self.stop.is_some()
    }

    fn tokens(&self) -> Option<Tokens> {
        let usage = &self.usage;
        usage
            .is_object()
            .then(|| Tokens::beside_cache(usage, OF_MESSAGE))
    }

    fn turn(self: Box<Self>) -> Turn {
        let stop = stop(self.stop.as_deref().unwrap_or_default());
        let is_cut = matches!(stop, Stop::Cut | Stop::Full);
        let mut turn = Turn {
            message: None,
            text: String::new(),
            reasoning: String::new(),
            calls: Vec::new(),
            others: Vec::new(),
            stop,
            stop_word: self.stop,
            model: self.model,
        };
        let last = self.blocks.len().saturating_sub(1);
        let mut content = Vec::new();
        for (place, block) in self.blocks.into_iter().enumerate() {
            let is_cut = is_cut && place == last;
            content.extend(block.settle(&mut turn, is_cut, self.was_whole));
        }
        if !self.stop_details.is_null() {
            turn.others.push(self.stop_details);
        }
        turn.message =
            (!content.is_empty()).then(|| json!({ "role": "assistant", "content": content }));
        turn
    }
}

impl Reply {
    fn start(&mut self, message: &Value) {
        self.model = message["model"].as_str().map(str::to_owned);
        self.uses(&message["usage"]);
    }

    /// Counts in what the service says of use: later figures hold, and one that is left out stays.
    fn uses(&mut self, usage: &Value) {
        let Some(figures) = usage.as_object() else {
            return;
        };
        if !self.usage.is_object() {
            self.usage = json!({});
        }
        for (name, figure) in figures.iter().filter(|(_, figure)| !figure.is_null()) {
            self.usage[name.as_str()] = figure.clone();
        }
    }

    /// The block at a place; an event for one that never began makes an empty one, which comes to nothing.
    fn block(&mut self, index: &Value) -> &mut Block {
        /// No reply has more parts; a larger index is a fault of the service.
        const MOST: usize = 10_000;
        let index = index.as_u64().and_then(|index| usize::try_from(index).ok());
        let index = index.unwrap_or_default().min(MOST);
        if self.blocks.len() <= index {
            self.blocks.resize_with(index + 1, Block::default);
        }
        &mut self.blocks[index]
    }
}

impl Block {
    fn add(&mut self, delta: &Value) {
        if !self.value.is_object() {
            // It began as nothing that anything could be added to, and comes to nothing.
            return;
        }
        let part = |name: &str| delta[name].as_str().unwrap_or_default();
        match delta["type"].as_str().unwrap_or_default() {
            "text_delta" => append(&mut self.value["text"], part("text")),
            "thinking_delta" => append(&mut self.value["thinking"], part("thinking")),
            "signature_delta" => append(&mut self.value["signature"], part("signature")),
            "input_json_delta" => self.input.push_str(part("partial_json")),
            "citations_delta" => match &mut self.value["citations"] {
                Value::Array(citations) => citations.push(delta["citation"].clone()),
                none => *none = json!([delta["citation"]]),
            },
            _ => {}
        }
    }

    /// Puts the block where it belongs in the turn; the block as the API wants it back, where it can be sent.
    fn settle(mut self, turn: &mut Turn, is_cut: bool, was_whole: bool) -> Option<Value> {
        let text = |name: &str| self.value[name].as_str().unwrap_or_default().to_owned();
        match self.value["type"].as_str().unwrap_or_default() {
            "text" => {
                let text = text("text");
                turn.text.push_str(&text);
                // The API takes no empty text.
                (!text.trim().is_empty()).then_some(self.value)
            }
            "thinking" => {
                turn.reasoning.push_str(&text("thinking"));
                // One that was cut has no signature, without which the API does not take it.
                let is_signed = self.is_whole && !text("signature").is_empty();
                is_signed.then_some(self.value)
            }
            "tool_use" => {
                if self.input.is_empty()
                    && self.value["input"]
                        .as_object()
                        .is_some_and(|input| !input.is_empty())
                {
                    // Some services that speak this API send the input with the beginning of the block.
                    self.input = self.value["input"].to_string();
                }
                // In one piece there is no telling how much of the input of a call that was cut is there.
                let input = if is_cut && was_whole { "" } else { &self.input };
                let mut call = Asked::read(text("id"), text("name"), input, is_cut);
                if let (Err(unusable), true) = (&mut call.arguments, is_cut && was_whole) {
                    unusable.text.clone_from(&self.input);
                }
                self.value["input"] = call.arguments.clone().unwrap_or_else(|_| json!({}));
                turn.calls.push(call);
                Some(self.value)
            }
            "" => None,
            "redacted_thinking" => Some(self.value),
            _ => {
                // Of a tool that the service runs itself.
                if !self.input.is_empty() && self.value["input"].is_object() {
                    let input = serde_json::from_str(&self.input);
                    self.value["input"] = input.unwrap_or_else(|_| json!({}));
                }
                turn.others.push(self.value.clone());
                Some(self.value)
            }
        }
    }
}

fn append(text: &mut Value, part: &str) {
    match text {
        Value::String(text) => text.push_str(part),
        other => *other = part.into(),
    }
}

fn stop(word: &str) -> Stop {
    match word {
        "end_turn" | "stop_sequence" | "tool_use" => Stop::Done,
        "max_tokens" => Stop::Cut,
        "model_context_window_exceeded" => Stop::Full,
        "refusal" => Stop::Refused,
        "pause_turn" => Stop::Paused,
        _ => Stop::Other,
    }
}
