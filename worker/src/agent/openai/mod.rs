//! The agent over any endpoint that speaks OpenAI's chat completions with tools: hosted services, vLLM, llama.cpp, Ollama.
//!
//! | option | in the request |
//! |---|---|
//! | `--model` | `model` |
//! | `--effort` | `reasoning_effort`, as the service knows it |
//! | `--max-output-tokens` | `max_completion_tokens` with OpenAI's own service, `max_tokens` with all others |
//! | `--model-params` | its members, as they are |
//!
//! Reasoning that a service shows goes to the transcript, and not back to the service.

mod reply;

use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde_json::{Value, json};

use self::reply::Reply;
use super::api::{
    Answered, Assembly, Dialect, Key, ModelArgs, ModelSettings, Offered, Service, below, converse,
};
use super::{Report, Task};
use crate::Failure;

/// The name by which it is asked for.
pub const NAME: &str = "openai";

/// Where the service is unless the operator says otherwise.
const HOME: &str = "https://api.openai.com/v1";
const KEY: &str = "OPENAI_API_KEY";
const BASE_URL: &str = "OPENAI_BASE_URL";

/// Members of a request that are not for the operator to set.
const RESERVED: [&str; 5] = ["model", "messages", "tools", "stream", "n"];

/// An agent over a chat endpoint.
#[derive(Clone, Debug)]
pub struct Agent {
    service: Service,
    settings: ModelSettings,
    /// Whether the service is OpenAI's own, which takes some members under names of its own.
    is_home: bool,
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
        if settings.thinking.is_some() {
            return Err(Failure::usage(
                "--thinking is an option of the agent `anthropic`",
                "give --effort, or what the service takes with --model-params",
            ));
        }
        let base = args.base_url.clone().or_else(|| variable(BASE_URL));
        let is_home = base.as_deref().is_none_or(|base| base.starts_with(HOME));
        let key = variable(KEY).as_deref().and_then(Key::new);
        if is_home && key.is_none() {
            return Err(Failure::usage(
                "the agent `openai` needs a key for OpenAI's own service",
                format!("export {KEY}=…, or give another service's address with --base-url"),
            ));
        }
        let mut headers = HeaderMap::new();
        if let Some(key) = &key {
            let value = key.header("Bearer ").ok_or_else(|| {
                Failure::usage(
                    format!("{KEY} holds characters that no key has"),
                    format!("export {KEY}=… again"),
                )
            })?;
            headers.insert(AUTHORIZATION, value);
        }
        let url = place(base.as_deref().unwrap_or(HOME));
        Ok(Self {
            service: Service::new(url, headers, key, settings.silence)?,
            settings,
            is_home,
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

/// Whether anything says where a service is: an address, or the key of OpenAI's own.
pub fn is_within_reach(args: &ModelArgs, variable: &dyn Fn(&str) -> Option<String>) -> bool {
    args.base_url.is_some() || [BASE_URL, KEY].iter().any(|name| variable(name).is_some())
}

/// The address of the completions below a base.
fn place(base: &str) -> String {
    below(base, "/chat/completions")
}

impl Dialect for Agent {
    fn body(&self, system: &str, tools: &[Offered<'_>], messages: &[Value]) -> Value {
        let mut all = Vec::with_capacity(messages.len() + 1);
        if !system.is_empty() {
            all.push(json!({ "role": "system", "content": system }));
        }
        all.extend_from_slice(messages);
        let mut body = json!({ "model": self.settings.model, "messages": all });
        if !tools.is_empty() {
            body["tools"] = tools.iter().map(described).collect();
        }
        if self.settings.stream {
            body["stream"] = true.into();
            // Without it a stream ends and never says what it used.
            body["stream_options"] = json!({ "include_usage": true });
        }
        if let Some(effort) = &self.settings.effort {
            body["reasoning_effort"] = effort.as_str().into();
        }
        if let Some(most) = self.settings.max_output_tokens {
            let name = if self.is_home {
                "max_completion_tokens"
            } else {
                "max_tokens"
            };
            body[name] = most.into();
        }
        body
    }

    fn user(&self, text: &str) -> Value {
        json!({ "role": "user", "content": text })
    }

    fn results(&self, results: &[Answered]) -> Vec<Value> {
        let message = |answered: &Answered| {
            // This API has no member for it.
            let content = if answered.is_error {
                format!("error: {}", answered.text)
            } else {
                answered.text.clone()
            };
            json!({ "role": "tool", "tool_call_id": answered.id, "content": content })
        };
        results.iter().map(message).collect()
    }

    fn assembly(&self) -> Box<dyn Assembly> {
        Box::new(Reply::default())
    }
}

fn described(tool: &Offered<'_>) -> Value {
    let schema = match &tool.info.input_schema {
        schema @ Value::Object(_) => schema.clone(),
        _ => json!({ "type": "object", "properties": {} }),
    };
    json!({
        "type": "function",
        "function": { "name": tool.name, "description": tool.info.description, "parameters": schema },
    })
}

#[cfg(test)]
mod tests;
