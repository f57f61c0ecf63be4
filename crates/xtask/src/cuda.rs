//! The program for a GPU: that it compiles, on a machine that need not have one.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use crate::stage::Done;
use crate::{paths, shell, tools};

/// NVIDIA's compiler with the headers and libraries that candle's kernels and bindings are compiled against; of one release,
/// since its parts check one another's versions.
const TOOLKIT: [&str; 8] = [
    "nvidia-cuda-nvcc==13.0.88",
    "nvidia-cuda-crt==13.0.88",
    "nvidia-nvvm==13.0.88",
    "nvidia-cuda-nvrtc==13.0.88",
    "nvidia-cuda-runtime==13.0.96",
    "nvidia-cuda-cccl==13.0.85",
    "nvidia-cublas==13.0.2.14",
    "nvidia-curand==10.4.0.35",
];

/// The compute capability that kernels are compiled for where nobody names one: there is no GPU to ask.
const CAPABILITY: &str = "90";

/// Lints the worker with the feature `cuda`, which compiles the kernels. It is not linked: that takes the driver's library.
pub(crate) fn run() -> anyhow::Result<Done> {
    let mut command = shell::cargo();
    command.args(["clippy", "--quiet", "--package", "worker"]);
    command.args(["--features", "cuda", "--", "-D", "warnings"]);
    // Where there is a toolkit, the build scripts find it as they would for a user.
    if is_set("CUDA_HOME") || is_set("CUDA_PATH") {
        shell::run(command)?;
        return Ok(Done::Passed);
    }
    let python = match tools::python("cuda-13.0", &TOOLKIT, "the program for a GPU is compiled") {
        Ok(python) => python,
        Err(why) => return Ok(Done::Skipped(format!("no CUDA toolkit: {why:#}"))),
    };
    point_to(&toolkit(&python)?, &mut command)?;
    shell::run(command)?;
    Ok(Done::Passed)
}

fn is_set(variable: &str) -> bool {
    env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// The toolkit's folder among an environment's packages, in the shape that NVIDIA's own installer gives it.
fn toolkit(python: &Path) -> anyhow::Result<PathBuf> {
    let packages = shell::output(
        python,
        &[
            "-c",
            "import sysconfig; print(sysconfig.get_path('purelib'))",
        ],
    )?;
    let toolkit = Path::new(&packages).join("nvidia/cu13");
    link(Path::new("lib"), &toolkit.join("lib64"))?;
    let libraries = toolkit.join("lib");
    let entries =
        fs::read_dir(&libraries).with_context(|| format!("cannot read {}", libraries.display()))?;
    for entry in entries {
        let name = entry?.file_name();
        // A linker looks for libcudart.so; the package has libcudart.so.13.
        if let Some((plain, _)) = name.to_string_lossy().split_once(".so.") {
            link(Path::new(&name), &libraries.join(format!("{plain}.so")))?;
        }
    }
    Ok(toolkit)
}

/// Makes a link where there is none.
#[cfg(unix)]
fn link(to: &Path, at: &Path) -> anyhow::Result<()> {
    if fs::symlink_metadata(at).is_ok() {
        return Ok(());
    }
    std::os::unix::fs::symlink(to, at).with_context(|| format!("cannot make {}", at.display()))
}

#[cfg(not(unix))]
fn link(to: &Path, at: &Path) -> anyhow::Result<()> {
    anyhow::bail!("{} is to be a link to {}", at.display(), to.display());
}

/// Tells a command's build scripts of the toolkit, each by the name that it looks for.
fn point_to(toolkit: &Path, command: &mut Command) -> anyhow::Result<()> {
    for name in [
        "CUDA_HOME",
        "CUDA_PATH",
        "CUDA_ROOT",
        "CUDA_TOOLKIT_ROOT_DIR",
    ] {
        command.env(name, toolkit);
    }
    command.env("PATH", paths::path_with(&toolkit.join("bin"))?);
    if !is_set("CUDA_COMPUTE_CAP") {
        command.env("CUDA_COMPUTE_CAP", CAPABILITY);
    }
    Ok(())
}
