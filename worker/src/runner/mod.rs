//! Sweeps: attempts after attempts, each of them whole in its folder or not there.

mod attempt;
mod canary;
mod plan;
mod progress;
mod purse;

pub use attempt::{Allowance, Bench};
pub use canary::{Greeting, greet};
pub use plan::{Plan, Step, There};
pub use progress::{Progress, Summary};
pub use purse::Purse;

use std::path::Path;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use record::Record;
use sweep::{CellEntry, Metrics, Recording, ServerBuild, Tally};

use crate::agent::Agent;
use crate::attempts::Aside;
use crate::judge::Judge;
use crate::runs::RunFolder;
use crate::{Failure, attempts};

/// One agent's sweep.
#[derive(Debug)]
pub struct Sweep<'a> {
    /// Who makes the attempts.
    pub agent: &'a Agent,
    /// What each attempt is made with.
    pub bench: &'a Bench,
    /// Where they go.
    pub folder: RunFolder,
    /// Whether attempts that were lost to the infrastructure are made again.
    pub retry: bool,
    /// What they may cost.
    pub purse: Purse,
}

/// A record with what judges its attempts.
pub type Asked<'a> = (&'a Record, Judge<'a>);

impl Sweep<'_> {
    /// Makes the attempts that are missing, `concurrency` of them at a time, and judges again those that are there.
    ///
    /// Attempts are polled here and not spawned: where this future is dropped, all that is under way ends with it.
    pub async fn run(
        &self,
        plan: &Plan,
        asked: &[Asked<'_>],
        concurrency: usize,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let places = plan.steps.iter().filter_map(|step| {
            let asked = asked
                .iter()
                .find(|(record, _)| record.id() == step.record)?;
            Some((step.attempt, asked))
        });
        stream::iter(places)
            .map(|(n, (record, judge))| self.one(record, judge, n, progress))
            .buffer_unordered(concurrency)
            .try_collect()
            .await
    }

    async fn one(
        &self,
        record: &Record,
        judge: &Judge<'_>,
        n: u32,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let place = self.folder.attempt(record.id(), n);
        let there = attempts::read(&place)?;
        let mut again = None;
        if let Some((episode, before)) = there {
            self.check_build(&place, attempts::read_recording(&place)?)?;
            let now = judge.verdict(self.agent.name(), n, &episode).metrics;
            if now != before {
                attempts::write_metrics(&place, &now)?;
            }
            again = if self.retry && now.infrastructure {
                Some(Aside::Lost)
            } else if self.agent.has_another(record.id(), n, &episode)? {
                Some(Aside::Replaced)
            } else {
                None
            };
            if again.is_none() {
                progress.kept(&now);
                // Judging never waits; Ctrl-C is heard here.
                tokio::task::yield_now().await;
                return Ok(());
            }
        }
        let Some(share) = self.purse.take().await else {
            progress.unmade();
            return Ok(());
        };
        progress.begin(self.agent.name(), record.id(), n);
        let scratch = self.folder.scratch();
        let made = self
            .bench
            .attempt(self.agent, record, n, share.usd, &scratch);
        let made = made.await;
        let usage = made.as_ref().ok().and_then(|(_, episode)| episode.usage);
        let cost = usage.and_then(|usage| usage.cost_usd);
        self.purse.give_back(cost.unwrap_or_default());
        let (draft, mut episode) = made?;
        self.check_build(&place, draft.recording()?)?;
        episode.lost_before =
            attempts::put_aside(&place, Aside::Lost)?.count + u32::from(again == Some(Aside::Lost));
        let metrics = judge.verdict(self.agent.name(), n, &episode).metrics;
        match again {
            Some(why) => draft.replace(&place, &metrics, why)?,
            None => draft.finish(&place, &metrics)?,
        }
        progress.made(&metrics);
        Ok(())
    }

    /// Refuses an attempt over another build of the server than that of the sweep: one that was copied here from elsewhere,
    /// or one that was made after the server had been replaced.
    fn check_build(&self, place: &Path, recording: Option<Recording>) -> Result<(), Failure> {
        let Some(recording) = recording else {
            return Ok(());
        };
        let (here, there) = (&recording.server, &self.folder.manifest.condition.server);
        let texts = |build: &ServerBuild| {
            let told = |text: &String| (!text.is_empty()).then(|| text.clone());
            [
                ("name", told(&build.name)),
                ("version", told(&build.version)),
                ("build", build.build.clone()),
                ("list of tools", build.tool_list_hash.clone()),
            ]
        };
        // What one of the two does not say is no difference.
        let differs =
            texts(here)
                .into_iter()
                .zip(texts(there))
                .find_map(|((what, here), (_, there))| {
                    let (here, there) = (here?, there?);
                    (here != there).then(|| format!("{what}: {here}, and {there} in the manifest"))
                });
        let Some(differs) = differs else {
            return Ok(());
        };
        Err(Failure::usage(
            format!(
                "{} was made over another build of the server ({differs})",
                place.display()
            ),
            "results of two builds are not comparable: give the other build another --out, and move away what it made here",
        ))
    }

    /// The counts over every attempt that is in the folder, those of earlier runs with a larger --repeat included.
    pub fn cells(&self, asked: &[Asked<'_>]) -> Result<Vec<CellEntry>, Failure> {
        let mut cells = Vec::new();
        for (record, _) in asked {
            let mut all: Vec<Metrics> = Vec::new();
            for n in self.folder.attempts(record.id())? {
                all.extend(attempts::read_metrics(
                    &self.folder.attempt(record.id(), n),
                )?);
            }
            cells.push(cell(record.id(), self.agent.name(), &all));
        }
        Ok(cells)
    }
}

/// What the attempts in a folder have cost, those that were lost and made again among them.
pub fn spent(folder: &RunFolder) -> Result<f64, Failure> {
    let mut spent = 0.0;
    for record in folder.records()? {
        let numbers = folder.attempts(&record)?;
        let there = numbers.into_iter().map(|n| folder.attempt(&record, n));
        for place in there.chain(folder.lost(&record)?) {
            let usage = attempts::read_metrics(&place)?.and_then(|metrics| metrics.usage);
            spent += usage.and_then(|usage| usage.cost_usd).unwrap_or_default();
        }
    }
    Ok(spent)
}

/// One agent at one record.
pub fn cell(record: &str, agent: &str, attempts: &[Metrics]) -> CellEntry {
    CellEntry {
        record: record.to_owned(),
        agent: agent.to_owned(),
        tally: Tally::of(attempts),
        outcomes: attempts.iter().map(|metrics| metrics.outcome).collect(),
    }
}
