//! The folder of a sweep: one agent under one condition.
//!
//! ```text
//! <out>/manifest.json          the condition
//! <out>/<record>/<n>/          an attempt, see [`crate::attempts`]
//! ```
//!
//! Several agents have a folder each, `<out>/<agent>/`, because each is a condition of its own.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use sweep::{Canary, Condition, Manifest, Mended, Version};

use crate::store::{self, FolderLock};
use crate::{Failure, attempts, imported, keys};

const MANIFEST: &str = "manifest.json";
/// Attempts that have not ended lie here; nothing in it is ever counted.
const SCRATCH: &str = ".unfinished";

/// The folder of a sweep.
#[derive(Debug)]
pub struct RunFolder {
    root: PathBuf,
    /// What the folder's manifest says.
    pub manifest: Manifest,
    _lock: Option<FolderLock>,
}

impl RunFolder {
    /// The folder of each agent under `out`: `out` itself for one, a folder in it for several.
    pub fn places(out: &Path, agents: &[&str]) -> Result<Vec<PathBuf>, Failure> {
        let hint = "give another --out: a folder holds the attempts of one agent, or a folder for each of several";
        if imported::is_imported(out) {
            return Err(Failure::usage(
                format!(
                    "{} holds attempts of another harness, which `import` wrote",
                    out.display()
                ),
                "give another --out: what was made elsewhere and what is made here never share a folder",
            ));
        }
        if let [_] = agents {
            if let Some(inner) = Self::inside(out)?.first() {
                let message = format!(
                    "{} already holds the sweeps of several agents, {} among them",
                    out.display(),
                    inner.display()
                );
                return Err(Failure::usage(message, hint));
            }
            return Ok(vec![out.to_owned()]);
        }
        if out.join(MANIFEST).exists() {
            return Err(Failure::usage(
                format!("{} already holds the sweep of one agent", out.display()),
                hint,
            ));
        }
        // A colon cannot stand in a Windows file name.
        Ok(agents
            .iter()
            .map(|agent| out.join(agent.replace(':', "-")))
            .collect())
    }

    /// The condition of the sweep that lies in a folder; `None` where a sweep can begin there. A folder that holds
    /// anything else is refused.
    pub fn condition(root: &Path) -> Result<Option<Condition>, Failure> {
        if let Some(manifest) = read_manifest(root)? {
            return Ok(Some(manifest.condition));
        }
        Self::refuse_attempts(root)?;
        Ok(None)
    }

    /// Refuses a condition that is not the one of the folder.
    pub fn check(root: &Path, there: &Condition, condition: &Condition) -> Result<(), Failure> {
        let differences = condition.differences_from(there);
        if differences.is_empty() {
            Ok(())
        } else {
            Err(Failure::Collision {
                folder: root.to_owned(),
                differences,
            })
        }
    }

    fn refuse_attempts(root: &Path) -> Result<(), Failure> {
        for record in store::list_if_there(root)? {
            if !record.is_dir() {
                continue;
            }
            let places = store::list(&record)?;
            if let Some(place) = places.iter().find(|place| attempts::is_finished(place)) {
                return Err(Failure::usage(
                    format!(
                        "{} holds attempts, {} among them, and no {MANIFEST} that says whose they are",
                        root.display(),
                        place.display()
                    ),
                    format!("put its {MANIFEST} back, or give another --out"),
                ));
            }
        }
        Ok(())
    }

    /// Begins a sweep in a folder, or goes on with the one of the same condition that is there. One process alone works in
    /// a folder: two would make, and pay for, the same attempts.
    pub fn begin(root: &Path, condition: &Condition) -> Result<Self, Failure> {
        let Some(lock) = store::lock_folder(root)? else {
            if let Some(there) = Self::condition(root)? {
                Self::check(root, &there, condition)?;
            }
            return Err(Failure::usage(
                format!("another process is making attempts in {}", root.display()),
                "wait for it and run the same line again, or give each process its own --shard I/N and --out, and copy the \
                 folders together afterwards",
            ));
        };
        // What an earlier process left unfinished belongs to nobody now.
        store::remove_folder_if_there(&root.join(SCRATCH))?;
        Self::condition(root)?;
        let manifest = Manifest {
            format: Version,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            created: keys::precisely_now(),
            condition: condition.clone(),
            mended: None,
        };
        let file = root.join(MANIFEST);
        let is_first = store::write_new(&file, &attempts::json(&manifest))?;
        let manifest = match read_manifest(root)? {
            Some(there) if !is_first => there,
            _ => manifest,
        };
        Self::check(root, &manifest.condition, condition)?;
        Ok(Self {
            root: root.to_owned(),
            manifest,
            _lock: Some(lock),
        })
    }

