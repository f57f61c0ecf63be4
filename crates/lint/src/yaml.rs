//! What other readers make of a header.
//!
//! grlc joins all lines that start with `#+`, strips those characters, and hands the rest to a YAML 1.1 loader; one bad
//! line, and every decorator is gone. Pages in a browser use loaders of YAML 1.2, which differ in what they take for a
//! number or a boolean. This is a model of both that goes as far as a header does: keys, plain and quoted texts, blocks,
//! lists in brackets.

use crate::finding::At;
use crate::header::{HeaderLine, HeaderText};

/// What a YAML reader does to a header.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trouble {
    /// It reads nothing at all.
    Lost { at: At, why: String },
    /// A value ends at a `#`.
    Cut { at: At, key: String, left: String },
    /// A text is read as something else.
    Retyped {
        at: At,
        key: String,
        /// What YAML 1.1 makes of it.
        old: String,
        /// What YAML 1.2 makes of it.
        new: String,
    },
    /// The tags are one text.
    TagsText { at: At },
}

/// Keys whose values are texts.
const TEXT_KEYS: [&str; 5] = ["summary", "description", "endpoint", "method", "title"];

struct Open {
    key: String,
    indent: usize,
    value: Value,
    /// Lines of a plain value so far, and where it began.
    plain: String,
    at: At,
}

#[derive(PartialEq)]
enum Value {
    Empty,
    Plain,
    Block,
    /// Inside quotes or brackets that close with this.
    Until(char),
    Done,
}

/// Everything that a YAML reader does otherwise, in the order of the file. After [`Trouble::Lost`] there is nothing.
pub(crate) fn troubles(header: &HeaderText<'_>) -> Vec<Trouble> {
    let mut reader = Reader::default();
    for line in &header.lines {
        if let Err(lost) = reader.line(line) {
            return vec![lost];
        }
    }
    if let Err(lost) = reader.end() {
        return vec![lost];
    }
    reader.troubles
}

#[derive(Default)]
struct Reader {
    open: Option<Open>,
    top: Option<usize>,
    troubles: Vec<Trouble>,
    last: Option<At>,
}

impl Reader {
    fn line(&mut self, line: &HeaderLine<'_>) -> Result<(), Trouble> {
        let text = line.text.trim_start_matches(['#', '+']).trim_end();
        let skipped = count(line.text) - count(line.text.trim_start_matches(['#', '+']));
        let content = text.trim_start();
        let indent = count(text) - count(content);
        let place = |from: u32, width: u32| At {
            line: line.line,
            column: line.column + skipped + from,
            end_column: line.column + skipped + from + width,
        };
        let here = place(indent, count(content));
        self.last = Some(here);
        let depth = indent as usize;
        if let Some(open) = &mut self.open {
            match open.value {
                Value::Block if content.is_empty() || depth > open.indent => return Ok(()),
                Value::Until(close) => {
                    if let Some(rest) = after_close(content, close) {
                        open.value = Value::Done;
                        return nothing_behind(rest, here);
                    }
                    return Ok(());
                }
                _ if content.is_empty() || content.starts_with('#') => return Ok(()),
                Value::Plain if depth > open.indent => {
                    if open.plain.contains(" #") {
                        return lost(here, "the value above has ended at its ` #`");
                    }
                    open.plain.push(' ');
                    open.plain.push_str(content);
                    return plain_is_legal(content, here);
                }
                // Whatever hangs below a key without a value is a list or a map; the record's reader judges those.
                Value::Empty if depth > open.indent || content.starts_with("- ") => return Ok(()),
                _ => {}
            }
        }
        if content.is_empty() || content.starts_with('#') {
            return Ok(());
        }
        self.close();
        if text.starts_with('\t') {
            return lost(here, "a tab cannot indent");
        }
        if text == "---" || text == "..." {
            return if self.top.is_none() {
                Ok(())
            } else {
                lost(here, "a second document begins")
            };
        }
        match self.top {
            None => self.top = Some(depth),
            Some(top) if top != depth => {
                return lost(here, "this key is indented otherwise than the first");
            }
            Some(_) => {}
        }
        let Some((key, value)) = split_key(content) else {
            return lost(here, "this line is no `key: value`");
        };
        let trimmed = value.trim_start();
        let offset = indent + count(key) + 1 + (count(value) - count(trimmed));
        let at = place(offset, count(trimmed).max(1));
        self.open(key, depth, trimmed, at)
    }

