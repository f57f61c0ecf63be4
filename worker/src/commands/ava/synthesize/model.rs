//! Triplets by a model: asked about every subgraph, many at a time, by as many processes as one likes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ava::{Flaw, TASK, TRIPLETS, Triplet, read_reply, repair_request};
use clap::Args;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use indicatif::{ProgressBar, ProgressStyle};
use ontology::ManifestEntry;
use serde::Serialize;
use serde_json::{Value, json};
use sweep::{Cost, Usage, money};
use tokio::time::Instant;

use super::answers::{Answer, Answers, End, Exchange};
use super::money::Money;
use super::{Counts, Subgraphs};
use crate::Failure;
use crate::agent::api::{Clock, Interface, KeyNeed, ModelAgent, ModelArgs, NoTurn, Stop, Tokens};
use crate::cli::{concurrency, dollars};
use crate::commands::dry_run::BYTES_A_TOKEN;
use crate::commands::plural;
use crate::output::one_line;

/// One request may take so long in all, waits not counted: beyond it a service rather drips than works.
const LONGEST: Duration = Duration::from_hours(1);

/// After so many requests in a row that the service did not answer, no more are sent.
const MOST_FAILURES: u32 = 3;

/// What five triplets come to, for the estimate of a dry run.
const REPLY_TOKENS: u64 = 600;

/// Subgraphs that are told by name; the JSON names all.
const SHOWN: usize = 10;

/// Characters of what a model or its service said that are told of each.
const WORDS: usize = 120;

/// What can be typed about generators with a model.
#[derive(Args, Clone, Debug)]
pub struct ModelOptions {
    /// Address of the models' service, such as `http://127.0.0.1:8080/v1` [default: `OPENAI_BASE_URL` or `ANTHROPIC_BASE_URL`, else the service's own]
    #[arg(long, value_name = "URL", help_heading = HEADING)]
    pub base_url: Option<String>,
    /// Folder in which answers are kept; several processes may work on one [default: that of --out, ending in `.answers`]
    #[arg(long, value_name = "DIR", help_heading = HEADING)]
    pub answers: Option<PathBuf>,
    /// Requests in flight
    #[arg(long, value_name = "N", help_heading = HEADING, default_value = "8", value_parser = concurrency)]
    pub concurrency: usize,
    /// Tokens that one reply may have [default: the service's own]
    #[arg(long, value_name = "N", help_heading = HEADING, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_output_tokens: Option<u32>,
    /// Further members of each request, as a JSON object: '{"temperature": 0}'
    #[arg(long, value_name = "JSON", help_heading = HEADING)]
    pub model_params: Option<String>,
    /// Seconds that the service may say nothing at all before it is asked again
    #[arg(long, value_name = "S", help_heading = HEADING, default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    pub model_timeout: u64,
    /// Ask for replies in one piece, for services that cannot stream
    #[arg(long, help_heading = HEADING)]
    pub no_stream: bool,
    /// Table of prices; without one a cost is not known
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    pub prices: Option<PathBuf>,
    /// US dollars that the answers may cost together, those of earlier runs among them: when they are reached, nothing more is asked. Each
    /// process counts what was there when it began, and its own. What is not known counts as the dearest that is
    #[arg(long, value_name = "USD", help_heading = HEADING, value_parser = dollars)]
    pub max_usd: Option<f64>,
}

const HEADING: &str = "Generators with a model";

/// A model that is asked.
pub(super) struct Generator {
    /// Its name, as its service knows it.
    pub(super) model: String,
    service: String,
    agent: ModelAgent,
    answers: Answers,
    condition: Value,
}

/// What is told of a generator with a model.
#[derive(Default, Serialize)]
pub(super) struct ByModel {
    /// Who pays for it, and where the answers are.
    payer: String,
    answers: String,
    /// Subgraphs that were answered in earlier runs or by other processes, and in this one.
    answered_before: usize,
    answered_now: usize,
    /// Those that another process was asking about.
    elsewhere: usize,
    /// Those that were not asked about: the money was used up, or the service failed too often.
    left: usize,
    /// Why the money did not reach for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    poor: Option<String>,
    /// Those that the service failed, which are asked about again in the next run.
    failed: BTreeMap<String, String>,
    /// Answers without a triplet, by subgraph, each with what was said.
    refused: BTreeMap<String, String>,
    unreadable: BTreeMap<String, String>,
    outgrown: BTreeMap<String, String>,
    /// Answers with fewer than five triplets, those with none among them.
    short: usize,
    /// Answers that were no JSON array and could be read all the same, and those that took a second request.
    mended: usize,
    repair_requests: usize,
    /// Answers that were cut at the limit of the model's output.
    cut: usize,
    /// What was wrong with entries of the answers.
    flaws: BTreeMap<Flaw, usize>,
    /// What all of the answers used, and the requests of this run that failed.
    usage: Usage,
}

