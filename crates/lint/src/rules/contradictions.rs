//! The rule about prose and key that say different things.

use super::{Example, Rule};
use crate::finding::Severity;
use crate::prose::{Comparison, Prose, Sense, equal};
use crate::shape::{Role, Shape, Value, is_count, local_name, name_words, variables_of};
use crate::subject::{Out, Subject};
use record::iris_of;
use spargebra::algebra::{AggregateExpression, AggregateFunction, GraphPattern};

pub(super) const RULES: [Rule; 1] = [Rule {
    id: "prose-contradicts-key",
    severity: Severity::Error,
    what: "prose and key say different things: a bound, a direction, distinct or not, a count, an average, an exclusion",
    why: "whoever does what the prose says is scored against something else",
    remedy: "decide which of the two is meant and change the other",
    bad: &[
        Example::new(
            "at least five is not more than five",
            "#+ summary: List the genes with at least five variants.\nSELECT ?gene { ?variant <http://e/gene> ?gene } GROUP BY ?gene HAVING (COUNT(?variant) > 5)",
        ),
        Example::new(
            "smallest first, but sorted the other way round",
            "#+ summary: List the genes by length, smallest first.\nSELECT ?gene ?length { ?gene <http://e/length> ?length } ORDER BY DESC(?length)",
        ),
        Example::new(
            "distinct asked, duplicates counted",
            "#+ summary: List each gene with its number of distinct papers.\nSELECT ?gene (COUNT(?paper) AS ?papers) { ?paper <http://e/gene> ?gene ; <http://e/author> ?author } GROUP BY ?gene",
        ),
        Example::new(
            "how many, but the key lists",
            "#+ summary: How many genes are there?\nSELECT ?gene { ?gene a <http://e/Gene> }",
        ),
        Example::new(
            "an average that is a sum",
            "#+ summary: What is the average length of the genes of each chromosome?\nSELECT ?chromosome (SUM(?length) AS ?value) { ?gene <http://e/chromosome> ?chromosome ; <http://e/length> ?length } GROUP BY ?chromosome",
        ),
        Example::new(
            "what has no function is not left out",
            "#+ summary: List the genes that have no function.\nSELECT ?gene { ?gene a <http://e/Gene> OPTIONAL { ?gene <http://e/function> ?function } }",
        ),
    ],
    good: &[
        Example::new(
            "the same bound on whole numbers",
            "#+ summary: List the genes with at least five variants.\nSELECT ?gene { ?variant <http://e/gene> ?gene } GROUP BY ?gene HAVING (COUNT(?variant) > 4)",
        ),
        Example::new(
            "at least is no direction",
            "#+ summary: List the genes with at least 2 variants, most first.\nSELECT ?gene (COUNT(?variant) AS ?variants) { ?variant <http://e/gene> ?gene } GROUP BY ?gene HAVING (COUNT(?variant) >= 2) ORDER BY DESC(?variants)",
        ),
        Example::new(
            "left out by NOT EXISTS",
            "#+ summary: List the genes that have no function.\nSELECT ?gene { ?gene a <http://e/Gene> FILTER NOT EXISTS { ?gene <http://e/function> ?function } }",
        ),
        Example::new(
            "the average is in the data",
            "#+ summary: What is the average length of each gene?\nSELECT ?gene ?length { ?gene <http://e/averageLength> ?length }",
        ),
    ],
    check,
}];

fn check(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some((prose, shape)) = subject.both(out) else {
        return;
    };
    bounds(subject, prose, shape, out);
    direction(subject, prose, shape, out);
    distinct(subject, prose, shape, out);
    how_many(subject, prose, shape, out);
    average(subject, prose, shape, out);
    exclusion(subject, prose, shape, out);
}

/// A number that both give, as different bounds.
fn bounds(subject: &Subject<'_>, prose: &Prose, shape: &Shape<'_>, out: &mut Out<'_>) {
    let mut seen = Vec::new();
    for constant in &shape.constants {
        let Role::Bound { comparison, .. } = constant.role else {
            continue;
        };
        let value = match &constant.value {
            Value::Number(value) => *value,
            Value::Date(date) => f64::from(date.year),
            _ => continue,
        };
        if seen.iter().any(|other| equal(*other, value)) {
            continue;
        }
        seen.push(value);
        let is_date = matches!(constant.value, Value::Date(_));
        let keys: Vec<Comparison> = shape
            .constants
            .iter()
            .filter(|other| other.value == constant.value)
            .filter_map(|other| match other.role {
                Role::Bound { comparison, .. } => Some(comparison),
                _ => None,
            })
            .collect();
        let said: Vec<_> = prose
            .numbers
            .iter()
            .filter(|mention| equal(mention.value, value) && mention.span.is_none())
            .collect();
        let bounds: Vec<Comparison> = said
            .iter()
            .filter_map(|mention| match mention.sense {
                Sense::Bound(comparison) => Some(comparison),
                _ => None,
            })
            .collect();
        // Every mention must be a bound: with one that is not, it is unclear which of them the key means.
        if bounds.is_empty() || bounds.len() != said.len() {
            continue;
        }
        let agree = |said: Comparison, key: Comparison| {
            if is_date {
                said.same_side(key) || said == Comparison::Equal || key == Comparison::Equal
            } else {
                said == key
            }
        };
        // "ignoring those with fewer than three" bounds the rest, and so does a bound inside MINUS or NOT EXISTS.
        let turned = shape.excludes || said.iter().any(|mention| is_left_out(prose, mention.start));
        let fits = |said: &Comparison| {
            keys.iter()
                .any(|key| agree(*said, *key) || (turned && agree(said.opposite(), *key)))
        };
        if bounds.iter().any(fits) {
            continue;
        }
        out.find(
            subject.tokens.literal(&constant.lexical),
            format!(
                "the prose says {} {value}, the key {} {}",
                bounds[0].words(),
                comparison.words(),
                constant.lexical
            ),
        );
    }
}

