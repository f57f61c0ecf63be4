//! What needs no model: letters or words counted.
//!
//! A negative has nearly the words of its anchor, so counting them puts it nearer than the paraphrase. What a model does
//! better than this it owes to more than the surface.

use sha2::{Digest as _, Sha256};

use super::{Encoder, EncoderError, Identity};

/// Components of a vector. Units are hashed to them, so that the vectors of a large set fit in memory.
const DIMENSIONS: usize = 512;
/// Goes into the fingerprint: another way of counting is another baseline.
const VERSION: &str = "2";

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// Three characters in a row, of words with a space on either side.
    Trigrams,
    /// Words: runs of letters and numbers.
    Words,
}

/// Counts of small units of a text, in lower case, as its vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    unit: Unit,
    identity: Identity,
}

impl Baseline {
    /// `trigrams` or `words`.
    pub fn named(name: &str) -> Option<Self> {
        let unit = match name {
            "trigrams" => Unit::Trigrams,
            "words" => Unit::Words,
            _ => return None,
        };
        let model = format!("baseline:{name}");
        let revision = format!("counts hashed to {DIMENSIONS} components, version {VERSION}");
        let fingerprint = Sha256::digest(format!("{model}\n{revision}")).into();
        Some(Self {
            unit,
            identity: Identity {
                model,
                revision,
                fingerprint,
            },
        })
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0; DIMENSIONS];
        let text = text.to_lowercase();
        let words = text.split(|c: char| !c.is_alphanumeric());
        let mut words = words.filter(|word| !word.is_empty()).peekable();
        if words.peek().is_none() {
            // `+` is a label too.
            for sign in text.chars().filter(|c| !c.is_whitespace()) {
                count(&mut vector, [sign].into_iter());
            }
        }
        for word in words {
            match self.unit {
                Unit::Words => count(&mut vector, word.chars()),
                Unit::Trigrams => {
                    let padded: Vec<char> = format!(" {word} ").chars().collect();
                    for trigram in padded.windows(3) {
                        count(&mut vector, trigram.iter().copied());
                    }
                }
            }
        }
        vector
    }
}

/// Adds one to the component that a unit's characters hash to (FNV-1a, the same on every machine).
fn count(vector: &mut [f32], unit: impl Iterator<Item = char>) {
    let hash = unit.fold(0xCBF2_9CE4_8422_2325_u64, |hash, c| {
        (hash ^ u64::from(c)).wrapping_mul(0x0100_0000_01B3)
    });
    // The low bits of a product are the weak ones.
    let place = usize::try_from(hash >> 40).unwrap_or_default() % vector.len().max(1);
    if let Some(component) = vector.get_mut(place) {
        *component += 1.0;
    }
}

impl Encoder for Baseline {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn batch_size(&self) -> usize {
        256
    }

    fn lanes(&self) -> usize {
        1
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncoderError> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(name: &str, first: &str, second: &str) -> f64 {
        let baseline = Baseline::named(name).unwrap();
        let vectors = baseline.encode(&[first, second]).unwrap();
        ava::cosine(&vectors[0], &vectors[1]).unwrap()
    }

    #[test]
    fn the_same_units_are_the_same_vector() {
        for name in ["trigrams", "words"] {
            let same = cosine(name, "An organ is a HEART.", "a heart, is an organ");
            assert!((same - 1.0).abs() < 1e-12, "{name}: {same}");
            let other = cosine(name, "every heart is an organ", "lungs breathe");
            assert!(other < 0.5, "{name}: {other}");
        }
    }

    #[test]
    fn an_inverted_statement_is_nearer_than_a_paraphrase() {
        let anchor = "Every heart is an organ.";
        for name in ["trigrams", "words"] {
            let negative = cosine(name, anchor, "Every organ is an heart.");
            let positive = cosine(name, anchor, "Organs include all hearts.");
            assert!(negative > positive, "{name}: {negative} and {positive}");
        }
    }

    #[test]
    fn trigrams_know_parts_of_words() {
        assert!(cosine("trigrams", "cardiology", "cardiological") > 0.5);
        assert!(cosine("words", "cardiology", "cardiological") < 0.5);
    }

    #[test]
    fn signs_are_counted_where_there_is_nothing_else() {
        for name in ["trigrams", "words"] {
            for (first, second, expected) in [("+", " + ", 1.0), ("+", "-", 0.0), ("a +", "a", 1.0)]
            {
                let found = cosine(name, first, second);
                assert!(
                    (found - expected).abs() < 1e-12,
                    "{name}: {first} {second} {found}"
                );
            }
        }
        let nothing = Baseline::named("words").unwrap().vector(" \t");
        assert!(nothing.iter().all(|component| *component == 0.0));
    }

    #[test]
    fn there_are_two() {
        assert_eq!(Baseline::named("silent"), None);
        let names = ["trigrams", "words"].map(|name| Baseline::named(name).unwrap());
        assert_ne!(
            names[0].identity().fingerprint,
            names[1].identity().fingerprint
        );
        assert_eq!(names[0].identity().model, "baseline:trigrams");
    }
}
