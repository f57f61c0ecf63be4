//! The analysis of a record: the verdicts on its controls, figures, ranks beside ranks, why rows are wrong, and the lint.
//! Drawn in the tables worker.

use control::Fate;
use sweep::{AnalysisPage, ControlAnalysis};

use crate::fragments::fate::{fate, mark};
use crate::fragments::html::Html;
use crate::fragments::sparql::sparql;
use crate::fragments::{lint, table};
use crate::query::{Endpoint, Route, Source};
use crate::state::analysis::{self, Because, End, Marked, Slope, Step, WhyRow, ratio};
use crate::state::controls::fate_name;
use crate::state::format;

/// Where the verdicts are among the [`parts`].
pub const VERDICTS: usize = 0;
/// Where the findings of the lint are.
pub const FINDINGS: usize = 1;
/// Where the line above the record's file is.
pub const FILE_LINE: usize = 2;
/// Where the record's file is.
pub const FILE: usize = 3;
/// Where the first control's line is; its analysis follows, then the next control's line.
pub const CONTROLS: usize = 4;

/// Everything that is drawn of a record's analysis.
pub fn parts(page: &AnalysisPage) -> Vec<String> {
    let mut parts = vec![
        format!("{}{}", verdicts(page), path_legend()),
        lint::findings(page),
        lint::file_line(page),
        lint::file(page),
    ];
    for control in &page.controls {
        parts.push(line(control));
        parts.push(analysis(&page.record, control));
    }
    parts
}

/// All controls of a record in one table: what each comes to.
fn verdicts(page: &AnalysisPage) -> String {
    let mut html = Html::new();
    let remark = ". Against the key's own rows; what each is against all rows that qualify stands with its analysis below.";
    table::open_region(&mut html, "Verdicts on the controls", false, &[], remark);
    table::heads(
        &mut html,
        &[
            "control",
            "verdict",
            "#rows",
            "#kept",
            "#missed",
            "#invented",
            "#changed",
            "#headline ratio",
            "#τ-b",
        ],
    );
    html.open("tbody", &[]);
    for control in &page.controls {
        let compared = &control.comparison;
        html.open("tr", &[])
            .leaf("th", &[("scope", "row")], &control.name)
            .open("td", &[("class", "wrap")]);
        verdict(&mut html, control);
        html.leaf(
            "span",
            &[("class", "quiet block")],
            analysis::meaning(compared.verdict),
        );
        html.end();
        for figure in [
            format::count(compared.rows),
            format!("{} of {}", compared.kept, compared.key_rows),
            format::count(compared.missed),
            format::count(compared.invented),
            format::count(compared.changed),
            ratio(compared.headline_ratio),
            ratio(control.findings.tau_b),
        ] {
            html.leaf("td", &[("class", "num")], &figure);
        }
        html.end();
    }
    html.finish()
}

fn verdict(html: &mut Html, control: &ControlAnalysis) {
    let verdict = control.comparison.verdict;
    fate(html, verdict.as_str(), &verdict.to_string());
}

/// The line of a control whose analysis is folded.
fn line(control: &ControlAnalysis) -> String {
    let mut html = Html::new();
    html.open("span", &[("class", "attempt-line")])
        .leaf("span", &[], &control.name);
    verdict(&mut html, control);
    let summary = crate::state::controls::summary(&control.comparison);
    html.leaf("span", &[("class", "quiet")], &summary);
    html.finish()
}

/// The whole analysis of a control.
fn analysis(record: &str, control: &ControlAnalysis) -> String {
    let mut html = Html::new();
    html.open("div", &[("class", "stack")]);
    html.open("p", &[("class", "verdict")]);
    verdict(&mut html, control);
    html.text(" ")
        .text(analysis::meaning(control.comparison.verdict))
        .end();
    if let Some(summary) = &control.summary {
        html.leaf("p", &[("class", "note")], summary);
    }
    if !control.keywords.is_empty() {
        let words = format!("Words of its name test: {}.", control.keywords.join(", "));
        html.leaf("p", &[("class", "note")], &words);
    }
    html.open("div", &[("class", "columns two")])
        .open("div", &[]);
    figures(&mut html, control);
    html.end();
    slope(&mut html, &control.name, &Slope::of(control));
    html.end();
    whys(&mut html, &analysis::whys(control));
    query(&mut html, record, control);
    html.finish()
}

