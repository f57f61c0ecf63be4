//! A file as a caller has it: text, or bytes.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// The content of a file. JavaScript gives a string, a `Uint8Array` or an `ArrayBuffer`.
#[derive(Clone, Eq, PartialEq)]
pub struct Source(Vec<u8>);

impl Source {
    /// The content as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(&self.0))
    }
}

impl From<&str> for Source {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl From<Vec<u8>> for Source {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Content;
        impl Visitor<'_> for Content {
            type Value = Source;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text or bytes")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Source, E> {
                Ok(text.into())
            }

            fn visit_string<E: Error>(self, text: String) -> Result<Source, E> {
                Ok(Source(text.into_bytes()))
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Source, E> {
                Ok(Source(bytes.to_vec()))
            }

            fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Source, E> {
                Ok(Source(bytes))
            }
        }
        deserializer.deserialize_any(Content)
    }
}
