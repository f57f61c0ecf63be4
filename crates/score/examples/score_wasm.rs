//! The same work as `score_bench`, as a WebAssembly module for Node: `bench/score/run.py` loads it.

#![cfg(target_arch = "wasm32")]

use score::{Key, Options, score};
use wasm_bindgen::prelude::wasm_bindgen;

/// Scores a CSV answer against a CSV key; how many rows match, or what is wrong with the files.
#[wasm_bindgen]
pub fn score_csv(key: &[u8], answer: &[u8]) -> Result<usize, String> {
    let key = table::read_key_csv(key).map_err(|error| error.to_string())?;
    let answer = table::read_answer(answer).map_err(|error| error.to_string())?;
    let score = score(&Key::unordered(&key), &answer, &Options::default());
    Ok(score.matched_rows)
}