    fn open(&mut self, key: &str, indent: usize, value: &str, at: At) -> Result<(), Trouble> {
        let mut open = Open {
            key: key.trim().to_owned(),
            indent,
            value: Value::Done,
            plain: String::new(),
            at,
        };
        match value.chars().next() {
            None | Some('#') => open.value = Value::Empty,
            Some(quote @ ('"' | '\'')) => match after_close(&value[1..], quote) {
                Some(rest) => nothing_behind(rest, at)?,
                None => open.value = Value::Until(quote),
            },
            Some('[') => match after_close(&value[1..], ']') {
                Some(rest) => nothing_behind(rest, at)?,
                None => open.value = Value::Until(']'),
            },
            Some('{') => match after_close(&value[1..], '}') {
                Some(rest) => nothing_behind(rest, at)?,
                None => open.value = Value::Until('}'),
            },
            Some('>' | '|') => open.value = Value::Block,
            Some('&') => {}
            Some(c @ ('@' | '`' | '%' | ',' | ']' | '}')) => {
                return lost(at, &format!("no value begins with `{c}`"));
            }
            Some('*') => return lost(at, "`*` refers to a value that is not there"),
            Some('!') => return lost(at, "`!` names a type that is not there"),
            Some(c @ ('-' | '?')) if value.len() == 1 || value[1..].starts_with(' ') => {
                return lost(
                    at,
                    &format!("`{c} ` begins a list or a key where a value is due"),
                );
            }
            Some(_) => {
                plain_is_legal(value, at)?;
                value.clone_into(&mut open.plain);
                open.value = Value::Plain;
            }
        }
        self.open = Some(open);
        Ok(())
    }

    /// Judges the plain value that just ended.
    fn close(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        if open.value != Value::Plain {
            return;
        }
        let left = match open.plain.find(" #") {
            Some(end) => {
                let left = open.plain[..end].trim_end().to_owned();
                let before = u32::try_from(open.plain[..end].chars().count()).unwrap_or(u32::MAX);
                let column = open.at.column.saturating_add(before + 1);
                self.troubles.push(Trouble::Cut {
                    at: At {
                        line: open.at.line,
                        column,
                        end_column: column.saturating_add(1),
                    },
                    key: open.key.clone(),
                    left: left.clone(),
                });
                left
            }
            None => open.plain.clone(),
        };
        if open.key == "tags" {
            self.troubles.push(Trouble::TagsText { at: open.at });
        } else if TEXT_KEYS.contains(&open.key.as_str())
            && let Some(old) = yaml_11(&left)
        {
            let new = yaml_12(&left).unwrap_or_else(|| "the text".to_owned());
            self.troubles.push(Trouble::Retyped {
                at: open.at,
                key: open.key,
                old,
                new,
            });
        }
    }

    fn end(&mut self) -> Result<(), Trouble> {
        if let Some(Open {
            value: Value::Until(close),
            at,
            ..
        }) = &self.open
        {
            return lost(*at, &format!("`{close}` is missing at its end"));
        }
        self.close();
        Ok(())
    }
}

fn lost<T>(at: At, why: &str) -> Result<T, Trouble> {
    Err(Trouble::Lost {
        at,
        why: why.to_owned(),
    })
}

fn count(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

fn split_key(line: &str) -> Option<(&str, &str)> {
    if let Some(colon) = line.find(": ") {
        return Some((&line[..colon], &line[colon + 1..]));
    }
    line.strip_suffix(':').map(|key| (key, ""))
}

/// What stands behind the closing sign; `None` where it does not close here.
fn after_close(text: &str, close: char) -> Option<&str> {
    let mut quote = None;
    let mut depth = 1;
    let mut chars = text.char_indices().peekable();
    while let Some((index, c)) = chars.next() {
        if matches!(close, '"' | '\'') {
            if c == '\\' && close == '"' {
                chars.next();
            } else if c == close {
                if close == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') {
                    chars.next();
                } else {
                    return text.get(index + 1..);
                }
            }
            continue;
        }
        match quote {
            Some(q) if q == c => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == '[' || c == '{' => depth += 1,
            None if c == ']' || c == '}' => {
                depth -= 1;
                if depth == 0 {
                    return text.get(index + 1..);
                }
            }
            Some(_) | None => {}
        }
    }
    None
}

