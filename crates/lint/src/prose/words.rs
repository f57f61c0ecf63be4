//! Words, sentences, and whether two words are one.

use super::Prose;
use super::tables::ALIKE;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

/// A word of a prompt.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Word {
    /// In lower case and American spelling as far as endings go, without a possessive.
    pub(crate) lower: String,
    /// The lists of words that mean the same to which it belongs, a bit each.
    kin: u64,
    /// Byte range in the text.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Word {
    /// Whether two words mean the same to a reader.
    pub(crate) fn means(&self, other: &Self) -> bool {
        self.kin & other.kin != 0 || same_word(&self.lower, &other.lower)
    }
}

/// Lists of words that mean the same, sorted by first letter: every word of every prompt is looked up in them.
pub(crate) struct Lexicon(BTreeMap<u8, Vec<(&'static str, u64)>>);

impl Lexicon {
    /// Of at most 64 lists.
    pub(crate) fn new(lists: &[&[&'static str]]) -> Self {
        let mut by_letter: BTreeMap<u8, Vec<(&'static str, u64)>> = BTreeMap::new();
        for (index, list) in lists.iter().enumerate() {
            for word in *list {
                if let Some(letter) = word.as_bytes().first() {
                    by_letter
                        .entry(*letter)
                        .or_default()
                        .push((word, 1 << index));
                }
            }
        }
        Self(by_letter)
    }

    /// The lists in which a word occurs, a bit each.
    pub(crate) fn kin(&self, word: &str) -> u64 {
        let words = word
            .as_bytes()
            .first()
            .and_then(|letter| self.0.get(letter));
        words
            .into_iter()
            .flatten()
            .filter(|(other, _)| same_word(other, word))
            .fold(0, |kin, (_, list)| kin | list)
    }
}

static MEANINGS: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(&ALIKE));

/// Cuts a text into words. A number with its separators, exponent, percent sign or unit is one word, a sign of comparison is
/// another; a hyphen separates.
pub(crate) fn words_of(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let length = if c.is_ascii_digit() || starts_decimal(&text[at..]) {
            number_length(&text[at..])
        } else if c.is_alphanumeric() {
            word_length(&text[at..])
        } else if "<>≤≥=".contains(c) {
            let rest = &text[at..];
            if rest.starts_with("<=") || rest.starts_with(">=") {
                2
            } else {
                c.len_utf8()
            }
        } else {
            at += c.len_utf8();
            continue;
        };
        let lower = normal(&text[at..at + length]);
        words.push(Word {
            kin: MEANINGS.kin(&lower),
            lower,
            start: at,
            end: at + length,
        });
        at += length;
    }
    words
}

fn starts_decimal(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next() == Some('.') && chars.next().is_some_and(|c| c.is_ascii_digit())
}

fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let mut length = 0;
    while let Some(byte) = bytes.get(length) {
        let continues = match byte {
            b'0'..=b'9' => true,
            b'.' => digit(length + 1),
            // A comma groups digits by three; else it separates two numbers.
            b',' => (1..=3).all(|i| digit(length + i)) && !digit(length + 4),
            b'e' | b'E' => {
                digit(length + 1)
                    || (matches!(bytes.get(length + 1), Some(b'-' | b'+')) && digit(length + 2))
            }
            b'-' | b'+' => {
                length > 0
                    && (matches!(bytes[length - 1], b'e' | b'E')
                        || is_date(&text[..length], &text[length..]))
            }
            _ => false,
        };
        if !continues {
            break;
        }
        length += 1;
    }
    let unit = text[length..]
        .find(|c: char| !c.is_alphanumeric() && c != '%')
        .unwrap_or(text.len() - length);
    length + unit
}

/// Whether a hyphen after `before` goes on with a date such as `2019-01-31`.
fn is_date(before: &str, after: &str) -> bool {
    let parts = before.split('-').count();
    let digits = |s: &str| s.bytes().take_while(u8::is_ascii_digit).count();
    before.split('-').next().is_some_and(|year| year.len() == 4)
        && parts < 3
        && digits(&after[1..]) == 2
}

fn word_length(text: &str) -> usize {
    let mut length = 0;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let inside = c.is_alphanumeric()
            || (matches!(c, '\'' | '’') && chars.peek().is_some_and(|next| next.is_alphabetic()))
            // Identifiers such as HP_0000707 and MONDO:0004995 hold no number that is meant as one.
            || (matches!(c, '_' | ':') && chars.peek().is_some_and(char::is_ascii_alphanumeric) && (c == '_' || chars.peek().is_some_and(char::is_ascii_digit)));
        if !inside {
            break;
        }
        length += c.len_utf8();
    }
    length
}

fn normal(word: &str) -> String {
    let lower = word.to_lowercase().replace('’', "'");
    let lower = lower.strip_suffix("'s").unwrap_or(&lower);
    let mut word = lower.to_owned();
    for (british, american) in SPELLINGS {
        if word.contains(british) {
            word = word.replace(british, american);
        }
    }
    word
}

/// British spellings meet the American ones of most vocabularies.
const SPELLINGS: [(&str, &str); 14] = [
    ("tumour", "tumor"),
    ("colour", "color"),
    ("behaviour", "behavior"),
    ("haem", "hem"),
    ("aemia", "emia"),
    ("oedema", "edema"),
    ("oesoph", "esoph"),
    ("oestr", "estr"),
    ("paed", "ped"),
    ("isation", "ization"),
    ("fibre", "fiber"),
    ("centre", "center"),
    ("metre", "meter"),
    ("sulph", "sulf"),
];

const IRREGULAR: [(&str, &str); 16] = [
    ("mouse", "mice"),
    ("woman", "women"),
    ("man", "men"),
    ("person", "people"),
    ("child", "children"),
    ("foot", "feet"),
    ("tooth", "teeth"),
    ("genus", "genera"),
    ("species", "specie"),
    ("taxon", "taxa"),
    ("phylum", "phyla"),
    ("bacterium", "bacteria"),
    ("mitochondrion", "mitochondria"),
    ("datum", "data"),
    ("index", "indices"),
    ("ovum", "ova"),
];

/// Whether two lowercase words differ by inflection only: number, case, a suffix.
pub(super) fn same_word(a: &str, b: &str) -> bool {
    // No inflection, regular or not, touches the first letter; most pairs end here.
    if a.as_bytes().first() != b.as_bytes().first() {
        return false;
    }
    if a == b {
        return true;
    }
    let digits = |s: &str| s.bytes().any(|b| b.is_ascii_digit());
    if digits(a) || digits(b) {
        return false;
    }
    differ_by_suffix(a, b) || are_irregular(a, b)
}

fn differ_by_suffix(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let shared = short
        .char_indices()
        .zip(long.chars())
        .find(|((_, x), y)| x != y)
        .map_or(short.len(), |((index, _), _)| index);
    if short.len() > 4 {
        let slack = if short.len() <= 6 { 1 } else { 2 };
        return shared >= 4 && shared + slack >= short.len() && shared * 2 >= long.len();
    }
    // Short words take an ending, and nothing else: gene and genes, not gene and general.
    let stem = short.strip_suffix('y');
    (stem.is_some() && stem == long.strip_suffix("ies"))
        || (shared == short.len()
            && short.len() >= 2
            && ["s", "es", "ed", "'s"].contains(&&long[shared..]))
}

fn are_irregular(a: &str, b: &str) -> bool {
    IRREGULAR.iter().any(|(one, many)| {
        one.as_bytes().first() == a.as_bytes().first()
            && ((a == *one && b == *many) || (a == *many && b == *one))
    })
}

/// The word ranges of the sentences of a text.
pub(super) fn sentences(text: &str, words: &[Word]) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for (index, word) in words.iter().enumerate() {
        let next = words.get(index + 1);
        let gap = text
            .get(word.end..next.map_or(text.len(), |next| next.start))
            .unwrap_or_default();
        let ends = match next {
            None => true,
            Some(next) => {
                let stop = gap.contains(['?', '!', ';']) || (gap.starts_with('.') && gap.len() > 1);
                let capital = text[next.start..].starts_with(|c: char| !c.is_lowercase());
                // `e.g.`, `i.e.` and initials end in a dot that ends nothing.
                stop && (capital || gap.contains(';')) && word.end - word.start > 1
            }
        };
        if ends {
            sentences.push(start..index + 1);
            start = index + 1;
        }
    }
    sentences
}

