//! The text of a query: how deep it is nested, and where it is wrong.
//!
//! What a query means is the parser's to say. But it recurses before it can refuse, so its depth is measured here; and it
//! reports the furthest character that it looked at, which is past the mistake by up to a keyword's length, with a list of
//! what it tried, so where and what is wrong is found here.

use crate::query::{MAX_LINKS, MAX_NESTING, QueryError};
use spargebra::{Query, SparqlParser};

/// Parses a query.
///
/// ```
/// use federation::{QueryError, parse_query};
///
/// assert!(parse_query("ASK { ?s ?p ?o }").is_ok());
/// let error = parse_query("SELECT *\nWHERE { ?s a ex:Thing }").unwrap_err();
/// assert_eq!(error.to_string(), "2:14: the prefix `ex:` is not declared");
/// assert_eq!(parse_query("CLEAR ALL"), Err(QueryError::Update));
/// ```
pub fn parse_query(sparql: &str) -> Result<Query, QueryError> {
    let (tokens, unclosed) = tokens(sparql);
    let depth = nesting(&tokens);
    if depth > MAX_NESTING {
        return Err(QueryError::Nesting {
            depth,
            limit: MAX_NESTING,
        });
    }
    let links = links(sparql, &tokens);
    if links > MAX_LINKS {
        return Err(QueryError::Nesting {
            depth: links,
            limit: MAX_LINKS,
        });
    }
    SparqlParser::new().parse_query(sparql).map_err(|_| {
        let is_update = |update: spargebra::Update| !update.operations.is_empty();
        if SparqlParser::new()
            .parse_update(sparql)
            .is_ok_and(is_update)
        {
            return QueryError::Update;
        }
        let (offset, message) = match unclosed {
            Some(start) => (start, "this string is not closed".to_owned()),
            None => explain(&tokens),
        };
        let (line, column) = position(sparql, offset);
        QueryError::Syntax {
            line,
            column,
            message,
        }
    })
}

/// A piece of a query between which white space may stand: a bracket, `;`, `,`, or what is written without a space.
#[derive(Clone, Copy)]
struct Token<'a> {
    start: usize,
    text: &'a str,
}

/// Cuts a query into tokens, comments and white space left out; with where a string begins that does not end.
fn tokens(sparql: &str) -> (Vec<Token<'_>>, Option<usize>) {
    let mut tokens = Vec::new();
    let mut unclosed = None;
    // Where the token that is being read starts.
    let mut open: Option<usize> = None;
    let mut at = 0;
    while let Some(rest) = sparql.get(at..)
        && let Some(first) = rest.chars().next()
    {
        let (length, alone) = match first {
            '#' => (rest.find(['\n', '\r']).unwrap_or(rest.len()), false),
            '"' | '\'' => {
                let length = string_len(rest, first);
                if length.is_none() {
                    unclosed = Some(at);
                }
                (length.unwrap_or(rest.len()), false)
            }
            '<' => (iri_len(rest), false),
            '\\' => (rest.chars().take(2).map(char::len_utf8).sum(), false),
            '(' | ')' | '[' | ']' | '{' | '}' | ';' | ',' => (1, true),
            other => (other.len_utf8(), false),
        };
        let is_space = first == '#' || first.is_ascii_whitespace();
        if is_space || alone {
            tokens.extend(open.take().and_then(|start| token(sparql, start, at)));
        }
        if alone {
            tokens.extend(token(sparql, at, at + length));
        } else if !is_space {
            open.get_or_insert(at);
        }
        at += length;
    }
    tokens.extend(open.and_then(|start| token(sparql, start, sparql.len())));
    (tokens, unclosed)
}

fn token(sparql: &str, start: usize, end: usize) -> Option<Token<'_>> {
    let text = sparql.get(start..end)?;
    Some(Token { start, text })
}

/// The bytes of the string that the text begins with; none where it does not end.
fn string_len(text: &str, quote: char) -> Option<usize> {
    let long: String = std::iter::repeat_n(quote, 3).collect();
    let mark = if text.starts_with(&long) {
        long.as_str()
    } else {
        long.get(..1).unwrap_or_default()
    };
    let mut at = mark.len();
    while let Some(rest) = text.get(at..)
        && let Some(first) = rest.chars().next()
    {
        if rest.starts_with(mark) {
            return Some(at + mark.len());
        }
        let escaped = if first == '\\' { 2 } else { 1 };
        at += rest
            .chars()
            .take(escaped)
            .map(char::len_utf8)
            .sum::<usize>();
    }
    None
}

/// The bytes of the IRI that the text begins with, or of the `<` that begins none.
fn iri_len(text: &str) -> usize {
    let inner = text.get(1..).unwrap_or_default();
    match inner.find(|c: char| c <= ' ' || "<>\"{}|^`\\".contains(c)) {
        Some(end) if inner.get(end..).is_some_and(|rest| rest.starts_with('>')) => end + 2,
        _ => 1,
    }
}

