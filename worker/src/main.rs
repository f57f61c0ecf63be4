//! The program `okn-benchmark`.

use std::process::ExitCode;

use clap::Parser as _;
use worker::cli::Cli;
use worker::commands;
use worker::output::Output;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let output = Output::new(cli.json);
    match commands::run(cli.command, &output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output.report(&failure),
    }
}
