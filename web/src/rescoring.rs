//! Scoring files one after another, with keys fetched or computed once each.

use std::collections::HashMap;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use sweep::{RecordPage, SortColumn};

use crate::browser;
use crate::context::{Announcer, Bundle};
use crate::engine::{Engine, EngineError};
use crate::files::Given;
use crate::load::{self, LoadError};
use crate::query::KeySource;
use crate::state::provenance::KeyOrigin;
use crate::state::submission::{Progress, Submission, sentence};
use crate::tables::{Problem, Tables};

/// The files of the re-score view and the work on them.
///
/// One task works at a time, so that many files of one record fetch or compute its key once.
#[derive(Clone, Copy)]
pub struct Rescoring {
    /// The files, in the order in which they were given.
    pub files: RwSignal<Vec<Submission>>,
    /// Number of the file that is looked at.
    pub selected: RwSignal<Option<usize>>,
    next: StoredValue<usize>,
    source: Signal<KeySource>,
    bundle: Bundle,
    engine: Engine,
    tables: Tables,
    announcer: Announcer,
    keys: StoredValue<HashMap<(String, KeySource), Arc<ReadyKey>>>,
    working: StoredValue<bool>,
}

/// Rows to compare with.
struct ReadyKey {
    rows: String,
    order: Option<Vec<SortColumn>>,
    origin: KeyOrigin,
}

impl Rescoring {
    /// Nothing to score yet. A change of `source` outdates every score.
    pub fn new(source: Signal<KeySource>) -> Self {
        let this = Self {
            files: RwSignal::new(Vec::new()),
            selected: RwSignal::new(None),
            next: StoredValue::new(0),
            source,
            bundle: Bundle::from_context(),
            engine: Engine::from_context(),
            tables: Tables::from_context(),
            announcer: Announcer::from_context(),
            keys: StoredValue::new(HashMap::new()),
            working: StoredValue::new(false),
        };
        Effect::new(move |previous: Option<KeySource>| {
            let source = this.source.get();
            if previous.is_some_and(|previous| previous != source) {
                this.files
                    .update(|files| files.iter_mut().for_each(Submission::outdate));
                this.work();
            }
            source
        });
        this
    }

    /// Adds files and scores them; their record is `fixed`, or guessed from each path.
    pub fn add(self, given: Vec<Given>, fixed: Option<&str>) {
        let known = untrack(|| self.bundle.record_ids());
        self.files.update(|files| {
            for Given { path, bytes } in given {
                let number = self.next.get_value();
                self.next.set_value(number + 1);
                let ids = known.iter().map(String::as_str);
                files.push(Submission::new(number, path, bytes, fixed, ids));
            }
        });
        if self.selected.get_untracked().is_none() {
            self.select_first();
        }
        self.work();
    }

    /// Sets the record of a file and scores it against that.
    pub fn choose(self, number: usize, record: Option<String>) {
        self.files.update(|files| {
            if let Some(file) = files.iter_mut().find(|file| file.number == number) {
                file.choose(record);
            }
        });
        self.work();
    }

    /// Takes a file off the list.
    pub fn remove(self, number: usize) {
        self.files
            .update(|files| files.retain(|file| file.number != number));
        if self.selected.get_untracked() == Some(number) {
            self.select_first();
        }
    }

    fn select_first(self) {
        let first = self
            .files
            .with_untracked(|files| files.first().map(|file| file.number));
        self.selected.set(first);
    }

    /// Scores the first file that waits, and so on until none does.
    fn work(self) {
        if self.working.get_value() {
            return;
        }
        self.working.set_value(true);
        spawn_local(async move {
            while let Some((number, record, bytes)) = self.take_waiting() {
                let source = self.source.get_untracked();
                let progress = match self.score(&record, source, &bytes).await {
                    Ok(progress) => progress,
                    Err(problem) => Progress::Failed {
                        message: problem.message,
                        remedy: problem.remedy,
                    },
                };
                self.files.try_update(|files| {
                    // The reader may have chosen another record or key meanwhile; then the file waits again.
                    let file = files.iter_mut().find(|file| {
                        file.number == number
                            && file.record.as_ref() == Some(&record)
                            && matches!(file.progress, Progress::Scoring)
                    });
                    if let Some(file) = file {
                        file.progress = progress;
                    }
                });
            }
            // The view may be gone by now, and its signals with it.
            if self.working.try_set_value(false).is_none()
                && let Some(sentence) = self.files.try_with_untracked(|files| sentence(files))
            {
                self.announcer.say(sentence);
            }
        });
    }

