//! Models on AVA, side by side. Drawn in the tables worker.

use ava::{DownstreamRow, Interval, Standing};
use sweep::path_ends;

use crate::fragments::html::{Html, when};
use crate::fragments::{model_id, table};
use crate::query::{Board, Browse, Route};
use crate::state::format;
use crate::state::leaderboard::{
    COLUMNS, Column, Leaderboard, Line, Origin, Sorting, TaskLine, Tasks, Tuned,
};
use crate::state::scatter::{self, Place, Point};

/// Three parts: the table, the picture, and what comes after.
pub fn parts(models: &Leaderboard, board: &Board) -> Vec<String> {
    let shown = models.shown(board);
    vec![
        sheet(models, &shown, board),
        picture(models, &shown, board),
        tuned(models) + &downstream(models),
    ]
}

/// Where links to sets stand, and what they begin with.
struct SetLinks<'a> {
    /// What their identifiers begin with.
    id: &'static str,
    /// What they are called together.
    label: &'static str,
    /// The set that is shown.
    now: Option<&'a str>,
    /// Whether all sets can be shown.
    with_all: bool,
}

/// Links to one set each, where there are several.
fn sets(html: &mut Html, models: &Leaderboard, board: &Board, links: &SetLinks<'_>) {
    if models.sets.len() < 2 && board.set.is_none() {
        return;
    }
    html.open("nav", &[("class", "sets"), ("aria-label", links.label)])
        .leaf("span", &[], "Judged on")
        .open("ul", &[]);
    let all = links
        .with_all
        .then_some(("every set, each by itself", None));
    let each = models.sets.iter().map(|set| (set.as_str(), Some(set)));
    for (at, (words, set)) in all.into_iter().chain(each).enumerate() {
        let route = Route::Leaderboard(Board {
            set: set.cloned(),
            at: None,
            ..board.clone()
        });
        let is_now = links.now == set.map(String::as_str);
        html.open("li", &[])
            .leaf(
                "a",
                &[
                    ("id", &format!("{}-{at}", links.id)),
                    ("href", &route.href()),
                    when(is_now, "aria-current", "true"),
                ],
                words,
            )
            .end();
    }
    html.end().end();
}

/// A standing as a badge: every figure carries it.
fn badge(html: &mut Html, standing: Standing) {
    let word = standing.word();
    html.leaf("span", &[("class", &format!("badge {word}"))], word);
}

fn figure(value: Option<f64>) -> Option<String> {
    value.map(|value| format!("{value:.3}"))
}

fn sheet(models: &Leaderboard, shown: &[&Line], board: &Board) -> String {
    let mut html = Html::new();
    let all = models.lines.len();
    let count = if shown.len() == all {
        format::counted(all, "model", "models")
    } else {
        format!(
            "{} of {}",
            format::count(shown.len()),
            format::counted(all, "model", "models")
        )
    };
    html.leaf("p", &[("class", "note"), ("id", "count")], &count);
    let links = SetLinks {
        id: "set",
        label: "Sets of triplets",
        now: board.set.as_deref(),
        with_all: true,
    };
    sets(&mut html, models, board, &links);
    if shown.is_empty() {
        html.leaf(
            "p",
            &[("class", "empty")],
            "No model is like that. Widen the choice above.",
        );
        return html.finish();
    }
    table::open_region(
        &mut html,
        "Leaderboard",
        false,
        &[("class", "sheet board")],
        ". Shares from 0 to 1; in brackets a 95 % interval over ontologies, where there is one.",
    );
    heads(&mut html, board);
    for of_set in shown.chunk_by(|a, b| a.set == b.set) {
        html.open("tbody", &[]).open("tr", &[]);
        let columns = COLUMNS.len().to_string();
        html.open(
            "th",
            &[
                ("scope", "rowgroup"),
                ("colspan", &columns),
                ("class", "group"),
            ],
        );
        if let Some(first) = of_set.first() {
            html.text("judged on ")
                .leaf("strong", &[], models.set(first));
        }
        html.text(&format!(
            ", {}",
            format::counted(of_set.len(), "model", "models")
        ))
        .end()
        .end();
        for line in of_set {
            self::line(&mut html, line, board.at == Some(line.at));
        }
        html.end();
    }
    html.end().end();
    html.open("p", &[("class", "note after-table")])
        .leaf("strong", &[], "Published figures: ")
        .text(models.source())
        .text(".");
    html.finish()
}

