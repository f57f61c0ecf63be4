//! The form in which text cells are compared.

use std::borrow::Cow;

use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};
use unicode_normalization::{IsNormalized, is_nfc_quick};

/// The lead byte of U+0300. Every character below it is its own NFC form and combines with nothing before it, so a text
/// whose bytes are all smaller needs no look at its characters: nearly every cell.
const FIRST_COMBINING_LEAD: u8 = 0xCC;

/// A text as it is compared: without Unicode white space at its ends, line ends as `\n`, in NFC, with its case.
///
/// ```
/// assert_eq!(table::comparable_text("\u{a0}Sjo\u{308}gren\r\nsyndrome "), "Sj\u{f6}gren\nsyndrome");
/// ```
pub fn comparable_text(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    // Counting looks at every byte, but at many at once; stopping at the first would take longer.
    let to_look_at = text.bytes().fold(0, |count, byte| {
        count + usize::from(byte >= FIRST_COMBINING_LEAD || byte == b'\r')
    });
    if to_look_at == 0 {
        return Cow::Borrowed(text);
    }
    let text = if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    };
    if is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return text;
    }
    Cow::Owned(nfc(&text))
}

/// An IRI as it is compared: without white space or one pair of angle brackets around it, which are no part of an IRI,
/// else character by character.
///
/// ```
/// assert_eq!(table::comparable_iri("<http://e/1>"), "http://e/1");
/// ```
pub fn comparable_iri(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('<')
        .and_then(|text| text.strip_suffix('>'))
        .unwrap_or(text)
}

/// Canonical decomposition, canonical order, canonical composition (Unicode Standard Annex 15, section 1.3).
///
/// The crate's own iterator chooses between the normal forms while it runs, and so brings the compatibility tables along:
/// twice the size of everything else that a page loads for scoring.
fn nfc(text: &str) -> String {
    let mut characters: Vec<(char, u8)> = Vec::with_capacity(text.len());
    for c in text.chars() {
        decompose_canonical(c, |c| characters.push((c, canonical_combining_class(c))));
    }
    for marks in characters.chunk_by_mut(|left, right| (left.1 == 0) == (right.1 == 0)) {
        // A stable sort; in a run of starters all keys are equal.
        marks.sort_by_key(|&(_, class)| class);
    }
    let mut composed = String::with_capacity(text.len());
    let mut starter = None;
    // Marks that did not join the starter stand after it; the last one's class says which later marks are blocked.
    let mut marks = String::new();
    let mut last_class = None;
    for (c, class) in characters {
        let joined = starter
            .filter(|_| last_class.is_none_or(|last| last < class))
            .and_then(|starter| compose(starter, c));
        if joined.is_some() {
            starter = joined;
        } else if class == 0 {
            composed.extend(starter.replace(c));
            composed.push_str(&marks);
            marks.clear();
            last_class = None;
        } else {
            marks.push(c);
            last_class = Some(class);
        }
    }
    composed.extend(starter);
    composed.push_str(&marks);
    composed
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization;

    use super::nfc;

    /// The crate's own normal form is the reference: on every character alone, and between others that it may join.
    #[test]
    fn nfc_is_the_normal_form() {
        // Nothing above the third plane composes or decomposes.
        for c in '\u{80}'..'\u{30000}' {
            for text in [
                format!("{c}"),
                format!("e{c}\u{301}\u{323}"),
                format!("{c}\u{307}\u{11a8}{c}"),
                format!("\u{1100}{c}\u{338}a"),
            ] {
                assert_eq!(nfc(&text), text.nfc().collect::<String>(), "{text:?}");
            }
        }
    }
}
