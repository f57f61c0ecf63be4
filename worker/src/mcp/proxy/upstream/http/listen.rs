//! The stream of what a server says on its own: notifications, and requests of its to the agent.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::exchange::resume;
use super::{Place, Session};
use crate::mcp::proxy::frame::Frame;
use crate::mcp::proxy::upstream::FromUpstream;
use crate::sse::{Event, SseParser};

/// Waits before the stream is opened again double from here up to [`LONGEST`].
const SHORTEST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(30);

/// Listens until the session ends. A server need not offer the stream: without it there is nothing to hear.
pub(super) fn start(
    place: &Arc<Place>,
    session: &Session,
    events: &mpsc::Sender<FromUpstream>,
) -> AbortHandle {
    let (place, session, events) = (Arc::clone(place), session.clone(), events.clone());
    tokio::spawn(async move { listen(&place, &session, &events).await }).abort_handle()
}

async fn listen(place: &Place, session: &Session, events: &mpsc::Sender<FromUpstream>) {
    let mut parser = SseParser::default();
    let mut wait = SHORTEST;
    while let Some(mut stream) = resume(place, session, parser.last_id()).await {
        parser = parser.next();
        while let Ok(Some(bytes)) = stream.chunk().await {
            for Event { data, .. } in parser.push(&bytes).into_iter().filter(Event::is_message) {
                wait = SHORTEST;
                for frame in Frame::read_all(data.as_bytes()).unwrap_or_default() {
                    if events.send(FromUpstream::Message(frame)).await.is_err() {
                        return;
                    }
                }
            }
        }
        tokio::time::sleep(parser.retry().unwrap_or(wait).min(LONGEST)).await;
        wait = (wait * 2).min(LONGEST);
    }
}
