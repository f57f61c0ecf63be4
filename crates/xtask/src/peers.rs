//! The checks against what others made: published files and models, Python packages.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::ensure;

use crate::stage::Done;
use crate::tally::Tally;
use crate::{demo, paths, shell, tools};

/// What the names of all tests of published files have in common; without the files they check nothing.
pub(crate) const OF_PUBLISHED_FILES: &str = "published_files";
/// The same of the tests of a model that somebody trained.
pub(crate) const OF_A_REAL_MODEL: &str = "a_real_model";

/// The same of the tests that install programs of others and run them against ours; what asks for them, and for what.
const LIVE: [(&str, &str, &str); 2] = [
    (
        "OKN_LIVE_PEERS",
        OF_A_LIVE_PEER,
        "OKN_LIVE_PEERS is not set: set it to 1 to install servers and clients of the protocol from PyPI and npm",
    ),
    (
        "OKN_LIVE_AGENTS",
        OF_LIVE_AGENTS,
        "OKN_LIVE_AGENTS is not set: set it to 1 to install the agent programs of three vendors from npm",
    ),
];
pub(crate) const OF_A_LIVE_PEER: &str = "of_a_live_peer";
pub(crate) const OF_LIVE_AGENTS: &str = "of_live_agents";

/// Why a Python package is installed.
const COMPARED: &str = "we are compared with them";

/// In a debug build, what lies between a model's products of matrices takes longer than they do.
const FOR_A_MODEL: &str = "--release";

const DATA: &str = "OKN_PUBLISHED_DATA";
const MODEL: &str = "OKN_ENCODER_MODEL";
const NO_DATA: &str = "OKN_PUBLISHED_DATA is not set: name the folder with ava-triplets-visible.jsonl, alignment/ and taxonomy/";
const NO_MODEL: &str = "OKN_ENCODER_MODEL is not set: name the folder of all-MiniLM-L6-v2, or leave it to --full to fetch it";

/// The folder that a variable names, for tests that run in their packages' folders.
fn named(variable: &str) -> anyhow::Result<Option<PathBuf>> {
    let Some(folder) = env::var_os(variable).filter(|folder| !folder.is_empty()) else {
        return Ok(None);
    };
    let folder = std::path::absolute(folder)?;
    ensure!(
        folder.is_dir(),
        "{variable} names {}, which is no folder",
        folder.display()
    );
    Ok(Some(folder))
}

/// The tests that the variables are for; what they do not name is told.
pub(crate) fn published(tally: &mut Tally) -> anyhow::Result<Done> {
    let (data, model) = (named(DATA)?, named(MODEL)?);
    if data.is_none() && model.is_none() {
        return Ok(Done::Skipped(format!("{NO_DATA}; {NO_MODEL}")));
    }
    let mut skipped = BTreeSet::new();
    match &data {
        // Without a model, the tests that want one say so.
        Some(data) => skipped.extend(published_files(data, model.as_deref(), tally)?),
        None => skipped.extend([NO_DATA.to_owned()]),
    }
    if let Some(model) = &model {
        skipped.extend(real_model(model, None, tally)?);
    }
    Ok(but_for(skipped))
}

/// Passed, but for what was skipped.
fn but_for(skipped: BTreeSet<String>) -> Done {
    if skipped.is_empty() {
        Done::Passed
    } else {
        Done::InPart(Vec::from_iter(skipped).join("; "))
    }
}

/// The tests with programs of others that somebody asks for; who was not asked for is told.
pub(crate) fn live(tally: &mut Tally) -> anyhow::Result<Done> {
    let is_set = |variable: &str| env::var_os(variable).is_some_and(|value| !value.is_empty());
    let (asked, left): (Vec<_>, Vec<_>) = LIVE
        .into_iter()
        .partition(|(variable, ..)| is_set(variable));
    let mut skipped: BTreeSet<String> = left.iter().map(|(.., why)| (*why).to_owned()).collect();
    if asked.is_empty() {
        return Ok(Done::Skipped(Vec::from_iter(skipped).join("; ")));
    }
    let mut command = shell::cargo();
    command.args(["test", "--quiet", "--no-fail-fast", "--package", "worker"]);
    for tests in ["programs", "mcp_serve", "proxy"] {
        command.args(["--test", tests]);
    }
    command.args(["--", "--nocapture"]);
    command.args(asked.iter().map(|(_, word, _)| word));
    // What cannot be installed says so.
    skipped.extend(ran(command, tally)?);
    Ok(but_for(skipped))
}

fn published_files(
    data: &Path,
    model: Option<&Path>,
    tally: &mut Tally,
) -> anyhow::Result<BTreeSet<String>> {
    let mut command = shell::cargo();
    command.args(["test", "--quiet", "--no-fail-fast"]);
    if model.is_some() {
        command.arg(FOR_A_MODEL);
    }
    for package in ["ava", "ontology", "worker"] {
        command.args(["--package", package]);
    }
    command.args(["--test", "published", "--test", "cli"]);
    command.args([OF_PUBLISHED_FILES, "--", "--nocapture"]);
    command.env(DATA, data);
    match model {
        Some(model) => command.env(MODEL, model),
        None => command.env_remove(MODEL),
    };
    ran(command, tally)
}

