//! What may be done to a text before it is compared.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::kept::KEPT;

/// What is done to both texts before they are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Processor {
    /// Nothing: case and punctuation count. This is how the published scores were made.
    #[default]
    None,
    /// `RapidFuzz`'s `default_process`: every character that is neither a letter nor a number becomes a space, the others
    /// become lower-case, one code point for one, and the ends lose their spaces.
    Default,
}

impl Processor {
    /// The text as it is compared.
    ///
    /// ```
    /// use ava::Processor;
    ///
    /// assert_eq!(Processor::Default.apply("  An IS-A_link (1½)!"), "an is a link  1½");
    /// assert_eq!(Processor::None.apply(" An"), " An");
    /// ```
    pub fn apply(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::None => Cow::Borrowed(text),
            Self::Default => {
                let processed: String = text.chars().map(processed).collect();
                let trimmed = processed.trim_matches(' ');
                if trimmed.len() == processed.len() {
                    Cow::Owned(processed)
                } else {
                    Cow::Owned(trimmed.to_owned())
                }
            }
        }
    }
}

fn processed(c: char) -> char {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            ' '
        };
    }
    if !is_kept(c) {
        return ' ';
    }
    // The one letter whose lower case takes two code points, İ, keeps the first of them, as there.
    c.to_lowercase().next().unwrap_or(c)
}

fn is_kept(c: char) -> bool {
    let code = u32::from(c);
    let found = KEPT.binary_search_by(|&(first, last)| {
        if last < code {
            Ordering::Less
        } else if first > code {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    });
    found.is_ok()
}
