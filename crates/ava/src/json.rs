//! JSON that somebody gives us: read with the place of what is wrong, in characters of the file.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeOwned, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::problem::{Lines, Problem, words};

/// What a file of JSON is to hold, in the words of an error.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'w> {
    /// The whole: `result file`.
    pub what: &'w str,
    /// What to do where it is something else.
    pub remedy: &'w str,
    /// What to do where a number is due and something else stands: `write a finite number there`.
    pub number: &'w str,
    /// The keys whose values are texts.
    pub texts: &'w [&'w str],
}

/// What to do where a text is due and something else stands.
const TEXT: &str = "write a text there, in quotation marks";

/// Reads a file of JSON; an error has its place, whatever of the file is wrong. A byte order mark is no column.
///
/// ```
/// use ava::{Expected, read_json};
///
/// let expected = Expected { what: "list of figures", remedy: "give a list", number: "write a finite number there", texts: &[] };
/// assert_eq!(read_json::<Vec<f64>>(b"\xef\xbb\xbf[1.5]\r\n\r\n", &expected)?, [1.5]);
/// let problem = read_json::<Vec<f64>>("[0,\n Infinity]".as_bytes(), &expected).unwrap_err();
/// assert_eq!(problem.to_string(), "2:2: no list of figures: Infinity stands where a number is due, and JSON has no such number");
/// assert_eq!(problem.remedy.as_deref(), Some("write a finite number there"));
/// # Ok::<(), ava::Problem>(())
/// ```
pub fn read_json<T: DeserializeOwned>(bytes: &[u8], expected: &Expected<'_>) -> Result<T, Problem> {
    let text = utf8(bytes)?;
    let Expected { what, remedy, .. } = expected;
    if let Some(how) = emptiness(text) {
        return Err(Problem::at_the_start(
            format!("no {what}: the file {how}"),
            remedy,
        ));
    }
    serde_json::from_str(text).map_err(|error| {
        let fault = fault(text, &error, expected);
        let message = format!("no {what}: {}", fault.message);
        Problem::at(&Lines::of(text), fault.byte, message, &fault.remedy)
    })
}

/// What compressed files begin with: gzip's, zstd's, xz's and zip's.
const PACKED: [&[u8]; 4] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ", b"PK\x03\x04"];

/// A file's text without its byte order mark; bytes that are no UTF-8 are told with their place.
///
/// ```
/// assert_eq!(ava::utf8(b"\xef\xbb\xbfa")?, "a");
/// assert_eq!(ava::utf8(b"\xc3\xa9\n\xc3\xa9\xff").unwrap_err().to_string(), "2:2: this is not UTF-8");
/// let packed = ava::utf8(b"\x1f\x8b\x08\0").unwrap_err();
/// assert_eq!(packed.remedy.as_deref(), Some("the file is compressed: unpack it, and give what comes out"));
/// # Ok::<(), ava::Problem>(())
/// ```
pub fn utf8(bytes: &[u8]) -> Result<&str, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let before = String::from_utf8_lossy(valid);
        let before = before.strip_prefix('\u{FEFF}').unwrap_or(&before);
        let message = "this is not UTF-8".to_owned();
        let lines = Lines::of(before);
        let is_packed = PACKED.iter().any(|magic| bytes.starts_with(magic));
        let remedy = if is_packed {
            "the file is compressed: unpack it, and give what comes out"
        } else {
            "save the file as UTF-8"
        };
        Problem::at(&lines, before.len(), message, remedy)
    })?;
    Ok(text.strip_prefix('\u{FEFF}').unwrap_or(text))
}

/// How a text holds nothing, if it does.
fn emptiness(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        Some("is empty")
    } else {
        let is_blank = text.trim().is_empty();
        is_blank.then_some("holds nothing but white space")
    }
}

/// The problem of a file that holds nothing, not even a list of none; `None` where it holds something.
pub(crate) fn nothing_in(text: &str, what: &str, remedy: &str) -> Option<Problem> {
    let how = emptiness(text)?;
    Some(Problem::at_the_start(
        format!("no {what}: the file {how}"),
        remedy,
    ))
}

/// How the messages begin that are told at the end of a string.
const ENDS_WITH_A_STRING: [&str; 4] = [
    "invalid type: string",
    "invalid value: string",
    "unknown field",
    "unknown variant",
];

