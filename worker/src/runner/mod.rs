//! Sweeps: attempts after attempts, each of them whole in its folder or not there.

mod attempt;
mod progress;

pub use attempt::{Allowance, Bench};
pub use progress::Progress;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use record::Record;
use sweep::{CellEntry, Metrics, Tally};

use crate::agent::Agent;
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
}

/// A record with what judges its attempts.
pub type Asked<'a> = (&'a Record, Judge<'a>);

impl Sweep<'_> {
    /// Makes the attempts that are missing, `concurrency` of them at a time, and judges again those that are there. First
    /// attempts come first, so that a sweep that is stopped has looked at every record.
    ///
    /// Attempts are polled here and not spawned: where this future is dropped, all that is under way ends with it.
    pub async fn run(
        &self,
        asked: &[Asked<'_>],
        repeat: u32,
        concurrency: usize,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let places = (1..=repeat).flat_map(|n| asked.iter().map(move |asked| (n, asked)));
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
        progress.begin(self.agent.name(), record.id(), n);
        let place = self.folder.attempt(record.id(), n);
        if let Some((episode, before)) = attempts::read(&place)? {
            let now = judge.verdict(self.agent.name(), n, &episode).metrics;
            if now != before {
                attempts::write_metrics(&place, &now)?;
            }
            progress.kept();
            // Judging never waits; Ctrl-C is heard here.
            tokio::task::yield_now().await;
            return Ok(());
        }
        let (draft, episode) = self
            .bench
            .attempt(self.agent, record, n, &self.folder.scratch())
            .await?;
        let metrics = judge.verdict(self.agent.name(), n, &episode).metrics;
        draft.finish(&place, &metrics)?;
        progress.done();
        Ok(())
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

/// One agent at one record.
pub fn cell(record: &str, agent: &str, attempts: &[Metrics]) -> CellEntry {
    CellEntry {
        record: record.to_owned(),
        agent: agent.to_owned(),
        tally: Tally::of(attempts),
        outcomes: attempts.iter().map(|metrics| metrics.outcome).collect(),
    }
}
