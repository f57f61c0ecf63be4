//! `cargo xtask test`: every check, cheapest first, each timed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::bail;

use crate::stage::{Done, Outcome, Report, Stage};
use crate::tally::Tally;
use crate::{cuda, demo, fuzz, npm, paths, peers, shell, tools};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Run these stages only (comma-separated or repeated)
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Leave these stages out
    #[arg(long, value_delimiter = ',')]
    skip: Vec<String>,
    /// Add what takes longer than a minute: long property runs, fuzzing, parity with Python packages, the build for a GPU
    #[arg(long)]
    full: bool,
    /// Name the stages and stop
    #[arg(long)]
    list: bool,
}

/// Members that run in a page; their tests run there too where they have `wasm-bindgen-test` among their dev-dependencies.
const WASM_MEMBERS: &[&str] = &[
    "record",
    "table",
    "score",
    "control",
    "lint",
    "edge",
    "federation",
    "sweep",
    "rdfxml",
    "ontology",
    "ava",
    "explorer",
    "explorer-engine",
];

const STAGES: [Stage; 22] = [
    Stage {
        name: "format",
        about: "rustfmt has nothing to change",
        full: false,
        run: |_| cargo(&["fmt", "--all", "--check"]),
    },
    Stage {
        name: "clippy",
        about: "clippy, native",
        full: false,
        run: |_| {
            cargo(&[
                "clippy",
                "--quiet",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ])
        },
    },
    Stage {
        name: "clippy-wasm",
        about: "clippy, wasm32",
        full: false,
        run: |_| {
            tools::wasm_target()?;
            let mut command = wasm_cargo("clippy", WASM_MEMBERS);
            command.args(["--quiet", "--", "-D", "warnings"]);
            shell::run(command)?;
            Ok(Done::Passed)
        },
    },
    Stage {
        name: "clippy-fuzz",
        about: "clippy, the fuzz targets",
        full: false,
        run: |_| fuzz::lint(),
    },
    Stage {
        name: "layers",
        about: "the dependency arrows point down, and tokio and reqwest stay in the worker",
        full: false,
        run: |tally| cargo_test(&["--package", "workspace-tests", "--test", "layers"], tally),
    },
    Stage {
        name: "unit",
        about: "unit and integration tests",
        full: false,
        run: unit,
    },
    Stage {
        name: "published",
        about: "what others published: their triplets, ontologies and alignments, and a model of theirs, where these are at hand",
        full: false,
        run: peers::published,
    },
    Stage {
        name: "live",
        about: "servers, clients and agent programs of others, installed and run against ours, where these are asked for",
        full: false,
        run: peers::live,
    },
    Stage {
        name: "doc",
        about: "the examples in the documentation",
        full: false,
        run: |tally| cargo_test(&["--workspace", "--doc"], tally),
    },
    Stage {
        name: "wasm-node",
        about: "the same tests as Wasm in Node",
        full: false,
        run: |tally| wasm_tests(None, tally),
    },
    Stage {
        name: "wasm-chromium",
        about: "the same tests as Wasm in Chromium",
        full: false,
        run: |tally| match tools::browser() {
            Ok(browser) => wasm_tests(Some(&browser.driver), tally),
            Err(why) => Ok(Done::Skipped(format!("{why:#}"))),
        },
    },
    Stage {
        name: "npm",
        about: "the npm package as a stranger installs it: Node, a bundler, types, Chromium",
        full: false,
        run: npm_tests,
    },
    Stage {
        name: "browser",
        about: "the demo's site, end to end in Chromium",
        full: false,
        run: browser_tests,
    },
    Stage {
        name: "properties",
        about: "the laws, over many more cases",
        full: true,
        run: |tally| {
            let mut command = shell::cargo();
            command.args(["test", "--quiet", "--release", "--lib", "--tests"]);
            for member in [
                "record",
                "table",
                "score",
                "control",
                "lint",
                "federation",
                "rdfxml",
                "ontology",
                "ava",
                "sweep",
            ] {
                command.args(["--package", member]);
            }
            command.env("PROPTEST_CASES", "20000");
            shell::run_tests(command, tally)?;
            Ok(Done::Passed)
        },
    },
    Stage {
        name: "kills",
        about: "sweeps killed at two hundred random moments",
        full: true,
        run: |tally| {
            let words = [
                "--package",
                "worker",
                "--test",
                "cli",
                "killed::",
                "--",
                "--ignored",
            ];
            cargo_test(&words, tally)
        },
    },
    Stage {
        name: "snapshot",
        about: "the embedded federation is what its pinned sources give, byte for byte",
        full: true,
        run: |tally| {
            let package = ["--package", "xtask", "--features", "snapshot"];
            let mut command = shell::cargo();
            command
                .args(["clippy", "--quiet", "--all-targets"])
                .args(package);
            command.args(["--", "-D", "warnings"]);
            shell::run(command)?;
            cargo_test(&package, tally)?;
            let mut command = shell::cargo();
            command.args(["run", "--quiet"]).args(package);
            command.args(["--", "snapshot", "--check"]);
            shell::run(command)?;
            Ok(Done::Passed)
        },
    },
    Stage {
        name: "fuzz",
        about: "every parser on inputs that nobody wrote",
        full: true,
        run: fuzz::run,
    },
    Stage {
        name: "lexical",
        about: "token-set ratios beside RapidFuzz's: 200,000 pairs to 1e-9, and how fast, in one run",
        full: true,
        run: peers::lexical,
    },
    Stage {
        name: "extract",
        about: "subgraphs of HPO beside networkx's, the same ones within 10 seconds; a million triples within 5 seconds and 1 GB; all of MONDO, from OBO and OWL",
        full: true,
        run: peers::extract,
    },
    Stage {
        name: "encoder",
        about: "vectors beside sentence-transformers': MiniLM and mpnet, 1,000 texts of all lengths, alone and in batches, to 1e-5; MiniLM's published figures",
        full: true,
        run: peers::encoder,
    },
    Stage {
        name: "cuda",
        about: "the program for a GPU compiles; the toolkit is installed where there is none, a GPU is not needed",
        full: true,
        run: |_| cuda::run(),
    },
    Stage {
        name: "speed",
        about: "scoring beside a plain Python comparison, in one run",
        full: true,
        run: peers::speed,
    },
];