/// Whether words shortly before a number tell that what it bounds is left out.
fn is_left_out(prose: &Prose, index: usize) -> bool {
    const LEAVE_OUT: [&str; 12] = [
        "ignoring",
        "ignore",
        "excluding",
        "exclude",
        "except",
        "without",
        "omit",
        "omitting",
        "skip",
        "not",
        "no",
        "drop",
    ];
    (index.saturating_sub(8)..index)
        .filter_map(|i| prose.words.get(i))
        .any(|word| LEAVE_OUT.contains(&word.lower.as_str()))
}

const DOWN: [&str; 12] = [
    "largest",
    "biggest",
    "highest",
    "greatest",
    "longest",
    "heaviest",
    "most",
    "descending",
    "decreasing",
    "newest",
    "latest",
    "deepest",
];
const UP: [&str; 11] = [
    "smallest",
    "lowest",
    "shortest",
    "lightest",
    "fewest",
    "least",
    "ascending",
    "increasing",
    "oldest",
    "earliest",
    "shallowest",
];

/// Words before or after `most` and `least` with which they are no direction.
fn is_direction(prose: &Prose, index: usize) -> bool {
    let word = |i: Option<usize>| {
        i.and_then(|i| prose.words.get(i))
            .map_or("", |w| w.lower.as_str())
    };
    let (before, after) = (word(index.checked_sub(1)), word(Some(index + 1)));
    !(before == "at"
        || matches!(
            after,
            "of" | "significant"
                | "similar"
                | "likely"
                | "stable"
                | "recent"
                | "closely"
                | "widely"
                | "probable"
                | "specific"
        ))
}

/// Rows sorted the other way round.
fn direction(subject: &Subject<'_>, prose: &Prose, shape: &Shape<'_>, out: &mut Out<'_>) {
    let Some((expression, descending)) = shape.order_keys().next() else {
        return;
    };
    // A descending column may be made ascending by a minus sign; only plain variables and aggregates are judged.
    let variables = variables_of(expression);
    let ([variable], false) = (
        variables.as_slice(),
        matches!(expression, spargebra::algebra::Expression::UnaryMinus(_)),
    ) else {
        return;
    };
    let definition = shape.definitions.get(*variable);
    if definition.is_some_and(|definition| definition.is_name || definition.is_node) {
        return;
    }
    let said = |words: &[&str]| {
        prose
            .words
            .iter()
            .enumerate()
            .find(|(index, word)| {
                words.contains(&word.lower.as_str()) && is_direction(prose, *index)
            })
            .map(|(_, word)| word.lower.clone())
    };
    let (down, up) = (said(&DOWN), said(&UP));
    let top = shape.aggregate(variable).is_some_and(is_count) && prose.has_any(&["top"]);
    let (word, key) = match (down, up) {
        (Some(word), None) if !descending => (word, "ascending"),
        (None, Some(word)) if descending => (word, "descending"),
        (None, None) if top && !descending => ("top".to_owned(), "ascending"),
        _ => return,
    };
    out.find(
        subject.tokens.last_word("ORDER"),
        format!("the prose says \"{word}\", the key sorts ?{variable} {key}"),
    );
}

/// A count of distinct things that counts duplicates.
fn distinct(subject: &Subject<'_>, prose: &Prose, shape: &Shape<'_>, out: &mut Out<'_>) {
    let asked = [
        "number of distinct",
        "number of different",
        "number of unique",
        "count of distinct",
        "how many distinct",
        "how many different",
    ]
    .iter()
    .any(|phrase| prose.find_phrase(phrase).is_some());
    if !asked || !shape.aggregates_by(is_count) {
        return;
    }
    let any_distinct = shape.aggregates_by(|aggregate| {
        is_count(aggregate)
            && matches!(
                aggregate,
                AggregateExpression::CountSolutions { distinct: true }
                    | AggregateExpression::FunctionCall { distinct: true, .. }
            )
    });
    // A sub-select may have made the rows distinct already.
    let mut selects = 0;
    record::walk(shape.query, &mut |node, _| {
        if let record::Node::Pattern(GraphPattern::Distinct { .. } | GraphPattern::Group { .. }) =
            node
        {
            selects += 1;
        }
    });
    if !any_distinct && selects <= 1 {
        out.find_with(
            subject.tokens.word("COUNT"),
            "the prose asks for a number of distinct things, the key counts duplicates too",
            "write COUNT(DISTINCT …)",
        );
    }
}

