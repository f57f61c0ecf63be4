//! How figures are written in tables for people.

use record::Arm;

use crate::{Cost, Figures, Gap, Mean, Rate};

const NOTHING: &str = "–";

/// `expand`, `exact`, or a word for records outside the scheme.
pub(crate) fn arm_word(arm: Option<Arm>) -> String {
    arm.map_or("other", Arm::as_str).to_owned()
}

/// `6/12`; a dash where nothing was counted.
pub fn share(rate: Rate) -> String {
    if rate.of == 0 {
        NOTHING.to_owned()
    } else {
        format!("{}/{}", rate.hits, rate.of)
    }
}

/// `0.25–0.75`.
pub fn interval_words(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("{low:.2}–{high:.2}"),
        _ => NOTHING.to_owned(),
    }
}

/// A mean to three digits behind the point at most.
pub fn mean_words(mean: Mean) -> String {
    mean.mean.map_or_else(|| NOTHING.to_owned(), number)
}

/// `+0.25`, `-0.25`, `0`.
pub fn signed(difference: Option<f64>) -> String {
    difference.map_or_else(
        || NOTHING.to_owned(),
        |difference| {
            let text = number(difference);
            if difference > 0.0 && text != "0" {
                format!("+{text}")
            } else {
                text
            }
        },
    )
}

/// `+0.5 (0.25 to 0.75)`; without an interval where there is none.
pub fn gap_words(gap: Option<Gap>) -> String {
    let Some(gap) = gap else {
        return NOTHING.to_owned();
    };
    let difference = signed(Some(gap.difference));
    match (gap.low, gap.high) {
        (Some(low), Some(high)) => {
            format!(
                "{difference} ({} to {})",
                signed(Some(low)),
                signed(Some(high))
            )
        }
        _ => difference,
    }
}

/// A probability to three significant digits.
pub fn probability(p: Option<f64>) -> String {
    match p {
        None => NOTHING.to_owned(),
        Some(p) if p >= 0.001 => number(p),
        Some(p) => format!("{p:.1e}"),
    }
}

/// A count, or a dash where nobody counted.
pub(crate) fn dash(count: Option<u64>) -> String {
    count.map_or_else(|| NOTHING.to_owned(), |count| count.to_string())
}

/// US dollars to the cent, and less than a cent to two digits; `≥` before a lower bound.
pub fn money(cost: Cost) -> String {
    let bound = if cost.incomplete { "≥ " } else { "" };
    cost.usd.map_or_else(
        || NOTHING.to_owned(),
        |usd| format!("{bound}${usd:.*}", decimals(usd)),
    )
}

/// As many as tell something that costs little from nothing.
fn decimals(usd: f64) -> usize {
    const FINEST: usize = 9;
    let mut decimals = 2;
    let mut shown = usd * 100.0;
    if shown > 0.0 && shown < 1.0 {
        while shown < 9.95 && decimals < FINEST {
            shown *= 10.0;
            decimals += 1;
        }
    }
    decimals
}

/// `answered 2, timeout 1`.
pub(crate) fn outcome_words(figures: &Figures) -> String {
    let mut words: Vec<String> = figures
        .outcomes
        .iter()
        .map(|(outcome, count)| format!("{outcome} {count}"))
        .collect();
    if figures.unknown > 0 {
        words.push(format!("not known {}", figures.unknown));
    }
    words.join(", ")
}

/// `property-path 2, name-test 1`; a dash where no calls are known.
pub(crate) fn evidence_words(figures: &Figures) -> String {
    if figures.evidence.of == 0 {
        return NOTHING.to_owned();
    }
    let means = figures.evidence.attempts.iter();
    let words: Vec<String> = means
        .map(|(means, count)| format!("{means} {count}"))
        .collect();
    words.join(", ")
}

/// At most three digits behind the point, and none that say nothing.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_over_nothing_are_dashes_and_never_0() {
        assert_eq!(share(Rate::new(0, 0)), "–");
        assert_eq!(share(Rate::new(0, 3)), "0/3");
        assert_eq!(mean_words(Mean::default()), "–");
        assert_eq!(
            mean_words(Mean {
                mean: Some(0.0),
                of: 2
            }),
            "0"
        );
        assert_eq!(
            (dash(None), money(Cost::default()), probability(None)),
            ("–".into(), "–".into(), "–".into())
        );
    }

    #[test]
    fn differences_have_signs_and_small_probabilities_exponents() {
        assert_eq!(signed(Some(1.0 / 3.0)), "+0.333");
        assert_eq!(signed(Some(-0.25)), "-0.25");
        assert_eq!(signed(Some(-0.000_01)), "0");
        assert_eq!(probability(Some(0.031_25)), "0.031");
        assert_eq!(probability(Some(4.96e-12)), "5.0e-12");
        let gap = Gap {
            difference: 0.5,
            low: Some(0.0),
            high: Some(1.0),
            records: 2,
        };
        assert_eq!(gap_words(Some(gap)), "+0.5 (0 to +1)");
    }

    #[test]
    fn a_cost_that_is_a_lower_bound_says_so() {
        let cost = Cost {
            usd: Some(1.234),
            incomplete: true,
            of: 3,
        };
        assert_eq!(money(cost), "≥ $1.23");
        for (usd, expected) in [
            (0.0, "$0.00"),
            (0.01, "$0.01"),
            (0.009_99, "$0.010"),
            (0.002_25, "$0.0022"),
            (0.000_012_3, "$0.000012"),
            (1e-12, "$0.000000000"),
        ] {
            let cost = Cost {
                usd: Some(usd),
                ..Cost::default()
            };
            assert_eq!(money(cost), expected);
        }
    }
}
