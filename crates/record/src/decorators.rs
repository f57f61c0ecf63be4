//! A leading block of `#+` lines into keys and their raw values.
//!
//! What the lines hold is close to YAML and yet not YAML: prose with `: ` or ` #` in it is common, and a YAML reader
//! loses the whole header over it. So the keys are found first, by indentation, and each value is then read by what its
//! key is known to hold.

use crate::header::{Header, HeaderEntry};
use crate::lines::count;
use crate::problem::Problem;
use crate::schema::Schema;
use crate::value;

/// What stands behind `#+` on one line.
#[derive(Debug)]
pub(crate) struct Line {
    /// Line of the file, from 1.
    pub(crate) number: u32,
    /// Column of the first character behind `#+`, from 1.
    pub(crate) column: u32,
    /// Everything behind `#+` without the line's end.
    pub(crate) content: String,
}

impl Line {
    /// White-space characters before the text; a tab counts as one.
    pub(crate) fn indent(&self) -> usize {
        self.content
            .chars()
            .take_while(|c| c.is_whitespace())
            .count()
    }

    pub(crate) fn text(&self) -> &str {
        self.content.trim()
    }

    /// Where the text begins.
    pub(crate) fn at(&self) -> (u32, u32) {
        let indent = u32::try_from(self.indent()).unwrap_or(u32::MAX);
        (self.number, self.column.saturating_add(indent))
    }
}

/// A key with the lines of its value, not yet read.
#[derive(Debug)]
pub(crate) struct RawEntry {
    pub(crate) key: String,
    pub(crate) at: (u32, u32),
    /// Indentation of the key.
    pub(crate) indent: usize,
    /// Where the value begins on the key's line.
    pub(crate) value_at: (u32, u32),
    /// The value on the key's own line, trimmed.
    pub(crate) first: String,
    /// The lines below that belong to the value, blank ones included.
    pub(crate) rest: Vec<Line>,
}

/// Reads a whole block.
pub(crate) fn read(lines: Vec<Line>, schema: Schema, problems: &mut Vec<Problem>) -> Header {
    let mut header = Header::default();
    for raw in group(lines, schema, problems) {
        if let Some(first) = header.get(&raw.key) {
            let message = format!("`{}` was given on line {} already", raw.key, first.line);
            let problem = Problem::error("duplicate-key", raw.at, message)
                .with_remedy("keep one of the two; the first is used here");
            problems.push(problem);
            continue;
        }
        if schema.kind(&raw.key).is_none() {
            problems.push(unknown_key(&raw, schema));
        }
        let value = value::read(&raw, schema.kind(&raw.key), schema, problems);
        header.entries.push(HeaderEntry {
            line: raw.at.0,
            column: raw.at.1,
            key: raw.key,
            value,
        });
    }
    header
}

fn unknown_key(raw: &RawEntry, schema: Schema) -> Problem {
    let problem = Problem::lint(
        "unknown-key",
        raw.at,
        format!("nothing reads the key `{}`", raw.key),
    );
    match schema.near(&raw.key) {
        Some(known) => problem.with_remedy(format!("write `{known}`, if that is meant")),
        None => problem.with_remedy("delete the line, or make it a plain `#` comment"),
    }
}

fn group(lines: Vec<Line>, schema: Schema, problems: &mut Vec<Problem>) -> Vec<RawEntry> {
    let mut entries: Vec<RawEntry> = Vec::new();
    // The indentation of a line that was neither key nor value: what hangs below it is not reported again.
    let mut bad: Option<usize> = None;
    for line in lines {
        let indent = line.indent();
        let text = line.text();
        if bad.is_some_and(|bad| text.is_empty() || indent > bad) {
            continue;
        }
        if let Some(open) = entries.last_mut()
            && bad.is_none()
            && open.continues(&line, schema)
        {
            open.rest.push(line);
            continue;
        }
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        bad = None;
        if text == "---" || text == "..." {
            let message = format!("a `{text}` marker ends the header for YAML readers");
            let problem = Problem::error("document-marker", line.at(), message)
                .with_remedy("delete this line");
            problems.push(problem);
        } else if let Some(entry) = RawEntry::open(&line, schema, problems) {
            entries.push(entry);
        } else {
            let message = format!("expected `key: value`, found `{}`", excerpt(text));
            let problem = Problem::error("bad-line", line.at(), message)
                .with_remedy("indent the line if it continues the value above, or delete it");
            problems.push(problem);
            bad = Some(indent);
        }
    }
    entries
}

impl RawEntry {
    /// Opens an entry if the line is `key: value`.
    fn open(line: &Line, schema: Schema, problems: &mut Vec<Problem>) -> Option<Self> {
        let text = line.text();
        let (key, value) = split_key(text, schema)?;
        let at = line.at();
        let first = value.trim();
        let column = at.1 + count(text) - count(value.trim_start());
        if !first.is_empty() && !value.starts_with(char::is_whitespace) {
            let message = format!("no space between `{key}:` and its value");
            let problem = Problem::lint("no-space-after-colon", (at.0, column), message)
                .with_remedy("add a space: YAML readers lose the whole header here");
            problems.push(problem);
        }
        Some(Self {
            key: key.to_owned(),
            at,
            indent: line.indent(),
            value_at: (at.0, column),
            first: first.to_owned(),
            rest: Vec::new(),
        })
    }

    /// Whether `line` belongs to this entry's value.
    fn continues(&self, line: &Line, schema: Schema) -> bool {
        let text = line.text();
        if text.is_empty() {
            return true;
        }
        let indent = line.indent();
        if indent <= self.indent {
            // YAML lets a list stand as far left as its key.
            return self.first.is_empty() && indent == self.indent && is_item(text);
        }
        // `#+summary: x` above `#+ tags: y`: one column more is how people space decorators, not a continuation, unless
        // the value above is clearly still open.
        let sloppy = indent <= 1
            && split_key(text, schema).is_some_and(|(key, _)| schema.kind(key).is_some());
        !(sloppy && self.is_plain())
    }

    fn is_plain(&self) -> bool {
        !self.first.starts_with(['>', '|', '"', '\'', '[', '{'])
    }
}

/// Whether a line is an item of a block list.
pub(crate) fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ") || text.starts_with("-\t")
}

/// Splits `key: value`, or `key:value` where the key is known.
fn split_key(text: &str, schema: Schema) -> Option<(&str, &str)> {
    let (key, value) = text.split_once(':')?;
    let key = key.trim_end();
    let is_name = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    let spaced = value.is_empty() || value.starts_with(char::is_whitespace);
    (is_name && (spaced || schema.kind(key).is_some())).then_some((key, value))
}

/// The beginning of a text, short enough for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let line = text.split(['\n', '\r']).next().unwrap_or_default();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
