//! `run`: agents over the records, several attempts each.
//!
//! Everything that can be refused is refused before the first attempt: an agent that does not exist, a folder under
//! another condition, a key that gives no table. An attempt that is there already is kept and judged again, because the
//! rules of judging may have changed since.

use std::sync::Arc;
use std::time::Duration;

use record::Corpus;
use serde::Serialize;
use serde_json::Value;
use sweep::{CellEntry, Condition, Provenance, ServerBuild};

use super::source_line;
use crate::Failure;
use crate::agent::{Agent, anthropic, openai};
use crate::baseline::Baseline;
use crate::cli::RunArgs;
use crate::endpoint::Endpoint;
use crate::judge::Judge;
use crate::keys::KeyRun;
use crate::mcp::{self, serve::Server};
use crate::output::{Output, figure_or_dash, grid};
use crate::profile::Profile;
use crate::runner::{Allowance, Asked, Bench, Progress, Sweep};
use crate::runs::RunFolder;
use crate::settings::{CorpusPlace, EndpointChoice, Shard, chosen, tool_set};

/// What `run --json` prints when everything is done.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    provenance: Provenance,
    cells: Vec<CellEntry>,
}

pub(super) async fn run(args: &RunArgs, output: Output) -> Result<(), Failure> {
    let agents = agents(args)?;
    let shard = args.shard.as_deref().map(Shard::parse).transpose()?;
    let tools = tool_set(&args.tools)?;
    let profile = match &args.profile {
        Some(file) => Some(Profile::read(file, &|name| std::env::var(name).ok())?),
        None => None,
    };
    let place = CorpusPlace::from(&args.corpus);
    let corpus = Arc::new(place.read()?);
    let mut records = chosen(&corpus, args.tier.as_deref())?;
    if let Some(shard) = shard {
        records = records
            .into_iter()
            .enumerate()
            .filter(|(i, _)| shard.holds(*i))
            .map(|(_, record)| record)
            .collect();
    }
    let endpoint = Arc::new(Endpoint::open(&EndpointChoice::new(&args.endpoint, &place)?).await?);
    let profile = profile.unwrap_or_else(|| embedded(&endpoint, output));
    let bench = Bench {
        corpus: Arc::clone(&corpus),
        profile,
        tools,
        timeout: Duration::from_secs(args.endpoint.timeout),
        strict_upstream_errors: args.strict_upstream_errors,
        allowance: Allowance {
            turns: args.turns,
            tokens: args.max_tokens,
            usd: args.max_usd,
            seconds: Duration::from_secs(args.agent_timeout),
        },
    };

    let names: Vec<&str> = agents.iter().map(Agent::name).collect();
    let roots = RunFolder::places(&args.out, &names)?;
    let server = bench.greet().await?;
    let conditions: Vec<Condition> = agents
        .iter()
        .map(|agent| condition(args, agent, &corpus, endpoint.provenance(), &server))
        .collect();
    for (root, condition) in roots.iter().zip(&conditions) {
        RunFolder::check(root, condition)?;
    }
    let mut keys = Vec::new();
    for record in &records {
        let key = KeyRun::of(record, &endpoint)
            .await
            .map_err(|source| Failure::Key {
                record: record.id().to_owned(),
                source,
            })?;
        keys.push(key);
    }

    let asked: Vec<Asked<'_>> = records
        .iter()
        .zip(&keys)
        .map(|(record, key)| (*record, Judge::new(record, &corpus, key)))
        .collect();
    let progress = Progress::new(agents.len() * asked.len() * args.repeat as usize);
    let mut cells = Vec::new();
    for ((agent, root), condition) in agents.iter().zip(&roots).zip(&conditions) {
        let sweep = Sweep {
            agent,
            bench: &bench,
            folder: RunFolder::begin(root, condition)?,
        };
        sweep
            .run(&asked, args.repeat, args.concurrency, &progress)
            .await?;
        cells.extend(sweep.cells(&asked)?);
    }
    progress.finish(output);
    output.print(
        &Report {
            provenance: endpoint.provenance().clone(),
            cells,
        },
        text,
    )
}

