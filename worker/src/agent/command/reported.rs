//! What an agent program says about itself on its standard output: usage, cost, and what stopped it.
//!
//! There is no standard for it; each form is told by its structure, and of a program that has none of them nothing is
//! known.
//!
//! | form | written by | tokens | cost | failures |
//! |---|---|---|---|---|
//! | an object, or lines, with `"type": "result"` | Claude Code, `--output-format json` or `stream-json` | `modelUsage`, else `usage` | `total_cost_usd` | `is_error`, `subtype` |
//! | lines with `"type": "turn.completed"` | Codex, `--json` | `usage`, summed over turns | | `turn.failed` |
//! | an object with `stats.models` | Gemini CLI, `--output-format json` | `tokens` of each model | | |
//! | an object with `error.code`, a status of HTTP, on standard error | the same | | | `error` |

use std::collections::BTreeMap;

use serde_json::Value;
use sweep::Usage;

use crate::agent::BudgetKind;
use crate::agent::api::{OF_MESSAGE, Tokens, patience};

/// What a program said about itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reported {
    /// What the model used, as far as it is known.
    tokens: Option<Tokens>,
    cost_usd: Option<f64>,
    turns: Option<u32>,
    /// The model, where one was named.
    pub(super) model: Option<String>,
    /// The failure of the model's service that ended it.
    pub(super) api_failure: Option<String>,
    /// That service does not serve this account, key or model at all.
    pub(super) is_denied: bool,
    /// The allowance that it used up.
    pub(super) budget: Option<BudgetKind>,
}

/// The names in Claude Code's sums; those in a message are the API's own.
const OF_MODEL: [&str; 4] = [
    "inputTokens",
    "outputTokens",
    "cacheReadInputTokens",
    "cacheCreationInputTokens",
];

/// Reads what a program printed, and what it said beside that.
pub(super) fn read(stdout: &str, stderr: &str) -> Reported {
    let mut reading = Reading::default();
    if let Some(whole) = last_object(stdout) {
        reading.take(&whole);
    } else {
        let lines = stdout
            .lines()
            .filter(|line| line.trim_start().starts_with('{'));
        for event in lines.filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            reading.take(&event);
        }
    }
    if let Some(said) = last_object(stderr) {
        reading.take_error(&said["error"]);
    }
    reading.end()
}

/// The object over several lines, or the only line, that a text ends with, whatever talk stands before it.
fn last_object(text: &str) -> Option<Value> {
    let text = text.trim_end();
    if let Ok(whole) = serde_json::from_str(text) {
        return Some(whole);
    }
    let start = text.find("\n{\n")?;
    serde_json::from_str(text.get(start..)?).ok()
}

impl Reported {
    /// What the model used. What the program did not say is not known, which is not 0.
    pub(super) fn usage(&self) -> Usage {
        Usage {
            input_tokens: self.tokens.map(|tokens| tokens.input),
            output_tokens: self.tokens.map(|tokens| tokens.output),
            cache_read_tokens: self.tokens.map(|tokens| tokens.cache_read),
            cache_write_tokens: self.tokens.map(|tokens| tokens.cache_write),
            cost_usd: self.cost_usd,
            cost_incomplete: self.cost_usd.is_none(),
            turns: self.turns,
            ..Usage::default()
        }
    }
}

#[derive(Default)]
struct Reading {
    reported: Reported,
    /// Tokens of messages, by name: a message is told once for each of its blocks. They count where the program was
    /// stopped before it could sum up.
    messages: BTreeMap<String, Tokens>,
}

impl Reading {
    fn take(&mut self, event: &Value) {
        match event["type"].as_str() {
            Some("result") => self.take_result(event),
            Some("assistant") => self.take_message(&event["message"]),
            Some("system") => self.name_model(event["model"].as_str()),
            Some("turn.completed") => self.take_turn(&event["usage"]),
            Some("turn.failed") => {
                let said = words(&event["error"]);
                let status = status_in(&said);
                self.api_failed(said, status);
            }
            _ if event["stats"]["models"].is_object() => self.take_stats(event),
            _ => {}
        }
    }

    fn take_result(&mut self, result: &Value) {
        let models = result["modelUsage"]
            .as_object()
            .filter(|models| !models.is_empty());
        if let Some(models) = models {
            let all = models
                .values()
                .map(|counts| Tokens::beside_cache(counts, OF_MODEL));
            self.reported.tokens = Some(all.sum());
            self.name_only_model(models);
        } else if result["usage"].is_object() {
            self.reported.tokens = Some(Tokens::beside_cache(&result["usage"], OF_MESSAGE));
        }
        let cost = result["total_cost_usd"].as_f64();
        self.reported.cost_usd = cost.filter(|cost| *cost >= 0.0);
        self.reported.turns = result["num_turns"]
            .as_u64()
            .and_then(|turns| turns.try_into().ok());
        let subtype = result["subtype"].as_str().unwrap_or_default();
        self.reported.budget = match subtype {
            "error_max_turns" => Some(BudgetKind::Turns),
            "error_max_budget_usd" => Some(BudgetKind::Usd),
            _ => None,
        };
        if result["is_error"] == true && self.reported.budget.is_none() {
            let said = result["result"].as_str().map(str::to_owned);
            let said = said.or_else(|| result["errors"].get(0).map(words));
            let said = said.unwrap_or_else(|| subtype.to_owned());
            self.api_failed(said, result["api_error_status"].as_u64());
        }
    }

