//! Rules about the constants of a key.

use super::{Example, Rule};
use crate::finding::{At, Severity};
use crate::prose::{Comparison, Fit, Prose, Sense, equal, month, words_of};
use crate::shape::{Constant, Date, Role, Value, local_name, name_words};
use crate::subject::{Out, Subject};
use std::collections::BTreeSet;

pub(super) const RULES: [Rule; 2] = [
    Rule {
        id: "constant-not-in-prose",
        severity: Severity::Warning,
        what: "the key narrows its answer by a term, text, number or date that the prose does not mention",
        why: "whoever answers the prose does not know of the restriction, and gives rows that the key does not have",
        remedy: "say it in the prose, or take it out of the key",
        bad: &[
            Example::new(
                "an unspoken species",
                "#+ summary: List the genes that are linked to asthma.\nSELECT ?gene { ?gene <http://e/linkedTo> <http://e/asthma> ; <http://e/organism> <http://e/human> }",
            ),
            Example::new(
                "a threshold of the key's own",
                "#+ summary: List the genes that are linked to asthma.\nSELECT ?gene { ?link <http://e/gene> ?gene ; <http://e/disease> <http://e/asthma> ; <http://e/score> ?score FILTER (?score > 0.7) }",
            ),
            Example::new(
                "a year",
                "#+ summary: List the papers on asthma.\nSELECT ?paper { ?paper <http://e/on> <http://e/asthma> ; <http://e/year> ?year FILTER (?year >= 1990) }",
            ),
        ],
        good: &[
            Example::new(
                "a scientific name by its common one, a threshold in percent",
                "#+ summary: List the mouse genes with a score above 70%.\nSELECT ?gene { ?gene <http://e/organism> <http://e/mouse> ; <http://e/score> ?score FILTER (?score > 0.7) }",
            ),
            Example::new(
                "a decade in words",
                "#+ summary: List the papers of the 1990s.\nSELECT ?paper { ?paper <http://e/year> ?year FILTER (?year >= 1990 && ?year < 2000) }",
            ),
            Example::new(
                "four and more is more than three, and zero goes without saying",
                "#+ summary: List the genes with four or more variants.\nSELECT ?gene { ?variant <http://e/gene> ?gene ; <http://e/count> ?n FILTER (?n > 0) } GROUP BY ?gene HAVING (COUNT(?variant) > 3)",
            ),
            Example::new(
                "a language is no restriction of the answer",
                "#+ summary: List the genes with their name.\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?gene ?name { ?gene rdfs:label ?name FILTER (LANG(?name) = \"en\") }",
            ),
        ],
        check: constant_not_in_prose,
    },
    Rule {
        id: "eg-is-filter",
        severity: Severity::Error,
        what: "the prose gives as an example what the key takes as its filter",
        why: "\"a disease (e.g. asthma)\" asks about diseases; a key that only looks at asthma answers another question",
        remedy: "name the thing without \"e.g.\", or take it out of the key",
        bad: &[
            Example::new(
                "asthma is all that the key looks at",
                "#+ summary: List the genes that are linked to a disease (e.g. asthma).\nSELECT ?gene { ?gene <http://e/linkedTo> <http://e/asthma> }",
            ),
            Example::new(
                "a text",
                "#+ summary: List the papers on methods such as docking.\nSELECT ?paper { ?paper <http://e/method> \"docking\" }",
            ),
        ],
        good: &[
            Example::new(
                "the example is one of many answers",
                "#+ summary: List the genes that are linked to a disease (e.g. asthma).\nSELECT ?gene { ?gene <http://e/linkedTo> ?disease }",
            ),
            Example::new(
                "the example has the term again",
                "#+ summary: List the genes that are linked to asthma (e.g. to childhood asthma).\nSELECT ?gene { ?gene <http://e/linkedTo> <http://e/asthma> }",
            ),
        ],
        check: eg_is_filter,
    },
];

