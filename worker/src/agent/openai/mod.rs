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
    Answered, Assembly, Facts, Interface, Key, ModelArgs, ModelSettings, Offered, below,
};
use crate::Failure;

/// The name by which it is asked for.
pub const NAME: &str = "openai";

const FACTS: Facts = Facts {
    name: NAME,
    home: "https://api.openai.com/v1",
    key_variable: "OPENAI_API_KEY",
    base_variable: "OPENAI_BASE_URL",
    reserved: &["model", "messages", "tools", "stream", "n"],
    is_always_keyed: false,
};

/// OpenAI's chat completions, as many services speak them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chat;

/// Whether anything says where a service is: an address, or the key of OpenAI's own.
pub(crate) fn is_within_reach(args: &ModelArgs, variable: &dyn Fn(&str) -> Option<String>) -> bool {
    args.base_url.is_some()
        || [FACTS.base_variable, FACTS.key_variable]
            .into_iter()
            .any(|name| variable(name).is_some())
}

impl Interface for Chat {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn check(&self, settings: &ModelSettings) -> Result<(), Failure> {
        if settings.thinking.is_none() {
            return Ok(());
        }
        Err(Failure::usage(
            "--thinking is an option of the agent `anthropic`",
            "give --effort, or what the service takes with --model-params",
        ))
    }

    fn place(&self, base: &str) -> String {
        below(base, "/chat/completions")
    }

    fn headers(&self, key: Option<&Key>) -> Option<HeaderMap> {
        let mut headers = HeaderMap::new();
        if let Some(key) = key {
            headers.insert(AUTHORIZATION, key.header("Bearer ")?);
        }
        Some(headers)
    }

    fn body(
        &self,
        settings: &ModelSettings,
        system: &str,
        tools: &[Offered<'_>],
        messages: &[Value],
    ) -> Value {
        let mut all = Vec::with_capacity(messages.len() + 1);
        if !system.is_empty() {
            all.push(json!({ "role": "system", "content": system }));
        }
        all.extend_from_slice(messages);
        let mut body = json!({ "model": settings.model, "messages": all });
        if !tools.is_empty() {
            body["tools"] = tools.iter().map(described).collect();
        }
        if settings.stream {
            body["stream"] = true.into();
            // Without it a stream ends and never says what it used.
            body["stream_options"] = json!({ "include_usage": true });
        }
        if let Some(effort) = &settings.effort {
            body["reasoning_effort"] = effort.as_str().into();
        }
        if let Some(most) = settings.max_output_tokens {
            // OpenAI's own service takes it under a name of its own.
            let name = if settings.is_home {
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