/// The word ranges that only give examples.
pub(super) fn examples(prose: &Prose) -> Vec<Range<usize>> {
    let mut examples = Vec::new();
    for index in 0..prose.words.len() {
        let word = |i: usize| prose.words.get(i).map_or("", |w| w.lower.as_str());
        let marker = match (word(index), word(index + 1)) {
            ("e", "g") | ("for", "example" | "instance") | ("such", "as") => 2,
            ("eg", _) => 1,
            _ => continue,
        };
        let start = index + marker;
        let open = prose.text[..prose.words[index].start]
            .trim_end()
            .ends_with('(');
        let mut end = start;
        while end < prose.words.len() {
            let gap = prose.gap_after(end);
            end += 1;
            let stop = if open {
                gap.contains(')')
            } else {
                gap.contains([')', ';', '?', '!', ':']) || gap.starts_with(". ") || gap == "."
            };
            let goes_on = [
                "that", "which", "who", "whose", "where", "give", "list", "report", "with",
                "together",
            ];
            if stop || (!open && goes_on.contains(&word(end))) {
                break;
            }
        }
        examples.push(start..end.max(start));
    }
    examples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_spite_of_inflection() {
        for (a, b) in [
            ("gene", "genes"),
            ("mice", "mouse"),
            ("germany", "german"),
            ("neurological", "neurology"),
            ("italy", "italian"),
            ("tumor", "tumors"),
            ("city", "cities"),
            ("associated", "association"),
        ] {
            assert!(same_word(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("gene", "general"),
            ("gene", "genetic"),
            ("1", "2"),
            ("type", "typhoid"),
            ("cell", "cellar"),
            ("protein", "proton"),
        ] {
            assert!(!same_word(a, b), "{a} {b}");
        }
    }

    #[test]
    fn numbers_and_signs_are_words() {
        let words: Vec<String> =
            words_of("p<=5e-8, 1,000 in 2019-01-31; 0.05 or .5% (top-10), TP53's 3rd")
                .into_iter()
                .map(|word| word.lower)
                .collect();
        assert_eq!(
            words,
            [
                "p",
                "<=",
                "5e-8",
                "1,000",
                "in",
                "2019-01-31",
                "0.05",
                "or",
                ".5%",
                "top",
                "10",
                "tp53",
                "3rd"
            ]
        );
    }

    #[test]
    fn examples_end_where_the_sentence_goes_on() {
        for (text, example) in [
            ("Genes (e.g. INS, GCG) of man", "INS, GCG"),
            ("Kinases such as EGFR and KIT that bind", "EGFR and KIT"),
            ("Give, for example, water. Then more", "water"),
        ] {
            let prose = Prose::new(text);
            let found = prose.quote(prose.examples[0].clone());
            assert_eq!(found, example);
        }
        assert!(Prose::new("Examples of lakes").examples.is_empty());
    }

    #[test]
    fn sentences_survive_abbreviations() {
        let prose = Prose::new("List E. coli genes, e.g. lacZ. Give the name; order by IRI. Done?");
        assert_eq!(prose.sentences.len(), 4, "{:?}", prose.sentences);
    }
}
