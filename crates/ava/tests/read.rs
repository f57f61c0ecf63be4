//! Files of triplets: what is read, what is refused and where, and what is written.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use ava::{Perturbation, Reading, read_triplets, to_json_array};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const GOOD: &str = r#"{"anchor": "a", "positive": "b", "negative": "c"}"#;

fn read(text: &str) -> Reading {
    read_triplets(text.as_bytes()).unwrap()
}

#[test]
fn files_of_either_form_are_read() {
    let pretty = format!("[\n  {},\n  {GOOD}\n]", GOOD.replace(", ", ",\n    "));
    let cases: [(&str, &[u32]); 9] = [
        ("", &[]),
        (" \n\n", &[]),
        ("[]", &[]),
        (GOOD, &[1]),
        (&format!("\n{GOOD}\r\n\r\n {GOOD} \n"), &[2, 4]),
        (&format!("[{GOOD},{GOOD}]"), &[1, 1]),
        (&format!("\n [\n{GOOD}\n]\n"), &[3]),
        (&pretty, &[2, 5]),
        (&format!("\u{feff}[{GOOD}]"), &[1]),
    ];
    for (text, lines) in cases {
        let reading = read(text);
        let found: Vec<u32> = reading.triplets.iter().map(|(line, _)| *line).collect();
        assert_eq!(found, lines, "{text}");
        assert_eq!(reading.problems, [], "{text}");
    }
}

#[test]
fn a_text_without_a_word_is_told_with_its_place_and_stays_a_triplet() {
    for (record, expected) in [
        (
            r#"{"anchor": "", "positive": "b", "negative": "c"}"#,
            "2:12: the anchor of this triplet is empty",
        ),
        (
            r#"{"positive": "é", "anchor": " \t\u3000", "negative": "c"}"#,
            "2:29: the anchor of this triplet is blank",
        ),
        (
            r#"  {"anchor": "a", "positive": "\n", "negative": ""}"#,
            "2:31: the positive of this triplet is blank",
        ),
        (
            r#"{"anchor": "a", "positive": "b", "anchor2": "", "negative":""}"#,
            "2:60: the negative of this triplet is empty",
        ),
    ] {
        for text in [
            format!("{GOOD}\n{record}\n{GOOD}\n"),
            format!("[{GOOD},\n{record}, {GOOD}]"),
        ] {
            let reading = read(&text);
            assert_eq!(reading.triplets.len(), 3, "{text}");
            let told: Vec<String> = reading.blanks.iter().map(ToString::to_string).collect();
            assert_eq!(told, [expected], "{text}");
        }
    }
    assert_eq!(read(GOOD).blanks, []);
}

