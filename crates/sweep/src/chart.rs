//! Charts of a comparison as SVG: bars with whiskers, written without a library because that is all they are.
//!
//! A chart takes its ink from `currentColor` and its bar from `--chart-bar`, so that a page which puts it inline decides
//! both; opened by itself it follows the reader's light or dark setting. Every figure is in the text too: nothing is said
//! by length or colour alone.

use std::fmt::Write as _;

use record::Arm;

use crate::report_words::{arm_word, interval_words, share};
use crate::{Rate, SweepComparison};

/// A file of a chart, and the chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// Name of its file.
    pub file: String,
    /// The SVG document.
    pub svg: String,
}

/// The charts of a comparison: right answers by arm, obedience as told apart from breakage, right answers by record.
pub fn charts(comparison: &SweepComparison) -> Vec<Chart> {
    let mut charts = Vec::new();
    let by_arm = comparison.arms.iter().map(|arm| Bar {
        group: arm_word(arm.arm),
        label: arm.run.clone(),
        rate: arm.figures.right,
    });
    charts.push(Chart {
        file: "right-by-arm.svg".to_owned(),
        svg: bars(
            "Right answers by arm",
            "Share of right answers among the attempts that count, with 95 % Wilson intervals over records",
            &by_arm.collect::<Vec<_>>(),
        ),
    });
    let told = comparison
        .arms
        .iter()
        .filter(|arm| arm.arm == Some(Arm::Exact));
    let told: Vec<Bar> = told
        .flat_map(|arm| {
            let obeyed = arm.figures.obedience.map(|told| told.obeyed);
            [
                ("as published", arm.figures.raw_exact),
                ("obeyed", obeyed.unwrap_or_default()),
            ]
            .map(|(what, rate)| Bar {
                group: arm.run.clone(),
                label: what.to_owned(),
                rate,
            })
        })
        .collect();
    if !told.is_empty() {
        charts.push(Chart {
            file: "obedience.svg".to_owned(),
            svg: bars(
                "Told to use the term exactly as given",
                "As published, where nothing submitted counts as an empty table, beside the share that is shown to have obeyed, with 95 % Wilson intervals over records",
                &told,
            ),
        });
    }
    let by_record = comparison.cells.iter().map(|cell| Bar {
        group: cell.record.clone(),
        label: cell.run.clone(),
        rate: cell.figures.right,
    });
    charts.push(Chart {
        file: "right-by-record.svg".to_owned(),
        svg: bars(
            "Right answers by record",
            "Share of right answers among the attempts that count, with 95 % Wilson intervals over attempts",
            &by_record.collect::<Vec<_>>(),
        ),
    });
    charts
}

/// One bar: a share with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What it stands under; a new group begins where this differs from the bar before.
    pub group: String,
    /// What stands left of it.
    pub label: String,
    /// Its length and whiskers.
    pub rate: Rate,
}

const LABELS: u32 = 260;
const SCALE: u32 = 360;
const FIGURES: u32 = 140;
const LINE: u32 = 24;
const GAP: u32 = 10;

/// Every rule is about `.okn-chart`: inline, a style sheet in an SVG is the whole page's. The ink of a dark setting is for
/// a chart that is the document itself.
const STYLE: &str = "\
.okn-chart text{font:13px system-ui,sans-serif;fill:currentColor}.okn-chart .group{font-weight:600}\
.okn-chart .axis{stroke:currentColor;opacity:.25}.okn-chart .bar{fill:var(--chart-bar,#4c8bd0)}\
.okn-chart .whisker{fill:none;stroke:currentColor;stroke-width:1.5}\
@media(prefers-color-scheme:dark){.okn-chart:root{color:#e6e6e6;background:#1b1b1b}}";

/// Horizontal bars from 0 to 1 with their intervals, in groups.
pub fn bars(title: &str, description: &str, bars: &[Bar]) -> String {
    let width = LABELS + SCALE + FIGURES;
    let mut body = String::new();
    let mut y = 40;
    let mut group = None;
    for bar in bars {
        if group != Some(&bar.group) {
            y += if group.is_some() { GAP } else { 0 };
            line(
                &mut body,
                format_args!(
                    "<text class=\"group\" x=\"0\" y=\"{}\">{}</text>",
                    y + 16,
                    escaped(&bar.group)
                ),
            );
            y += LINE;
            group = Some(&bar.group);
        }
        one(&mut body, bar, y);
        y += LINE;
    }
    let mut axis = String::new();
    for (place, label) in [(0, "0"), (1, "0.5"), (2, "1")] {
        let x = LABELS + SCALE * place / 2;
        line(
            &mut axis,
            format_args!("<line class=\"axis\" x1=\"{x}\" y1=\"36\" x2=\"{x}\" y2=\"{y}\"/>"),
        );
        line(
            &mut axis,
            format_args!(
                "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
                y + 18
            ),
        );
    }
    let height = y + 28;
    // Several charts may stand inline in one page, where an id must not come twice.
    let id: String = title.chars().filter(char::is_ascii_alphanumeric).collect();
    let (title, description) = (escaped(title), escaped(description));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"okn-chart\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n\
         <title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-desc\">{description}</desc>\n<style>{STYLE}</style>\n\
         <text class=\"group\" x=\"0\" y=\"18\">{title}</text>\n{axis}{body}</svg>\n"
    )
}

