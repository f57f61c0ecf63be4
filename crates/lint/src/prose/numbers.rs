//! Numbers and years in a prompt, and what they are said to be for.

use super::Prose;
use super::tables::{
    AFTER, BEFORE, MONTHS, NO_SUPERLATIVE, ORDINALS, ROW_WORDS, SCALES, THINGS_TO_COUNT, UNITS,
};

/// How a number bounds something.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Comparison {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
}

impl Comparison {
    /// The way to say it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Less => "less than",
            Self::AtMost => "at most",
            Self::Equal => "exactly",
            Self::AtLeast => "at least",
            Self::More => "more than",
        }
    }

    /// The bound on everything that this one leaves out. What is unequal is still a value that must be given.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Less => Self::AtLeast,
            Self::AtMost => Self::More,
            Self::Equal => Self::Equal,
            Self::AtLeast => Self::Less,
            Self::More => Self::AtMost,
        }
    }

    /// Whether it bounds from the same side.
    pub(crate) fn same_side(self, other: Self) -> bool {
        let side = |c| match c {
            Self::Less | Self::AtMost => -1,
            Self::Equal => 0,
            Self::AtLeast | Self::More => 1,
        };
        side(self) == side(other)
    }
}

/// What a number is said to be for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Sense {
    /// How many rows to give: "top ten", "the 20 heaviest", "first 25".
    Rows,
    /// A rank: "second largest".
    Rank,
    /// A bound: "at least five", "since 2015".
    Bound(Comparison),
    /// One end of "between 5 and 10".
    Range,
    /// Nothing that its neighbours tell.
    Plain,
}

/// A number in a prompt.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mention {
    pub(crate) value: f64,
    pub(crate) sense: Sense,
    /// Word range.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether it is a whole century or decade, `value` being its first year.
    pub(crate) span: Option<u32>,
}

/// Whether two numbers are the same once written in decimals.
pub(crate) fn equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Whether a lowercase word is a superlative.
pub(crate) fn is_superlative(word: &str) -> bool {
    matches!(word, "most" | "least" | "fewest" | "best" | "worst" | "top")
        || (word.len() > 4 && word.ends_with("est") && !NO_SUPERLATIVE.contains(&word))
}

/// The numbers of a prompt.
pub(super) fn mentions(prose: &Prose) -> Vec<Mention> {
    let mut mentions = Vec::new();
    let mut index = 0;
    while index < prose.words.len() {
        if let Some(mention) = century_or_decade(prose, index)
            .or_else(|| rank(prose, index))
            .or_else(|| number(prose, index))
        {
            index = mention.end;
            mentions.push(mention);
        } else {
            index += 1;
        }
    }
    mentions
}

fn word(prose: &Prose, index: usize) -> &str {
    prose.words.get(index).map_or("", |w| w.lower.as_str())
}

fn ordinal(word: &str) -> Option<f64> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    if !digits.is_empty() && ["st", "nd", "rd", "th"].contains(&&word[digits.len()..]) {
        return digits.parse().ok();
    }
    if !["st", "nd", "rd", "th"]
        .iter()
        .any(|end| word.ends_with(end))
    {
        return None;
    }
    let (_, value) = ORDINALS.iter().find(|(name, _)| *name == word)?;
    Some(*value)
}

fn ordinal_at(prose: &Prose, index: usize) -> Option<(f64, usize)> {
    if matches!(word(prose, index), "twenty" | "thirty") {
        let pair = format!("{}-{}", word(prose, index), word(prose, index + 1));
        if let Some((_, value)) = ORDINALS.iter().find(|(name, _)| *name == pair) {
            return Some((*value, 2));
        }
    }
    ordinal(word(prose, index)).map(|value| (value, 1))
}

