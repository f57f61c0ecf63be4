//! The figures over some attempts of one sweep: at one record, or over an arm.

use std::collections::BTreeMap;

use control::Evidence;
use serde::{Deserialize, Serialize};

use crate::interval::size;
use crate::{Obedience, Observation, Outcome, Rate};

/// The figures over some attempts. `asked = answered + unanswered + infrastructure + unknown`.
///
/// Rates, f1, seconds and calls are over the attempts that count: those lost to the infrastructure, and those of which
/// nobody knows how they ended, say nothing about the agent. What was spent and what broke (tokens, cost, soft errors,
/// calls after a loss) is over all of them. Every figure has its denominator beside it, and is `None` where that is 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Attempts made.
    pub asked: u32,
    /// Attempts that count and have something submitted.
    pub answered: u32,
    /// Attempts that count and have not, by the agent's own doing.
    pub unanswered: u32,
    /// Attempts lost to the infrastructure.
    pub infrastructure: u32,
    /// Attempts that were lost to the infrastructure and made again; no part of `asked`.
    #[serde(default, skip_serializing_if = "crate::attempt::is_zero")]
    pub retried: u32,
    /// Attempts of which nobody knows how they ended.
    pub unknown: u32,
    /// Exact answers that are also obedient where the agent was told not to expand.
    pub right: Rate,
    /// Answers whose rows are exactly the key's.
    pub exact: Rate,
    /// Answers that are exact and in the key's sequence; nothing is counted where a key has no sequence.
    pub ordered: Rate,
    /// Exact as published figures elsewhere are counted: of every attempt, with nothing submitted taken for an empty
    /// table.
    pub raw_exact: Rate,
    /// Mean f1, with 0 for no answer.
    pub f1: Mean,
    /// Chance that at least one of `asked` attempts is right; `None` unless every one of them counts.
    pub pass_at_asked: Option<f64>,
    /// What the attempts that were told not to expand did; `None` outside the `exact` arm.
    pub obedience: Option<ObedienceFigures>,
    /// How many attempts ended in which way, lost ones among them.
    pub outcomes: BTreeMap<Outcome, u32>,
    /// Mean seconds of agent and server together.
    pub seconds: Mean,
    /// Mean seconds of the agent: all but the server's.
    pub agent_seconds: Mean,
    /// Mean seconds in calls to the server.
    pub server_seconds: Mean,
    /// Mean seconds of waiting because a service said when to come back.
    pub waiting_seconds: Mean,
    /// Mean number of calls.
    pub calls: Mean,
    /// Soft errors, all attempts together.
    pub soft_errors: Sum,
    /// Calls made after the connection was lost, all attempts together.
    pub calls_after_loss: Sum,
    /// Tokens that the models read, all attempts together.
    pub input_tokens: Sum,
    /// Tokens that the models wrote, all attempts together.
    pub output_tokens: Sum,
    /// What all attempts together cost.
    pub cost: Cost,
    /// How many attempts chose their terms by which means; an attempt may use several.
    pub evidence: EvidenceFigures,
}

/// A mean and over how many attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    /// The mean; `None` over nothing.
    pub mean: Option<f64>,
    /// The denominator.
    pub of: u32,
}

/// A sum and over how many attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sum {
    /// The sum; `None` over nothing.
    pub sum: Option<u64>,
    /// The attempts that say how many.
    pub of: u32,
}

/// What attempts did that were told not to expand. Those lost to the infrastructure are in none of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ObedienceFigures {
    /// Attempts that obeyed, of those that count.
    pub obeyed: Rate,
    /// Attempts that did not.
    pub disobeyed: u32,
    /// Attempts that prove neither.
    pub unproven: u32,
}

/// What attempts cost, in US dollars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Sum of the known costs; `None` where no attempt says.
    pub usd: Option<f64>,
    /// Some attempt's cost is unknown or a lower bound, so that the sum is one too.
    pub incomplete: bool,
    /// The attempts that say what they cost.
    pub of: u32,
}

/// How many attempts chose their terms by which means.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceFigures {
    /// Attempts by means.
    pub attempts: BTreeMap<Evidence, u32>,
    /// The attempts whose calls are known.
    pub of: u32,
}

/// What an interval takes for independent.
#[derive(Clone, Copy)]
enum Unit {
    Attempt,
    Record,
}

impl Unit {
    /// Counts the attempts for which `test` says yes; those for which it cannot say are no part of the denominator.
    fn rate(self, attempts: &[&Observation], test: impl Fn(&Observation) -> Option<bool>) -> Rate {
        let mut hits = 0;
        let mut sizes: BTreeMap<&str, u32> = BTreeMap::new();
        for attempt in attempts {
            if let Some(hit) = test(attempt) {
                hits += u32::from(hit);
                *sizes.entry(&attempt.record).or_insert(0) += 1;
            }
        }
        let sizes: Vec<u32> = sizes.into_values().collect();
        match self {
            Self::Attempt => Rate::new(hits, sizes.iter().sum()),
            Self::Record => Rate::clustered(hits, &sizes),
        }
    }
}

impl Figures {
    /// The figures over some attempts at one record, in any order: intervals take the attempts as independent draws of what
    /// the agent does there.
    pub fn of_record(attempts: &[&Observation]) -> Self {
        Self::of(attempts, Unit::Attempt)
    }

