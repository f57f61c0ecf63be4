//! What answers may cost together.

use std::cell::Cell;

use sweep::Usage;

/// What the answers have cost. A cost that is not wholly known counts as what of it is known and as the dearest of the whole ones: a sum
/// of what happens to be known is no limit.
pub(super) struct Money {
    most: Option<f64>,
    known: Cell<f64>,
    unknown: Cell<u32>,
    dearest: Cell<Option<f64>>,
}

impl Money {
    /// Nothing has been spent; `most` is what may be, in US dollars.
    pub(super) fn new(most: Option<f64>) -> Self {
        Self {
            most,
            known: Cell::new(0.0),
            unknown: Cell::new(0),
            dearest: Cell::new(None),
        }
    }

    pub(super) fn charge(&self, usage: &Usage) {
        if usage.cost_incomplete {
            self.unknown.set(self.unknown.get() + 1);
        } else if let Some(usd) = usage.cost_usd {
            let dearest = self.dearest.get().unwrap_or_default();
            self.dearest.set(Some(dearest.max(usd)));
        }
        self.known
            .set(self.known.get() + usage.cost_usd.unwrap_or_default());
    }

    /// Why nothing more may be asked; `None` where something may.
    pub(super) fn used_up(&self) -> Option<String> {
        let most = self.most?;
        let unknown = self.unknown.get();
        let dearest = match (unknown, self.dearest.get()) {
            (0, _) => 0.0,
            (_, Some(dearest)) => dearest,
            (_, None) => {
                return Some(
                    "--max-usd cannot be kept to while of no reply the whole cost is known: leave it out, ask a service that tells its tokens, or give all of \
                     their prices"
                        .to_owned(),
                );
            }
        };
        let spent = self.known.get() + f64::from(unknown) * dearest;
        if spent < most {
            return None;
        }
        let counted = match unknown {
            0 => String::new(),
            _ => format!(
                "; costs that are not known, {unknown} of them, count as the dearest that is"
            ),
        };
        Some(format!("--max-usd is reached{counted}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_counts_as_the_dearest_that_is() {
        let usage = |cost_usd, cost_incomplete| Usage {
            cost_usd,
            cost_incomplete,
            ..Usage::default()
        };
        let whole = |usd| usage(Some(usd), false);
        for (usages, expected) in [
            (vec![], None),
            (vec![whole(0.5), whole(0.49)], None),
            (vec![whole(0.5), whole(0.5)], Some("is reached")),
            // Nothing was sent, and nothing is owed.
            (vec![usage(None, false)], None),
            (vec![usage(None, true)], Some("cannot be kept")),
            (vec![usage(Some(0.1), true)], Some("cannot be kept")),
            (vec![usage(None, true), whole(0.4)], None),
            (
                vec![usage(None, true), whole(0.4), usage(Some(0.2), true)],
                Some("2 of them"),
            ),
            (vec![whole(0.1), whole(0.3), usage(None, true)], None),
            (
                vec![whole(0.1), whole(0.5), usage(None, true)],
                Some("1 of them"),
            ),
        ] {
            for most in [Some(1.0), None] {
                let money = Money::new(most);
                for usage in &usages {
                    money.charge(usage);
                }
                let told = money.used_up();
                let expected = expected.filter(|_| most.is_some());
                assert_eq!(told.is_some(), expected.is_some(), "{usages:?}: {told:?}");
                assert!(
                    told.unwrap_or_default().contains(expected.unwrap_or("")),
                    "{usages:?}"
                );
            }
        }
    }
}
