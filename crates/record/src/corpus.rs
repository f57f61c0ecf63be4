//! Records and controls together: tiers, twins, and what only shows between files.

use crate::control::Control;
use crate::name::Arm;
use crate::problem::Problem;
use crate::record::Record;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use thiserror::Error;

/// A tier that no record has.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("no tier `{asked}`; {}", listed(.known))]
pub struct UnknownTier {
    /// The tier that was asked for.
    pub asked: String,
    /// The tiers that exist, sorted.
    pub known: Vec<String>,
}

fn listed(tiers: &[String]) -> String {
    if tiers.is_empty() {
        "no record of this corpus has a tier".to_owned()
    } else {
        format!("the tiers are {}", tiers.join(", "))
    }
}

/// All records of a benchmark and the controls of their tiers.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// The records by identifier.
    pub records: Vec<Record>,
    /// The controls by tier and name.
    pub controls: Vec<Control>,
    hash: String,
}

impl Corpus {
    /// Reads files given as `(path, bytes)`, in any order.
    ///
    /// Problems that only show between files (a missing twin, an identifier given twice) are added to the records that
    /// have them.
    pub fn from_files(
        records: impl IntoIterator<Item = (String, Vec<u8>)>,
        controls: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> Self {
        Self::from_readings(
            records.into_iter().map(|(path, bytes)| (path, Ok(bytes))),
            controls.into_iter().map(|(path, bytes)| (path, Ok(bytes))),
        )
    }

    /// The same for files of which some could not be read: for such a one, why not. It is listed with that as its error, and
    /// takes no other file with it.
    pub fn from_readings(
        records: impl IntoIterator<Item = (String, Result<Vec<u8>, String>)>,
        controls: impl IntoIterator<Item = (String, Result<Vec<u8>, String>)>,
    ) -> Self {
        let mut contents = Vec::new();
        let mut corpus = Self::default();
        let digest = |bytes: &Result<Vec<u8>, String>| match bytes {
            Ok(bytes) => Sha256::digest(bytes),
            // No corpus of which all is known has this content.
            Err(why) => Sha256::digest(format!("\0{why}")),
        };
        for (path, bytes) in records {
            contents.push((tail(&path, 1), digest(&bytes)));
            corpus.records.push(match bytes {
                Ok(bytes) => Record::parse(path, &bytes),
                Err(why) => Record::unreadable(path, &why),
            });
        }
        for (path, bytes) in controls {
            contents.push((tail(&path, 2), digest(&bytes)));
            corpus.controls.push(match bytes {
                Ok(bytes) => Control::parse(path, &bytes),
                Err(why) => Control::unreadable(path, &why),
            });
        }
        corpus
            .records
            .sort_by(|a, b| (a.id(), &a.file).cmp(&(b.id(), &b.file)));
        corpus
            .controls
            .sort_by(|a, b| (&a.tier, &a.name, &a.file).cmp(&(&b.tier, &b.name, &b.file)));
        corpus.hash = hash_of(contents);
        corpus.add_problems();
        corpus
    }

    /// The record of that identifier.
    pub fn record(&self, id: &str) -> Option<&Record> {
        self.records.iter().find(|record| record.id() == id)
    }

    /// Every tier that a record has, sorted.
    pub fn tiers(&self) -> Vec<String> {
        let tiers: BTreeSet<_> = self
            .records
            .iter()
            .filter_map(|record| record.name.tier.clone())
            .collect();
        tiers.into_iter().collect()
    }

    /// The records of a tier; the error of asking for one that is not there lists those that are.
    pub fn tier(&self, tier: &str) -> Result<Vec<&Record>, UnknownTier> {
        let found: Vec<_> = self
            .records
            .iter()
            .filter(|record| record.name.tier.as_deref() == Some(tier))
            .collect();
        if found.is_empty() {
            return Err(UnknownTier {
                asked: tier.to_owned(),
                known: self.tiers(),
            });
        }
        Ok(found)
    }

    /// The other half of a record's pair.
    pub fn twin(&self, id: &str) -> Option<&Record> {
        self.record(&self.record(id)?.name.twin_id()?)
    }

    /// The record that asks a tier's question, the `expand` arm; the first by identifier where a tier has several.
    pub fn question_of_tier(&self, tier: &str) -> Option<&Record> {
        self.records.iter().find(|record| {
            record.name.arm == Some(Arm::Expand) && record.name.tier.as_deref() == Some(tier)
        })
    }

    /// A tier's controls by name.
    pub fn controls_of(&self, tier: &str) -> Vec<&Control> {
        self.controls
            .iter()
            .filter(|control| control.tier == tier)
            .collect()
    }

    /// SHA-256, in hexadecimal, over every file's name and bytes; the same wherever the corpus lies and in whatever
    /// order its files were given.
    pub fn hash(&self) -> String {
        self.hash.clone()
    }

    fn add_problems(&mut self) {
        let ids: Vec<String> = self.records.iter().map(|r| r.id().to_owned()).collect();
        for (index, record) in self.records.iter_mut().enumerate() {
            if index > 0 && ids[index - 1] == ids[index] {
                let message = format!("another file also has the identifier `{}`", ids[index]);
                let problem = Problem::error("duplicate-id", (1, 1), message)
                    .with_remedy("rename one of the two files");
                record.problems.push(problem);
            }
            record.miss_twin(|twin| ids.binary_search_by(|id| id.as_str().cmp(twin)).is_ok());
        }
    }
}

/// The last `count` parts of a path, so that a hash does not depend on where the corpus lies.
fn tail(path: &str, count: usize) -> String {
    let mut parts: Vec<_> = path.rsplit(['/', '\\']).take(count).collect();
    parts.reverse();
    parts.join("/")
}

fn hash_of(mut contents: Vec<(String, impl AsRef<[u8]> + Ord)>) -> String {
    contents.sort();
    let mut hasher = Sha256::new();
    for (path, digest) in &contents {
        // A zero byte ends no path, so that no two lists of files run together into the same bytes.
        hasher.update(path.as_bytes());
        hasher.update([0]);
        hasher.update(digest);
    }
    hex::encode(hasher.finalize())
}