fn figures(html: &mut Html, control: &ControlAnalysis) {
    let figures = analysis::figures(control);
    let is_cut = figures.iter().any(|figure| figure.uncut.is_some());
    let label = format!("Figures of {}", control.name);
    let remark = if is_cut {
        ""
    } else {
        ". The key has no LIMIT: its rows are all that qualify."
    };
    table::open_region(html, &label, false, &[], remark);
    let heads = [
        "count",
        "#against the key",
        "#against the key without its LIMIT",
    ];
    table::heads(html, if is_cut { &heads } else { &heads[..2] });
    html.open("tbody", &[]);
    for figure in &figures {
        html.open("tr", &[])
            .leaf("th", &[("scope", "row")], figure.name)
            .leaf("td", &[("class", "num")], &figure.cut);
        if let Some(uncut) = &figure.uncut {
            html.leaf("td", &[("class", "num")], uncut);
        }
        html.end();
    }
    html.end().end().end();
    html.open("dl", &[("class", "figures")]);
    let headline = control.comparison.headline_ratio;
    for (name, value, says) in [
        (
            "Headline ratio",
            headline,
            match headline {
                Some(_) => "the figure of the control's first row over that of the key's",
                None => "one of the two has no first figure",
            },
        ),
        (
            "Kendall's τ-b",
            control.findings.tau_b,
            match control.findings.tau_b {
                Some(_) if is_cut => {
                    "how far the two rankings agree, from −1 to 1, on the rows that both have without the LIMIT"
                }
                Some(_) => {
                    "how far the two rankings agree, from −1 to 1, on the rows that both have"
                }
                None => "no order, or too few rows in both to rank",
            },
        ),
    ] {
        html.open("div", &[])
            .leaf("dt", &[], name)
            .open("dd", &[])
            .leaf("strong", &[], &ratio(value))
            .leaf("span", &[("class", "quiet after")], says)
            .end()
            .end();
    }
    html.end();
}

/// Ranks in the key and in the control with a line for each row that both have.
fn slope(html: &mut Html, name: &str, slope: &Slope) {
    let rows = slope.key.len().max(slope.control.len());
    html.open("figure", &[("class", "slope")]);
    html.open("figcaption", &[])
        .leaf("strong", &[], "Rank beside rank")
        .text(", each with what became of the row");
    if slope.left_out > 0 {
        html.text(&format!(
            "; {} further down",
            format::counted(slope.left_out, "row", "rows")
        ));
    }
    html.end();
    if rows == 0 {
        html.leaf("p", &[("class", "empty")], "Neither table has a row.")
            .end();
        return;
    }
    let picture = [
        ("class", "slope-picture"),
        ("role", "img"),
        ("aria-label", &slope.sentence),
    ];
    html.open("div", &picture);
    html.leaf("div", &[("class", "slope-head")], "key")
        .leaf("div", &[], "")
        .leaf("div", &[("class", "slope-head")], name);
    side(html, &slope.key, "slope-side slope-left");
    // One unit of height a row; the lines keep their width however the picture is stretched.
    let view = format!("0 0 10 {rows}");
    let svg = [
        ("class", "slope-lines"),
        ("viewBox", view.as_str()),
        ("preserveAspectRatio", "none"),
        ("style", &format!("height:{}em", rows as f64 * ROW)),
        ("aria-hidden", "true"),
    ];
    html.open("svg", &svg);
    for (key, control, fate) in &slope.lines {
        let ends = [
            ("class", format!("slope-line {}", fate_name(*fate))),
            ("x1", "0".to_owned()),
            ("y1", format!("{key}.5")),
            ("x2", "10".to_owned()),
            ("y2", format!("{control}.5")),
            ("vector-effect", "non-scaling-stroke".to_owned()),
        ];
        let ends: Vec<(&str, &str)> = ends
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        html.leaf("line", &ends, "");
    }
    html.end();
    side(html, &slope.control, "slope-side");
    html.end().end();
}

/// Height of a row, in units of the letters' size; the style sheet has the same.
const ROW: f64 = 1.8;

fn side(html: &mut Html, ends: &[End], class: &str) {
    html.open("div", &[("class", class)]);
    if ends.is_empty() {
        html.leaf("div", &[("class", "quiet")], "no rows");
    }
    for end in ends {
        let kind = fate_name(end.fate);
        html.open("div", &[("class", &format!("slope-end {kind}"))]);
        html.leaf("span", &[("class", "slope-rank")], &end.rank.to_string())
            .leaf(
                "span",
                &[("class", "slope-name"), ("title", &end.name)],
                &end.name,
            )
            .leaf("span", &[("class", &format!("fate {kind}"))], mark(kind))
            .end();
    }
    html.end();
}

fn whys(html: &mut Html, whys: &[WhyRow]) {
    html.open("div", &[]).leaf("h3", &[], "Why");
    if whys.is_empty() {
        html.leaf(
            "p",
            &[("class", "quiet")],
            "No row is missed or invented for a reason that name and hierarchy can give.",
        )
        .end();
        return;
    }
    for (kind, title) in [(Fate::Missed, "Missed"), (Fate::Invented, "Invented")] {
        let rows: Vec<&WhyRow> = whys.iter().filter(|why| why.fate == kind).collect();
        if rows.is_empty() {
            continue;
        }
        html.leaf(
            "h4",
            &[],
            &format!("{title}, {}", format::counted(rows.len(), "row", "rows")),
        );
        html.open("ul", &[("class", "why")]);
        for why in rows {
            self::why(html, why);
        }
        html.end();
    }
    html.end();
}

