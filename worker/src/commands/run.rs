//! `run`: agents over the records, several attempts each.
//!
//! Everything that can be refused is refused before the first attempt: an agent that does not exist, a folder under
//! another condition, a key that gives no table. An attempt that is there already is kept and judged again, because the
//! rules of judging may have changed since.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use record::{Corpus, Record};
use serde::Serialize;
use serde_json::Value;
use sweep::{Canary, CellEntry, Condition, Provenance, ServerBuild};

use super::dry_run::dry_run;
use super::{plural, source_line};
use crate::Failure;
use crate::agent::api::{KeyNeed, ModelAgent};
use crate::agent::{Agent, AskedOf, INTERFACES, KgHint, command, file};
use crate::attempts::Aside;
use crate::baseline::Baseline;
use crate::cli::{EndpointArgs, RunArgs};
use crate::endpoint::Endpoint;
use crate::error::{listed_canaries, named_canaries};
use crate::judge::Judge;
use crate::keys::KeyRun;
use crate::mcp::{self, proxy::ToolSet, serve::Server};
use crate::output::{Output, figure_or_dash, grid};
use crate::profile::Profile;
use crate::runner::{
    Allowance, Asked, Bench, Denial, Does, Greeting, Plan, Progress, Purse, Summary, Sweep, greet,
    used,
};
use crate::runs::RunFolder;
use crate::settings::{CorpusPlace, EndpointChoice, Shard, chosen, tool_set};

/// How often a model may be asked to go on where nothing is said of it.
const TURNS: u32 = 100;

/// What `run --json` prints when everything is done.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    provenance: Provenance,
    /// What this run did; the cells are over everything that lies in the folder.
    summary: Summary,
    cells: Vec<CellEntry>,
}

pub(super) async fn run(args: &RunArgs, output: Output) -> Result<(), Failure> {
    let shard = args.shard.as_deref().map(Shard::parse).transpose()?;
    let tools = tool_set(&args.tools)?;
    let profile = match &args.profile {
        Some(file) => Some(Profile::read(file, &variable)?),
        None => None,
    };
    let place = CorpusPlace::from(&args.corpus);
    let corpus = Arc::new(place.read()?);
    let records = of_shard(chosen(&corpus, args.tier.as_deref())?, shard);
    has_money_for_one(args)?;
    let agents = agents(args, &corpus.records).await?;
    let endpoint = Arc::new(Endpoint::open(&keys_at(args, &place, profile.as_ref())?).await?);
    let profile = profile.unwrap_or_else(|| embedded(&endpoint, output));
    let bench = bench(args, &corpus, profile, tools);

    let ids: Vec<&str> = records.iter().map(|record| record.id()).collect();
    let mut folders = folders(args, &agents, &ids, &corpus, endpoint.provenance())?;
    if args.dry_run {
        return dry_run(args.concurrency, &bench, &records, &folders, output).await;
    }
    let keys = keys(&records, &endpoint).await?;
    for folder in &mut folders {
        // A server that did not answer before the keys has said by now whose data it serves.
        let asked_for = &mut folder.asked_for;
        asked_for.provenance = endpoint.provenance().or_before(&asked_for.provenance);
    }
    // Nothing is asked of a server where nothing is to be made: what is there can be judged again without it.
    let is_idle = |folder: &Folder<'_>| folder.plan.made().next().is_none();
    let greeting = if folders.iter().all(is_idle) {
        None
    } else {
        let asked: Vec<(&Record, &KeyRun)> = records.iter().copied().zip(&keys).collect();
        Some(greeted(args, &bench, &endpoint, &asked, output).await?)
    };

    let asked: Vec<Asked<'_>> = records
        .iter()
        .zip(&keys)
        .map(|(record, key)| (*record, Judge::new(record, &corpus, key)))
        .collect();
    let attempts = folders.iter().map(|folder| folder.plan.steps.len()).sum();
    let progress = Progress::new(attempts, output);
    let mut sweeps = Vec::new();
    for folder in &folders {
        let condition = folder.condition(greeting.as_ref(), args.retry.is_some());
        if let Some(there) = &folder.there {
            RunFolder::check(&folder.root, there, &condition)?;
        }
        sweeps.push((folder, condition));
    }
    tell_of_answers(&folders, &ids, args.repeat, output);
    tell_of_those_beyond(&folders, args.repeat, output);
    let mut cells = Vec::new();
    let mut undone = Vec::new();
    for (folder, condition) in sweeps {
        let sweep = begun(args, folder, &condition, &bench, greeting.as_ref())?;
        let before = progress.unmade_so_far();
        sweep
            .run(&folder.plan, &asked, args.concurrency, &progress)
            .await?;
        let own = sweep.cells(&asked)?;
        undone.extend(left_undone(&sweep, &own, progress.unmade_so_far() - before));
        cells.extend(own);
    }
    let summary = progress.finish();
    output.print(
        &Report {
            provenance: endpoint.provenance().clone(),
            summary,
            cells,
        },
        text,
    )?;
    if undone.is_empty() {
        return Ok(());
    }
    Err(Failure::Check(undone.join("\n")))
}

