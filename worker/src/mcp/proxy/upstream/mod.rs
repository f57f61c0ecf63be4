//! The connection to the server under test, in a task of its own: it may be lost, and the proxy goes on without it.

mod command;
mod http;
mod inside;
mod lines;

use std::path::Path;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::frame::{Frame, Id};
use crate::profile::UpstreamChoice;

/// Messages that may wait for the proxy before the server has to wait as well.
const QUEUE: usize = 64;

/// How long a server may take to end when it is asked to.
const FAREWELL: Duration = Duration::from_secs(2);

/// The connection to a server, open until it says [`FromUpstream::Lost`].
#[derive(Debug)]
pub(crate) struct Upstream {
    orders: mpsc::UnboundedSender<Order>,
    events: mpsc::Receiver<FromUpstream>,
}

/// What the proxy wants of the connection.
#[derive(Debug)]
enum Order {
    /// Pass a message on; `repeatable` if it does no harm to pass it on twice.
    Send { frame: Frame, repeatable: bool },
    /// Nobody waits for the reply any more.
    Abandon(Id),
    /// End it, and say when that is done.
    Close(oneshot::Sender<()>),
}

/// What comes from the connection.
#[derive(Debug)]
pub(crate) enum FromUpstream {
    /// A message of the server.
    Message(Frame),
    /// A request that will have no reply, though the connection stands.
    Failed {
        id: Id,
        reason: String,
        session_reset: bool,
    },
    /// The session was gone and has been opened again: what the server answered to `initialize` this time.
    Reopened(Frame),
    /// A request that was passed on again, in a new session or over a new connection.
    Repeated { id: Id, session_reset: bool },
    /// The connection is lost for good.
    Lost(String),
}

impl Upstream {
    /// Opens the connection with the agent's own `initialize`, and tells the server that it stands; the server's answer
    /// to it, or why there is none.
    pub(crate) async fn open(
        choice: &UpstreamChoice,
        initialize: &Frame,
        limit: Duration,
        log: &Path,
    ) -> Result<(Self, Frame), String> {
        let opening = async {
            match choice {
                UpstreamChoice::Url { url, headers } => {
                    http::open(url, headers, initialize, limit).await
                }
                UpstreamChoice::Command {
                    command,
                    directory,
                    env,
                } => command::open(command, directory, env, initialize, log).await,
                UpstreamChoice::Inside(server) => inside::open(server, initialize).await,
            }
        };
        tokio::time::timeout(limit, opening)
            .await
            .unwrap_or_else(|_| {
                Err(format!(
                    "no answer to initialize within {} s",
                    limit.as_secs_f64()
                ))
            })
    }

    pub(crate) fn send(&self, frame: Frame, repeatable: bool) {
        // A connection that has ended says so by itself.
        let _ = self.orders.send(Order::Send { frame, repeatable });
    }

    pub(crate) fn abandon(&self, id: Id) {
        let _ = self.orders.send(Order::Abandon(id));
    }

    pub(crate) async fn next(&mut self) -> FromUpstream {
        let ended = || FromUpstream::Lost("the connection ended".to_owned());
        self.events.recv().await.unwrap_or_else(ended)
    }

    /// Ends the connection, politely if the server allows it within a few seconds.
    pub(crate) async fn close(mut self) {
        let (done, closed) = oneshot::channel();
        if self.orders.send(Order::Close(done)).is_err() {
            return;
        }
        // Nobody waits for what is still to come, and it must not stand in the way.
        let drain = async { while self.events.recv().await.is_some() {} };
        let _ = tokio::time::timeout(FAREWELL * 2, async {
            tokio::select! {
                _ = closed => {}
                () = drain => {}
            }
        })
        .await;
    }
}

/// The notification that ends the opening of a session.
fn initialized() -> Frame {
    Frame::notification("notifications/initialized", None)
}