fn agents(args: &RunArgs) -> Result<Vec<Agent>, Failure> {
    let by_model = args.model.as_deref().filter(|_| args.agent.is_empty());
    let names = match by_model {
        Some(model) => vec![Agent::of_model(model, &args.service, &variable)?.to_owned()],
        None => args.agent.clone(),
    };
    if names.is_empty() {
        return Err(Failure::usage("no agent was named", Agent::hint()));
    }
    let mut agents: Vec<Agent> = Vec::new();
    for name in &names {
        if agents.iter().any(|agent| agent.name() == name) {
            return Err(Failure::usage(
                format!("the agent `{name}` was named twice"),
                "name it once; --repeat says how many attempts it makes",
            ));
        }
        let (model, effort) = (args.model.as_deref(), args.effort.as_deref());
        agents.push(match name.as_str() {
            anthropic::NAME => Agent::Anthropic(anthropic::Agent::new(
                model,
                effort,
                &args.service,
                &variable,
            )?),
            openai::NAME => {
                Agent::OpenAi(openai::Agent::new(model, effort, &args.service, &variable)?)
            }
            _ => Agent::Baseline(Baseline::named(name)?),
        });
    }
    if args.max_usd.is_some() && agents.iter().any(|agent| agent.has_price() == Some(false)) {
        return Err(Failure::usage(
            "--max-usd needs the price of the model, which is not known",
            "give a table with the model in it with --prices; docs/agents.md shows one",
        ));
    }
    Ok(agents)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The server of a sweep that names none: this program's own, over the endpoint of the keys.
fn embedded(endpoint: &Arc<Endpoint>, output: Output) -> Profile {
    let faultless = Arc::new(mcp::serve::Bench::new(None, 0, false));
    Profile::embedded(Server::new(Arc::clone(endpoint), faultless, output))
}

fn condition(
    args: &RunArgs,
    agent: &Agent,
    corpus: &Corpus,
    provenance: &Provenance,
    server: &ServerBuild,
) -> Condition {
    Condition {
        corpus_hash: corpus.hash(),
        agent: agent.name().to_owned(),
        model: args.model.clone(),
        effort: args.effort.clone(),
        agent_options: options(args, agent),
        tools: args.tools.clone(),
        kg_hint: args.kg_hint.clone(),
        profile: args
            .profile
            .as_ref()
            .map(|profile| profile.display().to_string()),
        server: server.clone(),
        provenance: provenance.clone(),
        canaries: Vec::new(),
        strict_upstream_errors: args.strict_upstream_errors,
        timeout_s: args.endpoint.timeout,
        agent_timeout_s: args.agent_timeout,
    }
}

/// What an agent was told to do and allowed to use.
fn options(args: &RunArgs, agent: &Agent) -> Value {
    let mut options = agent.condition();
    if let Some(members) = options.as_object_mut() {
        members.insert("turns".to_owned(), args.turns.into());
        members.insert("max_tokens".to_owned(), args.max_tokens.into());
        members.insert("max_usd".to_owned(), args.max_usd.into());
    }
    options
}

fn text(report: &Report) -> String {
    let header = [
        "record",
        "agent",
        "asked",
        "answered",
        "lost",
        "right",
        "exact",
        "mean f1",
        "obeyed",
        "disobeyed",
        "unproven",
    ];
    let rows = report.cells.iter().map(|cell| {
        let tally = &cell.tally;
        let mut row = vec![cell.record.clone(), cell.agent.clone()];
        row.extend(
            [tally.asked, tally.answered, tally.infrastructure].map(|count| count.to_string()),
        );
        row.extend([tally.right, tally.exact].map(|count| format!("{count}/{}", tally.counted())));
        row.push(figure_or_dash(tally.mean_f1));
        let told = tally.obedience;
        row.extend([told.obeyed, told.disobeyed, told.unproven].map(|count| {
            if told == sweep::ObedienceCounts::default() {
                String::new()
            } else {
                count.to_string()
            }
        }));
        row
    });
    format!(
        "{}\n{}",
        grid(&header, &[2, 3, 4, 5, 6, 7, 8, 9, 10], rows),
        source_line(&report.provenance)
    )
}
