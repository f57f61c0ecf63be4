//! One key's value, read by what the key holds.

use crate::decorators::{Line, RawEntry, excerpt, is_item};
use crate::header::HeaderValue;
use crate::problem::Problem;
use crate::scalar::{BlockMark, NotQuoted, fold_plain, quoted};
use crate::schema::{Kind, Schema};
use crate::structure::{self, Source};

/// Reads the value of `raw` as `kind`, or as whatever it looks like where nothing is known about the key.
pub(crate) fn read(
    raw: &RawEntry,
    kind: Option<Kind>,
    schema: Schema,
    problems: &mut Vec<Problem>,
) -> HeaderValue {
    let value = match kind {
        Some(Kind::Text) => text(raw, schema, problems),
        Some(Kind::List) => list(raw, problems),
        Some(Kind::Bool) => boolean(raw, problems),
        Some(Kind::Number) => number(raw, problems),
        Some(Kind::Items | Kind::Map) | None => structured(raw, kind, problems),
        Some(Kind::Reasons) => reasons(raw, problems),
    };
    if value == HeaderValue::Empty {
        let message = format!("`{}` has no value", raw.key);
        let problem = Problem::lint("empty-value", raw.at, message)
            .with_remedy("write a value behind the colon, or delete the line");
        problems.push(problem);
    }
    value
}

fn text(raw: &RawEntry, schema: Schema, problems: &mut Vec<Problem>) -> HeaderValue {
    if let Some(mark) = BlockMark::parse(&raw.first) {
        return match mark.read(raw.indent, &raw.rest) {
            text if text.trim().is_empty() => HeaderValue::Empty,
            text => HeaderValue::Text(text),
        };
    }
    if let Some(value) = quoted_text(raw, problems) {
        return HeaderValue::Text(value);
    }
    for line in &raw.rest {
        let key = line.text().split(':').next().unwrap_or_default();
        if line.text().len() > key.len() && schema.kind(key).is_some() {
            let message = format!(
                "this line continues `{}`, though it looks like `{key}`",
                raw.key
            );
            let problem = Problem::lint("key-as-continuation", line.at(), message)
                .with_remedy("take out the extra indentation if a new key is meant");
            problems.push(problem);
        }
    }
    let value = plain(raw);
    if value.is_empty() {
        return HeaderValue::Empty;
    }
    if let Some(what) = yaml_surprise(&value) {
        let message = format!("`{}` is text here, but {what}", raw.key);
        let problem = Problem::lint("yaml-differs", raw.value_at, message)
            .with_remedy("put the value in quotes, or fold it under `>`");
        problems.push(problem);
    }
    HeaderValue::Text(value)
}

fn plain(raw: &RawEntry) -> String {
    let rest = raw.rest.iter().map(Line::text);
    fold_plain(std::iter::once(raw.first.as_str()).chain(rest))
}

/// The value as a quoted scalar; `None` where it opens with no quote, or with one that does not close at its end.
fn quoted_text(raw: &RawEntry, problems: &mut Vec<Problem>) -> Option<String> {
    if !raw.first.starts_with(['"', '\'']) {
        return None;
    }
    let mut whole = raw.first.clone();
    for line in &raw.rest {
        whole.push('\n');
        whole.push_str(line.text());
    }
    match quoted(whole.trim_end()) {
        Ok(value) => Some(value),
        Err(NotQuoted::NotClosed) => {
            let message = "the opening quote does not close at the end of the value, so it is part of the text";
            let problem = Problem::lint("quote-not-closed", raw.value_at, message)
                .with_remedy("close the quote, or put the whole value in the other kind of quotes");
            problems.push(problem);
            None
        }
        Err(NotQuoted::BadEscape(code)) => {
            let message = format!("`\\{code}` does not begin an escape that YAML knows");
            let problem = Problem::error("bad-escape", raw.value_at, message)
                .with_remedy("write `\\\\` for a backslash, or use single quotes");
            problems.push(problem);
            None
        }
    }
}

/// What a YAML reader would make of a plain text that is not that text.
fn yaml_surprise(value: &str) -> Option<String> {
    if value.contains(": ") || value.ends_with(':') {
        return Some("YAML readers lose the header at its `: `".to_owned());
    }
    if value.contains(" #") || value.contains("\n#") || value.starts_with('#') {
        return Some("YAML readers drop everything from its `#`".to_owned());
    }
    let first = value.chars().next()?;
    let indicator = matches!(
        first,
        '[' | ']' | '{' | '}' | '*' | '&' | '!' | '%' | '@' | '`' | '|' | '>' | ','
    ) || is_item(value.lines().next().unwrap_or_default())
        || value.starts_with("? ");
    if indicator {
        return Some(format!(
            "`{first}` at its start means something else to YAML readers"
        ));
    }
    resembles(value).map(|what| format!("YAML readers take `{value}` for {what}"))
}

