//! Triplets with their scores and what a model makes of them. Drawn in the tables worker.

use ava::{CLOSE_BEYOND, Cosines, HARD_FROM, LexicalScores, StoredScores, Triplet};

use crate::fragments::facts::facts;
use crate::fragments::fate::fate;
use crate::fragments::html::Html;
use crate::query::{Browse, Route};
use crate::state::format;
use crate::state::triplets::{Own, PAGE, Seen, TripletSet, Verdict, changed, ratio};

/// Problems of a file that are listed; the others are counted.
const PROBLEMS: usize = 20;

/// What a file holds.
pub fn summary(set: &TripletSet) -> String {
    let mut html = Html::new();
    let count = |count: usize| format::count(count);
    let all = set.triplets.len();
    let values: Vec<(&str, String)> = if set.is_judged {
        let wrong = |only_hard: bool| {
            let each = set.triplets.iter();
            each.filter(|seen| seen.is_wrong() && (!only_hard || seen.is_hard()))
                .count()
        };
        let hard = set.triplets.iter().filter(|seen| seen.is_hard()).count();
        vec![
            ("triplets", count(all)),
            (
                "wrong",
                format!("{} ({})", count(wrong(false)), share(wrong(false), all)),
            ),
            ("hard", count(hard)),
            (
                "wrong, hard",
                format!("{} ({})", count(wrong(true)), share(wrong(true), hard)),
            ),
        ]
    } else {
        let (hard_at, close_at) = set.at_border();
        vec![
            ("triplets", count(all)),
            ("kept, not hard", count(set.count("kept"))),
            ("kept, hard", count(set.count("hard"))),
            ("dropped", count(set.count("dropped"))),
            ("anchor–negative at exactly 90", count(hard_at)),
            ("positive–negative at exactly 90", count(close_at)),
        ]
    };
    let values: Vec<(&str, &str)> = values
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    facts(&mut html, &values);
    kinds(&mut html, set);
    if !set.problems.is_empty() {
        html.open("div", &[("class", "problem")]);
        let records = format::counted(set.problems.len(), "record is", "records are");
        html.leaf("h3", &[], &format!("{records} no triplet and not shown"))
            .open("ul", &[]);
        for problem in set.problems.iter().take(PROBLEMS) {
            let remedy = problem.remedy.as_deref().unwrap_or_default();
            html.leaf("li", &[], &format!("{}:{problem}; {remedy}", set.name));
        }
        let more = set.problems.len().saturating_sub(PROBLEMS);
        if more > 0 {
            html.leaf("li", &[], &format!("and {} more", format::count(more)));
        }
    }
    html.finish()
}

/// Kinds of perturbation: how many triplets, or how many of them a model gets wrong.
fn kinds(html: &mut Html, set: &TripletSet) {
    let kinds = set.kinds();
    if kinds.is_empty() {
        return;
    }
    let each = kinds.into_iter().map(|(kind, all)| {
        if !set.is_judged {
            return format!("{kind} {}", format::count(all));
        }
        let wrong = set.triplets.iter().filter(|seen| {
            let perturbation = seen.triplet.perturbation.as_ref();
            seen.is_wrong() && perturbation.is_some_and(|one| one.name() == kind)
        });
        let wrong = wrong.count();
        format!(
            "{kind} {} of {} ({})",
            format::count(wrong),
            format::count(all),
            share(wrong, all)
        )
    });
    let what = if set.is_judged {
        "Wrong by kind: "
    } else {
        "Kinds: "
    };
    let all = format!("{what}{}.", each.collect::<Vec<_>>().join(" · "));
    html.leaf("p", &[("class", "note after-table")], &all);
}

fn share(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    format!("{:.1} %", 100.0 * part as f64 / whole as f64)
}

