//! The model that a command is given, and the vectors that it makes of texts.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::encoder::{
    Baseline, Cache, Encoded, Encoder, EncoderError, Identity, LocalEncoder, OwnPrompts,
    RemoteArgs, RemoteEncoder, vectors,
};
use crate::{Failure, store};

/// Which model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelChoice {
    /// A folder in sentence-transformers' form.
    Folder(PathBuf),
    /// A model of a service with `/v1/embeddings`.
    Service(String),
    /// A file of vectors that were computed elsewhere.
    Vectors(PathBuf),
    /// What needs no model.
    Baseline(Baseline),
}

const FORMS: &str = "give DIR, openai:NAME, baseline:trigrams or baseline:words; to `ava evaluate` also vectors:FILE";

impl FromStr for ModelChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            _ if text.is_empty() => Err(FORMS.to_owned()),
            Some(("openai" | "vectors", "")) => Err(FORMS.to_owned()),
            Some(("openai", name)) => Ok(Self::Service(name.to_owned())),
            Some(("vectors", file)) => Ok(Self::Vectors(file.into())),
            Some(("baseline", name)) => Baseline::named(name)
                .map(Self::Baseline)
                .ok_or_else(|| FORMS.to_owned()),
            _ => Ok(Self::Folder(text.into())),
        }
    }
}

/// Where vectors are kept.
#[derive(Args, Clone, Debug)]
pub struct CacheArgs {
    /// Folder in which vectors are kept, by model, revision, prompt and text
    /// [default: `okn-benchmark/vectors` in `XDG_CACHE_HOME` or ~/.cache]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Keep no vectors
    #[arg(long, conflicts_with = "cache")]
    pub no_cache: bool,
}

impl CacheArgs {
    /// What is left of a run of a model that was stopped.
    pub(super) fn left(&self, model: Option<&ModelChoice>) -> &'static str {
        match model {
            Some(ModelChoice::Folder(_) | ModelChoice::Service(_)) if self.folder().is_some() => {
                "vectors that were made are kept, run it again to go on from there"
            }
            _ => "nothing was written",
        }
    }

    /// Where vectors are kept, if they are.
    fn folder(&self) -> Option<PathBuf> {
        if self.no_cache {
            return None;
        }
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        self.cache.clone().or_else(|| {
            let above = variable("XDG_CACHE_HOME").map(PathBuf::from);
            let above = above.or_else(|| Some(Path::new(&variable("HOME")?).join(".cache")))?;
            Some(above.join("okn-benchmark").join("vectors"))
        })
    }

    fn open(&self, identity: &Identity) -> Result<Cache, EncoderError> {
        match self.folder() {
            Some(folder) => Cache::open(&folder, identity),
            None => Ok(Cache::of_this_process()),
        }
    }
}

/// A model with its cache.
pub(super) struct Model {
    encoder: Arc<dyn Encoder>,
    cache: Cache,
    /// How many texts were computed.
    pub(super) computed: usize,
    /// How many were in the cache.
    pub(super) cached: usize,
    /// How long that took, without the time to read the model.
    pub(super) took: Duration,
}

impl Model {
    /// The model of a folder or a service. Must be called on a runtime.
    pub(super) async fn open(
        choice: &ModelChoice,
        remote: &RemoteArgs,
        cache: &CacheArgs,
    ) -> Result<Self, Failure> {
        let encoder: Arc<dyn Encoder> = match choice {
            ModelChoice::Folder(folder) => {
                let folder = folder.clone();
                Arc::new(blocking(move || LocalEncoder::read(&folder)).await?)
            }
            ModelChoice::Service(name) => Arc::new(RemoteEncoder::new(
                name,
                remote,
                &|name| std::env::var(name).ok(),
                tokio::runtime::Handle::current(),
            )?),
            ModelChoice::Baseline(baseline) => Arc::new(baseline.clone()),
            ModelChoice::Vectors(file) => {
                return Err(Failure::usage(
                    format!("{} holds vectors and no model", file.display()),
                    "give a model with --model DIR or --model openai:NAME",
                ));
            }
        };
        let cache = match choice {
            // To count is quicker than to look up.
            ModelChoice::Baseline(_) => Cache::none(),
            _ => cache.open(encoder.identity())?,
        };
        Ok(Self {
            encoder,
            cache,
            computed: 0,
            cached: 0,
            took: Duration::ZERO,
        })
    }

