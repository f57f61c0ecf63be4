//! Running other programs: their words are passed through, their failure is ours.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::paths;
use crate::tally::Tally;

/// A command that runs in the repository's root.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(paths::root());
    command
}

/// The cargo that is running us.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs to the end; an exit status other than 0 is an error that shows the command line.
pub(crate) fn run(mut command: Command) -> anyhow::Result<()> {
    let shown = show(&command);
    let status = command
        .status()
        .with_context(|| format!("failed to start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` ended with {status}");
    }
    Ok(())
}

/// Runs to the end, passing stdout through line by line while counting the tests that it reports.
pub(crate) fn run_tests(mut command: Command, tally: &mut Tally) -> anyhow::Result<()> {
    let shown = show(&command);
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("failed to start `{shown}`"))?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line.with_context(|| format!("`{shown}` printed no UTF-8"))?;
            tally.read(&line);
            println!("{line}");
        }
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("`{shown}` ended with {status}");
    }
    Ok(())
}

/// What the program prints, or `None` where it is missing or fails.
pub(crate) fn output(program: impl AsRef<OsStr>, args: &[&str]) -> Option<String> {
    let output = command(program)
        .args(args)
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The command line as a person would type it.
fn show(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
