//! The distinct words of a text.

/// The distinct words of a text in the order of their code points: what a token-set ratio looks at.
///
/// Words are what lies between white space as `RapidFuzz` has it: tab to carriage return, U+001C to U+0020, U+1680, U+2000
/// to U+200A, U+2028, U+2029, U+202F, U+205F and U+3000. U+0085 and U+00A0 separate words only in a text that has a
/// character beyond U+00FF, because `RapidFuzz` takes Python's one-byte strings for bytes. Case is kept.
///
/// ```
/// use ava::TokenSet;
///
/// assert_eq!(TokenSet::of("to be or not to be").words(), ["be", "not", "or", "to"]);
/// assert_eq!(TokenSet::of("a\u{a0}b").words(), ["a\u{a0}b"]);
/// assert_eq!(TokenSet::of("a\u{a0}β").words(), ["a", "β"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenSet<'t> {
    words: Vec<&'t str>,
    is_ascii: bool,
}

impl<'t> TokenSet<'t> {
    /// Splits `text` into words, sorts them and keeps one of each.
    pub fn of(text: &'t str) -> Self {
        let mut words = Vec::with_capacity(16);
        if is_narrow(text) {
            // Every separator is one byte here, and no part of another character.
            let mut start = 0;
            for (place, &byte) in text.as_bytes().iter().enumerate() {
                if is_narrow_space(byte) {
                    if start < place {
                        words.push(&text[start..place]);
                    }
                    start = place + 1;
                }
            }
            if start < text.len() {
                words.push(&text[start..]);
            }
        } else {
            words.extend(text.split(is_space).filter(|word| !word.is_empty()));
        }
        words.sort_unstable();
        words.dedup();
        Self {
            words,
            is_ascii: text.is_ascii(),
        }
    }

    /// The words, each once, in the order of their code points.
    pub fn words(&self) -> &[&'t str] {
        &self.words
    }

    /// Whether every character is ASCII, so that bytes are characters.
    pub(super) fn is_ascii(&self) -> bool {
        self.is_ascii
    }
}

/// How many words a text has, repetitions counted, as Python's `len(text.split())` says.
pub(crate) fn word_count(text: &str) -> usize {
    text.split(is_space).filter(|word| !word.is_empty()).count()
}

/// No character beyond U+00FF. Its UTF-8 begins with a byte from C4 on.
fn is_narrow(text: &str) -> bool {
    text.bytes().all(|byte| byte < 0xC4)
}

fn is_narrow_space(byte: u8) -> bool {
    matches!(byte, 0x09..=0x0D | 0x1C..=0x20)
}

/// Python's `str.isspace`, which no longer changes from one Unicode to the next.
fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t'..='\r'
            | '\u{1C}'..='\u{20}'
            | '\u{85}'
            | '\u{A0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200A}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202F}'
            | '\u{205F}'
            | '\u{3000}'
    )
}