/// The records of a shard; all of them where there is none.
fn of_shard(records: Vec<&Record>, shard: Option<Shard>) -> Vec<&Record> {
    let numbered = records.into_iter().enumerate();
    numbered
        .filter(|(i, _)| shard.is_none_or(|shard| shard.holds(*i)))
        .map(|(_, record)| record)
        .collect()
}

/// What every attempt of every agent is made with.
fn bench(args: &RunArgs, corpus: &Arc<Corpus>, profile: Profile, tools: ToolSet) -> Bench {
    Bench {
        corpus: Arc::clone(corpus),
        profile,
        tools,
        timeout: Duration::from_secs(args.endpoint.timeout),
        strict_upstream_errors: args.strict_upstream_errors,
        kg_hint: args.kg_hint,
        allowance: Allowance {
            turns: args.turns.unwrap_or(TURNS),
            tokens: args.max_tokens,
            seconds: Duration::from_secs(args.agent_timeout),
        },
    }
}

/// The sweep of one agent, in its folder.
fn begun<'a>(
    args: &RunArgs,
    folder: &Folder<'a>,
    condition: &Condition,
    bench: &'a Bench,
    greeting: Option<&Greeting>,
) -> Result<Sweep<'a>, Failure> {
    let mut place = RunFolder::begin(&folder.root, condition)?;
    if let Some(greeting) = greeting
        && folder.is_mended(greeting)
    {
        place.note_mended(&greeting.canaries)?;
    }
    let purse = Purse::new(args.max_usd, args.max_sweep_usd);
    for usage in used(&place)? {
        purse.charge(Some(&usage));
    }
    Ok(Sweep {
        agent: folder.agent,
        bench,
        folder: place,
        purse,
        denial: Denial::default(),
    })
}

/// What keeps a sweep from being one: attempts that were not begun, or that were all lost.
fn left_undone(sweep: &Sweep<'_>, cells: &[CellEntry], unmade: usize) -> Vec<String> {
    let name = sweep.agent.name();
    let mut undone = Vec::new();
    let mut unpaid = unmade;
    if let Some((words, unbegun)) = sweep.denial.told() {
        unpaid -= unbegun;
        let unbegun = match unbegun {
            0 => String::new(),
            1 => ", and 1 attempt was not begun".to_owned(),
            many => format!(", and {many} attempts were not begun"),
        };
        undone.push(format!(
            "the service of {name}'s model denies it ({words}){unbegun}: check {}, then run the same line with --retry infrastructure",
            sweep.agent.credentials()
        ));
    }
    if unpaid > 0 {
        let unknown = match sweep.purse.unknown() {
            0 => String::new(),
            unknown => format!(
                "; the cost of {} is not wholly known, and counts as --max-usd",
                plural(unknown, "attempt")
            ),
        };
        undone.push(format!(
            "the sweep's money is used up, and {} left: give more with --max-sweep-usd and run it again{unknown}",
            plural(unpaid, "attempt")
        ));
    }
    let sum = |count: fn(&CellEntry) -> u32| cells.iter().map(count).sum::<u32>();
    let (asked, counted) = (
        sum(|cell| cell.tally.asked),
        sum(|cell| cell.tally.counted()),
    );
    if asked > 0 && counted == 0 {
        undone.push(format!(
            "nothing is known of {name}: its attempts, {asked} in number, were all lost to the infrastructure"
        ));
    }
    undone
}

