//! The fuzz targets, each for a while.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;

use crate::stage::Done;
use crate::tally::Tally;
use crate::test::files;
use crate::{paths, shell, tools};

/// Seconds for each target.
const SECONDS: u32 = 60;

/// Files that people wrote, from which targets begin besides those in `tests/fuzz/seeds`.
const WRITTEN: [(&str, &[&str]); 6] = [
    (
        "record",
        &[
            "crates/record/test_data/ok",
            "crates/record/test_data/problem",
        ],
    ),
    (
        "lint",
        &["crates/record/test_data/problem", "tests/lint/queries"],
    ),
    ("query", &["tests/lint/queries"]),
    ("ontology", &["crates/ontology/test_data"]),
    ("import", &["worker/tests/fixtures/sweeps/other-harness"]),
    ("bundle", &["worker/tests/fixtures/sweeps"]),
];

/// Lints every target: nothing else of the checks that run each time would notice that one no longer fits what it calls.
pub(crate) fn lint() -> anyhow::Result<Done> {
    lock()?;
    let mut command = shell::cargo();
    command.args([
        "clippy",
        "--quiet",
        "--all-targets",
        "--no-default-features",
    ]);
    command
        .arg("--manifest-path")
        .arg(folder().join("Cargo.toml"));
    // The workspace's own build folder, where its dependencies are checked already.
    command.arg("--target-dir").arg(paths::target());
    // Of the program's modules that are taken in by path, a target uses a part.
    command.args(["--", "-D", "warnings", "-A", "dead-code"]);
    shell::run(command)?;
    Ok(Done::Passed)
}

fn folder() -> PathBuf {
    paths::root().join("tests/fuzz")
}

/// Pins the versions that the program is built with.
fn lock() -> anyhow::Result<()> {
    let lock = folder().join("Cargo.lock");
    fs::copy(paths::root().join("Cargo.lock"), &lock)
        .with_context(|| format!("cannot write {}", lock.display()))?;
    Ok(())
}

/// Runs every target, without sanitizers: those need a nightly compiler, and the parsers have no unsafe code.
pub(crate) fn run(tally: &mut Tally) -> anyhow::Result<Done> {
    let cargo_fuzz = match tools::cargo_fuzz() {
        Ok(folder) => folder.join("cargo-fuzz"),
        Err(why) => return Ok(Done::Skipped(format!("no cargo-fuzz: {why:#}"))),
    };
    lock()?;
    let folder = folder();
    let mut failed = Vec::new();
    for target in files(&folder.join("fuzz_targets"), ".rs")? {
        let name = target.file_stem().unwrap_or_default().to_string_lossy();
        let corpus = folder.join("corpus").join(&*name);
        fs::create_dir_all(&corpus).with_context(|| format!("cannot make {}", corpus.display()))?;
        let mut command = shell::command(&cargo_fuzz);
        command.current_dir(paths::root().join("tests"));
        command.args(["run", "--sanitizer", "none", &name]);
        // What is found is kept in the first folder.
        command.arg(corpus);
        let seeds = folder.join("seeds").join(&*name);
        command.args(seeds.is_dir().then_some(seeds));
        let written = WRITTEN.iter().find(|(target, _)| *target == name);
        for folder in written.map_or(&[][..], |(_, folders)| folders) {
            command.arg(paths::root().join(folder));
        }
        command.arg("--");
        command.arg(format!("-max_total_time={SECONDS}"));
        command.args(["-timeout=10", "-max_len=4096", "-print_final_stats=1"]);
        match shell::run(command) {
            Ok(()) => tally.passed += 1,
            Err(why) => {
                tally.failed += 1;
                failed.push(format!("{why:#}"));
            }
        }
    }
    // One target's fault must not hide another's.
    anyhow::ensure!(failed.is_empty(), "{}", failed.join("; "));
    Ok(Done::Passed)
}
