//! What a comparison comes to, in a word.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a control's table is worth beside the key's.
///
/// Told apart by what the rows say, never by a threshold on how many there are.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No row, where the key has some: nobody takes it for an answer. Where the key has none either, as one that is meant to be
    /// empty, the control is equivalent.
    Collapses,
    /// Some row is wrong: it is not an answer, it stands above its rank, or its other cells differ. Nothing in the
    /// table gives that away.
    LooksRightAndIsWrong,
    /// Every row is right, and some are missing.
    Partial,
    /// Missed, invented and changed are all empty.
    Equivalent,
    /// Equivalent without walking the hierarchy, on a key with rows: the ontology is decorative. [`compare`](crate::compare) sees tables
    /// only, so it takes [`Verdict::without_hierarchy`] to say this.
    ReproducesTheAnswer,
}

impl Verdict {
    /// The verdict's name as JSON spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Collapses => "collapses",
            Self::LooksRightAndIsWrong => "looks-right-and-is-wrong",
            Self::Partial => "partial",
            Self::Equivalent => "equivalent",
            Self::ReproducesTheAnswer => "reproduces-the-answer",
        }
    }

    /// The verdict on a control that is known not to walk the hierarchy, such as a test on the name.
    ///
    /// ```
    /// use control::Verdict;
    ///
    /// assert_eq!(Verdict::Equivalent.without_hierarchy(), Verdict::ReproducesTheAnswer);
    /// assert_eq!(Verdict::Collapses.without_hierarchy(), Verdict::Collapses);
    /// ```
    #[must_use]
    pub fn without_hierarchy(self) -> Self {
        match self {
            Self::Equivalent => Self::ReproducesTheAnswer,
            other => other,
        }
    }
}

impl fmt::Display for Verdict {
    /// Writes the verdict as words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Collapses => "collapses",
            Self::LooksRightAndIsWrong => "looks right and is wrong",
            Self::Partial => "partial",
            Self::Equivalent => "equivalent",
            Self::ReproducesTheAnswer => "reproduces the answer",
        })
    }
}
