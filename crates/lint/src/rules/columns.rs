//! The rule about columns and the items that the prose asks for.

use super::{Example, Rule};
use crate::finding::Severity;
use crate::prose::{Prose, alike, same_word};
use crate::shape::{Shape, is_count, name_words};
use crate::subject::{Out, Subject};
use crate::token::Kind;
use std::collections::BTreeSet;

pub(super) const RULES: [Rule; 1] = [Rule {
    id: "columns-disagree",
    severity: Severity::Warning,
    what: "a column is selected that the prose does not ask for, or the prose asks for one that is not selected",
    why: "a missing column is missing in every row, so one that nobody could know of costs a right answer everything",
    remedy: "ask for exactly the columns of the key, in the prose's own words",
    bad: &[
        Example::new(
            "the length is asked for and not selected",
            "#+ summary: For each gene report its IRI and its length.\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?gene { ?gene <http://e/length> ?length }",
        ),
        Example::new(
            "a score is selected that nobody asked for",
            "#+ summary: Which genes are linked to a disease? Report the gene.\nSELECT ?gene ?score { ?link <http://e/gene> ?gene ; <http://e/score> ?score }",
        ),
        Example::new(
            "a number is asked for",
            "#+ summary: For each author give the author's name and the number of papers.\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT DISTINCT ?name { ?paper <http://e/author> ?author . ?author rdfs:label ?name }",
        ),
    ],
    good: &[
        Example::new(
            "each item has its column",
            "#+ summary: For each gene report its IRI, its name and the number of papers.\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nSELECT ?gene ?label (COUNT(?paper) AS ?n) { ?paper <http://e/gene> ?gene . ?gene rdfs:label ?label } GROUP BY ?gene ?label",
        ),
        Example::new(
            "an order is no column",
            "#+ summary: Which genes have a length? Sort by their length.\nSELECT ?gene { ?gene <http://e/length> ?length } ORDER BY ?length",
        ),
        Example::new(
            "a cryptic variable says nothing",
            "#+ summary: List everything of length one.\nSELECT ?s { ?s <http://e/length> 1 }",
        ),
    ],
    check,
}];

/// Words for what one column can be, in prompts and in vocabularies.
const SYNONYMS: [&[&str]; 14] = [
    &[
        "name", "label", "title", "called", "named", "names", "symbol", "mnemonic",
    ],
    &[
        "iri",
        "uri",
        "url",
        "identifier",
        "id",
        "accession",
        "link",
        "iris",
        "uris",
    ],
    &[
        "number",
        "count",
        "total",
        "amount",
        "many",
        "num",
        "frequency",
        "often",
        "numbers",
    ],
    &[
        "date",
        "year",
        "time",
        "day",
        "when",
        "published",
        "born",
        "birth",
        "issued",
    ],
    &["mass", "weight", "heavy", "heaviest"],
    &[
        "description",
        "abstract",
        "definition",
        "comment",
        "summary",
    ],
    &["image", "picture", "photo"],
    &[
        "place",
        "location",
        "where",
        "coordinate",
        "coordinates",
        "position",
        "latitude",
        "longitude",
    ],
    &["population", "inhabitant", "inhabitants", "people"],
    &["country", "nation", "state"],
    &["average", "mean", "avg"],
    &[
        "share",
        "ratio",
        "percentage",
        "proportion",
        "fraction",
        "percent",
    ],
    &["length", "long", "longest"],
    &["area", "size", "large", "largest", "surface"],
];

/// Words of variables and predicates that say nothing about what is asked for.
const EMPTY_WORDS: [&str; 21] = [
    "text", "comment", "see", "also", "data", "has", "is", "of", "the", "to", "in", "by", "value",
    "values", "item", "x", "entity", "thing", "object", "type", "result",
];

/// A column with the words that would ask for it.
struct Column {
    name: String,
    words: BTreeSet<String>,
    is_node: bool,
    is_name: bool,
    counts: bool,
    computed: bool,
}

