//! Where things lie: the repository, what is built in it, and what is kept outside it between builds.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest
        .ancestors()
        .nth(2)
        .map_or_else(|| manifest.clone(), PathBuf::from)
}

/// The build folder, which `CARGO_TARGET_DIR` may have moved.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// Pinned tools and fetched sources, shared by all clones of one user and never inside a source tree.
pub(crate) fn cache() -> anyhow::Result<PathBuf> {
    let named = |name| env::var_os(name).filter(|dir| !dir.is_empty());
    let base = match (named("XDG_CACHE_HOME"), named("HOME")) {
        (Some(dir), _) => PathBuf::from(dir),
        (None, Some(home)) => PathBuf::from(home).join(".cache"),
        (None, None) => bail!("{NO_CACHE}: neither XDG_CACHE_HOME nor HOME is set; set one"),
    };
    // What is installed runs in other folders than this one.
    Ok(std::path::absolute(base)?.join("okn-benchmark"))
}

/// A folder in the cache, to write to.
pub(crate) fn cached(folder: &str) -> anyhow::Result<PathBuf> {
    let folder = cache()?.join(folder);
    fs::create_dir_all(&folder).with_context(|| {
        format!(
            "{NO_CACHE}: cannot make {}; set XDG_CACHE_HOME to a folder that you may write to",
            folder.display()
        )
    })?;
    Ok(folder)
}

const NO_CACHE: &str = "no place for the tools that are installed";

/// `PATH` with a folder before all others.
pub(crate) fn path_with(folder: &Path) -> anyhow::Result<OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_path_buf()).chain(env::split_paths(&path));
    Ok(env::join_paths(folders)?)
}
