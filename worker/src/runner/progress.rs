//! The bar at the terminal, and what is said at the end. There is no bar where standard error is no terminal.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use sweep::{Cost, Metrics, Outcome, money};

use crate::output::Output;

/// How far a sweep has come.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    summary: RefCell<Summary>,
}

/// What a run of the program did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Attempts that were made.
    pub made: usize,
    /// Attempts that were there before.
    pub kept: usize,
    /// Attempts for which no money was left.
    pub unmade: usize,
    /// How those that were made ended.
    pub outcomes: BTreeMap<Outcome, usize>,
    /// How many of them were lost to the infrastructure.
    pub lost: usize,
    /// What they cost, in US dollars, as far as it is known; `None` where nothing is.
    pub spent_usd: Option<f64>,
    /// Some of their costs are not known, so that the sum is a lower bound.
    pub cost_incomplete: bool,
    /// How many of those that were kept had been lost.
    #[serde(skip)]
    lost_before: usize,
}

impl Progress {
    /// The bar of so many attempts.
    pub fn new(attempts: usize) -> Self {
        let bar = ProgressBar::new(attempts as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {wide_msg}") {
            bar.set_style(style);
        }
        Self {
            bar,
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

    /// An attempt has been made.
    pub fn made(&self, metrics: &Metrics) {
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
        self.bar.set_message(summary.counts());
        self.bar.inc(1);
    }

    /// An attempt was there already.
    pub fn kept(&self, metrics: &Metrics) {
        let mut summary = self.summary.borrow_mut();
        summary.kept += 1;
        summary.lost_before += usize::from(metrics.infrastructure);
        self.bar.inc(1);
    }

    /// There was no money for an attempt.
    pub fn unmade(&self) {
        self.summary.borrow_mut().unmade += 1;
        self.bar.inc(1);
    }

    /// Takes the bar away and says what was done.
    pub fn finish(&self, output: Output) -> Summary {
        self.bar.finish_and_clear();
        let summary = self.summary.borrow().clone();
        output.say(summary.words());
        summary
    }
}

impl Summary {
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
        let lost = self.lost + self.lost_before;
        if lost > 0 {
            let _ = write!(
                words,
                "\n{lost} of these were lost to the infrastructure: `--retry infrastructure` makes them again, and keeps the \
                 lost ones beside"
            );
        }
        words
    }
}
