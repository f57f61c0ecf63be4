//! What waits to be sent to the agent.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Notify, mpsc};

use super::frame::Frame;

/// So many bytes may wait for an agent that does not read before the server has to wait as well.
const ROOM: usize = 32 << 20;

/// What waits to be sent to the agent. Sending never waits: an agent may write a long request without reading meanwhile.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    frames: mpsc::UnboundedSender<Frame>,
    level: Arc<Level>,
}

/// The other end, which writes.
#[derive(Debug)]
pub(crate) struct Outgoing {
    frames: mpsc::UnboundedReceiver<Frame>,
    level: Arc<Level>,
}

#[derive(Debug, Default)]
struct Level {
    bytes: AtomicUsize,
    falls: Notify,
}

impl Outbox {
    pub(crate) fn new() -> (Self, Outgoing) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let level = Arc::new(Level::default());
        let outbox = Self {
            frames: sender,
            level: Arc::clone(&level),
        };
        let outgoing = Outgoing {
            frames: receiver,
            level,
        };
        (outbox, outgoing)
    }

    pub(crate) fn send(&self, frame: Frame) {
        self.level
            .bytes
            .fetch_add(frame.text().len(), Ordering::Relaxed);
        // An agent that has gone is noticed where it matters.
        let _ = self.frames.send(frame);
    }

    pub(crate) fn has_room(&self) -> bool {
        self.level.bytes.load(Ordering::Relaxed) < ROOM
    }

    /// Waits until there may be room again.
    pub(crate) async fn room(&self) {
        self.level.falls.notified().await;
    }

    /// Waits until the agent has gone.
    pub(crate) async fn closed(&self) {
        self.frames.closed().await;
    }
}

impl Outgoing {
    pub(crate) async fn next(&mut self) -> Option<Frame> {
        let frame = self.frames.recv().await?;
        self.level
            .bytes
            .fetch_sub(frame.text().len(), Ordering::Relaxed);
        self.level.falls.notify_one();
        Some(frame)
    }
}
