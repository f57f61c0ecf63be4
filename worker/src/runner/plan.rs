//! What a run of the program would do in a folder, before it does it.

use std::path::Path;

use crate::agent::Agent;
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
    /// What is there.
    pub there: There,
}

/// What lies in the place of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum There {
    /// Nothing: it is made.
    Nothing,
    /// An attempt: it is kept, and judged again.
    Kept,
    /// An attempt that was lost to the infrastructure: it is put aside and made again.
    Lost,
    /// An attempt of another answer than the one that is given now: it is put aside and made again.
    Replaced,
}

impl Plan {
    /// What is to be done in a folder. First attempts come first, so that a sweep that is stopped has looked at every
    /// record. With `retry`, attempts beyond `repeat` that were lost are made again as well.
    pub fn of(
        agent: &Agent,
        root: &Path,
        records: &[&str],
        repeat: u32,
        retry: bool,
    ) -> Result<Self, Failure> {
        let mut steps = Vec::new();
        for record in records {
            let mut numbers: Vec<u32> = (1..=repeat).collect();
            if retry {
                let there = store::list_if_there(&root.join(record))?;
                let names = there.iter().filter_map(|path| path.file_name()?.to_str());
                numbers.extend(
                    names
                        .filter_map(|name| name.parse::<u32>().ok())
                        .filter(|n| *n > repeat),
                );
            }
            for attempt in numbers {
                let place = root.join(record).join(attempt.to_string());
                let before = if attempts::lies_in(&place)? {
                    attempts::read(&place)?
                } else {
                    None
                };
                let there = match before {
                    None => There::Nothing,
                    Some((_, metrics)) if retry && metrics.infrastructure => There::Lost,
                    Some((episode, _)) if agent.has_another(record, attempt, &episode)? => {
                        There::Replaced
                    }
                    Some(_) => There::Kept,
                };
                if attempt <= repeat || there == There::Lost {
                    steps.push(Step {
                        record: (*record).to_owned(),
                        attempt,
                        there,
                    });
                }
            }
        }
        // Stable: records keep their order.
        steps.sort_by_key(|step| step.attempt);
        Ok(Self { steps })
    }

    /// How many places hold this.
    pub fn count(&self, there: There) -> usize {
        self.steps.iter().filter(|step| step.there == there).count()
    }

    /// The attempts that are made.
    pub fn made(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.there != There::Kept)
    }
}