    /// Notes that the server, which failed canaries when the sweep was begun, passes them now, where that is not noted yet.
    pub fn note_mended(&mut self, canaries: &[Canary]) -> Result<(), Failure> {
        if self.manifest.mended.is_some() {
            return Ok(());
        }
        self.manifest.mended = Some(Mended {
            since: keys::precisely_now(),
            canaries: canaries.to_vec(),
        });
        store::write_whole(&self.root.join(MANIFEST), &attempts::json(&self.manifest))?;
        Ok(())
    }

    /// The sweeps that lie in a folder: itself, or those of several agents in it.
    pub fn read_all(folder: &Path) -> Result<Vec<Self>, Failure> {
        let roots = if folder.join(MANIFEST).exists() {
            vec![folder.to_owned()]
        } else {
            Self::inside(folder)?
        };
        if roots.is_empty() {
            return Err(Failure::usage(
                format!("{} holds no sweep", folder.display()),
                "give a folder that `okn-benchmark run --out` wrote",
            ));
        }
        let mut runs = Vec::new();
        for root in roots {
            if let Some(manifest) = read_manifest(&root)? {
                runs.push(Self {
                    root,
                    manifest,
                    _lock: None,
                });
            }
        }
        // In the order in which they were begun: that of the words on the command line. As times, since as texts
        // `00.5Z` comes after `00.51Z`.
        runs.sort_by_key(|run| run.manifest.created.parse::<Timestamp>().ok());
        Ok(runs)
    }

    fn inside(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
        let mut inside = store::list_if_there(folder)?;
        inside.retain(|path| path.join(MANIFEST).is_file());
        Ok(inside)
    }

    /// Where the folder lies.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where unfinished attempts are written.
    pub fn scratch(&self) -> PathBuf {
        self.root.join(SCRATCH)
    }

    /// Where an attempt's folder belongs.
    pub fn attempt(&self, record: &str, n: u32) -> PathBuf {
        self.root.join(record).join(n.to_string())
    }

    /// Attempts that were lost and made again, at a record.
    pub fn lost(&self, record: &str) -> Result<Vec<PathBuf>, Failure> {
        let mut lost = store::list_if_there(&self.root.join(record))?;
        lost.retain(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.contains(".lost-"))
        });
        Ok(lost)
    }

    /// Names of the folders that a record's attempts may lie in, ascending.
    pub fn records(&self) -> Result<Vec<String>, Failure> {
        let mut records = store::list(&self.root)?;
        records.retain(|path| path.is_dir());
        let names = records.iter().filter_map(|path| path.file_name()?.to_str());
        Ok(names.map(str::to_owned).collect())
    }

    /// Numbers of the finished attempts at a record, ascending; a failure where something else lies in the place of one,
    /// since what it was would go uncounted.
    pub fn attempts(&self, record: &str) -> Result<Vec<u32>, Failure> {
        let mut numbers = Vec::new();
        for path in store::list_if_there(&self.root.join(record))? {
            let name = path.file_name().and_then(|name| name.to_str());
            if let Some(n) = name.and_then(|name| name.parse().ok())
                && attempts::lies_in(&path)?
            {
                numbers.push(n);
            }
        }
        numbers.sort_unstable();
        Ok(numbers)
    }
}

fn read_manifest(root: &Path) -> Result<Option<Manifest>, Failure> {
    let file = root.join(MANIFEST);
    store::read_if_there(&file)?
        .map(|bytes| attempts::parse(&file, &bytes))
        .transpose()
}
