//! SPARQL as tokens: enough to say where something stands, not what it means.
//!
//! What a query means is `spargebra`'s to say. This lexer serves what its syntax tree no longer shows (comments) and what
//! its errors show badly (positions).

/// What a token is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum TokenKind {
    /// `# …` up to the line's end; not a token to the grammar.
    Comment,
    /// `<…>`.
    Iri,
    /// A keyword, a prefixed name or a blank node label.
    Name,
    /// `?x` or `$x`.
    Variable,
    /// A number with its sign.
    Number,
    /// A string with its language tag or datatype.
    String,
    /// A string whose closing quote is missing.
    OpenString,
    /// Anything else.
    Mark,
}

/// A token and the bytes that it covers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) text: &'a str,
}

impl Token<'_> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(crate) fn is_keyword(&self, keyword: &str) -> bool {
        self.kind == TokenKind::Name && self.text.eq_ignore_ascii_case(keyword)
    }
}

/// Cuts a text into tokens, comments included; only white space lies between them.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(rest) = text.get(start..) {
        let blank = rest.len() - rest.trim_start_matches(is_space).len();
        start += blank;
        let rest = &rest[blank..];
        let Some(first) = rest.chars().next() else {
            break;
        };
        let (kind, length) = token(rest, first);
        tokens.push(Token {
            kind,
            start,
            text: &rest[..length],
        });
        start += length;
    }
    tokens
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

/// Kind and length in bytes of the token at the beginning of a text that begins with `first`.
fn token(text: &str, first: char) -> (TokenKind, usize) {
    match first {
        '#' => (
            TokenKind::Comment,
            text.find(['\n', '\r']).unwrap_or(text.len()),
        ),
        '<' => iri(text).map_or_else(|| mark(text), |length| (TokenKind::Iri, length)),
        '"' | '\'' => string(text, first),
        '?' | '$' => match run(&text[1..], |c| {
            c.is_alphanumeric() || c == '_' || !c.is_ascii()
        }) {
            0 => mark(text),
            length => (TokenKind::Variable, 1 + length),
        },
        '0'..='9' => (TokenKind::Number, number(text)),
        '+' | '-' | '.' if signed_number(text) > 0 => (TokenKind::Number, signed_number(text)),
        _ if is_name(first) || first == ':' => (TokenKind::Name, name(text)),
        _ => mark(text),
    }
}

fn mark(text: &str) -> (TokenKind, usize) {
    const DOUBLE: [&str; 6] = ["&&", "||", "!=", "<=", ">=", "^^"];
    let double = DOUBLE.iter().any(|mark| text.starts_with(mark));
    let first = text.chars().next().map_or(0, char::len_utf8);
    (TokenKind::Mark, if double { 2 } else { first })
}

fn iri(text: &str) -> Option<usize> {
    let inside = &text[1..];
    let end = inside.find(|c: char| c <= ' ' || "<>\"{}|^`".contains(c))?;
    inside[end..].starts_with('>').then_some(end + 2)
}

fn is_name(character: char) -> bool {
    character.is_alphabetic() || character == '_' || !character.is_ascii()
}

fn name(text: &str) -> usize {
    let mut escaped = false;
    let length = run(text, |c| {
        let inside = escaped || is_name(c) || c.is_ascii_digit() || "-.:%\\".contains(c);
        escaped = c == '\\' && !escaped;
        inside && !is_space(c)
    });
    // A full stop at the end is the triple's, not the name's.
    text[..length].trim_end_matches('.').len().max(1)
}

fn signed_number(text: &str) -> usize {
    let sign = usize::from(text.starts_with(['+', '-']));
    match number(&text[sign..]) {
        0 => 0,
        length => sign + length,
    }
}

fn number(text: &str) -> usize {
    let digits = |text: &str| run(text, |c| c.is_ascii_digit());
    let mut length = digits(text);
    if text[length..].starts_with('.') {
        let fraction = digits(&text[length + 1..]);
        if fraction > 0 {
            length += 1 + fraction;
        }
    }
    if length > 0 && text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let exponent = digits(&text[length + 1 + sign..]);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

fn string(text: &str, quote: char) -> (TokenKind, usize) {
    let long = [quote; 3].iter().collect::<String>();
    let (delimiter, is_long) = if text.starts_with(&long) {
        (long.as_str(), true)
    } else {
        (&text[..1], false)
    };
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(delimiter.len()) {
        if !is_long && matches!(character, '\n' | '\r') {
            return (TokenKind::OpenString, at);
        } else if escaped {
            escaped = false;
        } else if text[at..].starts_with(delimiter) {
            return (TokenKind::String, annotated(text, at + delimiter.len()));
        } else {
            escaped = character == '\\';
        }
    }
    (TokenKind::OpenString, text.len())
}

/// The end of a string together with the language tag or the datatype that touches it.
fn annotated(text: &str, end: usize) -> usize {
    let rest = &text[end..];
    if let Some(tag) = rest.strip_prefix('@') {
        return end + 1 + run(tag, |c| c.is_ascii_alphanumeric() || c == '-');
    }
    let Some(datatype) = rest.strip_prefix("^^") else {
        return end;
    };
    let length = match datatype.chars().next() {
        Some('<') => iri(datatype).unwrap_or(0),
        Some(first) if is_name(first) || first == ':' => name(datatype),
        _ => 0,
    };
    end + 2 + length
}

/// The length in bytes of the longest beginning whose characters all pass.
fn run(text: &str, mut passes: impl FnMut(char) -> bool) -> usize {
    text.find(|c| !passes(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_a_query() {
        let text =
            "SELECT ?x{?x <p>|!a:b* 'it\\'s'@en, \"7\"^^xsd:int.#+ c\n FILTER(?x<=-1.5e3&&$y<2)}";
        let found: Vec<_> = tokens(text).iter().map(|token| token.text).collect();
        let expected = [
            "SELECT",
            "?x",
            "{",
            "?x",
            "<p>",
            "|",
            "!",
            "a:b",
            "*",
            "'it\\'s'@en",
            ",",
            "\"7\"^^xsd:int",
            ".",
            "#+ c",
            "FILTER",
            "(",
            "?x",
            "<=",
            "-1.5e3",
            "&&",
            "$y",
            "<",
            "2",
            ")",
            "}",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn strings_and_what_they_hide() {
        let cases = [
            ("\"?_a # b\" c", vec![TokenKind::String, TokenKind::Name]),
            (
                "'''a'\n# b''' ?c",
                vec![TokenKind::String, TokenKind::Variable],
            ),
            ("\"a\nb", vec![TokenKind::OpenString, TokenKind::Name]),
            ("\"a\\\nb", vec![TokenKind::OpenString, TokenKind::Name]),
            ("'''a", vec![TokenKind::OpenString]),
            (
                "<http://e/#a> # b",
                vec![TokenKind::Iri, TokenKind::Comment],
            ),
            ("? <", vec![TokenKind::Mark, TokenKind::Mark]),
        ];
        for (text, expected) in cases {
            let found: Vec<_> = tokens(text).iter().map(|token| token.kind).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
