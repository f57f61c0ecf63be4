//! `mcp attach`: a pipe between an agent and a recording proxy that runs in another process.

use crate::Failure;
use crate::cli::McpAttachArgs;
use crate::mcp::proxy;
use crate::store::StoreError;

pub(super) fn run(args: &McpAttachArgs) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|source| Failure::Runtime { source })?;
    let (reader, writer) = (tokio::io::stdin(), tokio::io::stdout());
    let attached = runtime.block_on(proxy::attach(&args.socket, reader, writer));
    // Standard input is read by a thread that waits for the agent, which need not say anything any more.
    runtime.shutdown_background();
    attached.map_err(|source| {
        let path = args.socket.clone();
        StoreError {
            action: "attach to",
            path,
            source,
        }
        .into()
    })
}
