//! `mcp serve`: the federation's tools over stdio or streamable HTTP.

use crate::Failure;
use crate::cli::McpServeArgs;
use crate::output::Output;

pub(super) async fn run(_args: &McpServeArgs, _output: Output) -> Result<(), Failure> {
    std::future::ready(Err(Failure::usage(
        "not built yet",
        "use `federation serve`",
    )))
    .await
}
