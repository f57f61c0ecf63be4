//! The embedded server, inside this program: a session of its own, and data that all sessions share.

use rmcp::ServiceExt as _;
use tokio::io::BufReader;
use tokio::sync::mpsc;

use super::lines::{carry, greet};
use super::{FromUpstream, QUEUE, Upstream, initialized};
use crate::mcp::proxy::frame::Frame;
use crate::mcp::proxy::wire;
use crate::mcp::serve::Server;

/// How much may be under way between proxy and server.
const BUFFER: usize = 64 << 10;

pub(super) async fn open(server: &Server, initialize: &Frame) -> Result<(Upstream, Frame), String> {
    let (ours, theirs) = tokio::io::duplex(BUFFER);
    let server = server.clone();
    let serving = tokio::spawn(async move {
        if let Ok(running) = server.serve(tokio::io::split(theirs)).await {
            let _ = running.waiting().await;
        }
    });
    let (read, mut write) = tokio::io::split(ours);
    let mut read = BufReader::new(read);
    let Some((answer, early)) = greet(&mut read, &mut write, initialize).await else {
        return Err("the embedded server ended".to_owned());
    };
    if answer.error_text().is_none() && wire::write(&mut write, initialized()).await.is_err() {
        return Err("the embedded server ended".to_owned());
    }
    let (events, received) = mpsc::channel(QUEUE);
    let (orders, mut ordered) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        for frame in early {
            if events.send(FromUpstream::Message(frame)).await.is_err() {
                return;
            }
        }
        let why = async { "the embedded server ended".to_owned() };
        let carried = carry(read, write, events, &mut ordered, why).await;
        serving.abort();
        carried.reader.abort();
        if let Some(done) = carried.close {
            let _ = done.send(());
        }
    });
    let upstream = Upstream {
        orders,
        events: received,
    };
    Ok((upstream, answer))
}