/// Headings that sort. A link keeps its identifier, so that the focus stays on it.
fn heads(html: &mut Html, board: &Board) {
    let sorting = Sorting::of(board);
    html.open("thead", &[]).open("tr", &[]);
    for (column, id, heading, is_number) in COLUMNS {
        let is_this = sorting.column == column;
        let way = if sorting.descending {
            "descending"
        } else {
            "ascending"
        };
        html.open(
            "th",
            &[
                ("scope", "col"),
                when(is_number, "class", "num"),
                when(is_this, "aria-sort", way),
            ],
        );
        let route = Route::Leaderboard(Board {
            sort: Some(sorting.next(column)),
            at: None,
            ..board.clone()
        });
        html.open(
            "a",
            &[
                ("class", "sort"),
                ("id", &format!("sort-{id}")),
                ("href", &route.href()),
            ],
        )
        .text(heading);
        if is_this {
            let arrow = if sorting.descending { "▼" } else { "▲" };
            html.leaf("span", &[("aria-hidden", "true")], arrow);
        }
        html.end().end();
    }
    html.end().end();
}

fn line(html: &mut Html, line: &Line, is_at: bool) {
    let row = &line.row;
    html.open(
        "tr",
        &[
            ("id", &model_id(line.at)),
            ("tabindex", "-1"),
            when(is_at, "aria-current", "true"),
        ],
    );
    html.open("th", &[("scope", "row")]).text(&row.model);
    if line.has_errors {
        let route = Route::Errors(Browse {
            set: Some(row.listed()),
            ..Browse::default()
        });
        html.open("a", &[("class", "quiet block"), ("href", &route.href())])
            .text("its errors")
            .leaf(
                "span",
                &[("class", "visually-hidden")],
                &format!(", of {}", row.listed()),
            )
            .end();
    }
    given_here(html, line.origin);
    html.end();
    for (column, ..) in COLUMNS.iter().skip(1) {
        cell(html, line, *column);
    }
    html.end();
}

fn cell(html: &mut Html, line: &Line, column: Column) {
    let row = &line.row;
    let figures = &row.figures;
    match column {
        Column::Model => {}
        Column::Tuning => words(html, row.tuning.as_deref(), "not fine-tuned"),
        Column::Architecture => words(html, Some(&line.architecture), ""),
        Column::Figures => {
            html.open("td", &[]);
            badge(html, row.standing);
            // It stands among figures on the published set, by the word of whoever published it: this is what was judged.
            if let (Standing::Recomputed, Some(data)) = (row.standing, &row.data) {
                let file = path_ends(std::slice::from_ref(data), 2).concat();
                html.leaf("span", &[("class", "quiet block")], &format!("on {file}"));
            }
            html.end();
        }
        Column::Triplets => number(html, row.triplets.map(format::count), None),
        Column::Accuracy => number(
            html,
            figure(figures.triplet_accuracy),
            row.triplet_accuracy_interval,
        ),
        Column::Hard => number(
            html,
            figure(figures.hard_negative_acc),
            row.hard_negative_acc_interval,
        ),
        Column::Mrr => number(html, figure(figures.mrr), None),
        Column::Auc => number(html, figure(figures.roc_auc), None),
    }
}

fn words(html: &mut Html, text: Option<&str>, none: &str) {
    match text {
        Some(text) => {
            html.leaf("td", &[], text);
        }
        None => table::nothing(html, none),
    }
}

fn number(html: &mut Html, figure: Option<String>, interval: Option<Interval>) {
    let Some(figure) = figure else {
        return table::nothing(html, "not stated");
    };
    html.open("td", &[("class", "num")]).text(&figure);
    if let Some(Interval { low, high }) = interval {
        html.leaf(
            "span",
            &[("class", "quiet block")],
            &format!("({low:.3}–{high:.3})"),
        );
    }
    html.end();
}

/// The picture's size, and what is left around its axes.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 620.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 50.0;

fn x(share: f64) -> f64 {
    LEFT + share.clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT)
}

fn y(share: f64) -> f64 {
    HEIGHT - BOTTOM - share.clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM)
}

