//! Reading another harness's JSON objects: fields by any of their names, and what nobody asked for.

use serde_json::{Map, Value};
use thiserror::Error;

/// Why a folder of another harness cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ImportError {
    /// The file is not JSON.
    #[error("{file}:{line}:{column}: not JSON: {message}")]
    NotJson {
        /// The file.
        file: String,
        /// Line of the trouble, from 1.
        line: usize,
        /// Column of the trouble, from 1.
        column: usize,
        /// What the reader of JSON says.
        message: String,
    },
    /// A value of another type than that field has.
    #[error("{file}: `{field}` should be {expected}, and is {found}")]
    Type {
        /// The file.
        file: String,
        /// Name of the field, `calls[3].tool` for the tool of the fourth call.
        field: String,
        /// What was expected.
        expected: &'static str,
        /// What was found.
        found: String,
    },
    /// Something that an attempt cannot be placed without.
    #[error("{folder}: nothing says {what}: {looked}")]
    Missing {
        /// The attempt's folder.
        folder: String,
        /// What is missing.
        what: &'static str,
        /// Where it was looked for.
        looked: String,
    },
    /// Attempts of two conditions in one folder.
    #[error("{folder} is of {field} {here}, the attempts before it of {there}")]
    TwoConditions {
        /// The attempt's folder.
        folder: String,
        /// The field in which they differ.
        field: &'static str,
        /// The attempt's value.
        here: String,
        /// The value before.
        there: String,
    },
    /// Two folders with the same attempt.
    #[error("{second} is attempt {attempt} at {record}, and so is {first}")]
    Twice {
        /// Id of the record.
        record: String,
        /// Number of the attempt.
        attempt: u32,
        /// The folder that came first.
        first: String,
        /// The other one.
        second: String,
    },
}

impl ImportError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::NotJson { .. } | Self::Type { .. } => {
                "repair the file, or move the attempt's folder away to import the others"
            }
            Self::Missing { .. } => {
                "a folder is an attempt when it holds metrics.json or calls.json; name its record and number in metrics.json, or put it at RECORD/N"
            }
            Self::TwoConditions { .. } => "import the attempts of each condition by themselves",
            Self::Twice { .. } => "move one of the two away",
        }
    }
}

/// An object whose fields are taken one by one; what is left was unknown.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    file: String,
    path: String,
    left: Map<String, Value>,
}

impl Fields {
    /// The object in a JSON file.
    pub(crate) fn parse(file: &str, bytes: &[u8]) -> Result<Self, ImportError> {
        Self::of(file, String::new(), parse(file, bytes)?)
    }

    pub(crate) fn of(file: &str, path: String, value: Value) -> Result<Self, ImportError> {
        match value {
            Value::Object(left) => Ok(Self {
                file: file.to_owned(),
                path,
                left,
            }),
            other => Err(mismatch(file, &path, "an object", &other)),
        }
    }

    /// Brings the fields of the named inner objects to the top, where the top does not have them already.
    pub(crate) fn flatten(&mut self, inner: &[&str]) {
        for name in inner {
            if let Some(Value::Object(fields)) = self.left.get(*name) {
                let fields = fields.clone();
                self.left.remove(*name);
                for (field, value) in fields {
                    // A second value under one name stays where it was found.
                    if self.left.contains_key(&field) {
                        self.left.insert(format!("{name}.{field}"), value);
                    } else {
                        self.left.insert(field, value);
                    }
                }
            }
        }
    }

    pub(crate) fn text(&mut self, names: &[&str]) -> Result<Option<String>, ImportError> {
        self.take(names, "text", |value| match value {
            Value::String(text) => Some(text.clone()),
            _ => None,
        })
    }

    pub(crate) fn flag(&mut self, names: &[&str]) -> Result<Option<bool>, ImportError> {
        self.take(names, "true or false", Value::as_bool)
    }

    pub(crate) fn number(&mut self, names: &[&str]) -> Result<Option<f64>, ImportError> {
        self.take(names, "a number from 0 on", |value| {
            value.as_f64().filter(|number| *number >= 0.0)
        })
    }

    pub(crate) fn share(&mut self, names: &[&str]) -> Result<Option<f64>, ImportError> {
        self.take(names, "a share from 0 to 1", |value| {
            value.as_f64().filter(|number| (0.0..=1.0).contains(number))
        })
    }

    pub(crate) fn count<T: TryFrom<u64>>(
        &mut self,
        names: &[&str],
    ) -> Result<Option<T>, ImportError> {
        self.take(names, "a count", |value| T::try_from(value.as_u64()?).ok())
    }

    /// Whether something happened, where the file says it by a flag or by telling what: an empty text is no.
    pub(crate) fn happened(&mut self, names: &[&str]) -> Result<Option<bool>, ImportError> {
        self.take(names, "true, false or a text", |value| match value {
            Value::Bool(flag) => Some(*flag),
            Value::String(text) => Some(!text.is_empty()),
            _ => None,
        })
    }

    pub(crate) fn any(&mut self, names: &[&str]) -> Option<Value> {
        let name = names.iter().find(|name| self.left.contains_key(**name))?;
        self.left.remove(*name)
    }

    /// What nobody took.
    pub(crate) fn rest(self) -> Map<String, Value> {
        self.left
    }

    /// The first field of those names; a null says nothing.
    fn take<T>(
        &mut self,
        names: &[&str],
        expected: &'static str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<T>, ImportError> {
        for name in names {
            let Some(value) = self.left.get(*name) else {
                continue;
            };
            if value.is_null() {
                continue;
            }
            let Some(read) = read(value) else {
                let field = format!("{}{name}", self.path);
                return Err(mismatch(&self.file, &field, expected, value));
            };
            self.left.remove(*name);
            return Ok(Some(read));
        }
        // Nulls under a known name say nothing and are not left over either.
        for name in names {
            if self.left.get(*name).is_some_and(Value::is_null) {
                self.left.remove(*name);
            }
        }
        Ok(None)
    }
}

pub(crate) fn parse(file: &str, bytes: &[u8]) -> Result<Value, ImportError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_slice(bytes).map_err(|error| ImportError::NotJson {
        file: file.to_owned(),
        line: error.line(),
        column: error.column(),
        message: error.to_string(),
    })
}

pub(crate) fn mismatch(
    file: &str,
    field: &str,
    expected: &'static str,
    found: &Value,
) -> ImportError {
    let found = match found {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("the text {:?}", text.chars().take(40).collect::<String>()),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    };
    ImportError::Type {
        file: file.to_owned(),
        field: if field.is_empty() {
            "the file".to_owned()
        } else {
            field.to_owned()
        },
        expected,
        found,
    }
}
