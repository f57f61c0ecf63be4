//! One sweep against an earlier one, regressions first.

use record::Arm;
use serde::{Deserialize, Serialize};

use crate::compare::{Sweep, arm_of};
use crate::{CompareError, Rate, Run};

/// What became of one record between two sweeps of the same agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Name of the agent in both sweeps.
    pub run: String,
    /// Id of the record.
    pub record: String,
    /// Its arm.
    pub arm: Option<Arm>,
    /// Which way it went.
    pub way: Way,
    /// Right answers before.
    pub before: Rate,
    /// Right answers now.
    pub now: Rate,
    /// The share of right answers now less before; `None` where one of the two is unknown.
    pub right: Option<f64>,
    /// The mean f1 now less before.
    pub f1: Option<f64>,
}

/// Which way a record went. The order is that of a report: what needs a look comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// The share of right answers fell by more than the tolerance or, where it stayed, the mean f1 did.
    Regressed,
    /// Something counted before and nothing does now: nobody can tell.
    Lost,
    /// Nothing counted before and something does now.
    New,
    /// The share of right answers rose by more than the tolerance or, where it stayed, the mean f1 did.
    Improved,
    /// Neither moved by more than the tolerance.
    Unchanged,
}

impl Way {
    /// The word that tables use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Regressed => "regressed",
            Self::Lost => "lost",
            Self::New => "new",
            Self::Improved => "improved",
            Self::Unchanged => "unchanged",
        }
    }

    /// Whether a check that nothing got worse fails by it. What cannot be told any more has not been shown to be as good.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Regressed | Self::Lost)
    }
}

/// What became of each record between two sweeps, regressions first and the worst of them first. A fall of up to
/// `tolerance`, a share from 0 to 1, is no change.
pub fn changes(before: Run, now: Run, tolerance: f64) -> Result<Vec<Change>, CompareError> {
    let run = now.facts.label();
    let before = Sweep::new(format!("{run} (before)"), before)?;
    let now = Sweep::new(run, now)?;
    let mut records: Vec<&String> = before.records().chain(now.records()).collect();
    records.sort_unstable();
    records.dedup();
    let mut changes: Vec<Change> = records
        .into_iter()
        .filter_map(|record| change(&before, &now, record, tolerance))
        .collect();
    sort(&mut changes);
    Ok(changes)
}

/// Brings changes into the order of a report: regressions first, the worst of them first.
pub fn sort(changes: &mut [Change]) {
    let worst = |change: &Change| change.right.unwrap_or(0.0);
    let f1 = |change: &Change| change.f1.unwrap_or(0.0);
    changes.sort_by(|a, b| {
        a.way
            .cmp(&b.way)
            .then(worst(a).total_cmp(&worst(b)))
            .then(f1(a).total_cmp(&f1(b)))
            .then_with(|| (&a.record, &a.run).cmp(&(&b.record, &b.run)))
    });
}

fn change(before: &Sweep, now: &Sweep, record: &str, tolerance: f64) -> Option<Change> {
    let (then, here) = (before.figures(record), now.figures(record));
    let less = |here: Option<f64>, then: Option<f64>| Some(here? - then?);
    let right = less(here.right.rate, then.right.rate);
    let f1 = less(here.f1.mean, then.f1.mean);
    // Shares such as 1/3 and 3 of 9 differ in their last digit and in nothing else.
    let tolerance = tolerance.max(0.0) + 1e-9;
    let way = match (then.right.of, here.right.of) {
        (0, 0) => return None,
        (_, 0) => Way::Lost,
        (0, _) => Way::New,
        _ => [right, f1]
            .into_iter()
            .flatten()
            .find_map(|moved| {
                if moved < -tolerance {
                    Some(Way::Regressed)
                } else if moved > tolerance {
                    Some(Way::Improved)
                } else {
                    None
                }
            })
            .unwrap_or(Way::Unchanged),
    };
    Some(Change {
        run: now.id.clone(),
        record: record.to_owned(),
        arm: arm_of(record),
        way,
        before: then.right,
        now: here.right,
        right,
        f1,
    })
}
