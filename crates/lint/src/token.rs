//! The words of a SPARQL query with their places.
//!
//! The algebra knows what a query means but not where it says so. This scan is only ever asked *where*: which token spells
//! the IRI, the variable or the number that a rule found in the algebra.

use crate::finding::At;
use std::collections::BTreeMap;

/// What a [`Token`] is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// An IRI or a prefixed name, resolved; `None` for a name whose prefix is not declared.
    Iri(Option<String>),
    /// `?x` or `$x`, without the sign.
    Variable(String),
    /// The text of a quoted literal, escapes undone as far as `\"`, `\'`, `\\`, `\n` and `\t` go.
    Text(String),
    /// A number as written.
    Number(String),
    /// A bare word, in capitals.
    Word(String),
    /// One character of punctuation.
    Sign(char),
}

/// A token and its place in the query's text.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// Byte offsets into the query's text.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// How many `{` are open.
    pub(crate) depth: usize,
    /// Whether it belongs to the PREFIX and BASE declarations.
    pub(crate) prologue: bool,
}

/// A query's tokens and the means to say where they are in the file.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'t> {
    text: &'t str,
    /// Byte offsets at which lines begin.
    lines: Vec<usize>,
    first_line: u32,
    /// All of them, the prologue's too.
    pub(crate) all: Vec<Token>,
    /// Prefixes that names use and nothing declares, with the token that does so first.
    pub(crate) undeclared: Vec<(String, usize)>,
}

impl<'t> Tokens<'t> {
    /// Scans a query whose text begins on `first_line` of its file.
    pub(crate) fn new(text: &'t str, first_line: u32) -> Self {
        let mut scan = Scan {
            text,
            at: 0,
            depth: 0,
            all: Vec::new(),
            prefixes: BTreeMap::new(),
            base: String::new(),
            undeclared: Vec::new(),
        };
        scan.run();
        Self {
            text,
            lines: line_starts(text),
            first_line,
            all: scan.all,
            undeclared: scan.undeclared,
        }
    }

    /// Where a token is.
    pub(crate) fn at(&self, index: usize) -> At {
        self.all
            .get(index)
            .map_or_else(|| self.beginning(), |t| self.place(t.start, t.end))
    }

    /// Where the query's first word is.
    pub(crate) fn beginning(&self) -> At {
        let first = self.all.iter().find(|token| !token.prologue);
        first.map_or_else(|| self.place(0, 0), |t| self.place(t.start, t.end))
    }

    /// The first token outside the prologue that `test` accepts.
    pub(crate) fn find(&self, test: impl Fn(&Token) -> bool) -> Option<usize> {
        self.all
            .iter()
            .position(|token| !token.prologue && test(token))
    }

    /// The last token outside the prologue that `test` accepts.
    pub(crate) fn rfind(&self, test: impl Fn(&Token) -> bool) -> Option<usize> {
        self.all
            .iter()
            .rposition(|token| !token.prologue && test(token))
    }

    /// The first place that names an IRI.
    pub(crate) fn iri(&self, iri: &str) -> At {
        self.at_or_beginning(self.find(|t| matches!(&t.kind, Kind::Iri(Some(i)) if i == iri)))
    }

    /// The first place that names a variable.
    pub(crate) fn variable(&self, name: &str) -> At {
        self.at_or_beginning(self.find(|t| t.kind == Kind::Variable(name.to_owned())))
    }

    /// How often a variable is named.
    pub(crate) fn uses(&self, name: &str) -> usize {
        self.all
            .iter()
            .filter(|t| matches!(&t.kind, Kind::Variable(v) if v == name))
            .count()
    }

    /// The last place that names a variable.
    pub(crate) fn last_variable(&self, name: &str) -> At {
        self.at_or_beginning(self.rfind(|t| t.kind == Kind::Variable(name.to_owned())))
    }

