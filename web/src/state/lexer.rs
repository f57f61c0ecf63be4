//! A small SPARQL lexer for colouring, and nothing else.
//!
//! It never fails and never drops a character: the texts of its tokens, joined, are the input. Whether a query is a query
//! is the engine's business, which parses it.

/// What a token is, as far as colour is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// From `#` to the end of the line.
    Comment,
    /// `<http://…>`
    Iri,
    /// `rdfs:label`, `:x`, and the declared name in `PREFIX rdfs:`.
    Prefixed,
    /// `?x` or `$x`
    Variable,
    /// A word of the language or a built-in function, in any case.
    Keyword,
    /// A quoted literal, with its quotes.
    Text,
    /// An integer, decimal or double.
    Number,
    /// Everything else, white space included.
    Plain,
}

impl TokenKind {
    /// The class that the style sheet colours, empty for plain text.
    pub fn class(self) -> &'static str {
        match self {
            Self::Comment => "tok-comment",
            Self::Iri => "tok-iri",
            Self::Prefixed => "tok-name",
            Self::Variable => "tok-var",
            Self::Keyword => "tok-word",
            Self::Text => "tok-text",
            Self::Number => "tok-number",
            Self::Plain => "",
        }
    }
}

/// A piece of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// How to colour it.
    pub kind: TokenKind,
    /// The characters, as they stand in the input.
    pub text: &'a str,
}

const KEYWORDS: &[&str] = &[
    "a",
    "abs",
    "all",
    "as",
    "asc",
    "ask",
    "avg",
    "base",
    "bind",
    "bnode",
    "bound",
    "by",
    "ceil",
    "coalesce",
    "concat",
    "construct",
    "contains",
    "count",
    "datatype",
    "day",
    "desc",
    "describe",
    "distinct",
    "encode_for_uri",
    "exists",
    "false",
    "filter",
    "floor",
    "from",
    "graph",
    "group",
    "group_concat",
    "having",
    "hours",
    "if",
    "in",
    "iri",
    "isblank",
    "isiri",
    "isliteral",
    "isnumeric",
    "isuri",
    "lang",
    "langmatches",
    "lcase",
    "limit",
    "max",
    "md5",
    "min",
    "minus",
    "minutes",
    "month",
    "named",
    "not",
    "now",
    "offset",
    "optional",
    "order",
    "prefix",
    "rand",
    "reduced",
    "regex",
    "replace",
    "round",
    "sameterm",
    "sample",
    "seconds",
    "select",
    "separator",
    "service",
    "sha1",
    "sha256",
    "sha384",
    "sha512",
    "silent",
    "str",
    "strafter",
    "strbefore",
    "strdt",
    "strends",
    "strlang",
    "strlen",
    "strstarts",
    "struuid",
    "substr",
    "sum",
    "timezone",
    "true",
    "tz",
    "ucase",
    "undef",
    "union",
    "uri",
    "uuid",
    "values",
    "where",
    "year",
];

/// Splits a query into tokens; runs of plain text come as one.
pub fn lex(input: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut plain_from = 0;
    let mut at = 0;
    while at < input.len() {
        let rest = &input[at..];
        let Some((kind, length)) = token(rest) else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        if kind == TokenKind::Plain {
            at += length;
            continue;
        }
        push_plain(&mut tokens, &input[plain_from..at]);
        tokens.push(Token {
            kind,
            text: &rest[..length],
        });
        at += length;
        plain_from = at;
    }
    push_plain(&mut tokens, &input[plain_from..]);
    tokens
}

fn push_plain<'a>(tokens: &mut Vec<Token<'a>>, text: &'a str) {
    if !text.is_empty() {
        tokens.push(Token {
            kind: TokenKind::Plain,
            text,
        });
    }
}

/// The token at the start of `rest` and its length in bytes; `None` for a character that belongs to none.
fn token(rest: &str) -> Option<(TokenKind, usize)> {
    match rest.chars().next()? {
        '#' => Some((TokenKind::Comment, rest.find('\n').unwrap_or(rest.len()))),
        '<' => iri(rest).map(|length| (TokenKind::Iri, length)),
        '"' | '\'' => Some((TokenKind::Text, literal(rest))),
        '?' | '$' => {
            let name = word(&rest[1..]);
            (name > 0).then_some((TokenKind::Variable, 1 + name))
        }
        first if first.is_ascii_digit() => Some((TokenKind::Number, number(rest))),
        ':' => Some((TokenKind::Prefixed, 1 + local_name(&rest[1..]))),
        first if first.is_alphabetic() => Some(name_or_word(rest)),
        _ => None,
    }
}

