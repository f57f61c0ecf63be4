//! The body of a file as a SPARQL query: what is said about it when it is not one, and where.

use crate::decorators::excerpt;
use crate::lexer::{Token, TokenKind, tokens};
use crate::lines::position;
use crate::problem::Problem;
use spargebra::{Query, SparqlParser};
use std::collections::BTreeSet;

/// The parser and everything that walks its result recurse; a page has 1 MB of stack. Keys nest less than ten deep.
const MAX_NESTING: usize = 64;

/// For the same reason: `a/b/c` and `a || b || c` are as deep as they are long.
const MAX_LINKS: usize = 500;

/// More than the longest keyword: see [`failing_token`].
const PADDING: &str = "                                ";

/// Parses `body`, which begins at column 1 of `first_line`, and reports what is wrong with it.
pub(crate) fn read(body: &str, first_line: u32, problems: &mut Vec<Problem>) -> Option<Query> {
    let all = tokens(body);
    let at = |offset| position(body, offset, first_line);
    for comment in late_decorators(body, &all) {
        let problem = Problem::lint(
            "decorator-after-body",
            at(comment.start),
            "a decorator after the query has begun is a comment",
        )
        .with_remedy("move the line above the query");
        problems.push(problem);
    }
    let tokens: Vec<_> = all
        .into_iter()
        .filter(|token| token.kind != TokenKind::Comment)
        .collect();
    let Some(first) = tokens.first() else {
        let message = "the file has no query below its header";
        let problem = Problem::error("query-missing", (first_line, 1), message)
            .with_remedy("add the answer key as a SPARQL query");
        problems.push(problem);
        return None;
    };
    if let Some(message) = too_deep(&tokens) {
        let problem = Problem::error("query-too-deep", at(first.start), message)
            .with_remedy("list terms with VALUES, and take brackets apart");
        problems.push(problem);
        return None;
    }
    for parameter in parameters(&tokens) {
        let name = parameter.text;
        let message = format!("`{name}` is a parameter that grlc would fill in; a key has none");
        let problem = Problem::error("query-parameter", at(parameter.start), message)
            .with_remedy("write the value into the query, or give the variable another name");
        problems.push(problem);
    }
    match SparqlParser::new().parse_query(body) {
        Ok(query) => {
            problems.extend(form(&query, &tokens, at));
            Some(query)
        }
        Err(error) => {
            problems.push(explain(body, &tokens, &error.to_string(), at));
            None
        }
    }
}

/// Comments that begin with `#+` and stand alone on their line.
fn late_decorators<'a>(body: &'a str, tokens: &'a [Token<'a>]) -> impl Iterator<Item = Token<'a>> {
    tokens.iter().copied().filter(|token| {
        let before = body[..token.start].trim_end_matches([' ', '\t']);
        let alone = before.is_empty() || before.ends_with(['\n', '\r']);
        token.kind == TokenKind::Comment && token.text.starts_with("#+") && alone
    })
}