    /// The first literal or number with that lexical form.
    pub(crate) fn literal(&self, lexical: &str) -> At {
        let exact = self.find(|t| match &t.kind {
            Kind::Text(text) | Kind::Number(text) => text == lexical,
            Kind::Word(word) => word.eq_ignore_ascii_case(lexical),
            _ => false,
        });
        self.at_or_beginning(exact)
    }

    /// The first place of a keyword.
    pub(crate) fn word(&self, word: &str) -> At {
        self.at_or_beginning(self.find(|t| t.kind == Kind::Word(word.to_owned())))
    }

    /// The last place of a keyword, which for ORDER BY and LIMIT is the outermost.
    pub(crate) fn last_word(&self, word: &str) -> At {
        self.at_or_beginning(self.rfind(|t| t.kind == Kind::Word(word.to_owned())))
    }

    /// The place of `LIMIT n`: the outermost one, or the first inside a block.
    pub(crate) fn limit(&self, length: usize, outermost: bool) -> At {
        let number = length.to_string();
        let found = self.all.windows(2).position(|pair| {
            pair[0].kind == Kind::Word("LIMIT".to_owned())
                && matches!(&pair[1].kind, Kind::Number(n) if n.trim_start_matches('0') == number || *n == number)
                && (pair[0].depth == 0) == outermost
        });
        let Some(index) = found else {
            return self.last_word("LIMIT");
        };
        self.place(self.all[index].start, self.all[index + 1].end)
    }

    fn at_or_beginning(&self, index: Option<usize>) -> At {
        index.map_or_else(|| self.beginning(), |index| self.at(index))
    }

    fn place(&self, start: usize, end: usize) -> At {
        let index = self.lines.partition_point(|line| *line <= start).max(1) - 1;
        let line_start = self.lines.get(index).copied().unwrap_or_default();
        let column = count(self.text, line_start, start) + 1;
        let width = self.text.get(start..end).map_or(0, |token| {
            let first = token.split(['\n', '\r']).next().unwrap_or_default();
            u32::try_from(first.chars().count()).unwrap_or(u32::MAX)
        });
        At {
            line: self
                .first_line
                .saturating_add(u32::try_from(index).unwrap_or(u32::MAX)),
            column,
            end_column: column.saturating_add(width),
        }
    }
}

fn count(text: &str, from: usize, to: usize) -> u32 {
    let chars = text.get(from..to).map_or(0, |s| s.chars().count());
    u32::try_from(chars).unwrap_or(u32::MAX)
}

/// The byte offsets at which the lines of a text begin; CRLF, CR and LF each end one.
pub(crate) fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (index, byte) in bytes.iter().enumerate() {
        let ends = match byte {
            b'\n' => true,
            b'\r' => bytes.get(index + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends {
            starts.push(index + 1);
        }
    }
    starts
}

struct Scan<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    all: Vec<Token>,
    prefixes: BTreeMap<String, String>,
    base: String,
    undeclared: Vec<(String, usize)>,
}

