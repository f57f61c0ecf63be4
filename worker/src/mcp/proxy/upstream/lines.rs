//! A server at the other end of a pair of streams, a message a line.

use std::future::Future;

use tokio::io::{AsyncBufRead, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::{FromUpstream, Order};
use crate::mcp::proxy::frame::Frame;
use crate::mcp::proxy::wire;

/// Sends `initialize`; the answer to it, and what came before that and waits its turn. `None` where the server ended.
pub(super) async fn greet<R, W>(
    reader: &mut R,
    writer: &mut W,
    initialize: &Frame,
) -> Option<(Frame, Vec<Frame>)>
where
    R: AsyncBufRead + Unpin,
    W: AsyncWrite + Unpin,
{
    wire::write(writer, initialize.clone()).await.ok()?;
    let id = initialize.id()?;
    let mut early = Vec::new();
    loop {
        for frame in wire::read(reader).await.ok()??.unwrap_or_default() {
            if frame.answers(id) {
                return Some((frame, early));
            }
            early.push(frame);
        }
    }
}

/// What is left once a connection has been carried to its end.
pub(super) struct Carried {
    /// Whoever asked for the end, where somebody did.
    pub(super) close: Option<oneshot::Sender<()>>,
    /// Still reads what the server says, so that its end is not held up.
    pub(super) reader: JoinHandle<()>,
}

/// Carries messages both ways until it is told to stop, or the server's stream ends: then `why` says how that came.
pub(super) async fn carry<R, W>(
    reader: R,
    writer: W,
    events: mpsc::Sender<FromUpstream>,
    orders: &mut mpsc::UnboundedReceiver<Order>,
    why: impl Future<Output = String>,
) -> Carried
where
    R: AsyncBufRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    // Writing waits for a server that does not read, and must hold up neither what it says nor its end.
    let (frames, to_write) = mpsc::unbounded_channel();
    let writer = tokio::spawn(write_all(writer, to_write));
    let (over, mut is_over) = oneshot::channel();
    let reader = tokio::spawn(read_all(reader, events.clone(), over));
    let close = loop {
        tokio::select! {
            order = orders.recv() => match order {
                Some(Order::Send { frame, .. }) => {
                    let _ = frames.send(frame);
                }
                Some(Order::Abandon(_)) => {}
                Some(Order::Close(done)) => break Some(done),
                None => break None,
            },
            _ = &mut is_over => {
                let _ = events.send(FromUpstream::Lost(why.await)).await;
                break None;
            }
        }
    };
    // A server ends when its input does.
    drop(frames);
    writer.abort();
    Carried { close, reader }
}

async fn write_all<W: AsyncWrite + Unpin>(
    mut writer: W,
    mut frames: mpsc::UnboundedReceiver<Frame>,
) {
    while let Some(frame) = frames.recv().await {
        if wire::write(&mut writer, frame).await.is_err() {
            return;
        }
    }
    let _ = writer.shutdown().await;
}

async fn read_all<R: AsyncBufRead + Unpin>(
    mut reader: R,
    events: mpsc::Sender<FromUpstream>,
    over: oneshot::Sender<()>,
) {
    // Lines that are no messages are what some servers print beside them.
    while let Ok(Some(read)) = wire::read(&mut reader).await {
        for frame in read.unwrap_or_default() {
            if events.send(FromUpstream::Message(frame)).await.is_err() {
                return;
            }
        }
    }
    let _ = over.send(());
}
