//! Programs that the build and the tests need and a fresh machine lacks, each pinned and installed once into the cache.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::{paths, shell};

/// trunk 0.22 wants a newer Rust than the one in `Cargo.toml`.
const TRUNK: &str = "0.21.14";
const CARGO_FUZZ: &str = "0.13.2";
const BINARYEN: &str = "132.0.0";

/// What building the explorer takes, as folders for `PATH`.
pub(crate) struct WebTools {
    folders: Vec<PathBuf>,
}

impl WebTools {
    /// Installs what is missing, saying what and why.
    pub(crate) fn ensure() -> anyhow::Result<Self> {
        wasm_target()?;
        Ok(Self {
            folders: vec![trunk()?, wasm_bindgen()?, wasm_opt()?],
        })
    }

    /// A command that finds these tools before any other of the same name.
    pub(crate) fn command(&self, program: &str) -> anyhow::Result<Command> {
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(self.folders.iter().cloned().chain(env::split_paths(&path)))?;
        // The program itself is looked up here: `Command` searches the parent's PATH on some systems.
        let found = self
            .folders
            .iter()
            .map(|folder| folder.join(program))
            .find(|candidate| candidate.is_file());
        let mut command =
            shell::command(found.map_or_else(|| program.into(), PathBuf::into_os_string));
        command.env("PATH", path);
        Ok(command)
    }
}

/// The standard library for wasm32, by rustup where it manages this toolchain.
pub(crate) fn wasm_target() -> anyhow::Result<()> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let sysroot = shell::output("rustc", &["--print", "sysroot"])?;
    if Path::new(&sysroot)
        .join("lib/rustlib")
        .join(TARGET)
        .is_dir()
    {
        return Ok(());
    }
    println!("installing the Rust target {TARGET}: the explorer runs as Wasm");
    let mut command = shell::command("rustup");
    command.args(["target", "add", TARGET]);
    shell::run(command)
        .with_context(|| format!("install the target {TARGET} by your Rust distribution's means"))
}

fn trunk() -> anyhow::Result<PathBuf> {
    cargo_tool(&CargoTool {
        package: "trunk",
        version: TRUNK,
        locked: true,
        optimised: "0",
        why: "it bundles the explorer",
    })
}

/// The command-line tool must be of the very version of the library that the explorer is linked with.
pub(crate) fn wasm_bindgen() -> anyhow::Result<PathBuf> {
    let version = locked_version("wasm-bindgen")?;
    cargo_tool(&CargoTool {
        package: "wasm-bindgen-cli",
        version: &version,
        // Its own lock file names a yanked crate.
        locked: false,
        // It reads and writes tens of megabytes for each of some fifty suites.
        optimised: "1",
        why: "it joins Wasm to JavaScript and runs the Wasm tests",
    })
}

/// Shrinks Wasm.
pub(crate) fn wasm_opt() -> anyhow::Result<PathBuf> {
    let tool = format!("tools/binaryen-{BINARYEN}");
    let folder = paths::cache()?.join(&tool).join("node_modules/.bin");
    if !folder.join("wasm-opt").exists() {
        println!(
            "installing binaryen {BINARYEN} (npm): its wasm-opt shrinks the Wasm that readers download"
        );
        let prefix = paths::cached(&tool)?;
        let mut command = shell::command("npm");
        command.args([
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
        ]);
        command.arg("--prefix").arg(&prefix);
        command.arg(format!("binaryen@{BINARYEN}"));
        shell::run(command).context("installing wasm-opt takes Node's npm")?;
    }
    Ok(folder)
}

/// Drives libFuzzer.
pub(crate) fn cargo_fuzz() -> anyhow::Result<PathBuf> {
    cargo_tool(&CargoTool {
        package: "cargo-fuzz",
        version: CARGO_FUZZ,
        locked: true,
        optimised: "0",
        why: "it runs the fuzz targets",
    })
}

/// A Python with packages in an environment of its own, and why they are needed.
pub(crate) fn python(name: &str, packages: &[&str], why: &str) -> anyhow::Result<PathBuf> {
    let tool = format!("tools/python-{name}");
    let root = paths::cache()?.join(&tool);
    let python = root.join("bin/python");
    // Written last, so an install that was cut short is done again.
    let done = root.join("installed");
    if !done.is_file() {
        println!("installing {} (pip): {why}", packages.join(", "));
        paths::cached(&tool)?;
        let mut command = shell::command("python3");
        command.args(["-m", "venv", "--clear"]).arg(&root);
        shell::run(command).context("an environment takes Python 3.11 or later with venv")?;
        let mut command = shell::command(&python);
        command.args(["-m", "pip", "install", "--quiet", "--only-binary", ":all:"]);
        command.args(packages);
        shell::run(command)?;
        fs::write(&done, "")?;
    }
    Ok(python)
}

