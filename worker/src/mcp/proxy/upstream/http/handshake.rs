//! The opening of a session.

use reqwest::header::HeaderValue;
use serde::Deserialize;
use tokio::sync::mpsc;

use super::exchange::{Outcome, exchange};
use super::{Place, Session};
use crate::mcp::proxy::frame::Frame;
use crate::mcp::proxy::upstream::{FromUpstream, QUEUE, initialized};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Agreed {
    protocol_version: String,
}

/// Opens a session with the agent's own `initialize`; the session and the server's answer. What else the server says
/// meanwhile is handed on.
pub(super) async fn handshake(
    place: &Place,
    initialize: &Frame,
    generation: u32,
    events: &mpsc::Sender<FromUpstream>,
) -> Result<(Session, Frame), String> {
    let nobody = Session {
        generation,
        ..Session::default()
    };
    let (messages, mut received) = mpsc::channel(QUEUE);
    let greeting = async {
        let exchanged = exchange(place, &nobody, initialize, &messages).await;
        drop(messages);
        exchanged
    };
    let sorting = async {
        let mut answer = None;
        while let Some(event) = received.recv().await {
            match event {
                FromUpstream::Message(frame)
                    if initialize.id().is_some_and(|id| frame.answers(id)) =>
                {
                    answer = Some(frame);
                }
                other => {
                    let _ = events.send(other).await;
                }
            }
        }
        answer
    };
    let ((outcome, id), answer) = tokio::join!(greeting, sorting);
    let answer = match (outcome, answer) {
        (Outcome::Answered, Some(answer)) => answer,
        (Outcome::Answered, None) => return Err("the server did not answer initialize".to_owned()),
        (
            Outcome::SessionGone(reason)
            | Outcome::NotSent(reason)
            | Outcome::Denied(reason)
            | Outcome::Refused(reason)
            | Outcome::Broken(reason),
            _,
        ) => return Err(reason),
    };
    let agreed = answer
        .result()
        .and_then(|result| serde_json::from_str(result).ok());
    let session = Session {
        id,
        version: agreed
            .and_then(|agreed: Agreed| HeaderValue::from_str(&agreed.protocol_version).ok()),
        generation,
    };
    if answer.error_text().is_none() {
        let _ = exchange(place, &session, &initialized(), events).await;
    }
    Ok((session, answer))
}