/// Triplet accuracy against hard-negative accuracy, on the first set with both of those that are shown. Every point is a link
/// to its row, so the keyboard reaches it.
fn picture(models: &Leaderboard, shown: &[&Line], board: &Board) -> String {
    let both = |line: &Line| {
        let figures = &line.row.figures;
        figures.triplet_accuracy.zip(figures.hard_negative_acc)
    };
    let first = shown.iter().find(|line| both(line).is_some());
    let of_set = shown
        .iter()
        .filter(|line| first.is_some_and(|first| first.set == line.set));
    let mut lines: Vec<(&Line, f64, f64)> = of_set
        .filter_map(|line| both(line).map(|(accuracy, hard)| (*line, accuracy, hard)))
        .collect();
    let mut html = Html::new();
    let Some(first) = first else {
        html.leaf(
            "p",
            &[("class", "empty")],
            "No model that is shown has both figures.",
        );
        return html.finish();
    };
    let set = models.set(first);
    let choice = SetLinks {
        id: "picture-set",
        label: "Sets of triplets, for the picture",
        now: Some(set),
        with_all: false,
    };
    sets(&mut html, models, board, &choice);
    // In this order the keyboard goes from the weakest to the best.
    lines.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)));
    let points: Vec<Point> = lines
        .iter()
        .map(|(line, accuracy, hard)| Point {
            x: x(*accuracy),
            y: y(*hard),
            name: line.row.listed(),
        })
        .collect();
    let places = scatter::places(&points, (WIDTH, HEIGHT - BOTTOM));
    let region = [
        ("class", "scroll"),
        ("tabindex", "0"),
        ("role", "region"),
        ("aria-label", "Picture of the models"),
    ];
    html.open("div", &region);
    html.open(
        "svg",
        &[
            ("class", "scatter"),
            ("role", "group"),
            (
                "aria-label",
                &format!("Models by triplet accuracy and hard-negative accuracy on {set}; each point leads to its row in the table"),
            ),
            ("viewBox", &format!("0 0 {WIDTH} {HEIGHT}")),
        ],
    );
    axes(&mut html);
    for (((line, accuracy, hard), point), place) in lines.iter().zip(&points).zip(places) {
        let said = format!(
            "{}, {}: triplet accuracy {accuracy:.3}, hard-negative accuracy {hard:.3}",
            point.name,
            line.row.standing.word()
        );
        let route = Route::Leaderboard(Board {
            at: Some(line.at),
            ..board.clone()
        });
        let class = format!("point {}", line.row.standing.word());
        html.open(
            "a",
            &[
                ("class", &class),
                ("id", &format!("point-{}", line.at)),
                ("href", &route.href()),
                ("aria-label", &said),
            ],
        )
        .leaf("title", &[], &said);
        mark(&mut html, line, point);
        label(&mut html, point, place);
        html.end();
    }
    html.end().end();
    legend(&mut html);
    html.finish()
}

fn axes(html: &mut Html) {
    html.open("g", &[("aria-hidden", "true")]);
    for step in 0..=5_u8 {
        let share = f64::from(step) / 5.0;
        straight(html, "grid", (x(share), y(0.0)), (x(share), y(1.0)));
        straight(html, "grid", (x(0.0), y(share)), (x(1.0), y(share)));
        let tick = format!("{share:.1}");
        words_at(html, "tick", "middle", (x(share), y(0.0) + 18.0), &tick);
        words_at(html, "tick", "end", (x(0.0) - 8.0, y(share) + 4.0), &tick);
    }
    straight(html, "even", (x(0.0), y(0.0)), (x(1.0), y(1.0)));
    words_at(
        html,
        "axis",
        "middle",
        (x(0.5), HEIGHT - 8.0),
        "triplet accuracy",
    );
    let turned = format!("rotate(-90 14 {:.1})", y(0.5));
    html.leaf(
        "text",
        &[
            ("class", "axis"),
            ("text-anchor", "middle"),
            ("x", "14"),
            ("y", &format!("{:.1}", y(0.5))),
            ("transform", &turned),
        ],
        "hard-negative accuracy",
    );
    html.end();
}