impl Scan<'_> {
    fn run(&mut self) {
        while let Some(c) = self.rest().chars().next() {
            let start = self.at;
            match c {
                c if c.is_whitespace() => self.at += c.len_utf8(),
                '#' => self.at += self.rest().find(['\n', '\r']).unwrap_or(self.rest().len()),
                '<' => self.angle(start),
                '?' | '$' => self.variable(start),
                '"' | '\'' => self.quoted(start, c),
                c if c.is_ascii_digit() => self.number(start),
                '.' if self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                    self.number(start);
                }
                c if c.is_alphabetic() || c == ':' || c == '_' => self.name(start),
                '@' => {
                    // A language tag belongs to the literal before it.
                    let rest = &self.rest()[1..];
                    let tag = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
                    self.at += 1 + rest.find(tag).unwrap_or(rest.len());
                }
                c => {
                    self.at += c.len_utf8();
                    if c == '}' {
                        self.depth = self.depth.saturating_sub(1);
                    }
                    self.push(Kind::Sign(c), start);
                    if c == '{' {
                        self.depth += 1;
                    }
                }
            }
        }
        self.declare();
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, kind: Kind, start: usize) {
        self.all.push(Token {
            kind,
            start,
            end: self.at,
            depth: self.depth,
            prologue: false,
        });
    }

    fn angle(&mut self, start: usize) {
        let rest = &self.rest()[1..];
        let stop = rest.find(|c: char| c <= ' ' || "<>\"{}|^`\\".contains(c));
        match stop {
            Some(length) if rest[length..].starts_with('>') => {
                let iri = rest[..length].to_owned();
                self.at += length + 2;
                self.push(Kind::Iri(Some(iri)), start);
            }
            _ => {
                self.at += 1;
                self.push(Kind::Sign('<'), start);
            }
        }
    }

    fn variable(&mut self, start: usize) {
        let rest = &self.rest()[1..];
        let length = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let name = rest[..length].to_owned();
        self.at += 1 + length;
        if name.is_empty() {
            self.push(Kind::Sign('?'), start);
        } else {
            self.push(Kind::Variable(name), start);
        }
    }

    fn quoted(&mut self, start: usize, quote: char) {
        let long: String = [quote; 3].iter().collect();
        let end = if self.rest().starts_with(&long) {
            long
        } else {
            quote.to_string()
        };
        self.at += end.len();
        let mut text = String::new();
        let mut escaped = false;
        while let Some(c) = self.rest().chars().next() {
            if escaped {
                text.push(match c {
                    'n' => '\n',
                    't' => '\t',
                    c => c,
                });
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if self.rest().starts_with(&end) {
                self.at += end.len();
                break;
            } else if end.len() == 1 && (c == '\n' || c == '\r') {
                break;
            } else {
                text.push(c);
            }
            self.at += c.len_utf8();
        }
        self.push(Kind::Text(text), start);
    }

    fn number(&mut self, start: usize) {
        let bytes = self.rest().as_bytes();
        let mut length = 0;
        while let Some(byte) = bytes.get(length) {
            let continues = match byte {
                b'0'..=b'9' => true,
                b'.' => bytes.get(length + 1).is_some_and(u8::is_ascii_digit),
                b'e' | b'E' => bytes.get(length + 1).is_some_and(|b| {
                    b.is_ascii_digit()
                        || ((*b == b'-' || *b == b'+')
                            && bytes.get(length + 2).is_some_and(u8::is_ascii_digit))
                }),
                b'-' | b'+' => length > 0 && matches!(bytes[length - 1], b'e' | b'E'),
                _ => false,
            };
            if !continues {
                break;
            }
            length += 1;
        }
        let number = self.rest()[..length].to_owned();
        self.at += length.max(1);
        self.push(Kind::Number(number), start);
    }

    fn name(&mut self, start: usize) {
        let rest = self.rest();
        let mut length = 0;
        let mut escaped = false;
        for c in rest.chars() {
            let belongs = escaped || c.is_alphanumeric() || "_-:.%\\".contains(c);
            if !belongs {
                break;
            }
            escaped = !escaped && c == '\\';
            length += c.len_utf8();
        }
        // A name does not end in a dot: that one ends the triple.
        let name = rest[..length].trim_end_matches('.');
        if let Some((prefix, local)) = name.split_once(':') {
            let (prefix, local) = (prefix.to_owned(), local.replace('\\', ""));
            self.at += name.len().max(1);
            self.push(Kind::Iri(None), start);
            let index = self.all.len() - 1;
            if prefix != "_" {
                self.undeclared.push((format!("{prefix}:{local}"), index));
            }
        } else {
            let word = name.split(['-', '.', '%', '\\']).next().unwrap_or_default();
            let upper = word.to_ascii_uppercase();
            self.at += word.len().max(1);
            self.push(Kind::Word(upper), start);
        }
    }

    /// Reads the prologue and resolves names by it, now that all tokens are there.
    fn declare(&mut self) {
        let mut index = 0;
        loop {
            match self.all.get(index..index + 2) {
                Some(
                    [
                        Token {
                            kind: Kind::Word(word),
                            ..
                        },
                        Token {
                            kind: Kind::Iri(Some(iri)),
                            ..
                        },
                    ],
                ) if word == "BASE" => {
                    self.base.clone_from(iri);
                    self.mark(index, 2);
                    index += 2;
                    continue;
                }
                _ => {}
            }
            let Some(
                [
                    Token {
                        kind: Kind::Word(word),
                        ..
                    },
                    Token {
                        kind: Kind::Iri(None),
                        start,
                        end,
                        ..
                    },
                    Token {
                        kind: Kind::Iri(Some(iri)),
                        ..
                    },
                ],
            ) = self.all.get(index..index + 3)
            else {
                break;
            };
            if word != "PREFIX" {
                break;
            }
            let prefix = self.text[*start..*end].trim_end_matches(':').to_owned();
            let iri = absolute(&self.base, iri);
            self.prefixes.insert(prefix, iri);
            self.mark(index, 3);
            index += 3;
        }
        let names = std::mem::take(&mut self.undeclared);
        for (name, index) in names {
            let Some((prefix, local)) = name.split_once(':') else {
                continue;
            };
            let token = &mut self.all[index];
            if token.prologue {
                continue;
            }
            match self.prefixes.get(prefix) {
                Some(iri) => token.kind = Kind::Iri(Some(format!("{iri}{local}"))),
                None if self.undeclared.iter().any(|(p, _)| p == prefix) => {}
                None => self.undeclared.push((prefix.to_owned(), index)),
            }
        }
        for token in &mut self.all {
            if let Kind::Iri(Some(iri)) = &mut token.kind
                && !token.prologue
            {
                *iri = absolute(&self.base, iri);
            }
        }
    }

    fn mark(&mut self, from: usize, count: usize) {
        for token in self.all.iter_mut().skip(from).take(count) {
            token.prologue = true;
        }
    }
}