/// The messages that stand where a word is no JSON.
const OF_A_WORD: [&str; 3] = ["expected value", "expected ident", "invalid number"];

/// What is wrong in a text, and where in it.
pub(crate) struct Fault {
    /// The first byte of it.
    pub(crate) byte: usize,
    pub(crate) message: String,
    pub(crate) remedy: String,
    is_of_a_word: bool,
}

impl Fault {
    /// The problem of a record that begins at a byte of the file; where a word is no value, its row says which vectors it is of.
    pub(crate) fn in_record(self, lines: &Lines<'_>, place: usize, row: usize) -> Problem {
        let message = if self.is_of_a_word {
            format!("row {row}: {}", self.message)
        } else {
            self.message
        };
        Problem::at(lines, place + self.byte, message, &self.remedy)
    }
}

/// What `serde_json` found wrong. It tells the last character that it took; here it is the beginning of the value that is
/// wrong, and a word that somebody's JSON has for a number is told as that.
pub(crate) fn fault(text: &str, error: &serde_json::Error, expected: &Expected<'_>) -> Fault {
    let message = words(error);
    let byte = Lines::byte_of(text, 0, error);
    let plain = |byte| Fault {
        byte,
        message: message.clone(),
        remedy: expected.remedy.to_owned(),
        is_of_a_word: false,
    };
    if ENDS_WITH_A_STRING
        .iter()
        .any(|start| message.starts_with(start))
    {
        return plain(start_of_string(text, byte));
    }
    let Some((start, word)) = word_at(text, byte) else {
        return plain(byte);
    };
    let is_too_large = message == "number out of range";
    let is_word = OF_A_WORD.contains(&message.as_str()) && is_no_number(word);
    if !is_too_large && !is_word {
        // Only where the word itself is wrong: elsewhere it may stand just before what is.
        let is_own = error.is_data() && !message.starts_with("missing field");
        return plain(if is_own { start } else { byte });
    }
    let key = key_before(text, start);
    if let Some(key) = key.filter(|key| !is_too_large && expected.texts.contains(key)) {
        return Fault {
            byte: start,
            message: format!(
                "{word} stands where a text of `{key}` is due, and JSON has no such value"
            ),
            remedy: TEXT.to_owned(),
            is_of_a_word: true,
        };
    }
    let of = key.map(|key| format!(" of `{key}`")).unwrap_or_default();
    let why = if is_too_large {
        "it is beyond all numbers that are read"
    } else {
        "JSON has no such number"
    };
    Fault {
        byte: start,
        message: format!("{word} stands where a number{of} is due, and {why}"),
        remedy: expected.number.to_owned(),
        is_of_a_word: true,
    }
}

/// The word that a byte lies in, or that ends before it, with its place.
fn word_at(text: &str, byte: usize) -> Option<(usize, &str)> {
    let bytes = text.as_bytes();
    let is_of_word = |at: usize| {
        let byte = bytes.get(at);
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(byte))
    };
    let inside = match byte.checked_sub(1) {
        _ if is_of_word(byte) => byte,
        Some(before) if is_of_word(before) => before,
        _ => return None,
    };
    let start = (0..=inside).rev().take_while(|at| is_of_word(*at)).last()?;
    let end = (inside..bytes.len())
        .take_while(|at| is_of_word(*at))
        .last()?
        + 1;
    Some((start, text.get(start..end)?))
}

/// Whether a word is how some language writes a number that is none, or one without end.
fn is_no_number(word: &str) -> bool {
    let unsigned = word.trim_start_matches(['-', '+']);
    ["nan", "inf", "infinity"]
        .iter()
        .any(|known| unsigned.eq_ignore_ascii_case(known))
}

/// The key whose value begins at a byte.
fn key_before(text: &str, start: usize) -> Option<&str> {
    let before = text.get(..start)?.trim_end().strip_suffix(':')?.trim_end();
    let end = before.len().checked_sub(1)?;
    let begin = start_of_string(before, end);
    before.get(begin + 1..end)
}

/// Where the string begins whose last character is at a byte.
fn start_of_string(text: &str, end: usize) -> usize {
    let bytes = text.as_bytes();
    if bytes.get(end) != Some(&b'"') {
        return end;
    }
    let is_escaped = |at: usize| {
        let before = bytes.get(..at).unwrap_or_default().iter().rev();
        before.take_while(|byte| **byte == b'\\').count() % 2 == 1
    };
    let quotes = (0..end)
        .rev()
        .filter(|at| bytes.get(*at) == Some(&b'"') && !is_escaped(*at));
    quotes.take(1).next().unwrap_or(end)
}

