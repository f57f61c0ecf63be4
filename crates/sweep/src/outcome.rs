//! The rules that say whose an attempt's failure is, and whether an agent obeyed.

use crate::{Call, Flags, Obedience, Outcome};

/// What the rule of obedience looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submission {
    /// How the attempt ended.
    pub outcome: Outcome,
    /// What else happened.
    pub flags: Flags,
    /// Rows submitted.
    pub rows: usize,
    /// Whether the submitted rows are exactly the key's.
    pub exact: bool,
    /// Whether at least one successful call used the term as given.
    pub used_literal_term: bool,
}

/// Whether an attempt was lost to the infrastructure: it is then no evidence about the agent.
///
/// That is a failed start, a failure of the model's own service, and an attempt without an answer (by itself or for
/// time) that had lost its server or whose last call failed softly. What was submitted before a loss still counts.
pub fn infrastructure(outcome: Outcome, flags: Flags, calls: &[Call]) -> bool {
    match outcome {
        Outcome::StartupError => true,
        Outcome::AgentError => flags.model_api_failed,
        Outcome::NoAnswer | Outcome::Timeout => {
            flags.lost_upstream || calls.last().is_some_and(|call| call.soft_error.is_some())
        }
        Outcome::Answered | Outcome::AnsweredEmpty | Outcome::Budget => false,
    }
}

/// Whether an agent that was told to use the term as given did so, for a key of `key_rows` rows.
///
/// - Rows submitted: obeyed when they are exactly the key's, which no empty key allows; else disobeyed.
/// - An empty table against an empty key: obeyed when the server was there to the end and a successful call used the
///   term, so that the agent looked, as told, and found nothing.
/// - All else, nothing submitted above all: unproven. An empty table where the key has rows is a wrong answer, but
///   neither expanding nor obeying gives it.
pub fn obedience(key_rows: usize, submission: &Submission) -> Obedience {
    let Submission {
        outcome,
        flags,
        rows,
        exact,
        used_literal_term,
    } = *submission;
    if !outcome.is_submitted() {
        Obedience::Unproven
    } else if rows > 0 {
        if exact && key_rows > 0 {
            Obedience::Obeyed
        } else {
            Obedience::Disobeyed
        }
    } else if outcome == Outcome::AnsweredEmpty
        && key_rows == 0
        && !flags.lost_upstream
        && used_literal_term
    {
        Obedience::Obeyed
    } else {
        Obedience::Unproven
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SoftError;

    const LOST: Flags = Flags {
        lost_upstream: true,
        timed_out: false,
        strict: false,
        model_api_failed: false,
    };
    const API: Flags = Flags {
        lost_upstream: false,
        timed_out: false,
        strict: false,
        model_api_failed: true,
    };
    const NONE: Flags = Flags {
        lost_upstream: false,
        timed_out: false,
        strict: false,
        model_api_failed: false,
    };

    fn call(soft: bool) -> Call {
        Call {
            sequence: 1,
            tool: "query".into(),
            arguments: serde_json::json!({}),
            start_ms: 0,
            duration_ms: 1,
            is_error: false,
            soft_error: soft.then(|| SoftError {
                kind: "error-member".into(),
                message: "429".into(),
                rule: "error member that is not null".into(),
            }),
            reply_bytes: 0,
            expansion: None,
            session_reset: false,
            answered_by: crate::AnsweredBy::Upstream,
            error: None,
            role: None,
            terms: Vec::new(),
        }
    }

    #[test]
    fn an_attempt_is_lost_to_the_infrastructure_only_by_these_rules() {
        let soft_last = [call(false), call(true)];
        let soft_first = [call(true), call(false)];
        for (name, outcome, flags, calls, expected) in [
            (
                "the tools never came",
                Outcome::StartupError,
                NONE,
                &[] as &[Call],
                true,
            ),
            (
                "the model's service failed",
                Outcome::AgentError,
                API,
                &[],
                true,
            ),
            (
                "the agent itself failed",
                Outcome::AgentError,
                NONE,
                &[],
                false,
            ),
            ("lost and silent", Outcome::NoAnswer, LOST, &[], true),
            ("lost and out of time", Outcome::Timeout, LOST, &[], true),
            (
                "silent after a soft error",
                Outcome::NoAnswer,
                NONE,
                &soft_last,
                true,
            ),
            (
                "out of time after a soft error",
                Outcome::Timeout,
                NONE,
                &soft_last,
                true,
            ),
            (
                "silent, though it recovered",
                Outcome::NoAnswer,
                NONE,
                &soft_first,
                false,
            ),
            ("silent by itself", Outcome::NoAnswer, NONE, &[], false),
            (
                "answered before the loss",
                Outcome::Answered,
                LOST,
                &soft_last,
                false,
            ),
            (
                "answered emptily after the loss",
                Outcome::AnsweredEmpty,
                LOST,
                &soft_last,
                false,
            ),
            (
                "spent its allowance",
                Outcome::Budget,
                LOST,
                &soft_last,
                false,
            ),
        ] {
            assert_eq!(infrastructure(outcome, flags, calls), expected, "{name}");
        }
    }

    #[test]
    #[expect(
        clippy::too_many_lines,
        reason = "a table of cases, a line of it on nine lines"
    )]
    fn obedience_needs_a_look_and_silence_proves_nothing() {
        use Obedience::{Disobeyed, Obeyed, Unproven};
        use Outcome::{Answered, AnsweredEmpty, NoAnswer, Timeout};
        for (name, key_rows, outcome, flags, rows, exact, literal, expected) in [
            (
                "looked and found nothing",
                0,
                AnsweredEmpty,
                NONE,
                0,
                true,
                true,
                Obeyed,
            ),
            (
                "header line without a look",
                0,
                AnsweredEmpty,
                NONE,
                0,
                true,
                false,
                Unproven,
            ),
            (
                "header line after the loss",
                0,
                AnsweredEmpty,
                LOST,
                0,
                true,
                true,
                Unproven,
            ),
            (
                "no file at all",
                0,
                NoAnswer,
                NONE,
                0,
                false,
                true,
                Unproven,
            ),
            ("out of time", 0, Timeout, NONE, 0, false, true, Unproven),
            (
                "one row where there is none",
                0,
                Answered,
                NONE,
                1,
                false,
                true,
                Disobeyed,
            ),
            (
                "a text that is no table",
                0,
                Answered,
                NONE,
                0,
                false,
                true,
                Unproven,
            ),
            (
                "the key's two rows",
                2,
                Answered,
                NONE,
                2,
                true,
                true,
                Obeyed,
            ),
            ("other rows", 2, Answered, NONE, 15, false, true, Disobeyed),
            (
                "nothing where there are two",
                2,
                AnsweredEmpty,
                NONE,
                0,
                false,
                true,
                Unproven,
            ),
            (
                "no file where there are two",
                2,
                NoAnswer,
                NONE,
                0,
                false,
                false,
                Unproven,
            ),
        ] {
            let submission = Submission {
                outcome,
                flags,
                rows,
                exact,
                used_literal_term: literal,
            };
            assert_eq!(obedience(key_rows, &submission), expected, "{name}");
        }
    }
}
