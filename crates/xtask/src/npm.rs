//! The npm package: the libraries' Wasm behind JavaScript and types that people wrote.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::{paths, shell, tools};

/// What the Wasm may use: what the compiler already assumes of a runtime, and nothing that came later.
const FEATURES: [&str; 6] = [
    "bulk-memory",
    "multivalue",
    "mutable-globals",
    "nontrapping-float-to-int",
    "reference-types",
    "sign-ext",
];

/// Builds the package and returns the folder that `npm pack` takes.
pub(crate) fn build() -> anyhow::Result<PathBuf> {
    tools::wasm_target()?;
    let (bindgen, opt) = (tools::wasm_bindgen()?, tools::wasm_opt()?);
    println!("building the npm package");
    let mut cargo = shell::cargo();
    cargo.args(["build", "--quiet", "--package", "edge", "--lib"]);
    cargo.args([
        "--target",
        "wasm32-unknown-unknown",
        "--profile",
        "wasm-release",
    ]);
    shell::run(cargo)?;

    // Made aside, so that a package is whole or absent.
    let folder = paths::target().join("npm");
    let aside = paths::target().join("npm.partial");
    clear(&aside)?;
    fs::create_dir_all(&aside)?;
    let mut command = shell::command(bindgen.join("wasm-bindgen"));
    command.args(["--target", "web", "--no-typescript"]);
    // The package's own files say where the Wasm is, and start it again after a trap.
    command.args([
        "--omit-default-module-path",
        "--experimental-reset-state-function",
    ]);
    command
        .args(["--out-name", "glue", "--out-dir"])
        .arg(&aside);
    command.arg(paths::target().join("wasm32-unknown-unknown/wasm-release/edge.wasm"));
    shell::run(command)?;
    let wasm = aside.join("okn-benchmark.wasm");
    let unshrunk = aside.join("glue_bg.wasm");
    let mut command = shell::command(opt.join("wasm-opt"));
    command.arg("-Oz");
    command.args(FEATURES.map(|feature| format!("--enable-{feature}")));
    command.arg(&unshrunk).arg("--output").arg(&wasm);
    shell::run(command)?;
    fs::remove_file(&unshrunk)?;

    let size = size(&wasm)?;
    let written = paths::root().join("crates/edge/npm");
    for entry in fs::read_dir(&written)? {
        let path = entry?.path();
        let Some(name) = path.file_name().map(|name| name.to_string_lossy()) else {
            continue;
        };
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let text = match &*name {
            "README.md" => filled(&text, "{{SIZE}}", &size)?,
            "package.json" => filled(&text, "0.0.0", env!("CARGO_PKG_VERSION"))?,
            _ => text,
        };
        fs::write(aside.join(&*name), text)?;
    }
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(paths::root().join(licence), aside.join(licence))?;
    }
    clear(&folder)?;
    fs::rename(&aside, &folder)?;
    println!("{}: {size}", folder.display());
    Ok(folder)
}

fn clear(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot clear {}", folder.display()))?;
    }
    Ok(())
}

/// Fills in what only the build knows.
fn filled(text: &str, place: &str, with: &str) -> anyhow::Result<String> {
    anyhow::ensure!(text.contains(place), "no `{place}` to fill in");
    Ok(text.replace(place, with))
}

/// A sentence with the size of the Wasm, as it is and as servers send it.
fn size(wasm: &Path) -> anyhow::Result<String> {
    let script = "const { readFileSync } = require('node:fs'); \
                  console.log(require('node:zlib').gzipSync(readFileSync(process.argv[1]), { level: 9 }).length)";
    let sent = shell::output("node", &["-e", script, &wasm.to_string_lossy()])
        .context("measuring the Wasm takes Node")?
        .parse()?;
    let whole = fs::metadata(wasm)?.len();
    Ok(format!(
        "The Wasm is {} kB, {} kB when a server compresses it (gzip).",
        kilobytes(whole),
        kilobytes(sent)
    ))
}

fn kilobytes(bytes: u64) -> u64 {
    bytes.div_ceil(1000)
}
