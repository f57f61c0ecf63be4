//! Agents that reach the proxy by a socket of this machine.
//!
//! An agent program starts its tools itself, as a command. What it starts is a pipe to the proxy in the program that runs
//! the agent ([`attach`]): the agent may kill it at any moment, and the recording is whole all the same; and what the
//! server under test needs, such as a key, never comes near the agent.

use std::path::Path;
use std::sync::Arc;

use sweep::Recording;
use tokio::io::{self, AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::outbox::Outbox;
use super::record::SharedRecorder;
use super::session::{Session, Stop};
use super::{
    LAST_WRITES, ProxyError, QUEUE, Setup, StopSignal, UnderWay, open_recorder, read_all, write_all,
};

/// Serves every agent that connects, each with a session of its own and all in one recording, until `stop` says so.
pub async fn serve_socket(
    listener: UnixListener,
    setup: Setup,
    stop: StopSignal,
) -> Result<Recording, ProxyError> {
    let _under_way = UnderWay::begin();
    let recorder = open_recorder(&setup)?;
    let setup = Arc::new(setup);
    let mut sessions = JoinSet::new();
    let mut over = stop.0.clone();
    loop {
        tokio::select! {
            _ = over.wait_for(|stop| *stop) => break,
            connected = listener.accept() => {
                // A connection that broke before it stood is none.
                if let Ok((stream, _)) = connected {
                    sessions.spawn(talk(stream, Arc::clone(&setup), recorder.clone(), stop.0.clone()));
                }
            }
            Some(_) = sessions.join_next() => {}
        }
    }
    while sessions.join_next().await.is_some() {}
    recorder.lock().close().map_err(ProxyError::Recording)
}

async fn talk(stream: UnixStream, setup: Arc<Setup>, recorder: SharedRecorder, stop: Stop) {
    let (reader, writer) = stream.into_split();
    let (outbox, outgoing) = Outbox::new();
    let (messages, agent) = mpsc::channel(QUEUE);
    let reading = tokio::spawn(read_all(reader, messages));
    let writing = tokio::spawn(write_all(writer, outgoing));
    // Why a session never began is recorded, and the agent has been told.
    let _ = Session::new(setup, recorder, outbox).run(agent, stop).await;
    reading.abort();
    let _ = tokio::time::timeout(LAST_WRITES, writing).await;
}

/// Joins an agent's pair of streams to the proxy behind a socket, until either of them ends.
pub async fn attach<R, W>(socket: &Path, mut reader: R, mut writer: W) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Unpin,
{
    let (mut from_proxy, mut to_proxy) = UnixStream::connect(socket).await?.into_split();
    tokio::spawn(async move {
        let _ = io::copy(&mut reader, &mut to_proxy).await;
        // The proxy hears that the agent has no more to say, and answers what is under way.
        let _ = to_proxy.shutdown().await;
    });
    io::copy(&mut from_proxy, &mut writer).await?;
    writer.flush().await
}
