//! Whatever the bytes and however they arrive: a record comes out, the same one, with its problems inside the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use record::{Record, RecordParser};

fuzz_target!(|data: &[u8]| {
    let whole = Record::parse("nde-expand_x.rq", data);

    // The first byte says where to cut the rest; the whole file is read either way.
    let step = usize::from(data.first().copied().unwrap_or(1)).max(1);
    let mut parser = RecordParser::new("nde-expand_x.rq");
    for piece in data.chunks(step) {
        parser.push(piece);
    }
    let pieces = parser.finish();
    assert_eq!(pieces.header, whole.header);
    assert_eq!(pieces.problems, whole.problems);
    assert_eq!(pieces.query_text, whole.query_text);
    assert_eq!(pieces.query.is_some(), whole.query.is_some());

    let text = String::from_utf8_lossy(data);
    let lines = text.split(['\n', '\r']).count();
    for problem in &whole.problems {
        assert!(problem.line >= 1 && problem.column >= 1);
        assert!(
            usize::try_from(problem.line).unwrap() <= lines + 1,
            "{problem}"
        );
    }
    if let Some(query) = &whole.query {
        // What the parser let through must be shallow enough to walk, print and drop.
        let _ = (
            record::iris_of(query),
            record::order_of(query),
            query.to_string(),
        );
    }
});