/// Says how many attempts are there that were not asked for now, and count all the same.
fn tell_of_those_beyond(folders: &[Folder<'_>], repeat: u32, output: Output) {
    for folder in folders {
        let beyond = folder.plan.beyond(repeat);
        if beyond > 0 {
            output.say(format!(
                "{} beyond --repeat {repeat} in {}, and counted like the others",
                plural_are(beyond, "attempt"),
                folder.root.display()
            ));
        }
    }
}

/// Refuses a sweep that may cost less than one of its attempts.
fn has_money_for_one(args: &RunArgs) -> Result<(), Failure> {
    match (args.max_usd, args.max_sweep_usd) {
        (Some(each), Some(all)) if each > all => Err(Failure::usage(
            format!(
                "an attempt may cost {each} US dollars, and the sweep only {all}: none could begin"
            ),
            "give more with --max-sweep-usd, or less with --max-usd",
        )),
        _ => Ok(()),
    }
}

/// Says for how many attempts a folder of answers has none, for how many another one than before, and what in it is left out.
fn tell_of_answers(folders: &[Folder<'_>], records: &[&str], repeat: u32, output: Output) {
    for folder in folders {
        let Agent::File(file) = folder.agent else {
            continue;
        };
        let made: Vec<_> = folder.plan.made().collect();
        let missing = made
            .iter()
            .filter(|step| !file.has(&step.record, step.attempt))
            .count();
        if missing > 0 {
            output.say(format!(
                "{missing} of {} have no answer in the folder, and count as asked and not answered",
                plural(made.len(), "attempt")
            ));
        }
        let replaced = folder.plan.count(Does::MakeAgain(Aside::Replaced));
        if replaced > 0 {
            output.say(format!(
                "{} made again, whose answers are others now: what was made of the old ones is kept beside as N.replaced-1 and so on, \
                 and counts no more",
                plural_are(replaced, "attempt")
            ));
        }
        let mut beyond = file.beyond(repeat, records);
        // Those that were made into attempts before are judged.
        beyond.retain(|(record, n, _)| !folder.plan.holds(record, *n));
        if let Some((_, _, first)) = beyond.first() {
            output.say(format!(
                "{} beyond --repeat {repeat} and not judged, {} among them",
                plural_are(beyond.len(), "answer"),
                first.display()
            ));
        }
    }
}

fn plural_are(count: usize, noun: &str) -> String {
    let verb = if count == 1 { "is" } else { "are" };
    format!("{} {verb}", plural(count, noun))
}

/// Where keys are run: where the server under test asks, unless the operator says otherwise. Keys over other data would be
/// no keys.
fn keys_at(
    args: &RunArgs,
    place: &CorpusPlace,
    profile: Option<&Profile>,
) -> Result<EndpointChoice, Failure> {
    let of_profile = profile.and_then(|profile| profile.endpoint.clone());
    let asked = EndpointArgs {
        endpoint: args.endpoint.endpoint.clone().or(of_profile),
        ..args.endpoint.clone()
    };
    EndpointChoice::new(&asked, place)
}

async fn keys(records: &[&Record], endpoint: &Endpoint) -> Result<Vec<KeyRun>, Failure> {
    let mut keys = Vec::new();
    for record in records {
        let key = KeyRun::of(record, endpoint).await;
        keys.push(key.map_err(|source| Failure::Key {
            record: record.id().to_owned(),
            source,
        })?);
    }
    Ok(keys)
}

/// Where one agent's attempts go, and what is there.
pub(super) struct Folder<'a> {
    pub(super) agent: &'a Agent,
    pub(super) root: PathBuf,
    /// The condition of what is there.
    there: Option<Condition>,
    /// What was asked for, all but what the server says of itself.
    asked_for: Condition,
    pub(super) plan: Plan,
}

impl Folder<'_> {
    /// Whether the server failed canaries when the sweep was begun, and passes them all now.
    fn is_mended(&self, greeting: &Greeting) -> bool {
        let there = self.there.as_ref();
        there.is_some_and(|there| are_mended(&there.canaries, &greeting.canaries))
    }

    /// The condition under which attempts are made now. What was lost to a server that failed its canaries can be made again
    /// once it is mended: the sweep's condition stays that of its beginning, with what failed then.
    fn condition(&self, greeting: Option<&Greeting>, is_retry: bool) -> Condition {
        let said = |there: &Condition| (there.server.clone(), there.canaries.clone());
        let now = |greeting: &Greeting| (greeting.server.clone(), greeting.canaries.clone());
        let (server, mut canaries) = greeting
            .map(now)
            .or_else(|| self.there.as_ref().map(said))
            .unwrap_or_default();
        if let (Some(greeting), Some(there)) = (greeting, &self.there)
            && is_retry
            && self.is_mended(greeting)
        {
            canaries.clone_from(&there.canaries);
        }
        Condition {
            server,
            canaries,
            ..self.asked_for.clone()
        }
    }
}

