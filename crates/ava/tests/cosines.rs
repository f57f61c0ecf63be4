//! Files of cosines: what is read, and what is refused and where.

use ava::{Cosines, read_cosines};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const ROW: &str = r#"{"anchor_positive": 0.9, "anchor_negative": 0.8, "positive_negative": 0.25}"#;

#[test]
fn files_of_either_form_are_read() {
    for text in [
        format!("{ROW}\n{ROW}"),
        format!("\n{ROW}\r\n\r\n{ROW}\r\n\r\n \n"),
        format!("\u{feff}{ROW}\n{ROW}\n"),
        format!("[{ROW},\r\n {ROW}]\r\n\r\n"),
        format!("\u{feff}[{ROW}, {ROW}]"),
    ] {
        let read = read_cosines(text.as_bytes(), 2).unwrap();
        assert!(read.iter().all(Cosines::is_right), "{text}");
        assert_eq!(read.len(), 2, "{text}");
    }
}

#[test]
fn what_is_no_cosine_is_told_with_its_row_and_place_and_what_is_due() {
    let row = |cosine: &str| ROW.replace("0.8", cosine);
    let cases: [(Vec<u8>, &str, &str); 14] = [
        (
            b"".to_vec(),
            "1:1: no cosines: the file is empty",
            "one object for each triplet",
        ),
        (
            b"\xef\xbb\xbf \r\n".to_vec(),
            "1:1: no cosines: the file holds nothing but white space",
            "one object for each triplet",
        ),
        (
            [ROW.as_bytes(), b"\n{\"\xc3\xa9\xff"].concat(),
            "2:4: this is not UTF-8",
            "save the file as UTF-8",
        ),
        (
            [b"\xef\xbb\xbf", ROW.as_bytes(), b"\xff"].concat(),
            "1:76: this is not UTF-8",
            "save the file as UTF-8",
        ),
        (
            format!("{ROW}\n\n{}", row("NaN")).into_bytes(),
            "3:45: row 2: NaN stands where a number of `anchor_negative` is due, and JSON has no such number",
            "write that row's cosine there, a number from -1 to 1",
        ),
        (
            format!("[{ROW},\n{}]", row("-Infinity")).into_bytes(),
            "2:45: row 2: no JSON array of cosines: -Infinity stands where a number of `anchor_negative` is due, and JSON has no such number",
            "write that row's cosine there, a number from -1 to 1",
        ),
        (
            format!("{ROW}\n{}", row("1e999")).into_bytes(),
            "2:45: row 2: 1e999 stands where a number of `anchor_negative` is due, and it is beyond all numbers that are read",
            "write that row's cosine there, a number from -1 to 1",
        ),
        (
            row("-1.1").into_bytes(),
            "1:45: expected a cosine from -1 to 1, found -1.1",
            "each a number from -1 to 1",
        ),
        (
            row("null").into_bytes(),
            "1:45: invalid type: null, expected a cosine from -1 to 1",
            "each a number from -1 to 1",
        ),
        (
            row("\"0.8\"").into_bytes(),
            "1:45: invalid type: string \"0.8\", expected a cosine from -1 to 1",
            "each a number from -1 to 1",
        ),
        (
            format!("{ROW}\n  {{\"anchor_positive\": 1}}\n").into_bytes(),
            "2:3: row 2: there is no `anchor_negative`",
            "each a number from -1 to 1",
        ),
        (
            format!("{ROW}\r\n\r\n").into_bytes(),
            "1:76: rows of cosines: 1; of triplets: 2",
            "one object for each triplet",
        ),
        (
            format!("{ROW}\n{ROW}\n {ROW}\n").into_bytes(),
            "3:2: rows of cosines: 3; of triplets: 2",
            "one object for each triplet",
        ),
        (
            format!("[{ROW}\n").into_bytes(),
            "2:1: no JSON array of cosines: EOF while parsing a list",
            "one object for each triplet",
        ),
    ];
    for (bytes, expected, remedy) in cases {
        let problem = read_cosines(&bytes, 2).unwrap_err();
        assert_eq!(problem.to_string(), expected);
        assert!(
            problem.remedy.as_ref().unwrap().contains(remedy),
            "{problem:?}"
        );
    }
}