/// Runs what was asked for; `false` if a check failed.
pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    for name in args.only.iter().chain(&args.skip) {
        if !STAGES.iter().any(|stage| stage.name == name) {
            let known: Vec<_> = STAGES.iter().map(|stage| stage.name).collect();
            bail!("no stage `{name}`; there are {}", known.join(", "));
        }
    }
    if args.list {
        for stage in &STAGES {
            let when = if stage.full { " (--full)" } else { "" };
            println!("{:14} {}{when}", stage.name, stage.about);
        }
        return Ok(true);
    }
    let chosen = |stage: &&Stage| {
        let named = args.only.iter().any(|name| name == stage.name);
        let wanted = if args.only.is_empty() {
            args.full || !stage.full
        } else {
            named
        };
        wanted && !args.skip.iter().any(|name| name == stage.name)
    };
    let reports: Vec<Report> = STAGES.iter().filter(chosen).map(Stage::report).collect();
    Ok(summarise(&reports))
}

fn summarise(reports: &[Report]) -> bool {
    let mut total = Tally::default();
    let mut good = true;
    println!("\n{:14} {:>8}  outcome", "stage", "seconds");
    for report in reports {
        total += report.tally;
        let seconds = report.took.as_secs_f64();
        let outcome = match &report.outcome {
            Outcome::Passed => report.tally.to_string(),
            Outcome::Failed(why) => {
                good = false;
                format!("FAILED: {why}")
            }
            Outcome::InPart(why) => format!("{}; SKIPPED in part: {why}", report.tally),
            Outcome::Skipped(why) => format!("SKIPPED: {why}"),
        };
        println!("{:14} {seconds:>8.1}  {outcome}", report.name);
    }
    println!("\n{total}");
    good
}

fn cargo(args: &[&str]) -> anyhow::Result<Done> {
    let mut command = shell::cargo();
    command.args(args);
    shell::run(command)?;
    Ok(Done::Passed)
}

fn cargo_test(args: &[&str], tally: &mut Tally) -> anyhow::Result<Done> {
    let mut command = shell::cargo();
    command
        .args(["test", "--quiet", "--no-fail-fast"])
        .args(args);
    shell::run_tests(command, tally)?;
    Ok(Done::Passed)
}

fn wasm_cargo(verb: &str, members: &[&str]) -> Command {
    let mut command = shell::cargo();
    command.args([verb, "--target", "wasm32-unknown-unknown"]);
    for member in members {
        command.args(["--package", member]);
    }
    command
}

