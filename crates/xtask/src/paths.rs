//! Where things lie: the repository, what is built in it, and what is kept outside it between builds.

use std::env;
use std::path::PathBuf;

use anyhow::Context as _;

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
    let base = match env::var_os("XDG_CACHE_HOME") {
        Some(dir) if !dir.is_empty() => PathBuf::from(dir),
        _ => PathBuf::from(
            env::var_os("HOME").context("neither XDG_CACHE_HOME nor HOME is set; set one")?,
        )
        .join(".cache"),
    };
    Ok(base.join("okn-benchmark"))
}
