//! A server that runs as a process and speaks on its standard input and output.

use std::fs::File;
use std::path::Path;
use std::process::Stdio;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop, ProcessGroup};
use tokio::io::BufReader;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::mpsc;

use super::lines::{carry, greet};
use super::{FAREWELL, FromUpstream, Order, QUEUE, Upstream, initialized};
use crate::mcp::proxy::frame::Frame;
use crate::mcp::proxy::wire;
use crate::store::Log;

/// How much of what the process said on its standard error is told when it fails to start, in characters.
const LAST_WORDS: usize = 500;

pub(super) async fn open(
    command: &[String],
    directory: &Path,
    env: &[(String, String)],
    initialize: &Frame,
    log: &Path,
) -> Result<(Upstream, Frame), String> {
    let (mut child, mut stdin, stdout) = start(command, directory, env, log)?;
    let mut stdout = BufReader::new(stdout);
    let (events, received) = mpsc::channel(QUEUE);
    let greeted = greet(&mut stdout, &mut stdin, initialize).await;
    let Some((answer, early)) = greeted else {
        return Err(format!("{}{}", ended(&mut *child).await, last_words(log)));
    };
    if answer.error_text().is_none() && wire::write(&mut stdin, initialized()).await.is_err() {
        return Err(ended(&mut *child).await);
    }
    let (orders, ordered) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        for frame in early {
            if events.send(FromUpstream::Message(frame)).await.is_err() {
                return;
            }
        }
        Server { child, events }.run(stdin, stdout, ordered).await;
    });
    let upstream = Upstream {
        orders,
        events: received,
    };
    Ok((upstream, answer))
}

type Parts = (Box<dyn ChildWrapper>, ChildStdin, ChildStdout);

/// Starts the process in a group of its own, so that what it starts in its turn ends with it. What it says on its standard
/// error goes to a file: a pipe that nobody reads would stop it.
fn start(
    command: &[String],
    directory: &Path,
    env: &[(String, String)],
    log: &Path,
) -> Result<Parts, String> {
    let (program, arguments) = command.split_first().ok_or("the command is empty")?;
    let log: File = Log::open(log)
        .map_err(|error| format!("{error}: {}", error.source))?
        .into_file();
    let mut wrapped = CommandWrap::with_new(program, |command| {
        command
            .args(arguments)
            .current_dir(directory)
            .env_clear()
            .envs(env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log);
    });
    wrapped.wrap(ProcessGroup::leader()).wrap(KillOnDrop);
    let mut child = wrapped
        .spawn()
        .map_err(|error| format!("cannot start `{program}`: {error}"))?;
    let stdin = child
        .stdin()
        .take()
        .ok_or("the process has no standard input")?;
    let stdout = child
        .stdout()
        .take()
        .ok_or("the process has no standard output")?;
    Ok((child, stdin, stdout))
}

struct Server {
    child: Box<dyn ChildWrapper>,
    events: mpsc::Sender<FromUpstream>,
}

impl Server {
    async fn run(
        mut self,
        stdin: ChildStdin,
        stdout: BufReader<ChildStdout>,
        mut orders: mpsc::UnboundedReceiver<Order>,
    ) {
        let why = ended(&mut *self.child);
        let carried = carry(stdout, stdin, self.events, &mut orders, why).await;
        if tokio::time::timeout(FAREWELL, self.child.wait())
            .await
            .is_err()
        {
            let _ = Box::into_pin(self.child.kill()).await;
        }
        // Its group outlives it where it started something in its turn.
        let _ = self.child.start_kill();
        carried.reader.abort();
        if let Some(done) = carried.close {
            let _ = done.send(());
        }
    }
}

/// How the process ended, or that it closed its standard output without ending.
async fn ended(child: &mut dyn ChildWrapper) -> String {
    match tokio::time::timeout(FAREWELL, child.wait()).await {
        Ok(Ok(status)) => format!("the server's process ended ({status})"),
        Ok(Err(error)) => format!("the server's process is lost: {error}"),
        Err(_) => "the server closed its standard output".to_owned(),
    }
}

fn last_words(log: &Path) -> String {
    let said = crate::store::read_if_there(log)
        .ok()
        .flatten()
        .unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let said = said.trim();
    let start = said
        .char_indices()
        .rev()
        .nth(LAST_WORDS)
        .map_or(0, |(at, _)| at);
    match said.get(start..) {
        None | Some("") => String::new(),
        Some(words) => format!("; it said: {words}"),
    }
}
