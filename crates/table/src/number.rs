//! Number cells: a value to compare by and the text it was written as.

use std::borrow::Cow;
use std::fmt;

use crate::decimal::Decimal;

/// Which value space a number's datatype has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberKind {
    /// `xsd:integer` and the types derived from it.
    Integer,
    /// `xsd:decimal`.
    Decimal,
    /// `xsd:double`, 64 bits.
    Double,
    /// `xsd:float`, 32 bits.
    Float,
}

/// The value of a number in the value space of its kind.
#[derive(Clone, Debug)]
pub enum NumberValue {
    /// Integers and decimals, exactly.
    Exact(Decimal),
    /// Doubles, rounded to 64 bits; zero is never negative.
    Double(f64),
    /// Floats, rounded to 32 bits; zero is never negative.
    Float(f32),
}

/// A number as a result set holds it.
///
/// ```
/// use table::{Number, NumberKind};
///
/// let count = Number::parse("0144", NumberKind::Integer).unwrap();
/// assert_eq!(count.lexical(), "0144");
/// assert!(count.equals("1.44e2"));
/// assert!(!count.equals("144.5"));
/// ```
///
/// `==` is structural (same kind, same text); [`Number::equals`] is by value.
#[derive(Clone, Debug)]
pub struct Number {
    value: NumberValue,
    /// `None` where the value prints as it was written and is an integer or decimal by its looks, which spares the usual
    /// cell an allocation, and every cell some room.
    written: Option<Box<Written>>,
}

#[derive(Clone, Debug)]
struct Written {
    lexical: Box<str>,
    kind: NumberKind,
}

impl Number {
    /// Reads a lexical form of the given kind; `None` where it is not one (`INF` is a double, not an integer).
    pub fn parse(lexical: &str, kind: NumberKind) -> Option<Self> {
        let text = lexical.trim_ascii();
        let mut as_written = false;
        let value = match kind {
            NumberKind::Integer | NumberKind::Decimal => {
                let parsed = Decimal::parse_lexical(text.as_bytes())?;
                as_written = parsed.canonical
                    && text.len() == lexical.len()
                    && kind_by_looks(&parsed.value) == kind;
                NumberValue::Exact(parsed.value)
            }
            NumberKind::Double => NumberValue::Double(parse_double(text)?),
            NumberKind::Float => NumberValue::Float(parse_float(text)?),
        };
        let written = (!as_written).then(|| {
            Box::new(Written {
                lexical: lexical.into(),
                kind,
            })
        });
        Some(Self { value, written })
    }

    /// The number's datatype, as far as values are concerned.
    pub fn kind(&self) -> NumberKind {
        match (&self.written, &self.value) {
            (Some(written), _) => written.kind,
            (None, NumberValue::Exact(value)) => kind_by_looks(value),
            (None, NumberValue::Double(_)) => NumberKind::Double,
            (None, NumberValue::Float(_)) => NumberKind::Float,
        }
    }

    /// The value to compare by.
    pub fn value(&self) -> &NumberValue {
        &self.value
    }

    /// The text as it was written.
    pub fn lexical(&self) -> Cow<'_, str> {
        match (&self.written, &self.value) {
            (Some(written), _) => Cow::Borrowed(&written.lexical),
            (None, NumberValue::Exact(value)) => Cow::Owned(value.to_string()),
            (None, NumberValue::Double(value)) => Cow::Owned(value.to_string()),
            (None, NumberValue::Float(value)) => Cow::Owned(value.to_string()),
        }
    }

    /// Whether a text without a type means this number: exactly for integers and decimals, by the rounded value for
    /// doubles and floats.
    pub fn equals(&self, text: &str) -> bool {
        let text = text.trim();
        match &self.value {
            NumberValue::Exact(value) => Decimal::parse(text).as_ref() == Some(value),
            NumberValue::Double(value) => {
                parse_double(text).is_some_and(|other| same(other, *value))
            }
            NumberValue::Float(value) => {
                parse_float(text).is_some_and(|other| same(other.into(), (*value).into()))
            }
        }
    }
}

fn kind_by_looks(value: &Decimal) -> NumberKind {
    if value.is_integer() {
        NumberKind::Integer
    } else {
        NumberKind::Decimal
    }
}

/// NaN is the same cell as NaN, though not the same number.
fn same(left: f64, right: f64) -> bool {
    left.to_bits() == right.to_bits() || (left.is_nan() && right.is_nan())
}

/// Reads a text as a double: `INF`, `-INF`, `NaN` and the spellings of other languages included; −0 becomes 0.
pub fn parse_double(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().map(|value| value + 0.0)
}

/// Reads a text as a float, like [`parse_double`].
pub fn parse_float(text: &str) -> Option<f32> {
    text.parse::<f32>().ok().map(|value| value + 0.0)
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.kind() == other.kind() && self.lexical() == other.lexical()
    }
}

impl Eq for Number {}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lexical())
    }
}
