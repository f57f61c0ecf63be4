//! What JavaScript calls. The package's `core.mjs` stands in front of these: it copies what it was given into plain data, so
//! that nothing here meets a getter that throws, and makes errors of the faults.

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::fault::Fault;

/// Panics are defects; their message is worth more than `unreachable`.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&info.to_string())));
}

/// Makes room for so many bytes, if there is any to be had.
///
/// Memory that grows by a page at a time tells the engine each time how large it is now, and with hundreds of megabytes that
/// engine then looks for garbage each time.
#[wasm_bindgen]
pub fn reserve(bytes: usize) {
    let mut room = Vec::<u8>::new();
    // Where there is none, whoever needs it will say so.
    let _ = room.try_reserve_exact(bytes);
    std::hint::black_box(&mut room);
}

/// `parseRecord(source, options)`.
#[wasm_bindgen]
pub fn parse_record(source: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
    let source = argument("source", source)?;
    answer(&crate::parse_record(
        &source,
        &argument("options", options)?,
    ))
}

/// `lint(source, options)`.
#[wasm_bindgen]
pub fn lint(source: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
    let source = argument("source", source)?;
    outcome(crate::lint(&source, &argument("options", options)?))
}

/// `score(key, answer, options)`.
#[wasm_bindgen]
pub fn score(key: JsValue, answer: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
    let key = argument("key", key)?;
    let answer = argument("answer", answer)?;
    outcome(crate::score(&key, &answer, &argument("options", options)?))
}

/// `analyseControl(key, control, options)`.
#[wasm_bindgen]
pub fn analyse_control(
    key: JsValue,
    control: JsValue,
    options: JsValue,
) -> Result<JsValue, JsValue> {
    let key = argument("key", key)?;
    let control = argument("control", control)?;
    let options = argument("options", options)?;
    outcome(crate::analyse_control(&key, &control, &options))
}

/// `deriveControls(source, options)`.
#[wasm_bindgen]
pub fn derive_controls(source: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
    let source = argument("source", source)?;
    outcome(crate::derive_controls(
        &source,
        &argument("options", options)?,
    ))
}

/// Reads an argument; what is wrong with it is told with the path to it.
fn argument<T: DeserializeOwned>(name: &str, value: JsValue) -> Result<T, JsValue> {
    let value = serde_wasm_bindgen::Deserializer::from(value);
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = match error.path().to_string().as_str() {
            "." => name.to_owned(),
            path => format!("{name}.{path}"),
        };
        // What came through JavaScript is an `Error` already.
        let inner = error.into_inner().to_string();
        let message = readable(inner.strip_prefix("Error: ").unwrap_or(&inner));
        let fault = Fault::argument(
            format!("{path}: {message}"),
            "the package's types say what each argument may be",
        );
        thrown(&fault)
    })
}

/// The words of a programmer in JavaScript for those of one in Rust.
fn readable(message: &str) -> String {
    const WORDS: [(&str, &str); 6] = [
        ("floating point `", "`"),
        ("unit value", "null"),
        ("usize", "a whole number from 0"),
        ("a sequence", "an array"),
        ("struct Names", "an object of labels and synonyms"),
        ("struct ", "an object like "),
    ];
    WORDS
        .iter()
        .fold(message.to_owned(), |message, (theirs, ours)| {
            message.replace(theirs, ours)
        })
}

fn outcome<T: Serialize>(result: Result<T, Fault>) -> Result<JsValue, JsValue> {
    match result {
        Ok(value) => answer(&value),
        Err(fault) => Err(thrown(&fault)),
    }
}

fn answer<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    plain(value).map_err(JsValue::from)
}

/// A fault as a plain object, which `core.mjs` tells from any other exception by its `kind`.
fn thrown(fault: &Fault) -> JsValue {
    plain(fault).unwrap_or_else(JsValue::from)
}

/// As JSON would have it: absent values are `null`, keys and values an object.
fn plain<T: Serialize>(value: &T) -> Result<JsValue, serde_wasm_bindgen::Error> {
    value.serialize(&serde_wasm_bindgen::Serializer::json_compatible())
}
