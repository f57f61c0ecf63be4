//! Failures that the protocol reports as successes, told from data by the structure of the reply alone.
//!
//! A server of knowledge graphs may answer `isError: false` and put the failure into the payload. Counted as a success,
//! that reads as an agent that looked and found nothing. The rules are in [`RULES`], tried in that order; none of them
//! looks at words in data rows, so that a disease named "error" is a disease.

mod expansion;
mod message;
mod reply;

pub use expansion::expansion;

use crate::SoftError;
use crate::call::ERROR_TEXT;
use reply::{Members, Payload, Reply};

/// One way to tell a failure from data.
#[derive(Clone, Copy, Debug)]
pub struct SoftErrorRule {
    /// The kind that [`SoftError::kind`] then names.
    pub kind: &'static str,
    /// What is looked at, in a sentence: [`SoftError::rule`].
    pub rule: &'static str,
    /// The server's words, where the rule fires.
    finds: fn(&Reply) -> Option<String>,
}

/// Every rule, in the order in which they are tried.
///
/// | kind | fires on |
/// |---|---|
/// | `empty-reply` | a result without any content: no structured content, and text blocks that are blank or missing |
/// | `truncated` | JSON that ends before it is complete, or a last line that begins with `!!!!>>#` (`QLever` failed while sending) |
/// | `error-member` | an object whose `error`, `exception` or `fault` is there and says something |
/// | `errors-member` | an object whose `errors` is not empty |
/// | `not-ok` | an object whose `ok` or `success` is false |
/// | `partial-result` | `partial` or `incomplete` that is true, or SPARQL results that say `truncated` of themselves |
/// | `html-page` | a page of HTML in place of a reply |
/// | `error-text` | a whole text block that is an error message and nothing else |
pub const RULES: &[SoftErrorRule] = &[
    SoftErrorRule {
        kind: "empty-reply",
        rule: "no content where a reply was due",
        finds: |reply| {
            reply
                .is_empty()
                .then(|| "the reply has no content".to_owned())
        },
    },
    SoftErrorRule {
        kind: "truncated",
        rule: "results that end before they are complete",
        finds: |reply| reply.payloads.iter().find_map(Payload::broken_off),
    },
    SoftErrorRule {
        kind: "error-member",
        rule: "an error member that is not null",
        finds: |reply| reply.members().find_map(Members::error),
    },
    SoftErrorRule {
        kind: "errors-member",
        rule: "an errors member that is not empty",
        finds: |reply| {
            reply
                .members()
                .find_map(|members| reply::words(&members.errors))
        },
    },
    SoftErrorRule {
        kind: "not-ok",
        rule: "an ok or success member that is false",
        finds: |reply| reply.members().find_map(Members::denial),
    },
    SoftErrorRule {
        kind: "partial-result",
        rule: "results that say they are not all",
        finds: |reply| reply.members().find_map(Members::shortfall),
    },
    SoftErrorRule {
        kind: "html-page",
        rule: "a page of HTML in place of a reply",
        finds: |reply| reply.texts().find_map(message::page),
    },
    SoftErrorRule {
        kind: "error-text",
        rule: "a whole text block that is an error message and nothing else",
        finds: |reply| reply.texts().find_map(message::error),
    },
];

/// What failed in the result of a tool call that does not say of itself that it failed: the JSON text of a
/// `CallToolResult`.
///
/// ```
/// let reply = r#"{"content":[{"type":"text","text":"{\"ok\": true, \"data\": [], \"error\": \"HTTP Error 429\"}"}]}"#;
/// let found = sweep::soft_error(reply).unwrap();
/// assert_eq!((found.kind.as_str(), found.message.as_str()), ("error-member", "HTTP Error 429"));
///
/// let row = r#"{"content":[{"type":"text","text":"{\"data\": [{\"name\": \"inborn error of metabolism\"}]}"}]}"#;
/// assert_eq!(sweep::soft_error(row), None);
/// ```
pub fn soft_error(result: &str) -> Option<SoftError> {
    let reply = Reply::read(result)?;
    if reply.is_error {
        return None;
    }
    RULES.iter().find_map(|rule| {
        let message = (rule.finds)(&reply)?;
        Some(SoftError {
            kind: rule.kind.to_owned(),
            message: message.chars().take(ERROR_TEXT).collect(),
            rule: rule.rule.to_owned(),
        })
    })
}

#[cfg(test)]
mod tests;
