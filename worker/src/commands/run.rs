//! `run`: agents over the records, several attempts each.
//!
//! Everything that can be refused is refused before the first attempt: an agent that does not exist, a folder under
//! another condition, a key that gives no table. An attempt that is there already is kept and judged again, because the
//! rules of judging may have changed since.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use record::{Corpus, Record};
use serde::Serialize;
use sweep::{CellEntry, Condition, Flags, Metrics, Outcome, Provenance, ServerBuild, Tally};

use super::source_line;
use crate::attempts::{self, Episode};
use crate::baseline::Baseline;
use crate::cli::RunArgs;
use crate::endpoint::Endpoint;
use crate::judge::Judge;
use crate::keys::KeyRun;
use crate::output::{Output, figure_or_dash, grid};
use crate::runs::RunFolder;
use crate::settings::{CorpusPlace, EndpointChoice, Shard, chosen};
use crate::{Failure, store};

/// What `run --json` prints when everything is done.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    provenance: Provenance,
    cells: Vec<CellEntry>,
}

pub(super) async fn run(args: &RunArgs, output: Output) -> Result<(), Failure> {
    let agents = agents(&args.agent)?;
    let shard = args.shard.as_deref().map(Shard::parse).transpose()?;
    if let Some(profile) = &args.profile {
        // Baselines need no profile, and a sweep that names one which is not there is a mistake all the same.
        store::read(profile)?;
    }
    let place = CorpusPlace::from(&args.corpus);
    let corpus = place.read()?;
    let mut records = chosen(&corpus, args.tier.as_deref())?;
    if let Some(shard) = shard {
        records = records
            .into_iter()
            .enumerate()
            .filter(|(i, _)| shard.holds(*i))
            .map(|(_, record)| record)
            .collect();
    }
    let endpoint = Endpoint::open(&EndpointChoice::new(&args.endpoint, &place)?).await?;

    let names: Vec<&str> = agents.iter().map(|agent| agent.name()).collect();
    let roots = RunFolder::places(&args.out, &names)?;
    let conditions: Vec<Condition> = agents
        .iter()
        .map(|agent| condition(args, *agent, &corpus, &endpoint))
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

    let asked: Vec<(&Record, Judge<'_>)> = records
        .iter()
        .zip(&keys)
        .map(|(record, key)| (*record, Judge::new(record, &corpus, key)))
        .collect();
    let progress = Progress::new(agents.len() * asked.len() * args.repeat as usize);
    let mut cells = Vec::new();
    for ((agent, root), condition) in agents.iter().zip(&roots).zip(&conditions) {
        let sweep = Sweep {
            agent: *agent,
            corpus: &corpus,
            endpoint: &endpoint,
            folder: RunFolder::begin(root, condition)?,
            agent_timeout: Duration::from_secs(args.agent_timeout),
        };
        sweep.run(&asked, args.repeat, &progress).await?;
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

fn agents(names: &[String]) -> Result<Vec<Baseline>, Failure> {
    if names.is_empty() {
        return Err(Failure::usage("no agent was named", Baseline::hint()));
    }
    let mut agents = Vec::new();
    for name in names {
        let agent = Baseline::named(name)?;
        if agents.contains(&agent) {
            return Err(Failure::usage(
                format!("the agent `{name}` was named twice"),
                "name it once; --repeat says how many attempts it makes",
            ));
        }
        agents.push(agent);
    }
    Ok(agents)
}

fn condition(args: &RunArgs, agent: Baseline, corpus: &Corpus, endpoint: &Endpoint) -> Condition {
    let provenance = endpoint.provenance().clone();
    Condition {
        corpus_hash: corpus.hash(),
        agent: agent.name().to_owned(),
        model: args.model.clone(),
        effort: args.effort.clone(),
        tools: args.tools.clone(),
        kg_hint: args.kg_hint.clone(),
        profile: args
            .profile
            .as_ref()
            .map(|profile| profile.display().to_string()),
        server: ServerBuild {
            name: provenance.server.clone(),
            version: provenance.release.clone().unwrap_or_default(),
            ..ServerBuild::default()
        },
        provenance,
        canaries: Vec::new(),
        strict_upstream_errors: args.strict_upstream_errors,
        timeout_s: args.endpoint.timeout,
        agent_timeout_s: args.agent_timeout,
    }
}

/// One agent's sweep.
struct Sweep<'a> {
    agent: Baseline,
    corpus: &'a Corpus,
    endpoint: &'a Endpoint,
    folder: RunFolder,
    agent_timeout: Duration,
}

impl Sweep<'_> {
    /// Makes the attempts that are missing, and judges again those that are there. First attempts come first, so that a
    /// sweep that is stopped has looked at every record.
    async fn run(
        &self,
        asked: &[(&Record, Judge<'_>)],
        repeat: u32,
        progress: &Progress,
    ) -> Result<(), Failure> {
        for n in 1..=repeat {
            for (record, judge) in asked {
                progress.begin(self.agent, record.id(), n);
                let place = self.folder.attempt(record.id(), n);
                if let Some((episode, before)) = attempts::read(&place)? {
                    let now = judge.verdict(self.agent.name(), n, &episode).metrics;
                    if now != before {
                        attempts::write_metrics(&place, &now)?;
                    }
                    progress.kept();
                    // Judging never waits; Ctrl-C is heard here.
                    tokio::task::yield_now().await;
                    continue;
                }
                let episode = self.episode(record).await;
                let metrics = judge.verdict(self.agent.name(), n, &episode).metrics;
                attempts::write(&place, &self.folder.scratch(), &episode, &metrics)?;
                progress.done();
            }
        }
        Ok(())
    }

    async fn episode(&self, record: &Record) -> Episode {
        let attempt = self.agent.attempt(record, self.corpus, self.endpoint);
        tokio::time::timeout(self.agent_timeout, attempt)
            .await
            .unwrap_or_else(|_| Episode {
                outcome: Outcome::Timeout,
                flags: Flags::default(),
                seconds: self.agent_timeout.as_secs_f64(),
                waiting_seconds: None,
                usage: None,
                answer: None,
                calls: Vec::new(),
                transcript: Vec::new(),
            })
    }

    /// The counts over every attempt that is in the folder, those of earlier runs with a larger --repeat included.
    fn cells(&self, asked: &[(&Record, Judge<'_>)]) -> Result<Vec<CellEntry>, Failure> {
        let mut cells = Vec::new();
        for (record, _) in asked {
            let mut all: Vec<Metrics> = Vec::new();
            for n in self.folder.attempts(record.id())? {
                all.extend(
                    attempts::read(&self.folder.attempt(record.id(), n))?
                        .map(|(_, metrics)| metrics),
                );
            }
            cells.push(cell(record.id(), self.agent.name(), &all));
        }
        Ok(cells)
    }
}

/// One agent at one record.
pub(super) fn cell(record: &str, agent: &str, attempts: &[Metrics]) -> CellEntry {
    CellEntry {
        record: record.to_owned(),
        agent: agent.to_owned(),
        tally: Tally::of(attempts),
        outcomes: attempts.iter().map(|metrics| metrics.outcome).collect(),
    }
}

/// The bar at the terminal; there is none where standard error is not one.
struct Progress {
    bar: ProgressBar,
    kept: std::cell::Cell<usize>,
    made: std::cell::Cell<usize>,
}

impl Progress {
    fn new(attempts: usize) -> Self {
        let bar = ProgressBar::new(attempts as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {msg}") {
            bar.set_style(style);
        }
        Self {
            bar,
            kept: std::cell::Cell::new(0),
            made: std::cell::Cell::new(0),
        }
    }

    fn begin(&self, agent: Baseline, record: &str, n: u32) {
        self.bar.set_message(format!("{agent} {record} {n}"));
    }

    fn done(&self) {
        self.made.set(self.made.get() + 1);
        self.bar.inc(1);
    }

    fn kept(&self) {
        self.kept.set(self.kept.get() + 1);
        self.bar.inc(1);
    }

    fn finish(&self, output: Output) {
        self.bar.finish_and_clear();
        output.say(format!(
            "{} attempts made, {} kept from before",
            self.made.get(),
            self.kept.get()
        ));
    }
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
