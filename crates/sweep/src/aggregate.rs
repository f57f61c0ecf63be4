//! Counts over the attempts of one agent at one record.

use serde::{Deserialize, Serialize};

use crate::{Metrics, Obedience};

/// Counts over the attempts of one agent at one record; every rate names its denominator.
///
/// `asked = answered + unanswered + infrastructure`. Attempts lost to the infrastructure say nothing about the agent
/// and leave every rate; they are shown, never repaired.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Attempts made.
    pub asked: u32,
    /// Attempts with something submitted.
    pub answered: u32,
    /// Attempts without, by the agent's own doing.
    pub unanswered: u32,
    /// Attempts lost to the infrastructure.
    pub infrastructure: u32,
    /// Answers whose rows are exactly the key's.
    pub exact: u32,
    /// Answers that are exact and in the key's sequence.
    pub ordered: u32,
    /// Right answers: exact and, where the agent was told not to expand, also obedient.
    pub right: u32,
    /// Mean f1 over the counted attempts, those without an answer taken as 0; `None` when nothing counted.
    pub mean_f1: Option<f64>,
    /// Mean f1 over all attempts as published figures elsewhere are counted: nothing submitted is an empty table.
    pub raw_mean_f1: Option<f64>,
    /// Share of the counted attempts that are right; `None` when nothing counted.
    pub right_rate: Option<f64>,
    /// Chance that at least one of `asked` attempts is right; `None` unless every one of them counted.
    pub pass_at_asked: Option<f64>,
    /// Attempts that were lost to the infrastructure and made again: kept beside the others, and no part of `asked`.
    #[serde(default, skip_serializing_if = "crate::attempt::is_zero")]
    pub retried: u32,
    /// How often the agent did as it was told, over the counted attempts; all zero outside the `exact` arm.
    pub obedience: ObedienceCounts,
}

/// How often an agent did as it was told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObedienceCounts {
    /// Attempts that obeyed.
    pub obeyed: u32,
    /// Attempts that did not.
    pub disobeyed: u32,
    /// Attempts that prove neither.
    pub unproven: u32,
}