fn parameters<'a>(tokens: &'a [Token<'a>]) -> impl Iterator<Item = Token<'a>> {
    let mut seen = BTreeSet::new();
    tokens.iter().copied().filter(move |token| {
        token.kind == TokenKind::Variable
            && token.text[1..].starts_with('_')
            && seen.insert(&token.text[1..])
    })
}

/// How deep a query goes, where that is too deep: brackets, and the links of the chains around each token.
fn too_deep(tokens: &[Token<'_>]) -> Option<String> {
    // The open brackets, each with the links that stand directly in it.
    let mut open: Vec<(&str, usize)> = vec![("", 0)];
    let mut links = 0;
    for token in tokens {
        match token.text {
            "(" | "[" | "{" => open.push((token.text, 0)),
            ")" | "]" | "}" if open.len() > 1 => {
                links -= open.pop().map_or(0, |(_, inside)| inside);
            }
            _ => {
                if let Some((bracket, inside)) = open.last_mut()
                    && is_link(token, bracket)
                {
                    *inside += 1;
                    links += 1;
                }
            }
        }
        if open.len() > MAX_NESTING {
            return Some(format!("the query nests more than {MAX_NESTING} brackets"));
        }
        if links > MAX_LINKS {
            return Some(format!(
                "the query chains more than {MAX_LINKS} operators or clauses"
            ));
        }
    }
    None
}

fn is_link(token: &Token<'_>, bracket: &str) -> bool {
    const MARKS: [&str; 9] = ["/", "|", "^", "!", "+", "-", "*", "&&", "||"];
    const WORDS: [&str; 5] = ["OPTIONAL", "UNION", "MINUS", "FILTER", "BIND"];
    match token.kind {
        TokenKind::Mark => MARKS.contains(&token.text),
        TokenKind::Name => WORDS.iter().any(|word| token.is_keyword(word)),
        // `1+1` is two numbers to the lexer and a sum to the grammar; between braces it is a list of values.
        TokenKind::Number => bracket == "(" && token.text.starts_with(['+', '-']),
        _ => false,
    }
}

/// A sentence for why the body does not parse.
fn explain(
    body: &str,
    tokens: &[Token<'_>],
    error: &str,
    at: impl Fn(usize) -> (u32, u32),
) -> Problem {
    let (failing, error) = failing_token(tokens).unwrap_or((0, error.to_owned()));
    if is_update(body) {
        let start = tokens.get(failing).map_or(0, |token| token.start);
        let message = "the body is a SPARQL update, and a key is a query";
        return Problem::error("query-is-update", at(start), message)
            .with_remedy("a key reads: write it as a SELECT or an ASK");
    }
    let syntax = |offset, message: String| Problem::error("query-syntax", at(offset), message);
    let read = &tokens[..tokens.len().min(failing + 1)];
    if let Some(open) = read.iter().find(|t| t.kind == TokenKind::OpenString) {
        return syntax(open.start, "this string is not closed".to_owned())
            .with_remedy("close it with the quote that opened it");
    }
    if let Some(sentence) = sentence(&error) {
        let start = enclosing_select(tokens, failing).filter(|_| sentence.contains("SELECT"));
        let offset = start
            .or(tokens.get(failing))
            .map_or(body.len(), |t| t.start);
        return syntax(offset, format!("the key is not a SPARQL query: {sentence}"))
            .with_remedy("see the section on restrictions in the grammar of SPARQL 1.1");
    }
    let Some(token) = tokens.get(failing) else {
        let end = tokens.last().map_or(0, Token::end);
        let message = "the query ends too early".to_owned();
        return match unclosed(tokens) {
            Some(open) => syntax(end, message).with_remedy(format!(
                "close the `{}` of line {}",
                open.text,
                at(open.start).0
            )),
            None => syntax(end, message).with_remedy("finish the last clause"),
        };
    };
    if let Some(prefix) = undeclared(tokens, token) {
        let message = format!("the prefix `{prefix}:` is not declared");
        return syntax(token.start, message)
            .with_remedy(format!("add `PREFIX {prefix}: <…>` above the query"));
    }
    if token.kind == TokenKind::Iri && !token.text.contains(':') {
        let message = format!("`{}` is a relative IRI, and there is no BASE", token.text);
        return syntax(token.start, message).with_remedy("write the IRI in full");
    }
    let found = excerpt(token.text);
    syntax(
        token.start,
        format!("the key is not a SPARQL query: `{found}` is not expected here"),
    )
    .with_remedy("everything before this place reads as SPARQL 1.1; mend the query here")
}

/// What is wrong with a key whose answer is no table; that of an ASK is a table of one boolean.
fn form(query: &Query, tokens: &[Token<'_>], at: impl Fn(usize) -> (u32, u32)) -> Option<Problem> {
    let keyword = match query {
        Query::Select { .. } | Query::Ask { .. } => return None,
        Query::Construct { .. } => "CONSTRUCT",
        Query::Describe { .. } => "DESCRIBE",
    };
    let token = tokens.iter().find(|token| token.is_keyword(keyword))?;
    let message = format!("a key gives a table, and {keyword} gives triples");
    let problem = Problem::error("query-form", at(token.start), message);
    Some(problem.with_remedy("write the key as a SELECT of the columns that the summary asks for"))
}

fn is_update(body: &str) -> bool {
    SparqlParser::new()
        .parse_update(body)
        .is_ok_and(|update| !update.operations.is_empty())
}

/// The token at which the parser gave up, and its message; an index behind the last token where the text ended too
/// early.
///
/// The parser's own position is that of the furthest character it looked at, and it looks ahead by the length of every
/// keyword it tries, past the token that is wrong. With more space between the tokens than a keyword is long, the
/// furthest character lies between the wrong token and the next.
fn failing_token(tokens: &[Token<'_>]) -> Option<(usize, String)> {
    let mut padded = String::new();
    let mut starts = Vec::with_capacity(tokens.len() + 1);
    for token in tokens {
        starts.push(padded.len());
        padded.push_str(token.text);
        padded.push_str(PADDING);
    }
    starts.push(padded.len() - PADDING.len() + 1);
    let error = SparqlParser::new().parse_query(&padded).err()?.to_string();
    let offset = offset_of(&padded, &error)?;
    let failing = starts.iter().rposition(|start| *start <= offset)?;
    if tokens.get(failing).is_some_and(|token| token.text == "}") {
        // What ends here is whole, so the reason may be what it means; without anything behind it to look ahead at, the
        // parser says so.
        let whole = padded[..starts[failing]].trim_end();
        if let Err(error) = SparqlParser::new().parse_query(whole) {
            return Some((failing, error.to_string()));
        }
    }
    Some((failing, error))
}

/// The byte that `error at LINE:COLUMN: …` speaks of; the type behind it is private to the parser.
fn offset_of(text: &str, error: &str) -> Option<usize> {
    let (line, rest) = error.strip_prefix("error at ")?.split_once(':')?;
    let (column, _) = rest.split_once(':')?;
    let (line, column): (usize, usize) = (line.parse().ok()?, column.parse().ok()?);
    let start: usize = text
        .split_inclusive('\n')
        .take(line.checked_sub(1)?)
        .map(str::len)
        .sum();
    let inside = text.get(start..)?;
    let offset = inside
        .char_indices()
        .nth(column.checked_sub(1)?)
        .map_or(inside.len(), |(at, _)| at);
    Some(start + offset)
}

/// What the parser has to say beyond a list of characters it would have taken.
fn sentence(error: &str) -> Option<String> {
    let (_, expected) = error.split_once(": expected ")?;
    let sentence = expected
        .trim_start_matches("one of ")
        .split(", ")
        .find(|part| part.split(' ').count() > 3 && !part.contains(['[', '|']))?;
    let sentence = sentence.trim_end_matches('.');
    Some(match sentence.strip_prefix("The ") {
        Some(rest) => format!("the {rest}"),
        None => sentence.to_owned(),
    })
}

/// The SELECT of the (sub-)query that ends before token `end`.
fn enclosing_select<'a, 't>(tokens: &'t [Token<'a>], end: usize) -> Option<&'t Token<'a>> {
    let mut depth: usize = 0;
    for token in tokens[..end.min(tokens.len())].iter().rev() {
        match token.text {
            "}" => depth += 1,
            "{" => depth = depth.checked_sub(1)?,
            _ if depth == 0 && token.is_keyword("SELECT") => return Some(token),
            _ => {}
        }
    }
    None
}

/// The innermost bracket that is still open at the end.
fn unclosed<'a>(tokens: &[Token<'a>]) -> Option<Token<'a>> {
    let mut open = Vec::new();
    for token in tokens {
        match token.text {
            "(" | "[" | "{" => open.push(*token),
            ")" | "]" | "}" => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

/// The prefix of a prefixed name that no PREFIX declares.
fn undeclared<'a>(tokens: &[Token<'_>], name: &Token<'a>) -> Option<&'a str> {
    if name.kind != TokenKind::Name || name.text.starts_with("_:") {
        return None;
    }
    let (prefix, _) = name.text.split_once(':')?;
    let declared = tokens
        .windows(2)
        .any(|pair| pair[0].is_keyword("PREFIX") && pair[1].text.strip_suffix(':') == Some(prefix));
    (!declared).then_some(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where and why a body does not parse.
    fn check(body: &str) -> (u32, u32, String) {
        let mut problems = Vec::new();
        assert!(read(body, 1, &mut problems).is_none(), "{body}");
        let problem = problems.pop().unwrap();
        (problem.line, problem.column, problem.message)
    }

    #[test]
    fn the_wrong_token_is_found() {
        let cases = [
            ("hello world", (1, 1), "`hello`"),
            ("SELEC ?x {}", (1, 1), "`SELEC`"),
            (
                "SELECT ?x {\n ?x rdfs:label ?y }",
                (2, 5),
                "prefix `rdfs:` is not declared",
            ),
            ("SELECT ?x { ?x <a> ?y }", (1, 16), "relative IRI"),
            ("SELECT ?x { VALUES ?y { ?z } }", (1, 25), "`?z`"),
            ("SELECT ?x { FILTER(?x > ) }", (1, 25), "`)`"),
            ("ASK { ?x ?y \"abc }", (1, 13), "string is not closed"),
            ("ASK { ?x ?y ?z", (1, 15), "ends too early"),
            ("ASK { ?x ?y ?z } LIMIT", (1, 23), "ends too early"),
            ("ASK { ?x ?y ?z } garbage", (1, 18), "`garbage`"),
            (
                "INSERT DATA { <http://e/a> <http://e/b> 1 }",
                (1, 1),
                "update",
            ),
            (
                "PREFIX a: <http://a> DELETE WHERE { ?a ?b ?c }",
                (1, 22),
                "update",
            ),
            (
                "ASK { { SELECT ?x ?y { ?x a ?y } GROUP BY ?x } }",
                (1, 9),
                "unbound",
            ),
            ("SELECT * { ?s ?p ?o } GROUP BY ?s", (1, 1), "GROUP BY"),
        ];
        for (body, at, part) in cases {
            let (line, column, message) = check(body);
            assert_eq!((line, column), at, "{body}: {message}");
            assert!(message.contains(part), "{body}: {message}");
        }
    }

    #[test]
    fn padding_keeps_a_query_a_query() {
        let bodies = [
            "PREFIX e:<http://e/>SELECT(COUNT(*)AS?n)?x{?x e:a/^e:b*|!e:c+?y.FILTER(?y>-5&&?y!=1.5e3)}GROUP BY?x HAVING(COUNT(*)>1)ORDER BY DESC(?n)LIMIT 5",
            "ASK{?s?p\"a\"@en-GB,'7'^^<http://e/i>,[],(),true;<http://e/p>[<http://e/q>_:b].OPTIONAL{?s?q'''it's'''}}",
            "SELECT*FROM<http://e/g>{GRAPH?g{?s?p?o}VALUES(?a ?b){(1 UNDEF)(-2.5 <http://e/x>)}}",
        ];
        for body in bodies {
            assert!(read(body, 1, &mut Vec::new()).is_some(), "{body}");
            assert_eq!(failing_token(&tokens(body)), None, "{body}");
        }
    }

    #[test]
    fn hostile_depth_is_refused_before_the_parser_sees_it() {
        let deep = |open: &str, inside: &str, close: &str, times: usize| {
            format!(
                "ASK {{ {}{inside}{} }}",
                open.repeat(times),
                close.repeat(times)
            )
        };
        for body in [
            deep("{", "", "}", 100_000),
            deep("FILTER EXISTS {", "", "}", 100),
            deep("?s !", "<http://e/p>", "", 100_000),
            format!(
                "ASK {{ ?s {}<http://e/p> ?o }}",
                "<http://e/p>/".repeat(100_000)
            ),
            format!("ASK {{ FILTER({}1) }}", "1+".repeat(100_000)),
        ] {
            assert!(check(&body).2.contains("more than"), "{}", &body[..30]);
        }
    }

    #[test]
    fn allowed_depth_fits_the_smallest_stack() {
        let nested = |open: &str, close: &str, n: usize| {
            format!("ASK {{ {}{} }}", open.repeat(n), close.repeat(n))
        };
        let bodies = [
            nested("{", "}", 62),
            nested("FILTER EXISTS {", "}", 62),
            format!(
                "ASK {{ ?s {}<http://e/p> ?o }}",
                "<http://e/p>/".repeat(498)
            ),
            format!("ASK {{ FILTER({}1) }}", "1||".repeat(498)),
            format!(
                "ASK {{ FILTER({}1{}) }}",
                "IF(1,1,".repeat(60),
                ")".repeat(60)
            ),
        ];
        for body in bodies {
            let parsed = std::thread::Builder::new()
                .stack_size(1 << 20)
                .spawn(move || read(&body, 1, &mut Vec::new()).is_some())
                .unwrap()
                .join();
            assert!(parsed.unwrap());
        }
    }
}