/// All tests but those that the stages `published` and `live` run, which check nothing without what they are of.
fn unit(tally: &mut Tally) -> anyhow::Result<Done> {
    let mut words = vec!["--workspace", "--lib", "--bins", "--tests", "--"];
    for left_out in [
        peers::OF_PUBLISHED_FILES,
        peers::OF_A_REAL_MODEL,
        peers::OF_A_LIVE_PEER,
        peers::OF_LIVE_AGENTS,
    ] {
        words.extend(["--skip", left_out]);
    }
    cargo_test(&words, tally)
}

/// Runs the members' Wasm tests in Node, or in the browser that `driver` drives.
fn wasm_tests(driver: Option<&Path>, tally: &mut Tally) -> anyhow::Result<Done> {
    tools::wasm_target()?;
    let tools = tools::wasm_bindgen()?;
    let members = wasm_tested_members()?;
    let members: Vec<&str> = members.iter().map(String::as_str).collect();
    let mut command = wasm_cargo("test", &members);
    command.args(["--tests", "--no-fail-fast"]);
    // Found on PATH: cargo would divide a path with spaces.
    command.env(
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER",
        "wasm-bindgen-test-runner",
    );
    command.env("PATH", paths::path_with(&tools)?);
    match driver {
        Some(driver) => command
            .env("WASM_BINDGEN_USE_BROWSER", "1")
            .env("CHROMEDRIVER", driver),
        // Suites that need a page are left to the other stage.
        None => command.env("WASM_BINDGEN_TEST_ONLY_NODE", "1"),
    };
    shell::run_tests(command, tally)?;
    Ok(Done::Passed)
}

/// The members that ask for Wasm tests, read from their manifests so that no list can go stale.
fn wasm_tested_members() -> anyhow::Result<Vec<String>> {
    let mut members = Vec::new();
    for member in WASM_MEMBERS {
        let mut command = shell::cargo();
        command.args([
            "tree",
            "--quiet",
            "--package",
            member,
            "--depth",
            "1",
            "--prefix",
            "none",
        ]);
        command.args(["--edges", "dev", "--target", "wasm32-unknown-unknown"]);
        let output = command.output()?;
        if String::from_utf8_lossy(&output.stdout).contains("wasm-bindgen-test ") {
            members.push((*member).to_owned());
        }
    }
    if members.is_empty() {
        bail!("no member has wasm-bindgen-test among its dev-dependencies");
    }
    Ok(members)
}

/// The tests of the npm package; without a browser, all but those that need one, and it says so.
fn npm_tests(tally: &mut Tally) -> anyhow::Result<Done> {
    let package = npm::build()?;
    let folder = installed("tests/npm")?;
    let mut node = shell::command("node");
    node.args(["--test", "--test-concurrency=1", "--test-reporter=tap"]);
    node.args(files(&folder, ".test.mjs")?);
    node.env("OKN_PACKAGE", package);
    match tools::browser() {
        Ok(browser) => {
            node.env("CHROMIUM", browser.chromium);
        }
        Err(why) => println!("without Chromium: {why:#}"),
    }
    shell::run_tests(node, tally)?;
    Ok(Done::Passed)
}

/// A folder of JavaScript tests with what its lock file names.
fn installed(folder: &str) -> anyhow::Result<PathBuf> {
    let folder = paths::root().join(folder);
    let mut install = shell::command("npm");
    install.args([
        "ci",
        "--silent",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
    ]);
    install.current_dir(&folder);
    shell::run(install)?;
    Ok(folder)
}

fn browser_tests(tally: &mut Tally) -> anyhow::Result<Done> {
    let browser = match tools::browser() {
        Ok(browser) => browser,
        Err(why) => return Ok(Done::Skipped(format!("{why:#}"))),
    };
    let demo = demo::build(demo::program(demo::Profile::Dev)?)?;
    let folder = installed("tests/browser")?;
    let mut node = shell::command("node");
    node.args(["--test", "--test-concurrency=1", "--test-reporter=tap"]);
    // Named one by one: versions of Node differ in what they make of a folder.
    node.args(files(&folder, ".test.mjs")?);
    node.env("OKN_SITE", &demo.site)
        .env("CHROMIUM", &browser.chromium);
    node.env(
        "OKN_MEASURES",
        paths::target().join("browser-measures.json"),
    );
    shell::run_tests(node, tally)?;
    Ok(Done::Passed)
}

/// The files of a folder whose names end so, in the order of their names.
pub(crate) fn files(folder: &Path, ending: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
