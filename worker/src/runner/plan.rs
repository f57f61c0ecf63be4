//! What a run of the program would do in a folder, before it does it.

use std::path::Path;

use crate::agent::Agent;
use crate::attempts::Aside;
use crate::{Failure, attempts, store};

/// The attempts of one agent, in the order in which they are made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// One for each attempt.
    pub steps: Vec<Step>,
}

/// What becomes of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Id of the record.
    pub record: String,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// What is done.
    pub does: Does,
}

/// What is done with an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Nothing lies in its place: it is made.
    Make,
    /// It is there: it is kept, and judged again.
    Keep,
    /// It is there and put aside for this reason, and made again.
    MakeAgain(Aside),
}

impl Plan {
    /// What is to be done in a folder. First attempts come first, so that a sweep that is stopped has looked at every
    /// record. Attempts beyond `repeat` that are there are kept, too; with `retry`, those among them that were lost are made
    /// again as well.
    pub fn of(
        agent: &Agent,
        root: &Path,
        records: &[&str],
        repeat: u32,
        retry: bool,
    ) -> Result<Self, Failure> {
        let mut steps = Vec::new();
        for record in records {
            let there = store::list_if_there(&root.join(record))?;
            let names = there.iter().filter_map(|path| path.file_name()?.to_str());
            let beyond = names
                .filter_map(|name| name.parse::<u32>().ok())
                .filter(|n| *n > repeat);
            for attempt in (1..=repeat).chain(beyond) {
                let place = root.join(record).join(attempt.to_string());
                let before = if attempts::lies_in(&place)? {
                    attempts::read(&place)?
                } else {
                    None
                };
                let does = match before {
                    None if attempt > repeat => continue,
                    None => Does::Make,
                    // By the rules of today, and not by those under which it was judged last.
                    Some((made, _)) if retry && made.is_lost() => Does::MakeAgain(Aside::Lost),
                    Some((made, _))
                        if attempt <= repeat && agent.has_another(record, attempt, &made)? =>
                    {
                        Does::MakeAgain(Aside::Replaced)
                    }
                    Some(_) => Does::Keep,
                };
                steps.push(Step {
                    record: (*record).to_owned(),
                    attempt,
                    does,
                });
            }
        }
        // Stable: records keep their order.
        steps.sort_by_key(|step| step.attempt);
        Ok(Self { steps })
    }

    /// In how many places this is done.
    pub fn count(&self, does: Does) -> usize {
        self.steps.iter().filter(|step| step.does == does).count()
    }

    /// The attempts that are made.
    pub fn made(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.does != Does::Keep)
    }

    /// Whether anything is done with an attempt.
    pub fn holds(&self, record: &str, attempt: u32) -> bool {
        self.steps
            .iter()
            .any(|step| step.attempt == attempt && step.record == record)
    }

    /// How many attempts are there beyond `repeat`.
    pub fn beyond(&self, repeat: u32) -> usize {
        self.steps
            .iter()
            .filter(|step| step.attempt > repeat)
            .count()
    }
}
