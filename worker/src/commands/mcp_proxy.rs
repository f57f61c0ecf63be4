//! `mcp proxy`: between an agent and the server under test.

use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::net::TcpListener;

use crate::Failure;
use crate::cli::McpProxyArgs;
use crate::error::AddressBy;
use crate::mcp::proxy::{self, Setup, StopHandle};
use crate::output::Output;
use crate::profile::Profile;
use crate::settings::tool_set;
use crate::store::{self, FolderLock};

/// An agent that starts its tools again may do so while the proxy before still takes leave of its server.
const PREDECESSOR: Duration = Duration::from_secs(10);

#[derive(Serialize)]
struct Serving {
    address: String,
}

pub(super) fn run(args: &McpProxyArgs, output: Output) -> Result<(), Failure> {
    let setup = decide(args)?;
    let _lock = taken(&args.out)?;
    // A sweep runs many proxies, each of which mostly waits: one thread is enough.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|source| Failure::Runtime { source })?;
    let result = runtime.block_on(serve(args, setup, output));
    // Standard input is read by a thread that waits for the agent, which need not say anything any more.
    runtime.shutdown_background();
    result
}

fn decide(args: &McpProxyArgs) -> Result<Setup, Failure> {
    let tools = tool_set(&args.tools)?;
    // Written so that NaN is refused, too.
    let timeout = Duration::try_from_secs_f64(args.timeout)
        .ok()
        .filter(|timeout| !timeout.is_zero());
    let timeout = timeout.ok_or_else(|| {
        Failure::usage(
            format!("`{}` is no time limit", args.timeout),
            "--timeout takes seconds, such as 120",
        )
    })?;
    if let Some(work) = args.work.as_deref().filter(|work| !work.is_dir()) {
        return Err(Failure::usage(
            format!("there is no folder {}", work.display()),
            "--work takes the folder in which the agent writes its files",
        ));
    }
    Ok(Setup {
        profile: Profile::read(&args.profile, &|name| std::env::var(name).ok())?,
        tools,
        timeout,
        strict_upstream_errors: args.strict_upstream_errors,
        out: args.out.clone(),
        work: args.work.clone(),
    })
}

/// Takes the folder of the recording for this proxy alone: two would number their calls alike.
fn taken(out: &Path) -> Result<FolderLock, Failure> {
    let began = Instant::now();
    loop {
        if let Some(lock) = store::lock_folder(out)? {
            return Ok(lock);
        }
        if began.elapsed() >= PREDECESSOR {
            return Err(Failure::usage(
                format!("another process is recording in {}", out.display()),
                "a folder is one attempt's: give each proxy an --out of its own",
            ));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

async fn serve(args: &McpProxyArgs, setup: Setup, output: Output) -> Result<(), Failure> {
    let (handle, stop) = StopHandle::new();
    tokio::spawn(async move {
        asked_to_end().await;
        handle.stop();
    });
    let Some(address) = args.http else {
        proxy::serve(tokio::io::stdin(), tokio::io::stdout(), setup, stop).await?;
        return Ok(());
    };
    let failed = |source| Failure::Serve {
        address: address.to_string(),
        by: AddressBy::Http,
        source,
    };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let serving = Serving {
        address: format!("http://{address}/mcp"),
    };
    output.print(&serving, |serving| serving.address.clone())?;
    output.say("serving until Ctrl-C");
    proxy::serve_http(listener, setup, stop).await?;
    Ok(())
}

/// Waits for Ctrl-C or a polite kill, after which the recording is still finished.
async fn asked_to_end() {
    #[cfg(unix)]
    if let Ok(mut kill) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
    {
        tokio::select! {
            _ = kill.recv() => {}
            ended = tokio::signal::ctrl_c() => if ended.is_err() {
                kill.recv().await;
            },
        }
        return;
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
