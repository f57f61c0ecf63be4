//! Quoted, folded, literal and plain values, as YAML reads them.

use crate::decorators::Line;
use std::iter::Peekable;
use std::str::Chars;

/// Why a text that opens with a quote is not a quoted value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum NotQuoted {
    /// The closing quote is missing, or something stands behind it.
    NotClosed,
    /// An escape that YAML does not know.
    BadEscape(char),
}

/// Reads a value that is one quoted scalar from its first character to its last.
pub(crate) fn quoted(text: &str) -> Result<String, NotQuoted> {
    let mut characters = text.chars().peekable();
    let value = quoted_prefix(&mut characters)?;
    match characters.next() {
        None => Ok(value),
        Some(_) => Err(NotQuoted::NotClosed),
    }
}

/// Reads a quoted scalar and leaves what stands behind it.
pub(crate) fn quoted_prefix(characters: &mut Peekable<Chars<'_>>) -> Result<String, NotQuoted> {
    let quote = characters.next().ok_or(NotQuoted::NotClosed)?;
    let mut value = String::new();
    // White space before a line break goes; written or escaped otherwise it stays.
    let mut keep = 0;
    while let Some(character) = characters.next() {
        match character {
            _ if character == quote => {
                if quote != '\'' || characters.next_if_eq(&'\'').is_none() {
                    return Ok(value);
                }
                value.push('\'');
                keep = value.len();
            }
            '\\' if quote == '"' => {
                escape(characters, &mut value)?;
                keep = value.len();
            }
            '\n' => {
                let kept = value.trim_end_matches([' ', '\t']).len().max(keep);
                value.truncate(kept);
                fold_break(characters, &mut value);
                keep = value.len();
            }
            _ => value.push(character),
        }
    }
    Err(NotQuoted::NotClosed)
}

/// One line break becomes a space, and each further one a line break.
fn fold_break(characters: &mut Peekable<Chars<'_>>, value: &mut String) {
    let mut blank = 0;
    while let Some(next) = characters.next_if(|c| matches!(c, ' ' | '\t' | '\n')) {
        blank += usize::from(next == '\n');
    }
    if blank == 0 {
        value.push(' ');
    }
    value.extend(std::iter::repeat_n('\n', blank));
}

fn escape(characters: &mut Peekable<Chars<'_>>, value: &mut String) -> Result<(), NotQuoted> {
    let code = characters.next().ok_or(NotQuoted::NotClosed)?;
    let character = match code {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        ' ' | '"' | '/' | '\\' => code,
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        'x' => hexadecimal(characters, 2).ok_or(NotQuoted::BadEscape(code))?,
        'u' => hexadecimal(characters, 4).ok_or(NotQuoted::BadEscape(code))?,
        'U' => hexadecimal(characters, 8).ok_or(NotQuoted::BadEscape(code))?,
        '\n' => {
            while characters.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
            return Ok(());
        }
        _ => return Err(NotQuoted::BadEscape(code)),
    };
    value.push(character);
    Ok(())
}

fn hexadecimal(characters: &mut Peekable<Chars<'_>>, digits: u32) -> Option<char> {
    let mut code = 0;
    for _ in 0..digits {
        code = code * 16 + characters.next()?.to_digit(16)?;
    }
    char::from_u32(code)
}

/// Joins the lines of a plain value: a line break is a space, and `n` blank lines are `n` line breaks.
pub(crate) fn fold_plain<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut value = String::new();
    let mut blank = 0;
    for line in lines {
        let line = line.trim();
        if line.is_empty() {
            blank += 1;
            continue;
        }
        if !value.is_empty() {
            if blank == 0 {
                value.push(' ');
            }
            value.extend(std::iter::repeat_n('\n', blank));
        }
        blank = 0;
        value.push_str(line);
    }
    value
}

/// The `>` or `|` that opens a block of text, with what stands behind it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct BlockMark {
    folded: bool,
    /// `-` strips the line breaks at the end, `+` keeps them all; without either one is kept.
    chomp: Option<char>,
    /// The block's indentation below its key, where it is given.
    indent: Option<usize>,
}