/// One part: the triplets that are asked for, a page of them.
pub fn parts(set: &TripletSet, route: &Route) -> Vec<String> {
    let (browse, make): (&Browse, fn(Browse) -> Route) = match route {
        Route::Errors(browse) => (browse, Route::Errors),
        Route::Triplets(browse) => (browse, Route::Triplets),
        _ => return vec![String::new()],
    };
    let shown = set.shown(browse);
    let pages = shown.len().div_ceil(PAGE).max(1);
    let page = usize::try_from(browse.page.unwrap_or(1))
        .unwrap_or(1)
        .clamp(1, pages);
    let first = (page - 1) * PAGE;
    let mut html = Html::new();
    let what = if set.is_judged {
        "wrong triplet"
    } else {
        "triplet"
    };
    let count = format::counted(shown.len(), what, &format!("{what}s"));
    let said = match shown.len() {
        0 => format!("No {what} is like that."),
        _ => format!("{count}; page {page} of {pages}"),
    };
    html.leaf(
        "p",
        &[("class", "note"), ("id", "shown"), ("tabindex", "-1")],
        &said,
    );
    let to = |page: usize| {
        let page = u32::try_from(page).ok().filter(|page| *page > 1);
        make(Browse {
            page,
            ..browse.clone()
        })
        .href()
    };
    pager(&mut html, "above", page, pages, &to);
    html.open(
        "ol",
        &[("class", "triplets"), ("start", &(first + 1).to_string())],
    );
    for seen in shown.into_iter().skip(first).take(PAGE) {
        self::seen(&mut html, set, seen, browse);
    }
    html.end();
    pager(&mut html, "below", page, pages, &to);
    vec![html.finish()]
}

/// Ways to the pages around this one.
fn pager(html: &mut Html, place: &str, page: usize, pages: usize, to: &dyn Fn(usize) -> String) {
    if pages < 2 {
        return;
    }
    html.open(
        "nav",
        &[
            ("class", "pager"),
            ("aria-label", &format!("Pages, {place} the triplets")),
        ],
    );
    for (name, other, is_there) in [
        ("First", 1, page > 1),
        ("Previous", page.saturating_sub(1), page > 1),
        ("Next", page + 1, page < pages),
        ("Last", pages, page < pages),
    ] {
        if is_there {
            html.leaf(
                "a",
                &[
                    ("class", "button small"),
                    ("href", &to(other)),
                    ("data-keep", ""),
                ],
                name,
            );
        }
    }
    html.end();
}

fn seen(html: &mut Html, set: &TripletSet, seen: &Seen, browse: &Browse) {
    let triplet = &seen.triplet;
    html.open("li", &[("class", "panel triplet")]);
    html.open("p", &[("class", "badges")]);
    verdict(html, &seen.verdict);
    if seen.is_told {
        html.leaf("span", &[("class", "quiet")], "by the file’s own word");
    }
    if let Some(cosines) = &seen.cosines {
        if cosines.is_right() {
            fate(html, "kept", "right");
        } else {
            fate(
                html,
                "error",
                if cosines.margin() < 0.0 {
                    "wrong"
                } else {
                    "a tie, so wrong"
                },
            );
        }
    }
    let tags = [
        triplet.perturbation.as_ref().map(ava::Perturbation::name),
        triplet.source.as_deref(),
        triplet.subgraph_id.as_deref(),
        triplet.generator.as_deref(),
    ];
    for tag in tags.into_iter().flatten() {
        html.leaf("span", &[("class", "badge tag")], tag);
    }
    html.leaf(
        "span",
        &[("class", "quiet")],
        &format!("line {}", seen.line),
    )
    .end();
    texts(html, triplet);
    html.open("div", &[("class", "scores")]);
    lexical(html, &seen.ratios);
    if let Some(cosines) = &seen.cosines {
        semantic(html, cosines);
    }
    html.end();
    if let Some(other) = seen.other_scores() {
        html.leaf("p", &[("class", "note")], &other_scores(&other));
    }
    if !set.is_judged {
        let own = [&triplet.anchor, &triplet.positive, &triplet.negative];
        let route = Route::Triplets(Browse {
            own: own.map(|text| Some(text.clone())),
            ..browse.clone()
        });
        html.open("p", &[("class", "actions")])
            .open("a", &[("class", "button small"), ("href", &route.href())])
            .text("Change its words")
            .leaf(
                "span",
                &[("class", "visually-hidden")],
                &format!(": {}", triplet.anchor),
            )
            .end()
            .end();
    }
    html.end();
}

fn verdict(html: &mut Html, verdict: &Verdict) {
    match verdict {
        Verdict::Kept => fate(html, "kept", "kept"),
        Verdict::Hard => fate(html, "warning", "kept, hard"),
        Verdict::Dropped(why) => fate(html, "missed", &format!("dropped: {why}")),
    }
}