    pub(super) fn identity(&self) -> &Identity {
        self.encoder.identity()
    }

    /// The model's own prompts; none where its service keeps them to itself.
    pub(super) fn prompts(&self) -> Option<&OwnPrompts> {
        self.encoder.prompts()
    }

    /// What stands before labels: what was typed, else the model's default prompt.
    pub(super) fn prompt(&self, typed: Option<&str>) -> String {
        let default = || self.prompts()?.default.as_deref();
        typed.or_else(default).unwrap_or_default().to_owned()
    }

    /// The vectors of texts behind a prompt, in their order. Whoever stops waiting for them leaves the batches that are
    /// done in the cache.
    pub(super) async fn vectors(
        &mut self,
        prompt: &str,
        texts: Vec<String>,
        what: &'static str,
    ) -> Result<Vec<Vec<f32>>, Failure> {
        let began = Instant::now();
        let shared = Arc::clone(&self.encoder);
        let mut cache = std::mem::replace(&mut self.cache, Cache::none());
        let prompt = prompt.to_owned();
        let (found, cache) = blocking(move || {
            let bar = bar(texts.len(), what);
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let progress = |done: usize| bar.inc(done as u64);
            let found = vectors(shared.as_ref(), &prompt, &texts, &mut cache, &progress);
            bar.finish_and_clear();
            Ok((found?, cache))
        })
        .await?;
        self.cache = cache;
        let Encoded {
            vectors,
            computed,
            cached,
        } = found;
        self.computed += computed;
        self.cached += cached;
        self.took += began.elapsed();
        Ok(vectors)
    }
}

/// Fails where a file to write is one that is read, one of the model's, a folder, or the same as another one, or cannot be
/// written: before anything is computed. `written` names each with its option.
pub(super) fn written_apart<'f>(
    read: impl IntoIterator<Item = &'f Path>,
    model: Option<&'f ModelChoice>,
    written: &[(&str, &Path)],
) -> Result<(), Failure> {
    let mut places: Vec<PathBuf> = Vec::new();
    let vectors = match model {
        Some(ModelChoice::Vectors(file)) => Some(file.as_path()),
        _ => None,
    };
    for file in read.into_iter().chain(vectors) {
        places.push(store::resolved(file)?);
    }
    let folder = match model {
        Some(ModelChoice::Folder(folder)) => Some(store::resolved(folder)?),
        _ => None,
    };
    for (option, file) in written {
        let place = store::resolved(file)?;
        let refused = |what: &str| {
            let hint = format!("give a file of its own with {option}");
            Err(Failure::usage(format!("{} {what}", file.display()), hint))
        };
        if places.contains(&place) {
            return refused("is given twice");
        }
        if place.is_dir() {
            return refused("is a folder");
        }
        if folder
            .as_ref()
            .is_some_and(|folder| place.starts_with(folder))
        {
            return refused("lies in the model's folder");
        }
        store::check_place(file)?;
        places.push(place);
    }
    Ok(())
}

/// Work that takes a thread for itself, so that Ctrl-C is heard meanwhile.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, EncoderError> + Send + 'static,
) -> Result<T, Failure> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => Ok(done?),
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(Failure::Interrupted("nothing was written".to_owned())),
        },
    }
}

/// Drawn only on a terminal.
fn bar(texts: usize, what: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(texts as u64).with_message(what);
    match ProgressStyle::with_template(
        "{msg} {wide_bar} {human_pos}/{human_len} texts, {per_sec:.0}, {eta} left",
    ) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices() {
        for (text, expected) in [
            ("models/a", Some(ModelChoice::Folder("models/a".into()))),
            (
                "openai:b:latest",
                Some(ModelChoice::Service("b:latest".to_owned())),
            ),
            ("vectors:a.npy", Some(ModelChoice::Vectors("a.npy".into()))),
            (
                "baseline:words",
                Baseline::named("words").map(ModelChoice::Baseline),
            ),
            ("baseline:keyword", None),
            ("baseline:", None),
            ("C:/models", Some(ModelChoice::Folder("C:/models".into()))),
            ("openai:", None),
            ("vectors:", None),
            ("", None),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }
}
