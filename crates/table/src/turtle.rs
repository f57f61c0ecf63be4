//! Terms as SPARQL TSV writes them, which is Turtle's way.

use crate::cell::{Cell, XSD};
use crate::number::{Number, NumberKind};

/// Reads one term; `None` where the text is not one. An empty text is an unbound cell.
pub(crate) fn parse_term(text: &str) -> Option<Cell> {
    let text = text.trim();
    match text.as_bytes() {
        [] => Some(Cell::Missing),
        [b'<', .., b'>'] => Some(Cell::Iri(unescape(&text[1..text.len() - 1])?.into())),
        [b'_', b':', _, ..] => Some(Cell::blank(text)),
        [b'"' | b'\'', ..] => parse_literal(text),
        _ => match text {
            "true" => Some(Cell::Boolean(true)),
            "false" => Some(Cell::Boolean(false)),
            _ => parse_number(text),
        },
    }
}

fn parse_number(text: &str) -> Option<Cell> {
    let kind = if text.contains(['e', 'E']) {
        NumberKind::Double
    } else if text.contains('.') {
        NumberKind::Decimal
    } else {
        NumberKind::Integer
    };
    // `inf` and `nan` are numbers to the parser of doubles, but not to Turtle.
    text.bytes()
        .any(|byte| byte.is_ascii_digit())
        .then_some(())?;
    Number::parse(text, kind).map(Cell::Number)
}

fn parse_literal(text: &str) -> Option<Cell> {
    let quote = &text[..1];
    let body = &text[1..];
    let mut escaped = false;
    let close = body.char_indices().find_map(|(index, c)| {
        let closes = !escaped && quote.starts_with(c);
        escaped = c == '\\' && !escaped;
        closes.then_some(index)
    })?;
    let lexical = unescape(&body[..close])?;
    let suffix = &body[close + 1..];
    if suffix.is_empty() || suffix.strip_prefix('@').is_some_and(is_language_tag) {
        return Some(Cell::literal(&lexical, None));
    }
    let datatype = suffix.strip_prefix("^^")?;
    if let Some(name) = datatype.strip_prefix("xsd:") {
        return Some(Cell::literal(&lexical, Some(&format!("{XSD}{name}"))));
    }
    let datatype = datatype.strip_prefix('<')?.strip_suffix('>')?;
    Some(Cell::literal(&lexical, Some(datatype)))
}

fn is_language_tag(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn unescape(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        let escape = rest[at + 1..].chars().next()?;
        rest = &rest[at + 1 + escape.len_utf8()..];
        plain.push(match escape {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            '"' | '\'' | '\\' => escape,
            'u' | 'U' => {
                let len = if escape == 'u' { 4 } else { 8 };
                let digits = rest.get(..len)?;
                rest = &rest[len..];
                char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
            }
            _ => return None,
        });
    }
    plain.push_str(rest);
    Some(plain)
}