fn one(body: &mut String, bar: &Bar, y: u32) {
    let rate = bar.rate;
    let label = escaped(&shortened(&bar.label));
    line(
        body,
        format_args!(
            "<text x=\"12\" y=\"{}\">{label}<title>{}</title></text>",
            y + 16,
            escaped(&bar.label)
        ),
    );
    let x = |value: f64| f64::from(LABELS) + value * f64::from(SCALE);
    if let Some(value) = rate.rate {
        let length = value * f64::from(SCALE);
        line(
            body,
            format_args!(
                "<rect class=\"bar\" x=\"{LABELS}\" y=\"{}\" width=\"{length:.1}\" height=\"14\"/>",
                y + 5
            ),
        );
    }
    if let (Some(low), Some(high)) = (rate.low, rate.high) {
        let middle = y + 12;
        let (low, high) = (x(low), x(high));
        line(
            body,
            format_args!(
                "<path class=\"whisker\" d=\"M{low:.1} {middle}H{high:.1}M{low:.1} {}v8M{high:.1} {}v8\"/>",
                middle - 4,
                middle - 4
            ),
        );
    }
    let figures = match rate.rate {
        Some(_) => format!("{} ({})", share(rate), interval_words(rate.low, rate.high)),
        None => "nothing counted".to_owned(),
    };
    line(
        body,
        format_args!(
            "<text x=\"{}\" y=\"{}\">{figures}</text>",
            LABELS + SCALE + 12,
            y + 16
        ),
    );
}

fn line(body: &mut String, content: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(body, "{content}");
}

/// A label that fits left of its bar; the whole of it is in the tooltip. It is cut in the middle: sweeps of one agent are told
/// apart by the folder at the end.
fn shortened(label: &str) -> String {
    const START: usize = 17;
    const END: usize = 18;
    let count = label.chars().count();
    if count <= START + 1 + END {
        return label.to_owned();
    }
    let start: String = label.chars().take(START).collect();
    let end: String = label.chars().skip(count - END).collect();
    format!("{start}…{end}")
}

/// Text as XML holds it; what XML has no place for becomes a replacement character.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' | '\n' => safe.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(label: &str, rate: Rate) -> Bar {
        Bar {
            group: "exact".into(),
            label: label.into(),
            rate,
        }
    }

    #[test]
    fn a_bar_is_as_long_as_its_share_and_its_figures_are_in_the_text() {
        let svg = bars(
            "Title",
            "What it shows",
            &[bar("one", Rate::new(6, 12)), bar("two", Rate::new(0, 0))],
        );
        assert!(svg.contains("width=\"180.0\" height=\"14\""), "{svg}");
        assert!(svg.contains("6/12 (0.25–0.75)") && svg.contains("nothing counted"));
        assert_eq!(svg.matches("<rect").count(), 1);
        assert_eq!(svg.matches("class=\"whisker\" d=").count(), 1);
        assert!(svg.contains("role=\"img\" aria-labelledby=\"Title-title Title-desc\""));
        assert!(svg.contains("<desc id=\"Title-desc\">What it shows</desc>"));
    }

    #[test]
    fn no_label_is_markup() {
        let svg = bars("<&>", "\"\u{1}", &[bar("a<script>\u{b}", Rate::new(1, 2))]);
        assert!(svg.contains("&lt;&amp;&gt;") && svg.contains("&quot;\u{fffd}"));
        assert!(!svg.contains("<script>"));
    }

    #[test]
    fn a_long_label_is_cut_and_kept_whole_in_its_tooltip() {
        let long = |folder: &str| format!("{} ({folder})", "x".repeat(50));
        let labels = ["runs-before", "runs-after"].map(long);
        let bars_of = labels.each_ref().map(|label| bar(label, Rate::new(1, 2)));
        let svg = bars("t", "d", &bars_of);
        for (label, end) in labels
            .iter()
            .zip(["xxxx (runs-before)", "xxxxx (runs-after)"])
        {
            let shown = format!("{}…{end}<title>{label}</title>", "x".repeat(17));
            assert!(svg.contains(&shown), "{svg}");
        }
    }
}