/// Whether some canary failed before, and all of them pass now. One that is not asked now has not passed.
fn are_mended(before: &[Canary], now: &[Canary]) -> bool {
    let passes = |was: &Canary| {
        now.iter()
            .any(|canary| canary.name == was.name && canary.passed)
    };
    before.iter().any(|was| !was.passed)
        && before.iter().all(passes)
        && now.iter().all(|canary| canary.passed)
}

/// The folders of the agents, refused where they hold anything else than a sweep of the same condition.
fn folders<'a>(
    args: &RunArgs,
    agents: &'a [Agent],
    records: &[&str],
    corpus: &Corpus,
    provenance: &Provenance,
) -> Result<Vec<Folder<'a>>, Failure> {
    let names: Vec<&str> = agents.iter().map(Agent::name).collect();
    let roots = RunFolder::places(&args.out, &names)?;
    let mut folders = Vec::new();
    for (agent, root) in agents.iter().zip(roots) {
        let there = RunFolder::condition(&root)?;
        // A server that has not answered yet may well be the one that answered before: the keys will tell.
        let provenance = there.as_ref().map_or_else(
            || provenance.clone(),
            |there| provenance.or_before(&there.provenance),
        );
        let folder = Folder {
            agent,
            there,
            asked_for: condition(args, agent, corpus, &provenance),
            plan: Plan::default(),
            root,
        };
        if let Some(there) = &folder.there {
            RunFolder::check(&folder.root, there, &folder.condition(None, false))?;
        }
        folders.push(folder);
    }
    for folder in &mut folders {
        folder.plan = Plan::of(
            folder.agent,
            &folder.root,
            records,
            args.repeat,
            args.retry.is_some(),
        )?;
    }
    Ok(folders)
}

/// What the server says before the first attempt.
async fn greeted(
    args: &RunArgs,
    bench: &Bench,
    endpoint: &Endpoint,
    asked: &[(&Record, &KeyRun)],
    output: Output,
) -> Result<Greeting, Failure> {
    let greeting = greet(bench, endpoint, asked).await?;
    for note in &greeting.notes {
        output.say(note);
    }
    let failed = greeting.canaries.iter().filter(|canary| !canary.passed);
    let failed: Vec<Canary> = failed.cloned().collect();
    if failed.is_empty() {
        return Ok(greeting);
    }
    if !args.allow_broken {
        return Err(Failure::Canaries { canaries: failed });
    }
    output.say(format!(
        "--allow-broken: the server under test failed {}, and is measured as it is{}",
        named_canaries(&failed),
        listed_canaries(&failed)
    ));
    Ok(greeting)
}

async fn agents(args: &RunArgs, records: &[Record]) -> Result<Vec<Agent>, Failure> {
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
        let agent = named(name, args, records).await?;
        if agents.iter().any(|other| other.name() == agent.name()) {
            return Err(Failure::usage(
                format!("the agent `{name}` was named twice"),
                "name it once; --repeat says how many attempts it makes",
            ));
        }
        agents.push(agent);
    }
    refuse_what_nobody_takes(args, &agents)?;
    let caps = [
        (args.max_usd, "--max-usd"),
        (args.max_sweep_usd, "--max-sweep-usd"),
    ];
    if let Some((_, cap)) = caps.iter().find(|(usd, _)| usd.is_some())
        && agents.iter().any(|agent| agent.has_price() == Some(false))
    {
        return Err(Failure::usage(
            format!("{cap} needs the price of the model, which is not known"),
            "give a table with the model in it with --prices; docs/agents.md shows one",
        ));
    }
    Ok(agents)
}

/// Refuses options for which none of the agents has a place: results would name a model, or keep within an allowance, that
/// nobody heard of.
fn refuse_what_nobody_takes(args: &RunArgs, agents: &[Agent]) -> Result<(), Failure> {
    let command = &args.command;
    let given = [
        (args.model.is_some(), AskedOf::Model, "--model"),
        (args.effort.is_some(), AskedOf::Effort, "--effort"),
        (args.turns.is_some(), AskedOf::Turns, "--turns"),
        (args.max_tokens.is_some(), AskedOf::Tokens, "--max-tokens"),
        (args.max_usd.is_some(), AskedOf::Usd, "--max-usd"),
        (command.program.is_some(), AskedOf::Program, "--program"),
        (command.command.is_some(), AskedOf::Program, "--command"),
        (!command.env.is_empty(), AskedOf::Program, "--env"),
        (args.file.answers.is_some(), AskedOf::Answers, "--answers"),
    ];
    let given = given.into_iter().filter(|(is_given, ..)| *is_given);
    let of_service = args
        .service
        .given()
        .map(|name| (true, AskedOf::Service, name));
    for (_, asked, name) in given.chain(of_service) {
        if !agents.iter().any(|agent| agent.takes(asked)) {
            let names: Vec<&str> = agents.iter().map(Agent::name).collect();
            return Err(Failure::usage(
                format!("{} has no place for {name}", names.join(", ")),
                asked.takers(),
            ));
        }
    }
    Ok(())
}

