//! Files of triplets, in and out: one JSON array, or one object a line.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::json::{Expected, Records, fault, utf8};
use crate::problem::{Lines, Problem, words};
use crate::triplet::Triplet;

/// What a file of triplets holds: the triplets, and the records that are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Every record that is a triplet, in the file's order, with the line on which it begins.
    pub triplets: Vec<(u32, Triplet)>,
    /// Every record that is none, and why, in the file's order.
    pub problems: Vec<Problem>,
    /// Texts without a word in records that are triplets otherwise, one a record: a filter drops them, a model cannot be judged by them.
    pub blanks: Vec<Problem>,
    /// Whether the file is one JSON array, which may say that there are none.
    pub is_array: bool,
}

impl Reading {
    /// Whether there is nothing in the file, not even an array of none.
    pub fn is_blank(&self) -> bool {
        !self.is_array && self.triplets.is_empty() && self.problems.is_empty()
    }

    /// The triplets alone; or the first problem, for who wants all or nothing.
    pub fn all(self) -> Result<Vec<Triplet>, Problem> {
        match self.problems.into_iter().next() {
            Some(problem) => Err(problem),
            None => Ok(self
                .triplets
                .into_iter()
                .map(|(_, triplet)| triplet)
                .collect()),
        }
    }
}

/// Reads a file of triplets: a JSON array of objects, or JSON Lines, told apart by the first character.
///
/// An error is a file that has no records to speak of: bytes that are not UTF-8, or an array that is broken somewhere.
/// A record that is no triplet, because it lacks a text or has something else in its place, is a [`Problem`] in the
/// reading, and costs its neighbours nothing.
///
/// ```
/// let reading = ava::read_triplets(b"{\"anchor\": \"a\", \"positive\": \"b\", \"negative\": \"c\"}\n{\"positive\": \"b\"}\n")?;
/// assert_eq!(reading.triplets.len(), 1);
/// assert_eq!(reading.problems[0].to_string(), "2:1: this triplet has no `anchor`");
/// # Ok::<(), ava::Problem>(())
/// ```
pub fn read_triplets(bytes: &[u8]) -> Result<Reading, Problem> {
    let text = utf8(bytes)?;
    let lines = Lines::of(text);
    let records = Records::of(text).whole(&lines, text, &ARRAY)?;
    let mut reading = Reading {
        is_array: records.is_array,
        ..Reading::default()
    };
    for (place, record) in records.found {
        reading.add(&lines, record, place);
    }
    Ok(reading)
}

const ARRAY: Expected<'_> = Expected {
    what: "JSON array of triplets",
    remedy: "give one JSON array of objects, or one object a line",
    number: SCORE,
    texts: &[
        "anchor",
        "positive",
        "negative",
        "subgraph_id",
        "source",
        "generator",
        "perturbation",
    ],
};

/// What to do about a number of a triplet that is none.
const SCORE: &str = "write a token-set ratio from 0 to 100 there, or leave the key out and it is computed; under a key of your own, null";

impl Reading {
    fn add(&mut self, lines: &Lines<'_>, record: &str, place: usize) {
        match serde_json::from_str::<Triplet>(record) {
            Ok(triplet) => {
                self.blanks.extend(blank(lines, record, place, &triplet));
                self.triplets.push((lines.place(place).0, triplet));
            }
            Err(error) => {
                let row = self.triplets.len() + self.problems.len() + 1;
                self.problems
                    .push(no_triplet(lines, record, place, row, &error));
            }
        }
    }
}

/// The first text of a triplet that says nothing.
fn blank(lines: &Lines<'_>, record: &str, place: usize, triplet: &Triplet) -> Option<Problem> {
    let texts = [
        ("anchor", &triplet.anchor),
        ("positive", &triplet.positive),
        ("negative", &triplet.negative),
    ];
    let (key, text) = texts.into_iter().find(|(_, text)| text.trim().is_empty())?;
    // Its value is a slice of the record, so its place is where it begins in memory.
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(record).ok()?;
    let value = members.get(key)?.get();
    let inside = (value.as_ptr() as usize).wrapping_sub(record.as_ptr() as usize);
    let what = if text.is_empty() { "empty" } else { "blank" };
    let message = format!("the {key} of this triplet is {what}");
    let remedy = "every triplet needs `anchor`, `positive` and `negative`, each with words; `ava filter` drops a record without";
    Some(Problem::at(lines, place + inside, message, remedy))
}

fn no_triplet(
    lines: &Lines<'_>,
    record: &str,
    place: usize,
    row: usize,
    error: &serde_json::Error,
) -> Problem {
    // What is missing is nowhere: the record's beginning stands for it.
    if let Some(key) = words(error).strip_prefix("missing field ") {
        let message = format!("this triplet has no {key}");
        let remedy = "every triplet needs `anchor`, `positive` and `negative`, each a text";
        return Problem::at(lines, place, message, remedy);
    }
    let remedy = if !record.starts_with('{') {
        ARRAY.remedy
    } else if error.is_data() {
        "texts are JSON strings, scores JSON numbers from 0 to 100, and no key comes twice"
    } else {
        "each record is a JSON object, on one line unless the file is an array"
    };
    let expected = Expected { remedy, ..ARRAY };
    fault(record, error, &expected).in_record(lines, place, row)
}

/// Triplets as one JSON array, a record a line.
pub fn to_json_array<T: serde::Serialize>(records: &[T]) -> Result<String, serde_json::Error> {
    let mut text = String::from("[");
    for (place, record) in records.iter().enumerate() {
        text.push_str(if place == 0 { "\n" } else { ",\n" });
        text.push_str(&serde_json::to_string(record)?);
    }
    text.push_str(if records.is_empty() { "]\n" } else { "\n]\n" });
    Ok(text)
}
