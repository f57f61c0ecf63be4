//! What a cell is compared by: the key's types give an answer's text its meaning.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use table::{
    Cell, Decimal, NumberValue, comparable_iri, comparable_text, parse_double, parse_float,
};

/// A cell's value. Two cells are equal if and only if their values are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Missing,
    /// A blank node's label; labels of different tables are never compared.
    Blank(&'a str),
    Iri(&'a str),
    Text(Cow<'a, str>),
    Boolean(bool),
    Exact(Decimal),
    /// The bits of a double that is neither −0 nor a NaN with a payload.
    Double(u64),
    /// The bits of such a float.
    Float(u32),
}

impl<'a> Value<'a> {
    /// The value of a typed cell.
    pub(crate) fn of_cell(cell: &'a Cell) -> Self {
        match cell {
            Cell::Missing => Self::Missing,
            Cell::Blank(label) => Self::Blank(label),
            Cell::Iri(iri) => Self::Iri(comparable_iri(iri)),
            Cell::Boolean(value) => Self::Boolean(*value),
            Cell::Text(text) => match comparable_text(text) {
                text if text.is_empty() => Self::Missing,
                text => Self::Text(text),
            },
            Cell::Number(number) => match number.value() {
                NumberValue::Exact(value) => Self::Exact(value.clone()),
                NumberValue::Double(value) => Self::double(*value),
                NumberValue::Float(value) => Self::float(*value),
            },
        }
    }

    fn double(value: f64) -> Self {
        let value = if value.is_nan() { f64::NAN } else { value };
        Self::Double(value.to_bits())
    }

    fn float(value: f32) -> Self {
        let value = if value.is_nan() { f32::NAN } else { value };
        Self::Float(value.to_bits())
    }

    /// Whether this is the value of a typed cell; what [`Value::of_cell`] and `==` say, without making the other value
    /// where a look at the bytes is enough.
    pub(crate) fn is_of(&self, cell: &Cell) -> bool {
        match (self, cell) {
            (Self::Iri(left), Cell::Iri(right)) if **right == **left => true,
            (Self::Text(left), Cell::Text(right)) if **right == **left => true,
            _ => *self == Value::of_cell(cell),
        }
    }

    pub(crate) fn hash_into(&self, hasher: &mut RowHasher) {
        match self {
            Self::Missing => hasher.word(u64::MAX),
            Self::Blank(label) => hasher.bytes(1, label.as_bytes()),
            Self::Iri(iri) => hasher.bytes(2, iri.as_bytes()),
            Self::Text(text) => hasher.bytes(3, text.as_bytes()),
            Self::Boolean(value) => hasher.word(4 + u64::from(*value)),
            Self::Exact(value) => match value.small() {
                Some((mantissa, exponent)) => {
                    hasher.word(mantissa.cast_unsigned());
                    hasher.word(u64::from(exponent.cast_unsigned()));
                }
                None => hasher.bytes(6, value.to_string().as_bytes()),
            },
            Self::Double(bits) => hasher.word(*bits),
            Self::Float(bits) => hasher.word(u64::from(*bits)),
        }
    }
}

impl Hash for Value<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut hasher = RowHasher::default();
        self.hash_into(&mut hasher);
        state.write_u64(hasher.finish());
    }
}

/// A quick hash with 64 bits on every platform. Nothing but speed depends on it: equal hashes are always checked, and
/// nothing is read out of a table in hash order.
#[derive(Clone, Copy)]
pub(crate) struct RowHasher(u64);

/// 2⁶⁴ divided by the golden ratio: odd, and without pattern.
const MIXER: u64 = 0x9E37_79B9_7F4A_7C15;

impl Default for RowHasher {
    /// Not zero, from which zeros would lead nowhere else.
    fn default() -> Self {
        Self(MIXER)
    }
}

