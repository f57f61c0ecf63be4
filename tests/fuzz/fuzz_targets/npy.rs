//! Any bytes as a file of NumPy's: what is wrong with it, or numbers as many as its shape says.

#![no_main]

#[path = "../../../worker/src/encoder/npy.rs"]
mod npy;

use libfuzzer_sys::fuzz_target;
use npy::Npy;

fuzz_target!(|bytes: &[u8]| {
    for bytes in [bytes.to_vec(), [npy::MAGIC, bytes].concat()] {
        match Npy::read(&bytes) {
            Ok(npy) => {
                let numbers: usize = npy.shape.iter().product();
                assert_eq!(npy.data.len(), numbers * npy.kind.bytes());
            }
            Err(message) => assert!(!message.is_empty()),
        }
    }
});
