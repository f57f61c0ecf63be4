//! Money: what a sweep may cost, and what each of its attempts may.

use std::cell::Cell;

use tokio::sync::Notify;

/// What is left of a sweep's money, and what attempts under way may still take of it.
#[derive(Debug)]
pub struct Purse {
    per_attempt: Option<f64>,
    sweep: Option<f64>,
    /// Attempts that may be under way at the same time.
    concurrency: usize,
    spent: Cell<f64>,
    reserved: Cell<f64>,
    under_way: Cell<usize>,
    returned: Notify,
}

/// What one attempt may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// US dollars; `None` for no limit.
    pub usd: Option<f64>,
}

impl Purse {
    /// A purse from which `spent` has been taken before.
    pub fn new(
        per_attempt: Option<f64>,
        sweep: Option<f64>,
        concurrency: usize,
        spent: f64,
    ) -> Self {
        Self {
            per_attempt,
            sweep,
            concurrency: concurrency.max(1),
            spent: Cell::new(spent),
            reserved: Cell::new(0.0),
            under_way: Cell::new(0),
            returned: Notify::new(),
        }
    }

    /// Sets aside what the next attempt may cost, once there is enough of it; `None` when the sweep's money is used up.
    pub async fn take(&self) -> Option<Share> {
        loop {
            let Some(sweep) = self.sweep else {
                return Some(self.set_aside(self.per_attempt));
            };
            let left = sweep - self.spent.get();
            let free = left - self.reserved.get();
            let wanted = self.per_attempt.unwrap_or(left / self.concurrency as f64);
            if wanted > 0.0 && free >= wanted {
                return Some(self.set_aside(Some(wanted)));
            }
            if self.under_way.get() == 0 {
                return (free > 0.0).then(|| self.set_aside(Some(free)));
            }
            // What those under way do not use comes back.
            self.returned.notified().await;
        }
    }

    /// Takes a share back, of which `cost` was used.
    pub fn give_back(&self, share: Share, cost: f64) {
        self.spent.set(self.spent.get() + cost);
        self.reserved
            .set(self.reserved.get() - share.usd.unwrap_or_default());
        self.under_way.set(self.under_way.get() - 1);
        self.returned.notify_waiters();
    }

    /// What has been used so far.
    pub fn spent(&self) -> f64 {
        self.spent.get()
    }

    fn set_aside(&self, usd: Option<f64>) -> Share {
        self.reserved
            .set(self.reserved.get() + usd.unwrap_or_default());
        self.under_way.set(self.under_way.get() + 1);
        Share { usd }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[test]
    fn shares_never_exceed_what_is_left() {
        let usd = |purse: &Purse| {
            purse
                .take()
                .now_or_never()
                .map(|share| share.and_then(|share| share.usd))
        };
        // No limit at all; a limit for each attempt alone.
        assert_eq!(usd(&Purse::new(None, None, 2, 9.0)), Some(None));
        assert_eq!(usd(&Purse::new(Some(0.5), None, 2, 9.0)), Some(Some(0.5)));

        let purse = Purse::new(Some(0.4), Some(1.0), 4, 0.0);
        assert_eq!(
            (usd(&purse), usd(&purse)),
            (Some(Some(0.4)), Some(Some(0.4)))
        );
        assert_eq!(
            usd(&purse),
            None,
            "a third one waits for what the others leave"
        );
        purse.give_back(Share { usd: Some(0.4) }, 0.1);
        assert_eq!(usd(&purse), Some(Some(0.4)));
        purse.give_back(Share { usd: Some(0.4) }, 0.4);
        purse.give_back(Share { usd: Some(0.4) }, 0.3);
        // 0.2 are left: less than an attempt may cost, and all that one is given.
        let last = purse.take().now_or_never().flatten().unwrap();
        assert!((last.usd.unwrap() - 0.2).abs() < 1e-9, "{last:?}");
        purse.give_back(last, 0.25);
        assert_eq!(
            purse.take().now_or_never(),
            Some(None),
            "the money is used up"
        );
        assert!((purse.spent() - 1.05).abs() < 1e-9);
    }

    #[test]
    fn without_a_limit_for_each_attempt_those_under_way_share_what_is_left() {
        let purse = Purse::new(None, Some(1.0), 2, 0.5);
        let first = purse.take().now_or_never().flatten().unwrap();
        let second = purse.take().now_or_never().flatten().unwrap();
        assert_eq!((first.usd, second.usd), (Some(0.25), Some(0.25)));
    }
}
