//! Lists and maps in a header: the part of YAML that grlc's keys use.

use crate::decorators::{RawEntry, is_item};
use crate::header::HeaderValue;
use crate::lines::count;
use crate::scalar::{NotQuoted, fold_plain, quoted_prefix};
use std::iter::Peekable;
use std::str::Chars;

/// Deeper than any header nests, and shallow enough for the smallest stack.
const MAX_DEPTH: usize = 32;

/// Whether plain scalars become booleans and numbers, or stay text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Scalars {
    Typed,
    Text,
}

/// Why a value could not be read as a structure.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Trouble {
    pub(crate) at: (u32, u32),
    pub(crate) message: String,
}

/// The lines of a value without comments and blanks.
#[derive(Debug)]
pub(crate) struct Source {
    lines: Vec<SourceLine>,
}

#[derive(Clone, Debug)]
struct SourceLine {
    at: (u32, u32),
    indent: usize,
    text: String,
}

impl Source {
    pub(crate) fn of(raw: &RawEntry) -> Self {
        let first = SourceLine {
            at: raw.value_at,
            // A value on its key's line is deeper than anything that may follow at the key's own indentation.
            indent: raw.indent + 1,
            text: strip_comment(&raw.first).to_owned(),
        };
        let rest = raw.rest.iter().map(|line| SourceLine {
            at: line.at(),
            indent: line.indent(),
            text: strip_comment(line.text()).to_owned(),
        });
        let lines = std::iter::once(first)
            .chain(rest)
            .filter(|line| !line.text.is_empty())
            .collect();
        Self { lines }
    }

    /// The first line that says something; empty if none does.
    pub(crate) fn first(&self) -> &str {
        self.lines.first().map_or("", |line| &line.text)
    }

    pub(crate) fn is_block_list(&self) -> bool {
        is_item(self.first())
    }

    /// All lines as one, joined as a plain scalar's are.
    pub(crate) fn joined(&self) -> String {
        fold_plain(self.lines.iter().map(|line| line.text.as_str()))
    }
}

/// Reads a value of whatever form.
pub(crate) fn read(source: &Source, scalars: Scalars) -> Result<HeaderValue, Trouble> {
    block(&source.lines, scalars, 0)
}

fn block(lines: &[SourceLine], scalars: Scalars, depth: usize) -> Result<HeaderValue, Trouble> {
    let Some(first) = lines.first() else {
        return Ok(HeaderValue::Empty);
    };
    if depth > MAX_DEPTH {
        return Err(trouble(first.at, "nested too deeply"));
    }
    if is_item(&first.text) {
        return block_list(lines, scalars, depth);
    }
    if !first.text.starts_with(['[', '{', '"', '\'']) && split_pair(&first.text).is_some() {
        return block_map(lines, scalars, depth);
    }
    let text = fold_plain(lines.iter().map(|line| line.text.as_str()));
    inline(&text, first.at, scalars)
}

fn block_list(
    lines: &[SourceLine],
    scalars: Scalars,
    depth: usize,
) -> Result<HeaderValue, Trouble> {
    let indent = lines[0].indent;
    let mut items = Vec::new();
    for group in groups(lines, |line| line.indent == indent && is_item(&line.text)) {
        let head = &group[0];
        if head.indent != indent || !is_item(&head.text) {
            return Err(trouble(head.at, "expected another `- item` of the list"));
        }
        let text = head.text[1..].trim_start();
        let skipped = count(&head.text) - count(text);
        let mut inner = Vec::with_capacity(group.len());
        if !text.is_empty() {
            inner.push(SourceLine {
                at: (head.at.0, head.at.1 + skipped),
                indent: head.indent + usize::try_from(skipped).unwrap_or(0),
                text: text.to_owned(),
            });
        }
        inner.extend_from_slice(&group[1..]);
        items.push(block(&inner, scalars, depth + 1)?);
    }
    Ok(list_of(items))
}

