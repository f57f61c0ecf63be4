//! One line of a stanza: tag, value, and the pieces of a value.

/// A clause that is not as the grammar wants it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    /// Byte of the line at which it goes wrong.
    pub(crate) at: usize,
    pub(crate) reason: &'static str,
}

/// `tag: value {modifiers} ! comment`, comment and modifiers taken off.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Clause<'a> {
    pub(crate) tag: &'a str,
    /// As written, escapes included.
    pub(crate) value: &'a str,
    /// Byte of the line at which the value begins.
    pub(crate) value_at: usize,
    /// What stands between the braces at the end, if anything.
    pub(crate) modifiers: &'a str,
}

impl<'a> Clause<'a> {
    pub(crate) fn parse(line: &'a str) -> Result<Self, Broken> {
        let broken = |at, reason| Err(Broken { at, reason });
        let Some((tag, rest)) = line.split_once(':') else {
            return broken(0, "a clause is a tag, a colon and a value");
        };
        let indent = tag.len() - tag.trim_start().len();
        if tag.trim().is_empty() || tag.trim().contains(char::is_whitespace) {
            return broken(indent, "a tag is one word before the colon");
        }
        let value_at = tag.len() + 1 + (rest.len() - rest.trim_start().len());
        let rest = line.get(value_at..).unwrap_or_default();
        let cut = match end_of_value(rest) {
            Ok(cut) => cut,
            Err(quote) => return broken(value_at + quote, "a quotation that is not closed"),
        };
        let written = rest.get(..cut).unwrap_or(rest).trim_end();
        let (value, modifiers) = without_modifiers(written);
        if value.is_empty() {
            return broken(value_at.min(line.len()), "a tag without a value");
        }
        Ok(Self {
            tag: tag.trim(),
            value,
            value_at,
            modifiers,
        })
    }
}

/// Where the value ends and a comment begins; or where a quotation begins that does not end. A `!` inside a word is no
/// comment: `name: foo!bar` holds one, `is_a: X:1 ! foo` ends before it.
fn end_of_value(text: &str) -> Result<usize, usize> {
    // Only a value that begins with a quotation is one: apostrophes and inches are part of names.
    let quoted = text.starts_with('"');
    if !quoted && !text.contains('!') {
        return Ok(text.len());
    }
    let mut quote = None;
    let mut escaped = false;
    let mut after_space = true;
    // What is looked for is ASCII, and no byte of another character is.
    for (at, byte) in text.bytes().enumerate() {
        if escaped {
            escaped = false;
            after_space = false;
            continue;
        }
        match byte {
            b'\\' => escaped = true,
            b'"' if quoted => quote = if quote.is_some() { None } else { Some(at) },
            b'!' if quote.is_none() && after_space => return Ok(at),
            _ => {}
        }
        after_space = byte.is_ascii_whitespace();
    }
    match quote {
        Some(at) => Err(at),
        None => Ok(text.len()),
    }
}

/// Takes `{name="value", …}` off the end. Braces that are part of a name have no `=` in them.
fn without_modifiers(text: &str) -> (&str, &str) {
    let inner = text
        .strip_suffix('}')
        .and_then(|text| text.rsplit_once('{'));
    match inner {
        Some((value, inner)) if inner.contains('=') => (value.trim_end(), inner),
        _ => (text, ""),
    }
}

/// A value with its escapes undone.
pub(crate) fn unescaped(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => plain.push('\n'),
            Some('W') => plain.push(' '),
            Some('t') => plain.push('\t'),
            Some(other) => plain.push(other),
            None => plain.push('\\'),
        }
    }
    plain
}

/// The quotation that a text begins with, escapes undone, and what stands behind it.
pub(crate) fn quotation(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut escaped = false;
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => {
                let behind = inner.get(at + 1..).unwrap_or_default();
                let quoted = unescaped(inner.get(..at).unwrap_or_default());
                return Some((quoted, behind.trim_start()));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses() {
        for (line, tag, value, modifiers) in [
            ("is_a: X:1 ! one", "is_a", "X:1", ""),
            ("is_a:X:1", "is_a", "X:1", ""),
            (
                "is_a: X:1 {source=\"a!b\"} ! one",
                "is_a",
                "X:1",
                "source=\"a!b\"",
            ),
            ("name: what!ever", "name", "what!ever", ""),
            ("name: 5\" long", "name", "5\" long", ""),
            ("name: set {a, b}", "name", "set {a, b}", ""),
            ("def: \"a ! b\" [PMID:1]  ", "def", "\"a ! b\" [PMID:1]", ""),
            (
                "def: \"say \\\"a\\\" ! b\" []",
                "def",
                "\"say \\\"a\\\" ! b\" []",
                "",
            ),
        ] {
            let clause = Clause::parse(line).unwrap();
            assert_eq!(
                (clause.tag, clause.value, clause.modifiers),
                (tag, value, modifiers),
                "{line}"
            );
            assert!(line[clause.value_at..].starts_with(value), "{line}");
        }
    }

    #[test]
    fn broken_clauses() {
        for (line, at, reason) in [
            ("nothing here", 0, "a clause is a tag, a colon and a value"),
            ("two words: x", 0, "a tag is one word before the colon"),
            ("name:", 5, "a tag without a value"),
            ("name: ! just a comment", 6, "a tag without a value"),
            ("def: \"open [X:1]", 5, "a quotation that is not closed"),
        ] {
            assert_eq!(Clause::parse(line), Err(Broken { at, reason }), "{line}");
        }
    }

    #[test]
    fn quotations() {
        for (text, expected) in [
            ("\"a\" EXACT []", Some(("a", "EXACT []"))),
            ("\"a \\\"b\\\"\\n\\Wc\"", Some(("a \"b\"\n c", ""))),
            ("\"\" []", Some(("", "[]"))),
            ("a", None),
            ("\"a", None),
        ] {
            let read = quotation(text);
            assert_eq!(
                read.as_ref().map(|(text, rest)| (text.as_str(), *rest)),
                expected,
                "{text}"
            );
        }
    }
}
