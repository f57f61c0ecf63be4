//! How well one table answers another: exact, ordered, precision, recall, f1 and the row diff.
//!
//! ```
//! let key = table::read_key_csv(b"gene,score\nINS,144\nGCG,61\n")?;
//! let answer = table::read_answer(b"Score,Gene\n61.0,GCG\n1.44e2,INS\n")?;
//! let score = score::score(&score::Key::unordered(&key), &answer, &score::Options::default());
//! assert!(score.exact);
//! assert_eq!(score.columns[0].answer.as_deref(), Some("Gene"));
//! # Ok::<(), table::ReadError>(())
//! ```

mod key;
mod outcome;
mod score;

mod assignment;
mod columns;

mod index;
mod matching;
mod overlap;
mod readings;
mod value;

mod blank_rows;
mod blanks;

mod diff;

pub use key::{Key, ranks_by, tie_pool};
pub use outcome::{ColumnMatch, DiffEntry, DiffKind, DiffRow, MatchedBy, Score};
pub use score::{Options, score, score_tables};