/// An IRI in angle brackets; `None` where `<` is the comparison.
fn iri(rest: &str) -> Option<usize> {
    let end = rest.find('>')?;
    let inside = &rest[1..end];
    let forbidden =
        |c: char| c.is_whitespace() || matches!(c, '<' | '"' | '{' | '}' | '|' | '^' | '`' | '\\');
    (!inside.contains(forbidden)).then_some(end + 1)
}

/// A quoted literal, short or long; one that is never closed runs to the end of its line (short) or input (long).
fn literal(rest: &str) -> usize {
    let quote = &rest[..1];
    let long = quote.repeat(3);
    let (open, close) = if rest.starts_with(&long) {
        (3, long.as_str())
    } else {
        (1, quote)
    };
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(open) {
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if rest[at..].starts_with(close) {
            return at + close.len();
        } else if character == '\n' && open == 1 {
            return at;
        }
    }
    rest.len()
}

fn number(rest: &str) -> usize {
    let digits = |from: usize| from + rest[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    if rest[end..].starts_with('.') && digits(end + 1) > end + 1 {
        end = digits(end + 1);
    }
    if rest[end..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    end
}

/// A prefixed name if a colon follows the word, else a keyword if it is one.
fn name_or_word(rest: &str) -> (TokenKind, usize) {
    let prefix = rest
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
        .unwrap_or(rest.len());
    if rest[prefix..].starts_with(':') {
        return (
            TokenKind::Prefixed,
            prefix + 1 + local_name(&rest[prefix + 1..]),
        );
    }
    let length = word(rest);
    let lower = rest[..length].to_lowercase();
    let kind = if KEYWORDS.binary_search(&lower.as_str()).is_ok() {
        TokenKind::Keyword
    } else {
        TokenKind::Plain
    };
    (kind, length)
}

fn word(rest: &str) -> usize {
    rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(rest.len())
}

/// The part after the colon; a full stop at its end closes the triple and is not part of the name.
fn local_name(rest: &str) -> usize {
    let end = rest
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '%')))
        .unwrap_or(rest.len());
    rest[..end].trim_end_matches('.').len()
}

// The generator of random cases wants randomness that a page does not give.
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(input: &str, expected: &[(TokenKind, &str)]) {
        let coloured: Vec<_> = lex(input)
            .into_iter()
            .filter(|token| token.kind != TokenKind::Plain)
            .map(|token| (token.kind, token.text))
            .collect();
        assert_eq!(coloured, expected, "{input}");
    }

    #[test]
    fn the_keywords_are_sorted_for_the_search() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn colours_the_parts_of_a_pattern() {
        use TokenKind::{Comment, Iri, Keyword, Number, Prefixed, Text, Variable};
        check(
            "PREFIX schema: <http://schema.org/> # names",
            &[
                (Keyword, "PREFIX"),
                (Prefixed, "schema:"),
                (Iri, "<http://schema.org/>"),
                (Comment, "# names"),
            ],
        );
        check(
            "?d a schema:Dataset . ?c rdfs:subClassOf* <x:y>.",
            &[
                (Variable, "?d"),
                (Keyword, "a"),
                (Prefixed, "schema:Dataset"),
                (Variable, "?c"),
                (Prefixed, "rdfs:subClassOf"),
                (Iri, "<x:y>"),
            ],
        );
        check(
            "filter(?a < 3 && ?b > 1.5e3) limit 15",
            &[
                (Keyword, "filter"),
                (Variable, "?a"),
                (Number, "3"),
                (Variable, "?b"),
                (Number, "1.5e3"),
                (Keyword, "limit"),
                (Number, "15"),
            ],
        );
        check(
            r#""say \"x\"" 'it' """long " one""" "open"#,
            &[
                (Text, r#""say \"x\"""#),
                (Text, "'it'"),
                (Text, r#""""long " one""""#),
                (Text, "\"open"),
            ],
        );
    }

    proptest! {
        #[test]
        fn no_character_is_lost(input in "[ -~é\n?$<>\"'#:.]{0,80}") {
            let joined: String = lex(&input).iter().map(|token| token.text).collect();
            prop_assert_eq!(joined, input);
        }
    }
}