/// The records of a file: the elements of one JSON array, or the lines that are not blank, told apart by the first character.
#[derive(Debug)]
pub(crate) struct Records<'t> {
    /// Each as it is written, with the byte of its beginning.
    pub(crate) found: Vec<(usize, &'t str)>,
    pub(crate) is_array: bool,
    /// Where the array is broken, after those that were found.
    broken: Option<serde_json::Error>,
}

impl<'t> Records<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let is_array = text.trim_start().starts_with('[');
        let mut found = Vec::new();
        let mut broken = None;
        if is_array {
            let mut elements = Vec::new();
            let mut reader = serde_json::Deserializer::from_str(text);
            let read = reader.deserialize_seq(Elements(&mut elements));
            broken = read.and_then(|()| reader.end()).err();
            found.extend(elements.into_iter().map(|element: &RawValue| {
                // The element is a slice of the text, so its place is where it begins in memory.
                let place = element.get().as_ptr() as usize;
                (place.wrapping_sub(text.as_ptr() as usize), element.get())
            }));
        } else {
            let mut place = 0;
            for line in text.split_inclusive('\n') {
                let indent = line.len() - line.trim_start().len();
                let record = line.trim();
                if !record.is_empty() {
                    found.push((place + indent, record));
                }
                place += line.len();
            }
        }
        Self {
            found,
            is_array,
            broken,
        }
    }

    /// Why the file is no array, where it begins as one and is none.
    pub(crate) fn whole(
        self,
        lines: &Lines<'_>,
        text: &str,
        expected: &Expected<'_>,
    ) -> Result<Self, Problem> {
        let Some(error) = &self.broken else {
            return Ok(self);
        };
        let mut fault = fault(text, error, expected);
        fault.message = format!("no {}: {}", expected.what, fault.message);
        Err(fault.in_record(lines, 0, self.found.len() + 1))
    }
}

/// The elements of an array, those before the first that is broken too.
struct Elements<'v, 't>(&'v mut Vec<&'t RawValue>);

impl<'t> Visitor<'t> for Elements<'_, 't> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut elements: A) -> Result<(), A::Error> {
        while let Some(element) = elements.next_element()? {
            self.0.push(element);
        }
        Ok(())
    }
}

/// A number between two others, but for the rounding of whoever computed it; `what` it is: `a cosine`.
pub(crate) struct Between {
    pub(crate) what: &'static str,
    pub(crate) least: f64,
    pub(crate) most: f64,
    pub(crate) rounding: f64,
}

impl Between {
    pub(crate) fn holds(&self, number: f64) -> bool {
        (self.least - self.rounding..=self.most + self.rounding).contains(&number)
    }

    pub(crate) fn read<'de, D: Deserializer<'de>>(&self, from: D) -> Result<f64, D::Error> {
        from.deserialize_f64(self)
    }

    /// The same, or null.
    pub(crate) fn read_if_known<'de, D: Deserializer<'de>>(
        &self,
        from: D,
    ) -> Result<Option<f64>, D::Error> {
        from.deserialize_option(IfKnown(self))
    }

    fn checked<E: serde::de::Error>(&self, number: f64) -> Result<f64, E> {
        if self.holds(number) {
            Ok(number)
        } else {
            Err(E::custom(format_args!("expected {self}, found {number}")))
        }
    }
}

impl fmt::Display for Between {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what, least, most, ..
        } = self;
        write!(formatter, "{what} from {least} to {most}")
    }
}

impl Visitor<'_> for &Between {
    type Value = f64;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<f64, E> {
        self.checked(number)
    }

    #[expect(clippy::cast_precision_loss, reason = "no number so large is between")]
    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<f64, E> {
        self.checked(number as f64)
    }

    #[expect(clippy::cast_precision_loss, reason = "no number so large is between")]
    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<f64, E> {
        self.checked(number as f64)
    }
}

struct IfKnown<'b>(&'b Between);

impl<'de> Visitor<'de> for IfKnown<'_> {
    type Value = Option<f64>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, or null", self.0)
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<Option<f64>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Option<f64>, D::Error> {
        self.0.read(from).map(Some)
    }
}
