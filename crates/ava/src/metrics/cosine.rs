//! Cosines of a triplet's vectors.

use serde::{Deserialize, Deserializer, Serialize};

use super::MetricsError;
use crate::filter::Text;
use crate::json::{Between, Expected, Records, fault, nothing_in, utf8};
use crate::problem::{Lines, Problem, words};

/// The cosines of a triplet's vectors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cosines {
    /// Anchor and positive.
    #[serde(deserialize_with = "known_cosine")]
    pub anchor_positive: f64,
    /// Anchor and negative.
    #[serde(deserialize_with = "known_cosine")]
    pub anchor_negative: f64,
    /// Positive and negative.
    #[serde(deserialize_with = "known_cosine")]
    pub positive_negative: f64,
}

/// What a cosine is.
const COSINE: Between = Between {
    what: "a cosine",
    least: -1.0,
    most: 1.0,
    rounding: 1e-5,
};

fn known_cosine<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    COSINE.read(from)
}

const EXPECTED: Expected<'_> = Expected {
    what: "JSON array of cosines",
    remedy: "give one object for each triplet, with anchor_positive, anchor_negative and positive_negative, each a number from -1 to 1",
    number: "write that row's cosine there, a number from -1 to 1; where its vectors give none, compute them again",
    texts: &[],
};

/// Reads the cosines of so many triplets, in their order: a JSON array of objects, or one object a line.
///
/// ```
/// let row = r#"{"anchor_positive": 0.9, "anchor_negative": 0.8, "positive_negative": 0.25}"#;
/// assert_eq!(ava::read_cosines(row.as_bytes(), 1)?[0].anchor_positive, 0.9);
/// let problem = ava::read_cosines(row.replace("0.8", "NaN").as_bytes(), 1).unwrap_err();
/// assert_eq!(
///     problem.to_string(),
///     "1:45: row 1: NaN stands where a number of `anchor_negative` is due, and JSON has no such number"
/// );
/// # Ok::<(), ava::Problem>(())
/// ```
pub fn read_cosines(bytes: &[u8], triplets: usize) -> Result<Vec<Cosines>, Problem> {
    let text = utf8(bytes)?;
    if let Some(nothing) = nothing_in(text, "cosines", EXPECTED.remedy) {
        return Err(nothing);
    }
    let lines = Lines::of(text);
    let records = Records::of(text).whole(&lines, text, &EXPECTED)?;
    let mut cosines = Vec::with_capacity(records.found.len());
    for (row, (place, record)) in records.found.iter().enumerate() {
        let read = serde_json::from_str(record);
        cosines.push(read.map_err(|error| {
            // What is missing is nowhere: the record's beginning stands for it.
            if let Some(key) = words(&error).strip_prefix("missing field ") {
                let message = format!("row {}: there is no {key}", row + 1);
                return Problem::at(&lines, *place, message, EXPECTED.remedy);
            }
            fault(record, &error, &EXPECTED).in_record(&lines, *place, row + 1)
        })?);
    }
    let found = cosines.len();
    if found == triplets {
        return Ok(cosines);
    }
    // At the first that is too many, or behind the last.
    let place = records.found.get(triplets).map(|(place, _)| *place);
    Err(Problem::at(
        &lines,
        place.unwrap_or(text.trim_end().len()),
        format!("rows of cosines: {found}; of triplets: {triplets}"),
        EXPECTED.remedy,
    ))
}

impl Cosines {
    /// Whether a number may be a cosine.
    pub(super) fn is_one(number: f64) -> bool {
        COSINE.holds(number)
    }

    /// How much nearer to the anchor the positive is than the negative.
    pub fn margin(&self) -> f64 {
        self.anchor_positive - self.anchor_negative
    }

    /// Whether the positive is nearer; a tie is wrong.
    pub fn is_right(&self) -> bool {
        self.margin() > 0.0
    }

    /// The cosines of three vectors of equal length. `row`, from 1, is what an error names: a component that is no finite
    /// number, a vector without a direction, a length that does not fit.
    ///
    /// ```
    /// use ava::{Cosines, MetricsError};
    ///
    /// let cosines = Cosines::of(1, &[1.0, 0.0], &[3.0, 4.0], &[0.0, 2.0])?;
    /// assert_eq!((cosines.anchor_positive, cosines.anchor_negative), (0.6, 0.0));
    /// let error = Cosines::of(7, &[1.0, 0.0], &[f32::NAN, 1.0], &[0.0, 2.0]).unwrap_err();
    /// assert_eq!(error.to_string(), "row 7: component 1 of the positive's vector is NaN");
    /// # Ok::<(), MetricsError>(())
    /// ```
    pub fn of<T: Copy + Into<f64>>(
        row: usize,
        anchor: &[T],
        positive: &[T],
        negative: &[T],
    ) -> Result<Self, MetricsError> {
        let vectors = [
            (Text::Anchor, anchor),
            (Text::Positive, positive),
            (Text::Negative, negative),
        ];
        let mut scales = [1.0; 3];
        let mut norms = [0.0; 3];
        for (((text, vector), norm), scale) in vectors.into_iter().zip(&mut norms).zip(&mut scales)
        {
            if vector.len() != anchor.len() {
                return Err(MetricsError::Dimensions {
                    row,
                    text,
                    found: vector.len(),
                    expected: anchor.len(),
                });
            }
            let values = vector.iter().map(|value| -> f64 { (*value).into() });
            if let Some((place, value)) = values.clone().enumerate().find(|one| !one.1.is_finite())
            {
                return Err(MetricsError::NotFinite {
                    row,
                    text,
                    component: place + 1,
                    value,
                });
            }
            let greatest = values.map(f64::abs).fold(0.0, f64::max);
            if greatest == 0.0 {
                return Err(MetricsError::Zero { row, text });
            }
            *scale = scale_of(greatest);
            *norm = dot((vector, *scale), (vector, *scale)).sqrt();
        }
        let of = |first: usize, second: usize| {
            let both = [first, second].map(|at: usize| (vectors[at].1, scales[at]));
            dot(both[0], both[1]) / (norms[first] * norms[second])
        };
        Ok(Self {
            anchor_positive: of(0, 1),
            anchor_negative: of(0, 2),
            positive_negative: of(1, 2),
        })
    }
}

