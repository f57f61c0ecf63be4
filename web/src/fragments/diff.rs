//! The lines of a row diff.

use score::DiffKind;

use crate::fragments::fate::fate;
use crate::fragments::html::{Html, when};
use crate::fragments::table;
use crate::state::diff::{DiffCell, DiffLine, DiffView, Show, kind_name};
use crate::state::format;

/// The inside of a table element for the first `shown` lines of a choice.
pub fn diff(view: &DiffView, label: &str, choice: Show, shown: usize) -> String {
    let mut html = Html::new();
    let mut remark = format!(", {}", format::counted(view.shown(choice).count(), "row", "rows"));
    if view.omitted > 0 {
        remark.push_str(&format!(" ({} equal ones left out)", format::count(view.omitted)));
    }
    table::caption(&mut html, label, &remark);
    let mut names = vec!["row", "#in key", "#in answer"];
    names.extend(view.columns.iter().map(String::as_str));
    table::heads(&mut html, &names);
    html.open("tbody", &[]);
    for line in view.shown(choice).take(shown) {
        self::line(&mut html, line, view.columns.len());
    }
    html.finish()
}

fn line(html: &mut Html, line: &DiffLine, columns: usize) {
    let kind = kind_name(line.kind);
    html.open("tr", &[when(line.kind != DiffKind::Equal, "class", kind)]);
    html.open("th", &[("scope", "row")]);
    fate(html, kind, kind);
    html.end();
    for place in [line.key_place, line.answer_place] {
        let place = place.map_or_else(|| "–".to_owned(), format::count);
        html.leaf("td", &[("class", "num")], &place);
    }
    for cell in line.cells.iter().take(columns) {
        self::cell(html, cell);
    }
    // A row of another width: what the header has no column for stays visible in one more cell.
    if line.cells.len() > columns {
        let rest: Vec<&str> = line.cells[columns..].iter().map(plain).collect();
        html.leaf("td", &[("class", "quiet")], &format!("and {}", rest.join(" | ")));
    }
    for _ in line.cells.len()..columns {
        table::nothing(html, "no cell");
    }
    html.end();
}

fn plain(cell: &DiffCell) -> &str {
    match cell {
        DiffCell::Same(value) => value,
        DiffCell::Differs { answer, .. } => answer,
    }
}

fn cell(html: &mut Html, cell: &DiffCell) {
    match cell {
        DiffCell::Same(value) => {
            html.open("td", &[]);
            table::iri(html, value);
            html.end();
        }
        DiffCell::Differs { key, answer } => {
            html.open("td", &[("class", "off")]);
            for (tag, said, value) in [("del", "key ", key), ("ins", "answer ", answer)] {
                html.open(tag, &[]).leaf("span", &[("class", "visually-hidden")], said);
                table::iri(html, if value.is_empty() { "(no value)" } else { value });
                html.end();
            }
            html.end();
        }
    }
}
