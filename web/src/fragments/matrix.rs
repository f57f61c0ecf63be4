//! Records by agents.

use crate::fragments::fate::mark;
use crate::fragments::html::Html;
use crate::fragments::table;
use crate::query::{AttemptRef, Open, Route};
use crate::state::matrix::{Cell, Half, Matrix, Row};

/// A table with a row for each record of one half and a column for each agent.
pub fn matrix(matrix: &Matrix, half: Half) -> String {
    let mut html = Html::new();
    if matrix.rows.is_empty() || matrix.agents.is_empty() {
        html.leaf("p", &[("class", "empty")], "Nothing has been asked yet.");
        return html.finish();
    }
    let label = match half {
        Half::Questions => "Questions by agent",
        Half::Compliance => "Compliance controls by agent",
    };
    let remark = ". Each cell opens the record at that agent's attempts.";
    let columns = format!("--agents:{}", matrix.agents.len());
    table::open_region(
        &mut html,
        label,
        false,
        &[("class", "matrix"), ("style", &columns)],
        remark,
    );
    html.open("thead", &[]).open("tr", &[]);
    html.leaf("th", &[("scope", "col")], "Record");
    for agent in &matrix.agents {
        html.open("th", &[("scope", "col")]);
        // `baseline:reference`, with the part that tells agents apart on a line of its own.
        match agent.split_once(':') {
            Some((family, name)) => html
                .leaf("span", &[("class", "family")], &format!("{family}:"))
                .text(name),
            None => html.text(agent),
        };
        html.end();
    }
    html.end().end().open("tbody", &[]);
    for row in &matrix.rows {
        self::row(&mut html, row);
    }
    html.end().open("tfoot", &[]).open("tr", &[]);
    html.leaf("th", &[("scope", "row")], "All together");
    for total in &matrix.totals {
        html.leaf("td", &[("class", "total")], total);
    }
    html.finish()
}

fn row(html: &mut Html, row: &Row) {
    let record = &row.record;
    let route = Route::record(&record.id);
    let note = match (record.expect_empty, record.key_rows) {
        (true, _) => "key is empty".to_owned(),
        (false, Some(1)) => "key has 1 row".to_owned(),
        (false, Some(rows)) => format!("key has {rows} rows"),
        (false, None) => "key could not be run".to_owned(),
    };
    html.open("tr", &[]).open("th", &[("scope", "row")]);
    html.open("a", &[("href", &route.href())])
        .name(&record.id)
        .end();
    html.leaf(
        "span",
        &[("class", "quiet")],
        &format!("{} · {note}", record.tags.join(" × ")),
    );
    html.end();
    for cell in &row.cells {
        match cell {
            Some(cell) => self::cell(html, &record.id, cell),
            None => {
                html.leaf("td", &[("class", "total quiet")], "not asked");
            }
        }
    }
    html.end();
}

fn cell(html: &mut Html, record: &str, cell: &Cell) {
    let route = Route::Record {
        id: record.to_owned(),
        open: Open {
            attempt: Some(AttemptRef {
                agent: cell.agent.clone(),
                n: cell.first_attempt,
            }),
            ..Open::default()
        },
    };
    html.open("td", &[])
        .open("a", &[("class", "cell"), ("href", &route.href())])
        // A list of links, as screen readers offer it, has no rows and columns.
        .leaf(
            "span",
            &[("class", "visually-hidden")],
            &format!("{record}, {}: ", cell.agent),
        );
    html.open("span", &[("class", &format!("figure fate {}", cell.kind))]);
    html.text(&cell.figure);
    if cell.kind != "none" {
        html.leaf("span", &[("aria-hidden", "true")], mark(cell.kind));
    }
    html.end();
    if let Some(share) = cell.meter {
        let class = if share >= 1.0 { "meter full" } else { "meter" };
        html.open("span", &[("class", class), ("aria-hidden", "true")]);
        html.leaf(
            "span",
            &[("style", &format!("width:{:.1}%", share * 100.0))],
            "",
        );
        html.end();
    }
    html.leaf("span", &[("class", "words")], &cell.words);
    html.end().end();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_a_link_that_says_where_it_leads() {
        let entry = Cell {
            agent: "baseline:keyword".into(),
            figure: "0.30".into(),
            kind: "none",
            words: "answered".into(),
            meter: Some(0.3),
            first_attempt: 1,
        };
        let mut html = Html::new();
        cell(&mut html, "nde-expand_x", &entry);
        let html = html.finish();
        assert!(
            html.contains(
                "href=\"?view=record&amp;id=nde-expand_x&amp;agent=baseline:keyword&amp;attempt=1\""
            ),
            "{html}"
        );
        assert!(
            html.contains("nde-expand_x, baseline:keyword: </span>"),
            "{html}"
        );
        assert!(html.contains("width:30.0%"), "{html}");
    }

    #[test]
    fn nothing_asked_yet() {
        let empty = Matrix {
            agents: Vec::new(),
            rows: Vec::new(),
            totals: Vec::new(),
        };
        assert!(matrix(&empty, Half::Questions).contains("Nothing has been asked"));
    }
}
