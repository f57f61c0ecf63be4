//! The analysis of a control for `bench/control/wasm.mjs`, which has the clock.

#[cfg(target_arch = "wasm32")]
mod common;

#[cfg(target_arch = "wasm32")]
mod exported {
    use wasm_bindgen::JsError;
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Tables made beforehand.
    #[wasm_bindgen]
    pub struct Sample(super::common::Sample);

    #[wasm_bindgen]
    impl Sample {
        /// Tables of so many rows.
        #[wasm_bindgen(constructor)]
        pub fn new(rows: usize) -> Self {
            Self(super::common::Sample::new(rows))
        }

        /// Analyses, and says how many rows were explained.
        pub fn analyse(&self) -> Result<usize, JsError> {
            Ok(self.0.analyse()?.findings.why.len())
        }
    }
}
