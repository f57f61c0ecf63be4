//! Running other programs: their words are passed through, their failure is ours.

use std::collections::BTreeSet;
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
pub(crate) fn run_tests(command: Command, tally: &mut Tally) -> anyhow::Result<()> {
    run_telling_tests(command, tally).map(|_| ())
}

/// The same with tests that print `SKIPPED: ` and why where they check nothing: they count as skipped, and it returns why.
pub(crate) fn run_telling_tests(
    mut command: Command,
    tally: &mut Tally,
) -> anyhow::Result<BTreeSet<String>> {
    let shown = show(&command);
    let mut skipped = BTreeSet::new();
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("failed to start `{shown}`"))?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line.with_context(|| format!("`{shown}` printed no UTF-8"))?;
            skipped.extend(tally.read(&line).map(str::to_owned));
            println!("{line}");
        }
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("`{shown}` ended with {status}");
    }
    Ok(skipped)
}

/// What the program prints; where it fails, the error is in its own words.
pub(crate) fn output(program: impl AsRef<OsStr>, args: &[&str]) -> anyhow::Result<String> {
    let mut command = command(program);
    command.args(args);
    let shown = show(&command);
    let output = command
        .output()
        .with_context(|| format!("failed to start `{shown}`"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("`{shown}` ended with {}: {}", output.status, said.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The command line as a person would type it.
fn show(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| quoted(&word.to_string_lossy()))
        .collect::<Vec<_>>()
        .join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,@+%~".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_word_is_shown_as_a_shell_takes_it() {
        for (word, shown) in [
            ("--port=0", "--port=0"),
            ("/a b/c", "'/a b/c'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(word), shown);
        }
    }
}