/// A model beside vectors of sentence-transformers: those of a file, or the few that are stored.
fn real_model(
    model: &Path,
    golden: Option<&Path>,
    tally: &mut Tally,
) -> anyhow::Result<BTreeSet<String>> {
    let mut command = shell::cargo();
    command.args(["test", "--quiet", FOR_A_MODEL, "--package", "worker"]);
    command.args(["--test", "encoder", OF_A_REAL_MODEL, "--", "--nocapture"]);
    command.env(MODEL, model);
    if let Some(golden) = golden {
        command.env("OKN_ENCODER_GOLDEN", golden);
    }
    ran(command, tally)
}

/// Runs tests that were chosen by a word in their names, of which there must be some.
fn ran(command: Command, tally: &mut Tally) -> anyhow::Result<BTreeSet<String>> {
    let before = *tally;
    let skipped = shell::run_telling_tests(command, tally)?;
    ensure!(*tally != before, "no test has a name with that word in it");
    Ok(skipped)
}

/// Token-set ratios beside RapidFuzz's.
pub(crate) fn lexical(_: &mut Tally) -> anyhow::Result<Done> {
    let packages = ["rapidfuzz==3.14.6", "numpy==2.4.6"];
    let python = match tools::python("rapidfuzz-3.14.6", &packages, COMPARED) {
        Ok(python) => python,
        Err(why) => return Ok(Done::Skipped(format!("no RapidFuzz: {why:#}"))),
    };
    for script in ["compare.py", "run.py"] {
        let mut command = shell::command(&python);
        command.arg(format!("bench/lexical/{script}"));
        shell::run(command)?;
    }
    Ok(Done::Passed)
}

/// Subgraphs beside networkx's, a million triples within a gigabyte, and all of MONDO.
pub(crate) fn extract(_: &mut Tally) -> anyhow::Result<Done> {
    let python = |script: &str| {
        let mut command = shell::command("python3");
        command.arg(format!("bench/extract/{script}"));
        command
    };
    let program = demo::program(demo::Profile::Release)?;
    let mut load = python("load.py");
    load.arg(&program);
    shell::run(load)?;
    let mut skipped = BTreeSet::new();
    for (script, options, without) in [
        (
            "run.py",
            &["--rounds", "3"] as &[&str],
            "no comparison with networkx",
        ),
        ("mondo.py", &[], "no MONDO"),
    ] {
        let mut fetch = python(script);
        fetch.arg("--fetch");
        if let Err(why) = shell::run(fetch) {
            skipped.insert(format!("{without}: {why:#}"));
            continue;
        }
        let mut command = python(script);
        command.arg(&program).args(options);
        shell::run(command)?;
    }
    Ok(but_for(skipped))
}

/// Compares the model of `OKN_ENCODER_MODEL`, or those of two pinned packages, with sentence-transformers; then the
/// published figures of all-MiniLM-L6-v2, where their files are.
pub(crate) fn encoder(tally: &mut Tally) -> anyhow::Result<Done> {
    let packages = [
        "sentence-transformers==6.2.0",
        "transformers==5.24.0",
        "torch==2.15.0",
    ];
    let python = match tools::python("sentence-transformers-6.2.0", &packages, COMPARED) {
        Ok(python) => python,
        Err(why) => return Ok(Done::Skipped(format!("no sentence-transformers: {why:#}"))),
    };
    let models = match named(MODEL)? {
        Some(model) => vec![model],
        None => match tools::models(&python) {
            Ok(models) => models,
            Err(why) => {
                return Ok(Done::Skipped(format!(
                    "no model: {why:#}; OKN_ENCODER_MODEL names the folder of one"
                )));
            }
        },
    };
    let mut skipped = BTreeSet::new();
    for model in &models {
        let name = model.file_name().unwrap_or_default().to_string_lossy();
        let golden = paths::target().join(format!("encoder-{name}.json"));
        let mut command = shell::command(&python);
        command
            .arg("worker/tests/fixtures/encoders/make.py")
            .args(["--texts", "1000", "--model"])
            .arg(model)
            .arg("--out")
            .arg(&golden);
        shell::run(command)?;
        skipped.extend(real_model(model, Some(&golden), tally)?);
    }
    match (named(DATA)?, models.first()) {
        // The first is all-MiniLM-L6-v2; the others have no published figures there.
        (Some(data), Some(model)) => skipped.extend(published_files(&data, Some(model), tally)?),
        _ => skipped.extend([format!(
            "no published figures of all-MiniLM-L6-v2: {NO_DATA}"
        )]),
    }
    Ok(but_for(skipped))
}

/// Scoring beside a plain comparison in Python.
pub(crate) fn speed(_: &mut Tally) -> anyhow::Result<Done> {
    tools::wasm_target()?;
    let mut command = shell::command("python3");
    command.arg("bench/score/run.py");
    command.env("PATH", paths::path_with(&tools::wasm_bindgen()?)?);
    shell::run(command)?;
    Ok(Done::Passed)
}