#[test]
fn what_is_no_triplet_is_told_with_its_place_and_costs_nobody_else() {
    let cases = [
        (
            r#"{"positive": "b", "negative": "c"}"#,
            "2:1: this triplet has no `anchor`",
        ),
        (
            r#"  {"anchor": "a", "negative": "c"}"#,
            "2:3: this triplet has no `positive`",
        ),
        (
            r#"{"anchor": "é", "positive": "b"}"#,
            "2:1: this triplet has no `negative`",
        ),
        ("{}", "2:1: this triplet has no `anchor`"),
        (
            r#"{"anchor": null, "positive": "b", "negative": "c"}"#,
            "2:12: invalid type: null, expected a string",
        ),
        (
            r#"{"positive": "é", "anchor": 7, "negative": "c"}"#,
            "2:29: invalid type: integer `7`, expected a string",
        ),
        (
            r#"{"anchor": "a", "anchor": "a"}"#,
            "2:30: `anchor` is given twice",
        ),
        (
            r#"{"anchor": "a", "source": []}"#,
            "2:27: invalid type: sequence, expected a string",
        ),
        (
            r#"{"anchor": "a", "x": 1, "x": 2}"#,
            "2:30: `x` is given twice",
        ),
        (
            r#"{"anchor_negaive_score": 1, "anchor_negative_score": 2}"#,
            "2:54: `anchor_negative_score` is given twice",
        ),
        (
            r#"{"anchor_negaive_score": NaN}"#,
            "2:26: row 2: NaN stands where a number of `anchor_negaive_score` is due, and JSON has no such number",
        ),
        (
            r#"{"anchor": "a", "negative": NaN}"#,
            "2:29: row 2: NaN stands where a text of `negative` is due, and JSON has no such value",
        ),
        (
            r#"{"é": 0, "anchor_positive_score" : -Infinity}"#,
            "2:36: row 2: -Infinity stands where a number of `anchor_positive_score` is due, and JSON has no such number",
        ),
        (
            r#"{"note": [nan, 1]}"#,
            "2:11: row 2: nan stands where a number is due, and JSON has no such number",
        ),
        (
            r#"{"positive_negative_score": -1e999, "anchor": "a"}"#,
            "2:29: row 2: -1e999 stands where a number of `positive_negative_score` is due, and it is beyond all numbers that are read",
        ),
        (
            r#"{"anchor_positive_score": 100.5}"#,
            "2:27: expected a token-set ratio from 0 to 100, found 100.5",
        ),
        (
            r#"{"anchor_positive_score": "9\"0"}"#,
            "2:27: invalid type: string \"9\\\"0\", expected a token-set ratio from 0 to 100",
        ),
        (
            r#"{"anchor": "\ud800"}"#,
            "2:19: unexpected end of hex escape",
        ),
        (r#"{"anchor": "a""#, "2:14: EOF while parsing an object"),
        ("anchor", "2:1: expected value"),
        (
            "7",
            "2:1: invalid type: integer `7`, expected an object with `anchor`, `positive` and `negative`",
        ),
        (&format!("{GOOD}{GOOD}"), "2:50: trailing characters"),
    ];
    for (line, expected) in cases {
        let reading = read(&format!("{GOOD}\n{line}\n{GOOD}\n"));
        let lines: Vec<u32> = reading.triplets.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 3], "{line}");
        assert_eq!(reading.problems.len(), 1, "{line}");
        let problem = &reading.problems[0];
        assert_eq!(problem.to_string(), expected, "{line}");
        assert!(problem.remedy.is_some(), "{line}");
        assert_eq!(reading.all().unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_record_of_an_array_has_its_own_place() {
    let reading = read(&format!(
        "[\n{GOOD},\n  {{\"positive\": \"b\",\n \"anchor\": []}}, 1]"
    ));
    let problems: Vec<String> = reading.problems.iter().map(ToString::to_string).collect();
    assert_eq!(reading.triplets.len(), 1);
    assert_eq!(
        problems,
        [
            "4:12: invalid type: sequence, expected a string",
            "4:17: invalid type: integer `1`, expected an object with `anchor`, `positive` and `negative`"
        ]
    );
}

#[test]
fn a_file_without_records_to_speak_of_is_an_error() {
    let cases: [(&[u8], &str); 7] = [
        (
            b"[{\"anchor\": \"a\"},\n {\"anchor_positive_score\": Infinity}]",
            "2:28: row 2: no JSON array of triplets: Infinity stands where a number of `anchor_positive_score` is due, and JSON has no such number",
        ),
        (b"\xff\xfe[\x00]\x00", "1:1: this is not UTF-8"),
        (
            b"[{\"anchor\": \"a\"}\n",
            "2:1: no JSON array of triplets: EOF while parsing a list",
        ),
        (
            b"[\n{\"anchor\": \"a\",}]",
            "2:16: no JSON array of triplets: key must be a string",
        ),
        (
            b"[]\n]",
            "2:1: no JSON array of triplets: trailing characters",
        ),
        (b"{}\n\xc3\xa9\xff", "2:2: this is not UTF-8"),
        (b"\xef\xbb\xbf\xff", "1:1: this is not UTF-8"),
    ];
    for (bytes, expected) in cases {
        let problem = read_triplets(bytes).unwrap_err();
        assert_eq!(problem.to_string(), expected);
        assert!(problem.remedy.is_some());
    }
}

#[test]
fn every_key_is_read_in_either_spelling_and_written_in_theirs() {
    let ours = r#"{"note":{"x":[1]},"positive_negative_score":67.71653543307087,"perturbation":"sibling-swap","anchor_negative_score":100.0,"negative":"c","generator":"rules","anchor":"a","positive":"b","anchor_positive_score":69.02654867256638,"source":"FIX","subgraph_id":"bfs_c13e73da"}"#;
    let written = r#"{"anchor":"a","positive":"b","negative":"c","subgraph_id":"bfs_c13e73da","source":"FIX","anchor_negaive_score":100.0,"anchor_positive_score":69.02654867256638,"positive_negaive_score":67.71653543307087,"generator":"rules","perturbation":"sibling-swap","note":{"x":[1]}}"#;
    let triplets = read(ours).all().unwrap();
    assert_eq!(triplets[0].perturbation, Some(Perturbation::SiblingSwap));
    assert_eq!(
        to_json_array(&triplets).unwrap(),
        format!("[\n{written}\n]\n")
    );
    assert_eq!(read(written).all().unwrap(), triplets);
    assert_eq!(to_json_array::<u8>(&[]).unwrap(), "[]\n");
    // Null says as much as leaving it out.
    let bare = read(
        r#"{"anchor": "a", "positive": "b", "negative": "c", "source": null, "generator": null, "anchor_negaive_score": null}"#,
    );
    assert_eq!(bare.triplets[0].1, read(GOOD).triplets[0].1);
    let both = read(
        r#"{"anchor": "a", "positive": "b", "negative": "c", "anchor_negative_score": 90.5, "anchor_negaive_score": 90.5}"#,
    );
    assert_eq!(both.triplets[0].1.scores.anchor_negative, Some(90.5));
}

#[test]
fn what_is_not_known_is_written_as_it_was_and_in_its_place() {
    let record = r#"{"anchor":"a","positive":"b","negative":"c","z":123456789012345678901234567890,"y":1e2,"x":[1.0, -0.0,1.10],"é":{"b":null, "a":"\u00e9\/"}}"#;
    let triplets = read(record).all().unwrap();
    assert_eq!(
        to_json_array(&triplets).unwrap(),
        format!("[\n{record}\n]\n")
    );
    let twice = read(r#"{"anchor":"a","positive":"b","negative":"c","z":1,"z":1}"#);
    assert!(twice.problems[0].to_string().contains("`z` is given twice"));
}

#[test]
fn a_record_is_written_on_one_line_however_it_was_read() {
    let file = "[\r\n  {\n    \"anchor\": \"a\",\n    \"positive\": \"b\",\n    \"negative\": \"c\",\n    \"note\": {\r\n      \"by\": [1e2,\n \"x\\ny\"]\n    }\n  }\n]\n";
    let triplets = read_triplets(file.as_bytes()).unwrap().all().unwrap();
    let line = serde_json::to_string(&triplets[0]).unwrap();
    assert!(!line.contains(['\n', '\r']), "{line}");
    let squeezed: String = line.chars().filter(|c| *c != ' ').collect();
    assert_eq!(
        squeezed,
        r#"{"anchor":"a","positive":"b","negative":"c","note":{"by":[1e2,"x\ny"]}}"#
    );
    // The same from a file of lines.
    let again = read_triplets(line.as_bytes()).unwrap().all().unwrap();
    assert_eq!(again, triplets);
}

#[cfg(not(target_arch = "wasm32"))]
proptest::proptest! {
    #[test]
    fn what_is_written_is_read_back(
        texts in proptest::array::uniform3(".{0,30}"),
        source in proptest::option::of(".{0,9}"),
        score in proptest::option::of(0.0_f64..=100.0),
        kind in proptest::option::of("(sibling-swap|hierarchy-inversion|other|.{0,5})"),
        extra in proptest::collection::btree_map("[w-z]{1,3}", ".{0,5}", 0..3),
    ) {
        let [anchor, positive, negative] = texts;
        let mut triplet = ava::Triplet { anchor, positive, negative, source, ..ava::Triplet::default() };
        triplet.scores.positive_negative = score;
        triplet.perturbation = kind.map(Perturbation::from);
        let raw = |value: String| serde_json::value::to_raw_value(&value).unwrap();
        triplet.extra = extra.into_iter().map(|(key, value)| (key, raw(value))).collect();
        let array = to_json_array(&[triplet.clone(), triplet.clone()]).unwrap();
        assert_eq!(read(&array).all().unwrap(), [triplet.clone(), triplet.clone()]);
        let line = serde_json::to_string(&triplet).unwrap();
        assert_eq!(read(&format!("{line}\n{line}\n")).all().unwrap(), [triplet.clone(), triplet]);
    }

    #[test]
    fn any_bytes_are_read_or_refused_within_the_file(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..60)) {
        if let Err(problem) = read_triplets(&bytes) {
            assert!(problem.line >= 1 && problem.column >= 1);
        }
    }
}
