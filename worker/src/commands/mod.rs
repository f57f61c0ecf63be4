//! One file for each command.

pub mod ava;
mod compare;
mod controls;
mod corpus;
mod criteria;
mod derived;
mod dry_run;
mod export_questions;
mod federation;
mod import;
mod lint;
mod mcp_attach;
mod mcp_proxy;
mod mcp_serve;
mod publish;
mod publish_ava;
mod reference;
mod run;
mod score;
mod selfcheck;
mod view;

use std::future::Future;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use sweep::{Provenance, ResultKind};

use crate::Failure;
use crate::cli::{Command, CorpusCommand, FederationCommand, McpCommand};
use crate::mcp::proxy;
use crate::output::Output;

/// How long servers that a stopped command had started may take to end.
const FAREWELL: Duration = Duration::from_secs(5);

/// Does what was typed.
pub fn run(command: Command, output: &Output) -> Result<(), Failure> {
    let output = *output;
    match command {
        Command::Corpus(CorpusCommand::List(args)) => corpus::list(&args, output),
        Command::Corpus(CorpusCommand::Show(args)) => corpus::show(&args, output),
        Command::Reference(args) => {
            until_interrupted("nothing more was run", reference::run(&args, output))
        }
        Command::Selfcheck(args) => {
            until_interrupted("not everything was checked", selfcheck::run(&args, output))
        }
        Command::Score(args) => until_interrupted("nothing was scored", score::run(&args, output)),
        Command::Controls(args) => {
            until_interrupted("not everything was compared", controls::run(&args, output))
        }
        Command::Criteria(args) => {
            until_interrupted("not everything was probed", criteria::run(&args, output))
        }
        Command::ExportQuestions(args) => export_questions::run(&args, output),
        Command::Lint(args) => {
            until_interrupted("not every file was judged", lint::run(&args, output))
        }
        Command::Run(args) => until_interrupted(
            "finished attempts are kept, run it again to finish the rest",
            run::run(&args, output),
        ),
        Command::Compare(args) => compare::run(&args, output),
        Command::Import(args) => import::run(&args, output),
        Command::Publish(args) => {
            until_interrupted("nothing was published", publish::run(&args, output))
        }
        Command::View(args) => on_runtime(view::run(&args, output)),
        Command::Federation(FederationCommand::Serve(args)) => {
            on_runtime(federation::run(&args, output))
        }
        Command::Mcp(McpCommand::Serve(args)) => on_runtime(mcp_serve::run(&args, output)),
        Command::Mcp(McpCommand::Proxy(args)) => mcp_proxy::run(&args, output),
        Command::Ava(command) => ava::run(command, output),
        Command::Mcp(McpCommand::Attach(args)) => mcp_attach::run(&args),
    }
}

/// Runs a command until it is done or Ctrl-C is pressed, whichever comes first. What a command leaves half-way at an
/// `await` must be whole on disk or not there.
fn until_interrupted(
    left: &str,
    command: impl Future<Output = Result<(), Failure>>,
) -> Result<(), Failure> {
    on_runtime(async {
        let mut interrupt = pin!(tokio::signal::ctrl_c());
        // Listened for before the command begins, which may come far before it waits for anything.
        match futures::poll!(&mut interrupt) {
            Poll::Ready(Ok(())) => return Err(Failure::Interrupted(left.to_owned())),
            // Without a signal to wait for the system ends the process by itself.
            Poll::Ready(Err(_)) => return command.await,
            Poll::Pending => {}
        }
        tokio::select! {
            biased;
            result = command => result,
            _ = &mut interrupt => {
                // What the command had under way was dropped with it; servers of its own take a moment to end.
                proxy::all_ended(FAREWELL).await;
                Err(Failure::Interrupted(left.to_owned()))
            }
        }
    })
}

fn on_runtime(command: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|source| Failure::Runtime { source })?;
    let result = runtime.block_on(command);
    // An evaluation that was cancelled ends in its own time; nobody waits for it.
    runtime.shutdown_background();
    result
}

/// Where results come from, for people.
fn source_line(provenance: &Provenance) -> String {
    let server = &provenance.server;
    let release = provenance
        .release
        .as_ref()
        .map(|release| format!(", release {release}"));
    let release = release.unwrap_or_default();
    match provenance.kind {
        ResultKind::Reconstruction => {
            format!(
                "data: reconstruction of published figures ({server}{release}), not the live federation's"
            )
        }
        ResultKind::Live => {
            let endpoint = &provenance.endpoint;
            let named = if is_host(server, endpoint) {
                ", which gives itself no name".to_owned()
            } else {
                format!(" ({server})")
            };
            format!("data: live, {endpoint}{named}{release}")
        }
        ResultKind::Unreached => format!("data: none, {} was not reached", provenance.endpoint),
    }
}

/// Whether a server is known by the host of its address alone.
fn is_host(server: &str, endpoint: &str) -> bool {
    reqwest::Url::parse(endpoint).is_ok_and(|url| url.host_str() == Some(server))
}

/// `1 row`, `2 rows`.
fn plural(count: usize, one: &str) -> String {
    if count == 1 {
        format!("1 {one}")
    } else {
        format!("{count} {one}s")
    }
}