/// What else than text YAML 1.1, which most readers still follow, sees in a plain scalar.
fn resembles(value: &str) -> Option<&'static str> {
    match value.to_lowercase().as_str() {
        "true" | "false" | "yes" | "no" | "on" | "off" => return Some("a boolean"),
        "null" | "~" => return Some("nothing"),
        ".nan" | ".inf" | "-.inf" => return Some("a number"),
        _ => {}
    }
    let starts_like_number = value.starts_with(|c: char| c.is_ascii_digit())
        || value.starts_with(['-', '+', '.'])
            && value[1..].starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let all_of = |extra: &str| {
        value
            .chars()
            .all(|c| c.is_ascii_digit() || extra.contains(c))
    };
    if !starts_like_number {
        return None;
    }
    if all_of("+-_.eE") && value.parse::<f64>().is_ok() || all_of("_") || value.starts_with("0x") {
        return Some("a number");
    }
    if all_of(":") {
        return Some("a number to the base of 60");
    }
    (value.len() == 10 && all_of("-") && value.matches('-').count() == 2).then_some("a date")
}

fn list(raw: &RawEntry, problems: &mut Vec<Problem>) -> HeaderValue {
    let source = Source::of(raw);
    let items = if source.is_block_list() || source.first().starts_with('[') {
        match structure::read(&source, structure::Scalars::Text) {
            Ok(HeaderValue::List(items)) => items,
            Ok(nested) => {
                let message = format!("`{}` is a list of plain values", raw.key);
                let problem = Problem::error("not-a-list", raw.value_at, message)
                    .with_remedy("take the inner brackets out");
                problems.push(problem);
                plain_values(nested)
            }
            Err(trouble) => {
                let problem = Problem::error("list-not-closed", trouble.at, trouble.message)
                    .with_remedy("write `[a, b]`, `a, b` or one `- a` line per item");
                problems.push(problem);
                comma_list(source.joined().trim_matches(['[', ']']))
            }
        }
    } else {
        let joined = source.joined();
        // To YAML, `"a, b"` and `a, b` are the same string; the commas are ours to split at.
        comma_list(&quoted(&joined).unwrap_or(joined))
    };
    if items.is_empty() && source.first().is_empty() {
        return HeaderValue::Empty;
    }
    let written = items.len();
    let items: Vec<String> = items.into_iter().filter(|item| !item.is_empty()).collect();
    if items.len() < written {
        let message = format!("`{}` has an empty item, which is left out", raw.key);
        let problem = Problem::lint("empty-item", raw.value_at, message)
            .with_remedy("delete one of the two commas around it");
        problems.push(problem);
    }
    HeaderValue::List(items)
}

/// The plain values anywhere in a structure.
fn plain_values(value: HeaderValue) -> Vec<String> {
    match value {
        HeaderValue::Text(text) | HeaderValue::Number(text) => vec![text],
        HeaderValue::Bool(flag) => vec![flag.to_string()],
        HeaderValue::List(items) => items,
        HeaderValue::Items(items) => items.into_iter().flat_map(plain_values).collect(),
        HeaderValue::Map(entries) => entries
            .into_iter()
            .flat_map(|(_, value)| plain_values(value))
            .collect(),
        HeaderValue::Empty => Vec::new(),
    }
}

/// Splits at commas outside quotes; one comma at the end ends the last item.
fn comma_list(text: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut open: Option<char> = None;
    for character in text.chars() {
        let at_start = items.last().is_some_and(|item| item.trim().is_empty());
        match (open, character) {
            (None, ',') => {
                items.push(String::new());
                continue;
            }
            (None, '"' | '\'') if at_start => open = Some(character),
            (Some(quote), _) if quote == character => open = None,
            _ => {}
        }
        if let Some(item) = items.last_mut() {
            item.push(character);
        }
    }
    if items.last().is_some_and(|item| item.trim().is_empty()) {
        items.pop();
    }
    items
        .iter()
        .map(|item| item.trim())
        .map(|item| {
            quoted(item)
                .ok()
                .filter(|_| item.starts_with(['"', '\'']))
                .unwrap_or_else(|| item.to_owned())
        })
        .collect()
}

fn boolean(raw: &RawEntry, problems: &mut Vec<Problem>) -> HeaderValue {
    let written = Source::of(raw).joined();
    if written.is_empty() {
        return HeaderValue::Empty;
    }
    let unquoted = if written.starts_with(['"', '\'']) {
        quoted(&written).unwrap_or_else(|_| written.clone())
    } else {
        written.clone()
    };
    let flag = match unquoted.to_lowercase().as_str() {
        "true" | "yes" | "on" => true,
        "false" | "no" | "off" => false,
        _ => {
            let message = format!(
                "`{}` is true or false, found `{}`",
                raw.key,
                excerpt(&written)
            );
            let problem = Problem::error("not-a-boolean", raw.value_at, message)
                .with_remedy(format!("write `{}: true`, or leave the key out", raw.key));
            problems.push(problem);
            return HeaderValue::Text(unquoted);
        }
    };
    if !matches!(
        written.as_str(),
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE"
    ) {
        let message = format!("`{written}` is read as {flag}, which not every YAML reader does");
        let problem = Problem::lint("boolean-spelling", raw.value_at, message)
            .with_remedy(format!("write `{flag}`"));
        problems.push(problem);
    }
    HeaderValue::Bool(flag)
}

