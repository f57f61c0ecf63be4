//! Money: what a sweep may cost, and what each of its attempts may.
//!
//! An attempt begins only when all that it may cost is left: one that is cut short because others were expensive would say
//! something about them, and not about its agent.

use std::cell::Cell;

use sweep::Usage;
use tokio::sync::Notify;

/// Far below what anything costs, and far above the error of a sum of costs.
const NOTHING: f64 = 1e-9;

/// What is left of a sweep's money, and what attempts under way may still take of it.
#[derive(Debug)]
pub struct Purse {
    per_attempt: Option<f64>,
    sweep: Option<f64>,
    spent: Cell<f64>,
    unknown: Cell<usize>,
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
    /// A purse of which nothing has been spent. A limit of the sweep says nothing without one of each attempt.
    pub fn new(per_attempt: Option<f64>, sweep: Option<f64>) -> Self {
        Self {
            per_attempt,
            sweep,
            spent: Cell::new(0.0),
            unknown: Cell::new(0),
            under_way: Cell::new(0),
            returned: Notify::new(),
        }
    }

    /// Takes what an attempt cost. Where that is not wholly known, it may have been all that the attempt was allowed, and
    /// counts as that: a sum of what happens to be known is no limit.
    pub fn charge(&self, usage: Option<&Usage>) {
        let Some(usage) = usage else {
            return;
        };
        let known = usage.cost_usd.unwrap_or_default();
        let cost = if usage.cost_incomplete {
            self.unknown.set(self.unknown.get() + 1);
            self.per_attempt.unwrap_or_default().max(known)
        } else {
            known
        };
        self.spent.set(self.spent.get() + cost);
    }

    /// Attempts whose cost is not wholly known.
    pub fn unknown(&self) -> usize {
        self.unknown.get()
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

    /// Takes the share of an attempt back, which used so much.
    pub fn give_back(&self, usage: Option<&Usage>) {
        self.charge(usage);
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

    fn cost(usd: f64) -> Usage {
        Usage {
            cost_usd: Some(usd),
            ..Usage::default()
        }
    }

    /// Of three attempts at 0.4 each, one whose cost is told in part and one that tells none have taken all of theirs.
    #[test]
    fn what_is_not_known_counts_as_all_that_it_may_be() {
        let incomplete = |cost_usd| Usage {
            cost_usd,
            cost_incomplete: true,
            ..Usage::default()
        };
        for (usages, unknown, is_left) in [
            (vec![None, Some(Usage::default())], 0, true),
            (vec![Some(cost(0.3)), Some(cost(0.3))], 0, true),
            (vec![Some(cost(0.3)), Some(incomplete(None))], 1, false),
            (
                vec![Some(incomplete(Some(0.1))), Some(incomplete(Some(0.01)))],
                2,
                false,
            ),
            // An allowance may be overrun by one reply.
            (vec![Some(incomplete(Some(0.7)))], 1, false),
        ] {
            let purse = Purse::new(Some(0.4), Some(1.0));
            for usage in &usages {
                purse.charge(usage.as_ref());
            }
            assert_eq!(purse.unknown(), unknown, "{usages:?}");
            let taken = purse.take().now_or_never();
            assert_eq!(
                taken.map(|share| share.is_some()),
                Some(is_left),
                "{usages:?}"
            );
        }
    }

    #[test]
    fn without_a_limit_of_the_sweep_there_is_always_money() {
        for each in [None, Some(0.5)] {
            let purse = Purse::new(each, None);
            purse.charge(Some(&cost(9.0)));
            for _ in 0..3 {
                assert_eq!(purse.take().now_or_never(), Some(Some(Share { usd: each })));
            }
        }
    }

    #[test]
    fn attempts_begin_while_all_that_they_may_cost_is_left() {
        let purse = Purse::new(Some(0.4), Some(1.3));
        purse.charge(Some(&cost(0.1)));
        let take = || purse.take().now_or_never().map(|share| share.is_some());
        assert_eq!(
            (take(), take(), take()),
            (Some(true), Some(true), Some(true))
        );
        assert_eq!(take(), None, "a fourth one waits for what the others leave");
        purse.give_back(Some(&cost(0.4)));
        assert_eq!(take(), None, "and goes on waiting where they leave nothing");
        purse.give_back(Some(&cost(0.1)));
        // 0.7 are left, 0.4 of it set aside.
        assert_eq!(take(), None);
        purse.give_back(Some(&cost(0.2)));
        assert_eq!(take(), Some(true));
        purse.give_back(Some(&cost(0.2)));
        // 0.3 are left, and nobody is under way who could give some back.
        assert_eq!(take(), Some(false));
    }
}
