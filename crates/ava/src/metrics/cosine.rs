//! Cosines of a triplet's vectors.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::MetricsError;
use crate::filter::Text;

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

/// A number from -1 to 1, but for the rounding of whoever computed it.
fn known_cosine<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let cosine = f64::deserialize(from)?;
    if Cosines::is_one(cosine) {
        Ok(cosine)
    } else {
        Err(D::Error::custom(format!(
            "expected a cosine from -1 to 1, found {cosine}"
        )))
    }
}

impl Cosines {
    /// Whether a number may be a cosine.
    pub(super) fn is_one(number: f64) -> bool {
        number.abs() <= 1.0 + 1e-5
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
    pub fn of(
        row: usize,
        anchor: &[f32],
        positive: &[f32],
        negative: &[f32],
    ) -> Result<Self, MetricsError> {
        let vectors = [
            (Text::Anchor, anchor),
            (Text::Positive, positive),
            (Text::Negative, negative),
        ];
        let mut norms = [0.0; 3];
        for ((text, vector), norm) in vectors.into_iter().zip(&mut norms) {
            if vector.len() != anchor.len() {
                return Err(MetricsError::Dimensions {
                    row,
                    text,
                    found: vector.len(),
                    expected: anchor.len(),
                });
            }
            let broken = vector
                .iter()
                .enumerate()
                .find(|(_, value)| !value.is_finite());
            if let Some((place, &value)) = broken {
                return Err(MetricsError::NotFinite {
                    row,
                    text,
                    component: place + 1,
                    value,
                });
            }
            *norm = dot(vector, vector).sqrt();
            if *norm == 0.0 {
                return Err(MetricsError::Zero { row, text });
            }
        }
        let of = |first: usize, second: usize| {
            dot(vectors[first].1, vectors[second].1) / (norms[first] * norms[second])
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
    let cosine = dot(first, second) / (dot(first, first).sqrt() * dot(second, second).sqrt());
    cosine.is_finite().then_some(cosine)
}

/// Squares of any two `f32` fit in a double, so nothing overflows or vanishes on the way.
fn dot(first: &[f32], second: &[f32]) -> f64 {
    let products = first.iter().zip(second);
    products.map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these figures are exact")]
mod tests {
    use super::*;

    type Case<'v> = (&'v [f32], &'v [f32], &'v [f32], &'v str);

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