/// What became of the requests of one generator in this run.
#[derive(Default)]
struct Tally {
    now: usize,
    elsewhere: usize,
    left: usize,
    poor: Option<String>,
    failed: BTreeMap<String, String>,
    in_a_row: u32,
    is_denied: bool,
    lost: Usage,
}

impl Tally {
    fn is_given_up(&self) -> bool {
        self.is_denied || self.in_a_row >= MOST_FAILURES
    }
}

/// An answer that did not come.
struct Lost {
    why: String,
    /// The service does not serve this key or model, whatever it is asked.
    is_denied: bool,
    usage: Usage,
}

impl Lost {
    fn new(no_turn: NoTurn, usage: Usage) -> Self {
        let is_denied = matches!(no_turn, NoTurn::Denied(_));
        let why = match no_turn {
            NoTurn::Outgrown(why) | NoTurn::Failed(why) | NoTurn::Denied(why) => why,
            NoTurn::OutOfTime => format!("no whole reply within {} s", LONGEST.as_secs()),
        };
        Self {
            why,
            is_denied,
            usage,
        }
    }
}

/// What a dry run tells of a generator.
#[derive(Serialize)]
pub(super) struct Estimate {
    generator: String,
    answered: usize,
    requests: usize,
    input_tokens: u64,
    output_tokens: u64,
    usd: Option<f64>,
    payer: String,
}

impl Generator {
    pub(super) fn new(
        interface: &'static dyn Interface,
        model: &str,
        options: &ModelOptions,
        need: KeyNeed,
        root: &Path,
        ontology: &str,
    ) -> Result<Self, Failure> {
        let args = ModelArgs {
            base_url: options.base_url.clone(),
            max_output_tokens: options.max_output_tokens,
            thinking: None,
            model_params: options.model_params.clone(),
            prices: options.prices.clone(),
            no_stream: options.no_stream,
            tool_reply_chars: None,
            model_timeout: Some(options.model_timeout),
        };
        let variable = |name: &str| std::env::var(name).ok();
        let agent = ModelAgent::new(interface, Some(model), None, &args, need, &variable)?;
        if options.max_usd.is_some() && !agent.has_price() {
            return Err(Failure::usage(
                format!("--max-usd needs the price of {model}, which is not known"),
                "give a table with the model in it with --prices; docs/agents.md shows one",
            ));
        }
        let mut parameters = agent.condition();
        // Several machines may each have the model; every answer names its own.
        let service = parameters
            .as_object_mut()
            .and_then(|members| members.remove("service"));
        let service = service.and_then(|service| service.as_str().map(str::to_owned));
        let generator = Self {
            service: service.unwrap_or_default(),
            model: model.to_owned(),
            answers: Answers::new(root, ontology, model),
            condition: json!({
                "format": 1,
                "ontology": ontology,
                "interface": interface.facts().name,
                "model": model,
                "prompt": TASK,
                "repair_request": repair_request("{why}"),
                "parameters": parameters,
            }),
            agent,
        };
        generator.answers.check(&generator.condition)?;
        Ok(generator)
    }

    /// What a run would ask.
    pub(super) fn estimate(&self, subgraphs: &Subgraphs) -> Result<Estimate, Failure> {
        let mut estimate = Estimate {
            generator: self.model.clone(),
            answered: 0,
            requests: 0,
            input_tokens: 0,
            output_tokens: 0,
            usd: None,
            payer: self.agent.payer(),
        };
        for entry in &subgraphs.manifest.subgraphs {
            let prompt = ava::prompt(&subgraphs.read(entry)?);
            if self.answers.find(&entry.subgraph_id, &prompt)?.is_some() {
                estimate.answered += 1;
            } else {
                estimate.requests += 1;
                estimate.input_tokens += (prompt.len() / BYTES_A_TOKEN) as u64;
                estimate.output_tokens += REPLY_TOKENS;
            }
        }
        let mut spending = self.agent.spending();
        spending.add(Some(Tokens {
            input: estimate.input_tokens,
            output: estimate.output_tokens,
            ..Tokens::default()
        }));
        estimate.usd = spending.usd();
        Ok(estimate)
    }

