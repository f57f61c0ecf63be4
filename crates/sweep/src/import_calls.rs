//! The `calls.json` of another harness.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::call::queries_in;
use crate::import_fields::{Fields, ImportError, mismatch, parse};
use crate::{Call, Expansion, ToolNames, ToolRole};

/// A call as another harness recorded it; what it did not record is `None`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImportedCall {
    /// Place of the call in its attempt, from 1, by its place in the file.
    pub sequence: u32,
    /// Name of the tool.
    pub tool: Option<String>,
    /// The arguments as the agent gave them.
    pub arguments: Option<Value>,
    /// How long the call took, in seconds.
    pub seconds: Option<f64>,
    /// Whether the server itself said that the call failed.
    pub is_error: Option<bool>,
    /// Whether the call failed though the server did not say so.
    pub soft_error: Option<bool>,
    /// What the harness noted of that failure.
    pub soft_error_detail: Option<Value>,
    /// Size of the reply in bytes.
    pub reply_bytes: Option<u64>,
    /// What the tool is for, where this program recorded the call by a table of names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<ToolRole>,
    /// What the server expanded, where this program recorded the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expansion: Option<Expansion>,
    /// The terms that a call for descendants brought back, where this program recorded the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<String>,
    /// Every field that is unknown here, as it was.
    pub other: Map<String, Value>,
}

impl ImportedCall {
    /// Whether the call is known to have brought back what it was meant to.
    pub fn succeeded(&self) -> bool {
        self.is_error == Some(false) && self.soft_error == Some(false)
    }

    /// What the tool is for: as it was recorded, else by the names of the federation's own server.
    pub fn role(&self) -> ToolRole {
        let by_name = || ToolNames::default().role_of(self.tool.as_deref().unwrap_or_default());
        self.role.unwrap_or_else(by_name)
    }

    /// Every SPARQL text among the arguments.
    pub fn queries(&self) -> Vec<&str> {
        self.arguments.as_ref().map(queries_in).unwrap_or_default()
    }

    fn of(file: &str, place: usize, value: Value) -> Result<Self, ImportError> {
        let own = own_recording(&value);
        let mut fields = Fields::of(file, format!("calls[{place}]."), value)?;
        let milliseconds = fields.number(&["duration_ms", "elapsed_ms"])?;
        let seconds = fields.number(&["seconds", "duration_s", "elapsed_seconds", "duration"])?;
        let mut soft_error = fields.any(&["soft_error"]);
        let mut own_fields = (None, None, Vec::new());
        if let Some(call) = own {
            soft_error.get_or_insert(Value::Null);
            for name in ["role", "expansion", "terms"] {
                fields.any(&[name]);
            }
            own_fields = (call.role, call.expansion, call.terms);
        }
        let (role, expansion, terms) = own_fields;
        Ok(Self {
            sequence: u32::try_from(place + 1).unwrap_or(u32::MAX),
            tool: fields.text(&["tool", "tool_name", "name"])?,
            arguments: fields
                .any(&["arguments", "args", "input"])
                .filter(|value| !value.is_null()),
            seconds: seconds.or(milliseconds.map(|ms| ms / 1e3)),
            is_error: fields.flag(&["is_error", "isError"])?,
            soft_error: soft_error.as_ref().map(happened),
            soft_error_detail: soft_error
                .filter(|detail| !detail.is_null() && !detail.is_boolean()),
            reply_bytes: fields.count(&["reply_bytes", "result_bytes", "response_bytes"])?,
            role,
            expansion,
            terms,
            other: fields.rest(),
        })
    }
}

/// The call, where this program recorded it: its own files have fields that those of other harnesses lack, and leave out a
/// soft error that did not happen.
fn own_recording(value: &Value) -> Option<Call> {
    let is_own = value.get("session_reset").is_some() && value.get("answered_by").is_some();
    is_own.then(|| Call::deserialize(value).ok()).flatten()
}

/// A field that is null, false or empty says that nothing happened; one that is absent says nothing.
fn happened(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Number(_) | Value::Object(_) => true,
    }
}

/// The calls in a file: one array, or an object with the array under `calls`.
pub(crate) fn calls(file: &str, bytes: &[u8]) -> Result<Vec<ImportedCall>, ImportError> {
    let list = match parse(file, bytes)? {
        Value::Array(list) => list,
        Value::Object(mut object) => match object.remove("calls") {
            Some(Value::Array(list)) => list,
            Some(other) => return Err(mismatch(file, "calls", "an array", &other)),
            None => {
                let object = Value::Object(object);
                return Err(mismatch(
                    file,
                    "",
                    "an array of calls, or an object with `calls`",
                    &object,
                ));
            }
        },
        other => return Err(mismatch(file, "", "an array of calls", &other)),
    };
    list.into_iter()
        .enumerate()
        .map(|(place, value)| ImportedCall::of(file, place, value))
        .collect()
}
