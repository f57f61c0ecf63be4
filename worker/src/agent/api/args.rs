//! What an operator says about a model and its service.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde_json::{Map, Value, json};

use super::price::{Price, Prices};
use crate::Failure;

/// What can be typed about a model and its service.
#[derive(Args, Clone, Debug)]
pub struct ModelArgs {
    /// Address of the model's service [default: `ANTHROPIC_BASE_URL` or `OPENAI_BASE_URL`, else the service's own]
    #[arg(long, value_name = "URL", help_heading = "Agents with a model")]
    pub base_url: Option<String>,
    /// Tokens that one reply of the model may have [default: 16384 for anthropic, the service's own for openai]
    #[arg(long, value_name = "N", help_heading = "Agents with a model", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_output_tokens: Option<u32>,
    /// How the model thinks before it speaks: adaptive, off, or a budget of tokens (anthropic) [default: the model's own]
    #[arg(long, value_name = "HOW", help_heading = "Agents with a model")]
    pub thinking: Option<String>,
    /// Further members of each request, as a JSON object: '{"temperature": 0}'
    #[arg(long, value_name = "JSON", help_heading = "Agents with a model")]
    pub model_params: Option<String>,
    /// Table of prices; without one a cost is not known
    #[arg(long, value_name = "FILE", help_heading = "Agents with a model")]
    pub prices: Option<PathBuf>,
    /// Ask for replies in one piece, for services that cannot stream
    #[arg(long, help_heading = "Agents with a model")]
    pub no_stream: bool,
    /// Characters of a tool's reply that the model is shown; the recording keeps all [default: 100000]
    #[arg(long, value_name = "N", help_heading = "Agents with a model")]
    pub tool_reply_chars: Option<usize>,
    /// Seconds that the service may say nothing at all before it is asked again [default: 300]
    #[arg(long, value_name = "S", help_heading = "Agents with a model", value_parser = clap::value_parser!(u64).range(1..))]
    pub model_timeout: Option<u64>,
}

const TOOL_REPLY_CHARS: usize = 100_000;
const MODEL_TIMEOUT_S: u64 = 300;

impl ModelArgs {
    /// The options that were given, by their names.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        let options = [
            (self.base_url.is_some(), "--base-url"),
            (self.max_output_tokens.is_some(), "--max-output-tokens"),
            (self.thinking.is_some(), "--thinking"),
            (self.model_params.is_some(), "--model-params"),
            (self.prices.is_some(), "--prices"),
            (self.no_stream, "--no-stream"),
            (self.tool_reply_chars.is_some(), "--tool-reply-chars"),
            (self.model_timeout.is_some(), "--model-timeout"),
        ];
        options
            .into_iter()
            .filter_map(|(is_given, name)| is_given.then_some(name))
    }
}

/// How a model is to think before it speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thinking {
    /// As much as it finds useful.
    Adaptive,
    /// Not at all.
    Off,
    /// So many tokens at most.
    Budget(u32),
}

/// What was decided about a model and its service.
#[derive(Clone, Debug)]
pub(crate) struct ModelSettings {
    pub(crate) model: String,
    /// Whether the service is that of the interface's maker, and none that speaks as it does.
    pub(crate) is_home: bool,
    pub(crate) effort: Option<String>,
    pub(crate) max_output_tokens: Option<u32>,
    pub(crate) thinking: Option<Thinking>,
    pub(crate) params: Map<String, Value>,
    pub(crate) price: Option<Price>,
    pub(crate) prices_source: Option<String>,
    pub(crate) stream: bool,
    pub(crate) tool_reply_chars: usize,
    pub(crate) silence: Duration,
}

