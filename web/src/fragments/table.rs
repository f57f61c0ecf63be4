//! Tables: the region around one, and a typed table to read.

use table::{Cell, Table};

use crate::fragments::html::{Attributes, Html, when};
use crate::state::format;

/// Opens a region that scrolls by itself, and the table in it, with its attributes and caption; `Html::end` twice closes both.
pub fn open_region(
    html: &mut Html,
    label: &str,
    tall: bool,
    attributes: Attributes<'_>,
    remark: &str,
) {
    let scroll = if tall { "scroll tall" } else { "scroll" };
    let region = [
        ("class", scroll),
        ("tabindex", "0"),
        ("role", "region"),
        ("aria-label", label),
    ];
    html.open("div", &region).open("table", attributes);
    caption(html, label, remark);
}

/// Writes a caption: what the table is, and a remark.
pub fn caption(html: &mut Html, label: &str, remark: &str) {
    html.open("caption", &[])
        .leaf("strong", &[], label)
        .text(remark)
        .end();
}

/// Writes a row of column heads; a name that begins with `#` is a number's.
pub fn heads(html: &mut Html, names: &[&str]) {
    html.open("thead", &[]).open("tr", &[]);
    for name in names {
        let (class, name) = match name.strip_prefix('#') {
            Some(name) => ("num", name),
            None => ("", *name),
        };
        html.leaf(
            "th",
            &[("scope", "col"), when(!class.is_empty(), "class", class)],
            name,
        );
    }
    html.end().end();
}

/// Writes a cell that has no value, for eyes and for ears.
pub fn nothing(html: &mut Html, said: &str) {
    html.open("td", &[])
        .leaf("span", &[("class", "quiet"), ("aria-hidden", "true")], "–")
        .leaf("span", &[("class", "visually-hidden")], said)
        .end();
}

/// Writes an IRI by its short name, with the whole of it to hover over; other text as it is.
pub fn iri(html: &mut Html, text: &str) {
    if format::is_iri(text) {
        let attributes: Attributes<'_> = &[("class", "mono nowrap"), ("title", text)];
        html.leaf("span", attributes, &format::short_iri(text));
    } else {
        html.text(text);
    }
}

/// The inside of a table element for a typed table's first `shown` rows, numbered if `ranked`.
pub fn typed(table: &Table, label: &str, shown: usize, ranked: bool) -> String {
    let mut html = Html::new();
    caption(
        &mut html,
        label,
        &format!(", {}", format::counted(table.len(), "row", "rows")),
    );
    let names: Vec<String> = table
        .columns()
        .iter()
        .enumerate()
        .map(|(at, name)| {
            if is_numeric(table, at) {
                format!("#{name}")
            } else {
                name.clone()
            }
        })
        .collect();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    if ranked {
        names.insert(0, "#row");
    }
    heads(&mut html, &names);
    html.open("tbody", &[]);
    for (at, row) in table.rows().take(shown).enumerate() {
        html.open("tr", &[]);
        if ranked {
            html.leaf(
                "th",
                &[("scope", "row"), ("class", "num quiet")],
                &(at + 1).to_string(),
            );
        }
        for cell in row {
            self::cell(&mut html, cell);
        }
        html.end();
    }
    html.finish()
}

fn is_numeric(table: &Table, column: usize) -> bool {
    !table.is_empty()
        && table
            .rows()
            .all(|row| matches!(row[column], Cell::Number(_) | Cell::Missing))
}

fn cell(html: &mut Html, cell: &Cell) {
    match cell {
        Cell::Number(number) => {
            html.leaf("td", &[("class", "num")], &number.to_string());
        }
        Cell::Missing => nothing(html, "no value"),
        Cell::Iri(text) => {
            html.open("td", &[]);
            iri(html, text);
            html.end();
        }
        other => {
            html.leaf("td", &[], &other.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_by_their_types() {
        let integer = Cell::literal("144", Some("http://www.w3.org/2001/XMLSchema#integer"));
        let table = Table::new(
            vec!["condition".into(), "n".into()],
            vec![
                vec![
                    Cell::Iri("http://purl.obolibrary.org/obo/MONDO_1".into()),
                    integer,
                ],
                vec![Cell::Text("<b>".into()), Cell::Missing],
            ],
        );
        let html = typed(&table, "Result", 10, false);
        assert!(html.contains("<strong>Result</strong>, 2 rows"), "{html}");
        assert!(
            html.contains("<th scope=\"col\" class=\"num\">n</th>"),
            "{html}"
        );
        assert!(html.contains(">MONDO:1</span>"), "{html}");
        assert!(html.contains("<td>&lt;b&gt;</td>"), "{html}");
        assert!(html.contains("no value"), "{html}");
        assert_eq!(typed(&table, "Result", 1, true).matches("<tr>").count(), 2);
    }
}