fn straight(html: &mut Html, class: &str, from: (f64, f64), to: (f64, f64)) {
    let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(|at| format!("{at:.1}"));
    html.leaf(
        "line",
        &[
            ("class", class),
            ("x1", &x1),
            ("y1", &y1),
            ("x2", &x2),
            ("y2", &y2),
        ],
        "",
    );
}

fn words_at(html: &mut Html, class: &str, anchor: &str, (x, y): (f64, f64), text: &str) {
    html.leaf(
        "text",
        &[
            ("class", class),
            ("text-anchor", anchor),
            ("x", &format!("{x:.1}")),
            ("y", &format!("{y:.1}")),
        ],
        text,
    );
}

/// A mark whose shape says where the figures come from; hollow for what was fine-tuned.
fn mark(html: &mut Html, line: &Line, at: &Point) {
    let class = if line.row.tuning.is_some() {
        "dot hollow"
    } else {
        "dot"
    };
    let (x, y) = (at.x, at.y);
    let path = match line.row.standing {
        Standing::Published => format!("M{:.1} {y:.1}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", x - 5.0),
        Standing::Recomputed => format!("M{x:.1} {:.1}l6 6l-6 6l-6 -6z", y - 6.0),
        Standing::Ours => format!("M{x:.1} {:.1}l6 11h-12z", y - 7.0),
    };
    html.leaf("path", &[("class", class), ("d", &path)], "");
}

fn label(html: &mut Html, point: &Point, place: Option<Place>) {
    // Without room it is read by pointing at it or focusing it.
    let (place, class) = if let Some(place) = place {
        (place, "name")
    } else {
        let is_left = point.x > WIDTH / 2.0;
        let away = if is_left { -10.0 } else { 10.0 };
        let hidden = Place {
            x: point.x + away,
            y: point.y,
            is_left,
            is_far: false,
        };
        (hidden, "name hidden")
    };
    if place.is_far {
        straight(html, "leader", (point.x, point.y), (place.x, place.y));
    }
    let anchor = if place.is_left { "end" } else { "start" };
    words_at(html, class, anchor, (place.x, place.y + 4.0), &point.name);
}

fn legend(html: &mut Html) {
    html.open("ul", &[("class", "legend scatter-legend")]);
    for (standing, tuned, words) in [
        (Standing::Published, false, "published, pre-trained"),
        (Standing::Published, true, "published, fine-tuned"),
        (Standing::Recomputed, false, "recomputed"),
        (Standing::Ours, false, "ours"),
    ] {
        let class = if tuned { "dot hollow" } else { "dot" };
        let path = match standing {
            Standing::Published => "M3 8a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
            Standing::Recomputed => "M8 2l6 6l-6 6l-6 -6z",
            Standing::Ours => "M8 2l6 11h-12z",
        };
        html.open("li", &[])
            .open(
                "svg",
                &[
                    ("class", &format!("point {}", standing.word())),
                    ("viewBox", "0 0 16 16"),
                    ("aria-hidden", "true"),
                ],
            )
            .leaf("path", &[("class", class), ("d", path)], "")
            .end()
            .text(words)
            .end();
    }
    html.leaf("li", &[], "dashed: as good on hard negatives as on all");
    html.end();
}

fn tuned(models: &Leaderboard) -> String {
    let mut html = Html::new();
    html.open("section", &[("class", "section")])
        .leaf("h2", &[], "Before and after fine-tuning")
        .leaf(
            "p",
            &[("class", "note")],
            "The same model on the same set, before it was fine-tuned and after. What it gains here is to be read beside the downstream tasks below, where it gains little or loses.",
        );
    table::open_region(
        &mut html,
        "Before and after fine-tuning",
        false,
        &[("class", "sheet")],
        "",
    );
    table::heads(
        &mut html,
        &[
            "model",
            "fine-tuned with",
            "figures",
            "judged on",
            "#triplet accuracy before",
            "#triplet accuracy after",
            "#its change",
            "#hard-negative accuracy before",
            "#hard-negative accuracy after",
            "#its change",
        ],
    );
    html.open("tbody", &[]);
    for Tuned { before, after } in models.tuned() {
        html.open("tr", &[])
            .leaf("th", &[("scope", "row")], &after.row.model)
            .leaf("td", &[], after.row.tuning.as_deref().unwrap_or_default())
            .open("td", &[]);
        if before.row.standing != after.row.standing {
            badge(&mut html, before.row.standing);
            html.text(", then ");
        }
        badge(&mut html, after.row.standing);
        html.end()
            .leaf("td", &[("class", "nowrap")], models.set(after));
        let (old, new) = (&before.row.figures, &after.row.figures);
        for (old, new) in [
            (old.triplet_accuracy, new.triplet_accuracy),
            (old.hard_negative_acc, new.hard_negative_acc),
        ] {
            number(&mut html, figure(old), None);
            number(&mut html, figure(new), None);
            let change = old.zip(new).map(|(old, new)| signed(new - old, 3));
            number(&mut html, change, None);
        }
        html.end();
    }
    html.finish()
}

