//! Money: what a sweep may cost, and what each of its attempts may.
//!
//! An attempt begins only when all that it may cost is left: one that is cut short because others were expensive would say
//! something about them, and not about its agent.

use std::cell::Cell;

use tokio::sync::Notify;

/// Far below what anything costs, and far above the error of a sum of costs.
const NOTHING: f64 = 1e-9;

/// What is left of a sweep's money, and what attempts under way may still take of it.
#[derive(Debug)]
pub struct Purse {
    per_attempt: Option<f64>,
    sweep: Option<f64>,
    spent: Cell<f64>,
    under_way: Cell<u32>,
    returned: Notify,
}

/// What one attempt may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// US dollars; `None` for no limit.
    pub usd: Option<f64>,
}

impl Purse {
    /// A purse from which `spent` has been taken before. A limit of the sweep says nothing without one of each attempt.
    pub fn new(per_attempt: Option<f64>, sweep: Option<f64>, spent: f64) -> Self {
        Self {
            per_attempt,
            sweep,
            spent: Cell::new(spent),
            under_way: Cell::new(0),
            returned: Notify::new(),
        }
    }

    /// Sets aside what the next attempt may cost, once that is there; `None` when the sweep's money does not reach for it.
    pub async fn take(&self) -> Option<Share> {
        let (Some(each), Some(sweep)) = (self.per_attempt, self.sweep) else {
            return Some(self.set_aside());
        };
        loop {
            let set_aside = f64::from(self.under_way.get()) * each;
            if sweep - self.spent.get() - set_aside + NOTHING >= each {
                return Some(self.set_aside());
            }
            if self.under_way.get() == 0 {
                return None;
            }
            // What those under way do not use comes back.
            self.returned.notified().await;
        }
    }

    /// Takes the share of an attempt back, which cost so much.
    pub fn give_back(&self, cost: f64) {
        self.spent.set(self.spent.get() + cost);
        self.under_way.set(self.under_way.get().saturating_sub(1));
        self.returned.notify_waiters();
    }

    fn set_aside(&self) -> Share {
        self.under_way.set(self.under_way.get() + 1);
        Share {
            usd: self.per_attempt,
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[test]
    fn without_a_limit_of_the_sweep_there_is_always_money() {
        for each in [None, Some(0.5)] {
            let purse = Purse::new(each, None, 9.0);
            for _ in 0..3 {
                assert_eq!(purse.take().now_or_never(), Some(Some(Share { usd: each })));
            }
        }
    }

    #[test]
    fn attempts_begin_while_all_that_they_may_cost_is_left() {
        let purse = Purse::new(Some(0.4), Some(1.3), 0.1);
        let take = || purse.take().now_or_never().map(|share| share.is_some());
        assert_eq!(
            (take(), take(), take()),
            (Some(true), Some(true), Some(true))
        );
        assert_eq!(take(), None, "a fourth one waits for what the others leave");
        purse.give_back(0.4);
        assert_eq!(take(), None, "and goes on waiting where they leave nothing");
        purse.give_back(0.1);
        // 0.7 are left, 0.4 of it set aside.
        assert_eq!(take(), None);
        purse.give_back(0.2);
        assert_eq!(take(), Some(true));
        purse.give_back(0.2);
        // 0.3 are left, and nobody is under way who could give some back.
        assert_eq!(take(), Some(false));
    }
}