/// The cosine of two vectors of equal length, in double precision; `None` where one of them has no direction or a
/// component is no finite number.
pub fn cosine(first: &[f32], second: &[f32]) -> Option<f64> {
    if first.len() != second.len() {
        return None;
    }
    // Products of any two `f32` fit in a double, so nothing overflows or vanishes on the way.
    let (first, second) = ((first, 1.0), (second, 1.0));
    let cosine = dot(first, second) / (dot(first, first).sqrt() * dot(second, second).sqrt());
    cosine.is_finite().then_some(cosine)
}

/// What a vector's components are multiplied by, so that their squares fit in a double: 1 where they do. A power of two
/// rounds nothing.
fn scale_of(greatest: f64) -> f64 {
    if (1e-100..=1e100).contains(&greatest) {
        return 1.0;
    }
    2_f64.powf(-greatest.log2().floor().clamp(-1_022.0, 1_022.0))
}

/// The scalar product of two vectors, each with its scale.
fn dot<T: Copy + Into<f64>>((first, by): (&[T], f64), (second, of): (&[T], f64)) -> f64 {
    let products = first.iter().zip(second);
    products
        .map(|(&a, &b)| (a.into() * by) * (b.into() * of))
        .sum()
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these figures are exact")]
mod tests {
    use super::*;

    type Case<'v> = (&'v [f32], &'v [f32], &'v [f32], &'v str);

    /// 64 bits are not rounded to fewer, and neither overflow nor vanish.
    #[test]
    fn doubles_are_taken_as_they_are() {
        let of = |anchor: &[f64], positive: &[f64], negative: &[f64]| {
            Cosines::of(1, anchor, positive, negative).unwrap()
        };
        let cosines = of(&[1.0, 0.0], &[1.0, 1.0], &[1.0, 1.0 + 1e-9]);
        assert!(cosines.is_right() && cosines.margin() < 1e-9);
        for scale in [1e300, 1e200, 1e-200, 1e-310] {
            let scaled = of(&[scale, 0.0], &[3.0 * scale, 4.0 * scale], &[0.0, -scale]);
            assert!((scaled.anchor_positive - 0.6).abs() < 1e-12, "{scale}");
            assert_eq!(scaled.anchor_negative, 0.0);
            assert!((scaled.positive_negative + 0.8).abs() < 1e-12, "{scale}");
        }
    }

    #[test]
    fn what_has_no_cosine_is_an_error_with_its_row() {
        let good: &[f32] = &[1.0, 2.0];
        let cases: [Case<'_>; 6] = [
            (
                &[1.0, f32::NAN],
                good,
                good,
                "row 3: component 2 of the anchor's vector is NaN",
            ),
            (
                good,
                &[f32::INFINITY, 0.0],
                good,
                "row 3: component 1 of the positive's vector is inf",
            ),
            (
                good,
                good,
                &[0.0, f32::NEG_INFINITY],
                "row 3: component 2 of the negative's vector is -inf",
            ),
            (
                good,
                &[0.0, -0.0],
                good,
                "row 3: the positive's vector is zero in every component, so it has no cosine",
            ),
            (
                good,
                good,
                &[1.0],
                "row 3: the negative's vector has 1 components, the anchor's 2",
            ),
            (
                &[],
                &[],
                &[],
                "row 3: the anchor's vector is zero in every component, so it has no cosine",
            ),
        ];
        for (anchor, positive, negative, expected) in cases {
            let error = Cosines::of(3, anchor, positive, negative).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn length_makes_no_difference_however_small_or_large() {
        for scale in [1e-40_f32, 1e-20, 1.0, 1e20, 1e38] {
            let scaled = [scale, scale];
            let cosines = Cosines::of(1, &[1.0, 0.0], &scaled, &[0.0, scale]).unwrap();
            assert!(
                (cosines.anchor_positive - 0.5_f64.sqrt()).abs() < 1e-7,
                "{scale}"
            );
            assert_eq!(cosines.anchor_negative, 0.0);
            assert_eq!(cosine(&scaled, &[0.0, 0.0]), None);
            assert_eq!(cosine(&scaled, &[0.0]), None);
        }
    }

    #[test]
    fn a_cosine_read_is_one() {
        let read = |figure: &str| {
            let text = format!(
                "{{\"anchor_positive\": 1.000001, \"anchor_negative\": -1,\n\"positive_negative\": {figure}}}"
            );
            serde_json::from_str::<Cosines>(&text)
        };
        assert!(read("0.5").is_ok());
        for figure in ["2.5", "-1.1"] {
            let error = read(figure).unwrap_err();
            let said = error.to_string();
            assert!(
                said.contains(&format!("from -1 to 1, found {figure}")),
                "{said}"
            );
            assert_eq!(error.line(), 2, "{said}");
        }
    }
}
