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
    pub fn new(record: &'a Record, source: &'a str) -> Self {
        Self {
            record,
            source,
            twin: None,
            facts: Facts::default(),
            is_record: record.name.arm.is_some()
                || source.lines().any(|l| l.trim_start().starts_with("#+")),
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