    /// Asks about one subgraph; the answer, or why there is none and what that cost.
    async fn ask(&self, id: &str, prompt: String, bar: &ProgressBar) -> Result<Answer, Lost> {
        let mut clock = Clock::new(Instant::now() + LONGEST);
        let mut spending = self.agent.spending();
        let mut told = |wait: Value| {
            let why = wait["text"].as_str().unwrap_or_default();
            bar.set_message(format!("waiting: {why}"));
        };
        let mut turns: Vec<Exchange> = Vec::new();
        let mut messages = vec![self.agent.user(&prompt)];
        let mut asked = prompt;
        let mut outgrown = None;
        loop {
            let turn = self
                .agent
                .reply(&messages, &mut clock, &mut spending, &mut told)
                .await;
            let turn = match turn {
                Ok(turn) => turn,
                Err(NoTurn::Outgrown(why)) if turns.is_empty() => {
                    turns.push(Exchange::unanswered(asked));
                    outgrown = Some(why);
                    break;
                }
                // With its first reply it is too long to be asked once more; that reply is paid for, and stays the answer.
                Err(NoTurn::Outgrown(_)) => break,
                Err(no_turn) => return Err(Lost::new(no_turn, spending.usage())),
            };
            let exchange = Exchange::new(asked, &turn);
            let why = match read_reply(&exchange.replied) {
                Err(why) if turns.is_empty() && matches!(turn.stop, Stop::Done | Stop::Other) => {
                    Some(why)
                }
                _ => None,
            };
            turns.push(exchange);
            let Some(why) = why else { break };
            asked = repair_request(&why);
            // An empty reply is none that could be sent back; what follows it belongs to the prompt then.
            if let Some(message) = turn.message {
                messages.extend([message, self.agent.user(&asked)]);
            } else {
                let prompt = turns.first().map_or("", |turn| turn.asked.as_str());
                messages = vec![self.agent.user(&format!("{prompt}\n{asked}"))];
            }
        }
        bar.set_message("");
        Ok(Answer {
            subgraph_id: id.to_owned(),
            service: self.service.clone(),
            turns,
            outgrown,
            usage: spending.usage(),
        })
    }
}

/// The requests of a run.
pub(super) struct Asking<'a> {
    generators: &'a [Generator],
    tallies: Vec<RefCell<Tally>>,
    subgraphs: &'a Subgraphs,
    money: Money,
    bar: ProgressBar,
}

impl<'a> Asking<'a> {
    /// Asks every generator about every subgraph that it has not answered yet.
    pub(super) async fn all(
        generators: &'a [Generator],
        subgraphs: &'a Subgraphs,
        options: &ModelOptions,
    ) -> Result<Self, Failure> {
        for generator in generators {
            generator.answers.begin(&generator.condition)?;
        }
        let entries = &subgraphs.manifest.subgraphs;
        let asking = Self {
            generators,
            tallies: generators.iter().map(|_| RefCell::default()).collect(),
            subgraphs,
            money: Money::new(options.max_usd),
            bar: bar(entries.len() * generators.len()),
        };
        if options.max_usd.is_some() {
            for generator in generators {
                for entry in entries {
                    let (_, answer) = asking.look(generator, entry)?;
                    if let Some(answer) = answer {
                        asking.money.charge(&answer.usage);
                    }
                }
                tokio::task::yield_now().await;
            }
        }
        let jobs = entries
            .iter()
            .flat_map(|entry| (0..generators.len()).map(move |place| (entry, place)));
        let work = stream::iter(jobs).map(|(entry, place)| asking.one(entry, place));
        work.buffer_unordered(options.concurrency)
            .try_for_each(|()| async { Ok(()) })
            .await?;
        asking.bar.finish_and_clear();
        Ok(asking)
    }

    /// The prompt for a subgraph, and the answer to it.
    fn look(
        &self,
        generator: &Generator,
        entry: &ManifestEntry,
    ) -> Result<(String, Option<Answer>), Failure> {
        let prompt = ava::prompt(&self.subgraphs.read(entry)?);
        let answer = generator.answers.find(&entry.subgraph_id, &prompt)?;
        Ok((prompt, answer))
    }

