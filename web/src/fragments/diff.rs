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
    let rows = format::counted(view.shown(choice).count(), "row", "rows");
    let remark = match view.omitted {
        0 => format!(", {rows}"),
        omitted => format!(", {rows} ({} equal ones left out)", format::count(omitted)),
    };
    table::caption(&mut html, label, &remark);
    let mut names = vec!["row", "#in key", "#in answer"];
    let columns: Vec<String> = view
        .columns
        .iter()
        .zip(&view.numeric)
        .map(|(name, numeric)| {
            if *numeric {
                format!("#{name}")
            } else {
                name.clone()
            }
        })
        .collect();
    names.extend(columns.iter().map(String::as_str));
    table::heads(&mut html, &names);
    html.open("tbody", &[]);
    for line in view.shown(choice).take(shown) {
        self::line(&mut html, line, &view.numeric);
    }
    html.finish()
}

fn line(html: &mut Html, line: &DiffLine, numeric: &[bool]) {
    let columns = numeric.len();
    let kind = kind_name(line.kind);
    html.open("tr", &[when(line.kind != DiffKind::Equal, "class", kind)]);
    html.open("th", &[("scope", "row")]);
    fate(html, kind, kind);
    html.end();
    for place in [line.key_place, line.answer_place] {
        let place = place.map_or_else(|| "–".to_owned(), format::count);
        html.leaf("td", &[("class", "num")], &place);
    }
    for (cell, numeric) in line.cells.iter().zip(numeric) {
        self::cell(html, cell, *numeric);
    }
    // A row of another width: what the header has no column for stays visible in one more cell.
    if line.cells.len() > columns {
        let rest: Vec<&str> = line.cells[columns..].iter().map(plain).collect();
        html.leaf(
            "td",
            &[("class", "quiet")],
            &format!("and {}", rest.join(" | ")),
        );
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

fn cell(html: &mut Html, cell: &DiffCell, numeric: bool) {
    match cell {
        DiffCell::Same(value) => {
            html.open("td", &[when(numeric, "class", "num")]);
            table::iri(html, value);
            html.end();
        }
        DiffCell::Differs { key, answer } => {
            html.open("td", &[("class", if numeric { "off num" } else { "off" })]);
            for (tag, said, value) in [("del", "key ", key), ("ins", "answer ", answer)] {
                html.open(tag, &[])
                    .leaf("span", &[("class", "visually-hidden")], said);
                table::iri(
                    html,
                    if value.is_empty() {
                        "(no value)"
                    } else {
                        value
                    },
                );
                html.end();
            }
            html.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(lines: Vec<DiffLine>) -> DiffView {
        DiffView {
            columns: vec!["condition".into(), "n".into()],
            numeric: vec![false, true],
            lines,
            ..DiffView::default()
        }
    }

    fn same(cells: &[&str]) -> Vec<DiffCell> {
        cells
            .iter()
            .map(|cell| DiffCell::Same((*cell).to_owned()))
            .collect()
    }

    #[test]
    fn a_differing_cell_shows_key_and_answer() {
        let mut cells = same(&["http://e/1"]);
        cells.push(DiffCell::Differs {
            key: "61".into(),
            answer: String::new(),
        });
        let line = DiffLine {
            kind: DiffKind::Differing,
            key_place: Some(7),
            answer_place: Some(9),
            cells,
        };
        let html = diff(&view(vec![line]), "Key and answer", Show::All, 10);
        assert!(html.contains("<tr class=\"differing\">"), "{html}");
        assert!(html.contains("key </span>61</del>"), "{html}");
        assert!(html.contains("answer </span>(no value)</ins>"), "{html}");
    }

    #[test]
    fn a_ragged_row_loses_no_cell() {
        let line = |cells: &[&str]| DiffLine {
            kind: DiffKind::Unexpected,
            key_place: None,
            answer_place: None,
            cells: same(cells),
        };
        let html = diff(
            &view(vec![line(&["a", "b", "c", "d"]), line(&["e"])]),
            "Key and answer",
            Show::All,
            10,
        );
        assert!(html.contains("and c | d"), "{html}");
        assert!(html.contains("no cell"), "{html}");
    }
}
