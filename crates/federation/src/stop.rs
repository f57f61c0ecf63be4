//! Stopping an evaluation in the middle of its work.
//!
//! The evaluator looks at its cancellation token where it reads a quad and nowhere else, and a join of two lists that it
//! has read works for hours between two of them. There is one thing that every operator does for every row: it copies
//! terms. So an evaluation is stopped there, by unwinding to where it began; a copy has no other way to fail.

use crate::query::Cancel;
use crate::terms::TermId;
use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;

thread_local! {
    /// What stops the evaluation that runs on this thread; an evaluation never leaves the thread on which it began.
    static RUNNING: RefCell<Option<Cancel>> = const { RefCell::new(None) };
    /// How many steps it may still take.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// While it lives, [`point`] unwinds as soon as its [`Cancel`] says so.
pub(crate) struct Stoppable {
    before: Option<Cancel>,
    left_before: u64,
}

impl Stoppable {
    pub(crate) fn by(cancel: &Cancel) -> Self {
        Self {
            before: RUNNING.replace(Some(cancel.clone())),
            left_before: LEFT.replace(cancel.steps().unwrap_or(u64::MAX)),
        }
    }
}

impl Drop for Stoppable {
    fn drop(&mut self) {
        RUNNING.replace(self.before.take());
        LEFT.set(self.left_before);
    }
}

/// Goes on, or unwinds out of an evaluation that was cancelled. Where nothing unwinds, as in a page, this is left to the
/// evaluator: there no second thread could cancel in the middle either.
#[inline]
pub(crate) fn point() {
    let left = LEFT.get();
    LEFT.set(left.saturating_sub(1));
    let is_cancelled = RUNNING.with_borrow(|running| {
        running.as_ref().is_some_and(|running| {
            if left == 0 {
                running.cancel();
            }
            running.is_cancelled()
        })
    });
    if cfg!(panic = "unwind") && is_cancelled {
        // Unlike a panic this prints nothing: it is no breakdown.
        resume_unwind(Box::new("cancelled"));
    }
}

/// A term as the evaluator holds it: its number.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Held(pub(crate) TermId);

impl Clone for Held {
    #[inline]
    fn clone(&self) -> Self {
        point();
        Self(self.0)
    }
}