fn nothing_behind(rest: &str, at: At) -> Result<(), Trouble> {
    let rest = rest.trim();
    if rest.is_empty() || rest.starts_with('#') {
        Ok(())
    } else {
        lost(at, "something stands behind the end of the value")
    }
}

fn plain_is_legal(text: &str, at: At) -> Result<(), Trouble> {
    let text = text.split(" #").next().unwrap_or(text);
    if let Some(colon) = text.find(": ") {
        let before = count(&text[..colon]);
        let column = at.column + before;
        return lost(
            At {
                column,
                end_column: column + 1,
                ..at
            },
            "a `: ` inside a plain value begins another key",
        );
    }
    if text.trim_end().ends_with(':') {
        return lost(at, "a `:` at the end makes the value a key");
    }
    Ok(())
}

/// What YAML 1.1 takes a plain text for; `None` for a text.
fn yaml_11(text: &str) -> Option<String> {
    match text.to_lowercase().as_str() {
        "yes" | "on" | "true" => return Some("true".to_owned()),
        "no" | "off" | "false" => return Some("false".to_owned()),
        "null" | "~" => return Some("nothing".to_owned()),
        _ => {}
    }
    let plain = text.replace('_', "");
    if let Some(hex) = plain.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16)
            .ok()
            .map(|n| format!("the number {n}"));
    }
    let digits = plain.trim_start_matches(['-', '+']);
    if digits.is_empty()
        || !digits
            .bytes()
            .all(|b| b.is_ascii_digit() || b".:-eE+".contains(&b))
    {
        return None;
    }
    let parts: Vec<&str> = digits.split(':').collect();
    if parts.len() > 1 {
        let numbers: Option<Vec<u64>> = parts.iter().map(|part| part.parse().ok()).collect();
        let numbers = numbers?;
        let legal = numbers.iter().skip(1).all(|n| *n < 60)
            && parts[0] != "0"
            && !parts[0].starts_with('0');
        let value = numbers
            .iter()
            .try_fold(0_u64, |sum, n| sum.checked_mul(60)?.checked_add(*n))?;
        return legal.then(|| format!("the number {value}"));
    }
    if digits.len() > 1
        && digits.starts_with('0')
        && digits.bytes().all(|b| (b'0'..b'8').contains(&b))
    {
        return u64::from_str_radix(digits, 8)
            .ok()
            .map(|n| format!("the number {n}"));
    }
    if digits.len() == 10 && digits.as_bytes()[4] == b'-' && digits.as_bytes()[7] == b'-' {
        return Some(format!("the date {digits}"));
    }
    let integer =
        digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    let float = digits.contains('.') && digits.parse::<f64>().is_ok();
    (integer || float).then(|| format!("the number {plain}"))
}