impl RowHasher {
    #[inline]
    pub(crate) fn word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(MIXER);
    }

    #[inline]
    fn bytes(&mut self, tag: u64, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        match bytes.last_chunk::<8>() {
            _ if rest.is_empty() => {}
            // Overlapping the word before is quicker than gathering the rest.
            Some(last) => self.word(u64::from_le_bytes(*last)),
            None => {
                let gather = |word, &byte: &u8| word << 8 | u64::from(byte);
                self.word(rest.iter().fold(0, gather));
            }
        }
        self.word(tag << 56 ^ bytes.len() as u64);
    }

    #[cfg(test)]
    pub(crate) fn state(self) -> u64 {
        self.0
    }

    #[inline]
    pub(crate) fn finish(self) -> u64 {
        // The high bits are the well-mixed ones, and tables index by the low ones.
        self.0 ^ (self.0 >> 32)
    }
}

/// The kinds of cells that a column of the key holds: what an answer's text in that column may mean.
#[expect(
    clippy::struct_excessive_bools,
    reason = "one flag per kind of cell: a column may hold any of them"
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds {
    blank: bool,
    iri: bool,
    text: bool,
    boolean: bool,
    exact: bool,
    double: bool,
    float: bool,
}

impl Kinds {
    pub(crate) fn of_column<'c>(cells: impl IntoIterator<Item = &'c Cell>) -> Self {
        let mut kinds = Self::default();
        for cell in cells {
            kinds.add(cell);
        }
        kinds
    }

    #[inline]
    pub(crate) fn add(&mut self, cell: &Cell) {
        match cell {
            Cell::Missing => {}
            Cell::Blank(_) => self.blank = true,
            Cell::Iri(_) => self.iri = true,
            Cell::Text(_) => self.text = true,
            Cell::Boolean(_) => self.boolean = true,
            Cell::Number(number) => match number.value() {
                NumberValue::Exact(_) => self.exact = true,
                NumberValue::Double(_) => self.double = true,
                NumberValue::Float(_) => self.float = true,
            },
        }
    }

    /// Whether a text can mean a cell of this column. Blank nodes never do by themselves.
    #[inline]
    pub(crate) fn can_mean(self, text: &str, cell: &Cell) -> bool {
        match cell {
            Cell::Iri(same) | Cell::Text(same) if **same == *text => return true,
            _ => {}
        }
        let mut found = false;
        self.read(text, |value| {
            found |= !matches!(value, Value::Blank(_)) && value.is_of(cell);
        });
        found
    }

    /// Calls `reading` with every value that a text may have in this column: one in a column of one kind, none where the
    /// text fits no kind, several where a column mixes kinds (`7` beside `"7"`).
    #[inline]
    pub(crate) fn read<'a>(self, text: &'a str, mut reading: impl FnMut(Value<'a>)) {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            reading(Value::Missing);
            return;
        }
        if self.iri {
            reading(Value::Iri(comparable_iri(trimmed)));
        }
        if self.exact
            && let Some(value) = Decimal::parse(trimmed)
        {
            reading(Value::Exact(value));
        }
        if self.text {
            reading(Value::Text(comparable_text(trimmed)));
        }
        if self.double
            && let Some(value) = parse_double(trimmed)
        {
            reading(Value::double(value));
        }
        if self.float
            && let Some(value) = parse_float(trimmed)
        {
            reading(Value::float(value));
        }
        if self.boolean
            && let Some(value) = parse_boolean(trimmed)
        {
            reading(Value::Boolean(value));
        }
        if self.blank
            && let Some(label) = trimmed.strip_prefix("_:")
        {
            reading(Value::Blank(label));
        }
    }
}

/// true, false, 1 and 0, in any case.
pub(crate) fn parse_boolean(text: &str) -> Option<bool> {
    if text == "1" || text.eq_ignore_ascii_case("true") {
        Some(true)
    } else if text == "0" || text.eq_ignore_ascii_case("false") {
        Some(false)
    } else {
        None
    }
}