impl Column {
    fn new(name: &str, shape: &Shape<'_>) -> Self {
        let mut words: BTreeSet<String> = name_words(name).into_iter().collect();
        let aggregate = shape.aggregate(name);
        let (mut is_node, mut is_name, mut computed) = (false, false, aggregate.is_some());
        if let Some(definition) = shape.definitions.get(name) {
            words.extend(definition.words.iter().cloned());
            is_node = definition.is_node;
            is_name = definition.is_name;
            computed |= !definition.sources.is_empty();
            for source in &definition.sources {
                words.extend(name_words(source));
                if let Some(inner) = shape.definitions.get(source) {
                    words.extend(inner.words.iter().cloned());
                    for deeper in &inner.sources {
                        words.extend(name_words(deeper));
                    }
                }
            }
        }
        if shape.is_service_label(name) {
            is_name = true;
        }
        let counts = aggregate.is_some_and(is_count);
        if counts {
            words.insert("number".to_owned());
        }
        if is_name {
            words.insert("name".to_owned());
        }
        words.retain(|word| word.len() > 1 && !EMPTY_WORDS.contains(&word.as_str()));
        Self {
            name: name.to_owned(),
            words,
            is_node,
            is_name,
            counts,
            computed,
        }
    }

    /// Whether a word of a prompt can mean this column.
    fn answers(&self, word: &str) -> bool {
        let group = |list: &[&str]| list.iter().any(|w| same_word(w, word));
        (self.is_node && group(SYNONYMS[1]))
            || self.words.iter().any(|own| {
                alike(own, word)
                    || abbreviates(own, word)
                    || SYNONYMS
                        .iter()
                        .any(|list| group(list) && list.iter().any(|w| same_word(w, own)))
            })
    }
}

/// `desc` for description, `org` for organism.
fn abbreviates(short: &str, long: &str) -> bool {
    short.len() >= 3 && (long.starts_with(short) || (long.len() >= 3 && short.starts_with(long)))
}

fn check(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some((prose, shape)) = subject.both(out) else {
        return;
    };
    if !shape.is_select() || selects_everything(subject) {
        return;
    }
    let columns: Vec<Column> = shape
        .columns
        .iter()
        .map(|name| Column::new(name, shape))
        .collect();
    not_asked(subject, prose, shape, &columns, out);
    not_selected(subject, prose, &columns, out);
}

fn selects_everything(subject: &Subject<'_>) -> bool {
    let Some(select) = subject
        .tokens
        .find(|t| t.kind == Kind::Word("SELECT".to_owned()))
    else {
        return true;
    };
    (select + 1..select + 3).any(|i| {
        subject
            .tokens
            .tokens
            .get(i)
            .is_some_and(|token| token.kind == Kind::Sign('*'))
    })
}

fn not_asked(
    subject: &Subject<'_>,
    prose: &Prose,
    shape: &Shape<'_>,
    columns: &[Column],
    out: &mut Out<'_>,
) {
    let first_node = columns.iter().position(|column| column.is_node);
    for (index, column) in columns.iter().enumerate() {
        // The first entity is what the prose is about, whatever it calls it; cryptic names say nothing.
        if Some(index) == first_node
            || column.words.is_empty()
            || shape.is_service_label(&column.name)
        {
            continue;
        }
        // A name stands for its entity where that is not selected itself.
        if column.is_name && first_node.is_none() {
            continue;
        }
        if prose.words.iter().any(|word| column.answers(&word.lower)) {
            continue;
        }
        // "What is the …?" asks for whatever is computed, under any name.
        if column.computed && columns.len() == 1 {
            continue;
        }
        out.find_with(
            subject.tokens.variable(&column.name),
            format!(
                "`?{}` is selected, which the prose does not ask for",
                column.name
            ),
            "ask for it, or do not select it",
        );
    }
}

