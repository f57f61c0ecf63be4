//! Any bytes as server-sent events: the same events in whatever pieces they arrive.

#![no_main]
// The module of the program alone: the rest of it would bring its sockets and tensors along.
#![allow(dead_code, reason = "the program uses what this does not")]

#[path = "../../../worker/src/sse.rs"]
mod sse;

use libfuzzer_sys::fuzz_target;
use sse::SseParser;

fuzz_target!(|bytes: &[u8]| {
    let mut whole = SseParser::default();
    let events = whole.push(bytes);
    for event in &events {
        assert!(!event.data.trim().is_empty());
    }
    let step = usize::from(bytes.first().copied().unwrap_or(1)).max(1);
    let mut parser = SseParser::default();
    let in_pieces: Vec<_> = bytes
        .chunks(step)
        .flat_map(|piece| parser.push(piece))
        .collect();
    assert_eq!(in_pieces, events);
    assert_eq!(parser.last_id(), whole.last_id());
    assert_eq!(parser.retry(), whole.retry());
    assert_eq!(parser.is_midway(), whole.is_midway());
    assert_eq!(parser.end(), whole.end());
});
