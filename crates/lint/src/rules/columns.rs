//! The rule about columns and the items that the prose asks for.

use super::{Example, Rule};
use crate::finding::Severity;
use crate::prose::{Lexicon, Prose, Word, words_of};
use crate::shape::{Shape, is_count, name_words};
use crate::subject::{Out, Subject};
use crate::token::Kind;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

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

/// Which of [`SYNONYMS`] is about identifiers.
const IDENTIFIERS: usize = 1;

/// Words for what one column can be, in prompts and in vocabularies.
const SYNONYMS: [&[&str]; 16] = [
    &[
        "name", "label", "title", "called", "named", "symbol", "mnemonic",
    ],
    &["iri", "uri", "url", "identifier", "id", "accession", "link"],
    &[
        "number",
        "count",
        "total",
        "amount",
        "many",
        "num",
        "frequency",
        "often",
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
        "recent",
        "latest",
        "newest",
        "earliest",
    ],
    &["age", "old", "oldest", "young", "youngest"],
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
        "position",
        "latitude",
        "longitude",
    ],
    &[
        "distance", "near", "nearest", "close", "closest", "far", "farthest",
    ],
    &["population", "inhabitant", "people"],
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

static ASKED_BY: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(&SYNONYMS));

/// Words of variables and predicates that say nothing about what is asked for.
const EMPTY_WORDS: [&str; 21] = [
    "text", "comment", "see", "also", "data", "has", "is", "of", "the", "to", "in", "by", "value",
    "values", "item", "x", "entity", "thing", "object", "type", "result",
];

/// A column with the words that would ask for it.
struct Column {
    name: String,
    words: Vec<Word>,
    /// The lists of [`SYNONYMS`] that its words are in.
    kin: u64,
    is_node: bool,
    is_name: bool,
    computed: bool,
}

impl Column {
    fn new(name: &str, shape: &Shape<'_>) -> Self {
        let mut words: BTreeSet<String> = name_words(name).into_iter().collect();
        words.insert(name.to_lowercase());
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
        if aggregate.is_some_and(is_count) {
            words.insert("number".to_owned());
        }
        if is_name {
            words.insert("name".to_owned());
        }
        words.retain(|word| word.len() > 1 && !EMPTY_WORDS.contains(&word.as_str()));
        let words: Vec<Word> = words.iter().flat_map(|word| words_of(word)).collect();
        let own = words
            .iter()
            .fold(0, |all, word| all | ASKED_BY.kin(&word.lower));
        Self {
            name: name.to_owned(),
            words,
            // What stands where only IRIs can stand answers to a wish for an IRI.
            kin: if is_node { own | 1 << IDENTIFIERS } else { own },
            is_node,
            is_name,
            computed,
        }
    }

    /// Whether a word of a prompt can mean this column.
    fn answers(&self, (word, kin): &(&Word, u64)) -> bool {
        self.kin & kin != 0
            || self
                .words
                .iter()
                .any(|own| own.means(word) || abbreviates(&own.lower, &word.lower))
    }
}

/// Whether a name is the initials of words in a row: `mw` for molecular weight.
fn are_initials(name: &str, words: &[(&Word, u64)]) -> bool {
    let name: Vec<char> = name.to_lowercase().chars().collect();
    name.len() >= 2
        && words.windows(name.len()).any(|window| {
            let initials = window.iter().map(|(word, _)| word.lower.chars().next());
            initials.eq(name.iter().map(|c| Some(*c)))
        })
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
    let words: Vec<(&Word, u64)> = prose
        .words
        .iter()
        .map(|word| (word, ASKED_BY.kin(&word.lower)))
        .collect();
    not_asked(subject, shape, &words, &columns, out);
    not_selected(subject, prose, &words, &columns, out);
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
            .all
            .get(i)
            .is_some_and(|token| token.kind == Kind::Sign('*'))
    })
}