fn century_or_decade(prose: &Prose, index: usize) -> Option<Mention> {
    if let Some((value, length)) = ordinal_at(prose, index)
        && matches!(word(prose, index + length), "century" | "centuries")
    {
        return Some(Mention {
            value: (value - 1.0).mul_add(100.0, 1.0),
            sense: Sense::Range,
            start: index,
            end: index + length + 1,
            span: Some(100),
        });
    }
    let digits = word(prose, index).strip_suffix('s')?;
    if digits.len() == 4 && digits.ends_with('0') {
        return Some(Mention {
            value: digits.parse().ok()?,
            sense: Sense::Range,
            start: index,
            end: index + 1,
            span: Some(10),
        });
    }
    None
}

/// "second largest", "first of March": a rank, or the day of a month.
fn rank(prose: &Prose, index: usize) -> Option<Mention> {
    let (value, length) = ordinal_at(prose, index)?;
    let next = word(prose, index + length);
    let month =
        month(next).is_some() || (next == "of" && month(word(prose, index + length + 1)).is_some());
    let rank = value > 1.0 && (is_superlative(next) || next == "place");
    if !month && !rank {
        // "first 25" is no rank, and "second graph" no number at all.
        return None;
    }
    Some(Mention {
        value,
        sense: if month { Sense::Plain } else { Sense::Rank },
        start: index,
        end: index + length,
        span: None,
    })
}

fn number(prose: &Prose, index: usize) -> Option<Mention> {
    let first = word(prose, index);
    let (mut value, mut end) = if let Some(value) = digits(first) {
        (value, index + 1)
    } else {
        spelled(prose, index)?
    };
    if let Some((_, scale)) = SCALES.iter().find(|(name, _)| *name == word(prose, end))
        && first != "one"
    {
        value *= scale;
        end += 1;
    }
    if word(prose, end) == "per" && word(prose, end + 1) == "cent" {
        value /= 100.0;
        end += 2;
    }
    Some(Mention {
        value,
        sense: sense(prose, index, end),
        start: index,
        end,
        span: None,
    })
}

/// The number at the beginning of a word, with its suffix applied where that scales.
fn digits(word: &str) -> Option<f64> {
    if !word.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    if word.contains('-') && !word.contains('e') {
        // A date: its year is the number.
        return word.split('-').next()?.parse().ok();
    }
    let plain = word.replace(',', "");
    if let Ok(value) = plain.parse::<f64>() {
        return value.is_finite().then_some(value);
    }
    let end = plain
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(plain.len());
    let value: f64 = plain[..end].parse().ok()?;
    Some(match &plain[end..] {
        "%" => value / 100.0,
        "k" => value * 1e3,
        "m" => value * 1e6,
        _ => value,
    })
}

fn spelled(prose: &Prose, index: usize) -> Option<(f64, usize)> {
    let unit = |i: usize| {
        UNITS
            .iter()
            .find(|(name, _)| *name == word(prose, i))
            .map(|(_, value)| *value)
    };
    let mut start = index;
    if word(prose, index) == "a"
        && matches!(
            word(prose, index + 1),
            "hundred" | "thousand" | "million" | "dozen"
        )
    {
        start += 1;
        let (_, scale) = SCALES
            .iter()
            .find(|(name, _)| *name == word(prose, start))?;
        return Some((*scale, start + 1));
    }
    let mut value = unit(start)?;
    let mut end = start + 1;
    if (20.0..100.0).contains(&value)
        && let Some(ones) = unit(end)
        && (1.0..10.0).contains(&ones)
    {
        value += ones;
        end += 1;
    }
    Some((value, end))
}

