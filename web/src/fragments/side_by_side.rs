//! Controls beside the key: the strips, and the rows.

use sweep::RecordPage;

use crate::fragments::fate::fate;
use crate::fragments::html::Html;
use crate::fragments::{strip, table};
use crate::state::controls::{self, SideCell, SideRow, fate_name};

/// A record's controls beside its key, in a picture.
pub fn picture(page: &RecordPage) -> String {
    let strips = strip::strips(&controls::strips(page));
    let legend = strip::legend();
    format!("{legend}<div class=\"panel worth\">{strips}</div>")
}

/// Every row of the key and of each control.
pub fn rows(page: &RecordPage) -> String {
    let side = controls::SideBySide::of(page);
    let mut html = Html::new();
    let remark = ". The rows that only a control has come last.";
    table::open_region(&mut html, "Key and controls, row by row", true, &[], remark);
    let value_name = format!("#{}", side.value_name.as_deref().unwrap_or("value"));
    let mut names = vec!["#key row", "what it is", "identifier", &value_name];
    names.extend(side.controls.iter().map(String::as_str));
    table::heads(&mut html, &names);
    html.open("tbody", &[]);
    for row in &side.rows {
        self::row(&mut html, row);
    }
    html.finish()
}

fn row(html: &mut Html, row: &SideRow) {
    let rank = match (row.in_key, row.key_rank) {
        (true, Some(rank)) => rank.to_string(),
        (false, Some(rank)) => format!("({rank})"),
        (_, None) => "–".to_owned(),
    };
    html.open("tr", &[]);
    html.leaf("td", &[("class", "num")], &rank);
    html.leaf("th", &[("scope", "row")], &row.name);
    html.open("td", &[]);
    table::iri(html, &row.identity);
    html.end();
    html.leaf(
        "td",
        &[("class", "num")],
        row.value.as_deref().unwrap_or("–"),
    );
    for cell in &row.cells {
        match cell {
            Some(cell) => self::cell(html, cell, row.value.as_deref()),
            None => table::nothing(html, "not in this control"),
        }
    }
    html.end();
}

fn cell(html: &mut Html, cell: &SideCell, key_value: Option<&str>) {
    let kind = fate_name(cell.fate);
    let mut notes: Vec<String> = cell
        .rank
        .map(|rank| format!("row {rank}"))
        .into_iter()
        .collect();
    if cell.value.as_deref() != key_value {
        notes.extend(cell.value.clone());
    }
    html.open("td", &[("class", "nowrap")]);
    fate(html, kind, &kind.replace('-', " "));
    html.leaf("span", &[("class", "quiet after")], &notes.join(", "));
    html.end();
}