fn why(html: &mut Html, why: &WhyRow) {
    let kind = fate_name(why.fate);
    html.open("li", &[]).open("p", &[]);
    fate(html, kind, kind);
    html.leaf("strong", &[("class", "after")], &why.name)
        .open("span", &[("class", "quiet after")]);
    table::iri(html, &why.identity);
    html.text(&format!(", {}", why.place)).end().end();
    for because in &why.reasons {
        self::because(html, because);
    }
    if why.more > 0 {
        let more = format!(
            "and {} behind the same row",
            format::counted(why.more, "class", "classes")
        );
        html.leaf("p", &[("class", "quiet")], &more);
    }
    html.end();
}

fn because(html: &mut Html, because: &Because) {
    html.open("p", &[("class", "because")]);
    marked(html, &because.name);
    html.leaf(
        "span",
        &[("class", "quiet")],
        &format!(": {}", because.says),
    )
    .end();
    if because.path.is_empty() {
        return;
    }
    html.open(
        "ol",
        &[("class", "path"), ("aria-label", "The way up to the root")],
    );
    for step in &because.path {
        self::step(html, step);
    }
    html.end();
}

fn step(html: &mut Html, step: &Step) {
    let class = if step.is_told { "told" } else { "untold" };
    html.open("li", &[("class", class), ("title", &step.iri)]);
    marked(html, &step.name);
    if !step.is_told {
        html.leaf(
            "span",
            &[("class", "visually-hidden")],
            " (the name does not tell)",
        );
    }
    html.end();
}

fn marked(html: &mut Html, name: &Marked) {
    html.open("span", &[]).text(&name.before);
    if !name.matched.is_empty() {
        html.leaf("mark", &[], &name.matched);
    }
    html.text(&name.after).end();
}

fn query(html: &mut Html, record: &str, control: &ControlAnalysis) {
    let route = Route::Query {
        source: Source::Control {
            id: record.to_owned(),
            name: control.name.clone(),
        },
        endpoint: Endpoint::Embedded,
    };
    html.open("div", &[("class", "titled")])
        .leaf("h3", &[], "Its query")
        .open("div", &[("class", "actions")])
        .leaf(
            "a",
            &[("class", "button small"), ("href", &route.href())],
            "Run it",
        )
        .end()
        .end();
    sparql(
        html,
        &control.query,
        &format!("Query of control {}", control.name),
    );
}

/// What the marks on a path mean.
fn path_legend() -> String {
    let mut html = Html::new();
    html.open("p", &[("class", "note")])
        .text("On the way up to the root, ")
        .leaf("span", &[("class", "untold")], "a step like this")
        .text(" has a name in which no keyword occurs: only the hierarchy tells. What a keyword matched is ")
        .leaf("mark", &[], "marked")
        .text(".");
    html.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked_as(before: &str, matched: &str, after: &str) -> Marked {
        Marked {
            before: before.into(),
            matched: matched.into(),
            after: after.into(),
        }
    }

    #[test]
    fn a_match_is_marked_and_a_step_that_no_name_tells_says_so() {
        let row = WhyRow {
            fate: Fate::Missed,
            place: "row 1 of the key".into(),
            name: "pre<eclampsia>".into(),
            identity: "http://e/1".into(),
            reasons: vec![Because {
                name: marked_as("a", "vascular", " x"),
                says: "the class is in the closure".into(),
                path: vec![
                    Step {
                        name: marked_as("pre", "", ""),
                        iri: "http://e/1".into(),
                        is_told: false,
                    },
                    Step {
                        name: marked_as("", "vascular", " disorder"),
                        iri: "http://e/0".into(),
                        is_told: true,
                    },
                ],
            }],
            more: 2,
        };
        let mut html = Html::new();
        whys(&mut html, &[row]);
        let html = html.finish();
        for part in [
            "pre&lt;eclampsia&gt;",
            "a<mark>vascular</mark> x",
            "<li class=\"untold\" title=\"http://e/1\"><span>pre</span><span class=\"visually-hidden\"> (the name does not tell)",
            "<li class=\"told\" title=\"http://e/0\"><span><mark>vascular</mark> disorder",
            "and 2 classes behind the same row",
            "Missed, 1 row",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
    }

    #[test]
    fn a_picture_of_ranks_says_in_words_what_it_shows() {
        let end = |rank, fate| End {
            rank,
            name: format!("row {rank}"),
            fate,
        };
        let picture = Slope {
            key: vec![end(1, Fate::Missed), end(2, Fate::Kept)],
            control: vec![end(1, Fate::Kept)],
            lines: vec![(1, 0, Fate::Kept)],
            left_out: 0,
            sentence: "In both: 2 to 1.".into(),
        };
        let mut html = Html::new();
        slope(&mut html, "B-keyword", &picture);
        let html = html.finish();
        assert!(
            html.contains("role=\"img\" aria-label=\"In both: 2 to 1.\""),
            "{html}"
        );
        assert!(html.contains("y1=\"1.5\" x2=\"10\" y2=\"0.5\""), "{html}");
        assert_eq!(html.matches("slope-end").count(), 3);
    }

    #[test]
    fn no_rows_no_picture() {
        let mut html = Html::new();
        slope(&mut html, "A-literal", &Slope::default());
        assert!(html.finish().contains("Neither table has a row."));
    }
}
