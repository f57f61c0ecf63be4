//! Reading figures that have a range, so that what no sweep can have written is refused where it stands.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

/// A share: from 0 to 1.
pub(crate) fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    deserializer.deserialize_f64(Within {
        what: "a share from 0 to 1",
        most: 1.0,
    })
}

/// A share that may not be known.
pub(crate) fn share_if_known<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<f64>, D::Error> {
    #[derive(Deserialize)]
    struct Share(#[serde(deserialize_with = "share")] f64);
    Ok(Option::<Share>::deserialize(deserializer)?.map(|share| share.0))
}

/// An amount: from 0 on.
pub(crate) fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    deserializer.deserialize_f64(Within {
        what: "a number from 0 on",
        most: f64::MAX,
    })
}

/// An amount that may not be known.
pub(crate) fn amount_if_known<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<f64>, D::Error> {
    #[derive(Deserialize)]
    struct Amount(#[serde(deserialize_with = "amount")] f64);
    Ok(Option::<Amount>::deserialize(deserializer)?.map(|amount| amount.0))
}

/// A number from 0 to `most`. A visitor of its own, because the reader of JSON knows the place of what a visitor refuses.
struct Within {
    what: &'static str,
    most: f64,
}

impl Visitor<'_> for Within {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
        if (0.0..=self.most).contains(&value) {
            Ok(value)
        } else {
            Err(E::custom(format_args!(
                "expected {}, found {value}",
                self.what
            )))
        }
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
        self.visit_f64(value as f64)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
        self.visit_f64(value as f64)
    }
}
