//! Sweeps side by side. Drawn in the tables worker.

use crate::fragments::facts::kind_badge;
use crate::fragments::fate::fate;
use crate::fragments::html::Html;
use crate::fragments::table;
use crate::state::comparison::{self, Comparison, Dot, Entry, Head, Sheet};

/// Three parts: what comes before the differences, the differences of the chosen sweep or of all, and what comes after.
pub fn parts(comparison: &Comparison, with: Option<&str>) -> Vec<String> {
    // A sweep that is not there, as in an address from another bundle, chooses nothing.
    let runs = comparison.runs();
    let with = with.filter(|with| runs.iter().any(|run| run == with));
    vec![
        figures(comparison),
        differences(comparison, with),
        records(comparison),
    ]
}

fn figures(comparison: &Comparison) -> String {
    let sweeps = &comparison.sweeps;
    let mut html = Html::new();
    html.open("div", &[("class", "stack")]);
    if let Some(kind) = sweeps.kind {
        html.open("p", &[]);
        kind_badge(&mut html, kind);
        html.end();
    }
    if !sweeps.mixed.is_empty() {
        html.open("div", &[("class", "problem")])
            .leaf("h2", &[], "Mixed, and so not comparable")
            .leaf(
                "p",
                &[],
                "These sweeps were not made under the same circumstances; a difference between them may come from that alone.",
            )
            .open("ul", &[]);
        for mix in &sweeps.mixed {
            html.leaf("li", &[], &mix.to_string());
        }
        html.end().end();
    }
    let notes: Vec<&String> = sweeps
        .notes
        .iter()
        .filter(|note| !note.starts_with("mixed,"))
        .collect();
    if !notes.is_empty() {
        html.open("ul", &[("class", "remarks note")]);
        for note in notes {
            html.leaf("li", &[], note);
        }
        html.end();
    }
    html.end();
    if let Some(changes) = &comparison.changes {
        html.open("section", &[("class", "section stack")]).leaf(
            "h2",
            &[],
            "Since the earlier sweep",
        );
        if changes.is_empty() {
            html.leaf("p", &[("class", "empty")], "No record was asked in both.");
        } else {
            sheet(&mut html, &comparison::changes(changes));
        }
        html.end();
    }
    for arm in comparison.arms() {
        html.open("section", &[("class", "section stack")]).leaf(
            "h2",
            &[],
            comparison::arm_title(arm),
        );
        for table in comparison::of_arm(sweeps, arm) {
            sheet(&mut html, &table);
        }
        html.end();
    }
    html.finish()
}

fn differences(comparison: &Comparison, with: Option<&str>) -> String {
    let mut html = Html::new();
    html.open("div", &[("class", "stack")]);
    for arm in comparison.arms() {
        let table = comparison::pairs(&comparison.sweeps, arm, with);
        if table.rows.is_empty() {
            let empty = format!(
                "{}: no other sweep was asked the same records.",
                comparison::arm_title(arm)
            );
            html.leaf("p", &[("class", "empty")], &empty);
        } else {
            sheet(&mut html, &table);
        }
    }
    html.finish()
}

fn records(comparison: &Comparison) -> String {
    let mut html = Html::new();
    html.open("section", &[("class", "section stack")])
        .leaf("h2", &[], "Record by record");
    for arm in comparison.arms() {
        sheet(&mut html, &comparison::by_record(&comparison.sweeps, arm));
    }
    html.end()
        .open("section", &[("class", "section stack")])
        .leaf("h2", &[], "Under which conditions");
    sheet(&mut html, &comparison::conditions(&comparison.sweeps));
    html.finish()
}

/// Writes a table.
fn sheet(html: &mut Html, sheet: &Sheet) {
    table::open_region(
        html,
        &sheet.label,
        false,
        &[("class", "sheet")],
        &sheet.remark,
    );
    html.open("thead", &[]).open("tr", &[]);
    for head in &sheet.heads {
        match head {
            Head::Words(name) => html.leaf("th", &[("scope", "col")], name),
            Head::Numbers(name) => html.leaf("th", &[("scope", "col"), ("class", "num")], name),
            Head::Axis(name, ticks) => {
                html.open("th", &[("scope", "col"), ("class", "axis")])
                    .text(name)
                    .open("span", &[("class", "ticks"), ("aria-hidden", "true")]);
                for tick in ticks {
                    html.leaf("span", &[], tick);
                }
                html.end().end()
            }
        };
    }
    html.end().end().open("tbody", &[]);
    for row in &sheet.rows {
        html.open("tr", &[]);
        for (at, entry) in row.iter().enumerate() {
            self::entry(html, entry, at == 0);
        }
        html.end();
    }
    html.end().end().end();
}

