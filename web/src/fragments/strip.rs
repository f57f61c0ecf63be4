//! A key and its controls as strips of bars: which rows a control keeps, misses and invents, and how large they are.

use crate::fragments::html::Html;
use crate::state::controls::{Bar, Strip, fate_name};

/// Width of a bar with the gap behind it.
const SLOT: usize = 10;
/// Few rows make narrow strips, not wide bars.
const LEAST_SLOTS: usize = 18;
/// Height of the largest bar, within a picture of 40.
const HEIGHT: f64 = 38.0;

/// The strips of one question, below one another and to one scale.
pub fn strips(strips: &[Strip]) -> String {
    let mut html = Html::new();
    if strips.is_empty() {
        html.leaf(
            "p",
            &[("class", "empty")],
            "The key could not be run, so there is nothing to draw.",
        );
    }
    // One slot stays free between the key's rows and a control's own.
    let slots = strips
        .iter()
        .map(|strip| {
            strip.bars.len()
                + if strip.extra.is_empty() {
                    0
                } else {
                    strip.extra.len() + 1
                }
        })
        .max()
        .unwrap_or(0)
        .max(LEAST_SLOTS);
    for strip in strips {
        html.open("div", &[("class", "strip-row")]);
        html.open("div", &[("class", "strip-label")])
            .leaf("strong", &[], &strip.name)
            .leaf("span", &[("class", "quiet")], &strip.summary)
            .end();
        picture(&mut html, strip, slots);
        html.end();
    }
    html.finish()
}

fn picture(html: &mut Html, strip: &Strip, slots: usize) {
    let attributes = [
        ("class", "strip"),
        ("role", "img"),
        ("aria-label", &strip.sentence),
        ("viewBox", &format!("0 0 {} 40", slots * SLOT)),
        ("preserveAspectRatio", "none"),
    ];
    html.open("svg", &attributes);
    let begin = strip.bars.len() + 1;
    let own = strip.bars.iter().enumerate();
    let extra = strip
        .extra
        .iter()
        .enumerate()
        .map(|(at, bar)| (begin + at, bar));
    for (slot, bar) in own.chain(extra) {
        rectangle(html, slot, bar);
    }
    html.end();
}

fn rectangle(html: &mut Html, slot: usize, bar: &Bar) {
    let height = bar.height * HEIGHT;
    let class = bar.fate.map_or("key", fate_name);
    let attributes = [
        ("class", format!("bar-{class}")),
        ("x", (slot * SLOT + 1).to_string()),
        ("y", format!("{:.1}", HEIGHT + 1.0 - height)),
        ("width", (SLOT - 2).to_string()),
        ("height", format!("{height:.1}")),
        ("vector-effect", "non-scaling-stroke".to_owned()),
    ];
    let attributes: Vec<(&str, &str)> = attributes
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    html.open("rect", &attributes)
        .leaf("title", &[], &bar.label)
        .end();
}

/// What the bars mean, with the pattern that they refer to.
pub fn legend() -> String {
    const PATTERN: &str = include_str!("pattern.svg");
    let mut html = Html::new();
    html.open("ul", &[("class", "legend")]);
    for (class, meaning) in [
        (
            "bar-key",
            "row of the key, as high as the root of its value",
        ),
        ("bar-kept", "kept"),
        ("bar-changed", "changed: the same row with another value"),
        ("bar-missed", "missed"),
        ("bar-invented", "invented"),
        ("bar-below-cut", "from below the key's cut"),
    ] {
        let swatch = [
            ("class", class),
            ("x", "1.5"),
            ("y", "1.5"),
            ("width", "13"),
            ("height", "13"),
            ("rx", "2"),
        ];
        html.open("li", &[])
            .open("svg", &[("viewBox", "0 0 16 16"), ("aria-hidden", "true")])
            .leaf("rect", &swatch, "")
            .end()
            .text(meaning)
            .end();
    }
    format!("{PATTERN}{}", html.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::Fate;

    fn bar(fate: Option<Fate>, height: f64) -> Bar {
        Bar {
            fate,
            height,
            label: "myocarditis, 70".into(),
        }
    }

    #[test]
    fn a_picture_says_in_words_what_it_shows() {
        let strip = Strip {
            name: "B-keyword".into(),
            summary: "keeps 1 of 2".into(),
            sentence: "Control B-keyword: keeps 1 of 2.".into(),
            bars: vec![bar(Some(Fate::Kept), 1.0), bar(Some(Fate::Missed), 0.5)],
            extra: vec![bar(Some(Fate::Invented), 0.25)],
        };
        let html = strips(&[strip]);
        assert!(
            html.contains("role=\"img\" aria-label=\"Control B-keyword: keeps 1 of 2.\""),
            "{html}"
        );
        assert!(html.contains("<title>myocarditis, 70</title>"), "{html}");
        // The control's own row stands one slot apart from the key's two.
        assert!(html.contains("class=\"bar-invented\" x=\"31\""), "{html}");
    }

    #[test]
    fn no_key_no_picture() {
        assert!(strips(&[]).contains("could not be run"));
    }
}
