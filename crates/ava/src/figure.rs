//! Distributions as SVG: one histogram below the other over one axis.
//!
//! A figure takes its ink from `currentColor` and its bars from `--chart-bar`, so that a page which puts it inline decides
//! both; opened by itself it follows the reader's light or dark setting. Each panel stands alone and says its figures in
//! words, so nothing is said by colour, and the counts of every bar are in its tooltip.

use std::fmt::Write as _;

use crate::statistics::Spread;

/// One histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel<'v> {
    /// What the values are, such as "anchor–positive".
    pub label: &'v str,
    /// The values, finite numbers.
    pub values: Vec<f64>,
}

const LEFT: f64 = 12.0;
const WIDTH: f64 = 640.0;
const PLOT: f64 = 96.0;
const HEAD: f64 = 24.0;
const GAP: f64 = 14.0;
const TOP: f64 = 36.0;

/// Rules are about `.okn-chart`: inline, a style sheet in an SVG is the whole page's. The ink of a dark setting is for a
/// figure that is the document itself.
const STYLE: &str = "\
.okn-chart{max-width:100%;height:auto}.okn-chart text{font:13px system-ui,sans-serif;fill:currentColor}.okn-chart .title{font-weight:600}\
.okn-chart .axis{stroke:currentColor;opacity:.4}.okn-chart .bar{fill:var(--chart-bar,#4c8bd0)}\
.okn-chart .mean{stroke:currentColor;stroke-width:1.5;stroke-dasharray:4 3}\
@media(prefers-color-scheme:dark){.okn-chart:root{color:#e6e6e6;background:#1b1b1b}}";

/// Histograms over the same axis, from `low` to `high` in `bins` bins; a value beyond an end counts in the last bin there.
/// A dashed line stands at each mean. Every panel has its own scale, since only the shapes are to be compared.
///
/// ```
/// let svg = ava::histograms("Lexical similarity", "token-set ratio", (0.0, 100.0), 20, &[
///     ava::Panel { label: "anchor–positive", values: vec![69.0, 83.5, 74.7] },
/// ]);
/// assert!(svg.contains("anchor–positive: 3 triplets, mean 75.73"));
/// ```
pub fn histograms(
    title: &str,
    unit: &str,
    (low, high): (f64, f64),
    bins: usize,
    panels: &[Panel<'_>],
) -> String {
    let bins = bins.max(1);
    let mut body = String::new();
    let mut said = Vec::new();
    let mut top = TOP;
    for panel in panels {
        let words = words(panel);
        one(&mut body, panel, &words, (low, high), bins, top);
        said.push(words);
        top += HEAD + PLOT + GAP;
    }
    for step in 0..=4_u8 {
        let share = f64::from(step) / 4.0;
        let anchor = match step {
            0 => "start",
            4 => "end",
            _ => "middle",
        };
        let value = low + (high - low) * share;
        line(
            &mut body,
            format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
                LEFT + WIDTH * share,
                top + 4.0,
                short(value)
            ),
        );
    }
    let (width, height) = (LEFT + WIDTH + LEFT, top + 32.0);
    // Several figures may stand inline in one page, where an id must not come twice.
    let id: String = title.chars().filter(char::is_ascii_alphanumeric).collect();
    let (title, unit) = (escaped(title), escaped(unit));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"okn-chart\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n\
         <title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-desc\">Distributions of the {unit}. {}</desc>\n<style>{STYLE}</style>\n\
         <text class=\"title\" x=\"{LEFT}\" y=\"18\">{title}</text>\n{body}\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{unit}</text>\n</svg>\n",
        said.join(". "),
        LEFT + WIDTH / 2.0,
        top + 22.0,
    )
}

/// A panel's figures in words, ready for XML.
fn words(panel: &Panel<'_>) -> String {
    let label = escaped(panel.label);
    match Spread::of(&panel.values) {
        None => format!("{label}: no triplet"),
        Some(spread) => format!(
            "{label}: {} triplets, mean {}, middle half {} to {}",
            panel.values.len(),
            figure(spread.mean),
            figure(spread.lower_quartile),
            figure(spread.upper_quartile)
        ),
    }
}

fn one(
    body: &mut String,
    panel: &Panel<'_>,
    words: &str,
    (low, high): (f64, f64),
    bins: usize,
    top: f64,
) {
    let mut counts = vec![0_usize; bins];
    for &value in &panel.values {
        counts[bin(value, low, high, bins)] += 1;
    }
    let tallest = counts.iter().copied().max().unwrap_or(0).max(1);
    let floor = top + HEAD + PLOT;
    line(
        body,
        format_args!("<text x=\"{LEFT}\" y=\"{:.1}\">{words}</text>", top + 14.0),
    );
    let step = WIDTH / bins as f64;
    for (place, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let height = PLOT * count as f64 / tallest as f64;
        let edge = |place: usize| short(low + (high - low) * place as f64 / bins as f64);
        line(
            body,
            format_args!(
                "<rect class=\"bar\" x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{height:.2}\"><title>{} to {}: {count}</title></rect>",
                LEFT + step * place as f64 + 0.5,
                floor - height,
                (step - 1.0).max(0.5),
                edge(place),
                edge(place + 1),
            ),
        );
    }
    line(
        body,
        format_args!(
            "<line class=\"axis\" x1=\"{LEFT}\" y1=\"{floor:.1}\" x2=\"{:.1}\" y2=\"{floor:.1}\"/>",
            LEFT + WIDTH
        ),
    );
    if let Some(spread) = Spread::of(&panel.values) {
        let share = ((spread.mean - low) / (high - low)).clamp(0.0, 1.0);
        let x = LEFT + WIDTH * share;
        line(
            body,
            format_args!(
                "<line class=\"mean\" x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{floor:.1}\"/>",
                top + HEAD
            ),
        );
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the bins that there are"
)]
fn bin(value: f64, low: f64, high: f64, bins: usize) -> usize {
    let place = (value - low) / (high - low) * bins as f64;
    place.clamp(0.0, (bins - 1) as f64) as usize
}

fn line(body: &mut String, content: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(body, "{content}");
}

/// Two digits behind the point for ratios up to 100, three for cosines.
fn figure(value: f64) -> String {
    if value.abs() > 1.5 {
        format!("{value:.2}")
    } else {
        format!("{value:.3}")
    }
}

/// A value without what it does not need.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
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

    #[test]
    fn bars_are_as_high_as_their_counts_and_say_them() {
        let values = vec![0.0, 4.9, 5.0, 99.9, 100.0, 100.0, 250.0];
        let svg = histograms(
            "T",
            "ratio",
            (0.0, 100.0),
            20,
            &[Panel {
                label: "a–p",
                values,
            }],
        );
        assert!(
            svg.contains("height=\"48.00\"><title>0 to 5: 2</title>"),
            "{svg}"
        );
        assert!(
            svg.contains("height=\"24.00\"><title>5 to 10: 1</title>"),
            "{svg}"
        );
        assert!(
            svg.contains("height=\"96.00\"><title>95 to 100: 4</title>"),
            "{svg}"
        );
        assert_eq!(svg.matches("class=\"bar\" ").count(), 3);
    }

    #[test]
    fn nothing_to_show_is_said() {
        let svg = histograms(
            "T",
            "cosine",
            (-1.0, 1.0),
            20,
            &[Panel {
                label: "<x>",
                values: vec![],
            }],
        );
        assert!(svg.contains("&lt;x&gt;: no triplet") && !svg.contains("<x>"));
        assert!(svg.contains("role=\"img\" aria-labelledby=\"T-title T-desc\""));
        assert!(!svg.contains("NaN"));
    }
}
