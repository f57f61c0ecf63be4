//! Exact decimal values of any length: what two number cells are compared by.

use std::fmt;

/// Digits that always fit an `i64`; longer mantissas go to the heap.
const SMALL_DIGITS: usize = 18;

/// The exact value of a decimal number, `mantissa × 10^exponent`.
///
/// Every value has one representation (the mantissa ends in no zero), so equality and hashing are by value:
///
/// ```
/// use table::Decimal;
///
/// let value = Decimal::parse("144").unwrap();
/// assert_eq!(Decimal::parse("1.44e2"), Some(value.clone()));
/// assert_eq!(Decimal::parse("+0144.00"), Some(value));
/// assert_eq!(Decimal::parse("-0"), Decimal::parse("0"));
/// assert_eq!(Decimal::parse("1,440"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal(Repr);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Repr {
    Small { mantissa: i64, exponent: i32 },
    Big(Box<Big>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Big {
    negative: bool,
    /// ASCII digits, neither starting nor ending in zero.
    digits: Box<[u8]>,
    exponent: i32,
}

/// A decimal and whether the text it was read from is how [`Decimal`] prints it, so that the text need not be kept.
pub(crate) struct Parsed {
    pub(crate) value: Decimal,
    pub(crate) canonical: bool,
}

impl Decimal {
    /// Reads `[+-]digits[.digits][e[+-]digits]`; `None` for anything else, white space and separators included.
    ///
    /// An exponent outside ±10⁹ is not read: no result carries one, and its value could not be printed.
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_lexical(text.as_bytes()).map(|parsed| parsed.value)
    }

    pub(crate) fn parse_lexical(bytes: &[u8]) -> Option<Parsed> {
        let (negative, signed, unsigned) = match bytes {
            [b'-', rest @ ..] => (true, true, rest),
            [b'+', rest @ ..] => (false, true, rest),
            _ => (false, false, bytes),
        };
        let whole_len = digits_len(unsigned);
        let (whole, rest) = unsigned.split_at(whole_len);
        let (fraction, rest, dotted) = match rest {
            [b'.', rest @ ..] => {
                let (fraction, rest) = rest.split_at(digits_len(rest));
                (fraction, rest, true)
            }
            _ => (&[][..], rest, false),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let written_exponent = match rest {
            [] => None,
            [b'e' | b'E', rest @ ..] => Some(parse_exponent(rest)?),
            _ => return None,
        };
        let leading_zero = whole.len() > 1 && whole[0] == b'0';
        let value = Self::from_digits(negative, whole, fraction, written_exponent.unwrap_or(0))?;
        let canonical = written_exponent.is_none()
            && !leading_zero
            && !whole.is_empty()
            && (negative || !signed)
            && (!dotted || fraction.last().is_some_and(|&last| last != b'0'))
            && !(negative && value.is_zero());
        Some(Parsed { value, canonical })
    }

    fn from_digits(negative: bool, whole: &[u8], fraction: &[u8], exponent: i64) -> Option<Self> {
        let exponent = exponent - i64::try_from(fraction.len()).ok()?;
        if whole.len() + fraction.len() <= SMALL_DIGITS {
            let digits = whole.iter().chain(fraction);
            let magnitude = digits.fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
            return Self::small_from(negative, magnitude, exponent);
        }
        let digits: Vec<u8> = [whole, fraction].concat();
        let first = digits.iter().position(|&digit| digit != b'0');
        let last = digits.iter().rposition(|&digit| digit != b'0');
        let (Some(first), Some(last)) = (first, last) else {
            return Some(Self::zero());
        };
        let exponent = exponent + i64::try_from(digits.len() - 1 - last).ok()?;
        let digits = &digits[first..=last];
        if digits.len() <= SMALL_DIGITS {
            let magnitude = digits
                .iter()
                .fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
            return Self::small_from(negative, magnitude, exponent);
        }
        Some(Self(Repr::Big(Box::new(Big {
            negative,
            digits: digits.into(),
            exponent: i32::try_from(exponent).ok()?,
        }))))
    }

    fn small_from(negative: bool, magnitude: i64, exponent: i64) -> Option<Self> {
        if magnitude == 0 {
            return Some(Self::zero());
        }
        let (mut magnitude, mut exponent) = (magnitude, exponent);
        while magnitude % 10 == 0 {
            magnitude /= 10;
            exponent += 1;
        }
        Some(Self(Repr::Small {
            mantissa: if negative { -magnitude } else { magnitude },
            exponent: i32::try_from(exponent).ok()?,
        }))
    }

    fn zero() -> Self {
        Self(Repr::Small {
            mantissa: 0,
            exponent: 0,
        })
    }

    pub(crate) fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small { exponent, .. } => *exponent >= 0,
            Repr::Big(big) => big.exponent >= 0,
        }
    }

    fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small { mantissa: 0, .. })
    }

    /// Mantissa and exponent where the mantissa fits an `i64`; `None` for the rare longer ones.
    ///
    /// For hashing and for quick comparison: every value has exactly one such pair.
    pub fn small(&self) -> Option<(i64, i32)> {
        match self.0 {
            Repr::Small { mantissa, exponent } => Some((mantissa, exponent)),
            Repr::Big(_) => None,
        }
    }
}

fn digits_len(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(bytes.len())
}

fn parse_exponent(bytes: &[u8]) -> Option<i64> {
    const LIMIT: i64 = 1_000_000_000;
    let (negative, digits) = match bytes {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, bytes),
    };
    if digits.is_empty() || digits_len(digits) != digits.len() {
        return None;
    }
    let mut value = 0_i64;
    for digit in digits {
        value = value * 10 + i64::from(digit - b'0');
        if value > LIMIT {
            return None;
        }
    }
    Some(if negative { -value } else { value })
}

/// Exponents up to this many zeros are written out; beyond, `e` notation keeps a cell readable (and its size bounded).
const WRITTEN_OUT: i32 = 40;

impl fmt::Display for Decimal {
    /// Plain notation (`-0.05`, `1440`); `1e50` where plain notation would be mostly zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let small;
        let (negative, digits, exponent) = match &self.0 {
            Repr::Small { mantissa, exponent } => {
                small = mantissa.unsigned_abs().to_string();
                (*mantissa < 0, small.as_str(), *exponent)
            }
            Repr::Big(big) => (
                big.negative,
                std::str::from_utf8(&big.digits).map_err(|_| fmt::Error)?,
                big.exponent,
            ),
        };
        if negative {
            f.write_str("-")?;
        }
        let zeros = usize::try_from(exponent.unsigned_abs()).map_err(|_| fmt::Error)?;
        if exponent > WRITTEN_OUT || (exponent < 0 && zeros > digits.len() + WRITTEN_OUT as usize) {
            return write!(f, "{digits}e{exponent}");
        }
        if exponent >= 0 {
            return write!(f, "{digits}{:0<zeros$}", "");
        }
        match digits.len().checked_sub(zeros) {
            Some(0) | None => write!(f, "0.{digits:0>zeros$}"),
            Some(whole) => write!(f, "{}.{}", &digits[..whole], &digits[whole..]),
        }
    }
}