fn constant_not_in_prose(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some((prose, shape)) = subject.both(out) else {
        return;
    };
    say_silent(subject, &shape.constants, out);
    let mut seen = BTreeSet::new();
    let mut listed: Vec<&Constant> = Vec::new();
    for constant in &shape.constants {
        let is_listed = constant.role == Role::Listed;
        if !seen.insert((constant.lexical.as_str(), is_listed))
            || fit(constant, prose, subject) != Some(Fit::Absent)
        {
            continue;
        }
        if is_listed {
            listed.push(constant);
            continue;
        }
        let name = spoken(constant, subject);
        let how = match constant.role {
            Role::Bound { comparison, .. } => format!("{} {name}", comparison.words()),
            _ => name,
        };
        out.find(
            place(constant, subject),
            format!("the key asks for {how}, which the prose does not mention"),
        );
    }
    if let Some(first) = listed.first() {
        let names = listed.iter().map(|constant| spoken(constant, subject));
        out.find(
            place(first, subject),
            format!(
                "the key lists {}, which the prose does not mention",
                some_of(names)
            ),
        );
    }
}

/// The first few of a list that may be long.
fn some_of(names: impl ExactSizeIterator<Item = String>) -> String {
    const SHOWN: usize = 4;
    let more = names.len().saturating_sub(SHOWN);
    let shown: Vec<String> = names.take(SHOWN).collect();
    let shown = shown.join(", ");
    if more == 0 {
        shown
    } else {
        format!("{shown} and {more} more")
    }
}

fn say_silent(subject: &Subject<'_>, constants: &[Constant], out: &mut Out<'_>) {
    let unnamed: BTreeSet<&str> = constants
        .iter()
        .filter(|constant| constant.role != Role::Class)
        .filter_map(|constant| match &constant.value {
            Value::Iri(iri) if subject.labels.get(iri).is_none() => Some(iri.as_str()),
            _ => None,
        })
        .collect();
    if unnamed.is_empty() {
        return;
    }
    if subject.labels.is_empty() {
        out.silent("no labels were given, by file or endpoint: the key's IRIs are not compared");
    } else {
        let iris = unnamed.iter().map(|iri| format!("<{iri}>"));
        out.silent(format!("no label is known for {}", some_of(iris)));
    }
}

fn eg_is_filter(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some((prose, shape)) = subject.both(out) else {
        return;
    };
    if prose.examples.is_empty() {
        return;
    }
    say_silent(subject, &shape.constants, out);
    let mut said = BTreeSet::new();
    for constant in &shape.constants {
        if fit(constant, prose, subject) != Some(Fit::OnlyAsExample) {
            continue;
        }
        let range = prose.examples.first().cloned().unwrap_or_default();
        let example = prose.quote(range);
        if said.insert(constant.lexical.clone()) {
            let name = spoken(constant, subject);
            out.find(
                subject.in_prose(example),
                format!(
                    "the prose gives \"{example}\" as an example, and the key only takes {name}"
                ),
            );
        }
    }
}

fn place(constant: &Constant, subject: &Subject<'_>) -> At {
    match constant.value {
        Value::Iri(_) => subject.tokens.iri(&constant.lexical),
        _ => subject.tokens.literal(&constant.lexical),
    }
}

/// A constant as a message names it.
fn spoken(constant: &Constant, subject: &Subject<'_>) -> String {
    match &constant.value {
        Value::Iri(iri) => {
            let label = subject.labels.get(iri).and_then(|names| names.preferred());
            label.map_or_else(|| format!("<{iri}>"), |label| format!("\"{label}\""))
        }
        Value::Text(text) => format!("\"{text}\""),
        Value::Boolean(value) => match &constant.predicate {
            Some(predicate) => format!("`{}` {value}", local_name(predicate)),
            None => value.to_string(),
        },
        Value::Number(_) | Value::Date(_) => constant.lexical.clone(),
    }
}

/// How well the prose mentions a constant; `None` where that cannot be judged.
fn fit(constant: &Constant, prose: &Prose, subject: &Subject<'_>) -> Option<Fit> {
    match &constant.value {
        Value::Iri(iri) => {
            let names = subject.labels.get(iri)?;
            if constant.role == Role::Class {
                let known = names
                    .all()
                    .flat_map(words_of)
                    .any(|name| prose.words.iter().any(|word| word.means(&name)));
                return Some(if known { Fit::Named } else { Fit::Absent });
            }
            Some(prose.names_any(names.all()))
        }
        Value::Text(text) => text_fit(text, prose),
        Value::Number(value) => Some(number_fit(*value, constant.role, prose)),
        Value::Date(date) => Some(date_fit(*date, prose)),
        Value::Boolean(_) => boolean_fit(constant.predicate.as_deref()?, prose),
    }
}