/// The three texts; what the negative says otherwise than the anchor is marked in it.
fn texts(html: &mut Html, triplet: &Triplet) {
    html.open("dl", &[("class", "texts")]);
    for (name, text) in [("anchor", &triplet.anchor), ("positive", &triplet.positive)] {
        html.leaf("dt", &[], name).leaf("dd", &[], text);
    }
    html.leaf("dt", &[], "negative").open("dd", &[]);
    for (at, (word, is_changed)) in changed(&triplet.negative, &triplet.anchor)
        .into_iter()
        .enumerate()
    {
        if at > 0 {
            html.text(" ");
        }
        if is_changed {
            html.leaf("mark", &[], word);
        } else {
            html.text(word);
        }
    }
    html.end().end();
}

fn lexical(html: &mut Html, ratios: &LexicalScores) {
    html.open("dl", &[("class", "ratios")]);
    for (name, value, rule) in [
        ("anchor–positive", ratios.anchor_positive, None),
        (
            "anchor–negative",
            ratios.anchor_negative,
            (ratios.anchor_negative >= HARD_FROM).then_some("≥ 90: hard"),
        ),
        (
            "positive–negative",
            ratios.positive_negative,
            (ratios.positive_negative > CLOSE_BEYOND).then_some("> 90: too close"),
        ),
    ] {
        measure(
            html,
            name,
            &ratio(value),
            &value.to_string(),
            value / 100.0,
            rule,
        );
    }
    html.end();
}

fn semantic(html: &mut Html, cosines: &Cosines) {
    html.open("dl", &[("class", "ratios")]);
    for (name, value) in [
        ("cosine anchor–positive", cosines.anchor_positive),
        ("cosine anchor–negative", cosines.anchor_negative),
        ("cosine positive–negative", cosines.positive_negative),
    ] {
        measure(
            html,
            name,
            &format!("{value:.4}"),
            &value.to_string(),
            value,
            None,
        );
    }
    html.end();
}

/// A figure with a bar as long.
fn measure(html: &mut Html, name: &str, shown: &str, whole: &str, part: f64, rule: Option<&str>) {
    html.open(
        "div",
        &[("class", if rule.is_some() { "ruled" } else { "" })],
    )
    .leaf("dt", &[], name)
    .open("dd", &[]);
    html.leaf("span", &[("title", whole), ("class", "figure")], shown);
    if let Some(rule) = rule {
        html.leaf("span", &[("class", "quiet after")], rule);
    }
    html.open("span", &[("class", "meter"), ("aria-hidden", "true")])
        .leaf(
            "span",
            &[(
                "style",
                &format!("width:{:.1}%", part.clamp(0.0, 1.0) * 100.0),
            )],
            "",
        )
        .end()
        .end()
        .end();
}

fn other_scores(stored: &StoredScores) -> String {
    let each = [
        ("anchor–positive", stored.anchor_positive),
        ("anchor–negative", stored.anchor_negative),
        ("positive–negative", stored.positive_negative),
    ];
    let each = each
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name} {}", value?)));
    format!(
        "The file says otherwise: {}.",
        each.collect::<Vec<_>>().join(", ")
    )
}