impl BlockMark {
    /// Reads the mark if it is all there is, but for a comment: `> 5 mutations` is prose.
    pub(crate) fn parse(first: &str) -> Option<Self> {
        let mark = match first.split_once(char::is_whitespace) {
            Some((mark, comment)) if comment.trim_start().starts_with('#') => mark,
            Some(_) => return None,
            None => first,
        };
        let mut characters = mark.chars();
        let folded = match characters.next()? {
            '>' => true,
            '|' => false,
            _ => return None,
        };
        let mut block = Self {
            folded,
            chomp: None,
            indent: None,
        };
        for character in characters {
            match character {
                '+' | '-' if block.chomp.is_none() => block.chomp = Some(character),
                '1'..='9' if block.indent.is_none() => {
                    block.indent = usize::try_from(character.to_digit(10)?).ok();
                }
                _ => return None,
            }
        }
        Some(block)
    }

    /// The text of the block whose key is indented by `parent`.
    pub(crate) fn read(self, parent: usize, lines: &[Line]) -> String {
        let indent = match self.indent {
            Some(indent) => parent + indent,
            None => lines
                .iter()
                .find(|line| !line.text().is_empty())
                .map_or(0, Line::indent),
        };
        let lines: Vec<&str> = lines
            .iter()
            .map(|line| strip_indent(&line.content, indent))
            .collect();
        let body = lines
            .iter()
            .rposition(|line| !line.is_empty())
            .map_or(0, |last| last + 1);
        let mut value = if self.folded {
            fold_block(&lines[..body])
        } else {
            lines[..body].join("\n")
        };
        match self.chomp {
            Some('-') => {}
            Some(_) => {
                value.extend(std::iter::repeat_n(
                    '\n',
                    lines.len() - body + usize::from(body > 0),
                ));
            }
            None if body > 0 => value.push('\n'),
            None => {}
        }
        value
    }
}

/// Takes up to `indent` white-space characters off the front; a blank line becomes empty unless it is longer.
fn strip_indent(line: &str, indent: usize) -> &str {
    let mut rest = line;
    for _ in 0..indent {
        match rest.strip_prefix(char::is_whitespace) {
            Some(stripped) => rest = stripped,
            None => break,
        }
    }
    rest
}

/// Folds a block: neighbouring lines join, lines that are indented further keep their breaks.
fn fold_block(lines: &[&str]) -> String {
    let mut value = String::new();
    let mut blank = 0;
    let mut previous: Option<bool> = None;
    for line in lines {
        if line.is_empty() {
            blank += 1;
            continue;
        }
        let deeper = line.starts_with([' ', '\t']);
        let breaks = match previous {
            Some(before) if before || deeper => blank + 1,
            Some(_) | None => blank,
        };
        if previous.is_some() && breaks == 0 {
            value.push(' ');
        }
        value.extend(std::iter::repeat_n('\n', breaks));
        value.push_str(line);
        previous = Some(deeper);
        blank = 0;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_values() {
        let cases = [
            ("'it''s'", Ok("it's")),
            (r#""a\tb\u00e9\x41""#, Ok("a\tbéA")),
            ("\"a\n b\"", Ok("a b")),
            ("\"a \n\n b\"", Ok("a\nb")),
            ("\"a\\\n   b\"", Ok("ab")),
            ("'a\\n'", Ok("a\\n")),
            ("\"a\" b", Err(NotQuoted::NotClosed)),
            ("'a", Err(NotQuoted::NotClosed)),
            (r#""a\q""#, Err(NotQuoted::BadEscape('q'))),
            (r#""\ud800""#, Err(NotQuoted::BadEscape('u'))),
        ];
        for (text, expected) in cases {
            assert_eq!(
                quoted(text).as_deref(),
                expected.as_ref().map(|s| *s),
                "{text}"
            );
        }
    }

    #[test]
    fn block_marks() {
        for text in [">", "|", ">-", "|+2", "|2-", "> # why"] {
            assert!(BlockMark::parse(text).is_some(), "{text}");
        }
        for text in ["> 5", ">>", "|x", "", "-", ">--", "|0"] {
            assert!(BlockMark::parse(text).is_none(), "{text}");
        }
    }
}
