//! A stage of the checks: what it is called, what it did, how long it took.

use std::time::{Duration, Instant};

use crate::tally::Tally;

/// One check among those that `cargo xtask test` runs.
pub(crate) struct Stage {
    /// What `--only` and `--skip` say.
    pub(crate) name: &'static str,
    /// What it checks, for the listing.
    pub(crate) about: &'static str,
    /// Runs only with `--full`.
    pub(crate) full: bool,
    pub(crate) run: fn(&mut Tally) -> anyhow::Result<Done>,
}

/// How a stage that did not fail ended.
pub(crate) enum Done {
    Passed,
    /// What ran passed, and this did not run: said at the end as well, and counted as skipped.
    InPart(String),
    /// The machine lacks something that cannot be installed here: said at the end as well, never silently passed.
    Skipped(String),
}

/// A stage after it ran.
pub(crate) struct Report {
    pub(crate) name: &'static str,
    pub(crate) outcome: Outcome,
    pub(crate) took: Duration,
    pub(crate) tally: Tally,
}

pub(crate) enum Outcome {
    Passed,
    Failed(String),
    InPart(String),
    Skipped(String),
}

impl Stage {
    pub(crate) fn report(&self) -> Report {
        println!("\n=== {}: {}", self.name, self.about);
        let start = Instant::now();
        let mut tally = Tally::default();
        let outcome = match (self.run)(&mut tally) {
            Ok(Done::Passed) => Outcome::Passed,
            Ok(Done::InPart(why)) => Outcome::InPart(why),
            Ok(Done::Skipped(why)) => Outcome::Skipped(why),
            Err(error) => Outcome::Failed(format!("{error:#}")),
        };
        match &outcome {
            Outcome::Passed => {}
            Outcome::Failed(why) => println!("{} failed: {why}", self.name),
            Outcome::InPart(why) => println!("{} skipped in part: {why}", self.name),
            Outcome::Skipped(why) => println!("{} skipped: {why}", self.name),
        }
        // A stage without a test runner counts as one check.
        if tally == Tally::default() {
            match outcome {
                Outcome::Passed | Outcome::InPart(_) => tally.passed = 1,
                Outcome::Failed(_) => tally.failed = 1,
                Outcome::Skipped(_) => tally.skipped = 1,
            }
        } else if matches!(outcome, Outcome::Failed(_)) && tally.failed == 0 {
            // The runner itself broke: its passed tests must not hide that.
            tally.failed = 1;
        }
        // What tests left out, their runner counted.
        if matches!(outcome, Outcome::InPart(_)) && tally.skipped == 0 {
            tally.skipped = 1;
        }
        Report {
            name: self.name,
            outcome,
            took: start.elapsed(),
            tally,
        }
    }
}
