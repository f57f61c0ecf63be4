//! What is linted: a record beside its twin, or a plain query.

use crate::facts::Facts;
use record::{Arm, Record};

/// A file to lint.
///
/// A plain query has no prose: the rules that compare prose and key are silent about it.
#[derive(Clone, Debug)]
pub struct Target<'a> {
    /// The file, read.
    pub record: &'a Record,
    /// The file's text, as it was read.
    pub source: &'a str,
    /// The other half of the record's pair, where there is one.
    pub twin: Option<&'a Record>,
    /// What the caller computed from an endpoint.
    pub facts: Facts,
    /// Whether the file has a header, and so a prompt that its key must answer.
    pub is_record: bool,
}

impl<'a> Target<'a> {
    /// A file read from `source`: a record where it has a decorator or a name by the scheme, else a plain query.
    ///
    /// A control such as `B-keyword.rq` is a plain query: its summary says what it is, and prompts nobody.
    pub fn new(record: &'a Record, source: &'a str) -> Self {
        let decorated = || {
            source
                .lines()
                .any(|line| line.trim_start().starts_with("#+"))
        };
        Self {
            record,
            source,
            twin: None,
            facts: Facts::default(),
            is_record: record.name.arm.is_some() || (!is_control(record.id()) && decorated()),
        }
    }

    /// The same file beside the other half of its pair.
    #[must_use]
    pub fn with_twin(mut self, twin: Option<&'a Record>) -> Self {
        self.twin = twin;
        self
    }

    /// The same file with what an endpoint told.
    #[must_use]
    pub fn with_facts(mut self, facts: Facts) -> Self {
        self.facts = facts;
        self
    }

    /// Whether this is the arm that must use its term exactly as given.
    pub fn is_exact(&self) -> bool {
        self.record.name.arm == Some(Arm::Exact)
    }
}

/// Whether a name is a letter and what the control does, such as `B-keyword`.
fn is_control(id: &str) -> bool {
    let mut chars = id.chars();
    chars
        .next()
        .is_some_and(|letter| letter.is_ascii_uppercase())
        && chars.next() == Some('-')
}