fn how_many(subject: &Subject<'_>, prose: &Prose, shape: &Shape<'_>, out: &mut Out<'_>) {
    if !shape.is_select() {
        return;
    }
    let starts = prose.find_phrase("how many") == Some(0);
    let lists = ["list", "give", "report", "return", "show", "which"]
        .iter()
        .any(|verb| prose.has_any(&[verb]));
    if starts && !lists && shape.aggregates.is_empty() && !counts_in_data(shape) {
        out.find(
            subject.tokens.word("SELECT"),
            "the prose asks how many, the key lists them",
        );
    }
    let only_count = shape.columns.len() == 1
        && crate::shape::at_most_one_row(shape.body)
        && shape
            .columns
            .iter()
            .all(|c| shape.aggregate(c).is_some_and(is_count));
    let asks_count = prose.has_any(&[
        "many", "number", "count", "total", "counts", "much", "size", "numbers", "amount",
    ]);
    if only_count && !asks_count {
        out.find(
            subject.tokens.word("COUNT"),
            "the key gives one count, the prose asks for no number",
        );
    }
}

/// Whether a column is a number that the data hold already.
fn counts_in_data(shape: &Shape<'_>) -> bool {
    let words = [
        "number",
        "count",
        "total",
        "amount",
        "quantity",
        "population",
        "size",
        "num",
    ];
    shape.columns.iter().any(|column| {
        let definition = shape.definitions.get(column);
        name_words(column)
            .iter()
            .any(|word| words.contains(&word.as_str()))
            || definition.is_some_and(|d| {
                !d.is_node && d.words.iter().any(|word| words.contains(&word.as_str()))
            })
    })
}

fn average(subject: &Subject<'_>, prose: &Prose, shape: &Shape<'_>, out: &mut Out<'_>) {
    let Some(index) = prose.words.iter().position(|word| word.lower == "average") else {
        return;
    };
    let by = |name: AggregateFunction| move |aggregate: &AggregateExpression| matches!(aggregate, AggregateExpression::FunctionCall { name: n, .. } if *n == name);
    let computed = shape.aggregates_by(by(AggregateFunction::Avg))
        || (shape.aggregates_by(by(AggregateFunction::Sum)) && shape.aggregates_by(is_count));
    let in_data = iris_of(shape.query).iter().any(|iri| {
        name_words(local_name(iri))
            .iter()
            .any(|word| matches!(word.as_str(), "average" | "mean" | "avg"))
    });
    let threshold = prose
        .words
        .get(index.wrapping_sub(1))
        .is_some_and(|w| matches!(w.lower.as_str(), "above" | "below" | "than"));
    if !computed && !in_data && !threshold {
        out.find(
            subject.tokens.word("SELECT"),
            "the prose asks for an average, the key computes none",
        );
    }
}

/// Phrases that exclude, and do not merely say how to work.
const EXCLUSIONS: [&str; 18] = [
    "have no",
    "has no",
    "had no",
    "with no",
    "that lack",
    "which lack",
    "that lacks",
    "are not",
    "is not",
    "do not have",
    "does not have",
    "have not",
    "has not",
    "have never",
    "excluding",
    "except",
    "without any",
    "without a",
];

fn exclusion(subject: &Subject<'_>, prose: &Prose, shape: &Shape<'_>, out: &mut Out<'_>) {
    if shape.negates {
        return;
    }
    for phrase in EXCLUSIONS {
        let Some(index) = prose.find_phrase(phrase) else {
            continue;
        };
        // What follows "that", "which" or "who", or stands at the end, restricts the answer; "if there is not …" does not.
        let before = prose
            .words
            .get(index.wrapping_sub(1))
            .map_or("", |w| w.lower.as_str());
        let relative = matches!(before, "that" | "which" | "who" | "still" | "also");
        let restricts = relative
            || !(phrase.starts_with("are")
                || phrase.starts_with("is ")
                || phrase.starts_with("do"));
        // "not longer than 100 km" is a bound.
        let bound =
            (index..index + 6).any(|i| prose.words.get(i).is_some_and(|word| word.lower == "than"));
        let doubt = prose.has_any(&["if", "unless", "whether", "even", "only"]);
        if restricts && !doubt && !bound {
            out.find(
                subject.in_prose(phrase),
                format!("the prose excludes something (\"{phrase} …\"), the key excludes nothing"),
            );
            return;
        }
    }
}
