//! Sweeps: attempts after attempts, each of them whole in its folder or not there.

mod attempt;
mod canary;
mod plan;
mod progress;
mod purse;

pub use attempt::{Allowance, Bench, Made};
pub use canary::{Greeting, greet};
pub use plan::{Does, Plan, Step};
use progress::without_request;
pub use progress::{LostReason, Progress, Summary};
pub use purse::Purse;

use std::cell::RefCell;
use std::path::Path;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use record::Record;
use sweep::{CellEntry, Metrics, Recording, ServerBuild, Tally, Usage};

use crate::agent::Agent;
use crate::attempts::{Aside, Episode};
use crate::judge::Judge;
use crate::runs::RunFolder;
use crate::{Failure, attempts};

/// So many attempts one after the other are denied by the service of the model before the sweep is given up: one alone may be
/// an accident, and a wrong key need not be shown to every record.
const DENIALS: u32 = 2;

/// One agent's sweep.
#[derive(Debug)]
pub struct Sweep<'a> {
    /// Who makes the attempts.
    pub agent: &'a Agent,
    /// What each attempt is made with.
    pub bench: &'a Bench,
    /// Where they go.
    pub folder: RunFolder,
    /// What they may cost.
    pub purse: Purse,
    /// Whether its model is served at all.
    pub denial: Denial,
}

/// Whether the service of a model denies it.
#[derive(Debug, Default)]
pub struct Denial(RefCell<Denied>);

#[derive(Debug, Default)]
struct Denied {
    /// Attempts one after the other.
    in_a_row: u32,
    /// What the service said last.
    words: String,
    /// Attempts that were not begun for that.
    unmade: usize,
}

impl Denial {
    /// What the service said, and how many attempts were not begun for that; nothing where the model is served.
    pub fn told(&self) -> Option<(String, usize)> {
        let denied = self.0.borrow();
        (denied.in_a_row >= DENIALS).then(|| (denied.words.clone(), denied.unmade))
    }

    /// Whether an attempt is not to be begun.
    fn stops(&self) -> bool {
        let mut denied = self.0.borrow_mut();
        let stops = denied.in_a_row >= DENIALS;
        denied.unmade += usize::from(stops);
        stops
    }

    fn note(&self, is_denied: bool, episode: &Episode) {
        let mut denied = self.0.borrow_mut();
        if is_denied {
            denied.in_a_row += 1;
            denied.words = without_request(&episode.why_lost());
        } else if denied.in_a_row < DENIALS {
            // What was under way when the sweep was given up does not take that back.
            denied.in_a_row = 0;
        }
    }
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
        let steps = plan.steps.iter().filter_map(|step| {
            let asked = asked
                .iter()
                .find(|(record, _)| record.id() == step.record)?;
            Some((step, asked))
        });
        stream::iter(steps)
            .map(|(step, (record, judge))| self.one(record, judge, step, progress))
            .buffer_unordered(concurrency)
            .try_collect()
            .await
    }

    async fn one(
        &self,
        record: &Record,
        judge: &Judge<'_>,
        step: &Step,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let n = step.attempt;
        let place = self.folder.attempt(record.id(), n);
        if step.does != Does::Make
            && let Some((episode, before)) = attempts::read(&place)?
        {
            self.check_build(&place, attempts::read_recording(&place)?)?;
            let now = judge.verdict(self.agent.name(), n, &episode).metrics;
            if now != before {
                attempts::write_metrics(&place, &now)?;
            }
            if step.does == Does::Keep {
                progress.kept(&episode);
                // Judging never waits; Ctrl-C is heard here.
                tokio::task::yield_now().await;
                return Ok(());
            }
        }
        let share = self.purse.take().await;
        // Asked after the wait for money, in which others may have been denied.
        let is_denied = self.denial.stops();
        let share = match share {
            Some(share) if !is_denied => share,
            share => {
                if share.is_some() {
                    self.purse.give_back(None);
                }
                progress.unmade();
                return Ok(());
            }
        };
        progress.begin(self.agent.name(), record.id(), n);
        let scratch = self.folder.scratch();
        let made = self
            .bench
            .attempt(self.agent, record, n, share.usd, &scratch);
        let made = made.await;
        let usage = made.as_ref().ok().and_then(|made| made.episode.usage);
        self.purse.give_back(usage.as_ref());
        let Made {
            draft,
            mut episode,
            is_denied,
        } = made?;
        self.denial.note(is_denied, &episode);
        self.check_build(&place, draft.recording()?)?;
        let is_again = |why| u32::from(step.does == Does::MakeAgain(why));
        episode.lost_before =
            attempts::kept_aside(&place, Aside::Lost)?.count + is_again(Aside::Lost);
        let metrics = judge.verdict(self.agent.name(), n, &episode).metrics;
        match step.does {
            Does::MakeAgain(why) => draft.replace(&place, &metrics, why)?,
            Does::Make | Does::Keep => draft.finish(&place, &metrics)?,
        }
        progress.made(&metrics, &episode);
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

/// What the attempts in a folder have used, those that were lost and made again among them.
pub fn used(folder: &RunFolder) -> Result<Vec<Usage>, Failure> {
    let mut used = Vec::new();
    for record in folder.records()? {
        let numbers = folder.attempts(&record)?;
        let there = numbers.into_iter().map(|n| folder.attempt(&record, n));
        for place in there.chain(folder.lost(&record)?) {
            used.extend(attempts::read_metrics(&place)?.and_then(|metrics| metrics.usage));
        }
    }
    Ok(used)
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

#[cfg(test)]
mod tests {
    use sweep::{Flags, Outcome};

    use super::*;

    /// Attempts that are made at the same time end after a denial that they know nothing of.
    #[test]
    fn what_ends_after_two_denials_does_not_take_them_back() {
        let episode = Episode {
            outcome: Outcome::AgentError,
            flags: Flags::default(),
            seconds: 1.0,
            waiting_seconds: None,
            usage: None,
            answer: None,
            calls: Vec::new(),
            model: None,
            reason: Some("HTTP 401 (request a)".to_owned()),
            lost_before: 0,
        };
        for (ends, stops) in [
            (vec![true, true], true),
            (vec![true, true, false], true),
            (vec![true, true, false, false, true], true),
            (vec![true, false, true], false),
            (vec![false, true], false),
        ] {
            let denial = Denial::default();
            for is_denied in &ends {
                denial.note(*is_denied, &episode);
            }
            let expected = stops.then(|| ("HTTP 401".to_owned(), 0));
            assert_eq!(denial.told(), expected, "{ends:?}");
            assert_eq!(denial.stops(), stops, "{ends:?}");
        }
    }
}
