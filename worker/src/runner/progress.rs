//! The bar at the terminal; there is none where standard error is not one.

use std::cell::Cell;

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::Output;

/// How far a sweep has come.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    kept: Cell<usize>,
    made: Cell<usize>,
}

impl Progress {
    /// The bar of so many attempts.
    pub fn new(attempts: usize) -> Self {
        let bar = ProgressBar::new(attempts as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {msg}") {
            bar.set_style(style);
        }
        Self {
            bar,
            kept: Cell::new(0),
            made: Cell::new(0),
        }
    }

    /// An attempt begins.
    pub fn begin(&self, agent: &str, record: &str, n: u32) {
        self.bar.set_message(format!("{agent} {record} {n}"));
    }

    /// An attempt has been made.
    pub fn done(&self) {
        self.made.set(self.made.get() + 1);
        self.bar.inc(1);
    }

    /// An attempt was there already.
    pub fn kept(&self) {
        self.kept.set(self.kept.get() + 1);
        self.bar.inc(1);
    }

    /// Takes the bar away and says what was done.
    pub fn finish(&self, output: Output) {
        self.bar.finish_and_clear();
        output.say(format!(
            "{} attempts made, {} kept from before",
            self.made.get(),
            self.kept.get()
        ));
    }
}
