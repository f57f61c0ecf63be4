//! `cargo xtask demo`: from a fresh clone to a page in the browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use crate::{paths, shell, site, triplets};

/// Every agent that needs no model.
const AGENTS: [&str; 5] = ["reference", "literal", "keyword", "silent", "header-only"];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Stop once the site is built
    #[arg(long)]
    no_serve: bool,
    /// Serve on this port of 127.0.0.1; 0 lets the system choose
    #[arg(long, default_value_t = 8017)]
    port: u16,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let demo = build(program(Profile::Release)?)?;
    println!("site: {}", demo.site.display());
    if args.no_serve {
        return Ok(());
    }
    let mut view = Command::new(&demo.program);
    view.current_dir(paths::root());
    view.arg("view")
        .arg(&demo.site)
        .arg("--port")
        .arg(args.port.to_string());
    shell::run(view)
}

/// What the demo leaves behind.
pub(crate) struct Demo {
    /// The native program.
    pub(crate) program: PathBuf,
    /// The explorer with the sweep's results: a folder that any static host serves.
    pub(crate) site: PathBuf,
}

/// Builds the explorer, runs the program's baseline sweep and publishes it.
pub(crate) fn build(program: PathBuf) -> anyhow::Result<Demo> {
    let explorer = site::build()?;
    let folder = paths::target().join("demo");
    let (runs, site) = (folder.join("runs"), folder.join("site"));
    let ava = folder.join("ava");
    // A demo shows what this tree computes, not what an earlier one left.
    for stale in [&runs, &site, &ava] {
        if stale.exists() {
            fs::remove_dir_all(stale)
                .with_context(|| format!("cannot clear {}", stale.display()))?;
        }
    }
    println!("running the baseline agents through the recording proxy, on the embedded federation");
    shell::run(sweep(&program, &runs))?;
    println!(
        "making triplets of excerpts of MONDO, HPO and GO, and judging two baselines on them and on a taxonomy"
    );
    let ava = triplets::make(&program, &ava)?;
    println!("publishing the results");
    let mut publish = shell::command(&program);
    publish.arg("publish").arg(&runs);
    publish.arg("--ava").args(&ava.results);
    publish.arg("--ava-triplets").args(&ava.triplets);
    publish
        .arg("--explorer")
        .arg(&explorer)
        .arg("--out")
        .arg(&site);
    shell::run(publish)?;
    Ok(Demo { program, site })
}

/// How the native program is compiled.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// As operators run it.
    Release,
    /// As the unit tests run it, which have compiled it already.
    Dev,
}

/// The native program.
pub(crate) fn program(profile: Profile) -> anyhow::Result<PathBuf> {
    println!("building the program");
    let mut build = shell::cargo();
    let folder = match profile {
        Profile::Release => {
            build.args(["build", "--quiet", "--release", "--package", "worker"]);
            "release"
        }
        // With the workspace's features, or its dependencies would be compiled anew.
        Profile::Dev => {
            build.args(["build", "--quiet", "--workspace", "--bin", "okn-benchmark"]);
            "debug"
        }
    };
    shell::run(build)?;
    let file = format!("okn-benchmark{}", std::env::consts::EXE_SUFFIX);
    Ok(paths::target().join(folder).join(file))
}

fn sweep(program: &Path, out: &Path) -> Command {
    let mut command = shell::command(program);
    command.arg("run");
    for agent in AGENTS {
        command.arg("--agent").arg(format!("baseline:{agent}"));
    }
    command.arg("--out").arg(out);
    command
}