/// A difference with its sign, a true minus among them.
fn signed(value: f64, digits: usize) -> String {
    let sign = if value < 0.0 { "−" } else { "+" };
    format!("{sign}{:.digits$}", value.abs())
}

fn downstream(models: &Leaderboard) -> String {
    let mut html = Html::new();
    html.open("section", &[("class", "section stack")])
        .leaf("h2", &[], "Downstream: does it transfer?")
        .open("p", &[("class", "note")])
        .text("F1 in percent, where each class is paired with the k nearest; the best of a line is bold. What is ");
    badge(&mut html, Standing::Published);
    html.text(
        " has the same source as above, its models pre-trained and fine-tuned on AVA. Results of ",
    )
    .leaf("code", &[], "ava align --json")
    .text(" and ")
    .leaf("code", &[], "ava taxonomy --json")
    .text(" stand below the published ones of the same task, with precision and recall.")
    .end();
    tasks(&mut html, "Taxonomy discovery", "pairs", &models.taxonomy());
    tasks(
        &mut html,
        "Ontology alignment",
        "cells",
        &models.alignment(),
    );
    html.finish()
}

fn tasks(html: &mut Html, label: &str, reference: &str, tasks: &Tasks<'_>) {
    table::open_region(html, label, false, &[("class", "sheet")], ", F1 in percent");
    let reference = format!("#reference {reference}");
    let mut names = ["task", "model", "figures", "#k"]
        .map(str::to_owned)
        .to_vec();
    names.push(reference);
    names.extend(
        tasks
            .tunings
            .iter()
            .map(|tuning| format!("#{}", tuning.unwrap_or("pre-trained"))),
    );
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    table::heads(html, &names);
    html.open("tbody", &[]);
    for TaskLine { first, tuned } in &tasks.lines {
        let row = &first.row;
        html.open("tr", &[])
            .leaf("th", &[("scope", "row")], &row.task)
            .open("td", &[])
            .text(&row.model);
        given_here(html, first.origin);
        html.end().open("td", &[]);
        badge(html, row.standing);
        html.end();
        number(html, row.top_k.map(|k| k.to_string()), None);
        number(html, Some(format::count(row.reference)), None);
        let known: Vec<f64> = tuned.iter().flatten().map(|row| row.f1).collect();
        // Of one figure there is no best.
        let best = known
            .iter()
            .copied()
            .reduce(f64::max)
            .filter(|_| known.len() > 1);
        for row in tuned {
            task_cell(html, *row, best);
        }
        html.end();
    }
    html.end().end().end();
}

/// F1 in percent, with precision and recall where they are known.
fn task_cell(html: &mut Html, row: Option<&DownstreamRow>, best: Option<f64>) {
    let Some(row) = row else {
        return table::nothing(html, "not stated");
    };
    let f1 = format!("{:.2}", row.f1);
    html.open("td", &[("class", "num")]);
    if best == Some(row.f1) {
        html.leaf("strong", &[], &f1);
    } else {
        html.text(&f1);
    }
    if let Some((precision, recall)) = row.precision.zip(row.recall) {
        html.leaf(
            "span",
            &[("class", "quiet block")],
            &format!("precision {precision:.2}, recall {recall:.2}"),
        );
    }
    html.end();
}

