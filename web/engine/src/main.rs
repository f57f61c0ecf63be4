//! The entry point of the engine's worker.

#[cfg(target_arch = "wasm32")]
fn main() -> Result<(), wasm_bindgen::JsValue> {
    explorer_engine::worker::listen()
}

/// Natively there is no page to listen to; the engine itself is tested as a library.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}