/// The folders of the models that the encoder is compared with, fetched once into the cache.
pub(crate) fn models(python: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut command = shell::command(python);
    command.arg("bench/encoder/models.py");
    command.arg(paths::cached("models")?);
    let output = command.stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("bench/encoder/models.py ended with {}", output.status);
    }
    let folders = String::from_utf8(output.stdout)?;
    Ok(folders.lines().map(PathBuf::from).collect())
}

/// A program that cargo installs from its crate.
struct CargoTool<'a> {
    package: &'a str,
    version: &'a str,
    /// With the versions of its own lock file.
    locked: bool,
    /// The `opt-level` that it is compiled at.
    optimised: &'a str,
    why: &'a str,
}

/// Installs a program from its crate and returns the folder that holds it.
fn cargo_tool(tool: &CargoTool<'_>) -> anyhow::Result<PathBuf> {
    let &CargoTool {
        package,
        version,
        locked,
        optimised,
        why,
    } = tool;
    let tool = format!("tools/{package}-{version}");
    let root = paths::cache()?.join(&tool);
    // Cargo makes this file at once and fills it last, so an install that was cut short is done again.
    let is_done = fs::metadata(root.join(".crates.toml")).is_ok_and(|file| file.len() > 0);
    if !is_done {
        println!("installing {package} {version} (cargo): {why}; this takes some minutes, once");
        let build = paths::cached(&tool)?.join("build");
        let mut command = shell::cargo();
        command.args(["install", package, "--version", version, "--quiet"]);
        if locked {
            command.arg("--locked");
        }
        command.arg("--root").arg(&root);
        command.env("CARGO_TARGET_DIR", &build);
        // Optimised as its authors release it, a tool takes several times as long to compile as it ever works for us.
        command.arg("--debug");
        command.env("CARGO_PROFILE_DEV_OPT_LEVEL", optimised);
        for check in ["DEBUG", "DEBUG_ASSERTIONS", "OVERFLOW_CHECKS"] {
            command.env(format!("CARGO_PROFILE_DEV_{check}"), "false");
        }
        // Flags meant for our own build must not reach a tool's.
        command.env_remove("RUSTFLAGS").current_dir(env::temp_dir());
        shell::run(command)?;
        fs::remove_dir_all(&build).ok();
    }
    Ok(root.join("bin"))
}

/// The version of a package in `Cargo.lock`.
fn locked_version(package: &str) -> anyhow::Result<String> {
    let file = paths::root().join("Cargo.lock");
    let text =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    version_in_lock(&text, package)
        .map(str::to_owned)
        .with_context(|| format!("{} names no {package}", file.display()))
}

fn version_in_lock<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name).skip(1);
    lines
        .next()?
        .strip_prefix("version = \"")?
        .strip_suffix('"')
}

/// A browser and its driver.
pub(crate) struct Browser {
    pub(crate) chromium: PathBuf,
    pub(crate) driver: PathBuf,
}

/// Finds Chromium and its driver, installing Debian's where apt serves; the error says why there is none.
pub(crate) fn browser() -> anyhow::Result<Browser> {
    if let Some(found) = find_browser() {
        return Ok(found);
    }
    if find("apt-get").is_none() {
        bail!(
            "no chromium and chromedriver on PATH, and no apt-get to install them; install both or set CHROMIUM and CHROMEDRIVER"
        );
    }
    println!(
        "installing chromium and chromium-driver (apt): the pages are tested in a real browser"
    );
    for args in [
        &["update", "-qq"][..],
        &[
            "install",
            "-y",
            "-qq",
            "--no-install-recommends",
            "chromium",
            "chromium-driver",
        ][..],
    ] {
        let mut command = shell::command("apt-get");
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive");
        command.stdout(std::process::Stdio::null());
        shell::run(command).context("apt could not install the browser (are you root?)")?;
    }
    find_browser().context("apt installed no chromium and chromedriver on PATH")
}

fn find_browser() -> Option<Browser> {
    let from = |variable: &str, names: &[&str]| {
        env::var_os(variable)
            .map(PathBuf::from)
            .or_else(|| names.iter().find_map(|name| find(name)))
    };
    Some(Browser {
        chromium: from(
            "CHROMIUM",
            &["chromium", "chromium-browser", "google-chrome"],
        )?,
        driver: from("CHROMEDRIVER", &["chromedriver"])?,
    })
}

fn find(program: &str) -> Option<PathBuf> {
    let path: OsString = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|candidate| candidate.is_file())
}

#[cfg(test)]
mod tests {
    use super::version_in_lock;

    #[test]
    fn the_lock_file_gives_a_version() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.1\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(version_in_lock(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(version_in_lock(lock, "wasm"), None);
    }
}