/// Says of what the reader gave that it is no part of the site.
fn given_here(html: &mut Html, origin: Origin) {
    if origin == Origin::Reader {
        html.leaf(
            "span",
            &[("class", "quiet block")],
            "given here, not part of this site",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::leaderboard::Given;

    fn drawn(search: &str) -> Vec<String> {
        let models = Leaderboard::of(None, &[]).unwrap();
        match Route::parse(search) {
            Route::Leaderboard(board) => parts(&models, &board),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn one_set_at_a_time_is_in_the_picture_and_every_group_names_its_own() {
        let file = br#"{"test": {"triplet_accuracy": 0.75, "hard_negative_acc": 0.5}}"#;
        let given = Given {
            name: "theirs.json".to_owned(),
            result: ava::ModelResult::read(file).unwrap(),
        };
        let models = Leaderboard::of(None, &[given]).unwrap();
        let drawn = |search: &str| match Route::parse(search) {
            Route::Leaderboard(board) => parts(&models, &board),
            other => panic!("{other:?}"),
        };
        let all = drawn("?view=ava");
        let groups = |html: &str| -> Vec<String> {
            let each = html.split("class=\"group\">").skip(1);
            let text = each.map(|part| part.split("</th>").next().unwrap_or_default());
            text.map(str::to_owned).collect()
        };
        assert_eq!(
            groups(&all[0]),
            [
                "judged on <strong>AVA's test set</strong>, 41 models",
                "judged on <strong>a set that is not named</strong>, 1 model"
            ]
        );
        let points = |html: &str| html.matches(" id=\"point-").count();
        assert_eq!(points(&all[1]), 41);
        assert!(
            all[1].contains("id=\"picture-set-0\" href=\"?view=ava&amp;set=AVA%27s%20test%20set\" aria-current=\"true\""),
            "{}",
            all[1]
        );
        let other = drawn("?view=ava&set=a+set+that+is+not+named");
        assert_eq!(groups(&other[0]).len(), 1);
        assert_eq!(points(&other[1]), 1);
        assert!(other[0].contains("1 of 42 models"), "{}", other[0]);
        assert!(
            other[0].contains("<a id=\"set-0\" href=\"?view=ava\">every set, each by itself</a>"),
            "{}",
            other[0]
        );
    }

    #[test]
    fn every_row_carries_the_label_of_its_figures() {
        let parts = drawn("?view=ava");
        assert_eq!(parts[0].matches("<tr id=\"model-").count(), 41);
        assert_eq!(parts[0].matches("badge published").count(), 41);
        assert!(
            parts[0].contains("doi:10.1145/3799682.3840036"),
            "{}",
            parts[0]
        );
        assert!(parts[2].contains("badge published"));
    }

    #[test]
    fn a_heading_says_how_it_sorts_and_links_to_the_other_way() {
        let parts = drawn("?view=ava&sort=-hard&figures=published");
        assert!(
            parts[0].contains("<th scope=\"col\" class=\"num\" aria-sort=\"descending\"><a class=\"sort\" id=\"sort-hard\" href=\"?view=ava&amp;figures=published&amp;sort=hard\">"),
            "{}",
            parts[0]
        );
        assert_eq!(parts[0].matches("aria-sort").count(), 1);
    }

    #[test]
    fn a_point_leads_to_its_row_and_says_its_figures() {
        let parts = drawn("?view=ava&text=mpnet&at=1");
        assert_eq!(parts[1].matches("class=\"point published\" id=").count(), 4);
        assert!(
            parts[1].contains("aria-label=\"all-mpnet-base-v2, published: triplet accuracy 0.636, hard-negative accuracy 0.427\""),
            "{}",
            parts[1]
        );
        assert!(parts[0].contains("<tr id=\"model-1\" tabindex=\"-1\" aria-current=\"true\">"));
    }

    #[test]
    fn all_names_have_room() {
        let all = drawn("?view=ava");
        assert_eq!(all[1].matches("class=\"name hidden\"").count(), 0);
        assert_eq!(all[1].matches("class=\"name\"").count(), 41);
    }

    #[test]
    fn nobody_is_like_that() {
        let parts = drawn("?view=ava&text=nonesuch");
        assert!(parts[0].contains("No model is like that"));
        assert!(parts[1].contains("No model that is shown"));
    }

    #[test]
    fn differences_have_a_sign() {
        assert_eq!(
            (signed(0.25, 3), signed(-0.001, 3)),
            ("+0.250".into(), "−0.001".into())
        );
    }
}
