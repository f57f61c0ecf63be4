//! From what happened in an attempt to what it came to.

use control::Evidence;
use record::{Arm, Corpus, Record};
use score::{Options, Score};
use sweep::{
    AnsweredBy, Call, Metrics, Outcome, Scores, Submission, Version, infrastructure, obedience,
};

use crate::attempts::Episode;
use crate::evidence::{Seen, evidence_of, root_of};
use crate::keys::KeyRun;
use crate::mcp::proxy::SUBMIT;

/// Judges the attempts at one record.
#[derive(Debug)]
pub struct Judge<'a> {
    record: &'a Record,
    key: &'a KeyRun,
    root: Option<String>,
}

/// An attempt's figures, and its score with the row diff.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The figures.
    pub metrics: Metrics,
    /// The score; `None` where nothing that is a table was submitted.
    pub score: Option<Score>,
}

impl<'a> Judge<'a> {
    /// A judge for a record, whose key has been run.
    pub fn new(record: &'a Record, corpus: &Corpus, key: &'a KeyRun) -> Self {
        Self {
            record,
            key,
            root: root_of(record, corpus),
        }
    }

    /// What the attempt came to. The same attempt and key give the same verdict.
    pub fn verdict(&self, agent: &str, attempt: u32, episode: &Episode) -> Verdict {
        let key = self.key.key(None);
        let mut answer_error = None;
        let mut submitted_rows = 0;
        let mut score = None;
        if let Some(answer) = &episode.answer {
            match table::read_answer(answer) {
                Ok(read) => {
                    submitted_rows = read.len() + read.ragged.len();
                    score = Some(score::score(&key, &read, &Options::default()));
                }
                Err(error) => answer_error = Some(error.to_string()),
            }
        }
        let outcome = match (&episode.answer, &score) {
            (Some(_), Some(_)) if submitted_rows == 0 => Outcome::AnsweredEmpty,
            (Some(_), _) => Outcome::Answered,
            (None, _) => episode.outcome,
        };
        let scores = match (&episode.answer, &score) {
            (None, _) => None,
            (Some(_), Some(score)) => Some(Scores::from(score)),
            (Some(_), None) => Some(Scores::NOTHING),
        };
        let evidence_calls = evidence_of(self.root.as_deref(), &Seen::among(&episode.calls));
        let told = self.record.name.arm == Some(Arm::Exact);
        let obedience = told.then(|| {
            obedience(
                self.key.table.len(),
                &Submission {
                    outcome,
                    flags: episode.flags,
                    rows: submitted_rows,
                    exact: scores.is_some_and(|scores| scores.exact),
                    used_literal_term: evidence_calls.contains_key(&Evidence::LiteralTerm),
                },
            )
        });
        let calls = &episode.calls;
        let metrics = Metrics {
            format: Version,
            record: self.record.id().to_owned(),
            attempt,
            agent: agent.to_owned(),
            outcome,
            flags: episode.flags,
            infrastructure: infrastructure(outcome, episode.flags, calls),
            obedience,
            scores,
            raw: scores.unwrap_or_else(|| self.silence()),
            rows: submitted_rows,
            key_rows: self.key.table.len(),
            key_hash: self.key.hash.clone(),
            answer_error,
            seconds: episode.seconds,
            waiting_seconds: episode.waiting_seconds,
            server_seconds: calls
                .iter()
                .filter(|call| call.tool != SUBMIT)
                .map(|call| call.duration_ms as f64 / 1e3)
                // The sum of nothing would be -0.
                .fold(0.0, |sum, seconds| sum + seconds),
            calls: count(calls, |_| true),
            calls_after_loss: count(calls, |call| call.answered_by == AnsweredBy::Lost),
            upstream_soft_errors: count(calls, |call| call.soft_error.is_some()),
            usage: episode.usage,
            model: episode.model.clone(),
            reason: episode.reason.clone(),
            lost_before: episode.lost_before,
            evidence: evidence_calls.keys().copied().collect(),
            evidence_calls,
        };
        Verdict { metrics, score }
    }

    /// The scores of no submission where it is taken for an empty table.
    fn silence(&self) -> Scores {
        if self.key.table.is_empty() {
            Scores {
                exact: true,
                ordered: None,
                f1: 1.0,
                precision: 1.0,
                recall: 1.0,
            }
        } else {
            Scores::NOTHING
        }
    }
}

fn count(calls: &[Call], which: impl Fn(&&Call) -> bool) -> u32 {
    u32::try_from(calls.iter().filter(which).count()).unwrap_or(u32::MAX)
}
