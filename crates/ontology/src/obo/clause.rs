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
        let (value, modifiers) = match parts(rest) {
            Ok(parts) => parts,
            Err(quote) => return broken(value_at + quote, "a quotation that is not closed"),
        };
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

/// The value and what stands between the braces behind it; or where a quotation begins that does not end. A `!` inside a
/// word begins no comment: `name: foo!bar` holds one, `is_a: X:1 ! foo` ends before it.
fn parts(text: &str) -> Result<(&str, &str), usize> {
    // Only a value that begins with a quotation is one: apostrophes and inches are part of names.
    let quoted = text.starts_with('"');
    if !quoted && !text.contains(['!', '{']) {
        return Ok((text.trim_end(), ""));
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
        let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
        match byte {
            b'\\' => escaped = true,
            b'"' if quoted => quote = if quote.is_some() { None } else { Some(at) },
            b'!' if quote.is_none() && after_space => return Ok(without_modifiers(before)),
            b'{' if quote.is_none() => {
                if let Some(end) = end_of_modifiers(rest) {
                    let behind = rest.get(end..).unwrap_or_default().trim_start();
                    if behind.is_empty() || behind.starts_with('!') {
                        let inside = rest.get(1..end - 1).unwrap_or_default();
                        return Ok((before.trim_end(), inside));
                    }
                }
            }
            _ => {}
        }
        after_space = byte.is_ascii_whitespace();
    }
    match quote {
        Some(at) => Err(at),
        None => Ok(without_modifiers(text)),
    }
}

/// Where `{name="value", …}` ends, if a text begins with it.
fn end_of_modifiers(text: &str) -> Option<usize> {
    let mut rest = text.strip_prefix('{')?;
    loop {
        let (_, _, behind) = modifier(rest)?;
        let behind = behind.trim_start();
        if let Some(behind) = behind.strip_prefix('}') {
            return Some(text.len() - behind.len());
        }
        rest = behind.strip_prefix(',').unwrap_or(behind);
    }
}

/// The name and the value that a text begins with, escapes as written, and what stands behind them. Quotes can be missing.
fn modifier(text: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = text.split_once('=')?;
    let name = name.trim();
    let rest = rest.trim_start();
    let is_end = |c: char| c.is_whitespace() || "\"{},=".contains(c);
    if name.is_empty() || name.contains(is_end) {
        return None;
    }
    if let Some(inner) = rest.strip_prefix('"') {
        let end = end_of_quotation(inner)?;
        return Some((name, inner.get(..end)?, inner.get(end + 1..)?));
    }
    let end = rest.find(is_end).filter(|end| *end > 0)?;
    Some((name, rest.get(..end)?, rest.get(end..)?))
}

/// The names and values of modifiers, as far as they can be told apart.
pub(crate) fn modifiers(mut inside: &str) -> impl Iterator<Item = (&str, &str)> {
    std::iter::from_fn(move || {
        // The last value without quotes has nothing behind it that ends it.
        let (name, value, behind) = modifier(inside).or_else(|| {
            let (name, value) = inside.split_once('=')?;
            let (name, value) = (name.trim(), value.trim());
            (!name.is_empty() && !value.is_empty()).then_some((name, value, ""))
        })?;
        inside = behind.trim_start();
        inside = inside.strip_prefix(',').unwrap_or(inside).trim_start();
        Some((name, value))
    })
}

/// Takes braces off the end that are not as the grammar wants them, and can only be modifiers: those that are part of a
/// name have no `=` in them.
fn without_modifiers(text: &str) -> (&str, &str) {
    let text = text.trim_end();
    let inner = text
        .strip_suffix('}')
        .and_then(|text| text.rsplit_once('{'));
    match inner {
        Some((value, inner)) if inner.contains('=') => (value.trim_end(), inner),
        _ => (text, ""),
    }
}

/// Where the quotation mark is that ends a quotation, whose first one has been taken off.
fn end_of_quotation(inner: &str) -> Option<usize> {
    let mut escaped = false;
    inner.bytes().position(|byte| match byte {
        _ if escaped => {
            escaped = false;
            false
        }
        b'\\' => {
            escaped = true;
            false
        }
        byte => byte == b'"',
    })
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
    let end = end_of_quotation(inner)?;
    let quoted = unescaped(inner.get(..end)?);
    Some((quoted, inner.get(end + 1..)?.trim_start()))
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
            (
                "is_a: X:2 {source=\"a{b\"}",
                "is_a",
                "X:2",
                "source=\"a{b\"",
            ),
            (
                "is_a: X:2 {source=\"a ! b\", c=\"}\"} ! two",
                "is_a",
                "X:2",
                "source=\"a ! b\", c=\"}\"",
            ),
            (
                "is_a: X:2 {source=\"say \\\"{a\\\"\" , b=c}! two",
                "is_a",
                "X:2",
                "source=\"say \\\"{a\\\"\" , b=c",
            ),
            (
                "is_a: X:2 {source=\"a\" b=\"c\"}",
                "is_a",
                "X:2",
                "source=\"a\" b=\"c\"",
            ),
            ("is_a: X:2 {a=b, c d}", "is_a", "X:2", "a=b, c d"),
            ("name: {a=b c}, or d", "name", "{a=b c}, or d", ""),
            (
                "def: \"a {b=c\" [X:1] {d=\"e{f\"} ! g",
                "def",
                "\"a {b=c\" [X:1]",
                "d=\"e{f\"",
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
    fn names_and_values_of_modifiers() {
        for (inside, expected) in [
            ("", &[][..]),
            ("a=\"b\"", &[("a", "b")]),
            ("a=\"b, c=d\" , e = f", &[("a", "b, c=d"), ("e", "f")]),
            ("a=b c=\"\\\"\",", &[("a", "b"), ("c", "\\\"")]),
            ("no value", &[]),
        ] {
            assert_eq!(modifiers(inside).collect::<Vec<_>>(), expected, "{inside}");
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
