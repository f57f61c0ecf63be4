//! The agent over an interface of models: one for all of them.

use std::fmt;

use reqwest::header::HeaderMap;
use serde_json::Value;

use super::access::{Facts, KeyNeed, credentials};
use super::args::{ModelArgs, ModelSettings};
use super::converse::{Answered, Offered, converse};
use super::key::Key;
use super::price::Spending;
use super::service::{Clock, LARGEST_TURN, NoTurn, Service};
use super::turn::{Assembly, Turn};
use crate::Failure;
use crate::agent::{Report, Task};

/// An interface of models: what differs between Anthropic's, OpenAI's and any that is yet to come.
pub(crate) trait Interface: fmt::Debug + Send + Sync {
    /// What is fixed of it.
    fn facts(&self) -> &'static Facts;
    /// Refuses what it has no place for.
    fn check(&self, settings: &ModelSettings) -> Result<(), Failure>;
    /// The address of requests below a base.
    fn place(&self, base: &str) -> String;
    /// The headers of requests; `None` where no header can carry the key.
    fn headers(&self, key: Option<&Key>) -> Option<HeaderMap>;
    /// The body of a request, but for the operator's own members.
    fn body(
        &self,
        settings: &ModelSettings,
        system: &str,
        tools: &[Offered<'_>],
        messages: &[Value],
    ) -> Value;
    /// A message of the user.
    fn user(&self, text: &str) -> Value;
    /// The messages that tell what calls came to, in the order of the calls.
    fn results(&self, results: &[Answered]) -> Vec<Value>;
    /// Begins to read a reply.
    fn assembly(&self) -> Box<dyn Assembly>;
}

/// An agent with a model that this program asks itself.
#[derive(Clone, Debug)]
pub struct ModelAgent {
    pub(super) interface: &'static dyn Interface,
    pub(super) service: Service,
    pub(super) settings: ModelSettings,
}

impl ModelAgent {
    /// The agent with a model; `variable` looks a variable of the environment up.
    pub(crate) fn new(
        interface: &'static dyn Interface,
        model: Option<&str>,
        effort: Option<&str>,
        args: &ModelArgs,
        need: KeyNeed,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, Failure> {
        let facts = interface.facts();
        let address = facts.address(args.base_url.as_deref(), variable);
        let settings = ModelSettings::new(
            facts.name,
            model,
            effort,
            args,
            facts.reserved,
            address.is_home,
        )?;
        interface.check(&settings)?;
        let asker = format!("the agent `{}`", facts.name);
        let (key, headers) = credentials(interface, &address, &asker, need, variable)?;
        let place = interface.place(&address.base);
        Ok(Self {
            interface,
            service: Service::new(place, headers, key, settings.silence, LARGEST_TURN)?,
            settings,
        })
    }

    /// The name by which it is asked for.
    pub fn name(&self) -> &'static str {
        self.interface.facts().name
    }

    /// All that bears on what the model says, beside its name and effort: the service that has it, and what it is asked with.
    pub fn condition(&self) -> Value {
        let mut condition = self.settings.condition();
        condition["service"] = self.service.identity().into();
        condition
    }

    /// Whose money its tokens cost.
    pub fn payer(&self) -> String {
        let service = self.service.shown();
        let name = self.interface.facts().key_variable;
        if self.service.key().is_some() {
            format!("that of {name}, at {service}")
        } else if self.interface.facts().needs_key(self.settings.is_home) {
            format!("that of {name}, which is not set, at {service}")
        } else {
            format!("that of whoever runs {service}: no key is sent")
        }
    }

    /// Where to look when its service refuses to serve.
    pub fn credentials(&self) -> String {
        let name = self.interface.facts().key_variable;
        format!("{name}, --model and --base-url")
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
        converse(self, task).await
    }

    /// Nothing spent yet, by the price of its tokens.
    pub(crate) fn spending(&self) -> Spending {
        Spending::new(self.settings.price)
    }

    /// A message of the user, as the interface wants it.
    pub(crate) fn user(&self, text: &str) -> Value {
        self.interface.user(text)
    }

    /// One reply to a conversation, without tools, whatever the service has to be waited for.
    pub(crate) async fn reply(
        &self,
        messages: &[Value],
        clock: &mut Clock,
        spending: &mut Spending,
        told: &mut (dyn FnMut(Value) + Send),
    ) -> Result<Turn, NoTurn> {
        let body = self.request("", &[], messages);
        let fresh = || self.interface.assembly();
        let asked = self.service.turn(&body, &fresh, clock, spending, told);
        Ok(asked.await?.0)
    }

    /// The body of a request.
    pub(crate) fn request(&self, system: &str, tools: &[Offered<'_>], messages: &[Value]) -> Value {
        let body = self.interface.body(&self.settings, system, tools, messages);
        self.settings.extend(body)
    }
}