fn sense(prose: &Prose, start: usize, end: usize) -> Sense {
    let before: Vec<&str> = (start.saturating_sub(6)..start)
        .map(|i| word(prose, i))
        .collect();
    let skipped: Vec<&str> = before
        .iter()
        .copied()
        .filter(|w| !["about", "around", "the", "age", "of", "year", "years"].contains(w))
        .collect();
    for words in [&before, &skipped] {
        for (phrase, sense) in BEFORE {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            if words.ends_with(&phrase) {
                let rows = phrase == ["up", "to"] || phrase == ["at", "most"];
                if rows && counts_rows(prose, end) {
                    return Sense::Rows;
                }
                let not = words.len().checked_sub(phrase.len() + 1).map(|i| words[i]);
                return match sense {
                    Sense::Bound(comparison) if matches!(not, Some("not" | "never" | "no")) => {
                        Sense::Bound(comparison.opposite())
                    }
                    sense => sense,
                };
            }
        }
    }
    for (phrase, comparison) in AFTER {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        if phrase.iter().enumerate().all(|(i, expected)| {
            word(prose, end + i) == *expected || word(prose, end + 1 + i) == *expected
        }) {
            return Sense::Bound(comparison);
        }
    }
    if before.last() == Some(&"between")
        || (before.len() >= 3 && before[before.len() - 3] == "between")
    {
        return Sense::Range;
    }
    let last = before.last().copied().unwrap_or_default();
    if ROW_WORDS.contains(&last) || is_superlative(last) || counts_rows(prose, end) {
        return Sense::Rows;
    }
    Sense::Plain
}

fn counts_rows(prose: &Prose, end: usize) -> bool {
    (end..end + 2).any(|i| is_superlative(word(prose, i)))
        || (end..end + 3).any(|i| THINGS_TO_COUNT.contains(&word(prose, i)))
}

/// The month that a word names, from 1.
pub(crate) fn month(word: &str) -> Option<u32> {
    let index = MONTHS.iter().position(|month| {
        *month == word || (word.len() == 3 && month.starts_with(word) && word != "may")
    })?;
    u32::try_from(index + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(f64, Sense)]) {
        let found: Vec<(f64, Sense)> = Prose::new(text)
            .numbers
            .iter()
            .map(|mention| (mention.value, mention.sense))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn numbers_and_what_they_are_for() {
        use Comparison::{AtLeast, AtMost, Less, More};
        check("the top ten genes", &[(10.0, Sense::Rows)]);
        check("the top-15 genes", &[(15.0, Sense::Rows)]);
        check("the twenty-five largest", &[(25.0, Sense::Rows)]);
        check(
            "at least five rows of 1,000",
            &[(5.0, Sense::Bound(AtLeast)), (1000.0, Sense::Plain)],
        );
        check("over 50 million people", &[(5e7, Sense::Bound(More))]);
        check("up to 20 results", &[(20.0, Sense::Rows)]);
        check("up to 20 years", &[(20.0, Sense::Bound(AtMost))]);
        check("under 18 years", &[(18.0, Sense::Bound(Less))]);
        check(
            "below 1% or 5 percent",
            &[(0.01, Sense::Bound(Less)), (0.05, Sense::Plain)],
        );
        check("p < 5e-8", &[(5e-8, Sense::Bound(Less))]);
        check("18 or older", &[(18.0, Sense::Bound(AtLeast))]);
        check("18 years or older", &[(18.0, Sense::Bound(AtLeast))]);
        check("from 2015 onwards", &[(2015.0, Sense::Bound(AtLeast))]);
        check(
            "between 5 and 10 mm",
            &[(5.0, Sense::Range), (10.0, Sense::Range)],
        );
        check("the second largest", &[(2.0, Sense::Rank)]);
        check("the second graph", &[]);
        check("the nineteenth century", &[(1801.0, Sense::Range)]);
        check("in the 1990s", &[(1990.0, Sense::Range)]);
        check(
            "a dozen, a hundred",
            &[(12.0, Sense::Plain), (100.0, Sense::Plain)],
        );
        check("TP53 and HP_0000707", &[]);
        check("on 2019-03-31", &[(2019.0, Sense::Plain)]);
    }

    #[test]
    fn superlatives() {
        for word in ["largest", "most", "oldest", "fewest"] {
            assert!(is_superlative(word), "{word}");
        }
        for word in ["interest", "test", "forest", "request"] {
            assert!(!is_superlative(word), "{word}");
        }
    }
}