    async fn one(&self, entry: &ManifestEntry, place: usize) -> Result<(), Failure> {
        // Whoever wants to stop is heard here, however much there is already.
        tokio::task::yield_now().await;
        let done = self.try_one(entry, place).await;
        self.bar.inc(1);
        done
    }

    async fn try_one(&self, entry: &ManifestEntry, place: usize) -> Result<(), Failure> {
        let (Some(generator), Some(tally)) = (self.generators.get(place), self.tallies.get(place))
        else {
            return Ok(());
        };
        if self.look(generator, entry)?.1.is_some() {
            return Ok(());
        }
        let id = entry.subgraph_id.as_str();
        let poor = self.money.used_up();
        if poor.is_some() || tally.borrow().is_given_up() {
            let mut tally = tally.borrow_mut();
            tally.left += 1;
            tally.poor = poor.or(tally.poor.take());
            return Ok(());
        }
        let Some(_claim) = generator.answers.claim(id)? else {
            tally.borrow_mut().elsewhere += 1;
            return Ok(());
        };
        // Whoever had the claim a moment ago may have the answer.
        let (prompt, answer) = self.look(generator, entry)?;
        if answer.is_some() {
            return Ok(());
        }
        let answer = generator.ask(id, prompt, &self.bar).await;
        let mut tally = tally.borrow_mut();
        match answer {
            Ok(answer) => {
                generator.answers.keep(&answer)?;
                self.money.charge(&answer.usage);
                tally.now += 1;
                tally.in_a_row = 0;
            }
            Err(lost) => {
                self.money.charge(&lost.usage);
                add(&mut tally.lost, &lost.usage);
                tally.failed.insert(id.to_owned(), lost.why);
                tally.in_a_row += 1;
                tally.is_denied |= lost.is_denied;
            }
        }
        Ok(())
    }

    /// Everything that a generator has answered, whoever asked.
    pub(super) async fn gather(
        &self,
        place: usize,
    ) -> Result<(Vec<Triplet>, Counts, ByModel), Failure> {
        let (Some(generator), Some(tally)) = (self.generators.get(place), self.tallies.get(place))
        else {
            return Ok(Default::default());
        };
        let tally = tally.take();
        let mut told = ByModel {
            payer: generator.agent.payer(),
            answers: generator.answers.folder().display().to_string(),
            answered_now: tally.now,
            usage: tally.lost,
            ..ByModel::default()
        };
        let mut triplets = Vec::new();
        let mut counts = Counts::default();
        for entry in &self.subgraphs.manifest.subgraphs {
            tokio::task::yield_now().await;
            let Some(answer) = self.look(generator, entry)?.1 else {
                continue;
            };
            let judged = answer.judge();
            add(&mut told.usage, &answer.usage);
            told.answered_before += 1;
            told.short += usize::from(judged.triplets.len() < TRIPLETS);
            told.mended += usize::from(judged.is_mended);
            told.repair_requests += usize::from(judged.is_repaired);
            told.cut += usize::from(judged.is_cut);
            for (flaw, count) in judged.flaws {
                *told.flaws.entry(flaw).or_default() += count;
            }
            let id = entry.subgraph_id.clone();
            let without = match judged.end {
                End::Made => None,
                End::Refused(words) => Some((&mut told.refused, words)),
                End::Unreadable(why) => Some((&mut told.unreadable, why)),
                End::Outgrown(why) => Some((&mut told.outgrown, why)),
            };
            if let Some((list, why)) = without {
                list.insert(id, why);
            }
            let named = judged.triplets.into_iter().map(|triplet| Triplet {
                subgraph_id: Some(entry.subgraph_id.clone()),
                source: Some(self.subgraphs.manifest.ontology.clone()),
                generator: Some(generator.model.clone()),
                ..triplet
            });
            let named: Vec<Triplet> = named.collect();
            counts.add(&named);
            triplets.extend(named);
        }
        let answered = told.answered_before;
        told.answered_before = answered.saturating_sub(told.answered_now);
        told.failed = tally.failed;
        told.left = tally.left;
        told.poor = tally.poor;
        // Those whose claim another process held, and whose answer has not come since.
        let open = self.subgraphs.manifest.subgraphs.len() - answered;
        told.elsewhere = tally.elsewhere.min(open);
        Ok((triplets, counts, told))
    }
}

