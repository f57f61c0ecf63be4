//! SPARQL with its parts in colour.

use crate::fragments::html::Html;
use crate::state::lexer::lex;

/// Writes a query's text as coloured spans.
pub fn coloured(html: &mut Html, text: &str) {
    for token in lex(text) {
        match token.kind.class() {
            "" => html.text(token.text),
            class => html.leaf("span", &[("class", class)], token.text),
        };
    }
}

/// Writes a query to read, in a region that scrolls by itself.
pub fn sparql(html: &mut Html, text: &str, label: &str) {
    let region = [
        ("class", "sparql"),
        ("tabindex", "0"),
        ("role", "region"),
        ("aria-label", label),
    ];
    html.open("pre", &region).open("code", &[]);
    coloured(html, text);
    html.end().end();
}