    fn take_message(&mut self, message: &Value) {
        if let (Some(id), true) = (message["id"].as_str(), message["usage"].is_object()) {
            let tokens = Tokens::beside_cache(&message["usage"], OF_MESSAGE);
            self.messages.insert(id.to_owned(), tokens);
        }
    }

    /// What was read from a cache is a part of the input here, and reasoning one of the output.
    fn take_turn(&mut self, usage: &Value) {
        let count = |name: &str| usage[name].as_u64().unwrap_or_default();
        *self.reported.tokens.get_or_insert_default() += Tokens {
            input: count("input_tokens"),
            output: count("output_tokens"),
            cache_read: count("cached_input_tokens"),
            cache_write: count("cache_write_input_tokens"),
        };
    }

    fn take_stats(&mut self, whole: &Value) {
        if let Some(models) = whole["stats"]["models"].as_object() {
            let all = models.values().map(|model| {
                let count = |name: &str| model["tokens"][name].as_u64().unwrap_or_default();
                Tokens {
                    input: count("prompt").saturating_add(count("tool")),
                    output: count("candidates").saturating_add(count("thoughts")),
                    cache_read: count("cached"),
                    cache_write: 0,
                }
            });
            self.reported.tokens = Some(all.sum());
            self.name_only_model(models);
        }
    }

    /// Codes below those of HTTP are the program's own.
    fn take_error(&mut self, error: &Value) {
        let code = error["code"].as_u64().filter(|code| *code >= 400);
        if code.is_some() {
            self.api_failed(words(error), code);
        }
    }

    fn api_failed(&mut self, said: String, status: Option<u64>) {
        let status = status.and_then(|status| u16::try_from(status).ok());
        self.reported.is_denied = status.is_some_and(patience::is_denied);
        self.reported.api_failure = Some(said);
    }

    fn name_only_model(&mut self, models: &serde_json::Map<String, Value>) {
        if models.len() == 1 {
            self.name_model(models.keys().next().map(String::as_str));
        }
    }

    fn name_model(&mut self, name: Option<&str>) {
        if let Some(name) = name {
            self.reported.model.get_or_insert_with(|| name.to_owned());
        }
    }

    fn end(mut self) -> Reported {
        if self.reported.tokens.is_none() && !self.messages.is_empty() {
            self.reported.tokens = Some(self.messages.into_values().sum());
        }
        self.reported
    }
}

/// The status of HTTP in Codex's `unexpected status 401 Unauthorized: …`, which it tells in no member of its own.
fn status_in(said: &str) -> Option<u64> {
    let (_, after) = said.split_once("unexpected status ")?;
    after.get(..3)?.parse().ok()
}

