//! What the record says of a call, from what was asked and what came back.

use serde::Deserialize;
use serde_json::Value;
use sweep::{AnsweredBy, Call, ERROR_TEXT, Expansion, ToolNames, ToolRole};

use super::record::{Begun, Ended, Reply};

/// The record of a call. Only what the server itself said can be a soft error, or report an expansion; `names` says what its
/// tools are for.
pub(crate) fn described(begun: Begun, ended: &Ended<'_>, names: &ToolNames) -> Call {
    let by_server = ended.answered_by == AnsweredBy::Upstream;
    let (error, result) = match ended.reply {
        Reply::Error(text) => (Some(words_of_error(text)), None),
        Reply::Result(text) => (words_of_result(text), Some(text)),
        Reply::None => (Some("no reply was waited for".to_owned()), None),
    };
    // Arguments that JSON allows and the model does not (a lone surrogate) are kept as the text they are.
    let arguments = match begun.arguments.as_deref().map(serde_json::from_str) {
        Some(Ok(arguments)) => arguments,
        Some(Err(_)) => Value::String(begun.arguments.unwrap_or_default()),
        None => Value::Null,
    };
    let said = result.filter(|_| by_server);
    let soft_error = said.and_then(sweep::soft_error);
    let role = names.role_of(&begun.tool);
    let lists = role == ToolRole::Descendants && error.is_none() && soft_error.is_none();
    Call {
        sequence: begun.sequence,
        tool: begun.tool,
        expansion: said.and_then(sweep::expansion).map(|expansion| Expansion {
            asked: names.asks_for_expansion(&arguments),
            ..expansion
        }),
        arguments,
        start_ms: begun.start_ms,
        duration_ms: u64::try_from(begun.started.elapsed().as_millis()).unwrap_or(u64::MAX),
        is_error: error.is_some(),
        soft_error,
        reply_bytes: match ended.reply {
            Reply::Result(text) | Reply::Error(text) => text.len() as u64,
            Reply::None => 0,
        },
        session_reset: ended.session_reset,
        answered_by: ended.answered_by,
        error: error.map(|error| error.chars().take(ERROR_TEXT).collect()),
        role: Some(role),
        terms: said.filter(|_| lists).map(sweep::terms).unwrap_or_default(),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResultWords {
    is_error: Option<bool>,
    #[serde(default)]
    content: Vec<TextOnly>,
}

#[derive(Deserialize)]
struct TextOnly {
    text: Option<String>,
}

/// The text of a result that says of itself that it is an error.
fn words_of_result(result: &str) -> Option<String> {
    // Most results are none, and need not be read for it.
    if !result.contains("isError") {
        return None;
    }
    let read: ResultWords = serde_json::from_str(result).ok()?;
    let texts: Vec<String> = read
        .content
        .into_iter()
        .filter_map(|block| block.text)
        .collect();
    (read.is_error == Some(true)).then(|| texts.join("\n"))
}

fn words_of_error(error: &str) -> String {
    #[derive(Deserialize)]
    struct ErrorWords {
        message: String,
    }
    serde_json::from_str(error).map_or_else(|_| error.to_owned(), |words: ErrorWords| words.message)
}
