//! Names and values in a row, and badges.

use sweep::ResultKind;

use crate::fragments::html::Html;

/// Writes names and values as one list.
pub fn facts(html: &mut Html, facts: &[(&str, &str)]) {
    html.open("dl", &[("class", "facts")]);
    for (name, value) in facts {
        html.open("div", &[])
            .leaf("dt", &[], name)
            .leaf("dd", &[], value)
            .end();
    }
    html.end();
}

/// Writes whose data they are as a badge.
pub fn kind_badge(html: &mut Html, kind: ResultKind) {
    let name = match kind {
        ResultKind::Reconstruction => "Reconstruction",
        ResultKind::Live => "Live",
        ResultKind::Unreached => "Unreached",
    };
    html.leaf(
        "span",
        &[("class", &format!("badge {}", kind.as_str()))],
        name,
    );
}
