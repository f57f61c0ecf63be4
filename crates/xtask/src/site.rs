//! The explorer's static files.

use std::path::PathBuf;

use crate::tools::WebTools;
use crate::{paths, shell};

/// Builds the explorer and returns the folder that holds it.
pub(crate) fn build() -> anyhow::Result<PathBuf> {
    let tools = WebTools::ensure()?;
    println!("building the explorer");
    let dist = paths::target().join("explorer");
    // Offline, because every tool that trunk would download is on PATH already. It passes that on to cargo, so the packages
    // are fetched before.
    let mut fetch = shell::cargo();
    fetch.args(["fetch", "--quiet", "--locked"]);
    shell::run(fetch)?;
    let mut command = tools.command("trunk")?;
    command.args(["build", "--release", "--offline", "--dist"]);
    command.arg(&dist);
    command.env_remove("NO_COLOR");
    shell::run(command)?;
    Ok(dist)
}