const VERBS: [&str; 14] = [
    "report", "give", "return", "list", "show", "include", "provide", "find", "name", "get",
    "tell", "together", "with", "along",
];

/// Words after which a phrase no longer says what to report.
const NOT_ITEMS: [&str; 24] = [
    "by", "where", "whose", "if", "than", "on", "in", "to", "from", "because", "when", "order",
    "ordered", "sort", "sorted", "ties", "tie", "of", "at", "for", "per", "that", "which", "under",
];

/// Words that end a noun phrase.
const ENDS: [&str; 18] = [
    "as", "in", "of", "that", "which", "by", "where", "sorted", "ordered", "for", "and", "or",
    "from", "on", "with", "is", "are", "at",
];

fn not_selected(subject: &Subject<'_>, prose: &Prose, columns: &[Column], out: &mut Out<'_>) {
    for sentence in &prose.sentences {
        let mut asked = false;
        let mut excluded = false;
        let mut index = sentence.start;
        while index < sentence.end {
            let word = prose.words[index].lower.as_str();
            let previous = if index > sentence.start {
                prose.words[index - 1].lower.as_str()
            } else {
                ""
            };
            let comma =
                index > sentence.start && prose.gap_after(index - 1).contains([',', ':', ';', '(']);
            if VERBS.contains(&word) {
                asked = true;
                excluded = false;
            } else if NOT_ITEMS.contains(&word) && word != "of" && word != "for" {
                excluded = true;
            } else if comma {
                // An order clause goes on over commas only with more keys to sort on.
                excluded = excluded && matches!(word, "then" | "ties" | "and");
            }
            let possessive = matches!(word, "its" | "their")
                || prose
                    .text
                    .get(prose.words[index].start..prose.words[index].end)
                    .is_some_and(|raw| raw.ends_with("'s") || raw.ends_with("’s"));
            let counts =
                word == "number" && prose.words.get(index + 1).is_some_and(|w| w.lower == "of");
            if asked && !excluded && counts && !NOT_ITEMS.contains(&previous) {
                if !columns
                    .iter()
                    .any(|column| column.counts || column.answers("number"))
                    && !counted(prose, index, columns)
                {
                    let phrase = prose.quote(index..noun_end(prose, index + 2, sentence.end));
                    missing(subject, phrase, out);
                }
            } else if asked && !excluded && possessive && !NOT_ITEMS.contains(&previous) {
                let end = noun_end(prose, index + 1, sentence.end);
                if end > index + 1 {
                    let head = prose.words[end - 1].lower.as_str();
                    let number = prose.words[index + 1].lower == "number";
                    if !number && !columns.iter().any(|column| column.answers(head)) {
                        missing(subject, prose.quote(index..end), out);
                    }
                    index = end - 1;
                }
            }
            index += 1;
        }
    }
}

/// Whether what is counted is itself the name of a column, as in `?datasets`.
fn counted(prose: &Prose, index: usize, columns: &[Column]) -> bool {
    (index + 2..index + 5)
        .filter_map(|i| prose.words.get(i))
        .any(|word| {
            columns
                .iter()
                .any(|column| column.computed && column.answers(&word.lower))
        })
}

fn noun_end(prose: &Prose, start: usize, sentence_end: usize) -> usize {
    let mut end = start;
    while end < sentence_end && end < start + 4 {
        if ENDS.contains(&prose.words[end].lower.as_str()) {
            break;
        }
        end += 1;
        if prose
            .gap_after(end - 1)
            .contains([',', ';', ':', '(', ')', '.', '?'])
        {
            break;
        }
    }
    end
}

fn missing(subject: &Subject<'_>, phrase: &str, out: &mut Out<'_>) {
    out.find_with(
        subject.in_prose(phrase),
        format!("the prose asks for \"{phrase}\", and no column has it"),
        "select it, or do not ask for it",
    );
}