impl ModelSettings {
    /// Decides what was typed; `reserved` are the members of a request that are not for the operator to set.
    pub(crate) fn new(
        agent: &str,
        model: Option<&str>,
        effort: Option<&str>,
        args: &ModelArgs,
        reserved: &[&str],
        is_home: bool,
    ) -> Result<Self, Failure> {
        let model = model.ok_or_else(|| {
            Failure::usage(
                format!("the agent `{agent}` needs a model"),
                "name it with --model, as its service does",
            )
        })?;
        let params = args
            .model_params
            .as_deref()
            .map(|text| params(text, reserved));
        let prices = args.prices.as_deref().map(Prices::read).transpose()?;
        Ok(Self {
            model: model.to_owned(),
            is_home,
            effort: effort.map(str::to_owned),
            max_output_tokens: args.max_output_tokens,
            thinking: args.thinking.as_deref().map(thinking).transpose()?,
            params: params.transpose()?.unwrap_or_default(),
            price: prices.as_ref().and_then(|prices| prices.of(model)),
            prices_source: prices.map(|prices| prices.source),
            stream: !args.no_stream,
            tool_reply_chars: args.tool_reply_chars.unwrap_or(TOOL_REPLY_CHARS),
            silence: Duration::from_secs(args.model_timeout.unwrap_or(MODEL_TIMEOUT_S)),
        })
    }

    /// All that bears on what the model says, in the words of the command line: two sweeps that differ in it are no
    /// repetition of each other.
    pub(crate) fn condition(&self) -> Value {
        json!({
            "max_output_tokens": self.max_output_tokens,
            "thinking": self.thinking.map(|thinking| match thinking {
                Thinking::Adaptive => "adaptive".to_owned(),
                Thinking::Off => "off".to_owned(),
                Thinking::Budget(tokens) => tokens.to_string(),
            }),
            "model_params": self.params,
            "tool_reply_chars": self.tool_reply_chars,
        })
    }

    /// The request with the operator's own members in it.
    pub(crate) fn extend(&self, mut body: Value) -> Value {
        if let Some(members) = body.as_object_mut() {
            members.extend(self.params.clone());
        }
        body
    }
}

fn thinking(text: &str) -> Result<Thinking, Failure> {
    match text {
        "adaptive" => Ok(Thinking::Adaptive),
        "off" => Ok(Thinking::Off),
        _ => text
            .parse()
            .ok()
            .filter(|tokens| *tokens > 0)
            .map(Thinking::Budget)
            .ok_or_else(|| {
                Failure::usage(
                    format!("`{text}` is no way to think"),
                    "--thinking takes adaptive, off or a number of tokens",
                )
            }),
    }
}

fn params(text: &str, reserved: &[&str]) -> Result<Map<String, Value>, Failure> {
    let refused = |message: String| {
        Failure::usage(
            message,
            "--model-params takes a JSON object, such as '{\"temperature\": 0}'",
        )
    };
    let params: Map<String, Value> = serde_json::from_str(text)
        .map_err(|error| refused(format!("--model-params is no JSON object: {error}")))?;
    if let Some(name) = reserved.iter().find(|name| params.contains_key(**name)) {
        return Err(refused(format!("--model-params may not set `{name}`")));
    }
    Ok(params)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_an_object_and_leave_the_conversation_alone() {
        for (text, says) in [
            ("{\"temperature\": 0}", None),
            ("{\"messages\": []}", Some("may not set `messages`")),
            ("[1]", Some("no JSON object")),
            ("{", Some("no JSON object")),
        ] {
            let error = params(text, &["messages"])
                .err()
                .map(|error| error.to_string());
            assert_eq!(error.is_some(), says.is_some(), "{text}");
            assert!(
                error.unwrap_or_default().contains(says.unwrap_or_default()),
                "{text}"
            );
        }
    }

    #[test]
    fn there_are_three_ways_to_think() {
        for (text, expected) in [
            ("adaptive", Some(Thinking::Adaptive)),
            ("off", Some(Thinking::Off)),
            ("4096", Some(Thinking::Budget(4096))),
            ("0", None),
            ("hard", None),
        ] {
            assert_eq!(thinking(text).ok(), expected, "{text}");
        }
    }
}
