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
    Answered, Assembly, Dialect, Key, ModelArgs, ModelSettings, Offered, Service, Thinking, below,
    converse,
};
use super::{Report, Task};
use crate::Failure;

/// The name by which it is asked for.
pub const NAME: &str = "anthropic";

/// Where the service is unless the operator says otherwise.
const HOME: &str = "https://api.anthropic.com";
const VERSION: &str = "2023-06-01";
const KEY: &str = "ANTHROPIC_API_KEY";
const BASE_URL: &str = "ANTHROPIC_BASE_URL";

/// Tokens of one reply unless the operator says otherwise: the API wants a number.
const MAX_TOKENS: u32 = 16_384;

/// The least budget that the API takes.
const LEAST_THINKING: u32 = 1024;

/// Members of a request that are not for the operator to set.
const RESERVED: [&str; 6] = [
    "model",
    "messages",
    "system",
    "tools",
    "stream",
    "max_tokens",
];

/// An agent over the Messages API.
#[derive(Clone, Debug)]
pub struct Agent {
    service: Service,
    settings: ModelSettings,
}

impl Agent {
    /// The agent with a model; `variable` looks a variable of the environment up.
    pub fn new(
        model: Option<&str>,
        effort: Option<&str>,
        args: &ModelArgs,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, Failure> {
        let settings = ModelSettings::new(NAME, model, effort, args, &RESERVED)?;
        let max_tokens = settings.max_output_tokens.unwrap_or(MAX_TOKENS);
        if let Some(Thinking::Budget(budget)) = settings.thinking
            && !(LEAST_THINKING..max_tokens).contains(&budget)
        {
            return Err(Failure::usage(
                format!("the model cannot think for {budget} of {max_tokens} tokens"),
                format!(
                    "--thinking takes {LEAST_THINKING} at least, and less than --max-output-tokens"
                ),
            ));
        }
        let key = variable(KEY).as_deref().and_then(Key::new).ok_or_else(|| {
            Failure::usage(
                "the agent `anthropic` needs a key",
                format!("export {KEY}=…; it is sent to the service and written nowhere"),
            )
        })?;
        let value = key.header("").ok_or_else(|| {
            Failure::usage(
                format!("{KEY} holds characters that no key has"),
                format!("export {KEY}=… again"),
            )
        })?;
        let mut headers = HeaderMap::new();
        headers.insert("x-api-key", value);
        headers.insert("anthropic-version", HeaderValue::from_static(VERSION));
        let base = args.base_url.clone().or_else(|| variable(BASE_URL));
        let url = place(base.as_deref().unwrap_or(HOME));
        Ok(Self {
            service: Service::new(url, headers, Some(key), settings.silence)?,
            settings,
        })
    }

    /// All that bears on what the model says, beside its name and effort: the service that has it, and what it is asked with.
    pub fn condition(&self) -> Value {
        self.settings.condition_at(&self.service)
    }

    /// Whose money its tokens cost.
    pub fn payer(&self) -> String {
        let service = self.service.shown();
        match self.service.key() {
            Some(_) => format!("that of {KEY}, at {service}"),
            None => format!("that of whoever runs {service}: no key is sent"),
        }
    }

    /// Whether the cost of its tokens is known.
    pub fn has_price(&self) -> bool {
        self.settings.price.is_some()
    }

    /// Makes one attempt.
    pub async fn attempt(&self, task: &mut Task) -> Result<Report, Failure> {
        if let Some(key) = self.service.key() {
            key.hide_in(&mut task.transcript);
        }
        converse(self, &self.service, &self.settings, task).await
    }
}

/// The address of the messages below a base.
fn place(base: &str) -> String {
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

impl Dialect for Agent {
    fn body(&self, system: &str, tools: &[Offered<'_>], messages: &[Value]) -> Value {
        let mut body = json!({
            "model": self.settings.model,
            "max_tokens": self.settings.max_output_tokens.unwrap_or(MAX_TOKENS),
            "messages": with_marks(messages),
            "stream": self.settings.stream,
        });
        if !system.is_empty() {
            body["system"] = json!([marked(json!({ "type": "text", "text": system }))]);
        }
        if !tools.is_empty() {
            let mut described: Vec<Value> = tools.iter().map(described).collect();
            mark_last(&mut described);
            body["tools"] = described.into();
        }
        if let Some(effort) = &self.settings.effort {
            body["output_config"] = json!({ "effort": effort });
        }
        match self.settings.thinking {
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