fn words(error: &Value) -> String {
    let said = error.as_str().or_else(|| error["message"].as_str());
    said.map_or_else(|| error.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: u64, output: u64, read: u64, written: u64) -> Usage {
        Usage {
            input_tokens: Some(input),
            output_tokens: Some(output),
            cache_read_tokens: Some(read),
            cache_write_tokens: Some(written),
            cost_incomplete: true,
            ..Usage::default()
        }
    }

    const UNKNOWN: Usage = Usage {
        input_tokens: None,
        output_tokens: None,
        cache_read_tokens: None,
        cache_write_tokens: None,
        cost_usd: None,
        cost_incomplete: true,
        turns: None,
        malformed_calls: None,
    };

    #[test]
    fn usage_is_read_in_every_form_and_never_made_up() {
        let result = r#"{"type":"result","subtype":"success","is_error":false,"num_turns":3,"total_cost_usd":0.004,
            "usage":{"input_tokens":3,"cache_creation_input_tokens":5,"cache_read_input_tokens":7,"output_tokens":11}"#;
        let stopped = r#"{"type":"system","subtype":"init","model":"m"}
{"type":"assistant","message":{"id":"a","usage":{"input_tokens":100,"output_tokens":1}}}
{"type":"assistant","message":{"id":"a","usage":{"input_tokens":100,"output_tokens":20}}}
{"type":"assistant","message":{"id":"b","usage":{"input_tokens":150,"output_tokens":2,"cache_read_input_tokens":50}}}
{"type":"assistant","message":{"id":"c","usa"#;
        for (name, stdout, expected, model) in [
            ("nothing", "", UNKNOWN, None),
            (
                "talk",
                "I found {\"type\": nothing}\n{}\n[1]",
                UNKNOWN,
                None,
            ),
            (
                "an object",
                &format!("{result}}}"),
                Usage {
                    cost_usd: Some(0.004),
                    cost_incomplete: false,
                    turns: Some(3),
                    ..usage(15, 11, 7, 5)
                },
                None,
            ),
            (
                "models tell more than the sum",
                &format!(
                    r#"{result},"modelUsage":{{"m":{{"inputTokens":400,"outputTokens":80,"cacheReadInputTokens":9}}}}}}"#
                ),
                Usage {
                    cost_usd: Some(0.004),
                    cost_incomplete: false,
                    turns: Some(3),
                    ..usage(409, 80, 9, 0)
                },
                Some("m"),
            ),
            (
                "stopped part-way",
                stopped,
                usage(300, 22, 50, 0),
                Some("m"),
            ),
            (
                "turns",
                "talk\n{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":300,\"cached_input_tokens\":120,\"output_tokens\":60}}\n\
                 {\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}",
                usage(301, 61, 120, 0),
                None,
            ),
            (
                "stats",
                r#"{"response":"x","stats":{"models":{"g":{"tokens":{"prompt":10,"candidates":2,"thoughts":3,"tool":1,"cached":4}}}}}"#,
                usage(11, 5, 4, 0),
                Some("g"),
            ),
        ] {
            let reported = read(stdout, "");
            assert_eq!(reported.usage(), expected, "{name}");
            assert_eq!(reported.model.as_deref(), model, "{name}");
        }
    }

    #[test]
    fn a_failed_service_and_a_spent_allowance_are_told_apart() {
        for (line, api, budget) in [
            (
                r#"{"type":"result","subtype":"success","is_error":true,"api_error_status":529,"result":"API Error: 529"}"#,
                Some(("API Error: 529", false)),
                None,
            ),
            (
                r#"{"type":"result","subtype":"success","is_error":true,"api_error_status":401,"result":"Invalid API key"}"#,
                Some(("Invalid API key", true)),
                None,
            ),
            (
                r#"{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["Reached"]}"#,
                None,
                Some(BudgetKind::Turns),
            ),
            (
                r#"{"type":"result","subtype":"error_max_budget_usd","is_error":true}"#,
                None,
                Some(BudgetKind::Usd),
            ),
            (
                r#"{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["boom"]}"#,
                Some(("boom", false)),
                None,
            ),
            (
                r#"{"type":"turn.failed","error":{"message":"exceeded retry limit"}}"#,
                Some(("exceeded retry limit", false)),
                None,
            ),
            (
                r#"{"type":"turn.failed","error":{"message":"unexpected status 403 Forbidden: no"}}"#,
                Some(("unexpected status 403 Forbidden: no", true)),
                None,
            ),
            (
                r#"{"type":"error","message":"Reconnecting... 2/5"}"#,
                None,
                None,
            ),
        ] {
            let reported = read(line, "");
            let failure = reported.api_failure.as_deref();
            assert_eq!(
                failure.map(|said| (said, reported.is_denied)),
                api,
                "{line}"
            );
            assert_eq!(reported.budget, budget, "{line}");
        }
    }

    /// A sum of counts that cannot be is no reason to fail.
    #[test]
    fn counts_beyond_all_numbers_stay_at_the_largest() {
        let most = u64::MAX;
        for stdout in [
            format!(
                r#"{{"type":"turn.completed","usage":{{"input_tokens":{most},"output_tokens":{most}}}}}
{{"type":"turn.completed","usage":{{"input_tokens":{most},"output_tokens":1}}}}"#
            ),
            format!(
                r#"{{"response":"x","stats":{{"models":{{"g":{{"tokens":{{"prompt":{most},"tool":{most},"candidates":{most},"thoughts":1}}}}}}}}}}"#
            ),
            format!(
                r#"{{"type":"result","modelUsage":{{"m":{{"inputTokens":{most},"outputTokens":{most},"cacheReadInputTokens":{most}}},"n":{{"inputTokens":{most},"outputTokens":{most}}}}}}}"#
            ),
        ] {
            let usage = read(&stdout, "").usage();
            assert_eq!(
                (usage.input_tokens, usage.output_tokens),
                (Some(most), Some(most)),
                "{stdout}"
            );
        }
    }

    #[test]
    fn a_failure_on_standard_error_is_the_service_s_where_its_code_is() {
        for (stderr, api) in [
            (
                "no colours\n{\n \"error\": {\"message\": \"quota\", \"code\": 429}\n}\n",
                Some("quota"),
            ),
            (
                "{\n \"error\": {\"message\": \"no login\", \"code\": 41}\n}",
                None,
            ),
            ("{\"error\": \"boom\"}", None),
            ("boom", None),
        ] {
            assert_eq!(read("", stderr).api_failure.as_deref(), api, "{stderr}");
        }
    }
}