fn text_fit(text: &str, prose: &Prose) -> Option<Fit> {
    // The beginning of IRIs tells identifiers apart, not things.
    if text.contains("://") {
        return None;
    }
    let plain: String = text
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || "-'’%".contains(c) {
                c
            } else {
                ' '
            }
        })
        .collect();
    let plain = plain.trim();
    if plain.is_empty() {
        return None;
    }
    if plain.chars().count() <= 2 && plain.chars().all(char::is_alphabetic) {
        // Which word a code such as `F` stands for, nobody can tell: female, France, phenylalanine.
        return None;
    }
    let whole = match prose.names(plain) {
        Fit::Absent if prose.contains(text) => Fit::Named,
        fit => fit,
    };
    if whole == Fit::Absent && plain.contains('-') {
        return Some(prose.names(&plain.replace('-', "")));
    }
    Some(whole)
}

/// Words that say "more than one" without a number.
const SEVERAL: [&str; 10] = [
    "multiple",
    "several",
    "many",
    "both",
    "two",
    "shared",
    "repeated",
    "twice",
    "once",
    "duplicate",
];

fn number_fit(value: f64, role: Role, prose: &Prose) -> Fit {
    let (comparison, whole) = match role {
        Role::Bound { comparison, whole } => (Some(comparison), whole),
        _ => (None, false),
    };
    let bound = comparison.is_some();
    if bound && (value == 0.0 || (equal(value, 1.0) && comparison == Some(Comparison::AtLeast))) {
        // Being there at all goes without saying.
        return Fit::Named;
    }
    let more_than_one = (equal(value, 1.0) && comparison == Some(Comparison::More))
        || (equal(value, 2.0) && comparison == Some(Comparison::AtLeast));
    if more_than_one && prose.has_any(&SEVERAL) {
        return Fit::Named;
    }
    let mut fit = Fit::Absent;
    for mention in &prose.numbers {
        let same = match mention.span {
            Some(span) => (mention.value - 1.0..=mention.value + f64::from(span)).contains(&value),
            None => {
                equal(mention.value, value)
                    || (whole && same_bound(mention.value, mention.sense, value, comparison))
                    || (bound && year_bound(mention.value, mention.sense, value))
                    || scaled(mention.value, value, prose, mention.end)
                    || grouped_by_points(prose.quote(mention.start..mention.start + 1), value)
            }
        };
        if !same {
            continue;
        }
        if prose
            .examples
            .iter()
            .any(|range| range.contains(&mention.start))
        {
            fit = Fit::OnlyAsExample;
        } else {
            return Fit::Named;
        }
    }
    fit
}

/// `> 4` and "at least five" are one bound on whole numbers.
fn same_bound(mentioned: f64, sense: Sense, value: f64, comparison: Option<Comparison>) -> bool {
    use Comparison::{AtLeast, AtMost, Less, More};
    let Sense::Bound(said) = sense else {
        return false;
    };
    match (said, comparison) {
        (AtLeast, Some(More)) | (Less, Some(AtMost)) => equal(mentioned, value + 1.0),
        (More, Some(AtLeast)) | (AtMost, Some(Less)) => equal(mentioned, value - 1.0),
        _ => false,
    }
}

/// "after 2018" bounds by 2019, "before 2020" by 2019, whatever the type of the year.
fn year_bound(mentioned: f64, sense: Sense, value: f64) -> bool {
    matches!(sense, Sense::Bound(_))
        && (1000.0..=2200.0).contains(&mentioned)
        && equal((mentioned - value).abs(), 1.0)
}