fn block_map(lines: &[SourceLine], scalars: Scalars, depth: usize) -> Result<HeaderValue, Trouble> {
    let indent = lines[0].indent;
    let mut entries: Vec<(String, HeaderValue)> = Vec::new();
    for group in groups(lines, |line| line.indent == indent && !is_item(&line.text)) {
        let head = &group[0];
        let Some((key, value)) = split_pair(&head.text).filter(|_| head.indent == indent) else {
            return Err(trouble(head.at, "expected another `key: value` of the map"));
        };
        if entries.iter().any(|(known, _)| known == key) {
            return Err(trouble(head.at, format!("the key `{key}` is there twice")));
        }
        let mut inner = Vec::with_capacity(group.len());
        if !value.is_empty() {
            let skipped = count(&head.text) - count(value);
            inner.push(SourceLine {
                at: (head.at.0, head.at.1 + skipped),
                indent: head.indent + 1,
                text: value.to_owned(),
            });
        }
        inner.extend_from_slice(&group[1..]);
        entries.push((unquote(key), block(&inner, scalars, depth + 1)?));
    }
    Ok(HeaderValue::Map(entries))
}

/// Cuts lines before each one that `opens`; the first line opens the first group whatever it is.
fn groups(lines: &[SourceLine], opens: impl Fn(&SourceLine) -> bool) -> Vec<&[SourceLine]> {
    let mut groups = Vec::new();
    let mut start = 0;
    for (index, line) in lines.iter().enumerate().skip(1) {
        // A line that is less indented than the block belongs to nothing in it; a group of its own makes it an error.
        if opens(line) || line.indent < lines[0].indent {
            groups.push(&lines[start..index]);
            start = index;
        }
    }
    groups.push(&lines[start..]);
    groups
}

fn inline(text: &str, at: (u32, u32), scalars: Scalars) -> Result<HeaderValue, Trouble> {
    if !text.starts_with(['[', '{', '"', '\'']) {
        return Ok(plain(text, scalars));
    }
    let mut flow = Flow {
        characters: text.chars().peekable(),
        at,
        scalars,
    };
    let value = flow.value("", 0)?;
    flow.skip_space();
    match flow.characters.next() {
        None => Ok(value),
        Some(found) => Err(trouble(
            at,
            format!("`{found}` stands behind the end of the value"),
        )),
    }
}

/// Reads `[a, b]`, `{a: b}` and what stands in them.
struct Flow<'a> {
    characters: Peekable<Chars<'a>>,
    at: (u32, u32),
    scalars: Scalars,
}

