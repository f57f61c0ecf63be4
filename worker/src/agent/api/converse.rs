//! The conversation of one attempt: the model is asked, its calls are made, their replies are told, until it is done or a
//! limit is reached.

use std::collections::{HashMap, HashSet};

use futures::StreamExt as _;
use futures::stream;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::agent::ModelAgent;
use super::price::Spending;
use super::service::{Clock, NoTurn};
use super::turn::{Asked, Stop};
use crate::Failure;
use crate::agent::{BudgetKind, End, Limits, Report, Task, ToolInfo, ToolReply, Tools};

/// So many replies in a row may be cut at the limit of the model's output.
const MOST_CUTS: u32 = 3;

/// So many calls of one reply are made at the same time.
const AT_ONCE: usize = 8;

/// How much of a malformed call the model is shown again, in characters.
const ECHO: usize = 2000;

/// What a model is told after a reply that was cut.
const WAS_CUT: &str =
    "Your last message was cut at the limit of one message's length. Go on in shorter messages.";

/// A tool, under a name that every API takes.
#[derive(Clone, Debug)]
pub(crate) struct Offered<'a> {
    pub(crate) name: String,
    pub(crate) info: &'a ToolInfo,
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answered {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

/// Makes one attempt with the model behind a service.
pub(crate) async fn converse(agent: &ModelAgent, task: &mut Task) -> Result<Report, Failure> {
    let tools = match Tools::connect(task.proxy.clone()).await {
        Ok(tools) => tools,
        Err(error) => return Ok(Report::without_model(End::without_tools(error)?)),
    };
    let settings = &agent.settings;
    task.transcript.push(
        "setup",
        json!({
            "service": agent.service.shown(),
            "model": settings.model,
            "effort": settings.effort,
            "parameters": settings.condition(),
            "price": settings.price,
            "prices": settings.prices_source,
        }),
    );
    let mut conversation = Conversation {
        agent,
        offered: offered(tools.list()),
        tools: &tools,
        clock: Clock::new(task.limits.deadline),
        spending: Spending::new(settings.price),
        messages: vec![agent.interface.user(&task.prompt.user)],
        model: None,
        cuts: 0,
    };
    let end = conversation.run(task).await;
    let report = Report {
        end,
        usage: Some(conversation.spending.usage()),
        waited: conversation.clock.waited(),
        model: conversation.model,
    };
    if let Err(error) = tools.close().await {
        // How the session ended is in its recording; a recording that could not be written ends the sweep.
        End::without_tools(error)?;
    }
    Ok(report)
}

struct Conversation<'a> {
    agent: &'a ModelAgent,
    tools: &'a Tools,
    offered: Vec<Offered<'a>>,
    clock: Clock,
    spending: Spending,
    messages: Vec<Value>,
    model: Option<String>,
    /// Replies in a row that were cut.
    cuts: u32,
}

