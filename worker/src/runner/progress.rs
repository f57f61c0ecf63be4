//! The bar at the terminal, and what is said at the end. There is no bar where standard error is no terminal.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use sweep::{Cost, Metrics, Outcome, money};

use crate::attempts::Episode;
use crate::output::Output;

/// So many reasons of losses are told at the end; most sweeps have one.
const MOST_REASONS: usize = 12;

/// How far a sweep has come.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    output: Output,
    summary: RefCell<Summary>,
}

/// What a run of the program did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Attempts that were made.
    pub made: usize,
    /// Attempts that were there before.
    pub kept: usize,
    /// Attempts that were not begun: no money was left, or the service of the model does not serve it.
    pub unmade: usize,
    /// How those that were made ended.
    pub outcomes: BTreeMap<Outcome, usize>,
    /// How many of them were lost to the infrastructure.
    pub lost: usize,
    /// What they cost, in US dollars, as far as it is known; `None` where nothing is.
    pub spent_usd: Option<f64>,
    /// Some of their costs are not known, so that the sum is a lower bound.
    pub cost_incomplete: bool,
    /// Why attempts were lost, those that were kept among them; each reason once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost_reasons: Vec<LostReason>,
}

/// Why attempts were lost to the infrastructure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LostReason {
    /// The reason, in the words of whatever failed.
    pub reason: String,
    /// How many attempts it cost.
    pub attempts: usize,
}

impl Progress {
    /// The bar of so many attempts.
    pub fn new(attempts: usize, output: Output) -> Self {
        let bar = ProgressBar::new(attempts as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {wide_msg}") {
            bar.set_style(style);
        }
        Self {
            bar,
            output,
            summary: RefCell::default(),
        }
    }

    /// An attempt begins.
    pub fn begin(&self, agent: &str, record: &str, n: u32) {
        let counts = self.summary.borrow().counts();
        let dash = if counts.is_empty() { "" } else { " — " };
        self.bar
            .set_message(format!("{counts}{dash}{agent} {record} {n}"));
    }

    /// An attempt has been made. The first one that is lost for a reason is told at once: whoever watches may know better than
    /// to go on.
    pub fn made(&self, metrics: &Metrics, episode: &Episode) {
        let mut summary = self.summary.borrow_mut();
        summary.made += 1;
        *summary.outcomes.entry(metrics.outcome).or_default() += 1;
        summary.lost += usize::from(metrics.infrastructure);
        if let Some(usage) = metrics.usage {
            if let Some(usd) = usage.cost_usd {
                *summary.spent_usd.get_or_insert(0.0) += usd;
            }
            summary.cost_incomplete |= usage.cost_incomplete;
        }
        if metrics.infrastructure && summary.note_lost(episode) {
            let (agent, record, n) = (&metrics.agent, &metrics.record, metrics.attempt);
            let why = episode.why_lost();
            self.bar.suspend(|| {
                self.output.say(format!(
                    "attempt {n} of {agent} at {record} was lost: {why}"
                ));
            });
        }
        self.bar.set_message(summary.counts());
        self.bar.inc(1);
    }

    /// An attempt was there already.
    pub fn kept(&self, episode: &Episode) {
        let mut summary = self.summary.borrow_mut();
        summary.kept += 1;
        if episode.is_lost() {
            summary.note_lost(episode);
        }
        self.bar.inc(1);
    }

    /// How many attempts were not begun so far.
    pub fn unmade_so_far(&self) -> usize {
        self.summary.borrow().unmade
    }

    /// An attempt was not begun.
    pub fn unmade(&self) {
        self.summary.borrow_mut().unmade += 1;
        self.bar.inc(1);
    }

    /// Takes the bar away and says what was done.
    pub fn finish(&self) -> Summary {
        self.bar.finish_and_clear();
        let summary = self.summary.borrow().clone();
        self.output.say(summary.words());
        summary
    }
}

impl Summary {
    /// Counts a lost attempt; whether its reason is a new one.
    fn note_lost(&mut self, episode: &Episode) -> bool {
        let reason = without_request(&episode.why_lost());
        let known = self
            .lost_reasons
            .iter_mut()
            .find(|lost| lost.reason == reason);
        if let Some(lost) = known {
            lost.attempts += 1;
            return false;
        }
        self.lost_reasons.push(LostReason {
            reason,
            attempts: 1,
        });
        true
    }

    fn counts(&self) -> String {
        let counts = self.outcomes.iter();
        let mut parts: Vec<String> = counts
            .map(|(outcome, count)| format!("{count} {outcome}"))
            .collect();
        if self.lost > 0 {
            parts.push(format!("{} of them lost to the infrastructure", self.lost));
        }
        if self.spent_usd.is_some() {
            parts.push(money(Cost {
                usd: self.spent_usd,
                incomplete: self.cost_incomplete,
                of: 0,
            }));
        }
        parts.join(", ")
    }

    fn words(&self) -> String {
        let mut words = format!("{} attempts made", self.made);
        let counts = self.counts();
        if !counts.is_empty() {
            // Writing to a text never fails.
            let _ = write!(words, " ({counts})");
        }
        let _ = write!(words, ", {} kept from before", self.kept);
        if self.unmade > 0 {
            let _ = write!(words, ", {} not made", self.unmade);
        }
        let lost: usize = self.lost_reasons.iter().map(|lost| lost.attempts).sum();
        if lost > 0 {
            let _ = write!(
                words,
                "\n{lost} of these were lost to the infrastructure: `--retry infrastructure` makes them again, and keeps the \
                 lost ones beside"
            );
        }
        for LostReason { reason, attempts } in self.lost_reasons.iter().take(MOST_REASONS) {
            let _ = write!(words, "\n  {attempts} × {reason}");
        }
        let more = self.lost_reasons.len().saturating_sub(MOST_REASONS);
        if more > 0 {
            let _ = write!(
                words,
                "\n  and {more} other reasons, each in its attempt's metrics.json"
            );
        }
        words
    }
}

/// A reason without the number that a service gives to each request: for the same reason it is another one each time.
pub(super) fn without_request(reason: &str) -> String {
    const START: &str = " (request ";
    // The last one: a service may say `request` in words of its own, and a number has no blanks.
    let parts = reason.rsplit_once(START).and_then(|(before, rest)| {
        let (number, after) = rest.split_once(')')?;
        (!number.contains(' ')).then(|| format!("{before}{after}"))
    });
    parts.unwrap_or_else(|| reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_the_same_in_every_request() {
        for (reason, expected) in [
            (
                "HTTP 529, busy (request req_1); given up after 8 tries",
                "HTTP 529, busy; given up after 8 tries",
            ),
            ("HTTP 401 (request a)", "HTTP 401"),
            ("HTTP 401 (request a", "HTTP 401 (request a"),
            (
                "HTTP 402, quota is used up (request an increase) (request req_1)",
                "HTTP 402, quota is used up (request an increase)",
            ),
            (
                "HTTP 402, quota is used up (request an increase)",
                "HTTP 402, quota is used up (request an increase)",
            ),
            ("no licence (3)", "no licence (3)"),
        ] {
            assert_eq!(without_request(reason), expected);
        }
    }
}