fn entry(html: &mut Html, entry: &Entry, is_first: bool) {
    let class = match entry {
        Entry::Number(_) => "num",
        Entry::Dot(_) => "axis",
        _ => "",
    };
    if is_first {
        html.open("th", &[("scope", "row")]);
    } else {
        html.open("td", &[("class", class)]);
    }
    match entry {
        Entry::Words(text) | Entry::Number(text) => {
            html.text(text);
        }
        Entry::Fate(word) => fate(html, word, word),
        Entry::Record(id) => {
            html.open("a", &[("href", &comparison::record_href(id))])
                .name(id)
                .end();
        }
        Entry::Dot(dot) => self::dot(html, *dot),
    }
    html.end();
}

/// A dot with its whiskers between the ends of its axis. The cells beside it say the same in figures.
fn dot(html: &mut Html, dot: Option<Dot>) {
    html.open("svg", &[("class", "whiskers"), ("aria-hidden", "true")]);
    for at in ["0%", "50%", "100%"] {
        line(html, "grid", (at, "0"), (at, "100%"));
    }
    if let Some(dot) = dot {
        let place = |share: f64| format!("{:.2}%", share * 100.0);
        if let Some((low, high)) = dot.whiskers {
            let (low, high) = (place(low), place(high));
            line(html, "whisker", (&low, "50%"), (&high, "50%"));
            for end in [&low, &high] {
                line(html, "whisker", (end, "30%"), (end, "70%"));
            }
        }
        html.leaf(
            "circle",
            &[
                ("class", "dot"),
                ("cx", &place(dot.at)),
                ("cy", "50%"),
                ("r", "4.5"),
            ],
            "",
        );
    }
    html.end();
}

fn line(html: &mut Html, class: &str, from: (&str, &str), to: (&str, &str)) {
    html.leaf(
        "line",
        &[
            ("class", class),
            ("x1", from.0),
            ("y1", from.1),
            ("x2", to.0),
            ("y2", to.1),
        ],
        "",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(dot: Option<Dot>) -> String {
        let mut html = Html::new();
        self::dot(&mut html, dot);
        html.finish()
    }

    #[test]
    fn a_dot_has_whiskers_where_there_is_an_interval() {
        let both = drawn(Some(Dot {
            at: 0.5,
            whiskers: Some((0.25, 0.746)),
        }));
        assert!(both.contains("cx=\"50.00%\""), "{both}");
        assert!(
            both.contains("x1=\"25.00%\" y1=\"50%\" x2=\"74.60%\""),
            "{both}"
        );
        let alone = drawn(Some(Dot {
            at: 1.0,
            whiskers: None,
        }));
        assert!(alone.contains("<circle") && !alone.contains("class=\"whisker\""));
        assert!(!drawn(None).contains("<circle"));
    }

    #[test]
    fn a_table_has_its_figures_in_words_and_its_axis_for_eyes() {
        let mut html = Html::new();
        sheet(
            &mut html,
            &Sheet {
                label: "Right <answers>".into(),
                remark: ". All.".into(),
                heads: vec![
                    Head::Words("sweep".into()),
                    Head::Axis("share", ["0", "0.5", "1"]),
                    Head::Numbers("right".into()),
                ],
                rows: vec![vec![
                    Entry::Record("nde-expand_x".into()),
                    Entry::Dot(None),
                    Entry::Number("1/2".into()),
                ]],
            },
        );
        let html = html.finish();
        for part in [
            "aria-label=\"Right &lt;answers&gt;\"",
            "<span class=\"ticks\" aria-hidden=\"true\"><span>0</span>",
            "<th scope=\"row\"><a href=\"?view=record&amp;id=nde-expand_x\">nde-expand_<wbr>x</a></th>",
            "<td class=\"num\">1/2</td>",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
    }
}
