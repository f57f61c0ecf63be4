//! Any text as an alignment: an error in its place, or sets that are the same when they are written and read again.

#![no_main]

#[path = "../../../worker/src/alignment.rs"]
mod alignment;
#[path = "../../../worker/src/place.rs"]
mod place;

use alignment::AlignmentFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match AlignmentFile::read(text) {
        Ok(file) => {
            // No IRI has white space or control characters in it, and XML would change them.
            let is_plain = |iri: &str| !iri.contains(|c: char| c.is_whitespace() || c.is_control());
            let mut pairs = file.reference().0.equivalent;
            pairs.retain(|(first, second)| is_plain(first) && is_plain(second));
            let cells: Vec<_> = pairs.iter().map(|pair| (pair.clone(), 1.0)).collect();
            let written = alignment::write(&cells, "a", "b");
            let again = AlignmentFile::read(&written).expect("what was written is read");
            let (reference, repeated) = again.reference();
            assert_eq!((reference.equivalent, repeated), (pairs, 0), "{written}");
        }
        Err(error) => {
            let lines = text.split('\n').count();
            assert!(
                error.line >= 1 && error.line as usize <= lines && error.column >= 1,
                "{error}"
            );
        }
    }
});
