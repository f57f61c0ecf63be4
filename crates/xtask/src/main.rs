//! The two README commands, `cargo xtask demo` and `cargo xtask test`, and the upkeep commands beside them.
//!
//! This is the one package under `crates/` that touches files, processes and the clock: it drives the others from outside
//! and nothing depends on it.
#![expect(
    clippy::print_stdout,
    reason = "a terminal program for developers: what it prints is its interface"
)]

mod cuda;
mod demo;
mod fuzz;
mod npm;
mod paths;
mod peers;
mod shell;
mod site;
#[cfg(feature = "snapshot")]
mod snapshot;
mod stage;
mod tally;
mod test;
mod tools;
mod triplets;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Sets up, runs and checks okn-benchmark
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Set up what is missing, run the baseline agents on the embedded federation, and serve the explorer with their results
    Demo(demo::Args),
    /// Set up what is missing and run every check
    Test(test::Args),
    /// Build the explorer into target/explorer
    Site,
    /// Build the npm package into target/npm
    Npm,
    /// Rebuild the embedded federation from its pinned sources, byte for byte
    Snapshot {
        /// Write nothing; fail if what would be written differs from what is committed
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Demo(args) => demo::run(&args).map(|()| true),
        Command::Test(args) => test::run(&args),
        Command::Site => site::build().map(|_| true),
        Command::Npm => npm::build().map(|_| true),
        Command::Snapshot { check } => rebuild_snapshot(check).map(|()| true),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// The readers of the sources (SQLite, zstd, XML) are compiled only for this command, by calling ourselves with the feature on.
#[cfg(not(feature = "snapshot"))]
fn rebuild_snapshot(check: bool) -> anyhow::Result<()> {
    let mut command = shell::cargo();
    command.args(["run", "--quiet", "--package", "xtask"]);
    command.args(["--features", "snapshot", "--", "snapshot"]);
    if check {
        command.arg("--check");
    }
    shell::run(command)
}

#[cfg(feature = "snapshot")]
fn rebuild_snapshot(check: bool) -> anyhow::Result<()> {
    snapshot::run(check)
}
