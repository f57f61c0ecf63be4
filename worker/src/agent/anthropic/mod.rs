//! The agent over Anthropic's Messages API.
//!
//! | option | in the request |
//! |---|---|
//! | `--model` | `model` |
//! | `--effort` | `output_config.effort`: low, medium, high, xhigh or max, as the model knows them |
//! | `--thinking` | `thinking`: `adaptive`, `disabled`, or `enabled` with a budget; left out where it is not given |
//! | `--max-output-tokens` | `max_tokens` |
//! | `--model-params` | its members, as they are |
//!
//! The tools, the system prompt and the last two messages of the user carry `cache_control`: each request reads what the
//! one before it has written, however many calls lie between.

mod reply;

use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

use self::reply::Reply;
use super::api::{
    Answered, Assembly, Facts, Interface, Key, ModelSettings, Offered, Thinking, below,
};
use crate::Failure;

/// The name by which it is asked for.
pub const NAME: &str = "anthropic";

const FACTS: Facts = Facts {
    name: NAME,
    home: "https://api.anthropic.com",
    key_variable: "ANTHROPIC_API_KEY",
    base_variable: "ANTHROPIC_BASE_URL",
    reserved: &[
        "model",
        "messages",
        "system",
        "tools",
        "stream",
        "max_tokens",
    ],
    is_always_keyed: true,
};

const VERSION: &str = "2023-06-01";

/// Tokens of one reply unless the operator says otherwise: the API wants a number.
const MAX_TOKENS: u32 = 16_384;

/// The least budget that the API takes.
const LEAST_THINKING: u32 = 1024;

/// Anthropic's Messages API.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Messages;

impl Interface for Messages {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn check(&self, settings: &ModelSettings) -> Result<(), Failure> {
        let max_tokens = settings.max_output_tokens.unwrap_or(MAX_TOKENS);
        match settings.thinking {
            Some(Thinking::Budget(budget)) if !(LEAST_THINKING..max_tokens).contains(&budget) => {
                Err(Failure::usage(
                    format!("the model cannot think for {budget} of {max_tokens} tokens"),
                    format!(
                        "--thinking takes {LEAST_THINKING} at least, and less than --max-output-tokens"
                    ),
                ))
            }
            _ => Ok(()),
        }
    }

    fn place(&self, base: &str) -> String {
        let path = base.split('?').next().unwrap_or_default();
        let path = path.trim_end_matches('/');
        let has_version = path.ends_with("/v1") || path.ends_with("/messages");
        below(
            base,
            if has_version {
                "/messages"
            } else {
                "/v1/messages"
            },
        )
    }

    fn headers(&self, key: Option<&Key>) -> Option<HeaderMap> {
        let mut headers = HeaderMap::new();
        if let Some(key) = key {
            headers.insert("x-api-key", key.header("")?);
        }
        headers.insert("anthropic-version", HeaderValue::from_static(VERSION));
        Some(headers)
    }

    fn body(
        &self,
        settings: &ModelSettings,
        system: &str,
        tools: &[Offered<'_>],
        messages: &[Value],
    ) -> Value {
        let mut body = json!({
            "model": settings.model,
            "max_tokens": settings.max_output_tokens.unwrap_or(MAX_TOKENS),
            "messages": with_marks(messages),
            "stream": settings.stream,
        });
        if !system.is_empty() {
            body["system"] = json!([marked(json!({ "type": "text", "text": system }))]);
        }
        if !tools.is_empty() {
            let mut described: Vec<Value> = tools.iter().map(described).collect();
            mark_last(&mut described);
            body["tools"] = described.into();
        }
        if let Some(effort) = &settings.effort {
            body["output_config"] = json!({ "effort": effort });
        }
        match settings.thinking {
            Some(Thinking::Adaptive) => body["thinking"] = json!({ "type": "adaptive" }),
            Some(Thinking::Off) => body["thinking"] = json!({ "type": "disabled" }),
            Some(Thinking::Budget(tokens)) => {
                body["thinking"] = json!({ "type": "enabled", "budget_tokens": tokens });
            }
            None => {}
        }
        body
    }

    fn user(&self, text: &str) -> Value {
        json!({ "role": "user", "content": [{ "type": "text", "text": text }] })
    }

    fn results(&self, results: &[Answered]) -> Vec<Value> {
        let blocks: Vec<Value> = results.iter().map(result).collect();
        vec![json!({ "role": "user", "content": blocks })]
    }

    fn assembly(&self) -> Box<dyn Assembly> {
        Box::new(Reply::default())
    }
}

fn described(tool: &Offered<'_>) -> Value {
    let schema = match &tool.info.input_schema {
        schema @ Value::Object(_) => schema.clone(),
        _ => json!({ "type": "object" }),
    };
    json!({ "name": tool.name, "description": tool.info.description, "input_schema": schema })
}

fn result(answered: &Answered) -> Value {
    let mut block = json!({ "type": "tool_result", "tool_use_id": answered.id });
    // The API takes no empty text.
    if !answered.text.trim().is_empty() {
        block["content"] = json!([{ "type": "text", "text": answered.text }]);
    }
    if answered.is_error {
        block["is_error"] = true.into();
    }
    block
}

/// The messages with marks on the last two of the user.
fn with_marks(messages: &[Value]) -> Vec<Value> {
    let mut messages = messages.to_vec();
    let users = messages
        .iter_mut()
        .rev()
        .filter(|message| message["role"] == "user");
    for message in users.take(2) {
        if let Some(blocks) = message["content"].as_array_mut() {
            mark_last(blocks);
        }
    }
    messages
}

fn mark_last(blocks: &mut [Value]) {
    if let Some(last) = blocks.last_mut() {
        *last = marked(last.take());
    }
}

fn marked(mut block: Value) -> Value {
    block["cache_control"] = json!({ "type": "ephemeral" });
    block
}

#[cfg(test)]
mod tests;