    fn take_waiting(self) -> Option<(usize, String, Arc<[u8]>)> {
        let waits = |file: &Submission| matches!(file.progress, Progress::Waiting);
        // Looked at first, because every update redraws the list.
        self.files
            .try_with_untracked(|files| files.iter().any(waits))
            .filter(|any| *any)?;
        self.files.try_update(|files| {
            let file = files.iter_mut().find(|file| waits(file))?;
            file.progress = Progress::Scoring;
            Some((file.number, file.record.clone()?, Arc::clone(&file.bytes)))
        })?
    }

    async fn score(
        self,
        record: &str,
        source: KeySource,
        bytes: &[u8],
    ) -> Result<Progress, Problem> {
        let key = self.key(record, source).await?;
        let scored = self
            .tables
            .score(key.rows.clone(), key.order.clone(), bytes.to_vec())
            .await?;
        let origin = KeyOrigin {
            hash: scored.hash,
            ..key.origin.clone()
        };
        Ok(Progress::Scored {
            score: Arc::new(scored.score),
            json: scored.json.into(),
            key: Arc::new(origin),
        })
    }

    async fn key(self, record: &str, source: KeySource) -> Result<Arc<ReadyKey>, Problem> {
        let name = (record.to_owned(), source);
        let known = self
            .keys
            .try_with_value(|keys| keys.get(&name).cloned())
            .flatten();
        if let Some(key) = known {
            return Ok(key);
        }
        let path = load::record_path(record);
        let page: RecordPage = load::text(&path, None)
            .await
            .and_then(|text| load::parse(&path, &text))
            .map_err(|error| of_load(&error))?;
        let key = match source {
            KeySource::Stored => stored(page)?,
            KeySource::Engine => self.computed(page).await?,
        };
        let key = Arc::new(key);
        self.keys
            .try_update_value(|keys| keys.insert(name, Arc::clone(&key)));
        Ok(key)
    }

    async fn computed(self, page: RecordPage) -> Result<ReadyKey, Problem> {
        let answered = self
            .engine
            .run(&page.query, self.bundle.manifest().as_deref())
            .await
            .map_err(|error| of_engine(&error))?;
        // The hash is told with the first score.
        let origin = KeyOrigin::computed(
            answered.snapshot,
            browser::timestamp(),
            String::new(),
            answered.ms,
        );
        Ok(ReadyKey {
            rows: answered.rows,
            order: page.order,
            origin,
        })
    }
}

fn stored(page: RecordPage) -> Result<ReadyKey, Problem> {
    let Some(key) = page.key else {
        return Err(Problem {
            message: "the bundle holds no rows for this record's key".to_owned(),
            remedy: Some(
                "run the key in this page instead, or publish the results again".to_owned(),
            ),
            ..Problem::default()
        });
    };
    Ok(ReadyKey {
        origin: KeyOrigin::stored(&key),
        rows: key.rows,
        order: page.order,
    })
}

fn of_load(error: &LoadError) -> Problem {
    Problem {
        message: error.to_string(),
        remedy: Some(error.remedy().to_owned()),
        ..Problem::default()
    }
}

fn of_engine(error: &EngineError) -> Problem {
    let remedy = match error {
        EngineError::Refused(failure) => failure.remedy.clone(),
        EngineError::Snapshot(error) => Some(error.remedy().to_owned()),
        EngineError::NoSnapshot | EngineError::Worker(_) => {
            Some("compare with the stored rows instead".to_owned())
        }
    };
    Problem {
        message: error.to_string(),
        remedy,
        ..Problem::default()
    }
}