/// "30.000" is thirty thousand to half of the world.
fn grouped_by_points(written: &str, value: f64) -> bool {
    let mut parts = written.split('.');
    let first = parts
        .next()
        .is_some_and(|part| (1..=3).contains(&part.len()));
    let rest: Vec<&str> = parts.collect();
    let grouped = first && !rest.is_empty() && rest.iter().all(|part| part.len() == 3);
    grouped
        && written
            .replace('.', "")
            .parse()
            .is_ok_and(|number: f64| equal(number, value))
}

/// "2 kb" is 2000 of what the data count.
fn scaled(mentioned: f64, value: f64, prose: &Prose, next: usize) -> bool {
    let Some(word) = prose.words.get(next) else {
        return false;
    };
    let factors: &[f64] = match word.lower.as_bytes().first() {
        Some(b'k') => &[1e3, 1e-3],
        Some(b'm') => &[1e6, 1e3, 1e-3, 1e-6],
        Some(b'g' | b't' | b'd' | b'h' | b'y' | b'w') => {
            &[1e9, 1e3, 1e-3, 24.0, 60.0, 3600.0, 365.0, 12.0, 7.0]
        }
        _ => &[],
    };
    factors
        .iter()
        .any(|factor| equal(mentioned * factor, value))
}

fn date_fit(date: Date, prose: &Prose) -> Fit {
    let year = f64::from(date.year);
    let boundary = (date.month == 1 && date.day == 1) || (date.month == 12 && date.day == 31);
    let mut found = None;
    for mention in &prose.numbers {
        let same = match mention.span {
            Some(span) => (mention.value - 1.0..=mention.value + f64::from(span)).contains(&year),
            None => {
                equal(mention.value, year) || (boundary && equal((mention.value - year).abs(), 1.0))
            }
        };
        if same {
            found = Some(mention);
            break;
        }
    }
    let Some(mention) = found else {
        return Fit::Absent;
    };
    if prose
        .examples
        .iter()
        .any(|range| range.contains(&mention.start))
    {
        return Fit::OnlyAsExample;
    }
    if boundary {
        return Fit::Named;
    }
    // "the first half of 2021", "spring 2020": which day that ends on is not for words to settle.
    let season = [
        "half", "quarter", "semester", "spring", "summer", "autumn", "fall", "winter", "early",
        "late", "mid",
    ];
    if prose.has_any(&season) {
        return Fit::Named;
    }
    let iso = format!("{:04}-{:02}", date.year, date.month);
    // Up to the first of August is all of July.
    let before = if date.month == 1 { 12 } else { date.month - 1 };
    let names_month = prose.words.iter().any(|word| {
        let named = month(&word.lower);
        named == Some(date.month) || (date.day == 1 && named == Some(before))
    });
    let written = prose.words.iter().any(|word| word.lower.starts_with(&iso));
    let day = f64::from(date.day);
    let first_or_last = date.day == 1 || date.day >= 28;
    let names_day = first_or_last
        || prose.numbers.iter().any(|m| equal(m.value, day))
        || prose.words.iter().any(|word| {
            word.lower
                .trim_end_matches(|c: char| c.is_ascii_lowercase())
                == date.day.to_string()
        });
    if written || (names_month && names_day) {
        Fit::Named
    } else {
        Fit::Absent
    }
}

/// Words of a predicate that every predicate may have.
const EMPTY_WORDS: [&str; 6] = ["is", "has", "was", "be", "of", "flag"];

fn boolean_fit(predicate: &str, prose: &Prose) -> Option<Fit> {
    let words = name_words(local_name(predicate));
    // What is deprecated is left out by custom.
    if words
        .iter()
        .any(|word| ["deprecated", "obsolete"].contains(&word.as_str()))
    {
        return None;
    }
    // What UniProt calls reviewed, its users call Swiss-Prot.
    let curated = words.iter().any(|word| word == "reviewed") && prose.contains("swiss-prot");
    let said = curated
        || words
            .iter()
            .filter(|word| !EMPTY_WORDS.contains(&word.as_str()))
            .flat_map(|wanted| words_of(wanted))
            .any(|wanted| prose.words.iter().any(|word| word.means(&wanted)));
    Some(if said { Fit::Named } else { Fit::Absent })
}
