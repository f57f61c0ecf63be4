//! `run --dry-run`: what would be run, with which prompts, and on whose money.

use std::fmt::Write as _;

use record::Record;
use serde::Serialize;

use super::run::Folder;
use crate::Failure;
use crate::attempts::Aside;
use crate::error::with_causes;
use crate::output::{Output, grid};
use crate::runner::{Bench, Does, Step};

/// A model that answers reads its prompt and its tools twice: before it submits, and after.
const LEAST_TURNS: u64 = 2;

/// Of English, and of JSON. No tokenizer of a service is the same as another's.
pub(super) const BYTES_A_TOKEN: usize = 4;

/// What `run --dry-run --json` prints.
#[derive(Serialize)]
struct DryRun<'a> {
    sweeps: Vec<DrySweep<'a>>,
    prompts: Vec<DryPrompt<'a>>,
}

#[derive(Serialize)]
struct DrySweep<'a> {
    agent: &'a str,
    out: String,
    make: usize,
    keep: usize,
    make_again: usize,
    /// The least number of tokens that a model would read; `None` for an agent without one.
    tokens_at_least: Option<u64>,
    /// Whose money it costs.
    payer: Option<String>,
    attempts: Vec<DryAttempt<'a>>,
}

#[derive(Serialize)]
struct DryAttempt<'a> {
    record: &'a str,
    attempt: u32,
    again: bool,
}

#[derive(Serialize)]
struct DryPrompt<'a> {
    record: &'a str,
    system: String,
    user: String,
}

pub(super) async fn dry_run(
    concurrency: usize,
    bench: &Bench,
    records: &[&Record],
    folders: &[Folder<'_>],
    output: Output,
) -> Result<(), Failure> {
    let mut prompts = Vec::new();
    // Agents are told the same, but for an allowance of turns that not all of them have.
    let agents = folders.iter().map(|folder| folder.agent).take(1);
    for (agent, record) in
        agents.flat_map(|agent| records.iter().map(move |record| (agent, record)))
    {
        let prompt = bench.prompt(agent, record);
        prompts.push(DryPrompt {
            record: record.id(),
            system: prompt.system,
            user: prompt.user,
        });
    }
    let tools = match bench.tool_list().await {
        Ok(tools) => tools,
        Err(failure) => {
            let why = with_causes(&failure);
            output.say(format!("the server's list of tools is not counted: {why}"));
            String::new()
        }
    };
    let least = |step: &Step| {
        let prompt = prompts.iter().find(|prompt| prompt.record == step.record);
        let told = prompt.map_or(0, |prompt| prompt.system.len() + prompt.user.len());
        LEAST_TURNS * ((told + tools.len()) / BYTES_A_TOKEN) as u64
    };
    let sweeps = folders.iter().map(|folder| {
        let payer = folder.agent.payer();
        DrySweep {
            agent: folder.agent.name(),
            out: folder.root.display().to_string(),
            make: folder.plan.count(Does::Make),
            keep: folder.plan.count(Does::Keep),
            make_again: [Aside::Lost, Aside::Replaced]
                .map(|why| folder.plan.count(Does::MakeAgain(why)))
                .into_iter()
                .sum(),
            tokens_at_least: payer.is_some().then(|| folder.plan.made().map(least).sum()),
            payer,
            attempts: folder
                .plan
                .made()
                .map(|step| DryAttempt {
                    record: &step.record,
                    attempt: step.attempt,
                    again: step.does != Does::Make,
                })
                .collect(),
        }
    });
    let sweeps = sweeps.collect();
    output.say(format!(
        "{concurrency} at a time; nothing was run, and nothing written"
    ));
    output.print(&DryRun { sweeps, prompts }, dry_text)
}

fn dry_text(dry: &DryRun<'_>) -> String {
    let header = [
        "agent",
        "folder",
        "make",
        "keep",
        "make again",
        "tokens, at least",
        "whose money",
    ];
    let rows = dry.sweeps.iter().map(|sweep| {
        vec![
            sweep.agent.to_owned(),
            sweep.out.clone(),
            sweep.make.to_string(),
            sweep.keep.to_string(),
            sweep.make_again.to_string(),
            sweep
                .tokens_at_least
                .map_or_else(|| "–".to_owned(), |tokens| tokens.to_string()),
            sweep.payer.clone().unwrap_or_else(|| "nobody's".to_owned()),
        ]
    });
    let mut text = grid(&header, &[2, 3, 4, 5], rows);
    for prompt in &dry.prompts {
        let told = [&prompt.system, &prompt.user];
        let told: Vec<&str> = told
            .into_iter()
            .map(|text| text.trim())
            .filter(|text| !text.is_empty())
            .collect();
        // Writing to a text never fails.
        let _ = write!(text, "\n\n── {} ──\n{}", prompt.record, told.join("\n\n"));
    }
    text
}