impl Conversation<'_> {
    async fn run(&mut self, task: &mut Task) -> End {
        loop {
            if let Some(end) = self.is_over(&task.limits) {
                return end;
            }
            if let Some(end) = self.turn(task).await {
                return end;
            }
        }
    }

    /// The calls of a model's last reply are made before this is asked: they cost nothing more.
    fn is_over(&self, limits: &Limits) -> Option<End> {
        let spent = &self.spending;
        if self.clock.is_up() {
            Some(End::OutOfTime)
        } else if spent.turns() >= limits.turns {
            Some(End::Budget(BudgetKind::Turns))
        } else if limits.tokens.is_some_and(|most| spent.tokens() >= most) {
            Some(End::Budget(BudgetKind::Tokens))
        } else if limits
            .usd
            .is_some_and(|most| spent.usd().is_some_and(|usd| usd >= most))
        {
            Some(End::Budget(BudgetKind::Usd))
        } else {
            None
        }
    }

    /// One reply of the model, and what follows from it.
    async fn turn(&mut self, task: &mut Task) -> Option<End> {
        let agent = self.agent;
        let body = agent.request(&task.prompt.system, &self.offered, &self.messages);
        let fresh = || agent.interface.assembly();
        let started = Instant::now();
        let waited = self.clock.waited();
        let mut told = |wait| task.transcript.push("service", wait);
        let asked = agent.service.turn(
            &body,
            &fresh,
            &mut self.clock,
            &mut self.spending,
            &mut told,
        );
        let (turn, tokens) = match asked.await {
            Ok(turn) => turn,
            Err(NoTurn::OutOfTime) => return Some(End::OutOfTime),
            Err(NoTurn::Failed(why)) => return Some(End::ApiFailed(why)),
            Err(NoTurn::Denied(why)) => return Some(End::Denied(why)),
            Err(NoTurn::Outgrown(why)) => {
                return Some(End::Failed(format!(
                    "the conversation is longer than the model can read: {why}"
                )));
            }
        };
        let seconds = started
            .elapsed()
            .saturating_sub(self.clock.waited().saturating_sub(waited));
        let told = turn.told(self.spending.turns(), tokens, seconds.as_secs_f64());
        task.transcript.push("assistant", told);
        self.model = turn.model.or(self.model.take());
        self.messages.extend(turn.message);
        match turn.stop {
            Stop::Refused => return Some(End::Finished),
            Stop::Paused => return None,
            Stop::Full => {}
            Stop::Cut => {
                self.cuts += 1;
                if self.cuts >= MOST_CUTS {
                    return Some(End::Failed(format!(
                        "{MOST_CUTS} replies in a row were cut at the limit of the model's output"
                    )));
                }
            }
            Stop::Done | Stop::Other => self.cuts = 0,
        }
        let full = (turn.stop == Stop::Full)
            .then(|| End::Failed("the conversation fills the model's context".to_owned()));
        if turn.calls.is_empty() {
            if turn.stop != Stop::Cut {
                return full.or(Some(End::Finished));
            }
            task.transcript.say("user", WAS_CUT);
            self.messages.push(agent.interface.user(WAS_CUT));
            return None;
        }
        let Ok(results) = timeout_at(self.clock.end(), self.make(&turn.calls)).await else {
            return Some(End::OutOfTime);
        };
        for (call, (answered, shown_of)) in turn.calls.iter().zip(&results) {
            let mut line = json!({
                "id": answered.id,
                "name": call.name,
                "text": answered.text,
                "is_error": answered.is_error,
            });
            if let Some(characters) = shown_of {
                line["characters"] = (*characters).into();
            }
            task.transcript.push("tool", line);
            if call.arguments.is_err() {
                self.spending.malformed_call();
            }
        }
        let results: Vec<Answered> = results.into_iter().map(|(answered, _)| answered).collect();
        self.messages.extend(agent.interface.results(&results));
        full
    }

    /// Makes the calls of a reply, several at a time and begun in their order; what they came to, and of how many
    /// characters only the beginning is shown.
    async fn make(&self, calls: &[Asked]) -> Vec<(Answered, Option<usize>)> {
        let made = calls.iter().map(|call| async {
            let reply = match &call.arguments {
                Ok(arguments) => {
                    self.tools
                        .call(self.real_name(&call.name), arguments.clone())
                        .await
                }
                Err(unusable) => ToolReply {
                    text: format!(
                        "The call was not made: {}. You wrote: {}",
                        unusable.reason,
                        shortened(&unusable.text, ECHO).0
                    ),
                    is_error: true,
                },
            };
            let (text, of) = shortened(&reply.text, self.agent.settings.tool_reply_chars);
            let answered = Answered {
                id: call.id.clone(),
                text,
                is_error: reply.is_error,
            };
            (answered, of)
        });
        stream::iter(made).buffered(AT_ONCE).collect().await
    }

    /// A name that was never offered goes to the proxy as it is, which records the attempt.
    fn real_name<'n>(&'n self, name: &'n str) -> &'n str {
        let offered = self.offered.iter().find(|offered| offered.name == name);
        offered.map_or(name, |offered| &offered.info.name)
    }
}

/// The beginning of a text with a note of what is missing, and how many characters the text has if it was cut.
fn shortened(text: &str, most: usize) -> (String, Option<usize>) {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return (text.to_owned(), None);
    };
    let all = text.chars().count();
    let start = text.get(..end).unwrap_or_default();
    (
        format!("{start}\n[cut: the first {most} of {all} characters are shown]"),
        Some(all),
    )
}

/// Tools under names that every API takes: letters, digits, `_` and `-`, 64 at most, no two alike.
fn offered(tools: &[ToolInfo]) -> Vec<Offered<'_>> {
    let is_fine = |name: &str| {
        (1..=64).contains(&name.len())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    let mut taken: HashSet<String> = tools
        .iter()
        .filter(|tool| is_fine(&tool.name))
        .map(|tool| tool.name.clone())
        .collect();
    let mut used: HashMap<String, usize> = HashMap::new();
    tools
        .iter()
        .map(|info| {
            if is_fine(&info.name) {
                return Offered {
                    name: info.name.clone(),
                    info,
                };
            }
            let plain = |c: char| match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => c,
                _ => '_',
            };
            let stem: String = info.name.chars().map(plain).take(56).collect();
            let mut name = stem.clone();
            while name.is_empty() || taken.contains(&name) {
                let number = used.entry(stem.clone()).or_default();
                *number += 1;
                name = format!("{stem}_{number}");
            }
            taken.insert(name.clone());
            Offered { name, info }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_a_name_that_every_api_takes_and_no_two_share_one() {
        let long = "x".repeat(70);
        let names = ["query", "a.b", "a/b", "a_b", "", "größe", long.as_str()];
        let tools: Vec<ToolInfo> = names
            .iter()
            .map(|name| ToolInfo {
                name: (*name).to_owned(),
                description: String::new(),
                input_schema: json!({}),
            })
            .collect();
        let offered: Vec<String> = offered(&tools).into_iter().map(|tool| tool.name).collect();
        assert_eq!(
            offered,
            [
                "query",
                "a_b_1",
                "a_b_2",
                "a_b",
                "_1",
                "gr__e",
                &"x".repeat(56)
            ]
        );
    }

    #[test]
    fn a_reply_that_is_too_long_says_what_is_missing() {
        assert_eq!(shortened("größe", 5), ("größe".to_owned(), None));
        assert_eq!(
            shortened("größer", 5),
            (
                "größe\n[cut: the first 5 of 6 characters are shown]".to_owned(),
                Some(6)
            )
        );
    }
}
