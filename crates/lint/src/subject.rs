//! A target with everything that the rules ask of it, computed once.

use crate::finding::{At, Finding, Severity, Silent};
use crate::header::HeaderText;
use crate::labels::Labels;
use crate::prose::Prose;
use crate::shape::Shape;
use crate::target::Target;
use crate::token::Tokens;
use std::borrow::Cow;

/// What a rule looks at.
pub(crate) struct Subject<'a> {
    pub(crate) target: &'a Target<'a>,
    pub(crate) labels: &'a Labels,
    pub(crate) header: HeaderText<'a>,
    pub(crate) tokens: Tokens<'a>,
    /// The prompt; `None` where the file has none.
    pub(crate) prose: Option<Prose>,
    /// The key; `None` where it is not SPARQL.
    pub(crate) shape: Option<Shape<'a>>,
}

impl<'a> Subject<'a> {
    pub(crate) fn new(target: &'a Target<'a>, labels: &'a Labels) -> Self {
        let record = target.record;
        Self {
            target,
            labels,
            header: HeaderText::new(target.source),
            tokens: Tokens::new(&record.query_text, record.query_line),
            prose: record
                .summary()
                .filter(|_| target.is_record)
                .map(Prose::new),
            shape: record.query.as_ref().map(Shape::new),
        }
    }

    /// The prompt and the key, where there are both; else the rule is told to be silent.
    pub(crate) fn both(&self, out: &mut Out) -> Option<(&Prose, &Shape<'a>)> {
        let shape = self.key(out)?;
        let Some(prose) = &self.prose else {
            out.silent("the file has no prompt to compare the key with");
            return None;
        };
        Some((prose, shape))
    }

    /// The key, where it is one.
    pub(crate) fn key(&self, out: &mut Out) -> Option<&Shape<'a>> {
        if self.shape.is_none() {
            out.silent("the key is not SPARQL");
        }
        self.shape.as_ref()
    }

    /// Where the prompt has these words, or where it begins.
    pub(crate) fn in_prose(&self, words: &str) -> At {
        let entry = self.target.record.header.get("summary");
        let from = entry.map_or(1, |entry| entry.line);
        self.header.find(words, from).unwrap_or_else(|| {
            entry.map_or(At::START, |entry| At {
                line: entry.line,
                column: entry.column,
                end_column: entry.column + 7,
            })
        })
    }
}

/// Where a rule puts what it finds.
pub(crate) struct Out<'r> {
    pub(crate) file: &'r str,
    pub(crate) rule: &'static str,
    pub(crate) severity: Severity,
    pub(crate) remedy: &'static str,
    pub(crate) findings: &'r mut Vec<Finding>,
    pub(crate) silent: &'r mut Vec<Silent>,
}

impl Out<'_> {
    /// Reports a finding with the rule's own remedy.
    pub(crate) fn find(&mut self, at: At, message: impl Into<String>) {
        let remedy = self.remedy;
        self.find_with(at, message, remedy);
    }

    /// Reports a finding with a remedy that fits it better than the rule's own.
    pub(crate) fn find_with(
        &mut self,
        at: At,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.findings.push(Finding {
            file: self.file.to_owned(),
            line: at.line,
            column: at.column,
            end_column: at.end_column,
            rule: Cow::Borrowed(self.rule),
            severity: self.severity,
            message: message.into(),
            remedy: Some(remedy.into()),
        });
    }

    /// Says that the rule cannot judge, and why.
    pub(crate) fn silent(&mut self, why: impl Into<String>) {
        self.silent.push(Silent {
            rule: Cow::Borrowed(self.rule),
            why: why.into(),
        });
    }
}