impl ByModel {
    /// What is missing for the answers to be all; `None` where nothing is, or other processes are at it.
    pub(super) fn missing(&self) -> Option<String> {
        let mut parts = Vec::new();
        if let Some(why) = self.failed.values().next() {
            parts.push(format!(
                "the service failed {}: {why}",
                plural(self.failed.len(), "request")
            ));
        }
        if self.left > 0 {
            let why = self.poor.as_ref().map(|why| format!(", since {why}"));
            parts.push(format!(
                "{} not asked about{}",
                plural(self.left, "subgraph"),
                why.unwrap_or_default()
            ));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "answers in {}: {} of earlier runs, {} of this one",
            self.answers, self.answered_before, self.answered_now
        )];
        let counted = [
            (self.short, "answer", "with fewer than five triplets"),
            (
                self.mended,
                "answer",
                "in another form than a JSON array, and read all the same",
            ),
            (
                self.repair_requests,
                "answer",
                "asked for a second time, the first being unreadable",
            ),
            (self.cut, "answer", "cut at the limit of the model's output"),
            (
                self.elsewhere,
                "subgraph",
                "being asked about by another process: run it again when that is done",
            ),
            (self.left, "subgraph", "not asked about"),
        ];
        let counted = counted.into_iter().filter(|(count, ..)| *count > 0);
        lines.extend(counted.map(|(count, one, what)| format!("{} {what}", plural(count, one))));
        let flaws = self.flaws.iter();
        lines.extend(flaws.map(|(flaw, count)| format!("{count} {}", flaw.words())));
        let lists = [
            (&self.refused, "refused"),
            (&self.unreadable, "not readable"),
            (&self.outgrown, "longer than the model can read"),
            (&self.failed, "lost to the service"),
        ];
        for (list, what) in lists.into_iter().filter(|(list, _)| !list.is_empty()) {
            lines.push(format!("{}, {what}:", plural(list.len(), "subgraph")));
            let shown = list.iter().take(SHOWN);
            lines.extend(shown.map(|(id, why)| format!("  {id}: {}", one_line(why, WORDS))));
            if list.len() > SHOWN {
                lines.push(format!(
                    "  and {} more; --json names all",
                    list.len() - SHOWN
                ));
            }
        }
        lines.push(used(&self.usage));
        lines
    }
}

fn used(usage: &Usage) -> String {
    let count = |tokens: Option<u64>| tokens.map_or_else(|| "?".to_owned(), |n| n.to_string());
    let cost = Cost {
        usd: usage.cost_usd,
        incomplete: usage.cost_incomplete,
        of: 0,
    };
    format!(
        "tokens: {} read, {} written; cost {}",
        count(usage.input_tokens),
        count(usage.output_tokens),
        money(cost)
    )
}

fn add(sum: &mut Usage, more: &Usage) {
    let add = |sum: &mut Option<u64>, more: Option<u64>| {
        if let Some(more) = more {
            *sum = Some(sum.unwrap_or_default().saturating_add(more));
        }
    };
    add(&mut sum.input_tokens, more.input_tokens);
    add(&mut sum.output_tokens, more.output_tokens);
    add(&mut sum.cache_read_tokens, more.cache_read_tokens);
    add(&mut sum.cache_write_tokens, more.cache_write_tokens);
    if let Some(usd) = more.cost_usd {
        *sum.cost_usd.get_or_insert_default() += usd;
    }
    sum.cost_incomplete |= more.cost_incomplete;
}

/// A dry run's estimates as a table's rows.
pub(super) fn row(estimate: &Estimate) -> Vec<String> {
    vec![
        estimate.generator.clone(),
        estimate.answered.to_string(),
        estimate.requests.to_string(),
        estimate.input_tokens.to_string(),
        estimate.output_tokens.to_string(),
        money(Cost {
            usd: estimate.usd,
            incomplete: false,
            of: 0,
        }),
        estimate.payer.clone(),
    ]
}

/// Drawn only on a terminal.
fn bar(requests: usize) -> ProgressBar {
    let bar = ProgressBar::new(requests as u64);
    match ProgressStyle::with_template("{bar:30} {human_pos}/{human_len} {eta} {wide_msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
