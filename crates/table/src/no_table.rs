//! Texts that are no table, though every text can be split into lines and cells.
//!
//! A table without rows is a header line alone, and answers a question that has no answer. Prose that says so must not pass
//! for one: it would score like an agent that looked and found nothing, and so would an apology.

use serde_json::Value;

use crate::delimited;
use crate::error::{Position, ReadError, ReadErrorKind};

/// As many words are no name of an only column, with nothing below it.
const WORDS: usize = 3;

/// More words in each cell, one with another, are no names of columns with nothing below them.
const WORDS_A_CELL: usize = 4;

const REMEDY: &str =
    "submit CSV with the column names on the first line; a table without rows is that line alone";

/// Why a text is no table; `None` where it may be one. Its first line is line `first_line`.
pub(crate) fn no_table(text: &str, first_line: u32) -> Option<ReadError> {
    let trimmed = text.trim();
    let what = if is_json(trimmed) {
        "this is JSON, not a table"
    } else if is_markup(trimmed) {
        "this is markup, not a table"
    } else if is_prose(trimmed) {
        "this is prose, not a table"
    } else {
        return None;
    };
    let start = text.len() - text.trim_start().len();
    let at = Position::of_offset(text.as_bytes(), start);
    let at = Position {
        line: at.line.saturating_add(first_line.saturating_sub(1)),
        ..at
    };
    Some(ReadError::new(ReadErrorKind::NotATable, at, what).with_remedy(REMEDY))
}

/// An object or an array, whole or cut off.
fn is_json(text: &str) -> bool {
    if !text.starts_with(['{', '[']) {
        return false;
    }
    // Several values, a line each, are JSON too.
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    values.all(|value| value.map_or_else(|error| error.is_eof(), |_| true))
}

/// Begins with a tag, a declaration or a comment; an IRI in angle brackets is none of these.
fn is_markup(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('<') else {
        return false;
    };
    if rest.starts_with(['!', '?']) {
        return true;
    }
    let name: String = rest
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect();
    !name.is_empty() && rest[name.len()..].starts_with(|c: char| c.is_whitespace() || c == '>')
}

fn is_prose(text: &str) -> bool {
    // What is quoted is a cell, whatever it says.
    if text.starts_with('"') {
        return false;
    }
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = lines.next() else {
        return false;
    };
    let mut rest = lines.peekable();
    if is_sentence(first) {
        return !rest.any(is_like_a_row);
    }
    let cells = cells(first);
    let is_wordy = if cells == 1 {
        words(first) >= WORDS
    } else {
        words(first) > WORDS_A_CELL * cells
    };
    rest.peek().is_none() && is_wordy
}

/// Several words, and a mark at the end that ends a sentence or leads to what follows.
fn is_sentence(line: &str) -> bool {
    let end = line
        .trim_end()
        .trim_end_matches(['"', '\'', '*', '_', ')', ']', '”', '’']);
    end.ends_with(['.', '!', '?', ':', '…', '。']) && words(line) >= WORDS
}

/// A line of several cells that is not a sentence with a comma in it.
fn is_like_a_row(line: &str) -> bool {
    cells(line) > 1 && !is_sentence(line)
}

/// The cells of a line by the delimiter that gives most.
fn cells(line: &str) -> usize {
    let by = |delimiter| delimited::first_row_len(line, delimiter);
    [b',', b';', b'\t', b'|']
        .map(by)
        .into_iter()
        .max()
        .unwrap_or(1)
}

fn words(line: &str) -> usize {
    line.split_whitespace()
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> &'static str {
        match no_table(text, 1).map(|error| error.message) {
            None => "table",
            Some(message) if message.contains("JSON") => "json",
            Some(message) if message.contains("markup") => "markup",
            Some(_) => "prose",
        }
    }

    #[test]
    fn what_reads_as_a_table_and_what_does_not() {
        for (text, expected) in [
            // A header line alone, as people write one.
            ("condition,name,datasetCount", "table"),
            ("condition", "table"),
            ("Condition name, IRI, Number of distinct datasets", "table"),
            ("Number of datasets;IRI of the condition", "table"),
            ("| name | IRI of it | n |", "table"),
            ("Disease name", "table"),
            ("\"the name of the condition\"", "table"),
            ("true", "table"),
            // Sentences, whatever stands between their words.
            ("No matching conditions were found.", "prose"),
            ("No matching conditions found", "prose"),
            ("I used the term as given, and found nothing.", "prose"),
            ("I used the term as given, and found nothing", "prose"),
            (
                "I looked at nde, oard-kg and ubergraph.\nNone of them has data, so the table is empty.",
                "prose",
            ),
            (
                "The result is empty:\n\n- nde has nothing\n- oard-kg has nothing",
                "prose",
            ),
            ("**There are no rows to report.**", "prose"),
            ("Could you tell me which release you mean?", "prose"),
            // A sentence before a table: rows were submitted, wrong ones.
            ("Here are the results:\nname,n\nlupus,3", "table"),
            // One column of texts, each of which is a sentence's length.
            (
                "name\nmultifocal atrial tachycardia\nfamilial avascular necrosis of femoral head",
                "table",
            ),
            ("comment\nNo data were found.", "table"),
            // JSON in every form.
            ("[]", "json"),
            ("{}", "json"),
            ("{\"rows\": []}", "json"),
            ("[{\"name\": \"lupus\"}]", "json"),
            ("{\"name\": \"a\"}\n{\"name\": \"b\"}", "json"),
            (
                "{\"head\":{\"vars\":[\"x\"]},\"results\":{\"bindings\":[{\"x\":",
                "json",
            ),
            ("[note],n\na,1", "table"),
            ("{name},n", "table"),
            // Markup, and IRIs that only look like it.
            ("<html><body>502 Bad Gateway</body></html>", "markup"),
            ("<?xml version=\"1.0\"?><sparql/>", "markup"),
            ("<!DOCTYPE html>", "markup"),
            ("<table>\n<tr><td>1</td></tr>\n</table>", "markup"),
            ("<http://e/1>,1", "table"),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }

    #[test]
    fn the_place_is_that_of_the_text() {
        let error = no_table("\n  {\"rows\": []}", 3).unwrap();
        assert_eq!((error.line, error.column), (4, 3));
        assert!(error.remedy.is_some());
    }
}
