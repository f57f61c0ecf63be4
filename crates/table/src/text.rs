//! The form in which text cells are compared.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

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
    Cow::Owned(text.nfc().collect())
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
