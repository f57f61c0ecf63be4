//! Files that the reader wants scored.

use std::sync::Arc;

use score::Score;

use crate::state::format::counted;
use crate::state::guess::{self, Because};
use crate::state::provenance::KeyOrigin;

/// A file and what has come of it.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Tells files apart, also two of one name.
    pub number: usize,
    /// Its path as given.
    pub path: String,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// The record that it answers.
    pub record: Option<String>,
    /// What the record was guessed from; `None` once the reader has chosen.
    pub because: Option<Because>,
    /// How far it is.
    pub progress: Progress,
}

/// How far a file is.
#[derive(Clone, Debug)]
pub enum Progress {
    /// No record is chosen yet.
    NeedsRecord,
    /// It is to be scored.
    Waiting,
    /// Its key is being fetched or computed.
    Scoring,
    /// It is scored.
    Scored {
        /// The score.
        score: Arc<Score>,
        /// The same as JSON, for a download.
        json: Arc<str>,
        /// The rows it was compared with.
        key: Arc<KeyOrigin>,
    },
    /// It cannot be scored.
    Failed {
        /// Why.
        message: String,
        /// What to do about it.
        remedy: Option<String>,
    },
}

impl Submission {
    /// A new file; its record is `fixed`, or guessed from its path.
    pub fn new<'a>(
        number: usize,
        path: String,
        bytes: Vec<u8>,
        fixed: Option<&str>,
        ids: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut submission = Self {
            number,
            path,
            bytes: bytes.into(),
            record: None,
            because: None,
            progress: Progress::NeedsRecord,
        };
        match (fixed, guess::guess(&submission.path, ids)) {
            (Some(fixed), _) => submission.choose(Some(fixed.to_owned())),
            (None, Some(guess)) => {
                submission.choose(Some(guess.id));
                submission.because = Some(guess.because);
            }
            (None, None) => {}
        }
        submission
    }

    /// Sets the record, or takes it away; what was scored before no longer holds.
    pub fn choose(&mut self, record: Option<String>) {
        self.progress = if record.is_some() {
            Progress::Waiting
        } else {
            Progress::NeedsRecord
        };
        self.record = record;
        self.because = None;
    }

    /// Has it scored again, because the key's rows come from elsewhere now.
    pub fn outdate(&mut self) {
        if self.record.is_some() {
            self.progress = Progress::Waiting;
        }
    }

    /// Whether it is scored, and then whether it is exact.
    pub fn exact(&self) -> Option<bool> {
        match &self.progress {
            Progress::Scored { score, .. } => Some(score.exact),
            _ => None,
        }
    }
}

/// What is said when nothing waits any more: `2 files scored, 1 exact; 1 file could not be scored`.
pub fn sentence(files: &[Submission]) -> String {
    let scored: Vec<bool> = files.iter().filter_map(Submission::exact).collect();
    let exact = scored.iter().filter(|exact| **exact).count();
    let done = format!(
        "{} scored, {exact} exact",
        counted(scored.len(), "file", "files")
    );
    match files.len() - scored.len() {
        0 => done,
        rest => format!("{done}; {} not scored", counted(rest, "file", "files")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: [&str; 2] = ["nde-expand_x", "nde-exact_x"];

    #[test]
    fn a_file_waits_as_soon_as_its_record_is_known() {
        let guessed = Submission::new(1, "nde-exact_x.csv".into(), vec![], None, IDS.into_iter());
        assert_eq!(guessed.record.as_deref(), Some("nde-exact_x"));
        assert_eq!(guessed.because, Some(Because::FileName));
        assert!(matches!(guessed.progress, Progress::Waiting));

        let mut unknown = Submission::new(2, "answer.csv".into(), vec![], None, IDS.into_iter());
        assert!(matches!(unknown.progress, Progress::NeedsRecord));
        unknown.choose(Some("nde-expand_x".into()));
        assert!(matches!(unknown.progress, Progress::Waiting));

        let fixed = Submission::new(
            3,
            "nde-exact_x.csv".into(),
            vec![],
            Some("nde-expand_x"),
            IDS.into_iter(),
        );
        assert_eq!(fixed.record.as_deref(), Some("nde-expand_x"));
        assert_eq!(fixed.because, None);
    }

    #[test]
    fn another_key_outdates_scores_but_finds_no_records() {
        let mut failed =
            Submission::new(1, "nde-exact_x.csv".into(), vec![], None, IDS.into_iter());
        failed.progress = Progress::Failed {
            message: "no".into(),
            remedy: None,
        };
        failed.outdate();
        assert!(matches!(failed.progress, Progress::Waiting));
        let mut unknown = Submission::new(2, "answer.csv".into(), vec![], None, IDS.into_iter());
        unknown.outdate();
        assert!(matches!(unknown.progress, Progress::NeedsRecord));
        assert_eq!(
            sentence(&[failed, unknown]),
            "0 files scored, 0 exact; 2 files not scored"
        );
    }
}
