//! Triplets with what a model makes of each.

use serde::{Serialize, Serializer};

use super::Cosines;
use crate::triplet::{Member, Triplet};

const KEYS: [&str; 3] = ["anchor_positive", "anchor_negative", "positive_negative"];

/// A triplet with a model's cosines. Its record is the triplet's own with `anchor_positive`, `anchor_negative` and
/// `positive_negative` beside, so that a file of them is read as triplets and as cosines.
///
/// ```
/// use ava::Detailed;
///
/// let record = r#"{"anchor":"a","positive":"b","negative":"c","anchor_positive":0.25,"anchor_negative":0.5,"positive_negative":0.0}"#;
/// let detailed = Detailed::of(serde_json::from_str(record)?).unwrap();
/// assert!(!detailed.cosines.is_right());
/// assert_eq!(serde_json::to_string(&detailed)?, record);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Detailed {
    /// The triplet.
    pub triplet: Triplet,
    /// What the model's vectors make of it.
    pub cosines: Cosines,
}

impl Detailed {
    /// Takes the cosines out of a triplet's further keys; an error names the one that is missing or is none.
    pub fn of(mut triplet: Triplet) -> Result<Self, String> {
        let mut cosines = [0.0; 3];
        for (key, cosine) in KEYS.into_iter().zip(&mut cosines) {
            *cosine = match triplet.extra.take(key) {
                None => return Err(format!("this triplet has no cosine `{key}`")),
                Some(value) => serde_json::from_str(value.get())
                    .ok()
                    .filter(|cosine| Cosines::is_one(*cosine))
                    .ok_or_else(|| {
                        format!("expected a cosine from -1 to 1 as `{key}`, found {value}")
                    })?,
            };
        }
        let [anchor_positive, anchor_negative, positive_negative] = cosines;
        Ok(Self {
            triplet,
            cosines: Cosines {
                anchor_positive,
                anchor_negative,
                positive_negative,
            },
        })
    }
}

impl Serialize for Detailed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut entries = self.triplet.entries();
        // What another model made of the triplet is not this one's.
        entries.retain(|(key, _)| !KEYS.contains(key));
        let Cosines {
            anchor_positive,
            anchor_negative,
            positive_negative,
        } = self.cosines;
        let cosines = [anchor_positive, anchor_negative, positive_negative];
        entries.extend(KEYS.into_iter().zip(cosines.map(Member::Score)));
        serializer.collect_map(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_cosines_says_which() {
        let read = |cosines: &str| {
            let record = format!(r#"{{"anchor": "a", "positive": "b", "negative": "c"{cosines}}}"#);
            Detailed::of(serde_json::from_str(&record).unwrap())
        };
        let sound =
            r#", "anchor_positive": 1.000001, "anchor_negative": -1, "positive_negative": 0.5"#;
        assert!(read(sound).unwrap().cosines.is_right());
        for (cosines, expected) in [
            ("", "has no cosine `anchor_positive`"),
            (
                r#", "anchor_positive": 0.5"#,
                "has no cosine `anchor_negative`",
            ),
            (
                r#", "anchor_positive": 1.5"#,
                "from -1 to 1 as `anchor_positive`, found 1.5",
            ),
            (
                r#", "anchor_positive": "x""#,
                "as `anchor_positive`, found \"x\"",
            ),
            (
                r#", "anchor_positive": 1e999"#,
                "as `anchor_positive`, found 1e999",
            ),
            (
                r#", "anchor_positive": null"#,
                "as `anchor_positive`, found null",
            ),
        ] {
            let error = read(cosines).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn cosines_of_another_model_are_replaced() {
        let triplet: Triplet = serde_json::from_str(
            r#"{"anchor": "a", "positive": "b", "negative": "c", "anchor_positive": 0.1, "note": 7}"#,
        )
        .unwrap();
        let cosines = Cosines {
            anchor_positive: 0.75,
            anchor_negative: 0.5,
            positive_negative: 0.25,
        };
        let written = serde_json::to_string(&Detailed { triplet, cosines }).unwrap();
        assert_eq!(
            written,
            r#"{"anchor":"a","positive":"b","negative":"c","note":7,"anchor_positive":0.75,"anchor_negative":0.5,"positive_negative":0.25}"#
        );
    }
}