impl Tally {
    /// The counts over some attempts, in any order.
    pub fn of<'a>(attempts: impl IntoIterator<Item = &'a Metrics>) -> Self {
        let mut tally = Self::default();
        let (mut f1, mut raw_f1) = (0.0, 0.0);
        for attempt in attempts {
            tally.asked += 1;
            tally.retried += attempt.lost_before;
            raw_f1 += attempt.raw.f1;
            if attempt.infrastructure {
                tally.infrastructure += 1;
                continue;
            }
            match attempt.obedience {
                Some(Obedience::Obeyed) => tally.obedience.obeyed += 1,
                Some(Obedience::Disobeyed) => tally.obedience.disobeyed += 1,
                Some(Obedience::Unproven) => tally.obedience.unproven += 1,
                None => {}
            }
            let Some(scores) = attempt.scores else {
                tally.unanswered += 1;
                continue;
            };
            tally.answered += 1;
            f1 += scores.f1;
            tally.exact += u32::from(scores.exact);
            tally.ordered += u32::from(scores.ordered == Some(true));
            tally.right += u32::from(
                scores.exact
                    && attempt
                        .obedience
                        .is_none_or(|told| told == Obedience::Obeyed),
            );
        }
        let counted = tally.counted();
        let mean = |sum: f64, of: u32| (of > 0).then(|| sum / f64::from(of));
        tally.mean_f1 = mean(f1, counted);
        tally.raw_mean_f1 = mean(raw_f1, tally.asked);
        tally.right_rate = mean(f64::from(tally.right), counted);
        tally.pass_at_asked = tally.pass_at(tally.asked);
        tally
    }

    /// Attempts that say something about the agent: the denominator of every rate here.
    pub fn counted(&self) -> u32 {
        self.answered + self.unanswered
    }

    /// Chance that at least one of `k` attempts is right, `1 − C(n−c, k) / C(n, k)` for `c` right among `n` counted
    /// (Chen et al. 2021, "Evaluating Large Language Models Trained on Code"); `None` for fewer than `k` counted.
    pub fn pass_at(&self, k: u32) -> Option<f64> {
        let counted = self.counted();
        if k == 0 || k > counted {
            return None;
        }
        let wrong = counted - self.right;
        if k > wrong {
            return Some(1.0);
        }
        let all_wrong: f64 = (0..k)
            .map(|i| f64::from(wrong - i) / f64::from(counted - i))
            .product();
        Some(1.0 - all_wrong)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::{Flags, Outcome, Scores, Version};

    fn attempt(outcome: Outcome, f1: Option<f64>, obedience: Option<Obedience>) -> Metrics {
        let flags = Flags {
            lost_upstream: outcome == Outcome::Timeout,
            ..Flags::default()
        };
        let scores = f1.map(|f1| Scores {
            exact: f1 >= 1.0,
            ordered: Some(f1 >= 1.0),
            f1,
            precision: f1,
            recall: f1,
        });
        Metrics {
            format: Version,
            record: "nde-expand_autoimmune".into(),
            attempt: 1,
            agent: "baseline:reference".into(),
            outcome,
            flags,
            infrastructure: crate::infrastructure(outcome, flags, &[]),
            obedience,
            scores,
            raw: scores.unwrap_or(Scores::NOTHING),
            rows: 0,
            key_rows: 15,
            key_hash: String::new(),
            answer_error: None,
            seconds: 0.0,
            waiting_seconds: None,
            server_seconds: 0.0,
            calls: 0,
            calls_after_loss: 0,
            upstream_soft_errors: 0,
            usage: None,
            model: None,
            reason: None,
            lost_before: 0,
            evidence: BTreeSet::new(),
            evidence_calls: BTreeMap::new(),
        }
    }

    #[test]
    fn three_lost_one_right_one_wrong_are_all_shown_and_rates_leave_the_lost_out() {
        let lost = attempt(Outcome::Timeout, None, None);
        let five = [
            lost.clone(),
            attempt(Outcome::Answered, Some(1.0), None),
            lost.clone(),
            attempt(Outcome::Answered, Some(0.5), None),
            lost,
        ];
        let tally = Tally::of(&five);
        assert_eq!(
            (
                tally.asked,
                tally.answered,
                tally.unanswered,
                tally.infrastructure
            ),
            (5, 2, 0, 3)
        );
        assert_eq!((tally.exact, tally.ordered, tally.right), (1, 1, 1));
        assert_eq!(tally.right_rate, Some(0.5));
        assert_eq!(tally.mean_f1, Some(0.75));
        assert_eq!(tally.pass_at_asked, None, "five were asked, two counted");
        assert_eq!(tally.pass_at(1), Some(0.5));
        assert_eq!(tally.pass_at(2), Some(1.0));
    }

    #[test]
    fn an_agent_that_says_nothing_counts_and_scores_nothing() {
        let silent = attempt(Outcome::NoAnswer, None, None);
        let tally = Tally::of([&silent, &attempt(Outcome::Answered, Some(1.0), None)]);
        assert_eq!((tally.answered, tally.unanswered), (1, 1));
        assert_eq!(tally.mean_f1, Some(0.5));
    }

    #[test]
    fn exact_without_obedience_is_not_right() {
        let attempts = [
            attempt(Outcome::AnsweredEmpty, Some(1.0), Some(Obedience::Unproven)),
            attempt(Outcome::AnsweredEmpty, Some(1.0), Some(Obedience::Obeyed)),
            attempt(Outcome::Answered, Some(0.0), Some(Obedience::Disobeyed)),
        ];
        let tally = Tally::of(&attempts);
        assert_eq!((tally.exact, tally.right), (2, 1));
        assert_eq!(
            tally.obedience,
            ObedienceCounts {
                obeyed: 1,
                disobeyed: 1,
                unproven: 1
            }
        );
    }

    /// It is shown once, as lost: that its agent proved nothing says nothing about the agent.
    #[test]
    fn what_was_lost_is_not_unproven_as_well() {
        let attempts = [
            attempt(Outcome::Timeout, None, Some(Obedience::Unproven)),
            attempt(Outcome::NoAnswer, None, Some(Obedience::Unproven)),
        ];
        let tally = Tally::of(&attempts);
        assert_eq!((tally.infrastructure, tally.obedience.unproven), (1, 1));
    }

    #[test]
    fn nothing_asked_has_no_rate() {
        let tally = Tally::of([]);
        assert_eq!(
            (tally.mean_f1, tally.right_rate, tally.pass_at_asked),
            (None, None, None)
        );
    }

    #[test]
    fn counts_do_not_depend_on_the_order_of_attempts() {
        let mut attempts = vec![
            attempt(Outcome::Timeout, None, None),
            attempt(Outcome::Answered, Some(1.0), None),
            attempt(Outcome::Answered, Some(0.25), None),
        ];
        let forward = Tally::of(&attempts);
        attempts.reverse();
        assert_eq!(Tally::of(&attempts), forward);
    }

    proptest::proptest! {
        #[test]
        fn every_attempt_is_counted_once_and_rates_are_shares(
            ends in proptest::collection::vec((0_u8..4, 0.0_f64..=1.0), 0..20)
        ) {
            let attempts: Vec<Metrics> = ends
                .iter()
                .map(|&(end, f1)| match end {
                    0 => attempt(Outcome::Timeout, None, None),
                    1 => attempt(Outcome::NoAnswer, None, None),
                    2 => attempt(Outcome::Answered, Some(1.0), None),
                    _ => attempt(Outcome::Answered, Some(f1), None),
                })
                .collect();
            let tally = Tally::of(&attempts);
            assert_eq!(tally.asked, tally.answered + tally.unanswered + tally.infrastructure);
            assert_eq!(tally.asked as usize, attempts.len());
            assert!(tally.ordered <= tally.exact && tally.right <= tally.exact && tally.exact <= tally.answered);
            for rate in [tally.mean_f1, tally.right_rate, tally.pass_at_asked].into_iter().flatten() {
                assert!((0.0..=1.0).contains(&rate));
            }
            // More tries never make success less likely, and one try is the plain rate.
            let chances: Vec<f64> = (1..=tally.counted()).filter_map(|k| tally.pass_at(k)).collect();
            assert!(chances.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12));
            assert!(chances.first().is_none_or(|first| (first - tally.right_rate.unwrap()).abs() < 1e-12));
        }
    }
}