/// The deepest nesting of brackets.
fn nesting(tokens: &[Token<'_>]) -> usize {
    let mut deepest = 0_usize;
    let mut depth = 0_usize;
    for token in tokens {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// How many operators and clauses the text has that the parser makes a chain of, each inside the one before: as deep as
/// they are many.
fn links(sparql: &str, tokens: &[Token<'_>]) -> usize {
    const WORDS: [&str; 5] = ["UNION", "OPTIONAL", "MINUS", "FILTER", "BIND"];
    let is_clause = |token: &&Token<'_>| {
        WORDS
            .iter()
            .any(|word| token.text.eq_ignore_ascii_case(word))
    };
    let clauses = tokens.iter().filter(is_clause).count();
    let mut operators = 0;
    let mut before = ' ';
    let mut at = 0;
    while let Some(rest) = sparql.get(at..)
        && let Some(first) = rest.chars().next()
    {
        let length = match first {
            '#' => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            '"' | '\'' => string_len(rest, first).unwrap_or(rest.len()),
            '<' => iri_len(rest),
            // A datatype is no path upwards.
            '^' if rest.starts_with("^^") && matches!(before, '"' | '\'') => 2,
            '|' if rest.starts_with("||") => 2,
            '&' if rest.starts_with("&&") => 2,
            other => other.len_utf8(),
        };
        let is_operator = match first {
            '|' | '&' | '/' | '+' | '*' => true,
            // A comparison chains nothing.
            '!' => !rest.starts_with("!="),
            '^' => length == 1,
            // Names have hyphens, too.
            '-' => before.is_ascii_whitespace() || before.is_ascii_digit() || before == ')',
            _ => false,
        };
        operators += usize::from(is_operator);
        before = first;
        at += length;
    }
    clauses + operators
}

/// The byte at which a query is wrong, and what is wrong there.
fn explain(tokens: &[Token<'_>]) -> (usize, String) {
    // More than the longest keyword, so that the furthest character that the parser looked at lies before the next token.
    const SPACE: &str = "                                ";
    let mut spaced = String::new();
    let mut starts = Vec::with_capacity(tokens.len());
    for token in tokens {
        starts.push(spaced.len());
        spaced.push_str(token.text);
        spaced.push_str(SPACE);
    }
    let error = error_of(&spaced);
    let offset = offset_of(&spaced, &error).unwrap_or_default();
    // The last token's own space ends the text: a parser that came so far wanted more.
    let index = starts
        .iter()
        .rposition(|start| *start <= offset)
        .filter(|_| offset + 1 < spaced.len());
    let failing = index.and_then(|index| tokens.get(index));
    // A rule is only told where nothing follows that the parser could still look at, so also ask about what came before.
    let before = index
        .and_then(|index| spaced.get(..*starts.get(index)?))
        .map(|before| error_of(before.trim_end()));
    if let Some(rule) = broken_rule(&error).or_else(|| broken_rule(&before?)) {
        // Where all of it was read, the rule is about what the whole selects.
        let select = || {
            tokens
                .iter()
                .find(|t| t.text.eq_ignore_ascii_case("SELECT"))
        };
        let at = failing.or_else(select).map_or(0, |token| token.start);
        return (at, rule);
    }
    let Some(failing) = failing else {
        let end = tokens.last().map_or(0, |last| last.start + last.text.len());
        return (end, "the query ends too early".to_owned());
    };
    let message = match failing.text.split_once(':') {
        Some((prefix, _)) if is_undeclared(prefix, tokens) => {
            format!("the prefix `{prefix}:` is not declared")
        }
        _ => format!("`{}` is not expected here", excerpt(failing.text)),
    };
    (failing.start, message)
}

/// What the parser says of a text.
fn error_of(text: &str) -> String {
    match SparqlParser::new().parse_query(text) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

/// Whether a text that stands before a colon is a prefix that no `PREFIX` declares.
fn is_undeclared(prefix: &str, tokens: &[Token<'_>]) -> bool {
    let is_name = prefix
        .chars()
        .all(|c| c.is_alphanumeric() || "-_.".contains(c));
    let declared = tokens.iter().zip(tokens.iter().skip(1)).any(|(a, b)| {
        a.text.eq_ignore_ascii_case("PREFIX")
            && b.text
                .split_once(':')
                .is_some_and(|(name, _)| name == prefix)
    });
    is_name && prefix != "_" && !declared
}

/// A rule beyond the grammar that the parser names among the things it expected, such as a variable used twice.
fn broken_rule(error: &str) -> Option<String> {
    let (_, expected) = error.split_once(": expected ")?;
    let rule = expected
        .trim_start_matches("one of ")
        .split(", ")
        .find(|part| part.split(' ').count() > 3 && !part.contains(['[', '|']))?
        .trim_end_matches('.');
    Some(match rule.strip_prefix("The ") {
        Some(rest) => format!("the {rest}"),
        None => rule.to_owned(),
    })
}

/// The byte that `error at LINE:COLUMN: …` speaks of; the parser's errors have no other form.
fn offset_of(text: &str, error: &str) -> Option<usize> {
    let (line, rest) = error.strip_prefix("error at ")?.split_once(':')?;
    let (column, _) = rest.split_once(':')?;
    let line: usize = line.parse().ok()?;
    let column: usize = column.parse().ok()?;
    let before = text.split_inclusive('\n').take(line.checked_sub(1)?);
    let start = before.map(str::len).sum();
    let characters = text.get(start..)?.chars().take(column.checked_sub(1)?);
    Some(start + characters.map(char::len_utf8).sum::<usize>())
}

/// The 1-based line and column of a byte.
pub(crate) fn position(text: &str, offset: usize) -> (u32, u32) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let one_based = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
    (
        one_based(before.matches('\n').count()),
        one_based(before.get(line_start..).unwrap_or_default().chars().count()),
    )
}

/// The beginning of a token, short enough for a message.
fn excerpt(text: &str) -> String {
    const LENGTH: usize = 40;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