async fn named(name: &str, args: &RunArgs, records: &[Record]) -> Result<Agent, Failure> {
    let (model, effort) = (args.model.as_deref(), args.effort.as_deref());
    let keys = if args.dry_run {
        KeyNeed::NotYet
    } else {
        KeyNeed::Now
    };
    let by_name = INTERFACES
        .into_iter()
        .find(|interface| interface.facts().name == name);
    if let Some(interface) = by_name {
        let agent = ModelAgent::new(interface, model, effort, &args.service, keys, &variable)?;
        return Ok(Agent::Model(Box::new(agent)));
    }
    Ok(match name {
        command::NAME => {
            let asked = command::Asked {
                model,
                effort,
                turns: args.turns.is_some(),
                usd: args.max_usd.is_some() || args.max_sweep_usd.is_some(),
                tokens: args.max_tokens.is_some(),
                keys,
            };
            let agent = command::Agent::decide(&args.command, asked, &variable).await?;
            Agent::Command(Box::new(agent))
        }
        file::NAME => Agent::File(file::Agent::decide(&args.file, records)?),
        _ => Agent::Baseline(Baseline::named(name)?),
    })
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The server of a sweep that names none: this program's own, over the endpoint of the keys.
fn embedded(endpoint: &Arc<Endpoint>, output: Output) -> Profile {
    let faultless = Arc::new(mcp::serve::Bench::new(None, 0, false));
    Profile::embedded(Server::new(Arc::clone(endpoint), faultless, output))
}

fn condition(args: &RunArgs, agent: &Agent, corpus: &Corpus, provenance: &Provenance) -> Condition {
    Condition {
        corpus_hash: corpus.hash(),
        agent: agent.name().to_owned(),
        model: args.model.clone().filter(|_| agent.takes(AskedOf::Model)),
        effort: args.effort.clone().filter(|_| agent.takes(AskedOf::Effort)),
        agent_options: options(args, agent),
        tools: args.tools.clone(),
        kg_hint: (args.kg_hint != KgHint::None).then(|| args.kg_hint.to_string()),
        profile: args
            .profile
            .as_ref()
            .map(|profile| profile.display().to_string()),
        server: ServerBuild::default(),
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
    let allowances = [
        (
            AskedOf::Turns,
            "turns",
            Value::from(args.turns.unwrap_or(TURNS)),
        ),
        (AskedOf::Tokens, "max_tokens", args.max_tokens.into()),
        (AskedOf::Usd, "max_usd", args.max_usd.into()),
    ];
    if let Some(members) = options.as_object_mut() {
        // Nobody is held to an allowance that has no place.
        let kept = allowances
            .into_iter()
            .filter(|(asked, ..)| agent.takes(*asked));
        members.extend(kept.map(|(_, name, value)| (name.to_owned(), value)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_mended_where_every_canary_passes_that_was_asked_before() {
        let canaries = |told: &[(&str, bool)]| -> Vec<Canary> {
            let canary = |(name, passed): &(&str, bool)| Canary {
                name: (*name).to_owned(),
                asked: String::new(),
                passed: *passed,
                detail: String::new(),
                ms: 1,
            };
            told.iter().map(canary).collect()
        };
        let before = canaries(&[("query", false), ("look", true)]);
        for (now, expected) in [
            (vec![("query", true), ("look", true)], true),
            (vec![("query", true), ("look", true), ("below", true)], true),
            (
                vec![("query", true), ("look", true), ("below", false)],
                false,
            ),
            (vec![("query", true), ("look", false)], false),
            // What is not asked has not passed.
            (vec![("look", true)], false),
            (vec![("query", true)], false),
            (Vec::new(), false),
        ] {
            assert_eq!(are_mended(&before, &canaries(&now)), expected, "{now:?}");
        }
        let well = canaries(&[("query", true)]);
        assert!(!are_mended(&well, &well), "nothing was broken");
    }
}
