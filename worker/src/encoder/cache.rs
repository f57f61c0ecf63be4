//! Vectors that were computed before.
//!
//! One file for each model and revision: records of a key, a length and the vector's components. A process that dies leaves
//! at most a broken last record, which the next one cuts off.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use sha2::{Digest as _, Sha256};

use super::{EncoderError, Identity};
use crate::store::{self, StoreError};

/// What a file begins with; the digit is the format's.
const HEAD: &[u8; 8] = b"OKNVEC1\n";
/// Bytes of a key.
const KEY: usize = 16;

/// The vectors of one model, as far as they were computed before.
#[derive(Debug)]
pub struct Cache {
    path: PathBuf,
    /// Open where this process may add to it.
    file: Option<File>,
    known: FxHashMap<[u8; KEY], Vec<f32>>,
    /// What this process asked for, so that it counts once.
    asked: FxHashSet<[u8; KEY]>,
    /// Whether vectors are kept at all.
    keeps: bool,
}

impl Cache {
    /// Keeps nothing: what asks for the same text twice computes it twice.
    pub fn none() -> Self {
        Self {
            keeps: false,
            ..Self::of_this_process()
        }
    }

    /// Keeps nothing beyond this process.
    pub fn of_this_process() -> Self {
        Self {
            path: PathBuf::new(),
            file: None,
            known: FxHashMap::default(),
            asked: FxHashSet::default(),
            keeps: true,
        }
    }

    /// Opens the file of a model in a folder, and makes both where they are not there.
    pub fn open(folder: &Path, identity: &Identity) -> Result<Self, EncoderError> {
        store::make_folder(folder)?;
        let path = folder.join(format!("{}.vec", hex::encode(&identity.fingerprint[..12])));
        let failed = |action| {
            let path = path.clone();
            move |source| StoreError {
                action,
                path,
                source,
            }
        };
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(failed("open"))?;
        // Two processes may share what is there; one of them adds to it.
        // Where the file system has no locks nothing is added, so nothing can be mixed up.
        let is_ours = file.try_lock().is_ok();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed("read"))?;
        let (known, whole) = read(&bytes);
        if is_ours {
            let mut cut = || {
                file.set_len(whole as u64)?;
                file.seek(SeekFrom::Start(whole as u64))?;
                if whole == 0 {
                    file.write_all(HEAD)?;
                }
                Ok(())
            };
            cut().map_err(failed("write"))?;
        }
        Ok(Self {
            path,
            file: is_ours.then_some(file),
            known,
            ..Self::of_this_process()
        })
    }

    /// The vector of a text behind a prompt, where it was computed before.
    pub(super) fn get(&self, prompt: &str, text: &str) -> Option<&[f32]> {
        self.known.get(&key(prompt, text)).map(Vec::as_slice)
    }

    /// Notes that a text behind a prompt was asked for; whether that is the first time in this process.
    pub(super) fn ask(&mut self, prompt: &str, text: &str) -> bool {
        self.asked.insert(key(prompt, text))
    }

    /// Keeps the vectors of a batch.
    pub(super) fn add(
        &mut self,
        prompt: &str,
        texts: &[&str],
        vectors: &[Vec<f32>],
    ) -> Result<(), EncoderError> {
        if !self.keeps {
            return Ok(());
        }
        let mut bytes = Vec::new();
        for (text, vector) in texts.iter().zip(vectors) {
            let key = key(prompt, text);
            self.known.insert(key, vector.clone());
            bytes.extend_from_slice(&key);
            bytes.extend_from_slice(&u32::try_from(vector.len()).unwrap_or(0).to_le_bytes());
            for component in vector {
                bytes.extend_from_slice(&component.to_le_bytes());
            }
        }
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        file.write_all(&bytes).map_err(|source| StoreError {
            action: "write",
            path: self.path.clone(),
            source,
        })?;
        Ok(())
    }
}

/// The records of a file, and how many of its bytes are whole ones.
fn read(bytes: &[u8]) -> (FxHashMap<[u8; KEY], Vec<f32>>, usize) {
    let mut known = FxHashMap::default();
    let Some(mut rest) = bytes.strip_prefix(HEAD.as_slice()) else {
        return (known, 0);
    };
    while let Some((key, behind)) = rest.split_first_chunk::<KEY>() {
        let Some((length, behind)) = behind.split_first_chunk::<4>() else {
            break;
        };
        let length = u32::from_le_bytes(*length) as usize;
        let Some((vector, behind)) = length
            .checked_mul(4)
            .and_then(|size| behind.split_at_checked(size))
        else {
            break;
        };
        let components = vector.as_chunks::<4>().0.iter();
        known.insert(
            *key,
            components.map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        );
        rest = behind;
    }
    (known, bytes.len() - rest.len())
}

fn key(prompt: &str, text: &str) -> [u8; KEY] {
    let mut digest = Sha256::new();
    digest.update((prompt.len() as u64).to_le_bytes());
    digest.update(prompt);
    digest.update(text);
    let digest: [u8; 32] = digest.finalize().into();
    let mut key = [0; KEY];
    key.copy_from_slice(&digest[..KEY]);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> Identity {
        Identity {
            model: "m".to_owned(),
            revision: "r".to_owned(),
            fingerprint: [7; 32],
        }
    }

    #[test]
    fn what_was_kept_is_there_again_and_a_broken_end_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Cache::open(folder.path(), &identity()).unwrap();
        let mut cache = open();
        assert_eq!(cache.get("", "a"), None);
        cache
            .add("p: ", &["a", "b"], &[vec![1.0, 2.0], vec![3.0, 4.0]])
            .unwrap();
        // Another process at the same time reads, and adds nothing.
        let mut second = open();
        assert_eq!(second.get("p: ", "b"), Some([3.0, 4.0].as_slice()));
        second.add("", &["z"], &[vec![0.5, 0.5]]).unwrap();
        let path = cache.path.clone();
        drop((cache, second));
        let whole = std::fs::read(&path).unwrap();
        for cut in [1, 5, 8 + 4, 8 + 16 + 2] {
            std::fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            let mut cache = open();
            assert_eq!(cache.get("p: ", "a"), Some([1.0, 2.0].as_slice()), "{cut}");
            assert_eq!(cache.get("p: ", "b"), None);
            assert_eq!(cache.get("", "a"), None, "the prompt is part of the key");
            cache.add("p: ", &["b"], &[vec![3.0, 4.0]]).unwrap();
            drop(cache);
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        std::fs::write(&path, "something else").unwrap();
        assert_eq!(open().known.len(), 0);
    }

    #[test]
    fn what_was_added_is_known_at_once_and_asked_for_once() {
        let folder = tempfile::tempdir().unwrap();
        let first = Cache::open(folder.path(), &identity()).unwrap();
        // The second one finds the file in use, and the third has none.
        let second = Cache::open(folder.path(), &identity()).unwrap();
        for (mut cache, keeps) in [
            (first, true),
            (second, true),
            (Cache::of_this_process(), true),
            (Cache::none(), false),
        ] {
            cache.add("p: ", &["a"], &[vec![1.0]]).unwrap();
            assert_eq!(cache.get("p: ", "a").is_some(), keeps);
            assert!(cache.ask("p: ", "a") && cache.ask("", "a"));
            assert!(!cache.ask("p: ", "a"));
        }
    }
}