/// The scores of a triplet that the reader typed.
pub fn own(own: &Own) -> String {
    let mut html = Html::new();
    html.open("p", &[("class", "badges")]);
    verdict(&mut html, &own.verdict);
    html.end().open("div", &[("class", "scores")]);
    lexical(&mut html, &own.ratios);
    html.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::triplets::Typed;

    fn set(triplets: usize, is_judged: bool) -> TripletSet {
        let record = |at: usize| {
            format!(
                r#"{{"anchor": "heart <{at}> is an organ here", "positive": "hearts belong to the organs {at}", "negative": "organ <{at}> is an heart here", "perturbation": "hierarchy-inversion", "source": "X", "anchor_positive": 0.5, "anchor_negative": {}, "positive_negative": 0.25}}"#,
                if at.is_multiple_of(2) { 0.75 } else { 0.25 }
            )
        };
        let text: Vec<String> = (0..triplets).map(record).collect();
        TripletSet::read("set.jsonl".into(), text.join("\n").as_bytes(), is_judged).unwrap()
    }

    #[test]
    fn a_page_of_triplets_with_ways_to_the_others() {
        let set = set(45, false);
        let html = parts(&set, &Route::parse("?view=triplets&set=s&page=2")).concat();
        assert_eq!(html.matches("panel triplet").count(), PAGE);
        assert!(html.contains("45 triplets; page 2 of 3"), "{html}");
        assert!(html.contains("start=\"21\""), "{html}");
        assert!(
            html.contains("href=\"?view=triplets&amp;set=s\" data-keep=\"\">First"),
            "{html}"
        );
        assert!(
            html.contains("href=\"?view=triplets&amp;set=s&amp;page=3\" data-keep=\"\">Next"),
            "{html}"
        );
        assert!(html.contains("heart &lt;20&gt; is an organ here"), "{html}");
        assert!(
            html.contains("kept, hard") && html.contains("≥ 90: hard"),
            "{html}"
        );
        // A page beyond the last is the last.
        let last = parts(&set, &Route::parse("?view=triplets&page=99")).concat();
        assert_eq!(last.matches("panel triplet").count(), 5);
        assert!(!last.contains(">Next<"));
    }

    #[test]
    fn errors_show_cosines_and_how_many_there_are() {
        let set = set(4, true);
        let html = parts(&set, &Route::parse("?view=errors")).concat();
        assert!(html.contains("2 wrong triplets; page 1 of 1"), "{html}");
        assert!(
            html.contains("cosine anchor–negative") && html.contains("0.7500"),
            "{html}"
        );
        let summary = summary(&set);
        assert!(summary.contains("2 (50.0 %)"), "{summary}");
        assert!(
            summary.contains("hierarchy-inversion 2 of 4 (50.0 %)"),
            "{summary}"
        );
    }

    #[test]
    fn hard_is_counted_as_the_evaluation_counts() {
        // Computed, the ratios are 100 and about 30; the first two records say otherwise, and the evaluation goes by that.
        let record = |negative: &str, score: &str| {
            format!(
                r#"{{"anchor": "every heart is an organ", "positive": "hearts belong to the organs here", "negative": "{negative}"{score}, "anchor_positive": 0.25, "anchor_negative": 0.5, "positive_negative": 0}}"#
            )
        };
        let (near, far) = (
            "every organ is an heart",
            "nobody should ever stay out there",
        );
        let text = [
            record(near, r#", "anchor_negative_score": 89.5"#),
            record(far, r#", "anchor_negative_score": 90"#),
            record(near, ""),
            record(far, ""),
        ]
        .join("\n");
        let set = TripletSet::read("m.jsonl".into(), text.as_bytes(), true).unwrap();
        let hard: Vec<bool> = set.triplets.iter().map(Seen::is_hard).collect();
        assert_eq!(hard, [false, true, true, false]);
        let summary = summary(&set);
        assert!(summary.contains("2 (100.0 %)"), "{summary}");
    }

    #[test]
    fn what_is_no_triplet_is_listed() {
        let text =
            "{\"anchor\": \"a\"}\n{\"anchor\": \"a\", \"positive\": \"b\", \"negative\": \"c\"}";
        let set = TripletSet::read("mixed.jsonl".into(), text.as_bytes(), false).unwrap();
        let summary = summary(&set);
        assert!(summary.contains("1 record is no triplet"), "{summary}");
        assert!(
            summary.contains("mixed.jsonl:1:1: this triplet has no `positive`"),
            "{summary}"
        );
    }

    #[test]
    fn nothing_is_like_that() {
        let html = parts(&set(3, false), &Route::parse("?view=triplets&kind=none")).concat();
        assert!(html.contains("No triplet is like that."), "{html}");
    }

    #[test]
    fn a_typed_triplet_has_its_scores_and_its_verdict() {
        let typed = Typed {
            texts: [
                "an acre is an area unit",
                "acres are a kind of unit",
                "acre",
            ]
            .map(str::to_owned),
            ..Typed::default()
        };
        let html = own(&Own::of(typed));
        assert!(
            html.contains("dropped: the negative has 1 of at least 5 words"),
            "{html}"
        );
        assert!(html.contains("title=\"100\""), "{html}");
    }
}