/// What YAML 1.2 takes a plain text for.
fn yaml_12(text: &str) -> Option<String> {
    match text {
        "true" | "True" | "TRUE" => return Some("true".to_owned()),
        "false" | "False" | "FALSE" => return Some("false".to_owned()),
        "null" | "Null" | "NULL" | "~" => return Some("nothing".to_owned()),
        _ => {}
    }
    let number = text
        .bytes()
        .all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b))
        && text.parse::<f64>().is_ok();
    number.then(|| {
        format!(
            "the number {}",
            text.trim_start_matches('0').trim_start_matches('+')
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(header: &str, expected: &str) {
        let found: Vec<String> = troubles(&HeaderText::new(header))
            .iter()
            .map(|trouble| match trouble {
                Trouble::Lost { at, why } => format!("{}:{} lost: {why}", at.line, at.column),
                Trouble::Cut { at, key, left } => {
                    format!("{}:{} {key} = {left}", at.line, at.column)
                }
                Trouble::Retyped { at, key, old, new } => {
                    format!("{}:{} {key} = {old} / {new}", at.line, at.column)
                }
                Trouble::TagsText { at } => format!("{}:{} tags", at.line, at.column),
            })
            .collect();
        assert_eq!(found.join("; "), expected, "{header}");
    }

    #[test]
    fn what_grlc_makes_of_a_header() {
        check("#+ summary: plain text\n#+ tags: [a, b]", "");
        check("#+ summary: >\n#+   a: b # c\n#+   d\n#+ tags: [a]", "");
        check(
            "#+ summary: Find x: the y",
            "1:19 lost: a `: ` inside a plain value begins another key",
        );
        check("#+ summary: count #1 things", "1:19 summary = count");
        check(
            "#+ summary: *x",
            "1:13 lost: `*` refers to a value that is not there",
        );
        check(
            "#+ summary: !x",
            "1:13 lost: `!` names a type that is not there",
        );
        check("#+ summary: yes", "1:13 summary = true / the text");
        check(
            "#+ summary: 1:30",
            "1:13 summary = the number 90 / the text",
        );
        check(
            "#+ summary: 010",
            "1:13 summary = the number 8 / the number 10",
        );
        check(
            "#+ summary:Within",
            "1:4 lost: this line is no `key: value`",
        );
        check(
            "#+ summary: \"a: b\" c",
            "1:13 lost: something stands behind the end of the value",
        );
        check("#+ summary: 'it''s: fine'", "");
        check("#+ tags: a, b", "1:10 tags");
        check("#+ tags: [a,\n#+   b]\n#+ summary: x", "");
        check("#+ tags: [a", "1:10 lost: `]` is missing at its end");
        check(
            "#+ summary: a\n#+   goes on\n#+ tags:\n#+   - a\n#+   - b",
            "",
        );
        check(
            "#+ summary: a\n#+   goes: on",
            "2:10 lost: a `: ` inside a plain value begins another key",
        );
    }

    /// Headers, and whether `PyYAML` 6 reads them (`=`), loses them (`!`), cuts them (`#`) or reads another type (`~`).
    #[test]
    fn pyyaml_agrees() {
        let cases = [
            ("!", "#+summary: a\n#+ tags: [b]"),
            ("!", "#+ summary: a\n#+tags: [b]"),
            ("=", "#+ summary: 08"),
            ("~", "#+ summary: 1_000"),
            ("=", "#+ summary: 1e3"),
            ("~", "#+ summary: 2020-01-01"),
            ("~", "#+ summary: ~"),
            ("!", "#+ summary: a\n#+ ---\n#+ tags: [a]"),
            ("!", "#+ summary: a\n#+---\n#+ tags: [a]"),
            ("!", "#+ summary: - a"),
            ("=", "#+ summary: -a"),
            ("!", "#+ summary: @a"),
            ("!", "#+ summary: %a"),
            ("!", "#+ summary: ? a"),
            ("=", "#+ summary: ?a"),
            ("!", "#+ summary: a?\n#+\ttags: [x]"),
            ("=", "#+ summary: 12:99"),
            ("=", "#+ summary: 0:30"),
            ("~", "#+ summary: 1.5"),
            ("~", "#+ summary: .5"),
            ("~", "#+ summary: +12"),
            ("~", "#+ summary: 0x1F"),
            ("!", "#+ summary: a #b\n#+   c"),
            ("=", "#+ summary: \"a\n#+   b: c\"\n#+ tags: [a]"),
            ("!", "#+ tags: [a, b] c"),
            ("=", "#+ tags: [\"a]\", b]"),
            ("=", "#+ summary: a:b"),
            ("!", "#+ summary: what:"),
            ("=", "#+ summary: http://x/y#z"),
            ("=", "#+ summary: a\n#+ # comment\n#+ tags: [b]"),
            ("=", "#+ summary: |\n#+   a\n#+\n#+   b\n#+ tags: [c]"),
            ("=", "#+ allow: [limit-unstated: \"x: y\"]"),
            ("#", "#+ summary: a #b\n#+ tags: [c]"),
        ];
        for (expected, header) in cases {
            let found = match troubles(&HeaderText::new(header)).first() {
                None => "=",
                Some(Trouble::Lost { .. }) => "!",
                Some(Trouble::Cut { .. }) => "#",
                Some(Trouble::Retyped { .. } | Trouble::TagsText { .. }) => "~",
            };
            assert_eq!(found, expected, "{header}");
        }
    }
}