    /// The figures over some attempts at several records, in any order: intervals take the records as independent, and
    /// attempts at the same one as nothing of the kind ([`Rate::clustered`]).
    pub fn of_records(attempts: &[&Observation]) -> Self {
        Self {
            // A chance over tries at one record; tries at several make no such chance.
            pass_at_asked: None,
            ..Self::of(attempts, Unit::Record)
        }
    }

    fn of(attempts: &[&Observation], unit: Unit) -> Self {
        let counted: Vec<&Observation> = attempts.iter().copied().filter(|a| a.counts()).collect();
        let answered = counted
            .iter()
            .filter(|a| a.outcome.is_some_and(Outcome::is_submitted))
            .count();
        let infrastructure = attempts.iter().filter(|a| a.infrastructure).count();
        let right = unit.rate(&counted, Observation::is_right);
        Self {
            asked: size(attempts.len()),
            answered: size(answered),
            unanswered: size(counted.len() - answered),
            infrastructure: size(infrastructure),
            retried: attempts.iter().map(|a| a.lost_before).sum(),
            unknown: size(attempts.len() - counted.len() - infrastructure),
            right,
            exact: unit.rate(&counted, Observation::counted_exact),
            ordered: ordered(&counted, unit),
            raw_exact: unit.rate(attempts, |a| a.raw_exact),
            f1: mean(&counted, Observation::counted_f1),
            pass_at_asked: (right.of > 0 && right.of as usize == attempts.len())
                .then(|| f64::from(u8::from(right.hits > 0))),
            obedience: obedience(&counted, attempts, unit),
            outcomes: tally(attempts.iter().filter_map(|a| a.outcome)),
            seconds: mean(&counted, |a| a.seconds),
            agent_seconds: mean(&counted, |a| {
                Some((a.seconds? - a.server_seconds?).max(0.0))
            }),
            server_seconds: mean(&counted, |a| a.server_seconds),
            waiting_seconds: mean(&counted, |a| a.waiting_seconds),
            calls: mean(&counted, |a| a.calls.map(f64::from)),
            soft_errors: sum(attempts, |a| a.soft_errors.map(u64::from)),
            calls_after_loss: sum(attempts, |a| a.calls_after_loss.map(u64::from)),
            input_tokens: sum(attempts, |a| a.input_tokens),
            output_tokens: sum(attempts, |a| a.output_tokens),
            cost: cost(attempts),
            evidence: evidence(attempts),
        }
    }
}

/// An exact answer without a verdict on its sequence shows that the key has none; an answer that is not exact is not in
/// sequence either.
fn ordered(counted: &[&Observation], unit: Unit) -> Rate {
    let has_no_sequence = |a: &&Observation| a.exact == Some(true) && a.ordered.is_none();
    if counted.iter().any(has_no_sequence) {
        return Rate::default();
    }
    unit.rate(counted, |a| {
        Some(a.counted_exact()? && a.ordered == Some(true))
    })
}

fn obedience(
    counted: &[&Observation],
    all: &[&Observation],
    unit: Unit,
) -> Option<ObedienceFigures> {
    all.iter().any(|a| a.obedience.is_some()).then(|| {
        let told = |what: Obedience| counted.iter().filter(|a| a.obedience == Some(what)).count();
        ObedienceFigures {
            obeyed: unit.rate(counted, |a| {
                a.obedience.map(|told| told == Obedience::Obeyed)
            }),
            disobeyed: size(told(Obedience::Disobeyed)),
            unproven: size(told(Obedience::Unproven)),
        }
    })
}

fn cost(attempts: &[&Observation]) -> Cost {
    let known = mean(attempts, |a| a.cost_usd);
    // An attempt that was cut off before it could say anything did cost something.
    let is_silent = (known.of as usize) < attempts.len();
    Cost {
        usd: known.mean.map(|mean| mean * f64::from(known.of)),
        incomplete: known.of > 0 && (is_silent || attempts.iter().any(|a| a.cost_incomplete)),
        of: known.of,
    }
}

fn evidence(attempts: &[&Observation]) -> EvidenceFigures {
    let known = || attempts.iter().filter_map(|a| a.evidence.as_ref());
    EvidenceFigures {
        attempts: tally(known().flatten().copied()),
        of: size(known().count()),
    }
}

fn mean(attempts: &[&Observation], figure: impl Fn(&Observation) -> Option<f64>) -> Mean {
    let mut known: Vec<f64> = attempts.iter().filter_map(|a| figure(a)).collect();
    // Summed in one order whatever the order of the attempts: floating point sums depend on it.
    known.sort_by(f64::total_cmp);
    Mean {
        mean: (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64),
        of: size(known.len()),
    }
}

fn sum(attempts: &[&Observation], figure: impl Fn(&Observation) -> Option<u64>) -> Sum {
    let known = || attempts.iter().filter_map(|a| figure(a));
    let of = size(known().count());
    Sum {
        sum: (of > 0).then(|| known().sum()),
        of,
    }
}

fn tally<T: Ord>(items: impl Iterator<Item = T>) -> BTreeMap<T, u32> {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_insert(0) += 1;
    }
    counts
}