impl Flow<'_> {
    /// One value; a plain one ends before any of `ends`.
    fn value(&mut self, ends: &str, depth: usize) -> Result<HeaderValue, Trouble> {
        if depth > MAX_DEPTH {
            return Err(trouble(self.at, "nested too deeply"));
        }
        self.skip_space();
        match self.characters.peek() {
            Some('[') => self.list(depth),
            Some('{') => self.map(depth),
            Some('"' | '\'') => Ok(HeaderValue::Text(self.quoted()?)),
            _ => Ok(plain(&self.plain(ends), self.scalars)),
        }
    }

    fn list(&mut self, depth: usize) -> Result<HeaderValue, Trouble> {
        self.characters.next();
        let mut items = Vec::new();
        loop {
            self.skip_space();
            if self.characters.next_if_eq(&']').is_some() {
                return Ok(list_of(items));
            }
            items.push(self.value(",]", depth + 1)?);
            self.comma_or(']', "list")?;
        }
    }

    fn map(&mut self, depth: usize) -> Result<HeaderValue, Trouble> {
        self.characters.next();
        let mut entries = Vec::new();
        loop {
            self.skip_space();
            if self.characters.next_if_eq(&'}').is_some() {
                return Ok(HeaderValue::Map(entries));
            }
            let key = match self.characters.peek() {
                Some('"' | '\'') => self.quoted()?,
                _ => self.plain(":,}"),
            };
            self.skip_space();
            let value = if self.characters.next_if_eq(&':').is_some() {
                self.value(",}", depth + 1)?
            } else {
                HeaderValue::Empty
            };
            entries.push((key, value));
            self.comma_or('}', "map")?;
        }
    }

    /// Goes past a comma, or stops before the end.
    fn comma_or(&mut self, end: char, what: &str) -> Result<(), Trouble> {
        self.skip_space();
        match self.characters.peek() {
            Some(',') => {
                self.characters.next();
                Ok(())
            }
            Some(&found) if found == end => Ok(()),
            Some(&found) => Err(trouble(
                self.at,
                format!("expected `,` or `{end}` in the {what}, found `{found}`"),
            )),
            None => Err(trouble(self.at, format!("the {what} has no `{end}`"))),
        }
    }

    fn quoted(&mut self) -> Result<String, Trouble> {
        quoted_prefix(&mut self.characters).map_err(|why| match why {
            NotQuoted::NotClosed => trouble(self.at, "a quote is not closed"),
            NotQuoted::BadEscape(code) => {
                trouble(self.at, format!("`\\{code}` does not begin an escape"))
            }
        })
    }

    fn plain(&mut self, ends: &str) -> String {
        let mut text = String::new();
        while let Some(character) = self.characters.next_if(|c| !ends.contains(*c)) {
            text.push(character);
        }
        text.trim().to_owned()
    }

    fn skip_space(&mut self) {
        while self.characters.next_if(|c| c.is_whitespace()).is_some() {}
    }
}

fn plain(text: &str, scalars: Scalars) -> HeaderValue {
    if scalars == Scalars::Text {
        return HeaderValue::Text(text.to_owned());
    }
    match text {
        "" | "~" | "null" => HeaderValue::Empty,
        "true" | "True" | "TRUE" => HeaderValue::Bool(true),
        "false" | "False" | "FALSE" => HeaderValue::Bool(false),
        _ if is_number(text) => HeaderValue::Number(text.to_owned()),
        _ => HeaderValue::Text(text.to_owned()),
    }
}

/// Digits with an optional sign, fraction and exponent; `010` is a code more often than a count.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    digits.starts_with(|c: char| c.is_ascii_digit()) && !padded && text.parse::<f64>().is_ok()
}

fn list_of(items: Vec<HeaderValue>) -> HeaderValue {
    let texts: Option<Vec<String>> = items
        .iter()
        .map(|item| match item {
            HeaderValue::Text(text) | HeaderValue::Number(text) => Some(text.clone()),
            _ => None,
        })
        .collect();
    texts.map_or(HeaderValue::Items(items), HeaderValue::List)
}

/// Splits `key: value` or `key:`.
fn split_pair(text: &str) -> Option<(&str, &str)> {
    let (key, value) = match text.strip_suffix(':') {
        Some(key) if !key.contains(": ") => (key, ""),
        _ => text.split_once(": ")?,
    };
    (!key.trim().is_empty()).then(|| (key.trim(), value.trim()))
}

fn unquote(key: &str) -> String {
    crate::scalar::quoted(key)
        .ok()
        .filter(|_| key.starts_with(['"', '\'']))
        .unwrap_or_else(|| key.to_owned())
}

/// Cuts a line before a `#` that begins it or follows white space, outside quotes.
fn strip_comment(line: &str) -> &str {
    let mut quote: Option<char> = None;
    let mut before = ' ';
    for (at, character) in line.char_indices() {
        let at_start = before.is_whitespace() || matches!(before, '[' | ',' | '{' | ':');
        match quote {
            Some(open) if open == character => quote = None,
            None if character == '#' && before.is_whitespace() => return line[..at].trim_end(),
            None if matches!(character, '"' | '\'') && at_start => quote = Some(character),
            Some(_) | None => {}
        }
        before = character;
    }
    line
}

fn trouble(at: (u32, u32), message: impl Into<String>) -> Trouble {
    Trouble {
        at,
        message: message.into(),
    }
}