fn number(raw: &RawEntry, problems: &mut Vec<Problem>) -> HeaderValue {
    let written = Source::of(raw).joined();
    if written.is_empty() {
        return HeaderValue::Empty;
    }
    if !written.bytes().all(|byte| byte.is_ascii_digit()) {
        let message = format!(
            "`{}` is a whole number, found `{}`",
            raw.key,
            excerpt(&written)
        );
        let problem = Problem::error("not-a-number", raw.value_at, message)
            .with_remedy(format!("write digits only, such as `{}: 100`", raw.key));
        problems.push(problem);
        return HeaderValue::Text(written);
    }
    HeaderValue::Number(written)
}

fn structured(raw: &RawEntry, kind: Option<Kind>, problems: &mut Vec<Problem>) -> HeaderValue {
    if kind.is_none() {
        if let Some(mark) = BlockMark::parse(&raw.first) {
            return HeaderValue::Text(mark.read(raw.indent, &raw.rest));
        }
        if raw.first.starts_with(['"', '\'']) {
            return quoted_text(raw, problems)
                .map_or_else(|| HeaderValue::Text(plain(raw)), HeaderValue::Text);
        }
    }
    let source = Source::of(raw);
    let value = match structure::read(&source, structure::Scalars::Typed) {
        Ok(value) => value,
        // Nobody said that an unknown key holds a structure.
        Err(_) if kind.is_none() => HeaderValue::Text(plain(raw)),
        Err(trouble) => {
            problems.push(bad_structure(trouble.at, trouble.message));
            HeaderValue::Text(plain(raw))
        }
    };
    let expected = match (kind, &value) {
        (_, HeaderValue::Empty)
        | (None, _)
        | (Some(Kind::Items), HeaderValue::List(_) | HeaderValue::Items(_))
        | (Some(Kind::Map), HeaderValue::Map(_)) => return value,
        (Some(Kind::Map), _) => "keys and values",
        (Some(_), _) => "a list",
    };
    if !problems
        .iter()
        .any(|p| p.rule == "bad-structure" && p.line >= raw.at.0)
    {
        let message = format!("`{}` holds {expected}", raw.key);
        problems.push(bad_structure(raw.value_at, message));
    }
    value
}

/// Rules with their reasons, from `rule: reason` lines, `[rule: reason]` or `rule: reason` behind the key; as a map, in which a
/// rule without a reason has nothing.
fn reasons(raw: &RawEntry, problems: &mut Vec<Problem>) -> HeaderValue {
    let value = structured(raw, None, problems);
    if value == HeaderValue::Empty {
        return value;
    }
    let mut pairs = Vec::new();
    if !collect_reasons(&value, &mut pairs) {
        let message = format!("`{}` holds the ids of rules, each with a reason", raw.key);
        let problem = Problem::error("bad-structure", raw.value_at, message)
            .with_remedy("write a `rule: reason` line for each rule, indented below the key");
        problems.push(problem);
    }
    HeaderValue::Map(pairs)
}

/// The pairs of a rule and its reason anywhere in a value; whether there is nothing else in it.
fn collect_reasons(value: &HeaderValue, pairs: &mut Vec<(String, HeaderValue)>) -> bool {
    match value {
        HeaderValue::Map(entries) => {
            let mut all = true;
            for (rule, reason) in entries {
                let reason = match reason {
                    HeaderValue::Text(text) | HeaderValue::Number(text) => text.trim().to_owned(),
                    HeaderValue::List(items) => items.join(", "),
                    HeaderValue::Bool(flag) => flag.to_string(),
                    HeaderValue::Empty => String::new(),
                    HeaderValue::Items(_) | HeaderValue::Map(_) => {
                        all = false;
                        String::new()
                    }
                };
                pairs.push((rule.clone(), reason_of(&reason)));
            }
            all
        }
        HeaderValue::Items(items) => {
            let mut all = true;
            for item in items {
                all &= collect_reasons(item, pairs);
            }
            all
        }
        HeaderValue::List(items) => {
            pairs.extend(items.iter().map(|item| rule_and_reason(item)));
            true
        }
        HeaderValue::Text(text) => {
            pairs.push(rule_and_reason(text));
            true
        }
        HeaderValue::Empty => true,
        HeaderValue::Bool(_) | HeaderValue::Number(_) => false,
    }
}

fn rule_and_reason(text: &str) -> (String, HeaderValue) {
    let (rule, reason) = text.split_once(':').unwrap_or((text, ""));
    (
        rule.trim().to_owned(),
        reason_of(reason.trim().trim_matches('"')),
    )
}

fn reason_of(text: &str) -> HeaderValue {
    if text.is_empty() {
        HeaderValue::Empty
    } else {
        HeaderValue::Text(text.to_owned())
    }
}

fn bad_structure(at: (u32, u32), message: String) -> Problem {
    Problem::error("bad-structure", at, message).with_remedy(
        "write lists as `- item` lines and maps as `key: value` lines of one indentation",
    )
}