fn not_asked(
    subject: &Subject<'_>,
    shape: &Shape<'_>,
    words: &[(&Word, u64)],
    columns: &[Column],
    out: &mut Out<'_>,
) {
    let first_node = columns.iter().position(|column| column.is_node);
    for (index, column) in columns.iter().enumerate() {
        // The first entity is what the prose is about, whatever it calls it; cryptic names say nothing; and what the key
        // restricts, the prose must speak of, which is another rule's business.
        if Some(index) == first_node
            || shape.restricted.contains(&column.name)
            || is_only_group_key(&column.name, shape)
            || column.words.is_empty()
            || shape.is_service_label(&column.name)
        {
            continue;
        }
        // A name stands for its entity where that is not selected itself.
        if column.is_name && first_node.is_none() {
            continue;
        }
        if words.iter().any(|word| column.answers(word)) || are_initials(&column.name, words) {
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

/// Whether a column is what the rows are counted or summed for: "per phase", "of each sex".
fn is_only_group_key(name: &str, shape: &Shape<'_>) -> bool {
    shape
        .group_keys
        .iter()
        .any(|keys| matches!(keys, [key] if key.as_str() == name))
}

const VERBS: [&str; 13] = [
    "report", "give", "return", "list", "show", "include", "provide", "find", "name", "get",
    "tell", "together", "along",
];

/// Words after which a phrase says how to sort, group or choose.
const OTHERWISE: [&str; 22] = [
    "by", "where", "whose", "if", "than", "on", "in", "to", "from", "because", "when", "order",
    "ordered", "sort", "sorted", "ties", "tie", "at", "per", "that", "which", "under",
];

/// Words directly before a possessive with which it is no item either: "the genes of their hosts".
const NO_ITEM_AFTER: [&str; 2] = ["of", "for"];

/// Words that end a noun phrase.
const ENDS: [&str; 18] = [
    "as", "in", "of", "that", "which", "by", "where", "sorted", "ordered", "for", "and", "or",
    "from", "on", "with", "is", "are", "at",
];

fn not_selected(
    subject: &Subject<'_>,
    prose: &Prose,
    words: &[(&Word, u64)],
    columns: &[Column],
    out: &mut Out<'_>,
) {
    for item in items(prose) {
        let any = |index: usize, computed: bool| {
            words.get(index).is_some_and(|word| {
                columns
                    .iter()
                    .any(|column| (!computed || column.computed) && column.answers(word))
            })
        };
        // What is counted may itself be the name of the column, as in `?datasets`.
        let answered = match item.counted {
            Some(counted) => any(item.head, false) || counted.into_iter().any(|i| any(i, true)),
            None => any(item.head, false),
        };
        if !answered {
            let phrase = prose.quote(item.words);
            out.find_with(
                subject.in_prose(phrase),
                format!("the prose asks for \"{phrase}\", and no column has it"),
                "select it, or do not ask for it",
            );
        }
    }
}

/// Something that a prompt plainly asks for: "its length", "the gene's symbol", "the number of papers".
struct Item {
    words: Range<usize>,
    /// The word that says what it is.
    head: usize,
    /// Of a number, what is counted.
    counted: Option<Range<usize>>,
}

/// The items that follow a verb of reporting in the same sentence. What only says how to sort, group or choose is none.
fn items(prose: &Prose) -> Vec<Item> {
    let word = |index: usize| prose.words.get(index).map_or("", |w| w.lower.as_str());
    let mut items: Vec<Item> = Vec::new();
    for sentence in &prose.sentences {
        let (mut asks, mut otherwise) = (false, false);
        for index in sentence.clone() {
            let after_comma =
                index > sentence.start && prose.gap_after(index - 1).contains([',', ':', ';', '(']);
            let with_its = word(index) == "with" && matches!(word(index + 1), "its" | "their");
            if VERBS.contains(&word(index)) || with_its {
                (asks, otherwise) = (true, false);
            } else if OTHERWISE.contains(&word(index)) {
                otherwise = true;
            } else if after_comma {
                // A clause about order goes on over a comma only with more of the same.
                otherwise &= matches!(word(index), "then" | "ties" | "and");
            }
            let inside = items.last().is_some_and(|item| item.words.contains(&index));
            let previous = index.checked_sub(1).map_or("", word);
            if !asks || otherwise || inside || NO_ITEM_AFTER.contains(&previous) {
                continue;
            }
            let counts = word(index) == "number" && word(index + 1) == "of";
            if counts {
                let end = noun_end(prose, index + 2, sentence.end);
                items.push(Item {
                    words: index..end,
                    head: index,
                    counted: Some(index + 2..index + 5),
                });
            } else if is_possessive(prose, index) && word(index + 1) != "number" {
                let end = noun_end(prose, index + 1, sentence.end);
                if end > index + 1 {
                    items.push(Item {
                        words: index..end,
                        head: end - 1,
                        counted: None,
                    });
                }
            }
        }
    }
    items
}

/// Whether a word says whose the next one is. "Parkinson's" names a disease, not an owner.
fn is_possessive(prose: &Prose, index: usize) -> bool {
    let raw = prose.quote(index..index + 1);
    let owner = raw.ends_with("'s") || raw.ends_with("’s");
    matches!(raw, "its" | "Its" | "their" | "Their")
        || (owner && raw.starts_with(char::is_lowercase))
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