/// An IRI as the parser resolves it, as far as finding it again needs.
fn absolute(base: &str, iri: &str) -> String {
    let scheme = iri.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    if scheme {
        iri.to_owned()
    } else {
        format!("{base}{iri}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUERY: &str = "# é\nPREFIX ex: <http://e/>\nSELECT ?x WHERE {\n  ?x ex:p 'it\\'s' , 1.5e-3 ; a <q> . # LIMIT 9\n  { SELECT * { ?x ?p ?y } LIMIT 3 }\n}\nORDER BY ?x\nLIMIT 15";

    #[test]
    fn tokens_are_where_the_file_has_them() {
        let tokens = Tokens::new(QUERY, 4);
        let at = |line, column, end_column| At {
            line,
            column,
            end_column,
        };
        assert_eq!(tokens.iri("http://e/p"), at(7, 6, 10));
        assert_eq!(tokens.literal("it's"), at(7, 11, 18));
        assert_eq!(tokens.literal("1.5e-3"), at(7, 21, 27));
        assert_eq!(tokens.limit(15, true), at(11, 1, 9));
        assert_eq!(tokens.limit(3, false), at(8, 27, 34));
        assert_eq!(tokens.variable("x"), at(6, 8, 10));
        assert_eq!(tokens.last_variable("x"), at(10, 10, 12));
        assert_eq!(tokens.beginning(), at(6, 1, 7));
        assert!(tokens.undeclared.is_empty());
    }

    #[test]
    fn a_prefix_that_nothing_declares_is_told_once() {
        let tokens = Tokens::new("SELECT * { ?x wdt:P31 wd:Q5 ; wdt:P17 wd:Q142 }", 1);
        let names: Vec<_> = tokens.undeclared.iter().map(|(p, _)| p.as_str()).collect();
        assert_eq!(names, ["wdt", "wd"]);
        assert_eq!(tokens.at(tokens.undeclared[0].1).column, 15);
    }
}
