//! The figures of a score, its column mapping, and what was put right.

use score::{MatchedBy, Score};

use crate::fragments::fate::fate;
use crate::fragments::html::Html;
use crate::fragments::table;
use crate::state::format;

/// The figures, in a row of tiles.
pub fn scorecard(score: &Score) -> String {
    let mut html = Html::new();
    html.open("dl", &[("class", "scorecard")]);
    tile(
        &mut html,
        "exact",
        |html| yes_no(html, Some(score.exact)),
        None,
    );
    tile(
        &mut html,
        "ordered",
        |html| yes_no(html, score.ordered),
        None,
    );
    let mapped = score
        .f1_mapped
        .map(format::score)
        .filter(|mapped| *mapped != format::score(score.f1))
        .map(|mapped| format!("{mapped} over the mapped columns"));
    number(&mut html, "f1", &format::score(score.f1), mapped);
    number(
        &mut html,
        "precision",
        &format::score(score.precision),
        None,
    );
    number(&mut html, "recall", &format::score(score.recall), None);
    let in_key = format!("{} in the key", format::count(score.key_rows));
    number(
        &mut html,
        "rows in the answer",
        &format::count(score.rows),
        Some(in_key),
    );
    html.finish()
}

fn number(html: &mut Html, name: &str, value: &str, hint: Option<String>) {
    tile(
        html,
        name,
        |html| {
            html.text(value);
        },
        hint,
    );
}

fn tile(html: &mut Html, name: &str, value: impl FnOnce(&mut Html), hint: Option<String>) {
    html.open("div", &[]).leaf("dt", &[], name).open("dd", &[]);
    value(html);
    if let Some(hint) = hint {
        html.leaf("span", &[("class", "hint")], &hint);
    }
    html.end().end();
}

fn yes_no(html: &mut Html, value: Option<bool>) {
    match value {
        Some(true) => fate(html, "exact", "yes"),
        Some(false) => fate(html, "missed", "no"),
        None => fate(html, "none", "no order"),
    }
}

/// Which column was compared with which, and what was put right on reading.
pub fn reading(score: &Score) -> String {
    let mut html = Html::new();
    html.open("div", &[("class", "columns two")]);
    table::open_region(&mut html, "Column mapping", false, &[], "");
    table::heads(&mut html, &["key", "answer", "how"]);
    html.open("tbody", &[]);
    for column in &score.columns {
        let by = match column.by {
            MatchedBy::Name => "the names agree",
            MatchedBy::Content => "by its cells",
            MatchedBy::Given => "as given",
            MatchedBy::None => "not in the answer",
        };
        html.open("tr", &[])
            .leaf("th", &[("scope", "row")], &column.key)
            .leaf("td", &[], column.answer.as_deref().unwrap_or("–"))
            .leaf("td", &[], by)
            .end();
    }
    html.end().end().end();
    html.open("div", &[("class", "panel")])
        .leaf("h3", &[], "Put right on reading");
    let remarks = remarks(score);
    if remarks.is_empty() {
        html.leaf(
            "p",
            &[("class", "quiet")],
            "Nothing: the file was read as it stands.",
        );
    } else {
        html.open("ul", &[("class", "remarks")]);
        for remark in &remarks {
            html.leaf("li", &[], remark);
        }
        html.end();
    }
    html.finish()
}

fn remarks(score: &Score) -> Vec<String> {
    let mut remarks: Vec<String> = score
        .repairs
        .iter()
        .map(|repair| at_line(&repair.message, repair.line))
        .collect();
    remarks.extend(score.ragged.iter().map(|row| {
        let width = format!(
            "{} where the header has {}; it counts as an unexpected row",
            format::counted(row.cells.len(), "cell", "cells"),
            row.expected
        );
        at_line(&width, Some(row.line))
    }));
    if !score.extra_columns.is_empty() {
        remarks.push(format!(
            "further columns, which cost nothing: {}",
            score.extra_columns.join(", ")
        ));
    }
    remarks.extend(score.notes.iter().cloned());
    remarks
}

fn at_line(message: &str, line: Option<u32>) -> String {
    match line {
        Some(line) => format!("line {line}: {message}"),
        None => message.to_owned(),
    }
}
