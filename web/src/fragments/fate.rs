//! What became of a row, or of an instruction: a mark and a word, coloured, so that neither stands alone.

use crate::fragments::html::Html;

/// Writes a fate's mark and a word for it; the class carries the colour, the mark is for eyes only, the word is the meaning.
pub fn fate(html: &mut Html, kind: &str, word: &str) {
    html.open("span", &[("class", &format!("fate {kind}"))]);
    html.leaf("span", &[("aria-hidden", "true")], mark(kind));
    html.text(word).end();
}

/// The mark that goes with a fate's word.
pub fn mark(kind: &str) -> &'static str {
    match kind {
        "kept" | "equal" | "exact" | "obeyed" | "equivalent" | "improved" => "✓",
        "missed" | "missing" | "collapses" | "lost" => "○",
        "invented"
        | "unexpected"
        | "disobeyed"
        | "looks-right-and-is-wrong"
        | "error"
        | "regressed" => "✕",
        "changed" | "differing" | "reproduces-the-answer" => "≠",
        "below-cut" => "↓",
        "partial" => "◐",
        "warning" => "!",
        "new" => "+",
        "unproven" => "?",
        _ => "–",
    }
}
